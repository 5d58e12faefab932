"""An account of values compared with another program's: how many, how many differ, and why; the test run prints it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field

PROPERTY = "comparison"


@dataclass
class Comparison:
    """What was compared with one oracle on one collection.

    files   golden files; ``values`` the values in them; ``apart`` reason -> [values that are not asked to be equal for
            that reason, how many of them differ]
    """

    oracle: str
    collection: str
    files: int = 0
    values: int = 0
    apart: dict[str, list[int]] = field(default_factory=dict)

    def equal(self, count: int = 1) -> None:
        """Values that are equal."""
        self.values += count

    def aside(self, reason: str, differs: bool) -> None:
        """A value that the tool is no oracle for, and whether it differs."""
        self.values += 1
        counts = self.apart.setdefault(reason, [0, 0])
        counts[0] += 1
        counts[1] += differs

    def record(self, record_property: Callable[[str, object], None]) -> None:
        """Leave it for the end of the test run."""
        record_property(PROPERTY, json.dumps(asdict(self)))


def table(texts: Iterable[str]) -> list[str]:
    """Lines of a Markdown table, a row an oracle and collection, sums below."""
    rows: dict[tuple[str, str], Comparison] = {}
    for text in texts:
        comparison = Comparison(**json.loads(text))
        row = rows.setdefault(
            (comparison.oracle, comparison.collection), Comparison(comparison.oracle, comparison.collection)
        )
        row.files += comparison.files
        row.values += comparison.values
        for reason, (count, differ) in comparison.apart.items():
            counts = row.apart.setdefault(reason, [0, 0])
            counts[0] += count
            counts[1] += differ
    lines = ["| oracle | collection | files | values | differ | why |", "|---|---|--:|--:|--:|---|"]
    total = [0, 0, 0]
    for _, row in sorted(rows.items()):
        differ = sum(count for _, count in row.apart.values())
        why = "; ".join(
            f"{count[1]:,} of {count[0]:,}: {reason}" for reason, count in sorted(row.apart.items()) if count[1]
        )
        lines.append(f"| {row.oracle} | {row.collection} | {row.files:,} | {row.values:,} | {differ:,} | {why} |")
        total = [total[0] + row.files, total[1] + row.values, total[2] + differ]
    return [*lines, f"| all | | {total[0]:,} | {total[1]:,} | {total[2]:,} | |"] if rows else []
