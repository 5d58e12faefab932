"""Comparison of runs in a session: statistics, matrices, pooling, fusion."""
