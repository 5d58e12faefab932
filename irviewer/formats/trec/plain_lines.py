"""The lines of a TREC run that are all plain, cut by numpy where they are in memory: one space between columns, scores
that are decimals of up to sixteen signs.

Arrow's reader copies every document's id and parses each line by itself. Here a text stays where it is, and each step
is done for thousands of lines at once, in pieces that fit the processor's cache. Whatever is not plain is left to
``columns.read_columns``, which reads the same from plain lines."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from irviewer.formats.reading.columns import Columns
from irviewer.model.arrays import Bools, Floats, Ints, frozen
from irviewer.model.cut_texts import CutTexts
from irviewer.model.rankings.duplicates import Hashes, hashed

FIRST = 1 << 15
"""Bytes of the first piece: text that is not plain is mostly recognised there."""
PIECE = 3 << 18
"""Bytes of a piece, which ends with a line. Smaller ones fit the cache better, but threads wait for each other at each
step of each piece."""
FEW = 4
"""Lines are not plain if there are fewer for each stretch of lines of a query, whose names are decoded one by one."""
LONG = 64
"""The most bytes of a query's id."""
SIGNS = 16
"""The most signs of a score: a float holds exactly the whole number of 15 digits, and the power of ten that divides
it."""

_Words = npt.NDArray[np.uint64]
_U = np.uint64
_SPACE = 32
_BEFORE = 16
"""Bytes before the first line of a piece, so that whatever ends in it has windows of eight bytes that end there too."""
_FIRST = np.array([(1 << 8 * n) - 1 for n in range(9)], _U)
"""Masks of the first bytes of a window of eight, by their number."""
_LAST = np.array([((1 << 8 * n) - 1) << (64 - 8 * n) for n in range(9)], _U)
_ZEROS, _SEVEN, _TOP = (_U(int(f"{sign:02x}" * 8, 16)) for sign in (0x30, 0x7F, 0x80))
_POINTS = _U(int(f"{ord('.') ^ 0x30:02x}" * 8, 16))
_BEYOND = _U(int(f"{0x80 - 10:02x}" * 8, 16))
"""Added to a byte, it sets the highest bit if the byte is more than 9."""
_DECIMALS = _U(0x0706050403020100)
"""Times the lowest bit of a byte, the highest byte of the product is the number of bytes after it."""
_POWERS = np.array([float(10**n) for n in range(SIGNS + 1)])


def plain_lines(
    text: bytes, width: int, *, first: int = FIRST, piece: int = PIECE, few: int = FEW
) -> tuple[Columns, Hashes] | None:
    """Return the columns of queries, documents and scores of a text that is UTF-8, whose lines have five or six columns
    (``width``), and the ``tails`` of the documents; None for a text that has a line that is not plain. ``first``,
    ``piece`` and ``few``: see the constants."""
    if not text.endswith(b"\n"):
        text += b"\n"
    if len(text) >= 1 << 31:
        return None
    rows = _Rows(text, width, few)
    start, size = 0, first
    while start < len(text):
        stop = len(text) if start + size >= len(text) else text.rfind(b"\n", start, start + size) + 1
        if stop <= start or not rows.add(start, stop):
            return None
        start, size = stop, piece
    return rows.done()


class _Rows:
    """The rows of a text, to which those of pieces are added one after the other."""

    def __init__(self, text: bytes, width: int, few: int) -> None:
        self._text, self._width, self._few = text, width, few
        self._bytes = np.frombuffer(text, np.uint8)
        self._borders, self._tails, self._scores = np.empty((0, 2), np.int32), np.empty(0, _U), np.empty(0)
        self._n = 0
        self._blank = np.empty(0, np.bool_)
        self._names: dict[bytes, int] = {}
        self._codes: list[int] = []  # of each stretch of lines of a query
        self._starts: list[Ints] = []

    def add(self, start: int, stop: int) -> bool:
        """Add the lines of a piece, and return whether they are plain."""
        before = min(start, _BEFORE)
        piece = self._bytes[start - before : stop]
        if before < _BEFORE:
            piece = np.concatenate([np.zeros(_BEFORE - before, np.uint8), piece])
        if len(piece) > len(self._blank):
            self._blank = np.empty(len(piece), np.bool_)
        places = _separators(piece, self._width, self._blank[: len(piece)])
        if places is None:
            return False
        n, end = len(places), self._n + len(places)
        self._make_room(end, stop / len(self._text))
        windows: _Words = np.ndarray((len(piece) - 7,), "<u8", piece.data, strides=(1,))
        lines = np.empty(n, np.int64)
        lines[0] = _BEFORE
        np.add(places[:-1, -1], 1, out=lines[1:])
        if not self._add_queries(windows, lines, places[:, 0], start - _BEFORE):
            return False
        begins, ends = places[:, 1] + 1, places[:, 2].copy()
        hashed(windows[ends - 8], ends - begins, self._tails[self._n : end])
        borders = self._borders[self._n : end]
        np.add(begins, start - _BEFORE, out=borders[:, 0], casting="same_kind")
        np.add(ends, start - _BEFORE, out=borders[:, 1], casting="same_kind")
        scores = _scores(piece, windows, places[:, 3] + 1, places[:, 4].copy())
        if scores is None:
            return False
        self._scores[self._n : end] = scores
        self._n = end
        return True

    def _make_room(self, n: int, share: float) -> None:
        """Make room for ``n`` rows, which about a share of the text has, and for the others."""
        if n > len(self._tails):
            size = int(n / share * 1.06) + 64
            for name in ("_borders", "_tails", "_scores"):
                former = getattr(self, name)
                larger = np.empty((size, *former.shape[1:]), former.dtype)
                larger[: self._n] = former[: self._n]
                setattr(self, name, larger)

    def _add_queries(self, windows: _Words, lines: Ints, ends: Ints, before: int) -> bool:
        """Add the queries of a piece; ``before``: the bytes of the text before those of the piece."""
        other = _differing(windows, lines, ends - lines)
        if other is None:
            return False
        stretches = np.concatenate([[0], np.flatnonzero(other) + 1])
        if self._few * len(stretches) > len(lines) + self._few:
            return False
        begin = (lines[stretches] + before).tolist()
        queries = [self._text[a:b] for a, b in zip(begin, (ends[stretches] + before).tolist(), strict=True)]
        if any(query.startswith(b"#") for query in queries):  # a comment
            return False
        self._starts.append(stretches + self._n)
        self._codes += [self._names.setdefault(query, len(self._names)) for query in queries]
        return True

    def done(self) -> tuple[Columns, Hashes]:
        """Return the columns of all rows, and the tails of the documents."""
        n = self._n
        lengths = np.diff(np.concatenate([*self._starts, [n]]))
        codes = frozen(np.repeat(np.array(self._codes, np.int32), lengths))
        documents = CutTexts(self._text, frozen(self._borders[:n]))
        columns = Columns(
            n, {}, {"query": (tuple([name.decode() for name in self._names]), codes)}, {"document": documents},
            {"score": frozen(self._scores[:n])}, {}, (), 0,
        )  # fmt: skip
        return columns, frozen(self._tails[:n])


def _separators(piece: npt.NDArray[np.uint8], width: int, blank: Bools) -> Ints | None:
    """Return int64[n, width]: the places of the signs after the columns of lines; None unless all lines have the width,
    with one space between columns. ``blank`` is overwritten."""
    np.less_equal(piece, _SPACE, out=blank)
    blank[:_BEFORE] = False
    blanks = np.flatnonzero(blank)
    n, more = divmod(len(blanks), width)
    if more or blank[_BEFORE] or np.any(blank[1:] & blank[:-1]):
        return None
    places: Ints = blanks.reshape(n, width)
    return places if piece.take(places).tobytes() == (b" " * (width - 1) + b"\n") * n else None


def _differing(windows: _Words, starts: Ints, lengths: Ints) -> Bools | None:
    """Return bool[n-1]: whether a text and the next are not the same; None if a text is longer than ``LONG``. None of
    them has a byte of 0."""
    longest = int(lengths.max())
    if longest > LONG:
        return None
    alike = longest == int(lengths.min())
    other: Bools = np.zeros(len(starts) - 1, np.bool_)
    for step in range(0, longest, 8):
        window = windows[np.minimum(starts + step, len(windows) - 1) if step else starts]
        window &= _FIRST[min(longest - step, 8)] if alike else _FIRST.take(lengths - step, mode="clip")
        other |= window[1:] != window[:-1]
    return other


def _scores(piece: npt.NDArray[np.uint8], windows: _Words, starts: Ints, ends: Ints) -> Floats | None:
    """Return the numbers between the places; None if one is not a plain decimal."""
    lengths = ends - starts
    if int(lengths.max()) > SIGNS + 1:
        return None
    scores = _decimals(piece, windows, ends, lengths)
    if scores is None:
        negative = piece.take(starts) == ord("-")
        if negative.any() and (scores := _decimals(piece, windows, ends, lengths - negative)) is not None:
            np.negative(scores, out=scores, where=negative)
    return scores


def _decimals(piece: npt.NDArray[np.uint8], windows: _Words, ends: Ints, lengths: Ints) -> Floats | None:
    """Return the decimals without a sign that end at places, exactly as any reader rounds them: a whole number that a
    float holds, divided by a power of ten that one holds. None if one is not a digit, or more, with or without a
    point, of 16 signs at most."""
    most = int(lengths.max())
    if most > SIGNS or int(lengths.min()) < 1:
        return None
    low = windows[ends - 8]
    low ^= _ZEROS
    low &= _LAST.take(lengths, mode="clip")
    point = _points(low)
    pointed = point != 0
    if int(lengths.min()) == 1 and np.any(pointed & (lengths == 1)):  # a point alone
        return None
    mixed = not pointed.all()
    closed = _closed(low, point)
    high = None
    if most == 9 and bool(np.all(pointed | (lengths < 9))):  # its first sign moves up
        closed |= (piece.take(ends - 9) ^ np.uint8(48)) * (lengths == 9)
    elif most > 8:
        high = windows[ends - 16]
        high ^= _ZEROS
        high &= _LAST.take(lengths - 8, mode="clip")
        closed |= high >> _U(56)
    if mixed:
        np.copyto(closed, low, where=~pointed)
    wrong = closed + _BEYOND
    wrong |= closed
    if high is not None:
        np.left_shift(high, _U(8), out=high, where=pointed)
        wrong |= high
        wrong |= high + _BEYOND
    wrong &= _TOP
    if wrong.any():
        return None
    whole = _whole(closed)
    if high is not None:
        whole += _whole(high) * _U(10**8)
    point *= _DECIMALS
    point >>= _U(56)
    result: Floats = whole.astype(np.float64)
    result /= _POWERS.take(point.view(np.int64))
    return result


def _points(digits: _Words) -> _Words:
    """Return words whose bytes are 1 where a word has a point."""
    others = digits ^ _POINTS
    points = others & _SEVEN
    points += _SEVEN
    points |= others
    points |= _SEVEN
    np.invert(points, out=points)
    points >>= _U(7)
    return points


def _closed(digits: _Words, point: _Words) -> _Words:
    """Return words without their point: what precedes it moves up by a byte."""
    result: _Words = digits & np.negative(point << _U(8))
    result |= (digits & (point - _U(1))) << _U(8)
    return result


def _whole(digits: _Words) -> _Words:
    """Return the numbers whose eight digits are the bytes of words, which are overwritten."""
    digits *= _U(10 << 8 | 1)
    digits >>= _U(8)
    digits &= _U(0x00FF00FF00FF00FF)
    digits *= _U(100 << 16 | 1)
    digits >>= _U(16)
    digits &= _U(0x0000FFFF0000FFFF)
    digits *= _U(10000 << 32 | 1)
    digits >>= _U(32)
    return digits
