"""How alike runs are, and how alike measures rank them: overlaps, correlations of orders, clusters.

Reads runs and tables of results; knows no files and no toolkit."""
