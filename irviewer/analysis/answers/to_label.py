"""Which answers to label next: where labels are lacking that could move the order of systems, where assigners differ,
and what the checks doubt.

A lacking label can be anything: a mean is between the value of none of them said and that of all of them said. Two
systems whose bounds overlap are open: their order may turn. A label of a system counts for as many open pairs as the
system is in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from irviewer.analysis.answers.checks import answer_checks
from irviewer.analysis.answers.label_pairs import known_labels
from irviewer.analysis.answers.nugget_matrix import aligned
from irviewer.evaluation.evaluate import evaluate
from irviewer.measures.base import Measure
from irviewer.model.answers.answered import Answered
from irviewer.model.answers.assigner_names import system_name
from irviewer.model.answers.assignments import Assignments
from irviewer.model.answers.by_hand import ASSIGNMENT_TEXTS
from irviewer.model.answers.labels import FULL, NONE, UNJUDGED, Labels
from irviewer.model.answers.nuggets import Nuggets
from irviewer.model.answers.systems import run_of_answers
from irviewer.model.arrays import Floats, frozen, strings
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run


@dataclass(frozen=True)
class SystemBounds:
    """Between what the mean of a system is, whatever its lacking labels are.

    lacking     the labels that it lacks, of nuggets of the topics that count
    open_pairs  the number of other systems whose bounds overlap with these
    """

    system: str
    lacking: int
    low: float
    high: float
    open_pairs: int


@dataclass(frozen=True)
class AnswerToDo:
    """An answer with something to label or to examine.

    lacking  nuggets without a label; ``moves`` by how much these labels can move the mean of the system
    differ   nuggets on which assigners differ; ``doubts`` what checks of words find
    """

    topic: str
    system: str
    lacking: int
    moves: float
    open_pairs: int
    differ: int
    doubts: int


@dataclass(frozen=True, eq=False)
class LabellingWork:
    """What to label next, the most important first, and the bounds of systems by name."""

    measure: Measure
    systems: tuple[SystemBounds, ...]
    answers: tuple[AnswerToDo, ...]


def labelling_work(
    qrels: Qrels, runs: Sequence[Run], topics: Sequence[str], measure: Measure, options: EvaluationOptions, *,
    progress: Callable[[float], None] | None = None,
) -> LabellingWork:  # fmt: skip
    """Return the work for the systems of runs, of which several may be one system with the labels of other assigners.
    A label of any assigner is a label; where several differ, that of the first counts in the bounds.

    qrels    with the nuggets in force
    measure  of nuggets, whose mean is bounded

    Answers come in the order of what they can move times the open pairs of their system, then of differing labels and
    doubts."""
    nuggets = qrels.nuggets
    assert nuggets is not None, "the view asks for nuggets"
    kept = np.zeros(len(nuggets.texts), dtype=np.bool_)
    for topic in topics:
        kept[nuggets.rows(topic)] = True
    of_system: dict[str, list[Run]] = {}
    for run in runs:
        if run.answered is not None and (run.answered.answers is not None or run.answered.assignments is not None):
            of_system.setdefault(system_name(run), []).append(run)
    bounds: dict[str, tuple[Floats, Floats]] = {}
    lacking: dict[str, Labels] = {}
    differ: dict[str, Counter[str]] = {}
    topic_of = nuggets.topic_of_each
    for system, own in of_system.items():
        given = [known_labels(aligned(nuggets, run.answered.assignments)) for run in own
                 if run.answered is not None and run.answered.assignments is not None]  # fmt: skip
        labels = np.full(len(nuggets.texts), UNJUDGED, dtype=np.int8)
        both = np.zeros(len(labels), dtype=np.bool_)
        for each in given:
            both |= (labels != UNJUDGED) & (each != UNJUDGED) & (labels != each)
            labels = np.where(labels == UNJUDGED, each, labels).astype(np.int8)
        answering = {topic for run in own if run.answered is not None for topic in run.answered.topics}
        places = [place for topic, place in nuggets.topic_index.items() if topic in answering]
        # A topic that is not answered says nothing.
        unlabelled = (labels == UNJUDGED) & kept & np.isin(topic_of, places)
        ends = [
            _values(qrels, nuggets, system, np.where(unlabelled, label, labels), topics, measure, options)
            for label in (NONE, FULL)
        ]
        bounds[system] = ends[0], ends[1]
        lacking[system] = unlabelled.astype(np.int8)
        differ[system] = Counter(nuggets.topics[place] for place in topic_of[both & kept].tolist())
    doubts = _doubts(runs, topics, nuggets, progress)
    means = {system: (float(low.mean()), float(high.mean())) for system, (low, high) in bounds.items()}
    open_pairs = {
        system: sum(low < other_high and other_low < high
                    for other, (other_low, other_high) in means.items() if other != system)
        for system, (low, high) in means.items()
    }  # fmt: skip
    answers = []
    for system, (low, high) in bounds.items():
        counts = np.bincount(topic_of[lacking[system] == 1], minlength=len(nuggets.topics))
        for place, topic in enumerate(topics):
            number = int(counts[nuggets.topic_index[topic]]) if topic in nuggets.topic_index else 0
            moves = float(high[place] - low[place]) / len(topics)
            others = differ[system][topic], doubts[system, topic]
            if number or any(others):
                answers.append(AnswerToDo(topic, system, number, moves, open_pairs[system], *others))
    answers.sort(key=lambda each: (-each.moves * each.open_pairs, -each.moves, -each.differ, -each.doubts,
                                   each.system, each.topic))  # fmt: skip
    return LabellingWork(
        measure,
        tuple(SystemBounds(system, int(lacking[system].sum()), *means[system], open_pairs[system])
              for system in sorted(means)),
        tuple(answers),
    )  # fmt: skip


def _values(
    qrels: Qrels, nuggets: Nuggets, system: str, labels: Labels, topics: Sequence[str], measure: Measure,
    options: EvaluationOptions,
) -> Floats:  # fmt: skip
    """Return the values of topics, float64[T], where the system has these labels for the nuggets in force."""
    given = np.where(labels == UNJUDGED, NONE, labels).astype(np.int8)
    texts = [ASSIGNMENT_TEXTS[label] for label in given.tolist()]
    assignments = Assignments(
        replace(nuggets, links=None), frozen(given), strings(texts), strings([""] * len(texts)),
        ("",) * len(nuggets.topics), frozen(np.full(len(nuggets.topics), -1, dtype=np.int64)),
    )  # fmt: skip
    from_files = run_of_answers(Answered(system, assignments=assignments), name=system)
    values = evaluate(qrels, [from_files], [measure], options).by_query(measure, system)
    return np.array([values.get(topic, 0.0) for topic in topics], dtype=np.float64)


def _doubts(
    runs: Sequence[Run], topics: Sequence[str], nuggets: Nuggets, progress: Callable[[float], None] | None
) -> Counter[tuple[str, str]]:  # fmt: skip
    """Return by system and topic how many nuggets a check doubts: what several assigners say is one doubt."""
    checks = answer_checks(runs, topics, nuggets=nuggets, progress=progress)
    systems = {run.name: system_name(run) for run in runs}
    items = {(systems[checks.runs[doubt.run]], doubt.topic, doubt.check, doubt.subject) for doubt in checks.doubts}
    return Counter((system, topic) for system, topic, _, _ in items)
