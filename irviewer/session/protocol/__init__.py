"""The protocol of a session: its fields, their changes as undo steps, and what it is for the collection in view."""
