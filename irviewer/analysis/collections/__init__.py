"""The same systems on several collections: a table of values, the difference of two systems over collections, and tests
whose units are collections instead of queries."""
