"""Checks of answers without a model, by system, with the list of what is to be examined."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Literal

from irviewer.analysis.answers.checks import CHECKS, AnswerChecks, answer_checks
from irviewer.errors import OptionError
from irviewer.evaluation.bind import BoundProtocol
from irviewer.model.answers.labels import FULL, PARTIAL
from irviewer.tables import column
from irviewer.tables.table import Remark, Table
from irviewer.translation import tr
from irviewer.views.answer_nuggets import chosen_topics
from irviewer.views.answer_systems import systems_with_topics
from irviewer.views.inputs import Inputs
from irviewer.views.result import ViewResult
from irviewer.views.view import ResultView, a_query, option

TITLES = {
    "nugget_number": tr("a number or quoted name of a credited nugget that the answer does not have"),
    "sentence_number": tr("a number of a sentence that no cited document has"),
    "nugget_negation": tr("a negation in a credited nugget or in its sentence, not in both"),
}
SHORT = {
    "nugget_number": tr("number not in the answer"),
    "sentence_number": tr("number not in what is cited"),
    "nugget_negation": tr("negation on one side"),
}
LABELS = {FULL: "said", PARTIAL: "partly", -1: None}
LABEL_TEXTS = {FULL: tr("said"), PARTIAL: tr("in part"), -1: ""}


def compute(
    inputs: Inputs,
    protocol: BoundProtocol,
    *,
    topic: Annotated[str, a_query(tr("only this topic"), title=tr("topic"))] = "",
    check: Annotated[
        Literal["all", "nugget_number", "sentence_number", "nugget_negation"],
        option(tr("only this check"), title=tr("check"), words={"all": tr("all"), **SHORT}),
    ] = "all",
    progress: Callable[[float], None] | None = None,
) -> AnswerChecks:
    """Checks of answers without a model: numbers and negations to examine. They change no score."""
    part = inputs.one
    documents = part.collection.documents
    runs = [run for run in systems_with_topics(part, protocol, part.qrels) if run.answered is not None]
    if not runs:
        raise OptionError(tr("This needs answers. Open files of them."))
    checks = answer_checks(
        runs, chosen_topics(part, topic), nuggets=part.qrels.nuggets,
        text_of=None if documents is None else documents.text, progress=progress,
    )  # fmt: skip
    if check != "all":
        kept = tuple(doubt for doubt in checks.doubts if doubt.check == check)
        checks = AnswerChecks(checks.runs, checks.checked, checks.unknown, kept)
    return checks


def tables(checks: AnswerChecks, protocol: BoundProtocol) -> ViewResult:
    """Return the tables ``checks``, a row for each system and check, and ``worklist``."""
    rows = [(run, check) for run in range(len(checks.runs)) for check in range(len(CHECKS))]
    counts = checks.counts
    names = [CHECKS[check] for _, check in rows]
    notes = [
        Remark("hint", tr("A check compares words and says what to examine: it is no verdict, and no score depends on "
                          "it. Negations are looked for in English."), warns=False),
        Remark("sentence", tr("A nugget is compared with the sentence that has most of its words, at least half; where "
                              "none has, the negation is not checked."), warns=False),
    ]  # fmt: skip
    if int(checks.unknown[:, 1].sum()) and not int(checks.checked[:, 1].sum()):
        notes.append(Remark("texts", tr("Numbers of sentences are not checked: open the texts of the documents that "
                                        "are cited.")))  # fmt: skip
    doubts = checks.doubts
    labels = [LABELS[doubt.label] for doubt in doubts]
    return ViewResult(checks, (
        Table("checks", tr("Checks of answers"), (
            column.run("run", tr("run"), [checks.runs[run] for run, _ in rows]),
            column.text("check", tr("check"), names, texts=[TITLES[name] for name in names]),
            column.count("found", tr("to examine"), [int(counts[run, check]) for run, check in rows]),
            column.count("checked", tr("checked"), [int(checks.checked[run, check]) for run, check in rows]),
            column.count("unknown", tr("cannot be checked"), [int(checks.unknown[run, check]) for run, check in rows]),
        ), keys=[(checks.runs[run], CHECKS[check]) for run, check in rows], opens="worklist", notes=tuple(notes)),
        Table("worklist", tr("To examine"), (
            column.identifier("topic", tr("topic"), [doubt.topic for doubt in doubts]),
            column.run("run", tr("run"), [checks.runs[doubt.run] for doubt in doubts]),
            column.text("check", tr("check"), [doubt.check for doubt in doubts],
                        texts=[SHORT[doubt.check] for doubt in doubts]),
            column.text("subject", tr("nugget or sentence"), [doubt.subject for doubt in doubts]),
            column.text("label", tr("label"), labels, texts=[LABEL_TEXTS[doubt.label] for doubt in doubts]),
            column.text("lacks", tr("not there"), [", ".join(doubt.lacks) for doubt in doubts]),
            column.count("sentence", tr("sentence number"), [doubt.sentence or None for doubt in doubts],
                         titles=("#",)),
            column.text("other", tr("compared with"), [doubt.other for doubt in doubts]),
        ), opens="query"),
    ))  # fmt: skip


VIEW = ResultView("answer-checks", compute, tables, title=tr("Checks of answers"), uses=("scope", "answers"))
