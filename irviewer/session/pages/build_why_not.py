"""Builds the page of what stands above a document: look-ups of one query, and the words of no more texts than the
cutoff has ranks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from irviewer.model.explain.why_not import why_not
from irviewer.session.pages.build_query import rank_of
from irviewer.session.pages.why_not import StandingRow, TermRow, WhyNotPage
from irviewer.session.scene import Scene
from irviewer.session.terms import counted, query_terms

MOST_NAMED = 3


def build_why_not(scene: Scene, query_id: str, doc_id: str, key: int) -> WhyNotPage | None:
    """The page of a document in the list of the run ``key``; None without judgments or run."""
    entry = scene.collection.run(key)
    if entry is None or scene.judgments is None:
        return None
    found = why_not(
        entry.run, scene.judgments.qrels, query_id, doc_id,
        cutoff=scene.cutoff, level=scene.options.level, complete=scene.complete,
    )  # fmt: skip
    documents = scene.collection.documents
    ids = [doc_id, *(one.document for one in found.above)]
    texts = {} if documents is None else {
        one: f"{documents.title(one)}\n{documents.text(one)}"
        for one in ids
        if one in documents.index and documents.row(one)  # its file may be another one by now
    }  # fmt: skip
    terms, has = compare_terms(query_terms(scene.collection.query_text(query_id)), texts, doc_id)

    def row(rank: int, doc: str, grade: float, score: float) -> StandingRow:
        return StandingRow(rank, doc, scene.collection.document_title(doc), grade, score, has(doc))

    rows = [row(one.rank, one.document, one.grade, one.score) for one in found.above]
    rows.append(row(found.rank, doc_id, found.grade, found.score))
    others = tuple(
        (scene.labels[one.key], rank_of(one.run, query_id, doc_id)) for one in scene.shown_runs if one.key != key
    )
    return WhyNotPage(
        scene.labels[key], found, scene.collection.document_title(doc_id), scene.max_grade, tuple(rows), others, terms,
        (*found.told(), *told_of_terms(terms)),
    )  # fmt: skip


def compare_terms(
    terms: Sequence[str], texts: Mapping[str, str], doc_id: str
) -> tuple[tuple[TermRow, ...], Callable[[str], tuple[str, ...] | None]]:
    """How often ``doc_id`` has each term and how many of the other texts have it, and a function that says which terms
    a document has. No rows where its text is not among ``texts`` (by document)."""
    counts = {doc: counted(text, terms) for doc, text in texts.items()}

    def has(doc: str) -> tuple[str, ...] | None:
        known = counts.get(doc)
        return None if known is None else tuple(term for term, n in zip(terms, known, strict=True) if n)

    if doc_id not in counts:
        return (), has
    others = [known for doc, known in counts.items() if doc != doc_id]
    rows = tuple(
        TermRow(term, counts[doc_id][place], sum(known[place] > 0 for known in others), len(others))
        for place, term in enumerate(terms)
    )
    return rows, has


def told_of_terms(terms: Sequence[TermRow]) -> tuple[str, ...]:
    """What it lacks of the query that those above have, and what it has that most of them lack."""
    lacks = sorted((one for one in terms if not one.times and one.above), key=lambda one: -one.above)
    alone = sorted((one for one in terms if one.times and 2 * one.above < one.known), key=lambda one: one.above)
    said = []
    if lacks:
        named = ", ".join(
            f"“{one.term}” ({one.above:,} of {one.known:,} above {'has' if one.above == 1 else 'have'} it)"
            for one in lacks[:MOST_NAMED]
        )
        said.append(f"It lacks {named}{_more(len(lacks))}.")
    if alone:
        named = ", ".join(
            f"“{one.term}” ({one.above:,} of {one.known:,} above {'has' if one.above == 1 else 'have'} it)"
            for one in alone[:MOST_NAMED]
        )
        said.append(f"It has {named}{_more(len(alone))}.")
    return tuple(said)


def _more(count: int) -> str:
    return f" and {count - MOST_NAMED:,} more of the query's terms" if count > MOST_NAMED else ""


def ranks_told(others: Sequence[tuple[str, int]]) -> str:
    """``Elsewhere: bm25 3, dense not returned.``; "" without other runs."""
    if not others:
        return ""
    return f"Elsewhere: {', '.join(f'{name} {rank:,}' if rank else f'{name} not returned' for name, rank in others)}."
