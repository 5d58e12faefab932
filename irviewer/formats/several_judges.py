"""Tables of judgments with a column of judges: each judge's judgments are qrels of their own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from irviewer.formats.format import Loaded
from irviewer.model.qrels import Qrels


def judges_in(loaded: Loaded, read_part: Callable[[str], Loaded]) -> tuple[Loaded, ...]:
    """Return the judgments of every judge in a file whose first judge was read; ``read_part`` reads another by name.
    Only the first has the file as its origin. Any other file is returned alone."""
    several = next((finding for finding in loaded.report.findings if finding.topic == "part"), None)
    if several is None or not isinstance(loaded.value, Qrels):
        return (loaded,)
    parts = [loaded, *(read_part(name) for name in several.names[1:])]
    judges = []
    for place, (name, part) in enumerate(zip(several.names, parts, strict=True)):
        qrels = part.value
        assert isinstance(qrels, Qrels)
        findings = tuple(finding for finding in part.report.findings if finding.topic != "part")
        judges.append(
            replace(
                part,
                value=replace(qrels, name=name, origin=qrels.origin if place == 0 else ""),
                report=replace(part.report, findings=findings),
            )
        )
    return tuple(judges)
