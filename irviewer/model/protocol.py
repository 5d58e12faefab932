"""The evaluation protocol: everything that an answer depends on besides the data, as one frozen value.

It holds names only, no qrels, runs or files; :func:`irviewer.evaluation.bind.bind` finds what the names mean in a
collection, and :mod:`irviewer.formats.protocol_file` reads and writes it. What nobody declares has its default: nothing
is inferred from the data. Two protocols are combined only if they are equal."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields, replace
from itertools import pairwise
from numbers import Integral, Real
from typing import Any, Literal, TypedDict, Unpack, get_args

from irviewer.errors import OptionError, as_written, name_some
from irviewer.model.dialects import DEFAULT, Dialect, dialect_of
from irviewer.model.number_text import limit
from irviewer.translation import tr

MissingPolicy = Literal["zero", "intersection"]
UnjudgedName = Literal["unknown", "complete", "pooled", "sparse"]
TestName = Literal["t", "wilcoxon", "sign", "randomisation", "tukey"]
ZerosName = Literal["wilcox", "pratt"]
TukeyName = Literal["parametric", "randomised"]
FamilyName = Literal["baseline", "pairs"]
CorrectionName = Literal["holm", "bonferroni", "bh", "none"]
IntervalName = Literal["percentile", "bca", "t"]
BoundsName = Literal["obrien-fleming", "pocock", "spending-obrien-fleming", "spending-pocock"]

MOST_SAMPLES = 10_000_000
"""The largest number of samples: a larger one is a typing error."""
MOST_LOOKS = 20
"""The most looks of a pair."""
_WHOLE = 2**63
"""Whole numbers are less than this one, so that every file can hold them."""
_EXACT = 2**53
"""Whole numbers below this one are exact as float64 too."""


class FieldError(OptionError):
    """A field of a protocol that has no such value; ``field`` is its name, "level" or "alpha"."""

    def __init__(self, field: str, message: str) -> None:
        self.field = field
        super().__init__(message)

    def __reduce__(self) -> tuple[object, ...]:
        return (FieldError, (self.field, str(self)))


@dataclass(frozen=True)
class QuerySelection:
    """Which queries count: all of them, a named set, a file, or a list.

    name    a query set of the collection, or with ``file`` one of its sets; what ``ids`` are called
    file    a file of queries as :mod:`irviewer.formats.query_sets` reads it
    ids     the queries, sorted, each once
    looked  whether they were chosen after the results were seen
    """

    name: str = ""
    file: str = ""
    ids: tuple[str, ...] = ()
    looked: bool = False

    def __post_init__(self) -> None:
        _set(self, name=_text("queries", self.name), file=_text("queries", self.file))
        _set(self, ids=tuple(sorted(set(_texts("queries", self.ids)))), looked=_flag("looked", self.looked))
        if self.ids and self.file:
            raise FieldError("queries", tr("queries: give a list or a file, not both"))
        if self.looked and not self:
            raise FieldError("queries", tr("looked: name the queries that were chosen after seeing results"))

    def __bool__(self) -> bool:
        """Whether queries are selected; False: all count."""
        return bool(self.name or self.file or self.ids)

    def with_queries(self, ids: Iterable[str]) -> QuerySelection:
        """Return the selection as every door can follow it: a set that only a collection in the window knows by its
        name has its queries."""
        return replace(self, ids=tuple(ids)) if self.name and not self.file and not self.ids else self


@dataclass(frozen=True)
class WeightSelection:
    """Where the weights of queries are: the column ``name`` of the queries, or the file ``file``; neither: no
    weights."""

    name: str = ""
    file: str = ""

    def __post_init__(self) -> None:
        if _text("weights", self.name) and _text("weights", self.file):
            raise FieldError("weights", tr("weights: give a column of the queries or a file, not both"))

    def __bool__(self) -> bool:
        return bool(self.name or self.file)


@dataclass(frozen=True)
class Looks:
    """When one pair is tested again with more queries each time, and which of these times is now: a group sequential
    design, declared before the first look.

    fractions  of the information at each look, which is the share of the queries that are planned; the last is 1
    bounds     "obrien-fleming" (bounds that fall as 1/√fraction) or "pocock" (the same bound each time), for looks that
               are held as they were declared; "spending-obrien-fleming" or "spending-pocock" (Lan and DeMets), of which
               a bound depends on the looks so far alone
    at         the look that is now, from 1
    """

    fractions: tuple[float, ...]
    bounds: BoundsName = "obrien-fleming"
    at: int = 1

    def __post_init__(self) -> None:
        given: object = self.fractions
        if isinstance(given, str) or not isinstance(given, Iterable):
            raise _no_looks(given)
        fractions = tuple(given)
        if not all(isinstance(each, Real) and not isinstance(each, bool) for each in fractions):
            raise _no_looks(fractions)
        fractions = tuple(float(each) for each in fractions)
        if not _are_looks(fractions):
            raise _no_looks(fractions)
        if self.bounds not in get_args(BoundsName):
            raise FieldError("looks", tr("looks: bounds is {value!r}; it must be one of {names}",
                                         value=as_written(self.bounds),
                                         names=", ".join(get_args(BoundsName))))  # fmt: skip
        at: object = self.at
        if isinstance(at, bool) or not isinstance(at, Integral) or not 1 <= int(at) <= len(fractions):
            raise FieldError("looks", tr("looks: at is {value!r}; it must be a look from 1 to {n}",
                                         value=as_written(self.at), n=len(fractions)))  # fmt: skip
        _set(self, fractions=fractions, at=int(self.at))

    def __str__(self) -> str:
        """The looks as :meth:`parse` reads them: "1 of 0.5 1 obrien-fleming"."""
        return " ".join([f"{self.at} of", *(f"{each!r}" for each in self.fractions[:-1]), "1", self.bounds])

    @classmethod
    def parse(cls, text: str) -> Looks:
        """Return the looks of a text such as "1 of .5 1" or "2 of .5 1 pocock". Raises FieldError."""
        at, _, rest = text.replace(",", " ").partition(" of ")
        *numbers, last = rest.split() or [""]
        bounds: Any = last if last[:1].isalpha() else "obrien-fleming"
        numbers += [] if last[:1].isalpha() else [last]
        try:
            fractions, look = tuple(map(float, numbers)), int(at)
        except ValueError:
            raise _no_looks(text) from None
        if not _are_looks(fractions):
            raise _no_looks(text)
        return cls(fractions, bounds, look)


def _are_looks(fractions: tuple[float, ...]) -> bool:
    rising = all(before < after for before, after in pairwise((0.0, *fractions)))
    return 2 <= len(fractions) <= MOST_LOOKS and rising and fractions[-1] == 1


def _no_looks(value: object) -> FieldError:
    return FieldError("looks", tr(
        "looks is {value!r}; write “1 of .5 1”: which look is now, then the share of the queries at each, 2 to {most} "
        "that rise to 1; then obrien-fleming (default), pocock, spending-obrien-fleming or spending-pocock",
        value=as_written(value), most=MOST_LOOKS,
    ))  # fmt: skip


@dataclass(frozen=True)
class Rules:
    """How a run is judged and its values are computed.

    level        the lowest grade that counts as relevant for binary measures
    dialect      a name of DIALECTS, or custom rules: ties, gains and missing queries as that tool has them
    missing      queries that a run lacks: "zero" counts them as 0, "intersection" leaves them out; None: as the dialect
    judged_only  whether unjudged documents are removed from the rankings first
    depth        the ranks read for each query; None: all
    unjudged     how judging was done, which is what unjudged documents are: "complete" (non-relevant), "pooled" or
                 "sparse" (unknown); "unknown": nobody has declared it
    zscores      the file of reference means that values are standardised by; "": values are not standardised
    """

    level: float = 1
    dialect: str | Dialect = DEFAULT
    missing: MissingPolicy | None = None
    judged_only: bool = False
    depth: int | None = None
    unjudged: UnjudgedName = "unknown"
    zscores: str = ""

    def __post_init__(self) -> None:
        _check(self)

    @property
    def dialect_name(self) -> str:
        """The dialect as files name it, also where rules of its own were given in place of a name."""
        return self.dialect if isinstance(self.dialect, str) else self.dialect.name


@dataclass(frozen=True)
class Scope:
    """What of a collection takes part, by names.

    queries   which queries count
    weights   the weights of queries, for weighted means besides the plain ones
    unit      the attribute of queries whose values are the independent units, such as "conversation"; "": each query is
              a unit
    runs      the runs that take part; (): every run that is no edited copy
    baseline  the run that others are compared with; "": the one that its name suggests, else the first
    """

    queries: QuerySelection = field(default_factory=QuerySelection)
    weights: WeightSelection = field(default_factory=WeightSelection)
    unit: str = ""
    runs: tuple[str, ...] = ()
    baseline: str = ""

    def __post_init__(self) -> None:
        _check(self)


@dataclass(frozen=True)
class Inference:
    """How differences are tested and estimated.

    test        the test that decides: conclusions, marks and letters use it
    zeros       what Wilcoxon's test does with queries without a difference: leave them out ("wilcox"), or rank them
                before ("pratt")
    tukey       Tukey's test of all pairs: from the studentized range ("parametric"), or by randomisation ("randomised")
    family      the comparisons that are corrected for together: each run with the "baseline", or all "pairs"
    correction  "holm", "bonferroni", "bh" or "none"
    alpha       the corrected p-value below which a difference is shown
    interval    "percentile", "bca" or "t"
    confidence  the confidence level of intervals
    samples, seed   of all that is drawn at random: the same seed gives the same numbers
    smallest    the smallest difference that matters, in the measure's unit; None: not declared
    looks       the looks of one pair that is tested again with more queries; None: it is tested once
    epsilon     ε of the alternative annotator test, by how much a judge may agree less than a human judge; None:
                not declared
    """

    test: TestName = "t"
    zeros: ZerosName = "wilcox"
    tukey: TukeyName = "parametric"
    family: FamilyName = "baseline"
    correction: CorrectionName = "holm"
    alpha: float = 0.05
    interval: IntervalName = "percentile"
    confidence: float = 0.95
    samples: int = 10_000
    seed: int = 42
    smallest: float | None = None
    looks: Looks | None = None
    epsilon: float | None = None

    def __post_init__(self) -> None:
        _check(self)

    @property
    def decides(self) -> str:
        """The name of the deciding test among those that are computed: "t", "wilcoxon-pratt", "tukey-randomised" …"""
        return self.computed(self.test)

    def computed(self, test: TestName) -> str:
        """Return the name of a test among those that are computed, in its declared form."""
        if test == "wilcoxon" and self.zeros == "pratt":
            return "wilcoxon-pratt"
        if test == "tukey" and self.tukey == "randomised":
            return "tukey-randomised"
        return test


def test_fields(name: str) -> ProtocolFields:
    """Return the fields that make a test that is computed the deciding one. Raises FieldError for an unknown name."""
    test, _, form = name.partition("-")
    if form and name not in ("wilcoxon-pratt", "tukey-randomised"):
        raise _unknown("test", name, (*get_args(TestName), "wilcoxon-pratt", "tukey-randomised"))
    values: dict[str, Any] = {"test": test}
    if test == "wilcoxon":
        values["zeros"] = form or "wilcox"
    elif test == "tukey":
        values["tukey"] = form or "parametric"
    return ProtocolFields(**values)  # type: ignore[typeddict-item,no-any-return]


class PlainRulesFields(TypedDict, total=False):
    """The fields of :class:`Rules` that every dialect has, as keyword arguments."""

    level: float
    missing: MissingPolicy | None
    judged_only: bool
    depth: int | None


class ValueFields(TypedDict, total=False):
    """The fields of :class:`Rules` that values depend on, as keyword arguments."""

    level: float
    dialect: str | Dialect
    missing: MissingPolicy | None
    judged_only: bool
    depth: int | None


class EvaluationFields(ValueFields, total=False):
    """These fields, and how judging was done, as keyword arguments."""

    unjudged: UnjudgedName


class RulesFields(EvaluationFields, total=False):
    """The fields of :class:`Rules`, as keyword arguments."""

    zscores: str


class ScopeFields(TypedDict, total=False):
    """The fields of :class:`Scope`, as keyword arguments."""

    queries: QuerySelection | str | Sequence[str]
    weights: WeightSelection | str
    unit: str
    runs: Sequence[str]
    baseline: str


class InferenceFields(TypedDict, total=False):
    """The fields of :class:`Inference`, as keyword arguments."""

    test: TestName
    zeros: ZerosName
    tukey: TukeyName
    family: FamilyName
    correction: str
    alpha: float
    interval: IntervalName
    confidence: float
    samples: int
    seed: int
    smallest: float | None
    looks: Looks | str | None


class DrawnFields(TypedDict, total=False):
    """The fields of intervals that are drawn at random, as keyword arguments."""

    confidence: float
    samples: int
    seed: int


class CurveFields(DrawnFields, total=False):
    """The fields of curves and their bands, as keyword arguments."""

    level: float
    dialect: str | Dialect


class CorrectedFields(ValueFields, total=False):
    """The fields of corrected scores, as keyword arguments."""

    confidence: float
    alpha: float
    seed: int


class JudgeFields(ValueFields, DrawnFields, total=False):
    """The fields of an agreement of judges, as keyword arguments."""

    alpha: float


class RankingFields(TypedDict, total=False):
    """The fields that decide how a run is ranked, as keyword arguments."""

    dialect: str | Dialect


class SeededFields(EvaluationFields, total=False):
    """The fields of an evaluation, and the seed of what is drawn, as keyword arguments."""

    seed: int


class StabilityFields(EvaluationFields, DrawnFields, total=False):
    """The fields of an evaluation, and those of what is drawn, as keyword arguments."""


class ComparisonFields(EvaluationFields, InferenceFields, total=False):
    """The fields of a comparison, as keyword arguments."""

    unit: str


class JudgePageFields(ComparisonFields, total=False):
    """The fields of the page of a judge, as keyword arguments."""

    epsilon: float | None


class ProtocolFields(RulesFields, ScopeFields, InferenceFields, total=False):
    """Every field of a protocol, as keyword arguments: all names differ."""

    epsilon: float | None
    measures: Sequence[str]


@dataclass(frozen=True)
class EvaluationProtocol:
    """The whole protocol. A value is valid, or it is not constructed.

    >>> protocol = EvaluationProtocol().but(level=2, baseline="bm25")
    >>> sorted(protocol.declared)
    ['rules.level', 'scope.baseline']

    measures  the measures, the first is the primary one, which alone decides; (): not declared
    declared  names such as "rules.level" of the fields that a user or a file named; fields that differ from their
              defaults are always among them
    """

    measures: tuple[str, ...] = ()
    rules: Rules = field(default_factory=Rules)
    scope: Scope = field(default_factory=Scope)
    inference: Inference = field(default_factory=Inference)
    declared: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        _set(self, measures=_measures("measures", self.measures))
        declared = frozenset(self.declared)
        unknown = sorted(declared - set(PLACES.values()))
        if unknown:
            raise FieldError("declared", tr("a protocol has no field {names}", names=name_some(unknown)))
        differing = (place for name, place in PLACES.items() if self[name] != DEFAULTS[name])
        _set(self, declared=declared.union(differing))

    def __getitem__(self, name: str) -> Any:
        """Return the value of a field by its name, "level" or "alpha". Raises FieldError for an unknown name."""
        if name == "measures":
            return self.measures
        return getattr(getattr(self, _place(name).partition(".")[0]), name)

    def but(self, **values: Unpack[ProtocolFields]) -> EvaluationProtocol:
        """Return the protocol with other values of some fields, which are declared by that. Raises FieldError."""
        given: Mapping[str, Any] = values
        sections: dict[str, dict[str, Any]] = {}
        for name, value in given.items():
            sections.setdefault(_place(name).partition(".")[0], {})[name] = _coerced(name, value)
        replaced = {
            section: content[section] if section == "measures" else replace(getattr(self, section), **content)
            for section, content in sections.items()
        }
        return replace(self, **replaced, declared=self.declared.union(PLACES[name] for name in given))

    def without(self, *names: str) -> EvaluationProtocol:
        """Return the protocol with the defaults of some fields, which are declared no longer."""
        return self.taking(names, PRESET)

    def taking(self, names: Iterable[str], other: EvaluationProtocol) -> EvaluationProtocol:
        """Return the protocol with some fields as another protocol has them: their values, and whether they are
        declared."""
        names = tuple(names)
        places = {PLACES[name] for name in names}
        declared = (self.declared - places) | (other.declared & places)
        values = {name: other[name] for name in names}
        sections = {
            section: replace(getattr(self, section), **mine)
            for section in ("rules", "scope", "inference")
            if (mine := {name: value for name, value in values.items() if PLACES[name].startswith(f"{section}.")})
        }
        return replace(self, measures=values.get("measures", self.measures), **sections, declared=declared)

    def changed(self, other: EvaluationProtocol) -> tuple[str, ...]:
        """Return the names of the fields whose values differ from those of another protocol, in their order."""
        return tuple(name for name in PLACES if self[name] != other[name])

    def differing(self, other: EvaluationProtocol) -> tuple[str, ...]:
        """Return the names of the fields that differ from another protocol, in value or in being declared."""
        places = self.declared ^ other.declared
        return tuple(name for name, place in PLACES.items() if place in places or self[name] != other[name])


def _places() -> Mapping[str, str]:
    sections = {"rules": Rules, "scope": Scope, "inference": Inference}
    return {"measures": "measures"} | {
        each.name: f"{section}.{each.name}" for section, kind in sections.items() for each in fields(kind)
    }


PLACES: Mapping[str, str] = _places()
"""The name of each field -> its name with that of its part: "level" -> "rules.level"; in their order."""


def _coerced(name: str, value: Any) -> Any:
    """Return a value of a field that is given in a shorter form: a name or a list of queries, a column of weights."""
    if name == "queries" and not isinstance(value, QuerySelection):
        if isinstance(value, str):
            return QuerySelection(name=value)
        ids = _texts(name, value)
        if not ids:
            raise FieldError(name, tr("queries: the list is empty; leave queries out for all of them"))
        return QuerySelection(ids=ids)
    if name == "weights" and isinstance(value, str):
        return WeightSelection(value)
    if name == "looks" and isinstance(value, str):
        return Looks.parse(value) if value.strip() else None
    return _measures(name, value) if name == "measures" else value


def _place(name: str) -> str:
    if name not in PLACES:
        raise _unknown_field(name)
    return PLACES[name]


def _unknown_field(name: str) -> FieldError:
    return FieldError(name, tr("a protocol has no field {name}; it has {names}", name=name, names=", ".join(PLACES)))


# --- the values that fields have ---


def _set(value: object, **attributes: object) -> None:
    for name, content in attributes.items():
        object.__setattr__(value, name, content)


def _check(section: Any) -> None:
    """Replace the values of a frozen part by plain ones. Raises FieldError."""
    for each in fields(section):
        _set(section, **{each.name: CHECKS[each.name](each.name, getattr(section, each.name))})


def _unknown(name: str, value: object, names: Iterable[str]) -> FieldError:
    text = tr(
        "{field} is {value!r}; it must be one of {names}", field=name, value=as_written(value), names=", ".join(names)
    )
    return FieldError(name, text)


def _text(name: str, value: object) -> str:
    if not isinstance(value, str):
        raise FieldError(name, tr("{field} is {value!r}; it must be a text", field=name, value=as_written(value)))
    return value


def _texts(name: str, value: object) -> tuple[str, ...]:
    if isinstance(value, str | Mapping) or not isinstance(value, Iterable):
        raise FieldError(
            name, tr("{field} is {value!r}; it must be a list of texts", field=name, value=as_written(value))
        )
    texts = tuple(_text(name, each) for each in value)
    if "" in texts:
        raise FieldError(name, tr("{field}: a text of the list is empty; remove it", field=name))
    return texts


def _each_once(name: str, value: object) -> tuple[str, ...]:
    texts = _texts(name, value)
    twice = sorted({text for text in texts if texts.count(text) > 1})
    if twice:
        raise FieldError(name, tr("{field} has {names} twice", field=name, names=name_some(twice)))
    return texts


def _measures(name: str, value: object) -> tuple[str, ...]:
    return _each_once(name, (value,) if isinstance(value, str) and value else value)


def _flag(name: str, value: object) -> bool:
    if not isinstance(value, bool):
        raise FieldError(
            name, tr("{field} is {value!r}; it must be true or false", field=name, value=as_written(value))
        )
    return value


def _number(
    low: float, high: float, *, whole: bool = False, between: bool = False, empty: bool = False
) -> Callable[[str, object], float | int | None]:
    """Return the check of a number from ``low`` to ``high``, or ``between`` them; ``empty``: None is a value too."""

    def check(name: str, value: object) -> float | int | None:
        if value is None and empty:
            return None
        kind = Integral if whole else Real
        if isinstance(value, bool) or not isinstance(value, kind):
            expected = tr("a whole number") if whole else tr("a number such as 1 or 0.5")
            text = tr(
                "{field} is {value!r}; it must be {expected}", field=name, value=as_written(value), expected=expected
            )
            raise FieldError(name, text)
        plain = int(value) if isinstance(value, Integral) else float(value)
        if not (low < plain < high if between else low <= plain <= high):
            raise FieldError(name, _range_text(name, plain))
        if whole or (abs(plain) < _EXACT and float(plain).is_integer()):
            return int(plain)
        return float(plain)

    def _range_text(name: str, value: float) -> str:
        short = f"{value:g}" if abs(value) < _EXACT else str(value)
        shown = short if len(short) <= 24 else f"{short[:20]}…"
        if between:
            return tr("{field} is {value}; it must be between {low} and {high}",
                      field=name, value=shown, low=limit(low), high=limit(high))  # fmt: skip
        if high >= _EXACT and low >= 0:
            return tr("{field} is {value}; it must be {low} or more", field=name, value=shown, low=limit(low))
        if low >= 0:
            return tr("{field} is {value}; it must be {low} or more, and less than {high:,}",
                      field=name, value=shown, low=limit(low), high=int(high) + 1)  # fmt: skip
        return tr("{field} is {value}; it must be a finite number", field=name, value=shown)

    return check


def _choice(names: Sequence[str], *, empty: bool = False) -> Callable[[str, object], str | None]:
    def check(name: str, value: object) -> str | None:
        if (value is None and empty) or (isinstance(value, str) and value in names):
            return value
        raise _unknown(name, value, names)

    return check


def _dialect(name: str, value: object) -> str | Dialect:
    if isinstance(value, Dialect):
        return value
    try:
        dialect_of(_text(name, value))
    except FieldError:
        raise
    except OptionError as error:  # names the known dialects
        raise FieldError(name, str(error)) from None
    assert isinstance(value, str)
    return value


def _selection(name: str, value: object) -> object:
    kind = QuerySelection if name == "queries" else WeightSelection
    if isinstance(value, kind):
        return value
    raise FieldError(
        name, tr("{field} is {value!r}; it must be a name, a file or a list", field=name, value=as_written(value))
    )


def _looks(name: str, value: object) -> Looks | None:
    if value is None or isinstance(value, Looks):
        return value
    if isinstance(value, str):
        return Looks.parse(value)
    raise _no_looks(value)


_LARGEST = math.nextafter(math.inf, 0)
_share = _number(0, 1, between=True)

CHECKS: Mapping[str, Callable[[str, Any], Any]] = {
    "level": _number(-_LARGEST, _LARGEST),
    "dialect": _dialect,
    "missing": _choice(get_args(MissingPolicy), empty=True),
    "judged_only": _flag,
    "depth": _number(1, 2**31 - 1, whole=True, empty=True),
    "unjudged": _choice(get_args(UnjudgedName)),
    "zscores": _text,
    "queries": _selection,
    "weights": _selection,
    "unit": _text,
    "runs": _each_once,
    "baseline": _text,
    "test": _choice(get_args(TestName)),
    "zeros": _choice(get_args(ZerosName)),
    "tukey": _choice(get_args(TukeyName)),
    "family": _choice(get_args(FamilyName)),
    "correction": _choice(get_args(CorrectionName)),
    "alpha": _share,
    "interval": _choice(get_args(IntervalName)),
    "confidence": _share,
    "samples": _number(0, MOST_SAMPLES, whole=True),
    "seed": _number(0, _WHOLE - 1, whole=True),
    "smallest": _number(0, _LARGEST, empty=True),
    "looks": _looks,
    "epsilon": _number(0, math.nextafter(1, 0), empty=True),
}
"""The check of each field of the parts: it returns the value, or raises FieldError with what is valid."""


def _default(each: Any) -> Any:
    return each.default if each.default is not MISSING else each.default_factory()


DEFAULTS: Mapping[str, Any] = {"measures": ()} | {
    each.name: _default(each) for kind in (Rules, Scope, Inference) for each in fields(kind)
}
"""The value of each field that nobody declares."""

ALL = QuerySelection()
"""All queries of the qrels."""
PRESET = EvaluationProtocol()
"""The protocol that nobody has declared anything of."""
