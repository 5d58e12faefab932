"""Rules that make the query ids of a run match those of the qrels (001 for 1, q12 for 12): proposals, application.

A rule is a chain of steps of ``id_matching`` that makes a key of every id, of runs and qrels; a query of the run gets
the id of the judged query with the same key. The rule ``question`` is for exports that call a topic by its question: it
gets the id of the topic with that question in a file of nuggets."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from itertools import combinations

from irviewer.errors import OptionError
from irviewer.model.arrays import strings
from irviewer.model.matching.id_matching import CLEARLY, STEPS, keys_of, rule_title
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.translation import tr

QUERY_STEPS = ("path", "extension", "prefix", "zeros", "case")
"""The steps for queries: all that do not join ids."""
QUESTION = "question"


@dataclass(frozen=True)
class QueryProposal:
    """The effect of a rule.

    before, after   the number of judged queries that the run has, of ``judged``
    sample          (id in the run, id in the qrels) of the first query that would match"""

    rule: str
    before: int
    after: int
    judged: int
    sample: tuple[str, str]

    def __str__(self) -> str:
        return tr(
            "{rule}: {id} → {match}; {after:,} of {judged:,} judged queries are in the run (now {before:,})",
            rule=query_rule_title(self.rule),
            id=self.sample[0],
            match=self.sample[1],
            after=self.after,
            judged=self.judged,
            before=self.before,
        )


def query_rule_title(rule: str) -> str:
    """Return the description of a rule for queries. Raises OptionError for an unknown step."""
    return tr("the question is the id") if rule == QUESTION else rule_title(rule)


def check_query_rule(rule: str) -> None:
    """Raise OptionError for a step that is not for query ids."""
    if rule == QUESTION:
        return
    for step in rule.split("+"):
        if step not in QUERY_STEPS:
            raise OptionError(
                tr(
                    "{step!r} is not a rule for query ids; use {known}, or a chain such as prefix+zeros",
                    step=step,
                    known=", ".join((*QUERY_STEPS, QUESTION)),
                )
            )


def renamed_queries(run: Run, qrels: Qrels, rule: str) -> dict[str, str]:
    """Return the run's query ids that the rule changes -> the judged query that each becomes.

    Ids that are judged are not changed; a key of two ids of the same file matches nothing. Raises OptionError for a
    step that is not for query ids."""
    check_query_rule(rule)
    run_ids = [query for query in run.query_ids if query not in qrels.query_index]
    judged_ids = [query for query in qrels.query_ids if query not in run.query_index]
    keys, judged_keys = _keys(run_ids, rule), _judged_keys(judged_ids, qrels, rule)
    times, judged_times = Counter(keys), Counter(judged_keys)
    by_key = {key: query for key, query in zip(judged_keys, judged_ids, strict=True) if judged_times[key] == 1}
    by_key.pop("", None)
    return {query: by_key[key] for query, key in zip(run_ids, keys, strict=True) if times[key] == 1 and key in by_key}


def with_renamed_queries(run: Run, qrels: Qrels, rule: str) -> Run:
    """Return the run with the query ids of :func:`renamed_queries` and the same rankings. Raises OptionError as
    there."""
    renamed = renamed_queries(run, qrels, rule)
    if not renamed:
        return run
    answered = None if run.answered is None else run.answered.renamed(renamed)
    return replace(run, query_ids=tuple(renamed.get(query, query) for query in run.query_ids), answered=answered)


def query_proposals(run: Run, qrels: Qrels, most: int = 3) -> tuple[QueryProposal, ...]:
    """Return the rules under which clearly more judged queries would be in the run, most first, shorter rules first
    among equals."""
    before = sum(query in run.query_index for query in qrels.query_ids)
    room = min(len(qrels.query_ids), len(run.query_ids)) - before
    if room < max(1.0, CLEARLY * len(qrels.query_ids)):
        return ()
    proposals: list[QueryProposal] = []
    rules_by_length: list[list[tuple[str, ...]]] = [] if qrels.nuggets is None else [[(QUESTION,)]]
    rules_by_length += ([*combinations(QUERY_STEPS, length)] for length in range(1, len(QUERY_STEPS) + 1))
    for rules in rules_by_length:
        for steps in rules:
            rule = "+".join(steps)
            renamed = renamed_queries(run, qrels, rule)
            if len(renamed) < max(1.0, CLEARLY * len(qrels.query_ids)):
                continue
            after = before + len(renamed)
            # Of two rules with the same matches the simpler one is kept.
            if not any(set(simpler.rule.split("+")) <= set(steps) and simpler.after >= after for simpler in proposals):
                sample = next(iter(renamed.items()))
                proposals.append(QueryProposal(rule, before, after, len(qrels.query_ids), sample))
        if proposals and max(proposal.after for proposal in proposals) == before + room:
            break  # no more can match
    return tuple(sorted(proposals, key=lambda proposal: (-proposal.after, proposal.rule.count("+")))[:most])


def _keys(ids: list[str], rule: str) -> list[str]:
    if rule == QUESTION:
        return [_plain(query) for query in ids]
    assert all(step in STEPS for step in rule.split("+"))
    keys: list[str] = keys_of(strings(ids), rule).to_pylist()
    return keys


def _judged_keys(ids: list[str], qrels: Qrels, rule: str) -> list[str]:
    if rule != QUESTION:
        return _keys(ids, rule)
    nuggets = qrels.nuggets
    questions = {} if nuggets is None else dict(zip(nuggets.topics, nuggets.questions, strict=True))
    return [_plain(questions.get(query, "")) for query in ids]


def _plain(question: str) -> str:
    """Return a question without what files write differently: letter case, white space, the mark at its end."""
    return " ".join(question.casefold().split()).rstrip(" ?")
