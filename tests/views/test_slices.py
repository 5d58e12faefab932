"""Comparisons by slices at every door: the window, the command and Python write the same bytes."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

import irviewer
from irviewer.cli.main import main
from irviewer.model.attributes.queries import Cut
from irviewer.session.session import Session
from irviewer.tables.emphasis import role
from irviewer.tables.table import Status
from irviewer.tables.writers.registry import WRITERS
from irviewer.views import slices
from tests.helpers.doors import assert_same_files, collection_files

QUERIES = [f"q{number}" for number in range(48)]
DICE = np.random.default_rng(4)
QRELS = {query: {f"d{number}": float(DICE.integers(0, 3)) for number in range(9)} for query in QUERIES}
RUNS = {
    name: {query: {doc: float(DICE.normal(grade * push)) for doc, grade in row.items()} for query, row in QRELS.items()}
    for name, push in (("base", 0.1), ("good", 3.0))
}
FIELDS = {"measure": "nDCG@4", "samples": 200}
WORDS = ["-m", "nDCG@4", "--samples", "200", "--by", "relevant"]


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """Qrels and two runs as files."""
    return collection_files(tmp_path, QRELS, RUNS)


@contextmanager
def slices_in_view(files: list[str]) -> Iterator[Session]:
    """The window's session with the files open, in which slices are asked for as by ``WORDS``."""
    session = Session()
    try:
        session.files.open_files(files)
        session.evaluation.set_measure("nDCG@4")
        session.protocol.set_number("samples", "200")
        session.runs.set_baseline(0)
        session.navigation.set_place("compare")
        session.navigation.set_tab("compare", "slices")
        session.attributes.show_slices(["relevant"])
        yield session
    finally:
        session.close()


def test_command_and_python_write_the_same_files(files: list[str], tmp_path: Path) -> None:
    mine = irviewer.compare_slices(files[0], files[1:], by="relevant", **FIELDS)  # type: ignore[arg-type]
    written = assert_same_files(tmp_path, ["slices", *files, *WORDS], mine)
    rows = list(csv.DictReader(io.StringIO(written["csv"].decode())))
    (run,) = mine.runs
    assert [row["slice"] for row in rows] == ["", *(row.name for row in run.rows)]
    assert [float(row["difference"]) for row in rows[1:]] == [row.pair.difference for row in run.rows if row.pair]
    assert mine.tables == ("slices", "interactions")


def test_the_window_writes_the_same_files(files: list[str], tmp_path: Path) -> None:
    with slices_in_view(files) as session:
        session.compute_now()
        for writer in WRITERS:
            session.slices.save(str(tmp_path / f"saved{writer.suffixes[0]}"))
    ours = assert_same_files(tmp_path, ["slices", *files, *WORDS, "--baseline", "base"])
    for writer in WRITERS:
        assert (tmp_path / f"saved{writer.suffixes[0]}").read_bytes() == ours[writer.name], writer.name


@pytest.mark.parametrize(
    ("words", "cut"), [(["--parts", "3"], 3), (["--borders", "relevant=6,7"], [6.0, 7.0]), (["--parts", "4"], None)]
)
def test_every_door_says_how_numbers_were_cut(
    files: list[str], tmp_path: Path, words: list[str], cut: int | list[float] | None,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    asked = {} if cut is None else {"relevant": cut}
    mine = irviewer.compare_slices(files[0], files[1:], by="relevant", cuts=asked, **FIELDS)  # type: ignore[arg-type]
    saved = assert_same_files(tmp_path, ["slices", *files, *WORDS, *words], mine)
    assert json.loads(saved["json"])["parameters"].get("cuts") == (asked or None)
    assert "by" in json.loads(saved["json"])["parameters"]
    capsys.readouterr()
    assert main(["show", "slices", *files, *WORDS, *words, "--format", "csv"]) == 0
    assert capsys.readouterr().out.encode() == saved["csv"]
    assert main(["show", "slices", *files, *WORDS, *words, "--format", "json"]) == 0
    shown = json.loads(capsys.readouterr().out)["parameters"]
    named = {"parts": int(words[1]), "borders": []} if words[0] == "--parts" else {"parts": 4, "borders": words[1:]}
    for parameters in (shown, json.loads(saved["json"])["parameters"]):
        assert {name: parameters[name] for name in named} == named
    assert main(["show", "slices", *files, *WORDS, "--borders", "length=3"]) == 2
    assert "--by has no attribute of this name" in capsys.readouterr().err
    with slices_in_view(files) as session:
        session.attributes.cut("relevant", Cut(3) if cut == 3 else Cut(borders=tuple(cut or ())))  # type: ignore[arg-type]
        session.compute_now()
        session.slices.save(str(tmp_path / "window.json"))
    assert json.loads((tmp_path / "window.json").read_text())["parameters"].get("cuts") == (asked or None)


def test_numbers_that_are_cut_differently_have_no_number_of_parts(files: list[str], tmp_path: Path) -> None:
    years = {query: {"year": 2000 + place} for place, query in enumerate(QUERIES)}
    mine = irviewer.compare_slices(
        files[0], files[1:], by=["relevant", "year"], cuts={"relevant": 2, "year": 3}, query_attributes=years, **FIELDS
    )  # type: ignore[arg-type]
    mine.save(tmp_path / "mine.json")
    parameters = json.loads((tmp_path / "mine.json").read_text())["parameters"]
    assert (parameters["parts"], parameters["cuts"]) == (None, {"relevant": 2, "year": 3})


def test_tests_on_queries_that_were_chosen_after_seeing_results_prove_nothing(
    files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Slices said which run is better, and with stages and collections nothing of the choice, as a comparison does."""
    chosen = {looked: tmp_path / f"{looked}.toml" for looked in ("true", "false")}
    ids = ", ".join(f'"{query}"' for query in QUERIES[:30])
    for looked, path in chosen.items():
        path.write_text(
            'measures = ["nDCG@4"]\ninference = { samples = 200 }\n'
            f'scope = {{ queries = {{ name = "{looked}", ids = [{ids}], looked = {looked} }} }}\n'
        )
    session = Session()
    session.files.open_files(files)
    session.navigation.set_place("compare")
    session.navigation.set_tab("compare", "slices")
    session.attributes.show_slices(["relevant"])
    for looked, path in chosen.items():
        said = []
        folder = str(Path(files[0]).parent)
        for command in (["slices", *files, "--by", "relevant"], ["show", "slices", *files, "--by", "relevant"],
                        ["stages", *files], ["collections", folder, "--baseline", "base"],
                        ["gate", files[0], files[2], "--baseline", files[1], "--fail-if",
                         "nDCG@4 worse, p < .05"]):  # fmt: skip
            assert main([*command, "--protocol", str(path)]) == 0
            said.append(capsys.readouterr().out)
        said.append(str(irviewer.compare_slices(files[0], files[1:], by="relevant", protocol=path)))
        session.protocol.open_file(str(path))
        session.compute_now()
        session.slices.save(str(tmp_path / "window.json"))
        assert main(["slices", *files, "--by", "relevant", "--protocol", str(path), "--format", "json"]) == 0
        by_doors = (json.loads((tmp_path / "window.json").read_text()), json.loads(capsys.readouterr().out))
        first, second = ([note["text"] for note in each["notes"]] for each in by_doors)
        assert first == second
        view_model = session.slices.slices_view_model()
        assert view_model is not None and view_model.sentence
        assert ("Over all queries good is better" in view_model.sentence) == (looked == "false")
        assert ("the test proves nothing" in view_model.sentence) == (looked == "true")
        for text in said:
            assert text.count("These queries were chosen after looking at the results") == (looked == "true"), text
        for text in (*said[:2], said[-1]):
            assert ("Over all queries good is better" in text) == (looked == "false")
    session.close()


def test_only_the_row_of_all_queries_was_declared() -> None:
    """What slices show is exploratory: no arrow of theirs is filled, however small p is."""
    compared = irviewer.compare_slices(QRELS, RUNS, by="relevant", **FIELDS)  # type: ignore[arg-type]
    table = slices.tables(slices.Slices((compared,)), compared.protocol).table("slices")
    p = table.column("p_corrected").numbers[""]
    assert (p[1:] < 0.05).any()
    roles = [role(table, table.column("difference"), row) for row in range(table.n_rows)]
    assert roles[0] == "better"
    assert set(roles[1:]) <= {"weakly_better", "weakly_worse", "equal"}
    assert table.status_of(0) is Status.TOTAL
    assert table.column("outcome").values[0] == "better"


def test_methods_name_no_correction_where_no_slice_is_tested(
    files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    few = tmp_path / "few.txt"
    few.write_text("".join(f"{query}\n" for query in QUERIES[:8]))
    for words, tested in ((["--query-set", str(few)], False), (["--parts", "2"], True)):
        assert main(["slices", *files, *WORDS, *words]) == 0
        said = capsys.readouterr().out
        assert ("slices: none is tested" in said, "Holm over 0" in said) == (not tested, False)
