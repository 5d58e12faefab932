"""What a view computes from: parts, each a collection under one judgment set and one protocol.

A part is the one path to values: all doors make it, from files or from what is open in the window."""

from __future__ import annotations

from collections.abc import Collection as Several
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from irviewer.analysis.statistics.result_comparison import untestable
from irviewer.analysis.statistics.run_values import RunValues
from irviewer.errors import MeasureError, NoQueriesError, OptionError, UndecidedError
from irviewer.evaluation.answer_cautions import is_undefined, lacking_in, left_out_texts, why_incomparable
from irviewer.evaluation.answer_sources import AnswerSources
from irviewer.evaluation.bind import BoundProtocol, bind, check_identical, refuse_fields, with_whole_names
from irviewer.evaluation.document_lengths import lengths_of, needs_lengths
from irviewer.evaluation.evaluate import evaluate, missing_by_run
from irviewer.evaluation.evaluation_cache import Evaluation, EvaluationInput
from irviewer.evaluation.results import ResultTable
from irviewer.evaluation.usual_measures import OF_DOCUMENTS, usual_measure
from irviewer.formats.judging_task import task_in
from irviewer.measures.base import Measure
from irviewer.measures.field_values import reads_fields
from irviewer.measures.parser import parse_measure, parse_measures
from irviewer.model.arrays import Bools, Floats, Ints, frozen, looked_up
from irviewer.model.attributes.facets import Facets
from irviewer.model.attributes.queries import QueryAttribute
from irviewer.model.attributes.runs import RunAttribute, find_attribute
from irviewer.model.attributes.tables import (
    AttributeTable,
    attributes_of_texts,
    given_query_attributes,
    query_attributes,
    run_attributes,
)
from irviewer.model.data_file import DataFile
from irviewer.model.matching.unmatched import unmatched
from irviewer.model.options import EvaluationOptions, evaluation_options
from irviewer.model.protocol import EvaluationProtocol
from irviewer.model.protocol_line import SECTIONS
from irviewer.model.qrels import Qrels
from irviewer.model.query_sets import QuerySet, QueryWeights
from irviewer.model.run import Run
from irviewer.model.run_names import further_names, run_place, whole_name
from irviewer.model.texts import TextTable
from irviewer.model.workspace import Collection, JudgmentSet, Regime
from irviewer.translation import tr

DEFAULT_MEASURE = OF_DOCUMENTS
"""The measure of a view where nobody declares one."""


class Token:
    """Stands for the data of a part in the keys of caches: another one wherever the data may differ."""

    __slots__ = ()


@dataclass(frozen=True, eq=False)
class Part:
    """A collection with one of its judgment sets, and the protocol bound to both. Runs are named by their places.

    judgments   None where nothing is judged
    evaluation  computes values, each once
    token       stands for the data
    """

    collection: Collection
    judgments: JudgmentSet | None
    protocol: BoundProtocol
    evaluation: Evaluation = field(default_factory=Evaluation, repr=False)
    token: Token = field(default_factory=Token, repr=False)

    @property
    def name(self) -> str:
        """The name of the collection."""
        return self.collection.name

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all runs."""
        return self.protocol.names

    @cached_property
    def runs(self) -> tuple[Run, ...]:
        """All runs, also those that take no part."""
        return tuple(entry.run for entry in self.collection.runs)

    @property
    def qrels(self) -> Qrels:
        """The judgments. Raises OptionError where there are none."""
        if self.judgments is None:
            raise OptionError(tr("This needs judgments. Open a qrels file."))
        return self.judgments.qrels

    @cached_property
    def options(self) -> EvaluationOptions:
        """The rules of the protocol, as values are computed by them, with what its measures read of documents."""
        names = {self.protocol.facts.primary or DEFAULT_MEASURE, *self.protocol.protocol.measures}
        return self.options_for(parse_measures(tuple(names), self._rules.rules.names))

    @cached_property
    def _rules(self) -> EvaluationOptions:
        return evaluation_options(self.protocol.protocol.rules)

    def options_for(self, measures: Sequence[Measure]) -> EvaluationOptions:
        """Return the rules of the protocol, with the documents if some of the measures read lengths or fields of them;
        without documents these measures refuse."""
        if not any(map(needs_lengths, measures)):
            return self._rules
        return replace(self._rules, lengths=lengths_of(self.collection))

    @cached_property
    def measure(self) -> Measure:
        """The measure that decides: the first of the protocol that can be tested."""
        return self.measure_named(self.protocol.facts.primary or DEFAULT_MEASURE)

    def measure_named(self, measure: str | Measure) -> Measure:
        """Return a measure by its name, as the dialect names it. Raises MeasureError."""
        return measure if isinstance(measure, Measure) else parse_measure(measure, self.options.rules.names)

    def _measures_named(self, measure: str | Measure) -> tuple[Measure, ...]:
        return (measure,) if isinstance(measure, Measure) else parse_measures((measure,), self.options.rules.names)

    @property
    def query_ids(self) -> tuple[str, ...]:
        """The queries that count, in bytewise order."""
        return self.protocol.query_ids

    @cached_property
    def query_places(self) -> Ints:
        """int64[E]: the places of the queries that count among all judged ones in bytewise order."""
        every, own = self.qrels.ordered_query_ids, self.query_ids
        if own == every:
            return frozen(np.arange(len(own)))
        known = dict(zip(every, range(len(every)), strict=True))
        return frozen(looked_up(known, own))

    def input_of(self, run: int, measure: Measure) -> EvaluationInput:
        """Return what the values of a run depend on. Raises OptionError for a measure of document lengths or fields
        without the documents."""
        options = self.options_for([measure])
        if needs_lengths(measure) and options.lengths is None:
            if reads_fields(measure):
                raise OptionError(tr("{measure} needs the fields of documents. Open the documents.", measure=measure))
            raise OptionError(tr("{measure} needs the lengths of documents. Open the documents.", measure=measure))
        return EvaluationInput(self.runs[run], self.qrels, options)

    def values_of(self, run: int, measure: str | Measure | None = None) -> Floats:
        """Return the values of a run for the queries that count, float64[E]; NaN where the dialect leaves a query out,
        and where the value is not reached. Raises MeasureError, OptionError."""
        wanted = self.measure if measure is None else self.measure_named(measure)
        return self.evaluation.values(self.input_of(run, wanted), wanted)[self.query_places]

    def counted(self, run: int, measure: str | Measure | None = None) -> Bools:
        """Return which queries count in a mean of a run, bool[E]."""
        wanted = self.measure if measure is None else self.measure_named(measure)
        counted = self.evaluation.counted(self.input_of(run, wanted))[self.query_places]
        return counted & ~np.isnan(self.values_of(run, wanted)) if wanted.leaves_out else counted

    def values(self, runs: Sequence[int] | None = None, measure: str | Measure | None = None) -> RunValues:
        """Return the values of runs (None: of those that take part) for the queries that count. Raises MeasureError,
        OptionError for a measure that is no mean over queries, and UndecidedError for a run of which nothing is
        judged."""
        wanted = self.measure if measure is None else self.measure_named(measure)
        bound = self.evaluation.bound_measure(self.qrels, self.options, wanted).measure
        if why := untestable(bound):
            raise OptionError(why)
        places = self.protocol.runs if runs is None else tuple(runs)
        self.check_matched(places)
        values = np.array([self.values_of(run, wanted) for run in places]).reshape(len(places), len(self.query_ids))
        counted = np.array([self.counted(run, wanted) for run in places], dtype=np.bool_).reshape(values.shape)
        defined = np.array([not is_undefined(bound, self.runs[run], self.qrels) for run in places], dtype=np.bool_)
        return RunValues(
            tuple(self.names[run] for run in places), self.query_ids, frozen(values),
            frozen(counted & np.isnan(values) & defined[:, None]), bound.text, bound.higher_is_better,
            bound.aggregate == "geometric",
        )  # fmt: skip

    def why_incomparable(self, run: int, measure: Measure | None = None) -> str:
        """Return why nothing can be concluded from what a run reaches by a measure (None: the one that decides), and
        what to give; "" where it can."""
        return why_incomparable(measure or self.measure, self.runs[run], self.qrels, self.names[run])

    def comparable(
        self, places: Sequence[int], named: Several[str] = (), measure: Measure | None = None, *, least: int = 2
    ) -> list[int]:
        """Return the places of the runs that have what a measure (None: the one that decides) reads. Raises
        MeasureError where the baseline, or one of those ``named``, lacks it, or fewer than ``least`` are left."""
        lacking = {place: why for place in places if (why := self.why_incomparable(place, measure))}
        left = [place for place in places if place not in lacking]
        for place, why in lacking.items():
            if len(left) < least or place == self.protocol.baseline or self.names[place] in named:
                raise MeasureError(why)
        return left

    def lacks(self, run: int, measure: Measure) -> bool:
        """Return whether a run, or the nuggets, lack what a measure reads: the run is in no comparison of it."""
        return is_undefined(measure, self.runs[run], self.qrels)

    def lacking(self, measures: Iterable[Measure]) -> list[str]:
        """Return what is said of the runs that lack what measures read, and are left out."""
        named = [(self.names[run], self.runs[run]) for run in self.protocol.runs]
        return left_out_texts(lacking_in(measures, named, self.qrels), len(named))

    def results(self, measures: Sequence[str | Measure] | None = None) -> ResultTable:
        """Return the values of the runs that take part for measures (None: those of the protocol, else the one that
        decides), of all judged queries. Raises MeasureError, OptionError."""
        wanted: list[str | Measure] = list(measures or self.protocol.protocol.measures or (self.measure,))
        named = [own for each in wanted for own in self._measures_named(each)]
        return replace(evaluate(self.qrels, self.named_runs, wanted, self.options_for(named)), protocol=self.protocol)

    @cached_property
    def named_runs(self) -> list[Run]:
        """The runs that take part, by the names that they have here."""
        return [self.runs[place].renamed(self.names[place]) for place in self.protocol.runs]

    def refuse(self, view: str, *fields: str) -> None:
        """Raise OptionError for fields of the protocol that a view cannot follow, although its numbers depend on
        them."""
        refuse_fields(self.protocol.protocol, fields, view)

    def means(self, runs: Sequence[int] | None = None, measure: str | Measure | None = None) -> Floats:
        """Return the means of runs (None: of those that take part) over the queries that count for each, as the dialect
        aggregates the measure, float64[R]; NaN where a value is not reached. Raises MeasureError, OptionError."""
        wanted = self.measure if measure is None else self.measure_named(measure)
        bound = self.evaluation.bound_measure(self.qrels, self.options, wanted)
        places = self.protocol.runs if runs is None else runs
        means = [bound.mean(self.values_of(run, wanted)[self.counted(run, wanted)]) for run in places]
        return frozen(np.array(means, dtype=np.float64))

    def check_matched(self, runs: Sequence[int]) -> None:
        """Raise UndecidedError for a run of which nothing is judged: it would count as the worst."""
        undecided = [self.names[run] for run in runs if run in self.protocol.undecided]
        if undecided:
            raise UndecidedError(
                tr("No document of {run} is judged: its ids may be written differently.", run=undecided[0])
            )

    def check_listed(self, runs: Sequence[int]) -> None:
        """Raise OptionError for a run of which only values are known."""
        for run in runs:
            stored = self.runs[run].stored
            if stored is not None:
                raise stored.refuse(self.names[run])

    @property
    def weights(self) -> QueryWeights | None:
        """The weights of the queries; None without weights. Raises OptionError for a column of the queries that the
        protocol weights by, which only the window knows."""
        weights, said = self.collection.weights, self.protocol.protocol.scope.weights
        if weights is None and said:
            raise OptionError(
                tr("weights: the column {name} of the queries is known in the window only; name a file of weights "
                   "instead", name=said.name or said.file)
            )  # fmt: skip
        return weights

    @cached_property
    def copies(self) -> tuple[int, ...]:
        """The places of the edited copies, which take no part."""
        return tuple(place for place, entry in enumerate(self.collection.runs) if entry.is_copy)

    @cached_property
    def rows(self) -> tuple[int, ...]:
        """The places of the runs that tables list: those that take part, then the edited copies."""
        return (*self.protocol.runs, *self.copies)

    def whole_name(self, name: str) -> str:
        """Return the whole name of the run that a name stands for; a name of none as it is. Raises OptionError for a
        name of several."""
        return whole_name(name, self.names, further_names([entry.run for entry in self.collection.runs]))

    def other_run(self, name: str = "") -> int | None:
        """Return the place of a run that is shown beside the baseline: the named one, else the first other run; None
        where there is no other. Raises OptionError for a name that no run of the table has."""
        if not name:
            return next((place for place in self.rows if place != self.protocol.baseline), None)
        own = [place for place in self.rows if self.names[place] == name]
        place = own[0] if len(own) == 1 else run_place(name, self.names)
        if place not in self.rows:
            raise OptionError(tr("run {run} is not among the runs of the protocol", run=name))
        return place

    # --- attributes ---

    @cached_property
    def run_attributes(self) -> tuple[RunAttribute, ...]:
        """The attributes of the runs: of tables, and of the headers of the runs' files."""
        return run_attributes(self.runs, self.collection.attributes)

    @cached_property
    def query_attributes(self) -> tuple[QueryAttribute, ...]:
        """The attributes of the queries: of tables, of the queries' file, and those that need no table."""
        qrels = None if self.judgments is None else self.judgments.qrels
        texts = attributes_of_texts(self.collection.queries, self.query_ids)
        return query_attributes(texts, qrels, self.collection.attributes, self.query_ids, self.options.level)

    @cached_property
    def facets(self) -> Facets | None:
        """The fields of documents as attributes of queries; None without documents or judgments."""
        lengths = lengths_of(self.collection)
        if lengths is None or lengths.fields is None or self.judgments is None:
            return None
        return Facets(lengths.fields, self.judgments.qrels, self.options.level)

    def run_numbers(self, attribute: str, runs: Sequence[int] | None = None) -> Floats:
        """Return a numeric attribute of runs (None: of those that take part), float64[R], NaN for a run without one.
        Raises OptionError for an attribute that there is not, and for one that is no number."""
        places = self.protocol.runs if runs is None else runs
        return find_attribute(self.run_attributes, attribute).numbers([self.names[run] for run in places])

    def query_attribute(self, name: str) -> QueryAttribute:
        """Return an attribute of the queries. Raises OptionError with those that there are."""
        for attribute in self.query_attributes:
            if attribute.name == name:
                return attribute
        names = ", ".join(attribute.name for attribute in self.query_attributes)
        raise OptionError(tr("The queries have no attribute {name}; they have {names}.", name=name, names=names or "–"))


@dataclass(frozen=True, eq=False)
class Inputs:
    """What a view computes from; most views take one part."""

    parts: tuple[Part, ...]

    def __post_init__(self) -> None:
        if not self.parts:
            raise NoQueriesError(tr("Nothing is open."))
        check_identical({part.name: part.protocol for part in self.parts})

    @property
    def one(self) -> Part:
        """The only part. Raises OptionError where there are several."""
        if len(self.parts) > 1:
            raise OptionError(tr("This takes one collection, not {n}.", n=len(self.parts)))
        return self.parts[0]

    @property
    def protocol(self) -> BoundProtocol:
        """The protocol that all parts have; bound to the first of them."""
        return self.parts[0].protocol

    @property
    def tokens(self) -> tuple[Token, ...]:
        """The data, in the keys of caches."""
        return tuple(part.token for part in self.parts)


def inputs_of(
    protocol: EvaluationProtocol,
    qrels: Qrels | None,
    runs: Sequence[Run],
    *,
    uses: tuple[str, ...] = SECTIONS,
    pins: Mapping[str, tuple[Any, str]] | None = None,
    sets: Sequence[QuerySet] = (),
    weights: QueryWeights | None = None,
    attributes: Sequence[AttributeTable] = (),
    queries: TextTable | None = None,
    documents: TextTable | None = None,
    files: tuple[DataFile, ...] = (),
    judges: Sequence[Qrels] = (),
) -> Inputs:
    """Return what was read as one part, under a protocol.

    uses, pins   as for :func:`~irviewer.evaluation.bind.bind`
    sets         the query sets that the protocol can name
    weights      those of queries, from the file that the protocol names
    attributes   tables of attributes of queries and runs
    files        the files that all this was read from
    judges       further judgments of the collection, by other judges; with them the files of all judges say what was
                 drawn for each

    Raises OptionError as ``bind`` does."""
    judgments = None if qrels is None else JudgmentSet(
        qrels, Regime(protocol.rules.unjudged), task=task_in(qrels.origin) if judges else None
    )  # fmt: skip
    judged = () if judgments is None else (
        judgments, *(JudgmentSet(other, Regime.UNKNOWN, task=task_in(other.origin)) for other in judges)
    )  # fmt: skip
    collection = Collection(
        "" if qrels is None else qrels.name, queries, documents, judged,
        query_sets=tuple(sets), weights=weights, attributes=tuple(attributes),
    ).with_runs(runs)  # fmt: skip
    evaluation = Evaluation()
    undecided = []
    for place, entry in enumerate(collection.runs if qrels is not None else ()):
        assert qrels is not None
        if entry.run.stored is not None:
            undecided += [place] if entry.run.stored.unmatched is not None else []
            continue
        joined = evaluation.judged(EvaluationInput(entry.run, qrels, evaluation_options(protocol.rules)))
        if not len(joined.hit_rank) and unmatched(entry.run, qrels) is not None:
            undecided.append(place)
    names = [entry.name for entry in collection.runs]
    protocol = with_whole_names(protocol, names, further_names([entry.run for entry in collection.runs]))
    usual = DEFAULT_MEASURE if qrels is None else str(usual_measure(None, qrels))
    bound = bind(
        protocol, names, () if qrels is None else bytewise_ids(qrels),
        undecided=undecided, sets=sets, graded=None if qrels is None else qrels.max_grade > 1, pins=pins, uses=uses,
        primary="" if protocol.measures else usual,
        answers=AnswerSources(() if qrels is None else (qrels, *judges), [entry.run for entry in collection.runs]),
        files=files,
        attributes=lambda: given_query_attributes(queries, attributes),
        missing=missing_by_run([entry.run for entry in collection.runs], names, qrels),
    )  # fmt: skip
    return Inputs((Part(collection, judgments, bound, evaluation),))


def bytewise_ids(qrels: Qrels) -> tuple[str, ...]:
    """Return the judged queries in bytewise order."""
    return qrels.ordered_query_ids


def key_of(view: str, version: int, inputs: Inputs, parameters: dict[str, Any]) -> tuple[Any, ...]:
    """Return what the value of a view depends on, each by its value, and the data by their tokens. Raises TypeError for
    a parameter that is neither a plain value nor a tuple of them."""
    for name, value in parameters.items():
        for each in value if isinstance(value, tuple) else (value,):
            if not isinstance(each, bool | int | float | str):
                raise TypeError(f"{name} is a {type(each).__name__}, which no key of a cache can hold")
    bound = tuple((part.protocol.protocol, part.protocol.runs, part.protocol.baseline, part.protocol.query_ids)
                  for part in inputs.parts)  # fmt: skip
    return (view, version, inputs.tokens, bound, tuple(sorted(parameters.items())))
