"""Notes and tags of queries and documents."""
