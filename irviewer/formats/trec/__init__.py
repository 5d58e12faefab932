"""TREC's formats and their near relatives: qrels, runs, preferences, topics, LETOR, NTCIR."""
