"""The table of benchmarks: every row, and what it must reach."""

from __future__ import annotations

from tests.benchmarks import documents, evaluating, large, showing
from tests.benchmarks.case import Case, Target

CASES = (
    Case(
        "in_process",
        "1 million lines, read and evaluated (official), in one process",
        evaluating.in_process,
        7,
        (Target("irviewer", "ratio", 4),),
    ),
    Case(
        "as_processes",
        "the same, as whole processes",
        evaluating.as_processes,
        7,
        (Target("irviewer", "ratio", 2),),
    ),
    Case(
        "start",
        "process start to the painted Cranfield sample, 1280×800",
        showing.start,
        11,
        (Target("lists and tables", "median", 1.5), Target("with plots", "median", 2.0)),
    ),
    Case(
        "small_steps",
        "another query, all panels repainted: 4 runs × 1000, 1280×800",
        showing.small_steps,
        190,
        (Target("step", "median", 0.030), Target("step", "p95", 0.050)),
    ),
    Case(
        "large_steps",
        "another query, all panels repainted: 4 runs × 1000, 1920×1080",
        showing.large_steps,
        190,
        (Target("step", "median", 0.050),),
    ),
    Case(
        "sort",
        "the table of 6,980 queries in another order, map and bars painted too",
        showing.sort,
        60,
        (Target("sort", "median", 0.050),),
    ),
    Case("thirty_runs", "30 runs of 225 queries × 100, read and evaluated for six measures", evaluating.thirty_runs, 7),
    Case("covid", "TREC-COVID round 1: 76 runs, read and evaluated for four measures", evaluating.covid, 5),
    Case(
        "documents",
        "a corpus of a million documents: its index, and a document of it",
        documents.documents,
        7,
        (Target("opened again", "median", 0.05), Target("slowest of 200 documents", "median", 0.005)),
    ),
    Case(
        "large",
        "6.98 million lines, all_trec, nDCG, ERR@20, RBP, Judged, as whole processes",
        large.as_processes,
        5,
        (Target("irviewer", "ratio", 5), Target("irviewer", "peak", 600)),
    ),
    Case("large_beside", "the same beside a bare read of the text, ir_measures and ranx", large.beside, 1),
    Case("large_unusual", "6.98 million lines compressed, shuffled, all scores equal: official", large.unusual, 3),
    Case(
        "large_again",
        "6.98 million lines opened again unchanged; twenty such runs",
        large.again,
        3,
        (Target("one", "median", 0.3), Target("twenty, anonymous", "peak", 3000)),
    ),
)
