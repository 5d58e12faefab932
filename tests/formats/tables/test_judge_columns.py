"""Tables of qrels with columns of judges, explanations, models and confidence."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

import irviewer
from irviewer.errors import DuplicateError, ParseError
from irviewer.formats.format import Loaded
from irviewer.formats.load import load
from irviewer.model.judgments.explanations import Explanation

NAMES = ("query_id", "doc_id", "relevance", "assessor", "rationale", "model", "confidence")
ROWS: list[tuple[object, ...]] = [
    ("1", "a", 2, "Ann", "", "", ""),
    ("1", "a", 1, "UMBRELA", 'says "yes", but\tnot <b>all</b>', "gpt-4o", "0.9"),
    ("2", "c", 0, "Ann", "off topic", "", "1"),
    ("2", "c", 3, "Bo", "", "", ""),
    ("2", "d", 1, "UMBRELA", "", "gpt-4o", ""),
    ("3", "e", 1, "", "nobody signed", "", ""),
]


def write(path: Path, form: str, rows: Sequence[tuple[object, ...]] = ROWS) -> Path:
    path = path / f"judged.{form}"
    if form in ("csv", "tsv"):
        text = io.StringIO()
        writer = csv.writer(text, delimiter="," if form == "csv" else "\t")
        writer.writerows([NAMES, *rows])
        path.write_text(text.getvalue())
    elif form == "jsonl":
        objects = [{name: cell for name, cell in zip(NAMES, row, strict=True) if cell != ""} for row in rows]
        path.write_text("".join(json.dumps(record) + "\n" for record in objects))
    else:
        columns = {name: [row[place] for row in rows] for place, name in enumerate(NAMES)}
        columns["confidence"] = [float(str(cell)) if cell else None for cell in columns["confidence"]]
        columns["rationale"] = [cell or None for cell in columns["rationale"]]
        table = pa.table(columns)
        if form == "parquet":
            parquet.write_table(table, path)
        else:
            with pa.ipc.new_file(str(path), table.schema) as writer:
                writer.write_table(table)
    return path


def grades(loaded: Loaded) -> dict[str, dict[tuple[str, str], float]]:
    return {
        judge.name: {(query, doc): grade for query in judge.qrels.query_ids
                     for doc, grade in judge.qrels.judgments(query).items()}
        for judge in loaded.judges
    }  # fmt: skip


@pytest.mark.parametrize("form", ["csv", "tsv", "jsonl", "parquet", "arrow"])
def test_a_set_of_each_judge(tmp_path: Path, form: str) -> None:
    loaded = load(write(tmp_path, form), judges=True)
    wanted: dict[str, dict[tuple[str, str], float]] = {}
    for query, doc, grade, judge, *_ in ROWS:
        wanted.setdefault(str(judge) or "no name", {})[str(query), str(doc)] = float(str(grade))
    assert grades(loaded) == wanted
    ann, umbrela, bo, nobody = loaded.judges
    assert [judge.origin for judge in loaded.judges] == ["unstated", "model", "unstated", "unstated"]
    assert (ann.family, umbrela.family) == ("", "gpt-4o")
    assert umbrela.qrels.query_ids == ("1", "2")
    assert bo.qrels.query_ids == ("2",)  # a query that a judge did not see is not one without relevant documents
    assert umbrela.explanations.explanation("1", "a") == Explanation('says "yes", but\tnot <b>all</b>', "gpt-4o", "0.9")
    assert umbrela.explanations.explanation("2", "d") == Explanation("", "gpt-4o", "")
    assert ann.explanations.explanation("2", "c").text == "off topic"
    assert float(ann.explanations.explanation("2", "c").confidence) == 1
    assert (len(ann.explanations), len(bo.explanations)) == (1, 0)
    assert nobody.explanations.explanation("3", "e").text == "nobody signed"
    assert any("1 row names no judge" in finding.text for finding in loaded.report.findings)


@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet"])
def test_a_judge_with_two_judgments_of_a_document(tmp_path: Path, form: str) -> None:
    path = write(tmp_path, form, [*ROWS, ("1", "a", 0, "Ann", "second thoughts", "", "")])
    with pytest.raises(DuplicateError, match="judge Ann: document a of query 1 is repeated") as caught:
        load(path, judges=True)
    assert caught.value.line == {"csv": 8, "jsonl": 7, "parquet": 0}[form]
    loaded = load(path, judges=True, duplicates="last")
    ann = loaded.judges[0]
    assert ann.qrels.judgments("1") == {"a": 0.0}
    assert ann.explanations.explanation("1", "a").text == "second thoughts"


def test_reading_qrels_takes_the_first_judge(tmp_path: Path) -> None:
    assert irviewer.read_qrels(write(tmp_path, "csv")).judgments("2") == {"c": 0}
    assert load(write(tmp_path, "tsv", ROWS[2:3])).judges == ()


def test_explanations_without_judges(tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_text("query_id,doc_id,relevance,comment\n1,a,1,good\n1,b,0,\n")
    (judge,) = load(path, judges=True).judges
    assert (judge.name, judge.origin, len(judge.explanations)) == ("mine", "unstated", 1)


def test_models_without_judges_are_the_judges(tmp_path: Path) -> None:
    path = tmp_path / "models.csv"
    path.write_text("query_id,doc_id,relevance,model\n1,a,1,small\n1,a,2,large\n")
    judges = load(path, judges=True).judges
    assert [(judge.name, judge.origin, judge.family) for judge in judges] == [
        ("small", "model", "small"), ("large", "model", "large")
    ]  # fmt: skip


def test_rows_without_grade_and_a_wrong_grade(tmp_path: Path) -> None:
    path = tmp_path / "gaps.csv"
    path.write_text("query_id,doc_id,relevance,judge\n1,a,1,A\n1,a,,B\n1,b,2,B\n")
    assert grades(load(path, judges=True)) == {"A": {("1", "a"): 1.0}, "B": {("1", "b"): 2.0}}
    path.write_text("query_id,doc_id,relevance,judge\n1,a,1,A\n1,a,much,B\n")
    with pytest.raises(ParseError, match="not a number") as caught:
        load(path, judges=True)
    assert caught.value.line == 3


def test_a_crowd_is_one_set(tmp_path: Path) -> None:
    path = tmp_path / "crowd.csv"
    rows = "".join(f"1,d{number},1,worker {number}\n" for number in range(101))
    path.write_text("query_id,doc_id,relevance,worker_id\n" + rows)
    loaded = load(path, judges=True)
    (crowd,) = loaded.judges
    assert (crowd.name, crowd.origin, len(crowd.qrels)) == ("crowd", "crowd", 101)
    assert any("101 judges" in finding.text for finding in loaded.report.findings)


def test_agreement_takes_the_table(tmp_path: Path) -> None:
    rows = [(q, d, g, judge, "", "", "") for judge, own in {"A": (1, 0, 1), "B": (1, 1, 1)}.items()
            for (q, d), g in zip([("1", "a"), ("1", "b"), ("2", "a")], own, strict=True)]  # fmt: skip
    report = irviewer.agreement([write(tmp_path, "csv", rows)], samples=0)
    assert report.judges == ("A", "B")
    pair = report.pair("A", "B")
    assert pair.pairs == 3
    assert pair["same_grade"].value == pytest.approx(2 / 3)
    assert irviewer.agreement({"X": tmp_path / "judged.csv"}, samples=0).judges == ("X: A", "X: B")
