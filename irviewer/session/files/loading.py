"""Reading of files in the background: paths of any kinds become loaded values, errors and reports; no collection is
opened yet. Runs on a worker; knows the readers, not the session."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from irviewer.errors import ColumnsError, IrviewerError, ParseError, PatchError, name_some, short_name
from irviewer.formats.doctor import ReadOptions, treated
from irviewer.formats.load_report import Finding
from irviewer.formats.parts import PartsError, grouped, parts_of
from irviewer.formats.prose import is_named_as_prose, is_prose
from irviewer.formats.reading.memory import no_memory
from irviewer.formats.reading.opener import Opened, changed, refuse_pipe
from irviewer.model.attributes.tables import AttributeTable
from irviewer.model.column_names import ColumnChoice, header_key, parse_columns
from irviewer.model.judgments.overlay import PatchRow
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.workspace import Regime
from irviewer.paths import is_folder
from irviewer.session.files.changed_files import Stamp, stamp
from irviewer.session.files.samples import Sample
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.formats.load import Loaded

PROJECT = ".irviewer"

_BESIDE = re.compile(re.escape(PROJECT) + "(-|[.]damaged)")
"""A pattern of the names of files that belong to a project."""

MOST_SYSTEMS = 64
"""The systems that are read of one file of answers; of a file of more the first, as each is read on its own."""
MOST_FILES = 5_000
"""The largest number of open files: they take half a minute to read, and larger tables are of no use."""


@dataclass(frozen=True)
class Request:
    """One file to read; ``kind``, ``name`` and ``regime`` if they are known beforehand (samples);
    ``read_options`` if the user chose them, with the qrels that ids are matched with; ``known_columns``: header ->
    (kind, columns) that the user chose for other files; ``group`` the collection that a folder's files belong to, ""
    where their content decides; ``beside`` an open file of that collection, "" if the collection is new; ``found``:
    the file was found in a folder, and not named by the user; ``again``: values that are kept are not used;
    ``reread``: of an open file with several systems those that are open are wanted, and no others."""

    path: str
    kind: str | None = None
    name: str | None = None
    regime: Regime | None = None
    read_options: ReadOptions | None = None
    qrels: Qrels | None = field(default=None, compare=False, repr=False)
    group: str = ""
    beside: str = ""
    known_columns: Mapping[str, Sequence[str]] = field(default_factory=dict, compare=False, repr=False)
    found: bool = field(default=False, compare=False)
    again: bool = field(default=False, compare=False)
    reread: bool = field(default=False, compare=False)


@dataclass(frozen=True, eq=False)
class ReadFile:
    """A file that could be read."""

    request: Request
    loaded: Loaded
    stamp: Stamp | None = None  # from before it was read


@dataclass(frozen=True)
class Trouble:
    """A file that could not be read: one sentence, and details. ``topic``: the option with which it can be read, as
    named in ``errors``; "" if there is none."""

    path: str
    text: str
    details: tuple[str, ...] = ()
    topic: str = ""


@dataclass(frozen=True, eq=False)
class ReadPatch:
    """A judgment patch, to be applied to qrels."""

    request: Request
    rows: tuple[PatchRow, ...]


@dataclass(frozen=True, eq=False)
class ReadAttributes:
    """A table of attributes of queries or runs; ``trouble`` is why it is nothing else."""

    request: Request
    table: AttributeTable
    trouble: Trouble
    stamp: Stamp | None = None  # from before it was read


@dataclass(frozen=True, eq=False)
class LoadedFiles:
    """The results of the requests, each in their order; ``large`` are runs that are to be evaluated in blocks."""

    files: tuple[ReadFile, ...] = ()
    troubles: tuple[Trouble, ...] = field(default=())
    patches: tuple[ReadPatch, ...] = ()
    attributes: tuple[ReadAttributes, ...] = ()
    large: tuple[Request, ...] = ()


SEVERAL = 2
"""Folders with fewer collections are read file by file, and their content says what belongs together."""


def requests_of_folders(paths: Sequence[str]) -> tuple[tuple[Request, ...], tuple[tuple[str, str], ...], list[str]]:
    """Return requests for the collections in the folders among ``paths``, each file with its group; the files that
    belong to none, with the reason; and the other paths. Of fewer than SEVERAL collections, or more files than a folder
    of collections has, nothing but the paths."""
    from irviewer.formats.collection_folders import find_collections

    folders = [path for path in paths if path != "-" and not path.startswith("irds:") and is_folder(path)]
    if not folders:
        return (), (), list(paths)
    try:
        contents = find_collections(folders)
    except ParseError:
        return (), (), list(paths)
    if len(contents.collections) < SEVERAL:
        return (), (), list(paths)
    requests = []
    for collection in contents.collections:
        group = collection.name
        requests += [Request(str(path), "qrels", group=group) for path in collection.qrels]
        requests += [Request(str(path), "run", system, group=group) for system, path in collection.runs]
        requests += [Request(str(path), group=group) for path in collection.texts]
    skipped = tuple((str(path), reason) for path, reason in contents.skipped)
    return tuple(requests), skipped, [path for path in paths if path not in folders]


def requests_of(paths: Sequence[str]) -> tuple[Request, ...]:
    """Return a request for each file; a folder is replaced by the files below it except hidden ones, ``irds:ID`` by the
    parts of the dataset. Of more than ``MOST_FILES`` the first, and one more."""
    requests: dict[str, Request] = {}
    for path in paths:
        if len(requests) > MOST_FILES:
            break
        if path.startswith("irds:"):
            requests.update({request.path: request for request in _dataset(path)})
            continue
        for file in _files(path):
            requests.setdefault(os.path.realpath(file) if file != "-" else file, Request(file, found=file != path))
    return tuple(requests.values())


def _dataset(path: str) -> list[Request]:
    from irviewer.formats.texts.ir_datasets import parts_of

    return [Request(part, kind or None) for part, kind in parts_of(path)]


def requests_of_sample(sample: Sample) -> tuple[Request, ...]:
    """Return a request for each file of a sample."""
    return tuple(Request(str(file.path), file.kind, file.name, file.regime) for file in sample.files)


def read_files(
    requests: Sequence[Request], progress: Callable[[float, str], None], *, in_blocks: bool = False
) -> LoadedFiles:
    """Read the files; those that cannot be read become troubles, unless ``in_blocks`` also runs that are too large and
    were not evaluated before. ``progress`` is called before each file with the share of bytes read and a title; what it
    raises is passed on."""
    sizes = [max(1, _size(requested.path)) for requested in requests]
    total, done = sum(sizes), 0
    files: list[ReadFile] = []
    troubles: list[Trouble] = []
    patches: list[ReadPatch] = []
    attributes: list[ReadAttributes] = []
    large: list[Request] = []
    for request, size in zip(requests, sizes, strict=True):
        progress(done / total, tr("Reading {file}", file=Path(request.path).name))
        try:
            refuse_pipe(request.path)
            before = stamp(request.path)
            if _is_large(request):
                known = None if request.again else _kept(request)
                if known is None and in_blocks:
                    large.append(request)
                elif known is None:
                    text = tr("{file} is evaluated in blocks: open it again", file=Path(request.path).name)
                    troubles.append(Trouble(request.path, text))
                else:
                    files.append(ReadFile(request, known, before))
                done += size
                continue
            share = _Share(progress, done / total, size / total)
            request, result = _with_known_columns(request, files, share)
            if isinstance(result, ReadPatch):
                patches.append(result)
            else:
                files.append(ReadFile(request, result, before))
        except PartsError:  # runs of their own
            own = read_files([replace(request, path=part) for part in parts_of(request.path)], progress,
                                 in_blocks=in_blocks)  # fmt: skip
            files += own.files
            troubles += own.troubles
            attributes += own.attributes
            large += own.large
        except ParseError as error:
            if request.found and is_prose(request.path):
                continue
            name = Path(error.path).name
            if error.line:
                text = tr("{file}, line {line}: {reason}", file=name, line=error.line, reason=error.reason)
            else:
                text = f"{name}: {error.reason}"
            trouble = Trouble(request.path, text, _details(error), error.topic)
            when_read = stamp(request.path)
            table = _attributes(request, error)
            if table is None:
                troubles.append(trouble)
            else:
                attributes.append(ReadAttributes(request, table, trouble, when_read))
        except MemoryError:
            failure = no_memory(request.path)
            troubles.append(Trouble(request.path, f"{Path(request.path).name}: {failure.reason}", _details(failure)))
        except (IrviewerError, OSError) as error:
            troubles.append(Trouble(request.path, f"{Path(request.path).name}: {error or type(error).__name__}"))
        done += size
    return LoadedFiles(tuple(files), tuple(troubles), tuple(patches), tuple(attributes), tuple(large))


def _is_large(request: Request) -> bool:
    """Whether a file is a run that is read in blocks: how it is read was not chosen."""
    from irviewer.formats.blocks.sources import LARGE, is_large_run  # Arrow's readers are not needed to open a window

    if request.kind not in (None, "run") or request.read_options is not None or request.path == "-":
        return False
    return is_large_run(request.path, LARGE)


def _kept(request: Request) -> Loaded | None:
    """Return a large run as it was evaluated before; None if it was not, or has changed."""
    from irviewer.formats.blocks.kept_values import kept, loaded_values

    run = kept(request.path)
    return None if run is None else loaded_values(run if request.name is None else run.renamed(request.name))


def _attributes(request: Request, error: ParseError) -> AttributeTable | None:
    """Return the attributes in a file whose header is that of nothing else, None if it has none."""
    if request.kind is not None or request.read_options is not None or request.path == "-" or (error.line or 0) > 1:
        return None
    from irviewer.formats.attribute_tables import read_attributes

    if isinstance(error, ColumnsError) and any("[]" in name for name in error.names):
        return None  # lists by query, not a table of queries
    try:
        refuse_pipe(request.path)  # to open it would wait for ever
        return read_attributes(request.path)
    except (IrviewerError, OSError):
        return None


def _with_known_columns(
    request: Request, before: Sequence[ReadFile], progress: Callable[[float], None]
) -> tuple[Request, Loaded | ReadPatch]:
    """Read a file; one whose header is unknown, with the columns that were chosen for such a header before."""
    try:
        return request, _read_or_patch(request, before, progress)
    except ColumnsError as error:
        known = request.known_columns.get(header_key(error.names))
        if known is None or request.read_options is not None or request.path == "-":
            raise
        kind, columns = known
        request = replace(request, read_options=ReadOptions(kind=kind, columns=columns))
        return request, _read_or_patch(request, before, progress)


def _read_or_patch(
    request: Request, before: Sequence[ReadFile], progress: Callable[[float], None]
) -> Loaded | ReadPatch:  # fmt: skip
    try:
        return _read(request, before, progress)
    except PatchError:
        if request.path == "-":  # standard input can be read only once
            raise
        from irviewer.formats.judgment_patch import read_patch

        return ReadPatch(request, read_patch(request.path))


def _read(request: Request, before: Sequence[ReadFile], progress: Callable[[float], None]) -> Loaded:
    """Read one file with its options; of answers, or labels of them, all systems, unless one was chosen. Raises
    ParseError also if the file changes between its systems."""
    when_read = stamp(request.path)
    loaded = _read_part(request, before, progress, None)
    names = next((note.names for note in loaded.report.findings if note.topic == "part"), ())
    run = loaded.value
    if not isinstance(run, Run) or run.answered is None or not 1 < len(names) <= MOST_SYSTEMS:
        return loaded
    if request.read_options is not None and request.read_options.part is not None:
        return loaded
    from irviewer.formats.load import opened_once  # as in _read_part

    opened = opened_once(request.path)
    others = [_read_part(replace(request, name=None), before, progress, name, opened) for name in names[1:]]
    if stamp(request.path) != when_read:
        raise changed(request.path)
    return _of_systems([loaded, *others], names)


def _of_systems(every: Sequence[Loaded], names: Sequence[str]) -> Loaded:
    """Return what a file has of several systems as one value: the runs, and the notes about each."""
    runs = [each.value for each in every if isinstance(each.value, Run)]
    text = tr("the file has {count:,} systems, and all are read: {runs}", count=len(names), runs=name_some(names, 4))
    notes = [Finding(text, len(names), serious=False)]
    for run, each in zip(runs, every, strict=True):
        own = [note for note in each.report.findings if note.topic != "part"]
        notes += [replace(note, text=f"{short_name(run.name)}: {note.text}") for note in own]
    report = replace(every[0].report, findings=tuple(notes))
    return replace(every[0], report=report, systems=tuple(runs))


def _read_part(
    request: Request,
    before: Sequence[ReadFile],
    progress: Callable[[float], None],
    part: str | None,
    opened: Opened | None = None,
) -> Loaded:
    """Read one run of a file with its options, and with the newest qrels if these were just read too; the first run
    without a ``part``. The file is ``opened`` already for another of its parts."""
    from irviewer.formats.load import load  # Arrow's readers are not needed for the window to open

    read_options = request.read_options
    cached: Literal["keep", "no"] = "keep" if part is None else "no"
    if read_options is None:
        return load(request.path, kind=request.kind, name=request.name, part=part, progress=progress, cached=cached,
                    judges=True, stored=True, opened=opened)  # fmt: skip

    loaded = load(
        request.path, kind=read_options.kind or request.kind, name=request.name, duplicates=read_options.duplicates,
        format=read_options.format, part=read_options.part if part is None else part, progress=progress, cached=cached,
        columns=None if read_options.columns is None else ColumnChoice(parse_columns(read_options.columns)),
        judges=True, stored=True, opened=opened,
    )  # fmt: skip
    qrels = request.qrels
    for file in before:
        value = file.loaded.value
        if qrels is not None and isinstance(value, Qrels) and value.origin == qrels.origin:
            qrels = value
    return treated(loaded, read_options, qrels)


@dataclass(frozen=True)
class _Share:
    """Progress within one file, as a share of all of them."""

    progress: Callable[[float, str], None]
    begin: float
    width: float

    def __call__(self, share: float) -> None:
        self.progress(self.begin + share * self.width, tr("Indexing documents"))


def _details(error: ParseError) -> tuple[str, ...]:
    lines = [error.path]
    if error.text:
        lines.append(tr("line {line}: {text}", line=error.line, text=error.text) if error.line else error.text)
    hints = [error.hint] if error.hint else []
    if error.topic == "columns":
        hints.append(tr("Choose what each column holds in File > Resolve > Name columns…."))
    elif error.topic:
        hints.append(tr("Help > File doctor… reads the file with that option."))
    return (*lines, error.reason, *hints)


def _files(path: str) -> list[str]:
    if path == "-" or not is_folder(path):
        return [path]
    below = (file for file in Path(path).rglob("*") if file.is_file())
    inside = (file for file in below if not any(part.startswith(".") for part in file.relative_to(path).parts))
    # A project holds no data files; the runs stored beside it are opened with it.
    inside = (file for file in inside if file.suffix != PROJECT and not _BESIDE.search(file.name))
    inside = (file for file in inside if not is_named_as_prose(file.name))
    return grouped(str(file) for file in sorted(islice(inside, MOST_FILES + 1), key=_place))


def _place(file: Path) -> tuple[tuple[bool, str], ...]:
    """Return what files are sorted by: those of a folder go before those of its folders, since the first qrels are the
    judge in view, and further judges lie in a folder. A name goes before those that it begins."""
    *folders, name = file.parts
    return (*((True, folder) for folder in folders), (False, name.replace(".", "\0")))


def _size(path: str) -> int:
    try:
        return Path(path).stat().st_size
    except OSError:
        return 1
