"""The ir_metadata header of a run: YAML in leading ``#`` comments, read as the run's attributes.

See Breuer, Keller and Schaer, ir_metadata: an extensible metadata schema for IR experiments, SIGIR 2022."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, ClassVar

START, END = "ir_metadata.start", "ir_metadata.end"


def attributes(comments: Sequence[str]) -> dict[str, Any] | None:
    """Return the header's mapping; None without a header, or if it is not a YAML mapping (then it is a comment)."""
    stripped = [line.strip() for line in comments]
    if START not in stripped:
        return None
    begin = stripped.index(START) + 1
    stop = stripped.index(END) if END in stripped[begin:] else len(comments)
    lines = comments[begin:stop]
    margin = min([len(line) - len(line.lstrip(" ")) for line in lines if line.strip()], default=0)
    import yaml  # slow to import, and only runs with a header need it

    loader = _loader()
    try:
        header = yaml.load("\n".join([line[margin:] for line in lines]), Loader=loader)
    except Exception:  # YAML's own errors, and numbers and nesting that Python refuses: the header is a comment
        return None
    return header if isinstance(header, dict) else None


@cache
def _loader() -> Any:
    """Return YAML's safe loader with dates as text: every writer can write such values."""
    import yaml

    class Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
        yaml_implicit_resolvers: ClassVar[dict[str, Any]] = {
            first: [(tag, pattern) for tag, pattern in rules if tag != "tag:yaml.org,2002:timestamp"]
            for first, rules in yaml.SafeLoader.yaml_implicit_resolvers.items()
        }

    return Loader


def header_lines(attributes: Mapping[str, Any]) -> Iterator[str]:
    """Yield the comment lines that :func:`attributes` reads back; none for a run without attributes."""
    if not attributes:
        return
    import yaml

    text = yaml.safe_dump(dict(attributes), allow_unicode=True, sort_keys=False, default_flow_style=False)
    yield f"# {START}\n"
    yield from (f"# {line}\n" for line in text.splitlines())
    yield f"# {END}\n"
