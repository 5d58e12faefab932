"""A gate as messages of build services: GitHub's annotations, GitLab's report of code quality.

Annotations are workflow commands, ``::error title=…::…``, in which ``%``, carriage return and line feed are escaped,
and in properties ``:`` and ``,`` too (docs.github.com, "Workflow commands"). The report is the JSON list of
docs.gitlab.com, "Code Quality report format": description, check_name, fingerprint, severity, location."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from irviewer.analysis.statistics.gate import ConditionResult, Gate, Outcome
from irviewer.tables.utf8 import utf8
from irviewer.translation import tr
from irviewer.views.gate import decisive_text, headline, one_line, title_of

_LEVELS = {Outcome.PASSED: "notice", Outcome.FAILED: "error", Outcome.UNDECIDED: "warning"}
_SEVERITIES = {Outcome.FAILED: "major", Outcome.UNDECIDED: "minor"}


def github(gate: Gate, file: str = "") -> str:
    """Return a line for each condition that did not pass, an error or a warning, and one for the outcome; ``file`` is
    the one that they are shown at."""
    lines = [
        _command(_LEVELS[result.outcome], title_of(result), _reason(result), file)
        for result in gate.results
        if result.outcome is not Outcome.PASSED
    ]
    return "\n".join([*lines, _command(_LEVELS[gate.outcome], tr("Gate"), one_line(headline(gate)), file)]) + "\n"


def gitlab(gate: Gate, file: str) -> str:
    """Return the JSON list of the conditions that did not pass, at the first line of ``file``. The fingerprint is that
    of the run's and the baseline's name and the condition, so that a service tells what is new."""
    rows: list[dict[str, Any]] = []
    faults = [(title_of(result), _reason(result), result.outcome) for result in gate.results]
    if gate.error:
        faults.append((tr("Gate"), gate.error, Outcome.UNDECIDED))
    for title, reason, outcome in faults:
        if outcome is Outcome.PASSED:
            continue
        key = json.dumps([gate.run, gate.baseline, title], ensure_ascii=True)
        rows.append(
            {
                "description": _shown(tr("{condition}: {reason}", condition=title, reason=one_line(reason))),
                "check_name": f"irviewer-gate-{outcome.value}",
                "fingerprint": hashlib.sha256(key.encode("ascii")).hexdigest(),
                "severity": _SEVERITIES[outcome],
                "location": {"path": _shown(file), "lines": {"begin": 1}},
            }
        )
    return json.dumps(rows, ensure_ascii=False, indent=2) + "\n"


def _reason(result: ConditionResult) -> str:
    return f"{result.reason} {decisive_text(result)}".rstrip()


def _command(level: str, title: str, message: str, file: str) -> str:
    place = f"file={_property(file)}," if file else ""
    return f"::{level} {place}title={_property(title)}::{_data(message)}"


def _data(text: str) -> str:
    return _shown(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def _shown(text: str) -> str:
    """Return the text as UTF-8 can hold it."""
    return utf8(text).decode("utf-8", "replace")
