"""The screens, composed of views that do not know each other: what all screens share, the start screen, and ``making``,
the only module that knows all of them."""
