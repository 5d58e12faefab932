"""Evaluation of runs with qrels: values, updates after edits, dialects, curves and parameter sweeps."""
