"""Sampled qrels: recognised, read with their strata, written again, and their faults reported with the line."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

from irviewer.errors import DuplicateError, OptionError, ParseError
from irviewer.formats.choice import choose
from irviewer.formats.format import Head
from irviewer.formats.load import load
from irviewer.formats.losses import losses
from irviewer.formats.reading.opener import open_bytes
from irviewer.formats.registry import format_named
from irviewer.formats.viewer_protocol import qrels_from, qrels_table
from irviewer.model.qrels import Qrels

SAMPLED = "1 0 a s1 2\n1 0 b s1 0\n1 0 c s2 -1\n1 0 d s2 1\n2 0 a s2 -1\n2 0 e s1 1\n"


def file(tmp_path: Path, text: str, name: str = "x.txt") -> Path:
    path = tmp_path / name
    path.write_text(text)
    return path


def detected(tmp_path: Path, text: str, name: str = "x.txt") -> tuple[str, str]:
    form, sniffed = choose(Head(open_bytes(file(tmp_path, text, name))))
    return form.name, sniffed.kind


def read(path: Path, form: str | None = None) -> Qrels:
    value = load(path, format=form).value
    assert isinstance(value, Qrels)
    return value


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (SAMPLED, "x.txt"),
        ("1 0 a 1 2\n1 0 b 1 -1\n1 0 c 2 0\n", "x.txt"),
        ("1\t0\ta\t1\t0\r\n1\t0\tb\t1\t-1\r\n", "x.txt"),
        ("1 0 a 1 2\n1 0 b 1 0\n", "qrels-sampleval-2016.txt"),
        # The first stratum was judged in full: the first -1 comes later than the first lines.
        ("".join(f"1 0 d{n} 1 {n % 2}\n" for n in range(200)) + "1 0 e 2 -1\n1 0 f 2 0\n", "x.txt"),
        ("".join(f"1 0 d{n} 1 {n % 2}\n" for n in range(30_000)) + "1 0 e 2 -1", "x.txt"),
    ],
)
def test_sampled_qrels_are_recognised(tmp_path: Path, text: str, name: str) -> None:
    assert detected(tmp_path, text, name) == ("sampled", "qrels")


@pytest.mark.parametrize(
    ("text", "form", "kind"),
    [
        ("1 Q0 a 1 -1\n1 Q0 b 2 -2\n", "trec", "run"),
        ("1 Q0 a 1 -1\n1 Q0 b 1 -1\n", "trec", "run"),
        ("1 Q0 a 1 -1 t\n1 Q0 b 2 -2 t\n", "trec", "run"),
        ("1 0 a 1 -1.5\n1 0 b 1 -1\n", "trec", "qrels"),
        ("1 0 a 1 -1\n1 0 b 1 -3\n", "trec", "qrels"),
        ("1 0 a 1\n1 0 b -1\n", "trec", "qrels"),
        ("1 0 a 1 0\n1 0 b 1 1\n", "trec", "qrels"),
        ("1 g s a 2\n1 g s b 0\n", "prefs", "qrels"),
        ("1 1 1 a 2\n1 1 1 b 0\n1 1 2 a 1\n", "prefs", "qrels"),
    ],
)
def test_others_are_not_taken_for_them(tmp_path: Path, text: str, form: str, kind: str) -> None:
    assert detected(tmp_path, text) == (form, kind)


def test_strata_are_read_and_written(tmp_path: Path) -> None:
    loaded = load(file(tmp_path, SAMPLED))
    qrels = loaded.value
    assert isinstance(qrels, Qrels)
    assert qrels.strata is not None
    assert qrels.strata.texts.to_pylist() == ["s1", "s1", "s2", "s2", "s2", "s1"]
    assert not qrels.strata.codes.flags.writeable
    assert qrels.assessments is None
    assert qrels.judgments("1") == {"a": 2, "b": 0, "c": -1, "d": 1}
    assert ("strata", "s1: 3 of 3 sampled; s2: 1 of 3 sampled") in loaded.report.facts
    (serious,) = (note for note in loaded.report.findings if note.serious)
    assert serious.text.startswith("1 stratum has no sampled document (s2 of query 2): nothing is known of it")
    written = format_named("sampled").write
    assert written is not None
    assert written(qrels).decode() == SAMPLED
    again = qrels_from(qrels_table(qrels), "x")
    assert again.digest == qrels.digest
    assert again.strata is not None
    assert again.strata.texts.to_pylist() == qrels.strata.texts.to_pylist()


def test_rows_of_a_query_need_not_be_together(tmp_path: Path) -> None:
    lines = SAMPLED.splitlines(keepends=True)
    qrels = read(file(tmp_path, "".join([lines[0], lines[4], *lines[1:4], lines[5]])))
    assert qrels.strata is not None
    assert qrels.strata.texts.to_pylist() == ["s1", "s1", "s2", "s2", "s2", "s1"]


def test_a_sample_without_the_rest_has_no_known_size(tmp_path: Path) -> None:
    report = load(file(tmp_path, SAMPLED.replace("-1", "0")), format="sampled").report
    (note,) = (note for note in report.findings if note.serious)
    assert "no document has the grade -1" in note.text
    assert "the sizes of the strata are unknown" in note.text


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("1 0 a s 1\n1 0 b s\n", 2, "sampled qrels have 5"),
        ("1 0 a s 1\n1 0 b s x\n", 2, "x"),
        ("1 0 a s 1\n\n1 0 b s nan\n", 3, "not a finite number"),
    ],
)
def test_faults_name_the_line(tmp_path: Path, text: str, line: int, said: str) -> None:
    with pytest.raises(ParseError) as caught:
        load(file(tmp_path, text), format="sampled")
    assert caught.value.line == line
    assert said in str(caught.value)


def test_repeated_documents_are_refused_or_chosen(tmp_path: Path) -> None:
    path = file(tmp_path, SAMPLED + "1 0 c s1 3\n")
    with pytest.raises(DuplicateError, match="lines 3 and 7"):
        load(path, format="sampled")
    value = load(path, format="sampled", duplicates="last").value
    assert isinstance(value, Qrels)
    assert value.strata is not None
    assert dict(zip(value.doc_ids.to_pylist()[:4], value.strata.texts.to_pylist()[:4], strict=True))["c"] == "s1"


def test_what_cannot_be_written_is_said(tmp_path: Path) -> None:
    write = format_named("sampled").write
    assert write is not None
    with pytest.raises(OptionError, match="have no strata"):
        write(Qrels.from_dict({"1": {"a": 1.0}}))
    assert losses(read(file(tmp_path, SAMPLED)), format_named("trec")) == [
        "the strata of the sample are not kept: use --to sampled"
    ]
    assert not losses(read(file(tmp_path, SAMPLED)), format_named("sampled"))


def test_strata_with_odd_names(tmp_path: Path) -> None:
    qrels = read(file(tmp_path, "1 0 a <b>{x} 1\n1 0 b <b>{x} -1\n1 0 c -1 -1\n1 0 d é 0\n"), "sampled")
    assert qrels.strata is not None
    assert qrels.strata.texts.type == pa.string()
    assert qrels.strata.texts.to_pylist() == ["<b>{x}", "<b>{x}", "-1", "é"]
