"""Files of answers: told from others, read into one model, written back, and what is odd in them said."""

from __future__ import annotations

import csv
import gzip
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import hypothesis.strategies as st
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import example, given

from irviewer.errors import ParseError
from irviewer.formats import csv_rows
from irviewer.formats.answers.building import Builder, reference_index
from irviewer.formats.answers.table_writing import lost_in_table, table_writer
from irviewer.formats.delimited_text import delimited_text
from irviewer.formats.load import load, load_opened
from irviewer.formats.load_report import LoadReport
from irviewer.formats.reading.json_faults import json_reason
from irviewer.formats.reading.opener import Opened, open_bytes
from irviewer.formats.registry import format_named
from irviewer.model.answers.answers import Answers, same_answers
from irviewer.model.answers.nuggets import Nuggets
from irviewer.model.answers.prose import sentences_of
from irviewer.model.answers.systems import joined_systems
from irviewer.model.column_names import ColumnChoice
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run

OWN = Path(__file__).parents[1] / "data" / "answers"
SMALL = Path(__file__).parents[1] / "data" / "formats"


def run_of(path: Path, **options: str) -> Run:
    value = load(path, kind="run", **options).value  # type: ignore[arg-type]
    assert isinstance(value, Run)
    return value


def answers_of(run: Run) -> Answers:
    assert run.answered is not None and run.answered.answers is not None
    return run.answered.answers


def read(text: str, path: str = "answers.jsonl", **options: str) -> tuple[Run, LoadReport]:
    loaded = load_opened(Opened(path, text.encode(), "", "utf-8"), **options)  # type: ignore[arg-type]
    assert isinstance(loaded.value, Run)
    return loaded.value, loaded.report


def line(**changes: object) -> str:
    record = {
        "run_id": "s", "topic_id": "t", "topic": "q", "references": ["a", "b"], "response_length": 2,
        "answer": [{"text": "One.", "citations": [1, 0]}, {"text": "Two.", "citations": []}],
    }  # fmt: skip
    return json.dumps({**record, **changes}) + "\n"


@pytest.mark.parametrize(
    ("name", "kind", "title"),
    [
        ("answers_rag24.jsonl", "run", "answers (TREC RAG 2024)"),
        ("answer_nuggets.jsonl", "qrels", "nuggets"),
        ("answer_assignments.jsonl", "run", "assignments of nuggets"),
        ("answer_segments.jsonl", "qrels", "nuggets of segments"),
        ("answer_support.jsonl", "run", "support of citations"),
        ("answers.csv", "run", "table of answers"),
        ("answer_rows.jsonl", "run", "assignments of nuggets"),
        ("answer_nuggets.parquet", "qrels", "nuggets"),
        ("ragas.jsonl", "run", "Ragas samples"),
        ("langsmith.jsonl", "run", "LangSmith runs"),
        ("trulens.jsonl", "run", "TruLens records"),
        ("candidates.jsonl", "run", "candidates of a generator"),
    ],
)
def test_recognised_by_content(name: str, kind: str, title: str, tmp_path: Path) -> None:
    """By its keys, whatever its name, with a mark of its encoding, other line ends, or compressed."""
    loaded = load(SMALL / name)
    assert (loaded.kind, loaded.report.format) == (kind, title)
    data = (SMALL / name).read_bytes()
    packed = tmp_path / "unnamed.gz"
    packed.write_bytes(gzip.compress(data))
    assert load(packed).report.format == title
    if not name.endswith(".parquet"):
        other = tmp_path / "other"
        other.write_bytes(b"\xef\xbb\xbf" + data.replace(b"\n", b"\r\n"))
        assert load(other).report.format == title
    if name.endswith(".jsonl"):
        array = tmp_path / "array"
        array.write_text(json.dumps([json.loads(each) for each in data.splitlines()]))
        assert load(array).report.format == title


def test_scores_of_topics_are_no_queries(tmp_path: Path) -> None:
    path = tmp_path / "scores.jsonl"
    path.write_text('{"qid": "1", "vital_score": 0.5}\n')
    loaded = load(path)
    assert loaded.kind == "run" and isinstance(loaded.value, Run) and loaded.value.answered is not None
    assert loaded.value.answered.scores_alone
    path.write_text('{"qid": "1", "text": "words", "length": 3}\n')
    assert load(path).kind == "queries"


def test_all_forms_give_the_same_answers() -> None:
    """Written in each form of the tracks and read again, as a table, and as exports of one text an answer."""
    run = run_of(OWN / "alpha.answers.jsonl")
    wanted = answers_of(run)
    for form in ("rag24", "rag25", "rag25-ids", "rag-responses"):
        again, _ = read(format_named(form).encoded(run).decode())
        assert same_answers(answers_of(again), wanted), form
        assert answers_of(again).form == form
        assert again.name == "alpha"
    assert format_named("rag24").encoded(run) == (OWN / "alpha.answers.jsonl").read_bytes()
    table = answers_of(run_of(SMALL / "answers.csv", part="alpha"))
    assert table.texts.equals(wanted.texts) and table.cited.equals(wanted.cited)
    for name in ("langsmith.jsonl", "ragas.jsonl", "trulens.jsonl"):
        other = answers_of(run_of(SMALL / name))
        assert other.texts.equals(wanted.texts), name
        assert np.array_equal(other.places, wanted.places), name
    assert answers_of(run_of(SMALL / "langsmith.jsonl")).references.equals(wanted.references)


@pytest.mark.parametrize(
    ("name", "form"),
    [("nuggets.jsonl", "nuggets"), ("alpha.assignments.jsonl", "assignments"), ("beta.support.jsonl", "support")],
)
def test_labels_are_written_as_they_were(name: str, form: str) -> None:
    assert format_named(form).encoded(load(OWN / name).value) == (OWN / name).read_bytes()  # type: ignore[arg-type]


@pytest.mark.parametrize("ending", ["parquet", "arrow"])
@pytest.mark.parametrize(
    "name",
    ["alpha.answers.jsonl", "nuggets.jsonl", "alpha.assignments.jsonl", "segments.jsonl", "beta.support.jsonl"],
)
def test_records_in_rows_are_read_as_json_lines(name: str, ending: str, tmp_path: Path) -> None:
    """Lists and objects nested in a row, as pandas and data sets on the web have them."""
    records = [json.loads(text) for text in (OWN / name).read_text().splitlines()]
    table, path = pa.Table.from_pylist(records), tmp_path / f"records.{ending}"
    if ending == "parquet":
        pq.write_table(table, path)
    else:
        with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, table.schema) as writer:
            writer.write_table(table)
    loaded, wanted = load(path), load(OWN / name)
    assert (loaded.kind, loaded.report.format) == (wanted.kind, wanted.report.format)
    assert loaded.report.facts[0] == ("file", "binary")
    assert loaded.report.facts[2:] == wanted.report.facts[2:]
    writer_name = {"nuggets": "nuggets", "assignments": "assignments", "support": "support", "answers": "rag24"}
    for part, form in writer_name.items():
        if part in name:
            assert format_named(form).encoded(loaded.value) == (OWN / name).read_bytes()  # type: ignore[arg-type]


@pytest.mark.parametrize("form", ["rag25", "rag25-ids", "rag-responses"])
def test_each_form_of_answers_in_rows(form: str, tmp_path: Path) -> None:
    """Scores by document are an object, of which a column has the members of all rows."""
    run = run_of(OWN / "alpha.answers.jsonl")
    records = [json.loads(text) for text in format_named(form).encoded(run).decode().splitlines()]
    if form == "rag-responses":
        for record in records:
            for sentence in record["responses"]:
                sentence["citations"] = {name: 1 / (1 + at) for at, name in enumerate(sentence["citations"])}
    pq.write_table(pa.Table.from_pylist(records), tmp_path / "a.parquet")
    again = answers_of(run_of(tmp_path / "a.parquet"))
    assert same_answers(again, answers_of(run))
    assert again.form == form
    pq.write_table(pa.table({"qid": ["1"], "text": ["words"], "answer": ["a word"]}), tmp_path / "q.parquet")
    assert load(tmp_path / "q.parquet").kind == "queries"


def test_citations_that_lead_nowhere_are_kept() -> None:
    cited = [0, 9, -1, "b", "c", "1", 1.0, None, [0], True]
    run, report = read(line(answer=[{"text": "x", "citations": cited}]))
    answers = answers_of(run)
    assert answers.places.tolist() == [0, -1, -1, 1, -1, 1, 1, -1, 0, -1]
    assert answers.cited.to_pylist() == ["a", "9", "-1", "b", "c", "b", "b", "null", "a", "true"]
    assert answers.leads.tolist() == [True, False, False, True, True, True, True, False, True, False]
    said = " ".join(report.warnings)
    assert "4 citations have a place that the references lack: they are kept, and lead nowhere (line 1" in said
    assert "1 citation is of a document that the references lack: it is kept" in said
    again, _ = read(format_named("rag24").encoded(run).decode())
    assert answers_of(again).places.tolist() == answers.places.tolist()
    assert answers_of(again).cited.to_pylist() == answers.cited.to_pylist()


@pytest.mark.parametrize(("text", "cited"), [
    ("Air scatters it [1]. Oceans do not [3].", ["a", "[3]"]), ("So it is [0]. Or so [2].", ["a", "[2]"]),
])  # fmt: skip
def test_a_number_in_brackets_that_is_of_no_reference_stays_what_it_is(text: str, cited: list[str]) -> None:
    """[3] of two references, which begin at 1, was shown as place 2."""
    run, report = read(line(answer=text))
    answers = answers_of(run)
    assert answers.cited.to_pylist() == cited
    assert answers.places.tolist() == [0, -1] and answers.leads.tolist() == [True, False]
    said = "1 number in brackets in a text is that of no reference: it is kept, and leads nowhere"
    assert [each for each in report.warnings if each.startswith(said)]
    for form in ("rag24", "rag25", "rag25-ids", "rag-responses"):
        again, _ = read(format_named(form).encoded(run).decode())
        assert answers_of(again).cited.to_pylist() == cited
        assert answers_of(again).leads.tolist() == [True, False]


def test_odd_answers_are_read_and_said() -> None:
    text = (
        line(topic_id=7, answer=[{"text": "", "citations": []}, {"text": None}, "plain"])
        + '{"run_id": "s", "topic_id": "cut", "answer": [{"te\n'
        + line(topic_id="u", answer="It is so [1]. Dr. Who says 3.5 [1, 2]!")
        + line(topic_id="v", answer=[], references=["a", "a"])
        + line(topic_id="w", references=None)
        + line(topic_id="u", answer="It is so [1]. Dr. Who says 3.5 [1, 2]!")
    )
    run, report = read(text)
    answers = answers_of(run)
    assert answers.topics == ("7", "u", "v", "w")
    assert answers.sentences_of("7") == ["", "", "plain"]
    assert answers.sentences_of("u") == ["It is so.", "Dr. Who says 3.5!"]
    assert [answers.cited_by(row) for row in (3, 4)] == [["a"], ["a", "b"]]
    said = "\n".join(map(str, report.findings))
    for part in (
        "1 line is not a JSON object and is left out; the others are read; the first, in column 48: ",
        "2 sentences are empty; they are kept (line 1", "1 answer has no sentence (line 4)",
        "1 answer has citations and no references (line 5)", "1 answer lists a reference twice (line 4)",
        "1 topic is a number; it is read as text (line 1)", "1 answer is there twice with the same content",
    ):  # fmt: skip
        assert part in said


@pytest.mark.parametrize(
    ("name", "kind", "said"),
    [
        ("nuggets", "run", "this looks like qrels, not like a run: .*; give it in the place of the qrels"),
        ("segments", "run", "this looks like qrels, not like a run: .*; give it in the place of the qrels"),
        ("alpha.answers", "qrels", "this looks like a run, not like qrels: .*; give it in the place of a run"),
        ("alpha.support", "qrels", "this looks like a run, not like qrels: .*; give it in the place of a run"),
    ],
)
def test_nuggets_in_the_place_of_a_run(name: str, kind: str, said: str) -> None:
    """It was "JSON of an unknown shape", with a hint that led nowhere."""
    with pytest.raises(ParseError, match=rf"{name}.jsonl:1: {said}"):
        load(OWN / f"{name}.jsonl", kind=kind)


@pytest.mark.parametrize("name", ["ragas_old.jsonl", "ragas_old.csv"])
def test_two_answers_of_a_system_without_a_name_are_those_of_its_file(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    rows = [{"user_input": "q", "response": answer, "retrieved_contexts": "[]"} for answer in ("One.", "Two.")]
    with path.open("w", newline="") as stream:
        if name.endswith("csv"):
            writer = csv.DictWriter(stream, [*rows[0]])
            writer.writeheader()
            writer.writerows(rows)
        else:
            stream.writelines(json.dumps(row) + "\n" for row in rows)
    with pytest.raises(ParseError, match="system ragas_old has two answers to topic q "):
        load(path)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows[:1]))
    assert run_of(path).name == "ragas_old"


def test_two_answers_to_a_topic_are_asked_about() -> None:
    text = line() + line(answer=[])
    with pytest.raises(ParseError, match=r"answers.jsonl:2: system s has two answers to topic t \(lines 1 and 2\)"):
        read(text)
    assert len(answers_of(read(text, duplicates="first")[0]).texts) == 2
    assert len(answers_of(read(text, duplicates="last")[0]).texts) == 0


def test_shapes_that_people_write_lose_nothing() -> None:
    """An answer that is an object or a number, a sentence by its name, references that are objects or one text."""
    text = line(references="d1", answer={"text": "One two.", "citations": [0]}) + line(topic_id="u", answer=42)
    text += line(
        topic_id="v", references=[{"docid": "d4"}, {"id": "d5", "text": "x"}, "d6"],
        answer=[{"text": "One.", "citations": [0, 2]}, {"sentence": "Two.", "citations": [1]}],
    )  # fmt: skip
    text += line(topic_id="w", references={"0": "d1"}, answer=[{"text": "One.", "citations": [0]}])
    run, report = read(text + line(topic_id="x", answer=None) + line(topic_id="y", answer={}))
    answers = answers_of(run)
    sentences = [answers.sentences_of(topic) for topic in "tuvwxy"]
    assert sentences == [["One two."], ["42"], ["One.", "Two."], ["One."], [], []]
    assert answers.cited.to_pylist() == ["d1", "d4", "d6", "d5", "0"]
    notes = [str(finding) for finding in report.findings]
    assert "the references of 1 answer are no list: they are left out (line 4)" in notes
    assert "2 answers have no sentence (lines 5, 6)" in notes


def test_marks_in_sentences_without_a_list_of_citations() -> None:
    """They are citations, as in an answer that is one text; an empty list counts, which is said. Written and read
    again they are the same."""
    sentences = ["Air scatters blue [d5].", "Second [1, 2].", "Third [7].", {"text": "Fourth (d1)."},
                 {"text": "Fifth [1].", "citations": []}, {"text": "Sixth [1999].", "citations": []}]  # fmt: skip
    run, report = read(line(references=["d1", "d5"], answer=sentences))
    answers = answers_of(run)
    assert answers.texts.to_pylist() == [
        "Air scatters blue.", "Second.", "Third.", "Fourth.", "Fifth [1].", "Sixth [1999].",
    ]  # fmt: skip
    assert [answers.cited_by(place) for place in range(6)] == [["d5"], ["d1", "d5"], ["[7]"], ["d1"], [], []]
    said = " ".join(note.text for note in report.findings)
    assert "4 sentences have no lists of citations" in said and "(1 is the first reference)" in said
    assert "1 sentence has marks such as [1] and an empty list of citations" in said
    assert "1 number in brackets in a text is that of no reference" in said
    again, _ = read(format_named("rag24").encoded(run).decode())
    assert same_answers(answers, answers_of(again))
    from_0, report = read(line(references=["d1", "d5"], answer=["First [0].", "Second [1]."]))
    assert answers_of(from_0).cited.to_pylist() == ["d1", "d5"]
    assert "(0 is the first reference)" in " ".join(note.text for note in report.findings)


def test_markup_and_length_are_text() -> None:
    html = "<img src=file:///etc/hostname> & <b>bold</b>"
    words = " ".join(["word"] * 10_000)
    run, _ = read(line(answer=[{"text": html, "citations": []}, {"text": words, "citations": []}]))
    answers = answers_of(run)
    assert answers.sentences_of("t") == [html, words]
    assert answers.words.tolist() == [len(html.split()) + 10_000]


@pytest.mark.parametrize("text", ["", " ", " a  b ", "a b", "\tx\ny ", "　ｗ　z", "é à"])
def test_words_are_those_of_python(text: str) -> None:
    answers = answers_of(read(line(answer=[{"text": text, "citations": []}, {"text": "a b", "citations": []}]))[0])
    assert answers.sentence_words.tolist() == [len(text.split()), 2]


def test_labels_that_no_rule_knows_are_listed() -> None:
    nuggets = [{"text": "a", "importance": "VITAL ", "assignment": "Partial-Support"},
               {"text": "b", "importance": "failed", "assignment": "male"},
               {"text": "b", "importance": None, "assignment": None}]  # fmt: skip
    text = json.dumps({"qid": "t", "run_id": "s", "nuggets": nuggets}) + "\n"
    text += json.dumps({"qid": "none", "run_id": "s", "nuggets": []}) + "\n"
    run, report = read(text)
    assert run.answered is not None and run.answered.assignments is not None
    assert run.answered.assignments.labels.tolist() == [1, -2, -2]
    assert run.answered.assignments.nuggets.importance.tolist() == [1, -1, -1] or (
        run.answered.assignments.nuggets.importance.tolist() == [1, -2, -2]
    )
    said = "\n".join(report.warnings)
    assert "importance that no rule knows: “failed” 1, (empty) 1" in said
    assert "assignments that no rule knows: “male” 1, (empty) 1; it counts as not supported" in said
    assert "; known are support, partial_support, not_support" in said, "what to write instead"
    assert "; known are vital, okay" in said
    assert "1 topic has no nuggets, so its score is 0, or left out with missing=undefined: none" in said


def test_several_systems_in_one_file() -> None:
    text = line() + line(run_id="r", topic_id="u")
    run, report = read(text)
    assert (run.name, run.query_ids) == ("s", ("t",))
    assert next(note for note in report.findings if note.topic == "part").names == ("s", "r")
    assert read(text, part="r")[0].query_ids == ("u",)


def test_a_further_file_of_a_system_adds_what_the_first_lacks() -> None:
    files = ("alpha.answers.jsonl", "beta.assignments.jsonl", "alpha.assignments.jsonl", "alpha.support.jsonl")
    runs = joined_systems([run_of(OWN / name) for name in files])
    assert [run.name for run in runs] == ["alpha", "beta"]
    alpha = runs[0].answered
    assert alpha is not None and None not in (alpha.answers, alpha.assignments, alpha.support)
    assert runs[0].ranking("t1") == ["d11", "d12"]
    changed = (OWN / "alpha.assignments.jsonl").read_text().replace("partial_support", "support")
    runs = joined_systems([*runs, read(changed)[0]])
    assert [run.name for run in runs[:2]] == ["alpha", "beta"]
    assert runs[2].name.endswith("/alpha")  # of another folder, named as any run of the same name
    assert runs[2].answered is not None and runs[2].answered.answers is not None


def test_segments_are_links() -> None:
    qrels = load(OWN / "segments.jsonl").value
    assert isinstance(qrels, Qrels) and qrels.nuggets is not None and qrels.nuggets.links is not None
    assert qrels.nuggets.links.documents_of(0) == ["d11"]
    assert qrels.nuggets.links.documents_of(3) == []


def test_columns_are_named_once(tmp_path: Path) -> None:
    from irviewer.model.column_names import ColumnChoice

    path = tmp_path / "mine.tsv"
    path.write_text("frage\twer\tsatz\tquellen\n1\ts\tOne.\ta; b\n1\ts\tTwo.\t\n")
    chosen = ColumnChoice({"query": "frage", "system": "wer", "sentence": "satz", "cited": "quellen"})
    run = load(path, kind="run", columns=chosen).value
    assert isinstance(run, Run)
    assert answers_of(run).cited_by(0) == ["a", "b"]
    assert run.name == "mine" or run.name == "s"


def table_of(text: str, **options: str) -> tuple[Run, list[str]]:
    run, report = read(text, "t.csv", **options)
    return run, [str(finding) for finding in report.findings]


def test_rows_of_citations_are_one_sentence() -> None:
    """A row a citation, with numbers of sentences or without; what cites nothing is a sentence of its own."""
    plain = "query,system,sentence,cited\na,s,One two.,d1\na,s,One two.,d2\na,s,Four.,\na,s,Four.,\nb,s,One two.,d1\n"
    run, notes = table_of(plain)
    answers = answers_of(run)
    assert answers.texts.to_pylist() == ["One two.", "Four.", "Four.", "One two."]
    assert answers.cited_by(0) == ["d1", "d2"]
    assert notes == ["1 row has the sentence of the row above: it is a further citation of that sentence (line 3)"]
    numbered = "query,system,sentence_number,sentence,cited\na,s,0,One.,d1\na,s,1,Two.,d2\na,s,0,One.,d3\na,s,1,,d1\n"
    run, notes = table_of(numbered)
    assert [answers_of(run).cited_by(row) for row in range(2)] == [["d1", "d3"], ["d2", "d1"]]
    assert not notes


def test_two_answers_in_a_table_are_asked_about() -> None:
    head = "query,system,sentence_number,sentence,cited\n"
    rows = "a,s,0,One.,d1\na,s,1,Two.,d3\nb,s,0,Bee.,d3\n"
    with pytest.raises(ParseError, match=r"t.csv:5: system s has two answers to topic a \(lines 2 and 5\)"):
        table_of(f"{head}{rows}a,s,0,Other.,d1\na,s,1,Two.,d2\n")
    run, notes = table_of(f"{head}{rows}a,s,0,Other.,d1\na,s,1,Two.,d2\n", duplicates="last")
    assert answers_of(run).sentences_of("a") == ["Other.", "Two."]
    assert notes == ["1 topic has different answers; the last is kept: a (line 5)"]
    run, notes = table_of(f"{head}{rows}{rows}")
    assert notes == ["3 rows repeat citations of their sentences: they are read once (lines 5, 6, 7)"]
    assert answers_of(run).texts.to_pylist() == ["One.", "Two.", "Bee."]
    assert [answers_of(run).cited_by(row) for row in range(3)] == [["d1"], ["d3"], ["d3"]]
    plain = "a,s,One.,d1\nb,s,Bee.,d3\n"
    run, notes = table_of(f"query,system,sentence,cited\n{plain}{plain}")
    assert answers_of(run).texts.to_pylist() == ["One.", "Bee."]
    assert notes == ["2 answers are there twice with the same content: they are read once (lines 4, 5)"]
    run, notes = table_of("query,system,sentence,cited\na,s,One.,d1\nb,s,Bee.,d3\na,s,Two.,d1\n")
    assert answers_of(run).sentences_of("a") == ["One.", "Two."]
    assert notes == ["the rows of 1 topic are apart: they are one answer (line 4)"]


def test_labels_of_a_table_are_those_of_their_citations() -> None:
    """One label of a row for all that it cites, or one for each; a label without a document is kept."""
    head = "query,system,sentence_number,sentence,cited,support\n"
    run, notes = table_of(f"{head}a,s,0,One.,d1;d2,FS\na,s,0,One.,d3,NS\na,s,1,Two.,d4;d5,2;0\na,s,2,Three.,,FS\n")
    assert run.answered is not None and run.answered.support is not None
    assert run.answered.support.labels.tolist() == [2, 2, 0, 2, 0]
    assert run.answered.support.cited.to_pylist() == ["d1", "d2", "d3", "d4", "d5"]
    assert notes == ["1 row has a label of support and cites nothing: the label is left out (line 5)"]
    run, notes = table_of("query,system,sentence,support\na,s,One.,FS\na,s,Two.,NS\na,s,Three.,\n")
    assert run.answered is not None and run.answered.support is not None
    assert run.answered.support.labels.tolist() == [2, 0]
    assert notes == ["2 citations have no reference: they are kept, and lead nowhere (lines 2, 3)"]


@pytest.mark.parametrize(
    "text",
    [
        "query,system,nugget,importance,assignment,judge\na,s,n,vital,support,p\na,s,n,vital,not_support,m\n",
        "query,system,sentence,cited,support,annotator\na,s,One.,d1,FS,p\na,s,One.,d1,NS,m\n",
    ],
)
@pytest.mark.parametrize("kind", ["run", "qrels"])
def test_labels_of_several_judges_are_refused(text: str, kind: str) -> None:
    """They would count together, as if each nugget and citation were several."""
    if kind == "qrels" and "nugget" not in text:
        return
    with pytest.raises(ParseError, match=r"names 2 judges \(p, m\).* write a file for each judge"):
        table_of(text, kind=kind)
    of_one_judge = "".join(row for row in text.splitlines(keepends=True) if not row.endswith("m\n"))
    load_opened(Opened("t.csv", of_one_judge.encode(), "", "utf-8"), kind=kind)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("One. Two!", ["One.", "Two!"]),
        ("At 3.5 km. Mr. X e.g. this.", ["At 3.5 km.", "Mr. X e.g. this."]),
        ("天は青い。海も青い！", ["天は青い。", "海も青い！"]),
        ("no end\n- a list\n- of two", ["no end", "- a list", "- of two"]),
        ("No. Bees smell them.", ["No.", "Bees smell them."]),
        ("See no. 5 and Fig. 2 there.", ["See no. 5 and Fig. 2 there."]),
        ("Pears, plums, etc. Then figs.", ["Pears, plums, etc.", "Then figs."]),
        ("Pears, etc. are fruit.", ["Pears, etc. are fruit."]),
        ("Obst, z.B. Äpfel, d.h. viel.", ["Obst, z.B. Äpfel, d.h. viel."]),
        ("La Sra. Gil, p. ej. aquí. Ya.", ["La Sra. Gil, p. ej. aquí.", "Ya."]),
        ("", []),
    ],
)
def test_one_text_is_cut_by_the_stated_rule(text: str, sentences: list[str]) -> None:
    assert [sentence for sentence, _ in sentences_of(text)] == sentences


def test_marks_of_a_system_count_from_one_number(tmp_path: Path) -> None:
    """A 0 in any answer of a system, also beside other numbers, is its first reference, in each form of one text."""
    texts, references = {"t": "First [0, 1]. Second [2].", "u": "Only [1]."}, ["a", "b", "c"]
    forms = {
        "by hand": lambda topic: {"qid": topic, "run_id": "s", "answer": texts[topic], "references": references},
        "ragas": lambda topic: {
            "user_input": topic, "response": texts[topic], "retrieved_context_ids": references, "reference": "",
        },
        "promptfoo": lambda topic: {
            "provider": {"id": "p"}, "testIdx": 0, "promptIdx": 0, "success": True, "score": 1, "namedScores": {},
            "vars": {"id": topic, "context": [{"id": each} for each in references]},
            "response": {"output": texts[topic]},
        },
    }  # fmt: skip
    for form, record in forms.items():
        run, report = read("".join(json.dumps(record(topic)) + "\n" for topic in texts), "s.jsonl")
        assert answers_of(run).cited.to_pylist() == ["a", "b", "c", "b"], form
        assert any("(0 is the first reference)" in finding.text for finding in report.findings), form
    path = tmp_path / "s.jsonl"
    path.write_text(
        "".join(json.dumps({"id": topic, "o": {"a": texts[topic]}, "r": references}) + "\n" for topic in texts)
    )
    columns = ColumnChoice({"query": "id", "answer": "o.a", "references": "r[]"})
    value = load(path, kind="run", columns=columns).value
    assert isinstance(value, Run)
    assert answers_of(value).cited.to_pylist() == ["a", "b", "c", "b"]
    other = {"qid": "v", "run_id": "other", "answer": "It counts from one [1].", "references": references}
    both = [forms["by hand"](topic) for topic in texts] + [other]
    run, report = read("".join(json.dumps(record) + "\n" for record in both), part="other")
    assert answers_of(run).cited.to_pylist() == ["a"]
    assert any("(1 is the first reference)" in finding.text for finding in report.findings)


def test_marks_by_id_are_citations() -> None:
    """Ids of references in brackets, parentheses or braces; what is no reference stays text; a number is a place."""
    text = "One [d1]. Two (d#2; clueweb:x y). Three {d1, d9}. Four (see d1). Five [2](a). Six 【d1】[d1, 3]. Seven (7)."
    record = {"qid": "t", "run_id": "s", "answer": text, "references": ["d1", "d#2", "clueweb:x y", "7"]}
    run, _ = read(json.dumps(record) + "\n")
    answers = answers_of(run)
    assert answers.texts.to_pylist() == [
        "One.", "Two.", "Three {d1, d9}.", "Four (see d1).", "Five (a).", "Six [d1, 3].", "Seven (7).",
    ]  # fmt: skip
    assert [answers.cited_by(row) for row in range(7)] == [
        ["d1"], ["d#2", "clueweb:x y"], [], [], ["d#2"], ["d1"], []
    ]  # fmt: skip
    zero = {**record, "qid": "u", "answer": "One [0]. Two [d#2]."}
    run, _ = read(json.dumps(record) + "\n" + json.dumps(zero) + "\n")
    assert answers_of(run).cited_by(0) == ["d1"]
    assert answers_of(run).sentences_of("u") == ["One.", "Two."]
    assert answers_of(run).cited.to_pylist()[-2:] == ["d1", "d#2"]


@pytest.mark.parametrize("split", [False, True])
def test_marks_of_a_search_are_places_of_references_where_it_is_the_only_one(split: bool) -> None:
    """【4:0†source】 was no citation. The references of two searches have no order that both numbers count in; a name
    tells a reference anyway."""

    def read_answer(*sentences: str) -> tuple[Answers, str]:
        answer = list(sentences) if split else " ".join(sentences)
        run, report = read(line(references=["a", "b.pdf"], answer=answer))
        return answers_of(run), " ".join(note.text for note in report.findings)

    answers, said = read_answer(
        "One【4:0†source】.", "Two【4:1†source】【4:0†source】.", "Three [1].", "Four【4:7†source】."
    )
    assert [answers.cited_by(row) for row in range(4)] == [["a"], ["b.pdf", "a"], ["a"], []]
    assert answers.texts.to_pylist() == ["One.", "Two.", "Three.", "Four【4:7†source】."]
    assert "the number behind the colon is the place of a reference" in said and "are kept as text" in said
    answers, said = read_answer("One【4:0†source】.", "Two【5:1†source】.", "Three【5:0†b.pdf】.")
    assert [answers.cited_by(row) for row in range(3)] == [[], [], ["b.pdf"]]
    assert answers.texts.to_pylist() == ["One【4:0†source】.", "Two【5:1†source】.", "Three."]
    assert "1 answer has marks such as 【4:0†source】 that are kept as text" in said
    _, report = read(line(references=["a"], answer=[{"text": "One【4:0†source】.", "citations": []}]))
    assert "1 sentence has marks such as [1] and an empty list of citations" in " ".join(map(str, report.findings))


@pytest.mark.parametrize("damaged", [False, True])
def test_the_systems_of_a_file_are_read_with_all_that_is_odd(damaged: bool, tmp_path: Path) -> None:
    """Records that are parsed once are those of each reading; what is damaged is counted for each system."""
    path = tmp_path / "all.jsonl"
    lines = [json.dumps({"run_id": name, "topic_id": "1", "references": ["d"], "answer": f"Of {name} [1]."})
             for name in "abc"]  # fmt: skip
    path.write_text("\n".join([*lines, *(["{"] if damaged else [])]) + "\n")
    opened = open_bytes(path)
    for name in "abc":
        own, alone = (load(path, kind="run", part=name, opened=each) for each in (opened, None))
        assert isinstance(own.value, Run) and isinstance(alone.value, Run)
        assert own.value.answered is not None and own.value.answered.answers is not None
        assert own.value.answered.answers.texts.to_pylist() == [f"Of {name}."]
        assert own.report.findings == alone.report.findings
        assert damaged == any("1 line" in str(each) for each in own.report.findings)


def test_citations_that_lead_nowhere_keep_their_kind_in_each_form() -> None:
    cited = [0, 5, -1, None, "z", "1.5"]
    run, _ = read(line(answer=[{"text": "x", "citations": cited}]))
    for form in ("rag24", "rag25", "rag25-ids", "rag-responses"):
        again, _ = read(format_named(form).encoded(run).decode())
        assert same_answers(answers_of(again), answers_of(run)), form
        assert answers_of(again).named.tolist()[1:] == answers_of(run).named.tolist()[1:], form


def test_the_tracks_files_are_written_as_they_were(data: Path) -> None:
    track = data / "trec-rag-2024"
    if not track.is_dir():
        pytest.skip("the data of the track are not here")
    for name, form in (
        ("answers/baseline_rag24.test_gpt-4o_top20.jsonl.gz", "rag24"),
        ("nuggets/rag24_nuggets_mistral.jsonl.gz", "nuggets"),
        ("assignments/baseline_rag24.test_l31_70b_instruct_top20.jsonl.gz", "assignments"),
    ):
        value = load(track / name).value
        ours = format_named(form).encoded(value).splitlines()  # type: ignore[arg-type]
        theirs = gzip.decompress((track / name).read_bytes()).splitlines()
        assert [json.loads(each) for each in ours] == [json.loads(each) for each in theirs]
    variants = track / "format-variants"
    wanted = answers_of(run_of(variants / "rag24.jsonl"))
    for name in ("rag25_format1_indices.jsonl", "rag25_format2_ids.jsonl", "responses_scores.jsonl"):
        path = variants / name
        assert same_answers(answers_of(run_of(path)), wanted)
        again = format_named(answers_of(run_of(path)).form).encoded(run_of(path)).splitlines()
        assert [json.loads(each) for each in again] == [json.loads(each) for each in path.read_bytes().splitlines()]


@pytest.mark.parametrize("value", [-1, 1.5, True, "x", {"a": 1}])
def test_what_is_no_list_is_named_with_its_line(value: object, tmp_path: Path) -> None:
    path = tmp_path / "odd.jsonl"
    for name, keys in (("nuggets.jsonl", ("nuggets",)), ("alpha.support.jsonl", ("sentences", 0, "citations"))):
        records = [json.loads(text) for text in (OWN / name).read_text().splitlines()]
        inner = records[1]
        for key in keys[:-1]:
            inner = inner[key]
        inner[keys[-1]] = value
        path.write_text("".join(json.dumps(record) + "\n" for record in records))
        loaded = load(path)
        assert any("no list: it is left out (line 2)" in text for text in loaded.report.warnings)
        assert (
            loaded.value is not None and records[1].get("qid", records[1].get("topic_id")) not in loaded.value.query_ids
        )
        path.write_text(json.dumps(records[1]) + "\n")
        if keys[0] != "nuggets":  # a record is known by their list
            with pytest.raises(ParseError, match=r"odd.jsonl:1: .* is not a list"):
                load(path)


def test_answers_written_by_hand_need_no_more_than_a_topic_and_an_answer(tmp_path: Path) -> None:
    """Other names of the topic, no system, no references; what has the text of a query and no references is a query."""
    records = [
        {"qid": "sky", "answer": "Air scatters blue [1]. Oceans do not.", "references": ["d1", "d2"]},
        {
            "query_id": "bees",
            "query": "how",
            "answer": [{"text": "They smell.", "citations": [0]}],
            "references": ["d5"],
        },
    ]
    path = tmp_path / "mine.jsonl"
    path.write_text("\n".join(map(json.dumps, records)))
    answers = answers_of(run_of(path))
    assert answers.topics == ("sky", "bees") and answers.questions == ("", "how")
    assert answers.sentences_of("bees") == ["They smell."] and len(answers.sentences_of("sky")) == 2
    assert answers.cited.to_pylist() == ["d1", "d5"]
    path.write_text('{"query_id": "bees", "answer": "They smell them."}\n')
    assert answers_of(run_of(path)).sentences_of("bees") == ["They smell them."]
    path.write_text('{"qid": "bees", "text": "how do bees find flowers", "answer": "They smell them."}\n')
    with pytest.raises(ParseError):
        run_of(path)


def test_each_kind_of_record_may_call_its_topic_and_system_as_answers_do(tmp_path: Path) -> None:
    """Nuggets with a topic_id are no queries, and two systems in a column of a Parquet file are not one."""
    kinds: dict[str, dict[str, object]] = {
        "answers": {"answer": "It does [d1].", "references": ["d1"]},
        "assignments": {"nuggets": [{"text": "a", "importance": "vital", "assignment": "support"}]},
        "support": {"sentences": [{"text": "It does.", "citations": [{"reference": "d1", "support": 2}]}]},
        "published": {"strict_vital_score": 0.5},
    }
    for kind, record in kinds.items():
        for topic in ("topic_id", "qid", "query_id", "question_id"):
            rows = [{topic: "7", name: run, **record} for name in ("run_id", "system") for run in ("a", "b")]
            for part in (rows[:2], rows[2:]):
                run, report = read("".join(json.dumps(row) + "\n" for row in part), f"{kind}.jsonl", part="b")
                assert run.answered is not None and (run.answered.system, run.query_ids) == ("b", ("7",))
                assert not [each for each in report.findings if each.serious and each.topic == "duplicates"]
        row = {"topic_id": None, "qid": "7", "run_id": None, "system": "b", **record}
        run, _ = read(json.dumps(row) + "\n", f"{kind}.jsonl")
        assert run.answered is not None and (run.answered.system, run.query_ids) == ("b", ("7",)), "null is no name"
    for topic in ("topic_id", "qid", "query_id"):
        path = tmp_path / "nuggets.jsonl"
        path.write_text(json.dumps({topic: "7", "query": "why", "nuggets": [{"text": "a", "importance": "vital"}]}))
        value = load(path).value
        assert isinstance(value, Qrels) and value.nuggets is not None and value.nuggets.topics == ("7",)
    pq.write_table(pa.Table.from_pylist(rows_of_two := [
        {"query_id": "7", "system": run, "answer": "It does [d1].", "references": "d1"} for run in ("a", "b")
    ]), tmp_path / "two.parquet")  # fmt: skip
    for row in rows_of_two:
        answered = run_of(tmp_path / "two.parquet", part=str(row["system"])).answered
        assert answered is not None and answered.system == row["system"]


@pytest.mark.parametrize("written", ["json", "python"])
@pytest.mark.parametrize("form", ["csv", "tsv", "parquet"])
@pytest.mark.parametrize("tool", ["ragas", "langsmith", "trulens"])
def test_tables_of_other_tools_are_read_as_their_records(tool: str, form: str, written: str, tmp_path: Path) -> None:
    """What pandas writes of the same records: lists and objects as JSON, or as Python prints them."""
    source = SMALL / f"{tool}.jsonl"
    wanted = answers_of(run_of(source))
    records = [json.loads(line) for line in source.read_text().splitlines()]
    names = list(dict.fromkeys(name for record in records for name in record))
    text = json.dumps if written == "json" else repr
    rows = [{name: text(value) if isinstance(value := record.get(name), list | dict) else value for name in names}
            for record in records]  # fmt: skip
    path = tmp_path / f"{tool}.{form}"
    if form == "parquet":
        pq.write_table(pa.table({name: [None if row[name] is None else str(row[name]) for row in rows]
                                 for name in names}), path)  # fmt: skip
    else:
        with path.open("w", newline="") as stream:
            writer = csv.DictWriter(stream, names, delimiter="," if form == "csv" else "\t")
            writer.writeheader()
            writer.writerows({name: "" if value is None else value for name, value in row.items()} for row in rows)
    answers = answers_of(run_of(path))
    assert answers.topics == wanted.topics and answers.texts.equals(wanted.texts)
    assert answers.references.equals(wanted.references)


def test_a_cell_is_never_run(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    bad = "[__import__('os').system('true')]"
    deep = "[" * 5000
    with path.open("w", newline="") as stream:
        csv.writer(stream).writerows([["user_input", "retrieved_contexts", "response"], ["q", bad, "An answer."],
                                      ["r", deep, "<b>Another</b> one."]])  # fmt: skip
    answers = answers_of(run_of(path))
    assert answers.topics == ("q", "r") and answers.sentences_of("r") == ["<b>Another</b> one."]


@given(st.lists(st.integers(min_value=-3, max_value=6), max_size=5), st.integers(min_value=0, max_value=5))
def test_places_are_read_as_each_of_them(given_places: list[int], n: int) -> None:
    """Lists of places have a way of their own: the same citations and findings as one place after the other."""
    references = [f"d{place % 3}" for place in range(n)]
    quick, careful = (Builder(Opened("a.jsonl", b"", "", "utf-8"), "s", "refuse") for _ in range(2))
    ours = quick.cited(given_places, references, reference_index(references), 1)
    theirs = [careful._one(place, references, reference_index(references), 1) for place in given_places]
    if len({each[0] for each in theirs}) < len(theirs):
        careful.issues.add("twice", 1)
    assert [each[:3] for each in ours] == [each[:3] for each in theirs]
    assert quick.issues.counts == careful.issues.counts


@pytest.mark.parametrize(
    ("name", "format_name", "kind", "spoiled"),
    [
        ("answer_support.jsonl", "support", "run", '"sentences": ['),
        ("answer_assignments.jsonl", "assignments", "run", '"nuggets": ['),
        ("answer_assignments.jsonl", "assignments", "qrels", '"nuggets": ['),
        ("answer_nuggets.jsonl", "nuggets", "qrels", '"nuggets": ['),
        ("answer_segments.jsonl", "segments", "qrels", '"nuggets": ['),
    ],
)
def test_what_is_left_out_is_said(name: str, format_name: str, kind: str, spoiled: str, tmp_path: Path) -> None:
    """A line that is no JSON, and a record of another kind; neither hides the others, and both are named."""
    lines = (SMALL / name).read_text().splitlines()
    assert spoiled in lines[1]
    odd = [lines[1].replace(spoiled, '"other": ' + spoiled[-1]), lines[1][: len(lines[1]) // 2]]
    path = tmp_path / "odd.jsonl"
    path.write_text("\n".join([lines[0], *odd, *lines[1:]]))
    loaded = load(path, kind=kind, format=format_name)
    notes = {finding.text: finding.lines for finding in loaded.report.findings if "left out" in finding.text}
    with pytest.raises(json.JSONDecodeError) as caught:
        json.loads(odd[1])
    cut_off = f"the first, in column {caught.value.colno}: the line is not JSON: {json_reason(caught.value)}"
    assert notes == {
        f"1 line is not a JSON object and is left out; the others are read; {cut_off}; mend it, or write the file "
        "again": (3,),
        "1 record is of another kind and is left out; the others are read": (2,),
    }
    whole = load(SMALL / name, kind=kind, format=format_name)
    assert [fact for fact in loaded.report.facts if fact[0] != "file"] == [
        fact for fact in whole.report.facts if fact[0] != "file"
    ]


@pytest.mark.parametrize(
    ("format_name", "kind", "lacking"),
    [
        ("support", "run", "support of citations"),
        ("assignments", "run", "assignments"),
        ("nuggets", "qrels", "nuggets"),
        ("segments", "qrels", "segments with nuggets"),
        ("rag24", "run", "answers"),
        ("ragas", "run", "answers"),
        ("trulens", "run", "answers"),
    ],
)
def test_a_file_of_which_nothing_is_left_is_refused(
    format_name: str, kind: str, lacking: str, tmp_path: Path
) -> None:  # fmt: skip
    path = tmp_path / "odd.jsonl"
    path.write_text('{"cut":\n{"other": 1}\n{"other": 2}\n')
    with pytest.raises(ParseError, match=rf"odd.jsonl:2: the file has no {lacking}"):
        load(path, kind=kind, format=format_name)  # type: ignore[arg-type]
    path.write_text('{"cut":\n')
    with pytest.raises(ParseError, match=r"odd.jsonl:1:\d+: the line is not JSON"):
        load(path, kind=kind, format=format_name)  # type: ignore[arg-type]


def test_support_without_a_topic_or_a_reference(tmp_path: Path) -> None:
    record = {"topic_id": "t", "run_id": "s", "sentences": [{"text": "One.", "citations": [{"support": "2"}, "d"]}]}
    path = tmp_path / "s.jsonl"
    path.write_text(json.dumps(record))
    loaded = load(path)
    assert [str(finding) for finding in loaded.report.findings] == [
        "1 citation has no reference: it is kept, and leads nowhere (line 1)"
    ]
    for topic in ("", None):
        path.write_text(json.dumps({**record, "topic_id": topic}))
        with pytest.raises(ParseError, match=r"s.jsonl:1: the support has no topic"):
            load(path)


@pytest.mark.parametrize("name", [
    "answers_rag24", "answer_support", "answer_assignments", "answer_nuggets", "answer_segments", "answer_rows",
    "ragas", "langsmith", "trulens", "candidates",
])  # fmt: skip
def test_half_a_character_is_named(name: str, tmp_path: Path) -> None:
    """Such an escape is left of a text that was cut in the middle of a sign; it was an exception of Python's."""
    text = (SMALL / f"{name}.jsonl").read_text()
    place = text.rindex('": "') + 5
    path = tmp_path / "half.jsonl"
    path.write_text(text[:place] + "\\ud83d" + text[place:])
    with pytest.raises(ParseError, match=r"half.jsonl:\d+:\d+: the escape \\ud83d is half a character"):
        load(path)


def test_half_a_character_inside_a_cell(tmp_path: Path) -> None:
    """JSON that is a text in a file: what cannot be read as JSON stays a text, or is said to be lost."""
    path = tmp_path / "r.csv"
    with path.open("w", newline="") as stream:
        csv.writer(stream).writerows([["user_input", "retrieved_contexts", "response"],
                                      ["q", '["a \\ud83d"]', "One."], ["r", "['b \\ud83d']", "Two."]])  # fmt: skip
    assert answers_of(run_of(path)).topics == ("q", "r")
    records = [json.loads(line) for line in (SMALL / "trulens.jsonl").read_text().splitlines()]
    path = tmp_path / "t.jsonl"
    path.write_text("".join(json.dumps({**record, "record_json": '{"calls": ["\\ud83d"]}'}) + "\n"
                            for record in records))  # fmt: skip
    said = "\n".join(map(str, load(path).report.findings))
    assert "records have calls that are not JSON: their contexts are not known" in said


def test_long_cells_of_a_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Python's limit of 131,072 letters is no limit of answers, and that of the program is an error of one line."""
    before = csv.field_size_limit(1 << 17)
    try:
        long = "word " * 40_000
        path = tmp_path / "r.csv"
        path.write_text(f'user_input,retrieved_contexts,response\nq,"[""c""]","{long}"\n')
        assert answers_of(run_of(path)).texts.to_pylist() == [long.strip()]
        monkeypatch.setattr(csv_rows, "MOST_CELL", 1 << 17)
        path.write_text(f"user_input,retrieved_contexts,response,{long}\nq,c,r,x\n")
        with pytest.raises(ParseError, match=r"r.csv:\d+: the row cannot be read: field larger than"):
            load(path, kind="run", format="ragas-table")
    finally:
        csv.field_size_limit(before)


def test_lists_that_numpy_printed_are_lists(tmp_path: Path) -> None:
    """Read from Parquet and written as CSV by pandas, lists have no commas: Python would join their texts."""
    texts = ["one, it's", 'say "two"', "three " * 30, "\\d\n"]
    path = tmp_path / "r.csv"
    with path.open("w", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(["user_input", "retrieved_context_ids", "response"])
        for topic, cell in (("q", str(np.array(texts, dtype=object))), ("r", "['a' 'b', 'c']"), ("s", "['a', 'b']")):
            writer.writerow([topic, cell, "An answer."])
    answers = answers_of(run_of(path))
    references = {topic: answers.references.to_pylist()[answers.reference_offsets[place]:][:answers.reference_offsets[
        place + 1] - answers.reference_offsets[place]] for place, topic in enumerate(answers.topics)}  # fmt: skip
    assert references["q"] == texts
    assert references["s"] == ["a", "b"]
    assert "ab" not in references["r"]


_CITED = st.lists(
    st.one_of(
        st.lists(st.integers(0, 3), max_size=4),
        st.lists(st.one_of(st.integers(-2, 5), st.sampled_from(["a", "c", "3", "z", None, True, 1.0])), max_size=3),
        st.none(), st.dictionaries(st.sampled_from(["a", "b", "z"]), st.floats(0, 1), max_size=2), st.just("a"),
    ),
    max_size=5,
)  # fmt: skip


@example([[0, 1], [0, 2]], ["a", "b", "a", "c"])
@example([[1, 1]], ["a", "b"])
@example([[0, 2]], ["a", "b"])
@example([[-1]], ["a", "b"])
@example([[True]], ["a", "b"])
@given(_CITED, st.sampled_from([["a", "b", "c", "d"], ["a", "b", "a", "c"], []]))
def test_all_citations_of_an_answer_are_those_of_each_sentence(given_: list[Any], references: list[str]) -> None:
    index = reference_index(references)
    quick, careful = (Builder(Opened("f", b"{}", "", "utf-8"), "s", "refuse") for _ in range(2))
    of_all = quick.all_cited(given_, references, index, 3)
    of_each = [careful.cited(each, references, index, 3) for each in given_]
    assert repr(of_all) == repr(of_each)  # NaN is a score
    assert quick.issues == careful.issues


@pytest.mark.parametrize("packed", [json.dumps, repr], ids=["json", "python"])
@pytest.mark.parametrize("ending", ["jsonl", "csv"])
def test_ragas_samples_before_its_version_0_2(ending: str, packed: Callable[[object], str], tmp_path: Path) -> None:
    record = {
        "question": "Who wrote Faust?", "answer": "Goethe did. It has two parts.", "contexts": ["Goethe wrote Faust."],
        "ground_truth": "Goethe", "faithfulness": 0.5,
    }  # fmt: skip
    path = tmp_path / f"samples.{ending}"
    with path.open("w", newline="") as stream:
        if ending == "csv":
            cells = [packed(value) if isinstance(value, list) else value for value in record.values()]
            csv.writer(stream).writerows([[*record], cells])
        else:
            stream.write(json.dumps(record) + "\n")
    assert load(path).report.format == "Ragas samples"
    run = run_of(path)
    answers = answers_of(run)
    assert answers.sentences_of("Who wrote Faust?") == ["Goethe did.", "It has two parts."]
    assert len(answers.references) == 1
    assert run.answered is not None
    assert [(score.name, dict(score.by_topic)) for score in run.answered.foreign] == [
        ("faithfulness", {"Who wrote Faust?": 0.5})
    ]


def test_a_data_set_with_contexts_is_no_sample_of_ragas(tmp_path: Path) -> None:
    path = tmp_path / "questions.jsonl"
    path.write_text(json.dumps({"id": "1", "question": "Who?", "answer": "Goethe", "contexts": ["a"]}) + "\n")
    assert load(path).report.format != "Ragas samples"


_EXPERIMENT = [
    {
        "inputs.question": "Who wrote Faust?", "inputs.context": "Goethe wrote Faust.",
        "outputs.output": "[1] Goethe did. It has two parts.", "error": None, "reference.answer": "Goethe",
        "feedback.accuracy": True, "feedback.length": 0.25, "execution_time": 0.5, "example_id": "e1", "id": "r1",
    },
    {
        "inputs.question": "Who wrote Hamlet?", "inputs.context": "Shakespeare wrote Hamlet.",
        "outputs.output": "Shakespeare did. [1]", "error": None, "reference.answer": "Shakespeare",
        "feedback.accuracy": False, "feedback.length": 0.75, "execution_time": 0.7, "example_id": "e2", "id": "r2",
    },
]  # fmt: skip
"""The columns that langsmith's own test of ``to_pandas`` expects."""


def _written(rows: list[dict[str, Any]], path: Path) -> Path:
    if path.suffix == ".jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    elif path.suffix == ".json":
        path.write_text(json.dumps(rows))
    elif path.suffix == ".parquet":
        pq.write_table(pa.Table.from_pylist(rows), path)
    else:
        with path.open("w", newline="") as stream:
            writer = csv.writer(stream)
            writer.writerow(["", *rows[0]])  # the numbers of the rows, as pandas writes them
            writer.writerows([place, *("" if cell is None else cell for cell in row.values())]
                             for place, row in enumerate(rows))  # fmt: skip
    return path


@pytest.mark.parametrize("ending", ["csv", "json", "jsonl", "parquet"])
@pytest.mark.parametrize("begin", ["inputs.", "input."])
def test_an_experiment_of_langsmith(ending: str, begin: str, tmp_path: Path) -> None:
    """``ExperimentResults.to_pandas`` and, with ``input.``, ``Client.get_test_results``."""
    rows = [{name.replace("inputs.", begin): value for name, value in row.items()} for row in _EXPERIMENT]
    path = _written(rows, tmp_path / f"exp-1.{ending}")
    assert load(path).report.format == "LangSmith experiment"
    run = run_of(path)
    answers = answers_of(run)
    assert run.name == "exp-1" and answers.topics == ("Who wrote Faust?", "Who wrote Hamlet?")
    assert answers.sentences_of("Who wrote Faust?") == ["Goethe did.", "It has two parts."]
    assert answers.cited.to_pylist() == answers.references.to_pylist() and len(answers.references) == 2
    assert run.answered is not None
    assert [(score.title, [*score.by_topic.values()]) for score in run.answered.foreign] == [
        ("accuracy (LangSmith)", [1.0, 0.0]), ("length (LangSmith)", [0.25, 0.75])
    ]  # fmt: skip


@pytest.mark.parametrize(
    "cell",
    [
        "[{'page_content': 'a', 'metadata': {'id': 'd1'}}, {'page_content': 'b', 'metadata': {'id': 'd2'}}]",
        "[Document(metadata={'id': 'd1'}, page_content='a'), Document(id='d2', metadata={}, page_content='b')]",
        '[{"id": "d1"}, {"id": "d2"}]',
    ],
)
def test_documents_in_an_experiment_of_langsmith(cell: str, tmp_path: Path) -> None:
    """Objects in a CSV: as JSON, and as Python prints them, LangChain's documents as well."""
    rows = [{**_EXPERIMENT[1], "outputs.documents": cell}]
    answers = answers_of(run_of(_written(rows, tmp_path / "e.csv")))
    assert answers.references.to_pylist() == ["d1", "d2"] and answers.cited.to_pylist() == ["d1"]


@pytest.mark.parametrize(
    ("cell", "references"), [("[array(['a', 'b'], dtype=object)", 1), ("array(['a', 'b'], dtype=object)", 2),
                             ("['a', b'c']", 1), ("{[]: 1}", 1)]
)  # fmt: skip
def test_cells_that_are_no_lists_are_named(cell: str, references: int, tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    with path.open("w", newline="") as stream:
        csv.writer(stream).writerows([["user_input", "retrieved_contexts", "response"], ["q", cell, "An answer."]])
    loaded = load(path)
    assert len(answers_of(run_of(path)).references) == references
    said = "1 cell of column retrieved_contexts is no list that can be read: it is one text (line 2)"
    assert (said in map(str, loaded.report.findings)) == (references == 1)


_WEB_PAGE: list[dict[str, Any]] = [
    {
        "id": "0d1f", "inputs": {"question": "Who wrote Faust?"}, "reference_outputs": {"answer": "Goethe"},
        "outputs": {"answer": "[1] Goethe did. It has two parts.", "documents": [{"id": "d1"}, {"id": "d2"}]},
        "correctness": 1.0, "concise": True, "status": "success", "error": None, "latency": 1.25, "tokens": 210,
        "session_name": "exp-7",
    },
    {
        "id": "0d2f", "inputs": {"question": "Who wrote Hamlet?"}, "reference_outputs": None,
        "outputs": {"messages": [{"type": "human", "content": "?"}, {"type": "ai", "content": "Shakespeare did."}]},
        "correctness": 0.0, "concise": False, "status": "success", "error": None, "latency": 2.5, "tokens": 90,
        "session_name": "exp-7",
    },
    {
        "id": "0d3f", "inputs": {"question": "Who wrote Fables?"}, "reference_outputs": {"answer": "Aesop"},
        "outputs": None, "correctness": None, "concise": None, "status": "error", "error": "time out", "latency": 9.0,
        "tokens": None, "session_name": "exp-7",
    },
]  # fmt: skip
"""The columns of the CSV of LangSmith's web page, as files that others published have them."""


def _objects_as_text(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [
        {name: json.dumps(value) if isinstance(value, dict) else value for name, value in row.items()} for row in rows
    ]


@pytest.mark.parametrize("without", [(), ("session_name", "status", "error", "latency", "tokens")])
@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
def test_an_experiment_of_langsmith_from_its_web_page(ending: str, without: tuple[str, ...], tmp_path: Path) -> None:
    rows = [{name: value for name, value in row.items() if name not in without} for row in _WEB_PAGE]
    path = _written(rows if ending == "jsonl" else _objects_as_text(rows), tmp_path / f"mine.{ending}")
    loaded = load(path)
    assert loaded.report.format == "LangSmith experiment"
    run = loaded.value
    assert isinstance(run, Run) and run.answered is not None
    answers = answers_of(run)
    assert run.name == ("mine" if without else "exp-7")
    assert answers.topics[:2] == ("Who wrote Faust?", "Who wrote Hamlet?")
    assert answers.sentences_of("Who wrote Faust?") == ["Goethe did.", "It has two parts."]
    assert answers.sentences_of("Who wrote Hamlet?") == ["Shakespeare did."]
    assert answers.sentences_of("Who wrote Fables?") == []
    assert answers.references_of("Who wrote Faust?") == ["d1", "d2"]
    assert [(score.name, [*score.by_topic.values()]) for score in run.answered.foreign] == [
        ("correctness", [1.0, 0.0]), ("concise", [1.0, 0.0])
    ]  # fmt: skip
    notes = [note.text for note in loaded.report.findings]
    assert "columns that are taken for scores of evaluators: correctness, concise" in notes


def test_parts_of_a_trace_are_no_systems() -> None:
    """Runs whose parents are a list, as in LangSmith's exports: a chain and a model within a trace are no answers."""
    runs = []
    for topic in ("sky", "sea"):
        for name, kind, outputs in (
            ("rag", "chain", {"answer": "So [1]."}), ("docs", "retriever", {"documents": [{"metadata": {"id": "d1"}}]}),
            ("inner", "chain", {"output": "Half of it."}), ("model", "llm", {"generations": [[{"text": "So."}]]}),
        ):  # fmt: skip
            own = f"{topic}-{name}"
            parents = [] if name == "rag" else [f"{topic}-rag"]
            runs.append({"id": own, "trace_id": f"{topic}-rag", "name": name, "run_type": kind, "outputs": outputs,
                         "inputs": {"question": topic}, "parent_run_ids": parents})  # fmt: skip
    for kept in (runs, [{key: value for key, value in run.items() if key != "parent_run_ids"} for run in runs]):
        run, report = read("".join(json.dumps(each) + "\n" for each in kept), "traces.jsonl")
        assert run.answered is not None and run.answered.system == "rag" and run.query_ids == ("sky", "sea")
        assert answers_of(run).cited.to_pylist() == ["d1", "d1"]
        assert [note.text for note in report.findings if note.serious] == []


def test_support_of_a_table_is_written_without_places_that_nobody_gave() -> None:
    """A table names the documents; −1 was written as their place among references."""
    run, _ = table_of("query_id,system,sentence,cited,support\n7,a,So.,d1,2\n")
    (record,) = map(json.loads, format_named("support").encoded(run).splitlines())
    assert record["sentences"][0]["citations"] == [{"reference": "d1", "support": "2"}]
    again, _ = read(json.dumps(record) + "\n")
    assert again.answered is not None and again.answered.support is not None
    assert again.answered.support.cited.to_pylist() == ["d1"]


def test_notes_show_the_beginning_of_a_long_id() -> None:
    records = [{"qid": "t" * 15_000, "run_id": f"{run}{'s' * 15_000}", "references": ["d"],
                "answer": [{"text": text, "citations": [0]}]} for run, text in ("aA", "aB", "bA")]  # fmt: skip
    _, report = read("".join(json.dumps(each) + "\n" for each in records), duplicates="first")
    assert len(report.findings) > 1 and max(len(note.text) for note in report.findings) < 500


def test_a_data_set_of_langsmith_has_no_answers(tmp_path: Path) -> None:
    """Its outputs are what an answer should be."""
    path = _written(_objects_as_text([
        {"id": "0d1f", "inputs": {"question": "Who?"}, "outputs": {"answer": "Goethe"}, "metadata": {}}
    ]), tmp_path / "set.csv")  # fmt: skip
    with pytest.raises(ParseError):
        load(path, kind="run")


@pytest.mark.parametrize(
    ("format_name", "needed"),
    [("ragas-table", "user_input, response"), ("langsmith-experiment-table", r"inputs\.…, outputs\.…"),
     ("trulens-table", "record_id, app_id"), ("langsmith-table", "id, run_type")],
)  # fmt: skip
def test_columns_that_lack_are_named(format_name: str, needed: str, tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    path.write_text("query,reply\nq,An answer.\n")
    with pytest.raises(
        ParseError, match=rf"r.csv:2: the file has no answers: .* have {needed}.*; here are query, reply"
    ):
        load(path, kind="run", format=format_name)


@pytest.mark.parametrize("ending", ["json", "parquet"])
def test_scores_of_records_without_lines_of_their_own(ending: str, tmp_path: Path) -> None:
    """In an array and in Parquet all records have one line: the last one's scores were all that was left."""
    rows = [{"user_input": topic, "response": "So.", "retrieved_contexts": ["a"], "faithfulness": value}
            for topic, value in (("q", 0.25), ("r", 0.5))]  # fmt: skip
    run = run_of(_written(rows, tmp_path / f"samples.{ending}"))
    assert run.answered is not None
    assert [dict(score.by_topic) for score in run.answered.foreign] == [{"q": 0.25, "r": 0.5}]


@pytest.mark.parametrize("answer", ["It is so.", "It is so [1]."])
def test_contexts_without_marks_are_named(answer: str, tmp_path: Path) -> None:
    """As of answers by paths: Uncited is 1 for them, and what they cite is not known."""
    path = tmp_path / "s.jsonl"
    path.write_text(json.dumps({"user_input": "q", "response": answer, "retrieved_contexts": ["a"]}) + "\n")
    said = "\n".join(map(str, load(path).report.findings))
    assert ("1 answer has documents and no marks such as [1]" in said) == ("[1]" not in answer)


def test_citations_with_scores_are_written_as_they_were() -> None:
    """Also where a sentence has a document twice, by its id and by its place, without a score, or endless ones."""
    sentences = [
        {"text": "One.", "citations": {"a": 0.9, "0": 0.5, "00": 0.25, "b": None}},
        {"text": "Two.", "citations": ["b", "b"]},
        {"text": "Three.", "citations": {}},
        {"text": "Four.", "citations": {"outside": float("inf"), "b": -1.5}},
    ]
    record = {"metadata": {"team_id": "t", "run_id": "s", "topic_id": "1"}, "responses": sentences,
              "references": ["a", "b"]}  # fmt: skip
    run, report = read(json.dumps(record) + "\n")
    answers = answers_of(run)
    assert [answers.cited_by(row) for row in range(4)] == [["a", "a", "a", "b"], ["b", "b"], [], ["outside", "b"]]
    assert "2 sentences cite a document twice" in " ".join(report.lines())
    written = format_named("rag-responses").encoded(run).decode()
    assert json.loads(written) == record
    again = answers_of(read(written)[0])
    assert same_answers(again, answers) and repr(again.scores.tolist()) == repr(answers.scores.tolist())


def test_a_citation_that_is_twice_among_scores_is_said() -> None:
    """JSON keeps the last of two equal names."""
    text = (
        '{"metadata": {"run_id": "s", "topic_id": "1"}, "references": ["a", "b"], "responses": [{"text": "x", '
        '"citations": {"a": 0.9, "b": 0.8, "a": 0.1}}]}\n'
    )
    run, report = read(text)
    assert answers_of(run).scores.tolist() == [0.8, 0.1]
    said = "1 citation is twice among the scores of a sentence: the last one is read"
    assert [each for each in report.warnings if said in each]
    assert [each for each in read(f"[{text}]")[1].warnings if said in each]
    assert not read(text.replace('"a": 0.1', '"c": 0.1'))[1].warnings[1:]


def nuggets_in(text: str) -> Nuggets:
    value = load_opened(Opened("nuggets.jsonl", text.encode(), "", "utf-8")).value
    assert isinstance(value, Qrels) and value.nuggets is not None
    return value.nuggets


def test_a_list_that_an_object_wraps_is_read_with_what_the_object_says() -> None:
    answers = [{"qid": "1", "answer": "It is [1].", "references": ["a"]}, {"qid": "2", "answer": "", "references": []}]
    for text in (json.dumps({"answers": answers, "run_id": "mine"}), json.dumps({"answers": answers}, indent=1)):
        run, _ = read(text)
        assert answers_of(run).topics == ("1", "2") and answers_of(run).cited.to_pylist() == ["a"]
        assert run.answered is not None
        assert run.answered.system == ("mine" if "run_id" in text else "")
    nuggets = [{"qid": "1", "nuggets": [{"text": "n", "importance": "vital"}]}]
    assert len(nuggets_in(json.dumps({"records": nuggets})).texts) == 1


def test_a_first_topic_with_null_for_its_nuggets_does_not_hide_what_the_file_is() -> None:
    label = {"text": "n", "importance": "vital", "assignment": "support"}
    first, second = {"qid": "1", "nuggets": None}, {"qid": "2", "nuggets": [{**label}]}
    nuggets = nuggets_in(json.dumps(first) + "\n" + json.dumps({"qid": "2", "nuggets": [{"text": "n"}]}) + "\n")
    assert nuggets.topics == ("1", "2") and len(nuggets.texts) == 1
    assert nuggets_in(json.dumps(first) + "\n").topics == ("1",)
    run, _ = read(json.dumps(first) + "\n" + json.dumps(second) + "\n")
    assert run.answered is not None and run.answered.assignments is not None
    assert run.answered.assignments.topics == ("1", "2")


def test_equal_labels_of_two_answers_are_two_records() -> None:
    """They were taken for one record that is there twice."""
    label = {"text": "n", "importance": "vital", "assignment": "support"}
    lines = [json.dumps({"qid": "1", "run_id": "s", "answer_text": text, "nuggets": [label]}) + "\n"
             for text in ("One  answer.", "One answer.", "Another.")]  # fmt: skip
    assert read("".join(lines[:2]))[0].answered is not None  # white space does not matter
    with pytest.raises(ParseError, match=r"system s has two answers to topic 1 \(lines 1 and 3\)"):
        read("".join(lines))


def _indented(*values: object) -> str:
    return "\n".join(json.dumps(value, indent=1) for value in values)


@pytest.mark.parametrize(
    "write",
    [
        lambda records: json.dumps({"version": 1, "about": {"tags": ["x"]}, "tags": ["y"], "answers": records}),
        lambda records: _indented({"version": 1, "answers": records, "last": [1]}),
        lambda records: _indented(*records),
        lambda records: json.dumps({"metadata": {"team_id": "t"}, **{each["topic_id"]: each for each in records}}),
    ],
    ids=["behind others", "over lines", "objects over lines", "by topic"],
)
@pytest.mark.parametrize("words", [1, 20_000], ids=["short", "long"])
def test_records_of_answers_in_json_of_any_layout(write: Callable[[list[dict[str, Any]]], str], words: int) -> None:
    """As lines and arrays are read; those in which the list is not the first member were of an unknown shape, one
    record over lines was taken for queries, and so was an array whose first record is longer than 64 kB."""
    first, second = json.loads(line(topic_id="1")), json.loads(line(topic_id="2"))
    first["answer"][0]["text"] = " ".join(["word"] * words) + "."
    wanted, _ = read("".join(json.dumps(each) + "\n" for each in (first, second)))
    for text in (write([first, second]), json.dumps([first, second])):
        run, report = read(text)
        assert same_answers(answers_of(run), answers_of(wanted)) and run.name == "s"
        assert not report.warnings or words > 1
    alone = {"qid": "1", "query": "q", "nuggets": [{"text": "n", "importance": "vital"}]}
    assert nuggets_in(_indented(alone)).topics == ("1",)


def test_a_damaged_object_over_lines_does_not_hide_the_others() -> None:
    texts = [_indented(json.loads(line(topic_id=topic))) for topic in "123"]
    run, report = read("\n".join([texts[0], texts[1].replace("[", "", 1), texts[2]]))
    assert answers_of(run).topics == ("1", "3")
    assert any("1 record is damaged and is left out" in text for text in report.warnings)


@pytest.mark.parametrize(
    ("text", "references", "cited"),
    [
        ("One [1-3]. Two [2–3, 1]. Three [ 2 ].", "abc", ["a", "b", "c", "b", "c", "a", "b"]),
        ("A range of none [0-1], [2-4] and [3-1].", "abc", []),
        (
            "By id [31462531] and 【31462532; 31462531】.",
            ["31462531", "31462532"],
            ["31462531", "31462532", "31462531"],
        ),
        ("Places come first [2].", ["2", "1"], ["1"]),
        ("No marks: (1), (2, b), (31462531), {3}.", ["a", "b", "31462531"], []),
    ],
)
def test_marks_with_ranges_spaces_and_numbers_that_are_ids(text: str, references: list[str], cited: list[str]) -> None:
    """They were read as text, or led nowhere."""
    run, _ = read(json.dumps({"qid": "1", "answer": text, "references": list(references)}) + "\n")
    answers = answers_of(run)
    assert [each for each, leads in zip(answers.cited.to_pylist(), answers.leads, strict=True) if leads] == cited


@pytest.mark.parametrize("form", ["jsonl", "csv", "json"])
def test_responses_of_llamaindex(form: str, tmp_path: Path) -> None:
    """A response with its question and nodes was read as their list, and the answer was lost; an evaluation of one was
    of an unknown shape."""
    node = {"node": {"id_": "n1", "text": "aa", "class_name": "TextNode"}, "score": 0.5}
    response = {"query": "q", "response": "One [1]. Two [2].", "source_nodes": [node, {"node": {"text": "bb"}}]}
    evaluated = {
        "query": "r",
        "contexts": ["aa", "bb"],
        "response": "One.",
        "passing": True,
        "feedback": "YES",
        "score": 1.0,
    }
    for records, topic, cites in (([response], "q", True), ([evaluated], "r", False)):
        path = tmp_path / f"out-{topic}.{form}"
        if form == "csv":
            with path.open("w", newline="") as stream:
                writer = csv.DictWriter(stream, [*records[0]])
                writer.writeheader()
                writer.writerows([{name: repr(value) if isinstance(value, list) else value
                                   for name, value in record.items()} for record in records])  # fmt: skip
        else:
            path.write_text("\n".join(map(json.dumps, records)) if form == "jsonl" else json.dumps(records, indent=1))
        run = run_of(path)
        answers = answers_of(run)
        references = answers.references_of(topic)
        assert answers.topics == (topic,) and len(references) == 2
        assert answers.cited.to_pylist() == (references if cites else [])
        assert run.answered is not None
        if cites:
            assert references[0] == "n1"
        else:
            assert [(each.tool, each.name, each.by_topic) for each in run.answered.foreign] == [
                ("LlamaIndex", "score", {"r": 1.0})
            ]


@pytest.mark.parametrize("ending", ["csv", "tsv", "parquet"])
def test_a_table_with_answers_that_its_header_names(ending: str, tmp_path: Path) -> None:
    """It was read with ``--columns`` alone; a table of texts with an answer beside them is none."""
    rows = {
        "topic": ["t", "u"],
        "system": ["s", "s"],
        "answer": ["One [1]. Two [2].", "Three."],
        "references": ["a;b", "c"],
    }
    path = tmp_path / f"table.{ending}"

    def write(columns: dict[str, list[str]]) -> None:
        if ending == "parquet":
            pq.write_table(pa.table(columns), path)
            return
        with path.open("w", newline="") as stream:
            writer = csv.writer(stream, delimiter="," if ending == "csv" else "\t")
            writer.writerows([[*columns], *zip(*columns.values(), strict=True)])

    write(rows)
    run = run_of(path)
    assert run.name == "s" and answers_of(run).topics == ("t", "u")
    assert answers_of(run).cited.to_pylist() == ["a", "b"] and answers_of(run).references.to_pylist() == ["a", "b", "c"]
    write({"qid": ["1"], "question": ["why"], "answer": ["so"]})
    with pytest.raises(ParseError):
        run_of(path)


@pytest.mark.parametrize("form", ["answer-table", "answer-table-tsv"])
def test_tables_of_answers_and_labels_are_read_as_they_were(form: str, tmp_path: Path) -> None:
    """A row for each sentence, nugget or label; ids with separators, quotation marks and line breaks among them."""
    odd: list[dict[str, Any]] = [
        {"text": 'He said: "so",\tthen; [1] | \u05d0\n=1+1', "citations": ["a;b", "[x]", " y", "plain"]},
        {"text": ""}, {"text": "Last.", "citations": ["a;b"]},
    ]  # fmt: skip
    label = {
        "text": 'n; "1"',
        "importance": "vital",
        "assignment": "Partial support",
        "reasoning": "why\nso",
        "votes": 2,
    }
    judged = [
        {"text": "One.", "citations": [{"reference": "a;b", "support": "2"}, {"reference": "c", "support": "?;"}]},
        {"text": "Two.", "citations": [{"reference": "c", "support": ""}]}, {"text": "Three.", "citations": []},
    ]  # fmt: skip
    about = {"run_id": "s"}
    records: list[tuple[dict[str, Any], str]] = [
        ({**about, "topic_id": "1", "topic": "q, 1", "references": odd[0]["citations"], "answer": odd}, "run"),
        ({**about, "qid": "1", "query": "q, 1", "nuggets": [label, {**label, "assignment": "x", "votes": 1}]}, "run"),
        ({"qid": "1", "query": "q, 1", "nuggets": [{"text": "n", "importance": "?"}, {"text": "n"}]}, "qrels"),
        ({**about, "topic_id": "1", "sentences": judged}, "run"),
    ]  # fmt: skip
    for record, kind in records:
        path = tmp_path / "table"
        source = tmp_path / "source.jsonl"
        source.write_text(json.dumps(record))
        wanted = load(source, kind=kind).value  # type: ignore[arg-type]
        path.write_bytes(format_named(form).encoded(wanted))  # type: ignore[arg-type]
        loaded = load(path)
        assert loaded.kind == kind
        again = tmp_path / "again.jsonl"
        shape = next(name for name in ("answer", "nuggets", "sentences") if name in record)
        name = {"answer": "rag24", "nuggets": "assignments" if kind == "run" else "nuggets", "sentences": "support"}[
            shape
        ]
        again.write_bytes(format_named(name).encoded(loaded.value))  # type: ignore[arg-type]
        source.write_bytes(format_named(name).encoded(wanted))  # type: ignore[arg-type]
        written, expected = json.loads(again.read_text()), json.loads(source.read_text())
        for part in (written, expected):
            for sentence in part.get("sentences", []):
                for citation in sentence["citations"]:
                    citation.pop("citationID", None)
        assert written == expected


def test_a_citation_that_is_an_object_cites_by_its_id() -> None:
    """It led nowhere; one without an id still does, and both are named."""
    cited = [{"docid": "b", "score": 0.5}, {"id": "zz"}, {"page": 3}]
    run, report = read(line(answer=[{"text": "x", "citations": cited}]))
    answers = answers_of(run)
    assert answers.places.tolist() == [1, -1, -1] and answers.named.tolist() == [True, True, False]
    assert answers.cited.to_pylist() == ["b", "zz", '{"page": 3}']
    assert any("3 citations are not written as places or ids" in text for text in report.warnings)


@pytest.mark.parametrize(
    "text",
    [
        '{"topic_id":"1","run_id":"s","references":["d"],"answer":[{"text":"A","citations":{"d":0.5,"d":0.6}}]\n}',
        '{"topic_id":"1","answer":[{"text":"\\"b\\": g","citations":{"d":0.5}}]\n,"run_id":"s","references":["d"]}',
        '{"query":"q","response":"a","source_nodes":3}',
        '{"query":"q","response":"a","source_nodes":[{"node":{"id_":"x"},"score":' + "9" * 400 + "}]}",
    ],
)
def test_odd_records_are_no_faults_of_the_program(text: str, tmp_path: Path) -> None:
    (tmp_path / "odd.jsonl").write_text(text)
    assert answers_of(run_of(tmp_path / "odd.jsonl")).topics in (("1",), ("q",))


def test_a_text_with_a_carriage_return_comes_back_from_a_table() -> None:
    """Python's csv quotes it only where lines end with it."""
    text = delimited_text(["a", "b"], [["x\ry", "z"], ["u\nv", "w\r\n"]], ",")
    assert list(csv.reader(io.StringIO(text, newline=""))) == [["a", "b"], ["x\ry", "z"], ["u\nv", "w\r\n"]]
    assert text.startswith("a,b\n")


def test_a_table_says_that_references_have_another_order() -> None:
    """Bounds of ranks come from the order of references."""
    order = "the order of references is not kept: it becomes that in which they are cited"
    for references, cited, lost in ((["a", "b"], [0, 1], []), (["b", "a"], [1, 0], [order]), (["a", "b"], [1], [
        "references that no sentence cites are not kept",
    ])):  # fmt: skip
        run, _ = read(line(references=references, answer=[{"text": "x", "citations": cited}]))
        assert [each for each in lost_in_table(run) if "references" in each] == lost


def test_a_table_says_that_a_citation_leads_nowhere_no_more(tmp_path: Path) -> None:
    """The table lists no references, so place 7 comes back as the document “7”, which CitedRel counts."""
    run, _ = read(line(references=["a"], answer=[{"text": "x", "citations": [0, 7]}]))
    (tmp_path / "t.csv").write_bytes(table_writer(",")(run))
    back = answers_of(run_of(tmp_path / "t.csv"))
    assert answers_of(run).leads.tolist() == [True, False]
    assert back.leads.tolist() == [True, True]
    said = "that a citation leads nowhere is not kept: what it cites becomes an id, as of a document"
    assert said in lost_in_table(run)
    assert said not in lost_in_table(read(line(references=["a"], answer=[{"text": "x", "citations": [0]}]))[0])


def test_records_as_pandas_writes_them_by_default_are_read(tmp_path: Path) -> None:
    """Columns that are objects were refused without a remedy. Columns that are lists may be one conversation."""
    rows = [{"user_input": topic, "response": f"So {topic}.", "retrieved_contexts": [topic, "c"], "faithfulness": value}
            for topic, value in (("q", 0.25), ("r", 0.5), ("s", 0.75))]  # fmt: skip
    lines = tmp_path / "ragas.jsonl"
    lines.write_text("".join(json.dumps(row) + "\n" for row in rows))
    columns = tmp_path / "ragas.json"
    columns.write_text(json.dumps({name: {str(n): row[name] for n, row in enumerate(rows)} for name in rows[0]}))
    first, other = run_of(lines), run_of(columns)
    assert same_answers(answers_of(first), answers_of(other))
    assert first.answered is not None and other.answered is not None
    assert [each.by_topic for each in first.answered.foreign] == [each.by_topic for each in other.answered.foreign]
    columns.write_text(json.dumps({name: [row[name] for row in rows] for name in rows[0]}))
    with pytest.raises(ParseError, match=r"no answers; its columns are lists; .*records"):
        load(columns, kind="run")


@pytest.mark.parametrize("record", [
    {"run_id": "s", "topic_id": "{}", "references": [], "answer": []},
    {"metadata": {"run_id": "s", "narrative_id": "{}"}, "references": [], "answer": []},
    {"run_id": "s", "qid": "{}", "answer_text": "A.", "nuggets": [
        {"text": "n", "importance": "vital", "assignment": "support"}]},
    {"run_id": "s", "topic_id": "{}", "sentences": [{"text": "A.", "citations": [{"reference": "d", "support": 2}]}]},
    {"user_input": "A?", "topic_id": "{}", "response": "A.", "retrieved_contexts": []},
    {"user_input": "{}", "response": "A.", "retrieved_contexts": []},
    {"qid": "{}", "strict_vital_score": 0.5},
    {"query": {"qid": "{}", "text": "A?"}, "candidates": [{"docid": "d", "score": 1.0}]},
])  # fmt: skip
def test_white_space_around_a_topic_is_none_of_it(record: dict[str, object], tmp_path: Path) -> None:
    """It was kept in JSON, where tables leave it out: labels and answers of one topic were of two."""
    path = tmp_path / "s.jsonl"
    path.write_text(json.dumps(record).replace("{}", " t 1 ") + "\n")
    run = run_of(path)
    own = None if run.answered is None else run.answered
    scored = [topic for each in (own.foreign if own is not None else ()) for topic in each.by_topic]
    assert {*run.query_ids, *scored} == {"t 1"}
