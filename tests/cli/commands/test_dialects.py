"""``irviewer dialects`` and ``evaluate --dialect``: the table in its three forms, and what is said on the way."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from irviewer.cli import main


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    """The query on which the tools were run, and one that the run lacks."""
    qrels, run = tmp_path / "small.qrels", tmp_path / "one.run"
    qrels.write_text("1 0 a 3\n1 0 b 0\n1 0 c 1\n1 0 d -2\n1 0 n 1\n2 0 x 1\n")
    lines = (("d", 9), ("u", 8), ("c", 7), ("a", 7), ("b", 6))
    run.write_text("".join(f"1 Q0 {document} 1 {score} tag\n" for document, score in lines))
    return str(qrels), str(run)


def test_the_table_tells_value_value_and_rule(files: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["dialects", *files, "-m", "bpref AP", "--dialect", "ranx", "--dialect", "ir_measures"]) == 0
    protocol, _, title, header, row, same, lacking = capsys.readouterr().out.splitlines()
    assert protocol == "2 queries · graded, level ≥ 1 · unjudged: unknown"
    assert title == "Values that change under other rules"
    assert header.split() == ["dialect", "run", "measure", "trec_eval", "other", "rule"]
    assert row.split()[:5] == ["ranx", "one", "Bpref", "0.3333", "0.1667"]
    assert row.endswith("negative grades are judged non-relevant")
    assert same == "no value changes under ir_measures"
    assert lacking == "Note: run one lacks 1 query (2) of the qrels: counted as 0"


def test_by_query(files: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["dialects", *files, "-q", "-m", "map", "--dialect", "trec_eval-9"]) == 0
    header, *rows = [line.split()[2:6] for line in capsys.readouterr().out.splitlines()[3:-1]]
    assert header == ["query", "measure", "trec_eval", "other"]
    assert rows == [["2", "AP", "0.0000", "–"], ["all", "AP", "0.1389", "0.2778"]]


def test_csv_and_json(files: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["dialects", *files, "-m", "nDCG@3", "--dialect", "gdeval", "--format", "csv"]) == 0
    (row,) = csv.DictReader(io.StringIO(capsys.readouterr().out))
    assert (row["dialect"], row["query"], row["measure"]) == ("gdeval", "", "nDCG@3")
    assert row["rules"] == "missing dcg"
    output = tmp_path / "found.json"
    assert main.main(["dialects", *files, "-m", "nDCG@3", "-q", "--format", "json", "-o", str(output)]) == 0
    report = json.loads(output.read_text())
    assert report["parameters"] == {"by_query": True}
    (table,) = report["tables"]
    assert list(dict.fromkeys(row["dialect"] for row in table["rows"])) == ["trec_eval-9", "gdeval", "textbook"]
    assert "no value changes under ir_measures, ranx" in json.dumps(report)
    changes = {(row["dialect"], row["query"]): row for row in table["rows"]}
    change = changes["gdeval", "1"]
    assert (change["under"], round(change["there"], 4)) == ("nDCG(dcg='exp-log2')@3", 0.0615)
    assert changes["trec_eval-9", "2"]["there"] is None
    assert changes["trec_eval-9", None]["queries"] == 1


def test_counts_are_whole(files: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["dialects", *files, "-m", "num_q", "--dialect", "gdeval"]) == 0
    assert capsys.readouterr().out.splitlines()[4].split()[2:5] == ["NumQ", "2", "1"]


def test_without_files_the_rules_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["dialects"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "trec_eval-9: trec_eval 9" in lines
    assert "  scores of 32 bits, so that close scores tie" in lines
    assert "  RR@k: ties by document id, ascending, scores of 64 bits (MS MARCO's script)" in lines
    assert any(line.startswith("  not imitated: ") for line in lines)


def test_qrels_alone_are_not_enough(files: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["dialects", files[0]]) == 2
    assert "give at least one run" in capsys.readouterr().err


def test_evaluate_under_a_dialect(files: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    """Missing queries as the dialect has them; what was said is stronger."""
    assert main.main(["evaluate", *files, "-m", "map", "--dialect", "trec_eval-9"]) == 0
    captured = capsys.readouterr()
    _, (_, value), *_ = (line.split() for line in captured.out.partition("\nMeans\n")[2].splitlines())
    assert value == "0.2778"
    assert "left out, as in trec_eval 9" in captured.out
    assert main.main(["evaluate", *files, "-m", "map", "--dialect", "trec_eval-9", "--format", "trec"]) == 0
    assert capsys.readouterr().out == f"{'map':<22}\tall\t0.2778\n"
    assert main.main(["evaluate", *files, "-m", "map", "--dialect", "trec_eval-9", "--format", "trec", "-c"]) == 0
    assert capsys.readouterr().out == f"{'map':<22}\tall\t0.1389\n"
    assert main.main(["evaluate", *files, "-m", "map", "--format", "trec"]) == 2
    assert "lacks 1" in capsys.readouterr().err
    assert main.main(["evaluate", *files, "-m", "nDCG@3", "--dialect", "ranx", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["protocol"]["dialect"] == "ranx"


def test_trec_evals_names_under_its_ninth_version(files: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["-m", "iprec_at_recall.0.3", "-m", "11pt_avg", "--format", "trec"]
    assert main.main(["evaluate", *files, *arguments, "--dialect", "trec_eval-9"]) == 0
    names = [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    assert names == ["iprec_at_recall_0.30", "11pt_avg"]


def test_an_unknown_dialect_is_refused_with_the_names(
    files: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main.main(["evaluate", *files, "--dialect", "trec"]) == 2
    assert "trec_eval-9" in capsys.readouterr().err


def test_lengths_of_documents_reach_the_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "qrels").write_text("1 0 a 1\n1 0 b 1\n", encoding="utf-8")
    (tmp_path / "run").write_text("1 Q0 a 1 2 x\n1 Q0 b 2 2 x\n", encoding="utf-8")
    (tmp_path / "docs.jsonl").write_text(
        '{"id": "a", "text": "1 2 3"}\n{"id": "b", "text": "1"}\n{"id": "c", "text": ""}\n', encoding="utf-8"
    )
    files = [str(tmp_path / name) for name in ("qrels", "run")]
    asked = ["-m", "BudgetRecall(budget=2)", "--documents", str(tmp_path / "docs.jsonl"), "--format", "csv"]
    # b comes first under trec_eval's order of ties, a under ranx': one word fits into the budget, three do not.
    assert main.main(["dialects", *files, *asked, "--dialect", "ranx"]) == 0
    (row,) = csv.DictReader(io.StringIO(capsys.readouterr().out))
    assert (float(row["trec_eval"]), float(row["there"])) == (0.5, 0.0)


def test_queries_that_change_are_listed_where_their_mean_does_not(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ties are broken by id, so that one query gains what the other loses."""
    (tmp_path / "qrels").write_text("1 0 a 1\n1 0 b 0\n2 0 a 0\n2 0 b 1\n3 0 a 1\n")
    (tmp_path / "run").write_text("".join(f"{q} Q0 {d} 1 1 t\n" for q in (1, 2) for d in "ab") + "3 Q0 a 1 1 t\n")
    words = ["dialects", str(tmp_path / "qrels"), str(tmp_path / "run"), "-m", "RR", "--dialect", "ranx"]
    assert main.main([*words, "-q"]) == 0
    by_query = [line for line in capsys.readouterr().out.splitlines() if line.startswith("ranx ")]
    assert [line.split()[2:6] for line in by_query] == [
        ["1", "RR", "0.5000", "1.0000"],
        ["2", "RR", "1.0000", "0.5000"],
    ]
    assert main.main(words) == 0
    (row,) = (line for line in capsys.readouterr().out.splitlines() if line.startswith("ranx "))
    assert row.split()[2:5] == ["RR", "0.8333", "0.8333"]
    assert row.endswith("(in 2 queries; the mean is the same; -q shows them)")
    assert "tie" in row
    assert main.main([*words, "--format", "json"]) == 0
    (change,) = json.loads(capsys.readouterr().out)["tables"][0]["rows"]
    assert (change["queries"], change["trec_eval"]) == (2, change["there"])
