"""A large run that no file holds, kept beside a project: a Parquet file named by the project and by what is in it.

Any tool reads its columns (query, document, score, parts of the score); rows stand as they stood in the file or were
made, so that ties are known too. Another run has another name: a file that is there and whole is not written again,
one that is damaged is."""

from __future__ import annotations

import contextlib
import json
import time
from hashlib import blake2b
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
import pyarrow as pa

from irviewer.errors import ParseError
from irviewer.formats.project_file import LEFT_OVER, SUFFIX, write_durably
from irviewer.formats.reading.file_state import State, state_of
from irviewer.model.arrays import group_of_each, places_of, strings, values_of
from irviewer.model.run import Run
from irviewer.paths import is_file

ENDING = ".parquet"
LAYOUT = 2
"""In every file, and in its name. Files of layout 1, which do not say it, may hold document ids that were cut."""
_ABOUT = b"irviewer run"
_PART = "part "
_DIGESTS: WeakKeyDictionary[Run, str] = WeakKeyDictionary()
_WHOLE: dict[Path, State] = {}  # files that were seen whole, as they were then


def kept_name(project: Path, run: Run) -> str:
    """The name of the file, in the project's own folder, that keeps the run."""
    return f"{project.name}-{_digest(run)}{ENDING}"


def write_kept(path: Path, run: Run) -> None:
    """Write the run, unless it is there and whole; when this returns it is on the disk. Raises ProjectError."""
    if _is_whole(path, run):
        return
    rows = _rows(run)
    about = {
        "queries": list(run.query_ids),
        "tag": run.tag,
        "attributes": run.attributes,
        "digest": _digest(run),
        "layout": LAYOUT,
    }
    names = pa.array(list(run.query_ids), pa.string())
    columns = {"query": names.take(places_of(group_of_each(rows.offsets))), "document": rows.doc_ids}
    columns |= {"score": _numbers(rows.scores)}
    columns |= {_PART + name: _numbers(values) for name, values in rows.components.items()}
    table = pa.table(columns).replace_schema_metadata({_ABOUT: json.dumps(about, default=str).encode()})

    def write(stream: Any) -> None:
        from pyarrow import parquet

        parquet.write_table(table, stream, use_dictionary=["query"])

    write_durably(path, write)
    _note_whole(path)


def _is_whole(path: Path, run: Run) -> bool:
    """True where the file holds the run, which is looked at when the file is another than when it was last whole."""
    try:
        if not path.exists():
            return False
        return _WHOLE.get(path) == state_of(path) or _digest(read_kept(path, run.name)) == _digest(run)
    except (ParseError, OSError):
        return False


def _note_whole(path: Path) -> None:
    with contextlib.suppress(OSError):
        _WHOLE[path] = state_of(path)


def read_kept(path: Path, name: str) -> Run:
    """The run that was kept. Raises ParseError where it is not there, or not what was kept."""
    from pyarrow import parquet

    lost = "the project keeps a run in this file, "
    if not is_file(path):
        raise ParseError(path, lost + "which is not there", hint="put it beside the project again, under that name")
    try:
        before = state_of(path)
        table = parquet.read_table(path)
        about = json.loads(table.schema.metadata[_ABOUT])
        place = {query: number for number, query in enumerate(about["queries"])}
        coded = strings(table["query"]).dictionary_encode()
        codes = np.array([place[query] for query in coded.dictionary.to_pylist()], np.int64)
        parts = [one for one in table.column_names if one.startswith(_PART)]
        run = Run.from_columns(
            tuple(about["queries"]),
            codes[values_of(coded.indices)],
            strings(table["document"]),
            values_of(table["score"].combine_chunks()),
            name=name,
            tag=about["tag"],
            attributes=about["attributes"],
            components={one.removeprefix(_PART): values_of(table[one].combine_chunks()) for one in parts},
        )
        whole = _digest(run, about.get("layout", 1)) == about["digest"]
    except (pa.ArrowException, OSError, ValueError, KeyError, TypeError, IndexError, RecursionError) as error:
        raise ParseError(path, lost + "which is damaged", hint="fetch it again from where it was copied") from error
    if not whole:
        raise ParseError(path, lost + "which was changed since", hint="fetch it again from where it was copied")
    _WHOLE[path] = before
    return run


def sweep_kept(project: Path) -> None:
    """Remove what was kept for a project and is named by no project of its folder any more. Nothing where a damaged
    copy of it is kept: what that named is not known."""
    if any(one.name.startswith(f"{project.name}.damaged") for one in project.parent.iterdir()):
        return
    mine = [one for one in project.parent.iterdir() if _belongs(one, project)]
    mine = [one for one in mine if time.time() - one.stat().st_mtime > LEFT_OVER]
    if not mine:
        return
    texts = [one.read_bytes() for one in project.parent.glob(f"*{SUFFIX}")]
    for one in mine:
        if not any(one.stem.rpartition("-")[2].encode() in text for text in texts):
            with contextlib.suppress(OSError):
                one.unlink()


def discard_kept(project: Path) -> None:
    """Remove what was kept for a project that is thrown away."""
    with contextlib.suppress(OSError):
        for one in [one for one in project.parent.iterdir() if _belongs(one, project)]:
            one.unlink()


def _belongs(path: Path, project: Path) -> bool:
    return path.name.startswith(f"{project.name}-") and path.name.endswith(ENDING)


def _digest(run: Run, layout: int = LAYOUT) -> str:
    """What the columns are, whatever the run is called."""
    known = _DIGESTS.get(run) if layout == LAYOUT else None
    if known is None:
        rows, found = _rows(run), blake2b(digest_size=10)
        found.update(repr((rows.query_ids, list(rows.components))).encode("utf-8", "surrogatepass"))
        if layout > 1:
            found.update(f"layout {layout}".encode())
        for array in (rows.offsets, rows.scores, *rows.components.values()):
            found.update(np.ascontiguousarray(array).data)
        if len(rows):
            _, starts, texts = rows.doc_ids.buffers()
            offsets = np.frombuffer(starts, np.int32)[rows.doc_ids.offset :][: len(rows) + 1]
            found.update(np.diff(offsets).data)
            found.update(memoryview(texts)[int(offsets[0]) : int(offsets[-1])])
        known = found.hexdigest()
        if layout == LAYOUT:
            _DIGESTS[run] = known
    return known


def _rows(run: Run) -> Run:
    """The run with ties as they stood."""
    return (run if run.original is None else run.original).reordered("arrival")


def _numbers(values: Any) -> Any:
    own = np.ascontiguousarray(values, np.float64)
    return pa.Array.from_buffers(pa.float64(), len(own), [None, pa.py_buffer(own)])
