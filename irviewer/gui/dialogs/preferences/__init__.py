"""The dialog of the preferences, one module per page."""
