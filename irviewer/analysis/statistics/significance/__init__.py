"""Significance tests of differences between runs: paired tests, tests of all pairs, corrections, resampling."""
