"""Whether the ids of two files are the same things, and how they would match."""
