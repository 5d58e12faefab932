"""Whether one run is better than another: the conclusion, what could change it, and where the rest is lost."""
