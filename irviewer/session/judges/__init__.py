"""The judges of a collection: which there are, what is known of them, and how their judgments compare."""
