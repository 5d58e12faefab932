"""``irviewer agreement``: its tables and JSON, what else it writes, what is refused."""

from __future__ import annotations

import csv
import io
import json
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import irviewer
from irviewer.cli import main
from irviewer.errors import OptionError

QUERIES = [str(number) for number in range(1, 9)]
DOCUMENTS = [f"d{number}" for number in range(10)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A human, two models (the second knows fewer queries) and seven runs."""
    dice = random.Random(4)
    truth = {query: {doc: dice.choice((0, 0, 1, 2)) for doc in DOCUMENTS} for query in QUERIES}
    for name, error, known in (("human", 0.0, 8), ("gpt", 0.3, 8), ("llama", 0.5, 6)):
        lines = []
        for query in QUERIES[:known]:
            for doc, grade in truth[query].items():
                lines.append(f"{query} 0 {doc} {dice.choice((0, 1, 2)) if dice.random() < error else grade}\n")
        (tmp_path / f"{name}.qrels").write_text("".join(lines))
    for number in range(7):
        lines = [f"{query} Q0 {doc} 1 {dice.random() + truth[query][doc] * number / 9:.6f} r\n"
                 for query in QUERIES for doc in DOCUMENTS]  # fmt: skip
        (tmp_path / f"run{number}.run").write_text("".join(lines))
    return tmp_path


def words(folder: Path, *more: str, runs: bool = True, judges: str = "human gpt llama") -> list[str]:
    command = ["agreement", *(str(folder / f"{name}.qrels") for name in judges.split()), "--samples", "200", *more]
    return [*command, "--runs", *(str(folder / f"run{number}.run") for number in range(7))] if runs else command


def record(folder: Path, capsys: pytest.CaptureFixture[str], *more: str, **named: Any) -> dict[str, Any]:
    assert main.main(words(folder, *more, "--format", "json", **named)) == 0
    return json.loads(capsys.readouterr().out)  # type: ignore[no-any-return]


def rows_of(report: dict[str, Any], name: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = next(table["rows"] for table in report["tables"] if table["name"] == name)
    return rows


def test_tables(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(words(folder, "--family", "gpt=openai", "--run-family", "run1=openai")) == 0
    out = capsys.readouterr().out
    titles = ["Agreement of 2 judges with human", "quadratic kappa of all judges", "Share of each grade",
              "7 systems by nDCG@10 under each judge", "nDCG@10 under each judge"]  # fmt: skip
    assert [title for title in titles if f"{title}\n" in out] == titles
    assert "◆ run1" in out
    assert "llama: on the 6 queries in common (6 of its own, 8 of the reference)." in out


def test_json_is_what_python_finds(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = record(folder, capsys, "-l", "2", "-m", "AP", "--reference", "gpt")
    files = [folder / f"{name}.qrels" for name in ("human", "gpt", "llama")]
    runs = [folder / f"run{number}.run" for number in range(7)]
    ours = irviewer.agreement(files, runs, "AP", level=2, reference="gpt", samples=200)
    assert (report["parameters"]["reference"], report["protocol"]["level"]) == ("gpt", 2)
    assert report["parameters"]["scale"] == [0, 1, 2]
    assert {row["judge"] for row in rows_of(report, "grades")} == set(ours.judges) == {"human", "gpt", "llama"}
    for pair in rows_of(report, "pairs"):
        for name, estimate in ours.pair(pair["first"], pair["second"]).estimates.items():
            ends = [pair[f"{name}_interval_{end}"] for end in ("low", "high")]
            assert (pair[name], *ends) == (estimate.value, estimate.low, estimate.high)
    assert ours.systems is not None
    systems = rows_of(report, "systems")
    for row in rows_of(report, "orders"):
        own = ours.systems[row["judge"]]
        values = [each["value"] for each in systems if each["judge"] == row["judge"]]
        assert values == own.values.tolist()
        assert row["tau"] == (None if own.order is None else own.order.tau.value)
    wide = {row["run"]: row for row in rows_of(report, "by_judge")}
    assert all(wide[row["run"]][row["judge"]] == row["value"] for row in systems)
    assert set(ours.notes) <= {note["text"] for note in report["notes"]}
    ours.save(folder / "ours.json")
    assert json.loads((folder / "ours.json").read_text())["tables"] == report["tables"]


@pytest.mark.parametrize("form", ["csv", "tsv"])
def test_rows(form: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(words(folder, "--format", form, runs=False)) == 0
    rows = list(csv.reader(io.StringIO(capsys.readouterr().out), delimiter="," if form == "csv" else "\t"))
    assert rows[0][:4] == ["judge", "pairs", "queries", "same_grade"]
    assert {row[0] for row in rows[1:]} == {"gpt", "llama"}


def test_latex_and_markdown(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(words(folder, "--format", "latex")) == 0
    text = capsys.readouterr().out
    assert text.count(r"\begin{table}") == text.count(r"\end{table}") >= 5
    assert main.main(words(folder, "--format", "markdown")) == 0
    assert "### Agreement of 2 judges with human" in capsys.readouterr().out


def test_confusion(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = record(folder, capsys, "--confusion", "gpt", "-m", "P@3")
    assert [report["parameters"][name] for name in ("first", "second", "measure")] == ["human", "gpt", "P@3"]
    *counts, total = ([row[grade] for grade in "012"] for row in rows_of(report, "counts"))
    assert sum(map(sum, counts)) == sum(total) == 80
    documents = rows_of(report, "documents")
    assert len(documents) == sum(
        count for grade, row in enumerate(counts) for other, count in enumerate(row) if grade != other
    )
    sizes = [abs(document["change"]) for document in documents]
    assert sizes == sorted(sizes, reverse=True)
    assert main.main(words(folder, "--confusion", "llama", "--most", "3", runs=False)) == 0
    assert "human by llama" in capsys.readouterr().out


@pytest.mark.parametrize("form", [[], ["--correct", "llama"]])
def test_judged_only_is_of_each_judge(form: list[str], folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = folder / "llama.qrels"
    kept = [line for number, line in enumerate(path.read_text().splitlines(True)) if number % 3]
    path.write_text("".join(kept))
    if form:
        human = folder / "human.qrels"
        human.write_text("".join(line for line in human.read_text().splitlines(True) if line.split()[0] in "123"))
    runs = [folder / f"run{number}.run" for number in range(7)]
    plain, condensed = record(folder, capsys, *form), record(folder, capsys, "-J", *form)
    result = irviewer.evaluate(path, runs, ["nDCG@10"], judged_only=True)
    if form:
        ours = irviewer.corrected_scores(folder / "human.qrels", path, runs, judged_only=True)
        values = {row["run"]: row["value"] for row in rows_of(condensed, "scores")}
        assert [values[run] for run in ours.runs] == ours.means.values.tolist()
        assert ours.means.model.tolist() == pytest.approx(result.means[0].tolist())
        assert any(note.startswith("Judged only") for note in ours.notes)
    else:
        report = irviewer.agreement([folder / f"{name}.qrels" for name in ("human", "gpt", "llama")], runs, samples=0,
                                    judged_only=True)  # fmt: skip
        assert report.systems is not None
        own = [row["value"] for row in rows_of(condensed, "systems") if row["judge"] == "llama"]
        assert own == report.systems["llama"].values.tolist()
        assert report.systems["llama"].values.tolist() == pytest.approx(result.means[0].tolist())
    assert plain != condensed


def test_by_query(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = record(folder, capsys, "--by-query", runs=False)
    assert Counter((row["first"], row["second"]) for row in rows_of(report, "by_query")) == {
        ("human", "gpt"): 8, ("human", "llama"): 6,
    }  # fmt: skip


def test_a_task_drawn_judged_and_put_to_use(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    task = folder / "task.tsv"
    draw = ["agreement", str(folder / "gpt.qrels"), "--draw", "5", "--seed", "3", "-o", str(task)]
    assert main.main(draw) == 0
    human = irviewer.read_qrels(folder / "human.qrels")
    lines = task.read_text().splitlines()
    filled = [lines[0]]
    for line in lines[1:]:
        cells = line.split("\t")
        cells[2] = f"{human.judgments(cells[0])[cells[1]]:g}"
        filled.append("\t".join(cells))
    task.write_text("\n".join([*filled, ""]))
    words = ["agreement", str(task), str(folder / "gpt.qrels"), "--correct", "gpt", "--task", str(task),
             "--baseline", "run0", "--runs", *(str(folder / f"run{number}.run") for number in range(7))]  # fmt: skip
    assert main.main([*words, "--format", "json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert [report["parameters"][name] for name in ("human", "model", "queries")] == ["task", "gpt", 8]
    assert main.main([*words, "--table", "sample", "--format", "csv"]) == 0
    sampled = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [float(row["probability"]) for row in sampled] == [5 / 8] * 5
    runs = [folder / f"run{number}.run" for number in range(7)]
    ours = irviewer.corrected_scores(task, folder / "gpt.qrels", runs, task=task, baseline="run0")
    values = {row["run"]: row["value"] for row in rows_of(report, "scores")}
    assert [values[run] for run in ours.runs] == ours.means.values.tolist()
    assert main.main(words) == 0
    assert "nDCG@10 under gpt, corrected by task" in capsys.readouterr().out
    assert main.main(["agreement", str(folder / "gpt.qrels"), "--draw", "2", "--unit", "pair"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 7  # two of each grade, and the header


@pytest.mark.parametrize("rule", ["majority", "median", "mean", "fill"])
def test_merging_writes_qrels(rule: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = folder / "merged.qrels"
    assert main.main(words(folder, "--merge", rule, "-o", str(output))) == 0
    files = [folder / f"{name}.qrels" for name in ("human", "gpt", "llama")]
    ours = irviewer.merge_judgments(files, rule).judgments.qrels  # type: ignore[arg-type]
    written = irviewer.read_qrels(output)
    assert {query: written.judgments(query) for query in written.query_ids} == {
        query: ours.judgments(query) for query in ours.query_ids
    }
    assert "80 judgments" in capsys.readouterr().err


def test_the_same_file_twice_is_two_judges(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = record(folder, capsys, judges="human human", runs=False)
    assert [row["judge"] for row in rows_of(report, "grades")] == ["human", "human (2)"]
    assert rows_of(report, "pairs")[0]["near_clones"] is True


def test_columns_of_tables(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = (folder / "gpt.qrels").read_text().split()
    rows = [",".join(("topic", "chunk", "label"))] + [
        ",".join((lines[at], lines[at + 2], lines[at + 3])) for at in range(0, len(lines), 4)
    ]
    for name in ("a", "b"):
        (folder / f"{name}.csv").write_text("\n".join([*rows, ""]))
    words = ["agreement", str(folder / "a.csv"), str(folder / "b.csv"), "--samples", "0"]
    assert main.main([*words, "--columns", "query=topic,doc=chunk,relevance=label", "--format", "json"]) == 0
    report = json.loads(capsys.readouterr().out)
    (pair,) = rows_of(report, "pairs")
    assert (pair["pairs"], pair["same_grade"]) == (80, 1.0)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--reference", "nobody"], "There is no judge nobody. The judges are human, gpt, llama."),
        (["--origin", "gpt=robot"], "--origin robot: use one of human, model, crowd, merged, unstated"),
        (["--family", "gpt"], "--family gpt: write NAME=VALUE"),
        (["--confusion", "human"], "this is the reference"),
        (["--correct", "gpt", "--baseline", "x"], "there is no run x"),
        (["--draw", "0"], "Draw 1 or more"),
        (["--samples", "-1"], "--samples is -1; it must be 0 or more"),
        (["-m", "num_rel_ret"], "not a mean over queries"),
        (["--confusion", "gpt", "-m", "alpha_nDCG@5"], "the effect of single grades cannot be computed"),
    ],
)
def test_what_is_refused(more: list[str], said: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(words(folder, *more)) == 2
    assert said in capsys.readouterr().err


def test_one_judge_is_no_agreement(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(words(folder, judges="human")) == 2
    assert "Agreement needs two judgment sets" in capsys.readouterr().err


def test_a_judge_column_makes_judges(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [("human", 0), ("gpt", 1), ("human", 1), ("gpt", 1)]
    lines = [f"q1,d{place // 2},{grade},{judge}\n" for place, (judge, grade) in enumerate(rows)]
    (tmp_path / "grades.csv").write_text("query,document,grade,judge\n" + "".join(lines))
    assert main.main(["agreement", str(tmp_path / "grades.csv"), "--samples", "0", "--format", "csv"]) == 0
    table = next(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert (table["judge"], table["pairs"], float(table["same_grade"])) == ("gpt", "2", 0.5)


def test_a_sample_of_documents_gives_runs_no_values(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """All documents that were not drawn would count as not relevant, under every run."""
    task = folder / "task.tsv"
    runs = ["--runs", *(str(folder / f"run{number}.run") for number in range(3))]
    draw = ["agreement", str(folder / "human.qrels"), "--draw", "8", "--unit", "pair", "-o", str(task)]
    assert main.main(draw) == 0
    first, *lines = task.read_text().splitlines()
    cells = [line.split("\t") for line in lines]
    task.write_text("\n".join([first, *("\t".join([*each[:2], "1", *each[3:]]) for each in cells), ""]))
    both = [str(task), str(folder / "gpt.qrels")]
    plain = [str(folder / "human.qrels"), str(folder / "gpt.qrels")]
    for words in (
        [*both, *runs], [*reversed(both), *runs], [*plain, "--task", str(task), *runs],
        [*both, "--confusion", "gpt", *runs],
    ):  # fmt: skip
        assert main.main(["agreement", *words]) != 0, words
        assert "judged a sample of documents, under which runs have no values." in capsys.readouterr().err
    assert main.main(["agreement", *both]) == 0
    assert main.main(["agreement", *both, "--correct", "gpt", *runs]) != 0
    assert "irviewer judge (Compare › Judge), which corrects by documents" in capsys.readouterr().err
    with pytest.raises(OptionError, match="task judged a sample of documents"):
        irviewer.agreement([task, folder / "gpt.qrels"], [folder / "run0.run"], samples=0)
    with pytest.raises(OptionError, match="make it the reference"):
        irviewer.judge(folder / "human.qrels", [folder / "run0.run"], [task])
