"""Treebanks: CoNLL-U and CoNLL-X files as columns of numbers, and back, without losing a byte."""
