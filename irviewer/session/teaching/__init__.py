"""Worked examples in a session: their data, lessons, steps, sliders."""
