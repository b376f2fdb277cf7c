"""How good trees are: the measures of the shared tasks, and whether a difference means anything."""
