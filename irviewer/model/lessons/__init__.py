"""Lessons as values: texts, rankings, steps, questions, printed figures. Knows no file and no session."""
