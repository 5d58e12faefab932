"""The numbers of an output or a view model, without their places: what may stand in another order, but not change."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

from irviewer.figures.figure import Role
from irviewer.rendering.run_label import RunLabel

DIGITS = 8
"""The significant digits that are compared first."""
_NUMBER = re.compile(r"\d[\d,]*\.?\d*(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?")
_NO_NUMBERS = re.compile(r"#[0-9a-fA-F]{6}\b|\b[0-9a-f]{64}\b|[A-Za-z_]\w*@\d+(?:\.\.\d+)?")
"""Colours, digests and the names of measures with a cutoff."""

INDICES = frozenset(
    {
        "key", "keys", "slot", "dash", "selected", "place", "places", "position", "row", "focus", "order", "sort",
        "marked", "baseline", "number", "line", "x_order", "missed_shown",
        "reference", "chosen", "run", "query", "best", "open_to_judging", "offsets", "line_below",
        "groups", "cluster", "first", "second", "other",
    }
)  # fmt: skip
"""Fields of view models whose whole numbers are places, not numbers of anything."""

Numbers = Counter[str]
FILES = "files that are"
"""What counts of files begin with, among the numbers of an output."""


def rounded(number: float) -> str:
    """A number as it is compared: without its sign, which belongs to the order of two runs."""
    if math.isnan(number):
        return "nan"
    if abs(number) < 1e-9:
        return "0"
    return f"{abs(float(number)):.{DIGITS}g}"


def of_text(text: str, ids: Iterable[str] = ()) -> Numbers:
    """The numbers that a text shows, without those within ids."""
    for identifier in sorted(ids, key=len, reverse=True):
        text = text.replace(identifier, " id ")
    numbers: Numbers = Counter()
    for match in _NUMBER.findall(_NO_NUMBERS.sub(" ", text)):
        numbers[rounded(float(match.replace(",", "").rstrip(".") or 0))] += 1
    return numbers


ONE_SIDED = frozenset({"relative", "superiority", "P(better)", "P(worse)"})
"""Numbers about the first run of a pair, which say the same about the second in another way."""


def of_output(text: str, ids: Iterable[str] = (), without: frozenset[str] = frozenset()) -> Numbers:
    """The numbers of an output: of JSON at full precision, else as they are printed. ``without`` some keys of JSON. Of
    the files that were read how many there are of each role: their sizes and digests are those of other files."""
    try:
        data = json.loads(text)
    except ValueError:
        return of_text(text, ids)
    numbers: Numbers = Counter()
    if isinstance(data, Mapping):
        numbers.update(f"{FILES} {file['role']}" for file in data.get("inputs", ()))
        data = {key: value for key, value in data.items() if key != "inputs"}
    for value in _leaves(data, without):
        if isinstance(value, str):
            numbers += of_text(value, ids)
        elif isinstance(value, float | int) and not isinstance(value, bool):
            numbers[rounded(value)] += 1
    return numbers


def _leaves(value: Any, without: frozenset[str]) -> Iterator[Any]:
    if isinstance(value, Mapping):
        for key, item in value.items():
            if key not in without:
                yield from _leaves(item, without)
    elif isinstance(value, list):
        for item in value:
            yield from _leaves(item, without)
    else:
        yield value


def of_view_model(
    value: Any, ids: Iterable[str] = (), *, texts: bool = True, without: frozenset[str] = frozenset()
) -> Numbers:
    """The numbers of a view model; ``texts``: those in its texts too; ``without`` some fields."""
    numbers: Numbers = Counter()
    _add(value, numbers, frozenset(ids) if texts else None, "", without)
    return numbers


def _add(value: Any, numbers: Numbers, ids: frozenset[str] | None, name: str, without: frozenset[str]) -> None:
    if value is None or isinstance(value, bool | np.bool_ | RunLabel | Role):
        return
    if isinstance(value, str):
        if ids is not None and name not in ("sort", "key", "keys"):
            numbers.update(of_text(value, ids))
    elif isinstance(value, int | np.integer):
        if name not in INDICES:
            numbers[rounded(float(value))] += 1
    elif isinstance(value, float | np.floating):
        numbers[rounded(float(value))] += 1
    elif isinstance(value, np.ndarray):
        if value.dtype.kind == "f" or (value.dtype.kind in "iu" and name not in INDICES):
            numbers.update(map(rounded, value.ravel().tolist()))
    elif is_dataclass(value) and not isinstance(value, type):
        for part, item in _parts_of(value).items():
            if part not in without:
                _add(item, numbers, ids, part, without)
    elif isinstance(value, Mapping):
        for item in value.values():
            _add(item, numbers, ids, name, without)
    elif isinstance(value, Sequence | set | frozenset):
        for item in value:
            _add(item, numbers, ids, name, without)


def _parts_of(value: Any) -> dict[str, Any]:
    """The fields of a data class; those that are made when asked for as what they make."""
    names = (field.name.removeprefix("make_") for field in fields(value))
    return {name: getattr(value, name) for name in names}


# --- every Δ inside its interval ---

MIDDLES = ("difference", "delta", "mean", "value", "ratio", "estimate")
SLACK = 1e-9


def outside(value: Any, where: str = "") -> list[str]:
    """Where a number lies outside the interval beside it: of objects and dictionaries that have a middle, ``low`` and
    ``high``, single numbers or arrays."""
    faults: list[str] = []
    _check(value, where, faults, set())
    return faults


def _check(value: Any, where: str, faults: list[str], seen: set[int]) -> None:
    if (
        value is None
        or isinstance(value, str | bytes | bool | int | float | np.generic | np.ndarray)
        or id(value) in seen
    ):
        return
    seen.add(id(value))
    if is_dataclass(value) and not isinstance(value, type):
        named = _parts_of(value)
    elif isinstance(value, Mapping):
        named = {str(key): item for key, item in value.items()}
    elif isinstance(value, list | tuple):
        for place, item in enumerate(value):
            _check(item, f"{where}[{place}]", faults, seen)
        return
    else:
        return
    faults += _misplaced(named, where)
    for name, item in named.items():
        _check(item, f"{where}.{name}", faults, seen)


def _misplaced(named: Mapping[str, Any], where: str) -> list[str]:
    faults = []
    triples = [
        (middle, named[middle], named.get("low"), named.get("high")) for middle in MIDDLES[:2] if middle in named
    ]
    triples += [("ratio", named.get("ratio"), named.get("ratio low"), named.get("ratio high"))]
    triples += [
        (middle, named[middle], named.get(f"{name}_low"), named.get(f"{name}_high"))
        for middle, name in (("difference", "interval"), ("ratio", "ratio_interval"))
        if middle in named
    ]
    triples += [
        (f"{prefix}difference", named.get(f"{prefix}difference"), named.get(f"{prefix}low"), named.get(f"{prefix}high"))
        for prefix in ("weighted ", "weighted_", "difference_")
    ]
    statistics = named.get("statistics")
    if "delta" in named and hasattr(statistics, "low"):
        triples.append(("delta", named["delta"], statistics.low, statistics.high))
    if not {"difference", "delta"} & named.keys():
        triples += [
            (middle, named[middle], named.get("low"), named.get("high")) for middle in MIDDLES[2:] if middle in named
        ]
    for name, middle, low, high in triples:
        if isinstance(middle, bool):
            continue  # whether an interval is that of a ratio
        try:
            values = [np.asarray(number, dtype=np.float64) for number in (low, middle, high)]
        except (TypeError, ValueError):
            continue
        if any(number.size == 0 for number in values) or len({number.shape for number in values}) > 1:
            continue
        wrong = (values[1] < values[0] - SLACK) | (values[1] > values[2] + SLACK)
        if bool(wrong.any()):
            faults.append(f"{where}.{name}: {middle} outside [{low}, {high}]")
    return faults


CLOSE = 1e-6
"""The share by which two numbers may differ and still be the same: that of rounding, as sums in another order have."""


def difference_of(first: Numbers, second: Numbers, most: int = 12) -> str:
    """What one has and the other has not, in a line; "" where they are the same, apart from rounding."""
    sides = first - second, second - first
    if files := [f"{number} {what}" for side in sides for what, number in side.items() if what.startswith(FILES)]:
        return f"files of one only: {', '.join(files)}"
    gone, new = (sorted(map(float, side.elements())) for side in sides)
    if len(gone) == len(new) and np.allclose(gone, new, rtol=CLOSE, atol=1e-9, equal_nan=True):
        return ""
    shown = [", ".join(f"{number:g}" for number in side[:most]) for side in (gone, new)]
    return f"{len(gone)} of {sum(first.values())} numbers moved: {shown[0]} → {shown[1]}"
