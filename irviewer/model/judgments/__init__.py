"""What is made of qrels: judgments as arrays, several judges, merging, changes laid over a file."""
