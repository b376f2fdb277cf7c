"""The dependency parser: decoders for several transition systems, and what users call."""
