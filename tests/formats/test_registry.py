"""The table of formats: the choice by content, by a person's word, and for writing; what is said where none fits."""

from __future__ import annotations

from pathlib import Path

import pytest

from irviewer.errors import OptionError, ParseError
from irviewer.formats.choice import choose
from irviewer.formats.format import KINDS, Head
from irviewer.formats.load import load, load_opened
from irviewer.formats.reading.opener import Opened
from irviewer.formats.registry import FORMATS, format_named, format_to_write
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run

RUN = "1 Q0 a 1 2.5 x\n1 Q0 b 2 1.5 x\n"
QRELS = "1 0 a 1\n1 0 b 0\n"


def opened(text: str, path: str = "x") -> Opened:
    return Opened(path, text.encode(), "", "utf-8")


def chosen(text: str, path: str = "x", kind: str | None = None, name: str | None = None) -> tuple[str, str, str]:
    file_format, sniffed = choose(Head(opened(text, path)), kind, name)
    return file_format.name, sniffed.kind, sniffed.reason


def test_names_are_unique_and_every_row_is_whole() -> None:
    assert len({file_format.name for file_format in FORMATS}) == len(FORMATS)
    for file_format in FORMATS:
        assert file_format.name == file_format.name.lower()
        assert file_format.title
        assert set(file_format.kinds) <= set(KINDS)
        assert set(file_format.written) <= set(file_format.kinds)


@pytest.mark.parametrize(
    ("text", "name", "kind"),
    [
        (RUN, "trec", "run"),
        ("1 Q0 a 1 2.5\n1 Q0 b 2 1.5\n", "trec", "run"),
        (QRELS, "trec", "qrels"),
        (".I 1\n.W\nheat\n", "smart", "texts"),
        ('{"id": "1", "text": "heat"}\n', "jsonl", "texts"),
        ("1\theat flow\n", "tsv-texts", "texts"),
        ("1 map 0.5 0.25\n1 P_10 0.3 0\n", "zscores", "zscores"),
        ("1 nDCG@10 -0.5 0.25\n", "zscores", "zscores"),
        ("1 map 0.5 -1\n1 0 5 1\n", "trec", "qrels"),  # no deviation is below 0
        ("1 0 7 1\n1 0 8 0\n", "trec", "qrels"),
    ],
)
def test_the_content_decides(text: str, name: str, kind: str) -> None:
    kind_chosen = chosen(text)
    assert kind_chosen[:2] == (name, kind)
    assert kind_chosen[2]


@pytest.mark.parametrize(
    ("word", "file", "kind"),
    [
        ("qrels", "qrels.test", "qrels"), ("trec_results", "results.test", "run"), ("prefs", "prefs.test", "qrels"),
        ("qrels_prefs", "qrels.test", "qrels"), ("qrels_jg", "qrels.123.gz", "qrels"),
    ],
)  # fmt: skip
def test_trec_evals_words(word: str, file: str, kind: str, small: Path, samples: Path) -> None:
    """What stands after -R and -T there is taken by --from."""
    path = next(folder / file for folder in (small / "trec_eval", samples / "trec") if (folder / file).is_file())
    by_word, by_content = load(path, format=word), load(path)
    assert by_word.kind == by_content.kind == kind
    assert by_word.report.facts == by_content.report.facts


def test_the_user_overrules() -> None:
    assert chosen(QRELS, name="tsv-texts")[:2] == ("tsv-texts", "texts")
    assert load_opened(opened("1 0 a 1 extra\n"), kind="qrels").report.reason == "four columns, the fourth a number"
    assert load_opened(opened(RUN.replace("Q0", "0")), kind="qrels", format="trec").kind == "qrels"


def test_swapped_files_are_reported() -> None:
    with pytest.raises(ParseError, match=r"looks like a run, not like qrels: six columns.*swapped") as caught:
        load_opened(opened("\n" + RUN), kind="qrels")
    assert caught.value.line == 2
    reason = "4 columns; a TREC run has 6.*looks like qrels.*are the files swapped"
    with pytest.raises(ParseError, match=reason):
        load_opened(opened(QRELS), kind="run")


def test_an_unknown_file_is_reported_with_its_line() -> None:
    with pytest.raises(ParseError, match=r"unknown file format.*first line has 2 columns") as caught:
        load_opened(opened("\nhello world\n"))
    assert caught.value.line == 2
    with pytest.raises(ParseError, match="unknown file format"):
        load_opened(opened("There are a few more 7 words\nas prose has them\nand no columns\n"))
    for text, reason in (("", "empty"), (" \n", "empty"), ("# x\n", "only comments")):
        with pytest.raises(ParseError, match=reason):
            load_opened(opened(text))


def test_an_unknown_name_gets_the_nearest() -> None:
    with pytest.raises(OptionError, match="similar names: trec"):
        format_named("trek")
    with pytest.raises(
        OptionError, match=r"there is no format .*; the formats are: answer-paths, answer-columns-arrow, "
    ):
        format_named("??")
    with pytest.raises(OptionError, match="trec files can be run, qrels, not documents"):
        chosen(RUN, name="trec", kind="documents")


def test_a_name_ending_chooses_what_is_written() -> None:
    assert format_to_write("a.run.gz", "run").name == "trec"
    assert format_to_write("a", "qrels").name == "trec"
    assert format_to_write("a.jsonl", "documents").name == "jsonl"
    assert format_to_write("a", "queries").name == "jsonl"
    with pytest.raises(OptionError, match="cannot write run as smart; --to is one of:"):
        format_to_write("a", "run", "smart")


def test_five_columns_are_a_run_without_a_tag() -> None:
    loaded = load_opened(opened("1 Q0 a 1 2.5\n1 Q0 b 2 3.5\n"))
    assert isinstance(loaded.value, Run)
    assert loaded.value.ranking("1") == ["b", "a"]
    assert any("tag is missing" in text for text in loaded.report.warnings)


def test_numbers_after_the_tag_are_components(tmp_path: Path) -> None:
    path = tmp_path / "x.run"
    path.write_text("1 Q0 a 1 2 x 0.5 7\n1 Q0 b 2 3 x 0.25 8\n")
    run = load(path).value
    assert isinstance(run, Run)
    assert {name: values.tolist() for name, values in run.ranking_components("1").items()} == {
        "column 7": [0.25, 0.5],
        "column 8": [8, 7],
    }
    assert run.ranking_components("none") == {}
    again = load_opened(Opened("y", format_named("trec").write(run), "", "utf-8")).value  # type: ignore[misc]
    assert isinstance(again, Run)
    assert again.ranking_components("1")["column 8"].tolist() == [8, 7]


def test_the_header_of_a_run_is_written_and_read() -> None:
    header = "# ir_metadata.start\n# platform:\n#   os: Linux\n#   date: 2020-01-02\n# ir_metadata.end\n"
    run = load_opened(opened(header + RUN)).value
    assert isinstance(run, Run)
    assert run.attributes == {"platform": {"os": "Linux", "date": "2020-01-02"}}
    write = format_named("trec").write
    assert write is not None
    again = load_opened(Opened("x", write(run), "", "utf-8")).value
    assert isinstance(again, Run)
    assert again.attributes == run.attributes
    assert again.ranking("1") == run.ranking("1")


def test_words_after_the_tag_are_no_components() -> None:
    run = load_opened(opened("1 Q0 a 1 2 my 1 tag\n1 Q0 b 2 1 my 1 tag\n")).value
    assert isinstance(run, Run)
    assert (run.tag, run.components) == ("my", {})


def test_trec_written_reads_back() -> None:
    write = format_named("trec").write
    assert write is not None
    run = Run.from_dict({"q": {"a": 0.1, "b": 1e300, "c": float("nan"), "d": -3.0}}, name="my run")
    again = load_opened(Opened("x", write(run), "", "utf-8")).value
    assert isinstance(again, Run)
    assert again.tag == "my_run"
    assert again.ranking("q") == run.ranking("q")
    assert again.scores[:3].tolist() == run.scores[:3].tolist()
    qrels = Qrels.from_dict({"q": {"a": 1, "b": 0.5}})
    assert write(qrels) == b"q 0 a 1\nq 0 b 0.5\n"
    with pytest.raises(OptionError, match="white space"):
        write(Qrels.from_dict({"two words": {"a": 1}}))


@pytest.mark.parametrize("blank", ["\u2028", "\u00a0 ", "\u3000"])
def test_lines_of_unicodes_white_space_are_blank(blank: str) -> None:
    """No sniffer takes one for a line with columns."""
    assert Head(opened(f"{blank}\n{RUN}")).lines[0] == (2, "1 Q0 a 1 2.5 x")
    with pytest.raises(ParseError):
        chosen(blank)


@pytest.mark.parametrize("kind", [None, "qrels", "run"])
@pytest.mark.parametrize(("text", "names"), [("q1,d1,1\n", "query_id,doc_id,"), ("q1;d1;0.5;x\n", "query_id;doc_id;")])
def test_a_table_without_a_header_says_what_to_write(kind: str | None, text: str, names: str) -> None:
    with pytest.raises(ParseError) as refused:
        chosen(text * 3, kind=kind)
    assert "a table without a header" in str(refused.value)
    assert f"such as {names}relevance" in str(refused.value)


def test_a_line_with_commas_in_words_is_no_such_table() -> None:
    for text in ("q1 0 d,1,x 1\n", "one,two,three words\n"):
        try:
            assert chosen(text)[2]
        except ParseError as refused:
            assert "a table without a header" not in str(refused)
