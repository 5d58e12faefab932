"""Answers and labels as tables with a header, as ``tables`` reads them: a row for each sentence, nugget or label."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from math import isnan

import numpy as np

from irviewer.errors import OptionError
from irviewer.formats.delimited_text import delimited_text
from irviewer.formats.format import Value
from irviewer.formats.trec.formats import refuse_preferences
from irviewer.model.answers.answers import Answers
from irviewer.model.answers.assignments import Assignments
from irviewer.model.answers.nuggets import Nuggets
from irviewer.model.answers.support import Support
from irviewer.model.arrays import Ints
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.translation import tr

Rows = Iterator[tuple[object, ...]]


def part_in_table(value: Value) -> Answers | Assignments | Support | Nuggets | None:
    """Return what a table holds of a value: the answers of a system, else its labels; the nuggets of qrels."""
    if isinstance(value, Qrels):
        return value.nuggets
    answered = value.answered if isinstance(value, Run) else None
    return None if answered is None else answered.answers or answered.assignments or answered.support


def table_writer(delimiter: str) -> Callable[[Value], bytes]:
    """Return what writes a value as such a table. It raises OptionError for other values."""

    def write(value: Value) -> bytes:
        refuse_preferences(value)
        part = part_in_table(value)
        system = (value.answered.system or value.name) if isinstance(value, Run) and value.answered else ""
        if isinstance(part, Answers):
            names, rows = (
                ["query_id", "question", "system", "sentence_id", "sentence", "cited"],
                _sentences(part, system),
            )
        elif isinstance(part, Support):
            names, rows = ["query_id", "system", "sentence_id", "sentence", "cited", "support"], _judged(part, system)
        elif isinstance(part, Assignments):
            names = ["query_id", "question", "system", "nugget", "importance", "votes", "assignment", "reasoning"]
            rows = _labels(part, system)
        elif isinstance(part, Nuggets):
            names, rows = ["query_id", "question", "nugget", "importance", "votes"], _nuggets(part)
        else:
            raise OptionError(tr("this format holds answers, nuggets and their labels, and the value has none"))
        return delimited_text(names, rows, delimiter).encode("utf-8", "surrogatepass")

    return write


def lost_in_table(value: Value) -> list[str]:
    """Return what such a table does not keep, as sentences."""
    part = part_in_table(value)
    lost = []
    if isinstance(part, Answers):
        cited = _cited_references(part)
        if sum(map(len, cited)) < len(part.references):
            lost.append(tr("references that no sentence cites are not kept"))
        if any(own != [each for each in listed if each in own] for own, listed in _with_lists(part, cited)):
            lost.append(tr("the order of references is not kept: it becomes that in which they are cited"))
        if not part.leads.all():
            lost.append(tr("that a citation leads nowhere is not kept: what it cites becomes an id, as of a document"))
        if (part.declared >= 0).any():
            lost.append(tr("the stated lengths of answers are not kept"))
    if isinstance(part, Assignments) and any(part.answer_texts):
        lost.append(tr("the texts of the answers that were labelled are not kept"))
    if isinstance(part, Support) and (part.together is not None or part.others is not None):
        lost.append(tr("labels of several citations together are not kept"))
    offsets = part.nuggets.offsets if isinstance(part, Assignments) else None if part is None else part.offsets
    if offsets is not None and bool((np.diff(offsets) == 0).any()):
        lost.append(tr("topics without a sentence or a nugget are not kept: they have no row"))
    return lost


def _cited_references(answers: Answers) -> list[list[str]]:
    """Return the references of each answer that it cites, in the order in which it does."""
    cited: list[dict[str, None]] = [{} for _ in answers.topics]
    rows = zip(answers.citation_topic.tolist(), answers.cited.to_pylist(), answers.leads.tolist(), strict=True)
    for place, document, leads in rows:
        if leads:
            cited[place][document] = None
    return [list(own) for own in cited]


def _with_lists(answers: Answers, cited: Sequence[list[str]]) -> Iterator[tuple[list[str], list[str]]]:
    """Yield the references of each answer that it cites, and its list of them."""
    for topic, own in zip(answers.topics, cited, strict=True):
        yield own, list(dict.fromkeys(answers.references_of(topic)))


def _listed(values: Sequence[str]) -> str:
    """Return several ids or labels in one cell; one as it is, where that is read as one."""
    if len(values) == 1 and re.fullmatch(r"[^\s;,|\[]([^;,|\[]*[^\s;,|\[])?", values[0]):
        return values[0]
    return json.dumps(list(values), ensure_ascii=False) if values else ""


def _sentences(answers: Answers, system: str) -> Rows:
    texts, cited = answers.texts.to_pylist(), answers.cited.to_pylist()
    for place, row, start, stop in _of_topics(answers.offsets, answers.citation_offsets):
        number = row - int(answers.offsets[place])
        yield (answers.topics[place], answers.questions[place], system, number, texts[row], _listed(cited[start:stop]))


def _judged(support: Support, system: str) -> Rows:
    texts, cited, labels = support.texts.to_pylist(), support.cited.to_pylist(), support.label_texts.to_pylist()
    for place, row, start, stop in _of_topics(support.offsets, support.citation_offsets):
        number, own = row - int(support.offsets[place]), labels[start:stop]
        label = own[0] if len(own) == 1 else _listed(own)
        yield support.topics[place], system, number, texts[row], _listed(cited[start:stop]), label


def _of_topics(offsets: Ints, citation_offsets: Ints) -> Iterator[tuple[int, int, int, int]]:
    """Yield the place of the topic, the sentence, and where its citations begin and end."""
    for place in range(len(offsets) - 1):
        for row in range(int(offsets[place]), int(offsets[place + 1])):
            yield place, row, int(citation_offsets[row]), int(citation_offsets[row + 1])


def _nuggets(nuggets: Nuggets) -> Rows:
    texts, words = nuggets.texts.to_pylist(), nuggets.importance_texts.to_pylist()
    for place, topic in enumerate(nuggets.topics):
        for row in range(int(nuggets.offsets[place]), int(nuggets.offsets[place + 1])):
            yield topic, nuggets.questions[place], texts[row], words[row], _votes(nuggets, row)


def _votes(nuggets: Nuggets, row: int) -> object:
    votes = float("nan") if nuggets.votes is None else float(nuggets.votes[row])
    return "" if isnan(votes) else int(votes) if votes.is_integer() else votes


def _labels(assignments: Assignments, system: str) -> Rows:
    labels, reasons = assignments.label_texts.to_pylist(), assignments.reasons.to_pylist()
    for row, (topic, question, text, importance, votes) in enumerate(_nuggets(assignments.nuggets)):
        yield topic, question, system, text, importance, votes, labels[row], reasons[row]
