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
    found = confusion(panel_of(judges_of(ROWS)), "judge0", "judge1", 2)
    counts = Counter(PAIRS)
    for one, row in enumerate(found.grades.tolist()):
        for other, column in enumerate(found.grades.tolist()):
            assert found.counts[one, other] == counts[row, column]
        assert found.margins[0][one] == sum(a == row for a, _ in PAIRS)
        assert found.margins[1][one] == sum(b == row for _, b in PAIRS)
    assert np.nansum(found.row_shares, axis=1) == pytest.approx(np.ones(4))
    for level in (None, 1, 3):
        table, least = found.two_by_two(level), 2 if level is None else level
        assert table.both == sum(a >= least and b >= least for a, b in PAIRS)
        assert table.only_second == sum(a < least <= b for a, b in PAIRS)
        assert table.only_first == sum(b < least <= a for a, b in PAIRS)
        assert table.pairs == len(PAIRS)


def test_the_sentence_says_who_is_generous() -> None:
    one = judge("one", {"1": {"a": 0, "b": 0, "c": 1}})
    other = judge("other", {"1": {"a": 1, "b": 1, "c": 1}})
    assert confusion(panel_of([one, other]), 0, 1).sentence == (
        "other calls 3 of the 3 pairs relevant, one 1. Of the 2 pairs on different sides of the level, 2 are relevant "
        "to other alone and 0 to one alone."
    )


def test_by_query_is_each_query_alone() -> None:
    panel = panel_of(judges_of(ROWS, 5))
    found = confusion(panel, 0, 2, 1).by_query
    assert found.query_ids == tuple(f"q{number}" for number in range(5))
    for place in range(5):
        rows = [[grade if n % 5 == place else None for n, grade in enumerate(row)] for row in (ROWS[0], ROWS[2])]
        alone = agreement(judges_of(rows), AgreementOptions(samples=0)).pair(0, 1)
        pairs = [(a, b) for a, b in zip(*rows, strict=True) if a is not None and b is not None]
        assert (found.pairs[place], found.disagreements[place]) == (len(pairs), sum(a != b for a, b in pairs))
        assert found.first[place] == pytest.approx(np.mean([a >= 1 for a, _ in pairs]))
        assert found.second[place] == pytest.approx(np.mean([b >= 1 for _, b in pairs]))
        for name, estimate in alone.estimates.items():
            value = np.nan if estimate.value is None else estimate.value
            assert found.values[name][place] == pytest.approx(value, nan_ok=True), name


def test_documents_of_cells() -> None:
    found = confusion(panel_of(judges_of(ROWS)), 0, 1)
    every = found.documents()
    assert len(every) == sum(a != b for a, b in PAIRS)
    cells = found.documents([(0, 3), (1, 1)])
    assert Counter((one.first, one.second) for one in cells) == {
        pair: count for pair, count in Counter(PAIRS).items() if pair in ((0, 3), (1, 1))
    }
    for one in cells:
        place = int(one.doc_id.removeprefix("d"))
        assert (one.query_id, one.first, one.second) == (f"q{place % 4}", ROWS[0][place], ROWS[1][place])


def test_no_pair_in_common() -> None:
    panel = panel_of([judge("one", {"1": {"a": 1}}), judge("two", {"2": {"a": 1}})])
    found = confusion(panel, "one", "two")
    assert (found.pairs, found.documents(), found.by_query.query_ids) == (0, (), ())


def runs(documents: int = 12) -> list[Run]:
    random = np.random.default_rng(2)
    found = []
    for name in ("a", "b", "c"):
        lists = {f"q{q}": {f"d{n}": float(random.random()) for n in range(q, documents, 4)} for q in range(3)}
        found.append(Run.from_dict({query: own | {"none": 0.5} for query, own in lists.items()}, name=name))
    return found


@pytest.mark.parametrize("measure", ["nDCG@3", "AP", "P@2", "RR", "ERR@3", "Bpref", "R@2", "RBP(p=0.8)", "infAP"])
@pytest.mark.parametrize("options", [EvaluationOptions(), EvaluationOptions(level=2, judged_only=True)])
def test_leverage_is_what_a_new_evaluation_says(measure: str, options: EvaluationOptions) -> None:
    """Each disagreement in the qrels, one at a time, everything evaluated anew."""
    rows = random_grades(6, 2, 12, missing=0)
    rows[0][0], rows[1][0] = 3, 3  # the highest grade stays where it is
    panel = panel_of(judges_of(rows))
    documents = confusion(panel, 0, 1).documents()
    qrels = panel.sets[0].qrels
    found = leverage(documents, qrels, runs(), measure, options)
    before = evaluate(qrels, runs(), [measure], options)
    for place, one in enumerate(documents):
        changed = {query: dict(qrels.judgments(query)) for query in qrels.query_ids}
        changed[one.query_id][one.doc_id] = one.second
        after = evaluate(Qrels.from_dict(changed), runs(), [measure], options)
        query = after.query_ids.index(one.query_id)
        wanted = after.of(measure)[1][:, query] - before.of(measure)[1][:, query]
        assert found.changes[place] == pytest.approx(wanted), one
        assert found.of_means[place] == pytest.approx(after[measure] - before[measure])
        assert found.of_difference(1, 0)[place] == pytest.approx(
            (after[measure] - before[measure])[1] - (after[measure] - before[measure])[0]
        )
        assert abs(found.largest[place]) == pytest.approx(np.abs(wanted).max())
        assert found.in_top[place] == sum(one.doc_id in run.ranking(one.query_id, found.depth) for run in runs())
    sizes = np.abs(found.largest)[found.order]
    assert (np.diff(sizes) <= 1e-12).all()


def test_leverage_of_nothing() -> None:
    found = leverage((), Qrels.from_dict({"1": {"a": 1}}), runs())
    assert found.changes.shape == (0, 3)
    assert len(found.order) == 0


@pytest.mark.parametrize("measure", ["num_q", "AP - P@5", "alpha_nDCG@5", "prefs_pair"])
def test_leverage_of_what_reads_more_than_grades_is_refused(measure: str) -> None:
    with pytest.raises(MeasureError, match="effect of single grades cannot be computed"):
        leverage((), Qrels.from_dict({"1": {"a": 1}}), runs(), measure)
