"""Failure analysis: queries that fail and how, hubs, missed documents, and the effort of reading on."""
