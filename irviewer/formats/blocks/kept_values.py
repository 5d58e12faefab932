"""The values and places of a run that was evaluated in blocks, kept in the cache folder, so that it is open at once the
next time: a file of stored values with a further column, the block of each query.

It is that of a path: a later evaluation of the run replaces it, and it is not used once a file of the run changed, nor
by another program than the one that computed the values."""

from __future__ import annotations

import contextlib
import hashlib
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa

from irviewer.errors import IrviewerError
from irviewer.evaluation.results import ResultTable
from irviewer.formats.blocks.places import Noted, Places
from irviewer.formats.blocks.text_blocks import file_state
from irviewer.formats.format import Loaded
from irviewer.formats.load_report import Finding, LoadReport
from irviewer.formats.part_files import file_to_replace
from irviewer.formats.parts import gap_in, parts_of
from irviewer.formats.reading.cache_folder import cache_folder, cache_limit, trim, used
from irviewer.formats.reading.program import program
from irviewer.formats.stored_values import runs_of_table, values_table, write_values
from irviewer.model.arrays import frozen, values_of
from irviewer.model.exchange.arrow_types import plain_column
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.translation import decimal, tr

FOLDER = "values"
PLACES = b"irviewer.places"
_BLOCK = "block"


def table_with_places(result: ResultTable, qrels: Qrels, noted: Noted) -> pa.Table:
    """Return the values of the one run of a result with the places of its queries."""
    table = values_table(result, qrels)
    queries = tuple(plain_column(table["query"]).to_pylist())
    places = noted.places(result.runs[0], queries)
    blocks = np.full(len(queries), -1, np.int32)
    of_query = places.index
    rows = np.array([of_query.get(query, -1) for query in queries], np.int64)
    blocks[rows >= 0] = places.block_of[rows[rows >= 0]]
    metadata = {**table.schema.metadata, PLACES: json.dumps({**places.record, "program": program()})}
    return table.append_column(_BLOCK, pa.array(blocks)).replace_schema_metadata(metadata)


def run_of_table(path: str, table: pa.Table) -> Run:
    """Return the run of a table with places. Raises as :func:`runs_of_table`."""
    run = runs_of_table(path, table.drop_columns([_BLOCK]))[0]
    stored = run.stored
    assert stored is not None
    blocks = values_of(plain_column(table[_BLOCK]).cast(pa.int32()))
    if run.query_ids != stored.query_ids:
        had = set(run.query_ids)
        blocks = blocks[np.array([query in had for query in stored.query_ids], dtype=np.bool_)]
    record = json.loads(table.schema.metadata[PLACES])
    places = Places.of_record(record, run.query_ids, frozen(blocks))
    return Run.of_stored(run.name, run.query_ids, replace(stored, lists=places))


def keep(path: str, table: pa.Table) -> None:
    """Keep a table with places, if the folder can be written."""
    place = _place(path)
    with contextlib.suppress(OSError, IrviewerError):
        place.parent.mkdir(parents=True, exist_ok=True)
        with file_to_replace(place) as stream:
            write_values(table, stream)
        trim(place.parent, cache_limit(), {place})


def kept(path: str) -> Run | None:
    """Return the run of a path as it was evaluated before; None if it was not, or if one of its files changed."""
    from pyarrow import parquet

    place = _place(path)
    try:
        with place.open("rb") as file:
            table = parquet.read_table(pa.PythonFile(file), partitioning=None, read_dictionary=["run"])
        table.validate(full=True)
        if not program() or json.loads(table.schema.metadata[PLACES])["program"] != program():
            return None
        run = run_of_table(path, table)
    except (OSError, pa.ArrowException, IrviewerError, LookupError, ValueError, TypeError, AttributeError):
        return None
    assert run.stored is not None
    places = run.stored.lists
    assert isinstance(places, Places)
    if not places.files or any(file_state(file) != state for file, state in places.files):
        return None
    used(place)
    return run


def loaded_values(run: Run) -> Loaded:
    """Return the values of a run that was evaluated in blocks as the content of its file."""
    facts = ((tr("queries"), decimal(f"{len(run.query_ids):,}")),)
    gap, count = gap_in(run.origin, parts) if (parts := parts_of(run.origin)) else ("", 0)
    notes = (Finding(gap, count, everywhere=True),) if gap else ()
    report = LoadReport(
        run.origin, "run", tr("run read in blocks"), tr("it is too large to be read as a whole"), facts, notes, run.name
    )
    return Loaded("run", run, report, cacheable=False, stored=(run,))


def _place(path: str) -> Path:
    digest = hashlib.sha256(str(Path(path).absolute()).encode("utf-8", "surrogateescape")).hexdigest()[:32]
    return cache_folder(FOLDER) / f"{digest}.parquet"
