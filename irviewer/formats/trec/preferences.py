"""Preferences: ``query group subgroup document level``, five columns separated by white space (trec_eval -R prefs).

A group is one user's information need. Levels only order the documents of a subgroup; 0 is non-relevant. Qrels with
several groups in their second column (-R qrels_prefs, qrels_jg) are ordinary TREC qrels."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyarrow as pa

from irviewer.errors import OptionError
from irviewer.formats.duplicates import by_second, rows_to_keep
from irviewer.formats.format import Format, Head, Loaded, Sniffed, Value, Wanted, is_number
from irviewer.formats.load_report import LoadReport, file_fact, qrels_facts
from irviewer.formats.names import name_of
from irviewer.formats.reading.columns import Column, read_columns
from irviewer.formats.reading.opener import Opened
from irviewer.formats.trec.formats import refuse_spaces, texts_of
from irviewer.formats.trec.qrels import refuse_infinite
from irviewer.formats.trec.run import comment_findings, more_columns
from irviewer.model.arrays import Ints, Strings, strings
from irviewer.model.qrels import Qrels
from irviewer.translation import tr

SHAPE = tr("preferences have 5: query group subgroup document level")
WANTED = (
    Column("query", 0, "key"),
    Column("group", 1, "key"),
    Column("subgroup", 2, "key"),
    Column("document", 3, "text"),
    Column("grade", 4, "number"),
)


def sniff(head: Head) -> Sniffed | None:
    """Recognise five columns, the last a number, and several documents of a subgroup, since only those are preferred to
    each other; in a file that its name calls preferences, any. Texts of four words after an id are none."""
    rows = head.columns
    if not rows or any(len(row) != 5 or not is_number(row[4]) or row[1].upper() == "Q0" for row in rows):
        return None
    alone = len({tuple(row[:3]) for row in rows}) == len(rows)
    if head.has_texts or (alone and not head.names("pref")):
        return None
    return Sniffed("qrels", tr("five columns, the fourth a document, the fifth a number: preferences"))


def read(opened: Opened, wanted: Wanted) -> Loaded:
    """Read qrels whose assessments are the preferences; a document's grade is its highest level.

    Raises ParseError with file, line, column, the text and the reason."""
    columns = read_columns(opened, WANTED, 5, SHAPE)
    refuse_infinite(opened, columns)
    query_ids, codes = columns.keys["query"]
    (groups, group_codes), (subgroups, subgroup_codes) = columns.keys["group"], columns.keys["subgroup"]
    documents, levels = columns.texts["document"], columns.numbers["grade"]
    keys = by_second(query_ids, codes, groups, group_codes, "group")
    keys = by_second(*keys, subgroups, subgroup_codes, "subgroup")
    keep, duplicates_note = rows_to_keep(opened, *keys, documents, levels, wanted.duplicates, columns.row_lines)
    rows = np.arange(columns.n) if keep is None else np.flatnonzero(keep)
    qrels = Qrels.from_columns(
        query_ids,
        codes[rows],
        documents.take(pa.array(rows)),
        levels[rows],
        # With a single group and subgroup these are ordinary qrels.
        subtopics=_texts(groups, group_codes[rows]) if len(groups) > 1 or len(subgroups) > 1 else None,
        subgroups=_texts(subgroups, subgroup_codes[rows]) if len(subgroups) > 1 else None,
        name=wanted.name or name_of(opened.path),
        origin=opened.path,
    )
    findings = [] if duplicates_note is None else [duplicates_note]
    if columns.extra:
        findings.append(more_columns(columns.extra, 5))
    findings += comment_findings(columns.comments, 5, 4)
    lines = tr("{lines:,} in {groups:,} groups", lines=len(rows), groups=len(groups))
    facts = (file_fact(opened), *qrels_facts(qrels), (tr("preference lines"), lines))
    report = LoadReport(opened.path, "qrels", TITLE, wanted.reason, facts, tuple(findings), qrels.name)
    return Loaded("qrels", qrels, report)


def _texts(names: tuple[str, ...], codes: Ints) -> Strings:
    return strings(names).take(pa.array(codes))


def write(value: Value) -> bytes:
    """Return the lines; qrels without groups have one group, 0. Raises OptionError for ids with white space."""
    if not isinstance(value, Qrels):
        raise OptionError(tr("preferences are judgments: a run cannot be written as preferences"))
    return "".join(_lines(value)).encode("utf-8", "surrogateescape")


def _lines(qrels: Qrels) -> Iterator[str]:
    queries, groups, documents, levels = qrels.written
    subgroups = None if qrels.assessments is None else qrels.assessments.subgroups
    zeros = ["0"] * len(documents)
    columns = (
        queries.to_pylist(), zeros if groups is None else groups.to_pylist(),
        zeros if subgroups is None else subgroups.to_pylist(), documents.to_pylist(), texts_of(levels),
    )  # fmt: skip
    refuse_spaces(qrels.query_ids, columns[3], *columns[1:3])
    for row in zip(*columns, strict=True):
        yield " ".join(row) + "\n"


TITLE = tr("preferences")
FORMAT = Format("prefs", TITLE, ("qrels",), sniff, read, write, (".prefs",), keeps=frozenset({"queries", "subtopics"}))
