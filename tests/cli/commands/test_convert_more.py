"""convert into the shapes that few tools read: numbers for queries, old collections' judgments, topics, documents."""

from __future__ import annotations

from pathlib import Path

import pytest

from irviewer.cli import main
from irviewer.formats.load import load
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.texts import TextTable

RRE = (
    '{"topics": [{"query_groups": [{"name": "g", "queries": [{"placeholders": {"$query": "red shoes"}}],'
    ' "relevant_documents": {"d1": {"gain": 3}}},'
    ' {"name": "h", "queries": [{"placeholders": {"$query": "blue\\tsky"}}],'
    ' "relevant_documents": {"d2": {"gain": 1}}}]}]}'
)
TEXTS = (
    '{"_id": "1", "title": "A < B & C", "text": "one\\n.W two", "year": "1958"}\n'
    '{"_id": "2", "title": "Cold", "text": "snow"}\n'
)


def convert(*words: str | Path) -> int:
    return main.main(["convert", *map(str, words)])


def judgments(path: Path, name: str | None = None) -> dict[str, dict[str, float]]:
    qrels = load(path, kind="qrels", format=name).value
    assert isinstance(qrels, Qrels)
    return {query: dict(qrels.judgments(query)) for query in qrels.query_ids}


def texts(path: Path, kind: str, name: str | None = None) -> dict[str, dict[str, str]]:
    table = load(path, kind=kind, format=name).value
    assert isinstance(table, TextTable)
    return {doc_id: table.row(doc_id) for doc_id in table.ids}


def test_query_texts_are_numbered(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "rre.json").write_text(RRE)
    assert convert(tmp_path / "rre.json", tmp_path / "x.qrels") == 2
    assert "'red shoes' has white space" in (said := capsys.readouterr().err)
    assert "--number-queries" in said
    assert convert(tmp_path / "rre.json", tmp_path / "x.qrels", "--number-queries") == 0
    assert (tmp_path / "x.qrels").read_text() == "1 0 d1 3\n2 0 d2 1\n"
    assert (tmp_path / "x.qrels.map.tsv").read_text() == "1\tred shoes\n2\tblue\tsky\n"


def test_a_map_is_gone_on_with(tmp_path: Path) -> None:
    (tmp_path / "rre.json").write_text(RRE)
    (tmp_path / "x.csv").write_text("query,docid,score\nnew one,d9,1.5\nblue\tsky,d2,2.5\n")
    (tmp_path / "q.jsonl").write_text('{"id": "red shoes", "text": "red shoes"}\n')
    names = tmp_path / "names.tsv"
    assert convert(tmp_path / "rre.json", tmp_path / "x.qrels", "--map", names) == 0
    assert convert(tmp_path / "x.csv", tmp_path / "x.run", "--kind", "run", "--map", names) == 0
    assert convert(tmp_path / "q.jsonl", tmp_path / "q.topics", "--kind", "queries", "--map", names) == 0
    assert names.read_text() == "1\tred shoes\n2\tblue\tsky\n3\tnew one\n"
    run = load(tmp_path / "x.run").value
    assert isinstance(run, Run)
    assert {query: run.ranking(query) for query in run.query_ids} == {"3": ["d9"], "2": ["d2"]}
    assert texts(tmp_path / "q.topics", "queries") == {"1": {"text": "red shoes"}}


def test_what_cannot_be_numbered(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "d.jsonl").write_text(TEXTS)
    (tmp_path / "x.qrels").write_text("1 0 a 1\n")
    (tmp_path / "map").write_text("1\tone\n1\ttwo\n")
    assert convert(tmp_path / "d.jsonl", tmp_path / "y.tsv", "--kind", "documents", "--number-queries") == 2
    assert "not for documents" in capsys.readouterr().err
    assert convert(tmp_path / "x.qrels", tmp_path / "y.qrels", "--map", tmp_path / "map") == 2
    assert "map:2: a new number, a tab and a new query" in capsys.readouterr().err
    assert convert(tmp_path / "x.qrels", "-", "--to", "json", "--number-queries") == 2
    assert "--map FILE" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("smart-qrels", "1 28 0 0.000000\n1 35 0 0.000000\n3 7 0 0.000000\n"),
        ("npl", "1\n   28 35\n/\n3\n   7\n/\n"),
        ("lisa", "1 2 28 35\n3 1 7\n"),
        ("cranfield", "1 28 4\n1 35 4\n3 7 4\n"),
    ],
)
def test_judgments_of_old_collections(tmp_path: Path, name: str, text: str, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x.qrels").write_text("1 0 28 1\n1 0 29 0\n1 0 35 1\n2 0 5 0\n3 0 7 1\n")
    assert convert(tmp_path / "x.qrels", tmp_path / "y", "--to", name) == 0
    assert (tmp_path / "y").read_text() == text
    assert "2 non-relevant judgments are not kept" in capsys.readouterr().err
    assert judgments(tmp_path / "y", name) == {"1": {"28": 1, "35": 1}, "3": {"7": 1}}


@pytest.mark.parametrize("name", ["smart-qrels", "npl", "lisa", "cranfield"])
@pytest.mark.parametrize(("line", "said"), [("1 0 28 9", "the grade 9"), ("1 0 d1 1", "'d1' is not a number"),
                                            ("1 0 2 0", "no relevant documents")])  # fmt: skip
def test_what_they_cannot_say(
    tmp_path: Path, name: str, line: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "x.qrels").write_text(line + "\n")
    assert convert(tmp_path / "x.qrels", tmp_path / "y", "--to", name) == 2
    assert said in capsys.readouterr().err
    assert not (tmp_path / "y").exists()


def test_cranfields_codes_run_backwards(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x.qrels").write_text("1 0 28 4\n1 0 29 1\n")
    assert convert(tmp_path / "x.qrels", tmp_path / "y", "--to", "cranfield") == 0
    assert (tmp_path / "y").read_text() == "1 28 1\n1 29 4\n"
    assert judgments(tmp_path / "y", "cranfield") == {"1": {"28": 4, "29": 1}}
    assert "note: the file does not say that its codes run backwards" in capsys.readouterr().err
    (tmp_path / "x.run").write_text("1 Q0 28 1 9 t\n1 Q0 29 2 8 t\n")
    words = ["evaluate", str(tmp_path / "y"), str(tmp_path / "x.run"), "-m", "DCG@1", "--format", "csv"]
    assert main.main(words) == 2  # never guessed: with the grades inverted DCG would be 1
    captured = capsys.readouterr()
    assert not captured.out
    assert "grades (higher is better) or Cranfield's codes (1 is best)" in captured.err
    assert "--qrels-from" in captured.err
    for name, gain in (("cranfield", 4), ("msmarco", 1)):
        assert main.main([*words, "--qrels-from", name]) == 0
        assert capsys.readouterr().out.split(",")[-1].strip() in (f"{gain}", f"{gain}.0")
    assert convert(tmp_path / "y", tmp_path / "z") == 2
    assert "--from cranfield reads codes" in capsys.readouterr().err
    assert convert(tmp_path / "y", tmp_path / "z", "--from", "cranfield") == 0
    assert (tmp_path / "z").read_text() == "1 0 28 4\n1 0 29 1\n"
    assert convert(tmp_path / "z", tmp_path / "w", "--to", "msmarco") == 0
    assert "read it with --from msmarco" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["asreview", "ris"])
def test_the_labels_of_a_review(tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x.qrels").write_text("r 0 d,1 1\nr 0 d2 0\n")
    assert convert(tmp_path / "x.qrels", tmp_path / "r.x", "--to", name) == 0
    assert "note: the query id r is not kept: a review is one query, which is named" in capsys.readouterr().err
    assert list(judgments(tmp_path / "r.x").values()) == [{"d,1": 1, "d2": 0}]
    (tmp_path / "x.qrels").write_text("r 0 d1 1\ns 0 d2 0\n")
    assert convert(tmp_path / "x.qrels", tmp_path / "r.x", "--to", name) == 2
    assert "a review has one query, and these qrels have 2" in capsys.readouterr().err
    (tmp_path / "x.qrels").write_text("r 0 d1 2\n")
    assert convert(tmp_path / "x.qrels", tmp_path / "r.x", "--to", name) == 2
    assert "a label is 0 or 1, and a grade is 2" in capsys.readouterr().err


def test_documents_in_smart_and_between_tags(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "d.jsonl").write_text(TEXTS)
    assert convert(tmp_path / "d.jsonl", tmp_path / "d.smart", "--kind", "documents", "--to", "smart") == 0
    assert "columns that are not kept: year" in capsys.readouterr().err
    rest = {"2": {"title": "Cold", "text": "snow"}}
    assert texts(tmp_path / "d.smart", "documents") == {"1": {"title": "A < B & C", "text": "one\n.W two"}, **rest}
    assert convert(tmp_path / "d.jsonl", tmp_path / "d.trectext", "--kind", "documents") == 0
    documents = {"1": {"title": "A < B & C", "text": "one\n.W two", "year": "1958"}, **rest}
    assert texts(tmp_path / "d.trectext", "documents") == documents
    assert load(tmp_path / "d.trectext").kind == "documents"


def test_queries_as_topics_and_in_smart(tmp_path: Path) -> None:
    (tmp_path / "q.jsonl").write_text('{"id": "7", "query": "a & b", "description": "what", "narrative": "why <b>"}\n')
    assert convert(tmp_path / "q.jsonl", tmp_path / "q.topics", "--kind", "queries") == 0
    assert texts(tmp_path / "q.topics", "queries") == {
        "7": {"text": "a & b", "description": "what", "narrative": "why <b>"}
    }
    assert convert(tmp_path / "q.jsonl", tmp_path / "q.smart", "--kind", "queries", "--to", "smart") == 0
    assert texts(tmp_path / "q.smart", "queries") == {"7": {"text": "a & b"}}


@pytest.mark.parametrize(("ids", "warns"), [(("q1", "q2"), True), (("1", "2"), False), (("q1", "w2"), False)])
def test_ids_that_topics_do_not_keep_are_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], ids: tuple[str, ...], warns: bool
) -> None:
    (tmp_path / "q.jsonl").write_text("".join(f'{{"id": "{doc_id}", "text": "wing"}}\n' for doc_id in ids))
    assert convert(tmp_path / "q.jsonl", tmp_path / "q.topics", "--kind", "queries") == 0
    assert ("ids such as q1 are read as 1" in capsys.readouterr().err) is warns
    assert (set(texts(tmp_path / "q.topics", "queries")) != set(ids)) is warns


@pytest.mark.parametrize("name", ["q.csv", "q.parquet", "q.arrow"])
def test_texts_as_tables(tmp_path: Path, name: str) -> None:
    (tmp_path / "d.jsonl").write_text(TEXTS)
    assert convert(tmp_path / "d.jsonl", tmp_path / name, "--kind", "documents") == 0
    assert load(tmp_path / name).kind == "documents"
    documents = texts(tmp_path / name, "documents")
    assert documents["1"] == {"title": "A < B & C", "text": "one\n.W two", "year": "1958"}


def test_ntcirs_runs(tmp_path: Path) -> None:
    (tmp_path / "x.run").write_text("1 Q0 b 1 2.5 tag\n1 Q0 a 2 1.5 tag\n")
    assert convert(tmp_path / "x.run", tmp_path / "y.run", "--to", "ntcir") == 0
    assert (tmp_path / "y.run").read_text() == "<SYSDESC>x</SYSDESC>\n1 Q0 b 1 2.5 tag\n1 Q0 a 2 1.5 tag\n"
