"""Where one run is better than another: differences by slices of the queries, whether they differ between slices, two
attributes crossed, and slices found by search and tested on the queries that were not searched."""
