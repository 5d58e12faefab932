"""Curves on screen: canvas, plot surface, items, legend, read-out."""
