"""The screens of the window: their base class, the start screen, and ``make_screens``, a table of all of them."""
