"""Why a number of the comparisons of judges has its value: the ledger shows the number of the view, and its parts give
it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from irviewer.analysis.agreement.coefficients import COEFFICIENTS
from irviewer.commands import find, run_command
from irviewer.session.session import Session
from irviewer.session.settings import Settings
from tests.session.number_ledgers import column, explained


@pytest.fixture
def session(tmp_path: Path) -> Session:
    random = np.random.default_rng(2)
    for name, queries in (("human", 6), ("model", 10)):
        lines = [f"{query} 0 d{doc} {random.integers(0, 4)}\n" for query in range(1, queries + 1) for doc in range(8)]
        (tmp_path / f"{name}.qrels").write_text("".join(lines))
    for name in "abcdefg":
        scores = random.permutation(80)
        lines = [
            f"{query} Q0 d{doc} 1 {scores[(query - 1) * 8 + doc]} t\n" for query in range(1, 11) for doc in range(8)
        ]
        (tmp_path / f"{name}.run").write_text("".join(lines))
    settings = Settings()
    settings["hints"] = False
    session = Session(settings)
    session.files.open_files([str(tmp_path / f"{name}.qrels") for name in ("model", "human")])
    session.files.open_files([str(tmp_path / f"{name}.run") for name in "abcdefg"])
    while session.judges.asked is not None:
        session.judges.answer("judge")
    session.protocol.set_number("samples", "100")
    return session


def shown(session: Session, tab: str) -> dict[str, str]:
    session.judge_comparison.go_to(tab)
    session.compute_now()
    return {number.key: number.title for number in session.numbers.numbers()}


@pytest.mark.parametrize("tab", ["agreement", "confusion"])
def test_statistics_of_the_chosen_pair(session: Session, tab: str) -> None:
    numbers = shown(session, tab)
    assert len(numbers) == len(COEFFICIENTS)
    assert next(iter(numbers)) == f"statistic:{session.state.agreement}"
    session.judge_comparison.go_to("agreement")
    session.compute_now()
    agreement = session.judge_comparison.known_agreement()
    assert agreement is not None
    session.judge_comparison.go_to(tab)
    session.compute_now()
    first, second = session.judge_comparison.pair
    for name in COEFFICIENTS:
        value = agreement.values[name][first, second]
        assert f"{value:.4f}".replace("-", "−") in explained(session, f"statistic:{name}").title


def test_the_order_of_runs_and_means_under_each_judge(session: Session) -> None:
    numbers = shown(session, "judges")
    systems = session.judge_comparison.known_systems()
    assert systems is not None
    reference, other = session.judge_comparison.compared_judges()
    order = systems[other.name].order
    assert order is not None
    assert order.tau.value is not None
    ledger = explained(session, "order")
    assert f"{order.tau.value:.4f}".replace("-", "−") in ledger.title
    same, opposite = column(ledger, "same").sum() / 2, column(ledger, "opposite").sum() / 2
    assert f"({same:.0f} − {opposite:.0f})" in ledger.worked
    context = session.view.context
    assert context is not None
    assert context.focus is not None
    run = context.collection.run(context.focus)
    assert run is not None
    for judge in (reference, other):
        assert f"mean:{judge.identity}" in numbers
        ledger = explained(session, f"mean:{judge.identity}")
        mean = systems[judge.name].values[systems.runs.index(run.name)]
        assert column(ledger, "value0").mean() == pytest.approx(mean)
        assert f"{mean:.4f}" in ledger.title


def test_corrected_scores(session: Session) -> None:
    numbers = shown(session, "corrected")
    assert set(numbers) == {"corrected", "difference"}
    scores = session.judge_comparison.known_corrected()
    assert scores is not None
    assert scores.differences is not None
    context = session.view.context
    assert context is not None
    run = context.collection.run(context.focus or 0)
    assert run is not None
    place = scores.runs.index(run.name)
    for key, means in (("corrected", scores.means), ("difference", scores.differences)):
        ledger = explained(session, key)
        shift = column(ledger, "shift")
        assert means.model[place] + shift.mean() == pytest.approx(means.values[place])
        assert f"{means.values[place]:.4f}".replace("-", "−") in ledger.title


def test_the_key_asks_for_the_number_of_the_view(session: Session) -> None:
    commands: list[str] = []
    session.asked.connect(commands.append)
    shown(session, "agreement")
    assert run_command(session, "explain")
    assert commands == ["explain_number"]
    assert not session.explaining.is_on
    session.navigation.set_place("systems")
    assert not session.numbers.is_here
    assert not find(session, "explain_number").enabled(session)
    assert run_command(session, "explain")
    assert session.explaining.is_on
    session.numbers.explain("order", lambda ledger: pytest.fail("nothing is shown that has this number"))


def test_a_ledger_is_of_the_judges_that_were_asked(session: Session) -> None:
    shown(session, "agreement")
    first, second = session.judge_comparison.pair
    names = [judges.name for judges in session.judge_comparison.chosen_judges()]
    work = session.numbers._sources[0].work("statistic:same_grade")  # a worker calls it, when it has time
    session.judge_comparison.set_pair(second, first)
    assert f"{names[0]} and {names[1]}" in work().title
