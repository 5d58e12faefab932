"""The list of file formats, and the choice among them (``choice`` is what others call).

A new format is a module with a ``Format`` and a line here. Formats are tried in this order: unmistakable ones come
first, formats of other packages (see ``plugins``) last."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from pathlib import Path

from irviewer.errors import ColumnsError, OptionError, ParseError
from irviewer.formats import judgment_patch
from irviewer.formats.answers import arrow_records as answer_records
from irviewer.formats.answers import mapped as mapped_answers
from irviewer.formats.answers import nuggets, promptfoo, published, services, support
from irviewer.formats.answers import tables as answer_tables
from irviewer.formats.answers import trec as answers
from irviewer.formats.classic import lisa, npl, smart_judgments, time_collection
from irviewer.formats.format import ZSCORES, Format, Head, Sniffed
from irviewer.formats.json import json_maps, jsonl_rows, mapped, named_runs, retrieved_lists
from irviewer.formats.json.other_tools import refuse_no_texts, refuse_other_tools, refuse_unknown
from irviewer.formats.plugins import Plugins
from irviewer.formats.reviews import asreview, ris
from irviewer.formats.search_tools import (
    esci,
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
from irviewer.formats.trec import letor, ntcir, preferences, sampled, three_columns, topics, zscores
from irviewer.translation import tr, trn

# The formats of the classic collections and TREC topics, in the order of detection.
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
    mapped_answers.FORMAT,
    mapped_answers.ARROW,
    mapped_answers.TEXT,
    esci.ARROW,
    answer_tables.ARROW,
    *services.ARROWS,
    *answer_records.FORMATS,
    mapped_answers.NAMED_ARROW,
    arrow_tables.PARQUET,
    arrow_tables.ARROW,
    json_maps.LZ4,
    *CLASSIC,
    texts.SMART,
    *answers.FORMATS,
    nuggets.FORMAT,
    nuggets.ASSIGNED,
    nuggets.SEGMENTED,
    support.FORMAT,
    *published.FORMATS,
    *services.FORMATS,
    promptfoo.FORMAT,
    answer_tables.JSON,
    opensearch.FORMAT,
    *mapped.FORMATS,
    rank_eval.FORMAT,
    rre.FORMAT,
    quepid_snapshot.FORMAT,
    quepid.CASE,
    search_response.FORMAT,
    mapped.WIDE,
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
    answer_tables.TEXT,
    answer_tables.TSV,
    *services.TEXTS,
    mapped_answers.NAMED,
    esci.FORMAT,
    delimited.BEIR,
    delimited.CSV,
    delimited.TSV,
    zscores.FORMAT,
    ntcir.FORMAT,
    three_columns.FORMAT,
    sampled.FORMAT,
    preferences.FORMAT,
    trec.FORMAT,
    texts.TSV,
)

_plugins = Plugins({format_.name for format_ in FORMATS})
faults = _plugins.faults

TREC_EVAL = {"qrels": "trec", "qrels_jg": "trec", "qrels_prefs": "trec", "trec_results": "trec"}
"""The names of formats in trec_eval's -R and -T; ``prefs`` is the same here. The measure decides if qrels are read as
preferences or by judgment group."""

COMPRESSIONS = (".gz", ".bz2", ".xz", ".zst", ".lz4")


def formats() -> tuple[Format, ...]:
    """Return every format: ours, then those of other packages, which the first call loads."""
    return (*FORMATS, *_plugins.formats())


def _in_turn() -> Iterator[Format]:
    """Return every format in turn; other packages are loaded only after ours were tried."""
    sources: tuple[Callable[[], Iterable[Format]], ...] = (lambda: FORMATS, _plugins.formats)
    return chain.from_iterable(source() for source in sources)


def format_named(name: str) -> Format:
    """Return the format of that name or trec_eval's name. Raises OptionError with the nearest names."""
    wanted = TREC_EVAL.get(name.lower(), name.lower())
    for format_ in _in_turn():
        if format_.name == wanted:
            return format_
    if fault := _plugins.faults().get(wanted):
        raise OptionError(tr("the format {format} could not be loaded from {fault}", format=wanted, fault=fault))
    names = [format_.name for format_ in formats()]
    similar = difflib.get_close_matches(name.lower(), names, 3, 0.4)
    if similar:
        raise OptionError(
            tr("there is no format {format!r}; similar names: {names}", format=name, names=", ".join(similar))
        )
    raise OptionError(
        tr("there is no format {format!r}; the formats are: {names}", format=name, names=", ".join(names))
    )


def choose_among_all(head: Head, kind: str | None = None, name: str | None = None) -> tuple[Format, Sniffed]:
    """Return what ``choice.choose`` returns for a file that is not empty, and raise as it does."""
    if name is not None:
        return _requested(head, format_named(name), kind)
    by_paths = mapped.CHOSEN.sniff(head) if kind in (None, *mapped.CHOSEN.kinds) else None
    if by_paths is not None and (mapped.fits(head) or not _is_another(head)):
        return mapped.CHOSEN, Sniffed(kind or by_paths.kind, by_paths.reason)
    if kind is None and not head.opened.columns:
        refuse_other_tools(head)
    for format_ in _in_turn():
        if kind is not None and kind not in format_.kinds:
            continue
        detected = format_.sniff(head)
        if detected is None:
            continue
        if kind not in texts.KINDS and format_ is texts.JSONL:
            refuse_no_texts(head)
        if kind == "run" and format_ is trec.FORMAT and three_columns.may_be_ranking(head):
            return three_columns.FORMAT, Sniffed(kind, tr("as requested: query document rank score"))
        if kind is None or detected.kind in (kind, texts.TEXTS):
            return format_, Sniffed(kind or detected.kind, detected.reason, guess=kind is None and detected.guess)
        if detected.certain:
            raise ParseError(
                head.path,
                _mismatch(detected, kind),
                line=head.lines[0][0] if head.lines else 0,
                text=head.first.strip(),
                hint=tr(
                    "are the files swapped? irviewer convert --from {format} --kind {kind} reads it as {kind} anyway",
                    format=format_.name,
                    kind=kind,
                ),
            )
        return format_, Sniffed(kind, tr("as requested"))
    if kind == ZSCORES:
        return zscores.FORMAT, Sniffed(kind, tr("as requested"))
    if mapped.head_values(head):  # its first line is no header, whatever commas it has
        if kind in texts.KINDS:
            return texts.JSONL, Sniffed(kind, tr("as requested"))
        refuse_other_tools(head)
        if kind is not None:
            _refuse_another(head, kind)
        refuse_unknown(head)
    columns = delimited.header_seen(head)
    if kind is not None and columns and delimited.header_of(head)[0] != "\t":
        return delimited.CSV, Sniffed(kind, tr("as requested"))
    if kind in (None, "qrels", "run") and not columns:
        _refuse_headless(head)
    if kind is not None:
        return (trec.FORMAT if kind in trec.FORMAT.kinds else texts.TSV), Sniffed(kind, tr("as requested"))
    if columns:
        raise ColumnsError(
            head.path,
            tr("the header has no known column names; its columns are {columns}", columns=columns),
            line=head.lines[0][0],
            hint=tr(
                "a run has query_id, doc_id, score (or rank); qrels have query_id, doc_id, relevance (or grade, label, "
                "rating); queries have query_id, text; documents have doc_id, title, text; answers have query_id, "
                "system and sentence, cited (or answer, references); --columns names those of other names"
            ),
        ).with_names(delimited.header_of(head)[1])
    width = len(head.columns[0]) if head.columns else 0
    if width:
        reason = trn(
            "unknown file format: the first line has {n} column",
            "unknown file format: the first line has {n} columns",
            width,
        )
    else:
        reason = tr("unknown file format: this is not text")
    raise ParseError(
        head.path,
        reason,
        line=head.lines[0][0] if head.lines else 0,
        text=head.first.strip(),
        hint="; ".join(
            (
                tr(
                    "a TREC run has 6 columns, qrels have 4; queries and documents are TSV, JSON lines or SMART; "
                    "`irviewer formats` lists the formats of --from"
                ),
                *_plugins.failed(),
            )
        ),
    )


def _is_another(head: Head) -> bool:
    """Return True for a file of a format that does not take any JSON: the user's paths are those of another file."""
    return any(format_.sniff(head) is not None for format_ in _in_turn() if format_ is not texts.JSONL)


def _refuse_another(head: Head, kind: str) -> None:
    """Raise ParseError for JSON that is known and never of the kind, such as nuggets where a run is."""
    for format_ in _in_turn():
        if kind in format_.kinds or format_ is texts.JSONL:
            continue
        detected = format_.sniff(head)
        if detected is not None and detected.kind in ("run", "qrels"):
            place = {"run": tr("give it in the place of a run"), "qrels": tr("give it in the place of the qrels")}
            raise ParseError(head.path, _mismatch(detected, kind), line=head.lines[0][0] if head.lines else 0,
                             hint=place[detected.kind])  # fmt: skip


def _refuse_headless(head: Head) -> None:
    """Raise ParseError for a table of three columns or more whose first line is no header."""
    if head.binary or not head.columns or len(head.columns[0]) > 1:
        return
    delimiter, cells = delimited.header_of(head)
    if delimiter and len(cells) > 2:
        raise ParseError(
            head.path,
            tr("a table without a header: nothing says what its columns hold"),
            line=head.lines[0][0],
            text=head.first.strip(),
            hint=tr(
                "write a first line with their names, such as {qrels} or {run}",
                qrels=delimiter.join(("query_id", "doc_id", "relevance")),
                run=delimiter.join(("query_id", "doc_id", "score")),
            ),
        )


def _requested(head: Head, format_: Format, kind: str | None) -> tuple[Format, Sniffed]:
    if kind is not None and kind not in format_.kinds:
        raise OptionError(
            tr(
                "{format} files can be {kinds}, not {kind}",
                format=format_.name,
                kinds=", ".join(format_.kinds),
                kind=kind,
            )
        )
    detected = format_.sniff(head)
    if kind is None and detected is not None:
        kind = detected.kind
    if kind is None and set(format_.kinds) == set(texts.KINDS):
        kind = texts.TEXTS
    if kind is None and len(format_.kinds) > 1:
        kind = "qrels" if head.names("qrel", "judg", "rating") else format_.kinds[0]
    return format_, Sniffed(kind or format_.kinds[0], tr("as requested"))


def _mismatch(detected: Sniffed, kind: str) -> str:
    """Return why a file is not of the requested kind."""
    if detected.kind == "run":
        return tr("this looks like a run, not like {kind}: {reason}", kind=kind, reason=detected.reason)
    if kind == "run":
        return tr(
            "this looks like {detected}, not like a run: {reason}", detected=detected.kind, reason=detected.reason
        )
    return tr(
        "this looks like {detected}, not like {kind}: {reason}",
        detected=detected.kind,
        kind=kind,
        reason=detected.reason,
    )


def format_to_write(path: str, kind: str, name: str | None = None) -> Format:
    """Return the format a file is written in: ``name``, else by the suffix of ``path``, else TREC or JSON lines.

    Raises OptionError if it does not write that kind."""
    if not any(format_.writes(kind) for format_ in _in_turn()):
        raise OptionError(tr("irviewer cannot write {kind}", kind=kind))
    if name is not None:
        named = format_named(name)
        if not named.writes(kind):
            suitable = ", ".join(format_.name for format_ in formats() if format_.writes(kind))
            raise OptionError(
                tr(
                    "irviewer cannot write {kind} as {format}; --to is one of: {formats}",
                    kind=kind,
                    format=named.name,
                    formats=suitable,
                )
            )
        return named
    suffixes = [suffix.lower() for suffix in Path(path).suffixes]
    for suffix in reversed(suffixes):
        for format_ in _in_turn():
            if suffix in format_.suffixes and format_.writes(kind):
                return format_
        if suffix not in COMPRESSIONS:
            break
    return trec.FORMAT if kind in trec.FORMAT.kinds else texts.JSONL
