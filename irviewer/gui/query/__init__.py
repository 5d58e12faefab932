"""The place Query: ranked lists side by side, documents, ledger and metrics of one query."""
