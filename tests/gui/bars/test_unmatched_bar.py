"""The bar about runs that the qrels know nothing of: in every place, as long as there are any, with what mends them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from irviewer.gui.window import MainWindow
from irviewer.session.session import Session
from tests.helpers.unlike_ids import write_unlike

pytestmark = pytest.mark.opens("start")

MakeWindow = Callable[[Session], MainWindow]


def test_it_names_the_runs_and_repairs_all_in_one_step(
    empty_session: Session, make_window: MakeWindow, tmp_path: Path
) -> None:
    empty_session.files.open_files(write_unlike(tmp_path, "docs", "hash", "chunks"))
    window = make_window(empty_session)
    bar = window.unmatched_bar
    for place in ("verdict", "systems", "queries", "query", "compare"):
        empty_session.navigation.set_place(place)
        window.flush()
        assert bar.isVisible()
        assert bar.text.startswith("hash and 1 more have no judged document: document ids such as 1")
    assert bar.action.isVisible()
    assert bar.action.text() == "Match the ids (2 rules)"
    assert "score of the best chunk of a document" in bar.action.toolTip()
    bar.action.click()
    window.flush()
    assert not bar.isVisible()
    assert empty_session.view.unmatched_runs == ()


def test_a_bar_without_a_rule_leads_to_the_doctor(
    empty_session: Session, make_window: MakeWindow, tmp_path: Path
) -> None:
    empty_session.files.open_files(write_unlike(tmp_path, "docs", "others"))
    bar = make_window(empty_session).unmatched_bar
    assert bar.isVisible()
    assert not bar.action.isVisible()
    asked: list[str] = []
    empty_session.asked.connect(asked.append)
    bar.doctor.click()
    empty_session.asked.disconnect(asked.append)
    assert asked == ["show_reports"]


@pytest.mark.parametrize("sample", ["cranfield", "fables", "trec"])
def test_the_samples_have_no_bar(empty_session: Session, make_window: MakeWindow, sample: str) -> None:
    empty_session.files.open_sample(sample)
    assert not make_window(empty_session).unmatched_bar.isVisible()


def test_it_goes_when_another_collection_is_in_view(
    empty_session: Session, make_window: MakeWindow, tmp_path: Path
) -> None:
    empty_session.files.open_files(write_unlike(tmp_path, "docs", "chunks"))
    window = make_window(empty_session)
    assert window.unmatched_bar.isVisible()
    QApplication.processEvents()
    before = window.stack.geometry()
    empty_session.judging.set_judging(True)
    window.flush()
    assert window.judging_banner.isVisible() and not window.unmatched_bar.isVisible()
    empty_session.judging.set_judging(False)
    window.flush()
    assert window.unmatched_bar.isVisible()
    empty_session.files.open_sample("trec")
    window.flush()
    QApplication.processEvents()
    assert not window.unmatched_bar.isVisible()
    assert window.stack.geometry() == before  # nothing moves
