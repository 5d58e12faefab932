"""Which action answers what was typed."""

from __future__ import annotations

import pytest

from irviewer.gui.dialogs.picker.fuzzy_match import score

ACTIONS = ["Go to query…", "Next query", "Previous query", "Open files…", "Save table…", "Save plot…", "Dark colours"]


def best(typed: str) -> str:
    ranked = [(points, text) for text in ACTIONS if (points := score(typed, text)) is not None]
    return max(ranked)[1] if ranked else ""


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("next", "Next query"),
        ("que prev", "Previous query"),
        ("gtq", "Go to query…"),
        ("DARK", "Dark colours"),
        ("open", "Open files…"),
        ("plot", "Save plot…"),
        ("tab", "Save table…"),
        ("goqu", "Go to query…"),
        ("nqu", "Next query"),
        ("heat", ""),
        ("xyz", ""),
    ],
)
def test_best_answer(typed: str, expected: str) -> None:
    assert best(typed) == expected


def test_nothing_typed_is_answered_by_all() -> None:
    assert all(score("", text) == 0 for text in ACTIONS)


def test_every_word_must_be_found() -> None:
    assert score("open query", "Open files…") is None
