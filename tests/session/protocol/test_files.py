"""Protocols in files: read as a whole, resolved by names, written so that every door follows them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from queue import Queue

import pytest
from patience import Call, deliver

from irviewer.cli.main import main
from irviewer.formats.protocol_file import read_protocol
from irviewer.model.protocol import PRESET, QuerySelection
from irviewer.model.workspace import Regime
from irviewer.rendering.table_files import save_tables
from irviewer.session.session import Session
from irviewer.session.settings import Settings
from tests.session.protocol.test_in_view import few, key_of, line, paths, session  # noqa: F401 - fixtures


@pytest.fixture
def written(tmp_path: Path) -> Iterator[Path]:
    """A file that declares something of every part."""
    path = tmp_path / "mine.protocol.toml"
    path.write_text(
        'measures = ["RR", "AP"]\n[rules]\nlevel = 2\nunjudged = "pooled"\n[scope]\nqueries = ["1", "3"]\n'
        'runs = ["beta", "gamma"]\nbaseline = "gamma"\n[inference]\ntest = "sign"\n'
    )
    yield path


def test_a_file_is_the_whole_protocol_and_one_step(session: Session, written: Path) -> None:  # noqa: F811
    session.protocol.set(alpha=0.01)
    before = (session.state.protocol, session.state.chosen, str(session.view.measure), session.view.collection)
    session.protocol.open_file(str(written))
    bound = session.view.protocol
    assert bound is not None
    assert bound.protocol.but(queries=["1", "3"]) == read_protocol(written)
    assert str(session.view.measure) == "RR"
    assert session.view.judgments is not None
    assert session.view.judgments.regime is Regime.POOLED
    assert session.state.protocol["alpha"] == 0.05, "what a file does not name has its default"
    assert session.history.undo_label == "protocol of mine.protocol.toml"
    session.history.undo()
    after = (session.state.protocol, session.state.chosen, session.view.collection)
    assert after[0] == before[0]
    assert after[1].scope == before[1].scope
    assert after[2] is not None
    assert before[3] is not None
    assert (after[2].query_sets, after[2].judgments[0].regime) == (before[3].query_sets, before[3].judgments[0].regime)


def test_what_is_saved_is_read_as_the_same_at_every_door(
    session: Session, paths: list[str], tmp_path: Path, written: Path, capsys: pytest.CaptureFixture[str]  # noqa: F811
) -> None:  # fmt: skip
    session.protocol.open_file(str(written))
    saved = tmp_path / "saved.protocol.toml"
    session.protocol.save_file(str(saved))
    session.store.tasks.close()
    assert read_protocol(saved) == read_protocol(written)
    assert main(["compare", *paths, "--protocol", str(saved), "-m", "RR", "--format", "json"]) == 0
    theirs = json.loads(capsys.readouterr().out)["protocol"]["line"]
    assert line(session) == theirs
    again = Session(Settings())
    again.files.open_files(paths)
    again.protocol.open_file(str(saved))
    assert line(again) == line(session)
    again.close()


def test_a_file_that_is_opened_with_others_is_declared_for_them_and_can_be_undone(
    paths: list[str], tmp_path: Path  # noqa: F811
) -> None:  # fmt: skip
    path = tmp_path / "mine.protocol.toml"
    path.write_text("[rules]\nlevel = 2\n[scope]\nruns = ['alpha', 'beta']\n")
    for order in ([str(path), *paths], [*paths, str(path)]):
        posted: Queue[Call] = Queue()
        opened = Session(Settings(), post=posted.put)
        opened.files.open_files(order)
        deliver(posted, lambda opened=opened: opened.state.options.level == 2)  # type: ignore[misc]
        assert opened.view.collection is not None
        assert (
            len(opened.state.chosen.scope.runs) == 2 and opened.history.undo_label == "protocol of mine.protocol.toml"
        )
        opened.close()
    opened = Session(Settings())
    opened.files.open_files(paths)
    opened.files.open_files([str(path)])
    assert opened.state.options.level == 2
    opened.history.undo()
    assert opened.state.options.level == 1 and not opened.state.chosen.scope.runs
    opened.close()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('[scope]\nbaseline = "nobody"\n', "nobody"),
        ('[scope]\nqueries = "hard"\n', "hard"),
        ('[scope]\nunit = "language"\n', "unit is language, and the queries have no such attribute"),
        ('[scope]\nweights = "traffic"\n', "traffic"),
        ('[rules]\nzscores = "means.txt"\n', "means.txt"),
        ("[rules]\nlevle = 2\n", "levle"),
        ('[scope]\nruns = ["alpha"]\nbaseline = "beta"\n', "add it to runs"),
        ('measures = ["nDCQ"]\n', "nDCQ"),
    ],
)
def test_what_cannot_be_followed_changes_nothing(
    session: Session, tmp_path: Path, text: str, reason: str  # noqa: F811
) -> None:  # fmt: skip
    path = tmp_path / "wrong.toml"
    path.write_text(text)
    before = session.state
    session.protocol.open_file(str(path))
    assert reason in session.view.messages[-1].text
    assert (session.state.protocol, session.state.choices) == (before.protocol, before.choices)
    assert session.state.workspace is before.workspace
    assert session.state.history is before.history


def test_a_copy_and_two_runs_of_one_name_are_refused(session: Session, tmp_path: Path) -> None:  # noqa: F811
    copy = session.run_editing.edit_copy(key_of(session, "alpha"))
    assert copy is not None
    assert session.view.collection is not None
    name = session.view.collection.run(copy).name  # type: ignore[union-attr]
    path = tmp_path / "p.toml"
    path.write_text(f'[scope]\nbaseline = "{name}"\n')
    session.protocol.open_file(str(path))
    assert "edited copy" in session.view.messages[-1].text


def test_runs_that_take_part_are_the_family_and_nothing_else_is(session: Session) -> None:  # noqa: F811
    beta, gamma = key_of(session, "beta"), key_of(session, "gamma")
    before = line(session)
    session.runs.show_run(gamma, False)
    assert line(session) == before
    session.protocol.set_taking_part(gamma, False)
    assert "Holm over 1 " in line(session)
    assert "2 runs chosen" in line(session)
    session.navigation.set_place("systems")
    compared = session.comparison.compared("baseline")
    assert compared is not None
    pair = compared.pair(beta)
    assert pair is not None
    assert pair.decision.comparisons == 1
    assert compared.pair(gamma) is None
    with pytest.raises(Exception, match="baseline takes part"):
        session.protocol.set_taking_part(key_of(session, "alpha"), False)
    session.protocol.set_taking_part(gamma, True)
    assert line(session) == before
    assert session.state.chosen.scope.runs == frozenset()


def test_a_project_is_offered_a_protocol_and_keeps_its_own(
    session: Session, tmp_path: Path, written: Path  # noqa: F811
) -> None:  # fmt: skip
    session.autosave.save_project(str(tmp_path / "work"))
    before = session.state.protocol
    session.protocol.open_file(str(written), offered=True)
    assert session.state.protocol == before
    (message,) = [each for each in session.view.messages if each.action == "use_protocol"]
    assert "mine.protocol.toml" in message.text
    session.protocol.use_offered()
    assert session.state.protocol["test"] == "sign"
    assert not session.protocol.has_offer
    session.history.undo()
    assert session.state.protocol == before


def test_a_set_of_the_window_is_saved_with_its_name_and_a_measure_that_is_only_in_view_is_not(
    session: Session, paths: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]  # noqa: F811
) -> None:  # fmt: skip
    few(session)
    saved = tmp_path / "saved.protocol.toml"
    session.protocol.save_file(str(saved))
    tables = session.result_views.request("systems").tables()  # type: ignore[union-attr]
    save_tables(tmp_path / "window.csv", tables)
    session.store.tasks.close()
    assert read_protocol(saved) == PRESET.but(queries=QuerySelection("few", ids=("1", "3")))
    assert "2 of 3 queries (few)" in line(session)
    assert main(["compare", *paths, "--protocol", str(saved), "-m", "AP", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["protocol"]["line"] == line(session)
    again = Session(Settings())
    again.files.open_files(paths)
    again.evaluation.set_measure("AP")
    again.protocol.open_file(str(saved))
    assert line(again) == line(session)
    assert [each.name for each in again.query_sets.every] == ["few"]
    again.close()
    beside = tmp_path / "window.csv.protocol.toml"
    command = ["show", "systems", *paths, "--protocol", str(beside), "--format", "csv", "-o"]
    assert main([*command, str(tmp_path / "command.csv")]) == 0
    assert (tmp_path / "command.csv").read_bytes() == (tmp_path / "window.csv").read_bytes()
