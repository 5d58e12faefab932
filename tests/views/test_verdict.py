"""The verdict, at the door of Python."""

from __future__ import annotations

import irviewer
from irviewer.model.attributes.queries import MOST_SLICES, QueryAttribute


def test_an_attribute_without_slices_is_left_out() -> None:
    """A text with a value of its own for every query, such as the question of a topic."""
    queries = [str(number) for number in range(MOST_SLICES + 6)]
    qrels = {query: {"a": 1} for query in queries}
    better = {query: {"a": 2.0, "b": 1.0} for query in queries}
    worse = {query: {"b": 2.0, "a": 1.0} for query in queries[:20]} | {query: {"a": 1.0} for query in queries[20:]}
    own = {query: f"what is {query}?" for query in queries}
    halves = QueryAttribute("half", "category", {query: "odd" if int(query) % 2 else "even" for query in queries})
    shown = irviewer.show(
        "verdict", qrels, {"better": better, "worse": worse}, measures=["RR"], run="better", against="worse",
        query_attributes=[QueryAttribute("question", "category", own), halves],
    )  # fmt: skip
    change = next(change for change in shown.value.verdict.changes if change.kind == "slices")
    names = [tried.name for tried in change.tried]
    assert {"half: even", "half: odd"} <= set(names) and not any(name.startswith("question:") for name in names)
