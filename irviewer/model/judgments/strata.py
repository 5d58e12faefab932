"""The strata of sampled judgments: which part of the pool each document belongs to.

Of every stratum a sample was judged; the other documents are listed with a negative grade. How many documents a stratum
has, and how many were judged, follows from the list, so that both stay true when a judgment is changed."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from irviewer.model.arrays import Floats, Ints, Strings, frozen, restore, strings
from irviewer.model.shapes import BrokenError

NO_STRATUM = -1
UNSAMPLED = -1.0
"""The grade of a document that was not sampled."""
_WHOLE = re.compile(r"(-?\d+)\.0+")


@dataclass(frozen=True, eq=False)
class Strata:
    """The stratum of each judgment of some qrels; a name is a stratum of each query apart.

    names   the texts of the fourth column of the file
    codes   int64[n], one for each judgment, which point into ``names``; -1: in no stratum (judged later)
    """

    names: tuple[str, ...]
    codes: Ints

    def __post_init__(self) -> None:
        frozen(self.codes)
        if len(self.codes) and not -1 <= int(self.codes.min()) <= int(self.codes.max()) < len(self.names):
            raise BrokenError(f"strata {self.codes.min()} to {self.codes.max()} of {len(self.names)} names")

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        """Set the fields of a pickled value."""
        restore(self, state)

    def __len__(self) -> int:
        """The number of judgments."""
        return len(self.codes)

    def at(self, rows: Ints) -> Strata:
        """Return the strata of some judgments, int64[m]; -1 is a judgment that is new here, without a stratum."""
        if not len(self.codes):
            return Strata(self.names, np.full(len(rows), NO_STRATUM, dtype=np.int64))
        return Strata(self.names, np.where(rows < 0, NO_STRATUM, self.codes[rows]).astype(np.int64))

    @property
    def texts(self) -> Strings:
        """The name of each judgment's stratum, "" without one; an Arrow string array [n]."""
        return strings([self.names[code] if code >= 0 else "" for code in self.codes.tolist()])


def strata_of(texts: Sequence[str], grades: Floats, *, given: bool = False) -> Strata | None:
    """Return the strata that a column of a table names, "" for none, whole numbers without decimals, which programs add
    where a cell is empty; None unless the column was ``given`` as one, or
    some document has the grade -1, that of documents which were not sampled: a list of what was judged alone does not
    say how large strata are."""
    if not given and not bool(np.any(grades == UNSAMPLED)):
        return None
    texts = [match[1] if (match := _WHOLE.fullmatch(text)) else text for text in texts]
    names = tuple(dict.fromkeys(text for text in texts if text))
    places = {name: place for place, name in enumerate(names)}
    return Strata(names, np.array([places.get(text, NO_STRATUM) for text in texts], dtype=np.int64))


def joined_strata(parts: Sequence[Strata | None]) -> Strata | None:
    """Return the strata of parts of the same qrels, one after the other; None if they have none."""
    known = [part for part in parts if part is not None]
    if not known:
        return None
    return Strata(known[0].names, np.concatenate([part.codes for part in known]))
