"""Systems on several collections as tables: the means of each system, the difference of two systems on each collection
with its random-effects mean, and tests that count collections."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from irviewer.analysis.collections.collection_table import CollectionTable, Forest, OverCollections
from irviewer.analysis.statistics.significance.corrections import CORRECTIONS
from irviewer.errors import name_some
from irviewer.evaluation.bind import BoundProtocol
from irviewer.measures.tool_names import usual_name
from irviewer.model.arrays import Bools, Floats, Ints
from irviewer.model.number_text import level_text, limit, quantity
from irviewer.tables import column
from irviewer.tables.column import Column, ComparisonFamily
from irviewer.tables.table import Mark, Remark, Status, Table
from irviewer.translation import decimal, tr, trn
from irviewer.views.keys import data_keys
from irviewer.views.pairs import pair_columns
from irviewer.views.provenance import provenance
from irviewer.views.result import ViewResult
from irviewer.views.selection import chosen_remarks

NO_RUN = tr("no run")


def tables(
    by_measure: Sequence[CollectionTable],
    bound: BoundProtocol | None,
    *,
    forests: Sequence[Forest] = (),
    tests: Sequence[OverCollections] = (),
    matched: Sequence[tuple[str, str, str]] = (),
) -> ViewResult:
    """Return the tables ``systems`` (a column for each collection) and ``means`` (a row for each), and where they were
    asked for ``forest`` and ``overall``, ``pairs`` and ``ranks``, and ``matched``: system, collection and
    run of the runs that were matched by hand. ``by_measure`` has a table for each measure, ``tests`` those of each."""
    all_tables = [_systems(by_measure, chosen_remarks(bound)), _means(by_measure)]
    if forests:
        all_tables += [_forest(forests), _overall(forests)]
    if tests:
        all_tables += [pairs_table(by_measure, tests), _ranks(by_measure, tests)]
    if matched:
        all_tables.append(Table("matched", tr("Runs matched by hand"), (
            column.run("system", tr("system"), [system for system, _, _ in matched]),
            column.text("collection", tr("collection"), [collection for _, collection, _ in matched]),
            column.run("run", tr("run"), [run for _, _, run in matched]),
        )))  # fmt: skip
    parameters = {"collections": list(by_measure[0].collections), "baseline": _baseline(by_measure[0])}
    if forests:
        parameters["estimator"] = forests[0].overall.estimator
    return ViewResult(tuple(by_measure), tuple(all_tables)).with_provenance(
        provenance("collections", bound, parameters)
    )


def forest_tables(forest: Forest, bound: BoundProtocol | None) -> ViewResult:
    """Return the tables ``forest`` and ``overall`` of two systems."""
    all_tables = (_forest([forest]), _overall([forest]))
    return ViewResult(forest, all_tables).with_provenance(provenance("collections", bound))


@dataclass(frozen=True)
class ForestLine:
    """A row of the forest plot. ``kind``: a collection, the random-effects mean, or a further collection. NaN and ""
    where there is nothing; ``why`` says why there is no share in the mean, ``proves`` whether the test can show it."""

    kind: str
    title: str
    queries: int
    other_mean: float
    mean: float
    difference: float
    low: float
    high: float
    p: float
    weight: float
    why: str = ""
    proves: bool = True


def forest_plot(
    lines: Sequence[ForestLine],
    system: str,
    other: str,
    *,
    level: str,
    alpha: float,
    higher_is_better: bool,
    measure: str,
) -> Table:
    """Return the rows of a forest plot: the collections, the random-effects mean, where a further one would lie."""
    of_collection = [line.kind == "collection" for line in lines]
    family = ComparisonFamily("systems of a collection", len(lines), "", alpha)

    def numbers(name: str) -> Floats:
        return np.array([getattr(line, name) for line in lines], dtype=np.float64)

    def only(values: Floats, instead: str) -> list[str | None]:
        """The texts of what only collections have."""
        return [(instead if is_one else "") if math.isnan(value) or not is_one else None
                for value, is_one in zip(values.tolist(), of_collection, strict=True)]  # fmt: skip

    def means(key: str, run: str, values: Floats) -> Column:
        return column.number(key, run, values, texts=only(values, NO_RUN), missing=NO_RUN, titles=(run[:8],),
                             tip=tr("Mean of {run}", run=run))  # fmt: skip

    def tip(row: int) -> str:
        return f"{lines[row].title}\n{lines[row].why}".strip()

    n = np.array([line.queries if is_one else math.nan for line, is_one in zip(lines, of_collection, strict=True)])
    none = ["" if math.isnan(value) else None for value in numbers("weight").tolist()]
    words = tr("Square: the share in the mean. Diamond: the random-effects mean. Dashed: where the difference on a "
               "further collection would lie. Dotted line: the mean; solid line: no difference.")  # fmt: skip
    return Table("forest", tr("By collection"), (
        column.text("collection", tr("collection"), [line.title for line in lines], tips=tip, tip=tr("Collections")),
        column.text("kind", tr("kind"), [line.kind for line in lines], detail=True),
        column.count("n", "n", n, texts=only(n, ""), tip=tr("Number of queries that both have")),
        means("other_mean", other, numbers("other_mean")),
        means("mean", system, numbers("mean")),
        column.difference("difference", f"Δ {usual_name(measure)}", numbers("difference"), of="p",
                          better_up=higher_is_better, proves=[line.proves for line in lines],
                          texts=["" if math.isnan(line.difference) else None for line in lines],
                          tip=tr("{system} minus {other}; ▲ ▼ where the test shows it", system=system, other=other)),
        column.interval("interval", tr("{level} interval of Δ", level=level), numbers("low"), numbers("high"),
                        of="difference", tip=words),
        column.p_value("p", tr("p"), numbers("p"), family,
                       texts=["" if math.isnan(line.p) else None for line in lines],
                       tip=tr("p-value, corrected over the systems of the collection")),
        column.share("weight", tr("weight"), numbers("weight"), texts=none, tip=tr("Share in the random-effects mean")),
    ), keys=[(line.kind, line.title) for line in lines],
        status=Status.of(*(Status.TOTAL if line.kind == "mean" else Status.PLAIN for line in lines)),
    )  # fmt: skip


@dataclass(frozen=True, eq=False)
class SystemsOnCollections:
    """S systems on C open collections, as the window shows them: names, queries and reasons of collections without
    values; float64[S, C] means (NaN: none), int64[S, C] marks (1 better, -1 worse than the baseline), bool[S, C] the
    best and those matched by hand; the same of macro and micro means, ``inside`` says what they are of."""

    measure: str
    systems: Sequence[str]
    collections: Sequence[str]
    reasons: Sequence[str]
    means: Floats
    marks: Ints
    best: Bools
    by_hand: Bools
    macro: Floats
    micro: Floats
    micro_marks: Ints
    macro_best: Bools
    micro_best: Bools
    higher_is_better: bool


def systems_table(shown: SystemsOnCollections, better: str, worse: str) -> Table:
    """Return a row for each system, with a column for each open collection; ``better`` and ``worse`` are the signs of
    marks."""
    system = column.run("system", tr("system"), shown.systems, tip=tr("Systems; tick those to draw"))
    macro = column.number(
        "macro",
        tr("macro"),
        shown.macro,
        best=shown.macro_best.tolist(),
        better_up=shown.higher_is_better,
        tip=tr("The mean of the collections that every system has, each counting the same"),
    )
    micro = column.number("micro", tr("micro"), shown.micro, best=shown.micro_best.tolist(),
                          better_up=shown.higher_is_better,
                          tip=tr("The mean of the queries of these collections, each counting the same"))  # fmt: skip
    keys = data_keys(shown.collections, [system, macro, micro])
    words = {better: tr("better than the baseline here"), worse: tr("worse than the baseline here")}

    def tips(place: int) -> Callable[[int], str]:
        return lambda row: tr("The run was matched by hand") if shown.by_hand[row, place] else ""

    columns = [
        column.number(
            key, name, shown.means[:, place], names="collection", best=shown.best[:, place].tolist(), heat=True,
            better_up=shown.higher_is_better, missing=shown.reasons[place] or NO_RUN, tips=tips(place),
            texts=[(shown.reasons[place] or NO_RUN) if math.isnan(value) else None
                   for value in shown.means[:, place].tolist()],
            tip=tr("Mean {measure} on {collection}. A click opens it in Systems.", measure=shown.measure,
                   collection=name),
        )
        for place, (key, name) in enumerate(zip(keys, shown.collections, strict=True))
    ]  # fmt: skip
    marks = {}
    for key, sides in zip([*keys, "micro"], [*shown.marks.T, shown.micro_marks], strict=True):
        for row in np.flatnonzero(sides).tolist():
            sign = better if sides[row] > 0 else worse
            marks[row, key] = Mark("better" if sides[row] > 0 else "worse", sign, words[sign])
    title = tr("Systems on collections")
    return Table("systems", title, (system, *columns, macro, micro), keys=list(shown.systems), marks=marks)


def _baseline(table: CollectionTable) -> str | None:
    return None if table.baseline is None else table.systems[table.baseline]


def _systems(by_measure: Sequence[CollectionTable], notes: tuple[Remark, ...]) -> Table:
    rows = [(table, place) for table in by_measure for place in range(len(table.systems))]
    first = by_measure[0]
    alone, up = len(by_measure) < 2, first.higher_is_better
    fixed = [
        column.measures("measure", tr("measure"), [table.measure for table, _ in rows], detail=len(by_measure) < 2),
        column.run("system", tr("system"), [table.systems[place] for table, place in rows]),
    ]
    ends = [
        column.number(
            "macro",
            tr("macro"),
            [table.macro[place] for table, place in rows],
            better_up=up,
            best=first.macro_best.tolist() if alone else False,
        ),
        column.number(
            "micro",
            tr("micro"),
            [table.micro[place] for table, place in rows],
            better_up=up,
            best=first.micro_best.tolist() if alone else False,
        ),
    ]
    keys = data_keys(first.collections, [*fixed, *ends])
    means = [
        column.number(
            key,
            f"{name} ({decimal(f'{n:,}')})",
            [table.means[place, number] for table, place in rows],
            names="collection",
            missing=NO_RUN,
            better_up=up,
            best=first.best[:, number].tolist() if alone else False,
        )
        for number, (key, name, n) in enumerate(zip(keys, first.collections, first.queries.tolist(), strict=True))
    ]
    marks = {}
    for row, (table, place) in enumerate(rows):
        for key, side in zip([*keys, "micro"], [*table.marks[place].tolist(), table.micro_marks[place]], strict=True):
            if side:
                marks[row, key] = _mark(table, int(side))
    title = ", ".join(table.measure for table in by_measure)
    return Table("systems", title, (*fixed, *means, *ends), marks=marks, notes=(*_notes(by_measure), *notes))


def _mark(table: CollectionTable, side: int) -> Mark:
    alpha, methods = limit(table.options.alpha), "; ".join(table.methods)
    if side > 0:
        text = tr("better than {baseline} on that collection, p < {alpha} ({methods})", baseline=_baseline(table),
                  alpha=alpha, methods=methods)  # fmt: skip
        return Mark("better", "▲", text)
    text = tr("worse than {baseline} on that collection, p < {alpha} ({methods})", baseline=_baseline(table),
              alpha=alpha, methods=methods)  # fmt: skip
    return Mark("worse", "▼", text)


def _notes(by_measure: Sequence[CollectionTable]) -> tuple[Remark, ...]:
    notes = [
        Remark("means", means_note(table), {"complete": int(table.complete.sum())}, warns=False) for table in by_measure
    ]
    notes += [Remark("alone", text, warns=False) for text in map(alone_note, by_measure) if text]
    notes += [Remark("collections", text) for table in by_measure for text in table.notes]
    return tuple({note.text: note for note in notes}.values())


def means_note(table: CollectionTable) -> str:
    """Return a sentence that explains macro and micro means."""
    complete = int(table.complete.sum())
    if not complete:
        return tr("No collection has a value of every system: there is no macro and no micro mean.")
    queries = int(table.queries[table.complete].sum())
    note = trn(
        "Macro: the mean of the one collection that has every system. Micro: the mean of its "
        "{queries:,} queries, each counting the same.",
        "Macro: the mean of the {n:,} collections that have every system, each counting the same. "
        "Micro: the mean of their {queries:,} queries, each counting the same.",
        complete, queries=queries,
    )  # fmt: skip
    if table.ragged:
        note += " " + tr("A mean is over the queries that the run has; marks and Δ are over those that both runs have.")
    return note


def alone_note(table: CollectionTable) -> str:
    """Return a sentence about the systems of a single collection; "" without any."""
    if not table.alone:
        return ""
    return trn(
        "{systems} has a run on one collection alone: it takes part there, and macro and micro means and tests over "
        "collections do not need it.",
        "{systems} have runs on one collection alone each: they take part there, and macro and micro means and tests "
        "over collections do not need them.",
        len(table.alone), systems=name_some(table.alone),
    )  # fmt: skip


def _means(by_measure: Sequence[CollectionTable]) -> Table:
    cells = [
        (table, row, place)
        for table in by_measure
        for row in range(len(table.systems))
        for place in range(len(table.collections))
    ]
    first = by_measure[0]
    family = ComparisonFamily(
        "systems of a collection", len(first.systems) - 1, CORRECTIONS[first.options.correction], first.options.alpha
    )
    outcomes = {1: "better", -1: "worse", 0: None}
    shown = [outcomes[int(table.marks[row, place])] for table, row, place in cells]
    return Table("means", tr("Means by collection"), (
        column.measures("measure", tr("measure"), [table.measure for table, _, _ in cells]),
        column.run("system", tr("system"), [table.systems[row] for table, row, _ in cells]),
        column.text("collection", tr("collection"), [table.collections[place] for table, _, place in cells]),
        column.count("queries", tr("queries"), [int(table.queries[place]) for table, _, place in cells]),
        column.flag("run", tr("has a run"), [bool(table.present[row, place]) for table, row, place in cells]),
        column.flag("complete", tr("has every system"), [bool(table.complete[place]) for table, _, place in cells]),
        column.number("mean", tr("mean"), [table.means[row, place] for table, row, place in cells]),
        column.flag("best", tr("best"), [bool(table.best[row, place]) for table, row, place in cells]),
        column.outcome("outcome", tr("outcome"), shown),
        column.p_value("p_corrected", "p", [_p(*cell) for cell in cells], family),
    ))  # fmt: skip


def _p(table: CollectionTable, row: int, place: int) -> float:
    """Return the corrected p-value of a system and the baseline on a collection; NaN if there is none."""
    compared = table.compared[place]
    if compared is None or row == table.baseline or table.systems[row] not in compared.names:
        return math.nan
    return compared.find(table.systems[row]).decision.p_corrected


def _forest(forests: Sequence[Forest]) -> Table:
    rows = [(forest, row) for forest in forests for row in forest.rows]
    tested = next((row.pair for _, row in rows if row.pair is not None), None)
    alpha = 0.05 if tested is None else tested.alpha
    decision = None if tested is None else tested.decision
    family = ComparisonFamily(
        "systems of a collection", 0 if decision is None else decision.comparisons,
        "" if decision is None else decision.correction, alpha,
    )  # fmt: skip
    left = [
        Remark("no_share", tr("{collection} has no share: {reason}.", collection=row.collection, reason=row.excluded))
        for _, row in rows
        if row.excluded
    ]
    first = forests[0]
    title = tr("{measure}: {system} against {other}", measure=first.measure, system=first.system, other=first.other)
    if len(forests) > 1:
        title = tr("Differences from {other} on each collection", other=first.other)
    sentences = [Remark("forest", forest.sentence, {"system": forest.system}, warns=False) for forest in forests]
    return Table("forest", title, (
        column.measures("measure", tr("measure"), [forest.measure for forest, _ in rows], detail=len(forests) < 2),
        column.run("system", tr("system"), [forest.system for forest, _ in rows], detail=len(forests) < 2),
        column.run("other", tr("other"), [forest.other for forest, _ in rows], detail=True),
        column.text("collection", tr("collection"), [row.collection for _, row in rows]),
        column.count("n", tr("n"), [row.queries if row.pair is None else row.pair.n for _, row in rows]),
        column.number("other_mean", first.other, [row.other_mean for _, row in rows]),
        column.number("mean", first.system if len(forests) < 2 else tr("mean"), [row.mean for _, row in rows]),
        *pair_columns([row.pair for _, row in rows], family),
        column.share("weight", tr("weight"), [row.weight for _, row in rows]),
        column.text("excluded", tr("no share"), [row.excluded or None for _, row in rows], detail=True),
    ), notes=(*sentences, *left))  # fmt: skip


def _overall(forests: Sequence[Forest]) -> Table:
    overall = [forest.overall for forest in forests]
    logs = [forest.geometric for forest in forests]
    level = level_text(overall[0].level)
    return Table("overall", tr("Random-effects mean"), (
        column.measures("measure", tr("measure"), [forest.measure for forest in forests]),
        column.run("system", tr("system"), [forest.system for forest in forests]),
        column.run("other", tr("other"), [forest.other for forest in forests], detail=True),
        column.count("collections", tr("collections"), [each.k for each in overall]),
        column.difference("difference", "Δ", [each.mean for each in overall], log=logs, better_up=True),
        column.interval("interval", tr("{level} interval", level=level), [each.low for each in overall],
                        [each.high for each in overall], of="difference", log=logs),
        column.p_value("p", "p", [each.p for each in overall], None),
        column.interval("new", tr("a new collection"), [each.new_low for each in overall],
                        [each.new_high for each in overall], log=logs),
        column.number("tau2", "τ²", [each.tau2 for each in overall]),
        column.number("q", "Q", [each.q for each in overall]),
        column.p_value("q_p", tr("p of Q"), [each.q_p for each in overall], None),
        column.share("i2", "I²", [each.i2 for each in overall]),
        column.text("method", tr("method"), [each.estimator for each in overall], detail=True),
    ))  # fmt: skip


def pairs_table(by_measure: Sequence[CollectionTable], tests: Sequence[OverCollections]) -> Table:
    """Return every two systems over the complete collections."""
    rows = [(table, pair) for table, test in zip(by_measure, tests, strict=True) for pair in test.pairs]
    family = ComparisonFamily("pairs of systems", max((len(test.pairs) for test in tests), default=0), "Holm",
                              tests[0].alpha)  # fmt: skip
    notes = [Remark("tests", text) for test in tests for text in test.notes]
    for table, test in zip(by_measure, tests, strict=True):
        if test.friedman is not None:
            friedman = test.friedman
            values = {"measure": table.measure, "chi2": friedman.chi2, "p": friedman.p, "exact": friedman.exact,
                      "chi2_p": friedman.chi2_p}  # fmt: skip
            notes.append(Remark("friedman", f"{friedman.text}.", values, warns=False))
        if not test.reason:
            text = tr("Nemenyi's critical difference at {alpha}: {difference} ranks.", alpha=limit(test.alpha),
                      difference=quantity(test.critical_difference))  # fmt: skip
            notes.append(Remark("nemenyi", text, {"ranks": test.critical_difference}, warns=False))
    title = trn(
        "{measure}: over the one complete collection",
        "{measure}: over the {n} complete collections",
        len(tests[0].collections), measure=", ".join(table.measure for table in by_measure),
    )  # fmt: skip
    return Table("pairs", title, (
        column.measures("measure", tr("measure"), [table.measure for table, _ in rows], detail=len(by_measure) < 2),
        column.run("system", tr("system"), [pair.system for _, pair in rows]),
        column.run("other", tr("other"), [pair.other for _, pair in rows]),
        column.difference("difference", tr("mean Δ"), [pair.difference for _, pair in rows],
                          log=[table.geometric for table, _ in rows],
                          better_up=[table.higher_is_better for table, _ in rows]),
        column.count("better", tr("better on"), [pair.better for _, pair in rows]),
        column.count("worse", tr("worse on"), [pair.worse for _, pair in rows]),
        column.p_value("sign_p", tr("sign test"), [pair.sign for _, pair in rows], None, detail=True),
        column.p_value("sign_p_corrected", tr("sign, Holm"), [pair.sign_corrected for _, pair in rows], family),
        column.p_value("wilcoxon_p", tr("Wilcoxon"), [pair.wilcoxon for _, pair in rows], None, detail=True),
        column.p_value("wilcoxon_p_corrected", tr("Wilcoxon, Holm"), [pair.wilcoxon_corrected for _, pair in rows],
                       family),
    ), notes=tuple({note.text: note for note in notes}.values()))  # fmt: skip


def _ranks(by_measure: Sequence[CollectionTable], tests: Sequence[OverCollections]) -> Table:
    rows = [
        (table.measure, system, rank)
        for table, test in zip(by_measure, tests, strict=True)
        for system, rank in zip(test.systems, np.asarray(test.ranks).tolist(), strict=True)
    ]
    return Table("ranks", tr("Average ranks"), (
        column.measures("measure", tr("measure"), [measure for measure, _, _ in rows], detail=len(by_measure) < 2),
        column.run("system", tr("system"), [system for _, system, _ in rows]),
        column.number("rank", tr("average rank"), [rank for _, _, rank in rows], decimals=2),
    ))  # fmt: skip
