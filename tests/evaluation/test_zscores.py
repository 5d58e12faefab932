"""Z-scores: what stands for each case of a value, in every format, and faults of the file by line."""

from __future__ import annotations

import csv
import io
import json
import statistics
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

import irviewer
from irviewer.cli import main
from irviewer.errors import OptionError, ParseError
from irviewer.evaluation.evaluate import evaluate
from irviewer.evaluation.zscores import as_zscores, without_zscores, zscores_from_runs
from irviewer.formats.load import load
from irviewer.formats.reading.opener import Opened
from irviewer.formats.registry import format_to_write
from irviewer.formats.trec.zscores import parse_zscores
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.zscores import ZScores

QRELS = Qrels.from_dict({"1": {"a": 1, "b": 1}, "2": {"a": 1}})
RUN = Run.from_dict({"1": {"a": 2.0, "b": 1.0}, "2": {"x": 2.0, "a": 1.0}})
"""AP 1 and 1/2, P@1 1 and 0, P@2 1 and 1/2."""
FILE = (
    "# reference\n1 map 0.5 0.25\n2 map 0.75 0.5\n1 P_1 1 0\n2 P_1 0.5 0\n1 P@2 0 0.5\n1 num_ret 1 2\n2 num_ret 2 1\n"
)


def parse(text: str) -> Opened:
    return Opened("x", text.encode(), "", "ascii")


def test_every_case_of_a_value() -> None:
    zscores = parse_zscores(parse(FILE))
    result = evaluate(QRELS, RUN, ["AP", "P@1", "P@2", "nDCG@3", "num_ret", "gm_map", "num_q"])
    scored = as_zscores(zscores, result)
    assert [measure.text for measure in scored.measures[:2]] == ["Z(AP)", "Z(P@1)"]
    nan = np.nan
    assert scored.values[:6, 0] == pytest.approx(
        np.array([
            [2, -0.5],  # (1 - .5) / .25, (.5 - .75) / .5
            [0, nan],  # no deviation: 0 at the mean itself, nothing beside it
            [2, nan],  # our own name; no line for the second query
            [nan, nan],
            [0.5, 0],
            [nan, nan],
        ]),
        nan_ok=True,
    )  # fmt: skip
    assert scored.means[:, 0] == pytest.approx([0.75, 0, 2, nan, 0.5, nan, 2], nan_ok=True)
    assert without_zscores(zscores, result) == ("P@1", "P@2", "nDCG@3")
    assert result.measures[0].text == "AP"


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    (tmp_path / "q").write_text("1 0 a 1\n1 0 b 1\n2 0 a 1\n")
    (tmp_path / "r").write_text("1 Q0 a 1 2 t\n1 Q0 b 2 1 t\n2 Q0 x 1 2 t\n2 Q0 a 2 1 t\n")
    (tmp_path / "z").write_text(FILE)
    return [str(tmp_path / "q"), str(tmp_path / "r"), "-Z", str(tmp_path / "z")]


def test_printed(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["evaluate", *files, "-m", "AP P@1 num_ret", "--format", "json", "-q"]) == 0
    out, err = capsys.readouterr()
    queries, means = (table["rows"] for table in json.loads(out)["tables"])
    assert means == [{"run": means[0]["run"], "Z(AP)": 0.75, "Z(P@1)": 0, "Z(NumRet)": 0.5}]
    assert [list(row.values())[1:] for row in queries] == [["1", 2, 0, 0.5], ["2", -0.5, None, 0]]
    assert "lacks the mean and deviation of some queries of P@1" in err
    assert main.main(["evaluate", *files, "-m", "AP num_ret"]) == 0
    out, err = capsys.readouterr()
    _, header, row = out.split("\n\n", 1)[1].splitlines()
    assert header.split() == ["run", "Z(AP)", "Z(NumRet)"]
    assert row.split()[1:] == ["0.7500", "0.5000"]
    assert err == ""


def test_trec_evals_number_for_what_is_missing(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["evaluate", *files, "-m", "P_1", "--format", "trec", "-q"]) == 0
    out, err = capsys.readouterr()
    assert out.splitlines() == [
        f"Z{'P_1':<22}\t1\t0.0000", f"Z{'P_1':<22}\t2\t-1000000.0000", f"Z{'P_1':<22}\tall\t-500000.0000",
    ]  # fmt: skip
    assert err == ""


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("1 map 0.5\n", 1, "3 columns; a file of Z-scores has 4"),
        ("#\n1 map 0.5 -1\n", 2, "the deviation 0 or more"),
        ("1 map nan 1\n", 1, "are finite numbers"),
        ("1 map 0 1\n2 map 0 1\n1 map 0 2\n", 3, "measure map occurs twice for query 1"),
        ("1 map x 1\n", 1, 'mean "x" is not a number'),
    ],
)
def test_faults_have_a_line(text: str, line: int, reason: str) -> None:
    with pytest.raises(ParseError, match=reason) as caught:
        parse_zscores(parse(text))
    assert caught.value.line == line


def test_a_file_is_distinguished_from_qrels_and_reported(tmp_path: Path) -> None:
    path = tmp_path / "z"
    path.write_text(FILE)
    loaded = load(path)
    assert loaded.kind == loaded.report.kind == "zscores"
    assert isinstance(loaded.value, ZScores)
    assert (loaded.value.name, loaded.value.origin) == ("z", str(path))
    assert loaded.value.query_ids == {"1", "2"}
    assert loaded.value.measures == ("map", "P_1", "P@2", "num_ret")
    assert ("means", "7") in loaded.report.facts
    with pytest.raises(OptionError, match="cannot write zscores"):
        format_to_write("x.json", loaded.kind)


def test_a_file_of_runs_is_what_scipy_and_python_say(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Three runs of four queries, one of them without a query: written, read, and applied to one of them."""
    dice = np.random.default_rng(3)
    (tmp_path / "qrels").write_text("".join(f"{q} 0 d{n} {n % 3}\n" for q in range(4) for n in range(9)))
    for name in "abc":
        lines = [
            f"{q} Q0 d{n} 0 {score:.6f} {name}\n"
            for q in range(4)
            if (name, q) != ("c", 3)
            for n, score in enumerate(dice.random(9))
        ]
        (tmp_path / name).write_text("".join(lines))
    paths = [str(tmp_path / name) for name in ("qrels", "a", "b", "c")]
    asked = ["-m", "AP P@5 nDCG@5 num_rel_ret num_q gm_map P(rel=2)@3"]
    assert main.main(["zscores", *paths, *asked, "-o", str(tmp_path / "z")]) == 0
    assert "run c lacks 1 query (3) of the qrels: counted as 0" in capsys.readouterr().err
    rows = [line.split("\t") for line in (tmp_path / "z").read_text().splitlines()]
    assert main.main(["zscores", *paths, *asked, "--format", "csv", "-o", str(tmp_path / "z.csv")]) == 0
    capsys.readouterr()
    header, *table_rows = csv.reader(io.StringIO((tmp_path / "z.csv").read_text()))
    assert header == ["query", "measure", "mean", "deviation"]
    assert [(q, m, float(x), float(y)) for q, m, x, y in table_rows] == [
        (q, m, float(x), float(y)) for q, m, x, y in rows
    ]
    assert [row[:2] for row in rows[:5]] == [
        ["0", name] for name in ("map", "P_5", "ndcg_cut_5", "num_rel_ret", "P(rel=2)@3")
    ]
    table = irviewer.evaluate(paths[0], paths[1:], asked[1].split())
    names = {"map": "AP", "P_5": "P@5", "ndcg_cut_5": "nDCG@5", "num_rel_ret": "NumRelRet"}
    for query, measure, mean, deviation in rows:
        values = [table.by_query(names.get(measure, measure), run)[query] for run in "abc"]
        assert float(mean) == pytest.approx(statistics.fmean(values), rel=1e-12)
        assert float(deviation) == pytest.approx(statistics.stdev(values), rel=1e-12)
    assert main.main(["evaluate", *paths, "-m", "AP P@5", "-Z", str(tmp_path / "z"), "-q", "--format", "json"]) == 0
    printed: dict[str, dict[str, dict[str, float]]] = {}
    for row in json.loads(capsys.readouterr().out)["tables"][0]["rows"]:
        printed.setdefault(row["run"], {})[row["query"]] = row
    for measure in ("AP", "P@5"):
        for query in "0123":
            wanted = stats.zscore([table.by_query(measure, run)[query] for run in "abc"], ddof=1)
            shown = [printed[run][query][f"Z({measure})"] for run in "abc"]
            assert shown == pytest.approx(wanted.tolist(), abs=1e-4)


def test_runs_that_agree_have_no_deviation_and_z_0(tmp_path: Path) -> None:
    qrels, other = Qrels.from_dict({"1": {"a": 1, "b": 1, "c": 1}}), {"1": {"x": 3.0, "a": 2.0}}
    table = evaluate(qrels, [Run.from_dict(other, name=name) for name in "abc"], ["AP"])
    from_runs = zscores_from_runs(table)
    assert list(from_runs.values.values()) == [(table.mean("AP", "a"), 0.0)]
    assert as_zscores(from_runs, table).means.tolist() == [[0, 0, 0]]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["-m", "num_q"], "Z-scores cannot be computed for NumQ"),
        (["-m", "gm_map relstring"], "Z-scores cannot be computed for gm_map, relstring"),
        (["-m", " "], "-m has no measure"),
    ],
)
def test_what_makes_no_file(files: list[str], capsys: pytest.CaptureFixture[str], words: list[str], said: str) -> None:
    qrels, run = files[:2]
    assert main.main(["zscores", qrels, run, run, *words]) == 2
    assert said in capsys.readouterr().err
    assert main.main(["zscores", qrels, run]) == 2
    assert "a standard deviation needs at least two runs" in capsys.readouterr().err
