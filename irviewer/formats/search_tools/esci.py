"""Amazon's Shopping Queries data (ESCI): judged examples, their queries, and products, as Parquet or CSV.

Examples have a label for each query and product: E(xact), S(ubstitute), C(omplement), I(rrelevant). The grade is their
order, E = 3, S = 2, C = 1, I = 0. The gains of the data's own baseline are 1, 0.1, 0.01 and 0 (``ranking/train.py`` of
amazon-science/esci-data). A product's id is that of its locale: another locale may have the same id."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pyarrow as pa

from irviewer.errors import ParseError
from irviewer.formats.format import Format, Head, Loaded, Sniffed, Wanted
from irviewer.formats.load_report import Finding
from irviewer.formats.reading.opener import Opened
from irviewer.formats.rows import made, rows_of
from irviewer.formats.tables import arrow_tables, delimited
from irviewer.formats.texts.formats import loaded_texts
from irviewer.formats.texts.text_rows import TextRows
from irviewer.translation import tr

GRADES = {"e": 3.0, "s": 2.0, "c": 1.0, "i": 0.0}
_WORDS = {"exact": "e", "substitute": "s", "complement": "c", "irrelevant": "i"}
EXAMPLES = frozenset({"query_id", "product_id", "esci_label"})
PRODUCTS = frozenset({"product_id", "product_title", "product_locale"})
RULE = tr("grades: E = 3, S = 2, C = 1, I = 0 (the gains of the data's own baseline are 1, 0.1, 0.01 and 0)")
KINDS = ("qrels", "queries", "documents")
_SHAPE = "ESCI"


def _kind(names: frozenset[str]) -> Sniffed | None:
    if names >= EXAMPLES:
        return Sniffed("qrels", tr("a header with {columns}", columns="query_id, product_id, esci_label"))
    if names >= PRODUCTS and "query_id" not in names:
        return Sniffed("documents", tr("a header with {columns}", columns="product_id, product_title, product_locale"))
    return None


def _sniff_text(head: Head) -> Sniffed | None:
    return None if head.binary or not head.lines else _kind(frozenset(delimited.header_of(head)[1]))


def _sniff_arrow(head: Head) -> Sniffed | None:
    if not head.opened.head.startswith((b"PAR1", b"ARROW1", b"\xff\xff\xff\xff")):
        return None
    try:
        names = frozenset(head.schema.names)
    except (pa.ArrowException, OSError, ValueError, IndexError):
        return None
    return _kind(names)


def _read(opened: Opened, wanted: Wanted) -> Loaded:
    columns, lines = _columns(opened)
    if wanted.kind == "qrels":
        return _examples(opened, wanted, columns, lines)
    return _texts(opened, wanted, columns, lines)


def _columns(opened: Opened) -> tuple[dict[str, list[Any]], list[int]]:
    """The columns by name, and each row's line; 0 for Parquet and Arrow."""
    if opened.binary:
        table = arrow_tables.read_table(opened)
        columns = {name: table.column(name).to_pylist() for name in dict.fromkeys(table.column_names)}
        return columns, [0] * table.num_rows
    head = Head(opened)
    delimiter = delimited.header_of(head)[0] if head.lines else ""
    if not delimiter:
        raise ParseError(opened.path, tr("there is no header with several columns"), line=1)
    own = delimited.read_table(opened, head, delimiter)
    columns = {name: column.to_pylist() for name, column in own.columns.items()}
    count = len(next(iter(columns.values())))
    return columns, [0] * count if own.lines is None else own.lines.tolist()


def _needed(opened: Opened, columns: dict[str, list[Any]], names: frozenset[str]) -> None:
    missing = sorted(names - columns.keys())
    if missing:
        raise ParseError(opened.path, tr("there is no column {columns}", columns=", ".join(missing)), line=1)


def _locales(columns: dict[str, list[Any]], count: int) -> list[str]:
    return ["" if cell is None else str(cell) for cell in columns.get("product_locale", [""] * count)]


def _chosen(opened: Opened, wanted: Wanted, locales: list[str]) -> set[str]:
    """The locales that are read: all, or the one that the user chose."""
    if wanted.part is None:
        return set(locales)
    if wanted.part not in locales:
        listed = ", ".join(dict.fromkeys(locales))
        raise ParseError(
            opened.path, tr("no locale is named {chosen!r}", chosen=wanted.part),
            hint=tr("--part is one of: {lists}", lists=listed),
        )  # fmt: skip
    return {wanted.part}


def _examples(opened: Opened, wanted: Wanted, columns: dict[str, list[Any]], lines: list[int]) -> Loaded:
    _needed(opened, columns, EXAMPLES)
    locales = _locales(columns, len(lines))
    chosen = _chosen(opened, wanted, locales)
    queries: list[str] = []
    documents: list[str] = []
    grades: list[float] = []
    kept: list[int] = []
    rows = zip(columns["query_id"], columns["product_id"], columns["esci_label"], locales, lines, strict=True)
    for number, (query, product, label, locale, line) in enumerate(rows, start=1):
        if locale not in chosen:
            continue
        word = str("" if label is None else label).strip().lower()
        grade = GRADES.get(_WORDS.get(word, word))
        if grade is None:
            where = "" if line else tr("row {number}: ", number=number)
            raise ParseError(
                opened.path, where + tr("the label {label!r} is not E, S, C or I", label=str(label)[:60]), line=line
            )
        queries.append("" if query is None else str(query))
        documents.append("" if product is None else str(product))
        grades.append(grade)
        kept.append(line)
    findings = [Finding(RULE, len(grades), serious=False), *_locale_notes(wanted, locales)]
    built = rows_of(queries, documents, grades, kept if any(kept) else None)
    return made(opened, built, wanted, tr("ESCI examples"), findings)


def _locale_notes(wanted: Wanted, locales: list[str]) -> list[Finding]:
    counts = Counter(locales)
    if len(counts) < 2:
        return []
    names = ", ".join(f"{locale} {count:,}" for locale, count in counts.items())
    if wanted.part is not None:
        text = tr("the file has the locales {names}: {chosen} is read", names=names, chosen=wanted.part)
        return [Finding(text, len(counts), serious=False, topic="part", names=tuple(counts))]
    text = tr("the file has the locales {names}: all are read; --part reads one", names=names)
    return [Finding(text, len(counts), serious=False)]


def _texts(opened: Opened, wanted: Wanted, columns: dict[str, list[Any]], lines: list[int]) -> Loaded:
    """The queries of examples, each once, or products. Of products with one id in several locales, one locale is
    read."""
    queries = wanted.kind == "queries"
    _needed(opened, columns, frozenset({"query_id", "query"}) if queries else PRODUCTS)
    locales = _locales(columns, len(lines))
    chosen = _chosen(opened, wanted, locales)
    ids = ["" if cell is None else str(cell) for cell in columns["query_id" if queries else "product_id"]]
    notes: list[Finding] = _locale_notes(wanted, locales)
    if not queries and wanted.part is None and len(set(ids)) < len(ids) and len(set(locales)) > 1:
        names = tuple(dict.fromkeys(locales))
        text = tr(
            "products of several locales have one id: those of {locale} are read, one of {names}; --part reads another",
            locale=names[0], names=", ".join(names),
        )  # fmt: skip
        chosen, notes = {names[0]}, [Finding(text, len(names), topic="part", names=names)]
    rows = TextRows(opened.path)
    seen: set[str] = set()
    for row, (identifier, locale, line) in enumerate(zip(ids, locales, lines, strict=True)):
        if locale not in chosen or (queries and identifier in seen):
            continue
        seen.add(identifier)
        cells = {"query": columns["query"][row]} if queries else {
            name: column[row] for name, column in columns.items() if name != "product_id" and column[row] is not None
        }  # fmt: skip
        named = {"text": cells.pop("query")} if queries else _as_texts(cells)
        rows.add({"id": identifier, **named, "locale": locale}, line, "")
    return loaded_texts(opened, wanted, rows.table(), _SHAPE, notes)


def _as_texts(cells: dict[str, Any]) -> dict[str, Any]:
    """A product's title and description under the usual names, and its other columns."""
    cells.pop("product_locale", None)
    title, text = cells.pop("product_title", ""), cells.pop("product_description", "")
    return {"title": title, "text": text, **cells}


FORMAT = Format("esci", _SHAPE, KINDS, _sniff_text, _read)
ARROW = Format("esci-parquet", tr("ESCI in Parquet"), KINDS, _sniff_arrow, _read, binary=True)
