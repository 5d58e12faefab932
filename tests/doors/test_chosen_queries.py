"""On queries that were chosen after the results were seen no door shows a difference, and each says why."""

from __future__ import annotations

import numpy as np
import pytest

import irviewer
from irviewer.cli.main import main
from irviewer.session.session import Session
from irviewer.session.view_models.systems_table import systems_table_of
from irviewer.tables.emphasis import role
from tests.helpers.doors import collection_files

DICE = np.random.default_rng(4)
QUERIES = [f"q{number}" for number in range(30)]
QRELS = {query: {f"d{number}": float(DICE.integers(0, 3)) for number in range(9)} for query in QUERIES}
RUNS = {
    name: {query: {doc: float(DICE.normal(grade * push)) for doc, grade in row.items()} for query, row in QRELS.items()}
    for name, push in (("base", 0.1), ("good", 3.0))
}
TESTED = (["compare"], ["show", "systems"], ["stages"], ["slices", "--by", "relevant"], ["paper", "--format", "latex"])
OTHERS = (["plan"], ["stability"], ["show", "stability"], ["gate", "--fail-if", "nDCG@4 worse, p < .05"])
PROVED = ("▲", "dagger", "shown to be better")


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Qrels, two runs, and protocols of queries that were chosen by their results and that were not."""
    folder = tmp_path_factory.mktemp("chosen")
    files = collection_files(folder, QRELS, RUNS)
    ids = ", ".join(f'"{query}"' for query in QUERIES[:20])
    for looked in ("true", "false"):
        path = folder / f"{looked}.toml"
        path.write_text(
            f'measures = ["nDCG@4"]\nscope = {{ queries = {{ name = "some", ids = [{ids}], looked = {looked} }} }}\n'
            "inference = { samples = 200 }\n"
        )
        files.append(str(path))
    return files


def test_no_command_shows_a_difference(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """The report for managers called a run “shown to be better” below “no difference was shown”; arrows and daggers
    stood beside “the test proves nothing”, and plans and orders said nothing."""
    qrels, base, good, looked, plain = files
    for command in (*TESTED, *OTHERS):
        runs = [good, "--baseline", base] if command[0] == "gate" else [base, good]
        names = 2 if command[0] == "show" else 1
        said = {}
        for path in (looked, plain):
            assert main([*command[:names], qrels, *runs, *command[names:], "--protocol", path]) == 0
            said[path] = capsys.readouterr().out
        assert "chosen after looking at the results" in said[looked], command
        assert "after looking" not in said[plain], command
        assert not any(mark in said[looked] for mark in PROVED), command
        if command in TESTED:
            assert any(mark in said[plain] for mark in PROVED), command


def test_no_report_shows_a_difference(files: list[str]) -> None:
    qrels, base, good, looked, plain = files
    for reader in ("manager", "expert"):
        chosen, usual = (
            irviewer.report(qrels, [base, good], protocol=path, reader=reader, by="relevant").html  # type: ignore[arg-type]
            for path in (looked, plain)
        )
        assert "chosen after looking at the results" in chosen
        assert "▲" in usual and "▲" not in chosen, reader
        assert ("shown to be better" in usual, "shown to be better" in chosen) == (reader == "manager", False)
        assert "counts as shown where" not in chosen


def test_no_view_of_the_window_shows_a_difference(files: list[str]) -> None:
    session = Session()
    session.files.open_files(files[:3])
    session.navigation.set_place("systems")
    for path, arrow in zip(files[3:], "△▲", strict=True):
        session.protocol.open_file(path)
        session.compute_now()
        statistics = session.comparison.systems_view_model().statistics
        assert statistics is not None
        assert bool(statistics.shown.any()) == (arrow == "▲")
        shown_table = systems_table_of(session.comparison.systems_view_model())
        roles = {role(shown_table, shown_table.column("difference"), row) for row in range(2)}
        assert ("better" in roles) == (arrow == "▲"), "the rows of Systems"
        table = session.query_sets.sets_view_model().table
        roles = {role(table, table.column("difference"), row) for row in range(len(table.keys))}
        assert ("better" in roles) == (arrow == "▲")
    session.close()
