"""A protocol bound to data: the runs, baseline, queries, weights and measures that its names mean there.

Only names and ids are needed, no values: every door binds the same way, so that it shows the same line."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any, Literal, TypedDict

from irviewer.errors import NoQueriesError, OptionError, name_some
from irviewer.evaluation.answer_sources import AnswerSources
from irviewer.evaluation.looks import at_look, decides_at_looks, refuse_looks
from irviewer.measures.base import Measure
from irviewer.measures.parser import parse_measures
from irviewer.measures.tool_names import usual_name
from irviewer.model.arrays import as_tuple
from irviewer.model.attributes.queries import QueryAttribute
from irviewer.model.data_file import DataFile
from irviewer.model.protocol import PLACES, PRESET, EvaluationProtocol, Inference, Looks, QuerySelection
from irviewer.model.protocol_line import (
    ANSWERS,
    SECTIONS,
    LineFacts,
    LinePart,
    Origin,
    line_parts,
    line_text,
    record_text,
)
from irviewer.model.query_sets import QuerySet
from irviewer.model.query_units import QueryUnits, units_of
from irviewer.model.run_names import run_place, runs_named, suggested_baseline, whole_name
from irviewer.translation import tr

Standing = Literal["", "primary", "secondary", "exploratory"]
"""What a measure is in a protocol: the one that decides, a reported one, or one that is not declared; "" where nobody
declared any."""


class RunsCompared(TypedDict):
    """What is compared with what, by name: runs with the baseline, or all pairs."""

    baseline: str | None
    pairs: bool


@dataclass(frozen=True)
class BoundProtocol:
    """A protocol with what it means for some data.

    protocol    with the values that are pinned
    names       the names of all runs; ``runs`` are the places of those that take part
    baseline    the baseline's place, None where all pairs are compared, or without runs
    query_ids   the queries that count, in the order in which they are evaluated; ``left_out`` are queries of the
                selection that are not evaluated
    measures    the declared measures; () if none is
    undecided   places of runs that take part, but cannot be compared, since nothing of them is judged
    under_others  places of runs that are in no comparison, since they are a system under another assigner: assigners
                are judges, and a system is one hypothesis. None where the protocol names its runs
    uses        the parts of the protocol that the answer depends on
    facts       what the line says of the data
    reasons     why a field is pinned, by its name such as "inference.interval"
    files       the files that the data were read from
    units       what queries count together, where the protocol names a unit and the answer depends on it
    lacking     run that takes part -> the queries that count and that it lacks, of runs that have any of all queries
    """

    protocol: EvaluationProtocol
    names: tuple[str, ...]
    runs: tuple[int, ...]
    baseline: int | None
    query_ids: tuple[str, ...]
    left_out: tuple[str, ...] = ()
    measures: tuple[Measure, ...] = ()
    undecided: tuple[int, ...] = ()
    under_others: tuple[int, ...] = ()
    uses: tuple[str, ...] = SECTIONS
    facts: LineFacts = field(default_factory=LineFacts)
    reasons: Mapping[str, str] = field(default_factory=dict)
    files: tuple[DataFile, ...] = field(default=(), repr=False, compare=False)
    units: QueryUnits | None = field(default=None, repr=False)
    lacking: Mapping[str, tuple[str, ...]] = field(default_factory=dict, repr=False, compare=False)

    def line(self) -> str:
        """Return the line that is shown with the answer, in the user's language."""
        return line_text(self.parts())

    def parts(self) -> tuple[LinePart, ...]:
        """Return the parts of the line, each with its field and the origin of its value."""
        return line_parts(self.protocol, self.facts, uses=self.uses)

    def full_text(self) -> str:
        """Return the line with the fields that have their defaults too."""
        return line_text(self.all_parts())

    def all_parts(self) -> tuple[LinePart, ...]:
        """Return the parts of the full text."""
        return line_parts(self.protocol, self.facts, full=True, uses=self.uses)

    def record(self) -> str:
        """Return every field as ``name=value``, in English, for files."""
        return record_text(self.protocol, self.facts)

    def as_json(self) -> dict[str, Any]:
        """Return the protocol for JSON: the line, every field, and the names of those that are declared."""
        values = {name: _plain(self.protocol[name]) for name in PLACES}
        values["dialect"] = self.protocol.rules.dialect_name
        baseline = None if self.baseline is None else self.names[self.baseline]
        return {
            "line": self.line(), **values, "baseline": baseline, "queries_used": len(self.query_ids),
            "comparisons": self.facts.comparisons, "declared": sorted(self.protocol.declared),
        }  # fmt: skip

    @property
    def declared_measures(self) -> tuple[str, ...]:
        """The measures that were declared; none where the protocol has only the one in view."""
        return () if self.facts.origins.get(PLACES["measures"]) == "default" else self.protocol.measures

    def standing(self, measure: str | Measure) -> Standing:
        """Return what a measure is in the protocol; "" where nobody declared any."""
        if not self.declared_measures:
            return ""
        text = str(measure)
        primary = self.facts.primary or "".join(self.protocol.measures[:1])
        texts = {measure.asked or measure.text: measure.text for measure in self.measures}
        declared = {*texts, *texts.values(), *self.protocol.measures}
        if text in (primary, texts.get(primary) or texts.get(deciding(self.protocol.measures), "")):
            return "primary"
        return "secondary" if text in declared else "exploratory"

    def deciding_among(self, measures: Sequence[Measure]) -> Measure | None:
        """Return which of some measures decides, None for none of them: nothing can be said without it."""
        return next((each for each in measures if self.standing(each) in ("", "primary")), None)

    @property
    def runs_compared(self) -> RunsCompared:
        """What is compared with what."""
        baseline = None if self.baseline is None else self.names[self.baseline]
        return RunsCompared(baseline=baseline, pairs=baseline is None)

    @property
    def looked(self) -> bool:
        """Whether the queries were chosen after the results were seen, so that no test proves anything."""
        return self.protocol.scope.queries.looked

    @property
    def selected(self) -> tuple[str, ...] | None:
        """The queries that count if the protocol selects some, None for all."""
        return self.query_ids if self.protocol.scope.queries else None

    @property
    def pairwise(self) -> Inference:
        """The inference with a test of single pairs: the t-test instead of Tukey's."""
        inference = self.protocol.inference
        return replace(inference, test="t") if inference.test == "tukey" else inference

    @cached_property
    def deciding(self) -> Inference:
        """The inference as it decides: at the bound of its look, if looks are declared. Raises OptionError."""
        return at_look(self.protocol.inference)

    def of_query(self, query: str | None) -> BoundProtocol:
        """Return the protocol of an answer about one query: which runs lack that one. The same for None."""
        if query is None:
            return self
        return replace(self, lacking={name: (query,) for name, lacks in self.lacking.items() if query in lacks})

    @property
    def compared(self) -> tuple[int, ...]:
        """The places of the runs that are compared, as far as judgments of them are there."""
        return tuple(place for place in self.runs if place not in (*self.undecided, *self.under_others))

    @cached_property
    def taking_part(self) -> tuple[str, ...]:
        """The names of the runs that take part."""
        return tuple(self.names[place] for place in self.runs)


def bind(
    protocol: EvaluationProtocol,
    names: Sequence[str] = (),
    query_ids: Sequence[str] = (),
    *,
    copies: Collection[int] = (),
    undecided: Collection[int] = (),
    sets: Sequence[QuerySet] | Mapping[str, QuerySet] = (),
    graded: bool | None = None,
    pins: Mapping[str, tuple[Any, str]] | None = None,
    uses: tuple[str, ...] = SECTIONS,
    primary: str = "",
    shown: str = "",
    chosen_in_view: Collection[str] = (),
    answers: AnswerSources | None = None,
    measured: Sequence[Measure] = (),
    files: tuple[DataFile, ...] = (),
    attributes: Sequence[QueryAttribute] | Callable[[], Sequence[QueryAttribute]] = (),
    missing: Mapping[str, Sequence[str]] = MappingProxyType({}),
) -> BoundProtocol:
    """Return the protocol for runs of these names and the evaluated queries.

    copies     places of runs that are edited copies, which never take part
    undecided  places of runs of which nothing is judged, which are in no comparison
    sets       the query sets that a selection can name: those of the collection, or of the file that it names
    graded     whether the qrels have grades above 1, for the line
    pins       fields that the answer needs another value of: name -> (value, reason)
    uses       the parts of the protocol that the answer depends on, or single fields of them such as "seed"
    primary    the measure that decides, where it is not the first of the protocol that can be tested
    shown      the measure in view, where it may be another one than the primary
    answers    the answers and labels of the runs, for the line; ``measured`` are those that were evaluated, declared
               or not, and the measures of conditions
    files      the files that qrels, runs and what else belongs to them were read from
    attributes  the attributes of queries, one of which may be the unit
    missing    run -> those of the evaluated queries that it lacks
    chosen_in_view  fields that nobody declared, although their values are not the defaults, such as the measure in view

    Raises OptionError for a name that no run or query set has, that several have, or that an edited copy has; for
    queries that are not evaluated; and for a unit that no attribute is, that queries lack, or that an answer without
    "unit" in ``uses`` would have to count by; and for looks where one without "looks" tests. Raises MeasureError for an
    unknown measure."""
    reasons = {PLACES[name]: reason for name, (_, reason) in (pins or {}).items()}
    origins: dict[str, Origin] = dict.fromkeys((PLACES[name] for name in chosen_in_view), "default")
    origins |= dict.fromkeys(reasons, "view")
    protocol = protocol.but(**{name: value for name, (value, _) in (pins or {}).items()})
    measures = parse_measures(protocol.measures)
    used, left_out = _queries(protocol.scope.queries, query_ids, sets)
    units = _units(protocol, uses, used, attributes)
    if decides_at_looks(uses) is False:
        refuse_looks(protocol.inference)
    takes_part = _runs(protocol, names, copies)
    baseline = None
    compares = "baseline" in uses or ("inference" in uses and protocol.inference.family == "baseline")
    if compares and takes_part:
        may_be = takes_part if answers is None else answers.without_lists(takes_part)
        baseline, origin = _baseline(protocol, names, takes_part, copies, may_be)
        origins |= {} if origin is None else {PLACES["baseline"]: origin}
    primary = primary or deciding(protocol.measures)
    in_view = parse_measures([text for text in dict.fromkeys((shown, primary)) if text])
    compared = [place for place in takes_part if place not in undecided]
    if answers is not None and in_view:
        compared = answers.with_values(compared, in_view[-1])
    under_others: tuple[int, ...] = ()
    if answers is not None and in_view and not protocol.scope.runs:
        under_others = tuple(answers.under_others(compared, in_view[-1], baseline))
        compared = [place for place in compared if place not in under_others]
    comparisons = len(compared) * (len(compared) - 1) // 2 if baseline is None else len({*compared, baseline}) - 1
    facts = LineFacts(
        len(used) if query_ids else None, len(query_ids) if query_ids else None, graded,
        "" if baseline is None else names[baseline], comparisons if names and "inference" in uses else None, origins,
        primary, shown,
        answers=() if answers is None or not {"rules", ANSWERS} & set(uses) else answers.parts(
            [*measures, *measured, *in_view], of_view=ANSWERS in uses,
            without={name for place, name in enumerate(names) if place not in takes_part}, topics=used,
        ),
        short_names={measure.text: usual_name(measure) for measure in (*measures, *in_view)},
        units=None if units is None else units.count(used),
    )  # fmt: skip
    return BoundProtocol(
        protocol, tuple(names), takes_part, baseline, used, left_out, measures,
        tuple(place for place in takes_part if place in undecided), under_others, uses, facts, reasons, files, units,
        lacking_of([names[place] for place in takes_part], missing, len(query_ids), used),
    )  # fmt: skip


def deciding(measures: Sequence[str]) -> str:
    """Return which of the declared measures decides; "" without any."""
    return deciding_of(parse_measures(tuple(measures)))


def deciding_of(measures: Sequence[Measure]) -> str:
    """Return which measure decides: the first that can be tested, else the first number, else the first; "" without
    any."""
    first = min(measures, key=lambda measure: (not measure.is_mean, measure.is_text), default=None)
    return "" if first is None else first.asked or first.text


def lacking_of(
    runs: Sequence[str], missing: Mapping[str, Sequence[str]], queries: int, used: Sequence[str]
) -> dict[str, tuple[str, ...]]:  # fmt: skip
    """Return the queries that count and that runs lack, of so many; without a run that has none at all, whose ids are
    others."""
    some = {name: missing[name] for name in runs if 0 < len(missing.get(name, ())) < queries}
    if not some or len(used) == queries:
        return {name: tuple(lacks) for name, lacks in some.items()}
    counting = frozenset(used)
    left = {name: tuple(query for query in lacks if query in counting) for name, lacks in some.items()}
    return {name: lacks for name, lacks in left.items() if lacks}


def with_whole_names(
    protocol: EvaluationProtocol, names: Sequence[str], further: Sequence[Collection[str]]
) -> EvaluationProtocol:
    """Return the protocol that names its runs and its baseline by their whole names, so that they are the same where
    only some of the runs are left; ``further`` are what else each run is called. A name of no run stays as it is, for
    :func:`bind`. Raises OptionError for a name of several."""
    scope = protocol.scope
    named = replace(
        scope, runs=tuple(whole_name(name, names, further) for name in scope.runs),
        baseline=whole_name(scope.baseline, names, further) if scope.baseline else "",
    )  # fmt: skip
    return protocol if named == scope else replace(protocol, scope=named)


def present_runs(
    protocol: EvaluationProtocol, names: Sequence[str], further: Sequence[Collection[str]]
) -> tuple[EvaluationProtocol, tuple[int, ...]]:
    """Return the protocol with the whole names of those of its runs that are here, and their places in order; all where
    it names none. An answer of single runs is not asked about every run that the protocol names, so that those that are
    not here are no error; ``further`` are what else each run is called. Raises OptionError for a name of several runs,
    and where none of the runs takes part."""
    if not protocol.scope.runs:
        return protocol, tuple(range(len(names)))
    kept: set[int] = set()
    for name in protocol.scope.runs:
        places = runs_named(name, names, further)
        if len({names[place] for place in places}) > 1:
            run_place(name, names, (), further)
        kept.update(places)
    if not kept:
        check_takes_part(names[0], kept, 0)
    scope = replace(protocol.scope, runs=tuple(dict.fromkeys(names[place] for place in sorted(kept))))
    return replace(protocol, scope=scope), tuple(sorted(kept))


def check_takes_part(name: str, places: Collection[int], place: int) -> None:
    """Raise OptionError for a run that is not in one of the places of those that take part."""
    if place not in places:
        raise OptionError(tr("the run {run} is not among the runs of the protocol; add it to runs", run=name))


def counts_by_unit(uses: Collection[str]) -> bool:
    """Return whether an answer that depends on these parts of a protocol tests or draws queries, so that it must count
    by the unit."""
    return any(use == "inference" or PLACES.get(use, "").startswith("inference.") for use in uses)


def refuse_unit(protocol: EvaluationProtocol, what: str = "") -> None:
    """Raise OptionError for a protocol with a unit of several queries, which ``what`` cannot count by."""
    unit = protocol.scope.unit
    if unit:
        raise OptionError(
            tr("unit is {unit}, and {what} cannot count by a unit of several queries; leave unit out there",
               unit=unit, what=what)
            if what else
            tr("unit is {unit}, and what is tested or drawn here cannot count by a unit of several queries; leave unit "
               "out here", unit=unit)
        )  # fmt: skip


def _units(
    protocol: EvaluationProtocol, uses: Collection[str], query_ids: Sequence[str],
    attributes: Sequence[QueryAttribute] | Callable[[], Sequence[QueryAttribute]],
) -> QueryUnits | None:  # fmt: skip
    """Return what queries count together. Raises OptionError."""
    if not protocol.scope.unit or not counts_by_unit(uses):
        return None
    if "unit" not in uses:
        refuse_unit(protocol)
    if not query_ids:
        return None
    return units_of(protocol.scope.unit, attributes() if callable(attributes) else attributes, query_ids)


def refuse_fields(protocol: EvaluationProtocol, names: Collection[str], what: str) -> None:
    """Raise OptionError for fields that the answer would depend on, but that are not supported for ``what``, such as
    ``irviewer pool``."""
    refused = [name for name in PRESET.changed(protocol) if name in names]
    if refused:
        fields = name_some(refused)
        raise OptionError(
            tr("{what} cannot follow {fields} of the protocol; leave it out there", what=what, fields=fields)
        )


def check_identical(protocols: Mapping[str, BoundProtocol]) -> None:
    """Raise OptionError, with both lines, if the protocols of several collections or results differ: none of them goes
    before the others."""
    (first, bound), *others = protocols.items()
    for name, other in others:
        if bound.protocol != other.protocol:
            text = tr("the protocols differ: {first}: {line}; {other}: {other_line}",
                      first=first, line=bound.full_text(), other=name, other_line=other.full_text())  # fmt: skip
            raise OptionError(text)


def _runs(protocol: EvaluationProtocol, names: Sequence[str], copies: Collection[int]) -> tuple[int, ...]:
    """Return the places of the runs that take part, in the order of all runs."""
    scope = protocol.scope
    if not scope.runs:
        return tuple(place for place in range(len(names)) if place not in copies)
    if not names:
        return ()
    chosen = {run_place(name, names, copies) for name in scope.runs}
    return tuple(sorted(chosen))


def _baseline(
    protocol: EvaluationProtocol, names: Sequence[str], takes_part: Sequence[int], copies: Collection[int],
    may_be: Sequence[int],
) -> tuple[int, Origin | None]:  # fmt: skip
    """Return the baseline's place, and its origin if a name suggests it; where nobody named one it is of ``may_be``."""
    if protocol.scope.baseline:
        place = run_place(protocol.scope.baseline, names, copies)
        if place not in takes_part:
            text = tr("the baseline {run} is not among the runs of the protocol; add it to runs", run=names[place])
            raise OptionError(text)
        return place, None
    suggested = suggested_baseline([names[place] for place in may_be])
    return (may_be[0], None) if suggested is None else (may_be[suggested], "name")


def _queries(
    selection: QuerySelection, query_ids: Sequence[str], sets: Sequence[QuerySet] | Mapping[str, QuerySet]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the queries that count, in the order of all, and those of the selection that are not evaluated."""
    if not selection or not query_ids:
        return as_tuple(query_ids), ()
    wanted = frozenset(selection.ids) if selection.ids else _set_named(selection, sets).query_ids
    used = tuple(query for query in query_ids if query in wanted)
    if not used:
        raise NoQueriesError(
            tr("no query of {set} has results; check the query ids", set=selection.file or selection.name)
            if selection.file or selection.name
            else tr("none of the {count:,} listed queries has results; check the query ids", count=len(wanted))
        )
    return used, tuple(sorted(wanted.difference(used)))


def _set_named(selection: QuerySelection, sets: Sequence[QuerySet] | Mapping[str, QuerySet]) -> QuerySet:
    """Return the query set that is named; of a file without a name, its only set. Raises OptionError."""
    known = list(sets.values() if isinstance(sets, Mapping) else sets)
    names = name_some([each.name for each in known]) if known else tr("(none)")
    file = selection.file
    if not selection.name:
        if len(known) != 1:
            text = tr("{file} holds {count} query sets; name one of {names}", file=file, count=len(known), names=names)
            raise OptionError(text)
        return known[0]
    named = [each for each in known if each.name == selection.name]
    if len(named) != 1:
        raise OptionError(
            tr("{file} has no query set {name}; its sets are {names}", file=file, name=selection.name, names=names)
            if file
            else tr("there is no query set {name}; the sets are {names}", name=selection.name, names=names)
        )
    return named[0]


def _plain(value: Any) -> Any:
    """Return a value of a field as JSON has it."""
    if isinstance(value, QuerySelection):
        return {name: part for name, part in vars(value).items() if part} or None
    if isinstance(value, Looks):
        return {"fractions": list(value.fractions), "bounds": value.bounds, "at": value.at}
    if hasattr(value, "file"):
        return {name: part for name, part in vars(value).items() if part} or None
    return list(value) if isinstance(value, tuple) else value
