"""Writers of judgments in the shapes of the old collections, which name what is relevant and have no grades, and of
reviews, which have one query: SMART, NPL, LISA, Cranfield, ASReview, RIS.

What such a file cannot say is refused; judgments of 0 are left out where only the relevant are named, and told."""

from __future__ import annotations

from collections.abc import Iterator

from irviewer.errors import OptionError
from irviewer.formats.format import Value, is_whole
from irviewer.formats.trec.formats import refuse_preferences
from irviewer.model.qrels import Qrels

BEST = 4  # grade of Cranfield's code 1


def write_smart_judgments(value: Value) -> bytes:
    """``query document 0 0.000000`` of every relevant document."""
    return _bytes(f"{query} {one} 0 0.000000\n" for query, found in _relevant(value) for one in found)


def write_npl(value: Value) -> bytes:
    """The query's number, the relevant documents, a stroke."""
    return _bytes(f"{query}\n{_rows(found)}/\n" for query, found in _relevant(value))


def write_lisa(value: Value) -> bytes:
    """Query, how many documents, the documents."""
    return _bytes(f"{query} {len(found)} {' '.join(found)}\n" for query, found in _relevant(value))


def write_cranfield(value: Value) -> bytes:
    """``query document code``, 1 the best: 5 - grade. Raises OptionError for a grade that is no code."""
    lines = []
    for query, found in _judged(value):
        for one, grade in found:
            if grade <= 0:
                continue
            if grade != int(grade) or grade > BEST:
                raise OptionError(f"the grade {grade:g} is none of Cranfield's codes 1 to {BEST}: use --to trec")
            lines.append(f"{_number(query)} {_number(one)} {BEST + 1 - int(grade)}\n")
    return _bytes(iter(lines))


def write_asreview(value: Value) -> bytes:
    """``record_id,asreview_label`` of the one query of a review."""
    return _bytes(iter(["record_id,asreview_label\n", *(f"{_cell(one)},{label}\n" for one, label in _labels(value))]))


def ris_records(value: Value) -> bytes:
    """Records that hold nothing but ids and ASReview's labels."""
    words = {1: "ASReview_relevant", 0: "ASReview_irrelevant"}
    return _bytes(f"TY  - GEN\nID  - {one}\nN1  - {words[label]}\nER  - \n\n" for one, label in _labels(value))


def _judged(value: Value) -> Iterator[tuple[str, list[tuple[str, float]]]]:
    assert isinstance(value, Qrels)
    refuse_preferences(value)
    documents, grades, borders = value.doc_ids.to_pylist(), value.grades.tolist(), value.offsets.tolist()
    for query, start, stop in zip(value.query_ids, borders, borders[1:], strict=False):
        yield query, list(zip(documents[start:stop], grades[start:stop], strict=True))


def _relevant(value: Value) -> Iterator[tuple[str, list[str]]]:
    for query, judged in _judged(value):
        odd = next((grade for _, grade in judged if grade > 0 and grade != 1), None)
        if odd is not None:
            raise OptionError(f"the grade {odd:g} cannot be said, what such a file names has grade 1: use --to trec")
        found = [_number(one) for one, grade in judged if grade > 0]
        if found:
            yield _number(query), found


def _labels(value: Value) -> list[tuple[str, int]]:
    queries = list(_judged(value))
    if len(queries) != 1:
        raise OptionError(f"a review is one query, these are {len(queries):,}: use --to trec")
    odd = next((grade for _, grade in queries[0][1] if grade not in (0, 1)), None)
    if odd is not None:
        raise OptionError(f"a label is 0 or 1, not {odd:g}: use --to trec")
    return [(one, int(grade)) for one, grade in queries[0][1]]


def _number(one: str) -> str:
    if not is_whole(one):
        raise OptionError(f"the id {one!r} is no number, as those of this old collection's files are: use --to trec")
    return one


def _rows(found: list[str]) -> str:
    return "".join("   " + " ".join(found[start : start + 10]) + "\n" for start in range(0, len(found), 10))


def _cell(one: str) -> str:
    return '"' + one.replace('"', '""') + '"' if any(sign in one for sign in ',"\n\r') else one


def _bytes(lines: Iterator[str]) -> bytes:
    data = "".join(lines).encode("utf-8", "surrogateescape")
    if not data:
        raise OptionError("no document is relevant: there is nothing to write")
    return data
