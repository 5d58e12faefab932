"""The dialog about files with different answers of one system."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QPushButton

from irviewer.gui.dialogs.choice import ChoosingDialog
from irviewer.gui.window import MainWindow
from irviewer.session.session import Session


@pytest.mark.opens("start")
@pytest.mark.parametrize(("button", "runs"), [("The last file counts", 1), ("Keep both as versions", 2), ("", 2)])
def test_a_second_file_with_other_answers_is_asked_about(
    button: str, runs: int, tmp_path: Path, make_window: Callable[[Session], MainWindow]
) -> None:
    """Which files and topics differ is said; nothing is chosen before the user does."""
    for name, words in (("one", "It is."), ("two", "It is not.")):
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps({
            "run_id": "s", "topic_id": topic, "topic": "", "references": ["d"],
            "answer": [{"text": words if topic == "a" else "Yes.", "citations": [0]}],
        }) + "\n" for topic in "ab"))  # fmt: skip
    session = Session()
    session.files.open_files([str(tmp_path / "one.jsonl")])
    window = make_window(session)
    session.files.open_files([str(tmp_path / "two.jsonl")])
    (dialog,) = window.findChildren(ChoosingDialog)
    assert dialog.lines.toPlainText() == "one.jsonl and two.jsonl have different answers of s to 1 topic: a"
    if button:
        next(choice for choice in dialog.findChildren(QPushButton) if choice.text() == button).click()
    else:
        dialog.cancel.click()
    context = session.view.context
    assert context is not None and len(context.system_runs) == runs
    session.close()
