"""Query ids that are not the qrels' (001 for 1, q12 for 12): which rules would make them so, and doing it.

A rule is a chain of steps of ``id_matching`` that makes a key of each id on both sides; a query of the run takes the id
of the judged query that has its key. Knows no document."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from itertools import combinations

from irviewer.errors import OptionError
from irviewer.model.arrays import strings
from irviewer.model.matching.id_matching import CLEARLY, STEPS, keys_of, rule_title
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run

QUERY_STEPS = ("path", "extension", "prefix", "zeros", "case")
"""Steps that are tried for queries; those that make one of several have no sense there."""


@dataclass(frozen=True)
class QueryProposal:
    """What a rule would do: ``before`` and ``after`` judged queries that the run has, of ``judged``; ``sample``
    (id in the run, id in the qrels) of the first that would match."""

    rule: str
    before: int
    after: int
    judged: int
    sample: tuple[str, str]

    def __str__(self) -> str:
        return (
            f"{rule_title(self.rule)}: {self.sample[0]} → {self.sample[1]}; {self.after:,} of {self.judged:,} judged "
            f"queries are in the run (now {self.before:,})"
        )


def check_query_rule(rule: str) -> None:
    """Raises OptionError where a rule does nothing that query ids can have done."""
    for step in rule.split("+"):
        if step not in QUERY_STEPS:
            raise OptionError(
                f"{step!r} does nothing to query ids; there are {', '.join(QUERY_STEPS)}, "
                "and chains such as prefix+zeros"
            )


def renamed_queries(run: Run, qrels: Qrels, rule: str) -> dict[str, str]:
    """The run's query ids that the rule changes, with the judged query that each becomes.

    An id that is judged as it stands keeps it; keys that two ids of a side share match nothing. Raises OptionError."""
    check_query_rule(rule)
    mine = [one for one in run.query_ids if one not in qrels.query_index]
    theirs = [one for one in qrels.query_ids if one not in run.query_index]
    keys = _keys(mine, rule)
    judged = _keys(theirs, rule)
    times, judged_times = Counter(keys), Counter(judged)
    by_key = {key: one for key, one in zip(judged, theirs, strict=True) if judged_times[key] == 1}
    return {
        one: by_key[key] for one, key in zip(mine, keys, strict=True) if times[key] == 1 and key in by_key
    }  # fmt: skip


def with_renamed_queries(run: Run, qrels: Qrels, rule: str) -> Run:
    """The run with the query ids of :func:`renamed_queries`; rankings stay as they are. Raises OptionError."""
    found = renamed_queries(run, qrels, rule)
    return replace(run, query_ids=tuple(found.get(one, one) for one in run.query_ids)) if found else run


def query_proposals(run: Run, qrels: Qrels, most: int = 3) -> tuple[QueryProposal, ...]:
    """The rules under which clearly more of the judged queries would be in the run, most first, of equals the
    shorter."""
    before = sum(one in run.query_index for one in qrels.query_ids)
    room = min(len(qrels.query_ids), len(run.query_ids)) - before
    if room < max(1.0, CLEARLY * len(qrels.query_ids)):
        return ()
    found: list[QueryProposal] = []
    for length in range(1, len(QUERY_STEPS) + 1):
        for steps in combinations(QUERY_STEPS, length):
            rule = "+".join(steps)
            renamed = renamed_queries(run, qrels, rule)
            if len(renamed) < max(1.0, CLEARLY * len(qrels.query_ids)):
                continue
            # Of two that find as many the simpler is the one to read.
            if not any(set(one.rule.split("+")) <= set(steps) and one.after >= before + len(renamed) for one in found):
                sample = next(iter(renamed.items()))
                found.append(QueryProposal(rule, before, before + len(renamed), len(qrels.query_ids), sample))
        if found and max(one.after for one in found) == before + room:
            break  # all that can match does
    return tuple(sorted(found, key=lambda one: (-one.after, one.rule.count("+")))[:most])


def _keys(ids: list[str], rule: str) -> list[str]:
    assert all(step in STEPS for step in rule.split("+"))
    found: list[str] = keys_of(strings(ids), rule).to_pylist()
    return found
