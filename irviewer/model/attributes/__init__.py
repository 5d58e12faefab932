"""Attributes of queries and runs, and the tables that they are opened from."""
