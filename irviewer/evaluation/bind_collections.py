"""One protocol bound to several collections: the same for all of them, or refused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from irviewer.evaluation.bind import BoundProtocol, bind, check_identical, lacking_of
from irviewer.model.protocol import EvaluationProtocol
from irviewer.model.protocol_line import CORRECTIONS, SECTIONS
from irviewer.translation import tr, trn


def pins_of(protocol: EvaluationProtocol) -> dict[str, tuple[Any, str]]:
    """Return the fields that a table of collections needs another value of, with the reasons: each system is compared
    with the baseline, by a test of two runs."""
    pins: dict[str, tuple[Any, str]] = {}
    if protocol.inference.test == "tukey":
        pins["test"] = ("t", tr("each system with the baseline"))
    if protocol.inference.family == "pairs":
        pins["family"] = ("baseline", tr("each system with the baseline"))
    return pins


def bind_collections(
    protocols: Mapping[str, BoundProtocol],
    systems: Mapping[str, Sequence[str]],
    order: Sequence[str],
    baseline: str | None = None,
    primary: str = "",
    shown: str = "",
    missing: Mapping[str, Mapping[str, Sequence[str]]] = MappingProxyType({}),
) -> BoundProtocol:
    """Return the protocol that all collections have, with the queries of all of them.

    protocols  collection -> its protocol, bound to its queries
    systems    collection -> the systems that have values there
    order      all systems
    baseline   the system that the others are compared with in each collection that has it; None: nothing is compared
    primary    the measure that decides, where it is not the first of the protocol that can be tested
    shown      the measure in view, where it may be another one than the primary
    missing    collection -> system -> those of its queries that it lacks

    Raises OptionError, with both lines, where the protocols of two collections differ."""
    check_identical(protocols)
    bounds = list(protocols.values())
    asked = bounds[0].protocol
    compared = baseline is not None
    if baseline is not None and asked.scope.baseline != baseline:
        asked = asked.but(baseline=baseline)
    bound = bind(
        asked, order, pins=pins_of(asked) if compared else None, uses=SECTIONS if compared else ("rules", "scope"),
        primary=primary, shown=shown,
    )  # fmt: skip
    counts = [len(names) - 1 for names in systems.values() if compared and baseline in names and len(names) > 1]
    graded = {each.facts.graded for each in bounds}
    facts = replace(
        bound.facts, queries=sum(each.facts.queries or 0 for each in bounds),
        all_queries=sum(each.facts.all_queries or 0 for each in bounds), collections=len(bounds),
        graded=None if None in graded else True in graded, comparisons=max(counts, default=0) if compared else None,
        family=_family(asked.inference.correction, counts),
    )  # fmt: skip
    query_ids = tuple(f"{name}/{query}" for name, each in protocols.items() for query in each.query_ids)
    files = tuple(file for each in bounds for file in each.files)
    lacking = {
        tr("{run} on {collection}", run=run, collection=name): lacks
        for name, own in missing.items()
        for run, lacks in lacking_of(
            systems[name], own, protocols[name].facts.all_queries or 0, protocols[name].query_ids
        ).items()
    }
    return replace(bound, facts=facts, query_ids=query_ids, files=files, lacking=lacking)


def _family(correction: str, counts: Sequence[int]) -> str:
    """Return what is corrected for together, for the line."""
    title = CORRECTIONS[correction]
    if not title or not counts:
        return ""
    least, most = min(counts), max(counts)
    if least == most:
        return trn(
            "{correction} over {n:,} comparison in each collection",
            "{correction} over {n:,} in each collection",
            most,
            correction=title,
        )
    return tr("{correction} over {least:,} to {most:,} in each collection", correction=title, least=least, most=most)
