"""Labels of several assigners merged into those of one: what the rule decides, and where assigners differ."""

from __future__ import annotations

from typing import Annotated, Literal

from irviewer.analysis.answers.merged_labels import MergedLabels, merged_labels
from irviewer.evaluation.bind import BoundProtocol
from irviewer.model.answers.labels import UNJUDGED
from irviewer.tables import column
from irviewer.tables.table import Remark, Table
from irviewer.translation import tr, trn
from irviewer.views.answer_agreement import CODES, LABELS, SUPPORTS, Labelled
from irviewer.views.answer_systems import systems_of, with_other_judgments
from irviewer.views.inputs import Inputs
from irviewer.views.keys import data_keys
from irviewer.views.result import ViewResult
from irviewer.views.view import ResultView, option


def compute(
    inputs: Inputs,
    protocol: BoundProtocol,
    *,
    labels: Labelled = "nuggets",
    rule: Annotated[
        Literal["majority", "median", "fill"],
        option(tr("which label counts where assigners differ"), title=tr("rule"),
               words={"majority": tr("majority"), "median": tr("median"), "fill": tr("first, others fill gaps")}),
    ] = "majority",
    ties: Annotated[
        Literal["lower", "higher", "first", "unjudged"],
        option(tr("which label counts where a majority is tied"), title=tr("ties"),
               words={"lower": tr("lower"), "higher": tr("higher"), "first": tr("of the first assigner"),
                      "unjudged": tr("none")}),
    ] = "lower",
    assigners: Annotated[
        tuple[str, ...],
        option(tr("who takes part, in the order in which they count; without any, all whose labels were not merged "
                  "themselves, in the order of their files"), metavar="NAME", title=tr("assigners")),
    ] = (),
) -> MergedLabels:  # fmt: skip
    """Labels of several assigners as those of one: what a rule decides, and where they differ."""
    part = inputs.one
    nuggets = with_other_judgments(part).nuggets if labels == "nuggets" else None
    return merged_labels(systems_of(part, protocol), rule, kind=labels, ties=ties, nuggets=nuggets, assigners=assigners)


def tables(merged: MergedLabels, protocol: BoundProtocol) -> ViewResult:
    """Return the tables ``conflicts``, a row for each item on which assigners differ, and ``assigners``."""
    sentences: tuple[Remark, ...] = (
        Remark("rule", merged.sentence, warns=False),
        Remark("merged", trn(
            "{n:,} label: {single:,} of one assigner alone, {differ:,} on which assigners differ, {tied:,} decided by "
            "the tie rule.",
            "{n:,} labels: {single:,} of one assigner alone, {differ:,} on which assigners differ, {tied:,} decided by "
            "the tie rule.",
            merged.labels, single=merged.single, differ=len(merged.conflicts), tied=merged.tied,
        ), warns=False),
    )  # fmt: skip
    if merged.rule == "fill" or (merged.rule == "majority" and merged.ties == "first"):
        sentences = (*sentences, Remark("order", tr("The assigners count in this order: {names}.",
                                                    names=", ".join(merged.assigners)), warns=False))  # fmt: skip
    return ViewResult(merged, (_conflicts(merged), _assigners(merged)), sentences=sentences)


def _conflicts(merged: MergedLabels) -> Table:
    rows = merged.conflicts
    codes: dict[int, str | None] = {**CODES[merged.kind], UNJUDGED: None}
    titles = {**(LABELS if merged.kind == "nuggets" else SUPPORTS), UNJUDGED: ""}
    fixed = (
        column.identifier("topic", tr("topic"), [row.topic for row in rows]),
        column.run("run", tr("run"), [row.system for row in rows]),
        column.text("item", tr("nugget") if merged.kind == "nuggets" else tr("citation"), [row.text for row in rows]),
    )
    decided = [UNJUDGED if row.decided is None else row.decided for row in rows]
    last = column.text("decided", tr("merged"), [codes[each] for each in decided], texts=[
        tr("no label") if each == UNJUDGED else titles[each] for each in decided
    ])  # fmt: skip
    by_assigner = []
    for key, name in zip(data_keys(merged.assigners, (*fixed, last)), merged.assigners, strict=True):
        given = [row.labels.get(name, UNJUDGED) for row in rows]
        by_assigner.append(column.text(key, name, [codes[each] for each in given], names="judge",
                                       texts=[titles[each] for each in given]))  # fmt: skip
    keys = [(row.topic, row.run, row.place) for row in rows]
    note = Remark("use", tr("No score counts otherwise by this. In the window Take merged labels as an assigner adds "
                            "them, and Save merged labels… writes them, as --labels-to of irviewer answers merge "
                            "does."),
                  warns=False)  # fmt: skip
    return Table("conflicts", tr("Where assigners differ"), (*fixed, *by_assigner, last), keys=keys, opens="answer",
                 notes=(note,))  # fmt: skip


def _assigners(merged: MergedLabels) -> Table:
    names = merged.assigners
    notes = [
        Remark("texts", tr("A label is of the text that was judged: labels of another text of the answer, or of "
                           "another nugget, take no part."), warns=False),
    ]  # fmt: skip
    if any(merged.odd.get(name, 0) for name in names):
        notes.append(Remark("odd", tr("Labels that no rule knows count as not said.")))
    return Table("assigners", tr("Who takes part"), (
        column.text("assigner", tr("assigner"), list(names)),
        column.count("differs", tr("in conflicts"), [
            sum(name in row.labels for row in merged.conflicts) for name in names
        ]),
        column.count("overruled", tr("decided otherwise"), [
            sum(name in row.labels and row.labels[name] != row.decided for row in merged.conflicts) for name in names
        ]),
        column.count("no_part", tr("take no part"), [merged.other_text.get(name, 0) for name in names]),
        column.count("odd", tr("unknown labels"), [merged.odd.get(name, 0) for name in names]),
    ), keys=list(names), notes=tuple(notes))  # fmt: skip


VIEW = ResultView("answer-merge", compute, tables, title=tr("Merged labels"), uses=("scope", "answers"))
