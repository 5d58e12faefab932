"""Similarity of runs, and agreement of measures: overlap, rank correlation, clusters."""
