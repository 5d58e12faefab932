"""What a track's validator says of answers, and answers that are mended as far as that needs no guess."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from irviewer.formats.answers.building import Answer, Citation, built_answers, reference_index
from irviewer.formats.load_report import Finding
from irviewer.model.answers.answers import Answers, Form
from irviewer.model.answers.assignments import Assignments
from irviewer.model.answers.nuggets import Nuggets
from irviewer.model.answers.twice import listed_topics
from irviewer.model.run import Run
from irviewer.translation import trn

MOST_REFERENCES: dict[Form, int] = {"rag24": 20, "rag25": 100, "rag25-ids": 100}
"""The references that a track allows an answer, by its form; other forms have no limit."""
WORDS = 400
"""The words that TREC RAG allows an answer."""
Counts = list[tuple[str, int]]
"""Topics with how often something is odd in them."""


def track_findings(answers: Answers, topics: Sequence[str] | None = None, context: Run | None = None) -> list[Finding]:
    """Return what a track refuses or warns of: topics missing or unknown (by ``topics``), documents outside the
    context, too many references, too many words, and lengths that are not those of the texts."""
    own = set(answers.topics)
    findings = []
    if topics is not None:
        findings += _of_topics([topic for topic in topics if topic not in own], lambda n, named: trn(
            "{n:,} topic has no answer: {topics}", "{n:,} topics have no answer: {topics}", n, topics=named
        ))  # fmt: skip
        known = set(topics)
        findings += _of_topics([topic for topic in answers.topics if topic not in known], lambda n, named: trn(
            "{n:,} answer is to a topic that is not among the topics: {topics}",
            "{n:,} answers are to topics that are not among the topics: {topics}", n, topics=named
        ))  # fmt: skip
    if context is not None:
        outside = []
        for topic in answers.topics:
            listed = set(context.ranking(topic))
            references = dict.fromkeys((*answers.references_of(topic), *_cited(answers, topic)))
            outside.append((topic, sum(reference not in listed for reference in references)))
        findings += _counted(outside, lambda n, named: trn(
            "{n:,} document that is cited or listed is not in the context of its topic: {topics}",
            "{n:,} documents that are cited or listed are not in the context of their topics: {topics}", n, topics=named
        ))  # fmt: skip
    most = MOST_REFERENCES.get(answers.form)
    if most is not None:
        sizes = zip(answers.topics, np.diff(answers.reference_offsets).tolist(), strict=True)
        findings += _of_topics([topic for topic, size in sizes if size > most], lambda n, named: trn(
            "{n:,} answer has more than {most} references: {topics}",
            "{n:,} answers have more than {most} references: {topics}", n, most=most, topics=named
        ))  # fmt: skip
        words = zip(answers.topics, answers.words.tolist(), strict=True)
        findings += _of_topics([topic for topic, count in words if count > WORDS], lambda n, named: trn(
            "{n:,} answer has more than {most} words: {topics}", "{n:,} answers have more than {most} words: {topics}",
            n, most=WORDS, topics=named
        ))  # fmt: skip
    findings += _of_topics(_wrong_lengths(answers), lambda n, named: trn(
        "{n:,} answer states another length than its text has: {topics}",
        "{n:,} answers state other lengths than their texts have: {topics}", n, topics=named
    ))  # fmt: skip
    return findings


def label_findings(assignments: Assignments, nuggets: Nuggets) -> list[Finding]:
    """Return where labels are not of the nuggets: topics that these lack, and nuggets that are others, or fewer."""
    known = nuggets.topic_index
    findings = _of_topics([topic for topic in assignments.topics if topic not in known], lambda n, named: trn(
        "{n:,} topic has labels and no nuggets: {topics}", "{n:,} topics have labels and no nuggets: {topics}",
        n, topics=named
    ))  # fmt: skip
    texts, own_texts = nuggets.texts.to_pylist(), assignments.nuggets.texts.to_pylist()
    fewer, others = [], []
    for topic in assignments.topics:
        if topic not in known:
            continue
        wanted = [texts[row] for row in nuggets.rows(topic).tolist()]
        given = [own_texts[row] for row in assignments.nuggets.rows(topic).tolist()]
        fewer.append((topic, max(0, len(wanted) - len(given))))
        unknown = list(given)
        for text in wanted:
            if text in unknown:
                unknown.remove(text)
        others.append((topic, len(unknown)))
    findings += _counted(fewer, lambda n, named: trn(
        "{n:,} nugget has no label: {topics}", "{n:,} nuggets have no label: {topics}", n, topics=named
    ))  # fmt: skip
    findings += _counted(others, lambda n, named: trn(
        "{n:,} label is of a nugget that the nuggets do not have: {topics}",
        "{n:,} labels are of nuggets that the nuggets do not have: {topics}", n, topics=named
    ))  # fmt: skip
    return findings


def mended(answers: Answers, topics: Sequence[str] | None = None) -> tuple[Answers, list[str]]:
    """Return answers with what a track would refuse mended, and a sentence for each kind of what was done. No text is
    cut and nothing is guessed: what is too long, or outside the context, stays."""
    done: dict[str, int] = {}

    def count(kind: str, number: int) -> None:
        done[kind] = done.get(kind, 0) + number

    most = MOST_REFERENCES.get(answers.form)
    known = None if topics is None else set(topics)
    kept = []
    words = answers.words.tolist()
    wrong = set(_wrong_lengths(answers))
    for place, answer in enumerate(_unpacked(answers)):
        if known is not None and answer.topic not in known:
            count("topic", 1)
            continue
        if answer.topic in wrong:
            answer.declared = int(words[place])
            count("length", 1)
        sentences = [(text, cited) for text, cited in answer.sentences if text.strip()]
        count("sentence", len(answer.sentences) - len(sentences))
        references = list(reference_index(answer.references))
        count("reference", len(answer.references) - len(references))
        cited_texts = []
        for text, cited in sentences:
            leading = [each for each in cited if each[1] >= 0]
            count("nowhere", len(cited) - len(leading))
            firsts: dict[str, Citation] = {}
            for each in leading:
                firsts.setdefault(each[0], each)
            single = list(firsts.values())
            count("twice", len(leading) - len(single))
            cited_texts.append((text, single))
        if most is not None and len(references) > most:
            used = {each[0] for _, cited in cited_texts for each in cited}
            spare = [reference for reference in references if reference not in used][::-1]
            removed = set(spare[: len(references) - most])
            references = [reference for reference in references if reference not in removed]
            count("spare", len(removed))
        index = reference_index(references)
        placed: list[tuple[str, list[Citation]]] = [
            (text, [(document, index[document], named, score) for document, _, named, score in cited])
            for text, cited in cited_texts
        ]
        kept.append(replace(answer, references=references, sentences=placed))
    return built_answers(kept, answers.form), [DONE[kind](number) for kind, number in done.items() if number]


DONE: dict[str, Callable[[int], str]] = {
    "topic": lambda n: trn("{n:,} answer to an unknown topic was removed",
                           "{n:,} answers to unknown topics were removed", n),
    "length": lambda n: trn("{n:,} stated length was made that of the text",
                            "{n:,} stated lengths were made those of the texts", n),
    "sentence": lambda n: trn("{n:,} empty sentence was removed", "{n:,} empty sentences were removed", n),
    "reference": lambda n: trn("{n:,} reference that was listed twice was removed",
                               "{n:,} references that were listed twice were removed", n),
    "nowhere": lambda n: trn("{n:,} citation that leads to no reference was removed",
                             "{n:,} citations that lead to no reference were removed", n),
    "twice": lambda n: trn("{n:,} citation that a sentence has twice was removed",
                           "{n:,} citations that sentences have twice were removed", n),
    "spare": lambda n: trn("{n:,} reference beyond the limit that no sentence cites was removed",
                           "{n:,} references beyond the limit that no sentence cites were removed", n),
}  # fmt: skip
"""What was mended -> its sentence."""


def _of_topics(topics: Sequence[str], said: Callable[[int, str], str]) -> list[Finding]:
    return _counted([(topic, 1) for topic in topics], said)


def _counted(counts: Counts, said: Callable[[int, str], str]) -> list[Finding]:
    """Return the note about topics in which something is odd, if any; ``said`` says it of a number and topics."""
    odd = [(topic, count) for topic, count in counts if count]
    if not odd:
        return []
    total = sum(count for _, count in odd)
    return [Finding(said(total, listed_topics([topic for topic, _ in odd])), total)]


def _cited(answers: Answers, topic: str) -> Iterator[str]:
    place = answers.topic_index[topic]
    first, last = int(answers.offsets[place]), int(answers.offsets[place + 1])
    start, stop = int(answers.citation_offsets[first]), int(answers.citation_offsets[last])
    for row in range(start, stop):
        if answers.leads[row]:
            yield answers.cited[row].as_py()


def _wrong_lengths(answers: Answers) -> list[str]:
    stated = answers.declared
    wrong = np.flatnonzero((stated >= 0) & (stated != answers.words))
    return [answers.topics[place] for place in wrong.tolist()]


def _unpacked(answers: Answers) -> Iterator[Answer]:
    texts, cited = answers.texts.to_pylist(), answers.cited.to_pylist()
    for place, topic in enumerate(answers.topics):
        sentences = []
        for row in range(int(answers.offsets[place]), int(answers.offsets[place + 1])):
            start, stop = int(answers.citation_offsets[row]), int(answers.citation_offsets[row + 1])
            listed = [
                (cited[each], int(answers.places[each]), bool(answers.named[each]), float(answers.scores[each]))
                for each in range(start, stop)
            ]
            sentences.append((texts[row], listed))
        yield Answer(topic, answers.questions[place], answers.references_of(topic), sentences,
                     int(answers.declared[place]), answers.more[place])  # fmt: skip
