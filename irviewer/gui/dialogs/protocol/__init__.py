"""Dialogs about the protocol."""
