"""Card, curves and "Why this number?" of lessons and typed rankings name the rule in force and follow the switch."""

from __future__ import annotations

import math

import pytest

from irviewer.session.explaining.measure_card import card
from irviewer.session.session import Session

GRADES = (4, 3, 4, 2, 0, 0, 0, 1, 1, 0)
WORDS = {
    "textbook": ("gain is the grade, over log2(max(i, 2))", "log_2(max(i, 2))"),
    "trec_eval": ("gain is the grade, over log2(i + 1)", "log2(i + 1)"),
}


def expected(rules: str) -> float:
    """DCG in a plain loop."""
    total = 0.0
    for rank, grade in enumerate(GRADES, start=1):
        total += grade / math.log2(max(rank, 2) if rules == "textbook" else rank + 1)
    return total


def check(session: Session, rules: str) -> None:
    words, where = WORDS[rules]
    other = next(WORDS[name] for name in WORDS if name != rules)
    context = session.view.context
    assert context is not None
    shown = card(context.measure, context.treated(context.measure))
    assert dict(shown.rows)["Gain and discount"] == words
    query = session.view_models.query_view_model()
    systems = session.view_models.systems_view_model()
    assert query is not None
    assert systems is not None
    assert words in query.gain.note
    assert words in systems.by_cutoff.note
    assert other[0] not in query.gain.note
    ledger = session.explaining.ledger_view_model()
    assert ledger is not None
    rule_lines = " ".join(ledger.rules)
    assert where in rule_lines
    assert other[1] not in rule_lines


@pytest.mark.parametrize("first", ["textbook", "trec_eval"])
def test_an_inline_ranking(first: str) -> None:
    session = Session()
    assert session.teaching.open_inline_ranking(" ".join(map(str, GRADES)), rules=first)
    session.explaining.explain()
    for rules in (first, "trec_eval", "textbook", "trec_eval"):
        session.protocol.set(dialect=rules)
        check(session, rules)
        value = session.teaching.lesson_value("DCG")
        assert value is not None
        assert value[1] == pytest.approx(expected(rules), abs=1e-12)


def test_a_lesson() -> None:
    session = Session()
    session.teaching.open_example("bounded")
    session.navigation.set_place("query")
    session.explaining.explain()
    for rules in ("textbook", "trec_eval", "textbook"):
        session.protocol.set(dialect=rules)
        check(session, rules)
