"""``irviewer check``: report the contents and problems of files, and the options that repair them."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path

from irviewer.cli.options.reading import add_reading, load_file
from irviewer.cli.options.runs import add_ids, files_in
from irviewer.errors import IrviewerError, OptionError
from irviewer.formats.collection_doctor import text_findings, train_finding
from irviewer.formats.doctor import ReadOptions, diagnose, treated
from irviewer.formats.format import Loaded
from irviewer.formats.load_report import Finding
from irviewer.formats.parts import PartsError, parts_of
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.texts import TextTable
from irviewer.translation import tr

CHECK = tr(
    "Report the format, contents and problems of each file, with the options that repair them. Runs are also compared "
    "with the first qrels among the files, and the texts of documents with qrels and queries."
)


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    parser.description = CHECK
    parser.add_argument("files", nargs="+", metavar="FILE", help=tr("qrels, runs, queries and documents in any order"))
    parser.add_argument(
        "--strict", action="store_true", help=tr("exit with status 1 if a file has problems; for use in CI")
    )
    parser.add_argument(
        "--train", metavar="FILE",
        help=tr("qrels or queries of the training set; queries of the test that are among them are shown"),
    )  # fmt: skip
    add_reading(parser, "best")
    add_ids(parser)


def _loaded(path: str, options: argparse.Namespace) -> list[Loaded]:
    """Return the file; numbered files that are no parts of one run are read one by one."""
    try:
        return [load_file(path, options)]
    except PartsError:
        return [load_file(part, options) for part in parts_of(path)]


def _with_findings(files: list[Loaded], qrels: Qrels | None, options: argparse.Namespace) -> list[Loaded]:
    """Return the files with what they say together. Raises IrviewerError for a training set that cannot be read."""
    queries, documents = (
        next((file for file in files if file.kind == kind), None) for kind in ("queries", "documents")
    )
    texts = None if queries is None else queries.value
    tested = next((file for file in files if isinstance(file.value, Qrels)), queries)
    train = None if options.train is None else load_file(options.train, options)
    for value in () if train is None else (train.value,):
        if not isinstance(value, (Qrels, TextTable)):
            raise OptionError(tr("{path} holds no qrels or queries: a training set is named by its queries",
                                 path=options.train))  # fmt: skip
    result = []
    for file in files:
        findings: list[Finding] = []
        if file is documents and isinstance(file.value, TextTable):
            findings += text_findings(file.value, qrels, texts if isinstance(texts, TextTable) else None)
        if file is tested and train is not None:
            finding = train_finding(_query_ids(file), _query_ids(train), Path(options.train).name)
            findings += [] if finding is None else [finding]
        report = replace(file.report, findings=(*file.report.findings, *findings))
        result.append(replace(file, report=report) if findings else file)
    return result


def _query_ids(file: Loaded) -> list[str]:
    value = file.value
    if isinstance(value, Qrels):
        return [str(query) for query in value.query_ids]
    return list(value.ids) if isinstance(value, TextTable) else []


def run(options: argparse.Namespace) -> int:
    """Run ``irviewer check``. Returns 2 if a file cannot be read, with --strict 1 if one has problems."""
    files: list[Loaded] = []
    failed = False
    odd_files = 0
    for path in files_in(options.files):
        try:
            files += _loaded(path, options)
        except IrviewerError as error:
            print(f"irviewer: {error}", file=sys.stderr)
            failed = True
    qrels = next((file.value for file in files if isinstance(file.value, Qrels)), None)
    files = _with_findings(files, qrels, options)
    for file in files:
        odd = any(finding.topic == "duplicates" for finding in file.report.findings)
        now = ReadOptions(
            options.duplicates if odd else "refuse", kind=options.kind, format=options.format, part=options.part
        )
        try:
            if isinstance(file.value, Run):
                now = replace(now, ids=options.ids, rollup=options.rollup, queries=options.query_ids)
                file = treated(file, now, qrels)
        except OptionError as error:
            print(f"irviewer: {error}", file=sys.stderr)
            failed = True
            continue
        diagnosis = diagnose(file, qrels, now)
        odd_files += bool(diagnosis.report.warnings)
        print("\n".join(diagnosis.lines()))
    if failed:
        return 2
    return 1 if options.strict and odd_files else 0
