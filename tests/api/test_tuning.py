"""``irviewer.sweep_fusion``, ``irviewer fusion-sweep`` and ``irviewer.cost_effectiveness``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import irviewer
from irviewer.cli import main
from irviewer.errors import OptionError
from irviewer.model.rankings.fusion import Normalisation
from tests.analysis.tuning.test_fusion_sweep import JUDGMENTS, RUNS
from tests.helpers.latex import read_tables

NAMES: list[Normalisation] = ["min-max", "sum"]


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    (tmp_path / "qrels").write_text(
        "".join(
            f"{query} 0 {document} {grade}\n" for query, row in JUDGMENTS.items() for document, grade in row.items()
        )
    )
    for run in RUNS[:2]:
        lines = [
            f"{query} Q0 {document} 1 {score!r} t\n"
            for query in run.query_ids
            for document, score in zip(run.ranking(query), run.ranking_scores(query).tolist(), strict=True)
        ]
        (tmp_path / f"{run.name}_x").write_text("".join(lines))
    return [str(tmp_path / name) for name in ("qrels", "a_x", "b_x")]


def output_of(capsys: pytest.CaptureFixture[str], files: list[str], *words: str) -> str:
    assert main.main(["fusion-sweep", *files, "--folds", "3", *words]) == 0
    out = capsys.readouterr()
    assert out.err == ""
    return out.out


def test_files_and_values_say_the_same(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    mine = irviewer.sweep_fusion(
        JUDGMENTS, RUNS[:2], "AP", folds=3, step=0.25, normalisations=["min-max", "sum"], level=2
    )
    words = ["-m", "AP", "-l", "2", "--step", ".25", "--normalisations", "sum,min-max", "--format", "json"]
    report = json.loads(output_of(capsys, files, *words))
    rows = {table["name"]: table["rows"] for table in report["tables"]}
    assert [row["mean"] for row in rows["means"]] == [*mine.single_means, mine.nested.mean, mine.nested.in_sample]
    assert [row["in_sample"] for row in rows["settings"]] == mine.nested.means.tolist()
    optimism = report["notes"][1]["values"]
    assert (optimism["weights"], optimism["optimism"]) == (list(mine.best.weights or ()), mine.nested.optimism)
    assert [row["out_of_fold"] for row in rows["out_of_fold"]] == mine.nested.by_query.tolist()
    assert len(rows["chosen"]) == 10 * 3


def test_the_in_sample_means_are_labelled(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    text = output_of(capsys, files)
    assert "fused, out of fold" in text
    assert "In-sample nDCG@10 by weights" in text
    assert "The best of them is too optimistic" in text
    assert len(read_tables(output_of(capsys, files, "--format", "latex"))) == 2
    assert "Means are of logarithms." in output_of(capsys, files, "-m", "gm_map")


@pytest.mark.parametrize(
    "words",
    [
        ["--step", ".3"], ["--folds", "99"], ["--normalisations", "softmax"], ["--weights", "1,2"], ["--keep", "5"],
        ["-m", "num_rel"],
    ],
)  # fmt: skip
def test_refused(words: list[str], files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["fusion-sweep", *files, *words]) == 2
    assert main.main(["fuse", *files[1:], "--folds", "3"]) == 2
    assert capsys.readouterr().out == ""


def test_the_option_of_former_versions_names_the_command(
    files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:  # fmt: skip
    assert main.main(["fuse", *files[1:], "--sweep", files[0], "-m", "AP"]) == 2
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    assert "irviewer fusion-sweep QRELS RUN" in said.err


def test_cost_from_a_table_a_mapping_and_headers(files: list[str], tmp_path: Path) -> None:
    table = tmp_path / "runs.csv"
    table.write_text("run,ms,family\na_x,3,sparse\nb_x,80,neural\n")
    frontier = irviewer.cost_effectiveness(files[0], files[1:], "ms", run_attributes=table)
    again = irviewer.cost_effectiveness(files[0], files[1:], "ms", run_attributes={"a_x": {"ms": 3}, "b_x": {"ms": 80}})
    assert frontier.cost.tolist() == again.cost.tolist() == [3, 80]
    assert [frontier.runs[place] for place in frontier.line] == ["a_x", "b_x"]
    headed = tmp_path / "headed"
    text = Path(files[1]).read_text()
    headed.write_text(f"# ir_metadata.start\n# cost:\n#   ms: 7\n# ir_metadata.end\n{text}")
    from_header = irviewer.cost_effectiveness(files[0], [str(headed), files[2]], "cost.ms")
    assert from_header.cost[0] == 7
    assert from_header.without == ("b_x",)
    with pytest.raises(OptionError, match="no attribute usd"):
        irviewer.cost_effectiveness(files[0], files[1:], "usd", run_attributes=table)
    with pytest.raises(OptionError, match="family is not a number"):
        irviewer.cost_effectiveness(files[0], files[1:], "family", run_attributes=table)


def test_costs_are_a_table() -> None:
    costs = irviewer.cost_effectiveness(
        JUDGMENTS, {run.name: run for run in RUNS[:2]}, "ms", run_attributes={"a": {"ms": 2}}
    )
    assert costs.to_arrow().to_pydict()["cost"] == [2.0, None]
    assert costs.to_arrow().to_pydict()["efficient"] == ["better", None]
