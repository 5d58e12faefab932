"""The Queries view: a table with a row for each query."""
