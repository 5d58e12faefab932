"""Measures as described values: what one is, its parameters, every name it has, the text that denotes it."""
