"""Everything that opens over the window and closes again."""
