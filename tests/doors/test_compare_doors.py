"""The window, the command line and Python compare runs alike: equal numbers bit for bit, and the line word for word."""

from __future__ import annotations

import json
import math
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import irviewer
from irviewer.cli import main
from irviewer.formats.protocol_file import protocol_text
from irviewer.model.protocol import EvaluationProtocol, QuerySelection
from irviewer.session.session import Session

pytestmark = pytest.mark.filterwarnings("ignore::irviewer.errors.IrviewerWarning")  # of a query that a run lacks
RUNS = ("alpha", "bm25", "gamma", "delta")
FIELDS = st.fixed_dictionaries(
    {},
    optional={
        "test": st.sampled_from(["t", "wilcoxon", "sign", "randomisation"]),
        "correction": st.sampled_from(["holm", "bonferroni", "bh", "none"]), "level": st.sampled_from([1, 2]),
        "dialect": st.sampled_from(["trec_eval", "trec_eval-9", "ranx", "ir_measures"]),
        "measures": st.sampled_from(["gm_map", "nDCG@5", "DCG@5"]),
        "baseline": st.sampled_from(RUNS), "queries": st.sets(st.integers(0, 11), min_size=3),
    },
)  # fmt: skip


def write_collection(folder: Path, seed: int) -> list[str]:
    """Qrels with grades to 3, and runs with ties, of which the last lacks a query."""
    dice = np.random.default_rng(seed)
    lines = [f"{query} 0 d{n} {dice.integers(0, 4)}\n" for query in range(12) for n in range(6)]
    (folder / "qrels.txt").write_text("".join(lines))
    paths = [str(folder / "qrels.txt")]
    for name in RUNS:
        rows = [
            f"{query} Q0 d{n} 1 {dice.integers(0, 6)} t\n"
            for query in range(12)
            for n in range(8)
            if not (name == RUNS[-1] and query == 5) and dice.random() < 0.8
        ]
        (folder / f"{name}.run").write_text("".join(rows))
        paths.append(str(folder / f"{name}.run"))
    return paths


def protocol_with(fields: dict[str, Any], folder: Path) -> EvaluationProtocol:
    """The drawn fields, with a file of queries for those of them that count."""
    values = dict(fields)
    if "queries" in values:
        path = folder / "sets"
        path.write_text("".join(f"{query}\tfew\n" for query in sorted(values["queries"])))
        values["queries"] = QuerySelection("few", str(path))
    return EvaluationProtocol().but(**{**values, "measures": [measure_of(fields)]}, samples=200)


def measure_of(fields: dict[str, Any]) -> str:
    """The drawn measure, else AP."""
    return str(fields.get("measures", "AP"))


def numbers(pair: Any) -> list[float]:
    """What a comparison of two runs comes to; a ratio where the mean is geometric."""
    return [*pair.change.shown, pair.decision.p, pair.decision.p_corrected]


def in_window(paths: list[str], fields: dict[str, Any]) -> tuple[str, dict[str, list[float]]]:
    """The line and the numbers of each run in the window."""
    session = Session()
    try:
        session.files.open_files(paths)
        session.evaluation.set_measure(measure_of(fields))
        session.protocol.set_number("samples", "200")
        chosen = {name: fields[name] for name in ("test", "correction", "level", "dialect") if name in fields}
        if chosen:
            session.protocol.set(**chosen)
        assert session.view.collection is not None
        keys = {entry.name: entry.key for entry in session.view.collection.runs}
        if "baseline" in fields:
            session.runs.set_baseline(keys[fields["baseline"]])
        if "queries" in fields:
            session.query_sets.make_query_set("few", [str(query) for query in fields["queries"]], looked=False)
            session.query_sets.set_query_set("few")
        session.navigation.set_place("systems")
        session.compute_now()
        compared, bound = session.comparison.compared("baseline"), session.view.protocol
        assert compared is not None
        assert bound is not None
        pairs = {name: compared.pair(key) for name, key in keys.items()}
        view_model = session.view_models.systems_view_model()
        assert view_model is not None
        shown = {label.name: delta for label, delta in zip(view_model.runs, view_model.delta.tolist(), strict=True)}
        for name, pair in pairs.items():
            assert pair is None or shown[name] == pair.difference, "Δ of Systems"
        return bound.line(), {name: numbers(pair) for name, pair in pairs.items() if pair is not None}
    finally:
        session.close()


def agree(fields: dict[str, Any], seed: int, capsys: pytest.CaptureFixture[str]) -> None:
    """Hold all doors against each other."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        paths = write_collection(folder, seed)
        protocol = protocol_with(fields, folder)
        (folder / "p.toml").write_text(protocol_text(protocol))
        capsys.readouterr()
        assert main.main(["compare", *paths, "--protocol", str(folder / "p.toml"), "--format", "json"]) == 0
        answer = json.loads(capsys.readouterr().out)
        table = irviewer.compare(paths[0], paths[1:], protocol=protocol)
        line, windows = in_window(paths, fields)
    assert table.protocol is not None
    assert line == answer["protocol"]["line"] == table.protocol.line()
    pythons = {pair.run_name: numbers(pair) for pair in table[measure_of(fields)].pairs}
    printed = {pair["run"]: pair for pair in answer["comparisons"][0]["pairs"]}
    assert set(windows) == set(pythons) == set(printed)
    assert len(windows) == len(RUNS) - 1
    for run, values in pythons.items():
        np.testing.assert_array_equal(windows[run], values)
        np.testing.assert_array_equal(in_json(printed[run]), values)


def in_json(pair: dict[str, Any]) -> list[float]:
    """What a comparison of two runs comes to in JSON."""
    test = pair["declared test"]
    prefix = "ratio " if pair["difference"] is None else ""
    keys = ("ratio" if prefix else "difference", f"{prefix}low", f"{prefix}high", f"{test} p", f"{test} p corrected")
    return [math.nan if pair[key] is None else pair[key] for key in keys]


SEEDS = st.integers(0, 10_000)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=4)
@given(fields=FIELDS, seed=SEEDS)
def test_the_doors_agree(fields: dict[str, Any], seed: int, capsys: pytest.CaptureFixture[str]) -> None:
    agree(fields, seed, capsys)


@pytest.mark.fuzz
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60)
@given(fields=FIELDS, seed=SEEDS)
def test_the_doors_agree_in_bulk(fields: dict[str, Any], seed: int, capsys: pytest.CaptureFixture[str]) -> None:
    agree(fields, seed, capsys)
