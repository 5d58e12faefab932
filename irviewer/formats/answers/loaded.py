"""A system that answers as a loaded run, with its report."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from irviewer.formats.answers.records import listed
from irviewer.formats.format import Loaded, Wanted
from irviewer.formats.load_report import Finding, LoadReport, file_fact, read_as_latin1
from irviewer.formats.names import name_of
from irviewer.formats.reading.opener import Opened
from irviewer.model.answers.answered import Answered
from irviewer.model.answers.labels import ASSIGNMENT, IMPORTANCE, SUPPORT, known_labels
from irviewer.model.answers.nuggets import Nuggets
from irviewer.model.answers.systems import run_of_answers
from irviewer.model.answers.twice import listed_topics
from irviewer.model.arrays import frozen, strings
from irviewer.model.qrels import Qrels
from irviewer.translation import decimal, tr, trn

RULE = tr("such a nugget counts in “all” alone; NuggetR(odd=…) has other rules")
"""How an importance that no rule knows is treated."""
LABEL_RULE = tr("it counts as not supported")


def loaded_system(
    opened: Opened, wanted: Wanted, answered: Answered, title: str, findings: Sequence[Finding]
) -> Loaded:  # fmt: skip
    """Return a system as a run."""
    name = wanted.name or answered.system or name_of(opened.path)
    run = run_of_answers(answered, name=name, origin=opened.path)
    notes = [read_as_latin1(), *findings] if opened.encoding_guessed else list(findings)
    facts = [
        file_fact(opened),
        (tr("system"), answered.system or "–"),
        (tr("topics"), decimal(f"{len(answered.topics):,}")),
    ]
    answers, assignments, support = answered.answers, answered.assignments, answered.support
    if answers is not None:
        facts += [
            (tr("sentences"), decimal(f"{len(answers.texts):,}")),
            (tr("citations"), decimal(f"{len(answers.cited):,}")),
            (tr("references"), decimal(f"{len(answers.references):,}")),
        ]
    if assignments is not None:
        facts.append((tr("assignments"), decimal(f"{len(assignments.labels):,}")))
        notes += nugget_findings(assignments.nuggets)
        odd = assignments.odd_assignment
        if odd:
            text = tr("assignments that no rule knows: {labels}; {rule}; known are {known}", labels=listed(odd),
                      rule=LABEL_RULE, known=known_labels(ASSIGNMENT))  # fmt: skip
            notes.append(Finding(text, sum(odd.values())))
    if support is not None:
        facts.append((tr("judged citations"), decimal(f"{int(np.count_nonzero(support.judged)):,}")))
        if support.odd:
            text = tr("support labels that no rule knows: {labels}; {rule}; known are {known}",
                      labels=listed(support.odd), rule=LABEL_RULE, known=known_labels(SUPPORT))  # fmt: skip
            notes.append(Finding(text, support.odd_count))
    report = LoadReport(opened.path, "run", title, wanted.reason, tuple(facts), tuple(notes), name)
    return Loaded("run", run, report)


def loaded_nuggets(
    opened: Opened, wanted: Wanted, nuggets: Nuggets, title: str, findings: Sequence[Finding]
) -> Loaded:  # fmt: skip
    """Return nuggets as qrels: their topics are the queries, without judged documents."""
    name = wanted.name or name_of(opened.path)
    none = frozen(np.zeros(len(nuggets.topics) + 1, dtype=np.int64))
    qrels = Qrels(name, nuggets.topics, none, strings([]), np.empty(0), origin=opened.path, nuggets=nuggets)
    facts = (file_fact(opened), (tr("topics"), decimal(f"{len(nuggets.topics):,}")),
             (tr("nuggets"), decimal(f"{len(nuggets.texts):,}")))  # fmt: skip
    notes = [
        *([read_as_latin1()] if opened.encoding_guessed else []),
        *findings,
        *nugget_findings(nuggets, scored=False),
    ]
    report = LoadReport(opened.path, "qrels", title, wanted.reason, facts, tuple(notes), name)
    return Loaded("qrels", qrels, report, cacheable=False)


def nugget_findings(nuggets: Nuggets, *, scored: bool = True) -> list[Finding]:
    """Return the notes about nuggets: words that no rule knows, topics without nuggets, and without vital ones. Scores
    are over the nuggets that an assigner was given (``scored``), which may be others than those of their own file. How
    they count where there is nothing to divide by is a choice of the measure, which a file does not know."""
    notes = []
    from_text = nuggets.odd_words
    if from_text:
        text = tr("importance that no rule knows: {labels}; {rule}; known are {known}", labels=listed(from_text),
                  rule=RULE, known=known_labels(IMPORTANCE))  # fmt: skip
        notes.append(Finding(text, sum(from_text.values())))
    counts = np.diff(nuggets.offsets)
    empty = [nuggets.topics[place] for place in np.flatnonzero(counts == 0).tolist()]
    if empty:
        text = trn("{n:,} topic has no nuggets, so its score is 0, or left out with missing=undefined: {topics}",
                   "{n:,} topics have no nuggets, so their scores are 0, or left out with missing=undefined: {topics}",
                   len(empty), topics=listed_topics(empty)) if scored else trn(
                   "{n:,} topic has no nuggets: {topics}", "{n:,} topics have no nuggets: {topics}", len(empty),
                   topics=listed_topics(empty))  # fmt: skip
        notes.append(Finding(text, len(empty)))
    no_vital = [nuggets.topics[place] for place in np.flatnonzero((counts > 0) & (nuggets.vital_counts == 0)).tolist()]
    if no_vital:
        text = trn("{n:,} topic has no vital nugget, so its score over vital ones is 0, or left out with "
                   "missing=undefined: {topics}",
                   "{n:,} topics have no vital nugget, so their scores over vital ones are 0, or left out with "
                   "missing=undefined: {topics}", len(no_vital), topics=listed_topics(no_vital)) if scored else trn(
                   "{n:,} topic has no vital nugget: {topics}", "{n:,} topics have no vital nugget: {topics}",
                   len(no_vital), topics=listed_topics(no_vital))  # fmt: skip
        notes.append(Finding(text, len(no_vital)))
    return notes
