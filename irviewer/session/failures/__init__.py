"""Failure analysis in a session: its options and results."""
