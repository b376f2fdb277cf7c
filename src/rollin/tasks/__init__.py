"""Tasks that ship with rollin: each is a short decoder over the calls of the search."""
