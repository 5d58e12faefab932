"""Retrieval in stages: a first run, and runs that re-rank what it returned. Where relevant documents are lost on the
way, and what the best order of the documents that are left could reach."""
