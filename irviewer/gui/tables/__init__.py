"""Painters of table cells."""

from __future__ import annotations


# Qt models over view models: sort and filter live in the session, a model only formats what it is given.
