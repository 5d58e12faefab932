"""Near-duplicates among the first documents of a list: texts that repeat one that is ranked above."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import numpy as np

from irviewer.model.arrays import Floats, Ints, frozen
from irviewer.model.judgments.judged import Judged
from irviewer.model.run import Run

WORDS = 4
"""The words of a sequence."""
LEAST = 5
"""A text with fewer sequences is too short to be compared."""
SHARE = 0.8
"""The share of the shorter text's sequences that a near-duplicate has, too."""
MOST_LISTS = 20_000
"""The largest number of lists in which near-duplicates are sought: more take minutes."""

_APART = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
"""Scripts that are written without spaces: a letter counts as a word."""
_WORD = re.compile(rf"[{_APART}]|[^\W{_APART}]+")

Sequences = frozenset[tuple[str, ...]]


def sequences(text: str) -> Sequences:
    """Return the sequences of four words of a text, each once; case and punctuation do not count."""
    words = _WORD.findall(text.casefold())
    return frozenset(zip(*(words[start:] for start in range(WORDS)), strict=False))


def repeats(first: Sequences, second: Sequences) -> bool:
    """Return whether two texts are near-duplicates: of the one with fewer sequences, five or more, at least 80 per cent
    are in the other, too."""
    shorter, longer = (first, second) if len(first) <= len(second) else (second, first)
    return len(shorter) >= LEAST and len(shorter & longer) >= SHARE * len(shorter) - 1e-9


def near_duplicates(texts: Sequence[str]) -> Ints:
    """Return for each text the place of the first one above that it repeats, int64[n]; -1 where it repeats none."""
    return _above([sequences(text) for text in texts])


def _above(each: Sequence[Sequences]) -> Ints:
    return frozen(
        np.array(
            [next((above for above in range(row) if repeats(each[above], each[row])), -1) for row in range(len(each))],
            dtype=np.int64,
        )
    )


def count_near_duplicates(
    runs: Sequence[Run],
    judged: Sequence[Judged],
    text_of: Callable[[str], str] | None,
    depth: int,
    progress: Callable[[float], None] | None = None,
) -> Floats:
    """Return how many of the first ``depth`` documents repeat one above, float64[E, S]; ``runs`` are in the order of
    their joins.

    NaN where no text of the list is known, and everywhere without texts (``text_of`` None) or for more than
    ``MOST_LISTS`` lists."""
    n_queries = judged[0].n_queries if judged else 0
    counts = np.full((n_queries, len(runs)), np.nan)
    if text_of is None or n_queries * len(runs) > MOST_LISTS:
        return frozen(counts)
    places = [
        [run.query_index.get(query, -1) for query in join.query_ids] for run, join in zip(runs, judged, strict=True)
    ]
    for query in range(n_queries):
        known: dict[str, Sequences] = {}  # runs retrieve the same documents
        seen: set[str] = set()
        for column, (run, join) in enumerate(zip(runs, judged, strict=True)):
            if places[column][query] < 0:
                continue
            start = int(run.offsets[places[column][query]])
            documents = run.doc_ids.slice(start, min(int(join.returned[query]), depth)).to_pylist()
            for document in documents:
                if document not in known:
                    text = text_of(document)
                    known[document] = sequences(text)
                    if text:
                        seen.add(document)
            if any(document in seen for document in documents):
                counts[query, column] = int((_above([known[document] for document in documents]) >= 0).sum())
        if progress is not None and query % 16 == 0:
            progress((query + 1) / n_queries)
    return frozen(counts)
