"""The read options that the user chose for single files (see ``formats.doctor``): kept in the collection's notes, shown
as warnings, and used whenever those files are read; and the diagnoses of all files for the file doctor's dialog."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from irviewer.formats.doctor import Diagnosis, ReadOptions, diagnose_elsewhere, diagnose_value, undecided
from irviewer.formats.load_report import Finding, LoadReport
from irviewer.model.qrels import Qrels
from irviewer.model.workspace import Collection, Workspace
from irviewer.session.files.loading import ReadFile, Request, Trouble
from irviewer.translation import tr, trn

NOTE = "treatments"
DoctorInputs = tuple[
    Collection | None, Qrels | None, Sequence[str], Mapping[str, "LoadReport"], Mapping[str, Trouble],
    Sequence[Qrels], dict[str, tuple[object, ...]],
]  # fmt: skip
"""The arguments of :func:`account` from a session, in its order."""


def read_options_by_path(collection: Collection) -> Mapping[str, ReadOptions]:
    """Return file -> read options, for the files of a collection that have any."""
    found: Mapping[str, ReadOptions] = collection.notes.get(NOTE, {})
    return found


def read_options_of(collection: Collection | None, path: str) -> ReadOptions | None:
    """Return the read options of a file; None for the defaults."""
    return None if collection is None else read_options_by_path(collection).get(os.path.realpath(path))


def with_read_options(collection: Collection, files: Iterable[ReadFile]) -> Collection:
    """Return the collection with the options with which its files were just read; a file read without any loses its
    own."""
    found = [one.run.origin for one in collection.runs] + [one.qrels.origin for one in collection.judgments]
    found += [one.origin for one in (collection.queries, collection.documents, collection.zscores) if one is not None]
    mine = {os.path.realpath(one) for one in found if one}
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
    found = []
    for one in requests:
        path = os.path.realpath(one.path)
        owner = next((each for each in workspace.collections if path in read_options_by_path(each)), None)
        if owner is None or one.read_options is not None:
            found.append(one)
            continue
        own = [each.qrels for each in owner.judgments]
        judged = qrels if any(each is qrels for each in own) else next(iter(own), None)
        found.append(replace(one, read_options=read_options_by_path(owner)[path], qrels=judged))
    return tuple(found)


def read_options_caveats(collection: Collection) -> list[str]:
    """Return a sentence for each read option, with the files that it applies to."""
    found: dict[str, list[str]] = {}
    for path, read_options in read_options_by_path(collection).items():
        names = [one.name for one in collection.runs if os.path.realpath(one.run.origin) == path]
        name = names[0] if names else Path(path).name
        for words in read_options.words:
            found.setdefault(words, []).append(name)
    return [
        trn("{name}: {option}", "{n} files: {option}", len(names), name=names[0], option=words)
        for words, names in found.items()
    ]


def account(
    collection: Collection | None,
    qrels: Qrels | None,
    paths: Iterable[str],
    reports: Mapping[str, LoadReport],
    refused: Mapping[str, Trouble],
    others: Sequence[Qrels] = (),
    known: dict[str, tuple[object, ...]] | None = None,
    heard: Callable[[float], None] | None = None,
) -> tuple[Diagnosis, ...]:
    """Return the diagnosis of each file, first those that were not read for a reason that the user can decide.

    others  qrels of other collections, which runs without judgments may belong to if query ids are written differently
    known   earlier diagnoses of a path and their inputs; used if the inputs are the same, and added to
    heard   is called with the share of the work that is done; raising cancels the work"""
    known = {} if known is None else known
    found: list[Diagnosis] = []
    for path, trouble in refused.items():
        report = LoadReport(path, "", tr("not read"), findings=(Finding(trouble.text, topic=trouble.topic),))
        found.append(Diagnosis(report, (undecided(trouble.topic),)))
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
        found.append(diagnosis)
    return tuple(found)


@dataclass(frozen=True)
class _Share:
    """Progress of one file as a share of all of them."""

    heard: Callable[[float], None] | None
    begin: float
    width: float

    def __call__(self, share: float) -> None:
        if self.heard is not None:
            self.heard(self.begin + share * self.width)


def _same(one: object, other: tuple[object, ...]) -> bool:
    """Return True if the parts are the same: arrays by identity, options by value."""
    assert isinstance(one, tuple)
    return one[3] == other[3] and one[4] == other[4] and all(a is b for a, b in zip(one[:3], other[:3], strict=True))
