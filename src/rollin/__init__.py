"""rollin: write the decoder, and it is learned."""
