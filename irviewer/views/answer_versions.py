"""Two answers sentence by sentence: what is the same, what was reworded, what only one has; of two versions of a system
or of two systems."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from irviewer.analysis.answers.sentence_diff import REWORDED, AlignedSentence, aligned_sentences
from irviewer.errors import OptionError
from irviewer.evaluation.bind import BoundProtocol
from irviewer.model.answers.answers import Answers
from irviewer.model.number_text import percent
from irviewer.model.run import Run
from irviewer.model.run_names import display_names
from irviewer.rendering.elision import shared_start
from irviewer.tables import column
from irviewer.tables.table import Remark, Status, Table
from irviewer.translation import tr
from irviewer.views.answer_nuggets import chosen_topics
from irviewer.views.answer_systems import pair_of, systems_of
from irviewer.views.inputs import Inputs
from irviewer.views.result import ViewResult
from irviewer.views.view import ResultView, a_query, a_run, option

KINDS = {
    "reworded": tr("reworded"), "first": tr("only {run}"), "second": tr("only {run}"), "citations": tr("cites others"),
    "same": tr("the same"),
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class AnswerVersions:
    """Two systems with answers, and by topic their sentences side by side; ``every``: also those that are the same."""

    first: Run
    second: Run
    topics: tuple[str, ...]
    rows: tuple[tuple[AlignedSentence, ...], ...]
    every: bool

    @property
    def run(self) -> str:
        """The name of the system beside the baseline."""
        return self.second.name

    def kind(self, topic: str, row: AlignedSentence) -> str:
        """Return what a row is, a key of KINDS: the same text that cites the same, the same that cites others …"""
        if row.first is None:
            return "second"
        if row.second is None:
            return "first"
        if not row.same:
            return "reworded"
        mine, theirs = (cites(run, topic, place) for run, place in ((self.first, row.first), (self.second, row.second)))
        return "same" if set(mine) == set(theirs) else "citations"


def answers_of(run: Run) -> Answers:
    """Return the answers of a system that has some."""
    assert run.answered is not None and run.answered.answers is not None
    return run.answered.answers


def cites(run: Run, topic: str, sentence: int) -> list[str]:
    """Return what a sentence of a topic, by its place from 0, cites."""
    answers = answers_of(run)
    return answers.cited_by(int(answers.offsets[answers.topic_index[topic]]) + sentence)


def compute(
    inputs: Inputs,
    protocol: BoundProtocol,
    *,
    run: Annotated[
        str, a_run(tr("the system beside the baseline; without it the first other one"), title=tr("run"))
    ] = "",
    topic: Annotated[str, a_query(tr("only this topic"), title=tr("topic"))] = "",
    same: Annotated[bool, option(tr("list also the sentences that are the same in both"), title=tr("same"))] = False,
) -> AnswerVersions:
    """Two answers sentence by sentence: the same, reworded, only in one."""
    part = inputs.one
    runs = [each for each in systems_of(part, protocol) if each.answered and each.answered.answers is not None]
    if not runs:
        raise OptionError(tr("This needs answers. Open files of them."))
    baseline, system = pair_of(part, protocol, [each.name for each in runs], run)
    first, second = runs[baseline], runs[system]
    mine, theirs = answers_of(first), answers_of(second)
    topics = [each for each in chosen_topics(part, topic) if each in mine.topic_index or each in theirs.topic_index]
    rows = tuple(aligned_sentences(mine.sentences_of(each), theirs.sentences_of(each)) for each in topics)
    return AnswerVersions(first, second, tuple(topics), rows, same)


def tables(shown: AnswerVersions, protocol: BoundProtocol) -> ViewResult:
    """Return the tables ``topics`` (counts, with a row for all) and ``sentences``."""
    names = shown.first.name, shown.second.name
    # Both names can begin alike, and a narrow column shows their beginning only.
    short = display_names(names)
    words = {**KINDS, "first": KINDS["first"].format(run=short[0]), "second": KINDS["second"].format(run=short[1])}
    of_each = [[shown.kind(topic, row) for row in rows] for topic, rows in zip(shown.topics, shown.rows, strict=True)]
    codes = list(KINDS)
    counts = np.array([[each.count(code) for code in codes] for each in of_each], dtype=np.int64).reshape(-1, 5)
    counts = np.vstack([counts, counts.sum(axis=0)])
    answers = [answers_of(run) for run in (shown.first, shown.second)]
    lengths = [[_words(own, topic) for topic in shown.topics] for own in answers]
    n = len(shown.topics)
    alike = Remark("reworded", tr(
        "A sentence counts as reworded where two share at least {share} of all their words; sentences are compared "
        "in their order.", share=percent(REWORDED),
    ), warns=False)  # fmt: skip
    topics = Table("topics", tr("Sentences by topic: {baseline} and {run}", baseline=names[0], run=names[1]), (
        column.identifier("topic", tr("topic"), [*shown.topics, None], texts=[*shown.topics, tr("all")]),
        *(column.count(code, words[code], counts[:, place]) for place, code in enumerate(codes)),
        column.count("words_first", tr("words of {run}", run=short[0]), [*lengths[0], sum(lengths[0])]),
        column.count("words_second", tr("words of {run}", run=short[1]), [*lengths[1], sum(lengths[1])]),
    ), keys=[*shown.topics, ""], opens="query", status=Status.of(*[Status.PLAIN] * n, Status.TOTAL),
        line_below=n - 1, notes=(alike,))  # fmt: skip
    listed = [
        (topic, row, kind)
        for topic, rows, kinds in zip(shown.topics, shown.rows, of_each, strict=True)
        for row, kind in zip(rows, kinds, strict=True)
        if shown.every or kind != "same"
    ]
    texts = [{topic: own.sentences_of(topic) for topic in shown.topics} for own in answers]
    kinds = [kind for _, _, kind in listed]
    sides = [[(topic, row.first) for topic, row, _ in listed], [(topic, row.second) for topic, row, _ in listed]]
    cited = [[[] if at is None else cites(answer, topic, at) for topic, at in side]
             for answer, side in zip((shown.first, shown.second), sides, strict=True)]  # fmt: skip
    every = sorted({doc_id for side in cited for each in side for doc_id in each})
    start = shared_start(every[0], every[-1]) if every else ""  # said once, in the titles
    sentences = Table("sentences", tr("Sentences") if shown.every else tr("Sentences that differ"), (
        column.identifier("topic", tr("topic"), [topic for topic, _, _ in listed]),
        column.text("kind", tr("which"), kinds, texts=[words[kind] for kind in kinds]),
        *(each for place, (key, name) in enumerate(zip(("first", "second"), names, strict=True)) for each in (
            column.count(f"number_{key}", tr("number in {run}", run=name),
                         [None if at is None else at + 1 for _, at in sides[place]], titles=("#",)),
            column.text(f"text_{key}", name,
                        ["" if at is None else texts[place][topic][at] for topic, at in sides[place]],
                        titles=(short[place],)),
        )),
        *(column.text(f"cites_{key}", tr("cited by {run}", run=name) + (f", {start}…" if start else ""),
                      [", ".join(each) for each in cited[place]],
                      texts=[", ".join(f"…{doc_id[len(start):]}" if start else doc_id for doc_id in each)
                             for each in cited[place]],
                      titles=(tr("{run} cites", run=short[place]) + (f" {start}…" if start else ""),
                              tr("{run} cites", run=short[place])))
          for place, (key, name) in enumerate(zip(("first", "second"), names, strict=True))),
    ), keys=[
        (topic, names[0] if row.first is not None else names[1], -1 - (row.second or 0) if row.first is None
         else -1 - row.first)
        for topic, row, _ in listed
    ], opens="answer")  # fmt: skip
    return ViewResult(shown, (topics, sentences))


def _words(answers: Answers, topic: str) -> int:
    place = answers.topic_index.get(topic)
    return 0 if place is None else int(answers.words[place])


USES = ("rules", "scope", "answers")
VIEW = ResultView("answer-versions", compute, tables, title=tr("Versions of answers"), uses=USES, settles=("run",))
