"""The reader of TREC runs: ``query Q0 document rank score tag``, six columns separated by white space."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from irviewer.errors import ParseError
from irviewer.formats.duplicates import DuplicatePolicy, rows_to_keep
from irviewer.formats.format import is_number
from irviewer.formats.load_report import (
    Finding,
    LoadReport,
    file_fact,
    read_as_latin1,
    run_facts,
    run_findings,
)
from irviewer.formats.names import name_of
from irviewer.formats.reading.columns import Column, Columns, read_columns
from irviewer.formats.reading.opener import Opened, open_bytes
from irviewer.formats.trec.ir_metadata import attributes
from irviewer.formats.trec.plain_lines import plain_lines
from irviewer.model.arrays import Codes, Floats, distinct, places_of
from irviewer.model.late_run import LateRun
from irviewer.model.rankings.duplicates import Hashes, tails
from irviewer.model.rankings.tie_breaking import ranked
from irviewer.model.run import Run
from irviewer.translation import tr, trn

SHAPE = tr("a TREC run has 6: query Q0 document rank score tag")
MOST_COMPONENTS = 32
WANTED = (
    Column("query", 0, "brief"),
    Column("document", 2, "text"),
    Column("rank", 3, "whole"),
    Column("score", 4, "number"),
    Column("tag", 5, "names"),
)


def read_run(path: str | Path, *, name: str | None = None, duplicates: DuplicatePolicy = "refuse") -> Run:
    """Read a run from a TREC file, plain or compressed; its name is ``name``, else the file's.

    Raises ParseError with file, line, column, the text and the reason."""
    return parse_run(open_bytes(path), name=name, duplicates=duplicates, account=False)[0]


def parse_run(
    opened: Opened,
    *,
    name: str | None = None,
    duplicates: DuplicatePolicy = "refuse",
    tagless: bool = False,
    account: bool = True,
    late: bool = False,
) -> tuple[Run, LoadReport]:
    """Return a run and the report of its file. ``tagless``: the lines have 5 columns, without a tag. Without
    ``account`` the report has no facts and notes, and the columns that only these need are not read. ``late``: the
    documents are put in rank order when they are asked for, but for a run with components.

    Columns after the sixth are the run's score components if every line has numbers there."""
    width = 5 if tagless else 6
    plain = _plain(opened, width) if late and not account else None
    columns, component_columns, tags = _columns(opened, width, account) if plain is None else plain[0]
    query_ids, codes = columns.brief.pop("query")
    documents, scores = columns.texts["document"], columns.numbers["score"]
    components = {column.name: columns.numbers[column.name] for column in component_columns}
    hashes = None
    if late and not components:
        hashes = tails(documents) if plain is None else plain[1]
    keep, duplicates_note = rows_to_keep(
        opened, query_ids, codes, documents, scores, duplicates, columns.row_lines, tails=hashes
    )
    ranks = columns.wholes.get("rank")
    if keep is not None:
        rows = np.flatnonzero(keep)
        codes, documents, scores = codes[rows], documents.take(places_of(rows)), scores[rows]
        ranks = None if ranks is None else ranks[rows]
        hashes = None if hashes is None else hashes[rows]
        components = {component: values[rows] for component, values in components.items()}
    ranking = ranked(codes, documents, scores, len(query_ids))
    if not account:
        del codes  # frees four bytes per row
    said: dict[str, Any] = {
        "name": name or name_of(opened.path), "tag": tags[0] if tags else "", "origin": opened.path,
        "attributes": attributes(columns.comments),
    }  # fmt: skip
    if hashes is None:
        run = Run.from_ranking(ranking, query_ids, documents, scores, components=components, **said)
    else:
        run = LateRun.of_listed(ranking, query_ids, documents, scores, hashes, **said)
    title = tr("TREC run without a tag") if tagless else tr("TREC run")
    reason = tr("six columns, the fifth a number")
    if not account:
        return run, LoadReport(opened.path, "run", title, reason, name=run.name)
    findings = [*_file_findings(opened, columns, tags, width), *run_findings(run)]
    if duplicates_note is not None:
        findings.append(duplicates_note)
    ranks_note = rank_disagreements(query_ids, codes, scores, ranks)
    if ranks_note:
        findings.append(ranks_note)
    facts = (file_fact(opened), *run_facts(run))
    if components:
        facts += ((tr("score components"), ", ".join(components)),)
    return run, LoadReport(opened.path, "run", title, reason, facts, tuple(findings), run.name)


_Read = tuple[Columns, list[Column], tuple[str, ...]]


def _plain(opened: Opened, width: int) -> tuple[_Read, Hashes] | None:
    """Return the columns as ``_columns`` does, with the tails of the documents, of text in memory whose lines are all
    plain; None for other text."""
    if not opened.in_memory or opened.encoding not in ("ascii", "utf-8"):
        return None
    read = plain_lines(opened.data, width)
    if read is None:
        return None
    columns, hashes = read
    return (columns, [], tuple(word.decode() for word in _first_line(opened)[5:6])), hashes


def _columns(opened: Opened, width: int, account: bool) -> _Read:
    """Return the columns, those of them that are components, and the tags (without ``account`` only the first)."""
    first_line = _first_line(opened)
    lean = not account and len(first_line) >= width
    wanted = (WANTED[0], WANTED[1], WANTED[3]) if lean else WANTED[: width - 1]
    columns, component_columns = _with_components(opened, wanted, first_line, width)
    if width == 5:
        return columns, component_columns, ()
    # trec_eval prints the tag of the file's first line.
    tags = (_first_line(opened)[5].decode("utf-8", "replace"),) if lean else columns.brief["tag"][0]
    return columns, component_columns, tags


def _first_line(opened: Opened) -> list[bytes]:
    """Return the words of the first line, which differ once all is read if the bytes are not UTF-8."""
    lines = opened.head.split(b"\n", 200)
    return next((line for line in lines if line.strip() and not line.startswith(b"#")), b"").split()


def _with_components(
    opened: Opened, wanted: tuple[Column, ...], first: list[bytes], width: int
) -> tuple[Columns, list[Column]]:
    if width == 6 and 6 < len(first) <= 6 + MOST_COMPONENTS and all(map(_is_number, first[6:])):
        component_columns = [Column(f"column {index + 1}", index, "number") for index in range(6, len(first))]
        try:
            return read_columns(opened, (*wanted, *component_columns), len(first), SHAPE), component_columns
        except ParseError:
            pass  # a line has other columns: the report counts such lines, and they are ignored
    shape = SHAPE if width == 6 else tr("a TREC run without a tag has 5: query Q0 document rank score")
    return read_columns(opened, wanted, width, shape), []


def _is_number(text: bytes) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def rank_disagreements(query_ids: tuple[str, ...], codes: Codes, scores: Floats, ranks: Codes | None) -> Finding | None:
    """Return the note of a rank column that is not numeric or contradicts the scores; None if it agrees.

    Ranks are never used."""
    if ranks is None:
        return Finding(tr("the rank column is not whole numbers: ranked by score"), 1, serious=False)
    if len(ranks) < 2:
        return None
    order = np.lexsort((ranks, codes)) if _unordered(codes, ranks) else None
    by_rank = scores if order is None else scores[order]
    by_query = codes if order is None else codes[order]
    rises = (by_query[1:] == by_query[:-1]) & (by_rank[1:] > by_rank[:-1])
    disagreeing = distinct(by_query[1:][rises])
    if not len(disagreeing):
        return None
    text = trn(
        "the rank column contradicts the scores in {n:,} query of {total:,} (query {query}): ranked by score, as in "
        "trec_eval",
        "the rank column contradicts the scores in {n:,} queries of {total:,} (query {query} first): ranked by score, "
        "as in trec_eval",
        len(disagreeing),
        total=len(query_ids),
        query=query_ids[disagreeing[0]],
    )
    return Finding(text, len(disagreeing))


def _unordered(codes: Codes, ranks: Codes) -> bool:
    same = codes[1:] == codes[:-1]
    return bool(np.any(codes[1:] < codes[:-1]) or np.any(same & (ranks[1:] < ranks[:-1])))


def _file_findings(opened: Opened, columns: Columns, tags: tuple[str, ...], width: int) -> list[Finding]:
    notes = []
    if opened.encoding_guessed:
        notes.append(read_as_latin1())
    if len(tags) > 1:
        shown = ", ".join(tags[:3]) + (", …" if len(tags) > 3 else "")
        text = tr("the file has {count:,} run tags ({tags}): the first is used", count=len(tags), tags=shown)
        notes.append(Finding(text, len(tags)))
    if width == 5:
        notes.append(Finding(tr("5 columns, the run tag is missing: read as query Q0 document rank score"), 1))
    if columns.extra:
        notes.append(more_columns(columns.extra, width))
    return [*notes, *comment_findings(columns.comments, width, 4)]


def comment_findings(comments: Sequence[str], width: int, number: int) -> list[Finding]:
    """Return the notes of comment lines: how many there are, and how many of them look like lines of data, which have
    ``width`` columns, that at ``number`` (from 0) a number."""
    notes = []
    if comments:
        text = trn("{n:,} comment line", "{n:,} comment lines", len(comments))
        notes.append(Finding(text, len(comments), serious=False))
    rows = [f"#{comment}".split() for comment in comments]
    like_data = sum(len(row) == width and row[0] != "#" and is_number(row[number]) for row in rows)
    if like_data:
        text = trn(
            "{n:,} line that begins with # has the columns of data, but is skipped as a comment: query ids cannot "
            "begin with # in this format",
            "{n:,} lines that begin with # have the columns of data, but are skipped as comments: query ids cannot "
            "begin with # in this format",
            like_data,
        )
        notes.append(Finding(text, like_data))
    return notes


def more_columns(count: int, width: int) -> Finding:
    """Return the note of ``count`` lines with more than ``width`` columns."""
    text = trn(
        "{n:,} line has more than {width} columns: the others are ignored",
        "{n:,} lines have more than {width} columns: the others are ignored",
        count,
        width=width,
    )
    return Finding(text, count, serious=False)
