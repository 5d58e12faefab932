"""Rules that make the document ids of a run match those of the qrels: proposals and their application.

A rule is a chain of steps such as ``prefix+extension`` that makes a key of every id, of runs and qrels; a document of
the run gets the judged id with the same key. Ids that match already are not changed. The steps that remove a chunk's
number apply to runs only and join documents: see ``chunk_rollup``."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from irviewer.errors import OptionError
from irviewer.model.arrays import Bools, Ints, Strings, among, distinct, group_of_each, sizes_of, strings
from irviewer.model.qrels import Qrels
from irviewer.model.rankings.duplicates import repeated_rows
from irviewer.model.run import Run
from irviewer.translation import tr, trn

_WORDS = "chunk|passage|psg|paragraph|para|part|segment|seg|sentence|sent|section|sec|block|p|c|s"
STEPS: dict[str, tuple[str, str, str]] = {
    "path": (r"^.*[/\\]([^/\\]+)$", r"\1", tr("without folders before the name")),
    "extension": (r"^(.+?)(\.[A-Za-z][A-Za-z0-9]{0,5}){1,2}$", r"\1", tr("without file extension")),
    "chunk": (
        rf"(?i)^(.+?)(#[^#]*|(::|%%|@|\||[-_.: ])+({_WORDS})[-_.:# ]*[0-9]+)$",
        r"\1",
        tr("without chunk number (#3, _p12, -passage-2)"),
    ),
    "number": (r"^(.+?)[-_.:@|/%]+[0-9]+$", r"\1", tr("without the number at the end")),
    "prefix": (r"^[^0-9]+([0-9].*)$", r"\1", tr("without the text before the first digit")),
    "zeros": (r"^0+([0-9])", r"\1", tr("without leading zeros")),
    "case": ("", "", tr("ignoring upper and lower case")),
}
"""Step -> (pattern, replacement, description), in the order in which a chain applies them."""

JOINING = frozenset({"chunk", "number"})
"""Steps for runs only: several documents of a run may become one of the qrels."""

CLEARLY = 0.1
"""The share of the judged documents (of the returned ones, if fewer) that a proposed rule matches in addition."""

COUNTED_ROWS = 400_000
"""The number of rows counted in a larger run: a rule takes microseconds per id."""

_SAMPLE_ROWS, _SAMPLE_DEPTH = 20_000, 100
_SHARE_OF_BEST = 0.5


@dataclass(frozen=True)
class Proposal:
    """The effect of a rule.

    rule      its text, for :func:`matched`; ``title`` describes it
    before    the number of judged documents that the run returns, by its own ids; ``after`` under the rule
    judged    the number of judged documents of the run's queries
    joined    the number of retrieved documents that become another one of the same query and need a roll-up
    ambiguous the number of judged ids that share their key with another, so that they match nothing
    samples   (id in the run, id in the qrels) of some documents that would match
    queries   the number of queries counted, the first ones of a large run; None: all
    """

    rule: str
    title: str
    before: int
    after: int
    judged: int
    joined: int = 0
    ambiguous: int = 0
    samples: tuple[tuple[str, str], ...] = ()
    queries: int | None = None

    def __str__(self) -> str:
        if self.queries is None:
            matches = tr(
                "{after:,} of {judged:,} judged documents match (now {before:,})",
                after=self.after,
                judged=self.judged,
                before=self.before,
            )
        else:
            matches = tr(
                "{after:,} of {judged:,} judged documents match in the first {queries:,} queries (now {before:,})",
                after=self.after,
                judged=self.judged,
                queries=self.queries,
                before=self.before,
            )
        example = f": {self.samples[0][0]} → {self.samples[0][1]}" if self.samples else ""
        return f"{self.title}{example}; {matches}"


def parse_rule(text: str) -> tuple[str, ...]:
    """Return the steps of a rule in their order: names of ``STEPS``, ``prefix=TEXT``, ``suffix=TEXT`` (in TEXT,
    ``%2B`` is a plus sign). Raises OptionError for an unknown step."""
    steps = tuple(text.split("+"))
    for step in steps:
        name, sign, value = step.partition("=")
        if (name in ("prefix", "suffix") and value) or (not sign and name in STEPS):
            continue
        known = ", ".join((*STEPS, "prefix=TEXT", "suffix=TEXT"))
        raise OptionError(
            tr("{step!r} is not an id rule; use {known}, or a chain such as prefix+extension", step=step, known=known)
        )
    return steps


def rule_title(text: str) -> str:
    """Return the description of a rule. Raises OptionError for an unknown step."""
    return ", ".join(_step_title(step) for step in parse_rule(text))


def _step_title(step: str) -> str:
    name, sign, value = step.partition("=")
    if not sign:
        return STEPS[name][2]
    if name == "prefix":
        return tr("without the prefix “{text}”", text=_unquoted(value))
    return tr("without the suffix “{text}”", text=_unquoted(value))


def joins(text: str) -> bool:
    """Return whether a rule may join several documents into one."""
    return not JOINING.isdisjoint(parse_rule(text))


def keys_of(ids: Strings, rule: str, *, of_qrels: bool = False) -> Strings:
    """Return the keys of ids under a rule, an Arrow string array; for qrels without the steps that join documents."""
    for step in parse_rule(rule):
        if not of_qrels or step not in JOINING:
            ids = _stepped(ids, step)
    return ids


def matched_ids(run: Run, qrels: Qrels, rule: str) -> Strings:
    """Return the run's document ids under a rule, parallel to ``run.doc_ids``: the judged id with the same key (or the
    id itself if it is judged), the key for other documents. Raises OptionError for an unknown step."""
    vocabulary = pc.unique(qrels.doc_ids)
    encoded = pc.dictionary_encode(run.doc_ids)
    names = encoded.dictionary
    keys = keys_of(names, rule)
    index = _judged_index(keys, names, vocabulary, rule)
    judged = vocabulary.take(pa.array(np.maximum(index, 0))) if len(vocabulary) else keys
    new = pc.if_else(pa.array(index >= 0), judged, keys)
    return strings(new.take(encoded.indices))


def matched(run: Run, qrels: Qrels, rule: str) -> Run:
    """Return the run with the ids of :func:`matched_ids`, ranked again, as ties are broken by ids.

    Raises OptionError for an unknown step, and for a rule that joins two documents of a query."""
    ids = matched_ids(run, qrels, rule)
    codes = group_of_each(run.offsets)
    joined = len(repeated_rows(codes, ids))
    if joined:
        raise OptionError(
            trn(
                "the id rule {rule} joins {n:,} document of run {run} with another one of the same query; choose its "
                "score: --rollup first, best or sum",
                "the id rule {rule} joins {n:,} documents of run {run} with others of the same query; choose their "
                "score: --rollup first, best or sum",
                joined,
                rule=rule,
                run=run.name,
            )
        )
    return replace(
        Run.from_columns(
            run.query_ids, codes, ids, np.array(run.scores), name=run.name, tag=run.tag, origin=run.origin,
            attributes=run.attributes, components=run.components, distinct=True,
        )
    )  # fmt: skip


def found_documents(run: Run, qrels: Qrels) -> tuple[int, int]:
    """Return the number of judged documents of the run's queries that the run returns, and their total number."""
    side = _Sides(run, qrels)
    return side.count(side.run_ids, side.judged_ids), len(side.judged_ids)


def proposals(
    run: Run, qrels: Qrels, most: int = 4, progress: Callable[[float], None] | None = None
) -> tuple[Proposal, ...]:
    """Return the rules under which clearly more judged documents would match, most matches first, shorter rules first
    among equals.

    Many chains are tried on a part of a large run; the few best are counted on its first queries, up to
    ``COUNTED_ROWS`` rows. Left out are chains that a shorter one equals, those with less than half of the additional
    matches of the best one, and those that take different documents for one (:func:`_confuses`).

    progress   is called with the share done; it may cancel by raising"""
    report = progress or _no_progress
    sample = _Sides(run, qrels, _SAMPLE_ROWS, _SAMPLE_DEPTH)
    if not len(sample.judged_ids) or not len(sample.run_ids):
        return ()
    now = sample.count(sample.run_ids, sample.judged_ids)
    least = max(1.0, CLEARLY * min(len(sample.judged_ids), len(sample.run_ids)))
    if min(len(sample.judged_ids), len(sample.run_ids)) - now < least:
        return ()
    tried = []
    for index, (rule, count) in enumerate(_tried(sample)):
        report(0.5 * index / (index + 20))
        tried.append((now - count, rule.count("+"), index, rule))
    tried.sort()
    best: list[str] = []
    own, judged, enough = pc.unique(sample.run_ids), pc.unique(sample.judged_ids), least
    for lost, _, _, rule in tried:
        if -lost < enough or len(best) >= most:
            break
        steps = set(parse_rule(rule))
        # Of two rules with the same matches the simpler one comes first and is kept.
        if any(set(parse_rule(simpler)) <= steps for simpler in best) or _confuses(rule, own, judged):
            continue
        best.append(rule)
        enough = max(enough, _SHARE_OF_BEST * -lost)
    if not best:
        return ()
    counter = _MatchCounter(run, qrels, COUNTED_ROWS)
    counted = []
    for index, rule in enumerate(best):
        report(0.5 + 0.5 * index / len(best))
        counted.append(counter.proposal(rule))
    better = (
        proposal for proposal in counted if proposal.after > proposal.before and not counter.confuses(proposal.rule)
    )
    return tuple(sorted(better, key=lambda proposal: (-proposal.after, proposal.joined)))


def _confuses(rule: str, own: Strings, judged: Strings) -> bool:
    """Return True if a rule takes different documents for one: two ids of the run or of the qrels (each distinct) get
    one key, other than as chunks of a document; or what it takes for the number of a chunk is in ids of the qrels."""
    plain = "+".join(step for step in parse_rule(rule) if step not in JOINING)
    if plain and any(len(pc.unique(keys_of(ids, plain))) < len(ids) for ids in (own, judged)):
        return True
    if not joins(rule):
        return False
    exact = own.filter(pc.is_in(own, value_set=judged))
    if not keys_of(exact, rule).equals(keys_of(exact, rule, of_qrels=True)):
        return True
    whole, shortened = keys_of(judged, rule, of_qrels=True), keys_of(judged, rule)
    numbered = shortened.filter(pc.not_equal(whole, shortened))
    return bool(pc.any(pc.is_in(numbered, value_set=whole)).as_py())


def _no_progress(share: float) -> None:
    """Ignore progress."""


class _MatchCounter:
    """Counts the matches of rules in the queries of both run and qrels, or the first of them up to a number of rows.

    Ids are encoded as numbers: the cost of a rule depends on the distinct ids, not on the rows."""

    def __init__(self, run: Run, qrels: Qrels, most: int) -> None:
        shared = _shared_queries(run, qrels)
        sizes = sizes_of(run.offsets)[[in_run for _, in_run in shared]]
        kept = max(1, int(np.searchsorted(np.cumsum(sizes), most, side="right")))
        self._part = kept if kept < len(shared) else None
        shared, sizes = shared[:kept], sizes[:kept]
        self._queries = np.repeat(np.arange(len(shared)), sizes)
        self._ids = run.doc_ids.take(pa.array(_rows(run.offsets[:-1], [in_run for _, in_run in shared], sizes)))
        encoded = pc.dictionary_encode(self._ids)
        self._names = encoded.dictionary
        self._codes = encoded.indices.to_numpy(zero_copy_only=False)
        in_qrels = [index for index, _ in shared]
        counts = sizes_of(qrels.offsets)[in_qrels]
        judged = qrels.doc_ids.take(pa.array(_rows(qrels.offsets[:-1], in_qrels, counts)))
        self._vocabulary = pc.unique(qrels.doc_ids if self._part is None else judged)
        index = pc.index_in(judged, value_set=self._vocabulary).to_numpy(zero_copy_only=False).astype(np.int64)
        self._width = max(1, len(self._vocabulary))
        self._pairs = distinct(np.repeat(np.arange(len(shared)), counts) * self._width + index)
        self._judged = int(counts.sum())
        exact = pc.index_in(self._names, value_set=self._vocabulary).fill_null(-1)
        self._exact = exact.to_numpy(zero_copy_only=False).astype(np.int64)
        self._before = len(self._matches(self._exact)[0])

    def _matches(self, judged_index: Ints) -> tuple[Ints, Ints]:
        """Return the judged pairs that match if distinct id ``n`` becomes the judged id ``judged_index[n]``, and the
        first row of each."""
        index = judged_index[self._codes]
        rows = np.flatnonzero(index >= 0)
        pairs = self._queries[rows] * self._width + index[rows]
        hits = _is_among(pairs, self._pairs)
        matches, first = np.unique(pairs[hits], return_index=True)
        return matches, rows[hits][first]

    def proposal(self, rule: str) -> Proposal:
        """Return the effect of a rule on these queries."""
        keys = keys_of(self._names, rule)
        judged_index = _judged_index(keys, self._names, self._vocabulary, rule)
        matches, rows = self._matches(judged_index)
        rows = np.sort(rows)[:50]
        own_ids = self._ids.take(pa.array(rows)).to_pylist()
        judged_ids = self._vocabulary.take(pa.array(judged_index[self._codes[rows]])).to_pylist()
        changed = [pair for pair in zip(own_ids, judged_ids, strict=True) if pair[0] != pair[1]]
        key_counts = pc.value_counts(keys_of(self._vocabulary, rule, of_qrels=True)).field("counts").to_numpy()
        return Proposal(
            rule, rule_title(rule), self._before, len(matches), self._judged, self._joined(keys, judged_index),
            int(key_counts[key_counts > 1].sum()), tuple(changed[:3]), self._part,
        )  # fmt: skip

    def confuses(self, rule: str) -> bool:
        """Return True if a rule takes different documents of these queries for one: see ``_confuses``."""
        return _confuses(rule, self._names, self._vocabulary)

    def _joined(self, keys: Strings, judged_index: Ints) -> int:
        """Return the number of rows that become another one of the same query."""
        judged = self._vocabulary.take(pa.array(np.maximum(judged_index, 0)))
        new = pc.if_else(pa.array(judged_index >= 0), judged, keys)
        encoded = pc.dictionary_encode(strings(new)) if len(self._vocabulary) else pc.dictionary_encode(keys)
        if len(encoded.dictionary) == len(self._names):
            return 0  # different ids remain different
        numbers = encoded.indices.to_numpy(zero_copy_only=False).astype(np.int64)
        pairs = self._queries * len(encoded.dictionary) + numbers[self._codes]
        pairs.sort()
        return int((pairs[1:] == pairs[:-1]).sum())


def _is_among(values: Ints, ordered: Ints) -> Bools:
    """Return which values are in an ascending array, bool[n]."""
    if not len(ordered):
        return np.zeros(len(values), dtype=np.bool_)
    index = np.minimum(np.searchsorted(ordered, values), len(ordered) - 1)
    contained: Bools = ordered[index] == values
    return contained


def _shared_queries(run: Run, qrels: Qrels) -> list[tuple[int, int]]:
    """Return the queries of both, as (index in the qrels, index in the run)."""
    return [(index, run.query_index[query]) for index, query in enumerate(qrels.query_ids) if query in run.query_index]


class _Sides:
    """The rows of a run and of qrels for their common queries, or for the first of them and the tops of their lists."""

    def __init__(self, run: Run, qrels: Qrels, rows: int | None = None, depth: int | None = None) -> None:
        shared = _shared_queries(run, qrels)
        in_qrels, in_run = [index for index, _ in shared], [index for _, index in shared]
        sizes = sizes_of(run.offsets)[in_run] if shared else np.empty(0, dtype=np.int64)
        sizes = sizes if depth is None else np.minimum(sizes, depth)
        if rows is not None:
            kept = max(1, int(np.searchsorted(np.cumsum(sizes), rows)))
            in_qrels, in_run, sizes = in_qrels[:kept], in_run[:kept], sizes[:kept]
        self.rows = _rows(run.offsets[:-1], in_run, sizes)
        self.codes = np.repeat(np.arange(len(in_run)), sizes)
        self.run_ids = run.doc_ids.take(pa.array(self.rows))
        counts = sizes_of(qrels.offsets)[in_qrels] if in_qrels else np.empty(0, dtype=np.int64)
        self.judged_codes = np.repeat(np.arange(len(in_qrels)), counts)
        self.judged_ids = qrels.doc_ids.take(pa.array(_rows(qrels.offsets[:-1], in_qrels, counts)))

    def pairs(self, keys: Strings, judged: Strings) -> Ints:
        """Return (query, judged key) as one number for each row of the run, int64[rows]; negative if no judged id has
        the key."""
        distinct = pc.unique(judged)
        index = pc.index_in(keys, value_set=distinct).fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64)
        pairs: Ints = np.where(index < 0, -1, self.codes * len(distinct) + index)
        return pairs

    def count(self, keys: Strings, judged: Strings) -> int:
        """Return how many judged documents match by their keys; a key of two judged ids of a query matches none."""
        distinct = pc.unique(judged)
        index = pc.index_in(judged, value_set=distinct).to_numpy(zero_copy_only=False).astype(np.int64)
        pairs, times = np.unique(self.judged_codes * len(distinct) + index, return_counts=True)
        return int(among(pairs[times == 1], self.pairs(keys, judged)).sum())


def _rows(starts: Ints, groups: list[int], sizes: Ints) -> Ints:
    """Return the flat rows of groups, the first ``sizes`` of each."""
    before = np.repeat(np.cumsum(sizes) - sizes, sizes)
    return np.repeat(starts[groups], sizes) + np.arange(int(sizes.sum())) - before


def _tried(side: _Sides) -> Iterator[tuple[str, int]]:
    """Iterate over all chains that change ids, with their matches in the sample."""
    yield from _walk(side, (), list(STEPS), side.run_ids, side.judged_ids)
    for rule in _affixes(side):
        yield rule, side.count(keys_of(side.run_ids, rule), keys_of(side.judged_ids, rule, of_qrels=True))


def _walk(
    side: _Sides, done: tuple[str, ...], steps: list[str], keys: Strings, judged: Strings
) -> Iterator[tuple[str, int]]:
    for index, step in enumerate(steps):
        new_keys = _stepped(keys, step)
        new_judged = judged if step in JOINING else _stepped(judged, step)
        if new_keys.equals(keys) and new_judged.equals(judged):
            continue
        chain = (*done, step)
        yield "+".join(chain), side.count(new_keys, new_judged)
        yield from _walk(side, chain, steps[index + 1 :], new_keys, new_judged)


def _affixes(side: _Sides, most: int = 3) -> list[str]:
    """Return rules that remove the text around a judged id in the run's ids of the same query, or the reverse."""
    affixes: Counter[tuple[str, str]] = Counter()
    queries = min(20, int(side.codes.max(initial=-1)) + 1)
    for query in range(queries):
        judged = side.judged_ids.filter(pa.array(side.judged_codes == query))[:50].to_pylist()
        for own in side.run_ids.filter(pa.array(side.codes == query)).to_pylist():
            for judged_id in judged:
                short, long = sorted((own, judged_id), key=len)
                start = long.find(short) if short != long else -1
                if start >= 0:
                    affixes[long[:start], long[start + len(short) :]] += 1
    rules = []
    for (prefix, suffix), times in affixes.most_common(most):
        if times > 1 and (prefix or suffix):
            parts = [f"prefix={_quoted(prefix)}"] * bool(prefix) + [f"suffix={_quoted(suffix)}"] * bool(suffix)
            rules.append("+".join(parts))
    return rules


def _judged_index(keys: Strings, names: Strings, vocabulary: Strings, rule: str) -> Ints:
    """Return the index in the vocabulary of the judged id of each distinct id of the run; -1 if no judged id, or more
    than one, has its key."""
    judged_keys = keys_of(vocabulary, rule, of_qrels=True)
    counts = pc.value_counts(judged_keys)
    single = counts.field("values").filter(pa.array(counts.field("counts").to_numpy() == 1))
    kept = np.flatnonzero(pc.is_in(judged_keys, value_set=single).to_numpy(zero_copy_only=False))
    positions = (
        pc.index_in(keys, value_set=judged_keys.take(pa.array(kept))).fill_null(-1).to_numpy(zero_copy_only=False)
    )
    by_key = kept[positions] if len(kept) else np.full(len(keys), -1)
    exact = pc.index_in(names, value_set=vocabulary).fill_null(-1).to_numpy(zero_copy_only=False)
    index: Ints = np.where(exact >= 0, exact, np.where(positions >= 0, by_key, -1))
    return index


def _stepped(ids: Strings, step: str) -> Strings:
    name, sign, value = step.partition("=")
    if sign:
        text = re.escape(_unquoted(value))
        pattern = f"^{text}(.+)$" if name == "prefix" else f"^(.+){text}$"
        return pc.replace_substring_regex(ids, pattern, r"\1")
    if name == "case":
        return pc.utf8_lower(ids)
    pattern, replacement, _ = STEPS[name]
    return pc.replace_substring_regex(ids, pattern, replacement)


def _quoted(text: str) -> str:
    return text.replace("%", "%25").replace("+", "%2B")


def _unquoted(text: str) -> str:
    return text.replace("%2B", "+").replace("%25", "%")
