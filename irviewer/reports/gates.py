"""Gates as text, Markdown for pull requests, JUnit XML for builds, and JSON."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any
from xml.sax.saxutils import quoteattr

from irviewer.analysis.statistics.gate import ConditionResult, Gate, Outcome, limit_name
from irviewer.hidden_characters import escape_hidden
from irviewer.model.number_text import quantity, signed_quantity
from irviewer.tables.json_text import json_text
from irviewer.translation import tr, trn

_WORDS = {
    Outcome.PASSED: tr("PASSED"),
    Outcome.FAILED: tr("FAILED"),
    Outcome.UNDECIDED: tr("UNDECIDED"),
}
_SIGNS = {Outcome.PASSED: "✅", Outcome.FAILED: "❌", Outcome.UNDECIDED: "❔"}


def title_of(result: ConditionResult) -> str:
    """Return a condition with its slice."""
    return f"{result.condition.text} [{result.slice}]" if result.slice else result.condition.text


def headline(gate: Gate) -> str:
    """Return the outcome in a line."""
    word = _WORDS[gate.outcome]
    if gate.error:
        return f"{word}: {gate.error}"
    return tr("{outcome}: {run} against {baseline}", outcome=word, run=gate.run, baseline=gate.baseline)


def _details(result: ConditionResult) -> list[str]:
    """Return lines with the queries that decided a condition."""
    if result.outcome is Outcome.PASSED or not result.queries:
        return []
    fell = trn("{n} query fell", "{n:,} queries fell", result.fell)
    rose = trn("{n} rose", "{n:,} rose", result.rose)
    lines = [tr("{fell}, {rose}. The largest losses:", fell=fell, rose=rose)]
    lines += [
        tr(
            "query {query}: {base} → {value} ({delta})",
            query=change.query,
            base=quantity(change.base),
            value=quantity(change.value),
            delta=signed_quantity(change.delta),
        )
        for change in result.queries
    ]
    if result.decisive:
        lines.append(
            trn(
                "Without the largest loss the condition would pass.",
                "Without the {n:,} largest losses the condition would pass.",
                result.decisive,
            )
        )
    return lines


def write_text(gate: Gate) -> str:
    """Return a gate as text for a terminal or a log."""
    lines = [headline(gate)]
    for result in gate.results:
        lines.append(f"  {_WORDS[result.outcome].ljust(9)}  {title_of(result)}")
        numbers = trn("{n} query", "{n:,} queries", result.n)
        lines.append(f"             {result.reason} ({numbers})" if result.n else f"             {result.reason}")
        lines += [f"             {line}" for line in _details(result)]
    lines += [tr("Limits: {what}.", what=limit_name(gate.confidence))] if _has_margin(gate) else []
    lines += [*gate.corrections, *(tr("Note: {text}", text=note) for note in gate.notes)]
    return "\n".join(map(_one_line, lines)) + "\n"


def _one_line(text: str) -> str:
    return escape_hidden(" ".join(text.split()) if "\n" in text or "\t" in text else text)


def _has_margin(gate: Gate) -> bool:
    return any(result.condition.is_margin for result in gate.results)


def write_markdown(gate: Gate) -> str:
    """Return a gate as Markdown for a comment on a pull request."""
    lines = [f"### {_SIGNS[gate.outcome]} {_plain(headline(gate))}", ""]
    if gate.results:
        header = ["", tr("condition"), tr("queries"), tr("baseline"), tr("run"), "Δ", limit_name(gate.confidence), "p",
                  tr("why")]  # fmt: skip
        lines += ["| " + " | ".join(header) + " |", "|:--|:--|--:|--:|--:|--:|--:|--:|:--|"]
    for result in gate.results:
        low = f"{signed_quantity(result.low)} … {signed_quantity(result.high)}" if not math.isnan(result.low) else "–"
        p = "–" if math.isnan(result.p) else f"{result.p:.3f}"
        p = f"{p} ({result.p_corrected:.3f} Holm)" if not math.isnan(result.p_corrected) else p
        cells = [
            title_of(result),
            f"{result.n:,}",
            _number(result.base),
            _number(result.mean),
            _signed(result.delta),
            low,
            p,
            result.reason,
        ]
        lines.append(f"| {_SIGNS[result.outcome]} | " + " | ".join(_plain(cell) for cell in cells) + " |")
    for result in gate.results:
        details = _details(result)
        if details:
            lines += ["", f"<details><summary>{_plain(title_of(result))}</summary>", ""]
            lines += [f"- {_plain(line)}" for line in details]
            lines += ["", "</details>"]
    remarks = [*gate.corrections, *gate.notes]
    if remarks:
        lines += ["", *(f"- {_plain(line)}" for line in remarks)]
    return "\n".join(lines) + "\n"


def _plain(text: str) -> str:
    """Return a text escaped for Markdown and the HTML in it."""
    escaped = _one_line(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return "".join(f"\\{sign}" if sign in "\\`*_{}[]#|~$@!" else sign for sign in escaped)


def _number(value: float) -> str:
    return "–" if math.isnan(value) else quantity(value)


def _signed(value: float) -> str:
    return "–" if math.isnan(value) else signed_quantity(value)


def write_junit(gate: Gate) -> str:
    """Return JUnit XML with a test case for each condition. Undecided conditions are errors, as JUnit has no third
    outcome."""
    cases = []
    for result in gate.results:
        name, body = quoteattr(_xml(title_of(result))), _xml("\n".join([result.reason, *_details(result)]))
        opened = f'  <testcase classname="irviewer.gate" name={name}'
        message = quoteattr(_xml(result.reason))
        text = body.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        if result.outcome is Outcome.PASSED:
            cases.append(f"{opened}><system-out>{text}</system-out></testcase>")
        else:
            kind = "failure" if result.outcome is Outcome.FAILED else "error"
            cases.append(f"{opened}><{kind} message={message}>{text}</{kind}></testcase>")
    if gate.error:
        message = quoteattr(_xml(gate.error))
        cases.append(f'  <testcase classname="irviewer.gate" name="files"><error message={message}/></testcase>')
    outcomes = [result.outcome for result in gate.results]
    errors = outcomes.count(Outcome.UNDECIDED) + (1 if gate.error else 0)
    head = (
        f'<testsuite name={quoteattr(_xml(f"irviewer gate {gate.run}"))} tests="{len(cases)}" '
        f'failures="{outcomes.count(Outcome.FAILED)}" errors="{errors}">'
    )
    properties = []
    if gate.protocol is not None:
        named = {"protocol": gate.protocol.line(), "record": gate.protocol.record()}
        rows = [f'    <property name="{name}" value={quoteattr(_xml(text))}/>' for name, text in named.items()]
        properties = ["  <properties>", *rows, "  </properties>"]
    return "\n".join(['<?xml version="1.0" encoding="UTF-8"?>', head, *properties, *cases, "</testsuite>"]) + "\n"


def _xml(text: str) -> str:
    """Return a text without the characters that are not allowed in XML."""
    return "".join(
        sign
        if sign in "\n\t" or (sign >= " " and not "\ud800" <= sign <= "\udfff" and sign not in "\ufffe\uffff")
        else "\N{REPLACEMENT CHARACTER}"
        for sign in text
    )


def write_json(gate: Gate) -> str:
    """Return a gate as JSON; null for missing numbers."""
    return json_text(
        {
            "outcome": gate.outcome.value,
            "status": gate.status,
            "run": gate.run,
            "baseline": gate.baseline,
            "confidence": gate.confidence,
            "regime": gate.regime.value,
            "error": gate.error or None,
            "conditions": [_record(result) for result in gate.results],
            "corrections": list(gate.corrections),
            "notes": list(gate.notes),
        },
        2,
    )


def _record(result: ConditionResult) -> dict[str, Any]:
    return {
        "condition": result.condition.text,
        "measure": result.condition.measure.text,
        "slice": result.slice or None,
        "kind": "non-inferior" if result.condition.is_margin else "fail-if-worse",
        "margin": result.condition.margin,
        "alpha": None if result.condition.is_margin else result.condition.alpha,
        "outcome": result.outcome.value,
        "reason": result.reason,
        "queries": result.n,
        "baseline": result.base,
        "run": result.mean,
        "delta": result.delta,
        "low": result.low,
        "high": result.high,
        "p": result.p,
        "p_corrected": result.p_corrected,
        "open_low": result.open_low,
        "open_high": result.open_high,
        "fell": result.fell,
        "rose": result.rose,
        "decisive": result.decisive,
        "identical": result.identical,
        "losses": [
            {"query": loss.query, "baseline": loss.base, "run": loss.value, "delta": loss.delta}
            for loss in result.queries
        ],
    }


WRITERS: dict[str, Callable[[Gate], str]] = {
    "text": write_text,
    "markdown": write_markdown,
    "junit": write_junit,
    "json": write_json,
}
