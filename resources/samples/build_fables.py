"""Builds the six runs of the fables sample from its documents and queries, and lists the pool that was judged.

    python build_fables.py [--folder DIR] [--pool]

The folder is `fables` beside this script unless another is named. `documents.jsonl` and `queries.tsv` are read; the
runs are written to `runs/*.run.gz`. With `--pool` nothing is written: the documents to be judged are printed, a line
a query. Only numpy is needed. Another machine may differ in the last decimal of a score, and so in the order of
neighbours.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import io
import json
import math
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np

DEPTH = 50
POOL = 10
K1, B = 1.2, 0.75
MU = 100
RRF_K = 60
DIMENSIONS = 60

STOPWORDS = frozenset(
    re.findall(
        "[a-z]+",
        """
        a about after again all along an and another any are as at away be been before but by came can could did do
        does down each every for from get go had has have he her him himself his how i if in into is it its let me
        moral more my no not of off on once one only or other out over own said saw she so some such than that the
        their them then there they this those to too up upon us was we went were what when where which who whom why
        will with would you your
        """,
    )
)
"""Words that say nothing about what a fable tells."""

Scores = dict[str, float]
Ranking = list[tuple[str, str]]  # (document id, score as it is written), best first
Run = dict[str, Ranking]
Analyser = Callable[[str], list[str]]


def plain(text: str) -> list[str]:
    """The lower-case words as they are."""
    return re.findall(r"[a-z]+", text.lower().replace("'s", ""))


def stem(word: str) -> str:
    """A word without the endings -ies, -es, -s, -ing, -ed, -ly and -er where three letters or more remain."""
    for ending, instead in (("ies", "y"), ("sses", "ss"), ("es", ""), ("s", "")):
        if word.endswith(ending) and not word.endswith(("ss", "us")) and len(word) - len(ending) >= 3:
            word = word.removesuffix(ending) + instead
            break
    for ending in ("ing", "ed", "ly", "er"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word.removesuffix(ending)
            break
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeiousl":
        word = word[:-1]
    return word.removesuffix("e") if len(word) > 3 else word


def stemmed(text: str) -> list[str]:
    """The words that are no stopwords, without their endings."""
    return [stem(word) for word in plain(text) if word not in STOPWORDS]


def trigrams(text: str) -> list[str]:
    """The overlapping three characters of every word, with a space at both ends."""
    return [f" {word} "[at : at + 3] for word in plain(text) for at in range(len(word))]


# --- scoring ---


def bm25(counts: Mapping[str, Counter[str]], query: Sequence[str]) -> Scores:
    """BM25 with the idf log(1 + (N - n + 0.5) / (n + 0.5)); documents without a word of the query are left out."""
    mean = sum(sum(words.values()) for words in counts.values()) / len(counts)
    scores: Scores = {}
    for word in query:
        holders = [docno for docno, words in counts.items() if word in words]
        idf = math.log(1 + (len(counts) - len(holders) + 0.5) / (len(holders) + 0.5))
        for docno in holders:
            frequency, length = counts[docno][word], sum(counts[docno].values())
            part = frequency * (K1 + 1) / (frequency + K1 * (1 - B + B * length / mean))
            scores[docno] = scores.get(docno, 0.0) + idf * part
    return scores


def likelihood(counts: Mapping[str, Counter[str]], query: Sequence[str]) -> Scores:
    """Log query likelihood with Dirichlet smoothing (Zhai and Lafferty 2001) of the words that the texts have."""
    background: Counter[str] = Counter()
    for words in counts.values():
        background.update(words)
    total = sum(background.values())
    known = [word for word in query if word in background]
    if not known:
        return {}
    return {
        docno: sum(
            math.log((words[word] + MU * background[word] / total) / (sum(words.values()) + MU)) for word in known
        )
        for docno, words in counts.items()
    }


class Vectors:
    """Cosine of (1 + log tf) idf vectors; with ``dimensions`` in the space of the largest singular vectors (LSA,
    Deerwester et al. 1990), where a query is the sum of its words' vectors."""

    def __init__(self, counts: Mapping[str, Counter[str]], dimensions: int = 0) -> None:
        self.docnos = list(counts)
        self.column = {word: at for at, word in enumerate(sorted(set().union(*counts.values())))}
        held = Counter(word for words in counts.values() for word in words)
        self.idf = {word: math.log(len(counts) / held[word]) + 1 for word in self.column}
        rows = np.array([self._weights(words) for words in counts.values()])
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        self.basis = np.linalg.svd(rows, full_matrices=False)[2][:dimensions] if dimensions else None
        self.rows = self._unit(rows)

    def _weights(self, words: Mapping[str, int]) -> np.ndarray:
        row = np.zeros(len(self.column))
        for word, frequency in words.items():
            if word in self.column:
                row[self.column[word]] = (1 + math.log(frequency)) * self.idf[word]
        return row

    def _unit(self, rows: np.ndarray) -> np.ndarray:
        if self.basis is not None:
            rows = rows @ self.basis.T
        lengths = np.linalg.norm(rows, axis=-1, keepdims=True)
        return rows / np.where(lengths > 0, lengths, 1)

    def scores(self, query: Sequence[str]) -> Scores:
        """The cosine of every document with a query."""
        return dict(zip(self.docnos, (self.rows @ self._unit(self._weights(Counter(query)))).tolist(), strict=True))


# --- ranking ---


def rank(scores: Scores) -> Ranking:
    """The best documents in trec_eval's order: score as written, descending, then document id, descending by bytes."""
    written = [(docno, f"{score:.4f}") for docno, score in scores.items()]
    written.sort(key=lambda pair: (float(pair[1]), pair[0].encode()), reverse=True)
    return written[:DEPTH]


def fuse(*runs: Run) -> Run:
    """Reciprocal rank fusion (Cormack, Clarke and Büttcher 2009): the sum of 1 / (k + rank), times 100."""
    fused: Run = {}
    for query in runs[0]:
        scores: Scores = {}
        for run in runs:
            for position, (docno, _) in enumerate(run[query], start=1):
                scores[docno] = scores.get(docno, 0.0) + 100 / (RRF_K + position)
        fused[query] = rank(scores)
    return fused


def make_runs(documents: Sequence[Mapping[str, str]], queries: Sequence[Mapping[str, str]]) -> dict[str, Run]:
    """The six runs by name."""

    def counted(analyse: Analyser, *fields: str) -> dict[str, Counter[str]]:
        return {
            document["id"]: Counter(analyse(" ".join(document[field] for field in fields))) for document in documents
        }

    def searched(analyse: Analyser, score: Callable[[Sequence[str]], Scores]) -> Run:
        return {query["id"]: rank(score(analyse(query["text"]))) for query in queries}

    words, stems = counted(plain, "title", "text"), counted(stemmed, "title", "text")
    latent, titles = Vectors(stems, DIMENSIONS), Vectors(counted(trigrams, "title"))
    runs = {
        "bm25_plain": searched(plain, lambda query: bm25(words, query)),
        "bm25_stemmed": searched(stemmed, lambda query: bm25(stems, query)),
        "likelihood": searched(stemmed, lambda query: likelihood(stems, query)),
        "lsa_dense": searched(stemmed, latent.scores),
        "title_trigrams": searched(trigrams, titles.scores),
    }
    runs["fusion_rrf"] = fuse(runs["bm25_stemmed"], runs["lsa_dense"])
    return runs


# --- files ---


def write_run(path: Path, tag: str, run: Run) -> None:
    """Six columns: query, Q0, document, rank from 1, score, tag; compressed without time or name."""
    lines = [
        f"{query} Q0 {docno} {position} {score} {tag}\n"
        for query, ranking in run.items()
        for position, (docno, score) in enumerate(ranking, start=1)
    ]
    packed = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", compresslevel=9, fileobj=packed, mtime=0) as stream:
        stream.write("".join(lines).encode())
    path.write_bytes(packed.getvalue())


def pool(runs: Mapping[str, Run], query: str) -> list[str]:
    """The documents in the first ranks of any run, sorted by id so that no run is seen."""
    return sorted({docno for run in runs.values() for docno, _ in run[query][:POOL]})


def main() -> None:
    """Reads the documents and queries; writes the runs, or prints the pool."""
    parser = argparse.ArgumentParser(description="Builds the runs of the fables sample.")
    parser.add_argument("--folder", type=Path, default=Path(__file__).resolve().parent / "fables")
    parser.add_argument("--pool", action="store_true", help="print the documents to be judged, and write nothing")
    arguments = parser.parse_args()
    folder: Path = arguments.folder

    documents = [json.loads(line) for line in (folder / "documents.jsonl").read_text("utf-8").splitlines()]
    with (folder / "queries.tsv").open(encoding="utf-8", newline="") as stream:
        queries = list(csv.DictReader(stream, delimiter="\t"))
    runs = make_runs(documents, queries)
    if arguments.pool:
        for query in queries:
            print(query["id"], query["text"], *pool(runs, query["id"]), sep="\t")
        return
    (folder / "runs").mkdir(exist_ok=True)
    for tag, run in runs.items():
        write_run(folder / "runs" / f"{tag}.run.gz", tag, run)


if __name__ == "__main__":
    main()
