"""What the numbers mean: explanations, statistics, the pool behind the judgments, failures, similarity of runs,
agreement of judges."""
