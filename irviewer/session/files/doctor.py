"""What a person chose for single files (see ``formats.doctor``): kept in the collection's notes, told as caveats, and
given to every reading of those files; and the account of all files for the file doctor's dialog."""

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

NOTE = "treatments"
DoctorInputs = tuple[
    Collection | None, Qrels | None, Sequence[str], Mapping[str, "LoadReport"], Mapping[str, Trouble],
    Sequence[Qrels], dict[str, tuple[object, ...]],
]  # fmt: skip
"""What :func:`account` is given by a session, in its order."""


def read_options_by_path(collection: Collection) -> Mapping[str, ReadOptions]:
    """File -> how it is read, for the files of a collection for which something was chosen."""
    found: Mapping[str, ReadOptions] = collection.notes.get(NOTE, {})
    return found


def read_options_of(collection: Collection | None, path: str) -> ReadOptions | None:
    """How a file is read; None as every file is."""
    return None if collection is None else read_options_by_path(collection).get(os.path.realpath(path))


def with_read_options(collection: Collection, files: Iterable[ReadFile]) -> Collection:
    """The collection with the choices under which its files were just read; a file read as it stands loses its own."""
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
    """The requests, those of files for which something was chosen with that choice; ``qrels`` those in view."""
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
    """A sentence for each choice, with the files that it is in force for."""
    found: dict[str, list[str]] = {}
    for path, read_options in read_options_by_path(collection).items():
        names = [one.name for one in collection.runs if os.path.realpath(one.run.origin) == path]
        name = names[0] if names else Path(path).name
        for words in read_options.words:
            found.setdefault(words, []).append(name)
    return [f"{names[0] if len(names) == 1 else f'{len(names)} files'}: {words}" for words, names in found.items()]


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
    """What is to be told of each file, those first that were refused for a reason that a person can decide.

    others  qrels of other collections, which runs of one without judgments may belong to by other query ids
    known   what was found for a path the last time and of what; used where that is the same, and added to
    heard   is told the share of the work that is done, and ends it by raising"""
    known = {} if known is None else known
    found: list[Diagnosis] = []
    for path, trouble in refused.items():
        report = LoadReport(path, "", "not read", findings=(Finding(trouble.text, topic=trouble.topic),))
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
    """True where the parts are the same values: arrays by identity, choices by what they say."""
    assert isinstance(one, tuple)
    return one[3] == other[3] and one[4] == other[4] and all(a is b for a, b in zip(one[:3], other[:3], strict=True))
