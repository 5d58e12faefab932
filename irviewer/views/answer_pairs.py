"""Two systems nugget by nugget: how many one says more fully, how many both, how many neither, and which."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np

from irviewer.analysis.answers.label_pairs import COLUMNS, LabelPairs, label_pairs
from irviewer.analysis.answers.nugget_matrix import CODES, NuggetMatrix, nugget_matrix
from irviewer.analysis.statistics.run_comparison import RunComparison
from irviewer.evaluation.bind import BoundProtocol
from irviewer.evaluation.evaluate import evaluate
from irviewer.model.answers.labels import NONE, ODD, OKAY, VITAL
from irviewer.model.arrays import Floats, Ints
from irviewer.tables import column
from irviewer.tables.table import Mark, Remark, Table
from irviewer.translation import tr
from irviewer.views.answer_means import compared_means, means_table
from irviewer.views.answer_nuggets import LABELS, chosen_topics
from irviewer.views.answer_scores import NuggetScore
from irviewer.views.answer_systems import assigners_note, pair_of, systems_of
from irviewer.views.inputs import Inputs
from irviewer.views.result import ViewResult
from irviewer.views.view import ResultView, a_query, a_run, option

OUTCOMES = {
    "fuller": tr("only {run}, or more fully"),
    "less_full": tr("only {baseline}, or more fully"),
    "both": tr("both alike"),
    "neither": tr("neither"),
}
"""What is said of a nugget, in the order in which nuggets are listed."""


@dataclass(frozen=True, eq=False)
class AnswerPairs:
    """The labels of two systems, which are rows of the matrix, and their scores of T topics, ``values`` float64[2, T],
    by the measure ``score``; ``means`` compares them by each measure, () for fewer than two topics. ``assigners`` says
    that their labels are by different assigners, "" where they are by one."""

    matrix: NuggetMatrix
    baseline: int
    system: int
    pairs: LabelPairs
    score: str
    topics: tuple[str, ...]
    values: Floats
    means: tuple[RunComparison, ...] = ()
    assigners: str = ""

    @property
    def run(self) -> str:
        """The name of the system beside the baseline."""
        return self.matrix.runs[self.system]

    @property
    def outcome(self) -> Ints:
        """int64[n]: the place in OUTCOMES of each nugget that is compared."""
        first, second = self.pairs.baseline, self.pairs.system
        same = np.where(first == NONE, 3, 2)
        return np.where(second > first, 0, np.where(second < first, 1, same)).astype(np.int64)


def compute(
    inputs: Inputs,
    protocol: BoundProtocol,
    *,
    run: Annotated[
        str, a_run(tr("the system beside the baseline; without it the first other one"), title=tr("run"))
    ] = "",
    topic: Annotated[str, a_query(tr("only the nuggets of this topic"), title=tr("topic"))] = "",
    importance: Annotated[
        Literal["vital", "okay", "known"],
        option(
            tr("which nuggets are compared; known: vital and okay ones"),
            title=tr("importance"),
            words={"vital": tr("vital"), "okay": tr("okay"), "known": tr("vital and okay")},
        ),
    ] = "vital",
    score: NuggetScore = "V_strict",
) -> AnswerPairs:
    """Two systems nugget by nugget: what each says more fully, what both say, what neither says."""
    part = inputs.one
    topics, runs = chosen_topics(part, topic), systems_of(part, protocol)
    matrix = nugget_matrix(part.qrels, runs, topics)
    baseline, system = pair_of(part, protocol, matrix.runs, run)
    kinds = {"vital": (VITAL,), "okay": (OKAY,), "known": (VITAL, OKAY)}[importance]
    by_name = {each.name: each for each in runs}
    compared = [by_name[matrix.runs[place]] for place in (baseline, system)]
    values = evaluate(part.qrels, compared, [score], part.options).over(topics).of(score)[1]
    pairs = label_pairs(matrix, baseline, system, importance=kinds)
    means = compared_means(part.qrels, compared[0], compared[1], topics, score, part.options, protocol)
    return AnswerPairs(
        matrix, baseline, system, pairs, score, tuple(topics), values, means, assigners_note(compared)
    )  # fmt: skip


def tables(shown: AnswerPairs, protocol: BoundProtocol) -> ViewResult:
    """Return the tables ``labels`` (3 × 3), ``topics`` and ``nuggets``, and ``means`` of two topics or more."""
    matrix, pairs = shown.matrix, shown.pairs
    first, second = matrix.runs[shown.baseline], matrix.runs[shown.system]
    counts, total = pairs.counts, len(pairs.topic)
    codes = [CODES[label] for label in COLUMNS]
    words = {code: text.format(run=second, baseline=first) for code, text in OUTCOMES.items()}
    labels = Table("labels", tr("Nuggets one by one: {baseline} by {run}", baseline=first, run=second), (
        column.text("label", tr("{baseline} ↓ {run} →", baseline=first, run=second), codes,
                    texts=[LABELS[code] for code in codes]),
        *(column.count(code, LABELS[code], counts[:, place]) for place, code in enumerate(codes)),
        *(column.share(f"{code}_share", tr("share {label}", label=LABELS[code]),
                       counts[:, place] / total if total else np.full(3, np.nan))
          for place, code in enumerate(codes)),
    ), keys=codes, notes=_notes(shown, words))  # fmt: skip
    outcome = shown.outcome
    topics = matrix.nuggets.topics
    by_topic = np.zeros((len(topics), len(OUTCOMES)), dtype=np.int64)
    np.add.at(by_topic, (pairs.topic, outcome), 1)
    known = [matrix.nuggets.topic_index.get(topic, -1) for topic in shown.topics]
    own_counts = np.array([by_topic[place] if place >= 0 else [0] * len(OUTCOMES) for place in known], dtype=np.int64)
    own_counts = own_counts.reshape(-1, len(OUTCOMES))
    of_topics = Table("topics", tr("Nuggets by topic"), (
        column.identifier("topic", tr("topic"), list(shown.topics)),
        column.text("question", tr("question"), ["" if place < 0 else matrix.nuggets.questions[place]
                                                 for place in known]),
        column.number("baseline", first, shown.values[0], decimals=2, tip=_of_topic(shown.score, first)),
        column.number("run", second, shown.values[1], decimals=2, tip=_of_topic(shown.score, second)),
        column.difference("difference", tr("Δ"), shown.values[1] - shown.values[0], decimals=2, better_up=True,
                          tip=tr("{score} of {run} less that of {baseline}", score=shown.score, run=second,
                                 baseline=first)),
        *(column.count(code, words[code], own_counts[:, place]) for place, code in enumerate(OUTCOMES)),
    ), keys=shown.topics, opens="query", marks=_marks(shown))  # fmt: skip
    order = np.lexsort((np.arange(total), pairs.topic, outcome))
    rows = matrix.rows[pairs.column[order]]
    outcomes = [list(OUTCOMES)[place] for place in outcome[order].tolist()]
    said = [[CODES[label] for label in each[order].tolist()] for each in (pairs.baseline, pairs.system)]
    places = rows - matrix.nuggets.offsets[pairs.topic[order]]
    own = [topics[place] for place in pairs.topic[order].tolist()]
    says = {"fuller": second, "less_full": first}  # whose answer is opened: that which says the nugget
    nuggets = Table("nuggets", tr("Nuggets, those that differ first"), (
        column.identifier("topic", tr("topic"), own),
        column.text("outcome", tr("said by"), outcomes, texts=[words[code] for code in outcomes]),
        column.text("nugget", tr("nugget"), matrix.nuggets.texts.take(rows).to_pylist()),
        column.text("importance", tr("importance"), matrix.nuggets.importance_texts.take(rows).to_pylist()),
        column.text("baseline", first, said[0], texts=[LABELS[code] for code in said[0]]),
        column.text("run", second, said[1], texts=[LABELS[code] for code in said[1]]),
        column.count("place", tr("place"), places + 1, detail=True),
    ), keys=[(topic, says.get(each, ""), place)
             for topic, each, place in zip(own, outcomes, places.tolist(), strict=True)],
        opens="answer")  # fmt: skip
    means = (means_table(shown.means, first, second, protocol),) if shown.means else ()
    return ViewResult(shown, (labels, of_topics, nuggets, *means))


def _of_topic(score: str, run: str) -> str:
    return tr("{score} of {run}", score=score, run=run)


def _marks(shown: AnswerPairs) -> dict[tuple[int, str], Mark]:
    """Return a dagger for each topic with labels that no rule knows, and for one that is left out."""
    matrix = shown.matrix
    odd = (matrix.nuggets.importance[matrix.rows] == ODD) | np.any(
        matrix.labels[[shown.baseline, shown.system]] == ODD, axis=0
    )
    topics = set(matrix.nuggets.topic_of_each[matrix.rows[odd]].tolist())
    text = tr("a label of this topic is none that a rule knows: it counts as not said, or not as vital")
    marks = {
        (row, "topic"): Mark("odd", "†", text)
        for row, topic in enumerate(shown.topics)
        if matrix.nuggets.topic_index.get(topic, -1) in topics
    }
    text = tr("left out of the table of pairs: one assigner did not return a nugget")
    left = set(shown.pairs.left_out)
    return marks | {
        (row, "topic"): Mark("left_out", "‡", text) for row, topic in enumerate(shown.topics) if topic in left
    }


def sentence(shown: AnswerPairs, baseline: str, run: str) -> str:
    """Return the counts in a sentence, with these names of the systems."""
    pairs = shown.pairs
    return tr(
        "Nuggets compared: {total:,}. {run} says {fuller:,} more fully, {baseline} {less:,}; alike: {alike:,}, of "
        "which neither says {neither:,}. Nuggets of a topic are not independent: tests are over topics.",
        total=len(pairs.topic), run=run, baseline=baseline, fuller=pairs.fuller, less=pairs.less_full,
        alike=pairs.alike, neither=int(pairs.counts[2, 2]),
    )  # fmt: skip


def _notes(shown: AnswerPairs, words: dict[str, str]) -> tuple[Remark, ...]:
    pairs = shown.pairs
    first, second = shown.matrix.runs[shown.baseline], shown.matrix.runs[shown.system]
    text = sentence(shown, first, second)
    values = {"total": len(pairs.topic), "fuller": pairs.fuller, "less_full": pairs.less_full, "alike": pairs.alike,
              "neither": int(pairs.counts[2, 2])}  # fmt: skip
    notes = [Remark("pairs", text, values, warns=False)]
    if shown.assigners:
        notes.append(Remark("assigners", shown.assigners))
    if pairs.left_out:
        text = tr("Left out, since one assigner did not return a nugget that the other labelled: {topics}.",
                  topics=", ".join(pairs.left_out))  # fmt: skip
        notes.append(Remark("left_out", text, {"topics": list(pairs.left_out)}))
    return tuple(notes)


USES = ("rules", "scope", "test", "interval", "confidence", "samples", "seed", "unit", "answers")
VIEW = ResultView("answer-pairs", compute, tables, title=tr("Two systems by nugget"), uses=USES, settles=("run",))
