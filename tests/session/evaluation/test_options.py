"""From which grade documents are relevant, and judged documents only: every number and list follows, as trec_eval's."""

from __future__ import annotations

import numpy as np
import pytest

from irviewer.commands import run_command
from irviewer.evaluation.evaluate import evaluate
from irviewer.measures.parser import parse_measure
from irviewer.model.options import EvaluationOptions
from irviewer.session.session import Session
from tests.session.helpers import Announcements, collection, session_with

MEASURES = ("AP", "P@10", "nDCG@10", "RR", "Bpref", "Judged@10")


def means(session: Session, name: str) -> list[float]:
    view_model = session.view_models.systems_view_model()
    assert view_model is not None
    row = [label.name for label in view_model.runs].index(name)
    return [
        view_model.means[row, [column.measure for column in view_model.columns].index(measure)]
        for measure in ("AP", "P@10", "RR")
    ]


@pytest.mark.parametrize("options", [{"level": 2.0}, {"judged_only": True}, {"level": 2.0, "judged_only": True}])
def test_numbers_are_those_of_the_command_line(options: dict[str, float]) -> None:
    whole = collection()
    session = session_with(whole)
    if "level" in options:
        session.protocol.set(level=options["level"])
    if "judged_only" in options:
        session.protocol.set(judged_only=True)
    entry = whole.runs[1]
    wanted = [parse_measure(name) for name in ("AP", "P@10", "RR")]
    table = evaluate(whole.judgments[0].qrels, entry.run, wanted, EvaluationOptions(**options))  # type: ignore[arg-type]
    assert means(session, entry.name) == pytest.approx(np.asarray(table.means)[:, 0].tolist(), abs=1e-12)


def test_lists_ranks_and_relevant_documents_follow() -> None:
    session = session_with(collection())
    heard = Announcements(session)
    before = session.view_models.query_view_model()
    assert before is not None
    session.protocol.set(judged_only=True)
    assert [aspects >= {"measure"} for aspects in heard.take()] == [True]
    view_model = session.view_models.query_view_model()
    assert view_model is not None
    assert before.depth == 25
    assert view_model.depth == 1  # one judged document was returned
    assert all(not np.isnan(column.grades).any() for column in view_model.columns)
    assert view_model.columns[0].run == before.columns[0].run
    assert session.view.caveats[0].startswith("judged documents only")
    session.protocol.set(judged_only=False)
    assert session.view_models.query_view_model() is not None
    assert session.view_models.query_view_model().depth == 25  # type: ignore[union-attr]
    assert before.n_relevant == 2
    session.protocol.set(level=2)
    assert session.view_models.query_view_model().n_relevant == 1  # type: ignore[union-attr]
    assert session.view.caveats[0] == "relevance level: grade 2"
    assert [row.label for row in session.view_models.query_view_model().metrics if row.measure == "AP"] == ["AP ≥2"]  # type: ignore[union-attr]


def test_commands_offer_the_grades_there_are() -> None:
    session = session_with(collection())
    assert session.view.levels == (1.0, 2.0)
    assert run_command(session, "level 2")
    assert session.view.level == 2
    assert run_command(session, "judged_only")
    assert session.view.judged_only
    assert not run_command(session_with(), "judged_only")
