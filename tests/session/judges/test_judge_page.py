"""The page of a judge where the reference judged what a task had drawn."""

from __future__ import annotations

import numpy as np
import pytest

from irviewer.model.judgments.judging_task import JudgingTask, TaskRow
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.workspace import Collection, JudgmentSet, Regime
from irviewer.session.session import Session
from irviewer.views.judge import JudgePage
from tests.session.helpers import session_with

QUERIES = [f"q{number:02}" for number in range(30)]


def page_of(task: JudgingTask, human: dict[str, dict[str, float]]) -> tuple[Session, JudgePage, dict[str, str]]:
    """The page of a model that judged all; the human judged a task."""
    random = np.random.default_rng(3)
    model = {query: {f"d{place}": float(random.integers(0, 3)) for place in range(4)} for query in QUERIES}
    sets = (
        JudgmentSet(Qrels.from_dict(human, name="human"), Regime.POOLED, task=task),
        JudgmentSet(Qrels.from_dict(model, name="model"), Regime.POOLED),
    )
    runs = [Run.from_dict({query: {f"d{place}": random.random() for place in range(4)} for query in QUERIES}, name=name)
            for name in ("a", "b")]  # fmt: skip
    session = session_with(Collection("made", judgments=sets).with_runs(runs))
    session.protocol.set_number("samples", "100")
    session.judge_comparison.go_to("judge")
    session.compute_now()
    answer = session.result_views.answer("judge")
    assert answer is not None
    assert answer.shown is not None, answer.trouble
    return session, answer.shown.value, {remark.code: remark.text for remark in answer.shown.sentences}


def test_a_sample_of_documents_corrects_no_mean_that_is_not_a_sum() -> None:
    human = {query: {"d0": 1.0, "d1": 0.0} for query in QUERIES[:20]}
    rows = tuple(TaskRow(query, doc, grade, "", 0.5) for query, own in human.items() for doc, grade in own.items())
    session, page, said = page_of(JudgingTask("pair", rows), human)
    assert page.corrected is None
    assert page.by_documents is None
    assert (
        "A sample of documents corrects sums over documents (P, CG, DCG, SetP); nDCG@10 is none: its value depends "
        in said["corrected"]
    )
    assert page.under.order is None
    assert page.height == page.order == "open"
    assert said["headline"].endswith("human judged a sample of documents, under which runs have no values.")
    assert "as all other documents would count as not relevant" in said["sampled"]
    assert "favoured" not in said
    for tab in ("judges", "confusion"):
        session.judge_comparison.go_to(tab)
        session.compute_now()
    systems, two = session.judge_comparison.systems_view_model(), session.judge_comparison.known_confusion()
    assert systems is not None
    assert systems.explanation.startswith("human judged a sample of documents, under which runs have no values.")
    assert two is not None
    assert two.leverage is None
    session.close()


def test_inclusion_probabilities_of_queries_weigh_and_a_query_judged_in_part_waits() -> None:
    """Of a stratum of 10 queries 8 are drawn, of one of 20 queries 8; the last drawn one is judged in part."""
    drawn = [*QUERIES[:8], *QUERIES[10:18]]
    human = {
        query: {f"d{place}": float((place + number) % 3) for place in range(4)} for number, query in enumerate(drawn)
    }
    rows = tuple(TaskRow(query, f"d{place}", None, "few" if query < "q10" else "many", 0.8 if query < "q10" else 0.4)
                 for query in drawn for place in range(4))  # fmt: skip
    del human["q17"]["d3"]
    session, page, _ = page_of(JudgingTask("query", rows), human)
    assert page.corrected is not None
    sample = page.corrected.sample
    assert [page.corrected.ids[place] for place in sample.places] == drawn[:-1]
    # Each stratum by its size, whatever part of it is judged: 10 by 8, and 20 by 7.
    wanted = np.array([10 / 8] * 8 + [20 / 7] * 7)
    assert sample.weights == pytest.approx(wanted / wanted.sum())
    session.close()
