"""A gate as text, as Markdown for a pull request, as JUnit XML for a build, as JSON. Computes nothing."""

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


def title_of(one: Verdict) -> str:
    """A condition with its slice."""
    return f"{one.condition.text} [{one.slice}]" if one.slice else one.condition.text


def headline(gate: Gate) -> str:
    """The outcome in a line."""
    word = _WORDS[gate.outcome]
    if gate.error:
        return f"{word}: {gate.error}"
    return tr("{outcome}: {run} against {baseline}", outcome=word, run=gate.run, baseline=gate.baseline)


def _details(one: Verdict) -> list[str]:
    """The queries that decided a condition, as lines."""
    if one.outcome is Outcome.PASSED or not one.queries:
        return []
    fell = trn("{n} query fell", "{n:,} queries fell", one.fell)
    rose = trn("{n} rose", "{n:,} rose", one.rose)
    lines = [tr("{fell}, {rose}; the largest losses:", fell=fell, rose=rose)]
    lines += [
        tr(
            "query {query}: {base} → {value} ({delta})",
            query=each.query, base=quantity(each.base), value=quantity(each.value), delta=signed_quantity(each.delta),
        )
        for each in one.queries
    ]  # fmt: skip
    if one.decisive:
        lines.append(
            trn(
                "Without the largest loss the condition would pass.",
                "Without the {n:,} largest losses the condition would pass.",
                one.decisive,
            )
        )
    return lines


def write_text(gate: Gate) -> str:
    """For a terminal or a log."""
    lines = [headline(gate)]
    for one in gate.verdicts:
        lines.append(f"  {_WORDS[one.outcome].ljust(9)}  {title_of(one)}")
        numbers = trn("{n} query", "{n:,} queries", one.n)
        lines.append(f"             {one.reason} ({numbers})" if one.n else f"             {one.reason}")
        lines += [f"             {line}" for line in _details(one)]
    lines += [tr("Limits: {what}.", what=limit_name(gate.confidence))] if _has_margin(gate) else []
    lines += [*gate.corrections, *(tr("Note: {text}", text=note) for note in gate.notes)]
    return "\n".join(map(_one_line, lines)) + "\n"


def _one_line(text: str) -> str:
    return "".join(sign if sign.isprintable() else " " for sign in text)


def _has_margin(gate: Gate) -> bool:
    return any(one.condition.is_margin for one in gate.verdicts)


def write_markdown(gate: Gate) -> str:
    """For a comment on a pull request."""
    lines = [f"### {_SIGNS[gate.outcome]} {_plain(headline(gate))}", ""]
    if gate.verdicts:
        header = ["", tr("condition"), tr("queries"), tr("baseline"), tr("run"), "Δ", limit_name(gate.confidence), "p",
                  tr("why")]  # fmt: skip
        lines += ["| " + " | ".join(header) + " |", "|:--|:--|--:|--:|--:|--:|--:|--:|:--|"]
    for one in gate.verdicts:
        low = f"{signed_quantity(one.low)} … {signed_quantity(one.high)}" if not math.isnan(one.low) else "–"
        p = "–" if math.isnan(one.p) else f"{one.p:.3f}"
        p = f"{p} ({one.p_corrected:.3f} Holm)" if not math.isnan(one.p_corrected) else p
        cells = [title_of(one), f"{one.n:,}", _number(one.base), _number(one.mean), _signed(one.delta), low, p,
                 one.reason]  # fmt: skip
        lines.append(f"| {_SIGNS[one.outcome]} | " + " | ".join(_plain(cell) for cell in cells) + " |")
    for one in gate.verdicts:
        details = _details(one)
        if details:
            lines += ["", f"<details><summary>{_plain(title_of(one))}</summary>", ""]
            lines += [f"- {_plain(line)}" for line in details]
            lines += ["", "</details>"]
    said = [*gate.corrections, *gate.notes]
    if said:
        lines += ["", *(f"- {_plain(line)}" for line in said)]
    return "\n".join(lines) + "\n"


def _plain(text: str) -> str:
    """Text that Markdown and the HTML in it show as it is."""
    escaped = _one_line(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return "".join(f"\\{sign}" if sign in "\\`*_{}[]#|~$@!" else sign for sign in escaped)


def _number(value: float) -> str:
    return "–" if math.isnan(value) else quantity(value)


def _signed(value: float) -> str:
    return "–" if math.isnan(value) else signed_quantity(value)


def write_junit(gate: Gate) -> str:
    """JUnit XML: a test case a condition; what is undecided is an error, as builds know no third outcome."""
    cases = []
    for one in gate.verdicts:
        name, body = quoteattr(_xml(title_of(one))), _xml("\n".join([one.reason, *_details(one)]))
        opened = f'  <testcase classname="irviewer.gate" name={name}'
        message = quoteattr(_xml(one.reason))
        text = body.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        if one.outcome is Outcome.PASSED:
            cases.append(f"{opened}><system-out>{text}</system-out></testcase>")
        else:
            kind = "failure" if one.outcome is Outcome.FAILED else "error"
            cases.append(f"{opened}><{kind} message={message}>{text}</{kind}></testcase>")
    if gate.error:
        message = quoteattr(_xml(gate.error))
        cases.append(f'  <testcase classname="irviewer.gate" name="files"><error message={message}/></testcase>')
    outcomes = [one.outcome for one in gate.verdicts]
    errors = outcomes.count(Outcome.UNDECIDED) + (1 if gate.error else 0)
    head = (
        f'<testsuite name={quoteattr(_xml(f"irviewer gate {gate.run}"))} tests="{len(cases)}" '
        f'failures="{outcomes.count(Outcome.FAILED)}" errors="{errors}">'
    )
    return "\n".join(['<?xml version="1.0" encoding="UTF-8"?>', head, *cases, "</testsuite>"]) + "\n"


def _xml(text: str) -> str:
    """Without the characters that XML has no way to write."""
    return "".join(
        sign
        if sign in "\n\t" or (sign >= " " and not "\ud800" <= sign <= "\udfff" and sign not in "\ufffe\uffff")
        else "\N{REPLACEMENT CHARACTER}"
        for sign in text
    )


def write_json(gate: Gate) -> str:
    """Everything, null where there is no number."""
    return json_text(
        {
            "outcome": gate.outcome.value,
            "status": gate.status,
            "run": gate.run,
            "baseline": gate.baseline,
            "confidence": gate.confidence,
            "error": gate.error or None,
            "conditions": [_record(one) for one in gate.verdicts],
            "corrections": list(gate.corrections),
            "notes": list(gate.notes),
        },
        2,
    )


def _record(one: Verdict) -> dict[str, Any]:
    return {
        "condition": one.condition.text, "measure": one.condition.measure.text, "slice": one.slice or None,
        "kind": "non-inferior" if one.condition.is_margin else "fail-if-worse", "margin": one.condition.margin,
        "alpha": None if one.condition.is_margin else one.condition.alpha, "outcome": one.outcome.value,
        "reason": one.reason, "queries": one.n, "baseline": one.base, "run": one.mean, "delta": one.delta,
        "low": one.low, "high": one.high, "p": one.p, "p_corrected": one.p_corrected, "open_low": one.open_low,
        "open_high": one.open_high, "fell": one.fell, "rose": one.rose, "decisive": one.decisive,
        "losses": [
            {"query": each.query, "baseline": each.base, "run": each.value, "delta": each.delta} for each in one.queries
        ],
    }  # fmt: skip


WRITERS: dict[str, Callable[[Gate], str]] = {
    "text": write_text,
    "markdown": write_markdown,
    "junit": write_junit,
    "json": write_json,
}
