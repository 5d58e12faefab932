"""Views in the session: computed once for a state, kept by what they depend on, gone with their collection."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import latency_view
import numpy as np
import pytest

from irviewer.errors import IrviewerError, OptionError
from irviewer.model.held_bytes import held_bytes
from irviewer.session.result_views import FIRST
from irviewer.session.session import Session
from irviewer.tables.column import number
from irviewer.tables.table import Table
from irviewer.views import manifest
from irviewer.views.result import ViewResult
from irviewer.views.view import ResultView, option
from tests.session.helpers import collection, session_with


class Counted:
    """A view that counts how often it computed."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, int]] = []
        self.view = ResultView("test-counted", self._compute(), self._tables, needs=("judgments",))

    def _compute(self) -> Callable[..., Any]:
        def compute(
            inputs: Any, protocol: Any, *, top: Annotated[int, option("the last rank", low=1)] = 3, progress: Any
        ) -> Any:
            progress(0.5)
            self.calls.append((str(inputs.one.measure), top))
            return inputs.one.means()

        return compute

    @staticmethod
    def _tables(value: Any, protocol: Any) -> ViewResult:
        return ViewResult(value, (Table("means", "Means", (number("mean", "mean", value),)),))


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Counted:
    counting = Counted()
    monkeypatch.setitem(manifest._added, "test-counted", counting.view)
    monkeypatch.setitem(manifest._added, latency_view.NAME, latency_view.latency_view())
    return counting


@pytest.fixture
def session(tmp_path: Path, counted: Counted) -> Session:
    session = Session()
    session.files.open_files(latency_view.write_collection(tmp_path))
    session.evaluation.set_measure("AP")
    session.result_views.choose("test-counted")
    return session


def means(session: Session) -> list[float]:
    session.compute_now()
    answer = session.result_views.answer()
    assert answer is not None and answer.shown is not None, answer
    values: list[float] = answer.shown.table().column("mean").numbers[""].tolist()
    return values


def test_nothing_is_computed_twice(session: Session, counted: Counted) -> None:
    first = means(session)
    means(session)
    session.navigation.set_query("2")
    session.appearance.set_theme("dark")
    session.runs.show_run(session.view.context.collection.runs[0].key, False)  # type: ignore[union-attr]
    assert means(session) == first and counted.calls == [("AP", 3)]
    session.evaluation.set_measure("P@1")
    session.result_views.set_parameter("top", 5)
    assert means(session) != first and counted.calls[1:] == [("P@1", 5)]
    session.evaluation.set_measure("AP")
    session.result_views.set_parameter("top", 3)
    assert means(session) == first and len(counted.calls) == 2, "what was known before is found again"


def test_a_judgment_computes_it_again(session: Session, counted: Counted) -> None:
    before = means(session)
    assert session.judging.judge("x", 2, query_id="2")
    assert means(session) != before and len(counted.calls) == 2


def test_the_values_are_those_of_the_context(session: Session, counted: Counted) -> None:
    context = session.view.context
    assert context is not None
    assert means(session) == [context.mean(entry, context.measure) for entry in context.collection.runs]
    session.protocol.set(judged_only=True, dialect="ranx")
    context = session.view.context
    assert context is not None
    np.testing.assert_array_equal(
        means(session), [context.mean(entry, context.measure) for entry in context.collection.runs]
    )


def test_results_go_with_their_collection(session: Session) -> None:
    means(session)
    assert len(session.result_views.results._kept) == 1 and session.result_views._tokens
    session.files.close_collection()
    assert not session.result_views.results._kept and not session.result_views._tokens


def test_what_cannot_be_shown_is_said(session: Session) -> None:
    with pytest.raises(OptionError, match="there is no view test-nothing"):
        session.result_views.choose("test-nothing")
    with pytest.raises(IrviewerError, match="top is 0; it must be a whole number from 1"):
        session.result_views.set_parameter("top", 0)
    assert session.result_views.parameters == {"top": 3}
    session.result_views.choose(latency_view.NAME)
    session.result_views.set_parameter("cost", "euros")
    session.compute_now()
    answer = session.result_views.answer()
    assert answer is not None and answer.shown is None
    assert answer.trouble == "The runs have no attribute euros; they have ms, size."


def test_choosers_offer_what_is_open(session: Session) -> None:
    session.result_views.choose(latency_view.NAME)
    cost, budget = session.result_views.view().parameters
    assert session.result_views.choices(cost) == ("ms", "size")
    assert session.result_views.choices(budget) == ()
    session.result_views.choose("trade-offs")
    assert session.result_views.choices(session.result_views.view().parameters[0]) == ("", "ms", "size")


def test_the_first_view_shows_something() -> None:
    """The first of the list needs an attribute of runs, and said so in an empty view."""
    session = session_with(collection())
    session.navigation.set_place("compare")
    session.navigation.set_tab("compare", "views")
    session.compute_now()
    assert session.result_views.chosen == FIRST
    answer = session.result_views.answer()
    assert answer is not None and answer.shown is not None
    assert len(answer.shown.tables[0].column("run").values) == len(session.view.labels())


def test_without_a_collection_nothing_is_wanted(counted: Counted) -> None:
    session = Session()
    assert session.result_views.chosen == FIRST
    session.compute_now()
    assert session.result_views.answer() is None and session.result_views.protocol() is None


def test_the_size_of_a_result_is_that_of_its_arrays() -> None:
    from irviewer.session.result_views import ViewAnswer

    values = np.zeros(1000)
    shown = ViewResult(values, (Table("t", "T", (number("n", "n", values),)),))
    assert 8000 <= held_bytes(ViewAnswer(shown)) < 9000, "an array that two have counts once"


def test_a_project_keeps_the_view_with_its_parameters_and_place_in_the_report(session: Session, tmp_path: Path) -> None:
    session.result_views.choose(latency_view.NAME)
    session.result_views.set_parameter("budget", 4)
    session.result_views.set_parameter("cost", "size")
    session.result_views.set_reported(True)
    session.autosave.save_project(str(tmp_path / "kept.irviewer"))
    again = Session()
    again.files.open_files([str(tmp_path / "kept.irviewer")])
    assert again.result_views.chosen == latency_view.NAME and again.view.tab("compare") == "views"
    assert again.result_views.parameters == {"budget": 4.0, "cost": "size"} and again.result_views.reported
    assert not [message for message in again.view.messages if "damaged" in message.text]
    again.close()


def test_what_a_view_of_another_version_was_given_is_left_out(session: Session, tmp_path: Path) -> None:
    session.result_views.choose(latency_view.NAME)
    session.result_views.set_parameter("cost", "size")
    path = tmp_path / "old.irviewer"
    session.autosave.save_project(str(path))
    text = path.read_text("utf-8")
    path.write_text(text.replace('"cost": "size"', '"cost": "size", "budget": "much", "former": [1, "x"]'), "utf-8")
    again = Session()
    again.files.open_files([str(path)])
    assert again.result_views.parameters == {"budget": 50.0, "cost": "size"}
    again.result_views.set_parameter("budget", 3)
    assert again.result_views.parameters == {"budget": 3.0, "cost": "size"}
    again.close()


def test_parameters_and_the_report_are_undo_steps(session: Session) -> None:
    views = session.result_views
    views.choose(latency_view.NAME)
    views.set_parameter("budget", 4)
    views.set_reported(True)
    assert session.history.undo_label == "Latency: in the report"
    session.history.undo()
    assert not views.reported and session.history.undo_label == "Latency: budget 4"
    session.history.undo()
    assert views.parameters["budget"] == 50.0
    session.history.redo()
    session.history.redo()
    assert views.parameters["budget"] == 4.0 and views.reported
