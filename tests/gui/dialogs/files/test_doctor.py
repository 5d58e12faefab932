"""The file doctor's dialog: accounts, choices as buttons, and what pressing one does."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from irviewer.cli.main import main
from irviewer.formats.doctor import ReadOptions
from irviewer.gui.bridge import Bridge
from irviewer.gui.dialogs.files.doctor import PART, DoctorDialog, OptionButton
from irviewer.gui.window import MainWindow
from irviewer.session.session import Session
from irviewer.session.settings import Settings

pytestmark = pytest.mark.opens("start")


def opened(window: MainWindow) -> DoctorDialog:
    window.actions_table.by_id["show_reports"].trigger()
    (dialog,) = [shown_dialog for shown_dialog in window.findChildren(DoctorDialog) if shown_dialog.isVisible()]
    return dialog


def buttons(dialog: DoctorDialog) -> dict[str, OptionButton]:
    return {
        option_button.option.title: option_button for option_button in dialog.area.widget().findChildren(OptionButton)
    }


def test_report_of_every_file(qtbot: QtBot, window: MainWindow, session: Session) -> None:
    dialog = opened(window)
    labels = [label.text() for label in dialog.area.widget().findChildren(QLabel)]
    for name in ("tiny.qrels", "alpha.run", "beta.run"):
        assert name in labels
    assert not buttons(dialog)
    dialog.copy_button.click()
    assert "beta.run: TREC run" in QGuiApplication.clipboard().text()
    dialog.reject()


def test_a_choice_reads_the_file_again(qtbot: QtBot, window: MainWindow, session: Session, tmp_path: Path) -> None:
    (tmp_path / "upper.run").write_text("1 Q0 D1 0 3 u\n1 Q0 D2 0 2 u\n2 Q0 D4 0 1 u\n3 Q0 D5 0 1 u\n")
    session.files.open_files([str(tmp_path / "upper.run")])
    window.flush()
    dialog = opened(window)
    button = next(
        use_button for title, use_button in buttons(dialog).items() if title.startswith("ignoring upper and lower case")
    )
    assert button.text() == "Use"
    button.click()
    assert session.view.collection is not None
    assert session.view.collection.runs[-1].run.ranking("1") == ["d1", "d2"]
    assert any(caveat == "upper: document ids matched by the rule case" for caveat in session.view.caveats)
    now = buttons(dialog)
    assert [title for title, use_button in now.items() if use_button.text() == "In use"] == [
        "ignoring upper and lower case"
    ]
    now["ignoring upper and lower case"].click()  # is so already
    now["keep the document ids of the file"].click()
    assert session.view.collection.runs[-1].run.ranking("1") == ["D1", "D2"]
    dialog.reject()
    QApplication.processEvents()
    session.files.treat(str(tmp_path / "upper.run"), ReadOptions(ids="case"))  # nobody listens any more


def test_a_refused_file(qtbot: QtBot, window: MainWindow, session: Session, tmp_path: Path) -> None:
    (tmp_path / "twice.run").write_text("1 Q0 d1 0 3 u\n1 Q0 d1 0 2 u\n1 Q0 d2 0 2.5 u\n")
    session.files.open_files([str(tmp_path / "twice.run")])
    dialog = opened(window)
    buttons(dialog)["keep the last in the file"].click()
    assert session.view.collection is not None
    assert session.view.collection.runs[-1].run.ranking("1") == ["d2", "d1"]
    assert buttons(dialog)["keep the last in the file"].text() == "In use"
    dialog.reject()


def test_files_are_examined_in_the_background_and_closing_ends_it(
    qtbot: QtBot, bridge: Bridge, make_window: Callable[[Session], MainWindow], files: list[str]
) -> None:
    settings = Settings()
    settings["hints"] = False
    session = Session(settings, post=bridge.post)
    window = make_window(session)
    session.files.open_files(files)

    def is_open() -> bool:
        return session.view.collection is not None and session.busy is None

    qtbot.waitUntil(is_open)
    window.flush()
    dialog = opened(window)
    assert dialog.head.text() == "Examining the files …"
    assert session.busy is not None
    assert session.busy.title == "Examining the files"
    qtbot.waitUntil(lambda: not dialog.waiting)
    assert dialog.head.text().startswith("Contents and problems")
    labels = [label.text() for label in dialog.area.widget().findChildren(QLabel)]
    assert "alpha.run" in labels
    dialog.reject()
    session.files.reload()
    qtbot.waitUntil(is_open)
    window.flush()
    dialog = opened(window)
    dialog.reject()  # before it has been told anything
    assert session.busy is None
    session.close()


@pytest.mark.opens("query")
def test_many_files_are_shown_some_at_a_time(
    qtbot: QtBot, window: MainWindow, session: Session, tmp_path: Path
) -> None:
    paths = [tmp_path / f"more_{number}.run" for number in range(2 * PART)]
    for path in paths:
        path.write_text("1 Q0 d1 0 3 u\n2 Q0 d4 0 1 u\n")
    session.files.open_files([str(path) for path in paths])
    window.flush()
    dialog = opened(window)

    def shown() -> list[str]:
        texts = [label.text() for label in dialog.area.widget().findChildren(QLabel)]
        return [text for text in texts if text.endswith((".run", ".qrels"))]

    assert len(shown()) == PART
    qtbot.waitUntil(lambda: len(shown()) == len(paths) + 3)
    assert len(set(shown())) == len(paths) + 3

    bar = dialog.area.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 500)
    bar.setValue(bar.maximum() - 20)
    position = bar.value()
    dialog._show()
    assert len(shown()) == PART
    qtbot.waitUntil(lambda: len(shown()) == len(paths) + 3)
    qtbot.waitUntil(lambda: bar.value() == position)

    dialog._show()
    dialog.reject()
    QApplication.processEvents()  # nothing is added to a dialog that is closed


def test_queries_of_the_training_set_are_found_in_the_test(
    qtbot: QtBot, window: MainWindow, session: Session, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert session.view.judgments is not None
    tested = session.view.judgments.qrels
    train = tmp_path / "train.qrels"
    train.write_text(f"{tested.query_ids[0]} 0 d1 1\nelsewhere 0 d1 1\n")
    dialog = opened(window)
    dialog.compare_with([str(train)])

    def said() -> list[str]:
        return [label.text() for label in dialog.area.widget().findChildren(QLabel) if "training set" in label.text()]

    (text,) = said()
    assert main(["check", tested.origin, "--train", str(train)]) == 0
    assert text.removeprefix("! ") in capsys.readouterr().out
    assert text.startswith(f"! 1 of {len(tested.query_ids)} queries is in the training set train.qrels too, by its id")
    train.write_text("elsewhere 0 d1 1\n")
    dialog.compare_with([str(train)])
    assert said() == [f"· none of {len(tested.query_ids)} queries is in the training set train.qrels, by their ids"]
    run = tmp_path / "train.run"
    run.write_text("1 Q0 d1 1 2.5 r\n")
    dialog.compare_with([str(run)])
    assert any("holds no qrels or queries" in message.text for message in session.view.messages)
    dialog.reject()
