"""Gates as text, Markdown for pull requests, JUnit XML for builds, and JSON."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any
from xml.sax.saxutils import quoteattr

from irviewer.analysis.statistics.gate import Gate, Outcome, Verdict, limit_name
from irviewer.model.number_text import quantity, signed_quantity
from irviewer.reports.json_text import json_text
from irviewer.translation import tr, trn

_WORDS = {
    Outcome.PASSED: tr("PASSED"),
    Outcome.FAILED: tr("FAILED"),
    Outcome.UNDECIDED: tr("UNDECIDED"),
}
_SIGNS = {Outcome.PASSED: "✅", Outcome.FAILED: "❌", Outcome.UNDECIDED: "❔"}


def title_of(verdict: Verdict) -> str:
    """Return a condition with its slice."""
    return f"{verdict.condition.text} [{verdict.slice}]" if verdict.slice else verdict.condition.text


def headline(gate: Gate) -> str:
    """Return the outcome in a line."""
    word = _WORDS[gate.outcome]
    if gate.error:
        return f"{word}: {gate.error}"
    return tr("{outcome}: {run} against {baseline}", outcome=word, run=gate.run, baseline=gate.baseline)


def _details(verdict: Verdict) -> list[str]:
    """Return lines with the queries that decided a condition."""
    if verdict.outcome is Outcome.PASSED or not verdict.queries:
        return []
    fell = trn("{n} query fell", "{n:,} queries fell", verdict.fell)
    rose = trn("{n} rose", "{n:,} rose", verdict.rose)
    lines = [tr("{fell}, {rose}. The largest losses:", fell=fell, rose=rose)]
    lines += [
        tr(
            "query {query}: {base} → {value} ({delta})",
            query=change.query,
            base=quantity(change.base),
            value=quantity(change.value),
            delta=signed_quantity(change.delta),
        )
        for change in verdict.queries
    ]
    if verdict.decisive:
        lines.append(
            trn(
                "Without the largest loss the condition would pass.",
                "Without the {n:,} largest losses the condition would pass.",
                verdict.decisive,
            )
        )
    return lines


def write_text(gate: Gate) -> str:
    """Return a gate as text for a terminal or a log."""
    lines = [headline(gate)]
    for verdict in gate.verdicts:
        lines.append(f"  {_WORDS[verdict.outcome].ljust(9)}  {title_of(verdict)}")
        numbers = trn("{n} query", "{n:,} queries", verdict.n)
        lines.append(f"             {verdict.reason} ({numbers})" if verdict.n else f"             {verdict.reason}")
        lines += [f"             {line}" for line in _details(verdict)]
    lines += [tr("Limits: {what}.", what=limit_name(gate.confidence))] if _has_margin(gate) else []
    lines += [*gate.corrections, *(tr("Note: {text}", text=note) for note in gate.notes)]
    return "\n".join(map(_one_line, lines)) + "\n"


def _one_line(text: str) -> str:
    return "".join(sign if sign.isprintable() else " " for sign in text)


def _has_margin(gate: Gate) -> bool:
    return any(verdict.condition.is_margin for verdict in gate.verdicts)


def write_markdown(gate: Gate) -> str:
    """Return a gate as Markdown for a comment on a pull request."""
    lines = [f"### {_SIGNS[gate.outcome]} {_plain(headline(gate))}", ""]
    if gate.verdicts:
        header = ["", tr("condition"), tr("queries"), tr("baseline"), tr("run"), "Δ", limit_name(gate.confidence), "p",
                  tr("why")]  # fmt: skip
        lines += ["| " + " | ".join(header) + " |", "|:--|:--|--:|--:|--:|--:|--:|--:|:--|"]
    for verdict in gate.verdicts:
        low = (
            f"{signed_quantity(verdict.low)} … {signed_quantity(verdict.high)}" if not math.isnan(verdict.low) else "–"
        )
        p = "–" if math.isnan(verdict.p) else f"{verdict.p:.3f}"
        p = f"{p} ({verdict.p_corrected:.3f} Holm)" if not math.isnan(verdict.p_corrected) else p
        cells = [
            title_of(verdict),
            f"{verdict.n:,}",
            _number(verdict.base),
            _number(verdict.mean),
            _signed(verdict.delta),
            low,
            p,
            verdict.reason,
        ]
        lines.append(f"| {_SIGNS[verdict.outcome]} | " + " | ".join(_plain(cell) for cell in cells) + " |")
    for verdict in gate.verdicts:
        details = _details(verdict)
        if details:
            lines += ["", f"<details><summary>{_plain(title_of(verdict))}</summary>", ""]
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
    for verdict in gate.verdicts:
        name, body = quoteattr(_xml(title_of(verdict))), _xml("\n".join([verdict.reason, *_details(verdict)]))
        opened = f'  <testcase classname="irviewer.gate" name={name}'
        message = quoteattr(_xml(verdict.reason))
        text = body.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        if verdict.outcome is Outcome.PASSED:
            cases.append(f"{opened}><system-out>{text}</system-out></testcase>")
        else:
            kind = "failure" if verdict.outcome is Outcome.FAILED else "error"
            cases.append(f"{opened}><{kind} message={message}>{text}</{kind}></testcase>")
    if gate.error:
        message = quoteattr(_xml(gate.error))
        cases.append(f'  <testcase classname="irviewer.gate" name="files"><error message={message}/></testcase>')
    outcomes = [verdict.outcome for verdict in gate.verdicts]
    errors = outcomes.count(Outcome.UNDECIDED) + (1 if gate.error else 0)
    head = (
        f'<testsuite name={quoteattr(_xml(f"irviewer gate {gate.run}"))} tests="{len(cases)}" '
        f'failures="{outcomes.count(Outcome.FAILED)}" errors="{errors}">'
    )
    return "\n".join(['<?xml version="1.0" encoding="UTF-8"?>', head, *cases, "</testsuite>"]) + "\n"


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
            "error": gate.error or None,
            "conditions": [_record(verdict) for verdict in gate.verdicts],
            "corrections": list(gate.corrections),
            "notes": list(gate.notes),
        },
        2,
    )


def _record(verdict: Verdict) -> dict[str, Any]:
    return {
        "condition": verdict.condition.text,
        "measure": verdict.condition.measure.text,
        "slice": verdict.slice or None,
        "kind": "non-inferior" if verdict.condition.is_margin else "fail-if-worse",
        "margin": verdict.condition.margin,
        "alpha": None if verdict.condition.is_margin else verdict.condition.alpha,
        "outcome": verdict.outcome.value,
        "reason": verdict.reason,
        "queries": verdict.n,
        "baseline": verdict.base,
        "run": verdict.mean,
        "delta": verdict.delta,
        "low": verdict.low,
        "high": verdict.high,
        "p": verdict.p,
        "p_corrected": verdict.p_corrected,
        "open_low": verdict.open_low,
        "open_high": verdict.open_high,
        "fell": verdict.fell,
        "rose": verdict.rose,
        "decisive": verdict.decisive,
        "losses": [
            {"query": loss.query, "baseline": loss.base, "run": loss.value, "delta": loss.delta}
            for loss in verdict.queries
        ],
    }


WRITERS: dict[str, Callable[[Gate], str]] = {
    "text": write_text,
    "markdown": write_markdown,
    "junit": write_junit,
    "json": write_json,
}
