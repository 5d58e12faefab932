"""Random samples of queries or pairs, a number from each stratum, to be judged by another judge."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from irviewer.errors import OptionError
from irviewer.model.arrays import Bools, Floats, distinct, frozen, group_of_each
from irviewer.model.judgments.judging_task import JudgingTask, TaskRow
from irviewer.model.judgments.judgment_set import JudgmentSet
from irviewer.model.judgments.panel import Panel
from irviewer.model.qrels import Qrels
from irviewer.translation import tr


def draw_queries(qrels: Qrels, number: int, *, strata: Mapping[str, str] | None = None, seed: int = 1) -> JudgingTask:
    """Return a task of ``number`` queries of each stratum (all of a smaller one), drawn without replacement, with every
    document that the qrels judge for them.

    strata   query -> stratum; None: all queries are one. Queries without a stratum are of the stratum ""

    Raises OptionError for a number below 1, or qrels without judgments."""
    queries = [query for query in qrels.query_ids if qrels.judgments(query)]
    groups = [(strata or {}).get(query, "") for query in queries]
    chance = _drawn(groups, number, seed)
    rows = [
        TaskRow(queries[place], doc, None, groups[place], probability)
        for place, probability in chance.items()
        for doc in qrels.judgments(queries[place])
    ]
    return JudgingTask("query", tuple(rows))


def draw_pairs(
    qrels: Qrels, number: int, *, strata: Mapping[tuple[str, str], str] | None = None, seed: int = 1
) -> JudgingTask:
    """Return a task of ``number`` pairs of query and document of each stratum, drawn without replacement.

    strata   (query, document) -> stratum; None: by the grade in the qrels

    Raises OptionError for a number below 1, or qrels without judgments."""
    queries = [qrels.query_ids[place] for place in group_of_each(qrels.offsets).tolist()]
    pairs = list(zip(queries, qrels.doc_ids.to_pylist(), strict=True))
    if strata is None:
        groups = [f"{grade:g}" for grade in qrels.grades.tolist()]
    else:
        groups = [strata.get(pair, "") for pair in pairs]
    rows = [
        TaskRow(*pairs[place], None, groups[place], probability)
        for place, probability in _drawn(groups, number, seed).items()
    ]
    return JudgingTask("pair", tuple(rows))


def _drawn(groups: list[str], number: int, seed: int) -> dict[int, float]:
    """Return index -> inclusion probability of the sample, in the order of the indices."""
    if number < 1:
        raise OptionError(tr("Draw 1 or more of each stratum, not {number}.", number=number))
    if seed < 0:
        raise OptionError(tr("The seed is {seed}; it must be 0 or more.", seed=seed))
    if not groups:
        raise OptionError(tr("There is nothing to draw from: the qrels have no judgments."))
    random = np.random.default_rng(seed)
    drawn: dict[int, float] = {}
    for name in sorted(set(groups)):
        places = np.array([position for position, group in enumerate(groups) if group == name])
        size = min(number, len(places))
        for position in random.choice(places, size, replace=False).tolist():
            drawn[position] = size / len(places)
    return dict(sorted(drawn.items()))


def sample_weights(task: JudgingTask, panel: Panel, judged: Bools | None = None) -> Floats:
    """Return float64[U]: how many pairs each pair of a panel stands for, 0 if it was not sampled.

    judged   bool[U]: which rows of the panel are judged; of a stratum that is judged in part, those that are count for
             the others too (``JudgingTask.weights``). None: all that was drawn is judged"""
    place = {query: number for number, query in enumerate(panel.query_ids)}
    result = np.zeros(len(panel))
    if task.unit == "query":
        done = place.keys() if judged is None else {panel.query_ids[n] for n in distinct(panel.query[judged]).tolist()}
        keys = task.frame.keys() if judged is None else [(query, "") for query in done]
        by_query = np.zeros(len(panel.query_ids))
        for (query, _), weight in task.weights(set(keys)).items():
            if query in place:
                by_query[place[query]] = weight
        result = by_query[panel.query]
    else:
        ids = [panel.query_ids[number] for number in panel.query.tolist()]
        pairs = list(zip(ids, panel.doc_ids.to_pylist(), strict=True))
        known = task.frame.keys() if judged is None else [pairs[row] for row in np.flatnonzero(judged).tolist()]
        own = task.weights(set(known))
        result = np.array([own.get(key, 0.0) for key in pairs], dtype=np.float64)
    return np.asarray(frozen(result))


def weights_of_pair(panel: Panel, first: int, second: int, task: JudgingTask | None = None) -> Floats | None:
    """Return the weights of a panel's rows for two of its judges: those of the sample, of which only what both judged
    counts. None where no task is given and neither set says that it was drawn."""
    task = task or panel.sets[first].task or panel.sets[second].task
    return None if task is None else sample_weights(task, panel, panel.judged[:, first] & panel.judged[:, second])


def refuse_document_sample(judge: JudgmentSet, task: JudgingTask | None = None) -> None:
    """Raise OptionError where a judge judged documents that were drawn within queries: values of runs would count all
    others as not relevant. ``task``: what was drawn for the judge; None: what its set says."""
    drawn = judge.task if task is None else task
    if drawn is not None and drawn.unit == "pair":
        raise OptionError(
            tr("{judge} judged a sample of documents, under which runs have no values. Leave the runs or this judge "
               "out here; irviewer judge (Compare › Judge) corrects means by such a sample.", judge=judge.name)
        )  # fmt: skip
