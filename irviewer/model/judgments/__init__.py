"""Judgments: the join with runs, several judges, merging, and the user's judgments applied to a file."""
