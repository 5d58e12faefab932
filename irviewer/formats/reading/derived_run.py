"""Large runs without a file of their own, stored next to a project as Parquet files named by project and content.

Any tool can read their columns (query, document, score, components). Rows keep the order of the original file or of
their creation, which preserves ties. Different runs have different names: a valid file is not written again, a damaged
one is."""

from __future__ import annotations

import contextlib
import json
import time
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
from irviewer.translation import tr

ENDING = ".parquet"
LAYOUT = 2
"""The version of the layout, in every file and its name. Files of layout 1, without it, may have cut document ids."""
_ABOUT = b"irviewer run"
_PART = "part "
_DIGESTS: WeakKeyDictionary[Run, str] = WeakKeyDictionary()
_WHOLE: dict[Path, State] = {}  # the states in which files were found valid


def kept_name(project: Path, run: Run) -> str:
    """Return the name of the run's file in the project's folder."""
    return f"{project.name}-{_digest(run)}{ENDING}"


def write_kept(path: Path, run: Run) -> None:
    """Write the run unless its file is valid; when this returns it is on the disk. Raises ProjectError."""
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
    """Return True if the file has the run, which is checked if the file changed since it was last valid."""
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
    """Read a stored run. Raises ParseError if the file is missing, damaged or changed."""
    from pyarrow import parquet

    if not is_file(path):
        raise ParseError(
            path,
            tr("this file has a run of the project, and it is missing"),
            hint=tr("put it next to the project again, with this name"),
        )
    try:
        before = state_of(path)
        table = parquet.read_table(path)
        about = json.loads(table.schema.metadata[_ABOUT])
        place = {query: number for number, query in enumerate(about["queries"])}
        coded = strings(table["query"]).dictionary_encode()
        codes = np.array([place[query] for query in coded.dictionary.to_pylist()], np.int64)
        parts = [name for name in table.column_names if name.startswith(_PART)]
        run = Run.from_columns(
            tuple(about["queries"]),
            codes[values_of(coded.indices)],
            strings(table["document"]),
            values_of(table["score"].combine_chunks()),
            name=name,
            tag=about["tag"],
            attributes=about["attributes"],
            components={part.removeprefix(_PART): values_of(table[part].combine_chunks()) for part in parts},
        )
        whole = _digest(run, about.get("layout", 1)) == about["digest"]
    except (pa.ArrowException, OSError, ValueError, KeyError, TypeError, IndexError, RecursionError) as error:
        raise ParseError(
            path, tr("this file has a run of the project, and it is damaged"), hint=tr("copy it again from its source")
        ) from error
    if not whole:
        raise ParseError(
            path, tr("this file has a run of the project, and it was changed"), hint=tr("copy it again from its source")
        )
    _WHOLE[path] = before
    return run


def sweep_kept(project: Path) -> None:
    """Remove the runs stored for a project that no project of its folder refers to. Nothing is removed if there is a
    damaged copy of the project, whose references are not known."""
    if any(path.name.startswith(f"{project.name}.damaged") for path in project.parent.iterdir()):
        return
    stored = [path for path in project.parent.iterdir() if _belongs(path, project)]
    stored = [path for path in stored if time.time() - path.stat().st_mtime > LEFT_OVER]
    if not stored:
        return
    texts = [path.read_bytes() for path in project.parent.glob(f"*{SUFFIX}")]
    for path in stored:
        if not any(path.stem.rpartition("-")[2].encode() in text for text in texts):
            with contextlib.suppress(OSError):
                path.unlink()


def discard_kept(project: Path) -> None:
    """Remove the runs stored for a discarded project."""
    with contextlib.suppress(OSError):
        for path in [path for path in project.parent.iterdir() if _belongs(path, project)]:
            path.unlink()


def _belongs(path: Path, project: Path) -> bool:
    return path.name.startswith(f"{project.name}-") and path.name.endswith(ENDING)


def _digest(run: Run, layout: int = LAYOUT) -> str:
    """Return a digest of a run's columns, without its name."""
    from hashlib import blake2b  # it loads OpenSSL, 3.5 MB

    result = _DIGESTS.get(run) if layout == LAYOUT else None
    if result is None:
        rows, digest = _rows(run), blake2b(digest_size=10)
        digest.update(repr((rows.query_ids, list(rows.components))).encode("utf-8", "surrogatepass"))
        if layout > 1:
            digest.update(f"layout {layout}".encode())
        for array in (rows.offsets, rows.scores, *rows.components.values()):
            digest.update(np.ascontiguousarray(array).data)
        if len(rows):
            _, starts, texts = rows.doc_ids.buffers()
            offsets = np.frombuffer(starts, np.int32)[rows.doc_ids.offset :][: len(rows) + 1]
            digest.update(np.diff(offsets).data)
            digest.update(memoryview(texts)[int(offsets[0]) : int(offsets[-1])])
        result = digest.hexdigest()
        if layout == LAYOUT:
            _DIGESTS[run] = result
    return result


def _rows(run: Run) -> Run:
    """Return the run with ties in their original order."""
    return (run if run.original is None else run.original).reordered("arrival")


def _numbers(values: Any) -> Any:
    own = np.ascontiguousarray(values, np.float64)
    return pa.Array.from_buffers(pa.float64(), len(own), [None, pa.py_buffer(own)])
