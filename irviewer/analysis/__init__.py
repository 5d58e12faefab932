"""Analyses of values: explanations, statistics, effects of the pool, failures, similarity of runs, agreement of
judges."""
