"""A folder of collections: each opens as one, with the systems' names, and what is none is skipped and named."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

from irviewer.api.collections import evaluate_collections
from irviewer.formats.collection_folders import find_collections
from irviewer.session.session import Session

QUERIES = range(1, 6)


def beir(folder: Path, name: str, systems: tuple[str, ...]) -> None:
    """A data set as BEIR has it, with runs named as pyserini names them."""
    data = folder / name
    (data / "qrels").mkdir(parents=True)
    lines = [f"q{query}\t{name}{query}\t1\n" for query in QUERIES]
    (data / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\n" + "".join(lines))
    documents = [f"{name}{number}" for number in range(1, 12)]
    corpus = [json.dumps({"_id": document, "title": "", "text": f"text of {document}"}) for document in documents]
    (data / "corpus.jsonl").write_text("\n".join(corpus) + "\n")
    queries = [json.dumps({"_id": f"q{query}", "text": f"words of {query}"}) for query in QUERIES]
    (data / "queries.jsonl").write_text("\n".join(queries) + "\n")
    (folder / "runs").mkdir(exist_ok=True)
    for place, system in enumerate(systems):
        lines = [
            f"q{query} Q0 {document} {rank} {20 - rank} {system}\n"
            for query in QUERIES
            for rank, document in enumerate(documents[place:], start=1)
        ]
        path = folder / "runs" / f"run.beir-v1.0.0-{name}.{system}.txt.gz"
        path.write_bytes(gzip.compress("".join(lines).encode()))


def test_one_collection_each_with_the_same_systems(tmp_path: Path) -> None:
    beir(tmp_path, "scifact", ("bm25-flat", "splade"))
    beir(tmp_path, "nfcorpus", ("bm25-flat",))
    (tmp_path / "scifact" / "scores.csv").write_text("a,b\n1,2\n")
    session = Session()
    session.files.open_files([str(tmp_path)])
    assert session.view.place == "collections"
    collections = {collection.name: collection for collection in session.view.workspace.collections}
    assert {name: [entry.name for entry in collection.runs] for name, collection in collections.items()} == {
        "nfcorpus": ["bm25-flat"],
        "scifact": ["bm25-flat", "splade"],
    }
    for name, collection in collections.items():
        assert collection.query_text("q1") == "words of 1"
        assert collection.documents is not None
        assert collection.documents.text(f"{name}1") == f"text of {name}1"
    skipped = [message for message in session.view.messages if "skipped" in message.text]
    assert len(skipped) == 1
    assert any("scores.csv" in line for line in skipped[0].details)
    # The window, the command line and Python find the same.
    contents = find_collections([tmp_path])
    assert [collection.name for collection in contents.collections] == list(collections)
    assert evaluate_collections(tmp_path, "RR").table.collections == tuple(collections)
    # Opened again, nothing is added.
    session.files.open_files([str(tmp_path)])
    assert len(session.view.workspace.collections) == 2
    assert [len(collection.runs) for collection in session.view.workspace.collections] == [1, 2]
    session.close()


def test_several_qrels_of_a_collection_the_fitting_ones_are_used(tmp_path: Path) -> None:
    for name in ("one", "two"):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "a.qrels").write_text("".join(f"x{query} 0 other{query} 1\n" for query in QUERIES))
        (folder / "b.qrels").write_text("".join(f"q{query} 0 d{query} 1\n" for query in QUERIES))
        (folder / "bm25.run").write_text("".join(f"q{query} Q0 d{query} 1 1 t\n" for query in QUERIES))
    session = Session()
    session.files.open_files([str(tmp_path / "one"), str(tmp_path / "two")])
    sets = [
        [judgment_set.name for judgment_set in collection.judgments]
        for collection in session.view.workspace.collections
    ]
    assert sets == [["b"], ["b"]]
    assert [line for message in session.view.messages for line in message.details if "a.qrels: " in line]
    session.close()


def test_a_folder_of_one_collection_is_read_file_by_file(tmp_path: Path) -> None:
    (tmp_path / "a.qrels").write_text("".join(f"q{query} 0 d{query} 1\n" for query in QUERIES))
    (tmp_path / "a.run").write_text("".join(f"q{query} Q0 d{query} 1 1 t\n" for query in QUERIES))
    (tmp_path / "b.qrels").write_text("".join(f"q{query} 0 d{query} 2\n" for query in QUERIES))
    session = Session()
    session.files.open_files([str(tmp_path)])
    (collection,) = session.view.workspace.collections
    assert len(collection.judgments) == 2  # both judge it
    session.close()


def checked_until_complete(session: Session) -> None:
    """A new file is opened when it is the same at two looks."""
    session.autosave.look_at_disk()
    session.autosave.look_at_disk()


def systems(session: Session) -> dict[str, list[str]]:
    return {each.name: [entry.name for entry in each.runs] for each in session.view.workspace.collections}


def test_new_files_of_a_watched_folder_belong_to_its_collections(tmp_path: Path) -> None:
    """The documents of the collections are alike: only the files' names say what belongs together."""
    for name in ("nfcorpus", "scifact"):
        beir(tmp_path, name, ("bm25-flat",))
    session = Session()
    session.settings["watch_files"] = True
    session.files.open_files([str(tmp_path)])
    for name in ("nfcorpus", "scifact"):
        (tmp_path / "runs" / f"run.beir-v1.0.0-{name}.splade.txt").write_text(
            "".join(f"q{query} Q0 unknown 1 1 t\n" for query in QUERIES)
        )
    checked_until_complete(session)
    both = ["bm25-flat", "splade"]
    assert systems(session) == {"nfcorpus": both, "scifact": both}
    # A data set that is complete with its run: nothing is opened before.
    beir(tmp_path, "arguana", ())
    checked_until_complete(session)
    assert systems(session) == {"nfcorpus": both, "scifact": both}
    (tmp_path / "runs" / "run.beir-v1.0.0-arguana.bm25-flat.txt").write_text(
        "".join(f"q{query} Q0 arguana{query} 1 1 t\n" for query in QUERIES)
    )
    checked_until_complete(session)
    assert systems(session) == {"nfcorpus": both, "scifact": both, "arguana": ["bm25-flat"]}
    opened = session.view.workspace.collections[-1]
    assert opened.query_text("q1") == "words of 1"
    assert opened.documents is not None
    session.close()


def test_the_judge_in_view_lies_above_the_folder_of_further_judges(tmp_path: Path) -> None:
    rows = [f"q{query} 0 d{document} {{}}\n" for query in QUERIES for document in range(1, 6)]
    (tmp_path / "judges").mkdir()
    (tmp_path / "judges" / "a_model.txt").write_text("".join(row.format(1) for row in rows))
    (tmp_path / "qrels_extra.txt").write_text("".join(row.format(3) for row in rows))
    (tmp_path / "qrels.txt").write_text("".join(row.format(2) for row in rows))
    run = (f"q{query} Q0 d{rank} {rank} {9 - rank} first\n" for query in QUERIES for rank in range(1, 6))
    (tmp_path / "first.run").write_text("".join(run))
    session = Session()
    session.files.open_files([str(tmp_path)])
    collection = session.view.collection
    assert collection is not None
    assert [judgments.name for judgments in collection.judgments] == ["qrels", "qrels_extra", "a_model"]
    session.close()
