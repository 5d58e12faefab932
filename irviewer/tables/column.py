"""A column of a table: exact values under a stable key, and how people are shown them.

The kinds, their parts and what a value is:

==============  =============  ===========================================================================
kind            parts          values
==============  =============  ===========================================================================
id, text, run   ""             texts; None for no value
tags            ""             tuples of codes; () for none
number          ""             float64; NaN for no value
difference      ""             float64, or natural logarithms of ratios where ``show.log``
interval        low, high      float64
p               ""             float64; ``family`` says what it was corrected for
count, rank     ""             whole numbers as float64 (int64 where none is missing)
share           ""             float64 from 0 to 1
grade           ""             float64; NaN for unjudged
outcome         ""             codes ("better", "equal", "worse" ...); None for none
flag            ""             bool; None for no value
parts           by name        float64 that add up to a whole
==============  =============  ===========================================================================
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from irviewer.measures.tool_names import usual_name
from irviewer.model.arrays import Floats, Ints
from irviewer.tables.lazy_texts import LAZY, LazyTexts

ColumnKind = Literal[
    "id", "text", "run", "tags", "number", "difference", "interval", "p", "count", "share", "rank", "grade", "outcome",
    "flag", "parts",
]  # fmt: skip
TEXTS: frozenset[ColumnKind] = frozenset({"id", "text", "run", "outcome"})
NO_NUMBERS: frozenset[ColumnKind] = TEXTS | {"tags", "flag"}
WHOLE: frozenset[ColumnKind] = frozenset({"count", "rank"})
KEY = re.compile(r"[a-z][a-z0-9_]*")

Values = Sequence[Any] | npt.NDArray[Any]
"""One value for each row: a numpy array, or a sequence that may be lazy."""


@dataclass(frozen=True, slots=True)
class Show:
    """How a column is shown to people. Closed on purpose: a new field needs two tables that use it."""

    decimals: int = 4
    """Decimals of a number or a difference."""
    whole: Sequence[bool] | bool = False
    """Whether a number is shown without decimals where it has none; for all rows or by row."""
    log: Sequence[bool] | bool = False
    """Whether a difference is the natural logarithm of a ratio, which is shown, and is what files hold."""
    better_up: Sequence[bool] | bool | None = None
    """Whether a larger value is the better; None for neither."""
    best: bool | Literal["row"] | Sequence[bool] = False
    """Whether the best value is marked: that of the column, or of each row among the columns that say so; or which
    values are, where their order alone does not say it."""
    heat: bool | tuple[float, float] = False
    """Whether cells are shaded by their value: from the least to the greatest one of the column, or from the first to
    the second of two values, which columns have in common."""
    of: str = ""
    """The column that this one belongs to: an interval to its value, a count to its total."""
    titles: tuple[str, ...] = ()
    """Shorter titles for narrow places, longest first."""
    texts: Sequence[str | None] | None = None
    """Texts to show in place of values, in the language of the user. Of a column of numbers None leaves the value."""
    missing: str = ""
    """Why a cell has no value, as a sentence."""
    signed: bool = False
    """Whether a share above 0 has a plus."""
    at_most: Sequence[bool] | bool = False
    """Whether a p-value is a bound: the true one is at most as large."""
    decides: Sequence[bool] | bool = True
    """Whether the test of a difference decides; differences of a secondary measure have no arrow."""
    proves: Sequence[bool] | bool = True
    """Whether the test of a difference, or its p-value, can show it: not where too few queries differ, or where they
    were chosen after the results were seen."""
    detail: bool = False
    """Whether only files of data hold the column: people are not shown it."""


@dataclass(frozen=True, slots=True)
class ComparisonFamily:
    """What the p-values of a column were corrected for together."""

    name: str
    """What was compared: "runs", "slices", "pairs" ..."""
    n: int
    """The number of tests."""
    correction: str
    """The name of the correction ("Holm"), or of the test that corrects itself ("Tukey"); "" for none."""
    alpha: float = 0.05
    """The level at which a difference counts as shown."""
    exploratory: bool = False
    """Whether it is not the declared family: nobody asked before the results were seen."""


@dataclass(frozen=True, eq=False)
class Column:
    """Values of one kind; see the module for the kinds. Functions of this module make columns."""

    key: str
    """English and stable (``[a-z0-9_]+``), or data where ``names`` says so: the name of a run."""
    kind: ColumnKind
    title: str
    """In the language of the user."""
    parts: Mapping[str, Values]
    """Values by part, all of the same length; ``{"": values}`` for a kind without parts."""
    names: Literal["", "run", "measure", "grade", "judge", "attribute", "collection"] = ""
    """What the key is, if it is data. Such columns can be folded into rows."""
    show: Show = field(default_factory=Show)
    family: ComparisonFamily | None = None
    """Of p-values; of a difference: which test decides whether it is shown."""
    tip: str = ""
    """What the column holds, as a sentence."""
    tips: Callable[[int], str] | None = None
    """The tip of a row's cell."""
    explained: bool = False
    """Whether its values can be explained, step by step."""

    def __post_init__(self) -> None:
        if not self.names and not KEY.fullmatch(self.key):
            raise ValueError(f"a column's key is [a-z0-9_]+, not {self.key!r}")
        if len({len(values) for values in self.parts.values()}) > 1:
            raise ValueError(f"parts of {self.key} differ in length")

    def __len__(self) -> int:
        return len(next(iter(self.parts.values()), ()))

    @property
    def values(self) -> Values:
        """The values of a column without parts."""
        return self.parts[""]

    @property
    def is_text(self) -> bool:
        """Whether its values are texts."""
        return self.kind in TEXTS

    @property
    def is_number(self) -> bool:
        """Whether its values are numbers, not texts, codes or truths."""
        return self.kind not in NO_NUMBERS

    @property
    def is_whole(self) -> bool:
        """Whether its values are whole numbers."""
        return self.kind in WHOLE

    @cached_property
    def numbers(self) -> Mapping[str, Floats]:
        """The values of each part as float64[n], NaN for none; of numbers only."""
        return {name: _floats(values) for name, values in self.parts.items()}

    def named(self, part: str) -> str:
        """Return the name of a part in files: the key, or key and part (``interval_low``)."""
        return f"{self.key}_{part}" if part else self.key

    def rows(self, places: Sequence[int] | Ints) -> Column:
        """Return the column with some rows, in the order of ``places``."""
        tips, order = self.tips, np.asarray(places, dtype=np.int64)
        by_row: dict[str, Any] = {
            name: tuple(value[row] for row in order.tolist())
            for name in BY_ROW
            if (value := getattr(self.show, name)) is not None and not isinstance(value, bool | str)
        }
        return replace(
            self, parts={name: _some(values, order) for name, values in self.parts.items()},
            show=replace(self.show, **by_row), tips=None if tips is None else lambda row: tips(order.item(row)),
        )  # fmt: skip

    def told(self, **changes: Any) -> Column:
        """Return the column with other fields of ``show``."""
        return replace(self, show=replace(self.show, **changes))


BY_ROW = ("best", "whole", "log", "better_up", "texts", "at_most", "decides", "proves")
"""The fields of ``show`` that may differ by row."""


def _some(values: Values, places: Ints) -> Values:
    if isinstance(values, np.ndarray):
        return values[places]
    return LazyTexts(values, places) if len(places) > LAZY else list(map(values.__getitem__, places.tolist()))


def _floats(values: Values) -> Floats:
    array: Any = values
    if isinstance(array, np.ndarray):
        return array.astype(np.float64, copy=False)
    return np.array([np.nan if value is None else float(value) for value in values], dtype=np.float64)


def _column(kind: ColumnKind, key: str, title: str, parts: Mapping[str, Values], options: dict[str, Any]) -> Column:
    """Sort options into those of the column and those of ``show``. A title that names a measure is read by people."""
    fields = Show.__dataclass_fields__
    if options.get("names") == "measure":
        title = usual_name(title)
    show = Show(**{name: value for name, value in options.items() if name in fields})
    return Column(key, kind, title, parts, show=show, **{k: v for k, v in options.items() if k not in fields})


def identifier(key: str, title: str, values: Values, **options: Any) -> Column:
    """Return ids of queries or documents."""
    return _column("id", key, title, {"": values}, options)


def text(key: str, title: str, values: Values, **options: Any) -> Column:
    """Return texts: data, or codes for which ``texts`` are shown."""
    return _column("text", key, title, {"": values}, options)


def measures(key: str, title: str, values: Sequence[str], **options: Any) -> Column:
    """Return the texts of measures, which people read by their usual names."""
    usual = [usual_name(each) for each in values]
    return text(key, title, values, **({} if usual == list(values) else {"texts": usual}) | options)


def run(key: str, title: str, values: Values, **options: Any) -> Column:
    """Return names of runs."""
    return _column("run", key, title, {"": values}, options)


def tags(key: str, title: str, values: Values, **options: Any) -> Column:
    """Return tuples of codes."""
    return _column("tags", key, title, {"": values}, options)


def number(key: str, title: str, values: Values, **options: Any) -> Column:
    """Return values of measures, statistics and the like, float64[n]."""
    return _column("number", key, title, {"": values}, options)


def difference(key: str, title: str, values: Values, **options: Any) -> Column:
    """Return differences float64[n], or logarithms of ratios (``log``)."""
    return _column("difference", key, title, {"": values}, options)


def interval(key: str, title: str, low: Values, high: Values, **options: Any) -> Column:
    """Return the ends of intervals, float64[n] each."""
    return _column("interval", key, title, {"low": low, "high": high}, options)


def p_value(key: str, title: str, values: Values, family: ComparisonFamily | None, **options: Any) -> Column:
    """Return p-values float64[n] with the family they were corrected in; None for uncorrected ones."""
    return _column("p", key, title, {"": values}, {**options, "family": family})


def count(key: str, title: str, values: Values, **options: Any) -> Column:
    """Return numbers of things, whole."""
    return _column("count", key, title, {"": values}, options)


def share(key: str, title: str, values: Values, **options: Any) -> Column:
    """Return shares, float64[n] from 0 to 1."""
    return _column("share", key, title, {"": values}, options)


def rank(key: str, title: str, values: Values, **options: Any) -> Column:
    """Return ranks from 1; None or NaN for what was not returned."""
    return _column("rank", key, title, {"": values}, options)


def grade(key: str, title: str, values: Values, **options: Any) -> Column:
    """Return grades; None or NaN for unjudged documents."""
    return _column("grade", key, title, {"": values}, options)


def outcome(key: str, title: str, values: Values, **options: Any) -> Column:
    """Return codes such as "better", "equal", "worse"; ``texts`` are what is shown."""
    return _column("outcome", key, title, {"": values}, options)


def flag(key: str, title: str, values: Values, **options: Any) -> Column:
    """Return whether something holds, bool[n]; None for no value."""
    return _column("flag", key, title, {"": values}, options)


def parts(key: str, title: str, values: Mapping[str, Values], **options: Any) -> Column:
    """Return numbers by the name of a part that add up to a whole."""
    return _column("parts", key, title, values, options)
