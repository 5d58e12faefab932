"""Effects of pooling on results: what each run contributed alone, what is unjudged, and how far values could change."""
