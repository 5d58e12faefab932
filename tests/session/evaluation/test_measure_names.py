"""A measure chosen by its name: what is said of names that are none, and when it is taken back."""

from __future__ import annotations

from irviewer.session.messages import Level
from tests.session.helpers import collection, session_with


def test_a_measure_that_cannot_be_understood_is_a_message() -> None:
    session = session_with(collection())
    assert not session.evaluation.set_measure("nDGC@10")
    assert str(session.view.measure) == "nDCG@10"
    assert session.view.messages[-1].level is Level.ERROR
    assert "nDCG" in session.view.messages[-1].text
    assert not session.evaluation.set_measure("P")
    errors = [message.text for message in session.view.messages if message.level is Level.ERROR]
    assert errors == ["'P' stands for 9 measures (P@5, …, P@1000); name one of them"]
    assert session.evaluation.set_measure("AP")
    assert not [message for message in session.view.messages if message.level is Level.ERROR]


def test_a_name_that_two_tools_have_is_the_dialects() -> None:
    session = session_with(collection())
    assert not session.evaluation.set_measure("recall")
    session.protocol.set(dialect="ranx")
    assert session.evaluation.set_measure("recall")
    assert str(session.view.measure) == "SetR"
