"""The window holds what the other doors hold: random collections under random protocols, in English and in Spanish with
decimal commas. For every registered view the cells of the tab More, the files that its menu saves, the command line,
Python, CSV, JSON and Parquet have equal values to the last bit, and the line of the protocol word for word; where a
view has no answer every door gives the same reason. The differences and p of Systems are those of a view that compares
the same runs."""

from __future__ import annotations

import math
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from examples import examples
from hypothesis import Phase, example, given, settings
from hypothesis import strategies as st
from language_workers import LANGUAGES, Worker, workers_of
from latency_view import NAME as LATENCY
from pairs_view import NAME as PAIRS

from irviewer.formats.protocol_file import protocol_text
from irviewer.model.protocol import EvaluationProtocol, QuerySelection
from irviewer.views.manifest import BY_NAME

RUNS = ("alpha", "bm25", "gamma é", "délta", "日本")
QUERIES = tuple(f"{name}{n}" for n in range(4) for name in ("q", "é", "10"))
TEXTS = frozenset({"decided_by", "reason"})
"""Columns of sentences, which are in a language."""
VIEWS = (*BY_NAME, LATENCY, PAIRS)
PORTIONS = 13
"""An example opens a window and asks each door for each table, so that one of all views takes a quarter of a minute."""
FIELDS = st.fixed_dictionaries(
    {},
    optional={
        "test": st.sampled_from(["t", "wilcoxon", "sign", "randomisation"]),
        "zeros": st.sampled_from(["wilcox", "pratt"]),
        "family": st.sampled_from(["baseline", "pairs"]),
        "correction": st.sampled_from(["holm", "bonferroni", "bh", "none"]), "alpha": st.sampled_from([0.05, 0.3]),
        "interval": st.sampled_from(["percentile", "bca", "t"]), "confidence": st.sampled_from([0.95, 0.8]),
        "smallest": st.sampled_from([0.01, 0.2]), "seed": st.integers(0, 3),
        "level": st.sampled_from([1, 2]),
        "dialect": st.sampled_from(["trec_eval", "trec_eval-9", "ranx", "ir_measures"]),
        "missing": st.sampled_from(["zero", "intersection"]), "judged_only": st.booleans(),
        "depth": st.sampled_from([1, 3]), "unjudged": st.sampled_from(["unknown", "pooled", "complete", "sparse"]),
        "measures": st.sampled_from([("gm_map",), ("nDCG@5", "AP"), ("DCG@5",), ("RR",)]),
        "baseline": st.sampled_from(RUNS), "runs": st.sets(st.sampled_from(RUNS), min_size=2),
        "queries": st.sets(st.sampled_from(QUERIES), min_size=3),
    },
)  # fmt: skip
CASES = {
    "fields": FIELDS, "seed": st.integers(0, 10_000), "hidden": st.sets(st.sampled_from(RUNS), max_size=4),
    "edited": st.sampled_from(["", *RUNS]), "cost": st.sampled_from(["", "ms", "MB"]),
    "named": st.sampled_from(["ids", "file", "set"]), "ending": st.sampled_from(["csv", "parquet"]),
    "table": st.integers(0, 5),
}  # fmt: skip
SWEEP = {"step": 1.0, "folds": 2, "repeats": 1}
"""Few settings: a sweep of five runs by default is refused as too many."""
PHASES = (Phase.explicit, Phase.generate)
"""A case that fails is told as it was drawn: to make it smaller takes minutes."""


@pytest.fixture(scope="module")
def workers() -> Iterator[list[Worker]]:
    yield from workers_of(Path(__file__).with_name("window_worker.py"))


def write_collection(folder: Path, seed: int) -> list[str]:
    """Qrels with grades to 3 and some below 0, and runs with ties, gaps and unjudged documents, some without a query;
    tables of costs, which one run lacks, and of kinds of queries."""
    dice = np.random.default_rng(seed)
    lines = [f"{query} 0 dö{n} {dice.integers(-1, 4)}\n" for query in QUERIES for n in range(6)]
    (folder / "qrels.txt").write_text("".join(lines), "utf-8")
    paths = [str(folder / "qrels.txt")]
    for place, name in enumerate(RUNS):
        rows = [
            f"{query} Q0 dö{n} 1 {dice.integers(0, 6)} t\n"
            for query in QUERIES
            for n in range(8)
            if not (place and query == QUERIES[place]) and (n == 0 or dice.random() < 0.8)
        ]
        (folder / f"{name}.run").write_text("".join(rows), "utf-8")
        paths.append(str(folder / f"{name}.run"))
    costs = [f"{name},{dice.random()!r},{dice.integers(1, 5)}\n" for name in RUNS[:-1]]
    (folder / "costs.csv").write_text("run,ms,MB\n" + "".join(costs), "utf-8")
    kinds = [f"{query}\t{dice.choice(['red', 'blau ü'])}\n" for query in QUERIES]
    (folder / "kinds.tsv").write_text("query\tkind\n" + "".join(kinds), "utf-8")
    return paths


def request_of(
    folder: Path, fields: dict[str, Any], seed: int, hidden: set[str], edited: str, cost: str, named: str, ending: str,
    table: int, views: Sequence[str],
) -> dict[str, Any]:  # fmt: skip
    """A request to a worker: the files are written, and the protocol as a file. Besides JSON the doors write the format
    of an ending, the command line that of one table: by its number."""
    folder.mkdir()
    values = dict(fields)
    if "runs" in values:
        values["runs"] = sorted({*values["runs"], *filter(None, [values.get("baseline")])})
    if "queries" in values:
        path = folder / "some é.sets"
        path.write_text("".join(f"{query}\tfew\n" for query in sorted(values["queries"])), "utf-8")
        values["queries"] = {
            "ids": QuerySelection(ids=tuple(values["queries"])), "file": QuerySelection(file=str(path)),
            "set": QuerySelection("few", str(path)),
        }[named]  # fmt: skip
    protocol = EvaluationProtocol().but(**{"measures": ["AP"], **values}, samples=100)
    (folder / "p.protocol.toml").write_text(protocol_text(protocol), "utf-8")
    return {
        "folder": str(folder), "paths": write_collection(folder, seed), "protocol": str(folder / "p.protocol.toml"),
        "tables": {"runs": str(folder / "costs.csv"), "queries": str(folder / "kinds.tsv")},
        "parameters": {"trade-offs": {"cost": cost}, LATENCY: {"budget": 0.3}, "fusion-sweep": SWEEP},
        "hidden": sorted(hidden), "edited": edited, "views": list(views), "ending": ending,
        "table": table,
    }  # fmt: skip


def exact(value: Any) -> str:
    """A value as one text, whichever format it was in: numbers by their shortest exact digits, "" for none."""
    if value is None:
        return ""
    if isinstance(value, list):
        return exact(" ".join(map(str, value)))
    text = {"True": "true", "False": "false"}.get(str(value), str(value))
    try:
        return repr(float(text))
    except ValueError:
        return text


def exactly(columns: dict[str, list[Any]]) -> dict[str, list[str]]:
    return {key: list(map(exact, values)) for key, values in columns.items()}


def hold(workers: list[Worker], **drawn: Any) -> None:
    with tempfile.TemporaryDirectory() as place:
        for worker, language in zip(workers, LANGUAGES, strict=True):
            worker.ask(request_of(Path(place) / language, **drawn))
        answers = [worker.answer() for worker in workers]
    for answer in answers:
        for view, lines in answer["lines"].items():
            assert len(set(lines.values())) == 1, (view, lines)
            assert set(lines) == {"window", "command", "Python"}, (view, lines)
        for view, reasons in answer["troubles"].items():
            assert len(set(reasons.values())) == 1, (view, reasons)
            assert view not in answer["lines"] and set(reasons) == {"window", "command", "Python"}, (view, reasons)
        for view, doors in answer["values"].items():
            hold_values(view, doors)
        if answer["systems"]["view"]:
            hold_place(answer["systems"])
        if PAIRS in answer["values"]:
            hold_systems(answer)
            hold_matrices(answer, pairs=drawn["fields"].get("family") == "pairs")
    english, spanish = answers
    for view, doors in english["values"].items():
        for table, columns in doors["Python parquet"].items():
            other = spanish["values"][view]["Python parquet"][table]
            assert {key: each for key, each in columns.items() if key not in TEXTS} == {
                key: each for key, each in other.items() if key not in TEXTS
            }, (view, table)


def hold_values(view: str, doors: dict[str, Any]) -> None:
    """Files of all doors have all columns, the window's cells those that people are shown."""
    files = {door: tables for door, tables in doors.items() if door != "window"}
    assert len(files) == 5 and doors["window"], (view, list(files))
    wanted = {table: exactly(columns) for table, columns in files["Python parquet"].items()}
    for door, tables in files.items():
        if door in ("command csv", "command parquet"):  # of one table
            assert len(tables) == 1 and tables.keys() <= wanted.keys(), (view, door)
        else:
            assert tables.keys() == wanted.keys(), (view, door)
        for table, columns in tables.items():
            empty = not any(map(len, wanted[table].values()))  # a file of rows has no names of columns then
            expected = wanted[table]
            if door.endswith("json"):  # has no infinite numbers: null
                expected = {key: ["" if each in ("inf", "-inf") else each for each in values]
                            for key, values in expected.items()}  # fmt: skip
            assert empty or exactly(columns) == expected, (view, door, table)
    for table, columns in doors["window"].items():
        assert columns
        for key, values in exactly(columns).items():
            assert values == wanted[table][key], (view, "window", table, key)


def hold_place(systems: dict[str, Any]) -> None:
    """Every cell of the place Systems that the view ``systems`` has, edited copies with theirs. A run that the protocol
    leaves out has a row with its own means alone, in grey."""
    place, view = exactly(systems["cells"]), exactly(systems["view"])
    rows = {run: row for row, run in enumerate(place["run"])}
    assert set(rows) == {*view["run"], *systems["left_out"]} and len(rows) == len(place["run"])
    assert sorted(systems["muted"]) == sorted(systems["left_out"])
    compared = sorted(place.keys() & view.keys())
    assert {"run", "first"} < {*compared, "first"} and len(compared) > 1
    of_tests = ("difference", "ratio", "interval_low", "interval_high", "p_corrected", "group", "first")
    if "p_corrected" in view:
        assert {"p_corrected", "better"} <= {*compared, "better"} and ({"difference", "ratio"} & {*compared})
        for row, run in enumerate(view["run"]):
            counts = [view[name][row] for name in ("better", "equal", "worse")]
            shown = systems["cells"]["outcomes"][rows[run]] or ""
            words = [float(each) for each in shown.split(" · ")] if shown else ["", "", ""]
            assert list(map(exact, words)) == counts, run
    for key in compared:
        assert [place[key][rows[run]] for run in view["run"]] == view[key], key
    for run in systems["left_out"]:
        assert not any(place[key][rows[run]] for key in of_tests if key in place), run


def hold_systems(answer: dict[str, Any]) -> None:
    """The protocol's bar, and each run beside the baseline as Systems shows it: where all pairs are the family, those
    of the baseline."""
    assert answer["systems"]["line"] == answer["lines"][PAIRS]["window"]
    shown = answer["systems"]["rows"]
    columns = answer["values"][PAIRS]["Python parquet"]["comparison"]
    change = columns.get("ratio", columns.get("difference"))
    (baseline,) = (run for run, cells in shown.items() if cells["baseline"])
    compared = 0
    for place, pair in enumerate(zip(columns["run"], columns["other"], strict=True)):
        if baseline not in pair:
            continue
        run = pair[pair[0] == baseline]
        ours, theirs = shown[run]["difference"], change[place]
        if pair[0] != baseline:
            assert exact(ours) == exact(theirs), run
        elif "ratio" in columns:  # the other way round
            assert ours == theirs or ours * theirs == pytest.approx(1, rel=1e-13), run
        else:
            assert exact(ours) == exact(0.0 - theirs) if theirs is not None else ours is None, run
        assert exact(shown[run]["p_corrected"]) == exact(columns["p_corrected"][place]), run
        compared += 1
    assert compared == len(shown) - 1


def hold_matrices(answer: dict[str, Any], *, pairs: bool) -> None:
    """The differences of Matrices, both ways, and its p, which are of all pairs as a family."""
    columns = answer["values"][PAIRS]["Python parquet"]["comparison"]
    changes, cells = answer["matrices"]["difference"], answer["matrices"]["p"]
    for place, (run, other) in enumerate(zip(columns["run"], columns["other"], strict=True)):
        ours, back = changes[run][other], changes[other][run]
        if "ratio" in columns:
            wanted, shown, tolerance = columns["ratio"][place], (ours, 1 / back), 1e-13
        else:
            wanted, shown, tolerance = columns["difference"][place], (ours, -back), 0.0
        np.testing.assert_allclose(shown, [math.nan if wanted is None else wanted] * 2, tolerance, 0, err_msg=run)
        if pairs:
            p = columns["p_corrected"][place]
            shown = cells[run][other], cells[other][run]
            np.testing.assert_array_equal(shown, [math.nan if p is None else p] * 2, err_msg=run)
    names = {*columns["run"], *columns["other"]}
    assert not pairs or len(columns["run"]) == len(names) * (len(names) - 1) // 2


@pytest.mark.parametrize("portion", range(PORTIONS))
@settings(max_examples=2, phases=PHASES)
@given(**CASES)
def test_the_window_agrees_with_every_door(workers: list[Worker], portion: int, **drawn: Any) -> None:
    hold(workers, views=VIEWS[portion::PORTIONS], **drawn)


@settings(max_examples=4, phases=PHASES)
@example(
    fields={"runs": {"alpha", "délta"}, "measures": ("nDCG@5", "AP"), "test": "wilcoxon", "correction": "bonferroni"},
    seed=3, hidden={"délta"}, edited="alpha", cost="", named="ids", ending="csv", table=0,
)  # fmt: skip
@given(**CASES)
def test_the_place_systems_shows_the_cells_of_the_view(workers: list[Worker], **drawn: Any) -> None:
    hold(workers, views=("systems",), **drawn)


@pytest.mark.fuzz
@settings(examples(30), phases=PHASES)
@given(**CASES)
def test_the_window_agrees_with_every_door_in_bulk(workers: list[Worker], **drawn: Any) -> None:
    hold(workers, views=VIEWS, **drawn)
