"""Sentences at fault: without a citation, citing what is not there, or cited without support."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from irviewer.errors import OptionError
from irviewer.model.answers.labels import FULL, PARTIAL
from irviewer.model.arrays import Ints
from irviewer.model.run import Run
from irviewer.translation import tr

Fault = Literal["uncited", "nowhere", "not_supported"]
FAULTS: tuple[Fault, ...] = get_args(Fault)


@dataclass(frozen=True, eq=False)
class SentenceFaults:
    """The sentences of R systems and what is wrong with them.

    runs, sentences, cited, judged   by system: names, and int64[R] how many there are, cite, and are judged
    run, topic, number, text, fault, cites   one entry each fault: the system, the topic, the sentence from 1 and its
                                             text, a place in FAULTS, and what is cited
    unmarked                         by system: how many answers have documents, of which no sentence is known to cite
                                     one
    """

    runs: tuple[str, ...]
    sentences: Ints
    cited: Ints
    judged: Ints
    run: Ints
    topic: tuple[str, ...]
    number: Ints
    text: tuple[str, ...]
    fault: Ints
    cites: tuple[str, ...]
    unmarked: tuple[int, ...]

    def count(self, fault: Fault) -> Ints:
        """Return how many sentences of each system have a fault, int64[R]."""
        return np.bincount(self.run[self.fault == FAULTS.index(fault)], minlength=len(self.runs)).astype(np.int64)


def sentence_faults(runs: Sequence[Run], topics: Sequence[str]) -> SentenceFaults:
    """Return the sentences at fault in the answers to some topics: of the answers, else of the text whose citations
    were judged. A sentence that cites is at fault where all of its judged citations are without support. Raises
    OptionError where no run has answers or judged citations."""
    wanted = frozenset(topics)
    rows: list[tuple[int, str, int, str, int, str]] = []
    names: list[str] = []
    totals: list[int] = []
    cited_totals: list[int] = []
    judged_totals: list[int] = []
    unmarked: list[int] = []
    for run in runs:
        answered = run.answered
        if answered is None or (answered.answers is None and answered.support is None):
            continue
        place = len(names)
        names.append(run.name)
        total = cited = judged = 0
        if answered.answers is not None:
            answers = answered.answers
            texts, ids, leads = answers.texts.to_pylist(), answers.cited.to_pylist(), answers.leads.tolist()
            bounds, of_topic = answers.citation_offsets.tolist(), answers.offsets.tolist()
            for number, topic in enumerate(answers.topics):
                if topic not in wanted:
                    continue
                for sentence in range(of_topic[number], of_topic[number + 1]):
                    total += 1
                    start, stop = bounds[sentence], bounds[sentence + 1]
                    cited += stop > start
                    order = sentence - of_topic[number] + 1
                    if start == stop:
                        rows.append((place, topic, order, texts[sentence], 0, ""))
                    elif not all(leads[start:stop]):
                        rows.append((place, topic, order, texts[sentence], 1, ", ".join(ids[start:stop])))
        if answered.support is not None:
            support = answered.support
            texts, ids, known = support.texts.to_pylist(), support.cited.to_pylist(), support.judged.tolist()
            backs = ((support.labels == FULL) | (support.labels == PARTIAL)).tolist()
            bounds, of_topic = support.citation_offsets.tolist(), support.offsets.tolist()
            for number, topic in enumerate(support.topics):
                if topic not in wanted:
                    continue
                for sentence in range(of_topic[number], of_topic[number + 1]):
                    start, stop = bounds[sentence], bounds[sentence + 1]
                    order = sentence - of_topic[number] + 1
                    if answered.answers is None:
                        total += 1
                        cited += stop > start
                        if start == stop:
                            rows.append((place, topic, order, texts[sentence], 0, ""))
                    if any(known[start:stop]):
                        judged += 1
                        if not any(backs[start:stop]):
                            rows.append((place, topic, order, texts[sentence], 2, ", ".join(ids[start:stop])))
        totals.append(total)
        cited_totals.append(cited)
        judged_totals.append(judged)
        unmarked.append(0 if answered.answers is None else len(wanted.intersection(answered.answers.unmarked)))
    if not names:
        raise OptionError(tr("This needs answers. Open files of them."))
    rows.sort(key=lambda row: row[:3])
    numbers = [np.array([row[column] for row in rows], dtype=np.int64) for column in (0, 2, 4)]
    return SentenceFaults(
        tuple(names), np.array(totals, dtype=np.int64), np.array(cited_totals, dtype=np.int64),
        np.array(judged_totals, dtype=np.int64), numbers[0], tuple(row[1] for row in rows), numbers[1],
        tuple(row[3] for row in rows), numbers[2], tuple(row[5] for row in rows),
        tuple(unmarked),
    )  # fmt: skip
