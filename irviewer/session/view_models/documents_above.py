"""The view model of the documents ranked above a document. Only one query is read, and at most as many texts as the
cutoff has ranks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from irviewer.rendering.run_label import RunLabel
from irviewer.session.evaluation.context import EvaluationContext
from irviewer.session.text.query_terms import counted, query_terms
from irviewer.session.view_models.query import rank_of
from irviewer.translation import decimal, tr

if TYPE_CHECKING:
    from irviewer.analysis.explain.documents_above import DocumentsAbove

# The documents above a document, and the query terms that it has or lacks compared with them.


@dataclass(frozen=True)
class TermRow:
    """A query term: how often the document contains it, and how many of the ``known`` texts above contain it."""

    term: str
    times: int
    above: int
    known: int

    @property
    def text(self) -> str:
        """``flutter 0× (9 of 10 above)``."""
        count = f"{self.term} {decimal(f'{self.times:,}')}×"
        if not self.known:
            return count
        return tr("{count} ({above:,} of {known:,} above)", count=count, above=self.above, known=self.known)


@dataclass(frozen=True)
class StandingRow:
    """A row of the list: a document above, or (last) the selected document. ``rank`` is 0 if it was not returned;
    ``terms`` are the query terms in its text, None without a text."""

    rank: int
    doc_id: str
    title: str
    grade: float
    score: float
    terms: tuple[str, ...] | None


@dataclass(frozen=True, eq=False)
class DocumentsAboveViewModel:
    """``rows``: the documents above, best first, then the document itself; ``others``: (run, rank or 0) of every other
    shown run; ``sentences``: where it is; ``max_grade``: the highest grade of the qrels."""

    run: RunLabel
    found: DocumentsAbove
    title: str
    max_grade: float
    rows: tuple[StandingRow, ...]
    others: tuple[tuple[RunLabel, int], ...]
    terms: tuple[TermRow, ...]
    sentences: tuple[str, ...]


MOST_NAMED = 3


def build_documents_above_view_model(
    context: EvaluationContext, query_id: str, doc_id: str, key: int
) -> DocumentsAboveViewModel | None:
    """Return the view model of a document in the list of the run ``key``; None without judgments or run."""
    entry = context.collection.run(key)
    if entry is None or context.judgments is None:
        return None
    from irviewer.analysis.explain.documents_above import documents_above

    ranked_above = documents_above(
        entry.run, context.judgments.qrels, query_id, doc_id,
        cutoff=context.cutoff, level=context.options.level, complete=context.complete,
    )  # fmt: skip
    documents = context.collection.documents
    ids = [doc_id, *(row_above.document for row_above in ranked_above.above)]
    texts = {} if documents is None else {
        document_id: f"{documents.title(document_id)}\n{documents.body(document_id)}"
        for document_id in ids
        if document_id in documents.index and documents.row(document_id)  # the file may have changed
    }  # fmt: skip
    terms, has = compare_terms(query_terms(context.collection.query_text(query_id)), texts, doc_id)

    def row(rank: int, doc: str, grade: float, score: float) -> StandingRow:
        return StandingRow(rank, doc, context.collection.document_title(doc), grade, score, has(doc))

    rows = [
        row(row_above.rank, row_above.document, row_above.grade, row_above.score) for row_above in ranked_above.above
    ]
    rows.append(row(ranked_above.rank, doc_id, ranked_above.grade, ranked_above.score))
    others = tuple(
        (context.labels[shown_run.key], rank_of(shown_run.run, query_id, doc_id))
        for shown_run in context.shown_runs
        if shown_run.key != key
    )
    return DocumentsAboveViewModel(
        context.labels[key], ranked_above, context.collection.document_title(doc_id), context.max_grade, tuple(rows),
        others, terms,
        (*ranked_above.sentences(), *term_lines(terms)),
    )  # fmt: skip


def compare_terms(
    terms: Sequence[str], texts: Mapping[str, str], doc_id: str
) -> tuple[tuple[TermRow, ...], Callable[[str], tuple[str, ...] | None]]:
    """Return how often ``doc_id`` contains each term and how many of the other texts do, and a function from a document
    to its terms. No rows if its text is not among ``texts`` (by document)."""
    counts = {doc: counted(text, terms) for doc, text in texts.items()}

    def has(doc: str) -> tuple[str, ...] | None:
        known = counts.get(doc)
        return None if known is None else tuple(term for term, n in zip(terms, known, strict=True) if n)

    if doc_id not in counts:
        return (), has
    others = [known for doc, known in counts.items() if doc != doc_id]
    rows = tuple(
        TermRow(term, counts[doc_id][position], sum(known[position] > 0 for known in others), len(others))
        for position, term in enumerate(terms)
    )
    return rows, has


def term_lines(terms: Sequence[TermRow]) -> tuple[str, ...]:
    """Return which query terms the document lacks that documents above have, and which it has that most of them
    lack."""
    lacks = sorted((term for term in terms if not term.times and term.above), key=lambda term: -term.above)
    alone = sorted((term for term in terms if term.times and 2 * term.above < term.known), key=lambda term: term.above)
    sentences = []
    if lacks:
        sentences.append(tr("Missing terms: {terms}.", terms=_term_list(lacks)))
    if alone:
        sentences.append(tr("Terms that most documents above lack: {terms}.", terms=_term_list(alone)))
    return tuple(sentences)


def _term_list(terms: Sequence[TermRow]) -> str:
    """Return ``“wing” (in 3 of 9 above), …``."""
    named = [
        tr("“{term}” (in {above:,} of {known:,} above)", term=row.term, above=row.above, known=row.known)
        for row in terms[:MOST_NAMED]
    ]
    return ", ".join([*named, *(["…"] if len(terms) > MOST_NAMED else [])])


def ranks_text(others: Sequence[tuple[str, int]]) -> str:
    """Return ``In other runs: bm25 3, dense not returned.``; "" without other runs."""
    if not others:
        return ""
    ranks = [f"{name} {decimal(f'{rank:,}')}" if rank else tr("{run} not returned", run=name) for name, rank in others]
    return tr("In other runs: {ranks}.", ranks=", ".join(ranks))
