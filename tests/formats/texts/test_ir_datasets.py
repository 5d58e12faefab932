"""Datasets of the ir_datasets package: read from this computer, never fetched."""

from __future__ import annotations

import importlib
import logging
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from irviewer.errors import ParseError
from irviewer.formats.load import load
from irviewer.formats.texts import ir_datasets
from irviewer.model.qrels import Qrels
from irviewer.model.texts import TextTable
from irviewer.model.workspace import Workspace
from irviewer.session.files.loading import read_files, requests_of
from irviewer.session.files.placement import place_files

NAME = "irviewer-test/own"


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """ir_datasets, in a home of the tests' own: it makes folders when it is imported."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("IR_DATASETS_HOME", str(tmp_path_factory.mktemp("irds")))
        yield pytest.importorskip("ir_datasets", reason="ir_datasets is an option and not installed")


@pytest.fixture
def dataset(package: Any, tmp_path: Path) -> Iterator[str]:
    """A dataset of three files that are here."""
    formats = importlib.import_module("ir_datasets.formats")
    download = importlib.import_module("ir_datasets.util.download")
    (tmp_path / "docs.tsv").write_text("d1\tfirst\nd2\tsecond\n", encoding="utf-8")
    (tmp_path / "topics").write_text(
        "<top>\n<num> Number: 1\n<title> heat\n<desc> Description:\nof slabs\n<narr> Narrative:\nall\n</top>\n",
        encoding="utf-8",
    )
    (tmp_path / "qrels").write_text("1 0 d1 2\n1 0 d2 0\n", encoding="utf-8")

    def file(name: str) -> Any:
        return download.LocalDownload(tmp_path / name)

    registered = package.Dataset(
        formats.TsvDocs(file("docs.tsv"), namespace="own", lang="en"),
        formats.TrecQueries(file("topics"), namespace="own", lang="en"),
        formats.TrecQrels(file("qrels"), {0: "no", 2: "yes"}),
    )
    package.registry.register(NAME, registered)
    yield f"irds:{NAME}"
    del package.registry._registered[NAME]


def test_each_part_reads(dataset: str) -> None:
    qrels = load(dataset)
    assert isinstance(qrels.value, Qrels)
    assert qrels.value.judgments("1") == {"d1": 2, "d2": 0}
    assert qrels.value.name == "irviewer-test-own"
    assert qrels.report.lines()
    for path, kind in ((f"{dataset}#queries", None), (dataset, "queries")):
        queries = load(path, kind=kind)
        assert isinstance(queries.value, TextTable)
        assert queries.value.text("1") == "heat"
        assert queries.value.row("1")["narrative"].strip() == "all"
    documents = load(f"{dataset}#documents")
    assert isinstance(documents.value, TextTable)
    assert (documents.kind, documents.value.text("d2"), documents.ambiguous) == ("documents", "second", False)


def test_the_session_opens_all_parts_as_one_collection(dataset: str) -> None:
    requests = requests_of([dataset])
    assert [request.kind for request in requests] == ["qrels", "queries", "documents"]
    reading = read_files(requests, lambda share, title: None)
    assert not reading.troubles
    (collection,) = place_files(Workspace(), -1, reading).workspace.collections
    assert collection.query_text("1") == "heat"
    assert collection.document_title("d1") == "first"


def test_what_is_not_here_is_not_fetched(package: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def connect(*arguments: object) -> None:
        raise AssertionError("a socket was opened")

    monkeypatch.setattr(socket.socket, "connect", connect)
    monkeypatch.setattr(socket, "getaddrinfo", connect)
    for path in ("irds:vaswani", "irds:vaswani#queries", "irds:cranfield#documents"):
        with pytest.raises(ParseError, match=r"not on this computer.*download them once: ir_datasets export"):
            load(path)


def test_what_is_wrong_is_reported(package: Any, dataset: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ParseError, match="has no dataset 'no-such'"):
        load("irds:no-such")
    with pytest.raises(ParseError, match="has no part 'runs'"):
        load(f"{dataset}#runs")
    with pytest.raises(ParseError, match="has no queries in ir_datasets"):
        package.registry.register("irviewer-test/bare", package.Dataset())
        load("irds:irviewer-test/bare", kind="queries")
    monkeypatch.setattr(ir_datasets, "MOST_DOCUMENTS", 1)
    with pytest.raises(ParseError, match=r"too many.*ir_datasets export"):
        load(f"{dataset}#documents")
    assert [request.path for request in requests_of(["irds:no-such"])] == ["irds:no-such"]


def test_without_the_package_a_message_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> Any:
        raise ImportError(name)

    monkeypatch.setattr(importlib, "import_module", absent)
    with pytest.raises(ParseError, match=r"ir_datasets is not installed.*pip install"):
        load("irds:vaswani")


def test_what_is_not_here_is_reported_once(package: Any, capfd: pytest.CaptureFixture[str]) -> None:
    """The package's own words about a download that was never tried would stand before ours."""
    with pytest.raises(ParseError, match="not on this computer"):
        load("irds:vaswani")
    assert capfd.readouterr() == ("", "")
    logging.getLogger("ir_datasets").warning("outside of irviewer it speaks as before")
    assert "it speaks as before" in capfd.readouterr().err
