"""The tab Answer: keys and clicks select one thing in all parts; odd texts are drawn as they are; nothing is markup."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from irviewer.gui.query.answer import segments
from irviewer.gui.query.answer.heads import whole_names
from irviewer.gui.query.answer.measures import VALUE
from irviewer.gui.query.answer.segments import bounds_width, lost_words, shared_beginning
from irviewer.gui.query.answer.signs import MOST_LETTERS, cut, lay_out, metrics_of
from irviewer.gui.query.answer.view import NO_ANSWERS, AnswerView
from irviewer.gui.query.screen import QueryScreen
from irviewer.gui.theme import Theme, make_font
from irviewer.gui.window import MainWindow
from irviewer.rendering.run_label import RunLabel
from irviewer.session.session import Session
from irviewer.session.settings import Settings

OWN = Path(__file__).parents[2] / "data" / "answers"
NAMES = ["nuggets.jsonl", *(f"{run}.{part}.jsonl" for run in ("alpha", "beta")
                            for part in ("answers", "assignments", "support")),
         "qrels.txt", "context.run", "segments.jsonl"]  # fmt: skip


def opened(make_window: Callable[[Session], MainWindow], files: list[str]) -> tuple[MainWindow, AnswerView, Session]:
    session = Session(Settings())
    session.files.open_files(files)
    session.navigation.set_place("query")
    session.navigation.set_tab("query", "answer")
    window = make_window(session)
    window.flush()
    screen = window.current_screen
    assert isinstance(screen, QueryScreen) and screen.answer is not None
    return window, screen.answer, session


@pytest.fixture
def files() -> list[str]:
    return [str(OWN / name) for name in NAMES]


def test_a_click_selects_in_all_parts_and_keys_step(
    make_window: Callable[[Session], MainWindow], qtbot: QtBot, files: list[str]
) -> None:
    window, view, session = opened(make_window, files)
    session.navigation.set_query("t1")
    window.flush()
    sentences, view_model = view.columns[0].sentences, session.answers.view_model
    middle = sentences.box_of(0).center()
    qtbot.mouseClick(sentences.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(60, middle.y()))
    window.flush()
    answers = view_model()
    assert answers is not None and answers.selection.kind == "sentence" and answers.selection.place == 1
    qtbot.keyClick(sentences, Qt.Key.Key_U)
    window.flush()
    answers = view_model()
    assert answers is not None and answers.selection.place == 2  # the sentence that cites nothing
    qtbot.keyClick(sentences, Qt.Key.Key_N)
    window.flush()
    answers = view_model()
    assert answers is not None and answers.selection.kind == "nugget"
    qtbot.keyClick(view.nuggets, Qt.Key.Key_BracketRight)
    window.flush()
    answers = view_model()
    assert answers is not None and answers.lead == 1
    row = next(row for row in range(view.segments.n_rows()))
    view.segments.chosen.emit(row)
    window.flush()
    assert session.view.document_id == "d11" and not view.segment_text.isHidden()
    assert "not open" in view.segment_text.text.toPlainText()


def test_two_answers_take_the_room_of_the_list(make_window: Callable[[Session], MainWindow], files: list[str]) -> None:
    window, view, _session = opened(make_window, files)
    assert not view.curves.isHidden()
    view.beside.chosen.emit("2")
    window.flush()
    assert len(view.columns) == 2 and view.curves.isHidden()
    assert [column.sentences.system for column in view.columns] == [0, 1]
    assert "alpha.assignments, beta.assignments" in view.status.text


def test_a_step_paints_what_is_painted_anew(
    make_window: Callable[[Session], MainWindow], qapp: QApplication, files: list[str]
) -> None:
    """Parts that show the same are not painted again: after each step all pixels are those of a window that is painted
    whole, and of one that was opened there."""
    window, view, session = opened(make_window, files)
    answers, navigation = session.answers, session.navigation
    second = make_window(session)
    steps: list[Callable[[], object]] = [
        lambda: navigation.set_query("t1"), lambda: answers.step_system(1), lambda: answers.select_nugget(0),
        lambda: answers.step_system(1), lambda: answers.select_segment(0), lambda: answers.select_sentence(1, 1),
        lambda: navigation.set_query("t2"), answers.switch_hints, lambda: answers.set_columns(2),
        lambda: navigation.set_query("t3"), lambda: answers.step_system(1), answers.clear,
        lambda: answers.set_columns(1), lambda: navigation.set_query("t1"),
    ]  # fmt: skip
    for number, step in enumerate(steps):
        step()
        window.flush()
        for _ in range(3):
            qapp.processEvents()
        shown = view.screen().grabWindow(view.winId()).toImage()
        whole = view.grab().toImage().convertToFormat(shown.format())
        assert shown.size() == whole.size() and shown == whole, number
    second.flush()
    other = second.current_screen
    assert isinstance(other, QueryScreen) and other.answer is not None
    assert other.answer.grab().toImage() == view.grab().toImage()


def test_a_measure_is_explained(make_window: Callable[[Session], MainWindow], qtbot: QtBot, files: list[str]) -> None:
    window, view, session = opened(make_window, files)
    view.measures.set_current(1)
    qtbot.keyClick(view.measures, Qt.Key.Key_E)
    window.flush()
    assert session.explaining.is_on and view.why.currentWidget() is view.ledger
    ledger = session.explaining.ledger_view_model()
    assert ledger is not None and ledger.ledger is not None
    assert view.ledger.model.rowCount() > 0


def test_without_answers_the_tab_says_what_is_needed(
    make_window: Callable[[Session], MainWindow], files: list[str]
) -> None:
    _window, view, _session = opened(make_window, [files[-3], files[-2]])
    assert view.pages.currentWidget() is view.empty and view.empty.text() == NO_ANSWERS
    assert view._tabs is not None
    assert view._tabs.mapTo(view, QPoint(0, 0)).x() < 40, "the tabs stand where those of the other tabs do"


def test_odd_texts_are_drawn_as_they_are(make_window: Callable[[Session], MainWindow], tmp_path: Path) -> None:
    texts = ["<b>bold</b> & <img src=file:///etc/passwd>", "", "مرحبا بالعالم", "天空は青い。", "x" * 1_000_000,
             "\u202eflip\x00", *(f"sentence {n}" for n in range(400))]  # fmt: skip
    record = {
        "run_id": "odd\u202e<i>", "topic_id": "t\u200b1", "topic": "<h1>q</h1>", "references": ["<u>d</u>", "e" * 5000],
        "response_length": 1, "answer": [{"text": text, "citations": [0, 1, 9]} for text in texts],
    }  # fmt: skip
    path = tmp_path / "odd.jsonl"
    path.write_text(json.dumps(record) + "\n", encoding="utf-8")
    window, view, _session = opened(make_window, [str(path)])
    sentences = view.columns[0].sentences
    assert sentences.n_rows() == len(texts)
    assert sentences.words_of(0).startswith("1: <b>bold</b> & <img")
    for row in (0, 4, len(texts) - 1):
        sentences.set_current(row)
        assert not sentences.grab().isNull()
    assert not window.grab().isNull()
    assert view.nuggets.n_rows() == 0 and view.nuggets.empty_words()


def test_a_long_text_shows_its_beginning_and_how_much_more(make_window: Callable[[Session], MainWindow]) -> None:
    block = lay_out("x" * (MOST_LETTERS + 10), make_font(9), 300)
    assert block.layout.text().endswith("… 10 more characters") and block.height > 0


def test_the_beginning_that_ids_share_ends_at_a_separator() -> None:
    assert shared_beginning(["doc_11#1", "doc_12#2"]) == len("doc_")
    assert shared_beginning(["a"]) == 0 and shared_beginning([]) == 0 and shared_beginning(["a_1", "b_1"]) == 0
    assert shared_beginning(["same", "same"]) == 0


def test_what_is_lost_is_not_known_without_labels(
    make_window: Callable[[Session], MainWindow], files: list[str], tmp_path: Path
) -> None:
    """Without assignments no vital nugget counts as kept; nor is one lost where the topic has none."""
    nuggets = tmp_path / "nuggets.jsonl"
    records = [json.loads(line) for line in Path(files[0]).read_text().splitlines()]
    for nugget in records[1]["nuggets"]:
        nugget["importance"] = "okay"
    nuggets.write_text("".join(json.dumps(record) + "\n" for record in records))
    window, _, session = opened(make_window, [str(nuggets), str(OWN / "alpha.answers.jsonl")])
    said = {}
    for topic in ("t1", "t2"):
        session.navigation.set_query(topic)
        window.flush()
        view_model = session.answers.view_model()
        assert view_model is not None
        said[topic] = lost_words(view_model)
    assert said == {
        "t1": ("Which vital nuggets were lost is not known.", "2 vital nuggets are not judged"),
        "t2": ("The topic has no vital nugget.",),
    }


@pytest.mark.parametrize(("judged", "words"), [("Said by Rayleigh.", "the text that was judged"), ("", "the answer")])
def test_a_check_says_which_text_lacks_a_number(
    judged: str, words: str, make_window: Callable[[Session], MainWindow], tmp_path: Path
) -> None:
    """The answer at hand has the year; labels are of the text that was judged."""
    said = "Rayleigh said it in 1871." if judged else "Rayleigh said it."
    nugget = {"text": "Rayleigh said it in 1871", "importance": "vital"}
    records = {
        "n": {"qid": "1", "nuggets": [nugget]},
        "a": {"run_id": "s", "topic_id": "1", "references": [], "answer": [{"text": said, "citations": []}]},
        "l": {"run_id": "s", "qid": "1", "answer_text": judged, "nuggets": [{**nugget, "assignment": "support"}]},
    }
    for name, record in records.items():
        (tmp_path / f"{name}.jsonl").write_text(json.dumps(record) + "\n")
    _, view, _ = opened(make_window, [str(tmp_path / f"{name}.jsonl") for name in records])
    assert [text for text, _ in view.nuggets._below(0)] == [f"▸ “1871” is nowhere in {words}: check"]


def test_panes_have_their_room_in_a_small_window(
    make_window: Callable[[Session], MainWindow], files: list[str]
) -> None:
    """At 1024 × 640 ids of segments were cut to "…" under heads that lay over each other, and at 200 % on 1280 × 800
    the answer had a letter a line. The queries fold, and what has no room stands below and scrolls."""
    window, view, session = opened(make_window, files)
    session.navigation.set_query("t1")
    for size, folded, stacked in (((1280, 800), False, False), ((1024, 640), True, False), ((640, 400), True, True)):
        window.resize(*size)
        for _ in range(3):
            window.flush()
            QApplication.processEvents()
        assert view.queries.isHidden() == folded == view.strip_queries.isVisible()
        assert (view.content.orientation() == Qt.Orientation.Vertical) == stacked
        heads = QFontMetricsF(make_font(8.5)).horizontalAdvance("#   grade, segmentcited in sentence")
        assert view.segments.width() >= heads, size
        assert view.columns[0].sentences.width() >= 250, size
    assert window.fold_panel("queries").startswith("The list of queries: shown")
    window.flush()
    assert view.queries.isVisible() and view.strip_queries.isHidden()
    window.fold_panel("queries")
    window.flush()
    assert view.queries.isHidden()


@pytest.mark.parametrize(
    ("importances", "title"),
    [
        (["vital", "okay"], "Nuggets: 1 vital, 1 okay"),
        (["essential", "vital", ""], "Nuggets: 1 vital, 0 okay, 2 not known"),
    ],
)
def test_a_nugget_of_unknown_importance_is_not_called_okay(
    importances: list[str], title: str, make_window: Callable[[Session], MainWindow], tmp_path: Path
) -> None:
    nuggets, answers = tmp_path / "n.jsonl", tmp_path / "a.jsonl"
    listed = [{"text": f"fact {place}", "importance": each} for place, each in enumerate(importances)]
    nuggets.write_text(json.dumps({"qid": "1", "query": "q", "nuggets": listed}) + "\n")
    answers.write_text(json.dumps({"run_id": "s", "topic_id": "1", "topic": "q", "references": [],
                                   "answer": [{"text": "One.", "citations": []}]}) + "\n")  # fmt: skip
    _window, view, _session = opened(make_window, [str(nuggets), str(answers)])
    assert view.nugget_panel.title == title


def test_names_of_systems_have_the_room_that_measures_leave(
    make_window: Callable[[Session], MainWindow], files: list[str]
) -> None:
    """In a wide window "l31_7…" stood beside two hundred pixels of nothing."""
    window, view, session = opened(make_window, files)
    window.resize(1920, 1080)
    window.flush()
    view_model = session.answers.view_model()
    assert view_model is not None
    long = tuple(replace(label, name=f"a_{place}_70b_instruct") for place, label in enumerate(view_model.labels))
    view.measures.show_view_model(replace(view_model, labels=long))
    places = view.measures._places()
    needed = metrics_of(8.5, 600).horizontalAdvance(long[0].name)
    assert view.measures.value_width(places) >= needed + 13
    view.measures.resize(200, 300)
    assert view.measures.value_width(view.measures._places()) == VALUE


def test_names_over_the_nuggets_are_whole_or_none(theme: Theme) -> None:
    """With three systems they were "…", or cut where they differ."""
    named = [("gamma-70b", "ga…70b", ("g-70b",)), ("delta-8b", "de…8b", ("d-8b",)), ("epsilon", "epsilon", ())]
    labels = [RunLabel(place, name, short, place, None, True, False, False, forms=forms)
              for place, (name, short, forms) in enumerate(named)]  # fmt: skip
    assert whole_names(labels, 18, len) == ("ga…70b", "de…8b", "epsilon")
    assert whole_names(labels, 17, len) == whole_names(labels, 16, len) == ("g-70b", "d-8b", "epsilon")
    assert whole_names(labels, 15, len) == ()


def test_what_says_that_a_segment_is_not_cited_is_never_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    """In Spanish it was “no …ado”."""
    for words in ("no citado", "not cited", "nicht zitiert"):
        monkeypatch.setattr(segments, "NOT_CITED", words)
        assert cut(words, segments.cited_width() - 2, 8.5, numbers=True) == words


def test_cut_numbers_of_sentences_fit_as_they_are_painted(theme: Theme) -> None:
    """Figures of equal width are wider than others: 3, 4, 11 ran into the next column."""
    painted = QFontMetricsF(theme.font(8.5, numbers=True))
    for room in range(20, 60):
        for text in ("3, 4, 11", "11, 11, 11", "1, 111", "≈ 1, 11 …"):
            assert painted.horizontalAdvance(cut(text, room, 8.5, numbers=True)) <= room + 0.5
    plain = [cut("3, 4, 11", room, 8.5) for room in range(20, 60)]
    assert any(painted.horizontalAdvance(text) > room + 0.5 for room, text in enumerate(plain, start=20))


def test_the_bounds_of_a_rank_do_not_touch_the_segment(theme: Theme) -> None:
    """In tabular figures "≥ 10" ran into "54_602512727"."""
    painted = QFontMetricsF(theme.font(8, numbers=True)).horizontalAdvance("≥ 17")
    assert bounds_width(theme, False) >= painted + 5


def test_panes_have_their_widths_where_the_window_grew_meanwhile(
    make_window: Callable[[Session], MainWindow], files: list[str]
) -> None:
    """The list of queries stayed as narrow as in the small window, with two words of each query."""
    window, view, session = opened(make_window, files)
    widths = []
    for size in ((1920, 1080), (640, 400), (1920, 1080)):
        session.navigation.set_place("systems")
        window.flush()
        window.resize(*size)
        QApplication.processEvents()
        session.navigation.set_place("query")
        for _ in range(3):
            window.flush()
            QApplication.processEvents()
        widths.append(view.content.sizes())
    assert widths[0] == widths[2] != widths[1]
    assert widths[2][0] >= 240


@pytest.mark.usefixtures("qapp")
def test_not_cited_fits_its_cell_in_every_language() -> None:
    """In Spanish the cell said "no …ado"."""
    catalogues = (Path(__file__).parents[3] / "resources" / "locale").glob("*/LC_MESSAGES/*.po")
    everything = "\n".join(path.read_text("utf-8") for path in catalogues)
    words = re.findall(r'^msgid "not cited"\nmsgstr "(.+)"$', everything, re.M)
    widths = [metrics_of(8.5, 400, True).horizontalAdvance(text) for text in ("not cited", *words)]
    assert words and max(widths) == widths[0]
