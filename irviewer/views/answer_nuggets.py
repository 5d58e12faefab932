"""Nuggets by system: which systems say which nugget, topic by topic."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from irviewer.analysis.answers.nugget_matrix import CODES, NuggetMatrix, nugget_matrix
from irviewer.errors import OptionError
from irviewer.evaluation.bind import BoundProtocol
from irviewer.evaluation.evaluate import evaluate
from irviewer.model.answers.labels import UNJUDGED, VITAL
from irviewer.model.arrays import Floats
from irviewer.tables import column
from irviewer.tables.table import Remark, Table
from irviewer.translation import tr, trn
from irviewer.views.answer_scores import NuggetScore
from irviewer.views.answer_systems import assigners_note, systems_of
from irviewer.views.inputs import Inputs, Part
from irviewer.views.keys import data_keys
from irviewer.views.result import ViewResult
from irviewer.views.view import ResultView, a_query

LABELS = {
    "said": tr("said"), "partly": tr("in part"), "not_said": tr("not said"), "odd": tr("label not known"),
    "not_returned": tr("not returned"),
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class AnswerNuggets:
    """Nuggets by system, and the scores of topics: ``values`` float64[R, T]."""

    matrix: NuggetMatrix
    measure: str
    topics: tuple[str, ...]
    values: Floats
    assigners: str = ""


def compute(
    inputs: Inputs,
    protocol: BoundProtocol,
    *,
    topic: Annotated[str, a_query(tr("only the nuggets of this topic"), title=tr("topic"))] = "",
    score: NuggetScore = "V_strict",
) -> AnswerNuggets:
    """Nuggets by system: which systems say which nugget, and the score of each topic."""
    part = inputs.one
    topics = chosen_topics(part, topic)
    runs = systems_of(part, protocol)
    matrix = nugget_matrix(part.qrels, runs, topics)
    assigned = [run for run in runs if run.name in matrix.runs]
    values = evaluate(part.qrels, assigned, [score], part.options).over(topics).of(score)[1]
    return AnswerNuggets(matrix, score, tuple(topics), values, assigners_note(assigned))


def chosen_topics(part: Part, topic: str) -> list[str]:
    """Return the topics that count, or the one that is named. Raises OptionError for one that is not there."""
    if not topic:
        return list(part.query_ids)
    if topic not in part.query_ids:
        raise OptionError(tr("There is no topic {topic} among those that count.", topic=topic))
    return [topic]


def tables(shown: AnswerNuggets, protocol: BoundProtocol) -> ViewResult:
    """Return the tables ``nuggets``, with a row for each nugget, and ``topics``, with a row for each topic."""
    matrix = shown.matrix
    topics = matrix.topics
    order = np.lexsort((np.arange(len(topics)), -matrix.said, np.unique(topics, return_inverse=True)[1]))
    rows = matrix.rows[order]
    nuggets = matrix.nuggets
    importance = nuggets.importance_texts.take(rows).to_pylist()
    fixed = [
        column.identifier("topic", tr("topic"), [topics[place] for place in order.tolist()]),
        column.text("nugget", tr("nugget"), nuggets.texts.take(rows).to_pylist()),
        column.text("importance", tr("importance"), importance),
        column.count("said_by", tr("said by"), matrix.said[order]),
        column.count("partly_by", tr("in part by"), matrix.partly[order]),
    ]
    codes = {code: CODES.get(code, "odd") for code in np.unique(matrix.labels).tolist()}
    by_run = []
    for place, (key, name) in enumerate(zip(data_keys(matrix.runs, fixed), matrix.runs, strict=True)):
        cells = [codes[label] for label in matrix.labels[place, order].tolist()]
        by_run.append(column.text(key, name, cells, names="run", texts=[LABELS[cell] for cell in cells]))
    per_topic = [
        column.identifier("topic", tr("topic"), list(shown.topics)),
        column.text("question", tr("question"), [_question(matrix, topic) for topic in shown.topics]),
        column.count("vital", tr("vital"), [_vital(matrix, topic) for topic in shown.topics]),
    ]
    scores = [
        column.number(key, name, shown.values[place], names="run", heat=True)
        for place, (key, name) in enumerate(zip(data_keys(matrix.runs, per_topic), matrix.runs, strict=True))
    ]
    notes = _notes(shown)
    places = rows - nuggets.offsets[nuggets.topic_of_each[rows]]
    keys = [(topics[place], "", own) for place, own in zip(order.tolist(), places.tolist(), strict=True)]
    return ViewResult(shown, (
        Table("nuggets", tr("Nuggets by system"), (*fixed, *by_run), keys=keys, opens="answer",
              notes=notes),
        Table("topics", tr("{measure} by topic", measure=shown.measure), (*per_topic, *scores),
              keys=shown.topics, opens="query"),
    ))  # fmt: skip


def _question(matrix: NuggetMatrix, topic: str) -> str:
    place = matrix.nuggets.topic_index.get(topic)
    return "" if place is None else matrix.nuggets.questions[place]


def _vital(matrix: NuggetMatrix, topic: str) -> int:
    return int(np.count_nonzero(matrix.nuggets.importance[matrix.nuggets.rows(topic)] == VITAL))


def _notes(shown: AnswerNuggets) -> tuple[Remark, ...]:
    matrix = shown.matrix
    every = len(matrix.runs)
    easy, never = (int(np.count_nonzero(matrix.said[matrix.vital] == number)) for number in (every, 0))
    total = int(np.count_nonzero(matrix.vital))
    text = tr("Vital nuggets: {total:,}; said by every system: {easy:,}, by none: {never:,}.",
              total=total, easy=easy, never=never)  # fmt: skip
    notes = [Remark("vital", text, {"vital": total, "by_all": easy, "by_none": never}, warns=False)]
    lacking = int(np.count_nonzero(matrix.labels == UNJUDGED))
    if lacking:
        text = trn("{n:,} label is lacking: the assigner did not return the nugget.",
                   "{n:,} labels are lacking: the assigner did not return the nugget.", lacking)  # fmt: skip
        notes.append(Remark("not_returned", text, {"n": lacking}))
    if shown.assigners:
        notes.append(Remark("assigners", shown.assigners))
    return tuple(notes)


VIEW = ResultView("answer-nuggets", compute, tables, title=tr("Nuggets by system"), uses=("rules", "scope", "answers"))
