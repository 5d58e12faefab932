"""The Verdict screen: whether one run is better than another, and what could change the answer."""
