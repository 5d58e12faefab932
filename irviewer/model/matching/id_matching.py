"""Document ids that are not the qrels': which transformations would make them match, how many, and doing it.

A rule is a chain of steps such as ``prefix+extension``. It makes a key of every id; a document of the run takes the
judged id that has its key, so that a prefix may be too much on either side. Ids that match as they are stay. The steps
that cut a chunk's number off are for the run's side only, and join documents: see ``rollup``."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from irviewer.errors import OptionError
from irviewer.model.arrays import Bools, Ints, Strings, group_of_each, strings
from irviewer.model.qrels import Qrels
from irviewer.model.rankings.duplicates import repeated_rows
from irviewer.model.run import Run

_WORDS = "chunk|passage|psg|paragraph|para|part|segment|seg|sentence|sent|section|sec|block|p|c|s"
STEPS: dict[str, tuple[str, str, str]] = {
    "path": (r"^.*[/\\]([^/\\]+)$", r"\1", "folders before the name left out"),
    "extension": (r"^(.+?)(\.[A-Za-z][A-Za-z0-9]{0,5}){1,2}$", r"\1", "the file's extension left out"),
    "chunk": (
        rf"(?i)^(.+?)(#[^#]*|(::|%%|@|\||[-_.: ])+({_WORDS})[-_.:# ]*[0-9]+)$",
        r"\1",
        "the chunk's number (#3, _p12, -passage-2) left out",
    ),
    "number": (r"^(.+?)[-_.:@|/%]+[0-9]+$", r"\1", "the number at the end left out"),
    "prefix": (r"^[^0-9]+([0-9].*)$", r"\1", "what stands before the first digit left out"),
    "zeros": (r"^0+([0-9])", r"\1", "leading zeros left out"),
    "case": ("", "", "upper and lower case taken as one"),
}
"""Step -> (pattern, what takes its place, what it does), in the order in which a chain does them."""

JOINING = frozenset({"chunk", "number"})
"""Steps of the run's side only: several documents of the run may be one of the qrels."""

CLEARLY = 0.1
"""A rule is offered that finds so large a share of the judged documents (of a list, where that is shorter) more."""

COUNTED_ROWS = 400_000
"""Of a run of more rows so many are counted: a rule takes microseconds an id."""

_SAMPLE_ROWS, _SAMPLE_DEPTH = 20_000, 100
_SHARE_OF_BEST = 0.5


@dataclass(frozen=True)
class Proposal:
    """What a rule would do.

    rule      its text, as :func:`matched` takes it; ``title`` in words
    before    judged documents of the run's queries that the run returns as its ids are; ``after``: under the rule
    judged    all judged documents of those queries
    joined    retrieved documents that the rule makes another of the same query: to be rolled up
    ambiguous judged ids that share their key with another and match nothing by it
    samples   (id in the run, id in the qrels), some that would match
    queries   of how many queries, the first ones, all this was counted where the run is large; None: of all
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
        example = f": {self.samples[0][0]} → {self.samples[0][1]}" if self.samples else ""
        part = "" if self.queries is None else f" in the first {self.queries:,} queries"
        found = f"{self.after:,} of {self.judged:,} judged documents match{part} (now {self.before:,})"
        return f"{self.title}{example}; {found}"


def parse_rule(text: str) -> tuple[str, ...]:
    """The steps of a rule, in the order in which they are done: names of ``STEPS``, ``prefix=TEXT``, ``suffix=TEXT``
    (in TEXT, ``%2B`` is a plus sign). Raises OptionError."""
    steps = tuple(text.split("+"))
    for step in steps:
        name, sign, value = step.partition("=")
        if (name in ("prefix", "suffix") and value) or (not sign and name in STEPS):
            continue
        known = ", ".join((*STEPS, "prefix=TEXT", "suffix=TEXT"))
        raise OptionError(f"{step!r} does nothing to ids; there are {known}, and chains such as prefix+extension")
    return steps


def rule_title(text: str) -> str:
    """A rule in words. Raises OptionError."""
    words = []
    for step in parse_rule(text):
        name, sign, value = step.partition("=")
        before = "before" if name == "prefix" else "behind"
        words.append(f"“{_unquoted(value)}” {before} the id left out" if sign else STEPS[name][2])
    return ", ".join(words)


def joins(text: str) -> bool:
    """True for a rule that may make one document of several."""
    return not JOINING.isdisjoint(parse_rule(text))


def keys_of(ids: Strings, rule: str, *, of_qrels: bool = False) -> Strings:
    """The keys of ids under a rule, an Arrow string array beside them; the steps that join are left out for qrels."""
    for step in parse_rule(rule):
        if not of_qrels or step not in JOINING:
            ids = _stepped(ids, step)
    return ids


def matched_ids(run: Run, qrels: Qrels, rule: str) -> Strings:
    """The run's document ids under a rule, flat beside ``run.doc_ids``: the judged id where one has the key (and where
    the id is judged as it stands), the key itself for others. Raises OptionError."""
    vocabulary = pc.unique(qrels.doc_ids)
    own = pc.dictionary_encode(run.doc_ids)
    names = own.dictionary
    keys = keys_of(names, rule)
    found = _places(keys, names, vocabulary, rule)
    judged = vocabulary.take(pa.array(np.maximum(found, 0))) if len(vocabulary) else keys
    new = pc.if_else(pa.array(found >= 0), judged, keys)
    return strings(new.take(own.indices))


def matched(run: Run, qrels: Qrels, rule: str) -> Run:
    """The run with the ids of :func:`matched_ids`, ranked again: ties are broken by ids.

    Raises OptionError for a rule that does not exist, or that makes one of two documents of a query."""
    ids = matched_ids(run, qrels, rule)
    codes = group_of_each(run.offsets)
    joined = len(repeated_rows(codes, ids))
    if joined:
        raise OptionError(
            f"the id rule {rule} makes {joined:,} documents of run {run.name} another one of the same query: "
            "say which score counts, --rollup first, best or sum"
        )
    return replace(
        Run.from_columns(
            run.query_ids, codes, ids, np.array(run.scores), name=run.name, tag=run.tag, origin=run.origin,
            attributes=run.attributes, components=run.components, distinct=True,
        )
    )  # fmt: skip


def found_documents(run: Run, qrels: Qrels) -> tuple[int, int]:
    """How many judged documents of the run's queries the run returns, and how many there are."""
    side = _Sides(run, qrels)
    return side.count(side.run_ids, side.judged_ids), len(side.judged_ids)


def proposals(
    run: Run, qrels: Qrels, most: int = 4, heard: Callable[[float], None] | None = None
) -> tuple[Proposal, ...]:
    """The rules under which clearly more judged documents would match than do, most matches first, of equals the
    shorter.

    Many chains are tried on a part of a large run, the few best counted on as many of its queries as hold
    ``COUNTED_ROWS`` rows. A chain that another with fewer
    steps equals is left out, and one that gains less than half of what the best one gains. ``heard`` is told the share
    that is done, and ends the work by raising."""
    tell = heard or _unheard
    sample = _Sides(run, qrels, _SAMPLE_ROWS, _SAMPLE_DEPTH)
    if not len(sample.judged_ids) or not len(sample.run_ids):
        return ()
    now = sample.count(sample.run_ids, sample.judged_ids)
    least = max(1.0, CLEARLY * min(len(sample.judged_ids), len(sample.run_ids)))
    if min(len(sample.judged_ids), len(sample.run_ids)) - now < least:
        return ()
    tried = []
    for place, (rule, count) in enumerate(_tried(sample)):
        tell(0.5 * place / (place + 20))
        tried.append((now - count, rule.count("+"), place, rule))
    tried.sort()
    best: list[str] = []
    for lost, _, _, rule in tried:
        if -lost < max(least, _SHARE_OF_BEST * -tried[0][0]) or len(best) >= most:
            break
        steps = set(parse_rule(rule))
        # Of two that find as many the simpler is the one to read; it stands first.
        if not any(set(parse_rule(one)) <= steps for one in best):
            best.append(rule)
    if not best:
        return ()
    every = _Counted(run, qrels, COUNTED_ROWS)
    found = []
    for place, rule in enumerate(best):
        tell(0.5 + 0.5 * place / len(best))
        found.append(every.proposal(rule))
    return tuple(sorted((one for one in found if one.after > one.before), key=lambda one: (-one.after, one.joined)))


def _unheard(share: float) -> None:
    """Progress that nobody asked for."""


class _Counted:
    """The queries that run and qrels have in common, the first of them up to so many rows, ids as numbers: a rule
    costs the distinct ids and not the rows."""

    def __init__(self, run: Run, qrels: Qrels, most: int) -> None:
        shared = [(place, run.query_index[one]) for place, one in enumerate(qrels.query_ids) if one in run.query_index]
        sizes = np.diff(run.offsets)[[mine for _, mine in shared]]
        kept = max(1, int(np.searchsorted(np.cumsum(sizes), most, side="right")))
        self._part = kept if kept < len(shared) else None
        shared, sizes = shared[:kept], sizes[:kept]
        self._queries = np.repeat(np.arange(len(shared)), sizes)
        self._ids = run.doc_ids.take(pa.array(_rows(run.offsets[:-1], [mine for _, mine in shared], sizes)))
        coded = pc.dictionary_encode(self._ids)
        self._names = coded.dictionary
        self._codes = coded.indices.to_numpy(zero_copy_only=False)
        theirs = [place for place, _ in shared]
        counts = np.diff(qrels.offsets)[theirs]
        judged = qrels.doc_ids.take(pa.array(_rows(qrels.offsets[:-1], theirs, counts)))
        self._vocabulary = pc.unique(qrels.doc_ids if self._part is None else judged)
        places = pc.index_in(judged, value_set=self._vocabulary).to_numpy(zero_copy_only=False).astype(np.int64)
        self._width = max(1, len(self._vocabulary))
        self._pairs = np.unique(np.repeat(np.arange(len(shared)), counts) * self._width + places)
        self._judged = int(counts.sum())
        exact = pc.index_in(self._names, value_set=self._vocabulary).fill_null(-1)
        self._exact = exact.to_numpy(zero_copy_only=False).astype(np.int64)
        self._before = len(self._found(self._exact)[0])

    def _found(self, places: Ints) -> tuple[Ints, Ints]:
        """The judged pairs that are found where distinct id ``n`` is the judged one ``places[n]``, and the first row
        of each."""
        wanted = places[self._codes]
        rows = np.flatnonzero(wanted >= 0)
        pairs = self._queries[rows] * self._width + wanted[rows]
        hits = _is_among(pairs, self._pairs)
        found, first = np.unique(pairs[hits], return_index=True)
        return found, rows[hits][first]

    def proposal(self, rule: str) -> Proposal:
        """What the rule would do to these queries."""
        keys = keys_of(self._names, rule)
        places = _places(keys, self._names, self._vocabulary, rule)
        found, rows = self._found(places)
        rows = np.sort(rows)[:50]
        mine = self._ids.take(pa.array(rows)).to_pylist()
        theirs = self._vocabulary.take(pa.array(places[self._codes[rows]])).to_pylist()
        changed = [pair for pair in zip(mine, theirs, strict=True) if pair[0] != pair[1]]
        counted = pc.value_counts(keys_of(self._vocabulary, rule, of_qrels=True)).field("counts").to_numpy()
        return Proposal(
            rule, rule_title(rule), self._before, len(found), self._judged, self._joined(keys, places),
            int(counted[counted > 1].sum()), tuple(changed[:3]), self._part,
        )  # fmt: skip

    def _joined(self, keys: Strings, places: Ints) -> int:
        """How many rows become another one of the same query."""
        new = pc.if_else(pa.array(places >= 0), self._vocabulary.take(pa.array(np.maximum(places, 0))), keys)
        coded = pc.dictionary_encode(strings(new)) if len(self._vocabulary) else pc.dictionary_encode(keys)
        if len(coded.dictionary) == len(self._names):
            return 0  # ids that were different still are
        numbers = coded.indices.to_numpy(zero_copy_only=False).astype(np.int64)
        pairs = self._queries * len(coded.dictionary) + numbers[self._codes]
        pairs.sort()
        return int((pairs[1:] == pairs[:-1]).sum())


def _is_among(values: Ints, ordered: Ints) -> Bools:
    """bool[n]: which values stand in an ascending array."""
    if not len(ordered):
        return np.zeros(len(values), dtype=np.bool_)
    place = np.minimum(np.searchsorted(ordered, values), len(ordered) - 1)
    result: Bools = ordered[place] == values
    return result


class _Sides:
    """The rows of a run and of qrels for the queries of both, or for the first of them and the tops of their lists."""

    def __init__(self, run: Run, qrels: Qrels, rows: int | None = None, depth: int | None = None) -> None:
        shared = [(place, run.query_index[one]) for place, one in enumerate(qrels.query_ids) if one in run.query_index]
        sizes = np.diff(run.offsets)[[mine for _, mine in shared]] if shared else np.empty(0, dtype=np.int64)
        sizes = sizes if depth is None else np.minimum(sizes, depth)
        if rows is not None:
            kept = max(1, int(np.searchsorted(np.cumsum(sizes), rows)))
            shared, sizes = shared[:kept], sizes[:kept]
        self.rows = _rows(run.offsets[:-1], [mine for _, mine in shared], sizes)
        self.codes = np.repeat(np.arange(len(shared)), sizes)
        self.run_ids = run.doc_ids.take(pa.array(self.rows))
        counts = np.diff(qrels.offsets)[[theirs for theirs, _ in shared]] if shared else np.empty(0, dtype=np.int64)
        self.judged_codes = np.repeat(np.arange(len(shared)), counts)
        self.judged_ids = qrels.doc_ids.take(
            pa.array(_rows(qrels.offsets[:-1], [theirs for theirs, _ in shared], counts))
        )

    def pairs(self, keys: Strings, judged: Strings) -> Ints:
        """int64[rows]: (query, judged key) as one number for each row of the run, below 0 where no judged id has it."""
        distinct = pc.unique(judged)
        place = pc.index_in(keys, value_set=distinct).fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64)
        result: Ints = np.where(place < 0, -1, self.codes * len(distinct) + place)
        return result

    def count(self, keys: Strings, judged: Strings) -> int:
        """How many judged documents the keys find; keys that two judged ids of a query share find none."""
        distinct = pc.unique(judged)
        place = pc.index_in(judged, value_set=distinct).to_numpy(zero_copy_only=False).astype(np.int64)
        wanted, times = np.unique(self.judged_codes * len(distinct) + place, return_counts=True)
        return int(np.isin(wanted[times == 1], self.pairs(keys, judged)).sum())


def _rows(starts: Ints, places: list[int], sizes: Ints) -> Ints:
    """The flat rows of some groups, their first ``sizes`` ones."""
    before = np.repeat(np.cumsum(sizes) - sizes, sizes)
    return np.repeat(starts[places], sizes) + np.arange(int(sizes.sum())) - before


def _tried(side: _Sides) -> Iterator[tuple[str, int]]:
    """Every chain that changes something, with its matches in the sample."""
    yield from _walk(side, (), list(STEPS), side.run_ids, side.judged_ids)
    for rule in _affixes(side):
        yield rule, side.count(keys_of(side.run_ids, rule), keys_of(side.judged_ids, rule, of_qrels=True))


def _walk(
    side: _Sides, done: tuple[str, ...], steps: list[str], keys: Strings, judged: Strings
) -> Iterator[tuple[str, int]]:
    for place, step in enumerate(steps):
        mine = _stepped(keys, step)
        theirs = judged if step in JOINING else _stepped(judged, step)
        if mine.equals(keys) and theirs.equals(judged):
            continue
        chain = (*done, step)
        yield "+".join(chain), side.count(mine, theirs)
        yield from _walk(side, chain, steps[place + 1 :], mine, theirs)


def _affixes(side: _Sides, most: int = 3) -> list[str]:
    """Rules that cut off what stands around a judged id in the run's ids of the same query, or the other way round."""
    found: Counter[tuple[str, str]] = Counter()
    queries = min(20, int(side.codes.max(initial=-1)) + 1)
    for query in range(queries):
        judged = side.judged_ids.filter(pa.array(side.judged_codes == query))[:50].to_pylist()
        for mine in side.run_ids.filter(pa.array(side.codes == query)).to_pylist():
            for theirs in judged:
                short, long = sorted((mine, theirs), key=len)
                start = long.find(short) if short != long else -1
                if start >= 0:
                    found[long[:start], long[start + len(short) :]] += 1
    rules = []
    for (before, behind), times in found.most_common(most):
        if times > 1 and (before or behind):
            parts = [f"prefix={_quoted(before)}"] * bool(before) + [f"suffix={_quoted(behind)}"] * bool(behind)
            rules.append("+".join(parts))
    return rules


def _places(keys: Strings, names: Strings, vocabulary: Strings, rule: str) -> Ints:
    """The place in the vocabulary of each of the run's distinct ids; -1 where none, or more than one, has its key."""
    theirs = keys_of(vocabulary, rule, of_qrels=True)
    counted = pc.value_counts(theirs)
    single = counted.field("values").filter(pa.array(counted.field("counts").to_numpy() == 1))
    kept = np.flatnonzero(pc.is_in(theirs, value_set=single).to_numpy(zero_copy_only=False))
    place = pc.index_in(keys, value_set=theirs.take(pa.array(kept))).fill_null(-1).to_numpy(zero_copy_only=False)
    by_key = kept[place] if len(kept) else np.full(len(keys), -1)
    exact = pc.index_in(names, value_set=vocabulary).fill_null(-1).to_numpy(zero_copy_only=False)
    result: Ints = np.where(exact >= 0, exact, np.where(place >= 0, by_key, -1))
    return result


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
