"""Where a vital nugget was lost that an answer does not say in full: the first stage that fails, as far as data say.

A nugget is held by documents: by those that segment assignments name, or, as a weaker rule, by every relevant document
of its topic. The best of them decides how far it came: not retrieved, below the context, in the context and not cited,
cited by a sentence. Without such documents, or without the list, the stage cannot be known and is so named."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from irviewer.analysis.answers.backing import Backing, backing_of
from irviewer.analysis.answers.context_ranks import ContextRanks
from irviewer.analysis.answers.nugget_matrix import NuggetMatrix, nugget_matrix
from irviewer.model.answers.answered import Answered
from irviewer.model.answers.answers import Answers
from irviewer.model.answers.labels import FULL, PARTIAL, UNJUDGED
from irviewer.model.arrays import Ints
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run

Stage = Literal["no_document", "not_retrieved", "below", "not_cited", "cited", "partly", "unknown"]
STAGES: tuple[Stage, ...] = get_args(Stage)
Rule = Literal["segments", "grades"]


@dataclass(frozen=True, eq=False)
class Lost:
    """The vital nuggets that systems do not say in full, L of them.

    matrix   the nuggets by system
    rule     how the documents of a nugget are known; "" where nothing is known of any
    run      int64[L]: the system; nugget int64[L]: the column of the matrix
    stage    int64[L]: the place in STAGES
    rank     int64[L]: the best rank of its documents in the list of the run, 0 where none was retrieved or is known
    document the document that came furthest, "" without one
    vital    int64[R]: the vital nuggets that each system has a label for
    low, high   int64[L]: between which ranks of the context the document stands, where its rank is not known; 0 where
                that cannot be told
    unlisted the systems whose list is not open: of their context only the references are known
    ordered  references keep the order of the context, as far as systems that have two of them agree; so bounds are told
    """

    matrix: NuggetMatrix
    rule: Rule | Literal[""]
    run: Ints
    nugget: Ints
    stage: Ints
    rank: Ints
    document: tuple[str, ...]
    vital: Ints
    context: int
    level: float
    low: Ints
    high: Ints
    ordered: bool
    backing: Backing
    unlisted: tuple[str, ...]

    @property
    def counts(self) -> npt.NDArray[np.int64]:
        """int64[R, 7]: the number of nuggets lost at each stage, by system."""
        counts = np.zeros((len(self.matrix.runs), len(STAGES)), dtype=np.int64)
        np.add.at(counts, (self.run, self.stage), 1)
        return counts


class Documents:
    """The documents that hold a nugget, by segment assignments or by grades."""

    def __init__(self, qrels: Qrels, matrix: NuggetMatrix, rule: str, level: float) -> None:
        self._nuggets, self._qrels, self._level = matrix.nuggets, qrels, level
        links = matrix.nuggets.links
        self.rule: Rule | Literal[""] = ""
        if links is not None and rule != "grades":
            self.rule = "segments"
            self._held: dict[int, list[str]] = {}
            for nugget, document in zip(links.nugget.tolist(), links.documents.to_pylist(), strict=True):
                self._held.setdefault(nugget, []).append(document)
        elif rule != "segments" and len(qrels):
            self.rule = "grades"
        self._relevant: dict[str, list[str] | None] = {}

    def of(self, nugget: int, topic: str) -> list[str] | None:
        """Return the documents that hold a nugget; None where nothing is known."""
        if self.rule == "segments":
            links = self._nuggets.links
            assert links is not None
            return self._held.get(nugget, []) if topic in links.topics else None
        if self.rule == "grades":
            if topic not in self._relevant:
                judgments = self._qrels.judgments(topic)
                relevant = [document for document, grade in judgments.items() if grade >= self._level]
                self._relevant[topic] = relevant if judgments else None
            return self._relevant[topic]
        return None


def lost_nuggets(
    qrels: Qrels, runs: Sequence[Run], topics: Sequence[str], *, rule: str = "auto", level: float = 1, context: int = 0,
    progress: Callable[[float], None] | None = None,
) -> Lost:  # fmt: skip
    """Return where systems lost the vital nuggets that they do not say in full.

    rule      "segments" or "grades": how the documents of a nugget are known; "auto": by segments if there are any
    level     the lowest grade of a document that holds the nuggets of its topic, under "grades"
    context   the ranks of the list that the answer was made from, 0: the whole list

    Raises OptionError where no run has assignments."""
    matrix = nugget_matrix(qrels, runs, topics)
    by_name = {run.name: run for run in runs}
    documents = Documents(qrels, matrix, rule, level)
    topic_of = matrix.topics
    rows = matrix.rows.tolist()
    ranks = ContextRanks([by_name[name] for name in matrix.runs], context)
    lost_so_far: list[tuple[int, int, int, int, str, int, int]] = []
    vital = []
    for number, name in enumerate(matrix.runs):
        trace = Trace(by_name[name], context)
        labels = matrix.labels[number]
        known = matrix.vital & (labels != UNJUDGED)
        vital.append(int(np.count_nonzero(known)))
        for place in np.flatnonzero(known & (labels != FULL)).tolist():
            if labels[place] == PARTIAL:
                lost_so_far.append((number, place, STAGES.index("partly"), 0, "", 0, 0))
                continue
            stage, rank, document = trace.furthest(topic_of[place], documents.of(rows[place], topic_of[place]))
            bounds = ranks.of(topic_of[place], document) if document and not rank else (0, 0)
            lost_so_far.append((number, place, STAGES.index(stage), rank, document, *bounds))
        if progress is not None:
            progress((number + 1) / (2 * len(matrix.runs)))
    backing = backing_of(
        matrix, [by_name[name] for name in matrix.runs],
        progress=None if progress is None else lambda done: progress((1 + done) / 2),
    )  # fmt: skip
    columns = [np.array([row[column] for row in lost_so_far], dtype=np.int64) for column in (0, 1, 2, 3, 5, 6)]
    return Lost(
        matrix, documents.rule, columns[0], columns[1], columns[2], columns[3], tuple(row[4] for row in lost_so_far),
        np.array(vital, dtype=np.int64), context, level, columns[4], columns[5], ranks.ordered,
        backing, tuple(name for name in matrix.runs if not answered_of(by_name[name]).with_list),
    )  # fmt: skip


def answered_of(run: Run) -> Answered:
    """Return the answers of a system that has some, and their labels."""
    assert run.answered is not None
    return run.answered


class Trace:
    """The way of documents through one system: list, context, citations."""

    def __init__(self, run: Run, context: int) -> None:
        self._run, self._context = run, context
        answered = answered_of(run)
        self._answers: Answers | None = answered.answers
        self._listed = answered.with_list
        self._topic = ""
        self._ranks: dict[str, int] = {}
        self._cited: frozenset[str] = frozenset()
        self._last: tuple[list[str], tuple[Stage, int, str]] | None = None

    def furthest(self, topic: str, documents: list[str] | None) -> tuple[Stage, int, str]:
        """Return the stage of the document that came furthest, its rank (0: none) and its id; of equally far ones of
        that with the best rank."""
        if documents is None:
            return "unknown", 0, ""
        if not documents:
            return "no_document", 0, ""
        if topic == self._topic and self._last is not None and self._last[0] is documents:
            return self._last[1]  # by grades all nuggets of a topic have the same documents
        self._open(topic)
        self._last = documents, self._best(documents)
        return self._last[1]

    def _best(self, documents: list[str]) -> tuple[Stage, int, str]:
        ranked = [(rank, document) for document in documents if (rank := self._ranks.get(document, 0))]
        cited = [each for each in ranked if each[1] in self._cited]
        cited = cited or [(0, document) for document in documents if document in self._cited]
        if cited:
            rank, document = min(cited)
            return "cited", rank if self._listed else 0, document
        if not ranked:
            return ("not_retrieved" if self._listed else "unknown"), 0, ""
        rank, document = min(ranked)
        if not self._listed:  # the references are part of the context, of unknown rank
            return "not_cited", 0, document
        if self._context and rank > self._context:
            return "below", rank, document
        return ("not_cited" if self._answers is not None else "unknown"), rank, document

    def _open(self, topic: str) -> None:
        if topic == self._topic:
            return
        self._topic = topic
        self._ranks = {document: rank for rank, document in enumerate(self._run.ranking(topic), start=1)}
        self._cited = frozenset()
        answers = self._answers
        place = None if answers is None else answers.topic_index.get(topic)
        if answers is not None and place is not None:
            start, stop = (int(answers.citation_offsets[answers.offsets[place + end]]) for end in (0, 1))
            leads = answers.leads[start:stop].tolist()
            cited = answers.cited[start:stop].to_pylist()
            self._cited = frozenset(document for document, known in zip(cited, leads, strict=True) if known)
