"""One view of the truth: every table and plot of the window holds what the command line prints of the same files after
the same edits, for random collections, rules, sets, filters and hidden runs."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from irviewer.analysis.statistics.result_comparison import untestable
from irviewer.analysis.statistics.significance.test_results import TESTS
from irviewer.gui.query.metrics_model import show_metrics
from irviewer.gui.query.screen import QueryScreen
from irviewer.gui.systems.screen import SystemsScreen
from irviewer.gui.tables.model import TableModel
from irviewer.gui.tables.result_columns import ResultColumn
from irviewer.gui.window import MainWindow
from irviewer.measures.parser import parse_measure
from irviewer.model.dialects import DIALECTS
from irviewer.model.number_text import p_value
from irviewer.session.protocol.fields import DECIDING
from irviewer.session.session import Session
from irviewer.session.settings import Settings
from irviewer.session.view_models.query import QueryViewModel
from tests.helpers.one_view import MEASURES, NAN, PrintedValues, Tally, curve_at, note_of, rows_of, shown, write_case
from tests.session.helpers import run_values

MakeWindow = Callable[[Session], MainWindow]
FLOOR = 1e-5
"""What a geometric mean takes a smaller value for."""
USUAL = 4
IN_BULK, EACH = 6, 6
"""Cases of the bulk: so many tests of so many cases each."""


@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (0, 2, 3))])
def test_the_window_holds_what_the_command_line_prints(make_window: MakeWindow, tmp_path: Path, seed: int) -> None:
    assert run_cases(make_window, tmp_path, range(seed, seed + 1)).counts.total() > 100


@pytest.mark.fuzz
@pytest.mark.parametrize("part", range(IN_BULK))
def test_so_it_is_for_any_collection(make_window: MakeWindow, tmp_path: Path, part: int) -> None:
    begin = USUAL + part * EACH
    run_cases(make_window, tmp_path, range(begin, begin + EACH))


def run_cases(make_window: MakeWindow, folder: Path, seeds: range) -> Tally:
    tally = Tally()
    session = Session(Settings())
    session.settings["hints"] = False
    window = make_window(session)
    try:
        for seed in seeds:
            while session.view.collection is not None:
                session.files.close_collection()
            place = folder / f"case {seed}"
            place.mkdir()
            case = Case(session, window, random.Random(seed), place, tally)
            case.check()
            assert not tally.wrong, f"case {seed}, {case.printed.common} {case.printed.comparing}:\n" + "\n".join(
                tally.wrong[:40]
            )
    finally:
        session.close()
    return tally


class Case:
    """A random collection in the window, and the command line on what it is of."""

    def __init__(self, session: Session, window: MainWindow, dice: random.Random, folder: Path, tally: Tally) -> None:
        self.session, self.window, self.dice, self.folder, self.tally = session, window, dice, folder, tally
        files = write_case(folder, dice)
        session.files.open_files(files)
        assert session.view.collection is not None
        assert len(session.view.workspace.collections) == 1, [message.text for message in session.view.messages]
        self._choose_rules()
        self._edit()
        self._choose_view()
        self.printed = self._command_line(files)

    # --- what a user would do ---

    def _choose_rules(self) -> None:
        session, dice = self.session, self.dice
        session.protocol.set(dialect=dice.choice(list(DIALECTS)) if dice.random() < 0.6 else "trec_eval")
        session.protocol.set(level=dice.choice((1, 1, 2)))
        session.protocol.set(judged_only=dice.random() < 0.25)
        session.protocol.set(test=dice.choice(list(DECIDING)))
        session.protocol.set(zeros=dice.choice(("wilcox", "pratt")))
        session.protocol.set(tukey="parametric" if dice.random() < 0.8 else "randomised")
        session.protocol.set(correction=dice.choice(("holm", "bonferroni", "bh", "none")))
        session.protocol.set(interval=dice.choice(("percentile", "bca", "t")))
        session.protocol.set_number("samples", "200")
        session.protocol.set_number("seed", str(dice.randint(0, 99)))
        session.protocol.set_number("alpha", dice.choice((".05", ".2", ".5")))
        session.protocol.set_number("confidence", dice.choice((".95", ".8")))

    def _edit(self) -> None:
        """Judgments, lists, runs: some changed, some of that undone, some done again."""
        session, dice = self.session, self.dice
        assert session.view.context is not None
        queries = list(session.view.context.query_ids)
        for _ in range(dice.randint(0, 4)):
            assert session.view.collection is not None
            session.navigation.set_query(dice.choice(queries))
            runs = session.view.collection.runs
            entry = dice.choice(runs)
            ranking = entry.run.ranking(session.view.query_id) if session.view.query_id in entry.run.query_index else []
            what = dice.random()
            if what < 0.5 and ranking:
                session.judging.judge(dice.choice(ranking), dice.choice((0, 1, 2, 3)))
            elif what < 0.6 and len(runs) > 2:
                session.runs.remove_run(dice.choice(runs).key)
            elif what < 0.9 and len(ranking) > 2 and len(runs) < 7:
                copies = [run_entry.key for run_entry in runs if run_entry.edited is not None]
                key = copies[-1] if copies else session.run_editing.edit_copy(entry.key)
                assert key is not None
                copy = session.view.collection.run(key)
                order = (
                    copy.run.ranking(session.view.query_id)
                    if copy is not None and session.view.query_id in copy.run.query_index
                    else []
                )
                if len(order) > 1:
                    session.run_editing.move_document(key, dice.choice(order), dice.randint(1, len(order)))
                    session.run_editing.remove_document(key, dice.choice(order))
            elif dice.random() < 0.5:
                session.history.undo()
            else:
                session.history.undo()
                session.history.redo()
        assert session.view.collection is not None
        for entry in session.view.collection.runs:
            if entry.is_copy:  # files hold runs: a copy is none until it is kept
                session.run_editing.keep_as_run(entry.key)

    def _choose_view(self) -> None:
        """What is chosen, shown and hidden; which queries numbers are of."""
        session, dice = self.session, self.dice
        assert session.view.collection is not None
        assert session.view.context is not None
        keys = [entry.key for entry in session.view.collection.runs]
        session.evaluation.set_measure(dice.choice(MEASURES))
        session.runs.set_baseline(dice.choice(keys))
        session.runs.show_runs(dice.sample(keys, dice.randint(1, len(keys))))
        session.runs.set_focus(dice.choice(keys))
        session.navigation.set_query(dice.choice(list(session.view.context.query_ids)))
        self.only: tuple[str, ...] = ()
        if dice.random() < 0.3:
            self.only = tuple(
                dice.sample(list(session.view.context.query_ids), max(2, len(session.view.context.query_ids) // 2))
            )
            session.query_sets.set_query_set(
                session.query_sets.make_query_set("some", self.only, looked=dice.random() < 0.3)
            )
        self.weights = ""
        if dice.random() < 0.2:
            self.weights = str(self.folder / "weights.tsv")
            rows = [f"{query}\t{dice.choice((0.5, 1, 2, 3))}\n" for query in session.view.context.query_ids]
            Path(self.weights).write_text("".join(rows))
            session.query_sets.open_query_weights(self.weights)
        for name in ("median", "mean", "agreement"):
            session.columns.set_query_column(name, dice.random() < 0.3)

    def _command_line(self, files: list[str]) -> PrintedValues:
        session = self.session
        assert session.view.collection is not None
        assert session.view.judgments is not None
        assert session.view.context is not None
        after = self.folder / "after"
        after.mkdir()
        qrels = files[0]
        if session.view.judgments.overlay:
            qrels = str(after / "after.qrels")
            session.judging.export_merged(qrels)
        origins = {Path(name).stem: name for name in files[1:]}
        runs = []
        for entry in session.view.collection.runs:
            if entry.run.origin:
                runs.append(origins[entry.name])
            else:
                runs.append(str(after / f"{entry.name}.run"))
                session.run_editing.save_run(entry.key, runs[-1])
        chosen = session.protocol.declared.inference
        common = ["--level", f"{session.view.level:g}", "--dialect", session.view.dialect]
        common += ["--judged-only"] if session.view.judged_only else []
        names = tuple(entry.name for entry in session.view.collection.runs)
        baseline = next(entry.name for entry in session.view.collection.runs if entry.key == session.view.baseline)
        comparing = ["--correction", chosen.correction, "--interval", chosen.interval, "--samples", str(chosen.samples)]
        comparing += ["--seed", str(chosen.seed), "--alpha", str(chosen.alpha), "--confidence", str(chosen.confidence)]
        self.baseline = baseline
        only = ""
        if self.only:
            only = str(after / "only.txt")
            Path(only).write_text("".join(f"{query}\n" for query in self.only))
            comparing += ["--looked"] if session.query_sets.every[0].looked else []
        return PrintedValues(qrels, tuple(runs), names, tuple(common), tuple(comparing), only)

    # --- what is compared ---

    def check(self) -> None:
        self.measure = str(self.session.view.measure)
        self.plainly_ranked = self.session.view.dialect in ("trec_eval", "gdeval") and not self.session.view.judged_only
        self.shown = [label.name for label in self.session.view.labels() if label.shown]
        self.focus = next((label.name for label in self.session.view.labels() if label.focus), None)
        self.systems()
        self.queries()
        self.failures()
        self.query()
        self.rank_by_rank()
        self.reading()
        self.ledger()
        self.pair()
        self.matrices()
        self.pool()
        self.sets()

    def place(self, name: str, tab: str = "") -> Any:
        """A place in the window, up to date, with what comes in the background."""
        self.session.navigation.set_place(name)
        if tab:
            self.session.navigation.set_tab(name, tab)
        self.session.compute_now()
        self.window.flush()
        place = self.window.current_screen
        return place if not tab else place.view(tab)  # type: ignore[attr-defined]

    def mean(self, numbers: dict[str, tuple[float, dict[str, float]]], run: str, measure: str) -> float:
        """The mean of a run, over the queries of the set in force where there is one."""
        if not self.only:
            return numbers[run][0]
        compared = self.printed.compared(measure, "--baseline", self.baseline)
        if compared is None:
            return NAN
        return next(
            NAN if record["mean"] is None else record["mean"] for record in compared["runs"] if record["name"] == run
        )

    def systems(self) -> None:
        place = self.place("systems")
        assert isinstance(place, SystemsScreen)
        model, tally, printed = place.table.model, self.tally, self.printed
        runs = [model.columns[0].text(row) for row in range(model.rowCount())]
        tally.same("runs of Systems", sorted(runs), sorted(printed.names))
        measures = [column for column in model.columns
                    if isinstance(column, ResultColumn) and column.values.names == "measure"]  # fmt: skip
        numbers = printed.values([column.id for column in measures])
        for column in measures:
            if self.only and untestable(parse_measure(column.id)):
                continue  # the command line has no sum over some queries
            means = {run: self.mean(numbers[column.id], run, column.id) for run in runs}
            for row, run in enumerate(runs):
                tally.near("mean", column.value(row), means[run], column.id, run)
                tally.same(
                    "mean as text",
                    text_of(model, row, column.id),
                    shown(means[run], column.values.show.whole is True),
                    column.id,
                    run,
                )
            if column.id == self.measure:
                delta = model.columns[model.column_of("delta")]
                changes = self._changes(means, numbers[column.id])
                for row, run in enumerate(runs):
                    if run != self.baseline:
                        tally.near("Δ of means", delta.value(row), changes[run], run, within=0)
        self._statistics(model, runs)
        self._averaged_curves(place)

    def _averaged_curves(self, place: SystemsScreen) -> None:
        tally, view_model = self.tally, self.session.view_models.systems_view_model()
        assert view_model is not None
        place.load_plots()
        for panel, figure in zip(place.plots, (view_model.precision_recall, view_model.by_cutoff), strict=True):
            tally.same("figure in its panel", panel.canvas.figure is figure, True)  # type: ignore[union-attr]
        recall, cutoff = view_model.precision_recall, view_model.by_cutoff
        depth = int(cutoff.x.high)
        chosen = self.session.view.measure
        plain = chosen.name not in ("nDCG", "DCG") or not chosen.given
        kinds = [("pr", recall, "precision"), *([("ndcg", cutoff, "nDCG")] if plain else [])]
        tally.same("runs of curves", [curve.label for curve in recall.curves], self.shown)
        if not self.session.view.judged_only and not self.only:
            for kind, figure, _ in kinds:
                rows = self._curves(kind, depth)
                for curve in figure.curves:
                    for x, y in curve_at(rows, curve.label):
                        tally.near(f"curve {kind}", curve.at(x), y, curve.label, x)
        # Where the command line has no such curve it has the measures that the curve is of.
        name = chosen.text if chosen.name == "nDCG" else "nDCG"
        cut = {f"{name.split('@')[0]}@{k}": k for k in {1, 2, depth}}
        levels = {f"IPrec(cut='exact')@{r}": r for r in (0.0, 0.3, 0.55)}
        wanted = {**({} if chosen.name == "DCG" else cut), **levels}
        numbers = self.printed.values(list(wanted))
        for text, x in wanted.items():
            figure = recall if text in levels else cutoff
            for curve in figure.curves:
                tally.near(
                    "point of a curve", curve.at(x), self.mean(numbers[text], curve.label, text), curve.label, text
                )

    def _curves(self, kind: str, depth: int, *words: str) -> Any:
        printed = self.printed
        common = [*printed.common, "--kind", kind, "--depth", str(depth), "--format", "json", *words]
        return rows_of(json.loads(printed.text("curves", printed.qrels, *printed.runs, *common)))

    def _changes(self, means: dict[str, float], numbers: dict[str, tuple[float, dict[str, float]]]) -> dict[str, float]:
        """Each run's difference to the baseline as the command line compares them: over the queries that both have,
        never of means over different queries. Sums, which it does not compare, over the values it prints of those."""
        measure = parse_measure(self.measure)
        compared = self.printed.compared(self.measure, "--baseline", self.baseline)
        if compared is not None:
            pairs = {
                pair["run"]: pair["ratio" if compared["geometric"] else "difference"] for pair in compared["pairs"]
            }
            return {run: NAN if pairs.get(run) is None else pairs[run] for run in means}
        if measure.aggregate != "sum":
            return {run: self.change(mean, means[self.baseline]) for run, mean in means.items()}
        base = numbers[self.baseline][1]
        common = {run: values.keys() & base.keys() for run, (_, values) in numbers.items()}
        return {
            run: sum(numbers[run][1][query] - base[query] for query in queries) if queries else NAN
            for run, queries in common.items()
        }

    def _statistics(self, model: TableModel, runs: list[str]) -> None:
        tally, printed = self.tally, self.printed
        beside = printed.compared(self.measure, "--baseline", self.baseline, *self._tests(), *self._weighing())
        view_model = self.session.view_models.systems_view_model()
        assert view_model is not None
        tally.same("statistics there", view_model.statistics is not None, beside is not None and len(runs) > 1)
        if beside is None or view_model.statistics is None:
            return
        by_run = {pair["run"]: pair for pair in beside["pairs"]}
        own = {record["name"]: record for record in beside["runs"]}
        declared = beside["test"]
        for row, run in enumerate(runs):
            tally.near("low of a mean", view_model.statistics.mean_low[row], own[run]["low"], run)
            tally.near("high of a mean", view_model.statistics.mean_high[row], own[run]["high"], run)
            pair = by_run.get(run)
            if pair is None:
                tally.same("baseline's cells", [text_of(model, row, name) for name in ("p", "outcomes")], ["–", ""])
                continue
            p = pair[f"{declared} p corrected"]
            tally.near("p", view_model.statistics.p[row], p, run)
            tally.same("p as text", text_of(model, row, "p"), "–" if p is None else p_value(p), run)
            tally.same("shown", bool(view_model.statistics.shown[row]), pair["shown"], run)
            for end, mine in (("low", view_model.statistics.low[row]), ("high", view_model.statistics.high[row])):
                if beside["geometric"]:  # logarithms, for the axis that they are drawn on
                    tally.near(end, np.exp(mine), pair[f"ratio {end}"], run)
                else:
                    tally.near(end, mine, pair[end], run)
            won = " · ".join(f"{pair[outcome]:,}" for outcome in ("wins", "ties", "losses"))
            tally.same("outcomes", text_of(model, row, "outcomes"), won, run)
            tally.same("verdict", view_model.statistics.conclusions[row], pair["verdict"], run)
        tally.same("letters of a family with a baseline", "group" in {column.id for column in model.columns}, False)
        if view_model.statistics.first is not None:
            chosen = self.session.protocol.declared.inference
            words = [
                "stability",
                printed.qrels,
                *printed.runs,
                "-m",
                self.measure,
                *printed.common,
                "--samples",
                str(chosen.samples),
                "--seed",
                str(chosen.seed),
                "--format",
                "json",
            ]
            words += ["--query-set", printed.only] if self.only else []
            first = {record["run"]: record["first"] for record in json.loads(printed.text(*words))["tables"][0]["rows"]}
            for row, run in enumerate(runs):
                tally.near("comes first", view_model.statistics.first[row], first[run], run)
        weighted = (
            printed.compared(self.measure, "--baseline", self.baseline, "--weights", self.weights)
            if self.weights
            else None
        )
        if weighted is not None and view_model.weighted is not None:
            for row, run in enumerate(runs):
                mean = next(record["weighted mean"] for record in weighted["runs"] if record["name"] == run)
                tally.near("weighted mean", view_model.weighted[row], mean, run)

    def _weighing(self) -> list[str]:
        return ["--weights", self.weights] if self.weights else []

    def _tests(self) -> list[str]:
        return ["--test", self.session.protocol.declared.inference.decides]

    def queries(self) -> None:
        dice = self.dice
        words = dice.choice(("", "", "Δ > 0", "relevant > 2", "Δ < .1"))
        self.session.navigation.filter_queries(words)
        place = self.place("queries", "table")
        model, tally = place.table.model, self.tally
        numbers = self.printed.values([self.measure, "NumRel", "NumRet"])
        values = numbers[self.measure]
        view_model = self.session.view_models.queries_view_model()
        assert view_model is not None
        keys = {str(label.key): label.name for label in view_model.runs}
        ids = [text_of(model, row, "query") for row in range(model.rowCount())]
        focus = next((label.name for label in self.session.view.labels() if label.focus), None)
        every = self._deltas(values, focus)
        assert self.session.view.context is not None
        within = set(self.only or self.session.view.context.query_ids)
        relevant = {
            query: max(column_of_numbers[1].get(query, 0) for column_of_numbers in numbers["NumRel"].values())
            for query in within
        }
        tests = {"": lambda _: True, "Δ > 0": lambda key: every[key] > 0, "Δ < .1": lambda key: every[key] < 0.1,
                 "relevant > 2": lambda key: relevant[key] > 2}  # fmt: skip
        tally.same("queries that the filter leaves", sorted(ids), sorted(filter(tests[words], within)), words)
        counts = parse_measure(self.measure).counts
        collection = self.session.view.collection
        assert collection is not None
        taking_part = [entry.name for entry in collection.runs if entry.edited is None]  # shown or hidden
        for row, query in enumerate(ids):
            for key, name in keys.items():
                value = values[name][1].get(query, NAN)
                tally.near("value of a query", model.columns[model.column_of(key)].value(row), value, query, name)
                tally.same("value as text", text_of(model, row, key), shown(value, counts), query, name)
            tally.near("Δ of a query", model.columns[model.column_of("delta")].value(row), every.get(query, NAN), query)
            seen = [value for name in taking_part if not np.isnan(value := values[name][1].get(query, NAN))]
            # A value that a run lacks where the query counts for it was not reached, which no range can hold.
            missed = any(
                query in numbers["NumRet"][name][1] and np.isnan(values[name][1].get(query, NAN))
                for name in taking_part
            )
            spread = self.change(max(seen), min(seen)) if len(seen) > 1 and not missed else NAN
            tally.near("spread", model.columns[model.column_of("spread")].value(row), spread, query)
            if any(query in column_of_numbers[1] for column_of_numbers in numbers["NumRel"].values()):
                tally.same("relevant", text_of(model, row, "relevant"), f"{relevant[query]:.0f}", query)
        bars = view_model.bars.bars
        assert bars is not None
        tally.same("bars", list(bars.keys), ids)
        for query, height in zip(bars.keys, bars.heights.tolist(), strict=True):
            tally.near("height of a bar", height, self.height(every.get(query, NAN)), query)
        beside = self.printed.compared(self.measure, "--baseline", self.baseline)
        if not words and beside is not None and focus not in (None, self.baseline):
            pair = next(pair_record for pair_record in beside["pairs"] if pair_record["run"] == focus)
            won = [pair["wins"], pair["ties"], pair["losses"]]
            tally.same("better, equal, worse", [view_model.better, view_model.equal, view_model.worse], won)
        if self.session.columns.query_columns and view_model.field is not None:
            self._field(model, ids, focus)
        self._sorted(model, ids)
        self.session.navigation.filter_queries("")

    def _sorted(self, model: TableModel, ids: list[str]) -> None:
        """The queries in an order that was asked for: of the values that are there."""
        column = self.dice.choice([each for each in model.columns if isinstance(each, ResultColumn) and each.right])
        descending = self.dice.random() < 0.5
        self.session.navigation.sort_queries(column.id, descending)
        self.window.flush()
        after = [text_of(model, row, "query") for row in range(model.rowCount())]
        self.tally.same("queries in another order", sorted(after), sorted(ids))
        values = [model.columns[model.column_of(column.id)].value(row) for row in range(model.rowCount())]
        known = [value for value in values if value is not None]
        self.tally.same("no value stands last", values[: len(known)], known, column.id)
        self.tally.same("order", known, sorted(known, reverse=descending), column.id)  # type: ignore[type-var]
        self.session.navigation.sort_queries("query", False)

    def _field(self, model: TableModel, ids: list[str], focus: str | None) -> None:
        """What all runs say of a query."""
        printed = self.printed
        asked = [
            "medians",
            printed.qrels,
            *printed.runs,
            "-m",
            self.measure,
            *printed.common,
            "--format",
            "json",
        ]
        asked += ["--query-set", printed.only] if self.only else []
        if printed.refused(*asked):
            return
        rows = json.loads(printed.text(*asked))["tables"][0]["rows"]
        differences = {row["query"]: {**row, "differences": row, "ratios": row} for row in rows}
        for row, query in enumerate(ids):
            of_query = differences.get(query)
            if of_query is None:
                continue
            for name in ("mean", "agreement"):
                place = model.column_of(name)
                if place >= 0:
                    self.tally.near(
                        f"field: {name}", model.columns[place].value(row), of_query[name], query, within=1e-9
                    )  # type: ignore[arg-type]
            place = model.column_of("median")
            if place >= 0 and focus is not None and parse_measure(self.measure).aggregate != "geometric":
                value = of_query["differences"][focus]
                self.tally.near("field: median", model.columns[place].value(row), value, query)  # type: ignore[arg-type]

    def change(self, mine: float, base: float, measure: str = "") -> float:
        """A difference as it is shown: the ratio of values, none below the floor, where the mean is geometric."""
        if parse_measure(measure or self.measure).aggregate != "geometric":
            return mine - base
        return max(mine, FLOOR) / max(base, FLOOR)

    def height(self, change: float) -> float:
        """How far it is drawn: ratios by their logarithms."""
        return float(np.log(change)) if parse_measure(self.measure).aggregate == "geometric" else change

    def _deltas(
        self, values: dict[str, tuple[float, dict[str, float]]], focus: str | None, measure: str = ""
    ) -> dict[str, float]:
        assert self.session.view.context is not None
        if focus is None:
            return dict.fromkeys(self.session.view.context.query_ids, NAN)
        mine, base = values[focus][1], values[self.baseline][1]
        ids = self.session.view.context.query_ids
        return {query: self.change(mine.get(query, NAN), base.get(query, NAN), measure) for query in ids}

    def query(self) -> None:
        place = self.place("query")
        assert isinstance(place, QueryScreen)
        model, tally, query = place.metrics.model, self.tally, self.session.view.query_id
        view_model = self.session.view_models.query_view_model()
        assert view_model is not None
        tally.same("measures of a query", [str(key) for key in model.keys], [row.measure for row in view_model.metrics])
        numbers = self.printed.values([str(key) for key in model.keys])
        keys = {str(column.run.key): column.run.name for column in view_model.columns}
        beside = TableModel()
        show_metrics(beside, view_model, differences=True)
        for row, measure in enumerate(map(str, model.keys)):
            for key, name in keys.items():
                value = numbers[measure][name][1].get(query, NAN)
                tally.near("metric", model.columns[model.column_of(key)].value(row), value, measure, name)
            for key, name in keys.items():
                if name != self.baseline:
                    delta = self._deltas(numbers[measure], name, measure).get(query, NAN)
                    tally.near("Δ of a metric", beside.columns[beside.column_of(key)].value(row), delta, measure, name)
        self._curves_of_query(place)
        self._ranks(view_model)
        for column in view_model.columns:
            tally.near("value over a list", column.value, numbers[self.measure][column.run.name][1].get(query, NAN))

    def _ranks(self, view_model: QueryViewModel) -> None:
        """Where the runs have a document, in the lists, among what is missed, in the view of relevant documents."""
        session, tally, printed, query = self.session, self.tally, self.printed, self.session.view.query_id
        self.place("queries", "relevant")
        relevant = session.list_judging.relevant_view_model()
        assert relevant is not None
        documents = list(relevant.doc_ids)
        self.place("query")
        if not documents:
            return
        document = self.dice.choice(documents)
        words = ["-q", query, "--document", document, *printed.common, "--format", "json"]
        ranks = {}
        for name, run in zip(printed.names, printed.runs, strict=True):
            answer = json.loads(printed.text("explain", printed.qrels, run, *words))
            ranks[name] = note_of(answer, "position")["values"]["rank"] or 0
        row = documents.index(document)
        for column, label in enumerate(relevant.runs):
            tally.same("rank of a relevant document", int(relevant.ranks[row, column]), ranks[label.name], document)
        for column in view_model.columns:
            listed = column.doc_ids.index(document) + 1 if document in column.doc_ids else 0
            tally.same("rank in a list", listed, ranks[column.run.name], document, column.run.name)
        for missed in view_model.missed:
            if missed.doc_id == document:
                shown = [ranks[column.run.name] for column in view_model.columns]
                tally.same("ranks of what is missed", list(missed.ranks), shown, document)

    def _curves_of_query(self, place: QueryScreen) -> None:
        session, tally, query = self.session, self.tally, self.session.view.query_id
        place.load_plots()
        for raw, discounted in ((False, True), (True, False)):
            session.curves.set_curve_look("pr_raw", raw)
            session.curves.set_query_gain("dcg" if discounted else "cg")
            self.window.flush()
            view_model = session.view_models.query_view_model()
            assert view_model is not None
            if session.view.judged_only:
                continue
            rows = self._curves("pr-raw" if raw else "pr", 5, "--query", query)
            for curve in view_model.precision_recall.curves:
                first: dict[float, float] = {}
                for x, y in curve_at(rows, curve.label):
                    first.setdefault(x, y)
                tally.same("a curve at all", bool(len(curve.x)), bool(first), curve.label)
                for x, y in first.items():
                    tally.near("precision by recall", curve.at(x), y, curve.label, x, raw)
            if session.view.measure.name in ("nDCG", "DCG") and session.view.measure.given:
                continue
            depth = int(view_model.gain.x.high)
            rows = self._curves("dcg" if discounted else "cg", depth, "--query", query)
            for curve in view_model.gain.curves:
                for x, y in curve_at(rows, curve.label):
                    if x <= depth and len(curve.x):
                        tally.near("gain by rank", curve.at(x), y, curve.label, x, discounted)

    def _grades(self, run: str, query: str) -> list[float] | None:
        """The grades of a ranked list as the command line explains it, NaN for an unjudged document."""
        printed = self.printed
        asked = [
            "explain",
            printed.qrels,
            printed.runs[printed.names.index(run)],
            "-m",
            "DCG",
            "-q",
            query,
            *printed.common,
        ]
        if printed.refused(*asked):
            return None
        rows = rows_of(json.loads(printed.text(*asked, "--format", "json")))
        return [NAN if row["grade"] is None else row["grade"] for row in rows]

    def rank_by_rank(self) -> None:
        """The ranking vectors and the relevance map: every grade of a list at its rank."""
        session, tally = self.session, self.tally
        assert session.view.judgments is not None
        if not self.plainly_ranked or session.view.judgments.regime.value == "complete":
            return
        self.place("query")
        view_model = session.failures.vector_view_model()
        assert view_model is not None
        for row in view_model.rows:
            grades = self._grades(row.run.name, view_model.query_id)
            if grades is None:
                continue
            for rank, (mine, theirs) in enumerate(zip(row.grades.tolist(), grades, strict=False), 1):
                tally.near("grade in a ranking vector", mine, theirs, row.run.name, view_model.query_id, rank)
            tally.same("length of a ranking vector", len(row.grades), min(len(grades), view_model.depth))
        self.place("queries", "table")
        queries = session.view_models.queries_view_model()
        assert queries is not None
        if queries.map is None:
            return
        for column, query in list(enumerate(queries.query_ids))[:3]:
            cells = queries.map.cells[:, column].tolist()
            shown_cells = [cell for cell in cells if cell != -np.inf]
            grades = self._grades(queries.map.run.name, query)
            if grades is not None:
                tally.same("length of a column of the map", len(shown_cells), min(len(grades), len(cells)), query)
                for rank, (mine, theirs) in enumerate(zip(shown_cells, grades, strict=False), 1):
                    tally.near("grade in the map", mine, theirs, query, rank)

    def reading(self) -> None:
        """Recall while a list is read, and what a stop there finds."""
        session, tally = self.session, self.tally
        self.place("queries", "recall")
        view_model = session.failures.recall_view_model()
        assert view_model is not None
        if not self.plainly_ranked or view_model.effort is None or view_model.run is None:
            return
        numbers = self.printed.values([f"R@{view_model.stop}", "NumRel", "SetR"])
        recall, relevant, whole = (
            numbers[text][view_model.run.name][1] for text in (f"R@{view_model.stop}", "NumRel", "SetR")
        )
        for row, query in enumerate(view_model.effort.query_ids):
            if query in relevant and (not self.only or query in self.only):
                tally.same("relevant when reading", int(view_model.effort.relevant[row]), int(relevant[query]), query)
                if relevant[query]:
                    tally.near(
                        "recall when reading stops",
                        view_model.effort.recall(view_model.stop)[row],
                        recall[query],
                        query,
                    )
                    _, heights = view_model.effort.curve(row)
                    tally.near("recall of the whole list", float(heights[-1]), whole[query], query)

    def ledger(self) -> None:
        session, tally = self.session, self.tally
        if self.focus is None:
            return
        printed = self.printed
        run = printed.runs[printed.names.index(self.focus)]
        against = ["--against", printed.runs[printed.names.index(self.baseline)]] if self.focus != self.baseline else []
        words = [printed.qrels, run, "-m", self.measure, *printed.common, "--format", "json"]
        session.explaining.explain()
        self.place("query")
        view_model = session.explaining.ledger_view_model()
        if view_model is not None and not view_model.explanation:
            whole = json.loads(printed.text("explain", *words, "-q", session.view.query_id))
            rows = rows_of(whole)
            tally.same("rows of a ledger", len(view_model.documents), len(rows))
            for column in view_model.table.columns:
                for row, row_record in enumerate(rows):
                    mine, theirs = column.values[row], row_record.get(column.key)
                    if (
                        column.key == "grade"
                        and session.view.judgments is not None
                        and session.view.judgments.regime.value == "complete"
                    ):
                        continue  # what is not listed is non-relevant there
                    if column.is_text:
                        tally.same("text of a ledger", mine, theirs, column.key, row)
                    else:
                        tally.near("number of a ledger", float(mine), theirs, column.key, row)
            tally.same("worked", view_model.worked, note_of(whole, "worked")["text"])
            refused = printed.refused("explain", *words, "-q", session.view.query_id, *against)
            if against:
                tally.same("a difference taken apart", view_model.difference is None, refused)
            if against and not refused:
                apart = json.loads(printed.text("explain", *words, "-q", session.view.query_id, *against))
                mine = (
                    None
                    if view_model.difference is None or view_model.difference.waterfall is None
                    else view_model.difference
                )
                if mine is not None and mine.waterfall is not None:
                    tally.near(
                        "sum of a waterfall",
                        float(mine.waterfall.deltas.sum()),
                        note_of(apart, "worked")["values"]["delta"],
                        within=1e-9,
                    )
        self.place("systems")
        view_model = session.explaining.mean_view_model()
        if view_model is not None and not view_model.explanation and not self.only:
            whole = json.loads(printed.text("explain", *words))
            values = {record["query"]: record for record in rows_of(whole)}
            tally.same("queries behind a mean", sorted(view_model.documents), sorted(values))
            for row, query in enumerate(view_model.documents):
                tally.near(
                    "value behind a mean",
                    float(view_model.table.column("value").values[row]),
                    values[query]["value"],
                    query,
                )
                tally.near(
                    "share of a mean",
                    float(view_model.table.column("share").values[row]),
                    values[query]["share"],
                    query,
                )
            tally.same("worked mean", view_model.worked, note_of(whole, "worked")["text"])
        session.explaining.stop_explaining()

    def pair(self) -> None:
        session, tally = self.session, self.tally
        place = self.place("compare", "pair")
        view_model = session.comparison.pair_view_model()
        assert view_model is not None
        options = session.protocol.declared.inference
        others = (replace(options, test="wilcoxon").decides, "sign", "randomisation")
        beside = ["--test", options.decides, *(word for name in others for word in ("--also-test", name))]
        compared = self.printed.compared(self.measure, "--baseline", self.baseline, *beside)
        if compared is None or self.focus in (None, self.baseline):
            tally.same("no test without a pair", place.tests.model.rowCount(), 0)
            return
        pair_record = next(record for record in compared["pairs"] if record["run"] == self.focus)
        tally.same("conclusion of the pair", view_model.conclusion, pair_record["conclusion"])
        by_title = {TESTS[name].title: name for name in TESTS}
        for row in view_model.tests:
            name = by_title.get(row.name)
            if name is None or f"{name} p" not in pair_record:
                continue
            p, corrected = pair_record[f"{name} p"], pair_record[f"{name} p corrected"]
            at_most = bool(pair_record.get(f"{name} p at most"))
            if TESTS[name].family:  # it corrects itself
                tally.near("p of a test of all pairs", row.corrected, p, name)
                continue
            tally.near("p of a test", row.p, p, name)
            tally.same("p is a bound", row.at_most, at_most, name)
            if row.corrected is not None:
                tally.near("corrected p", row.corrected, corrected, name)
        values = self.printed.values([self.measure])[self.measure]
        points = view_model.scatter.points
        assert points is not None
        for key, x, y in zip(points.keys, points.x.tolist(), points.y.tolist(), strict=True):
            base, mine = (values[name][1].get(key, NAN) for name in (self.baseline, self.focus))
            known = not np.isnan(base + mine)
            tally.near("point of the scatter", x, base if known else NAN, key)
            tally.near("point of the scatter", y, mine if known else NAN, key)
        histogram = view_model.histogram.histogram
        if histogram is not None and not compared["geometric"]:
            deltas = [value for query, value in self._deltas(values, self.focus).items() if query in points.keys]
            other = [delta for delta in deltas if abs(delta) > 1e-9]  # what is equal stands in the note
            tally.same("queries in the histogram", int(histogram.counts.sum()), len(other))
            counts = [sum(low <= delta < high or delta == high == histogram.edges[-1] for delta in other)
                      for low, high in pairwise(histogram.edges.tolist())]  # fmt: skip
            tally.same("bars of the histogram", histogram.counts.tolist(), counts)
            sizes = sorted((abs(delta) for delta in deltas if not np.isnan(delta)), reverse=True)
            for place in range(1, len(sizes) + 1 if sum(sizes) > 0 else 0):
                share = sum(sizes[:place]) / sum(sizes)
                tally.near("share of the difference", view_model.share.curves[0].at(place), share, place, within=1e-9)

    def matrices(self) -> None:
        session, tally, printed = self.session, self.tally, self.printed
        pairs = printed.compared(self.measure, "--pairs", *self._tests())
        for kind in ("difference", "p", "rbo", "rbo-min", "overlap", "tau", "tau-ap", "measures"):
            session.matrices.set_matrix(kind)
            self.place("compare", "matrices")
            view_model = session.matrices.matrix_view_model()
            assert view_model is not None
            matrix = None if view_model.figure is None else view_model.figure.matrix
            if kind in ("difference", "p"):
                tally.same("a matrix at all", matrix is not None, pairs is not None, kind)
                if pairs is None or matrix is None:
                    continue
                names = [matrix.full_name(place) for place in range(len(matrix.names))]
                for record in pairs["pairs"]:
                    row, column = names.index(record["run"]), names.index(record["other"])
                    if kind == "difference":
                        value = record["ratio"] if pairs["geometric"] else record["difference"]
                        tally.near(
                            "matrix of differences", matrix.values[row, column], value, record["run"], record["other"]
                        )
                    else:
                        value = record[f"{pairs['test']} p corrected"]
                        tally.near("matrix of p", matrix.values[row, column], value, record["run"], record["other"])
            elif kind == "measures":
                if matrix is not None and not self.only:
                    words = [word for text in matrix.names for word in ("-m", text)]
                    rows = printed.json("measure-agreement", *words)["tables"][0]["rows"]
                    for row, line in enumerate(rows):
                        for column, value in enumerate(list(line.values())[1:]):
                            tally.near("agreement of measures", matrix.values[row, column], value, row, column)
            elif matrix is not None and self.plainly_ranked and not self.only:
                words = ["--qrels", printed.qrels, "--kind", kind, "--format", "json"]
                answer = json.loads(printed.text("similarity", *printed.runs, *words))
                similarities = {row["run"]: row for row in rows_of(answer, "matrix")}
                names = [matrix.full_name(place) for place in range(len(matrix.names))]
                for row, mine in enumerate(names):
                    for column, other in enumerate(names):
                        value = similarities[mine][other]
                        tally.near("likeness", matrix.values[row, column], value, kind, mine, other)

    def pool(self) -> None:
        session, tally, printed = self.session, self.tally, self.printed
        place = self.place("compare", "pool")
        view_model = session.pooling.pool_view_model()
        assert view_model is not None
        assert session.view.judgments is not None
        if self.only or not len(view_model.runs) or not place.table.model.rowCount():
            return
        words = ["-m", self.measure, "--unjudged", session.view.judgments.regime.value, "-k", str(view_model.cutoff)]
        answer = printed.json("pool", *words)
        judged_records = {record["run"]: record for record in rows_of(answer, "runs")}
        records = {record["run"]: record | judged_records[record["run"]] for record in rows_of(answer, "limits")}
        for position, label in enumerate(view_model.runs):
            pool_record = records[label.name]
            assert view_model.table is not None
            mine = {column.key: column.numbers.get("") for column in view_model.table.columns if not column.is_text}
            row = int(view_model.rows[position])
            for name in ("value", "least", "most", "relevant_alone", f"unjudged_{view_model.cutoff}", "rbp_residual"):
                if name in ("least", "most") and view_model.words:
                    continue
                tally.near(f"pool: {name}", float(mine[name][row]), pool_record[name], label.name, within=1e-9)
            moved = pool_record["without_its_own"]
            if moved is not None and pool_record["value"] is not None:
                tally.near("pool: change", mine["change"][row], moved - pool_record["value"], label.name, within=1e-9)
            tally.near(
                "pool: rank",
                mine["rank_change"][row],
                None if moved is None else pool_record["rank_without_its_own"] - pool_record["rank"],
                label.name,
            )
            if label.name != self.baseline:
                turned = self.baseline in pool_record["could_fall_below"] if not view_model.words else False
                others = self.baseline and label.name in records[self.baseline]["could_fall_below"]
                if " " not in label.name + self.baseline and not view_model.words:
                    tally.same(
                        "pool: turned", (row, "value") in view_model.table.marks, bool(turned or others), label.name
                    )

    def sets(self) -> None:
        session, tally, printed = self.session, self.tally, self.printed
        place = self.place("compare", "sets")
        view_model = session.query_sets.sets_view_model()
        assert view_model is not None
        if not self.only or not place.table.model.rowCount() or untestable(session.view.measure):
            return
        asked = [
            "query-sets",
            printed.qrels,
            *printed.runs,
            "-m",
            self.measure,
            *printed.common,
            "--query-set",
            printed.only,
        ]
        if printed.refused(*asked):
            return
        rows = json.loads(printed.text(*asked, "--format", "json"))["tables"][0]["rows"]
        kinds = {"all": rows[-1], "set": rows[0]}
        weighted = None if not self.weights else printed.compared(self.measure, "--weights", self.weights)
        if weighted is not None:
            kinds["weighted"] = {record["name"]: record["weighted mean"] for record in weighted["runs"]}
        for row, set_row in enumerate(view_model.rows):
            for column, label in enumerate(view_model.runs):
                tally.near(
                    "mean of a set",
                    run_values(view_model.table)[row, column],
                    kinds[set_row.kind][label.name],
                    set_row.title,
                    label.name,
                )

    def failures(self) -> None:
        session, tally, printed = self.session, self.tally, self.printed
        assert session.view.judgments is not None
        regime = ["--unjudged", session.view.judgments.regime.value]
        self.place("queries", "failures")
        view_model = session.failures.failures_view_model()
        assert view_model is not None
        words = ["-m", self.measure, "-k", str(view_model.limits.cutoff), *regime]
        if not self.only and len(printed.runs) > 1:
            rows = rows_of(printed.json("failures", *words, "--baseline", self.baseline))
            theirs = {(record["query"], record["run"]): record for record in rows if record["run"] in self.shown}
            mine = {
                (query, view_model.runs[run].name): row
                for row, (query, run) in enumerate(zip(view_model.query_ids, view_model.run.tolist(), strict=True))
            }
            tally.same("queries where runs fail", sorted(mine), sorted(theirs))
            for key in mine.keys() & theirs.keys():
                row, their_record = mine[key], theirs[key]
                for name in ("value", "to_baseline", "to_median", "first_relevant", "non_relevant_above", "relevant",
                             "unjudged_on_top", "found_below"):  # fmt: skip
                    value, other = view_model.table.column(name).numbers[""], their_record[name]
                    tally.near(f"failures: {name}", float(value[row]), other, *key)
        self.place("queries", "hubs")
        hubs = session.list_judging.hubs_view_model()
        assert hubs is not None
        if self.plainly_ranked and not self.only:
            words = ["failures", printed.qrels, *printed.runs, *printed.common, *words, "--hubs", "--format", "json"]
            theirs = {record["document"]: record for record in rows_of(json.loads(printed.text(*words)))}
            tally.same("documents that mislead", sorted(hubs.doc_ids), sorted(theirs))
            for row, document in enumerate(hubs.doc_ids):
                if document in theirs:
                    their_record = theirs[document]
                    names = ("queries", "non_relevant", "unjudged", "runs", "best_rank")
                    mine = [int(hubs.table.column(name).values[row]) for name in names]
                    tally.same("how a document misleads", mine, [their_record[name] for name in names], document)
        self.place("queries", "worklist")
        work = session.list_judging.worklist_view_model()
        assert work is not None
        if not self.only and not work.explanation and len(work.doc_ids):
            words = [
                "pool",
                printed.qrels,
                *printed.runs,
                *printed.common,
                "--worklist",
                "-m",
                self.measure,
                "--format",
                "json",
            ]
            rows = rows_of(json.loads(printed.text(*words)))
            mine = [(query, document) for query, document in zip(work.query_ids, work.doc_ids, strict=True)]
            tally.same("worklist", mine, [(record["query"], record["document"]) for record in rows])
            change = work.table.column("change").values
            for row, their_record in enumerate(rows[: len(mine)]):
                tally.near("change of a worklist", change[row], their_record["change"], *mine[row], within=1e-9)


def text_of(model: TableModel, row: int, column: str) -> str:
    """The text of a cell, as Qt asks for it."""
    return str(model.data(model.index(row, model.column_of(column))))
