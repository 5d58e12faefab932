"""Cranfield, CACM, CISI, ADI, MED, NPL, TIME, LISA: documents, queries and judgments, small files and the real ones."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from irviewer.errors import IrviewerError, ParseError
from irviewer.formats.format import Loaded
from irviewer.formats.load import load, load_opened
from irviewer.formats.reading.opener import Opened
from irviewer.formats.registry import CLASSIC as FORMATS
from irviewer.model.qrels import Qrels
from irviewer.model.texts import TextTable


@pytest.fixture(scope="module")
def own(small: Path) -> Path:
    return small / "collections"


def qrels_of(loaded: Loaded) -> dict[str, dict[str, float]]:
    assert isinstance(loaded.value, Qrels)
    return {query: loaded.value.judgments(query) for query in loaded.value.query_ids}


def table_of(loaded: Loaded) -> TextTable:
    assert isinstance(loaded.value, TextTable)
    return loaded.value


def parsed(text: str, path: str = "x", **choices: str) -> Loaded:
    return load_opened(Opened(path, text.encode(), "", "ascii"), **choices)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("file", "expected"),
    [
        ("cranqrel", {"1": {"7": 3, "9": 4, "4": 1, "5": 5}, "2": {"3": 2, "8": 5}}),
        ("qrels.text", {"1": {"1410": 1, "1572": 1}, "3": {"20": 1}}),
        ("CISI.REL", {"1": {"28": 1, "35": 1}, "2": {"7": 1}}),
        ("ADI.REL", {"1": {"17": 1, "46": 1}, "2": {"12": 1}}),
        ("TIME.REL", {"1": {"1": 1, "2": 1, "424": 1}, "2": {"2": 1}}),
        ("rlv-ass", {"1": {"1239": 1, "1502": 1, "7923": 1}, "2": {"414": 1}}),
        ("LISARJ.NUM", {"1": {"3392": 1, "3396": 1}, "2": {"1407": 1, "1431": 1, "3794": 1, "3795": 1, "3796": 1}}),
        ("LISA.REL", {"1": {"3392": 1, "3396": 1}, "2": {"1407": 1, "1431": 1, "3794": 1, "3795": 1}}),
    ],
)
def test_judgments_are_recognised_and_read(own: Path, file: str, expected: dict[str, dict[str, float]]) -> None:
    loaded = load(own / file)
    assert loaded.kind == "qrels"
    assert loaded.report.reason
    assert qrels_of(loaded) == expected


def test_the_doubt_about_cranfields_code_is_named_with_its_choices(own: Path) -> None:
    loaded = load(own / "cranqrel")
    warning = next(text for text in loaded.report.warnings if "-1" in text)
    assert "2 judgments" in warning
    assert "read as grade 5" in warning
    assert "cranfield-zero" in warning
    assert "line" in warning
    assert qrels_of(load(own / "cranqrel", format="cranfield-zero"))["2"] == {"3": 2, "8": 0}
    assert qrels_of(load(own / "cranqrel", format="cranfield-without"))["2"] == {"3": 2}


def test_three_columns_with_ranks_are_no_codes() -> None:
    assert parsed("1 a 1\n1 b 2\n1 c 3\n2 a 1\n2 d 2\n").kind == "run"
    assert parsed("1 10 1\n1 11 2\n1 12 3\n2 10 1\n2 14 2\n").kind == "run"


def test_trec_qrels_stay_trec_qrels() -> None:
    assert parsed("1 0 184 0\n1 0 29 0\n").report.format == "TREC qrels"
    assert parsed("1 0 13 1\n1 0 14 1\n").report.format == "TREC qrels"
    assert parsed("1 0 7 3 2.5 9\n1 0 9 4 1.5 9\n").kind == "run"


@pytest.mark.parametrize(
    ("file", "kind", "ids", "row"),
    [
        ("cran.qry", "queries", ["1", "2"], {"text": "what is lift .", "number": "004"}),
        ("ADI.ALL", "documents", ["1", "2"], {"title": "Another", "text": "words of two"}),
        (
            "TIME.ALL", "documents", ["1", "2"],
            {"number": "020", "date": "08/30 63", "page": "021", "text": "A SECOND ONE ."},
        ),
        ("TIME.QUE", "queries", ["1", "2"], {"text": "A COUP ."}),
        ("doc-text", "documents", ["1", "2"], {"text": "an analogue computer"}),
        ("query-text", "queries", ["1", "2"], {"text": "ANALYSIS OF WAVEGUIDES"}),
        ("LISA0.001", "documents", ["1", "2"], {"title": "ANOTHER.", "text": "PAPERS."}),
        ("LISA.QUE", "queries", ["1", "2"], {"text": "NON-USERS OF LIBRARIES."}),
    ],
)  # fmt: skip
def test_texts_are_recognised_and_read(own: Path, file: str, kind: str, ids: list[str], row: dict[str, str]) -> None:
    loaded = load(own / file)
    assert loaded.kind == kind
    table = table_of(loaded)
    assert table.ids == ids
    assert table.row("2") == row


def test_fields_run_over_lines_and_cross_references_are_ignored(own: Path) -> None:
    assert table_of(load(own / "TIME.ALL")).text("1") == "THE ALLIES AFTER NASSAU ."
    assert table_of(load(own / "LISA0.001")).row("1") == {
        "title": "THE COUNCIL OF LIBRARIES: A PROPOSAL.",
        "text": "EXAMINES THE SCENE. IT IS LARGE.",
    }
    assert table_of(load(own / "ADI.ALL")).attributes == ("title", "text", "author")
    assert table_of(load(own / "cran.qry", format="smart")).ids == ["001", "004"]


def test_what_the_judgments_do_not_say_is_said(own: Path) -> None:
    assert any("have 423 documents and lack 424" in warning for warning in load(own / "TIME.REL").report.warnings)
    assert any("1 query lists a different number" in warning for warning in load(own / "LISA.REL").report.warnings)


@pytest.mark.parametrize(
    ("text", "choices", "line", "reason"),
    [
        ("1 28 0 0.0\n1 30 0 2\n", {"format": "smart-qrels"}, 2, "two zeros"),
        ("1 28 1\n1 30 9\n", {"format": "cranfield"}, 2, "a code from 1 to 5"),
        ("1\n 5 6\n /\nx\n/\n", {"format": "npl", "kind": "qrels"}, 4, "without its number"),
        ("1\n 5 six\n/\n", {"format": "npl", "kind": "qrels"}, 2, "not a document number"),
        ("HELLO\n*TEXT 1\n", {"format": "time"}, 1, "before the first"),
        ("1 2 x\n", {"format": "time-qrels"}, 1, "a query and document numbers are expected"),
        ("Document 1\nx\n********************\nloose\n", {"format": "lisa"}, 4, "outside a document"),
        ("1\nx #\nno number\n", {"format": "lisa", "kind": "queries"}, 3, "without its number"),
        ("1 2 3 4\n2\n", {"format": "lisa", "kind": "qrels"}, 2, "a query, a count and documents are expected"),
        ("Query 1\n1 Relevant Refs:\nx -1\n", {"format": "lisa", "kind": "qrels"}, 3, "not a document number inside"),
    ],
)
def test_errors_name_line_and_reason(text: str, choices: dict[str, str], line: int, reason: str) -> None:
    with pytest.raises(ParseError, match=reason) as caught:
        parsed(text, **choices)
    assert caught.value.line == line


JUNK = (
    b"\n",
    b"/\n",
    b"#\n",
    b"-1 ",
    b"<top>",
    b"<num>",
    b"</",
    b".I 1\n",
    b"*TEXT ",
    b"9" * 5000,
    b"\t",
    b"\xff",
    b"\0",
)


@pytest.mark.parametrize("seed", range(6))
def test_damaged_files_end_in_a_value_or_an_error(own: Path, seed: int) -> None:
    chance = random.Random(seed)
    for path in sorted(own.iterdir()):
        for _ in range(20):
            data = bytearray(path.read_bytes())
            for _ in range(chance.randint(1, 5)):
                place = chance.randrange(len(data) + 1)
                if chance.random() < 0.5:
                    data[place:place] = chance.choice(JUNK)
                else:
                    del data[place : place + chance.randrange(30)]
            text = bytes(data).decode("latin-1").encode()
            file_format = chance.choice(FORMATS)
            for choices in ({}, {"format": file_format.name, "kind": chance.choice(file_format.kinds)}):
                try:
                    loaded = load_opened(Opened(path.name, text, "", "utf-8"), **choices)  # type: ignore[arg-type]
                except IrviewerError as error:
                    assert str(error)
                else:
                    assert loaded.report.lines()


# --- the real files ---


def real(data: Path, file: str) -> Path:
    path = data / file
    if not path.is_file():
        pytest.skip(f"{file} is not among the collections here")
    return path


@pytest.mark.parametrize(
    ("file", "derived", "count"),
    [
        ("cranfield/cranqrel", "cranfield/qrel.trec", 1837),
        ("cisi/CISI.REL.gz", "cisi/qrels.derived.trec", 3114),
        ("cisi/variants/CISI.REL.commas", "cisi/qrels.derived.trec", 3114),
        ("adi/ADI.REL", "adi/qrels.derived.trec", 170),
        ("time/TIME.REL", "time/qrels.derived.trec", 324),
        ("npl/rlv-ass", "npl/qrels.derived.trec", 2083),
        ("npl/rlv-ass", "npl/terrier/qrels", 2083),
        ("lisa/LISA.REL", "lisa/qrels.derived.trec", 362),
    ],
)
def test_real_judgments_equal_other_peoples_conversions(data: Path, file: str, derived: str, count: int) -> None:
    grades_by_query, other = qrels_of(load(real(data, file))), qrels_of(load(real(data, derived), duplicates="refuse"))
    assert grades_by_query == other
    assert sum(len(grades) for grades in grades_by_query.values()) == count


def test_real_cacm_judgments_equal_the_conversion_that_names_documents_in_full(data: Path) -> None:
    other: dict[str, dict[str, float]] = {}
    for line in real(data, "cacm/runs/cacm.rel.txt").read_text().split("\n"):
        if line:
            query, _, document, grade = line.split()
            other.setdefault(query, {})[str(int(document.removeprefix("CACM-")))] = float(grade)
    grades_by_query = qrels_of(load(real(data, "cacm/qrels.text")))
    assert grades_by_query == other
    assert sum(len(grades) for grades in grades_by_query.values()) == 796


def test_lisas_two_files_of_judgments_differ_where_the_prose_breaks_off(data: Path) -> None:
    """Queries 21 to 23: the prose lacks what it counts, or names another query's; the columns are as they count."""
    prose, columns = load(real(data, "lisa/LISA.REL")), load(real(data, "lisa/LISARJ.NUM"))
    from_prose, other = qrels_of(prose), qrels_of(columns)
    assert [query for query in other if from_prose[query] != other[query]] == ["21", "22", "23"]
    assert sum(len(grades) for grades in other.values()) == 379
    assert not any("different number" in text for text in columns.report.warnings)
    assert any("different number" in text for text in prose.report.warnings)


@pytest.mark.parametrize(
    ("files", "kind", "count"),
    [
        ("cranfield/cran.all.1400", "documents", 1400),
        ("cranfield/cran.qry", "queries", 225),
        ("cacm/cacm.all", "documents", 3204),
        ("cacm/query.text", "queries", 64),
        ("cisi/CISI.ALL", "documents", 1460),
        ("cisi/CISI.QRY.gz", "queries", 112),
        ("adi/ADI.ALL", "documents", 82),
        ("adi/ADI.QRY", "queries", 35),
        ("med/MED.ALL", "documents", 1033),
        ("med/luppar/MED.QRY", "queries", 30),
        ("npl/doc-text", "documents", 11429),
        ("npl/query-text", "queries", 93),
        ("time/TIME.ALL", "documents", 423),
        ("time/TIME.QUE", "queries", 83),
        ("lisa/LISA?.???.gz", "documents", 5999),
        ("lisa/LISA.QUE", "queries", 35),
    ],
)
def test_real_texts_are_whole(data: Path, files: str, kind: str, count: int) -> None:
    paths = sorted(data.glob(files))
    if not paths:
        pytest.skip(f"{files} is not among the collections here")
    texts_loaded = [load(path) for path in paths]
    assert {part.kind for part in texts_loaded} == {kind}
    ids = [doc_id for loaded in texts_loaded for doc_id in table_of(loaded).ids]
    assert len(set(ids)) == len(ids) == count


@pytest.mark.parametrize(
    ("judgments", "documents", "queries"),
    [
        ("cranfield/cranqrel", "cranfield/cran.all.1400", "cranfield/cran.qry"),
        ("cacm/qrels.text", "cacm/cacm.all", "cacm/query.text"),
        ("cisi/CISI.REL.gz", "cisi/CISI.ALL", "cisi/CISI.QRY.gz"),
        ("adi/ADI.REL", "adi/ADI.ALL", "adi/ADI.QRY"),
        ("med/MED.REL", "med/MED.ALL", "med/luppar/MED.QRY"),
        ("npl/rlv-ass", "npl/doc-text", "npl/query-text"),
    ],
)
def test_judgments_name_documents_and_queries_that_there_are(
    data: Path, judgments: str, documents: str, queries: str
) -> None:
    qrels = load(real(data, judgments)).value
    assert isinstance(qrels, Qrels)
    texts, asked = table_of(load(real(data, documents))), table_of(load(real(data, queries)))
    assert set(qrels.query_ids) <= set(asked.ids)
    missing = {doc_id for query in qrels.query_ids for doc_id in qrels.judgments(query)} - set(texts.ids)
    assert not missing


def test_a_line_of_unicodes_white_space_is_blank() -> None:
    assert qrels_of(parsed("\u2028\n1  1 2 424\n\n2  2\n", format="time-qrels")) == {
        "1": {"1": 1, "2": 1, "424": 1},
        "2": {"2": 1},
    }
