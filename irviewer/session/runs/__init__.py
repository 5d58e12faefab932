"""Runs in a session: which are shown, under which names, colours and order."""
