"""Figures on screen; the only package that imports pyqtgraph."""
