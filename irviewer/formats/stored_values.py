"""Files of values: Parquet with a row for each run and query, a column for each measure, and what they depend on.

The column of a measure is null where the query was not evaluated for the run, and NaN where it has no value. The
metadata ``irviewer.values`` are JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from irviewer.errors import IrviewerError, OptionError, ParseError, name_some, printable
from irviewer.evaluation.evaluate import stored_rules
from irviewer.evaluation.results import ResultTable
from irviewer.formats.format import Loaded
from irviewer.formats.load_report import Finding, LoadReport
from irviewer.measures.records import measure_of_record, record_of
from irviewer.model.arrays import frozen, strings, values_of
from irviewer.model.dialects import DIALECTS
from irviewer.model.exchange.arrow_types import plain_column
from irviewer.model.judgments.digest import digest_of
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.stored_values import StoredValues
from irviewer.translation import tr
from irviewer.version import VERSION

KEY = b"irviewer.values"
SCHEMA = 1
_TAIL = 1 << 20
"""Bytes at the end of a file in which the key is searched: Parquet has its metadata there."""


def values_table(result: ResultTable, qrels: Qrels) -> pa.Table:
    """Return the values as a table for a file: the columns run, query, and one for each measure.

    Raises OptionError for values that could not be compared later: Z-scores, those of rules without a name, and those
    that depend on the lengths of documents."""
    options = result.options
    if options.lengths is not None:
        raise OptionError(tr("values that depend on the lengths of documents cannot be stored"))
    if options.rules.name not in DIALECTS:
        raise OptionError(tr("values of rules without a name cannot be stored; use a dialect that has one"))
    measures = [measure for measure in result.measures if not measure.is_text]
    if any(measure.text.startswith("Z(") for measure in measures):
        raise OptionError(tr("Z-scores cannot be stored; store the values, and give the reference means later"))
    counted = result.counted
    runs, places = np.nonzero(counted)
    columns: dict[str, Any] = {
        "run": pa.DictionaryArray.from_arrays(pa.array(runs.astype(np.int32)), strings(result.runs)),
        "query": strings(result.query_ids).take(pa.array(places)),
    }
    for measure in measures:
        columns[measure.text] = pa.array(result.of(measure.text)[1][counted], pa.float64(), from_pandas=False)
    about = {
        "schema": SCHEMA, "version": VERSION, "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "runs": list(result.runs), "measures": [record_of(measure) for measure in measures],
        "rules": stored_rules(options), "judgments": digest_of(qrels), "qrels": qrels.name,
        "missing": {name: list(ids) for name, ids in result.missing.items()},
        "unmatched": {each.run: asdict(each) for each in result.unmatched}, "cautions": list(map(str, result.cautions)),
        "protocol": "" if result.protocol is None else result.protocol.record(),
    }  # fmt: skip
    return pa.table(columns).replace_schema_metadata({KEY: json.dumps(about)})


def write_values(table: pa.Table, file: BinaryIO) -> None:
    """Write a table of values as Parquet."""
    from pyarrow import parquet

    parquet.write_table(table, file, compression="zstd")


def is_stored(path: str | Path) -> bool:
    """Return whether a file holds values, by its first and last bytes. A pipe, which can be read once, does not."""
    try:
        if not Path(path).is_file():
            return False
        with Path(path).open("rb") as file:
            if file.read(4) != b"PAR1":
                return False
            size = file.seek(0, 2)
            file.seek(max(0, size - _TAIL))
            return KEY in file.read()
    except (OSError, ValueError):
        return False


def read_stored(path: str | Path, *, name: str | None = None, part: str | None = None) -> Loaded:
    """Return a run of stored values: the first of the file, or ``part`` by its name there; a finding names all if there
    are several. Raises ParseError for a damaged file."""
    from pyarrow import parquet

    own = str(path)
    try:
        with Path(path).open("rb") as file:
            table = parquet.read_table(pa.PythonFile(file), partitioning=None)
        table.validate(full=True)
        about = json.loads(table.schema.metadata[KEY])
        if about["schema"] != SCHEMA:
            raise ParseError(own, tr("the values were written by a newer version of irviewer"))
        runs = list(map(str, about["runs"]))
        if part is not None and part not in runs:
            raise ParseError(own, tr("there is no run {run}; the runs are {names}", run=part, names=name_some(runs)))
        chosen = part if part is not None else runs[0]
        run = _run(own, table, about, chosen)
    except ParseError:
        raise
    except (pa.ArrowException, IrviewerError, OSError, LookupError, ValueError, TypeError, AttributeError) as error:
        reason = printable(" ".join(str(error).split()))[:200]
        raise ParseError(
            own, tr("the stored values are damaged: {reason}", reason=reason), hint=tr("evaluate the run again")
        ) from error
    findings: tuple[Finding, ...] = ()
    if len(runs) > 1:
        findings = (Finding(tr("the file has the values of {count:,} runs", count=len(runs)), len(runs), topic="part",
                            names=tuple(runs)),)  # fmt: skip
    run = run if name is None else run.renamed(name)
    report = LoadReport(own, "run", tr("stored values"), tr("a file of values"), (), findings, run.name)
    return Loaded("run", run, report, cacheable=False)


def _run(path: str, table: pa.Table, about: Mapping[str, Any], name: str) -> Run:
    own = table.filter(pc.equal(plain_column(table["run"]), name))
    query_ids = tuple(plain_column(own["query"]).to_pylist())
    missing = frozenset(about["missing"].get(name, ()))
    measures = [measure_of_record(record) for record in about["measures"]]
    values = {measure.text: frozen(values_of(plain_column(own[measure.text]))) for measure in measures}
    stored = StoredValues(
        path, query_ids, values, dict(about["rules"]), str(about["judgments"]), about["qrels"],
        about["unmatched"].get(name), tuple(about["cautions"]),
        {key: str(about[key]) for key in ("protocol", "version", "created")},
    )  # fmt: skip
    return Run.of_stored(name, tuple(query for query in query_ids if query not in missing), stored)
