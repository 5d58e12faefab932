"""Rankings and judgments as JSON: maps, lists and rows, in one document or a line each."""
