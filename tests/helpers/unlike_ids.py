"""Files whose ids are written otherwise than those of the qrels: chunks of documents, prefixes, other query ids."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

QUERIES = 30
Rename = Callable[[str, int], str]

WAYS: dict[str, tuple[Rename, Rename]] = {
    "docs": (lambda query, _: query, lambda document, _: document),
    "docs_too": (lambda query, _: query, lambda document, _: document),
    "hash": (lambda query, _: query, lambda document, n: f"{document}#{n}"),
    "chunks": (lambda query, _: query, lambda document, n: f"{document}_{n}"),
    "prefixed": (lambda query, _: query, lambda document, _: f"MED-{document}"),
    "queries": (lambda query, _: f"q{query}", lambda document, _: document),
    "others": (lambda query, _: query, lambda document, _: f"{document[::-1]}x{len(document)}y"),
}
"""Run -> what becomes of its query ids and of its document ids, each by a number."""


def write_unlike(folder: Path, *names: str) -> list[str]:
    """Qrels of documents, a run for each of the names; their paths."""
    dice = random.Random(7)
    documents = [f"{number}" for number in range(1000, 1400)]
    judged = {str(query): dice.sample(documents, 12) for query in range(1, QUERIES + 1)}
    lines = [f"{query} 0 {document} {dice.randint(0, 2)}\n" for query, some in judged.items() for document in some]
    (folder / "qrels.txt").write_text("".join(lines))
    for name in names:
        of_query, of_document = WAYS[name]
        rows = []
        for query, some in judged.items():
            pool = [*some, *dice.sample([document for document in documents if document not in some], 15)]
            dice.shuffle(pool)
            rows += [
                f"{of_query(query, 0)} Q0 {of_document(document, place % 9 + 1)} {place} {-place} {name}\n"
                for place, document in enumerate(pool, 1)
            ]
            if name in ("hash", "chunks"):  # of the best document another chunk
                rows.append(f"{of_query(query, 0)} Q0 {of_document(pool[0], 77)} 99 -99 {name}\n")
        (folder / f"{name}.run").write_text("".join(rows))
    return [str(folder / "qrels.txt"), *(str(folder / f"{name}.run") for name in names)]
