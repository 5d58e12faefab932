"""Answers made from ranked lists: their sentences and citations, the nuggets they should say, and labels of both."""
