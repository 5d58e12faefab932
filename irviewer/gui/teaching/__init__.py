"""Worked examples in the window: lessons, steps, sliders."""
