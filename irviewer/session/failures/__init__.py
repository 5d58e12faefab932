"""Failures in a session: which options define one, what is found."""
