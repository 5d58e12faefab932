"""Grade by grade: the table, its margins and its level; by query; the documents of a cell and what they change."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from judges import judge, judges_of, random_grades

from irviewer.analysis.agreement.confusion import confusion
from irviewer.analysis.agreement.judge_agreement import AgreementOptions, agreement
from irviewer.analysis.agreement.leverage import leverage
from irviewer.errors import MeasureError
from irviewer.evaluation.evaluate import evaluate
from irviewer.model.judgments.panel import panel_of
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run

ROWS = random_grades(9, 3, 60)
PAIRS = [(a, b) for a, b in zip(ROWS[0], ROWS[1], strict=True) if a is not None and b is not None]


def test_counts_and_margins() -> None:
    matrix = confusion(panel_of(judges_of(ROWS)), "judge0", "judge1", 2)
    counts = Counter(PAIRS)
    for first, row in enumerate(matrix.grades.tolist()):
        for other, column in enumerate(matrix.grades.tolist()):
            assert matrix.counts[first, other] == counts[row, column]
        assert matrix.margins[0][first] == sum(a == row for a, _ in PAIRS)
        assert matrix.margins[1][first] == sum(b == row for _, b in PAIRS)
    assert np.nansum(matrix.row_shares, axis=1) == pytest.approx(np.ones(4))
    for level in (None, 1, 3):
        table, least = matrix.two_by_two(level), 2 if level is None else level
        assert table.both == sum(a >= least and b >= least for a, b in PAIRS)
        assert table.only_second == sum(a < least <= b for a, b in PAIRS)
        assert table.only_first == sum(b < least <= a for a, b in PAIRS)
        assert table.pairs == len(PAIRS)


def test_the_sentence_says_who_is_generous() -> None:
    first = judge("one", {"1": {"a": 0, "b": 0, "c": 1}})
    other = judge("other", {"1": {"a": 1, "b": 1, "c": 1}})
    assert confusion(panel_of([first, other]), 0, 1).sentence == (
        "other calls 3 of the 3 pairs relevant, one 1. Of the 2 pairs on different sides of the level, 2 are relevant "
        "to other alone and 0 to one alone."
    )


def test_by_query_is_each_query_alone() -> None:
    panel = panel_of(judges_of(ROWS, 5))
    by_query = confusion(panel, 0, 2, 1).by_query
    assert by_query.query_ids == tuple(f"q{number}" for number in range(5))
    for place in range(5):
        rows = [[grade if n % 5 == place else None for n, grade in enumerate(row)] for row in (ROWS[0], ROWS[2])]
        alone = agreement(judges_of(rows), AgreementOptions(samples=0)).pair(0, 1)
        pairs = [(a, b) for a, b in zip(*rows, strict=True) if a is not None and b is not None]
        assert (by_query.pairs[place], by_query.disagreements[place]) == (len(pairs), sum(a != b for a, b in pairs))
        assert by_query.first[place] == pytest.approx(np.mean([a >= 1 for a, _ in pairs]))
        assert by_query.second[place] == pytest.approx(np.mean([b >= 1 for _, b in pairs]))
        for name, estimate in alone.estimates.items():
            value = np.nan if estimate.value is None else estimate.value
            assert by_query.values[name][place] == pytest.approx(value, nan_ok=True), name


def test_documents_of_cells() -> None:
    matrix = confusion(panel_of(judges_of(ROWS)), 0, 1)
    every = matrix.documents()
    assert len(every) == sum(a != b for a, b in PAIRS)
    cells = matrix.documents([(0, 3), (1, 1)])
    assert Counter((cell.first, cell.second) for cell in cells) == {
        pair: count for pair, count in Counter(PAIRS).items() if pair in ((0, 3), (1, 1))
    }
    for cell in cells:
        place = int(cell.doc_id.removeprefix("d"))
        assert (cell.query_id, cell.first, cell.second) == (f"q{place % 4}", ROWS[0][place], ROWS[1][place])


def test_no_pair_in_common() -> None:
    panel = panel_of([judge("one", {"1": {"a": 1}}), judge("two", {"2": {"a": 1}})])
    matrix = confusion(panel, "one", "two")
    assert (matrix.pairs, matrix.documents(), matrix.by_query.query_ids) == (0, (), ())


def runs(documents: int = 12) -> list[Run]:
    random = np.random.default_rng(2)
    runs_so_far = []
    for name in ("a", "b", "c"):
        lists = {f"q{q}": {f"d{n}": float(random.random()) for n in range(q, documents, 4)} for q in range(3)}
        runs_so_far.append(Run.from_dict({query: own | {"none": 0.5} for query, own in lists.items()}, name=name))
    return runs_so_far


@pytest.mark.parametrize("measure", ["nDCG@3", "AP", "P@2", "RR", "ERR@3", "Bpref", "R@2", "RBP(p=0.8)", "infAP"])
@pytest.mark.parametrize("options", [EvaluationOptions(), EvaluationOptions(level=2, judged_only=True)])
def test_leverage_is_what_a_new_evaluation_says(measure: str, options: EvaluationOptions) -> None:
    """Each disagreement in the qrels, one at a time, everything evaluated anew."""
    rows = random_grades(6, 2, 12, missing=0)
    rows[0][0], rows[1][0] = 3, 3  # the highest grade stays where it is
    panel = panel_of(judges_of(rows))
    documents = confusion(panel, 0, 1).documents()
    qrels = panel.sets[0].qrels
    leverages = leverage(documents, qrels, runs(), measure, options)
    assert leverages.most is leverages.most  # reports ask for both at each document
    assert leverages.largest is leverages.largest
    before = evaluate(qrels, runs(), [measure], options)
    for place, cell in enumerate(documents):
        changed = {query: dict(qrels.judgments(query)) for query in qrels.query_ids}
        changed[cell.query_id][cell.doc_id] = cell.second
        after = evaluate(Qrels.from_dict(changed), runs(), [measure], options)
        query = after.query_ids.index(cell.query_id)
        wanted = after.of(measure)[1][:, query] - before.of(measure)[1][:, query]
        assert leverages.changes[place] == pytest.approx(wanted), cell
        assert leverages.of_means[place] == pytest.approx(after[measure] - before[measure])
        assert leverages.of_difference(1, 0)[place] == pytest.approx(
            (after[measure] - before[measure])[1] - (after[measure] - before[measure])[0]
        )
        assert abs(leverages.largest[place]) == pytest.approx(np.abs(wanted).max())
        assert leverages.in_top[place] == sum(
            cell.doc_id in run.ranking(cell.query_id, leverages.depth) for run in runs()
        )
    sizes = np.abs(leverages.largest)[leverages.order]
    assert (np.diff(sizes) <= 1e-12).all()


def test_leverage_of_nothing() -> None:
    leverages = leverage((), Qrels.from_dict({"1": {"a": 1}}), runs())
    assert leverages.changes.shape == (0, 3)
    assert len(leverages.order) == 0


@pytest.mark.parametrize("measure", ["num_q", "AP - P@5", "alpha_nDCG@5", "prefs_pair"])
def test_leverage_of_what_reads_more_than_grades_is_refused(measure: str) -> None:
    with pytest.raises(MeasureError, match="effect of single grades cannot be computed"):
        leverage((), Qrels.from_dict({"1": {"a": 1}}), runs(), measure)
