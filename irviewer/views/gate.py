"""A gate as tables: its conditions with their numbers, the queries with the largest losses, and the outcome of all."""

from __future__ import annotations

import math
from collections.abc import Sequence

from irviewer.analysis.statistics.gate import ConditionResult, Gate, Outcome, limit_name
from irviewer.analysis.statistics.run_comparison import ALPHA
from irviewer.hidden_characters import escape_hidden
from irviewer.tables import column
from irviewer.tables.column import ComparisonFamily
from irviewer.tables.table import Remark, Table
from irviewer.translation import tr, trn
from irviewer.views.provenance import provenance
from irviewer.views.result import ViewResult

PEOPLE = ("conditions", "losses")
"""The tables that people are shown; the third has what the headline says."""
OUTCOMES = {Outcome.PASSED: tr("PASSED"), Outcome.FAILED: tr("FAILED"), Outcome.UNDECIDED: tr("UNDECIDED")}


def tables(gate: Gate) -> ViewResult:
    """Return the tables ``conditions``, ``losses`` (of the conditions that did not pass, where there are any) and
    ``gate``, a row of the outcome; where it is named, ``queries`` has the largest losses under every condition."""
    open_ones = [result for result in gate.results if result.outcome is not Outcome.PASSED and result.queries]
    title = tr("The largest losses, under the conditions that did not pass")
    losses = (_losses("losses", title, open_ones),) if open_ones else ()
    every = _losses("queries", tr("The largest losses, under each condition"), gate.results)
    source = provenance("gate", gate.protocol, {"conditions": list(dict.fromkeys(
        result.condition.text for result in gate.results))})  # fmt: skip
    shown = ViewResult(
        gate, (_conditions(gate), *losses, _gate(gate)), further=(every,),
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
    """Return a condition with its slice."""
    return f"{result.condition.text} [{result.slice}]" if result.slice else result.condition.text


def _conditions(gate: Gate) -> Table:
    results = gate.results
    margins = [result.condition.margin for result in results]
    alphas = [math.nan if result.condition.is_margin else result.condition.alpha for result in results]
    tested = sum(not result.condition.is_margin for result in results)
    levels = {alpha for alpha in alphas if not math.isnan(alpha)}
    family = ComparisonFamily("conditions", tested, "Holm" if tested > 1 else "", max(levels, default=ALPHA))
    up = [result.condition.measure.higher_is_better for result in results]
    kinds = ["non-inferior" if result.condition.is_margin else "fail-if-worse" for result in results]
    return Table("conditions", headline(gate), (
        column.outcome("outcome", tr("outcome"), [result.outcome.value for result in results],
                       texts=[OUTCOMES[result.outcome] for result in results]),
        column.text("condition", tr("condition"), [result.condition.text for result in results]),
        column.text("slice", tr("slice"), [result.slice or None for result in results],
                    detail=not any(result.slice for result in results),
                    texts=[result.slice or tr("all queries") for result in results]),
        column.text("measure", tr("measure"), [result.condition.measure.text for result in results], detail=True),
        column.text("kind", tr("kind"), kinds, detail=True),
        column.number("margin", tr("margin"), margins, detail=True),
        column.number("alpha", "α", alphas, detail=True),
        column.count("n", tr("queries"), [result.n for result in results]),
        column.number("other_mean", tr("baseline"), [result.base for result in results]),
        column.number("mean", tr("run"), [result.mean for result in results]),
        column.difference("difference", "Δ", [result.delta for result in results], better_up=up, of="p_corrected",
                          decides=[not math.isnan(result.p) for result in results], family=family),
        column.interval("limits", limit_name(gate.confidence), [result.low for result in results],
                        [result.high for result in results], of="difference", detail=tested == len(results)),
        column.p_value("p", "p", [result.p for result in results], None, detail=not tested),
        column.p_value("p_corrected", tr("p {correction}", correction="Holm"),
                       [result.p_corrected for result in results], family, detail=tested < 2),
        column.interval("open", tr("were all judged"), [result.open_low for result in results],
                        [result.open_high for result in results], of="difference", detail=True,
                        tip=tr("Between what the difference could be, were all unjudged documents judged")),
        column.count("fell", tr("fell"), [result.fell for result in results]),
        column.count("rose", tr("rose"), [result.rose for result in results]),
        column.count("decisive", tr("decisive losses"), [result.decisive for result in results], detail=True,
                     tip=tr("Without how many of the largest losses the condition would pass; 0: none suffice")),
        column.flag("identical", tr("identical"), [result.identical for result in results], detail=True),
    ), keys=[(result.condition.text, result.slice) for result in results] if _distinct(results) else (),
        notes=_remarks(gate))  # fmt: skip


def _distinct(results: Sequence[ConditionResult]) -> bool:
    return len({title_of(result) for result in results}) == len(results)


def _remarks(gate: Gate) -> tuple[Remark, ...]:
    """Return why conditions did not pass, or passed without a test, how several are corrected, and the notes."""
    said = []
    for result in gate.results:
        if result.outcome is not Outcome.PASSED or result.identical:
            facts = {"condition": result.condition.text, "slice": result.slice or None}
            text = tr("{condition}: {reason}", condition=title_of(result), reason=result.reason)
            text = f"{text} {decisive_text(result)}".rstrip()
            said.append(Remark(result.outcome.value, one_line(text), facts, warns=False))
    said += [Remark("correction", text, warns=False) for text in gate.corrections]
    return (*said, *(Remark("note", one_line(text)) for text in gate.notes))


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
        column.number("confidence", tr("confidence"), [gate.confidence], decimals=2),
        column.text("regime", tr("unjudged"), [gate.regime.value]),
        column.text("error", tr("error"), [gate.error or None]),
    ))  # fmt: skip
