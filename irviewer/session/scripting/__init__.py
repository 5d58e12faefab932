"""The window as seen from a Python process that opened it: data and selection in both directions."""
