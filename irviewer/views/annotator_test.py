"""What is shown of the alternative annotator test: the people left out one by one, the sweep of ε, and the answer."""

from __future__ import annotations

import numpy as np

from irviewer.analysis.agreement.alternative import FEWEST_INSTANCES, FEWEST_PEOPLE, SWEEP, AlternativeTest
from irviewer.model.arrays import Floats
from irviewer.model.number_text import limit, quantity
from irviewer.tables import column
from irviewer.tables.table import Remark, Table
from irviewer.translation import tr, trn


def said_of_people(people: AlternativeTest, epsilon: float | None) -> list[Remark]:
    """Return the answer of the alternative annotator test and what limits it."""
    tested = people.tested
    said = [
        Remark("skipped", trn(
            "{judge} is not tested: {n} instance, fewer than {least}.",
            "{judge} is not tested: {n} instances, fewer than {least}.",
            each.instances, judge=each.name, least=FEWEST_INSTANCES,
        )) for each in people.skipped
    ]  # fmt: skip
    if not tested:
        return [*said, untested()]
    if people.most < FEWEST_PEOPLE:
        said.append(Remark("two", tr("With two human judges of a pair there is no group that one of them could stand "
                                     "for.")))  # fmt: skip
    if epsilon is None:
        return [*said, Remark("epsilon", tr(
            "ε is not declared, so nothing is decided: declare it before looking (its authors suggest {experts} for "
            "experts, {skilled} for skilled people, {crowd} for a crowd).", experts=limit(0.2), skilled=limit(0.15),
            crowd=limit(0.1)))]  # fmt: skip
    decision = people.decision(epsilon)
    values = {"winning_rate": decision.winning_rate, "advantage": people.advantage}
    answer = tr("yes") if decision.passes else tr("not shown")
    said.append(Remark("people", tr(
        "Was {judge} shown to agree as well as one of these people, less {epsilon}? {answer}: ω {rate}, ρ {advantage}.",
        judge=people.model, epsilon=limit(epsilon), answer=answer, rate=quantity(decision.winning_rate),
        advantage=quantity(people.advantage),
    ), values, warns=False))  # fmt: skip
    return said


def untested() -> Remark:
    """Return that nobody can be tested."""
    return Remark("people", tr(
        "May it replace a human judge? Not known: that takes several human judges of the same pairs."
    ), warns=False)  # fmt: skip


def left_out(people: AlternativeTest, epsilon: float | None) -> Table:
    """Return the table ``people``: a row for each who is left out, with the tests against the model."""
    rows, tested = people.people, people.tested
    decision = None if epsilon is None else people.decision(epsilon)
    published = None if epsilon is None else people.published(epsilon)
    place = {each.name: number for number, each in enumerate(tested)}

    def of(values: Floats | None) -> list[float | None]:
        return [None if values is None or each.name not in place else float(values[place[each.name]]) for each in rows]

    replaced = [None if decision is None or each.name not in place else bool(decision.replaced[place[each.name]])
                for each in rows]  # fmt: skip
    equal = [] if np.isnan(people.equal) else [
        Remark("equal", tr("These people give the same grade to {share} of the pairs of two: where they disagree at "
                           "random, a random model may pass.", share=quantity(people.equal)), warns=False)
    ]  # fmt: skip
    title = tr("Was {judge} shown to agree as well as one of these people, less ε?", judge=people.model)
    return Table("people", title, (
        column.text("left_out", tr("left out"), [each.name for each in rows]),
        column.count("instances", tr("instances"), [each.instances for each in rows]),
        column.count("queries", tr("queries"), [len(np.unique(each.clusters)) for each in rows]),
        column.number("model", people.model, [each.model for each in rows]),
        column.number("person", tr("left out, at least as good"), [each.person for each in rows]),
        column.count("ties", tr("ties"), [each.ties for each in rows]),
        column.number("t", "t", of(None if decision is None else decision.t), detail=True),
        column.number("df", tr("df"), of(None if decision is None else decision.df), detail=True),
        column.p_value("p", tr("p, by query"), of(None if decision is None else decision.p), None),
        column.p_value("p_published", tr("p, as published"), of(None if published is None else published.p), None,
                       detail=True),
        column.flag("replaced", tr("replaced"), replaced),
    ), keys=[each.name for each in rows], notes=(
        Remark("clusters", tr("Pairs of one query are not independent: p is of CR2 standard errors by query with "
                              "Satterthwaite's df; Benjamini–Yekutieli at .05 over the people. As published, pairs "
                              "count as independent."), warns=False),
        *equal,
    ))  # fmt: skip


def sweep(people: AlternativeTest, epsilon: float | None) -> Table:
    """Return the table ``epsilon``: how the winning rate depends on the price."""
    values = sorted({*SWEEP, *([] if epsilon is None else [epsilon])})
    decisions = [people.decision(value) for value in values]
    published = [people.published(value) for value in values]
    note = tr("The declared ε decides; the others show how much hangs on it.")
    return Table("epsilon", tr("By the price of a human judge, ε"), (
        column.number("epsilon", "ε", values),
        column.flag("declared", tr("declared"), [value == epsilon for value in values]),
        column.number("winning_rate", tr("ω, by query"), [each.winning_rate for each in decisions]),
        column.flag("passes", tr("ω is .5 or more"), [each.passes for each in decisions]),
        column.number("winning_rate_published", tr("ω, as published"), [each.winning_rate for each in published]),
    ), keys=values, notes=(Remark("sweep", note, warns=False),))  # fmt: skip
