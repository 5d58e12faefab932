"""The same systems on the open collections: their table, the difference of two of them, and tests over collections."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from irviewer.errors import name_some
from irviewer.model.arrays import Bools, Floats, Ints, frozen
from irviewer.model.number_text import level_text, limit, p_value, percent, quantity
from irviewer.model.protocol_line import INTERVALS
from irviewer.model.workspace import RunEntry
from irviewer.rendering.run_label import RunLabel
from irviewer.session.collections.systems import Systems
from irviewer.session.runs.colours import MANY_SYSTEMS, told_apart
from irviewer.session.state import State
from irviewer.translation import tr, trn

if TYPE_CHECKING:
    from irviewer.analysis.collections.collection_table import CollectionTable, Forest, OverCollections
    from irviewer.analysis.statistics.run_comparison import RunComparison
    from irviewer.tables.table import Table
    from irviewer.views.collections import ForestLine

BETTER, WORSE = "†", "‡"


@dataclass(frozen=True)
class CollectionHead:
    """An open collection: its place, name, how many queries count, and why it has no numbers ("" if it has)."""

    place: int
    name: str
    queries: int
    why: str = ""


@dataclass(frozen=True, eq=False)
class CollectionsViewModel:
    """S systems, in the order of the table, on C open collections.

    systems       labels; ``shown`` if they are drawn, ``baseline`` for the one that daggers are against
    heads         the collections
    means, marks, best, by_hand   float64[S, C] (NaN: none), int64[S, C] 1 better, -1 worse, bool[S, C] the best of the
                  column, bool[S, C] matched by hand
    macro, micro, micro_marks   float64[S], float64[S], int64[S]
    macro_best, micro_best    bool[S]
    inside        what macro and micro are means of, in words, two texts
    legend        the meaning of the marks that occur
    forest        rows of the plot of ``pair`` (system, other); ``forest_table`` is their table; ``conclusion`` in words
    pairs … notes the tests over collections: their table, average ranks, texts
    explanation   why there are no numbers, and what to do; "" otherwise
    """

    title: str
    note: str
    measure: str
    systems: tuple[RunLabel, ...]
    heads: tuple[CollectionHead, ...]
    means: Floats
    marks: Ints
    best: Bools
    by_hand: Bools
    macro: Floats
    micro: Floats
    micro_marks: Ints
    macro_best: Bools
    micro_best: Bools
    inside: tuple[str, str]
    sort: tuple[str, bool]
    legend: str = ""
    pair: tuple[str, str] = ("", "")
    pair_labels: tuple[RunLabel, ...] = ()
    forest: tuple[ForestLine, ...] = ()
    forest_note: str = ""
    forest_table: Table | None = None
    conclusion: str = ""
    tests_title: str = ""
    pairs: Table | None = None
    pairs_note: str = ""
    ranked: tuple[RunLabel, ...] = ()
    ranks: tuple[float, ...] = ()
    friedman: str = ""
    critical: float = math.nan
    nemenyi: str = ""
    notes: tuple[str, ...] = ()
    higher_is_better: bool = True
    explanation: str = ""

    @cached_property
    def nothing_shared(self) -> bool:
        """Whether there are several collections, and no system has a value on two of them."""
        return len(self.heads) > 1 and bool(self.systems) and not (np.sum(~np.isnan(self.means), axis=1) > 1).any()

    @cached_property
    def table(self) -> Table:
        """A row for each system, a column for each open collection."""
        from irviewer.views.collections import SystemsOnCollections, systems_table

        shown = SystemsOnCollections(
            self.measure, [label.name for label in self.systems], [head.name for head in self.heads],
            [head.why for head in self.heads], self.means, self.marks, self.best, self.by_hand, self.macro, self.micro,
            self.micro_marks, self.macro_best, self.micro_best, self.higher_is_better,
        )  # fmt: skip
        return systems_table(shown, BETTER, WORSE)

    @property
    def summary(self) -> str:
        """How many queries and systems there are, for the top bar."""
        queries = sum(head.queries for head in self.heads)
        systems = trn("{n:,} system", "{n:,} systems", len(self.systems))
        return f"{trn('{n:,} query', '{n:,} queries', queries)} · {systems}" if queries else systems


def pair_of(state: State, systems: Systems, baseline: str) -> tuple[str, str]:
    """Return the two systems that are compared, the second as the baseline: those chosen while they are there, else
    the first drawn system beside the baseline; ("", "") for fewer than two systems."""
    names = systems.names
    system, other = state.systems_pair
    if system in names and other in names and system != other:
        return system, other
    drawn = [name for name in names if name not in state.systems_hidden and name != baseline]
    candidates = drawn or [name for name in names if name != baseline]
    return (candidates[0], baseline) if candidates and baseline else ("", "")


def build_collections_view_model(
    state: State,
    systems: Systems,
    baseline: str,
    table: CollectionTable | None,
    tests: OverCollections | None,
    trouble: str,
) -> CollectionsViewModel:
    """Return the view model; without a table it says what is missing or computed."""
    collections = state.workspace.collections
    names, count = systems.names, len(collections)
    labels = _labels(state, systems, baseline)
    columns = {} if table is None else {name: position for position, name in enumerate(table.collections)}
    shape = (len(names), count)
    means, marks = np.full(shape, np.nan), np.zeros(shape, dtype=np.int64)
    best, by_hand = np.zeros(shape, dtype=np.bool_), np.zeros(shape, dtype=np.bool_)
    heads = []
    for position, collection in enumerate(collections):
        name = systems.collections[position]
        by_hand[:, position] = [system in systems.by_hand[position] for system in names]
        column = columns.get(name)
        if table is None or column is None:
            why = "" if collection.judgments else tr("no judgments")
            heads.append(CollectionHead(position, name, 0, why or (tr("no run") if table is not None else "")))
            continue
        rows = [table.systems.index(system) for system in names]
        means[:, position], marks[:, position] = table.means[rows, column], table.marks[rows, column]
        best[:, position] = table.best[rows, column]
        heads.append(CollectionHead(position, name, int(table.queries[column])))
    rows = [] if table is None else [table.systems.index(system) for system in names]
    nothing, none = np.full(len(names), np.nan), np.zeros(len(names), dtype=np.bool_)
    macro, micro = (nothing, nothing) if table is None else (table.macro[rows], table.micro[rows])
    micro_marks = np.zeros(len(names), dtype=np.int64) if table is None else table.micro_marks[rows]
    higher = True if table is None else table.higher_is_better
    order = _order(names, macro, micro, state.collections_sort)
    total = sum(head.queries for head in heads)
    view_model = CollectionsViewModel(
        title=tr("{systems} × {collections} · {measure}", systems=trn("{n:,} system", "{n:,} systems", len(names)),
                 collections=trn("{n:,} collection", "{n:,} collections", count), measure=state.measure),
        note=tr("means over queries · shade by column · a click opens the collection"),
        measure=str(state.measure),
        systems=tuple(labels[names[place]] for place in order),
        heads=tuple(heads),
        means=frozen(means[order]),
        marks=frozen(marks[order]),
        best=frozen(best[order]),
        by_hand=frozen(by_hand[order]),
        macro=frozen(macro[order]),
        micro=frozen(micro[order]),
        micro_marks=frozen(micro_marks[order]),
        macro_best=frozen((none if table is None else table.macro_best[rows])[order]),
        micro_best=frozen((none if table is None else table.micro_best[rows])[order]),
        inside=("", ""),
        sort=state.collections_sort,
        higher_is_better=higher,
        explanation=_explanation(systems, table, trouble),
    )  # fmt: skip
    if table is None:
        return view_model
    complete = table.complete
    queries = int(table.queries[complete].sum())
    inside = (
        trn("of {n:,} collection", "of {n:,} collections", int(complete.sum())),
        trn("of {n:,} query", "of {n:,} queries", queries),
    )
    view_model = replace(view_model, inside=inside, legend=_legend(table, view_model, systems, total))
    view_model = _with_forest(view_model, state, systems, labels, baseline, table)
    return view_model if tests is None else _with_tests(view_model, labels, table, tests)


def _explanation(systems: Systems, table: CollectionTable | None, trouble: str) -> str:
    if trouble:
        return trouble
    if table is not None:
        return ""
    if not systems.names:
        return tr(
            "No collection has runs. Open runs of the same systems on every collection, or a folder with all of them."
        )
    return tr("Evaluating the systems on every collection …")


def _labels(state: State, systems: Systems, baseline: str) -> dict[str, RunLabel]:
    """Return the labels of the systems, no two with the same colour: that of a system's run in the collection in view,
    else in the first that has it, or one that is free where another system has it. Of many systems the baseline and
    the pair have colours, and those that the user gave one; the others are grey."""
    places = sorted(range(len(systems.runs)), key=lambda place: place != state.current)
    entries: dict[str, RunEntry] = {}
    for name in systems.names:
        for place in places:
            entry = state.workspace.collections[place].run(systems.runs[place].get(name, -1))
            if entry is not None:
                entries[name] = entry
                break
    pair = pair_of(state, systems, baseline)
    chosen = [name for name in dict.fromkeys((baseline, *pair)) if name in entries]
    many = len(systems.names) > MANY_SYSTEMS
    slots = told_apart(
        [(name, entries[name].slot) for name in (chosen if many else dict.fromkeys((*chosen, *entries)))]
    )
    return {
        name: RunLabel(
            number, name, name, slots.get(name, entries[name].slot if name in entries else len(systems.names)),
            entries[name].colour if name in entries else None, name not in state.systems_hidden, name == baseline,
            False, name, grey=name not in slots,
        )
        for number, name in enumerate(systems.names)
    }  # fmt: skip


def _order(names: Sequence[str], macro: Floats, micro: Floats, sort: tuple[str, bool]) -> list[int]:
    column, descending = sort
    if column == "system":
        return sorted(range(len(names)), key=lambda place: names[place].casefold(), reverse=descending)
    values = {"macro": macro, "micro": micro}.get(column)
    if values is None:
        return list(range(len(names)))
    keys = np.where(np.isnan(values), np.inf, -values if descending else values)
    return [int(position) for position in np.argsort(keys, kind="stable").tolist()]


def _legend(table: CollectionTable, view_model: CollectionsViewModel, systems: Systems, total: int) -> str:
    """Return the meaning of the marks that occur, and what is left out."""
    parts = []
    if table.baseline is not None and table.marks.any():
        parts.append(
            tr("{better} better, {worse} worse than {baseline} ★ on that collection, p < {alpha} ({methods})",
               better=BETTER, worse=WORSE, baseline=table.systems[table.baseline], alpha=limit(table.options.alpha),
               methods="; ".join(table.methods))
        )  # fmt: skip
    if view_model.best.any() or view_model.macro_best.any() or view_model.micro_best.any():
        parts.append(tr("bold: the best of the column, whether or not a test shows it"))
    listed = [table.systems.index(system) for system in systems.names]
    elsewhere = [name for name, column in zip(table.collections, table.best.T, strict=True)
                 if column.any() and not column[listed].any()]  # fmt: skip
    if elsewhere:
        parts.append(tr("the best of {collections} takes part there alone and is not shown",
                        collections=name_some(elsewhere)))  # fmt: skip
    if view_model.by_hand.any():
        parts.append(tr("dotted: matched by hand"))
    if not table.complete.any():
        parts.append(tr("no collection has every system, so there are no macro and micro means"))
    if systems.alone:
        parts.append(
            trn("{n:,} run of a single collection takes part there and is not shown: match systems", "{n:,} runs of "
                "single collections take part there and are not shown: match systems", len(systems.alone))
        )  # fmt: skip
    return " · ".join([*parts, *table.notes])


def _with_forest(
    view_model: CollectionsViewModel,
    state: State,
    systems: Systems,
    labels: dict[str, RunLabel],
    baseline: str,
    table: CollectionTable,
) -> CollectionsViewModel:
    from irviewer.analysis.collections.collection_table import forest
    from irviewer.views.collections import ForestLine, forest_plot

    system, other = pair_of(state, systems, baseline)
    if not system or system not in table.systems or other not in table.systems:
        return replace(view_model, conclusion=tr("Two systems are needed to compare them over the collections."))
    plot = forest(table, system, other)
    lines = [_line(row.collection, row.queries, row.other_mean, row.mean, row.pair, row.weight, row.excluded)
             for row in plot.rows]  # fmt: skip
    overall = plot.overall
    nan = math.nan
    if overall.k > 1:
        lines.append(
            ForestLine("mean", tr("random-effects mean"), 0, nan, nan, overall.mean, overall.low, overall.high,
                       overall.p, nan)
        )  # fmt: skip
    if not math.isnan(overall.new_low):
        lines.append(
            ForestLine("new", tr("a new collection like these"), 0, nan, nan, nan, overall.new_low, overall.new_high,
                       nan, nan)
        )  # fmt: skip
    queries = sum(row.queries for row in plot.rows if not row.excluded)  # those that both systems have
    test = (table.methods or (tr("paired t-test"),))[0].split(",")[0]
    method = tr("{level} intervals ({method})", level=level_text(table.options.confidence),
                method=INTERVALS[table.options.interval])  # fmt: skip
    note = tr("{collections}, {queries} · {test} · {intervals} · square: weight", intervals=method,
              collections=trn("{n:,} collection", "{n:,} collections", overall.k),
              queries=trn("{n:,} query", "{n:,} queries", queries), test=test)  # fmt: skip
    return replace(
        view_model, pair=(system, other), pair_labels=(labels[system], labels[other]), forest=tuple(lines),
        forest_note=note, forest_table=forest_plot(
            lines, system, other, level=level_text(table.options.confidence), alpha=table.options.alpha,
            higher_is_better=table.higher_is_better, measure=view_model.measure,
        ),
        conclusion=_conclusion(plot),
    )  # fmt: skip


def _line(
    name: str, queries: int, other_mean: float, mean: float, pair: RunComparison | None, weight: float, why: str
) -> ForestLine:
    from irviewer.views.collections import ForestLine

    nan = math.nan
    if pair is None:
        return ForestLine("collection", name, queries, other_mean, mean, nan, nan, nan, nan, nan, why)
    return ForestLine(
        "collection", name, pair.n, other_mean, mean, pair.difference, pair.interval.low, pair.interval.high,
        math.nan if pair.undecided else pair.decision.p_corrected, weight, why, not pair.unproven,
    )  # fmt: skip


def _conclusion(plot: Forest) -> str:
    """Return what the collections come to, with the mean and where a further collection would lie."""
    overall, parts = plot.overall, [plot.sentence]
    if overall.k > 1:
        parts.append(
            tr("The mean difference is {mean} [{low}, {high}].", mean=quantity(overall.mean),
               low=quantity(overall.low), high=quantity(overall.high))
        )  # fmt: skip
    if not math.isnan(overall.new_low):
        if overall.new_low < 0 < overall.new_high:
            parts.append(tr("On another collection either system could be better."))
        else:
            parts.append(tr("Another collection is expected to have a difference of the same sign."))
    return " ".join(parts)


def _with_tests(
    view_model: CollectionsViewModel, labels: dict[str, RunLabel], table: CollectionTable, tests: OverCollections
) -> CollectionsViewModel:
    from irviewer.views.collections import pairs_table

    n = len(tests.collections)
    friedman = ""
    if tests.friedman is not None:
        differ = tests.friedman.p < tests.alpha
        words = (
            tr("the systems differ over the collections")
            if differ
            else tr("no difference between the systems is shown at {alpha}", alpha=limit(tests.alpha))
        )
        friedman = tr("{test}: {words}.", test=tests.friedman.text, words=words)
    left = [tr("{collection} (no value of {systems})", collection=name, systems=", ".join(systems))
            for name, systems in tests.excluded]  # fmt: skip
    notes = [tr("Left out: {collections}.", collections="; ".join(left))] if left else []
    notes.append(tr("Macro: every collection counts the same, for what to expect of a collection like these."))
    largest = int(np.argmax(np.where(table.complete, table.queries, -1))) if table.complete.any() else -1
    micro = tr("Micro: every query counts the same.")
    if largest >= 0:
        share = percent(float(table.queries[largest] / table.queries[table.complete].sum()))
        micro = tr("Micro: every query counts the same; {share} of them are those of {collection}.",
                   share=share, collection=table.collections[largest])  # fmt: skip
    notes.append(micro)
    critical = tests.critical_difference
    return replace(
        view_model,
        tests_title=trn("Over the {n:,} complete collection", "Over the {n:,} complete collections", n),
        pairs=pairs_table([table], [tests]) if tests.pairs else None,
        pairs_note=tests.reason or _pairs_note(tests, n),
        ranked=tuple(labels[name] for name in tests.systems) if not tests.reason else (),
        ranks=tuple(tests.ranks.tolist()) if not tests.reason else (),
        friedman=friedman,
        critical=critical,
        nemenyi="" if math.isnan(critical) else _nemenyi(tests),
        notes=tuple(notes),
    )


def _pairs_note(tests: OverCollections, n: int) -> str:
    text = trn("p after Holm over {n:,} pair, two-sided, both tests exact.",
               "p after Holm over {n:,} pairs, two-sided, both tests exact.", len(tests.pairs))  # fmt: skip
    swept = next((pair for pair in tests.pairs if n and max(pair.better, pair.worse) == n), None)
    if swept is not None and swept.sign_corrected >= tests.alpha:
        first, second = (swept.system, swept.other) if swept.better == n else (swept.other, swept.system)
        text += " " + tr("{first} is better than {second} on all {n}; that is too few to show it after correction.",
                         first=first, second=second, n=n)  # fmt: skip
    return text


def _nemenyi(tests: OverCollections) -> str:
    p = tests.nemenyi
    pairs = [
        tr("{first} and {second}: p = {p}", first=tests.systems[row], second=tests.systems[column],
           p=p_value(float(p[row, column])))
        for row in range(len(tests.systems))
        for column in range(row)
        if float(p[row, column]) < tests.alpha
    ]  # fmt: skip
    text = tr(
        "Nemenyi: average ranks differ at {alpha} if they are at least {difference} apart.",
        alpha=limit(tests.alpha),
        difference=quantity(tests.critical_difference),
    )
    return f"{text} " + (
        tr("These differ: {pairs}.", pairs="; ".join(pairs)) if pairs else tr("No two systems differ.")
    )
