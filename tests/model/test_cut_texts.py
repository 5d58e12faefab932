"""Texts that are cut from lines: one of them, some, and what is shown of them."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from irviewer.model.cut_texts import CutTexts


def test_one_text_is_that_of_arrow() -> None:
    """A whole number gave a column that could not be read, and the column printed the file."""
    words = ["d1", "é", "", "last"]
    text = "|".join(words).encode()
    ends = np.cumsum([len(word.encode()) + 1 for word in words]) - 1
    begins = np.array([0, *(ends[:-1] + 1)])
    texts = CutTexts(text, np.column_stack([begins, ends]).astype(np.int32))
    for place in range(-len(words), len(words)):
        assert texts[place] == pa.scalar(words[place])
    assert texts[1:3].whole.to_pylist() == words[1:3]
    for place in (len(words), -len(words) - 1):
        with pytest.raises(IndexError):
            texts[place]
    assert "last" not in repr(texts)
