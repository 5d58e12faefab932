"""The Query view: ranked lists side by side, documents, ledger and measures of one query."""
