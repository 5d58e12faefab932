"""Reproduction: the values of repro_eval, a single pair, and what is refused."""

from __future__ import annotations

import csv
import io
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import irviewer
from irviewer.analysis.similarity.reproduction import tau_union, values_of
from irviewer.analysis.statistics.run_values import RunValues
from irviewer.cli.main import main
from irviewer.errors import OptionError

THEIRS = json.loads((Path(__file__).parents[1] / "data/reproduction/repro_eval.json").read_text())
MEASURES = {"AP": "map", "nDCG@10": "ndcg_cut_10", "P@5": "P_5"}
NAMED = {"original": "A", "own": "own_A", "original_baseline": "B", "own_baseline": "own_B"}
NEAR = {"rel": 1e-6, "abs": 1e-6}  # pytrec_eval's values; the formulas agree to the last digits


def _shown(**given: Any) -> Any:
    return irviewer.show("reproduction", THEIRS["qrels"], THEIRS["runs"], measures=list(MEASURES), **given)


def _rows(shown: Any, table: str) -> list[dict[str, Any]]:
    columns = shown[table].columns
    return [{column.key: column.values[row] for column in columns} for row in range(shown[table].n_rows)]


def test_the_values_of_repro_eval() -> None:
    shown = _shown(**NAMED)
    for row in _rows(shown, "effects"):
        key = MEASURES[row["measure"]]
        assert row["er"] == pytest.approx(THEIRS["ER"][key], **NEAR)
        assert row["delta_ri"] == pytest.approx(THEIRS["DRI"][key], **NEAR)
        assert row["queries"] == 6
    for row in _rows(shown, "values"):
        assert row["rmse"] == pytest.approx(THEIRS["RMSE"][row["run"]][MEASURES[row["measure"]]], **NEAR)
    for row in _rows(shown, "order"):
        assert row["tau_union"] == pytest.approx(THEIRS["KTU"][row["run"]], abs=1e-12)
        alike = irviewer.similarity({name: THEIRS["runs"][name] for name in (row["run"], row["own"])}, depth=1000)
        assert row["rbo"] == alike.means[0, 1]
    said = " ".join(remark.text for remark in shown.shown.sentences)
    assert "P@5: over 6 queries the effect of the own runs is in the other direction (ER " in said
    assert "AP: over 6 queries the effect of the own runs is larger than the original one (ER 1.988)" in said


def test_an_exact_reproduction() -> None:
    runs = {**THEIRS["runs"], "own_A": THEIRS["runs"]["A"], "own_B": THEIRS["runs"]["B"]}
    shown = irviewer.show("reproduction", THEIRS["qrels"], runs, measures=["AP"], **NAMED)
    (effect,) = _rows(shown, "effects")
    assert (effect["er"], effect["delta_ri"]) == (1, 0)
    for row in _rows(shown, "order"):
        assert (row["tau_union"], row["tau"]) == (pytest.approx(1), pytest.approx(1))
        assert row["rbo"] == pytest.approx(1)
    assert [row["rmse"] for row in _rows(shown, "values")] == [0, 0]


def test_a_pair_without_baselines_has_no_effect() -> None:
    shown = _shown(original="A", own="own_A")
    assert [table.name for table in shown.shown.tables] == ["values", "order"]
    assert len(_rows(shown, "values")) == len(MEASURES)


def test_a_union_is_of_lists_of_one_length() -> None:
    assert tau_union(["a", "b"], ["b", "c"]) == 1  # places 0, 1 and 1, 2 of the union
    assert math.isnan(tau_union(["a", "b"], ["a"]))
    assert math.isnan(tau_union(["a"], ["a"]))


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, "Name the original run"),
        ({"original": "A", "own": "own_A", "own_baseline": "own_B"}, "needs both baselines"),
        ({"original": "A", "own": "A"}, "named twice"),
        ({"original": "A", "own": "nobody"}, "nobody"),
    ],
)
def test_what_is_refused(given: dict[str, str], said: str) -> None:
    with pytest.raises(OptionError, match=said):
        _shown(**given)


def test_the_command_is_the_view(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "qrels").write_text(
        "".join(f"{q} 0 {d} {g}\n" for q, own in THEIRS["qrels"].items() for d, g in own.items())
    )
    paths = [str(tmp_path / "qrels")]
    for name, lists in THEIRS["runs"].items():
        path = tmp_path / f"{name}.run"
        path.write_text("".join(f"{q} Q0 {d} 1 {s} {name}\n" for q, own in lists.items() for d, s in own.items()))
        paths.append(str(path))
    options = [word for name, run in NAMED.items() for word in (f"--{name.replace('_', '-')}", run)]
    words = ["reproduction", *paths, *options, *(word for name in MEASURES for word in ("-m", name)), "--format", "csv"]
    for table in ("effects", "values", "order"):
        assert main([*words, "--table", table]) == 0
        printed = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
        for row, ours in zip(printed, _rows(_shown(**NAMED), table), strict=True):
            for key, value in ours.items():
                assert row[key] == value if isinstance(value, str) else float(row[key]) == value


def test_means_that_differ_by_rounding_are_no_effect() -> None:
    """The same values in another order: their means differ by 1e-17, and ER was 7e14 or the like."""
    row = np.array([0.1, 0.2, 0.3, 0.4, 0.7, 0.6, 0.9])
    orders = [np.random.default_rng(seed).permutation(row) for seed in range(60)]
    baseline = next(each for each in orders if each.mean() != row.mean())
    table = np.array([row, row + 0.05, baseline, row])
    names = ("A", "own_A", "B", "own_B")
    compared = values_of(RunValues(names, tuple("abcdefg"), table, np.zeros(table.shape, dtype=np.bool_), "P@10"))
    assert compared.effects == (0.0, 0.05)
    assert math.isnan(compared.ratio)
    assert compared.relative[0] == 0
