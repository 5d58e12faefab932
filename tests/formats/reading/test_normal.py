"""Normalised text against a plain splitting of lines, whole and by parts."""

from __future__ import annotations

from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irviewer.formats.reading.columns import Normalised, normalised
from irviewer.formats.reading.sizes import Sizes

texts = st.text("ab# \t\r\f\v\n", max_size=80).map(str.encode)


def rows(data: bytes) -> list[list[bytes]]:
    return [line.split() for line in data.split(b"\n") if line.split() and not line.startswith(b"#")]


@given(texts)
def test_the_words_of_every_line_stay(text: bytes) -> None:
    normal_text = normalised(text)
    lines = [line for line in normal_text.split(b"\n") if line]
    assert [line.split(b" ") for line in lines] == rows(text)


@pytest.mark.parametrize("part", [1, 7, 1 << 20])
@given(texts)
def test_by_parts_it_is_the_same(part: int, text: bytes) -> None:
    source = Normalised(BytesIO(text), Sizes(lines=part))
    into, content = bytearray(5), b""
    while n_read := source.readinto(memoryview(into)):
        content += into[:n_read]
    assert [line.split() for line in content.split(b"\n") if line] == rows(text)
    # A carriage return ends a comment as it does for Python's own lines.
    assert len(source.comments) == sum(line.startswith(b"#") for line in text.split(b"\n"))
