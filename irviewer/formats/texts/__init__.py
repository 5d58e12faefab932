"""Texts of queries and documents, and the index of a large corpus."""
