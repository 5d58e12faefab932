"""The lecture's table: a ranking rank by rank, with cells that are covered, shown and guessed."""
