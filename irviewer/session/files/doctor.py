"""The read options that the user chose for single files (see ``formats.doctor``): kept in the collection's notes, shown
as warnings, and used whenever those files are read; and the diagnoses of all files for the file doctor's dialog."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from irviewer.formats.collection_doctor import none_shared, query_ids_of, text_findings, train_finding, training_queries
from irviewer.formats.doctor import Diagnosis, ReadOptions, diagnose_elsewhere, diagnose_value, undecided
from irviewer.formats.load_report import Finding, LoadReport
from irviewer.model.qrels import Qrels
from irviewer.model.workspace import Collection, Workspace
from irviewer.session.files.loading import ReadFile, Request, Trouble
from irviewer.translation import tr, trn

NOTE = "treatments"
DoctorInputs = tuple[
    Collection | None, Qrels | None, Sequence[str], Mapping[str, "LoadReport"], Mapping[str, Trouble],
    Sequence[Qrels], dict[str, tuple[object, ...]], "TrainingSet | None",
]  # fmt: skip
"""The arguments of :func:`account` from a session, in its order."""


@dataclass(frozen=True)
class TrainingSet:
    """The queries that systems were trained on, and the name of their file."""

    name: str
    queries: frozenset[str]

    @classmethod
    def read(cls, path: str) -> TrainingSet:
        """Return that of a file of qrels or queries. Raises IrviewerError for another file."""
        from irviewer.formats.load import load  # Arrow's readers are not needed for the window to open

        return cls(Path(path).name, frozenset(training_queries(load(path).value, path)))

    def finding(self, test: Sequence[str]) -> Finding:
        """Return which queries of the test are in it, or that none is."""
        shared = train_finding(test, self.queries, self.name)
        if shared is not None:
            return shared
        return none_shared(test, self.name)


def read_options_by_path(collection: Collection) -> Mapping[str, ReadOptions]:
    """Return file -> read options, for the files of a collection that have any."""
    options_by_path: Mapping[str, ReadOptions] = collection.notes.get(NOTE, {})
    return options_by_path


def read_options_of(collection: Collection | None, path: str) -> ReadOptions | None:
    """Return the read options of a file; None for the defaults."""
    return None if collection is None else read_options_by_path(collection).get(os.path.realpath(path))


def with_read_options(collection: Collection, files: Iterable[ReadFile]) -> Collection:
    """Return the collection with the options with which its files were just read; a file read without any loses its
    own."""
    paths = [run.run.origin for run in collection.runs] + [judgment.qrels.origin for judgment in collection.judgments]
    paths += [
        table.origin for table in (collection.queries, collection.documents, collection.zscores) if table is not None
    ]
    mine = {os.path.realpath(path) for path in paths if path}
    kept = dict(read_options_by_path(collection))
    for file in files:
        path = os.path.realpath(file.request.path)
        if path in mine and file.request.read_options:
            kept[path] = file.request.read_options
        else:
            kept.pop(path, None)
    if kept == read_options_by_path(collection):
        return collection
    return replace(collection, notes={**collection.notes, NOTE: kept})


def as_chosen(requests: Sequence[Request], workspace: Workspace, qrels: Qrels | None) -> tuple[Request, ...]:
    """Return the requests with the read options that were chosen for their files; ``qrels`` are those in view."""
    asked = []
    for request in requests:
        path = os.path.realpath(request.path)
        owner = next((each for each in workspace.collections if path in read_options_by_path(each)), None)
        if owner is None or request.read_options is not None:
            asked.append(request)
            continue
        own = [each.qrels for each in owner.judgments]
        judged = qrels if any(each is qrels for each in own) else next(iter(own), None)
        asked.append(replace(request, read_options=read_options_by_path(owner)[path], qrels=judged))
    return tuple(asked)


def read_options_caveats(collection: Collection) -> list[str]:
    """Return a sentence for each read option, with the files that it applies to."""
    by_words: dict[str, list[str]] = {}
    for path, read_options in read_options_by_path(collection).items():
        runs = [run for run in collection.runs if os.path.realpath(run.run.origin) == path]
        name = runs[0].name if runs else Path(path).name
        if any(run.run.answered for run in runs):  # the caution beside their values names the topics
            read_options = replace(read_options, duplicates="refuse")
        for words in read_options.words:
            by_words.setdefault(words, []).append(name)
    return [
        trn("{name}: {option}", "{n} files: {option}", len(names), name=names[0], option=words)
        for words, names in by_words.items()
    ]


def account(
    collection: Collection | None,
    qrels: Qrels | None,
    paths: Iterable[str],
    reports: Mapping[str, LoadReport],
    refused: Mapping[str, Trouble],
    others: Sequence[Qrels] = (),
    known: dict[str, tuple[object, ...]] | None = None,
    training: TrainingSet | None = None,
    heard: Callable[[float], None] | None = None,
) -> tuple[Diagnosis, ...]:
    """Return the diagnosis of each file, first those that were not read for a reason that the user can decide.

    others  qrels of other collections, which runs without judgments may belong to if query ids are written differently
    known   earlier diagnoses of a path and their inputs; used if the inputs are the same, and added to
    training  the queries that systems were trained on, which the file of the test's queries is compared with
    heard   is called with the share of the work that is done; raising cancels the work"""
    known = {} if known is None else known
    diagnoses: list[Diagnosis] = []
    for path, trouble in refused.items():
        report = LoadReport(path, "", tr("not read"), findings=(Finding(trouble.text, topic=trouble.topic),))
        diagnoses.append(Diagnosis(report, () if trouble.topic == "columns" else (undecided(trouble.topic),)))
    runs = {} if collection is None else {entry.run.origin: entry.run for entry in collection.runs}
    every = [path for path in paths if path in reports]
    for number, path in enumerate(every):
        run, report, now = runs.get(path), reports[path], read_options_of(collection, path) or ReadOptions()
        of_what = (run, report, qrels, now, tuple(others))
        kept = known.get(path)
        if kept is None or len(kept) != 2 or not _same(kept[0], of_what):
            share = _Share(heard, number / len(every), 1 / len(every))
            share(0.0)
            if qrels is None and run is not None and others:
                kept = (of_what, diagnose_elsewhere(run, report, others, now))
            else:
                kept = (of_what, diagnose_value(run, report, qrels, now, share))
            known[path] = kept
        diagnosis = kept[1]
        assert isinstance(diagnosis, Diagnosis)
        diagnoses.append(_with_texts(diagnosis, collection, qrels, known, heard))
    return tuple(diagnoses) if training is None else _with_training(diagnoses, collection, qrels, training)


def _with_training(
    diagnoses: Sequence[Diagnosis], collection: Collection | None, qrels: Qrels | None, training: TrainingSet
) -> tuple[Diagnosis, ...]:
    """Return the diagnoses, that of the judgments in view, else of the queries, with what the training set shares."""
    queries = None if collection is None else collection.queries
    path, test = ("", ()) if queries is None else (queries.origin, query_ids_of(queries))
    if qrels is not None:
        path, test = qrels.origin, query_ids_of(qrels)
    return tuple(
        each if not test or each.report.path != path
        else replace(each, report=replace(each.report, findings=(*each.report.findings, training.finding(test))))
        for each in diagnoses
    )  # fmt: skip


def _with_texts(
    diagnosis: Diagnosis, collection: Collection | None, qrels: Qrels | None, known: dict[str, tuple[object, ...]],
    heard: Callable[[float], None] | None,
) -> Diagnosis:  # fmt: skip
    """Return the diagnosis of the documents' file with what its texts, the qrels and the queries say together."""
    documents = None if collection is None else collection.documents
    path = diagnosis.report.path
    if collection is None or documents is None or documents.origin != path or documents.lost:
        return diagnosis
    of_what = (documents, qrels, collection.queries)
    kept = known.get(f"texts of {path}")
    if kept is None or not all(each is other for each, other in zip(kept, of_what, strict=False)):
        kept = known[f"texts of {path}"] = (*of_what, text_findings(documents, qrels, collection.queries, heard))
    findings: tuple[Finding, ...] = kept[3]  # type: ignore[assignment]
    report = replace(diagnosis.report, findings=(*diagnosis.report.findings, *findings))
    return replace(diagnosis, report=report) if findings else diagnosis


@dataclass(frozen=True)
class _Share:
    """Progress of one file as a share of all of them."""

    heard: Callable[[float], None] | None
    begin: float
    width: float

    def __call__(self, share: float) -> None:
        if self.heard is not None:
            self.heard(self.begin + share * self.width)


def _same(left: object, other: tuple[object, ...]) -> bool:
    """Return True if the parts are the same: arrays by identity, options by value."""
    assert isinstance(left, tuple)
    return left[3] == other[3] and left[4] == other[4] and all(a is b for a, b in zip(left[:3], other[:3], strict=True))
