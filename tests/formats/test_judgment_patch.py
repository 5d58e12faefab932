"""Patches read back as they were written, are known among other files, and say where a line is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest
import strategies as some
from hypothesis import given
from hypothesis import strategies as st

from irviewer.errors import ParseError, PatchError
from irviewer.formats.judgment_patch import COLUMNS, parse_patch, patch_text, read_patch
from irviewer.formats.load import load_opened
from irviewer.formats.reading.opener import Opened
from irviewer.model.judgments.overlay import Judgment, PatchRow
from irviewer.model.qrels import Qrels

HEADER = "\t".join(COLUMNS) + "\n"
words = st.text(st.characters(exclude_categories=("Cs", "Cc")) | st.sampled_from('\t\n\r"'), max_size=12)
grades = st.one_of(st.none(), some.any_grades)
rows = st.lists(
    st.builds(
        PatchRow, st.builds(Judgment, some.queries, some.documents, grades, words, words, words), grades
    ),
    unique_by=lambda row: (row.judgment.query_id, row.judgment.doc_id),
)  # fmt: skip


@given(rows)
def test_what_was_written_reads_back(rows: list[PatchRow]) -> None:
    data = patch_text(rows).encode()
    assert list(parse_patch(Opened("patch.tsv", data, "", "utf-8"))) == rows
    graded = [row for row in rows if row.judgment.grade is not None]
    if graded:
        with pytest.raises(PatchError, match=r"qrels patch.*--from qrels-patch"):  # who opens it as qrels errs
            load_opened(Opened("patch.tsv", data, "", "utf-8"))
        loaded = load_opened(Opened("patch.tsv", data, "", "utf-8"), format="qrels-patch")
        assert loaded.report.format == "qrels patch"
        assert isinstance(loaded.value, Qrels)
        assert len(loaded.value) == len(graded)
        back = [finding for finding in loaded.report.findings if "withdrawn" in finding.text]
        assert sum(finding.count for finding in back) == len(rows) - len(graded)


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("", 0, "empty"),
        ("query doc grade\n", 1, "the header of a patch is"),
        (HEADER + "1\td\t1\n", 2, "3 columns, but a patch has 7"),
        (HEADER + "1\td\tone\t\t\t\t\n", 2, "grade 'one' is not a number"),
        (HEADER + "1\td\tnan\t\t\t\t\n", 2, "not a number"),
        (HEADER + "\n\td\t1\t\t\t\t\n", 3, "query id is empty"),
        (HEADER + '1\td\t1\t\t\t\t"two\nlines"\n1\t\t1\t\t\t\t\n', 4, "document id is empty"),
    ],
)
def test_a_line_that_cannot_be_read_is_named(text: str, line: int, words: str, tmp_path: Path) -> None:
    path = tmp_path / "patch.tsv"
    path.write_text(text, "utf-8")
    with pytest.raises(ParseError, match=words) as caught:
        read_patch(path)
    assert caught.value.line == line
