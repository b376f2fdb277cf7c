"""The commands, a file each: `describe` declares the arguments, `run` does the work."""
