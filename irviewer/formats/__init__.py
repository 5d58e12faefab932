"""Bytes <-> model: one reader or writer a file, a registry that sniffs, a report with line numbers."""
