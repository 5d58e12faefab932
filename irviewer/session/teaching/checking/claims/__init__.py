"""Clauses of which every word is understood, against the rankings of a lesson."""
