"""Additions to answers: judgments of documents with the nuggets of their topics, and the list that answers were
made from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pyarrow as pa

from irviewer.errors import OptionError
from irviewer.model.answers.assigner_names import system_name
from irviewer.model.answers.nuggets import Links, Nuggets
from irviewer.model.answers.systems import with_list
from irviewer.model.arrays import frozen, group_of_each, strings
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.translation import tr


def with_judgments(qrels: Qrels, judgments: Qrels) -> Qrels:
    """Return judgments of documents with the nuggets and the topics of ``qrels``: topics without judgments have no
    documents, and others than these are left out, as scores of answers would be 0 there."""
    place = {topic: number for number, topic in enumerate(qrels.query_ids)}
    codes = np.array([place.get(query, -1) for query in judgments.query_ids], dtype=np.int64)
    of_each = codes[group_of_each(judgments.offsets)] if len(codes) else np.empty(0, dtype=np.int64)
    kept = np.flatnonzero(of_each >= 0)
    every = Qrels.from_columns(
        qrels.query_ids, of_each[kept], judgments.doc_ids.take(pa.array(kept)), judgments.grades[kept],
        name=judgments.name, origin=judgments.origin,
    )  # fmt: skip
    return replace(every, nuggets=qrels.nuggets)


def with_segments(qrels: Qrels, segments: Qrels) -> Qrels:
    """Return qrels whose nuggets have the links of segment assignments: joined by their place within the topic and
    checked by text. Raises OptionError where no nugget is the same."""
    nuggets, others = qrels.nuggets, segments.nuggets
    if others is None or others.links is None:
        raise OptionError(tr("{name} has no assignments to segments", name=segments.name))
    if nuggets is None:
        return replace(qrels, nuggets=others)
    ours, theirs = nuggets.texts.to_pylist(), others.texts.to_pylist()
    row_of = {
        other: own
        for topic in others.topics
        for own, other in zip(nuggets.rows(topic).tolist(), others.rows(topic).tolist(), strict=False)
        if ours[own] == theirs[other]
    }
    links = others.links
    kept = [(row_of[row], document) for row, document in zip(links.nugget.tolist(), links.documents.to_pylist(),
                                                             strict=True) if row in row_of]  # fmt: skip
    if not kept and len(links.nugget):
        raise OptionError(tr("the nuggets of {name} are not those of {other}", name=segments.name, other=qrels.name))
    rows = frozen(np.array([row for row, _ in kept], dtype=np.int64))
    return replace(qrels, nuggets=_linked(nuggets, Links(links.topics, rows, strings([each for _, each in kept]))))


def _linked(nuggets: Nuggets, links: Links) -> Nuggets:
    return replace(nuggets, links=links)


def without_lists(runs: Sequence[Run]) -> tuple[int, ...]:
    """Return the places of the runs that answer, where two systems or more do: a list beside these, such as the one
    they were made from, has no value of what they say. Else those of all runs. Labels and nuggets do not matter, so
    that a baseline does not move while they are given by hand."""
    every = tuple(range(len(runs)))
    answering = tuple(place for place in every if runs[place].answered is not None)
    return answering if len({system_name(runs[place]) for place in answering}) > 1 else every


def with_context(runs: Sequence[Run], context: Run) -> list[Run]:
    """Return the runs, those of systems that answer with the list that the answers were made from as documents."""
    return [run if run.answered is None else with_list(run, context) for run in runs]
