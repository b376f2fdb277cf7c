"""A small English treebank for trying rollin out: its lexicon, its grammar, and what they made."""
