"""The rankings of one query: lists side by side, strips, and what is outside the cutoff."""
