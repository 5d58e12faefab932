"""What the pool behind the judgments does to the numbers: who found what alone, what is unjudged, what that may change.

Reads qrels and runs; knows no files and no toolkit."""
