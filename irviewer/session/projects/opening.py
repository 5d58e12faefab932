"""Opening of a project on a worker thread: read it, check that its files exist, read them, build the collections.

All arguments are frozen except the cache of numbers, which any thread may fill."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from irviewer.errors import ParseError
from irviewer.evaluation.evaluation_cache import Evaluation
from irviewer.formats.project_file import ProjectError, Sections, line_of, project_data
from irviewer.formats.reading.opener import refuse_pipe
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.session.files.changed_files import Stamp, stamp
from irviewer.session.files.loading import ReadFile, Request, Trouble, read_files
from irviewer.session.files.opening import warm_collection
from irviewer.session.projects.checked import Fault
from irviewer.session.projects.doubts import DOUBTED
from irviewer.session.projects.project import Restored, collections_from
from irviewer.session.projects.references import Where, is_there, read_options_from
from irviewer.session.projects.schema import MOST_RUNS, checked
from irviewer.session.state import State
from irviewer.session.tasks import Progress
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.formats.salvage import Lost


@dataclass(frozen=True)
class Seeking:
    """A project with missing files.

    missing  file as the project names it -> its expected path
    moved    file as the project names it -> the path where it was found, so far
    """

    path: str
    missing: Mapping[str, str]
    moved: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class OpenedProject:
    """A project with the content of its files.

    stamp, content  of the file itself: how it was just before it was read, and what stood in it
    absent          files that were not there, as the project names them
    damaged         a line for each part of it that was left out, with its place and why
    moved           files were found where the project does not say they are
    torn            its text is no JSON: only a part of it could be read
    """

    path: str
    stamp: Stamp | None
    content: bytes
    sections: Sections
    collections: Restored
    files: tuple[ReadFile, ...]
    troubles: tuple[Trouble, ...]
    absent: tuple[str, ...]
    damaged: tuple[str, ...] = ()
    moved: bool = False
    torn: bool = False


ATTEMPTS = 3
"""How often a project is read again if another window saved it in the meantime; later changes are merged."""

MOST_LINES = 50
"""The number of damaged parts that are shown with their line: each costs a search through the file."""

Work = Callable[[Progress], Seeking | OpenedProject]


def open_project(
    path: str, moved: Mapping[str, str], state: State, evaluation: Evaluation, *, base: Path | None, without: bool
) -> Work:
    """Return the work of opening a project, to be submitted as a task.

    moved    where files of the project were found that are not where it says
    base     the folder that paths are relative to, None if they are whole
    without  open what is there, though files are missing; else these are sought
    """

    def work(progress: Progress) -> Seeking | OpenedProject:
        from irviewer.formats.salvage import read_damaged

        refuse_pipe(path)
        for attempt in range(ATTEMPTS):
            progress(None, tr("Reading {file}", file=Path(path).name))
            before, content = stamp(path), project_data(path)
            sections_read, lost = read_damaged(path, content)
            sections, faults = checked(sections_read)
            refuse_too_many(path, sections)
            where = Where(base, moved, faults=faults)
            references = {
                reference["file"] for data in sections.get("collections", ()) for _, reference in read_references(data)
            }
            missing = {
                reference: where.path(reference)
                for reference in sorted(references)
                if not is_there(where.path(reference))
            }
            if missing and not without:
                return Seeking(path, missing, moved)
            files, troubles = read_files_of(sections, where, set(missing), progress)
            kept, more = read_kept_runs(sections, Path(path))
            troubles += more
            where = replace(where, loaded={file.request.path: file for file in files}, kept=kept)
            collections = collections_from(sections, where)
            if stamp(path) == before or attempt == ATTEMPTS - 1:  # else another window saved it in the meantime
                break
        for collection, _ in collections:
            troubles += [Trouble(path, said) for said in collection.notes.get(DOUBTED, {}).values()]
        for number, (collection, _) in enumerate(collections):
            progress(0.8 + 0.2 * number / len(collections), tr("Evaluating"))
            warm_collection(collection, state, evaluation, progress)
        damaged = (*loss_texts(path, lost), *damage_texts(path, content, where.faults))
        return OpenedProject(
            path, before, content, sections, collections, tuple(files), tuple(troubles), tuple(missing), damaged,
            bool(moved), bool(lost),
        )  # fmt: skip

    return work


def damage_texts(path: str, content: bytes, faults: Sequence[Fault]) -> tuple[str, ...]:
    """Return a line for each fault: ``mine.irviewer, line 14: collections 1 › runs 3: no “key”``."""
    lines: list[str] = []
    for fault in faults:
        line = line_of(content, fault.place) if len(lines) < MOST_LINES else 0
        lines.append(_line_text(path, line, fault.words))
    return tuple(lines)


def _line_text(path: str, line: int, text: str) -> str:
    name = Path(path).name
    return tr("{file}, line {line}: {text}", file=name, line=line, text=text) if line else f"{name}: {text}"


def loss_texts(path: str, lost: Sequence[Lost]) -> tuple[str, ...]:
    """Return a line for each part that could not be read."""
    return tuple(_line_text(path, part.line, Fault(part.place, part.why).words) for part in lost)


def refuse_too_many(path: str, sections: Sections) -> None:
    count = sum(len(collection.get("runs", ())) for collection in sections.get("collections", ()))
    if count > MOST_RUNS:
        raise ProjectError(
            tr(
                "{path} was not opened: it has {count:,} runs, and a project can have at most {limit:,}. The file is "
                "unchanged.",
                path=path, count=count, limit=MOST_RUNS,
            )
        )  # fmt: skip


def read_files_of(
    sections: Sections, where: Where, missing: set[str], progress: Progress
) -> tuple[list[ReadFile], list[Trouble]]:  # fmt: skip
    """Read every file once except ``missing`` ones; judgments first, since ids of runs may be matched with them."""
    files: dict[str, ReadFile] = {}
    troubles: list[Trouble] = []
    every = sections.get("collections", ())
    for number, data in enumerate(every):

        def share(fraction: float, title: str, number: int = number) -> None:
            progress(0.8 * (number + fraction) / len(every), title)

        wanted = [(kind, reference) for kind, reference in read_references(data) if reference["file"] not in missing]
        judged = [_request(kind, reference, where, None) for kind, reference in wanted if kind == "qrels"]
        once = {request.path: request for request in judged if request.path not in files}  # a file has several judges
        reading = read_files(list(once.values()), share)
        qrels = next((file.loaded.value for file in reading.files if isinstance(file.loaded.value, Qrels)), None)
        rest = [_request(kind, reference, where, qrels) for kind, reference in wanted if kind != "qrels"]
        more = read_files([request for request in rest if request.path not in files], share)
        files.update({file.request.path: file for file in (*reading.files, *more.files)})
        troubles += [*reading.troubles, *more.troubles]
    return list(files.values()), troubles


def read_kept_runs(sections: Sections, project: Path) -> tuple[dict[str, Run], list[Trouble]]:
    """Return the runs stored in files beside the project."""
    runs: dict[str, Run] = {}
    troubles = []
    for data in sections.get("collections", ()):
        for row in (*data.get("runs", ()), *data.get("removed runs", ())):
            name = row.get("kept") or row.get("edited", {}).get("kept")
            if name is None or name in runs:
                continue
            from irviewer.formats.reading.derived_run import read_kept

            try:
                runs[name] = read_kept(project.with_name(Path(name).name), row["name"])
            except ParseError as error:
                text = f"{row['name']}: {error.reason}"
                troubles.append(Trouble(error.path, text, (error.path, error.hint)))
    return runs, troubles


def _request(kind: str, data: Mapping[str, Any], where: Where, qrels: Qrels | None) -> Request:
    return Request(where.path(data["file"]), kind, read_options=read_options_from(data.get("read")), qrels=qrels)


def read_references(data: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield (kind, entry) of every file in a collection's sections."""
    for part in ("queries", "documents", "zscores"):
        if "file" in data.get(part, {}):
            yield part, data[part]
    for part, kind in (("judgments", "qrels"), ("runs", "run")):
        for row in data.get(part, ()):
            if "file" in row:
                yield kind, row


def same_path(path: str, other: str) -> bool:
    """Return True if two paths are the same file."""
    return os.path.realpath(path) == os.path.realpath(other)
