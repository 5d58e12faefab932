"""Fused runs in the session: what is tried, what is kept, under what name."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from irviewer.api.sources import read_run
from irviewer.evaluation.evaluate import evaluate
from irviewer.model.rankings.fusion import Fusion, fuse
from irviewer.session.comparison.fusion import Tried
from irviewer.session.session import Session
from tests.session.helpers import Announcements, collection, session_with


@pytest.fixture
def session() -> Session:
    return session_with(collection(4))


def _runs(session: Session) -> list[str]:
    return [label.name for label in session.view.labels()]


def test_a_fused_run_is_a_run(session: Session) -> None:
    heard = Announcements(session)
    session.fusion.fuse_runs([1, 2], Fusion())
    assert _runs(session)[-1] == "RRF (k = 60) of beta and gamma"
    assert "runs" in set().union(*heard.take())
    assert session.view.focus == 4
    assert 4 in session.view.shown
    assert session.view.collection is not None
    assert session.view.context is not None
    fused = session.view.collection.runs[-1]
    wanted = fuse([entry.run for entry in session.view.collection.runs[1:3]])
    assert fused.run.ranking("1") == wanted.ranking("1")
    table = evaluate(session.view.collection.judgments[0].qrels, wanted, ["nDCG@10"])
    assert session.view.context.mean(fused, session.view.measure) == pytest.approx(table.means[0, 0])
    assert session.view.labels()[-1].fused_from == "RRF (k = 60) of beta and gamma"
    assert session.view.labels()[0].fused_from == ""


def test_it_does_not_follow_its_runs(session: Session) -> None:
    session.fusion.fuse_runs([1, 2], Fusion())
    session.runs.remove_run(1)
    assert _runs(session) == ["alpha", "gamma", "delta", "RRF (k = 60) of beta and gamma"]
    session.runs.remove_run(4)
    assert _runs(session) == ["alpha", "gamma", "delta"]


def test_of_many_the_name_says_how_many(session: Session) -> None:
    session.fusion.fuse_runs([0, 1, 2, 3], Fusion("combsum"))
    assert _runs(session)[-1] == "CombSUM (scores min-max) of 4 runs"
    assert session.view.labels()[-1].fused_from == "CombSUM (scores min-max) of alpha, beta, gamma and delta"


def test_what_cannot_be_fused_is_said(session: Session) -> None:
    session.fusion.fuse_runs([1], Fusion())
    assert "at least two runs" in session.view.messages[-1].text
    assert len(_runs(session)) == 4


def test_it_is_tried_beside_the_best_single_one(session: Session) -> None:
    tries: list[Tried] = []
    session.fusion.try_fusion([0, 3], Fusion("borda"), tries.append)
    assert session.view.collection is not None
    entries = [session.view.collection.runs[place] for place in (0, 3)]
    qrels = session.view.collection.judgments[0].qrels
    alone = [evaluate(qrels, entry.run, ["nDCG@10"]).means[0, 0] for entry in entries]
    together = evaluate(qrels, fuse([entry.run for entry in entries], Fusion("borda")), ["nDCG@10"]).means[0, 0]
    assert tries == [Tried("nDCG@10", together, max(alone), entries[int(np.argmax(alone))].name)]
    assert len(_runs(session)) == 4


def test_it_is_tried_on_the_query_set_in_force(session: Session) -> None:
    session.query_sets.make_query_set("two", ("1", "2"), "made", "by hand")
    session.query_sets.set_query_set("two")
    tries: list[Tried] = []
    session.fusion.try_fusion([0, 3], Fusion(), tries.append)
    assert session.view.collection is not None
    entries = [session.view.collection.runs[place] for place in (0, 3)]
    table = evaluate(session.view.collection.judgments[0].qrels, fuse([entry.run for entry in entries]), ["nDCG@10"])
    inside = [table.query_ids.index(query_id) for query_id in ("1", "2")]
    assert tries[0].value == pytest.approx(table.values[0, 0, inside].mean())


def test_trouble_comes_back(session: Session) -> None:
    tries: list[Tried] = []
    session.fusion.try_fusion([0, 1], Fusion("weighted", weights=(1.0,)), tries.append)
    assert "the number of weights (1) differs from the number of runs (2)" in tries[0].trouble


def test_it_is_saved_as_a_run_file(session: Session, tmp_path: Path) -> None:
    session.fusion.fuse_runs([1, 2], Fusion())
    path = tmp_path / "fused.run"
    session.run_editing.save_run(4, str(path))
    again = read_run(path)
    assert session.view.collection is not None
    assert again.ranking("1") == session.view.collection.runs[-1].run.ranking("1")


def test_a_project_keeps_it_and_what_it_is_made_from(session: Session, tmp_path: Path) -> None:
    session.fusion.fuse_runs([1, 2], Fusion())
    path = tmp_path / "fused.irviewer"
    session.autosave.save_project(str(path))
    again = Session()
    again.projects.open_project(str(path))
    assert _runs(again)[-1] == "RRF (k = 60) of beta and gamma"
    assert again.view.labels()[-1].fused_from == "RRF (k = 60) of beta and gamma"
    assert session.view.collection is not None
    assert again.view.collection is not None
    assert again.view.collection.runs[-1].run.ranking("2") == session.view.collection.runs[-1].run.ranking("2")
