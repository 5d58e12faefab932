"""Answers, nuggets and support in nested JSON of one's own keys, by paths."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import irviewer
from irviewer.__main__ import main
from irviewer.errors import ColumnsError, IrviewerError
from irviewer.evaluation.evaluate import evaluate
from irviewer.formats.load import load
from irviewer.model.column_names import ColumnChoice
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run

TRACES = [
    {"id": 7, "input": {"q": "why is the sky blue"},
     "output": {"text": "Air scatters blue [1]. Oceans do not [2][1].", "sources": [{"id": "d1"}, {"id": "d2"}]}},
    {"id": "b", "input": {"q": "<b>bees</b>"}, "output": {"text": "They smell.", "sources": [{"id": "d5"}]}},
    {"id": "c", "input": {"q": "fjord"}, "output": {"text": None, "sources": None}},
]  # fmt: skip


def written(path: Path, records: object, shape: str) -> Path:
    """The records as lines, as an array, or within an object over several lines."""
    assert isinstance(records, list)
    path.write_text({
        "lines": "\n".join(map(json.dumps, records)), "array": json.dumps(records),
        "inside": json.dumps({"data": {"runs": records}}, indent=2),
    }[shape])  # fmt: skip
    return path


@pytest.mark.parametrize("shape", ["lines", "array", "inside"])
def test_one_text_with_marks_and_its_sources(tmp_path: Path, shape: str) -> None:
    columns = {"query": "id", "question": "input.q", "answer": "output.text", "citations": "output.sources[].id"}
    if shape == "inside":
        columns["rows"] = "data.runs"
    path = written(tmp_path / "traces.json", TRACES, shape)
    choice = ColumnChoice(columns)
    loaded = load(path, kind="run", columns=choice)
    choice.check()
    run = loaded.value
    assert isinstance(run, Run) and run.answered is not None and run.answered.answers is not None
    answers = run.answered.answers
    assert answers.topics == ("7", "b", "c")
    assert answers.questions[1] == "<b>bees</b>"
    assert answers.sentences_of("7") == ["Air scatters blue.", "Oceans do not."]
    assert [answers.cited_by(row) for row in range(2)] == [["d1"], ["d2", "d1"]]
    assert answers.references_of("b") == ["d5"]
    assert answers.sentences_of("c") == []
    notes = " ".join(note.text for note in loaded.report.findings)
    assert "1 answer has documents and no marks such as [1]: which sentence cites them is not known" in notes
    assert "1 answer has no sentence" in notes


def test_sentences_with_their_citations(tmp_path: Path) -> None:
    """A second system in the file; a citation by place, one by id, one that the references lack."""
    records = [
        {"sys": name, "t": "1", "out": [{"s": "One.", "c": [0, "b"]}, {"s": "", "c": ["x"]}, {"s": "Three."}],
         "ctx": [{"meta": {"id": "a"}}, {"meta": {"id": "b"}}]}
        for name in ("first", "second")
    ]  # fmt: skip
    path = written(tmp_path / "a.jsonl", records, "lines")
    columns = {"query": "t", "system": "sys", "answer": "out[].s", "cited": "out[].c", "references": "ctx[].meta.id"}
    loaded = load(path, kind="run", columns=ColumnChoice(columns), part="second")
    run = loaded.value
    assert isinstance(run, Run) and run.answered is not None and run.answered.answers is not None
    answers = run.answered.answers
    assert run.answered.system == "second"
    assert answers.sentences_of("1") == ["One.", "", "Three."]
    assert [answers.cited_by(row) for row in range(3)] == [["a", "b"], ["x"], []]
    assert answers.places.tolist() == [0, 1, -1]
    assert "1 citation is of a document that the references lack" in " ".join(
        note.text for note in loaded.report.findings
    )


def test_nuggets_assignments_and_support_by_paths(tmp_path: Path) -> None:
    record = {
        "case": {"id": "t"},
        "facts": [{"say": "A", "class": "vital", "n": 3, "verdict": "support"},
                  {"say": "B", "class": "okay", "n": 1, "verdict": "not_support"}],
        "parts": [{"text": "One.", "cites": [{"doc": "a", "grade": 2}, {"doc": "b", "grade": 0}]}, {"text": "Two."}],
    }  # fmt: skip
    path = written(tmp_path / "r.json", [record], "array")
    about = {"query": "case.id", "nugget": "facts[].say", "importance": "facts[].class", "votes": "facts[].n"}
    qrels = load(path, kind="qrels", columns=ColumnChoice(about)).value
    assert isinstance(qrels, Qrels) and qrels.nuggets is not None
    assert qrels.nuggets.texts.to_pylist() == ["A", "B"]
    run = load(path, kind="run", columns=ColumnChoice({**about, "assignment": "facts[].verdict"})).value
    assert isinstance(run, Run)
    assert evaluate(qrels, run, ["A"]).mean("A") == pytest.approx(1 / 2)
    assert evaluate(qrels, run, ["NuggetPyramid"]).mean("NuggetPyramid") == pytest.approx(3 / 4)
    of_support = {"query": "case.id", "sentence": "parts[].text", "cited": "parts[].cites[].doc",
                  "support": "parts[].cites[].grade"}  # fmt: skip
    judged = load(path, kind="run", columns=ColumnChoice(of_support)).value
    assert isinstance(judged, Run) and judged.answered is not None and judged.answered.support is not None
    support = judged.answered.support
    assert support.texts.to_pylist() == ["One.", "Two."]
    assert support.cited.to_pylist() == ["a", "b"]
    assert support.labels.tolist() == [2, 0]


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ({"query": "id", "answer": "output.texts[].x"}, "nothing is at the path output.texts"),
        ({"query": "ids", "answer": "output.text"}, "nothing is at the path ids"),
        ({"answer": "output.text"}, "the path of the topic is not given"),
    ],
)
def test_a_path_that_leads_nowhere_names_those_of_the_file(
    tmp_path: Path, columns: dict[str, str], said: str
) -> None:  # fmt: skip
    path = written(tmp_path / "traces.jsonl", TRACES, "lines")
    with pytest.raises(ColumnsError, match=said) as error:
        load(path, kind="run", format="answer-paths", columns=ColumnChoice(columns))
    assert "output.sources[].id" in str(error.value)


def test_a_text_that_is_no_path_and_a_column_of_no_record(tmp_path: Path) -> None:
    path = written(tmp_path / "traces.jsonl", TRACES, "lines")
    nuggets = tmp_path / "n.jsonl"
    nuggets.write_text('{"qid": "7", "nuggets": [{"text": "a", "importance": "vital"}]}')
    with pytest.raises(IrviewerError, match="is no path"):
        irviewer.answers("scores", nuggets, path, columns={"query": "id", "answer": "output..text"})
    with pytest.raises(IrviewerError, match=r"No table has a column 'output\.nowhere'"):
        irviewer.answers("scores", nuggets, path,
                         columns={"query": "id", "answer": "output.text", "references": "output.nowhere"})  # fmt: skip
    scored = irviewer.answers("scores", nuggets, path, columns={"query": "id", "answer": "output.text"})
    assert scored.value.runs == ("traces",)


ROWS = [
    {"qid": "sky", "q": "why", "said": "[1] scatters blue. Oceans, not [2][3].", "docs": "d1; d2", "sys": "mine"},
    {"qid": "bees", "q": "how", "said": "They smell.", "docs": "d5", "sys": "mine"},
    {"qid": "sky", "q": "why", "said": "It is magic.", "docs": "", "sys": "other"},
]


def table(path: Path, rows: list[dict[str, str]]) -> Path:
    """The rows as the ending of the file says."""
    columns = pa.table({name: [row[name] for row in rows] for name in rows[0]})
    if path.suffix == ".parquet":
        pq.write_table(columns, path)
    else:
        sign = "," if path.suffix == ".csv" else "\t"
        lines = [list(rows[0]), *([row[name] for name in rows[0]] for row in rows)]
        path.write_text(
            "".join(sign.join(f'"{cell}"' if sign in cell else cell for cell in each) + "\n" for each in lines)
        )
    return path


@pytest.mark.parametrize("ending", ["csv", "tsv", "parquet"])
def test_a_table_with_an_answer_in_each_row(ending: str, tmp_path: Path) -> None:
    """Columns that are named for the answer and its topic were taken for JSON alone."""
    path = table(tmp_path / f"rows.{ending}", ROWS)
    choice = ColumnChoice({"query": "qid", "question": "q", "answer": "said", "references": "docs", "system": "sys"})
    loaded = load(path, kind="run", columns=choice)
    choice.check()
    run = loaded.value
    assert isinstance(run, Run) and run.answered is not None and run.answered.answers is not None
    answers = run.answered.answers
    assert (run.name, answers.topics, answers.questions) == ("mine", ("sky", "bees"), ("why", "how"))
    assert answers.sentences_of("sky") == ["scatters blue.", "Oceans, not."]
    assert [answers.cited_by(row) for row in range(2)] == [["d1"], ["d2", "[3]"]]
    assert answers.references_of("bees") == ["d5"]
    other = load(path, kind="run", part="other", columns=choice).value
    assert other.answered.answers.sentences_of("sky") == ["It is magic."]


def test_paths_lead_on_into_cells_of_json(tmp_path: Path) -> None:
    cell = json.dumps({"text": "Air scatters it [2].", "sources": [{"id": "d1"}, {"id": "d2"}]})
    path = tmp_path / "rows.csv"
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([["id", "output"], ["sky", cell]])
    choice = ColumnChoice({"query": "id", "answer": "output.text", "references": "output.sources[].id"})
    answers = load(path, kind="run", columns=choice).value.answered.answers
    choice.check()
    assert (answers.sentences_of("sky"), answers.cited_by(0)) == (["Air scatters it."], ["d2"])


@pytest.mark.parametrize(("columns", "said"), [
    ({"query": "qid", "answer": "text"}, "there is no column text for answer; its columns are: qid, q, said"),
    ({"query": "id", "answer": "said"}, "there is no column id for query; its columns are: qid, q, said, docs, sys"),
    ({"answer": "said"}, "the column of the topic is not given (query=…, or question=…)"),
])  # fmt: skip
@pytest.mark.parametrize("ending", ["csv", "tsv", "parquet"])
def test_what_a_table_of_answers_lacks_is_named(
    ending: str, columns: dict[str, str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = table(tmp_path / f"rows.{ending}", ROWS)
    with pytest.raises(ColumnsError) as refused:
        load(path, kind="run", columns=ColumnChoice(columns))
    assert said in str(refused.value)
    given = ",".join(f"{role}={column}" for role, column in columns.items())
    assert main(["answers", "scores", str(path), "--columns", given, "-m", "Length"]) == 2
    assert said in capsys.readouterr().err


def test_the_columns_of_answers_leave_other_tables_alone(tmp_path: Path) -> None:
    nuggets = tmp_path / "nuggets.csv"
    nuggets.write_text("qid,nugget,importance\nsky,blue light,vital\n")
    choice = ColumnChoice({"query": "qid", "answer": "said", "references": "docs"})
    assert isinstance(load(nuggets, kind="qrels", columns=choice).value, Qrels)
    run = tmp_path / "list.csv"
    run.write_text("qid,docid,score\nsky,d1,2.5\n")
    assert load(run, columns=choice).value.ranking("sky") == ["d1"]
