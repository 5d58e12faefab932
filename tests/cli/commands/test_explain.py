"""irviewer explain: every format, of a query, a mean, a difference and ties; and the same from Python."""

from __future__ import annotations

import csv
import gzip
import io
import json
import math
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from counting import calls

import irviewer
from irviewer.analysis.explain import explain_query
from irviewer.analysis.explain.ledger_types import Ledger, MeanLedger
from irviewer.cli import main
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.zscores import ZScores
from tests.helpers.latex import read_tables


@pytest.fixture
def files(samples: Path) -> list[str]:
    folder = samples / "cranfield"
    return [str(folder / "qrels.txt"), str(folder / "runs" / "bm25_plain.run.gz")]


@pytest.fixture
def other(samples: Path) -> str:
    return str(samples / "cranfield" / "runs" / "fusion_rrf.run.gz")


def output_of(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main.main(["explain", *words]) == 0
    return capsys.readouterr().out


def document_of(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    """The first table of an explanation: its rows, and the values that its remarks have."""
    document = json.loads(output_of(capsys, *words, "--format", "json"))
    first, *others = document["tables"]
    values = {name: value for note in document["notes"] for name, value in note["values"].items()}
    return {**values, "rows": first["rows"], "notes": {note["code"]: note["text"] for note in document["notes"]},
            "others": {table["name"]: table["rows"] for table in others}}  # fmt: skip


def test_a_query_in_every_format(capsys: pytest.CaptureFixture[str], files: list[str]) -> None:
    words = (*files, "-q", "3", "-m", "nDCG@10")
    table = output_of(capsys, *words)
    terms = "2/1 + 2/1.585 + 2/2 + 2/2.322 + 5/2.585"
    assert f"nDCG@10 = ({terms}) ÷ 11.5090 = 7.0575 ÷ 11.5090 = 0.6132\n" in table
    data = document_of(capsys, *words)
    wanted = irviewer.evaluate(files[0], files[1], "nDCG@10").by_query("nDCG@10")["3"]
    assert data["value"] == pytest.approx(wanted, rel=1e-12)
    assert sum(row["contribution"] for row in data["rows"]) / data["normaliser"]["value"] == pytest.approx(wanted)
    assert [row["rank"] for row in data["rows"]] == list(range(1, 11))
    rows = list(csv.DictReader(io.StringIO(output_of(capsys, *words, "--format", "csv"))))
    assert [row["document"] for row in rows] == [row["document"] for row in data["rows"]]
    # Exact: what is printed is rounded.
    assert [float(row["contribution"]) for row in rows] == [row["contribution"] for row in data["rows"]]
    markdown = output_of(capsys, *words, "--format", "markdown")
    assert markdown.count("\n|") == 12
    ledger = irviewer.explain(*files, "nDCG@10", "3")
    assert ledger.to_arrow()["contribution"].to_pylist() == [row["contribution"] for row in data["rows"]]
    latex = output_of(capsys, *words, "--format", "latex")
    assert r"\frac{2}{2.322} + \frac{5}{2.585}}{11.5090} = \frac{7.0575}{11.5090} = 0.6132\]" in latex
    assert latex.count(r" \\") == 11


def test_a_mean_and_differences(capsys: pytest.CaptureFixture[str], files: list[str], other: str) -> None:
    data = document_of(capsys, *files, "-m", "AP")
    wanted = irviewer.evaluate(files[0], files[1], "AP").mean("AP")
    assert sum(query["share"] for query in data["rows"]) == pytest.approx(wanted)
    assert data["notes"]["worked"] == "AP = 85.2735 ÷ 225 = 0.3790"
    apart = document_of(capsys, *files, "-m", "AP", "-q", "3", "--against", other)
    assert math.fsum(part["delta"] for part in apart["rows"]) == apart["delta"] == apart["value"] - apart["base"]
    means = document_of(capsys, *files, "-m", "AP", "--against", other)
    assert len(means["rows"]) == 225
    capsys.readouterr()
    words = ("compare", files[0], files[1], other, "--baseline", "fusion_rrf", "-m", "AP", "--format", "json")
    assert main.main(words) == 0
    (pair,) = json.loads(capsys.readouterr().out)["tables"][0]["rows"]
    assert math.fsum(part["delta"] for part in means["rows"]) == means["delta"] == pair["difference"]
    for form in ("table", "latex", "markdown", "csv"):
        assert "485" in output_of(capsys, *files, "-m", "AP", "-q", "3", "--against", other, "--format", form)
        assert output_of(capsys, *files, "-m", "AP", "--against", other, "--format", form)
        assert output_of(capsys, *files, "-m", "AP", "--format", form)


def test_counts_are_whole_in_a_difference(capsys: pytest.CaptureFixture[str], files: list[str], other: str) -> None:
    assert "\n225 − 225 = 0\n" in output_of(capsys, *files, "-m", "num_q", "--against", other)
    mine, theirs = (
        int(irviewer.evaluate(files[0], run, "num_rel_ret").mean("num_rel_ret")) for run in (files[1], other)
    )
    text = output_of(capsys, *files, "-m", "num_rel_ret", "--against", other)
    assert f"\n{mine} − {theirs} = −{theirs - mine}\n" in text


def test_a_geometric_mean_taken_apart(capsys: pytest.CaptureFixture[str], files: list[str], other: str) -> None:
    words = (*files, "-m", "gm_map", "--against", other)
    data = document_of(capsys, *words)
    wanted = irviewer.evaluate(files[0], [files[1], other], "gm_map").means[0]
    assert math.fsum(part["delta"] for part in data["rows"]) == data["delta"] == wanted[0] - wanted[1]
    assert "the logarithmic mean of 0.2308 and 0.3222" in output_of(capsys, *words)


@pytest.mark.parametrize("words", [("-q", "3"), (), ("-q", "3", "--against"), ("--against",), ("-q", "3", "--ties")])
def test_latex_is_what_a_tex_takes(
    capsys: pytest.CaptureFixture[str], files: list[str], other: str, words: tuple[str, ...]
) -> None:
    baseline = (other,) if "--against" in words else ()
    text = output_of(capsys, *files, "-m", "AP", *words, *baseline, "--format", "latex")
    markdown = output_of(capsys, *files, "-m", "AP", *words, *baseline, "--format", "markdown").splitlines()
    first = next(number for number, line in enumerate(markdown) if line.startswith("|"))
    last = next(number for number, line in enumerate([*markdown, ""]) if number > first and not line.startswith("|"))
    rows = [line for line in markdown[first:last] if not line.startswith("| :--") and not line.startswith("| --")]
    table = read_tables(text)[0]
    assert len(table.rows) + 1 == len(rows)
    assert [cell.replace("\\", "").strip() for cell in rows[0].strip("|").split("|")] == table.header
    assert "−" in text or r"$-$" in text or "--against" not in words
    assert r"\usepackage{booktabs}" in text.splitlines()[0]
    assert table.below or "--ties" in words


def test_ties(capsys: pytest.CaptureFixture[str], files: list[str]) -> None:
    assert "No ties." in output_of(capsys, *files, "-m", "AP", "-q", "3", "--ties")
    of_mean = output_of(capsys, *files, "-m", "AP", "--ties")
    assert "7 of 225 queries have tied documents" in of_mean
    (expected,) = [
        row["mean"] for row in document_of(capsys, *files, "-m", "AP", "--ties")["rows"] if row["order"] == "expected"
    ]
    assert re.search(rf"expected over all orders\s+{expected:.4f}", of_mean)
    assert document_of(capsys, *files, "-m", "AP", "-q", "3", "--ties")["method"] == "no ties"


def test_what_cannot_be_explained_is_said(capsys: pytest.CaptureFixture[str], files: list[str]) -> None:
    for words, reason in (
        (("-q", "nowhere", "-m", "AP"), "the qrels have no query nowhere; they have 1, 2, 3, 4, 5 and 220 more"),
        (("-m", "official"), "measures; choose one of them to explain"),
        (("-q", "3", "-m", "APP"), "APP"),
        (("-m", "AP", "-m", "P@5"), "this command takes one measure; -m has 2: AP, P@5"),
        (("-m", "AP", "--ties", "--against", files[1]), "--ties and --against cannot be combined"),
    ):
        assert main.main(["explain", *files, *words]) == 2
        assert reason in capsys.readouterr().err


def test_from_python() -> None:
    qrels, run = {"1": {"a": 3, "b": 0, "c": 1}, "2": {"x": 1}}, {"1": {"b": 9.0, "a": 8.0, "c": 7.0}}
    ledger = irviewer.explain(qrels, run, "AP", "1")
    assert isinstance(ledger, Ledger)
    assert ledger.worked == "AP = (1/2 + 2/3) ÷ 2 = 0.5833"
    mean = irviewer.explain(qrels, run, "AP")
    assert isinstance(mean, MeanLedger)
    assert [query.query for query in mean.counted] == ["2"]
    left = irviewer.explain(qrels, run, "AP", missing="intersection")
    assert isinstance(left, MeanLedger)
    assert [(query.query, query.reason) for query in left.left_out] == [("2", "not in the run")]
    scored = irviewer.explain(qrels, run, "AP", "1", zscores=ZScores({("1", "map"): (0.5, 0.25)}))
    assert isinstance(scored, Ledger)
    assert scored.value == pytest.approx((7 / 12 - 0.5) / 0.25)
    assert scored.recomputed == pytest.approx(scored.value)
    assert scored.worked == "Z(AP) = (0.5833 − 0.5000) ÷ 0.2500 = 0.3333"


@pytest.mark.parametrize("text", ["nDCG", "AP", "RBP", "ERR", "INST", "Bpref"])
def test_a_ledger_is_work_for_its_own_documents(text: str) -> None:
    """Not for other queries, and twice the documents are no more than twice the work. (A thousand of them, two hundred
    judged, take 1 to 2 ms, which a benchmark measures. α-nDCG and its like take as long as their greedy ideal does.)"""

    def work(queries: int, documents: int) -> int:
        qrels, run = generated(queries, documents)
        explain_query(run, qrels, text, "0")  # what is made once
        return calls(lambda: explain_query(run, qrels, text, "0"))

    least_work = work(2, 1000)
    assert work(40, 1000) < least_work + 200
    assert work(2, 2000) < 2.2 * least_work + 200


def generated(queries: int, documents: int) -> tuple[Qrels, Run]:
    """Queries alike, of so many documents each, a fifth of as many judged."""
    chance = np.random.default_rng(1)
    grades = {f"d{n}": float(chance.integers(0, 4)) for n in chance.permutation(2 * documents)[: documents // 5]}
    scores = {f"d{n}": -float(n) for n in range(documents)}
    names = [str(query) for query in range(queries)]
    return Qrels.from_dict(dict.fromkeys(names, grades)), Run.from_dict(dict.fromkeys(names, scores))


def test_at_which_rank_a_document_is(capsys: pytest.CaptureFixture[str], files: list[str], other: str) -> None:
    words = (*files, other, "-q", "64", "--document", "390")
    run, rival = irviewer.read_run(files[1]), irviewer.read_run(other)
    ranking = run.ranking("64")
    rank = ranking.index("390") + 1
    data = document_of(capsys, *words)
    assert (data["rank"], data["cutoff"], data["grade"]) == (rank, 10, 4)
    assert [row["document"] for row in data["rows"]] == [*ranking[:10], "390"]
    assert data["gap"] == pytest.approx(run.ranking_scores("64")[9] - run.ranking_scores("64")[rank - 1])
    place = rival.ranking("64").index("390") + 1
    assert data["others"]["elsewhere"] == [{"run": rival.name, "rank": place}]
    assert data["unjudged_above"] == 10
    table = output_of(capsys, *words, "-m", "P@5")
    assert f"is at rank {rank} of bm25_plain, {rank - 5} ranks below the top 5.\n" in table
    assert f"fusion_rrf  {place:4}\n" in table
    assert "query terms" not in table
    assert f"{rank - 3} ranks below the top 3." in output_of(capsys, *words, "--cutoff", "3")


def test_terms_of_the_query_against_those_above(
    capsys: pytest.CaptureFixture[str], files: list[str], samples: Path
) -> None:
    folder = samples / "cranfield"
    texts = ("--texts", str(folder / "queries.tsv"), "--documents", str(folder / "documents.jsonl.gz"))
    words = (*files, "-q", "64", "--document", "390", *texts)
    data = document_of(capsys, *words)
    flutter = next(term for term in data["terms"] if term["term"] == "flutter")
    known = {}
    with gzip.open(folder / "documents.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            known[row["id"]] = f"{row.get('title', '')} {row.get('text', '')}".lower()
    above = [row["document"] for row in data["rows"][:-1]]
    assert flutter["above"] == sum("flutter" in known[document] for document in above)
    assert flutter["times"] == known["390"].count("flutter")
    assert "above lack: “justification” (in 0 of 10 above), " in output_of(capsys, *words)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("-q", "64", "--cutoff", "3", "-m", "AP"), "--cutoff needs --document"),
        (("--document", "390"), "--document needs a query"),
        (("-q", "64", "--document", "390", "--ties"), "--ties cannot be combined with --document"),
        (("-q", "64"), "name the measure to explain with -m"),
        (("-q", "nowhere", "--document", "390"), "query nowhere is neither"),
    ],
)
def test_options_that_do_not_go_together(
    capsys: pytest.CaptureFixture[str], files: list[str], words: tuple[str, ...], why: str
) -> None:
    assert main.main(["explain", *files, *words]) == 2
    assert why in capsys.readouterr().err


def test_one_run_is_explained_at_a_time(capsys: pytest.CaptureFixture[str], files: list[str], other: str) -> None:
    assert main.main(["explain", *files, other, "-q", "64", "-m", "AP"]) == 2
    assert "give one run only" in capsys.readouterr().err


def test_files_of_one_system_are_one_run(capsys: pytest.CaptureFixture[str]) -> None:
    """They were refused as several runs."""
    own = Path(__file__).parents[2] / "data" / "answers"
    words = [str(own / name) for name in ("nuggets.jsonl", "alpha.answers.jsonl", "alpha.assignments.jsonl")]
    assert main.main(["explain", *words, "-q", "t1", "-m", "V_strict"]) == 0
    assert "V_strict of alpha, query t1" in capsys.readouterr().out
    assert main.main(["explain", *words, str(own / "beta.assignments.jsonl"), "-q", "t1", "-m", "V_strict"]) == 2


def test_a_z_score(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for name, text in (
        ("q", "1 0 a 1\n1 0 b 1\n"), ("r", "1 Q0 a 1 2 t\n1 Q0 x 2 1 t\n"), ("z", "1 map 0.25 0.5\n")
    ):  # fmt: skip
        (tmp_path / name).write_text(text)
    words = (str(tmp_path / "q"), str(tmp_path / "r"), "-m", "AP", "--zscores", str(tmp_path / "z"))
    out = output_of(capsys, *words, "-q", "1")
    assert "Z(AP) = (0.5000 − 0.2500) ÷ 0.5000 = 0.5000" in out
    assert "\nAP = 1/1 ÷ 2 = 0.5000\n" in out
    for further in ((), ("-q", "1", "--ties")):
        assert main.main(["explain", *words, *further]) == 2
        assert "zscores explains the value of one query: give the query" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "rank"), [((), 3), (("--dialect", "textbook"), 2), (("-J",), 2), (("-J", "--dialect", "textbook"), 1)]
)
def test_a_document_is_where_the_rules_rank_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], rank: int
) -> None:
    """Ties as the dialect breaks them, with -J in the list without what nobody judged: as in the window."""
    (tmp_path / "q.qrels").write_text("1 0 b 1\n1 0 d 0\n")
    (tmp_path / "one.run").write_text("1 Q0 x 1 2 t\n1 Q0 b 2 1 t\n1 Q0 d 3 1 t\n")
    asked = ["explain", str(tmp_path / "q.qrels"), str(tmp_path / "one.run"), "-q", "1", "--document", "b", *words]
    assert main.main([*asked, "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["tables"][0]["rows"][-1]["rank"] == rank
