"""The line of a protocol, the same wherever an answer is shown: ``53 queries · graded, level ≥ 2 · unjudged: pooled ·
Holm over 13 against p_bm25 · paired t``; and its record for files, which names every field.

The line names what is always worth knowing, and every field that has not its default; the full text names all."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Literal

from irviewer.hidden_characters import escape_hidden
from irviewer.model.number_text import level_text, limit
from irviewer.model.protocol import DEFAULTS, PLACES, EvaluationProtocol, QuerySelection
from irviewer.translation import tr, trc, trn

Origin = Literal["declared", "default", "name", "view"]
"""Where a value comes from: a user or a file, nobody, the name of a run, or the view that needs it."""

SEPARATOR = " · "
UNJUDGED: Mapping[str, str] = {
    "unknown": trc("judgments", "unknown"),
    "complete": trc("judgments", "complete"),
    "pooled": trc("judgments", "pooled"),
    "sparse": trc("judgments", "sparse"),
}
CORRECTIONS: Mapping[str, str] = {"holm": "Holm", "bonferroni": "Bonferroni", "bh": "Benjamini-Hochberg", "none": ""}
"""The titles of corrections; "" for none."""
TESTS: Mapping[str, str] = {
    "t": tr("paired t"),
    "wilcoxon": tr("Wilcoxon"),
    "wilcoxon-pratt": tr("Wilcoxon, zeros after Pratt"),
    "sign": tr("sign test"),
    "randomisation": tr("randomisation test"),
    "tukey": tr("Tukey’s test"),
    "tukey-randomised": tr("Tukey’s test by randomisation"),
}
"""The short titles of the deciding tests."""
BOUNDS: Mapping[str, str] = {
    "obrien-fleming": tr("O’Brien–Fleming"),
    "pocock": tr("Pocock"),
    "spending-obrien-fleming": tr("O’Brien–Fleming, by spending"),
    "spending-pocock": tr("Pocock, by spending"),
}
"""The titles of bounds of looks."""
INTERVALS: Mapping[str, str] = {"percentile": tr("percentile"), "bca": tr("BCa"), "t": tr("t")}
ANSWERS = "answers"
"""The place of the parts that say what scores of answers assume: no field of a protocol. Views of answers use it."""
SECTIONS = ("rules", "scope", "inference")
BY_UNIT = (*SECTIONS, "unit")
"""What an answer depends on that tests queries and counts by the unit of dependence. Without "unit" an answer that
tests or draws queries refuses a protocol with a unit."""
BY_LOOK = (*BY_UNIT, "looks")
"""The same of an answer that decides one pair at the bound of a look. Without "looks" an answer that tests refuses a
protocol with looks."""


@dataclass(frozen=True)
class LinePart:
    """A part of a line. ``place`` is the field that it shows, such as "rules.level"; ``joined``: no separator is before
    it."""

    place: str
    text: str
    origin: Origin
    joined: bool = False


@dataclass(frozen=True)
class LineFacts:
    """What the line says of the data that a protocol is bound to. None and "": not known.

    queries      the queries that count, ``all_queries`` those of the qrels
    graded       whether there are grades above 1
    baseline     the baseline's name
    comparisons  the comparisons that are corrected for together
    primary      the measure that decides
    shown        the measure in view, where it may be another one
    collections  how many collections the queries are of; None: one
    family       what is corrected for together, where it is not the comparisons of the runs: "Holm over 2 conditions"
    limits       what intervals are called, where they are others: "95 % one-sided limits"
    answers      what scores of answers assume, each a text and where its value comes from
    tested       whether anything is tested; if not, the line names no test
    short_names  what the line calls measures that have a shorter name, by their text
    units        how many units the queries are of, where the answer counts by the unit of the protocol
    lost_unit    the declared unit, where the queries lack it and count one by one
    lost_look    why the declared look decides nothing; "" where it does
    origins      the origins that are neither "declared" nor "default", by field
    """

    queries: int | None = None
    all_queries: int | None = None
    graded: bool | None = None
    baseline: str = ""
    comparisons: int | None = None
    origins: Mapping[str, Origin] = field(default_factory=dict)
    primary: str = ""
    shown: str = ""
    collections: int | None = None
    family: str = ""
    limits: str = ""
    answers: tuple[tuple[str, Origin], ...] = ()
    tested: bool = True
    short_names: Mapping[str, str] = field(default_factory=dict)
    units: int | None = None
    lost_unit: str = ""
    lost_look: str = ""


UNBOUND = LineFacts()


def line_parts(
    protocol: EvaluationProtocol, facts: LineFacts = UNBOUND, *, full: bool = False, uses: tuple[str, ...] = SECTIONS
) -> tuple[LinePart, ...]:
    """Return the parts of a line in order; ``full``: also of fields that have their defaults. ``uses`` are the parts of
    the protocol that the answer depends on, or single fields of them: what has no influence is not named."""
    texts: list[tuple[str, str, bool]] = [("queries", _queries(protocol.scope.queries, facts), False)]
    primary = facts.primary or "".join(protocol.measures[:1])

    def named(measure: str) -> str:
        return facts.short_names.get(measure, measure)

    if primary and "inference" in uses and facts.comparisons != 0:
        texts.append(("measures", tr("primary: {measure}", measure=named(primary)), False))
    if primary and facts.shown not in ("", primary):
        secondary = facts.shown in protocol.measures
        shown = named(facts.shown)
        text = tr("shown: {measure}, secondary", measure=shown) if secondary else tr(
            "shown: {measure}, not declared", measure=shown
        )  # fmt: skip
        texts.append(("measures", text, False))
    texts += (part for part in _rules(protocol, facts, full=full) if {"rules", part[0]} & {*uses})
    counted = {"inference", "unit"} & {*uses}  # means are the same by any unit
    texts += (part for part in _scope(protocol, facts) if part[0] != "unit" or counted) if "scope" in uses else ()
    if "baseline" in uses and facts.baseline:
        texts.append(("baseline", tr("against {baseline}", baseline=facts.baseline), False))
    if facts.comparisons != 0 or "inference" not in uses:
        wanted = {*uses} - {"baseline"}
        named_alone = {"looks"} if full else {"looks", "epsilon"}  # of an answer that names them among its uses
        texts += (
            part
            for part in _inference(protocol, facts, full=full)
            if part[0] in wanted or ("inference" in wanted and part[0] not in named_alone)
        )
    parts = [
        LinePart(PLACES[name], escape_hidden(text), origin_of(protocol, facts, name), joined)
        for name, text, joined in texts
        if text
    ]
    return (*parts, *(LinePart(ANSWERS, escape_hidden(text), origin) for text, origin in facts.answers))


def line_text(parts: tuple[LinePart, ...]) -> str:
    """Return the parts joined by " · ", or by a space where one belongs to the part before."""
    return "".join(
        (" " if part.joined else SEPARATOR if number else "") + part.text for number, part in enumerate(parts)
    )


def origin_of(protocol: EvaluationProtocol, facts: LineFacts, name: str) -> Origin:
    """Return where the value of a field comes from."""
    place = PLACES[name]
    return facts.origins.get(place, "declared" if place in protocol.declared else "default")


def record_text(protocol: EvaluationProtocol, facts: LineFacts = UNBOUND) -> str:
    """Return every field as ``name=value``, in English and with its default too: for files."""
    values = {name: protocol[name] for name in PLACES}
    values["dialect"] = protocol.rules.dialect_name
    values["queries"] = _selected(protocol.scope.queries)
    values["weights"] = protocol.scope.weights.file or protocol.scope.weights.name
    values["baseline"] = facts.baseline or protocol.scope.baseline
    texts = [f"{name}={_recorded(value)}" for name, value in values.items()]
    counts = {"queries_used": facts.queries, "queries_judged": facts.all_queries, "comparisons": facts.comparisons}
    return " ".join([*texts, *(f"{name}={count}" for name, count in counts.items() if count is not None)])


def _recorded(value: object) -> str:
    if value is None or value in ("", ()):
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ",".join(map(_recorded, value))
    text = repr(value) if isinstance(value, float) else str(value)
    plain = text != "-" and text.isprintable() and not set(text) & set(' ",=')
    return text if plain else json.dumps(text)


def _selected(selection: QuerySelection) -> object:
    text: object = "all"
    if selection.ids:
        text = selection.ids
    elif selection:
        text = selection.file + (f"#{selection.name}" if selection.file and selection.name else selection.name)
    return (text, "looked") if selection.looked and isinstance(text, str) else text


# --- the texts of parts: (field, text, joined) ---


def _queries(selection: QuerySelection, facts: LineFacts) -> str:
    count = None if facts.queries is None else trn("{n:,} query", "{n:,} queries", facts.queries)
    title = selection.name or PurePath(selection.file).name
    if not selection:
        text = tr("all queries") if count is None else count
    else:
        if count is not None and facts.all_queries is not None:
            count = trn("{part:,} of {n:,} query", "{part:,} of {n:,} queries", facts.all_queries,
                        part=facts.queries)  # fmt: skip
        elif count is None:
            count = trn("{n:,} query", "{n:,} queries", len(selection.ids)) if selection.ids else tr("queries")
        text = tr("{queries} ({set})", queries=count, set=title) if title else count
    if facts.collections is not None:
        text = trn("{queries} in {n:,} collection", "{queries} in {n:,} collections", facts.collections, queries=text)
    return tr("{queries}, chosen after seeing results", queries=text) if selection.looked else text


def _rules(protocol: EvaluationProtocol, facts: LineFacts, *, full: bool) -> Iterator[tuple[str, str, bool]]:
    rules = protocol.rules
    level = tr("level ≥ {level}", level=limit(rules.level))
    if facts.graded is not None:
        level = (
            tr("graded, level ≥ {level}", level=limit(rules.level))
            if facts.graded
            else tr("binary, level ≥ {level}", level=limit(rules.level))
        )
    yield "level", level, False
    if full or rules.dialect != DEFAULTS["dialect"]:
        yield "dialect", rules.dialect_name, False
    if rules.judged_only:
        yield "judged_only", tr("judged documents only"), False
    if rules.depth is not None:
        yield "depth", tr("ranks 1–{depth:,}", depth=rules.depth), False
    if rules.missing is not None:
        missing = {"zero": tr("missing queries count 0"), "intersection": tr("missing queries left out")}
        yield "missing", missing[rules.missing], False
    yield "unjudged", tr("unjudged: {regime}", regime=UNJUDGED[rules.unjudged]), False
    if rules.zscores:
        yield "zscores", tr("Z-scores of {file}", file=PurePath(rules.zscores).name), False


def _scope(protocol: EvaluationProtocol, facts: LineFacts) -> Iterator[tuple[str, str, bool]]:
    weights = protocol.scope.weights
    if weights:
        yield "weights", tr("weighted by {name}", name=weights.name or PurePath(weights.file).name), False
    if protocol.scope.unit and facts.units is not None:
        yield "unit", tr("unit: {attribute} ({n:,})", attribute=protocol.scope.unit, n=facts.units), False
    elif protocol.scope.unit:
        yield "unit", tr("unit: {attribute}", attribute=protocol.scope.unit), False
    if facts.lost_unit:
        yield "unit", tr("unit: {attribute}, not known here: queries count one by one",
                         attribute=facts.lost_unit), False  # fmt: skip
    if protocol.scope.runs:
        count = len(protocol.scope.runs)
        yield "runs", trn("{n:,} run chosen", "{n:,} runs chosen", count), False


def _inference(protocol: EvaluationProtocol, facts: LineFacts, *, full: bool) -> Iterator[tuple[str, str, bool]]:
    inference = protocol.inference
    if facts.tested:
        yield from _family(protocol, facts)
        yield "test", TESTS[inference.decides], False
    elif facts.baseline:
        yield "baseline", tr("against {baseline}", baseline=facts.baseline), False
    if facts.limits:
        yield "interval", facts.limits, False
    if inference.looks is not None:
        looks = inference.looks
        text = tr("look {at} of {n} ({bounds}), {percent:g} % of the information", at=looks.at,
                  n=len(looks.fractions), bounds=BOUNDS[looks.bounds],
                  percent=round(100 * looks.fractions[looks.at - 1], 2))  # fmt: skip
        if facts.tested and facts.comparisons not in (None, 0, 1):
            text = tr("{look}: not decided, since looks are of one pair", look=text)
        elif facts.lost_look:
            text = tr("{look}: not decided: {reason}", look=text, reason=facts.lost_look)
        yield "looks", text, False
    if facts.tested and (full or inference.alpha != DEFAULTS["alpha"]):
        yield "alpha", tr("shown below p = {alpha}", alpha=limit(inference.alpha)), False
    usual = (inference.interval, inference.confidence) == (DEFAULTS["interval"], DEFAULTS["confidence"])
    if not facts.limits and (full or not usual):
        name = "confidence" if inference.interval == DEFAULTS["interval"] else "interval"
        yield name, tr("{level} intervals ({method})", level=level_text(inference.confidence),
                       method=INTERVALS[inference.interval]), False  # fmt: skip
    if full or inference.samples != DEFAULTS["samples"]:
        yield "samples", trn("{n:,} sample", "{n:,} samples", inference.samples), False
    if full or inference.seed != DEFAULTS["seed"]:
        yield "seed", tr("seed {seed}", seed=inference.seed), False
    if inference.smallest is not None:
        yield "smallest", tr("differences from {smallest} matter", smallest=limit(inference.smallest)), False
    if inference.epsilon is not None:
        yield "epsilon", tr("ε = {epsilon}", epsilon=limit(inference.epsilon)), False


def _family(protocol: EvaluationProtocol, facts: LineFacts) -> Iterator[tuple[str, str, bool]]:
    inference, count = protocol.inference, facts.comparisons
    itself = inference.test == "tukey"  # corrects for all pairs, whichever are shown
    title = "" if itself else CORRECTIONS[inference.correction]
    if inference.family == "pairs":
        pairs = tr("all pairs") if count is None else trn("{n:,} pair", "{n:,} pairs", count)
        if title:
            yield "correction", title, False
            yield "family", tr("over {comparisons}", comparisons=pairs), True
        else:
            if not itself:
                yield "correction", tr("uncorrected"), False
            yield "family", pairs, not itself
        return
    baseline = facts.baseline or protocol.scope.baseline
    against = tr("against {baseline}", baseline=baseline) if baseline else tr("against the baseline")
    if facts.family:
        yield "correction", facts.family, False
    elif title and count is not None:
        text = trn("{correction} over {n:,} comparison", "{correction} over {n:,}", count, correction=title)
        yield "correction", text, False
    elif not itself:
        yield "correction", title or tr("uncorrected"), False
    yield "baseline", against, bool(facts.family) or not itself
