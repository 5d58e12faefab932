"""Documents at scale: a corpus of a million lines made by seed, its index, and a document of it."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from irviewer.formats.load import load
from irviewer.formats.texts import corpus
from irviewer.formats.texts.corpus_index import CorpusIndex
from tests.benchmarks.case import Side

SEED = 20
DOCUMENTS = 1_000_000


def make_corpus(path: Path, count: int) -> None:
    """JSON lines with id, title and 40 words of text, the same for the same count."""
    chance = random.Random(SEED)
    words = [f"w{number}" for number in range(5000)]
    with path.open("w", encoding="utf-8") as file:
        for number in range(count):
            title, text = " ".join(chance.choices(words, k=4)), " ".join(chance.choices(words, k=40))
            file.write(f'{{"_id": "d{number}", "title": "{title}", "text": "{text}"}}\n')


@contextmanager
def documents(folder: Path, small: bool) -> Iterator[dict[str, Side]]:
    """Open the corpus the first time, open it again, show a document."""
    count = 2000 if small else DOCUMENTS
    path, cache = folder / "corpus.jsonl", folder / "cache"
    make_corpus(path, count)
    chance = random.Random(SEED)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("IRVIEWER_CACHE_DIR", str(cache))
        patch.setattr(corpus, "INDEX_FROM", 1)
        kept = _open(path)

        def first() -> None:
            for file in (cache / "corpora").iterdir():
                file.unlink()
            _open(path)

        def again() -> None:
            _open(path)

        def document() -> float:
            ids = [f"d{chance.randrange(count)}" for _ in range(200)]
            slowest = 0.0
            for doc_id in ids:
                begin = time.perf_counter()
                assert kept.title(doc_id)
                assert kept.text(doc_id)
                slowest = max(slowest, time.perf_counter() - begin)
            return slowest

        yield {"index made": first, "opened again": again, "slowest of 200 documents": document}


def _open(path: Path) -> CorpusIndex:
    corpus_index = load(os.fspath(path)).value
    assert isinstance(corpus_index, CorpusIndex)
    return corpus_index
