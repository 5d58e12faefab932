"""Collections in folders: BEIR's layout, pyserini's run names, everything side by side; what is none is skipped."""

from __future__ import annotations

from pathlib import Path

import pytest

from irviewer.errors import ParseError
from irviewer.formats.collection_folders import _role, find_collections, system_name
from irviewer.formats.json import json_maps
from irviewer.formats.system_maps import read_system_map
from irviewer.formats.trec import three_columns
from irviewer.model import column_names

QRELS = "1 0 a 1\n1 0 b 0\n2 0 a 2\n"
BEIR = "query-id\tcorpus-id\tscore\n1\ta\t1\n2\ta\t2\n"
RUN = "1 Q0 a 1 9.5 t\n1 Q0 b 2 8.25 t\n2 Q0 a 1 7.125 t\n"


def write(folder: Path, *files: tuple[str, str]) -> None:
    for name, text in files:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def collections_by_name(folder: Path) -> dict[str, tuple[list[str], dict[str, str]]]:
    return {
        collection.name: ([str(path.relative_to(folder)) for path in collection.qrels],
                   {system: str(path.relative_to(folder)) for system, path in collection.runs})
        for collection in find_collections([folder]).collections
    }  # fmt: skip


def skipped(folder: Path) -> dict[str, str]:
    return {str(path.relative_to(folder)): reason for path, reason in find_collections([folder]).skipped}


def test_beirs_layout_with_runs_in_each_data_set(tmp_path: Path) -> None:
    for name in ("scifact", "nfcorpus"):
        write(
            tmp_path, (f"{name}/corpus.jsonl", '{"_id": "a", "text": "x"}\n'),
            (f"{name}/queries.jsonl", '{"_id": "1", "text": "q"}\n'),
            (f"{name}/qrels/test.tsv", BEIR), (f"{name}/qrels/dev.tsv", BEIR), (f"{name}/qrels/train.tsv", BEIR),
            (f"{name}/runs/bm25.txt", RUN), (f"{name}/runs/dense_{name}.run", RUN),
        )  # fmt: skip
    assert collections_by_name(tmp_path) == {
        name: ([f"{name}/qrels/test.tsv"], {"bm25": f"{name}/runs/bm25.txt", "dense": f"{name}/runs/dense_{name}.run"})
        for name in ("nfcorpus", "scifact")
    }
    (collection, _) = find_collections([tmp_path]).collections
    assert (collection.queries, collection.documents) == (
        tmp_path / "nfcorpus/queries.jsonl",
        tmp_path / "nfcorpus/corpus.jsonl",
    )
    assert skipped(tmp_path)["scifact/qrels/dev.tsv"] == "another split of the judgments: test.tsv is used"


def test_pyserinis_runs_in_a_folder_beside_the_data_sets(tmp_path: Path) -> None:
    write(
        tmp_path, ("scifact/qrels/test.tsv", BEIR), ("trec-covid/qrels/test.tsv", BEIR),
        ("runs/run.beir-v1.0.0-scifact.bm25-flat.txt", RUN), ("runs/run.beir-v1.0.0-trec-covid.bm25-flat.txt", RUN),
        ("runs/run.beir.splade-pp.scifact.txt", RUN), ("runs/run.beir-v1.0.0-quora.bm25-flat.txt", RUN),
    )  # fmt: skip
    assert collections_by_name(tmp_path) == {
        "scifact": (["scifact/qrels/test.tsv"], {"bm25-flat": "runs/run.beir-v1.0.0-scifact.bm25-flat.txt",
                                                 "splade-pp": "runs/run.beir.splade-pp.scifact.txt"}),
        "trec-covid": (["trec-covid/qrels/test.tsv"], {"bm25-flat": "runs/run.beir-v1.0.0-trec-covid.bm25-flat.txt"}),
    }  # fmt: skip
    assert "match none of the collections" in skipped(tmp_path)["runs/run.beir-v1.0.0-quora.bm25-flat.txt"]


def test_qrels_and_runs_of_many_data_sets_in_one_folder(tmp_path: Path) -> None:
    write(
        tmp_path, ("qrels.beir-v1.0.0-scifact.test.txt", QRELS), ("qrels.beir-v1.0.0-nfcorpus.test.txt", QRELS),
        ("run.beir-v1.0.0-scifact.bm25.txt", RUN), ("run.beir-v1.0.0-nfcorpus.bm25.txt", RUN), ("run.other.txt", RUN),
    )  # fmt: skip
    assert collections_by_name(tmp_path) == {
        name: ([f"qrels.beir-v1.0.0-{name}.test.txt"], {"bm25": f"run.beir-v1.0.0-{name}.bm25.txt"})
        for name in ("scifact", "nfcorpus")
    }
    assert "matches none of the qrels" in skipped(tmp_path)["run.other.txt"]


def test_runs_by_system_and_runs_by_data_set(tmp_path: Path) -> None:
    write(
        tmp_path, ("data/one/qrels.txt", QRELS), ("data/two/qrels.txt", QRELS), ("out/bm25/one.txt", RUN),
        ("out/bm25/two.txt", RUN), ("runs/one/dense.run", RUN),
    )  # fmt: skip
    assert collections_by_name(tmp_path) == {
        "one": (["data/one/qrels.txt"], {"bm25": "out/bm25/one.txt", "dense": "runs/one/dense.run"}),
        "two": (["data/two/qrels.txt"], {"bm25": "out/bm25/two.txt"}),
    }


def test_everything_side_by_side_and_what_is_none_of_it(tmp_path: Path) -> None:
    write(
        tmp_path, ("qrels.txt", QRELS), ("OTHER.REL", QRELS), ("bm25.run", RUN), ("results/dense.txt", RUN),
        ("README.md", "x"), ("notes", "nothing that anybody knows\n"), ("odd", "1 2\n"),
        (".hidden/qrels", QRELS), ("empty", ""), ("sub/qrels.txt", QRELS), ("lost/queries.tsv", "1\tq\n"),
    )  # fmt: skip
    assert collections_by_name(tmp_path) == {
        tmp_path.name: (["qrels.txt", "OTHER.REL"], {"bm25": "bm25.run", "dense": "results/dense.txt"})
    }
    reasons = skipped(tmp_path)
    assert set(reasons) == {"odd", "empty", "sub/qrels.txt", "lost/queries.tsv"}
    assert reasons["lost/queries.tsv"] == "queries or documents without qrels"


def test_three_columns_are_what_their_folder_says(tmp_path: Path) -> None:
    write(tmp_path, ("d/qrels.tsv", QRELS), ("d/runs/a.tsv", "1\ta\t1\n1\tb\t2\n2\ta\t1\n"))
    assert collections_by_name(tmp_path)["d"][1] == {"a": "d/runs/a.tsv"}


GUESSED = {
    "three.tsv": "1\ta\t1\n1\tb\t2\n2\ta\t1\n",  # ranks, or grades that happen to rise
    "fractions.tsv": "1\ta\t0.5\n1\tb\t0.25\n",
    "grades.tsv": "1\ta\t3\n1\tb\t1\n",
    "map.json": '{"1": {"a": 2, "b": 1}}',
    "map_fractions.json": '{"1": {"a": 0.5, "b": 0.25}}',
    "empty.json": '{"1": {}}',
    "header.csv": "query_id,doc_id,score\n1,a,2\n1,b,1\n",
    "header_fractions.csv": "query_id,doc_id,score\n1,a,2.5\n1,b,1.5\n",
    "rows.jsonl": '{"query_id": "1", "doc_id": "a", "score": 2}\n',
}


@pytest.mark.parametrize("folder", ["qrels", "runs"])
def test_what_was_guessed_is_what_the_folder_says_in_any_language(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: str
) -> None:
    """Whether a reading is a guess does not depend on the words of its reason."""
    for module in (three_columns, json_maps, column_names):
        monkeypatch.setattr(module, "tr", lambda text, **values: "geraten")
    write(tmp_path, *((f"{folder}/{name}", text) for name, text in GUESSED.items()))
    roles = {path.name: _role(path, []) for path in (tmp_path / folder).iterdir()}
    assert roles == dict.fromkeys(GUESSED, {"qrels": "qrels", "runs": "run"}[folder])


def test_what_is_certain_is_not_what_the_folder_says(tmp_path: Path) -> None:
    write(
        tmp_path,
        ("runs/a.txt", QRELS),
        ("qrels/b.txt", RUN),
        ("qrels/c.tsv", "".join(f"1\t{n}\t{n}\n" for n in range(1, 9))),
    )
    assert _role(tmp_path / "runs/a.txt", []) == "qrels"
    assert _role(tmp_path / "qrels/b.txt", []) == "run"
    assert _role(tmp_path / "qrels/c.tsv", []) == "run"


def test_a_folder_that_is_given_twice_is_read_once(tmp_path: Path) -> None:
    write(tmp_path, ("d/qrels.txt", QRELS), ("d/a.run", RUN))
    (collection,) = find_collections([tmp_path / "d", tmp_path, tmp_path / "d"]).collections
    assert (collection.name, [system for system, _ in collection.runs]) == ("d", ["a"])


def test_qrels_without_a_run(tmp_path: Path) -> None:
    write(tmp_path, ("d/qrels.txt", QRELS))
    assert (collections_by_name(tmp_path), skipped(tmp_path)) == ({}, {"d/qrels.txt": "qrels without a run"})


def test_what_is_no_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ParseError, match="not a folder"):
        find_collections([tmp_path / "nowhere"])
    write(tmp_path, ("a", "x"), ("b", "x"))
    monkeypatch.setattr("irviewer.formats.collection_folders.MOST_FILES", 1)
    with pytest.raises(ParseError, match="more than 1 files"):
        find_collections([tmp_path])


@pytest.mark.parametrize(
    ("name", "dataset", "system"),
    [
        ("run.beir-v1.0.0-scifact.bm25-flat.txt", "scifact", "bm25-flat"),
        ("run.beir.bm25-multifield.scifact.txt", "scifact", "bm25-multifield"),
        ("run.beir-v1.0.0-trec-covid.splade.trec.gz", "trec-covid", "splade"),
        ("bm25.run.gz", "adi", "bm25"),
        ("BM25_plain.txt", "cacm", "BM25_plain"),
        ("nfcorpus_test_dense.run", "nfcorpus", "dense"),
        ("results_test.txt", "scifact", "results_test"),
    ],
)
def test_names_of_systems(name: str, dataset: str, system: str) -> None:
    assert system_name(Path("runs") / name, dataset) == system


def test_a_map_of_systems(tmp_path: Path) -> None:
    path = tmp_path / "map"
    wanted = {"bm25": {"cacm": "BM25 (2)", "med": "x"}, "tfidf": {"cacm": "TF"}}
    path.write_text("bm25,cacm,BM25 (2)\nbm25,med,x\n# a remark\n\ntfidf,cacm,TF\n")
    assert read_system_map(str(path)) == wanted
    path.write_text("run\tsystem\tcollection\nBM25 (2)\tbm25\tcacm\nx\tbm25\tmed\nTF\ttfidf\tcacm\n")
    assert read_system_map(str(path)) == wanted
    for text, reason in (
        ("a,b\n", "2 columns"),
        ("a,b,\n", "3 columns"),
        ("a,b,c\na,b,d\n", "already"),
        ("\n", "no system"),
        ('a,b,c\na,d,"e\nf,b,g\nf,d,h\n', r":2:5: a quotation mark that begins a cell is not closed"),
        ('"a\nold",b,c\nd,e\n', ":3: 2 columns"),
    ):
        path.write_text(text)
        with pytest.raises(ParseError, match=reason):
            read_system_map(str(path))
