"""The same systems on several collections: their table, the difference of two of them over collections, and tests that
count collections instead of queries."""
