"""Tasks, their training, and the models that come of it."""
