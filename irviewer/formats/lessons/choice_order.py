"""The order in which the choices of a question are shown: drawn, so that the right one does not stand first."""

from __future__ import annotations

import random
from dataclasses import replace

from irviewer.model.lessons.lesson import Item, Question

LABEL = 2
"""Choices that all have at most so many characters (A, B, C; 1, 2, 10) are labels, and keep their order."""


def with_choices_drawn(item: Item, lesson: str, number: int) -> Item:
    """Return an item of a lesson with the choices of a question in an order that is drawn from the lesson's name and
    the item's number, from 1: the same in every language, session and on paper. Labels, and choices that keep their
    order, stay."""
    if not isinstance(item, Question) or item.keeps_order or all(len(each.text) <= LABEL for each in item.choices):
        return item
    choices = list(item.choices)
    random.Random(f"{lesson}/{number}").shuffle(choices)
    return replace(item, choices=tuple(choices))
