"""Evaluation on numpy and Arrow arrays: frozen values in, frozen values out; no files, no Qt."""
