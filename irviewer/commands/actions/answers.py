"""Commands for answers: their tabs of Query, what is next in them, and labels given by hand.

In the tab Answer the keys N, U, [ and ] are these commands; elsewhere they do what they always do."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from irviewer.commands.command import Action, Command, Test
from irviewer.model.answers.assigner_names import title_of
from irviewer.model.answers.labels import FULL, NONE, PARTIAL
from irviewer.model.workspace import NO_LIST
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.session.session import Session


ANSWER_LIST, ASSIGNER, ANSWER_VIEW = "answer_list", "assigner", "answer_view"
"""What the ids of the commands for lists, assigners and views of answers begin with."""
VIEWS: tuple[tuple[str, str, str], ...] = (
    ("answer-scores", tr("Answers"), tr("scores by system support citations length")),
    ("answer-agreement", tr("Agreement of assigners"), tr("assigner judge labels trust believe right kappa")),
    ("answer-checks", tr("Checks of answers"), tr("assigner labels trust believe wrong errors doubt numbers")),
    ("answer-merge", tr("Merged labels"), tr("assigner adjudicate")),
    ("answer-worklist", tr("Answers to label next"), tr("sample annotate assigner")),
)
"""Views of answers that are no tab: name, title, and words that people use for them."""


def _tab(name: str) -> tuple[Action, Test]:
    def run(session: Session) -> None:
        session.navigation.set_tab("query", name)
        session.navigation.set_place("query")

    def checked(session: Session) -> bool:
        return session.view.place == "query" and session.view.tab("query") == name

    return run, checked


def _step(step: Callable[[Session], bool], otherwise: str) -> Action:
    def run(session: Session) -> None:
        if not step(session):
            session.store.answer(otherwise)

    return run


def _label(code: int | None) -> Action:
    return lambda session: session.answering.label(code)


_show_answer, _is_answer = _tab("answer")
_show_label, _is_label = _tab("label")


def _has_answers(session: Session) -> bool:
    return session.answers.is_here


def _reads(session: Session) -> bool:
    return session.answers.is_shown and session.answers.view_model() is not None


def _labels(session: Session) -> bool:
    return _is_label(session) and session.answering.answer() is not None


ROWS: tuple[Command, ...] = (
    Command("show_answer", tr("Answer of the query"), "Go",
            tr("Show the sentences, what they cite, and the nuggets that they say"),
            run=_show_answer, enabled=_has_answers, checked=_is_answer, group="answers"),
    Command("label_answers", tr("Label answers by hand"), "Go",
            tr("Say which nuggets an answer says and which citations support it"),
            run=_show_label, enabled=_has_answers, checked=_is_label, group="answers"),
    Command("next_lost_nugget", tr("Next lost vital nugget"), "Go",
            tr("In the tab Answer: select the next vital nugget that the answer does not say in full (N)"),
            run=_step(lambda session: session.answers.next_lost(), tr("No further vital nugget is lost.")),
            enabled=_reads, group="answers"),
    Command("next_uncited_sentence", tr("Next sentence without a citation"), "Go",
            tr("In the tab Answer: select the next sentence that cites nothing (U)"),
            run=_step(lambda session: session.answers.next_uncited(), tr("No further sentence is without a citation.")),
            enabled=_reads, group="answers"),
    Command("next_answering_system", tr("Answer of the next system"), "Go",
            tr("In the tab Answer: show the answer of the next system first (])"),
            run=lambda session: session.answers.step_system(1), enabled=_reads, group="answers"),
    Command("previous_answering_system", tr("Answer of the previous system"), "Go",
            tr("In the tab Answer: show the answer of the previous system first ([)"),
            run=lambda session: session.answers.step_system(-1), enabled=_reads, group="answers"),
    Command("choose_answer_list", tr("List of the answers…"), "Go",
            tr("Choose the run that answers were made from: ranks, and where nuggets were lost, depend on it"),
            ask=lambda dialogs: dialogs.runs.answer_list(), enabled=lambda session: bool(session.answer_sources.lists),
            submenu=f"{ANSWER_LIST} ", group="answers", words=tr("context retrieval")),
    Command("choose_answer_versions", tr("Different answers of a system…"), "File",
            tr("Say what two files are that have different answers of one system: versions of it, or one run"),
            ask=lambda dialogs: dialogs.runs.answer_versions(),
            enabled=lambda session: bool(session.answer_versions.differing), group="resolve",
            words=tr("version conflict file")),
    Command("keep_labels_apart", tr("Keep labels of files apart"), "File",
            tr("Files with labels of one system and different topics count as those of one assigner: let each count as "
               "that of an assigner of its own"),
            run=lambda session: session.answer_versions.keep_labels_apart(),
            enabled=lambda session: bool(session.answer_versions.joined_labels), group="resolve",
            words=tr("version judge labels")),
    Command("join_labels", tr("Join labels of files"), "File",
            tr("Let files with labels of one system and different topics, which you kept apart, count as those of one "
               "assigner"),
            run=lambda session: session.answer_versions.join_labels(),
            enabled=lambda session: bool(session.answer_versions.labels_apart), group="resolve",
            words=tr("version judge labels")),
    Command("choose_assigner", tr("Assigner that counts…"), "Go",
            tr("Choose whose labels of nuggets take part in all numbers"),
            ask=lambda dialogs: dialogs.runs.assigner(),
            enabled=lambda session: len(session.answer_sources.assigners) > 1, submenu=f"{ASSIGNER} ", group="answers",
            words=tr("judge labels")),
    Command("take_merged_labels", tr("Take merged labels as an assigner"), "Go",
            tr("In Compare › More › Merged labels: add the labels that are shown as those of an assigner of their own"),
            run=lambda session: session.label_merging.take(),
            enabled=lambda session: session.label_merging.merged is not None, group="answers",
            words=tr("merge adjudicate judge labels")),
    Command("save_merged_labels", tr("Save merged labels…"), "Go",
            tr("In Compare › More › Merged labels: save the labels that are shown, of all systems, as TREC RAG does"),
            ask=lambda dialogs: dialogs.runs.merged_labels(),
            enabled=lambda session: session.label_merging.merged is not None, group="answers",
            words=tr("merge adjudicate judge labels")),
    Command("like_sentences", tr("Sentences that share a nugget’s words"), "Go",
            tr("In the tab Answer: mark them with ≈, a hint that no score depends on"),
            run=lambda session: session.answers.switch_hints(), enabled=_reads,
            checked=lambda session: session.state.chosen.answer_hints, group="answers"),
    Command("next_answer_to_label", tr("Next answer to label"), "Judge",
            tr("In the tab Label: go to the next answer that lacks labels"),
            run=_step(lambda session: session.answering.next_answer(), tr("No other answer lacks labels.")),
            enabled=_labels, group="labels"),
    Command("label_blind", tr("Label answers blind"), "Judge",
            tr("In the tab Label: hide systems and the labels of others; answers come in an order that is drawn"),
            run=lambda session: session.answering.choose_blind(not session.answering.blind), enabled=_labels,
            checked=lambda session: session.answering.blind, group="labels"),
    Command("label_support", tr("Label the support of citations"), "Judge",
            tr("In the tab Label: say whether documents support the sentences that cite them; else label nuggets"),
            run=lambda session: session.answering.choose_support(not session.answering.support), enabled=_labels,
            checked=lambda session: session.answering.support, group="labels"),
    *(Command(f"label_{name}", title, "Judge", text, run=_label(code), enabled=_labels, group="labels")
      for name, code, title, text in (
          ("full", FULL, tr("Label: said, or supported"), tr("In the tab Label: the answer says the nugget (1), or the "
                                                             "document supports the sentence (F)")),
          ("partial", PARTIAL, tr("Label: in part"), tr("In the tab Label: the answer says the nugget in part (2), or "
                                                        "the document supports a part of the sentence (P)")),
          ("not", NONE, tr("Label: not said, or not supported"), tr("In the tab Label: the answer does not say the "
                                                                    "nugget (0), or the document does not support the "
                                                                    "sentence (N)")),
          ("none", None, tr("Label: take it away"), tr("In the tab Label: the selected item has no label "
                                                        "(Backspace, or ?; F1 shows the keys there)")),
      )),
)  # fmt: skip


def dynamic(session: Session) -> list[Command]:
    """Return a command for each run that can be the list of the answers, for each assigner of nuggets, and for each
    view of answers."""
    lists = session.answer_sources.lists
    rows = []
    if lists:
        rows.append(_list(None, tr("(by their references)")))
        rows += [_list(key, name) for key, name in lists]
        rows.append(_list(NO_LIST, tr("(none is open)")))
    assigners = session.answer_sources.assigners
    if len(assigners) > 1:
        rows.append(_assigner("", tr("(all)")))
        rows += [_assigner(name, title_of(name)) for name in assigners]
    if session.answers.is_here:
        rows += [_view(*each) for each in VIEWS]
    return rows


def _view(name: str, title: str, words: str) -> Command:
    return Command(
        f"{ANSWER_VIEW} {name}",
        tr("Compare › {tab}", tab=title),
        "Go",
        tr("Show this view of answers in Compare › More"),
        run=lambda session: session.result_views.choose(name),
        checked=lambda session: (
            session.view.place == "compare"
            and session.view.tab("compare") == "views"
            and session.result_views.chosen == name
        ),
        words=words,
    )


def _list(key: int | None, name: str) -> Command:
    return Command(
        f"{ANSWER_LIST} {'found' if key is None else key}",
        tr("List of the answers: {run}", run=name),
        "Go",
        tr("Choose the run that answers were made from: ranks, and where nuggets were lost, depend on it"),
        run=lambda session: session.answer_sources.set_list(key),
        checked=lambda session: session.answer_sources.chosen_list == key,
        short=name,
    )


def _assigner(assigner: str, title: str) -> Command:
    return Command(
        f"{ASSIGNER} {assigner}",
        tr("Assigner that counts: {name}", name=title),
        "Go",
        tr("Choose whose labels of nuggets take part in all numbers"),
        run=lambda session: session.answer_sources.set_assigner(assigner),
        checked=lambda session: session.answer_sources.assigner == assigner,
        short=title,
    )
