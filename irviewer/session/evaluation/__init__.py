"""Evaluation in a session: measures, cutoff, dialect, Z-scores; and the context that view models read."""
