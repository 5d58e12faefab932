"""The table of benchmarks: every row, and what it must reach."""

from __future__ import annotations

from tests.benchmarks import (
    alike,
    answering,
    asking,
    comparing,
    documents,
    dragging,
    editing,
    evaluating,
    judging,
    large,
    large_tables,
    living,
    showing,
    stored,
    track,
    walking,
)
from tests.benchmarks.case import Case, Target

# Of the first side's median: what takes more of it is a cliff.
UNUSUAL = (
    *(Target(name, "times", 2.5) for name in large.SHAPED if name not in ("double spaces", "JSON of ranx", "Parquet")),
    Target("double spaces", "times", 10),
    Target("JSON of ranx", "times", 4),
    Target("Parquet", "times", 4),  # one thread decodes it; of its memory nothing more is allowed
    *(Target(name, "peak", 600) for name in large.SHAPED if name != "double spaces"),
)

# All that is in view, in every place.
EDITED = tuple(f"{what}: {' '.join(filter(None, view))}" for view in editing.VIEWS for what in ("judge", "move"))

# Of 15 and of 20 runs; what is painted, and how long nothing is answered.
DRAGGED = tuple(
    tuple(
        target
        for name in dragging.names()
        for target in (Target(name, "median", most), Target(f"{name}, stalled", "median", 0.050))
    )
    for most in (0.050, 0.200)
)

# Asked for in the window, in the background, while it answers.
LIVING = tuple(
    target
    for name in living.QUESTIONS
    for target in (Target(name, "median", 10), Target(f"{name}, stalled", "median", 0.050))
)

# On a walk through all views, between two beats of a timer in the event loop: in processor time of the window's
# thread and by the wall.
WALKED = tuple(Target(step, "least", 0.100) for step in (*walking.STEPS, *walking.BY_THE_WALL))

CASES = (
    Case(
        "answers",
        "answers of 301 topics and 50 systems: read, scored, compared, and one topic after another, processor time",
        answering.answers,
        5,
        (
            Target("read", "least", 2.5),
            Target("read again", "least", 0.4),
            Target("six measures", "least", 0.1),
            Target("all pairs", "least", 1),
            Target("another topic", "median", 0.016),
            Target("nuggets by system", "median", 1),
            Target("all in a process", "peak", 350),
            Target("all from the cache", "peak", 350),
        ),
    ),
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
        (Target("irviewer", "ratio", 2.5),),
    ),
    Case(
        "start",
        "process start to the painted Cranfield sample, 1280×800",
        showing.start,
        11,
        (Target("lists and tables", "median", 0.7), Target("with plots", "median", 1.2)),
    ),
    Case(
        "small_steps",
        "another query, all panels repainted: 4 runs × 1000, 1280×800",
        showing.small_steps,
        190,
        (Target("step", "median", 0.016), Target("step", "p95", 0.050)),
    ),
    Case(
        "large_steps",
        "another query, all panels repainted: 4 runs × 1000, 1920×1080",
        showing.large_steps,
        190,
        (Target("step", "median", 0.020),),
    ),
    Case(
        "large_table",
        "a table of 1 million rows × 10 columns: a screenful shown, sorted, saved as CSV; processor time",
        large_tables.large_table,
        5,
        (Target("irviewer", "median", 2.5),),
    ),
    Case(
        "large_queries",
        "the table of 1 million queries in the window: shown, sorted, and saved as CSV; processor time",
        large_tables.queries_table,
        5,
        (Target("irviewer", "median", 2.5),),
    ),
    Case(
        "sort",
        "the table of 6,980 queries in another order, map and bars painted too",
        showing.sort,
        60,
        (Target("sort", "median", 0.050),),
    ),
    Case(
        "edits",
        "Cranfield, 15 runs × 225 queries: a judgment, a document moved, all panels repainted, 1280×800",
        editing.cranfield,
        40,
        tuple(Target(name, "median", 0.050) for name in EDITED),
    ),
    Case(
        "large_edits",
        "the same with 20 runs × 6,980 queries",
        editing.large,
        20,
        tuple(Target(name, "median", 0.200) for name in EDITED),
    ),
    Case(
        "ledgers",
        "a query of 1000 documents, 200 judged: the ledger behind a number",
        asking.ledgers,
        60,
        tuple(Target(name, "median", 0.020) for name in asking.LEDGERS),
    ),
    Case(
        "picking",
        "one of 6,980 queries by words of its text, as they are typed",
        asking.picking,
        60,
        (Target("picked", "median", 0.050),),
    ),
    Case(
        "drags",
        "Cranfield, 15 runs × 225 queries: a threshold dragged, a stop every 30 ms, until it is painted, 1280×800",
        dragging.cranfield,
        5,
        DRAGGED[0],
    ),
    Case(
        "large_drags",
        "the same with 20 runs × 6,980 queries",
        dragging.large,
        3,
        DRAGGED[1],
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
    Case(
        "track",
        "95 runs × 500 queries × 100, six measures, by the command line beside pytrec_eval with three",
        track.command_line,
        5,
        (Target("irviewer", "least", 1.6), Target("irviewer", "peak", 250)),
    ),
    Case(
        "track_opened",
        "the same runs opened in the window, from text, 1280×800",
        track.opened,
        3,
        (Target("table", "least", 5), Target("statistics", "least", 8)),
    ),
    Case("large_beside", "the same beside a bare read of the text, ir_measures and ranx", large.beside, 1),
    Case(
        "large_in_blocks",
        "6.98 million lines in blocks of queries",
        large.in_blocks,
        3,
        (Target("in blocks", "peak", 600), Target("shuffled", "times", 3), Target("shuffled", "peak", 600)),
    ),
    Case("large_unusual", "6.98 million lines in other shapes: official", large.unusual, 3, UNUSUAL),
    Case(
        "large_again",
        "6.98 million lines opened again unchanged; twenty such runs",
        large.again,
        3,
        (Target("one", "median", 0.3), Target("twenty, anonymous", "peak", 3000)),
    ),
    Case(
        "large_opened",
        "twenty runs of 6.98 million lines in the window, opened for the first time",
        large.opened,
        1,
        (
            Target("anonymous", "peak", 3000),
            Target("step", "median", 0.05),
            Target("blocked by dialects", "median", 0.1),
            Target("blocked by judged only", "median", 0.1),
        ),
    ),
    Case(
        "all_pairs",
        "76 runs, 30 queries, 2,850 pairs: 10,000 permutations, 10,000 bootstrap samples",
        comparing.all_pairs,
        5,
        (Target("t, permutations, BCa", "median", 10.0), Target("every test, letters, records", "median", 10.0)),
    ),
    Case(
        "baseline",
        "15 runs, 225 queries, beside a baseline: every test, 10,000 samples",
        comparing.baseline,
        7,
        (Target("every test", "median", 1.0),),
    ),
    Case(
        "judges",
        "23 judges, 4,423 pairs, every coefficient with intervals",
        judging.many_judges,
        5,
        (Target("agreement", "median", 2.0),),
    ),
    Case("stability", "76 runs ranked in 10,000 draws of 30 queries", comparing.stability, 5),
    Case("coverage", "2,000 simulated samples: intervals hold the true mean", comparing.coverage, 1),
    Case(
        "hundred_runs",
        "100 runs, 50 queries × 1000: all pairs alike",
        alike.hundred_runs,
        3,
        (Target("RBO at 1000, clusters", "median", 30.0),),
    ),
    Case(
        "living",
        "TREC-COVID round 1 in the window: 76 runs, 2,850 pairs, 10,000 samples; what the pool does",
        living.living,
        3,
        LIVING,
    ),
    Case("walk", "76 runs in the window: the longest stall by what is done", walking.many_runs, 3, WALKED),
    Case("large_walk", "the same with 20 runs × 6,980 queries", walking.many_queries, 2, WALKED),
    Case(
        "runs_walk",
        "the same with 500 runs × 50 queries",
        walking.most_runs,
        1,
        (*WALKED, Target("until statistics", "least", 10), Target("window", "peak", 1200)),
    ),
    Case("queries_walk", "the same with 2 runs × 100,000 queries", walking.most_queries, 1, WALKED),
    Case(
        "stored_million",
        "stored values of 2 systems × 1 million queries in the window, until all statistics; processor time",
        stored.opened,
        3,
        (
            Target("until statistics", "least", 5),
            Target("window", "peak", 900),
            *(Target(name, "least", 0.100) for name in stored.STALLS),
        ),
    ),
    Case("pool", "TREC-COVID round 1, 76 runs: what the pool does to three measures", alike.pool, 3),
)
