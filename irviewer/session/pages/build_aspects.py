"""What qrels say of a document more than once: its grade by subtopic, or by person. No file says which of the two its
second column is, so that the words name both; where it gives every document one value it is neither, but an iteration
or a round, and nothing is said. Look-ups of one query; draws nothing."""

from __future__ import annotations

import numpy as np

from irviewer.model.assessments import Assessments
from irviewer.model.qrels import Qrels

WORDS = "subtopics or judges"


def aspects_of(qrels: Qrels, query_id: str, doc_id: str) -> tuple[tuple[str, float], ...]:
    """(subtopic or person, grade) of a document, in file order; a preference's is "group/subgroup". Empty where the
    second column of the qrels says no subtopics, or they lack the document."""
    said, place = _subtopics(qrels), qrels.query_index.get(query_id)
    if said is None or place is None:
        return ()
    start, stop = int(qrels.offsets[place]), int(qrels.offsets[place + 1])
    found = qrels.doc_ids[start:stop].index(doc_id).as_py()
    if found < 0:
        return ()
    rows = np.flatnonzero(said.rows == start + found)
    names = [said.names[code] for code in said.codes[rows].tolist()]
    if said.sub_codes is not None:
        names = [
            f"{name}/{said.sub_names[code]}" for name, code in zip(names, said.sub_codes[rows].tolist(), strict=True)
        ]
    return tuple(zip(names, said.grades[rows].tolist(), strict=True))


def covered_by_document(qrels: Qrels, query_id: str) -> dict[str, str]:
    """The subtopics (or persons) of a query that call a document relevant, by document: "1, 3"; for the lists."""
    said, place = _subtopics(qrels), qrels.query_index.get(query_id)
    if said is None or place is None:
        return {}
    start, stop = int(qrels.offsets[place]), int(qrels.offsets[place + 1])
    rows = np.flatnonzero((said.rows >= start) & (said.rows < stop) & (said.grades > 0))
    documents = qrels.doc_ids[start:stop].to_pylist()
    found: dict[str, list[str]] = {}
    for row, code in zip(said.rows[rows].tolist(), said.codes[rows].tolist(), strict=True):
        found.setdefault(documents[row - start], []).append(said.names[code])
    return {document: ", ".join(dict.fromkeys(names)) for document, names in found.items()}


def _subtopics(qrels: Qrels) -> Assessments | None:
    said = qrels.assessments
    return said if said is not None and (said.in_several or said.sub_codes is not None) else None


def aspect_words(aspects: tuple[tuple[str, float], ...]) -> str:
    """``subtopics or judges: 1 (2), 3, not 4``: grades other than 1 in brackets; "" without any."""
    if not aspects:
        return ""
    good = [name if grade == 1 else f"{name} ({grade:g})" for name, grade in aspects if grade > 0]
    bad = [name for name, grade in aspects if grade <= 0]
    parts = [", ".join(good)] if good else []
    return f"{WORDS}: " + ", ".join([*parts, *([f"not {', '.join(bad)}"] if bad else [])])
