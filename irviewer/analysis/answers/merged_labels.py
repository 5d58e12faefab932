"""Labels of several assigners merged into those of one: of nuggets, or of the support of citations.

A label is of the text that was judged: an assigner who judged another text of an answer takes no part in its topic,
which is counted. Where assigners differ is a list of conflicts, each with what was decided."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from irviewer.analysis.agreement.merge import Ties, check_rule, said_of_rule
from irviewer.analysis.answers.label_pairs import known_labels
from irviewer.analysis.answers.nugget_matrix import aligned
from irviewer.errors import OptionError
from irviewer.model.answers.answered import Answered
from irviewer.model.answers.assigner_names import Kind, assigner_names, labels_in, system_name
from irviewer.model.answers.assignments import Assignments, spans_of
from irviewer.model.answers.by_hand import ASSIGNMENT_TEXTS, SUPPORT_TEXTS
from irviewer.model.answers.labels import MERGED, UNJUDGED
from irviewer.model.answers.nuggets import Nuggets
from irviewer.model.answers.support import Support
from irviewer.model.answers.systems import run_of_answers
from irviewer.model.arrays import frozen, offsets_of, places_of, strings
from irviewer.model.run import Run
from irviewer.translation import tr

Rule = Literal["majority", "median", "fill"]
RULES: Mapping[Rule, str] = {
    "majority": tr("The label that most assigners give."),
    "median": tr("The middle label; of an even number the lower of the two in the middle."),
    "fill": tr("The first assigner’s label; where it has none, that of the next who has one."),
}
TIES: Mapping[Ties, str] = {
    "lower": tr("If several labels have the same number of assigners, the lowest counts."),
    "higher": tr("If several labels have the same number of assigners, the highest counts."),
    "first": tr("If several labels have the same number of assigners, that of the assigner named first counts."),
    "unjudged": tr("If several labels have the same number of assigners, there is no label."),
}


@dataclass(frozen=True)
class LabelConflict:
    """Labels of one nugget or citation that differ: by assigner, and what was decided, None for no label.

    ``run`` is the first run of the system, ``place`` that of the nugget in its topic, from 0, or -1 less that of the
    sentence from 0."""

    topic: str
    system: str
    text: str
    labels: Mapping[str, int]
    decided: int | None
    run: str
    place: int


@dataclass(frozen=True, eq=False)
class MergedLabels:
    """Labels of several assigners as those of one.

    runs        one a system that was labelled, with the merged labels
    assigners   in the order of their files
    labels      the number of merged labels; ``single`` of them are of one assigner alone, ``tied`` had no majority
    conflicts   the items on which assigners differ
    other_text  by assigner, the labels that take no part: of another text of the answer, or of a nugget that the
                set lacks; ``odd`` the labels that no rule knows, which count as not said
    """

    kind: Kind
    rule: Rule
    ties: Ties
    runs: tuple[Run, ...]
    assigners: tuple[str, ...]
    labels: int
    single: int
    tied: int
    conflicts: tuple[LabelConflict, ...]
    other_text: Mapping[str, int]
    odd: Mapping[str, int]

    @property
    def sentence(self) -> str:
        """The sentence that says how it was made."""
        return said_of_rule(self.rule, self.ties, RULES, TIES)


def merged_labels(
    runs: Sequence[Run], rule: Rule = "majority", *, kind: Kind = "nuggets", ties: Ties = "lower",
    nuggets: Nuggets | None = None, assigners: Sequence[str] = (),
) -> MergedLabels:  # fmt: skip
    """Merge the labels of the assigners of runs, one run a file and system, in the order of the files.

    nuggets    the set in force; None: of each system the largest that an assigner was given
    assigners  who takes part, in the order in which they count; () for all whose labels were not merged themselves

    Raises OptionError for fewer than two assigners, for one that there is not, or a rule that there is not."""
    check_rule(rule, ties, RULES)
    names = assigner_names(runs, kind)
    known = tuple(dict.fromkeys(filter(None, names)))
    for name in assigners:
        if name not in known:
            raise OptionError(tr("There is no assigner {name}. The assigners are: {names}.", name=name,
                                 names=", ".join(known)))  # fmt: skip
    assigners = tuple(dict.fromkeys(assigners)) or tuple(name for name in known if not name.startswith(MERGED))
    own = sorted(
        ((name, run) for name, run in zip(names, runs, strict=True) if name in assigners),
        key=lambda each: assigners.index(each[0]),
    )
    if len(assigners) < 2:
        raise OptionError(tr("Merging needs labels of two assigners or more."))
    first: dict[str, str] = {}
    for run in runs:
        if run.answered is not None:
            first.setdefault(system_name(run), run.name)
    merge = _Merge(rule, ties, first)
    of_system: dict[str, list[tuple[str, Run]]] = {}
    for name, run in own:
        of_system.setdefault(system_name(run), []).append((name, run))
    results = []
    for system, labelled in of_system.items():
        parts = [(name, labels_in(run.answered, kind)) for name, run in labelled if run.answered is not None]
        if kind == "nuggets":
            assigned = [(name, part) for name, part in parts if isinstance(part, Assignments)]
            answered = Answered(system, assignments=_assignments(system, assigned, nuggets, merge))
        else:
            judged = [(name, part) for name, part in parts if isinstance(part, Support)]
            answered = Answered(system, support=_support(system, judged, merge))
        if answered.topics:
            results.append(run_of_answers(answered, name=system))
    return MergedLabels(
        kind, rule, ties, tuple(results), assigners, merge.labels, merge.single, merge.tied, tuple(merge.conflicts),
        dict(merge.other_text), dict(merge.odd),
    )  # fmt: skip


class _Merge:
    """Decides items one after the other, and counts."""

    def __init__(self, rule: Rule, ties: Ties, runs: Mapping[str, str]) -> None:
        self._rule, self._ties, self._runs = rule, ties, runs
        self.labels = self.single = self.tied = 0
        self.conflicts: list[LabelConflict] = []
        self.other_text: Counter[str] = Counter()
        self.odd: Counter[str] = Counter()

    def decided(self, topic: str, system: str, text: str, given: Mapping[str, int], place: int) -> int:
        """Return the label of an item by those of its assigners, in their order; UNJUDGED for none."""
        if not given:
            return UNJUDGED
        label, is_tied = self._of(list(given.values()))
        self.tied += is_tied
        self.labels += label != UNJUDGED
        self.single += len(given) == 1
        if len(set(given.values())) > 1:
            decided = None if label == UNJUDGED else label
            self.conflicts.append(LabelConflict(
                topic, system, text, dict(given), decided, self._runs[system], place
            ))  # fmt: skip
        return label

    def _of(self, labels: list[int]) -> tuple[int, bool]:
        """Return the label, and whether several were given equally often. Labels are ordered by their codes."""
        if self._rule == "fill":
            return labels[0], False
        if self._rule == "median":
            return sorted(labels)[(len(labels) - 1) // 2], False
        counts = Counter(labels)
        most = max(counts.values())
        often = [label for label in labels if counts[label] == most]
        if len(set(often)) == 1:
            return often[0], False
        choices = {"lower": min(often), "higher": max(often), "first": often[0], "unjudged": UNJUDGED}
        return choices[self._ties], True


def _assignments(
    system: str, parts: Sequence[tuple[str, Assignments]], given: Nuggets | None, merge: _Merge
) -> Assignments | None:  # fmt: skip
    nuggets = given or max((part.nuggets for _, part in parts), key=lambda each: len(each.texts))
    by_assigner = []
    for name, part in parts:
        labels = known_labels(aligned(nuggets, part))
        by_assigner.append((name, part, labels))
        merge.other_text[name] += len(part.labels) - int(np.count_nonzero(labels != UNJUDGED))
        merge.odd[name] += sum(part.odd_assignment.values())
    texts = nuggets.texts.to_pylist()
    rows, decided, topics, counts, answers, spans = [], [], [], [], [], []
    for topic in nuggets.topics:
        own = nuggets.rows(topic).tolist()
        judged = [(name, part, labels) for name, part, labels in by_assigner if topic in part.nuggets.topic_index]
        text = next((answer for _, part, _ in judged if (answer := _answer(part, topic))), "")
        taken = [each for each in judged if not text or _answer(each[1], topic).split() in ([], text.split())]
        for name, _, labels in judged:
            if name not in [other for other, _, _ in taken]:
                merge.other_text[name] += int(np.count_nonzero(labels[own] != UNJUDGED))
        kept = [
            (row, label) for place, row in enumerate(own)
            if (label := merge.decided(topic, system, texts[row], {
                name: int(labels[row]) for name, _, labels in taken if labels[row] != UNJUDGED
            }, place)) != UNJUDGED
        ]  # fmt: skip
        if kept:
            topics.append(topic)
            counts.append(len(kept))
            answers.append(text)
            rows += [row for row, _ in kept]
            decided += [label for _, label in kept]
            spans += [
                _span(
                    topic,
                    row - own[0],
                    texts[row],
                    [part for _, part, labels in taken if labels[row] == label and _answer(part, topic) == text],
                )
                for row, label in kept
            ]
    if not rows:
        return None
    places = np.array(rows, dtype=np.int64)
    question = dict(zip(nuggets.topics, nuggets.questions, strict=True))
    subset = Nuggets(
        nuggets.name, tuple(topics), tuple(question[topic] for topic in topics), frozen(offsets_of(np.array(counts))),
        nuggets.texts.take(places_of(places)), frozen(nuggets.importance[places]),
        nuggets.importance_texts.take(places_of(places)),
        votes=None if nuggets.votes is None else frozen(nuggets.votes[places]),
    )  # fmt: skip
    return Assignments(
        subset, frozen(np.array(decided, dtype=np.int8)), strings([ASSIGNMENT_TEXTS[label] for label in decided]),
        strings([""] * len(decided)), tuple(answers), frozen(np.full(len(topics), -1, dtype=np.int64)),
        spans=spans_of(spans),
    )  # fmt: skip


def _span(topic: str, place: int, text: str, agreeing: Sequence[Assignments]) -> tuple[int, ...]:
    """Return where the first of those who gave the merged label to a nugget, and selected words for it, found it."""
    for part in agreeing:
        if part.spans is None:
            continue
        own = part.nuggets.rows(topic).tolist()
        alike = [at for at in own if part.nuggets.texts[at].as_py() == text]
        at = own[place] if place < len(own) and own[place] in alike else next(iter(alike), None)
        if at is not None and part.span(at):
            return part.span(at)
    return ()


def _answer(part: Assignments, topic: str) -> str:
    return part.answer_texts[part.nuggets.topic_index[topic]]


Citation = tuple[int, str, str, int]
"""The sentence's place and text, the document, and which of the sentence's citations of it."""


def _support(system: str, parts: Sequence[tuple[str, Support]], merge: _Merge) -> Support | None:
    """Return the merged labels of citations, each topic with the sentences of the first judge who has it."""
    for name, part in parts:
        merge.odd[name] += part.odd_count
    topics = dict.fromkeys(topic for _, part in parts for topic in part.topics)
    sentence_counts, sentences, cited_counts, cited, places, decided = [], [], [], [], [], []
    for topic in topics:
        judges = [(name, part) for name, part in parts if topic in part.topic_index]
        labels = {name: dict(_citations(part, topic)) for name, part in judges}
        frame = judges[0][1]
        known = labels[judges[0][0]].keys()
        for name, given in labels.items():
            merge.other_text[name] += sum(label != UNJUDGED for key, label in given.items() if key not in known)
        decided += [
            merge.decided(topic, system, f"{key[0] + 1}. {key[1]} → {key[2]}", {
                name: given[key] for name, given in labels.items() if given.get(key, UNJUDGED) != UNJUDGED
            }, -1 - key[0])
            for key in known
        ]  # fmt: skip
        first, last = frame.offsets[frame.topic_index[topic] :][:2].tolist()
        start, stop = int(frame.citation_offsets[first]), int(frame.citation_offsets[last])
        sentence_counts.append(last - first)
        sentences += frame.texts.slice(first, last - first).to_pylist()
        cited_counts += np.diff(frame.citation_offsets[first : last + 1]).tolist()
        cited += frame.cited.slice(start, stop - start).to_pylist()
        places += frame.places[start:stop].tolist()
    if all(label == UNJUDGED for label in decided):
        return None
    return Support(
        tuple(topics), frozen(offsets_of(np.array(sentence_counts, dtype=np.int64))), strings(sentences),
        frozen(offsets_of(np.array(cited_counts, dtype=np.int64))), strings(cited),
        frozen(np.array(places, dtype=np.int64)), frozen(np.array(decided, dtype=np.int8)),
        strings([SUPPORT_TEXTS[label] for label in decided]),
    )  # fmt: skip


def _citations(part: Support, topic: str) -> Iterator[tuple[Citation, int]]:
    first, last = part.offsets[part.topic_index[topic] :][:2].tolist()
    cited, bounds = part.cited.to_pylist(), part.citation_offsets.tolist()
    labels = known_labels(part.labels).tolist()
    for sentence, text in enumerate(part.texts.slice(first, last - first).to_pylist()):
        seen: Counter[str] = Counter()
        for row in range(bounds[first + sentence], bounds[first + sentence + 1]):
            yield (sentence, " ".join(text.split()), cited[row], seen[cited[row]]), labels[row]
            seen[cited[row]] += 1
