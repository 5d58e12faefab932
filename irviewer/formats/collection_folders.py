"""Collections in folders as they come: BEIR's layout (a folder a data set, ``qrels/test.tsv``), pyserini's run names
(``run.beir-v1.0.0-scifact.bm25-flat.txt``), qrels and runs side by side. What is none of them is skipped, and said.

A file's name says what it is where it can, its content where not. Nothing is read as a whole here."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from irviewer.errors import IrviewerError, ParseError
from irviewer.formats.load import detect
from irviewer.formats.parts import grouped, name_of_parts
from irviewer.formats.prose import is_named_as_prose, is_prose
from irviewer.formats.reading.opener import open_bytes
from irviewer.paths import is_folder
from irviewer.translation import tr

Role = Literal["qrels", "run", "queries", "documents"]

MOST_FILES = 20_000
"""The most files below a folder that are checked, so that a home folder is not taken for a collection."""
DEEPEST = 6
LARGE = 200 << 20
"""Bytes of a file beyond which its name alone says what it is: a corpus."""

_ROLES: dict[str, Role] = {
    "qrels": "qrels", "qrel": "qrels", "judgments": "qrels", "judgements": "qrels",
    "runs": "run", "run": "run", "results": "run", "rankings": "run",
    "queries": "queries", "topics": "queries", "corpus": "documents", "documents": "documents", "docs": "documents",
}  # fmt: skip
"""What is in a folder of this name."""
_PLAIN = frozenset({*_ROLES, "dataset", "datasets", "data", "topics-and-qrels"})
"""Names of folders that name no collection."""
_SPLITS = ("test", "eval", "dev", "validation", "valid", "train")
"""Parts of a data set, the one to evaluate first."""
_ENDINGS = re.compile(
    r"\.(gz|bz2|xz|lz4|zst|txt|tsv|csv|trec|run|res|results|json|jsonl|parquet|qrels?|rel|xml|list)$", re.IGNORECASE
)
_NOISE = re.compile(r"(?:^|[._\s-])(runs?|qrels?|beir|v\d+\.\d+\.\d+|topics)(?=[._\s-]|$)", re.IGNORECASE)
_SPLIT = re.compile(rf"(?:^|[._\s-])({'|'.join(_SPLITS)})(?=[._\s-]|$)", re.IGNORECASE)


@dataclass(frozen=True)
class CollectionFiles:
    """The files of one collection; ``runs`` are pairs of system and path. ``qrels`` are judgment sets in the order of
    preference: the first whose ids are those of the runs is the one. ``texts`` are all files of queries and documents,
    whose content says which of both they are; ``queries`` and ``documents`` the first of each by name."""

    name: str
    qrels: tuple[Path, ...]
    runs: tuple[tuple[str, Path], ...]
    queries: Path | None = None
    documents: Path | None = None
    texts: tuple[Path, ...] = ()


@dataclass(frozen=True)
class FolderContents:
    """What was found below folders: collections with qrels and a run, and what was skipped with the reason."""

    collections: tuple[CollectionFiles, ...]
    skipped: tuple[tuple[Path, str], ...]


@dataclass
class _Place:
    """The files of a folder that names a collection, and of its folders of qrels, runs …"""

    folder: Path
    files: dict[Role, list[Path]] = field(
        default_factory=lambda: {"qrels": [], "run": [], "queries": [], "documents": []}
    )


def find_collections(folders: Sequence[str | Path]) -> FolderContents:
    """Find the collections below folders. Raises ParseError where a folder is none, or holds too many files."""
    places: dict[Path, _Place] = {}
    skipped: list[tuple[Path, str]] = []
    seen: set[Path] = set()
    for folder in map(Path, folders):
        if not is_folder(folder):
            raise ParseError(folder, tr("this is not a folder"), hint=tr("give folders that hold qrels and runs"))
        for path in _files(folder):
            if path.resolve() in seen:  # a folder may be given twice, and beside the one that it lies in
                continue
            seen.add(path.resolve())
            role = _role(path, skipped)
            if role is not None:
                owner = _owner(path, folder)
                places.setdefault(owner, _Place(owner)).files[role].append(path)
    for place in places.values():
        place.files["run"] = [Path(path) for path in grouped(map(str, place.files["run"]))]
    collections: list[CollectionFiles] = []
    runs_alone: list[_Place] = []
    parts: list[_Part] = []
    for folder, place in places.items():
        if place.files["qrels"] and not place.files["run"] and _within_another(folder, places):
            reason = tr("judgments below a folder that has judgments and runs of its own")
            skipped += [(path, reason) for path in place.files["qrels"]]
        elif place.files["qrels"]:
            parts += _parts(place, skipped)
        elif place.files["run"]:
            runs_alone.append(place)
        else:
            reason = tr("queries or documents without qrels")
            skipped += [(path, reason) for paths in place.files.values() for path in paths]
    for place in runs_alone:
        for path in place.files["run"]:
            part = _part_named(path, place, parts)
            if part is None:
                skipped.append((path, tr("a run whose name and folder match none of the collections")))
            else:
                part.runs.append(path)
    for part in parts:
        if not part.runs:
            skipped += [(path, tr("qrels without a run")) for path in part.qrels]
            continue
        systems = _systems(part)
        collections.append(
            CollectionFiles(_free(part.name, [collection.name for collection in collections]), part.qrels, systems,
                            part.queries, part.documents, part.texts)
        )  # fmt: skip
    return FolderContents(tuple(collections), tuple(skipped))


def _within_another(folder: Path, places: Mapping[Path, _Place]) -> bool:
    above = (places[parent] for parent in folder.parents if parent in places)
    return any(place.files["qrels"] and place.files["run"] for place in above)


@dataclass
class _Part:
    """Qrels with what goes with them; ``key`` is what names the data set in files' names, "" where the folder does."""

    name: str
    key: str
    folder: Path
    qrels: tuple[Path, ...]
    runs: list[Path]
    queries: Path | None = None
    documents: Path | None = None
    texts: tuple[Path, ...] = ()


def _files(folder: Path) -> Iterator[Path]:
    """The files below a folder, sorted by path, without pipes and devices, whose reading may never end."""
    count = 0
    for parent, folders, names in os.walk(folder):
        depth = len(Path(parent).relative_to(folder).parts)
        folders[:] = sorted(name for name in folders if not name.startswith((".", "__"))) if depth < DEEPEST else []
        for name in sorted(names):
            if not name.startswith("."):
                count += 1
                if count > MOST_FILES:
                    raise ParseError(
                        folder, tr("more than {n:,} files are below this folder", n=MOST_FILES),
                        hint=tr("give the folder of the collections itself"),
                    )  # fmt: skip
                path = Path(parent, name)
                if path.is_file() or not path.exists():  # a link to a missing file is reported later
                    yield path


def _role(path: Path, skipped: list[tuple[Path, str]]) -> Role | None:
    """What a file is; None where it is skipped, which is noted but for papers and programs."""
    name = path.name
    if is_named_as_prose(name):
        return None
    stem = _stem(name)
    first = re.split(r"[._\s-]", stem.casefold())[0]
    named = _ROLES.get(first) or _ROLES.get(stem.casefold())
    if named in ("documents", "queries"):
        return named
    try:
        if path.stat().st_size > LARGE:
            folder = _ROLES.get(path.parent.name.casefold())
            return named or folder or "documents"
        detected = detect(open_bytes(str(path)))
    except (IrviewerError, OSError) as fault:
        if is_prose(path):
            return None
        reason = fault.reason if isinstance(fault, ParseError) else str(fault)
        skipped.append((path, reason))
        return None
    kind = detected.kind
    if kind in ("qrels", "run"):
        if detected.guess:  # three columns may be either: the name of the file or its folder decides where it says so
            for said in (named, _ROLES.get(path.parent.name.casefold())):
                if said in ("qrels", "run"):
                    return said
        return "qrels" if kind == "qrels" else "run"
    if kind == "queries":
        return "queries"
    if kind in ("documents", "texts"):
        return "documents"
    skipped.append((path, tr("neither qrels nor a run")))
    return None


def _owner(path: Path, root: Path) -> Path:
    """The nearest folder above a file that names a collection; the root where none does."""
    folder = path.parent
    while folder != root and (folder.name.casefold() in _PLAIN or _made(folder.name)):
        folder = folder.parent
    return folder


def _made(name: str) -> bool:
    """Folders such as ``runs_made`` and ``qrels-v2``, which begin with a role."""
    return re.split(r"[._\s-]", name.casefold())[0] in _ROLES


def _stem(name: str) -> str:
    while _ENDINGS.search(name):
        name = _ENDINGS.sub("", name)
    return name


def _key(path: Path) -> str:
    """What is left of the name of qrels without what every such name has: the data set, or nothing."""
    return _clean(_SPLIT.sub("", _NOISE.sub("", _stem(path.name))))


def _clean(text: str) -> str:
    return re.sub(r"[._\s-]{2,}", "-", text).strip("._- ")


def _parts(place: _Place, skipped: list[tuple[Path, str]]) -> list[_Part]:
    """The collections of a folder that holds qrels: one, or one a data set that its qrels name where runs do, too."""
    groups: dict[str, list[Path]] = {}
    for path in place.files["qrels"]:
        groups.setdefault(_key(path), []).append(path)
    chosen = {key: _split(paths, skipped) for key, paths in groups.items()}
    runs = place.files["run"]
    if len(chosen) > 1:
        by_name = {key: [path for path in runs if key and _names(path, key)] for key in chosen}
        several = sum(bool(paths) for paths in by_name.values()) > 1 or not runs
        if several:
            left = [path for path in runs if not any(path in paths for paths in by_name.values())]
            skipped += [(path, tr("a run whose name matches none of the qrels in its folder")) for path in left]
            return [
                _Part(key or place.folder.name, key, place.folder, (path,), _longest(by_name, key))
                for key, path in chosen.items()
            ]
        order = sorted(chosen.values(), key=lambda path: (not path.name.casefold().startswith("qrel"), path.name))
    else:
        order = list(chosen.values())
    queries, documents = (next(iter(place.files[role]), None) for role in ("queries", "documents"))
    texts = tuple(path for role in ("documents", "queries") for path in place.files[role])
    return [_Part(_name(place.folder), "", place.folder, tuple(order), list(runs), queries, documents, texts)]


def _name(folder: Path) -> str:
    return folder.resolve().name if folder.name in ("", ".", "..") else folder.name


def _longest(by_name: dict[str, list[Path]], key: str) -> list[Path]:
    """The runs that name a data set and none of a longer name (``trec-covid`` and ``covid``)."""
    longer = [other for other in by_name if len(other) > len(key)]
    return [path for path in by_name[key] if not any(path in by_name[other] for other in longer)]


def _split(paths: list[Path], skipped: list[tuple[Path, str]]) -> Path:
    """The qrels to evaluate of several parts of a data set: test before dev before train."""

    def rank(path: Path) -> tuple[int, str]:
        match = _SPLIT.search(_stem(path.name))
        word = match[1].casefold() if match else ""
        return (_SPLITS.index(word) if word in _SPLITS else 1, path.name)

    order = sorted(paths, key=rank)
    skipped += [(path, tr("another split of the judgments: {used} is used", used=order[0].name)) for path in order[1:]]
    return order[0]


def _names(path: Path, key: str) -> bool:
    """Whether a file's name has a data set's name between separators."""
    pattern = _pattern(key)
    return pattern is not None and pattern.search(path.name) is not None


def _pattern(dataset: str) -> re.Pattern[str] | None:
    """A data set's name between separators, however its words are separated; None where it has no word."""
    words = [re.escape(word) for word in re.split(r"[._\s-]+", dataset) if word]
    within = r"[._\s-]*".join(words)
    return re.compile(rf"(?:^|(?<=[._\s-])){within}(?=[._\s-]|$)", re.IGNORECASE) if words else None


def _part_named(path: Path, place: _Place, parts: Sequence[_Part]) -> _Part | None:
    """The collection that a run belongs to which lies apart from its qrels: named by a folder above it, else by its
    own name, the longest name that fits."""
    folders = [name.casefold() for name in path.parts[:-1]]
    for part in sorted(parts, key=lambda candidate: -len(candidate.name)):
        if part.folder not in path.parents and part.name.casefold() in folders:
            return part
    fitting = [part for part in parts if _names(path, part.key or part.name)]
    del place
    return max(fitting, key=lambda part: len(part.key or part.name), default=None)


def _systems(part: _Part) -> tuple[tuple[str, Path], ...]:
    """Each run with the system's name: the file's without the data set and what every such name has."""
    named_paths: list[tuple[str, Path]] = []
    for path in part.runs:
        name = _free(system_name(path, part.key or part.name), [name for name, _ in named_paths])
        named_paths.append((name, path))
    return tuple(named_paths)


def system_name(path: Path, dataset: str) -> str:
    """The system in a run's file name, without the data set's name: ``run.beir-v1.0.0-scifact.bm25-flat.txt`` is
    ``bm25-flat``; where nothing is left, the folder's name."""
    stem = _stem(name_of_parts(str(path)) if "*" in path.name else path.name)
    pattern = _pattern(dataset)
    short = pattern.sub("", stem) if pattern is not None else stem
    if short != stem:
        short = _SPLIT.sub("", short)
    name = _clean(_NOISE.sub("", short))
    if name:
        return name
    folder = path.parent.name
    return stem if folder.casefold() in _PLAIN or folder.casefold() == dataset.casefold() else folder


def _free(name: str, taken: Sequence[str]) -> str:
    if name not in taken:
        return name
    return next(f"{name} ({number})" for number in range(2, len(taken) + 3) if f"{name} ({number})" not in taken)
