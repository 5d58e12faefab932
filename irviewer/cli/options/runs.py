"""Qrels and runs from the command line, with the repairs of the file doctor: ``--ids``, ``--query-ids``, "
"``--rollup``."""

from __future__ import annotations

import argparse
import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from irviewer.api import sources
from irviewer.api.argument_order import in_order
from irviewer.cli.streams import ProgressLine, note, put_notes
from irviewer.errors import IrviewerError, OptionError, ParseError, name_some, printable
from irviewer.evaluation.bind import with_whole_names
from irviewer.evaluation.evaluate import evaluate_each
from irviewer.formats.choice import choose
from irviewer.formats.duplicates import POLICIES
from irviewer.formats.folders import data_files_in, rankings_in, unread_in
from irviewer.formats.format import Head
from irviewer.formats.mapping_file import columns_of
from irviewer.formats.parts import grouped, parts_of, pattern_of
from irviewer.formats.reading.opener import is_given, open_bytes
from irviewer.model.answers.nugget_parts import joined_nuggets
from irviewer.model.answers.systems import Choice, Differing, JoinedSystems, same_system
from irviewer.model.column_names import ColumnChoice
from irviewer.model.matching.unmatched import unmatched, unmatched_runs, unmatched_warnings
from irviewer.model.rankings.chunk_rollup import ROLLUPS
from irviewer.model.run_names import further_names
from irviewer.paths import is_anything, is_file, is_folder
from irviewer.translation import tr

MOST_OFFERED = 3
"""The number of runs for which a matching rule is searched: the search takes seconds for a large run."""

AHEAD = 2
"""The number of files that are read side by side before they are needed."""

if TYPE_CHECKING:
    from irviewer.evaluation.results import ResultTable
    from irviewer.model.options import EvaluationOptions
    from irviewer.model.qrels import Qrels
    from irviewer.model.run import Run

    Read = Callable[[str], tuple[list[Run], list[str]]]


def add_read_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of commands that read qrels and runs."""
    add_ids(parser)
    add_qrels_from(parser)
    add_columns(parser)
    add_versions(parser)
    _add_no_cache(parser)


def take_values(parser: argparse.ArgumentParser) -> None:
    """Let the command take files of stored values in place of runs: it needs no documents."""
    parser.set_defaults(takes_values=True)


def add_reading_without_qrels(parser: argparse.ArgumentParser) -> None:
    """Add the options of commands that read runs alone; :func:`read_runs_without_qrels` reads them."""
    add_columns(parser)
    add_versions(parser)
    _add_no_cache(parser)
    add_duplicate_policy(parser, "refuse")


def _add_no_cache(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--no-cache", action="store_true", help=tr("read the run files again, even if the cache has them")
    )


def add_duplicate_policy(parser: argparse.ArgumentParser, default: str) -> None:
    parser.add_argument(
        "--duplicates", choices=POLICIES, default=default,
        help=tr("a document listed twice in a query: refuse the file, or keep one (default: {policy})", policy=default),
    )  # fmt: skip


def add_qrels_from(parser: argparse.ArgumentParser) -> None:
    """Add ``--qrels-from``, for qrels whose format cannot be detected."""
    parser.add_argument(
        "--qrels-from",
        metavar="FORMAT",
        help=tr("format of the qrels (default: detected from the content): cranfield, msmarco …"),
    )


def add_columns(parser: argparse.ArgumentParser) -> None:
    """Add ``--columns``, for tables with a header of their own."""
    parser.add_argument(
        "--columns", type=column_choice, default=ColumnChoice(), metavar="ROLE=COLUMN,…",
        help=tr(
            "names of the columns of tables (CSV, Parquet, JSON lines …), such as query=question_id,doc=chunk_id; "
            "roles: query, doc, score, rank, relevance, tag, iteration; for queries and documents: id, text, title; "
            "or paths into JSON, such as rows=results[],query=query.id,doc=hits[].id; or a TOML file of these"
        ),
    )  # fmt: skip


def column_choice(text: str) -> ColumnChoice:
    """Return the columns of ``doc=chunk_id,query=question_id``, or of a TOML file. Raises ArgumentTypeError."""
    try:
        return ColumnChoice(columns_of(text), text.strip())
    except IrviewerError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def read_judgments(options: argparse.Namespace) -> Qrels:
    """Read the qrels of the command line. If a run stands in their place and they among the runs, ``options.qrels`` and
    ``options.runs`` are put in order. Raises IrviewerError."""
    read = partial(
        sources.qrels_file, name=None, duplicates=options.duplicates, form=options.qrels_from, columns=options.columns,
        heard=put_notes,
    )  # fmt: skip
    try:
        return _with_further_nuggets(read(options.qrels), options, read)
    except ParseError:
        swapped = None if options.qrels_from is not None else in_order(options.qrels, options.runs)
        if swapped is None:
            raise
    options.qrels, options.runs = swapped
    return read(options.qrels)


def _with_further_nuggets(qrels: Qrels, options: argparse.Namespace, read: Callable[[str], Qrels]) -> Qrels:
    """Return nuggets with those of the files of further topics that follow theirs, which are no runs. Raises
    OptionError for a topic in two of the files."""
    parts = [qrels]
    while qrels.nuggets is not None and options.runs and _has_nuggets(options.runs[0]):
        parts.append(read(options.runs[0]))
        options.runs = options.runs[1:]
    if len(parts) == 1:
        return qrels
    joined, said = joined_nuggets(parts)
    note(said)
    return joined


def _has_nuggets(path: str) -> bool:
    """Return whether a file has nuggets and no labels; a pipe, which can be read once only, is a run."""
    if not is_file(path):
        return False
    try:
        return choose(Head(open_bytes(path)))[0].name in ("nuggets", "nuggets-arrow")
    except IrviewerError:
        return False


def add_versions(parser: argparse.ArgumentParser) -> None:
    """Add ``--versions``, for files with different answers of one system."""
    parser.add_argument(
        "--versions", action="store_true",
        help=tr("files with different answers of one system are versions of it, each a run (default: they are refused, "
                "and --duplicates first or last makes them one run)"),
    )  # fmt: skip


def add_ids(parser: argparse.ArgumentParser) -> None:
    """Add ``--ids``, ``--query-ids`` and ``--rollup``."""
    parser.add_argument(
        "--ids",
        metavar="RULE",
        help=tr(
            "rule that makes the document ids of runs match the qrels, such as extension, prefix+zeros, chunk or "
            "prefix=TEXT; irviewer check QRELS RUN lists the rules that match"
        ),
    )
    parser.add_argument(
        "--query-ids",
        metavar="RULE",
        help=tr(
            "rule that makes the query ids of runs match the qrels, such as zeros (007 is 7), prefix (q7 is 7), "
            "prefix+zeros, or question (answers whose topic is its question, and a file of nuggets)"
        ),
    )
    parser.add_argument(
        "--rollup", choices=ROLLUPS, help=tr("with --ids: how the score of a document is computed from its chunks")
    )


def read_runs(options: argparse.Namespace, qrels: Qrels) -> list[Run]:
    """Read the runs of the command line, with unique names and the repairs that the options name.

    Notes on standard error say what was repaired. Raises IrviewerError."""
    runs = list(each_run(options, qrels))
    _report_unmatched(options, runs, qrels)
    return runs


def read_runs_without_qrels(options: argparse.Namespace) -> list[Run]:
    """Read the runs of the command line, two or more, with unique names. Raises IrviewerError."""
    with closing(ProgressLine()) as progress:
        runs = list(_named_runs(options, progress))
    if len(runs) < 2:
        raise OptionError(tr("give at least two runs"))
    options.columns.check()
    return runs


def _named_runs(options: argparse.Namespace, progress: ProgressLine, *, joins: bool = True) -> Iterator[Run]:
    """Yield the runs of the command line one by one, with unique names. Further files are read meanwhile, side by side;
    a run is not kept here, but those that follow answers are, until all files of their systems are read.
    ``options.names_of`` becomes file or folder -> the names of its runs, and in the end ``options.asked`` the protocol
    with whole names of runs. ``joins``: files that were named one by one may be the parts of one run. Raises
    OptionError for a name of several runs."""
    read = partial(
        _runs_and_notes, duplicates=options.duplicates, cached=not options.no_cache, columns=options.columns,
        stored=getattr(options, "takes_values", False),
    )  # fmt: skip
    named = NamesOfRuns(options, joins=joins)
    files = named.files
    answering: list[tuple[int, Run]] = []
    for number, (place, run) in enumerate(_in_files(read, files, progress), start=1):
        progress.show(tr("reading: {number} of {count}", number=number, count=max(number, len(files))))
        if run.answered is not None or answering:  # further files of a system may follow
            answering.append((place, run))
            named.systems.add(run)
            continue
        run = run.renamed(named.free(run.name, place))
        named.add([place], run.name, further_names([run])[0])
        yield run
        del run
    choices = {each.system: _choice(options, each, joins=joins) for each in named.systems.differing}
    if any(choice != "versions" for choice in choices.values()):
        named.systems = named.systems.chosen(choices)
    for labels in named.systems.joined_labels:
        progress.clear()
        note(tr("{text}; --versions keeps them apart", text=labels.text))
    lists = (place for place, part in answering if part.answered is None)
    for run in named.systems.every():
        places = (
            [next(lists)]
            if run.answered is None
            else [
                place
                for place, part in answering
                if part.answered is not None
                and (
                    part.answered.system == run.answered.system
                    or (part.answered.scores_alone and same_system(part.answered.system, run.answered.system))
                )
            ]
        )
        named.add(places, run.name, further_names([run])[0])
        yield run
    named.settle()


def _choice(options: argparse.Namespace, differing: Differing, *, joins: bool) -> Choice:
    """Return what two files with different answers of a system are. Raises OptionError where the command line does not
    say it; files that are named one by one as runs are versions."""
    if options.versions or not joins:
        return "versions"
    if options.duplicates == "first":
        return "first"
    if options.duplicates == "last":
        return "last"
    raise OptionError(tr(
        "{text}; --versions keeps each file as a run, --duplicates first or last makes them one run with the answers "
        "of that file", text=printable(differing.text),
    ))  # fmt: skip


class NamesOfRuns:
    """The files of the runs of a command line, and the unique names that the runs in them get.

    files  the paths in the order of the command line, the parts of one run as one, unless ``joins`` is False

    ``options.names_of`` becomes file or folder -> the names of its runs."""

    def __init__(self, options: argparse.Namespace, *, joins: bool = True) -> None:
        self._options = options
        self._named: dict[str, str] = {}
        self.systems = JoinedSystems(apart=not joins or options.versions)
        self._further: list[frozenset[str]] = []
        given = [(path, file) for path in options.runs for file in run_files([path])]
        self.files = [file for _, file in given]
        self._arguments = [[path] for path, _ in given]
        options.names_of = {path: [] for pair in given for path in pair}
        if joins and len(joined := grouped(self.files)) < len(self.files):
            self.files = joined
            self._arguments = [
                [path for path, part in given if file in (part, pattern_of(part))] for file in self.files
            ]
            options.names_of |= {file: [] for file in self.files if file not in options.names_of}

    def free(self, name: str, place: int) -> str:
        """Return the name of a run of the file in this place: its own, or one that no run before it has."""
        return self.systems.name(name, self.files[place])

    def add(self, places: Sequence[int], name: str, further: frozenset[str]) -> None:
        """Add a run of the files in these places, with its unique name and what else it may be called."""
        options = self._options
        self._named[name] = self.files[places[0]]
        self._further.append(further)
        for place in places:
            for argument in dict.fromkeys(self._arguments[place]):
                options.names_of[argument].append(name)
            if self.files[place] not in options.runs:  # an argument that is a file stands for its run already
                options.names_of[self.files[place]].append(name)

    def settle(self) -> None:
        """Give the protocol of the command the whole names of runs. Raises OptionError for a name of several runs."""
        options = self._options
        if "asked" not in options:
            return
        scope = options.asked.scope
        of_files = {
            name: options.names_of[name][0] for name in (*scope.runs, scope.baseline)
            if name not in self._named and _is_one(options, name)
        }  # fmt: skip
        scope = replace(
            scope, runs=tuple(of_files.get(name, name) for name in scope.runs),
            baseline=of_files.get(scope.baseline, scope.baseline),
        )  # fmt: skip
        options.asked = with_whole_names(replace(options.asked, scope=scope), [*self._named], self._further)


def _is_one(options: argparse.Namespace, path: str) -> bool:
    """Whether a text is a file or folder of the command line, of one run. Raises OptionError for one of several."""
    inside = options.names_of.get(path, [])
    if len(inside) > max(options.runs.count(path), 1):
        raise _several(path, inside)
    return bool(inside)


def each_run(options: argparse.Namespace, qrels: Qrels, *, joins: bool = True) -> Iterator[Run]:
    """Yield the same runs one by one; ``joins`` as for :func:`_named_runs`. Further files are read meanwhile, side by
    side; a run is not kept here."""
    with closing(ProgressLine()) as progress:
        for run in _named_runs(options, progress, joins=joins):
            if options.query_ids is not None or options.ids is not None or options.rollup is not None:
                run = _repaired(run, options, qrels, progress)
            yield run
            del run
    options.columns.check(texts=False)


def _repaired(run: Run, options: argparse.Namespace, qrels: Qrels, progress: ProgressLine) -> Run:
    """Return the run with the repairs that the options name, and print what was repaired."""
    from irviewer.formats.doctor import requeried_run, treated_run

    if options.query_ids is not None:
        run, repair_note = requeried_run(run, qrels, options.query_ids)
        progress.clear()
        note(tr("run {run}: {note}", run=run.name, note=repair_note))
    if options.ids is not None or options.rollup is not None:
        run, repair_note = treated_run(run, qrels, options.ids, options.rollup)
        progress.clear()
        note(tr("run {run}: {note}", run=run.name, note=repair_note))
    return run


def _runs_and_notes(path: str, **how: Any) -> tuple[list[Run], list[str]]:
    """Return the runs of a file, and its notes: another thread prints them, in the order of the files."""
    notes: list[str] = []
    return sources.runs_of_file(path, heard=notes.extend, **how), notes


def _in_files(read: Read, files: Sequence[str], progress: ProgressLine) -> Iterator[tuple[int, Run]]:
    """Yield the place of its file and the run, for the runs of the files one by one, and print the notes of each file;
    no run is kept here."""
    for place, (runs, notes) in enumerate(_side_by_side(read, files)):
        if notes:
            progress.clear()
            put_notes(notes)
        while runs:
            yield place, runs.pop(0)


def read_against(options: argparse.Namespace, qrels: Qrels, other: str, *, single: bool) -> tuple[list[Run], Run]:
    """Read the runs of the command line and the one that they are compared with: that of a file, else, where there is
    no such file, one of the runs by its name. ``single``: as :func:`read_single`, unless it is named, as then their
    file has several. Raises IrviewerError."""
    if not is_anything(other) and not is_given(other) and not parts_of(other):
        runs = list(each_run(options, qrels, joins=not single))
        named = [run for run in runs if other in (run.name, run.read_name, run.tag)]
        if len(named) != 1 or len(runs) < 2:
            open_bytes(other)  # raises the error
        _report_unmatched(options, runs, qrels)
        return [run for run in runs if run is not named[0]], named[0]
    if single:
        options.runs = [other, *options.runs]
        first, *runs = read_single(options, qrels)
        return runs, first
    options.runs = [*options.runs, other]
    *runs, last = read_runs(options, qrels)
    return runs, last


def read_single(options: argparse.Namespace, qrels: Qrels) -> list[Run]:
    """Read the runs of the command line, each the only one of its file or folder, as :func:`read_runs` does.

    Raises OptionError where one has several."""
    runs: list[Run] = []
    for run in each_run(options, qrels, joins=False):
        runs.append(run)
        for path in options.runs:
            if len(options.names_of[path]) > options.runs.count(path):
                raise _several(path, options.names_of[path])
    _report_unmatched(options, runs, qrels)
    return runs


def _several(path: str, names: Sequence[str]) -> OptionError:
    return OptionError(
        tr(
            "one run is expected here, but {path} has several ({names}); give the file of one run",
            path=printable(path),
            names=printable(name_some([*dict.fromkeys(names)], 4)),
        )
    )


def _side_by_side(read: Read, files: Sequence[str]) -> Iterator[tuple[list[Run], list[str]]]:
    """Yield the runs and notes of each file in the order of the files; AHEAD further files are read in threads."""
    if len(files) < 2:
        yield from map(read, files)
        return
    with ThreadPoolExecutor(AHEAD) as readers:
        waiting: deque[Future[tuple[list[Run], list[str]]]] = deque()
        try:
            for path in files:
                waiting.append(readers.submit(read, path))
                if len(waiting) > AHEAD:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for unread in waiting:
                unread.cancel()


def evaluated_runs(
    options: argparse.Namespace, qrels: Qrels, texts: Sequence[str], choices: EvaluationOptions
) -> tuple[ResultTable, list[str]]:
    """Read and evaluate the runs of the command line, and return the result and the runs' tags. A run is given up once
    it is evaluated. Notes as of :func:`read_runs`. Raises IrviewerError."""
    tags: list[str] = []
    unknown: list[Run] = []

    def read() -> Iterator[Run]:
        for run in each_run(options, qrels):
            tags.append(run.tag)
            if unmatched(run, qrels) is not None:
                unknown.append(run)  # rules are searched for them below
            yield run
            del run
        _report_unmatched(options, unknown, qrels)

    return evaluate_each(qrels, read(), texts, choices), tags


def run_files(paths: Sequence[str]) -> list[str]:
    """Return the files, with folders replaced by the runs in them; notes name the files of a folder that are no runs.

    Raises OptionError for a folder without runs."""
    files: list[str] = []
    for path in paths:
        if not is_folder(path):
            files.append(path)
            continue
        content = rankings_in(path)
        for name, reason in content.skipped:
            note(tr("{file}: skipped, {reason}", file=name, reason=reason))
        if not content.runs:
            raise OptionError(_without_runs(path))
        put_notes(filter(None, [content.unread]))
        files += content.runs
    return files


def _without_runs(folder: str) -> str:
    said = tr("the folder {folder} has no runs; give another folder or file", folder=folder)
    return "; ".join(filter(None, [said, unread_in(folder)]))


def one_file(path: str) -> str:
    """Return the file, or the only run of a folder. Raises OptionError for a folder of several runs."""
    if not is_folder(path):
        return path
    files = run_files([path])
    if len(files) > 1:
        raise _several(path, files)
    return files[0]


def files_in(paths: Sequence[str]) -> list[str]:
    """Return the files, with folders replaced by the data in them. Raises OptionError for a folder without any."""
    files: list[str] = []
    for path in paths:
        inside = data_files_in(path) if is_folder(path) else [path]
        if not inside:
            raise OptionError(_without_runs(path))
        put_notes(filter(None, [unread_in(path)] if is_folder(path) else []))
        files += inside
    return grouped(files)


def _report_unmatched(options: argparse.Namespace, runs: Sequence[Run], qrels: Qrels) -> None:
    """Print an error line for runs that share no id with the qrels, with a rule that makes the ids match, and let the
    command end with 2 (``options.has_unmatched``). ``options.printed`` are the messages, which no note says again."""
    unmatched = unmatched_runs(runs, qrels)
    options.has_unmatched, options.printed = bool(unmatched), set()
    for kind in ("queries", "documents"):
        same_kind = [mismatch for mismatch in unmatched if mismatch.of == kind]
        if same_kind:
            names = [mismatch.run for mismatch in same_kind[:MOST_OFFERED]]
            rules = _matching_rules([run for run in runs if run.name in names], qrels)
            message = unmatched_warnings(same_kind)[0]
            options.printed.add(message)
            print(tr("irviewer: error: {message}{rules}", message=message, rules=rules), file=sys.stderr)


def _matching_rules(runs: Sequence[Run], qrels: Qrels) -> str:
    """Return the rules that make the ids match: one rule if it is the same for all runs, else one for each run."""
    from irviewer.formats.doctor import repair

    options = {run.name: option for run in runs if (option := repair(run, qrels)) is not None}
    rules = {option.read_options.arguments: option.title for option in options.values()}
    if len(rules) == 1:
        return "".join(f"; {arguments}: {title}" for arguments, title in rules.items())
    return "".join(f"; {name}: {option.read_options.arguments}" for name, option in options.items())
