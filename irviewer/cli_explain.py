"""``irviewer explain``: how a value came about, row by row; a difference taken apart; what ties could change.

Reads the files and makes text of the model's records; knows no Qt."""

from __future__ import annotations

import argparse
import csv
import io
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from irviewer.cli_common import add_options, put
from irviewer.cli_dialects import add_dialect
from irviewer.cli_doctor import read_runs
from irviewer.cli_zscores import add_zscores, read_asked
from irviewer.errors import OptionError

if TYPE_CHECKING:
    from irviewer.model.explain.decompose import Difference, MeanDifference
    from irviewer.model.explain.records import Ledger, MeanLedger
    from irviewer.model.explain.ties import TieChanges, TieRange
    from irviewer.model.qrels import Qrels
    from irviewer.model.run import Run

EXPLAIN = (
    "Print how a value came about: of a query rank by rank, with the rules that applied; without -q, of the mean query "
    "by query. --against takes the difference to another run apart, --ties says what the order of ties could change, "
    "--document where a document stands and what stands above it."
)
FORMATS = ("table", "json", "csv", "latex", "markdown")


def add_explain(commands: Any) -> None:
    """Register the command."""
    parser = commands.add_parser("explain", help="how a value came about, row by row", description=EXPLAIN)
    parser.add_argument("qrels", metavar="QRELS", help="relevance judgments")
    parser.add_argument(
        "runs", nargs="+", metavar="RUN",
        help="the run whose value is explained; with --document further runs, to say where they have it",
    )  # fmt: skip
    parser.add_argument("-q", "--query", metavar="QUERY", help="the query; without: the mean is explained")
    parser.add_argument("-m", "--measure", metavar="MEASURE", help="one measure; --document needs none")
    parser.add_argument("--against", metavar="RUN", help="a baseline: the difference to it, taken apart")
    parser.add_argument("--ties", action="store_true", help="what the order of tied documents could change")
    parser.add_argument("--document", metavar="DOC", help="with -q: where it stands, and what stands above it")
    parser.add_argument(
        "--cutoff", type=int, metavar="K", help="with --document: above rank K (default: the measure's, else 10)"
    )
    parser.add_argument("--queries", metavar="FILE", help="with --document: texts, to compare the query's terms")
    parser.add_argument("--documents", metavar="FILE", help="with --document: their texts")
    add_options(parser)
    add_dialect(parser)
    add_zscores(parser)
    parser.add_argument("--format", choices=FORMATS, default="table", help="default: table")
    parser.add_argument("-o", "--output", metavar="FILE", help="write there instead of printing")
    parser.set_defaults(run=run_explain)


def run_explain(options: argparse.Namespace) -> int:
    """``irviewer explain``."""
    from irviewer import api
    from irviewer.api_explain import explain

    _check(options)
    qrels = api.read_qrels(options.qrels, duplicates=options.duplicates)
    options.runs = [*options.runs, *([options.against] if options.against else [])]
    run, *others = read_runs(options, qrels)
    if options.document is not None:
        put(text_of(_standing(options, qrels, run, others), options.format), options.output)
        return 0
    found = explain(
        qrels, run, options.measure, options.query, against=others[0] if others else None, ties=options.ties,
        level=options.level, judged_only=options.judged_only, depth=options.depth, missing=options.missing,
        dialect=options.dialect, zscores=read_asked(options),
    )  # fmt: skip
    put(text_of(sheet_of(found), options.format), options.output)
    return 0


def _check(options: argparse.Namespace) -> None:
    """Raises OptionError where options do not go together."""
    if options.document is None:
        given = [name for name in ("cutoff", "queries", "documents") if getattr(options, name) is not None]
        if given:
            raise OptionError(f"--{given[0]} goes with --document")
        if options.measure is None:
            raise OptionError("-m says which measure is explained; --document needs none")
        if len(options.runs) > 1:
            raise OptionError("one run is explained at a time; --against takes the difference to another")
        return
    if options.query is None:
        raise OptionError("--document goes with -q: where a document stands is a query's")
    for name in ("against", "ties"):
        if getattr(options, name):
            raise OptionError(f"--{name} does not go with --document")


def _standing(options: argparse.Namespace, qrels: Qrels, run: Run, others: Sequence[Run]) -> Page:
    """Where a document stands, as a page."""
    from irviewer.model.explain.why_not import why_not
    from irviewer.model.measure import parse_measure
    from irviewer.session.measure_lists import cutoff_of
    from irviewer.session.pages.build_query import rank_of
    from irviewer.session.pages.build_why_not import compare_terms, ranks_told, told_of_terms
    from irviewer.session.terms import query_terms

    measured = None if options.measure is None else cutoff_of(parse_measure(options.measure))
    cutoff = options.cutoff if options.cutoff is not None else measured or 10
    found = why_not(run, qrels, options.query, options.document, cutoff=cutoff, level=options.level)
    named = [options.document, *(one.document for one in found.above)]
    texts = _texts(options.documents, "documents", named)
    asked = _texts(options.queries, "queries", [options.query]).get(options.query, "")
    terms, has = compare_terms(query_terms(asked), texts, options.document)
    elsewhere = [(one.name, rank_of(one, options.query, options.document)) for one in others]
    below = [*found.told()[1:], ranks_told(elsewhere), *told_of_terms(terms)]
    rows, data = [], []
    standing = [(one.rank, one.document, one.grade, one.score) for one in found.above]
    for rank, document, grade, score in [*standing, (found.rank, options.document, found.grade, found.score)]:
        of_query = has(document)
        words = "" if of_query is None or not terms else f"{len(of_query)} of {len(terms)}: {', '.join(of_query)}"
        graded = "?" if math.isnan(grade) else f"{grade:g}"
        rows.append([f"{rank}" if rank else "–", document, graded, "–" if math.isnan(score) else f"{score:g}", words])
        data.append({"rank": rank or None, "document": document, "grade": _number(grade), "score": _number(score),
                     "terms": None if of_query is None else list(of_query)})  # fmt: skip
    shown = 5 if terms else 4
    header = ("rank", "document", "grade", "score", "query terms")[:shown]
    right = (True, False, True, True, False)[:shown]
    rows = [row[:shown] for row in rows]
    return Page(
        found.told()[0], header, rows, right, [line for line in below if line],
        {"query": found.query, "document": found.document, "run": found.run, "cutoff": cutoff,
         "rank": found.rank or None, "returned": found.returned, "grade": _number(found.grade),
         "score": _number(found.score), "cutoff_score": _number(found.bar), "gap": _number(found.gap),
         "relevant_above": found.relevant, "non_relevant_above": found.non_relevant,
         "unjudged_above": found.unjudged, "above": data[:-1],
         "elsewhere": {name: rank or None for name, rank in elsewhere},
         "terms": [{"term": one.term, "times": one.times, "above": one.above, "known": one.known} for one in terms]},
    )  # fmt: skip


def _texts(path: str | None, kind: str, ids: Sequence[str]) -> dict[str, str]:
    """Titles and texts of a file of queries or documents, by id; empty without a file."""
    if path is None:
        return {}
    from irviewer.formats.load import load
    from irviewer.model.texts import TextTable

    table = load(path, kind=kind).value
    if not isinstance(table, TextTable):
        raise OptionError(f"--{kind} {path}: these are no {kind}")
    if kind == "queries":
        return {one: table.text(one) for one in ids if one in table.index}
    return {one: f"{table.title(one)}\n{table.text(one)}" for one in ids if one in table.index}


@dataclass(frozen=True)
class Page:
    """A record as text wants it: a line above, a table, lines below; ``data`` for JSON, ``latex`` the formula."""

    head: str
    header: tuple[str, ...]
    rows: list[list[str]]
    right: tuple[bool, ...]
    below: list[str]
    data: dict[str, Any]
    latex: str = ""


def sheet_of(found: Any) -> Page:
    """The page of any of the records that ``irviewer.explain`` gives."""
    from irviewer.model.explain.decompose import Difference, MeanDifference
    from irviewer.model.explain.records import Ledger, MeanLedger
    from irviewer.model.explain.ties import TieRange

    if isinstance(found, Ledger):
        return _ledger(found)
    if isinstance(found, MeanLedger):
        return _mean(found)
    if isinstance(found, Difference):
        return _difference(found)
    if isinstance(found, MeanDifference):
        return _mean_difference(found)
    if isinstance(found, TieRange):
        return _ties(found)
    return _tie_changes(found)


def _ledger(found: Ledger) -> Page:
    rows = [found.shown(row) for row in range(found.n_rows)]
    header = tuple(one.title for one in found.columns)
    right = tuple(one.kind != "text" for one in found.columns)
    below = [found.worked, *(f"  {one.text}" for one in found.rules)]
    if found.missed:
        named = [
            f"{one.document} ({'not returned' if one.rank is None else f'rank {one.rank}'})" for one in found.missed
        ]
        more = f" … and {len(named) - 8} more" if len(named) > 8 else ""
        below.append(f"  Not in these rows, though they count: {', '.join(named[:8])}{more}.")
    for part in found.parts:
        below += ["", *_table(_ledger(part)).splitlines()]
    return Page(f"{found.measure} of {found.run}, query {found.query}", header, rows, right, below, _plain(found),
                found.worked_latex)  # fmt: skip


def _plain(found: Ledger) -> dict[str, Any]:
    """A ledger as JSON has it."""

    def quantity(one: Any) -> Any:
        return None if one is None else {"symbol": one.symbol, "meaning": one.meaning, "value": one.value}

    return {
        "measure": found.measure.text, "query": found.query, "run": found.run, "value": _number(found.value),
        "text": found.text, "worked": found.worked, "worked_latex": found.worked_latex, "formula": found.formula,
        "operation": found.operation, "sum": found.sum, "offset": quantity(found.offset),
        "normaliser": quantity(found.normaliser), "quantities": [quantity(one) for one in found.quantities],
        "columns": [
            {"key": one.key, "title": one.title, "meaning": one.meaning, "kind": one.kind} for one in found.columns
        ],
        "rows": list(found.rows()), "rules": [{"key": one.key, "text": one.text} for one in found.rules],
        "missed": [{"document": one.document, "grade": one.grade, "rank": one.rank} for one in found.missed],
        "parts": [_plain(one) for one in found.parts],
    }  # fmt: skip


def _number(value: float) -> float | None:
    return None if math.isnan(value) else value


def _mean(found: MeanLedger) -> Page:
    pairs = list(zip(found.query_ids, found.values.tolist(), found.shares.tolist(), strict=True))
    adds = {"geometric": "log share", "sum": "adds", "count": "adds"}.get(found.aggregate, "adds to the mean")
    data = {
        "measure": found.measure.text,
        "run": found.run,
        "value": _number(found.value),
        "aggregate": found.aggregate,
        "worked": found.worked,
        "worked_latex": found.worked_latex,
        "queries": [
            {"query": query, "value": _number(value), "share": _number(share)} for query, value, share in pairs
        ],
        "rules": [{"key": one.key, "text": one.text} for one in found.rules],
        "left_out": [{"query": one.query, "reason": one.reason} for one in found.left_out],
        "counted": [{"query": one.query, "reason": one.reason} for one in found.counted],
    }
    rows = [[query, _four(value), _four(share, 6)] for query, value, share in pairs]
    below = [found.worked, *(f"  {one.text}" for one in found.rules)]
    head = f"{found.measure} of {found.run}, {len(pairs):,} queries"
    return Page(head, ("query", "value", adds), rows, (False, True, True), below, data, found.worked_latex)


def _four(value: float, digits: int = 4) -> str:
    return "–" if math.isnan(value) else f"{value:.{digits}f}"


def _signed(value: float, digits: int = 4) -> str:
    return "=" if value == 0 else f"{value:+.{digits}f}"


def _difference(found: Difference) -> Page:
    from irviewer.model.explain.decompose import MOVES

    rows, data = [], []
    for one in found.parts:
        grade = "" if math.isnan(one.grade) else f"{one.grade:g}"
        move = one.move if one.document else MOVES[one.move]
        rows.append([one.document or "–", grade, str(one.rank or "–"), str(one.base or "–"), move, _signed(one.delta)])
        data.append({"document": one.document, "grade": _number(one.grade), "move": one.move, "rank": one.rank,
                     "base": one.base, "delta": one.delta})  # fmt: skip
    line = f"{_four(found.value)} − {_four(found.base)} = {_signed(found.delta)}"
    totals = ", ".join(f"{move} {_signed(value)}" for move, value in found.totals().items())
    below = [line, *([f"  {totals}"] if totals else []), f"  How it is split: {found.attribution}."]
    if found.unchanged:
        below.append(f"  {found.unchanged:,} documents of the two lists make no difference.")
    head = f"{found.measure}, query {found.query}: {found.run} − {found.baseline}"
    return Page(
        head, ("document", "grade", found.run, found.baseline, "move", "adds to Δ"), rows,
        (False, True, True, True, False, True), below,
        {"measure": found.measure.text, "query": found.query, "run": found.run, "baseline": found.baseline,
         "value": found.value, "base": found.base, "delta": found.delta, "attribution": found.attribution,
         "parts": data, "totals": found.totals()},
    )  # fmt: skip


def _mean_difference(found: MeanDifference) -> Page:
    rows = [[one.query, _four(one.value), _four(one.base), _signed(one.delta, 6)] for one in found.parts]
    below = [f"{_four(found.value)} − {_four(found.base)} = {_signed(found.delta)}"]
    if found.logarithm:
        below.append("  The parts add up to the difference of the logarithms.")
    data = [{"query": one.query, "value": _number(one.value), "base": _number(one.base), "delta": one.delta}
            for one in found.parts]  # fmt: skip
    return Page(
        f"{found.measure}: {found.run} − {found.baseline}", ("query", found.run, found.baseline, "adds to Δ"), rows,
        (False, True, True, True), below,
        {"measure": found.measure.text, "run": found.run, "baseline": found.baseline, "value": found.value,
         "base": found.base, "delta": found.delta, "split": found.split, "parts": data},
    )  # fmt: skip


def _ties(found: TieRange) -> Page:
    from irviewer.model.explain.ties import POLICIES

    rows = [[POLICIES[name], _four(value)] for name, value in found.policies.items()]
    rows += [["lowest", _four(found.lowest)], ["expected", _four(found.expected)], ["highest", _four(found.highest)]]
    below = [found.told()]
    below += [f"  ranks {one.first}–{one.last}: {', '.join(one.documents[:8])}" for one in found.groups[:8]]
    data = {
        "measure": found.measure.text, "query": found.query, "run": found.run, "value": found.value,
        "lowest": found.lowest, "highest": found.highest, "expected": found.expected, "method": found.method,
        "exact": found.exact, "orders": found.orders, "policies": found.policies,
        "groups": [{"first": one.first, "last": one.last, "score": _number(one.score), "documents": list(one.documents)}
                   for one in found.groups],
    }  # fmt: skip
    head = f"{found.measure} of {found.run}, query {found.query}: {_four(found.value)}"
    return Page(head, ("order of ties", "value"), rows, (False, True), below, data)


def _tie_changes(found: TieChanges) -> Page:
    from irviewer.model.explain.ties import POLICIES

    names = found.policies
    means = dict(zip(names, found.means.tolist(), strict=True))
    rows = [[POLICIES[name], _four(means[name])] for name in names]
    many = (
        f"{len(found.query_ids):,} of {found.n_queries:,} queries have tied documents; the value of {found.changing:,} "
    )
    data = {
        "measure": found.measure.text, "run": found.run, "tied_queries": len(found.query_ids),
        "changing": found.changing, "queries": found.n_queries, "means": means,
        "by_query": [{"query": query, **dict(zip(names, map(_number, column), strict=True))}
                     for query, column in zip(found.query_ids, found.values.T.tolist(), strict=True)],
    }  # fmt: skip
    head = f"{found.measure} of {found.run}: means by the order of ties"
    return Page(head, ("order of ties", "mean"), rows, (False, True), [many + "depends on their order."], data)


def text_of(page: Page, form: str) -> str:
    """A page in one of the formats."""
    if form == "json":
        return json.dumps(page.data, indent=1, ensure_ascii=False) + "\n"
    if form == "csv":
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerows([page.header, *page.rows])
        return out.getvalue()
    if form == "markdown":
        return _markdown(page)
    return _latex(page) if form == "latex" else _table(page)


def _table(page: Page) -> str:
    lines = [page.head]
    if page.rows:
        every = [list(page.header), *page.rows]
        widths = [max(len(row[place]) for row in every) for place in range(len(page.header))]
        lines += ["  ".join(_padded(row, widths, page.right)).rstrip() for row in every]
    return "\n".join([*lines, *page.below]) + "\n"


def _padded(row: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> list[str]:
    return [one.rjust(w) if r else one.ljust(w) for one, w, r in zip(row, widths, right, strict=True)]


def _markdown(page: Page) -> str:
    lines = [f"**{page.head}**", ""]
    if page.rows:
        lines.append("| " + " | ".join(page.header) + " |")
        lines.append("|" + "|".join("--:" if one else ":--" for one in page.right) + "|")
        lines += ["| " + " | ".join(one.replace("|", "\\|") for one in row) + " |" for row in page.rows]
        lines.append("")
    return "\n".join([*lines, *(one.strip() + "  " for one in page.below if one.strip())]) + "\n"


_LATEX = {"\\": r"\textbackslash{}", "_": r"\_", "#": r"\#", "%": r"\%", "&": r"\&", "{": r"\{", "}": r"\}", "$": r"\$",
          "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "×": r"$\times$", "÷": r"$\div$", "−": r"$-$",
          "Δ": r"$\Delta$", "Σ": r"$\Sigma$", "·": r"$\cdot$", "β": r"$\beta$", "α": r"$\alpha$", "²": r"$^2$",
          "½": r"$\frac12$", "ε": r"$\varepsilon$"}  # fmt: skip


def _escaped(text: str) -> str:
    return "".join(_LATEX.get(one, one) for one in text)


def _latex(page: Page) -> str:
    lines = [r"\begin{table}", rf"\caption{{{_escaped(page.head)}}}"]
    if page.rows:
        lines += [rf"\begin{{tabular}}{{{''.join('r' if one else 'l' for one in page.right)}}}", r"\toprule"]
        lines += [" & ".join(map(_escaped, page.header)) + r" \\", r"\midrule"]
        lines += [" & ".join(map(_escaped, row)) + r" \\" for row in page.rows]
        lines += [r"\bottomrule", r"\end{tabular}"]
    lines += [rf"\[{page.latex}\]"] if page.latex else [_escaped(page.below[0])]
    return "\n".join([*lines, r"\end{table}"]) + "\n"
