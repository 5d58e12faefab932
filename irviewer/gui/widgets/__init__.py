"""Widgets that more than one place uses."""
