"""A command that shows one view: its arguments, the view's parameters as options, and the tables as text or in a
file."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from irviewer.analysis.statistics.significance.test_results import TESTS
from irviewer.api.protocols import weights_read
from irviewer.api.show import shown_view, tables_of_attributes
from irviewer.api.texts import texts_of
from irviewer.cli.options.common import (
    add_dialect,
    add_measures,
    add_options,
    add_output,
    add_sources,
    put_result,
    terminal_width,
)
from irviewer.cli.options.files import files_of
from irviewer.cli.options.protocol import COMPARED, Followed, add_protocol, query_sets, source_of
from irviewer.cli.options.queries import add_query_set
from irviewer.cli.options.runs import read_judgments, read_runs, take_values
from irviewer.cli.options.statistics import (
    add_baseline,
    add_correction,
    add_epsilon,
    add_intervals,
    add_looks,
    add_samples,
    add_smallest,
)
from irviewer.cli.options.unit import add_unit
from irviewer.cli.streams import ProgressLine, note
from irviewer.errors import OptionError
from irviewer.formats.attribute_tables import read_run_attributes
from irviewer.model.protocol_line import BY_LOOK
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.rendering.atomic import write_atomically
from irviewer.rendering.table_files import save_tables
from irviewer.tables.order import filtered_rows, sorted_rows, with_rows
from irviewer.tables.table import Table
from irviewer.tables.writers import text
from irviewer.tables.writers.registry import DELIMITERS, WRITERS, table_named, writer_named
from irviewer.translation import tr
from irviewer.views.inputs import DEFAULT_MEASURE, inputs_of
from irviewer.views.result import ViewResult
from irviewer.views.view import ResultView, ViewParameter


def add_arguments(parser: argparse.ArgumentParser, command: str, *, required: bool, alone: bool = False) -> None:
    """Add the arguments that every view has; ``required``: files must be given; ``alone``: the qrels may lack."""
    add_sources(parser, required=required, alone=alone)
    take_values(parser)
    add_measures(parser, (DEFAULT_MEASURE,))
    add_baseline(parser)
    parser.add_argument("--pairs", action="store_true", help=tr("compare all pairs of runs"))
    parser.add_argument(
        "--test", choices=tuple(TESTS), default="t", metavar="TEST",
        help=tr("test that decides: {tests} (default: the paired t-test)", tests=", ".join(TESTS)),
    )  # fmt: skip
    add_correction(parser)
    add_smallest(parser)
    add_looks(parser)
    add_epsilon(parser)
    add_intervals(parser)
    add_samples(parser)
    add_query_set(parser)
    parser.add_argument("--run-attributes", metavar="FILE", help=tr("table with a row per run"))
    add_unit(parser)
    parser.add_argument("--texts", metavar="FILE", help=tr("file with the texts of the queries"))
    parser.add_argument("--documents", metavar="FILE", help=tr("file with the titles and texts of the documents"))
    parser.add_argument("--table", default="", metavar="NAME", help=tr("only this table of the view"))
    parser.add_argument("--sort", metavar="COLUMN", help=tr("sort the rows by this column (with --descending: down)"))
    parser.add_argument("--descending", action="store_true", help=tr("with --sort: the largest value first"))
    parser.add_argument("--where", metavar="FILTER", help=tr("only the rows for which this holds, such as “mean > .3”"))
    parser.add_argument(
        "--explain", nargs=2, metavar=("ROW", "COLUMN"),
        help=tr("how the number in this row (the key, or its number from 1) and column comes about"),
    )  # fmt: skip
    add_options(parser)
    add_dialect(parser)
    add_output(parser, [writer.name for writer in WRITERS])
    followed = Followed(
        command,
        {**COMPARED, "pairs": "family", "smallest": "smallest", "looks": "looks", "epsilon": "epsilon"},
        also=("runs", "weights"), uses=BY_LOOK,
    )  # fmt: skip
    add_protocol(parser, followed)


def add_parameters(parser: argparse.ArgumentParser, view: ResultView) -> None:
    """Add the description of a view, and its parameters as options."""
    parser.description = f"{view.summary}."
    group = parser.add_argument_group(view.title)
    for parameter in view.parameters:
        group.add_argument(parameter.flag, **_argument(parameter))


def _argument(parameter: ViewParameter) -> dict[str, Any]:
    """Return how a parameter is added to a parser. Its default is left to the view."""
    options: dict[str, Any] = {"dest": f"view_{parameter.name}", "default": argparse.SUPPRESS}
    default = parameter.default
    if parameter.kind == "flag":
        options["action"] = argparse.BooleanOptionalAction if default else "store_true"
        return {**options, "help": parameter.option.help.replace("%", "%%")}
    shown = (
        " ".join(map(str, default)) if parameter.several else f"{default:g}" if parameter.kind == "number" else default
    )
    words = (
        parameter.option.help
        if shown == ""
        else tr("{help} (default: {default})", help=parameter.option.help, default=shown)
    )
    options |= {"help": words.replace("%", "%%"), "type": _reader(parameter)}
    options["metavar"] = parameter.option.metavar or {"whole": "N", "number": "X"}.get(parameter.kind, "TEXT")
    if parameter.kind == "choice":
        options |= {"choices": parameter.choices, "metavar": None}
    if parameter.several:
        options["action"] = "append"
    return options


def _reader(parameter: ViewParameter) -> Any:
    def read(given: str) -> Any:
        try:
            return parameter.read(given)
        except OptionError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return read


def read_both(options: argparse.Namespace) -> tuple[Qrels, list[Run]]:
    """Read the qrels and the runs that the options name. Raises IrviewerError."""
    qrels = read_judgments(options)
    return qrels, read_runs(options, qrels)


def show_view(
    view: ResultView, options: argparse.Namespace, *, judges: Sequence[Qrels] = (),
    read: Callable[[argparse.Namespace], tuple[Qrels, list[Run]]] | None = None,
) -> ViewResult:  # fmt: skip
    """Compute a view of the files that the options name, print it or write it, and return it. ``judges`` are
    further judgments of the same collection; ``read`` reads the qrels and the runs in another way. Raises
    IrviewerError."""
    given = vars(options)
    names = {parameter.name: f"view_{parameter.name}" for parameter in view.parameters}
    chosen = view.chosen({name: given[place] for name, place in names.items() if place in given})
    qrels, runs = (read or read_both)(options)
    asked = options.asked
    attributes = None if options.run_attributes is None else read_run_attributes(options.run_attributes)
    inputs = inputs_of(
        asked, qrels, runs, uses=view.uses, pins=view.pins, sets=query_sets(asked),
        weights=weights_read(asked),
        attributes=tables_of_attributes(attributes, options.query_attributes),
        queries=texts_of(options.texts, "queries"), documents=texts_of(options.documents, "documents"),
        files=files_of(options),
        judges=judges,
    )  # fmt: skip
    with closing(ProgressLine()) as line:
        answer = shown_view(
            view, inputs, chosen,
            lambda share: line.show(tr("{view}: {percent} %", view=view.title, percent=int(share * 100))),
        )  # fmt: skip
    result = answer.shown
    if options.explain is not None:
        result = answer.explain(_row_key(result.tables[0], options.explain[0]), options.explain[1])
    put_view(result, options, view)
    return result


def _row_key(table: Table, given: str) -> Any:
    """Return the key of the row that a text names: its key, else its number from 1. Raises OptionError."""
    keys = table.keys if len(table.keys) else range(table.n_rows)
    for key in keys:
        if str(key) == given:
            return key
    if given.isdecimal() and 1 <= int(given) <= table.n_rows:
        return keys[int(given) - 1]
    raise OptionError(tr("there is no row {row} in {table}", row=given, table=table.name))


WITH_SENTENCES = ("table", "markdown", "html", "json")
"""Formats that hold what is said in words; beside the others it is printed."""


def put_view(result: ViewResult, options: argparse.Namespace, view: ResultView) -> None:
    """Print the tables of a result, or write them to the file of ``-o``."""
    if not result.tables:
        raise OptionError(tr("{view} has no table", view=view.title))
    writer = writer_named(options.format)
    chosen = table_named(result.tables, options.table)
    single = bool(options.table) or not writer.several
    if options.table:  # alone, it has the notes of all
        result = result.only(chosen.name)
        chosen = result.tables[0]
    if single and not options.table and len(result.tables) > 1:
        others = ", ".join(table.name for table in result.tables[1:])
        note(tr("{format} holds one table, {name}; --table names another one: {others}",
                format=writer.title, name=chosen.name, others=others))  # fmt: skip
    tables = [_arranged(table, options) if table is chosen else table for table in result.tables]
    tables = [table for table, known in zip(tables, result.tables, strict=True) if not single or known is chosen]
    for remark in () if writer.several else chosen.notes_alone:
        if remark.warns:
            note(remark.text)
    if writer.name in ("arrow", "parquet"):
        _put_bytes(writer.write(tables), options.output)
        return
    in_file = writer.name in WITH_SENTENCES and any(table.sentences for table in tables)
    for sentence in () if in_file else result.sentences:
        note(sentence.text)
    if writer.name == "table":
        # Rows in an order that was asked for are not divided: it would hold in each group alone.
        apart = chosen.name if options.sort is not None else ""
        parts = [part for table in tables for part in ((table,) if table.name == apart else table.groups())]
        lines = text.text(parts, terminal_width(options.output))
        source = source_of(options)
        if source and tables[0].provenance is not None:
            lines = lines.replace(tables[0].provenance.line, tables[0].provenance.line + source, 1)
        put_result(options, lines)
        return
    if writer.name in DELIMITERS and options.output not in (None, "-"):
        save_tables(options.output, tables, form=writer.name, spreadsheet=options.spreadsheet)
        return
    put_result(options, writer.write(tables).decode("utf-8", "surrogateescape"))


def _arranged(table: Table, options: argparse.Namespace) -> Table:
    """Return a table with the rows that are asked for, in their order. Raises OptionError, FilterError."""
    if options.sort is None and options.where is None:
        return table
    rows = None if options.where is None else filtered_rows(table, options.where)
    if options.sort is not None:
        rows = sorted_rows(table, options.sort, descending=options.descending, rows=rows)
    assert rows is not None
    return with_rows(table, rows)


def _put_bytes(data: bytes, output: str | None) -> None:
    if output is not None and output != "-":
        write_atomically(Path(output), lambda file: file.write(data))
        return
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
