"""Topics and documents between tags, CAR's topics: small files and the real ones with their qrels."""

from __future__ import annotations

from pathlib import Path

import pytest

from irviewer.errors import ParseError
from irviewer.formats.load import load, load_opened
from irviewer.formats.reading.opener import Opened
from irviewer.model.qrels import Qrels
from irviewer.model.texts import TextTable


def table(path: Path, kind: str = "queries") -> TextTable:
    loaded = load(path)
    assert loaded.kind == kind
    assert loaded.ambiguous == ("TSV" in loaded.report.format)  # tags say what they hold, tabs do not
    assert isinstance(loaded.value, TextTable)
    return loaded.value


def parsed(text: str) -> TextTable:
    value = load_opened(Opened("x", text.encode(), "", "utf-8")).value
    assert isinstance(value, TextTable)
    return value


def test_tags_that_do_not_close(small: Path) -> None:
    texts = table(small / "collections/topics.sgml")
    assert texts.row("51") == {
        "text": "Airbus Subsidies & more",
        "description": "What do they get?",
        "narrative": "Relevant is AT&T.\nTwo paragraphs.",
        "number": "051",
    }
    assert texts.row("52") == {"text": "Second", "concepts": "1. one", "number": "052"}
    assert texts.title("52") == "Second"
    report = load(small / "collections/topics.sgml").report
    assert any("051" in str(finding) for finding in report.findings)


def test_tags_that_close_with_entities_and_attributes(small: Path) -> None:
    row = table(small / "collections/topics.fire.txt").row("176")
    assert row == {"text": "रेड्डी", "description": "x < y", "narrative": "z", "lang": "hi"}


def test_topics_with_subtopics_a_document_type_and_comments(small: Path) -> None:
    texts = table(small / "collections/topics.web.xml")
    assert texts.ids == ["201", "202"]
    assert texts.row("201") == {
        "text": "raspberry pi",
        "description": "What is a raspberry pi?",
        "type": "faceted",
        "subtopics": "1 (inf): What is it?\n2 (nav): Its home page.",
    }


def test_question_and_narrative_are_attributes(small: Path) -> None:
    row = table(small / "collections/topics.covid.xml").row("1")
    assert row == {
        "text": "coronavirus origin", "question": "what is the origin", "narrative": "seeking information",
    }  # fmt: skip


def test_ntcirs_nested_tags(small: Path) -> None:
    row = table(small / "collections/topics.ntcir.txt").row("1")
    assert row["text"] == "WTO"
    assert row["narrative"].split() == ["background", "relevant"]


@pytest.mark.parametrize(
    ("text", "topic", "words"),
    [
        ("<queries>\n<query>\n<qid>0001</qid>\n<content>Halloween</content>\n<description>a feast</description>\n"
         "</query>\n</queries>", "0001", "Halloween"),
        ("<TOPIC q=0101>\n<TITLE>\nrobot\n</TITLE>\n<DESCRIPTION>autonomous ones</DESCRIPTION>\n</TOPIC>", "0101",
         "robot"),
        ('<TOPIC><NUM>0008</NUM><TITLE CASE="c" RELAT="2-3">Salsa, learn</TITLE><DESC>where to</DESC><RDOC>NW1</RDOC>'
         "</TOPIC>", "0008", "Salsa, learn"),
    ],
    ids=["WWW", "NTCIR-1 and 2", "WEB"],
)  # fmt: skip
def test_ntcirs_other_tags(text: str, topic: str, words: str) -> None:
    """We Want Web's queries with their content, the early topics whose number is an attribute, the Web task's."""
    topics = parsed(text)
    assert [query_id.lstrip("0") for query_id in topics.ids] == [topic.lstrip("0")]
    assert topics.text(topics.ids[0]) == words
    assert "description" in topics.attributes


def test_headings_are_cars_topics(small: Path) -> None:
    texts = table(small / "collections/topics.car.txt")
    assert texts.text("enwiki:Air%20ioniser/Consumer%20Reports") == "Air ioniser / Consumer Reports"


def test_documents_between_tags(small: Path) -> None:
    texts = table(small / "collections/docs.trec", "documents")
    assert texts.row("FT-1") == {"title": "Head & tail", "text": "One bold line."}
    assert texts.text("2") == "loose words"


def test_letters_stay_where_topics_have_different_ones() -> None:
    assert parsed("<top><num>AR26<title>x</top>\n<top><num>EN27<title>y</top>\n").ids == ["AR26", "EN27"]
    assert parsed("<top><num>AR26<title>x</top>\n<top><num>AR027<title>y</top>\n").ids == ["26", "27"]


def test_errors_name_the_line() -> None:
    with pytest.raises(ParseError, match="has no number") as caught:
        parsed("<!-- a\ncomment -->\n<top>\n<num>1<title>x</top>\n<top>\n<title>y</top>\n")
    assert caught.value.line == 5
    with pytest.raises(ParseError, match="repeated, first in line 1"):
        parsed("<top><num>1<title>x</top>\n<top><num>1<title>y</top>\n")


@pytest.mark.parametrize(
    ("topics", "qrels", "count"),
    [
        ("qrels-topics-only/topics.core17.txt", "qrels-topics-only/qrels.core17.txt.gz", 50),
        ("qrels-topics-only/topics.trec02ar-ar.txt", "qrels-topics-only/qrels.trec02ar.txt.gz", 50),
        ("qrels-topics-only/topics.fire12hi.176-225.txt", "qrels-topics-only/qrels.fire12hi.176-225.txt.gz", 50),
        ("qrels-topics-only/topics.covid-round5.xml", "qrels-topics-only/qrels.covid-complete.txt.gz", 50),
        (
            "qrels-topics-only/topics.car17v2.0.benchmarkY1test.txt.gz",
            "qrels-topics-only/qrels.car17v2.0.benchmarkY1test.txt.gz",
            2254,
        ),
        ("trec-covid-r1/topics-covid-round1.xml", "trec-covid-r1/qrels-rnd1.txt.gz", 30),
        ("trec-covid-r1/topics-covid-round1-udel.xml", "trec-covid-r1/qrels-rnd1.txt.gz", 30),
        ("trec-web-2013-diversity/topics.web.201-250.txt", "trec-web-2013-diversity/qrels.web.201-250.txt.gz", 50),
        ("npl/terrier/query-text.trec", "npl/terrier/qrels", 93),
        ("qrels-topics-only/topics.dl19-passage.txt", "qrels-topics-only/qrels.dl19-passage.txt.gz", 43),
        ("qrels-topics-only/topics.dl20.txt", "qrels-topics-only/qrels.dl20-doc.txt.gz", 200),
        ("qrels-topics-only/topics.dl21.txt", "qrels-topics-only/qrels.dl21-passage.txt.gz", 477),
        (
            "qrels-topics-only/topics.beir-v1.0.0-nfcorpus.test.tsv.gz",
            "qrels-topics-only/qrels.beir-v1.0.0-nfcorpus.test.txt.gz",
            323,
        ),
        (
            "qrels-topics-only/topics.miracl-v1.0-th-dev.tsv.gz",
            "qrels-topics-only/qrels.miracl-v1.0-th-dev.tsv.gz",
            733,
        ),
        (
            "qrels-topics-only/topics.msmarco-passage.dev-subset.txt.gz",
            "qrels-topics-only/qrels.msmarco-passage.dev-subset.txt.gz",
            6980,
        ),
        ("dbpedia-entity/queries-v2.txt", "dbpedia-entity/qrels-v2.txt.gz", 467),
    ],
)
def test_real_topics_have_a_text_for_every_judged_query(data: Path, topics: str, qrels: str, count: int) -> None:
    if not (data / topics).is_file():
        pytest.skip(f"{topics} is not among the collections here")
    texts, judged = table(data / topics), load(data / qrels).value
    assert isinstance(judged, Qrels)
    assert len(texts) == count
    assert all(texts.text(query).strip() for query in judged.query_ids)
    assert not any("<" in texts.text(query_id) and ">" in texts.text(query_id) for query_id in texts.ids)
