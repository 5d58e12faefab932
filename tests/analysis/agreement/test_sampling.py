"""Drawing what another judge should judge: how many, how likely, and what the weights make of it."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from judges import judge, judges_of, random_grades

from irviewer.analysis.agreement.judge_agreement import AgreementOptions, agreement
from irviewer.analysis.agreement.sampling import draw_pairs, draw_queries, sample_weights
from irviewer.errors import OptionError
from irviewer.model.judgments.panel import panel_of
from irviewer.model.qrels import Qrels

QRELS = Qrels.from_dict({f"q{q}": {f"d{d}": float((q * d) % 4) for d in range(10)} for q in range(12)})


def test_queries_of_each_stratum() -> None:
    strata = {f"q{q}": "few" if q < 3 else "many" for q in range(12)}
    task = draw_queries(QRELS, 4, strata=strata, seed=3)
    assert Counter(row.stratum for row in task.drawn.values()) == {"few": 3, "many": 4}
    assert {row.probability for row in task.rows if row.stratum == "few"} == {1.0}
    assert {row.probability for row in task.rows if row.stratum == "many"} == {4 / 9}
    for query in task.drawn:
        assert [row.doc_id for row in task.rows if row.query_id == query] == list(QRELS.judgments(query))
    assert task == draw_queries(QRELS, 4, strata=strata, seed=3)
    assert task != draw_queries(QRELS, 4, strata=strata, seed=4)


def test_pairs_are_drawn_by_grade() -> None:
    task = draw_pairs(QRELS, 5, seed=1)
    sizes = Counter(f"{grade:g}" for grade in QRELS.grades.tolist())
    assert Counter(row.stratum for row in task.rows) == dict.fromkeys(sizes, 5)
    for row in task.rows:
        assert f"{QRELS.judgments(row.query_id)[row.doc_id]:g}" == row.stratum
        assert row.probability == pytest.approx(5 / sizes[row.stratum])
    assert len({(row.query_id, row.doc_id) for row in task.rows}) == len(task.rows)


def test_every_query_is_as_likely() -> None:
    times = Counter(query for seed in range(600) for query in draw_queries(QRELS, 3, seed=seed).drawn)
    assert len(times) == 12
    assert all(abs(count - 150) < 5 * (600 * 0.25 * 0.75) ** 0.5 for count in times.values())


def test_weights_mend_a_sample_by_grade() -> None:
    """Pairs drawn by grade agree otherwise than all do; weighted by 1 / inclusion probability they agree as all, in the
    mean of many samples."""
    rows = random_grades(8, 2, 400, (0, 0, 0, 0, 1, 2, 3), missing=0)
    whole = agreement(judges_of(rows, 20), AgreementOptions(samples=0)).pair(0, 1)["same_grade"].value
    model, human = judges_of(rows, 20)
    weighted, plain = [], []
    for seed in range(60):
        task = draw_pairs(model.qrels, 15, seed=seed)
        drawn = {(row.query_id, row.doc_id) for row in task.rows}
        part = judge(
            "human",
            {
                query: {doc: grade for doc, grade in human.qrels.judgments(query).items() if (query, doc) in drawn}
                for query in human.qrels.query_ids
            },
        )
        panel = panel_of([model, part])
        options = AgreementOptions(samples=0)
        weighted.append(agreement(panel, options, weights=sample_weights(task, panel)).pair(0, 1)["same_grade"].value)
        own = agreement(panel_of([model, replace(part, task=task)]), options).pair(0, 1)["same_grade"].value
        assert own == pytest.approx(weighted[-1])  # the task that came with the set
        plain.append(agreement(panel, options).pair(0, 1)["same_grade"].value)
    error = np.std(weighted) / np.sqrt(60)  # type: ignore[arg-type]
    assert np.mean(weighted) == pytest.approx(whole, abs=4 * error)  # type: ignore[arg-type]
    assert abs(np.mean(plain) - whole) > 4 * error  # type: ignore[arg-type, operator]


def test_weights_of_queries() -> None:
    task = draw_queries(QRELS, 3, seed=1)
    panel = panel_of([judge("one", {query: QRELS.judgments(query) for query in QRELS.query_ids})])
    weights = sample_weights(task, panel)
    drawn = np.array([panel.query_ids[query] in task.drawn for query in panel.query.tolist()])
    assert weights[drawn].tolist() == pytest.approx([4.0] * 30)
    assert not weights[~drawn].any()


def test_a_stratum_that_is_judged_in_part_keeps_its_size() -> None:
    """4 of 8 and 4 of 40 pairs are drawn, one of the second stratum is judged: it stands for 40."""
    model = judge("model", {"q": {f"d{n:02}": 1.0 if n < 8 else 0.0 for n in range(48)}})
    task = draw_pairs(model.qrels, 4, seed=3)
    of = {row.doc_id: row.stratum for row in task.rows}
    done = [doc for doc in of if of[doc] == "1"] + [doc for doc in of if of[doc] == "0"][:1]
    human = judge("human", {"q": dict.fromkeys(done, 1.0)})
    panel = panel_of([model, human])
    weights = sample_weights(task, panel, panel.judged[:, 1])
    assert dict(zip(panel.doc_ids.to_pylist(), weights.tolist(), strict=True)) == pytest.approx(
        {f"d{n:02}": 0.0 for n in range(48)} | dict.fromkeys(done[:4], 2.0) | {done[4]: 40.0}
    )
    same = agreement(panel, AgreementOptions(samples=0), task=task).pair(0, 1)["same_grade"].value
    assert same == pytest.approx(8 / 48)
    part = draw_queries(QRELS, 4, strata={q: "a" if n < 6 else "b" for n, q in enumerate(QRELS.query_ids)}, seed=1)
    assert sum(part.weights(set(part.frame)).values()) == pytest.approx(len(QRELS.query_ids))
    first = [key for key, row in part.frame.items() if row.stratum == "a"][:1]
    assert part.weights(set(first)) == pytest.approx({first[0]: 6.0})


def test_what_cannot_be_drawn_is_refused() -> None:
    with pytest.raises(OptionError, match="Draw 1 or more"):
        draw_queries(QRELS, 0)
    with pytest.raises(OptionError, match="nothing to draw from"):
        draw_pairs(Qrels.from_dict({}), 1)
