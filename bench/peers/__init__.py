"""The same tasks written with other libraries, measured the same way."""
