"""The one table of file formats, a row each, and the choice among them by a file's content or by the user's word.

A new format is one file with a ``Format`` in it, and one line here. The order is the order of asking: what cannot be
mistaken comes first; formats of other packages (see ``plugins``) come last."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from pathlib import Path

from irviewer.errors import OptionError, ParseError
from irviewer.formats import judgment_patch
from irviewer.formats.classic import lisa, npl, smart_judgments, time_collection
from irviewer.formats.format import ZSCORES, Format, Head, Sniffed
from irviewer.formats.json import json_maps, jsonl_rows, named_runs, retrieved_lists
from irviewer.formats.plugins import Plugins
from irviewer.formats.reviews import asreview, ris
from irviewer.formats.search_tools import (
    opensearch,
    quepid,
    quepid_book,
    quepid_snapshot,
    rank_eval,
    rre,
    search_response,
)
from irviewer.formats.tables import arrow_tables, delimited
from irviewer.formats.texts import formats as texts
from irviewer.formats.trec import formats as trec
from irviewer.formats.trec import letor, ntcir, preferences, three_columns, topics, zscores
from irviewer.formats.unsupported import refuse_foreign

# The rows of the table of formats for the classic collections and TREC topics, in the order of asking.

CLASSIC = (
    smart_judgments.QUERIES,
    smart_judgments.FORMAT,
    *smart_judgments.CRANFIELD,
    time_collection.FORMAT,
    time_collection.JUDGMENTS,
    lisa.FORMAT,
    npl.FORMAT,
    topics.FORMAT,
    topics.CAR,
    topics.TRECTEXT,
)


FORMATS: tuple[Format, ...] = (
    arrow_tables.PARQUET,
    arrow_tables.ARROW,
    json_maps.LZ4,
    *CLASSIC,
    texts.SMART,
    opensearch.FORMAT,
    rank_eval.FORMAT,
    rre.FORMAT,
    quepid_snapshot.FORMAT,
    quepid.CASE,
    search_response.FORMAT,
    named_runs.FORMAT,
    json_maps.JSON,
    retrieved_lists.FORMAT,
    jsonl_rows.FORMAT,
    texts.JSONL,
    ris.FORMAT,
    letor.FORMAT,
    quepid.FORMAT,
    quepid_book.FORMAT,
    asreview.FORMAT,
    judgment_patch.FORMAT,
    delimited.BEIR,
    delimited.CSV,
    delimited.TSV,
    zscores.FORMAT,
    ntcir.FORMAT,
    three_columns.FORMAT,
    preferences.FORMAT,
    trec.FORMAT,
    texts.TSV,
)

_plugins = Plugins({one.name for one in FORMATS})
faults = _plugins.faults

TREC_EVAL = {"qrels": "trec", "qrels_jg": "trec", "qrels_prefs": "trec", "trec_results": "trec"}
"""What trec_eval's -R and -T call formats; ``prefs`` is called so here too. Whether qrels are read as preferences, or
by judgment group, is the measure's to say."""

COMPRESSIONS = (".gz", ".bz2", ".xz", ".zst", ".lz4")


def formats() -> tuple[Format, ...]:
    """Every format: ours, then those of other packages, which the first call loads."""
    return (*FORMATS, *_plugins.formats())


def _in_turn() -> Iterator[Format]:
    """The same one after the other: other packages are loaded only where nobody was content with one of ours."""
    yield from FORMATS
    yield from _plugins.formats()


def format_named(name: str) -> Format:
    """The format of that name, or of trec_eval's word for it. Raises OptionError with the nearest names."""
    wanted = TREC_EVAL.get(name.lower(), name.lower())
    for one in _in_turn():
        if one.name == wanted:
            return one
    if fault := _plugins.faults().get(wanted):
        raise OptionError(f"the format {wanted} was not loaded from {fault}")
    names = [one.name for one in formats()]
    near = difflib.get_close_matches(name.lower(), names, 3, 0.4)
    raise OptionError(f"there is no format {name!r}; " + (f"did you mean {' or '.join(near)}?" if near else _known()))


def choose(head: Head, kind: str | None = None, name: str | None = None) -> tuple[Format, Sniffed]:
    """The format of a file, and the kind it is read as with the reason.

    ``kind`` and ``name`` are a person's word and overrule what the content says. Raises ParseError where nothing fits,
    OptionError where the word contradicts itself."""
    _refuse_nothing(head)
    if name is not None:
        return _told(head, format_named(name), kind)
    for one in _in_turn():
        if kind is not None and kind not in one.kinds:
            continue
        found = one.sniff(head)
        if found is None:
            continue
        if kind == "run" and one is trec.FORMAT and three_columns.may_be_ranking(head):
            return three_columns.FORMAT, Sniffed(kind, "as you said: query document rank score")
        if kind is None or found.kind in (kind, texts.TEXTS):
            return one, Sniffed(kind or found.kind, found.reason)
        if found.certain:
            raise ParseError(
                head.path,
                f"this looks like {_article(found.kind)}, not like {_article(kind)}: {found.reason}",
                line=head.lines[0][0] if head.lines else 0,
                text=head.first.strip(),
                hint=f"are the files swapped? irviewer convert --from {one.name} --kind {kind} reads it as {kind} all "
                "the same",
            )
        return one, Sniffed(kind, "as you said")
    if kind == ZSCORES:
        return zscores.FORMAT, Sniffed(kind, "as you said")
    seen = delimited.header_seen(head)
    if kind is not None and seen and delimited.header_of(head)[0] != "\t":
        return delimited.CSV, Sniffed(kind, "as you said")
    if kind is not None:
        return (trec.FORMAT if kind in trec.FORMAT.kinds else texts.TSV), Sniffed(kind, "as you said")
    if seen:
        raise ParseError(
            head.path,
            f"the header does not say what the table holds; its columns are {seen}",
            line=head.lines[0][0],
            hint="a run has query_id, doc_id, score (or rank); qrels query_id, doc_id, relevance (or grade, label, "
            "rating); queries query_id, text; documents doc_id, title, text",
        )
    width = len(head.columns[0]) if head.columns else 0
    shape = f"the first line has {width} column{'s' if width != 1 else ''}" if width else "its bytes are no text"
    raise ParseError(
        head.path,
        f"this is no file that irviewer knows: {shape}",
        line=head.lines[0][0] if head.lines else 0,
        text=head.first.strip(),
        hint="a TREC run has 6 columns, qrels have 4; queries and documents come as TSV, JSON lines or SMART; "
        + "; ".join(("`irviewer formats` lists what --from takes", *_plugins.failed())),
    )


def _told(head: Head, one: Format, kind: str | None) -> tuple[Format, Sniffed]:
    if kind is not None and kind not in one.kinds:
        raise OptionError(f"{one.name} files hold {' or '.join(one.kinds)}, not {kind}")
    found = one.sniff(head)
    if kind is None and found is not None:
        kind = found.kind
    if kind is None and set(one.kinds) == set(texts.KINDS):
        kind = texts.TEXTS
    if kind is None and len(one.kinds) > 1:
        kind = "qrels" if head.names("qrel", "judg", "rating") else one.kinds[0]
    return one, Sniffed(kind or one.kinds[0], "as you said")


def _refuse_nothing(head: Head) -> None:
    if head.opened.blank:
        some = "" if head.opened.whole else ": there is nothing but white space at its beginning"
        raise ParseError(head.path, f"the file is empty{some}")
    refuse_foreign(head.path, head.opened.head, binary=head.binary)
    if not head.binary and not head.lines:
        raise ParseError(head.path, "the file holds comments only")


def _article(kind: str) -> str:
    return "a run" if kind == "run" else kind


def _known() -> str:
    return "there are " + ", ".join(one.name for one in formats())


def format_to_write(path: str, kind: str, name: str | None = None) -> Format:
    """The format a file is written in: the one named, else the one its name's ending asks for, else TREC or JSON lines.

    Raises OptionError where it does not write that kind."""
    if not any(one.writes(kind) for one in _in_turn()):
        raise OptionError(f"irviewer reads {kind}, it writes none")
    if name is not None:
        found = format_named(name)
        if not found.writes(kind):
            able = ", ".join(one.name for one in formats() if one.writes(kind))
            raise OptionError(f"irviewer writes no {kind} as {found.name}; --to takes one of {able}")
        return found
    endings = [suffix.lower() for suffix in Path(path).suffixes]
    for ending in reversed(endings):
        for one in _in_turn():
            if ending in one.suffixes and one.writes(kind):
                return one
        if ending not in COMPRESSIONS:
            break
    return trec.FORMAT if kind in trec.FORMAT.kinds else texts.JSONL
