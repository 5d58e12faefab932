"""Comparison by slices of the queries: differences by slice, tests whether they vary between slices, two attributes
crossed, and slices found by search and tested on other queries."""
