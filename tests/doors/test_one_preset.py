"""A command and the view of the same analysis take the same measures: those that are declared, and the same ones where
nobody declares any. So do Python and the window."""

from __future__ import annotations

import json
import random
import warnings
from typing import Any

import pytest

import irviewer
from irviewer.cli.main import main
from irviewer.session.session import Session
from irviewer.tables.exact import plain_columns

COMMANDS = {
    "compare": "comparison",
    "evaluate": "evaluation",
    "pool": "pool",
    "stability": "stability",
    "medians": "medians",
    "measure-agreement": "measure-agreement",
    "slices": "slices",
    "stages": "stages",
    "failures": "failures",
    "curves": "curves",
    "dialects": "dialects",
}
"""The commands with a view of their own, and its name."""


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    dice = random.Random(5)
    folder = tmp_path_factory.mktemp("preset")
    queries, documents = [f"q{number:02}" for number in range(10)], [f"d{number}" for number in range(12)]
    paths = [folder / "qrels.txt", *(folder / f"{name}.run" for name in ("alpha", "bm25", "delta", "eps", "gamma"))]
    paths[0].write_text("".join(f"{q} 0 {doc} {dice.choice([0, 0, 1, 2])}\n" for q in queries for doc in documents))
    for path in paths[1:]:
        with path.open("w") as file:
            for query in queries[: 9 if path.stem == "eps" else 10]:
                for rank, document in enumerate(dice.sample([*documents[3:], "u1", "u2"], 8), start=1):
                    file.write(f"{query} Q0 {document} {rank} {50 - rank} {path.stem}\n")
    (folder / "p.toml").write_text('schema = 1\nmeasures = ["NumRelRet", "AP", "P@5"]\n')
    return [*map(str, paths), str(folder / "p.toml")]


def printed(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[dict[str, Any], Any]:
    """The rows of the tables by their names, and the protocol with its line."""
    assert main([*arguments, "--format", "json"]) == 0, capsys.readouterr().err
    answer_json = json.loads(capsys.readouterr().out)
    return {table["name"]: table["rows"] for table in answer_json["tables"]}, answer_json["protocol"]


@pytest.mark.parametrize("declared", [False, True])
@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_and_its_view_take_the_same_measures(
    command: str, declared: bool, files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """Pool, stability, medians and compare took other ones than their views where none was declared, evaluate and
    dialects took more; and the view of slices took the primary one alone."""
    *paths, protocol = files
    more = ["--protocol", protocol] if declared else []
    ours, line = printed([command, *paths, *more], capsys)
    shown, other = printed(["show", COMMANDS[command], *paths, *more], capsys)
    assert ours == {name: shown[name] for name in ours}
    assert line == other
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        in_python = irviewer.show(
            COMMANDS[command], paths[0], paths[1:], **({"protocol": protocol} if declared else {})
        ).shown
    session = Session()
    session.files.open_files(paths)
    if declared:
        session.protocol.open_file(protocol)
    session.evaluation.set_measure("AP" if declared else "nDCG@10")
    session.result_views.choose(COMMANDS[command])
    session.compute_now()
    answer = session.result_views.answer()
    assert answer is not None and answer.shown is not None
    for table in answer.shown.tables:
        columns = {key: values.to_pylist() for key, values in plain_columns(table).items()}
        same = {key: values.to_pylist() for key, values in plain_columns(in_python.table(table.name)).items()}
        assert columns == same, table.name
        names = [list(row) for row in shown[table.name][:1]]
        assert not names or names[0] == list(columns), table.name
        assert len(shown[table.name]) == table.n_rows
    session.close()


def test_the_warning_of_compare_names_the_measures_that_are_compared(files: list[str]) -> None:
    """It named those that are left out, too."""
    *paths, _ = files
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        irviewer.compare(paths[0], paths[1:], ["AP", "NumRel"], samples=200)
        irviewer.evaluate(paths[0], paths[1:], ["AP", "NumRel"])
    lacking = "run eps lacks 1 query (q09) of the qrels: counted as 0"
    assert [str(each.message) for each in caught] == [lacking, f"{lacking} (by NumRel as an empty list)"]
