"""Changes of frozen values: undo history, changed mappings, replaced queries."""
