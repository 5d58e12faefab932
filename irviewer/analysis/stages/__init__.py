"""Retrieval in stages: a first run, and runs that re-rank its documents. Where relevant documents are lost, and what
the best order of the remaining documents could reach."""
