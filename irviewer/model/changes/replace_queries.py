"""Replacement of single queries in qrels and runs, for edited judgments and edited lists.

A part is the qrels or the run of one query. Parts are extracted, concatenated, and put in place of a query's rows. Rows
that are not replaced are copied or shared, never computed again. Independent of overlays, measures and joins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from irviewer.model.arrays import Floats, Ints, Strings, distinct, frozen, group_of_each, offsets_of, strings
from irviewer.model.judgments.multiple import Assessments
from irviewer.model.judgments.strata import joined_strata
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run

NO_GROUP = "0"
"""The group of a judgment without one in qrels that have groups, as trec_eval writes it."""


# --- qrels ---


def qrels_part(qrels: Qrels, query_id: str) -> Qrels:
    """Return the judgments of one query; none if the qrels lack it. Rows share the qrels' memory."""
    position = qrels.query_index.get(query_id)
    start, stop = (0, 0) if position is None else (int(qrels.offsets[position]), int(qrels.offsets[position + 1]))
    assessments = qrels.assessments
    if assessments is not None:
        first, last = (0, 0) if position is None else _assessment_offsets(qrels)[position : position + 2].tolist()
        assessments = replace(
            assessments,
            rows=assessments.rows[first:last] - start,
            grades=assessments.grades[first:last],
            codes=assessments.codes[first:last],
            sub_codes=None if assessments.sub_codes is None else assessments.sub_codes[first:last],
        )
    return Qrels(
        qrels.name,
        (query_id,),
        np.array([0, stop - start], dtype=np.int64),
        qrels.doc_ids[start:stop],
        qrels.grades[start:stop],
        assessments,
        strata=None if qrels.strata is None else qrels.strata.at(np.arange(start, stop)),
    )


def regraded_part(qrels: Qrels, query_id: str, grades: Mapping[str, float | None], names: Qrels) -> Qrels:
    """Return the judgments of one query with changed grades; None removes a judgment, new documents are appended.

    Where the qrels have groups (subtopics, judges), the new grade is given to every row of the document, and a new
    document has a row for every group of the query: the user graded the document, not a group. Where no document is in
    two groups, the second column is an iteration or a round, and a new document has one row without a group.
    Groups are numbered as in ``names``, qrels made from these."""
    part = qrels_part(qrels, query_id)
    ids = part.doc_ids.to_pylist()
    place = {doc: row for row, doc in enumerate(ids)}
    values = part.grades.copy()
    keep = np.ones(len(ids), dtype=np.bool_)
    new: dict[str, float] = {}
    changed = np.zeros(len(ids), dtype=np.bool_)
    for doc, grade in grades.items():
        row = place.get(doc)
        if row is None:
            if grade is not None:
                new[doc] = grade
        elif grade is None:
            keep[row] = False
        elif values[row] != grade:
            values[row], changed[row] = grade, True
    doc_ids = strings([doc for doc, is_kept in zip(ids, keep, strict=True) if is_kept] + list(new))
    assessments = qrels.assessments
    if assessments is not None:
        grouped = assessments.in_several or assessments.sub_codes is not None
        assessments = _regraded_assessments(part, values, keep, changed, list(new.values()), names, grouped=grouped)
    values = np.concatenate([values[keep], np.array(list(new.values()), dtype=np.float64)])
    strata = part.strata
    if strata is not None:  # a new document is in no stratum
        strata = strata.at(np.concatenate([np.flatnonzero(keep), np.full(len(new), -1, dtype=np.int64)]))
    offsets = np.array([0, len(values)], dtype=np.int64)
    return Qrels(part.name, (query_id,), offsets, doc_ids, values, assessments, strata=strata)


def _regraded_assessments(
    part: Qrels, values: Floats, keep: npt.NDArray[np.bool_], changed: npt.NDArray[np.bool_], new: list[float],
    names: Qrels, *, grouped: bool,
) -> Assessments:  # fmt: skip
    own, known = part.assessments, names.assessments
    assert own is not None
    assert known is not None
    texts = known.names
    groups = distinct(own.codes)
    if not grouped or not len(groups):
        texts = texts if NO_GROUP in texts else (*texts, NO_GROUP)
        groups = np.array([texts.index(NO_GROUP)], dtype=np.int64)
    stay = keep[own.rows]
    rows = own.rows[stay]
    number = np.cumsum(keep) - 1
    added = np.repeat(np.arange(len(new)), len(groups)) + int(keep.sum())
    subs = None
    if own.sub_codes is not None:
        # A new document of several subgroups would be preferred in each of them: the first is used for the query.
        subs = np.concatenate([own.sub_codes[stay], np.full(len(added), own.sub_codes.min(initial=0))])
    return Assessments(
        np.concatenate([number[rows], added]),
        np.concatenate([np.where(changed[rows], values[rows], own.grades[stay]), np.repeat(new, len(groups))]),
        texts,
        np.concatenate([own.codes[stay], np.tile(groups, len(new))]),
        known.sub_names,
        subs,
    )


def with_queries(qrels: Qrels, parts: Sequence[Qrels]) -> Qrels:
    """Return the qrels with the rows of some queries replaced by those of parts; new queries are appended."""
    parts = sorted(parts, key=lambda part: qrels.query_index.get(part.query_ids[0], len(qrels.query_ids)))
    places = [qrels.query_index[part.query_ids[0]] for part in parts if part.query_ids[0] in qrels.query_index]
    new = tuple(part.query_ids[0] for part in parts[len(places) :])
    counts = np.concatenate([np.diff(qrels.offsets), [0] * len(new)]).astype(np.int64)
    counts[[*places, *range(len(qrels.query_ids), len(counts))]] = [len(part) for part in parts]
    offsets = offsets_of(counts)
    result = replace(
        qrels,
        query_ids=(*qrels.query_ids, *new) if new else qrels.query_ids,
        offsets=frozen(offsets),
        doc_ids=_strings_spliced(qrels.doc_ids, qrels.offsets, places, [part.doc_ids for part in parts]),
        grades=frozen(spliced(qrels.grades, qrels.offsets, places, [part.grades for part in parts])),
        assessments=_assessments_spliced(qrels, offsets, places, parts),
        strata=None if qrels.strata is None else replace(qrels.strata, codes=frozen(spliced(
            qrels.strata.codes, qrels.offsets, places, [part.strata.codes for part in parts if part.strata is not None],
        ))),
    )  # fmt: skip
    if not new:  # the ids are the same: so is their order
        for name in ("query_index", "query_order", "ordered_query_ids"):
            if name in vars(qrels):
                vars(result)[name] = vars(qrels)[name]
    return result


def stacked_qrels(parts: Sequence[Qrels], ids: Sequence[str], max_grade: float) -> Qrels:
    """Return parts of the same qrels concatenated, with other query ids; ``max_grade`` is that of the whole qrels."""
    offsets = offsets_of(np.array([len(part) for part in parts], dtype=np.int64))
    assessments = [part.assessments for part in parts if part.assessments is not None]
    return Qrels(
        "",
        tuple(ids),
        frozen(offsets),
        _joined([part.doc_ids for part in parts]),
        frozen(_together([part.grades for part in parts], np.float64)),
        None
        if not assessments
        else _assessments_of(
            assessments, [part.rows + start for part, start in zip(assessments, offsets.tolist(), strict=False)]
        ),
        strata=joined_strata([part.strata for part in parts]),
        highest=max_grade,  # measures scale by the highest grade of all queries
    )


def _assessment_offsets(qrels: Qrels) -> Ints:
    """Return int64[Q+1]: where each query's assessments begin; they are grouped as the qrels are."""
    assessments = qrels.assessments
    assert assessments is not None
    starts: Ints = np.searchsorted(group_of_each(qrels.offsets)[assessments.rows], np.arange(len(qrels.query_ids) + 1))
    return starts


def _assessments_spliced(
    qrels: Qrels, offsets: Ints, places: Sequence[int], parts: Sequence[Qrels]
) -> Assessments | None:
    assessments = qrels.assessments
    if assessments is None:
        return None
    bounds = _assessment_offsets(qrels)
    query = group_of_each(qrels.offsets)[assessments.rows]
    moved = replace(assessments, rows=assessments.rows - qrels.offsets[query] + offsets[query])
    starts = [int(offsets[place]) for place in places]
    starts += [int(part) for part in offsets[len(qrels.query_ids) : -1]]
    assessments_of_parts = [part.assessments for part in parts]
    replacements = [part for part in assessments_of_parts if part is not None]
    assert len(replacements) == len(assessments_of_parts)
    whole = _assessments_of([moved], [moved.rows])
    names = max((assessments.names, *(part.names for part in replacements)), key=len)

    def column(old: npt.NDArray[Any], new: Sequence[npt.NDArray[Any]]) -> Any:
        return frozen(spliced(old, bounds, places, new))

    return Assessments(
        column(whole.rows, [part.rows + start for part, start in zip(replacements, starts, strict=True)]),
        column(whole.grades, [part.grades for part in replacements]),
        names,
        column(whole.codes, [part.codes for part in replacements]),
        assessments.sub_names,
        None
        if assessments.sub_codes is None
        else column(assessments.sub_codes, [_subs(part) for part in replacements]),
    )


def _assessments_of(pieces: Sequence[Assessments], rows: Sequence[Ints]) -> Assessments:
    subs = any(piece.sub_codes is not None for piece in pieces)
    return Assessments(
        np.concatenate(rows),
        np.concatenate([piece.grades for piece in pieces]),
        max((piece.names for piece in pieces), key=len),
        np.concatenate([piece.codes for piece in pieces]),
        pieces[0].sub_names,
        np.concatenate([_subs(piece) for piece in pieces]) if subs else None,
    )


def _subs(assessments: Assessments) -> Ints:
    return np.zeros(len(assessments), dtype=np.int64) if assessments.sub_codes is None else assessments.sub_codes


# --- runs ---


def run_part(run: Run, query_id: str) -> Run | None:
    """Return the list of one query as it was read; None if the run lacks it. Rows share the run's memory."""
    run = run if run.original is None else run.original
    position = run.query_index.get(query_id)
    if position is None:
        return None
    start, stop = int(run.offsets[position]), int(run.offsets[position + 1])
    arrival = None
    if run.arrival is not None:
        first, last = run.tied_offsets[position : position + 2].tolist()
        arrival = run.arrival[first:last]
    return Run(
        run.name,
        (query_id,),
        np.array([0, stop - start], dtype=np.int64),
        run.doc_ids[start:stop],
        run.scores[start:stop],
        run.tied[position : position + 1],
        components={name: values[start:stop] for name, values in run.components.items()},
        arrival=arrival,
    )


def stacked_run(parts: Sequence[Run | None], ids: Sequence[str]) -> Run:
    """Return lists of any runs concatenated, with other query ids, without those that are None and without
    components."""
    present = [(query_id, part) for query_id, part in zip(ids, parts, strict=True) if part is not None]
    lists = [part for _, part in present]
    return Run(
        "",
        tuple(query_id for query_id, _ in present),
        frozen(offsets_of(np.array([len(part) for part in lists], dtype=np.int64))),
        _joined([part.doc_ids for part in lists]),
        frozen(_together([part.scores for part in lists], np.float64)),
        frozen(_together([part.tied for part in lists], np.bool_)),
        arrival=_arrivals(lists),
    )


def with_lists(run: Run, parts: Sequence[Run]) -> Run:
    """Return the run with the lists of some queries replaced by those of parts; new queries are appended. Each part
    must have all components of the run, and the run must not be ``reordered``."""
    parts = sorted(parts, key=lambda part: run.query_index.get(part.query_ids[0], len(run.query_ids)))
    places = [run.query_index[part.query_ids[0]] for part in parts if part.query_ids[0] in run.query_index]
    new = tuple(part.query_ids[0] for part in parts[len(places) :])
    counts = np.concatenate([np.diff(run.offsets), [0] * len(new)]).astype(np.int64)
    counts[[*places, *range(len(run.query_ids), len(counts))]] = [len(part) for part in parts]
    tied = np.concatenate([run.tied, np.zeros(len(new), dtype=np.bool_)])
    tied[[*places, *range(len(run.query_ids), len(counts))]] = [bool(part.tied[0]) for part in parts]
    result = replace(
        run,
        query_ids=(*run.query_ids, *new) if new else run.query_ids,
        offsets=frozen(offsets_of(counts)),
        doc_ids=_strings_spliced(run.doc_ids, run.offsets, places, [part.doc_ids for part in parts]),
        scores=frozen(spliced(run.scores, run.offsets, places, [part.scores for part in parts])),
        tied=frozen(tied),
        components={
            name: frozen(spliced(values, run.offsets, places, [part.components[name] for part in parts]))
            for name, values in run.components.items()
        },
        arrival=_arrivals_spliced(run, places, parts),
        original=None,
    )
    if not new and "query_index" in vars(run):
        vars(result)["query_index"] = run.query_index
    return result


def _arrivals_spliced(run: Run, places: Sequence[int], parts: Sequence[Run]) -> Any:
    if run.arrival is None and all(part.arrival is None for part in parts):
        return None
    old = run.arrival if run.arrival is not None else np.arange(int(run.tied_offsets[-1]))
    return frozen(spliced(old, run.tied_offsets, places, [_arrival_of(part) for part in parts]))


def _arrivals(parts: Sequence[Run]) -> Any:
    if all(part.arrival is None for part in parts):
        return None
    return frozen(np.concatenate([_arrival_of(part) for part in parts]))


def _arrival_of(part: Run) -> npt.NDArray[Any]:
    """Return the arrival of a part's tied documents; rising numbers if the file had them in rank order."""
    return np.arange(int(part.tied_offsets[-1])) if part.arrival is None else part.arrival


# --- columns ---


def spliced(
    old: npt.NDArray[Any], offsets: Ints, places: Sequence[int], parts: Sequence[npt.NDArray[Any]]
) -> npt.NDArray[Any]:
    """Return a flat column with the groups at ``places`` (ascending) replaced by parts; further parts are appended."""
    pieces, start = [], 0
    for place, part in zip(places, parts, strict=False):
        pieces += [old[start : int(offsets[place])], part]
        start = int(offsets[place + 1])
    pieces += [old[start:], *parts[len(places) :]]
    return np.concatenate(pieces).astype(old.dtype, copy=False)


def _strings_spliced(old: Strings, offsets: Ints, places: Sequence[int], parts: Sequence[Strings]) -> Strings:
    pieces, start = [], 0
    for place, part in zip(places, parts, strict=False):
        pieces += [old[start : int(offsets[place])], part]
        start = int(offsets[place + 1])
    return _joined([*pieces, old[start:], *parts[len(places) :]])


def _joined(pieces: Sequence[Strings]) -> Strings:
    return pa.concat_arrays(pieces) if pieces else pa.array([], pa.string())


def _together(arrays: Sequence[npt.NDArray[Any]], kind: Any) -> npt.NDArray[Any]:
    return np.concatenate(arrays) if arrays else np.empty(0, kind)
