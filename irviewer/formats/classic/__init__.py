"""Formats of the old test collections: SMART, LISA, NPL, TIME, Cranfield."""
