"""Answers in the window: the systems that answer, one topic of them, and all topics side by side."""
