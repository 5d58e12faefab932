"""A file that was read, as what is computed from it names it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

ROLES = (
    "qrels", "run", "attributes", "queries", "documents", "query_set", "weights", "zscores", "systems", "task", "tags",
    "history", "columns",
)  # fmt: skip
"""What files are, in the order in which they are named."""


@dataclass(frozen=True, slots=True)
class DataFile:
    """A file that an answer was computed from.

    role     one of ROLES
    size     bytes, and ``changed`` the time of the last change in ns, when it was read; None where nobody looked
    piped    whether it was a pipe: it has no size, and no digest, since its content came once
    """

    role: str
    path: str
    size: int | None = None
    changed: int | None = None
    piped: bool = False

    @property
    def name(self) -> str:
        """The name without folders; of a pipe what it is."""
        if self.piped:
            return "standard input" if self.path in ("-", "/dev/stdin", "/dev/fd/0") else f"pipe {self.path}"
        return Path(self.path).name
