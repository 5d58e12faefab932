"""Answers in damaged files: what is whole is read, and what is not is named with its place and what to do."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import accumulate
from pathlib import Path
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import given

from irviewer.errors import ParseError
from irviewer.formats.answers.whole_records import whole_records
from irviewer.formats.load import load, load_opened
from irviewer.formats.load_report import LoadReport
from irviewer.formats.reading.opener import Opened
from irviewer.formats.registry import format_named
from irviewer.model.run import Run

BAD = "trec-rag-2024/format-variants/bad.jsonl"


def record(topic: object) -> dict[str, Any]:
    sentences = [{"text": "One.", "citations": [1, 0]}, {"text": "Two.", "citations": []}]
    return {"run_id": "s", "topic_id": topic, "topic": "q", "references": ["a", "b"], "answer": sentences}


RECORDS = [record(str(number)) for number in range(1, 5)]


def opened(text: str) -> Opened:
    return Opened("a.json", text.encode(), "", "utf-8")


def read(text: str) -> tuple[tuple[str, ...], LoadReport]:
    loaded = load_opened(opened(text))
    assert isinstance(loaded.value, Run) and loaded.value.answered is not None
    return loaded.value.answered.topics, loaded.report


def lines(records: list[dict[str, Any]]) -> str:
    return "".join(json.dumps(each) + "\n" for each in records)


def over_lines(records: list[dict[str, Any]], between: str = "\n") -> str:
    return between.join(json.dumps(each, indent=1) for each in records)


def joined(records: list[dict[str, Any]]) -> str:
    return "[" + ", ".join(json.dumps(each, indent=2) for each in records) + "]"


def first_in_a_line(records: list[dict[str, Any]]) -> str:
    return json.dumps(records[0]) + "\n" + over_lines(records[1:])


def wrapped(records: list[dict[str, Any]]) -> str:
    return json.dumps({"version": 1, "answers": records, "more": [1]}, indent=1)


LAYOUTS: dict[str, Callable[[list[dict[str, Any]]], str]] = {
    "lines": lines, "over lines": over_lines, "the first in a line": first_in_a_line, "array in a line": json.dumps,
    "array": lambda records: json.dumps(records, indent=2), "array of objects over lines": joined,
    "array a line each": lambda records: "[" + ",\n ".join(map(json.dumps, records)) + "]", "wrapped": wrapped,
    "wrapped in a line": lambda records: json.dumps({"version": 1, "answers": records}),
}  # fmt: skip


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("number", [1, 3])
@pytest.mark.parametrize("damage", [('"references": [', '"references": '), ('"q",', '"q"')])
def test_a_damaged_record_does_not_hide_the_others(layout: str, number: int, damage: tuple[str, str]) -> None:
    whole = LAYOUTS[layout](RECORDS)
    begin = whole.index(f'"topic_id": "{number}"')
    text = whole[:begin] + whole[begin:].replace(*damage, 1)
    topics, report = read(text)
    assert topics == tuple(each["topic_id"] for each in RECORDS if each["topic_id"] != str(number))
    (note,) = [note for note in report.findings if "left out" in note.text]
    with pytest.raises(json.JSONDecodeError) as caught:
        json.loads(text[text.rindex("{", 0, begin) :])
    place = caught.value.pos + text.rindex("{", 0, begin)
    line_begin = text.rfind("\n", 0, place) + 1
    assert note.lines == (text.count("\n", 0, place) + 1,)
    assert f"in column {place - line_begin + 1}: " in note.text
    assert note.text.endswith("mend it, or write the file again")


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_file_that_is_cut_has_the_records_before(layout: str) -> None:
    whole = LAYOUTS[layout](RECORDS)
    text = whole[: whole.rindex('"Two."') + 3]
    topics, report = read(text)
    assert topics == ("1", "2", "3")
    (note,) = [note for note in report.findings if "left out" in note.text]
    assert "the file ends within a record; check if the file is complete" in note.text
    assert note.lines == (text.count("\n") + 1,)
    assert f"in column {len(text) - text.rfind(chr(10))}: " in note.text


@pytest.mark.parametrize("indent", [None, 1])
def test_a_single_record_that_is_cut_is_refused_where_it_breaks_off(indent: int | None) -> None:
    whole = json.dumps(record("1"), indent=indent)
    text = whole[: whole.rindex('"Two."') + 3]
    for before in ("", "["):
        with pytest.raises(ParseError, match="the file ends within a record; check if the file is complete") as caught:
            read(before + text)
        last = (before + text).split("\n")
        assert (caught.value.line, caught.value.column) == (len(last), len(last[-1]) + 1)


def test_commas_and_brackets_between_records() -> None:
    every = tuple(each["topic_id"] for each in RECORDS)
    for text in (over_lines(RECORDS, ",\n"), lines(RECORDS).replace("}\n{", "},\n{")):
        topics, report = read(text)
        assert topics == every
        assert [note.text for note in report.findings if "comma" in note.text] == [
            "3 commas are between records that are no list; they have no meaning there"
        ]
        assert not report.warnings
    array = json.dumps(RECORDS, indent=1)
    for text in (array[:-1], array.replace("},\n {", "}\n {", 1), array + "]", wrapped(RECORDS)[:-2]):
        topics, report = read(text)
        assert topics == every
        (warning,) = report.warnings
        assert "the list of the records is damaged between them" in warning


def test_an_item_that_is_no_object_is_left_out() -> None:
    topics, report = read(json.dumps([RECORDS[0], 3, RECORDS[1]]))
    assert topics == ("1", "2")
    assert any("1 record is damaged and is left out" in text for text in report.warnings)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_record_without_a_topic_is_left_out(layout: str) -> None:
    topics, report = read(LAYOUTS[layout]([RECORDS[0], record(""), RECORDS[1], record(None)]))
    assert topics == ("1", "2")
    (warning,) = report.warnings
    assert warning.startswith("2 records have no topic and are left out: the records of numbers 2, 4; ")
    with pytest.raises(ParseError, match="the answer has no topic; each record needs its topic"):
        read(LAYOUTS[layout]([record("")]))


def test_rows_without_a_topic_are_left_out() -> None:
    topics, report = read("qid,sentence,cited\n1,One.,a\n,Two.,b\n 2 ,Three.,c\n")
    assert topics == ("1", "2")
    assert any("1 record has no topic" in text and "(line 3)" in text for text in report.warnings)
    assert any("white space around the topic of 1 row is removed" in str(note) for note in report.findings)


@pytest.mark.parametrize(
    ("cells", "hint"), [("1,One.", "write a cell for each column"), ("1,One., two,a", "put a cell")]
)
def test_a_row_of_another_length_is_refused_with_what_to_do(cells: str, hint: str) -> None:
    with pytest.raises(ParseError, match=f"a.json:2: the row has . cells, and the header 3; {hint}"):
        read(f"qid,sentence,cited\n{cells}\n")


def test_the_bad_lines_of_the_shared_data(data: Path) -> None:
    """Each run is read or mended and said what of it is odd; the line that is cut is named with its place."""
    path = data / BAD
    cut = next(
        number for number, text in enumerate(path.read_text("utf-8").splitlines(), start=1) if not _is_json(text)
    )
    names = [json.loads(text)["run_id"] for text in path.read_text("utf-8").splitlines() if _is_json(text)]
    for name in dict.fromkeys(names):
        loaded = load(path, part=name)
        notes = [str(note) for note in loaded.report.findings]
        assert any("1 line is not a JSON object" in text and f"(line {cut})" in text for text in notes), name
    assert isinstance(loaded.value, Run) and loaded.value.query_ids == ("2024-127653",)
    assert any("twice" in text for text in notes)


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


@given(
    st.lists(st.dictionaries(st.sampled_from("abc"), st.text("ab{}[]\"\\,\n", max_size=5), min_size=1), min_size=1),
    st.sampled_from([None, 0, 1]), st.sampled_from(["\n", ",\n", " ", "\n\n"]), st.booleans(),
)  # fmt: skip
def test_whole_records_are_all_found(
    records: list[dict[str, str]], indent: int | None, between: str, in_list: bool
) -> None:
    """The careful reader of whatever text gives what JSON itself gives of each record, with its line."""
    texts = [json.dumps(each, indent=indent) for each in records]
    text = between.join(texts)
    whole = whole_records(text, 0, 1, lambda value: True, in_list=in_list)
    begins = [0, *accumulate(len(each) + len(between) for each in texts)][: len(texts)]
    assert whole.records == [(1 + text.count("\n", 0, at), each) for at, each in zip(begins, records, strict=True)]
    assert not whole.faults


@given(st.data(), st.sampled_from([None, 1]), st.sampled_from(["\n", " ", ""]), st.booleans())
def test_a_long_text_is_read_in_steps(data: st.DataObject, indent: int | None, between: str, in_list: bool) -> None:
    """Whatever the first step is, a damaged text has the same records and faults."""
    text = between.join(json.dumps(each, indent=indent) for each in RECORDS)
    for _ in range(data.draw(st.integers(0, 3))):
        at = data.draw(st.integers(0, len(text) - 1))
        text = text[:at] + data.draw(st.sampled_from(["", '"', "{", "]", "\n", "12"])) + text[at + 1 :]
    by_step = []
    for step in (1, len(text)):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("irviewer.formats.answers.whole_records._FIRST_STEP", step)
            by_step.append(whole_records(text, 0, 1, lambda value: "topic_id" in value, in_list=in_list))
    assert by_step[0] == by_step[1]


def test_of_many_records_in_a_line_each_is_read_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rest of the line was copied for each of them: the time was quadratic."""
    sizes = []

    class Decoder(json.JSONDecoder):
        def raw_decode(self, s: str, idx: int = 0) -> tuple[Any, int]:
            sizes.append(len(s))
            return super().raw_decode(s, idx)

    monkeypatch.setattr("irviewer.formats.answers.whole_records._DECODER", Decoder())
    whole = whole_records("".join(json.dumps(record(number)) for number in range(200)), 0, 1, bool, in_list=False)
    assert len(whole.records) == 200
    assert max(sizes) <= 4096


def test_texts_of_a_json_sequence(tmp_path: Path) -> None:
    """Each begins with a sign of its own (RFC 7464), in a short file and in a long one."""
    path = tmp_path / "a.json-seq"
    for words in (1, 400_000):
        first = {**record("1"), "answer": "word " * words}
        path.write_text(
            "".join(f"\x1e{json.dumps(each, indent=indent)}\n" for each in (first, record("2")) for indent in (1,))
        )
        loaded = load(path)
        assert isinstance(loaded.value, Run) and loaded.value.answered is not None
        assert loaded.value.answered.topics == ("1", "2")
        assert not any("damaged" in text for text in loaded.report.warnings)


def test_reports_of_the_tracks_before() -> None:
    """Their answers are sentences by the id of a request, with ids as citations and no references."""
    reports = [
        {"request_id": "300", "run_id": "s", "collection_ids": ["x"],
         "sentences": [{"text": "One.", "citations": ["b", "a"]}, {"text": "Two.", "citations": ["a"]}]},
    ]  # fmt: skip
    loaded = load_opened(opened(lines(reports)))
    assert isinstance(loaded.value, Run) and loaded.value.answered is not None
    answers = loaded.value.answered.answers
    assert answers is not None and not loaded.report.warnings
    assert (answers.topics, answers.references_of("300")) == (("300",), ["b", "a"])
    assert answers.cited.to_pylist() == ["b", "a", "a"] and answers.leads.all()
    again, _ = read(format_named("rag-responses").encoded(loaded.value).decode())
    assert again == ("300",)


def test_marks_of_assistants() -> None:
    text = "One 【1†source】. Two 【2, 1】 and 【b†L1-L9】."
    loaded = load_opened(opened(lines([{"qid": "1", "answer": text, "references": ["a", "b"]}])))
    assert isinstance(loaded.value, Run) and loaded.value.answered is not None
    answers = loaded.value.answered.answers
    assert answers is not None
    assert answers.texts.to_pylist() == ["One.", "Two and."]
    assert answers.cited.to_pylist() == ["a", "b", "a", "b"]


def test_what_a_system_and_scores_lack_is_said() -> None:
    _, report = read(lines([{**record("1"), "run_id": ""}]))
    assert any("the name of the system is empty: it is called a" in note.text for note in report.findings)
    _, report = read("qid,run_id,sentence,cited\n1,,One.,a\n")
    assert any("the name of the system is empty: it is called a" in note.text for note in report.findings)
    for score in ("NaN", "1e400", "true", "1" + "0" * 400):
        nodes = f'[{{"node": {{"id_": "a"}}, "score": {score}}}, {{"node": {{"id_": "b"}}, "score": 0.5}}]'
        text = f'{{"query": "q", "response": "One [1].", "source_nodes": {nodes}}}\n'
        _, report = read(text)
        assert any("1 document has no score that is a finite number" in text for text in report.warnings), score
        candidates = '{"query": {"qid": "1"}, "candidates": [{"docid": "a", "score": %s}]}\n'
        assert load_opened(opened(candidates % score)).value is not None
        scored = {**record("1"), "answer": [{"text": "One.", "citations": {"a": 0}}]}
        read(json.dumps(scored).replace('"a": 0', f'"a": {score}') + "\n")


def test_candidates_of_which_one_has_no_score_have_their_order() -> None:
    """That one came behind the others, or before them where scores are below -1, without a word."""
    text = '{"query": {"qid": "1"}, "candidates": [{"docid": "a", "score": -5}, {"docid": "b", "score": null}]}\n'
    loaded = load_opened(opened(text))
    assert isinstance(loaded.value, Run) and loaded.value.ranking("1") == ["a", "b"]
    assert any("1 candidate has no score that is a number" in note for note in loaded.report.warnings)
    assert not load_opened(opened(text.replace('"score": -5', '"score": null'))).report.warnings
