"""The place Compare: a pair of runs, matrices of all runs, the pool, query sets."""
