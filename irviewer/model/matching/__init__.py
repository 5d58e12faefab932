"""Matching of the query and document ids of runs with those of qrels."""
