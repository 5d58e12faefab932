"""Many systems: shared ranks, shares of judged documents, what the test shows as a filter, and grey curves."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from irviewer.evaluation.curves import averaged_precision_recall, mean_ndcg_by_cutoff
from irviewer.evaluation.evaluation_cache import Evaluation
from irviewer.measures.parser import parse_measure
from irviewer.model.judgments.judged import judge
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.workspace import Collection, JudgmentSet, Regime
from irviewer.session.runs.colours import MANY_SYSTEMS
from irviewer.session.session import Session
from irviewer.session.view_models.systems import OUTCOMES, SystemsViewModel
from tests.session.helpers import session_with

MANY = MANY_SYSTEMS + 3


def collection(runs: int, queries: int = 8) -> Collection:
    """Runs that find the only relevant document ever sooner; two and two of them are alike."""
    drawn = random.Random(7)
    grades = {str(query): {f"r{query}": 1, f"n{query}": 0} for query in range(queries)}
    rankings: list[dict[str, dict[str, float]]] = []
    for number in range(runs):
        if number % 3 == 1:
            rankings.append(rankings[-1])
            continue
        ranking = {}
        for query in range(queries):
            documents = [f"n{query}", *(f"u{place}" for place in range(20))]
            place = max(0, min(20, round(16 - 1.3 * number + drawn.gauss(0, 2))))
            documents.insert(place, f"r{query}")
            ranking[str(query)] = {document: -float(rank) for rank, document in enumerate(documents)}
        rankings.append(ranking)
    all_runs = [Run.from_dict(ranking, name=f"run{number}") for number, ranking in enumerate(rankings)]
    return Collection("many", judgments=(JudgmentSet(Qrels.from_dict(grades), Regime.POOLED),)).with_runs(all_runs)


def systems(session: Session) -> SystemsViewModel:
    session.comparison.compared()
    view_model = session.view_models.systems_view_model()
    assert view_model is not None
    return view_model


def test_few_systems_have_neither_ranks_nor_grey_curves() -> None:
    session = session_with(collection(MANY_SYSTEMS))
    session.navigation.set_place("systems")
    view_model = systems(session)
    assert view_model.ranks == ()
    assert view_model.judged is None
    assert view_model.by_cutoff.others == () == view_model.precision_recall.others


def test_equal_means_share_a_rank_which_is_one_more_than_the_number_of_better_ones() -> None:
    session = session_with(collection(MANY))
    session.navigation.set_place("systems")
    view_model, context = systems(session), session.view.context
    assert context is not None
    means = {entry.key: context.mean(entry, context.measure) for entry in context.collection.runs}
    for label, rank in zip(view_model.runs, view_model.ranks, strict=True):
        mine = means[label.key]
        better = sum(other > mine + 1e-12 for other in means.values())
        shared = sum(abs(other - mine) <= 1e-12 for other in means.values()) > 1
        assert rank == f"{better + 1}{'=' * shared}"
    judged = parse_measure(f"Judged@{context.cutoff}")
    shares = [context.mean(entry, judged) for entry in context.collection.runs]
    places = [[entry.key for entry in context.collection.runs].index(label.key) for label in view_model.runs]
    assert view_model.judged is not None
    np.testing.assert_array_equal(view_model.judged, np.array(shares)[places])
    # They sort as what they show.
    session.navigation.sort_systems("judged", False)
    assert systems(session).judged is not None
    assert np.all(np.diff(systems(session).judged) >= 0)


def test_the_switch_filters_by_what_the_test_shows_and_changes_no_number() -> None:
    session = session_with(collection(MANY, queries=30))
    session.navigation.set_place("systems")
    session.runs.set_baseline(MANY // 2)
    everything = systems(session)
    assert everything.statistics is not None
    assert sum(everything.outcomes) == MANY - 1
    assert everything.outcomes[0] and everything.outcomes[2]
    p_of = {label.key: p for label, p in zip(everything.runs, everything.statistics.p.tolist(), strict=True)}
    seen: set[int] = set()
    for outcome, count in zip(OUTCOMES, everything.outcomes, strict=True):
        session.comparison.filter_outcome(outcome)
        part = systems(session)
        keys = {label.key for label in part.runs}
        assert len(keys) == len(part.runs) == count
        assert part.statistics is not None
        for label, delta, p, shown in zip(
            part.runs, part.delta.tolist(), part.statistics.p.tolist(), part.statistics.shown.tolist(), strict=True
        ):
            assert p == p_of[label.key]  # the family is the same
            assert outcome == ("same" if not shown else "better" if delta > 0 else "worse")
        drawn = {curve.role.run for curve in (*part.by_cutoff.curves, *part.by_cutoff.others)}
        assert drawn == keys
        seen |= keys
    assert seen == {label.key for label in everything.runs} - {MANY // 2}
    session.comparison.filter_outcome("")
    assert [label.key for label in systems(session).runs] == [label.key for label in everything.runs]


def test_all_many_systems_have_a_curve_those_that_are_not_shown_apart() -> None:
    session = session_with(collection(MANY))
    session.navigation.set_place("systems")
    for figure in (systems(session).by_cutoff, systems(session).precision_recall):
        assert {curve.role.run for curve in figure.curves} == set(session.view.shown)
        assert {curve.role.run for curve in figure.others} == set(range(MANY)) - set(session.view.shown)


def test_curves_after_edits_are_those_of_every_query_anew() -> None:
    """Judgments given and taken back, a document moved in a copy, a query set between them: to the last digit, the new
    highest grade and a query without relevant documents too."""
    session = session_with(collection(MANY, queries=6))
    session.navigation.set_place("systems")
    copy = session.run_editing.edit_copy(1)
    assert copy is not None

    def agrees() -> list[list[float]]:
        view_model, context = systems(session), session.view.context
        assert context is not None
        assert context.judgments is not None
        drawn = []
        for figure in (view_model.precision_recall, view_model.by_cutoff):
            for curve in (*figure.curves, *figure.others):
                if curve.role.kind != "run":
                    continue
                entry = context.collection.run(curve.role.run)
                assert entry is not None
                judged = judge(entry.run, context.judgments.qrels)
                if figure is view_model.precision_recall:
                    x, expected = averaged_precision_recall(judged)
                else:
                    x, expected = mean_ndcg_by_cutoff(judged, int(curve.x[-1]))
                corners = np.isin(x, curve.x)  # flat stretches have no points between them
                assert curve.y.tolist() == expected[corners].tolist(), (curve.label, figure.title)
                drawn.append(curve.y.tolist())
        assert len(drawn) >= 2 * MANY
        return drawn

    seen = [agrees()]
    for query, document, grade in (
        ("3", "u2", 1.0), ("3", "u2", 4.0), ("1", "r1", 0.0), ("1", "r1", 1.0), ("5", "new", 1.0), ("3", "u2", None)
    ):  # fmt: skip
        session.judging.judge(document, grade, query_id=query)
        seen.append(agrees())
    session.navigation.set_query("2")
    assert session.run_editing.shift_document(copy, "r2", 1)
    seen.append(agrees())
    assert [number for number, (former, present) in enumerate(pairwise(seen)) if former == present] == []


def test_what_systems_shows_is_computed_before_it_comes_into_view(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else hundreds of runs are evaluated where the window waits for them."""
    session = session_with(collection(MANY))
    session.navigation.set_place("systems")
    store = session.store
    protocol = store.state.protocol
    ranx = replace(store.state, protocol=replace(protocol, rules=replace(protocol.rules, dialect="ranx")))
    for state in (store.state, ranx):
        for evaluation_input, measures in store._needed(state, in_view=True):
            store.evaluation.warm(evaluation_input, measures)

    def late(*_: object) -> None:
        raise AssertionError("it is computed only when it is shown")

    monkeypatch.setattr(Evaluation, "_computed", late)
    for dialect in ("trec_eval", "ranx"):
        session.protocol.set(dialect=dialect)
        view_model = session.view_models.systems_view_model()
        assert view_model is not None
        assert view_model.judged is not None
