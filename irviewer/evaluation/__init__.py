"""Qrels and runs to numbers: evaluation in bulk and after an edit, dialects' treatment of measures, curves, sweeps."""
