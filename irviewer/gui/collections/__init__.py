"""The Collections view: the same systems on every open collection."""
