"""What a user should know of the scores of answers: labels that no rule knows, texts that differ from those that were
judged, nuggets that an assigner left out, measures of documents where only nuggets are known."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from itertools import product

import numpy as np

from irviewer.errors import MeasureError, OptionError, name_some, short_name
from irviewer.measures.answered import NEEDED, parts_of, reads_answers, reads_grades
from irviewer.measures.base import Measure
from irviewer.measures.families.nuggets import vote_weights
from irviewer.measures.parser import parse_measure
from irviewer.measures.tool_names import usual_name
from irviewer.model.answers.answers import Answers
from irviewer.model.answers.assigner_names import Kind, assigner_names, labels_in, title_of
from irviewer.model.answers.assignments import Assignments
from irviewer.model.answers.labels import ODD, VITAL
from irviewer.model.answers.nuggets import Nuggets
from irviewer.model.answers.support import Support
from irviewer.model.answers.twice import What, twice_text
from irviewer.model.arrays import Bools
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.translation import tr, trn

OF_NUGGETS = frozenset({"NuggetR", "NuggetF", "NuggetPyramid", "WeightedScore"})
OF_CITATIONS = frozenset({"Uncited", "CitationsPerSentence", "CitedRel", "Used"})
OF_SUPPORT = frozenset({"SupportP", "SupportR", "CitationP", "CitationR"})


class AnswerCautions:
    """Gathers the sentences about the runs of an evaluation that answer, and about those that lack what its measures
    read."""

    def __init__(
        self, measures: Sequence[Measure], qrels: Qrels, compared: Sequence[Measure] | None = None
    ) -> None:  # fmt: skip
        parts = [part for measure in measures for part in parts_of(measure)]
        names = {part.name for part in parts}
        self._nuggets, self._support = bool(names & OF_NUGGETS), bool(names & OF_SUPPORT)
        self._citations = bool(names & OF_CITATIONS)
        of_vital = [part for part in parts if part.name == "NuggetF" or part.parameter("weight") == "vital"]
        self._vital = bool(of_vital)
        self._unweighted = "NuggetPyramid" in names
        self._left_out = {
            what: sorted({part.leaves_out for part in those})
            for what, those in (
                ("any", [part for part in parts if part.name in OF_NUGGETS]), ("vital", of_vital),
                ("votes", [part for part in parts if part.name == "NuggetPyramid"]),
                ("links", [part for part in parts if part.name == "ContextR"]),
                ("cited", [part for part in parts if part.name == "CitedRel"]),
                ("support", [part for part in parts if part.name in OF_SUPPORT]),
            )
        }  # fmt: skip
        self._qrels = qrels
        self._compared = measures if compared is None else compared
        self._runs = 0
        self.lacking: dict[str, dict[str, str]] = {}
        self._ungraded = [usual_name(measure) for measure in measures if is_ungraded(measure, qrels)]
        self._odd: dict[str, list[int]] = {}
        self._no_vital: dict[str, list[str]] = {}
        self._empty: dict[str, list[str]] = {}
        self._labelled: list[str] = []
        self._other: dict[str, int] = {}
        self._lacking: dict[str, int] = {}
        self._unmarked: dict[str, int] = {}
        self._other_support: dict[str, int] = {}
        self._citing_nothing: dict[str, list[str]] = {}
        self._not_judged: dict[str, list[str]] = {}
        self._no_votes: dict[str, None] = {}
        self._unlisted: dict[str, None] = {}
        self._unasked: dict[str, None] = {}
        self._twice: list[str] = []
        self._by_kind: dict[Kind, list[Run]] = {
            **({"nuggets": []} if self._nuggets else {}), **({"support": []} if self._support else {}),
        }  # fmt: skip
        self._lists = any(part.name not in NEEDED and not part.counts for part in parts)
        self._without_lists: list[str] = []
        self._references: list[str] = []

    def add(self, run: Run) -> None:
        """Take a run into account."""
        self._runs += 1
        for measure, gaps in lacking_in(self._compared, [(run.name, run)], self._qrels).items():
            self.lacking.setdefault(measure, {}).update(gaps)
        answered = run.answered
        if answered is None or run.stored is not None:
            return
        for kind, labelled in self._by_kind.items():
            if labels_in(answered, kind) is not None:
                labelled.append(run)
        if self._lists and not judges_nothing(self._qrels) and answered.answers is None and not len(run):
            self._without_lists.append(run.name)
        if self._lists and not judges_nothing(self._qrels) and answered.answers is not None and not answered.with_list:
            self._references.append(run.name)
        if answered.answers is not None:
            self._add_twice(run, "answers", answered.answers.twice, answered.answers.kept)
            if self._citations and answered.answers.unmarked:
                self._unmarked[run.name] = len(answered.answers.unmarked)
            if self._left_out["cited"]:
                unmarked = frozenset(answered.answers.unmarked)
                cited = [topic not in unmarked for topic in answered.answers.topics]
                self._add_without(self._citing_nothing, run, (answered.answers.cited_counts == 0) & cited)
            if self._support and answered.support is not None:
                number = dict(zip(answered.support.topics, answered.support.judged_counts.tolist(), strict=True))
                none = [not number.get(topic) for topic in answered.answers.topics]
                self._add_without(self._not_judged, run, np.array(none, dtype=np.bool_))
        if self._support and (other := answered.other_support):
            self._other_support[run.name] = other
        if self._support and answered.support is not None:
            self._add_twice(run, "answers", answered.support.twice, answered.support.kept)
            self._add_twice(run, "labels", answered.support.relabelled, answered.support.kept)
        if self._nuggets and answered.assignments is not None:
            assignments = answered.assignments
            nuggets = assignments.nuggets
            self._add_twice(run, "nuggets", nuggets.twice, nuggets.kept)
            self._add_twice(run, "labels", assignments.relabelled, nuggets.kept)
            importance = int(np.count_nonzero(nuggets.importance == ODD))
            label = int(np.count_nonzero(assignments.labels == ODD))
            if importance or label:
                self._odd[run.name] = [importance, label]
            self._labelled.append(run.name)
            self._add_topics(run.name, nuggets)
            if self._qrels.nuggets is not None:
                self._add_topics(run.name, self._qrels.nuggets, but=nuggets.topic_index)
            if self._unweighted:
                votes = np.isfinite(vote_weights(nuggets, self._qrels.nuggets))
                with_votes = np.bincount(nuggets.topic_of_each[votes], minlength=len(nuggets.topics))
                self._no_votes |= dict.fromkeys(
                    topic for topic, count in zip(nuggets.topics, with_votes.tolist(), strict=True)
                    if not count and topic in self._qrels.query_index
                )  # fmt: skip
            if self._qrels.nuggets is not None:
                known_topics = self._qrels.nuggets.topic_index
                self._unlisted |= dict.fromkeys(topic for topic in nuggets.topics if topic not in known_topics)
            if other := answered.other_texts:
                self._other[run.name] = other
            if self._qrels.nuggets is not None and (lacking := _lacking(nuggets, self._qrels.nuggets)):
                self._lacking[run.name] = lacking
        if self._nuggets and answered.answers is not None and self._qrels.nuggets is not None:
            known_topics = self._qrels.nuggets.topic_index
            self._unasked |= dict.fromkeys(topic for topic in answered.answers.topics if topic not in known_topics)
        if self._support and answered.support is not None and answered.support.odd_count:
            self._odd.setdefault(run.name, [0, 0])[1] += answered.support.odd_count

    def _add_twice(self, run: Run, what: What, topics: Sequence[str], kept: str) -> None:
        if topics:
            self._twice.append(f"{short_name(run.name)}: {twice_text(what, topics, kept)}")

    def _add_without(self, known: dict[str, list[str]], run: Run, which: Bools) -> None:
        """Take some of a run's answers into account of which a measure has nothing to divide by."""
        assert run.answered is not None and run.answered.answers is not None
        own = [run.answered.answers.topics[place] for place in np.flatnonzero(which).tolist()]
        if topics := [topic for topic in own if topic in self._qrels.query_index]:
            known[run.name] = topics

    def _add_topics(self, run: str, nuggets: Nuggets, but: Container[str] = ()) -> None:
        """Take the topics into account that are evaluated and have no nuggets, or no vital ones, ``but`` some. Scores
        are over the nuggets that the assigner was given, so these decide where there are any."""
        evaluated, counts = self._qrels.query_index, np.diff(nuggets.offsets)
        for place in np.flatnonzero(nuggets.vital_counts == 0).tolist():
            topic = nuggets.topics[place]
            if topic not in evaluated or topic in but:
                continue
            if not counts[place]:
                self._empty.setdefault(topic, []).append(run)
            elif self._vital:
                self._no_vital.setdefault(topic, []).append(run)

    def _by_runs(self, topics: Mapping[str, list[str]], said: Callable[[int, str], str]) -> list[str]:
        """Return what is said of topics; in a sentence for each run where it does not hold for all labelled ones."""
        every = [topic for topic, runs in topics.items() if len(runs) == len(self._labelled)]
        sentences = [said(len(every), name_some(every, 3))] if every else []
        of_run: dict[str, dict[str, None]] = {}
        for topic, runs in topics.items():
            if len(runs) < len(self._labelled):
                for run in runs:
                    of_run.setdefault(run, {})[topic] = None
        return sentences + [
            tr("run {run}: {text}", run=short_name(run), text=said(len(own), name_some(own, 3)))
            for run in self._labelled if (own := tuple(of_run.get(run, ())))
        ]  # fmt: skip

    def sentences(self) -> list[str]:
        """Return what was found."""
        said = left_out_texts(self.lacking, self._runs)
        if self._ungraded:
            said.append(tr(
                "{qrels} has nuggets and judges no document, so these measures mean nothing: {measures}; V_strict, V, "
                "W and A measure what answers say", qrels=self._qrels.name, measures=name_some(self._ungraded, 3),
            ))  # fmt: skip
        if self._without_lists:
            said.append(trn(
                "{n:,} run has labels of answers and no documents: measures of lists are 0 for it ({runs})",
                "{n:,} runs have labels of answers and no documents: measures of lists are 0 for them ({runs})",
                len(self._without_lists), runs=name_some(self._without_lists, 3),
            ))  # fmt: skip
        if self._references:
            said.append(trn(
                "{n:,} run answers: measures of lists are of the references of its answers ({runs})",
                "{n:,} runs answer: measures of lists are of the references of their answers ({runs})",
                len(self._references), runs=name_some(self._references, 3),
            ))  # fmt: skip
        for left_out in self._left_out["votes"] if self._no_votes else ():
            n, topics = len(self._no_votes), name_some(list(self._no_votes), 3)
            said.append(trn(
                "{n:,} topic has no votes for its nuggets, so NuggetPyramid leaves it out: {topics}",
                "{n:,} topics have no votes for their nuggets, so NuggetPyramid leaves them out: {topics}", n,
                topics=topics,
            ) if left_out else trn(
                "{n:,} topic has no votes for its nuggets, so NuggetPyramid is 0 there: {topics}",
                "{n:,} topics have no votes for their nuggets, so NuggetPyramid is 0 there: {topics}", n,
                topics=topics,
            ))  # fmt: skip
        unlinked = _without_links(self._qrels) if self._left_out["links"] else []
        for left_out in self._left_out["links"] if unlinked else ():
            n, topics = len(unlinked), name_some(unlinked, 3)
            said.append(trn(
                "{n:,} topic has no vital nugget that a document is known to hold, so ContextR leaves it out: {topics}",
                "{n:,} topics have no vital nugget that a document is known to hold, so ContextR leaves them out: "
                "{topics}", n, topics=topics,
            ) if left_out else trn(
                "{n:,} topic has no vital nugget that a document is known to hold, so ContextR is 0 there: {topics}",
                "{n:,} topics have no vital nugget that a document is known to hold, so ContextR is 0 there: {topics}",
                n, topics=topics,
            ))  # fmt: skip
        for left_out in self._left_out["any"]:
            said += self._by_runs(self._empty, _NO_NUGGETS[left_out])
        if self._unlisted:
            said.append(trn(
                "{n:,} topic has labels, and the nuggets lack it: it is not evaluated ({topics})",
                "{n:,} topics have labels, and the nuggets lack them: they are not evaluated ({topics})",
                len(self._unlisted), topics=name_some(list(self._unlisted), 3),
            ))  # fmt: skip
        unasked = [topic for topic in self._unasked if topic not in self._unlisted]
        if unasked:
            said.append(trn(
                "{n:,} topic is answered, and the nuggets lack it: it is not evaluated ({topics})",
                "{n:,} topics are answered, and the nuggets lack them: they are not evaluated ({topics})",
                len(unasked), topics=name_some(unasked, 3),
            ))  # fmt: skip
        if self._odd:
            importance, labels = (sum(counts[place] for counts in self._odd.values()) for place in (0, 1))
            of_importance, of_labels = (
                name_some([run for run, counts in self._odd.items() if counts[place]], 3) for place in (0, 1)
            )
            if importance:
                said.append(trn(
                    "{n:,} nugget has an importance that no rule knows (it counts in “all” alone): {runs}",
                    "{n:,} nuggets have an importance that no rule knows (they count in “all” alone): {runs}",
                    importance, runs=of_importance,
                ))  # fmt: skip
            if labels:
                said.append(trn(
                    "{n:,} label is none that a rule knows (it counts as not supported): {runs}",
                    "{n:,} labels are none that a rule knows (they count as not supported): {runs}",
                    labels, runs=of_labels,
                ))  # fmt: skip
        for left_out in self._left_out["vital"]:
            said += self._by_runs(self._no_vital, _NO_VITAL[left_out])
        known = self._qrels.nuggets
        if self._nuggets and known is not None and known.twice:
            said.append(f"{self._qrels.name}: {twice_text('nuggets', known.twice, known.kept)}")
        said += dict.fromkeys(self._twice)
        for run, count in self._other.items():
            said.append(trn(
                "run {run}: the answer to {n:,} topic is not the text that was judged; the labels are those of that "
                "text",
                "run {run}: the answers to {n:,} topics are not the texts that were judged; the labels are those of "
                "these texts", count, run=short_name(run),
            ))  # fmt: skip
        for run, count in self._lacking.items():
            said.append(trn(
                "run {run}: the assigner did not return {n:,} nugget; scores are over those that were returned "
                "(NuggetR(unreturned=not_said) counts it as not said)",
                "run {run}: the assigner did not return {n:,} nuggets; scores are over those that were returned "
                "(NuggetR(unreturned=not_said) counts them as not said)",
                count, run=short_name(run),
            ))  # fmt: skip
        said += [text for kind, runs in self._by_kind.items() if (text := assigners_text(runs, kind))]
        said += [unmarked_text(run, count) for run, count in self._unmarked.items()]
        for (run, own), left_out in product(self._citing_nothing.items(), self._left_out["cited"]):
            said.append(_CITING_NOTHING[left_out](run, own))
        for (run, own), left_out in product(self._not_judged.items(), self._left_out["support"]):
            said.append(_NOT_JUDGED[left_out](run, own))
        for run, count in self._other_support.items():
            said.append(trn(
                "run {run}: the answer to {n:,} topic has other sentences or citations than those that were judged; "
                "scores of support are of what was judged",
                "run {run}: the answers to {n:,} topics have other sentences or citations than those that were judged; "
                "scores of support are of what was judged", count, run=short_name(run),
            ))  # fmt: skip
        return said


_NO_NUGGETS: Mapping[bool, Callable[[int, str], str]] = {
    True: lambda n, topics: trn(
        "{n:,} topic has no nuggets, so it has no score and is left out: {topics}",
        "{n:,} topics have no nuggets, so they have no scores and are left out: {topics}", n, topics=topics),
    False: lambda n, topics: trn(
        "{n:,} topic has no nuggets, so its score is 0: {topics}",
        "{n:,} topics have no nuggets, so their scores are 0: {topics}", n, topics=topics),
}  # fmt: skip
_NO_VITAL: Mapping[bool, Callable[[int, str], str]] = {
    True: lambda n, topics: trn(
        "{n:,} topic has no vital nugget, so it has no score over vital ones and is left out: {topics}",
        "{n:,} topics have no vital nugget, so they have no scores over vital ones and are left out: {topics}", n,
        topics=topics),
    False: lambda n, topics: trn(
        "{n:,} topic has no vital nugget, so its score over vital ones is 0: {topics}",
        "{n:,} topics have no vital nugget, so their scores over vital ones are 0: {topics}", n, topics=topics),
}  # fmt: skip
_CITING_NOTHING: Mapping[bool, Callable[[str, Sequence[str]], str]] = {
    True: lambda run, own: trn(
        "run {run}: {n:,} answer cites nothing, so CitedRel(missing=undefined) leaves it out: {topics}",
        "run {run}: {n:,} answers cite nothing, so CitedRel(missing=undefined) leaves them out: {topics}", len(own),
        run=short_name(run), topics=name_some(own, 3)),
    False: lambda run, own: trn(
        "run {run}: {n:,} answer cites nothing, so CitedRel is 0 there; CitedRel(missing=undefined) leaves it out: "
        "{topics}",
        "run {run}: {n:,} answers cite nothing, so CitedRel is 0 there; CitedRel(missing=undefined) leaves them out: "
        "{topics}", len(own), run=short_name(run), topics=name_some(own, 3)),
}  # fmt: skip
_NOT_JUDGED: Mapping[bool, Callable[[str, Sequence[str]], str]] = {
    True: lambda run, own: trn(
        "run {run}: no citation of {n:,} answer is judged; what has nothing to divide by is left out: {topics}",
        "run {run}: no citation of {n:,} answers is judged; what has nothing to divide by is left out: {topics}",
        len(own), run=short_name(run), topics=name_some(own, 3)),
    False: lambda run, own: trn(
        "run {run}: no citation of {n:,} answer is judged, so its support is 0; missing=undefined leaves out what has "
        "nothing to divide by: {topics}",
        "run {run}: no citation of {n:,} answers is judged, so their support is 0; missing=undefined leaves out what "
        "has nothing to divide by: {topics}", len(own), run=short_name(run), topics=name_some(own, 3)),
}  # fmt: skip
"""Whether such topics are left out -> what is said of them."""


def assigners_text(runs: Sequence[Run], kind: Kind = "nuggets") -> str:
    """Return that labels of runs are by different assigners, so that a difference of two may be one of these; "" where
    all are by one."""
    of_each: dict[str, list[str]] = {}
    for run, name in zip(runs, assigner_names(runs, kind), strict=True):
        if name:
            of_each.setdefault(title_of(name), []).append(short_name(run.name))
    if len(of_each) < 2:
        return ""
    named = name_some([f"{name} ({name_some(own, 2)})" for name, own in of_each.items()], 3)
    if kind == "support":
        return tr("citations are judged by {names}: a difference of two runs may be one of their judges", names=named)
    return tr("nuggets are assigned by {names}: a difference of two runs may be one of their assigners", names=named)


def unmarked_text(run: str, count: int) -> str:
    """Return what is said of a run whose answers have documents and no marks of citations."""
    return trn(
        "run {run}: {n:,} answer has documents and no marks such as [1]; which sentences cite them is not known, and "
        "all count as without a citation",
        "run {run}: {n:,} answers have documents and no marks such as [1]; which sentences cite them is not known, and "
        "all count as without a citation", count, run=short_name(run),
    )  # fmt: skip


def answer_cautions(
    measures: Sequence[Measure], qrels: Qrels, runs: Iterable[Run], compared: Sequence[Measure] | None = None
) -> list[str]:  # fmt: skip
    """Return what a user should know of the scores of answers by measures; of stored values it is stored with them.
    ``compared`` are those by which runs are compared, of which it is said what runs lack; None: all."""
    cautions = AnswerCautions(measures, qrels, compared)
    for run in runs:
        cautions.add(run)
    return cautions.sentences()


def _without_links(qrels: Qrels) -> list[str]:
    """Return the topics of which no vital nugget has a link, where some topic has links."""
    nuggets = qrels.nuggets
    if nuggets is None or nuggets.links is None:
        return []
    linked = nuggets.links.nugget
    vital = linked[nuggets.importance[linked] == VITAL]
    count = np.bincount(nuggets.topic_of_each[vital], minlength=len(nuggets.topics))
    counts = dict(zip(nuggets.topics, count.tolist(), strict=True))
    return [topic for topic in qrels.query_ids if not counts.get(topic)]


def _lacking(returned: Nuggets, wanted: Nuggets) -> int:
    """Return how many nuggets of a set an assigner left out, in the topics that it has."""
    theirs, ours = np.diff(wanted.offsets).tolist(), np.diff(returned.offsets).tolist()
    return sum(
        max(0, int(theirs[place]) - int(ours[returned.topic_index[topic]]))
        for place, topic in enumerate(wanted.topics)
        if topic in returned.topic_index
    )


def refuse_lacking(measures: Iterable[Measure], run: Run, qrels: Qrels) -> None:
    """Raise MeasureError for a measure that needs what a run, or the nuggets in force, lack: its values would be
    undefined."""
    for measure in measures:
        why = why_undefined(measure, run, qrels, run.name)
        if why:
            raise MeasureError(why)


Lacking = Mapping[str, Mapping[str, str]]
"""Measure -> run without values of it -> what it, or the nuggets in force, lack."""


def lacking_in(measures: Iterable[Measure], runs: Iterable[tuple[str, Run]], qrels: Qrels) -> Lacking:
    """Return which runs, by the names given, have no values of measures: they are left out of what is said by these."""
    named = list(runs)
    by_measure = {
        measure.text: {
            name: str(gap[1])
            for name, run in named if (gap := _gap(measure, run, qrels)) is not None
        } for measure in measures
    }  # fmt: skip
    return {measure: gaps for measure, gaps in by_measure.items() if gaps}


def refuse_lacking_all(lacking: Lacking, runs: Sequence[str]) -> None:
    """Raise MeasureError for a measure that needs what all of some runs lack: nothing is left of it."""
    for measure, gaps in lacking.items():
        if runs and len(gaps) == len(runs):
            raise MeasureError(lack_text(measure, *next(iter(gaps.items()))))


def left_out_texts(lacking: Lacking, runs: int) -> list[str]:
    """Return what is said of those of so many runs that are left out, a sentence for each reason: what measures read
    and they lack. Where nothing is left the first of them says it."""
    by_reason: dict[tuple[tuple[str, ...], str], list[str]] = {}
    none_left = []
    for measure, gaps in lacking.items():
        if len(gaps) == runs:
            none_left.append(lack_text(measure, *next(iter(gaps.items()))))
            continue
        of_reason: dict[str, list[str]] = {}
        for run, reason in gaps.items():
            of_reason.setdefault(reason, []).append(run)
        for reason, without in of_reason.items():
            by_reason.setdefault((tuple(without), reason), []).append(usual_name(measure))
    return none_left + [
        tr("{measures}: {runs} left out: {reason}", measures=name_some(measures, 6),
           runs=name_some([short_name(run) for run in without], 3), reason=reason)
        for (without, reason), measures in by_reason.items()
    ]  # fmt: skip


def measure_left_out(measure: str, baseline: str = "") -> str:
    """Return that a measure is left out since the baseline, where one is named, or too many runs lack what it reads;
    what that is :func:`left_out_texts` says of the runs."""
    name = usual_name(measure)
    if baseline:
        return tr("{measure} left out: the baseline {run} lacks what it reads", measure=name, run=baseline)
    return tr("{measure} left out: too few runs have what it reads", measure=name)


def lack_text(measure: str, run: str, reason: str) -> str:
    """Return what says that a run lacks what a measure reads, where nothing is left without it."""
    return tr("{measure}, run {run}: {reason}", measure=usual_name(measure), run=run, reason=reason)


def lacks(measure: Measure, run: Run) -> bool:
    """Return whether a measure needs what a run lacks."""
    return any(_lack(part, run) is not None for part in parts_of(measure))


def is_undefined(measure: Measure, run: Run, qrels: Qrels) -> bool:
    """Return whether a measure has no values of a run, since it or the nuggets in force lack what the measure reads:
    nothing was reached or missed then, and nothing can be compared."""
    return _gap(measure, run, qrels) is not None


def judges_nothing(qrels: Qrels) -> bool:
    """Return whether only nuggets are known, and no document is judged."""
    return qrels.nuggets is not None and not len(qrels.doc_ids)


def why_no_curves(qrels: Qrels) -> str:
    """Return why no curve of a list is drawn; "" where documents are judged."""
    return (
        tr("no curves of nuggets alone: no document is judged; give judgments of documents")
        if judges_nothing(qrels)
        else ""
    )


def why_nuggets_alone(what: str, qrels: Qrels) -> str:
    """Return why ``what``, which asks for lists of judged documents, has nothing to say where only nuggets are known;
    "" where documents are judged."""
    if not judges_nothing(qrels):
        return ""
    return tr(
        "{what} needs judged documents, and {qrels} has nuggets alone. Give judgments of documents; views of "
        "answers say what nuggets tell.", what=what, qrels=qrels.name,
    )  # fmt: skip


def refuse_nuggets_alone(what: str, qrels: Qrels) -> None:
    """Raise OptionError where only nuggets are known and ``what`` asks for lists of judged documents."""
    if why := why_nuggets_alone(what, qrels):
        raise OptionError(why)


def refuse_answers(what: str, measure: str | Measure) -> None:
    """Raise OptionError for a measure of answers where ``what`` takes lists of documents apart: a list that it makes,
    fused or in ideal order, has no answer."""
    parsed = parse_measure(measure) if isinstance(measure, str) else measure
    if reads_answers(parsed):
        raise OptionError(
            tr(
                "{what} is about lists of documents, and {measure} is a measure of answers. Choose a measure of "
                "documents, such as {example}.", what=what, measure=parsed.text, example="nDCG@10",
            )
        )  # fmt: skip


def is_ungraded(measure: Measure, qrels: Qrels) -> bool:
    """Return whether a measure reads grades of documents where only nuggets are known: it means nothing then."""
    return judges_nothing(qrels) and reads_grades(measure) and not measure.counts and not measure.is_text


def why_incomparable(measure: Measure, run: Run, qrels: Qrels, name: str) -> str:
    """Return why nothing can be concluded from the values of a run, which is called ``name``, and what to give; ""
    where it can."""
    if run.stored is None and is_ungraded(measure, qrels):
        return tr(
            "{measure}: {qrels} has nuggets and judges no document. Choose V_strict, V, W or A, which measure what "
            "answers say, or give judgments of documents.", measure=usual_name(measure), qrels=qrels.name,
        )  # fmt: skip
    return why_undefined(measure, run, qrels, name)


def why_undefined(measure: Measure, run: Run, qrels: Qrels, name: str) -> str:
    """Return what a run, which is called ``name``, or the nuggets in force lack for a measure, and what to give; ""
    where it has values."""
    gap = _gap(measure, run, qrels)
    return "" if gap is None else lack_text(gap[0].text, name, str(gap[1]))


def _gap(measure: Measure, run: Run, qrels: Qrels) -> tuple[Measure, MeasureError] | None:
    """Return the part of a measure for which a run, or the nuggets in force, lack something, and what; None where it
    has values. Of stored values it is stored with them."""
    if run.stored is not None:
        said = run.stored.lacking.get(measure.text)
        return None if said is None else (measure, MeasureError(said))
    for part in parts_of(measure):
        reason = _lack(part, run) or _lack_of_nuggets(part, run, qrels) or _lack_of_topics(part, run, qrels)
        if reason is not None:
            return part, reason
    return None


def _lack(part: Measure, run: Run) -> MeasureError | None:
    """Return what says which file a run lacks for a measure, None where it lacks nothing."""
    try:
        NEEDED.get(part.name, bool)(run.answered)
    except MeasureError as lacking:
        return lacking
    return None


def reads_other_topics(measure: Measure, run: Run, qrels: Qrels) -> bool:
    """Return whether a measure reads a part of a system whose topics are all others than the judged ones, such as the
    file of labels of other topics, though the system has judged topics: its values would all be 0."""
    return any(_lack_of_topics(part, run, qrels) is not None for part in parts_of(measure))


def _lack_of_topics(part: Measure, run: Run, qrels: Qrels) -> MeasureError | None:
    """Return what says that a measure reads a part of a run of which no topic is judged, None where one is."""
    needed = NEEDED.get(part.name)
    if needed is None or run.answered is None or _lack(part, run) is not None:
        return None
    said = _of_other_topics(needed(run.answered), run, qrels)
    return MeasureError(said) if said else None


def refuse_parts_of_other_topics(run: Run, qrels: Qrels) -> None:
    """Raise OptionError for a system of which a part is all of other topics than the judged ones, for a view that reads
    all that systems have: the same rule as that of measures, :func:`reads_other_topics`."""
    answered = run.answered
    for read in () if answered is None else (answered.answers, answered.assignments, answered.support):
        if said := _of_other_topics(read, run, qrels):
            raise OptionError(tr("run {run}: {reason}", run=run.name, reason=said))


def _of_other_topics(read: object, run: Run, qrels: Qrels) -> str:
    """Return that no topic of a part of a run is judged, "" where one is, and for a run without any judged topic: that
    is said of the run."""
    if not isinstance(read, Answers | Assignments | Support) or not read.topics or not qrels.query_ids:
        return ""
    judged = qrels.query_index.keys()
    if not judged.isdisjoint(read.topics) or judged.isdisjoint(run.query_index):
        return ""
    own, wanted = name_some(read.topics[:2]), name_some(qrels.query_ids[:2])
    if isinstance(read, Answers):
        return tr("none of its answers is to a topic of {qrels}: theirs ({own} …) are not those ({judged} …), so its "
                  "values mean nothing", own=own, judged=wanted, qrels=qrels.name)  # fmt: skip
    return tr("none of its labels is of a topic of {qrels}: theirs ({own} …) are not those ({judged} …), so its values "
              "mean nothing", own=own, judged=wanted, qrels=qrels.name)  # fmt: skip


def _lack_of_nuggets(part: Measure, run: Run, qrels: Qrels) -> MeasureError | None:
    """Return what says what all nuggets lack for a measure, None where they lack nothing."""
    nuggets, answered = qrels.nuggets, run.answered
    if part.name == "ContextR" and (nuggets is None or nuggets.links is None):
        return MeasureError(
            tr("this measure needs the documents that hold nuggets; give a file of segment assignments")
        )
    if part.name == "NuggetPyramid" and answered is not None and answered.assignments is not None:
        votes = vote_weights(answered.assignments.nuggets, nuggets)
        if not np.isfinite(votes).any():
            return MeasureError(tr("this measure needs the votes of assessors; give nuggets with “votes”"))
    return None
