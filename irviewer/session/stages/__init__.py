"""Runs in stages: which are chosen or found, their funnel, and the choices in its view."""
