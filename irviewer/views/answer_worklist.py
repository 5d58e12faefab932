"""Which answers to label next: what lacking labels can move, where assigners differ, and what checks doubt."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import numpy as np

from irviewer.analysis.answers.to_label import LabellingWork, labelling_work
from irviewer.errors import OptionError
from irviewer.evaluation.answer_cautions import OF_NUGGETS
from irviewer.evaluation.bind import BoundProtocol
from irviewer.measures.answered import parts_of
from irviewer.measures.tool_names import usual_name
from irviewer.tables import column
from irviewer.tables.table import Remark, Table
from irviewer.translation import tr
from irviewer.views.answer_systems import systems_with_topics, with_other_judgments
from irviewer.views.inputs import Inputs
from irviewer.views.result import ViewResult
from irviewer.views.view import ResultView, a_measure

DEFAULT = "V_strict"


def compute(
    inputs: Inputs,
    protocol: BoundProtocol,
    *,
    score: Annotated[str, a_measure(tr("the score of nuggets whose mean labels can move"), title=tr("score"))] = "",
    progress: Callable[[float], None] | None = None,
) -> LabellingWork:
    """Which answers to label next: what lacking labels can move, where assigners differ, what checks doubt."""
    part = inputs.one
    qrels = with_other_judgments(part)
    runs = systems_with_topics(part, protocol, qrels)
    if all(run.answered is None for run in runs):
        raise OptionError(tr("This needs answers. Open files of them."))
    if qrels.nuggets is None:
        raise OptionError(tr("This needs nuggets. Open a file of them."))
    measure = part.measure_named(score or DEFAULT)
    if any(each.name not in OF_NUGGETS for each in parts_of(measure)):
        raise OptionError(tr("{measure} does not depend on these labels; give a measure of them, such as {example}.",
                             measure=measure.text, example=DEFAULT))  # fmt: skip
    return labelling_work(qrels, runs, protocol.query_ids, measure, part.options, progress=progress)


def tables(work: LabellingWork, protocol: BoundProtocol) -> ViewResult:
    """Return the tables ``answers``, the most important first, and ``bounds``, a row for each system."""
    name = usual_name(work.measure)
    notes = [
        Remark("order", tr("First what can move {measure} most: by what the lacking labels of the answer can move the "
                           "mean, times the pairs whose order is open. Then where assigners differ, and what checks of "
                           "words doubt.", measure=name), warns=False),
        Remark("sample", tr("This order is no sample: the mean of such labels estimates nothing. Labels given blind, "
                            "in an order that is drawn, do."), warns=False),
    ]  # fmt: skip
    rows = work.answers
    return ViewResult(work, (
        Table("answers", tr("Answers to label next"), (
            column.identifier("topic", tr("topic"), [row.topic for row in rows]),
            column.run("run", tr("run"), [row.system for row in rows]),
            column.count("lacking", tr("labels lacking"), [row.lacking for row in rows]),
            column.number("moves", tr("moves the mean by up to"), np.array([row.moves for row in rows]), decimals=4),
            column.count("open", tr("open pairs"), [row.open_pairs for row in rows]),
            column.count("differ", tr("assigners differ"), [row.differ for row in rows]),
            column.count("doubts", tr("checks doubt"), [row.doubts for row in rows]),
        ), notes=tuple(notes), opens="query"),
        Table("bounds", tr("{measure} whatever lacking labels are", measure=name), (
            column.run("run", tr("run"), [row.system for row in work.systems]),
            column.count("lacking", tr("labels lacking"), [row.lacking for row in work.systems]),
            column.number("low", tr("least mean"), np.array([row.low for row in work.systems]), decimals=4),
            column.number("high", tr("largest mean"), np.array([row.high for row in work.systems]), decimals=4),
            column.count("open", tr("open pairs"), [row.open_pairs for row in work.systems]),
        ), keys=[row.system for row in work.systems], notes=(Remark("bounds", tr(
            "A lacking label can be anything: none of them said gives the least mean, all of them the largest. A "
            "nugget that an assigner did not return lacks its label here, where scores leave it out. A pair is "
            "open where its bounds overlap."), warns=False),)),
    ))  # fmt: skip


VIEW = ResultView(
    "answer-worklist", compute, tables, title=tr("Answers to label next"), uses=("rules", "scope", "answers")
)
