"""Painters of table cells."""
