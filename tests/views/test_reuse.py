"""Reuse: the reference values of TREC DL 2021, runs that found the same, families, and what is said."""

from __future__ import annotations

import csv
import io
import math
from pathlib import Path
from typing import Any

import pytest

import irviewer
from irviewer.api.show import ShownView
from irviewer.cli.main import main
from irviewer.errors import OptionError

NEAR = {"rel": 1e-8, "abs": 1e-10}


@pytest.fixture(scope="module")
def dl(data: Path) -> tuple[Path, list[Path]]:
    folder = data / "trec-dl-2021"
    return folder / "qrels.nist.txt.gz", sorted((folder / "runs").glob("*.gz"))


@pytest.fixture(scope="module")
def left_out(data: Path, dl: tuple[Path, list[Path]]) -> dict[str, ShownView]:
    """By judgments, under trec_eval's 32-bit scores, as the reference values."""
    return {
        judgments: irviewer.show(
            "reuse", *dl, measures=["nDCG@10", "AP"], dialect="trec_eval-9", prefix="_", every_run=True,
            judgments=judgments.split()[0],
        )
        for judgments in ("all judgments", "pool")
    }  # fmt: skip


def _expected(data: Path, name: str) -> list[dict[str, str]]:
    with (data / "statistics/reuse" / name).open() as file:
        return list(csv.DictReader(file, delimiter="\t"))


def _rows(shown: ShownView, table: str) -> dict[tuple[Any, ...], dict[str, Any]]:
    given = shown[table]
    return {tuple(key): {column.key: column.values[n] for column in given.columns} for n, key in enumerate(given.keys)}


def test_every_reference_value(data: Path, left_out: dict[str, ShownView]) -> None:
    named = {"removed": "removed", "before": "before", "after": "after", "change": "change",
             "rank_before": "rank_before", "rank_after": "rank_after"}  # fmt: skip
    compared = 0
    runs, taus, units = (
        {judgments: _rows(shown, table) for judgments, shown in left_out.items()}
        for table in ("runs", "tau", "contributions")
    )
    for row in _expected(data, "expected.tsv"):
        ours = runs[row["judgments"]][row["unit"], row["left_out"], row["run"], row["measure"]]
        for theirs, own in named.items():
            assert ours[own] == pytest.approx(float(row[theirs]), **NEAR), (row, own)
            compared += 1
    for row in _expected(data, "tau.tsv"):
        ours = taus[row["judgments"]][row["unit"].partition(":")[0], row["left_out"], row["measure"]]
        assert ours["tau_all"] == pytest.approx(float(row["tau_b_all_runs"]), **NEAR), row
        if row["tau_b_other_runs"]:
            assert ours["tau_others"] == pytest.approx(float(row["tau_b_other_runs"]), **NEAR), row
        if row["queries_without_relevant_after"]:
            unit = units[row["judgments"]][row["unit"], row["left_out"]]
            assert unit["queries_emptied"] == float(row["queries_without_relevant_after"]), row
        compared += 1
    every = _rows(left_out["all judgments"], "every_run")
    for row in _expected(data, "all_runs_after.tsv"):
        key = ("run", row["left_out"], row["run"], row["measure"])
        for name in ("before", "after", "rank_before", "rank_after"):
            assert every[key][name] == pytest.approx(float(row[name]), **NEAR), row
        compared += 1
    assert compared > 900


def test_contributions(data: Path, left_out: dict[str, ShownView]) -> None:
    ours = _rows(left_out["all judgments"], "contributions")
    for row in _expected(data, "contributions.tsv"):
        own = ours[row["unit"], row["left_out"]]
        assert [own["pairs"], own["judged"], own["unique_judged"], own["unique_relevant"]] == [
            int(row[name]) for name in ("pairs_in_top10", "judged", "unique_judged", "unique_grade_1_up")
        ], row


RUNS = {
    "x_one": {"1": {"a": 3.0, "b": 2.0}, "2": {"d": 1.0}},
    "x_two": {"1": {"b": 3.0, "a": 2.0, "z": 1.0}, "2": {"d": 1.0}},
    "y": {"1": {"c": 3.0}, "2": {"e": 1.0}},
}
QRELS = {"1": {"a": 1.0, "b": 0.0, "c": 1.0}, "2": {"d": 1.0, "e": 0.0}}


def _shown(**parameters: Any) -> ShownView:
    return irviewer.show("reuse", QRELS, RUNS, measures=["P@1"], **parameters)


def test_runs_that_found_the_same_are_one_contribution() -> None:
    shown = _shown()
    rows = _rows(shown, "contributions")
    assert list(rows) == [("run", "x_one, x_two"), ("run", "y")]
    assert rows["run", "x_one, x_two"]["unique_judged"] == 3
    assert rows["run", "x_one, x_two"]["queries_emptied"] == 1
    own = _rows(shown, "runs")
    assert [own["run", "x_one, x_two", run, "P@1"]["after"] for run in ("x_one", "x_two")] == [0, 0]
    assert own["run", "y", "y", "P@1"]["after"] == 0
    texts = shown["tau"].column("left_out").show.texts
    assert texts is not None
    assert list(texts) == ["x_one, x_two", "y", "each its own"]
    said = " ".join(remark.text for remark in shown.shown.sentences)
    assert "x_one, x_two found the same judged documents: they are one contribution" in said
    assert "declare families" in said
    assert "not whether the collection can judge others" in said


def test_families_are_declared_not_guessed() -> None:
    by_prefix, by_attribute = _shown(prefix="_"), _shown(
        families="team", run_attributes={"x_one": {"team": "x"}, "x_two": {"team": "x"}, "y": {"team": "y"}}
    )  # fmt: skip
    for shown in (by_prefix, by_attribute):
        rows = _rows(shown, "contributions")
        assert [key for key in rows if key[0] == "family"] == [("family", "x"), ("family", "y")]
        assert rows["family", "x"]["runs"] == 2
    assert all(key[0] == "run" for key in _rows(_shown(), "contributions"))
    with pytest.raises(OptionError, match="not by both"):
        _shown(prefix="_", families="team", run_attributes={"y": {"team": "y"}})
    with pytest.raises(OptionError, match="two runs"):
        irviewer.show("reuse", QRELS, {"y": RUNS["y"]})


def test_the_command_is_the_view(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "qrels").write_text("".join(f"{q} 0 {d} {g:.0f}\n" for q, own in QRELS.items() for d, g in own.items()))
    paths = [str(tmp_path / "qrels")]
    for name, lists in RUNS.items():
        path = tmp_path / f"{name}.run"
        path.write_text("".join(f"{q} Q0 {d} 1 {s} {name}\n" for q, own in lists.items() for d, s in own.items()))
        paths.append(str(path))
    words = ["reuse", *paths, "-m", "P@1", "--prefix", "_", "--format", "csv"]
    for table in ("runs", "contributions", "tau"):
        assert main([*words, "--table", table]) == 0
        rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
        wanted = list(_rows(_shown(prefix="_"), table).values())
        assert len(rows) == len(wanted)
        for row, ours in zip(rows, wanted, strict=True):
            for key, value in ours.items():
                if isinstance(value, str):
                    assert row[key] == value
                else:
                    assert (row[key] == "") == math.isnan(value)
                    assert row[key] == "" or float(row[key]) == value


def test_documents_that_a_sample_left_out_are_not_judged() -> None:
    """They have grade -1, and were counted as judged."""
    qrels = {"1": {"a": 1, "b": -1, "c": 0}}
    runs = {"x": {"1": {"a": 2.0, "b": 1.0}}, "y": {"1": {"c": 1.0}}}
    rows = _rows(irviewer.show("reuse", qrels, runs, measures=["P@1"]), "contributions")
    assert [(row["pairs"], row["judged"], row["unique_judged"]) for row in rows.values()] == [(2, 1, 1), (1, 1, 1)]


def test_runs_that_all_found_the_same() -> None:
    """Together they are one contribution, without which no run is left to be ordered."""
    qrels = {"1": {"a": 1, "b": 0}}
    runs = {"one": {"1": {"a": 2.0, "b": 1.0}}, "two": {"1": {"a": 1.0, "b": 2.0}}}
    (row,) = irviewer.reuse(qrels, runs, "AP").to_arrow("tau").to_pylist()[:1]
    assert (row["left_out"], row["tau_others"]) == ("one, two", None)
