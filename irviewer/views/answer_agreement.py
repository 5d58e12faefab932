"""Agreement of assigners: how far two of them label the same answers alike, and what the scores of systems are under
each and corrected by the reference."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Annotated, Literal

import numpy as np

from irviewer.analysis.agreement.alternative import AlternativeTest, alternative_test
from irviewer.analysis.agreement.coefficients import COEFFICIENTS
from irviewer.analysis.agreement.corrected import FEWEST, corrected_means, sample_of
from irviewer.analysis.agreement.stress import Stress, stress
from irviewer.analysis.answers.assigners import (
    SCALE,
    AssignerPair,
    LabelledItems,
    assigner_pairs,
    labelled_items,
    whole_topics,
)
from irviewer.analysis.answers.chosen_answers import chosen_answers
from irviewer.analysis.answers.nugget_sets import TwoSets, two_sets
from irviewer.analysis.similarity.rank_correlation import tau_b
from irviewer.analysis.statistics.intervals import t_interval
from irviewer.analysis.statistics.significance.resampling import differences
from irviewer.errors import OptionError
from irviewer.evaluation.answer_cautions import OF_NUGGETS, OF_SUPPORT
from irviewer.evaluation.bind import BoundProtocol
from irviewer.evaluation.evaluate import evaluate
from irviewer.measures.answered import parts_of
from irviewer.model.answers.assigner_names import assigner_names
from irviewer.model.answers.labels import FULL, NONE, PARTIAL, UNJUDGED
from irviewer.model.answers.nuggets import within
from irviewer.model.arrays import Bools, Floats
from irviewer.model.number_text import level_text, limit, quantity
from irviewer.model.protocol import Inference
from irviewer.model.run import Run
from irviewer.tables import column
from irviewer.tables.column import Column
from irviewer.tables.table import Remark, Table
from irviewer.translation import tr, trn
from irviewer.views.agreement import estimates
from irviewer.views.annotator_test import left_out, said_of_people, sweep
from irviewer.views.answer_systems import systems_of
from irviewer.views.inputs import Inputs, Part
from irviewer.views.result import ViewResult
from irviewer.views.view import ResultView, a_measure, option

DEFAULTS = {"nuggets": "V_strict", "support": "SupportP"}
FAMILIES = {"nuggets": OF_NUGGETS, "support": OF_SUPPORT}
SHOWN = {
    "same_grade": tr("same label"), "kappa": tr("κ"), "kappa_quadratic": tr("quadratic κ"),
    "alpha_ordinal": tr("ordinal α"), "kappa_level": tr("κ of said"), "kappa_level_max": tr("largest κ of said"),
    "ac1": tr("AC1 of said"),
    "relevant": tr("agreement on said"), "nonrelevant": tr("agreement on not said"),
    "difference": tr("Δ label"),
}  # fmt: skip
"""The coefficients that are shown to people, with their titles; files have all that labels have."""
GROUPS = {"all": tr("all"), "vital": tr("vital"), "okay": tr("okay")}
LABELS = {FULL: tr("said"), PARTIAL: tr("in part"), NONE: tr("not said")}
SUPPORTS = {FULL: tr("full"), PARTIAL: tr("partial"), NONE: tr("none")}
CODES = {"nuggets": {FULL: "said", PARTIAL: "partly", NONE: "not_said"},
         "support": {FULL: "full", PARTIAL: "partial", NONE: "none"}}  # fmt: skip
Labelled = Annotated[
    Literal["nuggets", "support"],
    option(tr("what was labelled: nuggets, or the support of citations"), title=tr("labels"),
           words={"nuggets": tr("nuggets"), "support": tr("support of citations")}),
]  # fmt: skip
"""The parameter of views that says which labels they read."""


ORDERS = {"tau": tr("τ-b of all runs"), "tau_ap": tr("τ-AP"), "turned": tr("pairs turned"),
          "decided": tr("turned and decided by either")}  # fmt: skip


@dataclass(frozen=True)
class ScoreUnderTwo:
    """The mean of a system under two assigners, over the topics of which both labelled the same items, with the t
    interval of the mean difference (second minus first); and the mean of all topics of the second, corrected by the
    first where it labelled some of them, with λ, the weight of the second in that. NaN for what is not known."""

    system: str
    first: str
    second: str
    topics: int
    means: tuple[float, float]
    low: float
    high: float
    all_topics: int
    mean_of_all: float
    corrected: tuple[float, float, float]
    weight: float


@dataclass(frozen=True, eq=False)
class AssignerStress:
    """The orders of systems under two assigners if some were tuned to the second, over the ``topics`` of which both
    labelled the same items of all of the systems."""

    first: str
    second: str
    topics: int
    systems: int
    orders: Stress


@dataclass(frozen=True, eq=False)
class AnswerAgreement:
    """The agreement of assigners, and the scores under each; ``taus`` are (first, second, systems, tau-b, pairs in the
    opposite order) of the orders of systems. ``people`` is the alternative annotator test of one of the assigners
    against the others, None where none is asked about; ``epsilon`` the declared ε, None where it is not; ``stress`` the
    orders with systems tuned to an assigner, whether asked for (``stressed``). ``sets`` are the orders under assigners
    who had other nuggets."""

    items: LabelledItems
    pairs: tuple[AssignerPair, ...]
    measure: str
    scores: tuple[ScoreUnderTwo, ...]
    taus: tuple[tuple[str, str, int, float, int], ...]
    confidence: float
    people: AlternativeTest | None
    epsilon: float | None
    stress: tuple[AssignerStress, ...]
    stressed: bool
    sets: tuple[TwoSets, ...] = ()


def compute(
    inputs: Inputs,
    protocol: BoundProtocol,
    *,
    labels: Labelled = "nuggets",
    reference: Annotated[
        str, option(tr("the assigner that others are compared with and corrected by; without one the labels given by "
                       "hand, else the assigner with the fewest labels"), metavar="NAME", title=tr("reference"))
    ] = "",
    said: Annotated[
        Literal["fully", "partly"],
        option(tr("the label from which something counts as said (or supported)"), title=tr("said"),
               words={"fully": tr("in full"), "partly": tr("in part")}),
    ] = "fully",
    score: Annotated[str, a_measure(tr("the score of systems under each assigner"), title=tr("score"))] = "",
    asked: Annotated[
        str, option(tr("the assigner that is held against the others in the alternative annotator test, all of whom "
                       "count as people; without one there is no test"), metavar="NAME", title=tr("asked about"))
    ] = "",
    tuned: Annotated[
        float,
        option(tr("the share of the systems that are drawn and, for each topic, give the answer of any system that the "
                  "assigner scores highest, to see how orders part; 0: none"), low=0, zero=tr("none"), high=1,
               title=tr("tuned systems")),
    ] = 0.25,
    strength: Annotated[
        float,
        option(tr("how often they give that answer: 0 never, 1 always"), low=0, high=1, title=tr("strength")),
    ] = 1.0,
    progress: Callable[[float], None] | None = None,
) -> AnswerAgreement:  # fmt: skip
    """Agreement of assigners: how far they label the same answers alike, and scores under each."""
    part = inputs.one
    runs = systems_of(part, protocol)
    topics = list(part.query_ids)
    nuggets = part.qrels.nuggets
    items = labelled_items(runs, topics, kind=labels, nuggets=nuggets, reference=reference)
    inference = protocol.protocol.inference
    pairs = assigner_pairs(
        items, level=FULL if said == "fully" else PARTIAL, samples=inference.samples, seed=inference.seed,
        confidence=inference.confidence, progress=progress,
    )  # fmt: skip
    measure = part.measure_named(score or DEFAULTS[labels])
    if any(each.name not in FAMILIES[labels] for each in parts_of(measure)):
        raise OptionError(tr("{measure} does not depend on these labels; give a measure of them, such as {example}.",
                             measure=measure.text, example=DEFAULTS[labels]))  # fmt: skip
    values = _values(part, runs, items, measure.text)
    sets = _sets(runs, items, values, inference) if labels == "nuggets" else []
    if not pairs and not sets:
        raise OptionError(tr("No two assigners labelled the same answer. The assigners are: {names}.",
                             names=", ".join(items.assigners)))  # fmt: skip
    scores = _scores(items, values, inference.confidence)
    stressed = _stressed(items, values, 1.0 if measure.higher_is_better else -1.0, tuned, strength, inference)
    people = None if not asked else _people(items, asked)
    return AnswerAgreement(items, tuple(pairs), measure.text, tuple(scores), tuple(_taus(scores)), inference.confidence,
                           people, inference.epsilon, stressed, tuned > 0, tuple(sets))  # fmt: skip


def _sets(
    runs: list[Run], items: LabelledItems, values: dict[tuple[str, int], Floats], inference: Inference
) -> list[TwoSets]:  # fmt: skip
    """Return the orders under each two assigners who labelled two systems or more by nuggets that are none of the
    other's."""
    own = {
        (name, items.systems.index(run.answered.system or run.name)): run.answered.assignments.nuggets
        for name, run in zip(assigner_names(runs, "nuggets"), runs, strict=True)
        if name and run.answered is not None and run.answered.assignments is not None
    }
    result = []
    for first, second in itertools.combinations(items.assigners, 2):
        both = [(place, own[first, place], own[second, place]) for place in range(len(items.systems))
                if (first, place) in own and (second, place) in own]  # fmt: skip
        both = [each for each in both if not within(each[1], each[2]) and not within(each[2], each[1])]
        topics = [place for place, topic in enumerate(items.topics)
                  if all(len(each.rows(topic)) for _, *two in both for each in two)]  # fmt: skip
        if len(both) > 1 and topics:
            result.append(two_sets(
                first, second, tuple(items.systems[place] for place, _, _ in both),
                tuple(items.topics[place] for place in topics),
                np.stack([[values[name, place][topics] for place, _, _ in both] for name in (first, second)]),
                samples=inference.samples, seed=inference.seed, confidence=inference.confidence,
            ))  # fmt: skip
    return result


def _people(items: LabelledItems, asked: str) -> AlternativeTest:
    """Return the test of an assigner against all others, by topic. Raises OptionError, also for fewer than two
    others."""
    if asked not in items.assigners:
        raise OptionError(tr("There is no assigner {name}. The assigners are: {names}.", name=asked,
                             names=", ".join(items.assigners)))  # fmt: skip
    if len(items.assigners) < 3:
        raise OptionError(tr("The alternative annotator test of {name} takes two other assigners or more.", name=asked))
    labels = np.where(items.labels == UNJUDGED, np.nan, items.labels.astype(np.float64))
    place = items.assigners.index(asked)
    others = [name for name in items.assigners if name != asked]
    return alternative_test(np.delete(labels, place, axis=0).T, labels[place], items.topic, others, name=asked)


def _values(part: Part, runs: list[Run], items: LabelledItems, measure: str) -> dict[tuple[str, int], Floats]:
    """Return (assigner, place of the system) -> the values of the topics, float64[T]."""
    names = assigner_names(runs, items.kind)
    values: dict[tuple[str, int], Floats] = {}
    for name, run in zip(names, runs, strict=True):
        if name and run.answered is not None:
            own = evaluate(part.qrels, [run], [measure], part.options).over(items.topics).of(measure)[1][0]
            values[name, items.systems.index(run.answered.system or run.name)] = np.asarray(own)
    return values


def _stressed(
    items: LabelledItems, values: dict[tuple[str, int], Floats], sign: float, share: float, strength: float,
    inference: Inference,
) -> tuple[AssignerStress, ...]:  # fmt: skip
    """Return the orders with tuned systems, of each two assigners who labelled the same items of two systems or more in
    two topics or more."""
    orders_of: list[AssignerStress] = []
    for first, second in itertools.combinations(range(len(items.assigners) if share else 0), 2):
        names = items.assigners[first], items.assigners[second]
        systems = [each for each in range(len(items.systems)) if all((name, each) in values for name in names)]
        if len(systems) < 2:
            continue
        both = [np.stack([sign * values[name, each] for each in systems]) for name in names]
        whole: Bools = np.asarray(~(np.isnan(both[0]) | np.isnan(both[1])).any(axis=0))
        for each in systems:
            whole &= np.isin(np.arange(len(whole)), whole_topics(items, first, second, each))
        if np.count_nonzero(whole) < FEWEST:
            continue
        plain = both[0][:, whole], both[1][:, whole]
        chosen = chosen_answers(*plain, strength)
        orders = stress((plain[0], chosen[0]), (plain[1], chosen[1]), share=share, strength=strength,
                        alpha=inference.alpha, seed=inference.seed)  # fmt: skip
        if orders is not None:
            orders_of.append(AssignerStress(*names, int(np.count_nonzero(whole)), len(systems), orders))
    return tuple(orders_of)


def _scores(
    items: LabelledItems, values: dict[tuple[str, int], Floats], confidence: float
) -> list[ScoreUnderTwo]:  # fmt: skip
    scores = []
    for system, title in enumerate(items.systems):
        for first in range(len(items.assigners)):
            for second in range(first + 1, len(items.assigners)):
                pair = [values.get((items.assigners[place], system)) for place in (first, second)]
                if pair[0] is not None and pair[1] is not None:
                    scores.append(_under_two(items, system, title, first, second, pair[0], pair[1], confidence))
    return scores


def _under_two(
    items: LabelledItems,
    system: int,
    title: str,
    first: int,
    second: int,
    of_first: Floats,
    of_second: Floats,
    confidence: float,
) -> ScoreUnderTwo:
    places = whole_topics(items, first, second, system)
    kept = places[~np.isnan(of_first[places]) & ~np.isnan(of_second[places])]
    nan = float("nan")
    means, low, high, corrected, weight = (nan, nan), nan, nan, (nan, nan, nan), nan
    labelled = (items.system == system) & (items.labels[second] != UNJUDGED)
    every = np.unique(items.topic[labelled])
    every = every[~np.isnan(of_second[every])]
    if len(kept):
        means = (float(of_first[kept].mean()), float(of_second[kept].mean()))
    if len(kept) >= FEWEST:
        delta = differences(of_second[kept][None], of_first[kept][None])
        low, high = (float(end[0]) for end in t_interval(delta, confidence))
        drawn = np.searchsorted(every, kept)
        sample = sample_of([items.topics[place] for place in every.tolist()], drawn.tolist(), None)
        means_of_all = corrected_means(of_second[every][None, :], of_first[kept][None, :], sample, level=confidence)
        corrected = (float(means_of_all.values[0]), float(means_of_all.low[0]), float(means_of_all.high[0]))
        weight = float(means_of_all.weight[0])
    return ScoreUnderTwo(
        title, items.assigners[first], items.assigners[second], len(kept), means, low, high, len(every),
        float(of_second[every].mean()) if len(every) else nan, corrected, weight,
    )  # fmt: skip


def _taus(scores: list[ScoreUnderTwo]) -> list[tuple[str, str, int, float, int]]:
    result = []
    for pair in dict.fromkeys((each.first, each.second) for each in scores):
        own = [each.means for each in scores if (each.first, each.second) == pair and each.topics]
        if len(own) > 1:
            first_means, second_means = (np.array([means[side] for means in own]) for side in (0, 1))
            upper = np.triu_indices(len(own), 1)
            signs = (
                np.sign(first_means[:, None] - first_means)[upper]
                * np.sign(second_means[:, None] - second_means)[upper]
            )
            result.append((*pair, len(own), tau_b(first_means, second_means), int(np.count_nonzero(signs < 0))))
    return result


def tables(agreement: AnswerAgreement, protocol: BoundProtocol) -> ViewResult:
    """Return the tables ``pairs``, ``labels`` (label by label), ``scores``, ``orders`` where two systems or more were
    labelled by two, ``stress`` where they are tuned, ``people`` and ``epsilon`` where an assigner is asked about, and
    ``disagreements``; of assigners who had other nuggets ``sets`` and ``turned``."""
    of_sets = [_sets_table(agreement), _turned(agreement)] if agreement.sets else []
    if not agreement.pairs:
        return ViewResult(agreement, tuple(of_sets))
    every = [_pairs(agreement), _labels(agreement), _scores_table(agreement)]
    if agreement.taus:
        every.append(_orders(agreement))
    if agreement.stress:
        every.append(_stress(agreement))
    if agreement.people is not None:
        every += [left_out(agreement.people, agreement.epsilon), sweep(agreement.people, agreement.epsilon)]
    every += [_disagreements(agreement), *of_sets]
    return ViewResult(agreement, tuple(every), sentences=_sentences(agreement))


def _sentences(agreement: AnswerAgreement) -> tuple[Remark, ...]:
    """Return for each pair of assigners what is shown of labels, height and order, about these answers alone."""
    orders = {(first, second): (systems, opposite) for first, second, systems, _, opposite in agreement.taus}
    said = []
    for pair in agreement.pairs:
        kappa, most = pair.estimates["kappa_level"].value, pair.estimates["kappa_level_max"].value
        if pair.group != "all" or kappa is None or most is None:
            continue
        own = [each for each in agreement.scores if (each.first, each.second) == (pair.first, pair.second)]
        tested = [each for each in own if not np.isnan(each.low)]
        apart = sum(each.low > 0 or each.high < 0 for each in tested)
        systems, opposite = orders.get((pair.first, pair.second), (len(own), 0))
        order = (
            tr("one system has no order") if systems < 2 else
            trn(
                "{opposite} of {n} pair of systems turned",
                "{opposite} of {n} pairs of systems turned",
                systems * (systems - 1) // 2, opposite=opposite,
            )
        )  # fmt: skip
        said.append(Remark("uses", tr(
            "{second} beside {first} on these answers: κ of said {kappa} of at most {most}; the height of {measure} "
            "differs for {apart} of {tested} systems (intervals without 0, each alone); {order}.",
            second=pair.second, first=pair.first, kappa=quantity(kappa), most=quantity(most),
            measure=agreement.measure, apart=apart, tested=len(tested), order=order,
        ), {"apart": apart, "tested": len(tested), "opposite": opposite}, warns=False))  # fmt: skip
    if agreement.stressed and not agreement.stress:
        said.append(Remark("stress", tr(
            "What if systems were tuned to an assigner? Not known: that takes two topics of which two assigners "
            "labelled the same items of two systems or more."
        ), warns=False))  # fmt: skip
    if agreement.people is not None:
        said += said_of_people(agreement.people, agreement.epsilon)
    return tuple(said)


def _pairs(agreement: AnswerAgreement) -> Table:
    pairs = agreement.pairs
    shown: list[Column] = []
    for name in [*SHOWN, *(name for name in COEFFICIENTS if name not in SHOWN)]:
        shown += estimates(
            name, SHOWN.get(name, COEFFICIENTS[name].title), [pair.estimates[name] for pair in pairs],
            detail=name not in SHOWN, level=agreement.confidence, interval=name == "kappa_quadratic",
        )  # fmt: skip
    inference = protocol_note(agreement)
    return Table("pairs", tr("Agreement of assigners"), (
        column.text("first", tr("assigner"), [pair.first for pair in pairs]),
        column.text("second", tr("other"), [pair.second for pair in pairs]),
        column.text("group", tr("importance"), [pair.group for pair in pairs],
                    texts=[GROUPS[pair.group] for pair in pairs]),
        column.count("items", tr("labels of both"), [pair.items for pair in pairs]),
        column.count("topics", tr("topics"), [pair.topics for pair in pairs]),
        *shown,
    ), keys=[(pair.first, pair.second, pair.group) for pair in pairs], notes=inference)  # fmt: skip


def protocol_note(agreement: AnswerAgreement) -> tuple[Remark, ...]:
    """Return how intervals were made, and what is odd."""
    items = agreement.items
    notes = [Remark("topics", tr("{level} intervals draw whole topics, as the labels of a topic are not independent. "
                                 "Of few topics they are too narrow.", level=level_text(agreement.confidence)),
                    warns=False)]  # fmt: skip
    notes.append(Remark("fact", tr("No assigner’s label is taken for a fact: agreement says how similar two are, not "
                                   "which is right."), warns=False))  # fmt: skip
    for name, odd in zip(items.assigners, items.odd.tolist(), strict=True):
        if odd:
            text = trn("{name}: {n:,} label that no rule knows counts as not said.",
                       "{name}: {n:,} labels that no rule knows count as not said.", odd, name=name)  # fmt: skip
            notes.append(Remark("odd", text, {"n": odd}))
    return tuple(notes)


def _labels(agreement: AnswerAgreement) -> Table:
    kind = agreement.items.kind
    titles = LABELS if kind == "nuggets" else SUPPORTS
    codes = CODES[kind]
    rows = [(pair, at) for pair in agreement.pairs if pair.group == "all" for at in reversed(range(3))]
    return Table("labels", tr("Label by label"), (
        column.text("first", tr("assigner"), [pair.first for pair, _ in rows]),
        column.text("second", tr("other"), [pair.second for pair, _ in rows]),
        column.text("label", tr("label of the first"), [codes[SCALE[at]] for _, at in rows],
                    texts=[titles[SCALE[at]] for _, at in rows]),
        *(column.count(codes[SCALE[other]], titles[SCALE[other]], [pair.counts[at, other] for pair, at in rows])
          for other in reversed(range(3))),
    ))  # fmt: skip


def _scores_table(agreement: AnswerAgreement) -> Table:
    scores, level = agreement.scores, level_text(agreement.confidence)
    notes = [
        Remark("both", tr("Under each assigner over the topics of which both labelled the same items. Corrected: the "
                          "mean under the first, moved by λ times what the other says of its further topics, beside "
                          "what it says of these; λ is tuned (PPI++), and the topics of both count as drawn at "
                          "random. Intervals are t intervals over topics."), warns=False),
    ]  # fmt: skip
    return Table("scores", tr("{measure} under each assigner", measure=agreement.measure), (
        column.run("run", tr("run"), [each.system for each in scores]),
        column.text("first", tr("assigner"), [each.first for each in scores]),
        column.text("second", tr("other"), [each.second for each in scores]),
        column.count("topics", tr("topics of both"), [each.topics for each in scores]),
        column.number("under_first", tr("under the first"), [each.means[0] for each in scores]),
        column.number("under_second", tr("under the other"), [each.means[1] for each in scores]),
        column.number("difference", tr("Δ"), [each.means[1] - each.means[0] for each in scores]),
        column.interval("difference_interval", tr("{level} interval", level=level), [each.low for each in scores],
                        [each.high for each in scores], of="difference"),
        column.count("all_topics", tr("topics of the other"), [each.all_topics for each in scores]),
        column.number("other_all", tr("its mean"), [each.mean_of_all for each in scores]),
        column.number("corrected", tr("corrected"), [each.corrected[0] for each in scores]),
        column.interval("corrected_interval", tr("{level} interval", level=level),
                        [each.corrected[1] for each in scores], [each.corrected[2] for each in scores], of="corrected"),
        column.number("weight", "λ", [each.weight for each in scores], decimals=2,
                      tip=tr("How much the other assigner counts: 0 not at all, 1 in full")),
    ), keys=[(each.system, each.first, each.second) for each in scores], notes=tuple(notes))  # fmt: skip


def _orders(agreement: AnswerAgreement) -> Table:
    return Table("orders", tr("Order of systems under two assigners"), (
        column.text("first", tr("assigner"), [each[0] for each in agreement.taus]),
        column.text("second", tr("other"), [each[1] for each in agreement.taus]),
        column.count("systems", tr("systems"), [each[2] for each in agreement.taus]),
        column.number("tau", "τ", [each[3] for each in agreement.taus]),
        column.count("opposite", tr("pairs in the opposite order"), [each[4] for each in agreement.taus]),
    ))  # fmt: skip


def _sets_table(agreement: AnswerAgreement) -> Table:
    sets = agreement.sets
    note = tr(
        "The same answers by other nuggets, such as an automatic set and a post-edited one: scores under each, over "
        "the topics of which both labelled all of these systems. Labels of other nuggets are not compared. Intervals "
        "draw topics."
    )
    return Table("sets", tr("Order of systems under two sets of nuggets"), (
        column.text("first", tr("assigner"), [each.first for each in sets]),
        column.text("second", tr("other"), [each.second for each in sets]),
        column.count("systems", tr("systems"), [len(each.systems) for each in sets]),
        column.count("topics", tr("topics"), [len(each.topics) for each in sets]),
        column.number("tau", "τ", [each.tau for each in sets]),
        column.interval("tau_interval", tr("{level} interval", level=level_text(agreement.confidence)),
                        [each.low for each in sets], [each.high for each in sets], of="tau"),
        column.count("opposite", tr("pairs in the opposite order"), [each.opposite for each in sets]),
    ), notes=(Remark("sets", note, warns=False),))  # fmt: skip


def _turned(agreement: AnswerAgreement) -> Table:
    """Return the topics that order two systems the other way under the other set, most pairs first."""
    rows = [
        (-int(count), place, topic, each) for place, each in enumerate(agreement.sets)
        for topic, count in zip(each.topics, each.turned.tolist(), strict=True) if count
    ]  # fmt: skip
    rows.sort(key=lambda row: (row[1], row[0], row[2]))
    return Table("turned", tr("Topics that turn under the other set of nuggets"), (
        column.identifier("topic", tr("topic"), [row[2] for row in rows]),
        column.text("first", tr("assigner"), [row[3].first for row in rows]),
        column.text("second", tr("other"), [row[3].second for row in rows]),
        column.count("turned", tr("pairs turned"), [-row[0] for row in rows]),
        column.count("pairs", tr("pairs of systems"), [row[3].pairs for row in rows]),
    ), opens="query")  # fmt: skip


def _stress(agreement: AnswerAgreement) -> Table:
    """Return the agreement of the orders of two assigners without tuned systems, and with them."""
    rows = [(each, name) for each in agreement.stress for name in ORDERS]
    counts = [name in ("turned", "decided") for _, name in rows]
    cases = [getattr(each.orders.after, name) for each, name in rows]
    cases = [case[~np.isnan(case)] for case in cases]
    notes = [Remark("worst", tr(
        "A worst case, no forecast. An assigner orders no list: systems tuned to the second assigner give, for each "
        "topic, the answer of any system that it scores highest, with probability {strength} (best of n).",
        strength=limit(agreement.stress[0].orders.strength),
    ), warns=False)]  # fmt: skip
    notes += [Remark("gains", tr(
        "{second} beside {first}: {tuned} of {systems} systems tuned, {topics} topics; a tuned system gains {judged} "
        "under {second} and {own} under {first}, the mean of all.", first=each.first, second=each.second,
        tuned=each.orders.tuned, systems=each.systems, topics=each.topics,
        judged=quantity(float(each.orders.by_judge.mean())), own=quantity(float(each.orders.by_reference.mean())),
    ), warns=False) for each in agreement.stress]  # fmt: skip
    return Table("stress", tr("What if systems were tuned to an assigner?"), (
        column.text("first", tr("assigner"), [each.first for each, _ in rows]),
        column.text("second", tr("tuned to"), [each.second for each, _ in rows]),
        column.text("statistic", tr("statistic"), [name for _, name in rows], texts=[ORDERS[name] for _, name in rows]),
        column.number("before", tr("as they are"),
                      [float(getattr(each.orders.before, name)[0]) for each, name in rows], whole=counts),
        column.number("mean", tr("tuned, mean"), [float(case.mean()) if len(case) else None for case in cases]),
        column.number("least", tr("least"), [float(case.min()) if len(case) else None for case in cases],
                      whole=counts),
        column.number("greatest", tr("greatest"), [float(case.max()) if len(case) else None for case in cases],
                      whole=counts),
    ), keys=[(each.first, each.second, name) for each, name in rows], notes=tuple(notes))  # fmt: skip


def _disagreements(agreement: AnswerAgreement) -> Table:
    items, codes = agreement.items, CODES[agreement.items.kind]
    titles = LABELS if items.kind == "nuggets" else SUPPORTS
    rows = []
    for first in range(len(items.assigners)):
        for second in range(first + 1, len(items.assigners)):
            apart = np.abs(items.labels[first].astype(int) - items.labels[second])
            differ = np.flatnonzero(items.both(first, second) & (apart > 0))
            rows += [(-int(apart[at]), int(items.topic[at]), int(items.system[at]), at, first, second)
                     for at in differ.tolist()]  # fmt: skip
    rows.sort()
    at = [row[3] for row in rows]

    def label(side: int) -> Column:
        words = [int(items.labels[row[4 + side], row[3]]) for row in rows]
        title = tr("label of the first") if side == 0 else tr("label of the other")
        return column.text(("first_label", "second_label")[side], title, [codes[word] for word in words],
                           texts=[titles[word] for word in words])  # fmt: skip

    return Table("disagreements", tr("Where assigners differ"), (
        column.identifier("topic", tr("topic"), [items.topics[row[1]] for row in rows]),
        column.run("run", tr("run"), [items.systems[row[2]] for row in rows]),
        column.text("item", tr("nugget") if items.kind == "nuggets" else tr("citation"), [items.texts[n] for n in at]),
        column.text("first", tr("assigner"), [items.assigners[row[4]] for row in rows]),
        label(0),
        column.text("second", tr("other"), [items.assigners[row[5]] for row in rows]),
        label(1),
    ), opens="query")  # fmt: skip


def _followed(agreement: AnswerAgreement, bound: BoundProtocol) -> BoundProtocol:
    """Return the protocol whose line names ε where an assigner was tested."""
    if agreement.people is not None and agreement.people.tested:
        return bound
    return replace(bound, uses=tuple(use for use in bound.uses if use != "epsilon"))


VIEW = ResultView("answer-agreement", compute, tables, title=tr("Agreement of assigners"),
                  uses=("rules", "scope", "answers", "alpha", "samples", "seed", "confidence", "epsilon"),
                  follows=_followed)  # fmt: skip
