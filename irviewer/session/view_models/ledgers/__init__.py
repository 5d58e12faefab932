"""View models of ledgers: why a value or a number of a view is what it is."""
