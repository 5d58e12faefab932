"""A gate as JUnit XML, which build servers read: not a table, but a file format of theirs."""

from __future__ import annotations

from xml.sax.saxutils import escape, quoteattr

from irviewer.analysis.statistics.gate import ConditionResult, Gate, Outcome
from irviewer.model.number_text import quantity, signed_quantity
from irviewer.translation import tr, trn
from irviewer.views.gate import decisive_text, title_of


def junit(gate: Gate) -> str:
    """Return XML with a test case for each condition. Undecided conditions are errors, as JUnit has no third
    outcome."""
    cases = []
    for result in gate.results:
        opened = f'  <testcase classname="irviewer.gate" name={quoteattr(_xml(title_of(result)))}'
        text = escape(_xml("\n".join([result.reason, *_details(result)])))
        if result.outcome is Outcome.PASSED:
            cases.append(f"{opened}><system-out>{text}</system-out></testcase>")
        else:
            kind = "failure" if result.outcome is Outcome.FAILED else "error"
            cases.append(f"{opened}><{kind} message={quoteattr(_xml(result.reason))}>{text}</{kind}></testcase>")
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


def _details(result: ConditionResult) -> list[str]:
    """Return lines with the queries that decided a condition which did not pass."""
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
    return [*lines, decisive] if (decisive := decisive_text(result)) else lines


def _xml(text: str) -> str:
    """Return a text without the characters that are not allowed in XML."""
    return "".join(
        sign
        if sign in "\n\t" or (sign >= " " and not "\ud800" <= sign <= "\udfff" and sign not in "\ufffe\uffff")
        else "\N{REPLACEMENT CHARACTER}"
        for sign in text
    )
