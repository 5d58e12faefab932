"""What clauses compare: a measure, the rank of a relevant document, or a number of documents."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from irviewer.model.half_up import HalfUp
from irviewer.session.teaching.checking.claims.scenes import Bag, Scene
from irviewer.session.teaching.checking.claims.states import State, counts, nth_rank
from irviewer.translation import tr

NEAR = 1e-9


@dataclass
class Quantity:
    """What is compared: its values, of which there are several where it can be meant in several ways."""

    values: Callable[[State, str, str], Sequence[float]]
    label: str
    is_rank: bool = False
    is_measure: bool = False
    used: str = ""

    def stated(self, state: State, runs: Sequence[str], query: str) -> str:
        """Return the values of some rankings as a text."""
        known = ((run, self.values(state, run, query)) for run in runs)
        each = [f"{run} {_written(values[0], self.is_measure)}" for run, values in known if values]
        whose = f" ({tr('query {query}', query=query)})" if query and len(state.queries) > 1 else ""
        return f"{self.label}: {', '.join(each)}{whose}" if each else ""


def _written(value: float, is_measure: bool) -> str:
    return f"{HalfUp(value):.4f}" if is_measure else f"{value:g}"


def quantity_of(bag: Bag, scene: Scene) -> Quantity | None:
    """Return what a clause can speak of: a measure, the rank of a relevant document, or a count."""
    measures, span, what = bag.of.get("M", ()), bag.first("E"), bag.first("R")
    if len(measures) == 1 and not bag.has("HhUdD") and not bag.finds:
        return _measure(str(measures[0]), bag, scene)
    elif not measures and bag.has("H") and not bag.has("REhUd"):
        return rank_of_relevant(bag.first("H"))
    elif not measures and not bag.has("HhAd") and (what is not None or bag.has("D") or bag.finds or bag.has("UE")):
        return _number(bag, span, what)
    return None


def rank_of_relevant(nth: int) -> Quantity:
    def values(state: State, run: str, query: str) -> list[float]:
        return ranks_of(state, run, query, nth)

    return Quantity(values, _label_of(nth), is_rank=True, used="H")


def _label_of(nth: int) -> str:
    return tr("rank of the last relevant document") if nth == -1 else tr("rank of relevant document {n}", n=nth)


def ranks_of(state: State, run: str, query: str, nth: int) -> list[float]:
    """Return the rank of the nth relevant document of a query; of all queries none."""
    lists = state.lists(run, query) or ()
    rank = nth_rank(lists[0], nth) if len(lists) == 1 else None
    return [] if rank is None else [float(rank)]


def _measure(name: str, bag: Bag, scene: Scene) -> Quantity:
    """Return the measure, of which a rank can be said apart: "the precision of north at rank 3"."""
    span, ranks, is_bare = bag.first("E"), bag.first("A"), "@" not in name
    used, rank = "M", 0
    if name in DOWN_THE_LIST and span is not None and span[0] == 1 and span[1] and ranks is None:
        used, rank = "EM", span[1]
    elif is_bare and ranks is not None and len(ranks) == 1 and ranks[0] > 0 and span is None:
        used, rank = "AM", ranks[0]
    names = [f"{name}@{rank}"] if rank else _meant(name, scene)
    if name in ("P", "R", "F") and span == (1, None) and ranks is None:
        used, names = "EM", [f"Set{name}"]

    def values(state: State, run: str, query: str) -> list[float]:
        if used == "M" and name in DOWN_THE_LIST:
            lists = state.lists(run, query) or ()
            depth = min((each.n for each in lists), default=0)
            own = [*names, *(f"{name}@{k}" for k in range(1, depth + 1))]
        else:
            own = names
        known = (state.value(each, run, query) for each in own)
        return [each for each in known if each is not None]

    label = names[0].removeprefix("Set") if names else name
    return Quantity(values, label, is_measure=True, used=used)


DOWN_THE_LIST = ("P", "R", "F", "DCG", "nDCG", "CG")
"""Measures that have a value at each rank."""


def _meant(name: str, scene: Scene) -> list[str]:
    """Return the measures that a name can mean: without a cutoff also those in view of that name."""
    if "@" in name or "(" in name:
        return [name]
    in_view = [each for each in scene.in_view if each.partition("@")[0].partition("(")[0] in (name, f"Set{name}")]
    own = {"P": ["SetP"], "R": ["SetR"], "F": ["SetF"]}.get(name, [name])
    return list(dict.fromkeys([*in_view, *own]))


def _number(bag: Bag, span: Any, what: Any) -> Quantity:
    """Return how many documents there are: relevant ones, down to a rank or in the list; of a query where it "has" so
    many, and no rank is said."""
    is_found = bag.finds
    of_what = what or ("relevant" if is_found or bag.has("U") or (span and not bag.has("D")) else "document")

    def values(state: State, run: str, query: str) -> list[float]:
        lists = state.lists(run, query)
        if lists is None:
            return []
        known = [counts(each, of_what, span) for each in lists]
        if not all(known):
            return []
        n = [sum(each) for each in zip(*known, strict=False)]
        if span is None and not is_found and of_what == "relevant" and not bag.has("U"):
            n.append(float(sum(each.relevant for each in lists)))
        if span is None and not is_found and isinstance(of_what, tuple) and not bag.has("U"):
            grades = [grade for each in lists for grade in each.judged]
            n.append(float(sum(grade >= of_what[1] if of_what[2] else grade == of_what[1] for grade in grades)))
        if what is None and is_found and bag.has("D"):
            n.append(float(sum(each.n for each in lists)))
        return n

    label = {
        "relevant": tr("relevant documents"),
        "other": tr("non-relevant documents"),
        "missed": tr("missed documents"),
    }
    return Quantity(
        values,
        label.get(of_what if isinstance(of_what, str) else "", tr("documents")),
        used="E" * bool(span) + "R" * len(bag.of.get("R", ())),
    )
