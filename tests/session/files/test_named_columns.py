"""Tables whose columns have unknown names: the user names them once for all files with that header."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from irviewer.model.table_preview import kind_of
from irviewer.session.session import Session
from irviewer.session.settings import MOST_HEADERS, Settings

HEADER = ("frage", "stueck", "punkte")
CHOICE = {"query": "frage", "document": "stueck", "score": "punkte"}


@pytest.fixture
def session(tmp_path: Path) -> Session:
    (tmp_path / "q.qrels").write_text("q1 0 d1 1\n")
    for name in "ab":
        (tmp_path / f"{name}.csv").write_text(",".join(HEADER) + f"\nq1,d1,2\nq1,{name},3\n")
    session = Session(Settings())
    session.files.open_files([str(tmp_path / name) for name in ("q.qrels", "a.csv", "b.csv")])
    return session


def names(session: Session) -> list[str]:
    assert session.view.collection is not None
    return [entry.name for entry in session.view.collection.runs]


def test_columns_are_named_once_for_all_files_of_a_header(session: Session, tmp_path: Path) -> None:
    assert names(session) == []
    assert session.state.messages[-1].action == "name_columns"
    path = session.files.unnamed[0]
    shown = []
    session.files.preview(path, shown.append)
    assert shown[0].names == HEADER
    session.files.name_columns(path, HEADER, "run", CHOICE)
    assert names(session) == ["a", "b"]
    assert session.files.unnamed == ()
    # A file with the same header is read without a question, later too.
    (tmp_path / "c.csv").write_text(",".join(HEADER) + "\nq1,d1,2\n")
    session.files.open_files([str(tmp_path / "c.csv")])
    assert names(session) == ["a", "b", "c"]
    other = Session(session.settings)
    other.files.open_files([str(tmp_path / "q.qrels"), str(tmp_path / "c.csv")])
    assert names(other) == ["c"]


def test_paths_of_nested_json_are_named_as_columns(tmp_path: Path) -> None:
    """The window offers the paths of JSON of an unknown shape; files of the same shape are then read, too."""
    for name in "ab":
        (tmp_path / f"{name}.json").write_text(
            json.dumps(
                {"topic": "q1", "found": [{"key": name, "score": 2.5}, {"key": "d1", "score": 1}], "took": {"ms": 3}}
            )
        )
    (tmp_path / "q.qrels").write_text("q1 0 d1 1\n")
    session = Session(Settings())
    session.files.open_files([str(tmp_path / name) for name in ("q.qrels", "a.json", "b.json")])
    assert names(session) == []
    assert session.state.messages[-1].action == "name_columns"
    path = session.files.unnamed[0]
    shown = []
    session.files.preview(path, shown.append)
    paths = ("topic", "found[].key", "found[].score", "took.ms")
    assert shown[0].names == paths
    chosen = {"query": "topic", "document": "found[].key", "score": "found[].score"}
    assert kind_of(chosen) == "run"
    assert kind_of({"query": "topic", "document": "found[].key"}) == "run"
    assert kind_of({"query": "topic", "document": "key"}) == ""
    session.files.name_columns(path, paths, "run", chosen)
    assert names(session) == ["a", "b"]
    assert session.view.collection is not None
    assert session.view.collection.runs[0].run.ranking("q1") == ["a", "d1"]


def test_the_choice_is_kept_with_the_file(session: Session, tmp_path: Path) -> None:
    session.files.name_columns(session.files.unnamed[0], HEADER, "run", CHOICE)
    session.autosave.save_project(str(tmp_path / "p.irviewer"))
    session.close()
    other = Session(Settings())  # which remembers no header
    other.files.open_files([str(tmp_path / "p.irviewer")])
    assert names(other) == ["a", "b"]
    other.files.reload()
    assert names(other) == ["a", "b"]


def test_headers_are_remembered_up_to_a_number(session: Session, tmp_path: Path) -> None:
    session.settings["known_columns"] = {f'["{number}"]': ["run", "doc=x"] for number in range(MOST_HEADERS)}
    session.files.name_columns(session.files.unnamed[0], HEADER, "run", CHOICE)
    assert len(session.settings["known_columns"]) == MOST_HEADERS
    assert '["frage", "stueck", "punkte"]' in session.settings["known_columns"]


def test_a_remembered_choice_that_does_not_fit_is_an_error_of_the_file(session: Session, tmp_path: Path) -> None:
    session.settings["known_columns"] = {'["frage", "stueck", "punkte"]': ["run", "query=none,doc=x,score=y"]}
    (tmp_path / "d.csv").write_text(",".join(HEADER) + "\nq1,d1,2\n")
    session.files.open_files([str(tmp_path / "d.csv")])
    assert "d.csv" in session.state.messages[-1].text
    assert session.files.unnamed


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_a_table_of_fields_is_named_by_its_ids(tmp_path: Path, ending: str) -> None:
    """Products with a price and a brand have no text: the document's id alone says what the table holds."""
    rows = [{"sku": f"d{number}", "price": 2.5 * number, "brand": "Acme"} for number in (1, 2)]
    path = tmp_path / f"items.{ending}"
    if ending == "csv":
        path.write_text("sku,price,brand\nd1,2.5,Acme\nd2,5.0,Acme\n")
    else:
        pq.write_table(pa.Table.from_pylist(rows), path)
    (tmp_path / "q.qrels").write_text("q1 0 d1 1\n")
    (tmp_path / "r.run").write_text("q1 Q0 d2 1 2 t\nq1 Q0 d1 2 1 t\n")
    session = Session(Settings())
    session.files.open_files([str(tmp_path / name) for name in ("q.qrels", "r.run", path.name)])
    assert session.files.unnamed == (str(path),)
    chosen = {"document": "sku"}
    session.files.name_columns(str(path), tuple(rows[0]), kind_of(chosen), chosen)
    assert session.files.unnamed == ()
    assert session.view.collection is not None
    documents = session.view.collection.documents
    assert documents is not None
    assert [documents.row(row["sku"])["price"] for row in rows] == (["2.5", "5.0"] if ending == "csv" else [2.5, 5.0])


def test_sentences_and_nuggets_are_named_once(tmp_path: Path) -> None:
    """The dialog had no roles for them: such tables were read with ``--columns`` alone."""
    tables = {
        "s.csv": (("frage", "wer", "satz", "belege"), "q1,s,One.,a;b\nq1,s,Two.,\n",
                  {"query": "frage", "tag": "wer", "sentence": "satz", "cited": "belege"}, "run"),
        "n.csv": (("frage", "fakt", "wert"), "q1,n1,vital\nq1,n2,okay\n",
                  {"query": "frage", "nugget": "fakt", "importance": "wert"}, "qrels"),
        "g.csv": (("frage", "wer", "fakt", "wert", "urteil"), "q1,s,n1,vital,support\nq1,s,n2,okay,x\n",
                  {"query": "frage", "tag": "wer", "nugget": "fakt", "importance": "wert", "assignment": "urteil"},
                  "run"),
    }  # fmt: skip
    session = Session(Settings())
    for name, (header, text, roles, kind) in tables.items():
        (tmp_path / name).write_text(",".join(header) + "\n" + text)
        session.files.open_files([str(tmp_path / name)])
        assert kind_of(roles) == kind and session.files.unnamed == (str(tmp_path / name),)
        session.files.name_columns(session.files.unnamed[0], header, kind, roles)
    collection = session.view.collection
    assert collection is not None
    qrels = collection.judgments[0].qrels
    assert qrels.nuggets is not None and qrels.nuggets.texts.to_pylist() == ["n1", "n2"]
    answers, labels = (entry.run.answered for entry in collection.runs)
    assert answers is not None and answers.answers is not None and answers.answers.cited.to_pylist() == ["a", "b"]
    assert labels is not None and labels.assignments is not None and len(labels.assignments.labels) == 2
    for part in ({"sentence": "a"}, {"query": "a", "cited": "b"}, {"query": "a", "sentence": "b", "score": "c"},
                 {"query": "a", "sentence": "b", "nugget": "c"}):  # fmt: skip
        assert kind_of(part) == ""
