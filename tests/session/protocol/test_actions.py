"""What a person declares: typed, undone, kept with the project, and in the numbers."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from scipy import stats

from irviewer import commands
from irviewer.api.runs import similarity
from irviewer.commands import run_command
from irviewer.errors import OptionError
from irviewer.model.protocol import EvaluationProtocol, Looks
from irviewer.session.comparison.matrices import RBO
from irviewer.session.projects.protocol_section import read_protocol, write_protocol
from irviewer.session.protocol.fields import NUMBERS
from irviewer.session.session import Session
from irviewer.session.state import ChosenScope, State
from irviewer.views.pair_tests import TestRow
from tests.session.helpers import Announcements, collection, session_with


@pytest.fixture
def session() -> Session:
    """Three runs, twelve queries, in the Compare place."""
    new_session = session_with(collection(3, queries=12))
    new_session.navigation.set_place("compare")
    return new_session


def row(session: Session, name: str) -> TestRow:
    session.compute_now()
    view_model = session.comparison.pair_view_model()
    assert view_model is not None
    return next(test for test in view_model.tests if test.name.startswith(name))


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("alpha", ".01", 0.01), ("alpha", "0,01", 0.01), ("alpha", "1 %", 0.01), ("confidence", "99%", 0.99),
        ("smallest", "0", 0),
        ("epsilon", ".2", 0.2), ("epsilon", "", None), ("smallest", " ", None), ("seed", "7", 7),
        ("samples", "20,000", 20_000),
        ("rbo_p", "0.98", 0.98), ("rbo_depth", "50", 50),
    ],
)  # fmt: skip
def test_numbers_are_read_as_typed(name: str, text: str, value: float) -> None:
    read = {**NUMBERS, **RBO}[name].read(text)
    assert read == (value if value is None else pytest.approx(value))
    assert type(read) is type(value)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("alpha", "0"), ("alpha", "1"), ("alpha", "nan"), ("alpha", "x"), ("alpha", ""), ("alpha", "1 x %"),
        ("confidence", "100 %"), ("smallest", "-.1"), ("epsilon", "1"), ("smallest", "inf"),
        ("seed", "1.5"), ("seed", "-1"),
        ("samples", "0"), ("rbo_p", "1"), ("rbo_depth", "0"), ("rbo_depth", ""),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused(name: str, text: str) -> None:
    with pytest.raises(OptionError):
        {**NUMBERS, **RBO}[name].read(text)


def test_every_number_has_a_command_and_changes_what_is_kept(session: Session) -> None:
    asked: list[str] = []
    session.asked.connect(asked.append)
    for name in (*NUMBERS, *RBO):
        run_command(session, f"statistics_{name}")
    assert asked == [f"statistics_{name}" for name in (*NUMBERS, *RBO)]
    heard = Announcements(session)
    session.protocol.set_number("smallest", ".02")
    assert heard.take() == [{"statistics", "history"}]
    assert session.protocol.number("smallest") == ".02"


def test_zeros_and_tukey_are_commands(session: Session) -> None:
    for name in ("zeros pratt", "tukey randomised"):
        command = commands.find(session, name)
        assert command.checked is not None
        assert not command.checked(session)
        run_command(session, name)
        assert command.checked(session)
    for wrong in (lambda: session.protocol.set(zeros="x"), lambda: session.protocol.set(tukey="x")):
        with pytest.raises(OptionError):
            wrong()


def test_pratt_is_scipys(session: Session) -> None:
    context = session.view.context
    assert context is not None
    assert row(session, "Wilcoxon").name == "Wilcoxon signed-rank test"
    session.protocol.set(zeros="pratt")
    test_row = row(session, "Wilcoxon")
    assert test_row.name.endswith("after Pratt")
    delta = np.round(context.delta, 12)
    wanted = stats.wilcoxon(delta, zero_method="pratt").pvalue
    compared = session.comparison.known_comparison("baseline")
    assert compared is not None
    assert compared.pair(context.focus).test("wilcoxon-pratt").p == pytest.approx(wanted, abs=1e-9)  # type: ignore[arg-type, union-attr]


def test_tukeys_test_is_in_the_table_of_a_pair(session: Session) -> None:
    context = session.view.context
    assert context is not None
    test_row = row(session, "Tukey HSD, two-way")
    values = np.array([context.values(entry, context.measure) for entry in context.collection.runs])
    k, n = values.shape
    rest = values - values.mean(axis=1, keepdims=True) - values.mean(axis=0) + values.mean()
    error = np.sqrt((rest**2).sum() / ((k - 1) * (n - 1)) / n)
    q = abs(values[2].mean() - values[0].mean()) / error  # gamma against alpha
    pairs = session.comparison.known_comparison("pairs")
    assert pairs is not None
    pair = pairs.pair(2, 0)
    assert pair is not None
    test = pair.test("tukey")
    assert test.p == pytest.approx(stats.studentized_range.sf(q, k, (k - 1) * (n - 1)), abs=1e-6)
    assert (test_row.p, test_row.corrected) == (None, test.p)
    session.protocol.set(tukey="randomised")
    drawn = row(session, "Tukey HSD by randomisation")
    assert drawn.corrected
    view_model = session.comparison.pair_view_model()
    assert view_model is not None
    assert [shown_test.name for shown_test in view_model.tests if shown_test.name.startswith("Tukey")] == [drawn.name]
    assert abs(session.comparison.known_comparison("pairs").pair(2, 0).test("tukey-randomised").p - test.p) < 0.1  # type: ignore[union-attr]


def test_level_rope_seed_and_alpha_reach_the_numbers_and_are_reported(session: Session) -> None:
    narrow = row(session, "interval").value
    assert row(session, "posterior").sentence.startswith("Better by more than .0100")
    for name, text in (("confidence", "99 %"), ("smallest", ".05"), ("seed", "7"), ("alpha", ".01")):
        session.protocol.set_number(name, text)
    assert row(session, "posterior").sentence.startswith("Better by more than .0500")
    assert row(session, "interval").value != narrow
    assert "99 %" in row(session, "interval").sentence
    known_comparison = session.comparison.known_comparison("baseline")
    assert known_comparison is not None
    assert (
        known_comparison.comparison.seed,
        known_comparison.comparison.alpha,
        known_comparison.comparison.confidence,
    ) == (
        7,
        0.01,
        0.99,
    )
    protocol = session.view.protocol
    assert protocol is not None
    for part in ("shown below p = .01", "99 % intervals", "seed 7", "differences from .05 matter"):
        assert part in protocol.line()


def test_persistence_and_depth_reach_rbo_alone(session: Session) -> None:
    session.navigation.set_tab("compare", "matrices")
    session.matrices.set_matrix("rbo")
    session.compute_now()
    pairs = session.comparison.known_comparison("pairs")
    session.matrices.set_number("rbo_p", ".98")
    session.matrices.set_number("rbo_depth", "3")
    assert session.comparison.known_comparison("pairs") is pairs  # tests do not depend on it
    context = session.view.context
    assert context is not None
    for kind in ("rbo", "rbo-min", "rbo-residual"):
        session.matrices.set_matrix(kind)
        session.compute_now()
        view_model = session.matrices.matrix_view_model()
        assert view_model is not None
        assert view_model.figure is not None
        assert view_model.figure.matrix is not None
        runs = [context.collection.run(key).run for key in view_model.keys]  # type: ignore[arg-type, union-attr]
        wanted = similarity(runs, kind, p=0.98, depth=3, queries=context.query_ids).means  # type: ignore[arg-type]
        np.testing.assert_allclose(view_model.figure.matrix.values, wanted, atol=1e-12)
        assert view_model.note.startswith("p = .98, ties a, depth 3")


def test_what_is_declared_is_kept_as_a_project_keeps_it(session: Session) -> None:
    session.protocol.set(zeros="pratt", tukey="randomised", test="t", level=1)
    for name, text in (("confidence", ".9"), ("smallest", ".02")):
        session.protocol.set_number(name, text)
    data = json.loads(json.dumps(write_protocol(session.state)))
    assert data["inference"]["test"] == "t", "declared, though it is the default"
    assert data["rules"] == {"level": 1}
    assert read_protocol(State(session.view.measure, 10), data).protocol == session.protocol.declared


FIELDS: dict[str, Any] = {
    "level": 2, "dialect": "ranx", "judged_only": True, "test": "wilcoxon", "zeros": "pratt", "tukey": "randomised",
    "correction": "bh", "alpha": 0.01, "interval": "t", "confidence": 0.9, "samples": 300, "seed": 7, "smallest": 0.1,
    "depth": 5, "missing": "intersection",
}  # fmt: skip


@pytest.mark.parametrize("name", FIELDS)
def test_each_field_is_an_undo_step(session: Session, name: str) -> None:
    before = session.state.protocol
    session.protocol.set(**{name: FIELDS[name]})
    after = session.state.protocol
    assert after[name] == FIELDS[name]
    assert session.history.undo_label.startswith("protocol: ")
    assert session.history.undo()
    assert session.state.protocol == before
    assert session.history.redo()
    assert session.state.protocol == after


def test_declaring_a_default_is_a_step_too(session: Session) -> None:
    line = session.view.protocol
    assert line is not None
    session.protocol.set(test="t")
    assert session.state.protocol.declared == {"inference.test"}
    present = session.view.protocol
    assert present is not None
    assert present.line() == line.line()
    assert {part.place for part in present.parts() if part.origin == "declared"} == {"inference.test", "rules.unjudged"}
    session.protocol.undeclare("test")
    assert not session.state.protocol.declared
    assert session.history.history_labels[0][0].endswith("not declared")


def test_undo_takes_back_only_the_fields_of_its_step(session: Session) -> None:
    session.protocol.set(alpha=0.01)
    session.protocol.set(level=2)
    session.history.go_back(1)
    assert (session.state.protocol["alpha"], session.state.protocol["level"]) == (0.01, 1)
    session.protocol.set(seed=1)
    session.history.go_back(2)
    assert session.state.protocol == EvaluationProtocol()
    session.history.go_back(-2)
    assert (session.state.protocol["alpha"], session.state.protocol["seed"]) == (0.01, 1)


def test_the_scope_is_undone_too(session: Session) -> None:
    context = session.view.context
    assert context is not None
    assert session.state.chosen.scope == ChosenScope()
    first = context.baseline
    session.runs.set_baseline(2)
    session.query_sets.make_query_set("few", ["1", "2"], looked=False)
    session.query_sets.set_query_set("few")
    assert session.history.history_labels[0] == ("evaluated queries: few", "query set few", "baseline gamma")
    session.history.undo()
    assert session.state.chosen.scope == ChosenScope(baseline=2)
    session.history.go_back(2)
    assert session.state.chosen.scope == ChosenScope()
    assert session.view.baseline == first


def test_a_lesson_makes_no_steps(session: Session) -> None:
    session.lessons.open_named(session.lessons.every[0].id)
    session.protocol.set(level=2)
    assert session.view.level == 2
    assert not session.history.undo_label


@pytest.mark.parametrize("name", ["measures", "level", "unjudged", "queries", "baseline", "test", "samples"])
def test_a_field_is_declared_as_it_is_and_no_longer(session: Session, name: str) -> None:
    session.protocol.undeclare("unjudged")
    bound, steps = session.view.protocol, len(session.history.history_labels[0])
    assert bound is not None
    values, line = {each: bound.protocol[each] for each in FIELDS}, bound.line()
    session.protocol.declare_as_is(name)
    after = session.view.protocol
    assert after is not None
    assert (after.line(), {each: after.protocol[each] for each in FIELDS}) == (line, values)
    assert {part.place.rpartition(".")[2]: part.origin for part in after.all_parts()}[name] == "declared"
    assert len(session.history.history_labels[0]) == steps + 1
    session.protocol.undeclare(name)
    again = session.view.protocol
    assert again is not None
    assert [part.origin for part in again.all_parts()] == [part.origin for part in bound.all_parts()]


def test_looks_are_typed_kept_and_decide_one_pair() -> None:
    two = session_with(collection(2, queries=12))
    two.navigation.set_place("compare")
    two.protocol.set_number("looks", "1 of .5 1 pocock")
    assert two.protocol.number("looks") == "1 of 0.5 1 pocock"
    written = json.loads(json.dumps(write_protocol(two.state)))
    assert read_protocol(two.state.with_protocol(EvaluationProtocol()), written).protocol.inference.looks == Looks(
        (0.5, 1), "pocock", 1
    )
    bound = two.view.protocol
    assert bound is not None and "look 1 of 2 (Pocock), 50 % of the information" in bound.line()
    two.compute_now()
    compared = two.comparison.wanted(two.view.context, "baseline")  # type: ignore[arg-type]
    assert compared is not None
    assert compared.options["alpha"] == pytest.approx(2 * stats.norm.sf(2.178), abs=2e-4)
    two.protocol.set_number("looks", "1 of .1 1")  # no percentile of 10,000 samples is that far out
    two.compute_now()
    line = two.view.protocol.line()  # type: ignore[union-attr]
    assert "10 % of the information: not decided: at look 1 intervals have the level" in line
    assert two.comparison.wanted(two.view.context, "baseline") is None  # type: ignore[arg-type]
    two.history.undo()
    for wrong in ("half", "1 of .5", "3 of .5 1", "1 of .5 1 peto"):
        with pytest.raises(OptionError):
            two.protocol.set_number("looks", wrong)
    two.protocol.set_number("looks", "")
    assert two.protocol.declared.inference.looks is None
    two.history.undo()
    assert two.protocol.number("looks") == "1 of 0.5 1 pocock"


def test_looks_decide_one_pair_only(session: Session) -> None:
    session.protocol.set_number("looks", "1 of .5 1")
    session.compute_now()
    bound, context = session.view.protocol, session.view.context
    assert bound is not None and context is not None
    assert "not decided, since looks are of one pair" in bound.line()
    assert session.comparison.wanted(context, "baseline") is None
