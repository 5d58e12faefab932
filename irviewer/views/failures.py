"""The failures of runs as tables: queries on which they fail, how many of each kind, the causes of a run's loss with
their shares, and documents that many queries retrieve."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import partial
from typing import Annotated, Any

import numpy as np

from irviewer.analysis.failures.causes import Cause, RunCauses
from irviewer.analysis.failures.detect import FailuresOfRuns, failures_of_runs
from irviewer.analysis.failures.hubs import Hubs
from irviewer.analysis.failures.kinds import KINDS, Failures, Limits
from irviewer.analysis.failures.losses import PART_MEANINGS, PART_TITLES, PARTS, RunLosses
from irviewer.analysis.failures.near_duplicates import MOST_LISTS
from irviewer.analysis.failures.relevant_ranks import RelevantRanks
from irviewer.analysis.failures.shares import LEAST_SAMPLE
from irviewer.analysis.verdict.loss import no_parts
from irviewer.errors import name_some
from irviewer.evaluation.bind import BoundProtocol
from irviewer.measures.base import Measure
from irviewer.model.arrays import Bools, Floats, Ints
from irviewer.model.failure_tags import Look, RunTags, by_names, failure_tags_of
from irviewer.model.number_text import percent, quantity
from irviewer.model.workspace import Regime
from irviewer.tables import column
from irviewer.tables.lazy_texts import LazyTexts
from irviewer.tables.table import Mark, Remark, Table
from irviewer.translation import tr, trc, trn
from irviewer.views.inputs import Inputs, Part
from irviewer.views.keys import data_keys
from irviewer.views.provenance import provenance
from irviewer.views.result import ViewResult
from irviewer.views.selection import lists_of
from irviewer.views.view import ResultView, a_run, option

ALONE = "◆"
"""Marks the rank of a document that no other run retrieves."""


def tables(
    result: FailuresOfRuns, bound: BoundProtocol | None, *, kinds: Collection[str] = (), runs: int | None = None,
    outside: Sequence[str] = (), hidden: Sequence[str] = (),
) -> ViewResult:  # fmt: skip
    """Return the tables ``failures`` (of these kinds; () for all), ``counts``, of one run ``causes`` and ``loss``, and,
    where they were sought, ``hubs``. The first two have the first ``runs`` runs, None: all. Of these ``outside`` take
    no part in comparisons, while ``hidden`` do and are not among them."""
    asked = _limits(result.failures.limits) | {"run": result.run}
    source = provenance(VIEW.name, bound, VIEW.record(asked, kinds=tuple(kinds) or None))
    first = result
    if runs is not None and runs < len(result.runs):
        first = replace(result, failures=result.failures.of_runs(range(runs)), runs=result.runs[:runs])
    listing = listing_notes(outside, hidden)
    all_tables = [replace(each, notes=(*listing, *each.notes)) for each in (_failures(first, kinds), _counts(first))]
    if result.losses:
        own = listing_notes([name for name in outside if name == result.losses[0].run])
        all_tables += [replace(each, notes=(*own, *each.notes)) for each in (causes_table(result), loss_table(result))]
    if result.hubs is not None:
        all_tables.append(hubs_table(result.hubs, result.failures.query_ids, result.regime))
    return ViewResult(result, tuple(all_tables)).with_provenance(source)


def _limits(limits: Limits) -> dict[str, Any]:
    """Return the thresholds by the names of the view's parameters."""
    return {
        "cutoff": limits.cutoff, "unjudged_share": limits.unjudged, "worse": limits.worse, "hard": limits.hard,
        "above": limits.above, "near_duplicates": limits.duplicates,
    }  # fmt: skip


def hubs_tables(
    hubs: Hubs, query_ids: Sequence[str], regime: Regime, bound: BoundProtocol | None, limits: Limits
) -> ViewResult:
    """Return the table ``hubs`` alone, with the thresholds that failures would have."""
    source = provenance(VIEW.name, bound, VIEW.record(_limits(limits)))
    return ViewResult(hubs, (hubs_table(hubs, query_ids, regime),)).with_provenance(source)


def listing_notes(outside: Sequence[str], hidden: Sequence[str] = ()) -> tuple[Remark, ...]:
    """Return which of the listed runs take no part in comparisons, and which do and are not listed."""
    notes = []
    if outside:
        notes.append(Remark("outside", trn(
            "{runs} is listed, but takes no part: no value of another run depends on it.",
            "{runs} are listed, but take no part: no value of another run depends on them.",
            len(outside), runs=name_some(outside),
        ), {"runs": list(outside)}))  # fmt: skip
    if hidden:
        notes.append(Remark("hidden", trn(
            "{runs} is hidden and not listed, but takes part: the values of the others depend on it.",
            "{runs} are hidden and not listed, but take part: the values of the others depend on them.",
            len(hidden), runs=name_some(hidden),
        ), {"runs": list(hidden)}, warns=False))  # fmt: skip
    return tuple(notes)


def _notes(regime: Regime) -> tuple[Remark, ...]:
    return (Remark("regime", regime.statement, {"regime": regime.value}),)


def _of_all(result: FailuresOfRuns) -> tuple[Remark, ...]:
    """Return how the judgments were made, and the top where it is not what the measure reads, or else the usual one."""
    rank, measure = result.measure.last_rank, result.measure.text
    if result.cutoff == (rank or Limits().cutoff):
        return _notes(result.regime)
    text = trn("The top is the first document", "The top is the first {n:,} documents", result.cutoff)
    text = tr("{top}.", top=text) if rank is None else tr(
        "{top}; {measure} is cut at rank {rank:,}.", top=text, measure=measure, rank=rank
    )  # fmt: skip
    return (*_notes(result.regime), Remark("cutoff", text, {"cutoff": result.cutoff}, warns=False))


def _failures(result: FailuresOfRuns, kinds: Collection[str]) -> Table:
    failures = result.failures
    kept = sum(1 << number for number, kind in enumerate(KINDS) if not kinds or kind.name in kinds)
    places, runs = (failures.masks & kept).nonzero()
    count = int(failures.answerable.sum())
    title = trn(
        "{measure} of {n:,} query with relevant documents", "{measure} of {n:,} queries with relevant documents",
        count, measure=result.measure.text,
    )  # fmt: skip
    if result.baseline:
        title = trn(
            "{measure} of {n:,} query with relevant documents, compared with {baseline}",
            "{measure} of {n:,} queries with relevant documents, compared with {baseline}",
            count, measure=result.measure.text, baseline=result.baseline,
        )  # fmt: skip
    table = failures_table(failures, places, runs, result.runs, result.measure, kept)
    names = [table.column(key).values for key in ("query", "run")]
    return replace(table, title=title, keys=list(zip(*names, strict=True)), notes=_of_all(result))


def failures_table(
    failures: Failures, places: Ints, runs: Ints, names: Sequence[str], measure: Measure, kept: int = -1
) -> Table:
    """Return the failures of runs at some places: int64[N] indices of queries and of the runs with these names.
    ``kept`` has the bits of the kinds that are named."""
    masks, kinds_of = np.unique(failures.masks[places, runs] & kept, return_inverse=True)
    kinds = [tuple(kind.name for number, kind in enumerate(KINDS) if mask >> number & 1) for mask in masks.tolist()]
    up, k = measure.higher_is_better, failures.limits.cutoff
    sign = 1.0 if up else -1.0  # differences are the value less the other one
    first = failures.first[places, runs].astype(np.float64)
    return Table("failures", tr("Failures"), (
        column.identifier("query", tr("query"), LazyTexts(failures.query_ids, places),
                          tip=tr("Query id. A click opens the query and focuses the run.")),
        column.run("run", tr("run"), LazyTexts(names, runs), tip=tr("The run that fails")),
        column.tags("kinds", tr("failures"), LazyTexts(kinds, kinds_of), tip=tr("Kinds of failure")),
        column.number("value", measure.text, failures.values[places, runs], better_up=up, missing=tr("No value"),
                      tip=tr("{measure} of the query", measure=measure.text)),
        column.difference("to_baseline", tr("to baseline"), sign * failures.to_baseline[places, runs], better_up=up,
                          titles=("Δ ★",), tip=tr("Difference to the baseline"), missing=tr("No baseline")),
        column.difference("to_median", tr("to median"), sign * failures.to_median[places, runs], better_up=up,
                          titles=(tr("Δ median"),), tip=tr("Difference to the median of the runs that take part"),
                          missing=tr("No median")),
        column.rank("first_relevant", tr("first relevant"), np.where(first > 0, first, np.nan), titles=(tr("first"),),
                    tip=tr("Rank of the first relevant document"),
                    missing=tr("The run retrieves no relevant document.")),
        column.count("non_relevant_above", tr("non-relevant above"), failures.above[places, runs],
                     titles=(tr("above"),),
                     tip=tr("Non-relevant documents ranked above the first relevant document")),
        column.share("unjudged_on_top", tr("unjudged on top"), failures.unjudged[places, runs],
                     titles=(tr("unj@{cutoff}", cutoff=k),),
                     tip=tr("Unjudged documents among the top {cutoff}, per cent", cutoff=k)),
        column.count("near_duplicates", tr("near-duplicates"), failures.duplicates[places, runs], detail=True),
        column.count("relevant", trc("so many documents", "relevant"), failures.relevant[places], titles=(tr("rel."),),
                     tip=tr("Relevant documents in the qrels")),
        column.count("found", tr("found by {cutoff}", cutoff=k), failures.found[places, runs], of="relevant",
                     titles=(tr("in top {cutoff}", cutoff=k),),
                     tip=tr("Relevant documents ranked in the top {cutoff}", cutoff=k)),
        column.count("found_below", tr("found below"), failures.deeper[places, runs], of="relevant",
                     titles=(tr("below"),), tip=tr("Relevant documents ranked below the top {cutoff}", cutoff=k)),
    ), opens="query")  # fmt: skip


def _counts(result: FailuresOfRuns) -> Table:
    failures = result.failures
    meanings = [failures.limits.meaning(kind, result.measure.higher_is_better) for kind in KINDS]
    kinds = [kind.name for kind in KINDS]
    sought = bool(np.isfinite(failures.duplicates).any())
    known = np.array([sought or name != "duplicates" for name in kinds])
    shown = [f"{kind}: {meaning}" for kind, meaning in zip(kinds, meanings, strict=True)]
    kind = column.text("kind", tr("kind"), kinds, texts=shown)
    counts = [
        column.count(key, run, np.where(known, failures.counts[:, place], np.nan), names="run")
        for place, (key, run) in enumerate(zip(data_keys(result.runs, [kind]), result.runs, strict=True))
    ]
    notes = () if sought else (_not_sought(result),)
    return Table("counts", tr("Queries by kind of failure"), (kind, *counts), notes=notes)


GROUPS = {
    "part": tr("parts of the loss: they add up; queries where the part is the largest"),
    "kind": tr("kinds of failure: a query can have several; the share is their whole loss"),
    "tag": tr("own tags: the share is of the loss of the queries examined"),
    "rest": tr("the rest"),
}
GROUP_WORDS = {"part": tr("part"), "kind": tr("kind"), "tag": tr("tag"), "rest": tr("rest")}
"""What the causes of a group are, as the column of groups names them."""


def causes_table(result: FailuresOfRuns) -> Table:
    """Return the causes of a run's loss, a row each, with queries and share; the baseline's beside them."""
    own = result.causes[0]
    other = result.causes[1] if len(result.causes) > 1 else None
    rows = _weightiest_first(own.causes)
    beside = [None if other is None else other.cause(each.group, each.name) for each in rows]
    meanings = {kind.name: result.failures.limits.meaning(kind, result.measure.higher_is_better) for kind in KINDS}
    tips = [PART_MEANINGS.get(each.name) or meanings.get(each.name, "") for each in rows]
    title = trn(
        "Causes of the loss of {run} in {n:,} query", "Causes of the loss of {run} in {n:,} queries", own.queries,
        run=own.run,
    )  # fmt: skip
    against = () if other is None else (
        column.count("baseline_queries", tr("queries of {run}", run=other.run),
                     [np.nan if each is None else each.queries for each in beside], detail=True),
        column.share("baseline_share", tr("share of {run}", run=other.run),
                     [np.nan if each is None else each.share for each in beside]),
    )  # fmt: skip
    return Table("causes", title, (
        column.text("group", tr("group"), [each.group for each in rows],
                    texts=[GROUP_WORDS[each.group] for each in rows]),
        column.text("cause", tr("cause"), [each.name for each in rows], texts=[each.title for each in rows],
                    tips=tips.__getitem__),
        column.count("queries", tr("queries"), [each.queries for each in rows]),
        column.share("share", tr("share of the loss"), [each.share for each in rows]),
        column.interval("all_queries", tr("of all queries"), [each.low for each in rows],
                        [each.high for each in rows], detail=not any(each.low == each.low for each in rows)),
        *against,
    ), keys=[(each.group, each.name) for each in rows], notes=_causes_notes(result, own))  # fmt: skip


def _weightiest_first(causes: Sequence[Cause]) -> list[Cause]:
    """Return the causes with the kinds of failure by their share of the loss; parts and tags keep their order."""
    groups = list(GROUPS)
    return sorted(
        causes, key=lambda each: (groups.index(each.group), -np.nan_to_num(each.share) if each.group == "kind" else 0.0)
    )


def _causes_notes(result: FailuresOfRuns, own: RunCauses) -> tuple[Remark, ...]:
    """Return what the shares are of, and what was left out."""
    losses = result.losses[0]
    notes = [Remark("loss", tr("{loss}; its mean is {mean}.", loss=losses.words(result.measure.text),
                               mean=quantity(own.mean)), warns=False)]  # fmt: skip
    if losses.parts is None:
        notes.append(Remark("parts", no_parts(result.measure)))
    if not own.texts:
        notes.append(_not_sought(result))
    if own.looked:
        notes.append(Remark("examined", looked_words(own), warns=False))
        notes.append(Remark("sample", sample_words(own), warns=False))
    return tuple(notes)


def _not_sought(result: FailuresOfRuns) -> Remark:
    """Return why near-duplicates were not sought: for want of texts, or in too many lists."""
    lists = result.failures.duplicates.size
    if lists <= MOST_LISTS:
        return Remark("texts", tr("Near-duplicates were not sought: they need the texts of documents."))
    return Remark("lists", tr(
        "Near-duplicates were not sought: {n:,} lists are more than {most:,}; take fewer runs or queries.",
        n=lists, most=MOST_LISTS,
    ), {"lists": lists, "most": MOST_LISTS})  # fmt: skip


def looked_words(own: RunCauses) -> str:
    """Return what the shares of tags are of."""
    return trn(
        "Shares of tags are of the one query examined, of {all:,}; it holds {share} of the loss.",
        "Shares of tags are of the {n:,} queries examined, of {all:,}; these hold {share} of the "
        "loss.",
        own.looked, all=own.queries, share=percent(own.looked_share),
    )  # fmt: skip


def sample_words(own: RunCauses) -> str:
    """Return whether the shares of tags have intervals for all queries, and why."""
    if own.looked >= own.queries:
        return tr("All queries were examined.")
    if own.sample >= LEAST_SAMPLE:
        return tr(
            "Intervals (95 %) are for all queries, from the first {n:,} of a random order (seed {seed}).",
            n=own.sample, seed=own.seed,
        )  # fmt: skip
    return tr("They say nothing of the other queries: that takes {n:,} queries in the random order.", n=LEAST_SAMPLE)


def loss_table(result: FailuresOfRuns) -> Table:
    """Return the losses of a run by query, the largest first, with parts, causes and tags."""
    losses = result.losses[0]
    other = result.losses[1] if len(result.losses) > 1 else None
    ids = np.array(losses.query_ids, dtype=object)
    places = np.flatnonzero(~np.isnan(losses.total))
    places = places[np.lexsort((ids[places], -losses.total[places]))]
    title = tr("Loss of {run} by query: {loss}", run=losses.run, loss=losses.words(result.measure.text))
    against = () if other is None else (
        column.number("baseline_loss", tr("loss of {run}", run=other.run), other.total[places], better_up=False),
    )  # fmt: skip
    rows = [(losses, place) for place in places.tolist()]
    return Table("loss", title, _loss_columns(result, rows, against),
                 keys=[(losses.query_ids[place], losses.run) for place in places.tolist()], opens="query",
                 notes=_notes(result.regime))  # fmt: skip


def tags_table(result: FailuresOfRuns) -> Table:
    """Return the queries that were examined, of every run whose losses are given, with loss, causes and tags."""
    rows: list[tuple[RunLosses, int]] = []
    for losses in result.losses:
        looks = result.tags.of(losses.run)
        seen = [place for place, query in enumerate(losses.query_ids) if query in looks]
        lost = np.nan_to_num(losses.total)
        seen = sorted(seen, key=partial(_by_loss, losses, lost))
        rows += [(losses, place) for place in seen]
    return Table("tags", tr("Tags of failures"), _loss_columns(result, rows, ()),
                 keys=[(losses.query_ids[place], losses.run) for losses, place in rows], opens="query",
                 notes=_notes(result.regime))  # fmt: skip


def _by_loss(losses: RunLosses, lost: Floats, place: int) -> tuple[float, str]:
    return -float(lost[place]), losses.query_ids[place]


def _loss_columns(
    result: FailuresOfRuns, rows: Sequence[tuple[RunLosses, int]], against: tuple[column.Column, ...]
) -> tuple[column.Column, ...]:
    signs = {losses.run: result.signs_of(losses.run) for losses in result.losses}
    seen = [result.tags.of(losses.run).get(losses.query_ids[place]) for losses, place in rows]
    lost = np.array([losses.total[place] for losses, place in rows], dtype=np.float64)
    parts = np.full((len(PARTS), len(rows)), np.nan)
    for number, (losses, place) in enumerate(rows):
        if losses.parts is not None:
            parts[:, number] = losses.parts[:, place]
    return (
        column.identifier("query", tr("query"), [losses.query_ids[place] for losses, place in rows]),
        column.run("run", tr("run"), [losses.run for losses, _ in rows]),
        column.number("loss", tr("loss"), lost, better_up=False),
        *(column.number(name, PART_TITLES[name], parts[number], better_up=False) for number, name in enumerate(PARTS)),
        *against,
        column.tags("causes", tr("causes"), [causes_of(losses, signs[losses.run], place) for losses, place in rows]),
        column.flag("examined", tr("examined"), [look is not None for look in seen]),
        column.tags("tags", tr("tags"), [(look or Look()).tags for look in seen]),
        column.text("who", tr("by"), [None if look is None else look.who or None for look in seen], detail=True),
        column.text("when", tr("on"), [None if look is None else look.when or None for look in seen], detail=True),
    )  # fmt: skip


def causes_of(losses: RunLosses, signs: Bools, place: int) -> tuple[str, ...]:
    """Return the names of the causes of a query: the largest part of its loss, then its signs."""
    largest = int(losses.largest[place])
    part = (PARTS[largest],) if largest >= 0 else ()
    return (*part, *(kind.name for number, kind in enumerate(KINDS) if signs[number, place]))


def tags_of(part: Part) -> RunTags:
    """Return the tags of a collection by the names of its runs."""
    names = {entry.key: name for entry, name in zip(part.collection.runs, part.names, strict=True)}
    return by_names(failure_tags_of(part.collection), names)


def hubs_table(hubs: Hubs, query_ids: Sequence[str], regime: Regime) -> Table:
    """Return the non-relevant documents that several queries retrieve, those of most queries first."""
    documents = hubs.doc_ids.to_pylist()
    queries = [tuple(query_ids[place] for place in hubs.queries_of(row).tolist()) for row in range(len(documents))]
    k = hubs.depth
    return Table("hubs", tr("Non-relevant documents that several queries retrieve"), (
        column.identifier("document", tr("document"), documents, tip=tr("Document id")),
        column.count("queries", tr("misled queries"), hubs.queries,
                     tip=tr("Queries for which the document is in the top {cutoff} of a run and is not relevant",
                            cutoff=k)),
        column.count("non_relevant", tr("non-relevant"), hubs.nonrelevant,
                     tip=tr("Queries for which the document is judged non-relevant")),
        column.count("unjudged", tr("unjudged"), hubs.unjudged,
                     tip=tr("Queries for which the document is unjudged")),
        column.count("runs", tr("runs"), hubs.runs, tip=tr("Runs that rank the document there")),
        column.rank("best_rank", tr("best rank"), hubs.best, tip=tr("Best rank for a query that it misleads")),
        column.count("relevant_for", tr("relevant for"), hubs.right,
                     tip=tr("Queries for which the document is relevant and in the top {cutoff} of a run",
                            cutoff=k)),
        column.tags("for_queries", tr("for queries"), queries, tip=tr("The first queries that the document misleads")),
    ), keys=documents, opens="document", notes=_notes(regime))  # fmt: skip


def relevant_table(relevant: RelevantRanks, runs: Sequence[str], query: str, titles: Sequence[str] = ()) -> Table:
    """Return the relevant documents of a query with their ranks in each run."""
    documents = relevant.doc_ids.to_pylist()
    own = (
        column.grade("grade", tr("grade"), relevant.grades, tip=tr("Grade in the qrels")),
        column.identifier("document", tr("document"), documents, tip=tr("Document id")),
        *((column.text("title", tr("title"), titles, tip=tr("Title of the document")),) if any(titles) else ()),
        column.count("found", tr("found by"), relevant.found,
                     tip=tr("Number of runs, of {count:,}, that retrieve the document", count=len(runs))),
        column.rank("best_rank", tr("best rank"), np.where(relevant.best > 0, relevant.best, np.nan),
                    tip=tr("Best rank of the document in any run"), missing=tr("No run retrieves the document.")),
    )  # fmt: skip
    keys, unique = data_keys(runs, own), relevant.unique
    ranks = [
        column.rank(
            key, run, np.where(relevant.ranks[:, place] > 0, relevant.ranks[:, place], np.nan), names="run",
            tip=tr("Rank in {run}. ◆: no other run retrieves the document.", run=run), best=unique[:, place],
            missing=tr("Missed: the run does not retrieve the document."),
        )
        for place, (key, run) in enumerate(zip(keys, runs, strict=True))
    ]  # fmt: skip
    alone = Mark("alone", ALONE, tr("No other run retrieves the document."))
    marks = {(int(row), keys[place]): alone for row, place in np.argwhere(unique)}
    title = tr("Relevant documents of query {query}", query=query)
    return Table("relevant", title, (*own, *ranks), keys=documents, marks=marks, opens="document")


def compute(
    inputs: Inputs,
    protocol: BoundProtocol,
    *,
    cutoff: Annotated[
        int,
        option(
            tr("the ranks that count as the top; 0: the cutoff of the measure, or 10"),
            low=0,
            zero=tr("auto"),
            title=tr("cutoff"),
        ),
    ] = 0,
    unjudged_share: Annotated[
        float,
        option(tr("the least unjudged share of the top that is a failure"), low=0, high=1, title=tr("unjudged share")),
    ] = 0.5,
    worse: Annotated[
        float, option(tr("the least difference to the baseline or the median that is a failure"), title=tr("worse"))
    ] = 0.1,
    hard: Annotated[float, option(tr("a query is hard if no run reaches this value"), title=tr("hard"))] = 0.1,
    above: Annotated[
        int,
        option(
            tr("the fewest non-relevant documents above the first relevant one that are a failure"),
            low=1,
            title=tr("above"),
        ),
    ] = 3,
    near_duplicates: Annotated[
        int,
        option(
            tr("the fewest documents of the top that repeat one above which are a failure"),
            low=1,
            title=tr("near duplicates"),
        ),
    ] = 2,
    run: Annotated[str, a_run(tr("the run whose causes are summed up"), title=tr("run"))] = "",
) -> FailuresOfRuns:
    """The queries on which runs fail, and how, the causes of one run's loss, and the documents that many queries
    retrieve."""
    part = inputs.one
    part.refuse(tr("Failures"), "weights")
    qrels, runs = lists_of(part)
    baseline = None if protocol.baseline is None or len(runs) < 2 else protocol.names[protocol.baseline]
    documents = part.collection.documents
    return failures_of_runs(
        qrels, runs, part.measure,
        Limits(unjudged=unjudged_share, worse=worse, hard=hard, above=above, duplicates=near_duplicates),
        part.options, baseline=baseline, cutoff=cutoff or None, regime=Regime(protocol.protocol.rules.unjudged),
        run=run, text_of=None if documents is None else documents.text, tags=tags_of(part),
    )  # fmt: skip


VIEW = ResultView(
    "failures",
    compute,
    tables,
    title=tr("Failures"),
    uses=("rules", "scope", "baseline"),
    needs=("judgments", "grades", "lists"),
    counts_relevant=True,
    settles=("cutoff",),
)
