"""Files of answers made from ranked lists: answers, nuggets, assignments and support as TREC RAG writes them, tables of
these, and the records of other tools."""
