"""The bars of the window: top bar, status bar, messages, judging mode, runs without judged documents."""
