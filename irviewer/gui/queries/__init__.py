"""The place Queries: a table with a row for every query."""
