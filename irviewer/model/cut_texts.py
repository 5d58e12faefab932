"""A column of texts that are stretches of the lines of a file: few of them are read, so they are not copied."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa

from irviewer.model.arrays import Ranks, Strings, frozen, places_of, values_of


@dataclass(frozen=True, eq=False)
class CutTexts:
    """Texts as an Arrow column of strings, in what is asked of one before most of it is given up.

    text     the bytes of whole lines, UTF-8
    borders  int32[n, 2]: where each text begins and ends; the texts follow each other"""

    text: bytes
    borders: Ranks

    type = pa.string()
    null_count = 0

    def __len__(self) -> int:
        return len(self.borders)

    def __repr__(self) -> str:
        return f"CutTexts({len(self)})"

    def __getitem__(self, rows: int | slice) -> Any:
        """Return some texts, or one as Arrow has it. Raises IndexError."""
        if isinstance(rows, slice):
            return CutTexts(self.text, self.borders[rows])
        return self.take(places_of(np.arange(len(self))[rows : rows + 1 or None]))[0]

    def take(self, places: Any) -> Strings:
        """Return the texts at some places, an Arrow array of whole numbers."""
        return self._with_gaps.take(places_of(values_of(places) * 2))

    @cached_property
    def whole(self) -> Strings:
        """All texts as an Arrow column."""
        return self.take(places_of(np.arange(len(self))))

    @property
    def offset(self) -> int:
        """The first row of the whole column in its buffers."""
        return int(self.whole.offset)

    def buffers(self) -> list[Any]:
        """Return the buffers of the whole column."""
        buffers: list[Any] = self.whole.buffers()
        return buffers

    @cached_property
    def _with_gaps(self) -> Strings:
        """The texts, and between each two the text that separates them."""
        borders = frozen(np.ascontiguousarray(self.borders).reshape(-1))
        return pa.StringArray.from_buffers(max(0, len(borders) - 1), pa.py_buffer(borders), pa.py_buffer(self.text))


def whole(texts: Strings | CutTexts) -> Strings:
    """Return a column of texts as an Arrow array."""
    return texts.whole if isinstance(texts, CutTexts) else texts
