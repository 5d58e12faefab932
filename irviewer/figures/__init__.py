"""Results -> Figure: arrays and roles ("run 3", "ideal"), no colour objects, no toolkit; one file a figure."""
