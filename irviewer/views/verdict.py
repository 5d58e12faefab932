"""Whether one run is better than another: the answer under the declared family, what could turn it round, the queries
that decide it, where the rest is lost, and what to do next."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import Annotated

from irviewer.analysis.failures.losses import PART_MEANINGS, PART_TITLES, PARTS
from irviewer.analysis.planning.detectable import detectable
from irviewer.analysis.slices.chosen import choose_attributes
from irviewer.analysis.statistics.result_comparison import ComparisonOptions, comparison_options, untestable
from irviewer.analysis.statistics.run_comparison import conclusion
from irviewer.analysis.statistics.run_values import RunValues
from irviewer.analysis.verdict.changes import Change
from irviewer.analysis.verdict.deciding import LOSES
from irviewer.analysis.verdict.headline import Form, Headline, headline
from irviewer.analysis.verdict.loss import most_lost, no_parts
from irviewer.analysis.verdict.verdict import Verdict, verdict
from irviewer.errors import MeasureError, OptionError, UndecidedError
from irviewer.evaluation.answer_cautions import OF_NUGGETS
from irviewer.evaluation.answer_sources import LABELLED, of_one_assigner
from irviewer.evaluation.bind import BoundProtocol
from irviewer.evaluation.evaluation_cache import Evaluation
from irviewer.measures.answered import parts_of, reads_grades
from irviewer.measures.base import Measure
from irviewer.model.answers.assigner_names import Kind, assigner_names, labels_in, system_name, title_of
from irviewer.model.attributes.queries import slices_of
from irviewer.model.number_text import limit, p_text
from irviewer.model.protocol_line import BY_LOOK
from irviewer.model.run import Run
from irviewer.model.workspace import JudgmentSet
from irviewer.tables import column
from irviewer.tables.column import ComparisonFamily
from irviewer.tables.table import Remark, Table
from irviewer.translation import tr, trc, trn
from irviewer.views.inputs import Inputs, Part, Token
from irviewer.views.pairs import family_of, pair_columns
from irviewer.views.result import ViewResult
from irviewer.views.view import ResultView, a_run

OTHER_MEASURES = ("nDCG@10", "AP", "RR", "P@10", "R@100")
"""The measures that are tried where the protocol reports none."""


@dataclass(frozen=True, eq=False)
class ShownVerdict:
    """A verdict with the texts of its deciding queries, "" for those without one: those of the table, and the further
    ones for the run and against it. ``lacking`` says of each run that is left out, since it lacks what the measure
    reads, what it needs."""

    verdict: Verdict
    texts: tuple[str, ...]
    further_texts: tuple[str, ...] = ()
    lacking: tuple[str, ...] = ()


def compute(
    inputs: Inputs,
    protocol: BoundProtocol,
    *,
    run: Annotated[
        str, a_run(tr("the run asked about; without it the best one, which the verdict says"), title=tr("run"))
    ] = "",
    against: Annotated[str, a_run(tr("what it is compared with; without it the baseline"), title=tr("against"))] = "",
    progress: Callable[[float], None] | None = None,
) -> ShownVerdict:
    """Ask whether one run is better than another, and what could change the answer.

    Raises OptionError for fewer than two runs, and for a pair that is not in the declared family; MeasureError for a
    pair of which one lacks what the measure reads."""
    part = inputs.one
    part.refuse(tr("Verdict"), "weights")
    places = [place for place in protocol.runs if place not in protocol.undecided]
    if not places:
        part.check_matched(protocol.runs)
    places = part.comparable(places, (run, against))
    named = [part.names.index(name) for name in (run, against) if name in part.names]
    under_others: Collection[int] = protocol.under_others
    if under_others and protocol.baseline is None and named and named[0] in places:
        kept, _ = of_one_assigner([part.runs[place] for place in places], part.measure, places.index(named[0]))
        under_others = [place for number, place in enumerate(places) if number not in kept]
    compared = [place for place in places if place not in under_others or place in named]
    places = compared if len(compared) > 1 else places
    values = part.values(places)
    if protocol.baseline is not None and protocol.baseline not in places:
        part.check_matched([protocol.baseline])
    answer = answer_under(
        values, protocol, part.measure, [part.runs[place] for place in places],
        _place(values, run), _place(values, against),
        others=[part.runs[place] for place in under_others if place not in places],
    )  # fmt: skip
    options, baseline = _options(protocol), _baseline(values, protocol)
    judgments = part.judgments
    assert judgments is not None  # there are values
    # Without names, so that a text with a value of its own for each query is left out, as in Slices.
    attributes = choose_attributes(part.query_attributes, (), values.query_ids)
    result = verdict(
        answer, values, options, part.qrels, [part.runs[place] for place in places], part.measure, part.options,
        judgments.regime, baseline=baseline, judges=_by_judges(part, places),
        assigners=_by_assigners(part, places, (places[answer.pair.run], places[answer.pair.other])),
        measures=_by_measures(part, places),
        slicings=[slices_of(attribute, values.query_ids) for attribute in attributes], progress=progress,
    )  # fmt: skip
    deciding = result.deciding
    texts, further_texts = (
        tuple([part.collection.query_text(each.query) for each in queries])
        for queries in (
            (*deciding.for_it, *deciding.against_it), (*deciding.further_for_it, *deciding.further_against_it),
        )
    )  # fmt: skip
    return ShownVerdict(result, texts, further_texts, tuple(part.lacking([part.measure])))


def answer_under(
    values: RunValues, bound: BoundProtocol, measure: Measure, runs: Sequence[Run], run: int | None = None,
    other: int | None = None, others: Sequence[Run] = (),
) -> Headline:  # fmt: skip
    """Return the answer under a protocol: whether a run is better than another, None: the best one, and the baseline.

    ``values`` are those of the runs that can be compared, ``runs``; ``others`` are their systems under other assigners.
    Of a system that several assigners labelled one run alone can be chosen: that under the assigner of the run that is
    given, else of the baseline, else of the first run.
    Raises OptionError for fewer than two, and for a pair that is not in the declared family."""
    baseline = _baseline(values, bound)
    first = next((place for place in (run, other, baseline) if place is not None), 0)
    among, assigner = of_one_assigner([*runs, *others], measure, first)
    among = [place for place in among if place < len(runs)]
    answer = headline(
        values, _options(bound), baseline=baseline, run=run, other=other,
        margin=bound.protocol.inference.smallest or None, among=among,
    )  # fmt: skip
    return answer if None not in (run, other) else replace(answer, labels_of=assigner)


def _options(bound: BoundProtocol) -> ComparisonOptions:
    return comparison_options(
        bound.protocol.inference, units=bound.units, looked=bound.looked, comparisons=bound.facts.comparisons or 0
    )


def _baseline(values: RunValues, bound: BoundProtocol) -> int | None:
    """Return the place of the baseline among the runs that can be compared; None where all pairs are."""
    return None if bound.baseline is None else values.names.index(bound.names[bound.baseline])


def _place(values: RunValues, name: str) -> int | None:
    """Return the place of a run by its name, None for "". Raises OptionError."""
    return values.place(name) if name else None


def _by_judges(part: Part, places: Sequence[int]) -> list[tuple[str, RunValues]]:
    """Return the values under the collection's other judgments, of the queries that they have in common with these;
    judges with none of them, and those of another kind, are left out: qrels of documents change no score of nuggets,
    and nuggets give no grades."""
    values = []
    of_nuggets = any(each.name in {*OF_NUGGETS, "ContextR"} for each in parts_of(part.measure))
    for other in part.collection.judgments:
        common = tuple(query for query in part.query_ids if query in other.qrels.query_index)
        is_of_kind = reads_grades(part.measure) or (of_nuggets and other.qrels.nuggets is not None)
        if other is part.judgments or not common or not is_of_kind:
            continue
        under = _under(part, other, common)
        if not any(map(under.why_incomparable, places)):
            values.append((_judge(other), under.values(places)))
    return values


def _by_assigners(part: Part, places: Sequence[int], pair: tuple[int, int]) -> list[tuple[str, RunValues]]:
    """Return the values under the labels of other assigners, or judges of support, who labelled the answers of both
    systems asked about: of the topics that they labelled. A run whose answers one did not label keeps its labels."""
    read = {each.name for each in parts_of(part.measure)}
    systems = [system_name(run) for run in part.runs]
    values = []
    for kind in (kind for kind, families in LABELLED.items() if read & families):
        names = assigner_names(part.runs, kind)
        of_assigner: dict[str, dict[str, int]] = {}
        for place, name in enumerate(names):
            if name and name not in {names[place] for place in pair}:
                of_assigner.setdefault(name, {}).setdefault(systems[place], place)
        for name, own in of_assigner.items():
            if len({own.get(systems[place]) for place in pair} - {None}) < len(pair):
                continue
            labelled = [_labelled_topics(part.runs[own[systems[place]]], kind) for place in pair]
            common = tuple(query for query in part.query_ids if all(query in topics for topics in labelled))
            taken = [own.get(systems[place], place) for place in places]
            if common and not any(map(part.why_incomparable, taken)):
                under = replace(part, protocol=replace(part.protocol, query_ids=common, undecided=()))
                shown = replace(under.values(taken), names=tuple(part.names[place] for place in places))
                values.append((title_of(name), shown))
    return values


def _labelled_topics(run: Run, kind: Kind) -> frozenset[str]:
    labels = None if run.answered is None else labels_in(run.answered, kind)
    return frozenset(() if labels is None else labels.topics)


def _judge(judgments: JudgmentSet) -> str:
    return judgments.qrels.name


def _under(part: Part, judgments: JudgmentSet, query_ids: tuple[str, ...]) -> Part:
    """Return a part with other judgments and some of its queries."""
    protocol = replace(part.protocol, query_ids=query_ids, undecided=())
    return replace(part, judgments=judgments, protocol=protocol, evaluation=Evaluation(), token=Token())


def _by_measures(part: Part, places: Sequence[int]) -> list[tuple[str, RunValues]]:
    """Return the values by the other measures of the protocol, else by well-known ones; measures that cannot be tested
    here, or have nothing to read, are left out."""
    names = part.protocol.protocol.measures[1:] or OTHER_MEASURES
    by_measure: dict[str, RunValues] = {}
    for name in names:
        try:
            measure = part.measure_named(name)
            known = not any(part.why_incomparable(place, measure) for place in places)
            if known and measure != part.measure and not untestable(measure):
                values = part.values(places, measure)
                by_measure.setdefault(values.measure, values)
        except (MeasureError, OptionError, UndecidedError):
            continue
    return list(by_measure.items())


# --- what is shown ---


def tables(shown: ShownVerdict, bound: BoundProtocol) -> ViewResult:
    """Return the tables ``verdict``, ``changes``, ``tried``, ``queries``, ``loss`` and ``next``."""
    result = shown.verdict
    every = [_verdict(result, bound), _changes(result), _tried(result), _queries(result, shown.texts)]
    if result.losses:
        every.append(_loss(result))
    every.append(_next(result))
    return ViewResult(shown, tuple(every), sentences=_sentences(shown))


def _sentences(shown: ShownVerdict) -> tuple[Remark, ...]:
    result = shown.verdict
    lost = () if result.losses else (Remark("loss", no_parts(result.measure), warns=False),)
    return (*remarks(result.answer), *(Remark("lacking", why) for why in shown.lacking), *lost)


def remarks(answer: Headline) -> tuple[Remark, ...]:
    """Return an answer in sentences, each with a code: ``headline`` always, the others where they apply."""
    pair = answer.pair
    said = [Remark("headline", answer.sentence, {"form": answer.form.value}, warns=False)]
    if answer.choice:
        said.append(Remark("chosen", answer.choice, {"among": answer.chosen_among}))
    if answer.labels_of:
        said.append(Remark("labels_of", tr(
            "Several assigners labelled the same systems: one run of each was compared, under the labels of {name}. "
            "Name a run to ask about another.", name=answer.labels_of,
        )))  # fmt: skip
    if answer.why:
        said.append(Remark("why", answer.why))
    chosen = answer.is_simultaneous
    if pair.n:  # with one interval: of a run that was chosen by its result, that which is said below
        said.append(Remark("conclusion", f"{conclusion(pair, with_interval=not chosen)}.", warns=False))
    if pair.remains and not chosen:
        said.append(Remark("remains", pair.remains, warns=False))
    if answer.margins is not None and answer.form.side:
        side = answer.margins if answer.form.side > 0 else answer.margins.flipped
        said.append(Remark("margin", tr(
            "More than {m}: one-sided {p} after correction; below {level} it is shown.",
            m=limit(side.margin), p=p_text(side.more.p_corrected), level=limit(side.more.level),
        ), warns=False))  # fmt: skip
    if answer.untested:
        said.append(Remark("untested", answer.untested))
    needed = needed_sentence(answer)
    if needed:
        said.append(Remark("needed", needed, warns=False))
    if chosen and answer.simultaneous is not None:
        said.append(Remark("simultaneous", tr(
            "For a run so chosen the interval of {name} is {interval} ({note}).", name=answer.change.quantity,
            interval=answer.change.ends, note=answer.simultaneous.note,
        ), warns=False))  # fmt: skip
    return tuple(said)


def needed_sentence(answer: Headline) -> str:
    """Return how many queries would show the smallest difference that matters, where nothing is shown: from that
    difference and the spread of the differences, never from the difference seen. "" where it is not known."""
    pair = answer.pair
    if answer.margin is None or answer.form.side or answer.form in (Form.FEW, Form.EQUAL, Form.EQUIVALENT):
        return ""
    if pair.unit:
        return ""  # how many queries further units have is not known
    alpha = pair.alpha / max(1, pair.decision.comparisons)
    needed = detectable(pair.n, pair.deviation, alpha=alpha, smallest=answer.margin).needed
    if needed is None or needed <= pair.n:
        return ""
    return trn(
        "{n:,} query would show a true difference of {m} in 8 of 10 cases, at the spread of these ({k}, Bonferroni).",
        "{n:,} queries would show a true difference of {m} in 8 of 10 cases, at the spread of these ({k}, Bonferroni).",
        needed, m=limit(answer.margin), k=trn("{n:,} comparison", "{n:,} comparisons", pair.decision.comparisons),
    )  # fmt: skip


def _verdict(result: Verdict, bound: BoundProtocol) -> Table:
    answer, pair = result.answer, result.answer.pair
    name = "pairs" if bound.baseline is None else "runs"
    margins, together = answer.margins, answer.simultaneous
    tests = () if margins is None else (
        column.number("smallest", tr("smallest difference that matters"), [margins.margin], detail=True),
        *(column.p_value(f"p_{key}", title, [test.p_corrected], None, detail=True)
          for key, title, test in (
              ("more", tr("p of more than it"), margins.more), ("less", tr("p of less than it"), margins.less),
              ("not_worse", tr("p of not worse by it"), margins.above),
              ("more_worse", tr("p of worse by more than it"), margins.below))),
    )  # fmt: skip
    low, high = (answer.change.low, answer.change.high) if answer.is_simultaneous else (math.nan, math.nan)
    chosen = () if together is None else (
        column.count("chosen_among", tr("chosen among"), [answer.chosen_among], detail=True),
        column.interval("simultaneous", tr("simultaneous interval"), [low], [high],
                        of="ratio" if pair.geometric else "difference", log=pair.geometric, detail=True),
    )  # fmt: skip
    return Table("verdict", answer.sentence, (
        column.text("form", tr("verdict"), [answer.form.value], detail=True),
        column.run("run", tr("run"), [pair.run_name]),
        column.run("other", tr("against"), [pair.other_name]),
        column.measures("measure", tr("measure"), [pair.measure]),
        column.count("n", tr("queries"), [pair.n]),
        column.number("mean", tr("mean"), [pair.mean]),
        column.number("other_mean", tr("other's mean"), [pair.other_mean]),
        *pair_columns([pair], family_of(name, pair.decision, pair.alpha)),
        column.text("test", tr("test"), [pair.declared], detail=True),
        *tests, *chosen,
    ), keys=[(pair.run_name, pair.other_name)], opens="queries")  # fmt: skip


KINDS = {
    "judgments": tr("more judgments"), "judge": tr("another judge"), "assigner": tr("another assigner"),
    "measure": tr("another measure"),
    "slices": tr("kinds of queries"), "queries": tr("few queries"), "test": tr("another test"),
}  # fmt: skip
STATUSES = {"holds": tr("● holds"), "open": tr("◐ too small to tell"), "turns": tr("○ would turn"),
            "unknown": tr("– not known")}  # fmt: skip
OPENS = {"judgments": "pool", "judge": "judges", "assigner": "assigners", "measure": "systems", "slices": "slices",
         "queries": "queries", "test": "comparison"}  # fmt: skip
"""The view that has the evidence of a row."""


def _becomes(change: Change, verdict: int) -> str:
    """Return what becomes of a verdict in words: a row that shows what the verdict does not show could decide it."""
    # A slice in which a difference is shown decides nothing for all queries.
    if not verdict and change.kind != "slices" and any(each.side for each in change.tried):
        return tr("◐ could decide it")
    return STATUSES[change.status]


def _changes(result: Verdict) -> Table:
    changes, verdict = result.changes, result.answer.form.side
    return Table("changes", result.heading, (
        column.text("change", tr("if one changed"), [change.kind for change in changes],
                    texts=[KINDS[change.kind] for change in changes]),
        column.text("status", tr("verdict"), [change.status for change in changes],
                    texts=[_becomes(change, verdict) for change in changes]),
        column.text("found", trc("what was found, not how many", "found"), [None] * len(changes),
                    texts=[change.found for change in changes]),
        column.count("tried", tr("tried"), [len(change.tried) for change in changes], detail=True),
        column.count("shown_better", tr("shown better"), [_count(change, 1) for change in changes], detail=True),
        column.count("shown_worse", tr("shown worse"), [_count(change, -1) for change in changes], detail=True),
        column.text("evidence", tr("evidence"), [OPENS[change.kind] for change in changes], detail=True),
    ), keys=[change.kind for change in changes], notes=(
        Remark("exploratory", tr("All rows are exploratory: nobody declared them before."), warns=False),
    ))  # fmt: skip


def _count(change: Change, side: int) -> int:
    return sum(each.side == side for each in change.tried)


def _tried(result: Verdict) -> Table:
    rows = [(change, each) for change in result.changes for each in change.tried]
    family = ComparisonFamily("changes", len(rows), "", exploratory=True)
    words = {1: tr("shown to be better"), -1: tr("shown to be worse"), 0: tr("no difference shown")}
    codes = {1: "better", -1: "worse", 0: "open"}
    return Table("tried", tr("What was tried"), (
        column.text("change", tr("if one changed"), [change.kind for change, _ in rows],
                    texts=[KINDS[change.kind] for change, _ in rows]),
        column.text("name", tr("changed to"), [each.name for _, each in rows],
                    texts=[each.shown for _, each in rows]),
        column.difference("difference", "Δ", [each.difference for _, each in rows], better_up=True, decides=False,
                          family=family),
        column.outcome("outcome", tr("outcome"), [codes[each.side] for _, each in rows],
                       texts=[tr("too few queries") if each.weak else words[each.side] for _, each in rows]),
        column.flag("weak", tr("too few queries"), [each.weak for _, each in rows], detail=True),
    ), keys=[(change.kind, number) for number, (change, _) in enumerate(rows)],
        notes=(Remark("better", tr("Δ is above 0 where the run is better."), warns=False),))  # fmt: skip


def _queries(result: Verdict, texts: Sequence[str]) -> Table:
    deciding, pair = result.deciding, result.answer.pair
    rows = (*deciding.for_it, *deciding.against_it)
    notes = []
    if deciding.better:
        notes.append(Remark("half", trn(
            "{half} of the {n:,} query on which it is better carries half of the gain.",
            "{half:,} of the {n:,} queries on which it is better carry half of the gain.",
            deciding.better, half=deciding.half,
        ), warns=False))  # fmt: skip
    sides = ["for"] * len(deciding.for_it) + ["against"] * len(deciding.against_it)
    words = {"for": tr("for it"), "against": tr("against it")}
    return Table("queries", tr("Queries that decide it"), (
        column.text("side", tr("side"), sides, texts=[words[side] for side in sides]),
        column.identifier("query", tr("query"), [row.query for row in rows]),
        column.text("text", tr("text"), list(texts), detail=not any(texts)),
        column.number("value", pair.run_name, [row.value for row in rows]),
        column.number("other_value", pair.other_name, [row.other_value for row in rows]),
        column.difference("gain", tr("gain"), [row.gain for row in rows], better_up=True, decides=False,
                          tip=tr("The difference of the values, above 0 where the run is better.")),
        column.count("relevant", tr("relevant in the top"), [row.found[0] for row in rows], detail=True),
        column.count("other_relevant", tr("other's relevant in the top"), [row.found[1] for row in rows], detail=True),
        column.rank("first", tr("first relevant"), [row.first[0] or None for row in rows], detail=True),
        column.rank("other_first", tr("other's first relevant"), [row.first[1] or None for row in rows], detail=True),
        column.text("cause", tr("cause"), [None] * len(rows), texts=[row.cause for row in rows]),
    ), keys=[row.query for row in rows], opens="query", notes=tuple(notes))  # fmt: skip


def _loss(result: Verdict) -> Table:
    run, other = (loss.means for loss in result.losses)
    gained = tuple(theirs - own for own, theirs in zip(run, other, strict=True))
    rows = (run, other, gained)
    names = (*(loss.run for loss in result.losses), None)
    whole = sum(run)
    notes = []
    if whole > 0:
        most = max(range(3), key=lambda part: run[part])
        notes.append(Remark("most", most_lost(result.losses[0]), {"part": PARTS[most]}, warns=False))
    return Table("loss", tr("Where the rest is lost"), (
        column.run("run", tr("run"), list(names)),
        *(column.number(name, PART_TITLES[name], [row[place] for row in rows], tip=PART_MEANINGS[name])
          for place, name in enumerate(PARTS)),
        column.number("total", tr("lost"), [sum(row) for row in rows],
                      tip=tr("The best possible value less the run's; the last row is what is gained.")),
    ), keys=("run", "other", "gained"), notes=tuple(notes))  # fmt: skip


def _next(result: Verdict) -> Table:
    rows = _steps(result)
    looks = tr("To add queries to the present ones and test again errs more often, unless looks were declared.")
    notes = (Remark("looks", looks, warns=False),) if any(code == "queries" for code, _, _ in rows) else ()
    return Table("next", tr("What to do next"), (
        column.count("number", tr("number"), list(range(1, len(rows) + 1))),
        column.text("step", tr("step"), [code for code, _, _ in rows], texts=[text for _, text, _ in rows]),
        column.text("view", tr("view"), [view for _, _, view in rows], detail=True),
    ), keys=[code for code, _, _ in rows], notes=notes)  # fmt: skip


def _steps(result: Verdict) -> list[tuple[str, str, str]]:
    """Return at most four things to do, each from a finding: a code, a sentence and the view that it opens."""
    steps = []
    by_kind = {change.kind: change for change in result.changes}
    worst = [row for row in result.deciding.against_it if row.gain <= -LOSES]
    if worst:
        steps.append(("losing", tr("Read the queries where it loses {loss} or more.", loss=limit(LOSES)), "queries"))
    if result.losses:
        not_retrieved, too_low, order = result.losses[0].means
        if order > max(not_retrieved, too_low):
            steps.append(("order", tr("See which non-relevant documents it ranks above relevant ones in its top."),
                          "failures"))  # fmt: skip
        elif too_low > not_retrieved:
            steps.append(("too_low", tr("See which relevant documents it retrieves too low."), "failures"))
        elif not_retrieved > 0:
            steps.append(("retrieve", tr("See which relevant documents it does not retrieve."), "failures"))
    judgments = by_kind.get("judgments")
    if judgments is not None and judgments.status != "holds" and judgments.tried:
        steps.append(("unjudged", tr("Judge the documents that leave it open."), "pool"))
    judge = by_kind.get("judge")
    if judge is not None and judge.status != "holds":
        steps.append(("trust", tr("See what the other judge can stand for."), "judge"))
    assigner = by_kind.get("assigner")
    if assigner is not None and assigner.status != "holds":
        steps.append(("assigners", tr("See on which labels the assigners differ."), "assigners"))
    form = result.answer.form
    # Equal and equivalent runs leave nothing to be found by more queries, nor does a run that is not better by as much.
    if form in (Form.FEW, Form.UNKNOWN, Form.NOT_WORSE) and len(steps) < 4:
        steps.append(("queries", tr("Plan how many new queries are needed, and test on them alone."), "plan"))
    if form.side > 0 and form is not Form.BETTER_BY_LESS:
        steps.append(("gate", tr("Keep this verdict as a gate for the next run."), "gate"))
    return steps[:4]


VIEW = ResultView(
    "verdict", compute, tables, title=tr("Verdict"), uses=BY_LOOK, needs=("judgments", "lists", "two runs"),
    judges=True,
)  # fmt: skip
