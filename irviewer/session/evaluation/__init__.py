"""How numbers are made in a session: measures, cutoff, dialect, Z-scores; the context that views read."""
