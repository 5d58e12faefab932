"""ASReview and RIS: one review as judgments, as a ranking, as documents."""

from __future__ import annotations

from pathlib import Path

import pytest

from irviewer.errors import ParseError
from irviewer.formats.load import Loaded, load, load_opened
from irviewer.formats.reading.opener import Opened
from irviewer.formats.registry import format_named
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.texts import TextTable


def read(text: str, **choices: str) -> Loaded:
    return load_opened(Opened("review", text.encode(), "", "utf-8"), **choices)  # type: ignore[arg-type]


def judged(loaded: Loaded) -> dict[str, dict[str, float]]:
    assert isinstance(loaded.value, Qrels)
    return {query: loaded.value.judgments(query) for query in loaded.value.query_ids}


def ranking(loaded: Loaded) -> list[str]:
    assert isinstance(loaded.value, Run)
    return loaded.value.ranking(loaded.value.query_ids[0])


def test_asreview(small: Path) -> None:
    path = small / "formats" / "asreview.csv"
    loaded = load(path)
    assert judged(loaded) == {"asreview": {"0": 1, "1": 0}}
    assert "ASReview's exports" in loaded.report.reason
    assert any("unseen, so unjudged: 1 of 3 records" in str(finding) for finding in loaded.report.findings)
    run = load(path, kind="run")
    assert ranking(run) == ["1", "0", "2"]
    assert any("asreview_time" in str(finding) for finding in run.report.findings)
    texts = load(path, kind="documents").value
    assert isinstance(texts, TextTable)
    assert (texts.title("0"), texts.text("0")) == ("Heat in slabs", "Slabs, and how they\nwarm")


def test_asreview_of_version_one(small: Path) -> None:
    path = small / "formats" / "asreview_v1.csv"
    assert judged(load(path)) == {"asreview_v1": {"7": 1, "8": 0}}
    assert ranking(load(path, kind="run")) == ["8", "7", "9"]


def test_labelled_records_of_other_tools() -> None:
    loaded = read("title,abstract,included\nHeat,One,1\nFlow,Two,0\n")
    assert judged(loaded) == {"review": {"1": 1, "2": 0}}
    assert any("no column record_id" in str(finding) for finding in loaded.report.findings)


def test_ris(small: Path) -> None:
    path = small / "formats" / "asreview.ris"
    loaded = load(path)
    assert judged(loaded) == {"asreview.ris": {"r1": 1, "r2": 0}}
    assert "ASReview's labels" in loaded.report.reason
    documents = load(path, kind="documents").value
    assert isinstance(documents, TextTable)
    assert documents.ids == ["r1", "r2", "3"]
    assert documents.row("r1") == {
        "title": "Heat in slabs",
        "author": "Doe, J.; Roe, R.",
        "text": "Slabs and how they warm",
        "year": "1958",
    }
    assert ranking(load(path, kind="run")) == ["r1", "r2", "3"]
    write = format_named("ris").write
    assert write is not None
    again = load_opened(Opened("x", write(documents), "", "utf-8"))
    assert again.kind == "documents"
    assert isinstance(again.value, TextTable)
    assert again.value.row("r1") == documents.row("r1")


def test_ris_without_labels_is_documents() -> None:
    assert read("TY  - JOUR\nTI  - Heat\nER  - \n").kind == "documents"
    with pytest.raises(ParseError, match="no record has a label"):
        read("TY  - JOUR\nTI  - Heat\nER  - \n", kind="qrels", format="ris")


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("TY  - JOUR\nTI  - Heat\n", 1, "does not end"),
        ("TY  - JOUR\nTY  - JOUR\nER  - \n", 1, "does not end"),
        ("TY  - JOUR\nER  - \nTI  - x\n", 3, "TI is outside a record"),
        ("TY  - JOUR\nER  - \nloose words\n", 3, "not begin with a RIS tag"),
        ("title,asreview_label\nHeat,1\nFlow,maybe\n", 3, 'asreview_label "maybe" is neither 1 nor 0'),
        ("title,asreview_ranking\nHeat,1\nFlow,x\n", 3, 'asreview_ranking "x" is not a number'),
    ],
)
def test_faults_have_a_line(text: str, line: int, reason: str) -> None:
    with pytest.raises(ParseError) as caught:
        read(text)
    assert caught.value.line == line
    assert reason in caught.value.reason
