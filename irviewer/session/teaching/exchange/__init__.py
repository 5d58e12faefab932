"""Lessons outside the window: sheets of paper, web pages, question banks; and the answers that come back."""
