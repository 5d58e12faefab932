"""What the window shows as a number over queries is what the command line prints: one treated measure, summed up in one
place. Against ``evaluate`` of the files, under every dialect."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import numpy as np
import pytest

import irviewer
from irviewer.cli import main
from irviewer.measures.parser import parse_measure
from irviewer.model.dialects import DIALECTS
from irviewer.model.qrels import Qrels
from irviewer.model.query_sets import QuerySet
from irviewer.model.run import Run
from irviewer.model.workspace import Collection, JudgmentSet, Regime
from irviewer.session.session import Session
from tests.helpers.compared import comparisons_of
from tests.session.helpers import run_values, session_with

MEASURES = (
    "NumRelRet", "NumRet", "NumRel", "NumQ", "AP", "gm_map", "gm_bpref", "nDCG@5", "DCG@5", "SetF(beta=2)", "P@5", "RR",
    "bpref", "IPrec@0.5", "num_nonrel_judged_ret", "ERR@5", "RBP(p=0.8)",
)  # fmt: skip


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """Graded qrels of six queries and two runs with ties, on disk."""
    dice = random.Random(8)
    documents = [f"d{number}" for number in range(14)]
    qrels = [
        f"{q} 0 {document} {dice.choice((0, 0, 1, 1, 2))}"
        for q in range(1, 7)
        for document in dice.sample(documents, 9)
    ]
    (tmp_path / "qrels.txt").write_text("\n".join([*qrels, ""]))
    for name in ("one", "two"):
        lines = []
        for query in range(1, 7):
            dice.shuffle(documents)
            lines += [
                f"{query} Q0 {document} {rank} {20 - rank // 2} {name}"
                for rank, document in enumerate(documents[:10], 1)
            ]
        (tmp_path / f"{name}.run").write_text("\n".join([*lines, ""]))
    return [str(tmp_path / name) for name in ("qrels.txt", "one.run", "two.run")]


def opened(files: list[str], dialect: str, measure: str) -> Session:
    from irviewer import read_qrels, read_run

    qrels = read_qrels(files[0])
    runs = [read_run(file) for file in files[1:]]
    assert isinstance(qrels, Qrels)
    assert all(isinstance(run, Run) for run in runs)
    every = QuerySet("all six", frozenset(str(query) for query in range(1, 7)))
    whole = Collection("made", judgments=(JudgmentSet(qrels, Regime.POOLED),), query_sets=(every,)).with_runs(runs)
    session = session_with(whole)
    session.protocol.set(dialect=dialect)
    session.evaluation.set_measure(measure)
    return session


def printed(files: list[str], dialect: str, capsys: pytest.CaptureFixture[str]) -> dict[str, dict[str, float]]:
    """Run -> measure as it was asked for -> the number of ``irviewer evaluate``."""
    words = [word for measure in MEASURES for word in ("-m", measure)]
    assert main.main(["evaluate", *files, *words, "--dialect", dialect, "--format", "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    (means,) = document["tables"]
    asked = dict(zip([column["key"] for column in means["columns"][1:]], MEASURES, strict=True))
    return {row["run"]: {asked[name]: row[name] for name in asked} for row in means["rows"]}


@pytest.mark.parametrize("dialect", sorted(DIALECTS))
def test_means_of_the_window_are_those_of_the_command_line(
    files: list[str], dialect: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """NumRelRet under ranx was 3 here, the untreated measure's sum, and 1.5 there."""
    expected = printed(files, dialect, capsys)
    session = opened(files, dialect, MEASURES[0])
    session.settings["table_measures"] = list(MEASURES)
    for measure in MEASURES:
        session.evaluation.set_measure(measure)
        view_model = session.view_models.systems_view_model()
        assert view_model is not None
        for row, label in enumerate(view_model.runs):
            for column, table_column in enumerate(view_model.columns):
                if table_column.measure in expected[label.name]:
                    wanted = expected[label.name][table_column.measure]
                    assert view_model.means[row, column] == pytest.approx(wanted, rel=1e-12), (
                        measure,
                        table_column.measure,
                    )
        shown = next(table_column for table_column in view_model.columns if table_column.chosen)
        treated = session.view.context.treated(parse_measure(measure))  # type: ignore[union-attr]
        assert shown.counts == treated.counts


@pytest.mark.parametrize("dialect", sorted(DIALECTS))
@pytest.mark.parametrize("measure", ["NumRelRet", "AP", "gm_map"])
def test_means_of_sets_fusions_and_thresholds_are_those_of_the_command_line(
    files: list[str], dialect: str, measure: str, capsys: pytest.CaptureFixture[str]
) -> None:
    session = opened(files, dialect, measure)
    context = session.view.context
    assert context is not None
    expected = printed(files, dialect, capsys)
    view_model = session.query_sets.sets_view_model()
    assert view_model is not None
    for column, label in enumerate(view_model.runs):
        for row in range(len(view_model.rows)):
            assert run_values(view_model.table)[row, column] == pytest.approx(expected[label.name][measure], rel=1e-12)
    swept = session.sliders.sweep("level", (1.0,))
    assert swept is not None
    wanted = [expected[context.labels[key].name][measure] for key in swept.keys]
    assert np.asarray(swept.means[:, 0]) == pytest.approx(wanted, rel=1e-12)


def test_a_mean_of_counts_is_shown_as_a_mean(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """``dialects`` rounded it as if it were a count: 6 where ``evaluate`` printed 5.5733."""
    expected = printed(files, "ranx", capsys)
    assert main.main(["dialects", *files, "-m", "NumRelRet", "--dialect", "ranx"]) == 0
    lines = capsys.readouterr().out.splitlines()
    for run in ("one", "two"):
        (line,) = [line for line in lines if line.split()[1:2] == [run]]
        assert f" {expected[run]['NumRelRet']:.4f} " in line


def test_a_count_that_a_dialect_averages_is_compared_as_the_mean_that_it_is(
    files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """The window refused it as a sum, and the command line compared it."""
    assert main.main(["compare", *files, "-m", "NumRelRet", "--dialect", "ranx", "--format", "json"]) == 0
    (document,) = comparisons_of(json.loads(capsys.readouterr().out))
    session = opened(files, "ranx", "NumRelRet")
    session.navigation.set_place("compare")
    session.compute_now()
    compared = session.comparison.compared("baseline")
    assert compared is not None
    assert compared.comparison.difference.tolist() == pytest.approx([document["pairs"][0]["difference"]])
    assert compared.comparison.means.tolist() == pytest.approx([run["mean"] for run in document["runs"]])
    session.protocol.set(dialect="trec_eval")
    session.compute_now()
    assert session.comparison.compared("baseline") is None


def test_view_models_ask_the_bound_measure_how_it_is_summed_up() -> None:
    """A measure as it was asked for may be summed up otherwise than the dialect in force does it."""
    folder = Path(irviewer.__file__).parent
    asked = re.compile(r"\bmeasure\.(aggregate|counts|mean\()")
    known = {
        "session/evaluation/zscores.py": 1,  # a geometric mean is one under every dialect
        "session/comparison/fusion.py": 1,  # of a result, whose measures are treated
        "session/view_models/ledgers/ledger.py": 2,  # of a ledger, whose measure is treated
        "session/view_models/ledgers/stages.py": 1,  # a geometric mean is one under every dialect
        "session/view_models/query.py": 1,  # of what is handed in, which is treated
    }
    for path in sorted([*folder.glob("session/**/*.py"), *folder.glob("gui/**/*.py")]):
        name = path.relative_to(folder).as_posix()
        lines = [line.strip() for line in path.read_text("utf-8").splitlines() if asked.search(line)]
        assert len(lines) == known.get(name, 0), (name, lines)
