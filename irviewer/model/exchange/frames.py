"""Data frames of any library (pandas, polars, PyArrow …) as rows of a run or of qrels, read through narwhals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from irviewer.errors import OptionError, name_some, printable
from irviewer.model.column_names import ColumnChoice, Roles, given_roles, judging_roles_of, plain_name, roles_of
from irviewer.model.exchange.arrow_types import plain_column
from irviewer.model.exchange.rows import (
    Kind,
    Rows,
    checked,
    coded,
    from_ranks,
    id_column,
    number_column,
)
from irviewer.model.judgments.explanations import Explanation, Explanations
from irviewer.model.judgments.strata import strata_of
from irviewer.translation import tr

if TYPE_CHECKING:
    import narwhals as nw

Columns = Mapping[str, str] | ColumnChoice | None

NO_FRAMES = frozenset({"builtins", "pathlib", "irviewer"})
"""Packages none of whose types is a data frame: names of files, dictionaries, what was read already."""

RUN_NAMES = ("tag", "runid", "run", "runtag", "runname", "system", "systemid")
"""Columns with the names of runs in a table of several; not ``name``, which may name anything."""


def as_frame(value: Any) -> nw.DataFrame[Any] | None:
    """Return a value as a data frame, a lazy one collected, a list of dictionaries with the same keys as the table of
    them; None if it is none. Raises OptionError for a broken one."""
    if isinstance(value, list | tuple) and value and is_row(value[0]):
        value = _table_of(value)
    if type(value).__module__.partition(".")[0] in NO_FRAMES:
        return None  # without narwhals, whose import takes 5 MB and a twentieth of a second
    import narwhals as nw
    from narwhals.exceptions import NarwhalsError

    try:
        frame = nw.from_native(value, pass_through=True)
        if isinstance(frame, nw.LazyFrame):
            frame = frame.collect()
    except NarwhalsError as fault:  # for example for two columns of the same name
        raise OptionError(
            tr("The table cannot be read: {reason}", reason=printable(" ".join(str(fault).split()))[:200])
        ) from fault
    return frame if isinstance(frame, nw.DataFrame) else None


def is_row(value: Any) -> bool:
    """Return whether a value is a row of a table, ``{"query_id": "1", "doc_id": "a", "score": 2.0}``."""
    if not isinstance(value, Mapping) or not value or not all(isinstance(key, str) for key in value):
        return False
    cells = value.values()
    return not any(isinstance(cell, Mapping) for cell in cells) and not all(
        isinstance(cell, list | tuple | set | frozenset) for cell in cells
    )


def _table_of(rows: Sequence[Any]) -> pa.Table:
    """Return a table with a row for each dictionary. Raises OptionError for another item."""
    for number, row in enumerate(rows):
        if not isinstance(row, Mapping):
            raise OptionError(
                tr(
                    "Item {n} is of type {kind}, not a record with named values as those before it.",
                    n=number, kind=type(row).__name__,
                )
            )  # fmt: skip
    names = dict.fromkeys(name for row in rows for name in row)
    return pa.table({str(name): _cells([row.get(name) for row in rows]) for name in names})


def _cells(values: list[Any]) -> pa.Array:
    """Return cells as an Arrow array, those of several types as texts."""
    try:
        return pa.array(values)
    except (pa.ArrowException, TypeError, ValueError, OverflowError):
        return pa.array([None if value is None else str(value) for value in values], pa.string())


def frame_rows(frame: nw.DataFrame[Any], kind: Kind, columns: Columns = None) -> Rows:
    """Return the rows of a data frame whose columns have known names (``column_names``) or are given by ``columns``.

    Raises OptionError for a missing column (listing the columns), a cell without id or number, a document that is
    listed twice for a query, and a table of several runs."""
    roles = frame_roles(frame, kind, columns)
    if kind == "run":
        names = run_names(frame, roles)
        if len(names) > 1:
            raise OptionError(
                tr(
                    "The table has {n} runs (column {column}: {names}). Filter it to one run, or pass it to "
                    "irviewer.evaluate, which takes several.",
                    n=len(names), column=roles.tag, names=name_some(names, 4),
                )
            )  # fmt: skip
    else:
        names = []
    return checked(_rows(frame, roles, names[0] if names else ""), kind)


def several_runs(frame: nw.DataFrame[Any], columns: Columns = None) -> list[Rows]:
    """Return the runs of a data frame: one for each value of the column of run names, or one without such a column."""
    roles = frame_roles(frame, "run", columns)
    names = run_names(frame, roles)
    if len(names) < 2:
        return [checked(_rows(frame, roles, names[0] if names else ""), "run")]
    ids = id_column(_arrow(frame, roles.tag), roles.tag)
    parts = []
    for name in names:
        mask = pc.equal(ids, name)
        parts.append(checked(_rows(frame, roles, name, mask), "run"))
    return parts


def judges_of_frame(frame: nw.DataFrame[Any], columns: Columns = None) -> list[tuple[str, Rows, Explanations]]:
    """Return the judges that a data frame of judgments names in a column, in order of appearance, each with its rows
    and what it wrote of them; none without such a column."""
    roles = frame_roles(frame, "qrels", columns)
    own = judging_roles_of([name for name in frame.columns if isinstance(name, str)], roles)
    if not own.judge or not len(frame):
        return []
    names = id_column(_arrow(frame, own.judge), own.judge)
    parts = []
    for name in pc.unique(names).to_pylist():
        mask = pc.equal(names, name)
        texts = [
            _texts(_arrow(frame, title).filter(mask)) if title else None
            for title in (own.explanation, own.model, own.confidence)
        ]
        queries = id_column(_arrow(frame, roles.query).filter(mask), roles.query).to_pylist()
        documents = id_column(_arrow(frame, roles.document).filter(mask), roles.document).to_pylist()
        said = (
            (query, document, Explanation(*("" if column is None else column[row] for column in texts)))
            for row, (query, document) in enumerate(zip(queries, documents, strict=True))
        )
        parts.append((str(name), checked(_rows(frame, roles, "", mask), "qrels"), Explanations.of(said)))
    return parts


def _texts(column: Any) -> list[str]:
    return ["" if cell is None or cell != cell else str(cell).strip() for cell in column.to_pylist()]


def run_names(frame: nw.DataFrame[Any], roles: Roles) -> list[str]:
    """Return the values of the column of run names, in order of appearance; none without such a column."""
    if not roles.tag or not len(frame):
        return []
    column = plain_column(_arrow(frame, roles.tag))
    return [str(name) for name in pc.unique(column).to_pylist() if name is not None]


def frame_roles(frame: nw.DataFrame[Any], kind: Kind, columns: Columns = None) -> Roles:
    """Return the columns' roles. Raises OptionError if the query, the document or the number is missing."""
    names = [name for name in frame.columns if isinstance(name, str)]
    given = columns.within(names) if isinstance(columns, ColumnChoice) else given_roles(columns or {}, names)

    def whole(name: str) -> bool:
        return bool(frame.schema[name].is_integer())

    roles = roles_of(names, whole, kind, given=given)
    if roles is None or (kind == "run" and not roles.value) or (kind == "qrels" and not roles.value):
        raise _unclear(frame, names, kind, given)
    if not given.get("tag") and plain_name(roles.tag) not in RUN_NAMES:
        roles = replace(roles, tag="")
    return roles


def _rows(frame: nw.DataFrame[Any], roles: Roles, name: str, mask: Any = None) -> Rows:
    def column(title: str) -> Any:
        values = _arrow(frame, title)
        return values if mask is None else values.filter(mask)

    query_ids, codes = coded(id_column(column(roles.query), roles.query))
    documents = id_column(column(roles.document), roles.document)
    values = number_column(column(roles.value), roles.value)
    if roles.by_rank:
        values = from_ranks(values, roles.value)
    subtopics = strata = None
    if roles.kind == "qrels" and roles.stratum:
        texts = _stratum_texts(column(roles.stratum))
        strata = strata_of(texts, values, given=roles.stratum_given)
    if roles.kind == "qrels" and roles.subtopic and strata is None:
        subtopics = id_column(column(roles.subtopic), roles.subtopic)
        subtopics = subtopics if len(pc.unique(subtopics)) > 1 else None
    return Rows(query_ids, codes, documents, values, subtopics, name, strata)


def _stratum_texts(column: Any) -> list[str]:
    """Return the names of strata, whole numbers without decimals, "" for an empty cell."""
    array = plain_column(column)
    whole = pa.types.is_floating(array.type)
    cells = array.to_pylist()
    return ["" if cell is None or cell != cell else str(int(cell) if whole and cell.is_integer() else cell).strip()
            for cell in cells]  # fmt: skip


def ids_of_frame(frame: nw.DataFrame[Any], name: str) -> list[str]:
    """Return a column of ids, whole numbers as their digits. Raises OptionError for a row without an id."""
    return id_column(_arrow(frame, name), name).to_pylist()  # type: ignore[no-any-return]


def _arrow(frame: nw.DataFrame[Any], name: str) -> Any:
    """Return a column as an Arrow array. Raises OptionError for cells of several types."""
    from narwhals.exceptions import NarwhalsError

    try:
        return frame.get_column(name).to_arrow()
    except (pa.ArrowException, NarwhalsError, TypeError, ValueError, OverflowError) as fault:
        reason = printable(" ".join(str(fault).split()))[:160]
        raise OptionError(
            tr(
                "Column {name} cannot be read ({reason}). Convert its cells to one type, for example with "
                "astype(str).",
                name=name, reason=reason,
            )
        ) from fault  # fmt: skip


def _unclear(frame: nw.DataFrame[Any], names: Sequence[str], kind: Kind, given: Mapping[str, str]) -> OptionError:
    columns = {role: given.get(role, "") for role in ("query", "document", "score", "rank", "grade")}
    probe = roles_of([*names, *_stand_ins(names)], lambda name: True, kind, given=given)
    if probe is not None:
        columns["query"] = probe.query if probe.query in names else ""
        columns["document"] = probe.document if probe.document in names else ""
        columns["value"] = probe.value if probe.value in names else ""
    number = "score or rank" if kind == "run" else "relevance"
    missing = [
        word
        for word, role in (("query_id", "query"), ("doc_id", "document"), (number, "value"))
        if not columns.get(role)
    ]
    hint = tr("Rename columns, or name them: columns={example}.", example=_example(missing))
    index = _index_names(frame)
    if index:
        hint = tr("The index has {names}: call reset_index() first.", names=name_some(index, 4))
    what = tr("a run") if kind == "run" else tr("qrels")
    return OptionError(
        tr(
            "The table cannot be read as {what}: there is no column for {missing}. The columns are: {names}. {hint}",
            what=what, missing=", ".join(missing), names=name_some(list(map(str, frame.columns)), 20) or "–", hint=hint,
        )
    )  # fmt: skip


def _stand_ins(names: Sequence[str]) -> list[str]:
    """Return substitutes for the columns that a table lacks, with which the roles of the others can be found."""
    return [f"{known}\0" for known in ("query", "passage", "value") if known not in names]


def _example(missing: Sequence[str]) -> str:
    words = {"query_id": "query", "doc_id": "doc", "score or rank": "score", "relevance": "relevance"}
    return "{" + ", ".join(f'"{words[role]}": "…"' for role in missing) + "}"


def _index_names(frame: nw.DataFrame[Any]) -> list[str]:
    """Return the names of a pandas index."""
    index = getattr(frame.to_native(), "index", None)
    return [str(name) for name in getattr(index, "names", ()) if name is not None]
