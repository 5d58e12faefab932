"""What is made of runs: order under ties, fusion, edits, chunks rolled up to documents."""
