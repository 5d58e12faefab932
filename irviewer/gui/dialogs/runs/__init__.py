"""Dialogs about runs: choosing, renaming, editing, fusing."""
