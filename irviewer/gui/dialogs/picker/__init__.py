"""The picker: one field and a list that narrows while the user types, and what it can list."""
