"""The ir_metadata header of a run: YAML in its leading ``#`` comments becomes the run's attributes.

See Breuer, Keller and Schaer, ir_metadata: an extensible metadata schema for IR experiments, SIGIR 2022."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

START, END = "ir_metadata.start", "ir_metadata.end"


def attributes(comments: Sequence[str]) -> dict[str, Any] | None:
    """The header's mapping; None where there is no header or it is no YAML mapping (then it is a comment)."""
    stripped = [line.strip() for line in comments]
    if START not in stripped:
        return None
    begin = stripped.index(START) + 1
    stop = stripped.index(END) if END in stripped[begin:] else len(comments)
    lines = comments[begin:stop]
    margin = min((len(line) - len(line.lstrip(" ")) for line in lines if line.strip()), default=0)
    import yaml  # only runs that carry a header pay for it

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        found = yaml.load("\n".join(line[margin:] for line in lines), Loader=loader)
    except yaml.YAMLError:
        return None
    return found if isinstance(found, dict) else None
