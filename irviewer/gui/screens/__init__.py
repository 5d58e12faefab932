"""The screens of the window: their base class, the start screen, and ``make_screens``, which knows all of them."""
