"""Labels of answers given by hand, and nuggets written by hand, as the JSON of a project."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from irviewer.model.answers.by_hand import CitationLabel, HandLabels, NuggetLabel, TopicLabels
from irviewer.model.answers.own_nuggets import OwnNugget, OwnNuggets


def labels_data(labels: HandLabels) -> dict[str, Any]:
    """Return labels as JSON."""
    topics = {topic: _topic_data(each) for topic, each in labels.topics.items()}
    return {"system": labels.system, "topics": topics, **({"judge": labels.judge} if labels.judge else {})}


def labels_from(data: Mapping[str, Any]) -> HandLabels:
    """Return the labels of checked JSON."""
    topics = {topic: _topic_from(each) for topic, each in data["topics"].items()}
    return HandLabels(data["system"], topics, data.get("judge", ""))


def _topic_data(labels: TopicLabels) -> dict[str, Any]:
    nuggets = [
        _trimmed([number, label.code, label.text, label.importance, label.who, label.when, list(label.span)])
        for number, label in labels.nuggets.items()
    ]
    citations = [
        _trimmed([*place, label.code, label.document, label.who, label.when])
        for place, label in labels.citations.items()
    ]
    data: dict[str, Any] = {"answer": [[text, list(cited)] for text, cited in labels.sentences]}
    data |= {"question": labels.question} if labels.question else {}
    data |= {"nuggets": nuggets} if nuggets else {}
    return {**data, **({"citations": citations} if citations else {})}


def _topic_from(data: Mapping[str, Any]) -> TopicLabels:
    nuggets = {}
    for row in data.get("nuggets", ()):
        number, code, text, importance, who, when, span = _filled(row, 7, ("", "", "", []))
        nuggets[number] = NuggetLabel(code, text, importance, who, when, tuple(span))
    citations = {}
    for row in data.get("citations", ()):
        sentence, place, code, document, who, when = _filled(row, 6, ("", "", ""))
        citations[sentence, place] = CitationLabel(code, document, who, when)
    sentences = tuple((text, tuple(cited)) for text, cited in data["answer"])
    return TopicLabels(data.get("question", ""), sentences, nuggets, citations)


def own_nuggets_data(own: OwnNuggets) -> dict[str, Any]:
    """Return the nuggets that the user wrote or changed as JSON."""
    return {
        topic: [_trimmed([nugget.number, nugget.text, nugget.importance, list(nugget.documents)]) for nugget in each]
        for topic, each in own.items()
    }


def own_nuggets_from(data: Mapping[str, Any]) -> OwnNuggets:
    """Return the nuggets of checked JSON."""
    return {
        topic: tuple(OwnNugget(number, text, importance, tuple(documents)) for number, text, importance, documents in
                     (_filled(row, 4, ([],)) for row in rows))
        for topic, rows in data.items()
    }  # fmt: skip


LEAST = 3
"""The cells that every row has, empty or not."""


def _trimmed(row: list[Any]) -> list[Any]:
    while len(row) > LEAST and row[-1] in ("", []):
        row.pop()
    return row


def _filled(row: list[Any], wide: int, rest: tuple[Any, ...]) -> list[Any]:
    """Return a row of ``wide`` cells with what was trimmed; ``rest`` are the empty values of the last ones."""
    missing = wide - len(row)
    return [*row, *rest[len(rest) - missing :]] if missing > 0 else row
