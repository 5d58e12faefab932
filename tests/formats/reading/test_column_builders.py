"""Parts of a column put together are the column, however wrong the guess of how much is to come."""

from __future__ import annotations

import random

import numpy as np
import pyarrow as pa
import pytest

from irviewer.formats.reading.column_builders import Growing, Keys, Numbers, Texts

SHARES = (1e-3, 0.5, 1.0)


@pytest.mark.parametrize("share", SHARES)
def test_parts_are_put_together(share: float) -> None:
    dice = random.Random(2)
    for _ in range(60):
        words = ["".join(dice.choices("abé文", k=dice.randint(1, 9))) for _ in range(dice.randint(0, 4000))]
        words = [word for word in words for _ in range(dice.choice((1, 9)))]  # also in stretches
        column, values = pa.array(words, pa.string()), np.arange(len(words), dtype=np.float64)
        texts, keys, numbers, n = Texts(), Keys(), Numbers(), 0
        while n < len(words) or not n:
            size = dice.choice((1, 7, 900))
            part = column[n : n + size]  # its buffers begin elsewhere
            assert texts.add(part, n, share)
            assert keys.add(part, n, share)
            assert numbers.add(pa.array(values[n : n + size]), n, share)
            n += size
        n = len(words)
        texts_array = texts.done(n)
        texts_array.validate(full=True)
        assert texts_array.to_pylist() == words
        assert numbers.done(n).tolist() == values.tolist()
        names = list(keys.names)
        assert names == list(dict.fromkeys(words))
        assert [names[code] for code in keys.done(n).tolist()] == words


def test_an_empty_text_will_not_do() -> None:
    assert not Texts().add(pa.array(["a", ""]), 0, 1.0)


def test_a_part_that_is_the_whole_column_is_not_copied() -> None:
    """Touching new memory is a fifth of the time to read many files."""
    words, values = pa.array(["a", "b", "é", "b"]), pa.array([0.5, 2.0, 1.0, 2.0])
    texts, keys, numbers = Texts(), Keys(), Numbers()
    for builder, column in ((texts, words), (keys, words), (numbers, values)):
        assert builder.add(column, 0, 1.0)
    assert [buffer.address for buffer in texts.done(4).buffers()[1:]] == [
        buffer.address for buffer in words.buffers()[1:]
    ]
    assert keys.done(4).tolist() == [0, 1, 2, 1]
    assert numbers.done(4).ctypes.data == values.buffers()[1].address


def test_what_is_done_is_not_written_to() -> None:
    growing = Growing(np.int32)
    growing.put(np.arange(3, dtype=np.int32), 0, 1.0)
    with pytest.raises(ValueError, match="read-only"):
        growing.done(3)[0] = 7
