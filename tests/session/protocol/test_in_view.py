"""The protocol of what is in view: every choice of the window is in it, and its line is that of the command line."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from irviewer.cli.main import main
from irviewer.evaluation.evaluation_cache import Evaluation
from irviewer.model.workspace import Regime
from irviewer.session.protocol.in_view import bound_protocol
from irviewer.session.session import Session

QRELS = "1 0 d1 2\n1 0 d2 0\n2 0 d1 1\n3 0 d3 1\n3 0 d4 2\n"
RUNS = {"alpha": "d1 d2 d3", "beta": "d4 d3 d1", "gamma": "d2 d1 d4"}


@pytest.fixture
def paths(tmp_path: Path) -> list[str]:
    """A file of qrels and three of runs."""
    (tmp_path / "qrels.txt").write_text(QRELS)
    for name, documents in RUNS.items():
        lines = [
            f"{query} Q0 {document} {rank} {9 - rank} {name}\n"
            for query in "123"
            for rank, document in enumerate(documents.split(), start=1)
        ]
        (tmp_path / f"{name}.run").write_text("".join(lines))
    return [str(tmp_path / "qrels.txt"), *(str(tmp_path / f"{name}.run") for name in RUNS)]


@pytest.fixture
def session(paths: list[str]) -> Iterator[Session]:
    """A session with these files."""
    new_session = Session()
    new_session.files.open_files(paths)
    new_session.evaluation.set_measure("AP")
    yield new_session
    new_session.close()


def line(session: Session) -> str:
    """Return the line of what is in view."""
    bound = session.view.protocol
    assert bound is not None
    return bound.line()


def few(session: Session) -> None:
    session.query_sets.make_query_set("few", ["1", "3"], looked=False)
    session.query_sets.set_query_set("few")


def key_of(session: Session, name: str) -> int:
    """Return the key of a run."""
    assert session.view.collection is not None
    return next(entry.key for entry in session.view.collection.runs if entry.name == name)


CHOICES: dict[str, tuple[Callable[[Session], object], list[str]]] = {
    "nothing": (lambda session: None, []),
    "the measure": (lambda session: session.evaluation.set_measure("RR"), ["-m", "RR"]),
    "the level": (lambda session: session.protocol.set(level=2), ["-l", "2"]),
    "the dialect": (lambda session: session.protocol.set(dialect="ranx"), ["--dialect", "ranx"]),
    "judged only": (lambda session: session.protocol.set(judged_only=True), ["-J"]),
    "the test": (lambda session: session.protocol.set(test="wilcoxon"), ["--test", "wilcoxon"]),
    "zeros": (
        lambda session: (session.protocol.set(test="wilcoxon"), session.protocol.set(zeros="pratt")),
        ["--test", "wilcoxon-pratt"],
    ),
    "the correction": (lambda session: session.protocol.set(correction="bonferroni"), ["--correction", "bonferroni"]),
    "the interval": (lambda session: session.protocol.set(interval="bca"), ["--interval", "bca"]),
    "a number": (lambda session: session.protocol.set_number("alpha", ".01"), ["--alpha", ".01"]),
    "the baseline": (
        lambda session: session.runs.set_baseline(key_of(session, "beta")), ["--baseline", "beta"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CHOICES)
def test_the_window_and_the_command_line_have_the_same_line(
    name: str, session: Session, paths: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    choose, options = CHOICES[name]
    choose(session)
    measure = [] if "-m" in options else ["-m", "AP"]
    assert main(["compare", *paths, *measure, *options]) == 0
    assert line(session) == capsys.readouterr().out.splitlines()[0]


def test_query_sets_and_how_judging_was_done_are_named(session: Session) -> None:
    few(session)
    session.evaluation.set_regime(Regime.POOLED)
    assert line(session).startswith("2 of 3 queries (few) · ")
    assert "unjudged: pooled" in line(session)


def test_what_is_only_shown_is_not_in_the_protocol(session: Session) -> None:
    before = session.view.protocol
    session.runs.show_run(key_of(session, "beta"), False)
    session.appearance.set_theme("dark")
    session.navigation.set_place("systems")
    after = session.view.protocol
    assert before is not None
    assert after is not None
    assert after.protocol == before.protocol
    assert after.line() == before.line()


def test_an_edited_copy_takes_no_part(session: Session) -> None:
    before = line(session)
    assert session.run_editing.edit_copy(key_of(session, "alpha")) is not None
    assert line(session) == before


def test_an_edit_binds_nothing_anew_and_a_choice_does(session: Session) -> None:
    """All choices one after the other in one session: what it keeps is what one that keeps nothing binds."""
    key = session.run_editing.edit_copy(key_of(session, "alpha"))
    assert key is not None
    session.navigation.set_query("1")
    for choose, _ in [*CHOICES.values(), (few, []), (lambda _: session.evaluation.set_regime(Regime.POOLED), [])]:
        choose(session)
        before, context = session.view.protocol, session.view.context
        assert context is not None
        assert before == bound_protocol(replace(context, evaluation=Evaluation()), session.state.protocol)
        assert session.judging.judge("d3", 1.0)
        assert session.run_editing.shift_document(key, "d1", 1)
        assert session.view.protocol is before
        session.history.undo()
        session.history.undo()


def test_nothing_open_has_no_protocol() -> None:
    empty = Session()
    assert empty.view.protocol is None
    empty.close()


def test_a_measure_in_view_that_is_not_the_primary_one_says_so(session: Session) -> None:
    assert "primary: AP" in line(session)
    assert "shown" not in line(session)
    session.protocol.set(measures=["AP", "RR"])
    session.evaluation.set_measure("RR")
    assert "primary: AP · shown: RR, secondary · " in line(session)
    session.evaluation.set_measure("P@5")
    assert "primary: AP · shown: P@5, not declared · " in line(session)
