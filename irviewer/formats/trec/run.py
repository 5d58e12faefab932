"""TREC runs: ``query Q0 document rank score tag``, six columns of white-space separated text."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from irviewer.errors import ParseError
from irviewer.formats.duplicates import DuplicatePolicy, rows_to_keep
from irviewer.formats.load_report import Finding, LoadReport, run_facts, run_findings
from irviewer.formats.reading.columns import Column, Columns, read_columns
from irviewer.formats.reading.opener import Opened, open_bytes
from irviewer.formats.trec.ir_metadata import attributes
from irviewer.model.arrays import Codes, Floats, places_of
from irviewer.model.number_text import counted
from irviewer.model.rankings.tie_breaking import ranked
from irviewer.model.run import Run

SHAPE = "a TREC run has 6: query Q0 document rank score tag"
MOST_COMPONENTS = 32
_SAYS_RUN = (
    ".run", ".txt", ".trec", ".results", ".res", ".tsv", ".qrels", ".json", ".csv", ".parquet", ".parq", ".arrow",
    ".feather",
)  # fmt: skip
WANTED = (
    Column("query", 0, "brief"),
    Column("document", 2, "text"),
    Column("rank", 3, "whole"),
    Column("score", 4, "number"),
    Column("tag", 5, "names"),
)
_FILLED = Column("tag", 5, "filled")


def read_run(path: str | Path, *, name: str | None = None, duplicates: DuplicatePolicy = "refuse") -> Run:
    """A run from a TREC file, plain or compressed; its name is the file's unless one is given.

    Raises ParseError with file, line, column, the text and the reason."""
    return parse_run(open_bytes(path), name=name, duplicates=duplicates, account=False)[0]


def parse_run(
    opened: Opened,
    *,
    name: str | None = None,
    duplicates: DuplicatePolicy = "refuse",
    tagless: bool = False,
    account: bool = True,
) -> tuple[Run, LoadReport]:
    """A run and the account of its file. ``tagless``: the lines have 5 columns, without a tag. Without ``account`` the
    report says what was read and nothing of it, and the columns that only the report looks at are not kept.

    Numbers in columns after the sixth, where every line has them, are the run's components."""
    width = 5 if tagless else 6
    columns, more, tags = _columns(opened, width, account)
    query_ids, codes = columns.brief.pop("query")
    documents, scores = columns.texts["document"], columns.numbers["score"]
    components = {one.name: columns.numbers[one.name] for one in more}
    keep, twice = rows_to_keep(opened, query_ids, codes, documents, scores, duplicates, columns.row_lines)
    ranks = columns.wholes.get("rank")
    if keep is not None:
        rows = np.flatnonzero(keep)
        codes, documents, scores = codes[rows], documents.take(places_of(rows)), scores[rows]
        ranks = None if ranks is None else ranks[rows]
        components = {part: values[rows] for part, values in components.items()}
    ranking = ranked(codes, documents, scores, len(query_ids))
    if not account:
        del codes  # four bytes a row that nobody reads again
    run = Run.from_ranking(
        ranking,
        query_ids,
        documents,
        scores,
        name=name or name_of(opened.path),
        tag=tags[0] if tags else "",
        origin=opened.path,
        attributes=attributes(columns.comments),
        components=components,
    )
    title = "TREC run without a tag" if tagless else "TREC run"
    reason = "six columns, the fifth a number"
    if not account:
        return run, LoadReport(opened.path, "run", title, reason, name=run.name)
    findings = [*_file_findings(opened, columns, tags, width), *run_findings(run)]
    if twice is not None:
        findings.append(twice)
    disagree = rank_disagreements(query_ids, codes, scores, ranks)
    if disagree:
        findings.append(disagree)
    facts = _file_facts(opened) + run_facts(run)
    if components:
        facts += (("score components", ", ".join(components)),)
    return run, LoadReport(opened.path, "run", title, reason, facts, tuple(findings), run.name)


def _columns(opened: Opened, width: int, account: bool) -> tuple[Columns, list[Column], tuple[str, ...]]:
    """The columns, which of them are components (those after the sixth, where all of them are numbers), and the tags,
    of which the first alone is there without ``account``."""
    parts = _first_line(opened)
    lean = not account and len(parts) >= width
    wanted = (WANTED[0], WANTED[1], WANTED[3], _FILLED)[: width - 2] if lean else WANTED[: width - 1]
    columns, more = _with_components(opened, wanted, parts, width)
    if width == 5:
        return columns, more, ()
    # trec_eval prints the tag of the file's first line.
    tags = (_first_line(opened)[5].decode("utf-8", "replace"),) if lean else columns.brief["tag"][0]
    return columns, more, tags


def _first_line(opened: Opened) -> list[bytes]:
    """The words of the first line; of bytes that turn out to be no UTF-8 they are others once all is read."""
    lines = opened.head.split(b"\n", 200)
    return next((line for line in lines if line.strip() and not line.startswith(b"#")), b"").split()


def _with_components(
    opened: Opened, wanted: tuple[Column, ...], first: list[bytes], width: int
) -> tuple[Columns, list[Column]]:
    if width == 6 and 6 < len(first) <= 6 + MOST_COMPONENTS and all(map(_is_number, first[6:])):
        more = [Column(f"column {place + 1}", place, "number") for place in range(6, len(first))]
        try:
            return read_columns(opened, (*wanted, *more), len(first), SHAPE), more
        except ParseError:
            pass  # some line has other columns: they are counted and said to be ignored
    shape = SHAPE if width == 6 else "a TREC run without a tag has 5: query Q0 document rank score"
    return read_columns(opened, wanted, width, shape), []


def _is_number(text: bytes) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def rank_disagreements(query_ids: tuple[str, ...], codes: Codes, scores: Floats, ranks: Codes | None) -> Finding | None:
    """What is odd about the rank column, which is never used: absent numbers, or an order that scores contradict."""
    if ranks is None:
        return Finding("the rank column holds something else than whole numbers; scores decide", 1, serious=False)
    if len(ranks) < 2:
        return None
    order = np.lexsort((ranks, codes)) if _unordered(codes, ranks) else None
    by_rank = scores if order is None else scores[order]
    by_query = codes if order is None else codes[order]
    rises = (by_query[1:] == by_query[:-1]) & (by_rank[1:] > by_rank[:-1])
    odd = np.unique(by_query[1:][rises])
    if not len(odd):
        return None
    queries, are = (
        counted(len(query_ids), "query", "queries"),
        "is ranked against its" if len(odd) == 1 else "are ranked against their",
    )
    return Finding(
        f"{len(odd):,} of {queries} {are} scores (query {query_ids[odd[0]]} first); scores decide, as in trec_eval",
        len(odd),
    )


def _unordered(codes: Codes, ranks: Codes) -> bool:
    same = codes[1:] == codes[:-1]
    return bool(np.any(codes[1:] < codes[:-1]) or np.any(same & (ranks[1:] < ranks[:-1])))


def _file_facts(opened: Opened) -> tuple[tuple[str, str], ...]:
    return (("file", ", ".join(filter(None, (opened.compression, opened.encoding)))),)


def _file_findings(opened: Opened, columns: Columns, tags: tuple[str, ...], width: int) -> list[Finding]:
    found = []
    if "guess" in opened.encoding:
        found.append(Finding("the bytes are not UTF-8: read as Latin-1", 1))
    if len(tags) > 1:
        shown = ", ".join(tags[:3]) + (", …" if len(tags) > 3 else "")
        found.append(Finding(f"{len(tags):,} run tags in one file ({shown}); the first names the run", len(tags)))
    if width == 5:
        found.append(Finding("5 columns, the run tag is missing: read as query Q0 document rank score", 1))
    if columns.extra:
        text = f"{counted(columns.extra, 'line has', 'lines have')} more than {width} columns: ignored"
        found.append(Finding(text, columns.extra, serious=False))
    if columns.comments:
        lines = counted(len(columns.comments), "comment line", "comment lines")
        found.append(Finding(lines, len(columns.comments), serious=False))
    return found


def name_of(path: str) -> str:
    """A run's name from its file's: without folders, compression suffixes, and the suffixes that only say "run"."""
    if path == "-":
        return "standard input"
    name = Path(path).name
    for suffixes in (
        (".gz", ".bz2", ".xz", ".zst", ".lz4"),
        _SAYS_RUN,
    ):
        stem, suffix = Path(name).stem, Path(name).suffix
        if suffix.lower() in suffixes and stem:
            name = stem
    return name
