"""Columns with some queries replaced: what an edited judgment or an edited list makes of qrels and runs.

A part is qrels, or a run, of one query; parts are cut out, laid together, and put in the place of a query's own rows.
Whatever is not replaced is copied as bytes or shared, never computed again. Knows no overlay, no measure, no join."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from irviewer.model.arrays import Floats, Ints, Strings, frozen, group_of_each, offsets_of, strings
from irviewer.model.judgments.multiple import Assessments
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run

UNSAID = "0"
"""The group of a judgment that says none, where others of the same qrels say theirs: trec_eval's way to write none."""


# --- qrels ---


def qrels_part(qrels: Qrels, query_id: str) -> Qrels:
    """The judgments of one query; none where the qrels lack it. Rows share the qrels' memory."""
    place = qrels.query_index.get(query_id)
    start, stop = (0, 0) if place is None else (int(qrels.offsets[place]), int(qrels.offsets[place + 1]))
    said = qrels.assessments
    if said is not None:
        first, last = (0, 0) if place is None else _assessment_offsets(qrels)[place : place + 2].tolist()
        said = replace(
            said,
            rows=said.rows[first:last] - start,
            grades=said.grades[first:last],
            codes=said.codes[first:last],
            sub_codes=None if said.sub_codes is None else said.sub_codes[first:last],
        )
    return Qrels(
        qrels.name,
        (query_id,),
        np.array([0, stop - start], dtype=np.int64),
        qrels.doc_ids[start:stop],
        qrels.grades[start:stop],
        said,
    )


def judged_anew(qrels: Qrels, query_id: str, grades: Mapping[str, float | None], names: Qrels) -> Qrels:
    """The part of ``qrels`` in which documents have other grades, None none; documents that it lacks follow its own.

    Where the qrels say groups (subtopics, people), every row of a document whose grade changes has the new one, and a
    new document has it for every group of its query: a grade was given to the document, not to a group. Where no
    document stands in two, their second column is an iteration or a round: a new document has one row, and says none.
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
    doc_ids = strings([doc for doc, kept in zip(ids, keep, strict=True) if kept] + list(new))
    said = qrels.assessments
    if said is not None:
        grouped = said.in_several or said.sub_codes is not None
        said = _said_anew(part, values, keep, changed, list(new.values()), names, grouped=grouped)
    values = np.concatenate([values[keep], np.array(list(new.values()), dtype=np.float64)])
    return Qrels(part.name, (query_id,), np.array([0, len(values)], dtype=np.int64), doc_ids, values, said)


def _said_anew(
    part: Qrels, values: Floats, keep: npt.NDArray[np.bool_], changed: npt.NDArray[np.bool_], new: list[float],
    names: Qrels, *, grouped: bool,
) -> Assessments:  # fmt: skip
    said, known = part.assessments, names.assessments
    assert said is not None
    assert known is not None
    texts = known.names
    groups = np.unique(said.codes)
    if not grouped or not len(groups):
        texts = texts if UNSAID in texts else (*texts, UNSAID)
        groups = np.array([texts.index(UNSAID)], dtype=np.int64)
    stay = keep[said.rows]
    rows = said.rows[stay]
    number = np.cumsum(keep) - 1
    added = np.repeat(np.arange(len(new)), len(groups)) + int(keep.sum())
    subs = None
    if said.sub_codes is not None:
        # A new document of several subgroups would be preferred in each of them: the first stands for the query.
        subs = np.concatenate([said.sub_codes[stay], np.full(len(added), said.sub_codes.min(initial=0))])
    return Assessments(
        np.concatenate([number[rows], added]),
        np.concatenate([np.where(changed[rows], values[rows], said.grades[stay]), np.repeat(new, len(groups))]),
        texts,
        np.concatenate([said.codes[stay], np.tile(groups, len(new))]),
        known.sub_names,
        subs,
    )


def with_queries(qrels: Qrels, parts: Sequence[Qrels]) -> Qrels:
    """The qrels with the rows of some queries replaced by those of parts; queries that they lack follow their own."""
    parts = sorted(parts, key=lambda one: qrels.query_index.get(one.query_ids[0], len(qrels.query_ids)))
    places = [qrels.query_index[one.query_ids[0]] for one in parts if one.query_ids[0] in qrels.query_index]
    new = tuple(one.query_ids[0] for one in parts[len(places) :])
    counts = np.concatenate([np.diff(qrels.offsets), [0] * len(new)]).astype(np.int64)
    counts[[*places, *range(len(qrels.query_ids), len(counts))]] = [len(one) for one in parts]
    offsets = offsets_of(counts)
    made = replace(
        qrels,
        query_ids=(*qrels.query_ids, *new) if new else qrels.query_ids,
        offsets=frozen(offsets),
        doc_ids=_strings_spliced(qrels.doc_ids, qrels.offsets, places, [one.doc_ids for one in parts]),
        grades=frozen(spliced(qrels.grades, qrels.offsets, places, [one.grades for one in parts])),
        assessments=_assessments_spliced(qrels, offsets, places, parts),
    )
    if not new:  # the ids are the same: so is their order
        for name in ("query_index", "query_order"):
            if name in vars(qrels):
                vars(made)[name] = vars(qrels)[name]
    return made


def stacked_qrels(parts: Sequence[Qrels], ids: Sequence[str], max_grade: float) -> Qrels:
    """Parts of the same qrels, one after the other as queries of other ids; ``max_grade`` is the whole qrels'."""
    offsets = offsets_of(np.array([len(one) for one in parts], dtype=np.int64))
    said = [one.assessments for one in parts if one.assessments is not None]
    made = Qrels(
        "",
        tuple(ids),
        frozen(offsets),
        _joined([one.doc_ids for one in parts]),
        frozen(_together([one.grades for one in parts], np.float64)),
        None
        if not said
        else _assessments_of(said, [one.rows + start for one, start in zip(said, offsets.tolist(), strict=False)]),
    )
    vars(made)["max_grade"] = max_grade  # measures scale by what the whole holds
    return made


def _assessment_offsets(qrels: Qrels) -> Ints:
    """int64[Q+1]: where each query's assessments begin; they are grouped as the qrels are."""
    said = qrels.assessments
    assert said is not None
    found: Ints = np.searchsorted(group_of_each(qrels.offsets)[said.rows], np.arange(len(qrels.query_ids) + 1))
    return found


def _assessments_spliced(
    qrels: Qrels, offsets: Ints, places: Sequence[int], parts: Sequence[Qrels]
) -> Assessments | None:
    said = qrels.assessments
    if said is None:
        return None
    bounds = _assessment_offsets(qrels)
    query = group_of_each(qrels.offsets)[said.rows]
    moved = replace(said, rows=said.rows - qrels.offsets[query] + offsets[query])
    starts = [int(offsets[place]) for place in places]
    starts += [int(one) for one in offsets[len(qrels.query_ids) : -1]]
    found = [one.assessments for one in parts]
    own = [one for one in found if one is not None]
    assert len(own) == len(found)
    whole = _assessments_of([moved], [moved.rows])
    names = max((said.names, *(one.names for one in own)), key=len)

    def column(old: npt.NDArray[Any], new: Sequence[npt.NDArray[Any]]) -> Any:
        return frozen(spliced(old, bounds, places, new))

    return Assessments(
        column(whole.rows, [one.rows + start for one, start in zip(own, starts, strict=True)]),
        column(whole.grades, [one.grades for one in own]),
        names,
        column(whole.codes, [one.codes for one in own]),
        said.sub_names,
        None if said.sub_codes is None else column(said.sub_codes, [_subs(one) for one in own]),
    )


def _assessments_of(said: Sequence[Assessments], rows: Sequence[Ints]) -> Assessments:
    subs = any(one.sub_codes is not None for one in said)
    return Assessments(
        np.concatenate(rows),
        np.concatenate([one.grades for one in said]),
        max((one.names for one in said), key=len),
        np.concatenate([one.codes for one in said]),
        said[0].sub_names,
        np.concatenate([_subs(one) for one in said]) if subs else None,
    )


def _subs(said: Assessments) -> Ints:
    return np.zeros(len(said), dtype=np.int64) if said.sub_codes is None else said.sub_codes


# --- runs ---


def run_part(run: Run, query_id: str) -> Run | None:
    """The list of one query, as it was read; None where the run lacks it. Rows share the run's memory."""
    run = run if run.original is None else run.original
    place = run.query_index.get(query_id)
    if place is None:
        return None
    start, stop = int(run.offsets[place]), int(run.offsets[place + 1])
    arrival = None
    if run.arrival is not None:
        first, last = run.tied_offsets[place : place + 2].tolist()
        arrival = run.arrival[first:last]
    return Run(
        run.name,
        (query_id,),
        np.array([0, stop - start], dtype=np.int64),
        run.doc_ids[start:stop],
        run.scores[start:stop],
        run.tied[place : place + 1],
        components={name: values[start:stop] for name, values in run.components.items()},
        arrival=arrival,
    )


def stacked_run(parts: Sequence[Run | None], ids: Sequence[str]) -> Run:
    """Lists of any runs, one after the other as queries of other ids; a query of which there is no list is lacking.
    Components are left behind."""
    there = [(one, part) for one, part in zip(ids, parts, strict=True) if part is not None]
    lists = [part for _, part in there]
    return Run(
        "",
        tuple(one for one, _ in there),
        frozen(offsets_of(np.array([len(part) for part in lists], dtype=np.int64))),
        _joined([part.doc_ids for part in lists]),
        frozen(_together([part.scores for part in lists], np.float64)),
        frozen(_together([part.tied for part in lists], np.bool_)),
        arrival=_arrivals(lists),
    )


def with_lists(run: Run, parts: Sequence[Run]) -> Run:
    """The run with the lists of some queries replaced by those of parts, which lack no component of the run's own;
    queries that it lacks follow its own. The run must not be ``reordered``."""
    parts = sorted(parts, key=lambda one: run.query_index.get(one.query_ids[0], len(run.query_ids)))
    places = [run.query_index[one.query_ids[0]] for one in parts if one.query_ids[0] in run.query_index]
    new = tuple(one.query_ids[0] for one in parts[len(places) :])
    counts = np.concatenate([np.diff(run.offsets), [0] * len(new)]).astype(np.int64)
    counts[[*places, *range(len(run.query_ids), len(counts))]] = [len(one) for one in parts]
    tied = np.concatenate([run.tied, np.zeros(len(new), dtype=np.bool_)])
    tied[[*places, *range(len(run.query_ids), len(counts))]] = [bool(one.tied[0]) for one in parts]
    made = replace(
        run,
        query_ids=(*run.query_ids, *new) if new else run.query_ids,
        offsets=frozen(offsets_of(counts)),
        doc_ids=_strings_spliced(run.doc_ids, run.offsets, places, [one.doc_ids for one in parts]),
        scores=frozen(spliced(run.scores, run.offsets, places, [one.scores for one in parts])),
        tied=frozen(tied),
        components={
            name: frozen(spliced(values, run.offsets, places, [one.components[name] for one in parts]))
            for name, values in run.components.items()
        },
        arrival=_arrivals_spliced(run, places, parts),
        original=None,
    )
    if not new and "query_index" in vars(run):
        vars(made)["query_index"] = run.query_index
    return made


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
    """The arrival of a part's tied documents; rising numbers where they stood in rank order."""
    return np.arange(int(part.tied_offsets[-1])) if part.arrival is None else part.arrival


# --- columns ---


def spliced(
    old: npt.NDArray[Any], offsets: Ints, places: Sequence[int], parts: Sequence[npt.NDArray[Any]]
) -> npt.NDArray[Any]:
    """A flat column with the groups at ``places`` (ascending) replaced by parts; others follow the column."""
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
