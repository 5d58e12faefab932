"""``irviewer check``: report the contents and problems of files, and the options that repair them."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path

from irviewer.cli.commands.convert import write_data
from irviewer.cli.options.reading import add_reading, load_file
from irviewer.cli.options.runs import add_ids, files_in
from irviewer.errors import IrviewerError, OptionError, short_name
from irviewer.formats.answers.validation import label_findings, mended, track_findings
from irviewer.formats.collection_doctor import none_shared, query_ids_of, text_findings, train_finding, training_queries
from irviewer.formats.compression import compressed
from irviewer.formats.doctor import ReadOptions, diagnose, treated
from irviewer.formats.format import Loaded
from irviewer.formats.load import load, opened_once
from irviewer.formats.load_report import Finding
from irviewer.formats.parts import PartsError, parts_of
from irviewer.formats.reading.opener import is_given, open_bytes
from irviewer.formats.registry import format_to_write
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.texts import TextTable
from irviewer.translation import tr, trn

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
    parser.add_argument(
        "--topics", metavar="FILE", help=tr("topics that answers should be to: queries, nuggets or qrels")
    )
    parser.add_argument("--context", metavar="FILE", help=tr("the run that answers were made from"))
    parser.add_argument(
        "--fix", metavar="FILE",
        help=tr("write the file of answers there, with what a track refuses mended, and say what was done"),
    )  # fmt: skip
    add_reading(parser, "best")
    add_ids(parser)


def _loaded(path: str, options: argparse.Namespace) -> list[tuple[Loaded, str | None]]:
    """Return the file and the part of it that is read, of a file of several runs each of them; numbered files that are
    no parts of one run are read one by one."""
    opened = open_bytes(path) if is_given(path) else None  # a pipe is read once
    try:
        first = load_file(path, options, opened=opened)
    except PartsError:
        return [each for part in parts_of(path) for each in _loaded(part, options)]
    names = _parts(first)
    if options.part is not None or not isinstance(first.value, Run) or len(names) < 2:
        return [(first, options.part)]
    opened = opened or opened_once(path)
    every = [load_file(path, argparse.Namespace(**{**vars(options), "part": name}), opened=opened) for name in names]
    return [(file, name) for file, name in zip(every, names, strict=True)]


def _parts(file: Loaded) -> tuple[str, ...]:
    """Return the names of the runs of a file that has several."""
    return next((finding.names for finding in file.report.findings if finding.topic == "part"), ())


def _with_findings(files: list[Loaded], qrels: Qrels | None, options: argparse.Namespace) -> list[Loaded]:
    """Return the files with what they say together. Raises IrviewerError for a training set that cannot be read."""
    queries, documents = (
        next((file for file in files if file.kind == kind), None) for kind in ("queries", "documents")
    )
    texts = None if queries is None else queries.value
    tested = next((file for file in files if isinstance(file.value, Qrels)), queries)
    train = None
    if options.train is not None:
        if tested is None:
            raise OptionError(tr("--train compares the queries of a test: give qrels or queries among the files"))
        train = training_queries(load_file(options.train, options).value, options.train)
    topics, context = _topics(options), _context(options)
    result = []
    for file in files:
        findings: list[Finding] = []
        if file is documents and isinstance(file.value, TextTable):
            findings += text_findings(file.value, qrels, texts if isinstance(texts, TextTable) else None)
        findings += _of_answers(file, topics, context, qrels)
        if file is tested and train is not None:
            test, name = query_ids_of(file.value), Path(options.train).name
            findings.append(train_finding(test, train, name) or none_shared(test, name))
        report = replace(file.report, findings=(*file.report.findings, *findings))
        result.append(replace(file, report=report) if findings else file)
    return result


def _topics(options: argparse.Namespace) -> list[str] | None:
    """Return the topics that answers should be to, None if no file is given."""
    if options.topics is None:
        return None
    return list(query_ids_of(load(options.topics).value))


def _context(options: argparse.Namespace) -> Run | None:
    """Return the run that answers were made from. Raises IrviewerError for a file that is none."""
    if options.context is None:
        return None
    value = load(options.context, kind="run").value
    return value if isinstance(value, Run) else None


def _of_answers(file: Loaded, topics: list[str] | None, context: Run | None, qrels: Qrels | None) -> list[Finding]:
    """Return what a track would say of a file of answers, and where labels are not of the nuggets."""
    answered = file.value.answered if isinstance(file.value, Run) else None
    if answered is None:
        return []
    findings = [] if answered.answers is None else track_findings(answered.answers, topics, context)
    if answered.assignments is not None and qrels is not None and qrels.nuggets is not None:
        findings += label_findings(answered.assignments, qrels.nuggets)
    return findings


def _mend(files: list[Loaded], options: argparse.Namespace) -> None:
    """Write the file of answers with what a track refuses mended. Raises OptionError unless there is one."""
    answering = [file for file in files if isinstance(file.value, Run) and file.value.answered is not None
                 and file.value.answered.answers is not None]  # fmt: skip
    if not answering:
        raise OptionError(tr("--fix mends answers, and no file that is given has any"))
    sources = {file.report.path for file in answering}
    if len(sources) != 1:
        raise OptionError(trn("--fix needs one file of answers, and {n:,} is given",
                              "--fix needs one file of answers, and {n:,} are given", len(sources)))  # fmt: skip
    value, source = answering[0].value, answering[0].report.path
    assert isinstance(value, Run) and value.answered is not None and value.answered.answers is not None
    if Path(options.fix).resolve() == Path(source).resolve():
        raise OptionError(tr("{path} is the file that is read; name another one for --fix", path=options.fix))
    if options.duplicates not in ("first", "last"):  # which of two answers is the right one would be a guess
        load_file(source, argparse.Namespace(**{**vars(options), "duplicates": "refuse"}))
    parts = _parts(answering[0])
    own: list[tuple[str, Loaded]] = [("", answering[0])]
    if len(parts) > 1 and options.part is None:  # all systems of the file
        policy = options.duplicates if options.duplicates in ("first", "last") else "refuse"
        given = {**vars(options), "duplicates": policy}
        opened = opened_once(source)
        own = [
            (part, load_file(source, argparse.Namespace(**{**given, "part": part}), opened=opened)) for part in parts
        ]
    topics, data, lines = _topics(options), b"", list[str]()
    for part, file in own:
        assert isinstance(file.value, Run) and file.value.answered is not None
        assert file.value.answered.answers is not None
        answers, done = mended(file.value.answered.answers, topics)
        target = format_to_write(options.fix, "run", answers.form)
        data += target.encoded(replace(file.value, answered=replace(file.value.answered, answers=answers)))
        done += [str(each) for each in file.report.findings if each.topic == "records"]
        lines += [f"{short_name(part)}: {line}" if part else line for line in done]
    lost = sum(each.count for each in answering[0].report.findings if each.topic == "damaged")
    if lost:
        lines.append(trn("{n:,} line that is no JSON object was left out",
                         "{n:,} lines that are no JSON objects were left out", lost))  # fmt: skip
    write_data(compressed(data, options.fix, target), options.fix)
    print(tr("{path} was written:", path=options.fix) + (" " + tr("nothing was to mend") if not lines else ""))
    if len(own) > 1:
        print("  " + tr("the answers of all {n:,} systems of the file are in it", n=len(own)))
    print("".join(f"  {line}\n" for line in lines), end="")


def run(options: argparse.Namespace) -> int:
    """Run ``irviewer check``. Returns 2 if a file cannot be read, with --strict 1 if one has problems."""
    read: list[tuple[Loaded, str | None]] = []
    failed = False
    odd_files = 0
    for path in files_in(options.files):
        try:
            read += _loaded(path, options)
        except IrviewerError as error:
            print(f"irviewer: {error}", file=sys.stderr)
            failed = True
    qrels = next((file.value for file, _ in read if isinstance(file.value, Qrels)), None)
    files = _with_findings([file for file, _ in read], qrels, options)
    for file, (_, part) in zip(files, read, strict=True):
        if part != options.part:  # each of its runs is reported
            findings = tuple(finding for finding in file.report.findings if finding.topic != "part")
            file = replace(file, report=replace(file.report, findings=findings))
        odd = any(finding.topic == "duplicates" for finding in file.report.findings)
        now = ReadOptions(options.duplicates if odd else "refuse", kind=options.kind, format=options.format, part=part)
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
    if options.fix is not None and not failed:
        _mend(files, options)
    if failed:
        return 2
    return 1 if options.strict and odd_files else 0
