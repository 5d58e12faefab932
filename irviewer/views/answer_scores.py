"""Scores of answers by system: nuggets, support, citations and length, and measures of the list beside them.

A measure of documents is over the topics that have judgments, another one over all topics; a column says over how
many."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Literal

import numpy as np

from irviewer.analysis.answers.against_list import Correlation, correlations
from irviewer.analysis.answers.by_length import Third, slope_of, thirds_of
from irviewer.errors import MeasureError, OptionError
from irviewer.evaluation.answer_cautions import OF_NUGGETS as OF_LABELS
from irviewer.evaluation.answer_cautions import assigners_text, lacks
from irviewer.evaluation.bind import BoundProtocol
from irviewer.evaluation.caveats import missing_text
from irviewer.evaluation.evaluate import evaluate
from irviewer.measures.answered import parts_of, reads_answers
from irviewer.measures.base import Measure
from irviewer.measures.parser import parse_measure, parse_measures
from irviewer.model.answers.foreign import PUBLISHED
from irviewer.model.answers.labels import ODD
from irviewer.model.arrays import Floats
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.tables import column
from irviewer.tables.table import Remark, Table
from irviewer.translation import tr
from irviewer.views.answer_systems import systems_of
from irviewer.views.inputs import Inputs, Part
from irviewer.views.keys import data_keys
from irviewer.views.published_scores import PublishedMeasure, published_measures, published_table
from irviewer.views.result import ViewResult
from irviewer.views.view import ResultView, option

OF_NUGGETS = ("V_strict", "V", "W_strict", "W", "A_strict", "A")
SCORE_WORDS: dict[str, str] = {
    "V_strict": tr("vital, in full"), "V": tr("vital, in part ½"), "W_strict": tr("weighted, in full"),
    "W": tr("weighted, in part ½"), "A_strict": tr("all, in full"), "A": tr("all, in part ½"),
}  # fmt: skip
"""How people read the scores of nuggets."""
NuggetScore = Annotated[
    Literal["V_strict", "V", "W_strict", "W", "A_strict", "A"],
    option(
        tr("the score of topics: vital, weighted or all nuggets, strict or with half for what is said in part"),
        title=tr("score"),
        words=SCORE_WORDS,
    ),
]
"""The parameter of a view that takes one of them."""
OF_SUPPORT = ("SupportP", "SupportR")
OF_ANSWERS = ("Uncited", "CitationsPerSentence", "Length", "OverBudget")
OF_DOCUMENTS = ("CitedRel", "nDCG@10")
ALONE = frozenset({
    *OF_LABELS, "SupportP", "SupportR", "CitationP", "CitationR", "Uncited",
    "CitationsPerSentence", "Length", "OverBudget", "Used", "Abstain", "ContextR",
})  # fmt: skip
"""Measures that need no judgments of documents."""


@dataclass(frozen=True)
class Pooled:
    """Scores of one system over all nuggets and sentences of its topics, not over topics. ``shares`` are those of
    OF_NUGGETS, () without labels; ``sentences`` is 0 without answers."""

    run: str
    nuggets: int = 0
    shares: tuple[float, ...] = ()
    sentences: int = 0
    uncited: int = 0
    citations: int = 0


@dataclass(frozen=True)
class AgainstList:
    """How a score of answers goes with a measure of the lists: over the topics of a system, or over the means of all
    (``run`` is ""). Where ``lower`` values of the lists are better, a low value goes with a high score in a positive
    correlation: it always says that better lists go with better answers."""

    run: str
    score: str
    listed: str
    rho: Correlation
    tau: Correlation
    lower: bool = False


@dataclass(frozen=True, eq=False)
class AnswerScores:
    """Means by system: float64[M, R], NaN where a system lacks what the measure needs; ``topics`` int[M] are those that
    a mean is over. ``odd`` are the labels by run, kind and text that no rule knows, with their counts. ``foreign`` are
    the scores of other tools: their titles and means float64[R], over the topics that have one. ``lengths`` are the
    thirds of the topics of each run by the length of its answers, with the mean of the first measure, and its
    slope. ``published`` are comparisons with scores that were published, ``pooled`` the sums over nuggets and
    sentences, ``against`` the correlations of the first score of nuggets with the first measure of lists."""

    runs: tuple[str, ...]
    measures: tuple[Measure, ...]
    names: tuple[str, ...]
    means: Floats
    topics: tuple[int, ...]
    odd: tuple[tuple[str, str, str, int], ...]
    cautions: tuple[str, ...]
    foreign: tuple[tuple[str, Floats], ...] = ()
    lengths: tuple[tuple[str, tuple[Third, ...], float], ...] = ()
    published: tuple[PublishedMeasure, ...] = ()
    pooled: tuple[Pooled, ...] = ()
    against: tuple[AgainstList, ...] = ()


def compute(inputs: Inputs, protocol: BoundProtocol) -> AnswerScores:
    """Scores of answers by system: nuggets, support, citations, length, and the list beside them."""
    part = inputs.one
    every = systems_of(part, protocol)
    alone = [run.name for run in every if run.answered is not None and run.answered.scores_alone]
    runs = [run for run in every if run.name not in alone]
    answered = [run.answered for run in runs if run.answered is not None]
    if not answered:
        raise OptionError(tr("This needs answers. Open files of them."))
    judged = _judged_topics(part.qrels, protocol.query_ids)
    asked = list(protocol.declared_measures)
    if not asked:
        asked = [
            *(OF_NUGGETS if any(each.assignments is not None for each in answered) else ()),
            *(OF_SUPPORT if any(each.support is not None for each in answered) else ()),
            *(OF_ANSWERS if any(each.answers is not None for each in answered) else ()),
            *(OF_DOCUMENTS if judged and any(each.answers is not None for each in answered) else ()),
        ]
    measures: list[Measure] = []
    names: list[str] = []
    rows: list[Floats] = []
    counts: list[int] = []
    cautions: dict[str, None] = dict.fromkeys(
        tr("the published scores of {run} belong to no system that is open: give them its name as run_id", run=name)
        for name in alone
    )
    for run in runs:
        lacking = [topic for topic in protocol.query_ids if topic not in run.query_index]
        if 0 < len(lacking) < len(protocol.query_ids):  # with no topic at all something else is said
            cautions[missing_text(run.name, lacking, part.options)] = None
    for text in asked:
        for measure in parse_measures([text], part.options.rules.names):
            topics = protocol.query_ids if _alone(measure) else judged
            row = np.full(len(runs), np.nan)
            for place, run in enumerate(runs):
                row[place] = _mean(part.qrels, run, measure, part.options, topics, cautions)
            measures.append(measure)
            names.append(text if parse_measure(text).text == measure.text and text in OF_NUGGETS else measure.text)
            rows.append(row)
            counts.append(len(topics))
    cautions |= dict.fromkeys(filter(None, (assigners_text(runs), assigners_text(runs, "support"))))
    return AnswerScores(
        tuple(run.name for run in runs), tuple(measures), tuple(names), np.array(rows).reshape(len(rows), len(runs)),
        tuple(counts), tuple(_odd(runs)), tuple(cautions), tuple(_foreign(runs, protocol.query_ids)),
        tuple(_lengths(part.qrels, runs, measures[:1], part.options, protocol.query_ids, judged)),
        tuple(published_measures(part.qrels, runs, part.options, protocol.query_ids)),
        tuple(_pooled(run, protocol.query_ids) for run in runs),
        tuple(_against(part, runs, dict(zip(names, measures, strict=True)), judged,
                       protocol.protocol.inference.confidence)),
    )  # fmt: skip


def _against(
    part: Part, runs: Sequence[Run], measures: Mapping[str, Measure], judged: Sequence[str], confidence: float
) -> Iterator[AgainstList]:
    """Yield how the first score of nuggets goes with the first measure of the lists, over the topics that have
    judgments of documents, and over the means of three systems or more."""
    of_labels = [name for name, each in measures.items() if {single.name for single in parts_of(each)} <= OF_LABELS]
    of_lists = [
        name for name, each in measures.items() if not reads_answers(each) and each.aggregate not in ("none", "count")
    ]
    if not judged or not of_labels or not of_lists:
        return
    score, listed = measures[of_labels[0]], measures[of_lists[0]]
    signs = [1.0 if each.higher_is_better else -1.0 for each in (score, listed)]
    means: list[tuple[float, float]] = []

    def row(run: str, first: Floats, second: Floats) -> AgainstList:
        both = correlations(signs[0] * first, signs[1] * second, confidence)
        return AgainstList(run, of_labels[0], of_lists[0], *both, lower=not listed.higher_is_better)

    for run in runs:
        if lacks(score, run) or not len(run):
            continue
        result = evaluate(part.qrels, [run], [score, listed], part.options).over(judged)
        yield row(run.name, *(np.asarray(result.of(each)[1][0], dtype=np.float64) for each in (score, listed)))
        means.append((result.mean(score), result.mean(listed)))
    if len(means) > 2:
        yield row("", *np.round(np.array(means).T, 12))  # sums in another order are no difference


def _pooled(run: Run, topics: Sequence[str]) -> Pooled:
    answered, pooled = run.answered, Pooled(run.name)
    if answered is not None and (assignments := answered.assignments) is not None:
        index = assignments.nuggets.topic_index
        places = np.array([index[topic] for topic in topics if topic in index], dtype=np.int64)
        rows = np.isin(assignments.nuggets.topic_of_each, places)
        shares = []
        for name in OF_NUGGETS:
            measure = parse_measure(name)
            weights = assignments.weights(str(measure.parameter("weight")), "all")[rows]
            credit = assignments.credits(0.0 if measure.parameter("strict") else 0.5)[rows]
            shares.append(float(weights @ credit / total) if (total := weights.sum()) else 0.0)
        pooled = replace(pooled, nuggets=int(rows.sum()), shares=tuple(shares))
    if answered is not None and (answers := answered.answers) is not None:
        own = [answers.topic_index[topic] for topic in topics if topic in answers.topic_index]
        counts = (answers.sentence_counts[own], answers.uncited_counts[own], answers.citation_counts[own])
        sentences, uncited, citations = (int(each.sum()) for each in counts)
        pooled = replace(pooled, sentences=sentences, uncited=uncited, citations=citations)
    return pooled


def _lengths(
    qrels: Qrels,
    runs: Sequence[Run],
    first: Sequence[Measure],
    options: EvaluationOptions,
    every: Sequence[str],
    judged: Sequence[str],
) -> Iterator[tuple[str, tuple[Third, ...], float]]:
    """Yield the score of each run with answers by their length; of measures of answers, not of lengths or lists."""
    measure = first[0] if first else None
    if (
        measure is None
        or not reads_answers(measure)
        or {part.name for part in parts_of(measure)} & {"Length", "OverBudget"}
    ):
        return
    topics = every if _alone(measure) else judged
    for run in runs:
        answers = None if run.answered is None else run.answered.answers
        if answers is None or lacks(measure, run):
            continue
        values = evaluate(qrels, [run], [measure], options).by_query(measure, run.name)
        own = [topic for topic in topics if topic in answers.topic_index and topic in values]
        words = [int(answers.words[answers.topic_index[topic]]) for topic in own]
        scores = np.array([values[topic] for topic in own], dtype=np.float64)
        if thirds := thirds_of(words, scores):
            yield run.name, thirds, slope_of(words, scores)


def _foreign(runs: list[Run], topics: Sequence[str]) -> list[tuple[str, Floats]]:
    """Return the columns of scores that other tools gave to answers of some topics."""
    own = [
        {scores.title: scores for scores in run.answered.foreign if scores.tool != PUBLISHED}
        if run.answered is not None else {}
        for run in runs
    ]  # fmt: skip
    titles = dict.fromkeys(title for each in own for title in each)
    return [
        (title, np.array([each[title].mean(topics) if title in each else np.nan for each in own], dtype=np.float64))
        for title in titles
    ]


def _alone(measure: Measure) -> bool:
    return all(part.name in ALONE for part in parts_of(measure))


def _mean(
    qrels: Qrels, run: Run, measure: Measure, options: EvaluationOptions, topics: Sequence[str],
    cautions: dict[str, None],
) -> float:  # fmt: skip
    if not topics:
        return float("nan")
    try:
        result = evaluate(qrels, [run], [measure], options)
    except MeasureError:  # the system lacks what the measure needs
        return float("nan")
    cautions |= dict.fromkeys(result.cautions)
    return float(result.over(topics).means[0, 0])


def _judged_topics(qrels: Qrels, topics: tuple[str, ...]) -> tuple[str, ...]:
    counts = np.diff(qrels.offsets)
    return tuple(topic for topic in topics if counts[qrels.query_index[topic]])


def _odd(runs: list[Run]) -> list[tuple[str, str, str, int]]:
    odd = []
    for run in runs:
        assignments = None if run.answered is None else run.answered.assignments
        support = None if run.answered is None else run.answered.support
        if assignments is not None:
            odd += [(run.name, "importance", text, count) for text, count in assignments.nuggets.odd_words.items()]
            odd += [(run.name, "assignment", text, count) for text, count in assignments.odd_assignment.items()]
        if support is not None and np.any(support.labels == ODD):
            odd += [(run.name, "support", text, count) for text, count in support.odd.items()]
    return odd


RULES = {
    "importance": tr("counts in “all” alone"),
    "assignment": tr("counts as not supported"),
    "support": tr("counts as no support"),
}
KINDS = {"importance": tr("importance"), "assignment": tr("assignment"), "support": tr("support")}


def tables(scores: AnswerScores, protocol: BoundProtocol) -> ViewResult:
    """Return the tables ``scores`` (a row for each system), ``lengths`` (the first measure by thirds of the topics),
    ``micro`` (over nuggets and sentences) and, if there are any, ``against_list`` (how the first score of nuggets goes
    with the first measure of lists), ``published`` (scores of others for the same labels) and ``labels``."""
    run = column.run("run", tr("run"), scores.runs)
    keys = data_keys([*scores.names, *(title for title, _ in scores.foreign)], [run])
    shown = [
        column.number(key, with_unit(name, measure), scores.means[place], names="measure", best=True,
                      better_up=measure.higher_is_better, decimals=4)
        for place, (key, name, measure) in enumerate(zip(keys, scores.names, scores.measures, strict=False))
    ]  # fmt: skip
    shown += [
        column.number(key, title, means, names="attribute", decimals=4)
        for key, (title, means) in zip(keys[len(scores.names):], scores.foreign, strict=True)
    ]  # fmt: skip
    notes = [Remark("answers", text) for text in scores.cautions]
    if len(set(scores.topics)) > 1:
        fewer = [name for name, count in zip(scores.names, scores.topics, strict=True) if count < max(scores.topics)]
        text = tr("{measures}: over the topics that have judgments of documents ({n:,}); the others over all "
                  "({all:,}).", measures=", ".join(fewer), n=min(scores.topics), all=max(scores.topics))  # fmt: skip
        notes.append(Remark("topics", text, {"topics": list(scores.topics)}))
    if scores.foreign:
        notes.append(Remark("foreign", tr(
            "{scores}: scores of other tools, as their files have them; means over the topics that have one.",
            scores=", ".join(title for title, _ in scores.foreign),
        )))  # fmt: skip
    result = [
        Table("scores", tr("Scores of answers"), (run, *shown), keys=scores.runs, opens="run", notes=tuple(notes))
    ]
    if scores.lengths:
        result.append(_by_length(scores))
    if any(each.nuggets or each.sentences for each in scores.pooled):
        result.append(_micro(scores.pooled))
    if scores.against:
        result.append(_against_lists(scores.against))
    if scores.published:
        result.append(published_table(scores.published))
    if scores.odd:
        result.append(_labels(scores))
    return ViewResult(scores, tuple(result))


def with_unit(name: str, measure: Measure) -> str:
    """Return the title of a measure, with what its values count where they are lengths."""
    if len(parts_of(measure)) > 1 or parts_of(measure)[0].name not in ("Length", "OverBudget"):
        return name
    single = parts_of(measure)[0]
    if single.name == "OverBudget" and not single.parameter("amount"):
        return name
    unit = tr("words") if single.parameter("unit") == "words" else tr("characters")
    return f"{name}, {unit}"


def _by_length(scores: AnswerScores) -> Table:
    rows = [(run, place, third, slope) for run, thirds, slope in scores.lengths for place, third in enumerate(thirds)]
    parts = ("short", "middle", "long")
    names = {"short": tr("short"), "middle": tr("middle"), "long": tr("long")}
    kinds = [parts[place] for _, place, _, _ in rows]
    note = tr("A third of the topics each, by the words of the run’s answers; the slope is the change of {measure} a "
              "hundred words (least squares).", measure=scores.names[0])  # fmt: skip
    return Table("lengths", tr("{measure} by length of the answer", measure=scores.names[0]), (
        column.run("run", tr("run"), [run for run, _, _, _ in rows]),
        column.text("third", tr("answers"), kinds, texts=[names[kind] for kind in kinds]),
        column.count("topics", tr("topics"), [third.topics for _, _, third, _ in rows]),
        column.count("fewest", tr("fewest words"), [third.fewest for _, _, third, _ in rows]),
        column.count("most", tr("most words"), [third.most for _, _, third, _ in rows]),
        column.number("mean", tr("mean"), np.array([third.mean for _, _, third, _ in rows]), decimals=4),
        column.number("slope", tr("slope, 100 words"), np.array([slope for _, _, _, slope in rows]), decimals=4),
    ), notes=(Remark("lengths", note),))  # fmt: skip


def _against_lists(rows: Sequence[AgainstList]) -> Table:
    shown = [
        column.text("run", tr("run"), [each.run for each in rows],
                    texts=[each.run or tr("means of the systems") for each in rows]),
        column.count("n", tr("number"), [each.rho.n for each in rows]),
    ]  # fmt: skip
    for key, sign in (("rho", "ρ"), ("tau", "τ")):
        own = [each.rho if key == "rho" else each.tau for each in rows]
        ends = {"low": tr("{name}, lower end", name=sign), "high": tr("{name}, upper end", name=sign)}
        shown.append(column.number(key, sign, np.array([each.value for each in own]), decimals=3))
        shown += [column.number(f"{key}_{end}", title, np.array([getattr(each, end) for each in own]), decimals=3)
                  for end, title in ends.items()]  # fmt: skip
    note = tr(
        "Spearman’s ρ and Kendall’s τ over the topics that have judgments of documents, with intervals by Fisher’s z: "
        "does a better list go with a better answer? They show no cause."
    )
    title = tr("{score} against {measure} of the list", score=rows[0].score, measure=rows[0].listed)
    notes = [Remark("against_list", note, warns=False)]
    if rows[0].lower:
        notes.append(Remark("lower", tr(
            "Lower values of {measure} are better: where ρ and τ are above 0, lower values go with better answers.",
            measure=rows[0].listed,
        ), warns=False))  # fmt: skip
    return Table("against_list", title, tuple(shown), keys=tuple(each.run for each in rows), notes=tuple(notes))


def _micro(pooled: Sequence[Pooled]) -> Table:
    runs = [each.run for each in pooled]
    shown = [column.run("run", tr("run"), runs)]
    if any(each.shares for each in pooled):
        shown.append(column.count("nuggets", tr("nuggets"), [each.nuggets for each in pooled]))
        shares = [each.shares or (np.nan,) * len(OF_NUGGETS) for each in pooled]
        shown += [
            column.number(name.lower(), name, np.array([each[place] for each in shares]), names="measure", decimals=4)
            for place, name in enumerate(OF_NUGGETS)
        ]
    if any(each.sentences for each in pooled):
        count = np.array([each.sentences or np.nan for each in pooled])
        shown += [
            column.count("sentences", tr("sentences"), [each.sentences for each in pooled]),
            column.number("uncited", "Uncited", np.array([each.uncited for each in pooled]) / count, names="measure",
                          decimals=4),
            column.number("citations_per_sentence", "CitationsPerSentence",
                          np.array([each.citations for each in pooled]) / count, names="measure", decimals=4),
        ]  # fmt: skip
    note = tr(
        "Each nugget and each sentence counts alike (micro), so topics with many count more. Nuggets of a topic are "
        "not independent: tests and intervals are over topics."
    )
    return Table("micro", tr("Over all nuggets and sentences, not topics"), tuple(shown), keys=tuple(runs), opens="run",
                 notes=(Remark("micro", note, warns=False),))  # fmt: skip


def _labels(scores: AnswerScores) -> Table:
    kinds = [kind for _, kind, _, _ in scores.odd]
    return Table("labels", tr("Labels that no rule knows"), (
        column.run("run", tr("run"), [run for run, _, _, _ in scores.odd]),
        column.text("kind", tr("kind"), kinds, texts=[KINDS[kind] for kind in kinds]),
        column.text("label", tr("label"), [text for _, _, text, _ in scores.odd]),
        column.count("count", tr("number"), [count for _, _, _, count in scores.odd]),
        column.text("rule", tr("rule"), kinds, texts=[RULES[kind] for kind in kinds]),
    ))  # fmt: skip


VIEW = ResultView("answer-scores", compute, tables, title=tr("Answers"), uses=("rules", "scope", "answers"))
