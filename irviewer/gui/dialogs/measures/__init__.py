"""The dialogs about measures: card, ties, and what dialects change."""
