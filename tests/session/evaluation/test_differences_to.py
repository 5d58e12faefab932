"""Differences of many runs to one at once: those of each pair by itself, to the last bit."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from irviewer.evaluation.evaluation_cache import Evaluation
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.workspace import Collection, JudgmentSet, Regime
from irviewer.session.session import Session
from tests.session.helpers import session_with


def session_of(seed: int) -> Session:
    """Six runs, two of which lack queries, and one query without relevant documents."""
    dice = random.Random(seed)
    queries = [str(number) for number in range(12)]
    grades = {query: {f"d{place}": dice.choice([0, 1, 2]) for place in range(6)} for query in queries}
    grades["3"] = dict.fromkeys(grades["3"], 0)

    def run(number: int) -> Run:
        kept = queries if number not in (2, 4) else dice.sample(queries, 9)
        return Run.from_dict({q: {f"d{p}": dice.random() for p in range(8)} for q in kept}, name=f"run{number}")

    runs = [run(number) for number in range(6)]
    return session_with(
        Collection("made", judgments=(JudgmentSet(Qrels.from_dict(grades), Regime.POOLED),)).with_runs(runs)
    )


@pytest.mark.parametrize("seed", range(3))
def test_many_runs_are_subtracted_as_each_pair_is(seed: int) -> None:
    session = session_of(seed)
    for measure, dialect in [("AP", "textbook"), ("GMAP", "trec_eval"), ("NumRel", "textbook"), ("RR", "ranx")]:
        session.protocol.set(dialect=dialect)
        session.evaluation.set_measure(measure)
        for chosen in ("", "few"):
            if chosen and not session.view.collection.query_set("few"):  # type: ignore[union-attr]
                session.query_sets.make_query_set("few", ["1", "3", "5", "8"], looked=False)
            session.query_sets.set_query_set(chosen)
            context = session.view.context
            assert context is not None
            runs = context.collection.runs
            for other in runs:
                alone = replace(context, evaluation=Evaluation())
                pairs = [alone.difference(entry, other, context.within) for entry in runs]
                assert repr(context.differences_to(other, runs)) == repr(pairs)
    session.close()
