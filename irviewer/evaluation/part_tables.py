"""The values of a part of a run as an Arrow table, which processes, machines and files can hold, and the result of all
parts."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict

import numpy as np
import pyarrow as pa

from irviewer.errors import OptionError
from irviewer.evaluation.blocks import JoinedParts, PartValues, beside, part_values
from irviewer.evaluation.bound_measure import BoundMeasure
from irviewer.evaluation.document_lengths import field_digests
from irviewer.evaluation.evaluate import bound_measures
from irviewer.evaluation.field_cautions import FieldGap
from irviewer.evaluation.results import ResultTable
from irviewer.measures.base import Measure
from irviewer.model.arrays import bytewise_order, frozen, places_of, strings, values_of
from irviewer.model.data_file import DataFile
from irviewer.model.exchange.arrow_types import plain_column
from irviewer.model.judgments.digest import digest_of_bytes
from irviewer.model.matching.unmatched import CommonIds, JudgedShare
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.translation import tr

KEY = b"irviewer.part"
OTHER = {
    "judgments": tr("other judgments"), "measures": tr("other measures"), "rules": tr("other rules"),
    "fields": tr("other fields of documents"),
}  # fmt: skip
"""What a table can differ in."""


def part_table(
    run: Run, qrels: Qrels, measures: Sequence[str | Measure], options: EvaluationOptions | None = None,
    files: Sequence[DataFile] = (),
) -> pa.Table:  # fmt: skip
    """Return the values of a part of a run: the columns query and one for each measure, null where a query is not
    evaluated; ``files`` are those that it was read from. Raises MeasureError."""
    options = options or EvaluationOptions()
    wanted = bound_measures(measures, qrels, options)
    options = beside(options, wanted)
    part = part_values(run, qrels, wanted, options)
    others = sorted(set(part.read).difference(part.query_ids))
    columns = {"query": strings([*part.query_ids, *others])}
    for bound, row in zip(wanted, part.values, strict=True):
        columns[bound.measure.text] = pa.concat_arrays(
            [pa.array(row, pa.float64()), pa.nulls(len(others), pa.float64())]
        )
    about = {
        "name": part.name, "computed": _computed(qrels, wanted, options), "common": asdict(part.common),
        "judged": asdict(part.judged), "gaps": [asdict(gap) for gap in part.gaps],
        "files": [asdict(file) for file in files],
    }  # fmt: skip
    return pa.table(columns).replace_schema_metadata({KEY: json.dumps(about)})


def joined_tables(
    tables: Iterable[pa.Table],
    qrels: Qrels,
    measures: Sequence[str | Measure],
    options: EvaluationOptions | None = None,
) -> ResultTable:
    """Return the result of all parts of a run, whose tables come in any order. Raises RepeatedQueryError for a query of
    two parts, and OptionError for a table of another evaluation."""
    options = options or EvaluationOptions()
    wanted = bound_measures(measures, qrels, options)
    options = beside(options, wanted)
    computed = _computed(qrels, wanted, options)
    parts = JoinedParts(qrels, wanted, options)
    for number, table in enumerate(tables, start=1):
        parts.add(_part(table, computed, wanted, number), _Numbered(number))
    return parts.result()


def files_of_part(table: pa.Table) -> tuple[DataFile, ...]:
    """Return the files that a part was read from, as its table says."""
    about = json.loads(table.schema.metadata[KEY])
    return tuple(DataFile(**file) for file in about.get("files", ()))


class _Numbered:
    """Says which table a query is in."""

    def __init__(self, number: int) -> None:
        self._number = number

    def __call__(self, query: str) -> str:
        return tr("partition {n:,}", n=self._number)


def _part(table: pa.Table, computed: dict[str, str], wanted: Sequence[BoundMeasure], number: int) -> PartValues:
    if not isinstance(table, pa.Table):
        text = tr("partition {n:,} is no table of irviewer.evaluate_partition: {reason}", n=number,
                  reason=type(table).__name__)  # fmt: skip
        raise OptionError(text)
    try:
        about = json.loads((table.schema.metadata or {})[KEY])
        for field, digest in computed.items():
            if about["computed"].get(field) != digest:
                raise OptionError(
                    tr("partition {n:,} was computed with {what}; evaluate it again", n=number, what=OTHER[field])
                )
        read = table["query"].to_pylist()
        columns = [table[bound.measure.text] for bound in wanted]
        places = np.flatnonzero(values_of(plain_column(columns[0]).is_valid()))
        ids = [read[place] for place in places.tolist()]
        order = bytewise_order(ids)
        values = [values_of(plain_column(column).take(places_of(places[order]))) for column in columns]
        common = about["common"]
        sample = common.pop("sample")
        return PartValues(
            about["name"], tuple(read), tuple(ids[place] for place in order.tolist()),
            frozen(np.array(values, dtype=np.float64).reshape(len(wanted), len(ids))),
            CommonIds(**{**common, "first": tuple(common["first"])},
                      sample=None if sample is None else (sample[0], tuple(sample[1]))),
            JudgedShare(**about["judged"]), tuple(FieldGap(**gap) for gap in about.get("gaps", ())),
        )  # fmt: skip
    except (KeyError, TypeError, ValueError, pa.ArrowException) as error:
        raise OptionError(
            tr("partition {n:,} is no table of irviewer.evaluate_partition: {reason}", n=number, reason=error)
        ) from error


def _computed(qrels: Qrels, wanted: Sequence[BoundMeasure], options: EvaluationOptions) -> dict[str, str]:
    """Return what the values depend on, each as a digest of it."""
    rules = {name: value for name, value in vars(options).items() if name in EvaluationOptions.__dataclass_fields__}
    rules["lengths"] = None  # those of fields are below
    fields = field_digests([bound.measure for bound in wanted], options.lengths)
    return {
        "judgments": qrels.digest,
        "measures": digest_of_bytes([bound.measure.text.encode("utf-8", "surrogateescape") for bound in wanted]),
        "rules": digest_of_bytes([repr(sorted((name, repr(value)) for name, value in rules.items())).encode()]),
        **({"fields": digest_of_bytes([repr(sorted(fields.items())).encode()])} if fields else {}),
    }
