"""Writers of judgments in the formats of the classic collections (SMART, NPL, LISA, Cranfield) and of reviews
(ASReview, RIS).

Most classic formats list relevant documents without grades: judgments of grade 0 are left out, and grades above 1 are
refused. A review has one query."""

from __future__ import annotations

from collections.abc import Iterator

from irviewer.errors import OptionError
from irviewer.formats.format import Value, is_whole
from irviewer.formats.trec.formats import refuse_preferences
from irviewer.model.qrels import Qrels
from irviewer.translation import tr

BEST = 4  # grade of Cranfield's code 1


def write_smart_judgments(value: Value) -> bytes:
    """Return a line ``query document 0 0.000000`` for each relevant document."""
    return _bytes(f"{query} {document} 0 0.000000\n" for query, documents in _relevant(value) for document in documents)


def write_npl(value: Value) -> bytes:
    """Return, for each query, its number, the relevant documents, and a slash."""
    return _bytes(f"{query}\n{_rows(documents)}/\n" for query, documents in _relevant(value))


def write_lisa(value: Value) -> bytes:
    """Return, for each query, its number, the number of relevant documents, and these."""
    return _bytes(f"{query} {len(documents)} {' '.join(documents)}\n" for query, documents in _relevant(value))


def write_cranfield(value: Value) -> bytes:
    """Return lines ``query document code``, code = 5 - grade. Raises OptionError for a grade without a code."""
    lines = []
    for query, judgments in _judged(value):
        for document, grade in judgments:
            if grade <= 0:
                continue
            if grade != int(grade) or grade > BEST:
                raise OptionError(
                    tr("Cranfield's codes cannot express the grade {grade:g}: use --to trec", grade=grade)
                )
            lines.append(f"{_number(query)} {_number(document)} {BEST + 1 - int(grade)}\n")
    return _bytes(iter(lines))


def write_asreview(value: Value) -> bytes:
    """Return lines ``record_id,asreview_label`` of a review's only query."""
    return _bytes(
        iter(["record_id,asreview_label\n", *(f"{_cell(document)},{label}\n" for document, label in _labels(value))])
    )


def ris_records(value: Value) -> bytes:
    """Return RIS records that hold only ids and ASReview's labels."""
    labels = {1: "ASReview_relevant", 0: "ASReview_irrelevant"}
    return _bytes(
        f"TY  - GEN\nID  - {document}\nN1  - {labels[label]}\nER  - \n\n" for document, label in _labels(value)
    )


def _judged(value: Value) -> Iterator[tuple[str, list[tuple[str, float]]]]:
    assert isinstance(value, Qrels)
    refuse_preferences(value)
    documents, grades, borders = value.doc_ids.to_pylist(), value.grades.tolist(), value.offsets.tolist()
    for query, start, stop in zip(value.query_ids, borders, borders[1:], strict=False):
        yield query, list(zip(documents[start:stop], grades[start:stop], strict=True))


def _relevant(value: Value) -> Iterator[tuple[str, list[str]]]:
    for query, judged in _judged(value):
        graded = next((grade for _, grade in judged if grade > 0 and grade != 1), None)
        if graded is not None:
            raise OptionError(
                tr(
                    "this format cannot express the grade {graded:g}, as all its documents have grade 1: use --to trec",
                    graded=graded,
                )
            )
        documents = [_number(document) for document, grade in judged if grade > 0]
        if documents:
            yield _number(query), documents


def _labels(value: Value) -> list[tuple[str, int]]:
    queries = list(_judged(value))
    if len(queries) != 1:
        raise OptionError(
            tr("a review has one query, and these qrels have {count:,}: use --to trec", count=len(queries))
        )
    unusable = next((grade for _, grade in queries[0][1] if grade not in (0, 1)), None)
    if unusable is not None:
        raise OptionError(tr("a label is 0 or 1, and a grade is {unusable:g}: use --to trec", unusable=unusable))
    return [(document, int(grade)) for document, grade in queries[0][1]]


def _number(identifier: str) -> str:
    if not is_whole(identifier):
        raise OptionError(
            tr(
                "the id {identifier!r} is not a number, which this format requires: use --to trec",
                identifier=identifier,
            )
        )
    return identifier


def _rows(documents: list[str]) -> str:
    return "".join("   " + " ".join(documents[start : start + 10]) + "\n" for start in range(0, len(documents), 10))


def _cell(text: str) -> str:
    return '"' + text.replace('"', '""') + '"' if any(character in text for character in ',"\n\r') else text


def _bytes(lines: Iterator[str]) -> bytes:
    data = "".join(lines).encode("utf-8", "surrogateescape")
    if not data:
        raise OptionError(tr("there are no relevant documents to write: use --to trec"))
    return data
