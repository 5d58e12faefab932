"""Judgments in a session: made by hand, merged, undone, and who made them."""
