"""Damaged files: whatever is done to a run or qrels, the answer is a value or a ParseError, and it comes at once."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from irviewer.errors import ParseError
from irviewer.formats.load import load
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run

RUN = b"".join(b"%d Q0 doc%d %d %.3f tag\n" % (q, d, d, 9 - d / 7) for q in (1, 2, 30) for d in range(1, 9))
QRELS = b"".join(b"%d 0 doc%d %d\n" % (q, d, d % 4 - 1) for q in (1, 2, 30) for d in range(1, 9))
JUNK = (
    b"", b"\0", b"\xff", b"\xfe\xff", b"\xef\xbb\xbf", b" ", b"\t", b"\n", b"\r", b"\r\n", b"#", b"\x1a", b'"', b",",
    b"nan", b"1e999", b"-", b"9" * 400, b"{", b"[", b".I 1\n", b"\xe2\x80\xa8", b"\xc2\xa0", b"\x1f\x8b", b"PAR1",
    b"\x0b", b"\x1b[31m",
)  # fmt: skip


def damaged(data: bytes, seed: int) -> bytes:
    """A few random cuts, doublings and insertions."""
    rng = random.Random(seed)
    for _ in range(rng.randint(1, 4)):
        place, length = rng.randrange(len(data) + 1), rng.randint(0, 30)
        kind = rng.randrange(5)
        if kind == 0:
            data = data[:place] + rng.choice(JUNK) + data[place:]
        elif kind == 1:
            data = data[:place] + data[place + length :]
        elif kind == 2:
            data = data[:place] + data[place : place + length] * 2 + data[place + length :]
        elif kind == 3:
            data = data[:place] + rng.randbytes(rng.randint(1, 6)) + data[place:]
        else:
            data = data.replace(rng.choice((b" ", b"\n", b"1", b".")), rng.choice(JUNK), rng.randint(1, 5))
    return data


@pytest.mark.parametrize("kind", ["run", "qrels", None])
@pytest.mark.parametrize("seed", [*range(3), *(pytest.param(seed, marks=pytest.mark.fuzz) for seed in range(3, 8))])
def test_a_value_or_a_parse_error(tmp_path: Path, kind: str | None, seed: int) -> None:
    path = tmp_path / "x"
    good = bad = 0
    for number in range(60):
        data = damaged(RUN if (kind == "run" or number % 2) else QRELS, seed * 1000 + number)
        path.write_bytes(data)
        try:
            loaded = load(path, kind=kind, duplicates="best")
        except ParseError as error:
            bad += 1
            assert error.reason
            assert str(error).isprintable()
        else:
            good += 1
            assert loaded.report.lines()
            if isinstance(loaded.value, Run | Qrels):
                assert len(loaded.value) > 0
                repr(loaded.value)
    assert good
    assert bad
