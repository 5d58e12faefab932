"""JSON objects of lists of ids: ``{"q1": ["a", "b"]}``.

Nothing in such a file says whether a list is a ranking or the set of what is relevant, and no guess would be better
than a coin: a person says it, with ``--kind``."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from irviewer.errors import ParseError
from irviewer.formats.format import Loaded, Wanted
from irviewer.formats.json_file import fault, identifier, members, parse_json
from irviewer.formats.made import from_ranks, made, rows_of
from irviewer.formats.opener import Opened
from irviewer.formats.report import Finding


def read_lists(opened: Opened, wanted: Wanted) -> Loaded:
    """Rankings, best first, or relevant documents of grade 1. Raises ParseError where nobody said which."""
    if not wanted.told:
        raise ParseError(
            opened.path,
            "an object of lists of ids by query: it does not say whether a list is a ranking or what is relevant",
            line=1,
            hint="--kind run takes each list for a ranking, best first; --kind qrels for the relevant documents, grade "
            "1; --kind queries or documents for lines of text",
        )
    found = parse_json(opened)
    if not isinstance(found, dict):
        raise fault(opened, "the file is no JSON object of queries")
    names: list[str] = []
    queries, documents, ranks = [], [], []
    for query, listed in members(found):
        if not isinstance(listed, list):
            raise fault(opened, f"query {query!r} has no list of documents", query)
        names.append(query)
        for rank, one in enumerate(listed, start=1):
            queries.append(query)
            documents.append(identifier(opened, one, "document", query))
            ranks.append(rank)
    if wanted.kind == "qrels":
        said = Finding("the file has no grades: what it names is relevant, grade 1", len(documents), serious=False)
        return made(opened, rows_of(queries, documents, [1.0] * len(documents)), wanted, "JSON lists", (said,))
    scores, said = from_ranks(np.array(ranks, dtype=np.int64))
    places = {query: place for place, query in enumerate(dict.fromkeys(names))}
    codes = np.fromiter((places[query] for query in queries), np.int64, len(queries))
    rows = replace(rows_of(queries, documents, scores), query_ids=tuple(places), codes=codes)  # empty lists as well
    return made(opened, rows, wanted, "JSON lists", (said,))
