"""A gate: its conditions with their numbers, the queries with the largest losses, and the outcome of all."""

from __future__ import annotations

import math
import re
import shlex
from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Any

import numpy as np

from irviewer.analysis.planning.gate_history import PastGate, PastResult
from irviewer.analysis.slices.chosen import choose_attributes
from irviewer.analysis.statistics.gate import (
    Condition,
    ConditionResult,
    Gate,
    Outcome,
    limit_name,
    parse_condition,
    parse_margin,
    parse_worse,
    run_gate,
)
from irviewer.analysis.statistics.run_comparison import ALPHA
from irviewer.errors import OptionError
from irviewer.evaluation.bind import BoundProtocol, deciding
from irviewer.evaluation.document_lengths import needs_lengths
from irviewer.evaluation.looks import at_look
from irviewer.formats.gate_history import read_gate_history
from irviewer.hidden_characters import escape_hidden
from irviewer.model.attributes.queries import FACET, RELEVANT
from irviewer.model.number_text import level_text
from irviewer.model.protocol import PLACES, Inference, IntervalName
from irviewer.model.protocol_line import BY_LOOK, INTERVALS, Origin
from irviewer.model.query_units import ID_PREFIX
from irviewer.model.workspace import Regime
from irviewer.tables import column
from irviewer.tables.column import Column, ComparisonFamily
from irviewer.tables.table import Remark, Table
from irviewer.translation import tr, trn
from irviewer.views.inputs import DEFAULT_MEASURE, Inputs
from irviewer.views.provenance import provenance
from irviewer.views.result import ViewResult
from irviewer.views.selection import chosen_remarks, note_remarks
from irviewer.views.view import ResultView, a_run, option, query_attribute

PEOPLE = ("candidates", "conditions", "losses", "history", "trend")
"""The tables that people are shown; the table ``gate`` has what the headline says."""
REQUIRE = tr(
    'condition that reads as what it tests, repeatable: "nDCG@10 >= 0.5" the mean, "shown nDCG@10 >= 0.5" its '
    'lower limit, "Δ nDCG@10 > -0.01" the lower limit of the difference, "P@1 worse, p < .05"'
)
OUTCOMES = {Outcome.PASSED: tr("PASSED"), Outcome.FAILED: tr("FAILED"), Outcome.UNDECIDED: tr("UNDECIDED")}


def tables(gate: Gate) -> ViewResult:
    """Return the tables ``conditions``, ``losses`` (of the conditions that did not pass, where there are any) and
    ``gate``, a row of the outcome; where it is named, ``queries`` has the largest losses under every condition."""
    open_ones = [result for result in gate.results if result.outcome is not Outcome.PASSED and result.queries]
    title = tr("The largest losses, under the conditions that did not pass")
    losses = (_losses("losses", title, open_ones),) if open_ones else ()
    every = _losses("queries", tr("The largest losses, under each condition"), gate.results)
    source = provenance(VIEW.name, gate.protocol, VIEW.record({
        "ignore_unjudged": not gate.unjudged, "history": "" if gate.history is None else gate.history.path,
    }, gate))  # fmt: skip
    shown = ViewResult(
        gate, (*_candidates(gate), _conditions(gate), *losses, _gate(gate), *_history(gate)), further=(every,),
        sentences=(Remark("headline", headline(gate), {"outcome": gate.outcome.value}, warns=False),),
    )  # fmt: skip
    return shown.with_provenance(source)


def headline(gate: Gate) -> str:
    """Return the outcome in a line."""
    word = OUTCOMES[gate.outcome]
    if gate.error:
        return f"{word}: {gate.error}"
    return tr("{outcome}: {run} against {baseline}", outcome=word, run=gate.run, baseline=gate.baseline)


def title_of(result: ConditionResult) -> str:
    """Return a condition with its slice, and with collection and run in a gate of several."""
    parts = [part for part in (result.collection, result.run) if part]
    text = f"{', '.join(parts)}: {result.condition.text}" if parts else result.condition.text
    return f"{text} [{result.slice}]" if result.slice else text


def _of_several(results: Sequence[ConditionResult]) -> tuple[Column, ...]:
    """Return the columns of collection and candidate; none for a gate of one of each."""
    columns: tuple[Column, ...] = ()
    if any(result.collection for result in results):
        columns += (column.text("collection", tr("collection"), [result.collection for result in results]),)
    if any(result.run for result in results):
        columns += (column.run("run", tr("run"), [result.run for result in results]),)
    return columns


def _candidates(gate: Gate) -> tuple[Table, ...]:
    """Return the table ``candidates``, a row for each candidate in each collection; none for a gate of one of each."""
    parts: dict[tuple[str, str], list[Outcome]] = {}
    for result in gate.results:
        parts.setdefault((result.collection, result.run), []).append(result.outcome)
    if len(parts) < 2:
        return ()
    overall = [
        next((each for each in (Outcome.FAILED, Outcome.UNDECIDED) if each in outcomes), Outcome.PASSED)
        for outcomes in parts.values()
    ]
    return (Table("candidates", headline(gate), (
        column.outcome("outcome", tr("outcome"), [each.value for each in overall],
                       texts=[OUTCOMES[each] for each in overall]),
        column.text("collection", tr("collection"), [name or None for name, _ in parts],
                    detail=not any(name for name, _ in parts)),
        column.run("run", tr("run"), [run or gate.run for _, run in parts]),
        *(
            column.count(each.value, word.lower(), [outcomes.count(each) for outcomes in parts.values()])
            for each, word in OUTCOMES.items()
        ),
    )),)  # fmt: skip


def _conditions(gate: Gate) -> Table:
    results = gate.results
    margins = [result.condition.margin if result.condition.is_mean else result.margin for result in results]
    alphas = [result.condition.alpha if result.condition.is_worse else math.nan for result in results]
    tested = sum(result.condition.is_worse for result in results)
    margined = any(result.condition.is_margin for result in results)
    shown_means = any(result.condition.kind == "mean-shown" for result in results)
    levels = {alpha for alpha in alphas if not math.isnan(alpha)}
    family = ComparisonFamily("conditions", tested, "Holm" if tested > 1 else "", max(levels, default=ALPHA))
    up = [result.condition.measure.higher_is_better for result in results]
    kinds = [result.condition.kind for result in results]
    return Table("conditions", headline(gate), (
        column.outcome("outcome", tr("outcome"), [result.outcome.value for result in results],
                       texts=[OUTCOMES[result.outcome] for result in results]),
        *_of_several(results),
        column.text("condition", tr("condition"), [result.condition.text for result in results]),
        column.text("slice", tr("slice"), [result.slice or None for result in results],
                    detail=not any(result.slice for result in results),
                    texts=[result.slice or tr("all queries") for result in results]),
        column.measures("measure", tr("measure"), [result.condition.measure.text for result in results], detail=True),
        column.text("kind", tr("kind"), kinds, detail=True),
        column.number("margin", tr("margin"), margins, detail=True),
        column.number("alpha", "α", alphas, detail=True),
        column.count("n", tr("queries"), [result.n for result in results]),
        column.number("other_mean", tr("baseline"), [result.base for result in results]),
        column.number("mean", tr("run"), [result.mean for result in results]),
        column.difference("difference", "Δ", [result.delta for result in results], better_up=up, of="p_corrected",
                          decides=[not math.isnan(result.p) for result in results], family=family,
                          proves=gate.protocol is None or not gate.protocol.looked),
        column.interval("limits", limit_name(gate.confidence), [result.low for result in results],
                        [result.high for result in results], of="difference", detail=not margined),
        column.interval("mean_limits", tr("mean, {limit}", limit=limit_name(gate.confidence)),
                        [result.mean_low for result in results], [result.mean_high for result in results],
                        of="mean", detail=not shown_means),
        column.p_value("p", "p", [result.p for result in results], None, detail=not tested),
        column.p_value("p_corrected", tr("p {correction}", correction="Holm"),
                       [result.p_corrected for result in results], family, detail=tested < 2),
        column.interval("open", tr("were all judged"), [result.open_low for result in results],
                        [result.open_high for result in results], of="difference", detail=True,
                        tip=tr("Between what the difference could be, were all unjudged documents judged")),
        column.count("fell", tr("worse"), [result.fell for result in results]),
        column.count("rose", tr("better"), [result.rose for result in results]),
        column.count("decisive", tr("decisive losses"), [result.decisive for result in results], detail=True,
                     tip=tr("Without how many of the largest losses the condition would pass; 0: none suffice")),
        column.flag("identical", tr("identical"), [result.identical for result in results], detail=True),
    ), keys=[
        (result.condition.text, result.slice, *(part for part in (result.collection, result.run) if part))
        for result in results
    ] if _distinct(results) else (),
        notes=_remarks(gate))  # fmt: skip


def _distinct(results: Sequence[ConditionResult]) -> bool:
    return len({title_of(result) for result in results}) == len(results)


def _remarks(gate: Gate) -> tuple[Remark, ...]:
    """Return why conditions did not pass, or passed without a test, how several are corrected, and the notes."""
    said = []
    for result in gate.results:
        if result.outcome is not Outcome.PASSED or result.identical:
            facts = {"condition": result.condition.text, "slice": result.slice or None}
            facts |= {"collection": result.collection} if result.collection else {}
            facts |= {"run": result.run} if result.run else {}
            text = tr("{condition}: {reason}", condition=title_of(result), reason=result.reason)
            text = f"{text} {decisive_text(result)}".rstrip()
            said.append(Remark(result.outcome.value, one_line(text), facts, warns=False))
    said += [Remark("correction", text, warns=False) for text in gate.corrections]
    bound = gate.protocol
    infers = bound is not None and (bound.facts.tested or bound.facts.limits)
    notes = (*note_remarks("note", gate.notes), *(chosen_remarks(bound) if infers else ()))
    return (*said, *(replace(note, text=one_line(note.text)) for note in notes))


def decisive_text(result: ConditionResult) -> str:
    """Return how many of the largest losses decide a condition that did not pass; "" for none."""
    if result.outcome is Outcome.PASSED or not result.decisive:
        return ""
    return trn(
        "Without the largest loss the condition would pass.",
        "Without the {n:,} largest losses the condition would pass.",
        result.decisive,
    )


def one_line(text: str) -> str:
    """Return a text in one line, with hidden characters as escapes."""
    return escape_hidden(" ".join(text.split()) if "\n" in text or "\t" in text else text)


def _losses(name: str, title: str, results: Sequence[ConditionResult]) -> Table:
    rows = [(result, change) for result in results for change in result.queries]
    return Table(name, title, (
        *_of_several([result for result, _ in rows]),
        column.text("condition", tr("condition"), [result.condition.text for result, _ in rows]),
        column.text("slice", tr("slice"), [result.slice or None for result, _ in rows],
                    detail=not any(result.slice for result, _ in rows)),
        column.identifier("query", tr("query"), [change.query for _, change in rows]),
        column.number("other_value", tr("baseline"), [change.base for _, change in rows]),
        column.number("value", tr("run"), [change.value for _, change in rows]),
        column.difference("difference", "Δ", [change.delta for _, change in rows], decides=False,
                          better_up=[result.condition.measure.higher_is_better for result, _ in rows]),
    ), opens="query")  # fmt: skip


def _gate(gate: Gate) -> Table:
    return Table("gate", tr("Outcome"), (
        column.outcome("outcome", tr("outcome"), [gate.outcome.value], texts=[OUTCOMES[gate.outcome]]),
        column.count("status", tr("exit status"), [gate.status]),
        column.run("run", tr("run"), [gate.run]),
        column.run("baseline", tr("baseline"), [gate.baseline]),
        column.number("confidence", tr("confidence"), [gate.confidence], decimals=4),
        column.text("regime", tr("unjudged"), [gate.regime.value]),
        column.text("error", tr("error"), [gate.error or None]),
    ))  # fmt: skip


def _history(gate: Gate) -> tuple[Table, ...]:
    """Return the tables ``history``, a row for each gate of the file, and ``trend``; none without a file."""
    history = gate.history
    if history is None:
        return ()
    past = history.gates
    expected = np.cumsum([each.alarm for each in past]).tolist()
    failed = np.cumsum([each.outcome == "failed" for each in past], dtype=np.int64).tolist()
    outcomes = {outcome.value: word for outcome, word in OUTCOMES.items()}
    notes = [Remark("history", history.sentence, {"gates": len(past), "expected": history.expected}, warns=False)]
    if history.reuse:
        notes.append(Remark("reuse", history.reuse))
    if history.damaged:
        number, reason = history.damaged[0]
        notes.append(Remark("damaged", one_line(trn(
            "{n:,} line of the history cannot be read and does not count; line {line:,}: {reason}.",
            "{n:,} lines of the history cannot be read and do not count; the first is line {line:,}: {reason}.",
            len(history.damaged), line=number, reason=reason,
        ))))  # fmt: skip
    return (Table("history", tr("History of gates"), (
        column.count("number", tr("number"), list(range(1, len(past) + 1))),
        column.text("time", tr("time"), [each.time for each in past]),
        column.run("run", tr("run"), [each.run for each in past]),
        column.run("baseline", tr("baseline"), [each.baseline for each in past]),
        column.text("outcome", tr("outcome"), [each.outcome for each in past],
                    texts=[outcomes[each.outcome] for each in past]),
        column.count("queries", tr("queries"), [each.queries for each in past]),
        column.text("digest", tr("digest of the queries"), [each.digest for each in past], detail=True),
        column.number("alarm", tr("alarm without change"), [each.alarm for each in past], decimals=3,
                      tip=tr("At most how often such a gate fails where nothing changed")),
        column.number("expected", tr("expected so far"), expected, decimals=2),
        column.count("failed", tr("failed so far"), failed),
    ), notes=tuple(notes)), *_trend(past))  # fmt: skip


def _trend(past: Sequence[PastGate]) -> tuple[Table, ...]:
    """Return the table ``trend``, for each condition the numbers of the gates that had it, oldest first; none where no
    line has numbers."""
    rows: dict[tuple[str, str, str], list[tuple[int, PastGate, PastResult]]] = {}
    for number, gate in enumerate(past, start=1):
        for result in gate.results:
            rows.setdefault((result.condition, result.collection, result.run), []).append((number, gate, result))
    every = [row for group in rows.values() for row in group]
    if not every:
        return ()
    results = [result for _, _, result in every]
    levels = {result.confidence for result in results if not math.isnan(result.confidence)}
    name = limit_name(levels.pop()) if len(levels) == 1 else tr("one-sided limit")
    of_all = any(result.collection for result in results)
    notes = (Remark("trend", tr(
        "Each row is one gate with its own limits; rows of the same queries are not independent, and nothing is tested "
        "between them."
    ), warns=False),)  # fmt: skip
    return (Table("trend", tr("Trend of each condition"), (
        column.text("condition", tr("condition"), [result.condition for result in results]),
        column.text("collection", tr("collection"), [result.collection or None for result in results],
                    detail=not of_all),
        column.count("number", tr("gate"), [number for number, _, _ in every]),
        column.text("time", tr("time"), [gate.time for _, gate, _ in every]),
        column.run("run", tr("run"), [result.run or gate.run for _, gate, result in every]),
        column.number("mean", tr("mean"), [result.mean for result in results]),
        column.difference("difference", "Δ", [result.difference for result in results], decides=False),
        column.interval("limits", name, [result.low for result in results], [result.high for result in results],
                        of="difference"),
    ), notes=notes),)  # fmt: skip


# The view: the baseline, the queries and the rules are those of the protocol, the conditions are parameters.

_PART = re.compile(r"\s*p\s*<.*", re.IGNORECASE)
"""The part of a condition behind its comma, where a list was divided at commas."""


def joined_parts(texts: Sequence[str]) -> list[str]:
    """Return conditions of which a list was divided at commas."""
    whole: list[str] = []
    for text in texts:
        if whole and _PART.fullmatch(text):
            whole[-1] += f", {text.strip()}"
        else:
            whole.append(text)
    return whole


def conditions_of(
    bound: BoundProtocol, non_inferior: Sequence[str], fail_if: Sequence[str], require: Sequence[str] = ()
) -> tuple[list[Condition], bool]:
    """Return the conditions that texts stand for, and whether they were given: without a text one about the primary
    measure, non-inferiority where the protocol has a smallest difference that matters. Raises OptionError,
    MeasureError."""
    inference = bound.protocol.inference
    alpha = at_gate(inference, interval_of(bound)).alpha
    worse = joined_parts(fail_if)
    conditions = [parse_margin(text, inference.smallest) for text in non_inferior]
    conditions += [parse_worse(text, alpha) for text in worse]
    conditions += [parse_condition(text, inference.smallest, alpha) for text in joined_parts(require)]
    check_at_look(inference, conditions, alpha)
    if conditions:
        return conditions, True
    primary = bound.facts.primary or DEFAULT_MEASURE
    if inference.smallest:
        return [parse_margin(primary, inference.smallest)], False
    said = "" if inference.looks is not None else f", p < {inference.alpha:g}"
    return [parse_worse(f"{primary} worse{said}", alpha)], False


def at_gate(inference: Inference, interval: IntervalName) -> Inference:
    """Return the inference of a gate: its limits are one-sided and made by ``interval``, and a look decides at its
    bound. Raises OptionError for looks that cannot decide."""
    if inference.looks is None:
        return inference
    return at_look(replace(inference, interval=interval, test="t"), one_sided=True)


def check_at_look(inference: Inference, conditions: Sequence[Condition], alpha: float, by: Sequence[str] = (),
                  gates: int = 1) -> None:  # fmt: skip
    """Raise OptionError for conditions that looks cannot decide: with a p of their own, several tests of all gates, and
    slices."""
    if inference.looks is None:
        return
    tested = [each for each in conditions if each.is_worse]
    if any(each.alpha != alpha for each in tested):
        raise OptionError(tr("the look of the protocol decides at its own p; leave “, p < …” out of the condition"))
    if len(tested) * gates > 1 or by:
        raise OptionError(tr(
            "looks are bounds for one comparison; give one condition of “worse”, one run and no "
            "slices, or leave looks out"
        ))  # fmt: skip


def interval_of(bound: BoundProtocol) -> IntervalName:
    """Return how the one-sided limits are made: by t, unless another way is declared."""
    protocol = bound.protocol
    return protocol.inference.interval if "inference.interval" in protocol.declared else "t"


def following(bound: BoundProtocol, results: Sequence[ConditionResult], primary: str = "") -> BoundProtocol:
    """Return the protocol as a gate with these results follows it: its limits are one-sided, and its family are the
    conditions that are tested, each in all its slices. ``primary`` is the measure that nobody's condition named; "":
    conditions were given, and a measure that nobody declared, such as the one in view, is not theirs."""
    tested = sum(each.condition.is_worse for each in results)
    limited = any(not each.condition.is_worse and each.condition.tested for each in results)
    interval = interval_of(bound)
    inference = at_gate(bound.protocol.inference, interval)
    pins: dict[str, Any] = {"family": "baseline"}
    reasons = {PLACES["family"]: tr("conditions of a gate")}
    if limited and interval != bound.protocol.inference.interval:
        pins["interval"], reasons[PLACES["interval"]] = interval, tr("one-sided limits")
    if tested:
        pins |= {"test": "t", "correction": "holm" if tested > 1 else "none"}
        reasons |= dict.fromkeys((PLACES["test"], PLACES["correction"]), tr("conditions of a gate"))
    limits = tr("{level} one-sided limits ({method})", level=level_text(inference.confidence),
                method=INTERVALS[interval])  # fmt: skip
    family = (
        tr("1 uncorrected condition")
        if tested == 1
        else tr("{correction} over {n:,} conditions", correction="Holm", n=tested)
    )
    origins: dict[str, Origin] = {**bound.facts.origins, **dict.fromkeys(reasons, "view")}
    facts = replace(
        bound.facts, comparisons=tested or None, family=family, limits=limits if limited else "", tested=tested > 0,
        primary=primary or deciding(bound.declared_measures), origins=origins,
    )  # fmt: skip
    protocol = replace(bound.protocol.but(**pins), measures=bound.declared_measures)
    return replace(bound, protocol=protocol, facts=facts, reasons={**bound.reasons, **reasons})


def compute(
    inputs: Inputs,
    protocol: BoundProtocol,
    *,
    run: Annotated[
        str, a_run(tr("run that should replace the baseline; without it the first other run"), title=tr("run"))
    ] = "",
    non_inferior: Annotated[
        tuple[str, ...],
        option(
            tr(
                'condition such as "nDCG@10 > -0.01", repeatable: the lower one-sided limit of the mean difference '
                "is above the margin"
            ),
            metavar="CONDITION", title=tr("non-inferior"),
        ),
    ] = (),
    fail_if: Annotated[
        tuple[str, ...],
        option(
            tr(
                'condition such as "P@1 worse, p < .05", repeatable: the paired t-test shows that the run is worse, '
                "with p-values corrected by Holm over these conditions"
            ),
            metavar="CONDITION", title=tr("fail if"),
        ),
    ] = (),
    require: Annotated[
        tuple[str, ...],
        option(REQUIRE, metavar="CONDITION", title=tr("require")),
    ] = (),
    by: Annotated[
        tuple[str, ...],
        query_attribute(tr("also check each condition in each slice by this attribute, repeatable"), title=tr("by")),
    ] = (),
    ignore_unjudged: Annotated[
        bool,
        option(
            tr("treat unjudged documents as non-relevant, so that they leave nothing undecided"),
            title=tr("ignore unjudged"),
        ),
    ] = False,
    history: Annotated[
        str, option(tr("file of the gates that were decided before, which is shown"), metavar="FILE",
                    title=tr("history")),
    ] = "",
) -> Gate:  # fmt: skip
    """Whether a run may replace the baseline, by conditions that are set in advance.

    Raises OptionError for a condition that is not one, and where the run is the baseline."""
    part = inputs.one
    part.refuse(tr("Gate"), "weights")
    conditions, given = conditions_of(protocol, non_inferior, fail_if, require)
    inference = at_gate(protocol.protocol.inference, interval_of(protocol))
    check_at_look(protocol.protocol.inference, conditions, inference.alpha, by)
    assert protocol.baseline is not None  # the family is pinned
    others = [place for place in protocol.runs if place != protocol.baseline]
    place = part.other_run(run) if run else others[0] if others else None
    if place is None or place == protocol.baseline:
        raise OptionError(tr("a gate compares a run with the baseline; choose another run"))
    ours, theirs = (part.runs[each].renamed(part.names[each]) for each in (place, protocol.baseline))
    attributes = choose_attributes(part.query_attributes, by, part.query_ids, part.facets) if by else ()
    gate = run_gate(
        part.qrels, ours, theirs, conditions, part.options_for([each.measure for each in conditions]),
        queries=protocol.selected, attributes=attributes,
        confidence=inference.confidence, interval=interval_of(protocol), samples=inference.samples,
        seed=inference.seed, regime=Regime(protocol.protocol.rules.unjudged), unjudged=not ignore_unjudged,
        units=protocol.units,
    )  # fmt: skip
    if not run and len(others) > 1:
        said = trn(
            "No run was chosen: {run} is the first of {n} run beside the baseline.",
            "No run was chosen: {run} is the first of {n} runs beside the baseline.",
            len(others),
            run=ours.name,
        )
        gate = replace(gate, notes=(*gate.notes, said))
    if not given:
        said = tr("No condition is given: this one is about the primary measure.")
        gate = replace(gate, notes=(*gate.notes, said))
    past = read_gate_history(history) if history else None
    primary = "" if given else protocol.facts.primary or DEFAULT_MEASURE
    return replace(gate, protocol=following(protocol, gate.results, primary), history=past)


def command_of(gate: Gate) -> str:
    """Return the command that decides the gate for the files of its runs; the rest is in the file of its protocol."""
    words = ["irviewer", "gate", "QRELS", gate.run, "--baseline", gate.baseline]
    for option_name, texts in (
        ("--non-inferior", gate.non_inferior), ("--fail-if", gate.fail_if), ("--require", gate.require)
    ):  # fmt: skip
        words += [word for text in texts for word in (option_name, text)]
    attributes = gate.by
    for attribute in attributes:
        words += ["--by", attribute]
    unit = gate.protocol.protocol.scope.unit if gate.protocol is not None else ""
    if any(each not in ("", RELEVANT, ID_PREFIX) and not each.startswith(FACET) for each in (*attributes, unit)):
        words += ["--query-attributes", "ATTRIBUTES"]
    if any(needs_lengths(result.condition.measure) for result in gate.results) or any(
        attribute.startswith(FACET) for attribute in attributes
    ):
        words += ["--documents", "DOCUMENTS"]
    words += [] if gate.unjudged else ["--ignore-unjudged"]
    return shlex.join([*words, "--protocol", "protocol.toml"])


def _described(gate: Gate, bound: BoundProtocol) -> ViewResult:
    """Return the tables ``conditions``, each of which opens its rows of ``queries``, and ``gate``."""
    shown = tables(gate)
    command = command_of(gate)
    text = tr("As a command: {command}", command=one_line(command))
    said = Remark("command", text, {"command": command}, warns=False)
    conditions = replace(shown.table("conditions"), opens="queries")
    past = tuple(table for table in shown.tables if table.name in ("history", "trend"))
    return ViewResult(
        gate, (conditions, shown.table("queries"), shown.table("gate"), *past), sentences=(*shown.sentences, said)
    )  # fmt: skip


def _follows(gate: Gate, bound: BoundProtocol) -> BoundProtocol:
    return gate.protocol or bound


VIEW = ResultView(
    "gate", compute, _described, title=tr("Gate"), uses=BY_LOOK,
    needs=("judgments", "two runs"), pins={"family": ("baseline", tr("conditions of a gate"))}, follows=_follows,
    settles=("run", "non_inferior", "fail_if", "require", "by"),
)  # fmt: skip
