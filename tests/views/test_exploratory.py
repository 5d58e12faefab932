"""What nobody declared before is named exploratory where the number stands, at every door and in every view."""

from __future__ import annotations

import io
import json
from contextlib import redirect_stderr, redirect_stdout

import numpy as np
import pytest

import irviewer
from irviewer.cli.main import main
from irviewer.errors import OptionError
from irviewer.tables.column import ComparisonFamily, p_value, run
from irviewer.tables.table import Remark, Table
from irviewer.views.manifest import BY_NAME
from irviewer.views.result import ViewResult

DECLARED = {"runs", "pairs", "conditions"}
"""The families that a protocol, or the conditions of a gate, declare."""
FORMATS = ("table", "markdown", "latex", "html", "json")
VIEWS = [name for name in BY_NAME if not name.startswith("answer-") and name not in ("fusion-sweep", "trade-offs")]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Qrels of twenty queries, four runs, of which the third is the best, and the kinds of the queries."""
    folder, dice = tmp_path_factory.mktemp("files"), np.random.default_rng(3)
    grades = dice.integers(0, 3, (20, 8))
    lines = [f"q{query} 0 d{n} {grades[query, n]}\n" for query in range(20) for n in range(8)]
    (folder / "qrels.txt").write_text("".join(lines))
    for place, name in enumerate(("bm25", "first", "best", "last")):
        scores = dice.normal(0.3 * place % 0.9 * grades, 1)
        rows = [f"q{query} Q0 d{n} 1 {scores[query, n]} t\n" for query in range(20) for n in range(8)]
        (folder / f"{name}.run").write_text("".join(rows))
    kinds = [f"q{query},{'red' if query < 10 else 'blue'}\n" for query in range(20)]
    (folder / "kinds.csv").write_text("query,kind\n" + "".join(kinds))
    return [str(folder / name) for name in ("qrels.txt", "bm25.run", "first.run", "best.run", "last.run", "kinds.csv")]


def exploratory(table: Table) -> bool:
    return any(column.family is not None and column.family.exploratory for column in table.columns)


def said(words: list[str]) -> str:
    out = io.StringIO()
    with redirect_stdout(out), redirect_stderr(io.StringIO()):
        assert main(words) in (0, 1, 2)
    return out.getvalue()


@pytest.mark.parametrize("name", VIEWS)
def test_every_view_names_it_in_every_format(name: str, files: list[str]) -> None:
    qrels, *runs, kinds = files
    try:
        shown = irviewer.show(name, qrels, runs, measures=["AP"], samples=100, query_attributes=kinds).shown
    except OptionError:
        pytest.skip("the view needs other files")
    for table in shown.tables:
        families = [column.family for column in table.columns if column.family is not None]
        assert all(family.exploratory or family.name in DECLARED for family in families), table.name
        assert not exploratory(table) or [note for note in table.notes if note.code == "exploratory"], table.name
    named = [table.name for table in shown.tables if exploratory(table)]
    options = ["-m", "AP", "--samples", "100", "--query-attributes", kinds]
    for form in FORMATS:
        for table in named:
            text = said(["show", name, qrels, *runs, *options, "--table", table, "--format", form])
            assert "xploratory" in text, (form, table)
    if named:
        tables = json.loads(said(["show", name, qrels, *runs, *options, "--format", "json"]))["tables"]
        families = [column["family"] for table in tables for column in table["columns"] if column["family"]]
        assert any(family["exploratory"] for family in families)
    assert not named or name in ("slices", "stages", "verdict", "comparison", "systems"), "who else?"
    assert named or name not in ("slices", "verdict")


def test_a_stage_that_is_no_declared_comparison(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    qrels, bm25, first, best, _, _ = files
    assert main(["stages", qrels, first, best, "-m", "AP", "--baseline", "best"]) == 0
    assert "exploratory" in capsys.readouterr().out
    assert main(["stages", qrels, bm25, best, "-m", "AP", "--baseline", "bm25"]) == 0
    assert "exploratory" not in capsys.readouterr().out


def test_a_view_of_another_package_needs_say_nothing() -> None:
    def table(*, exploratory: bool, notes: tuple[Remark, ...] = ()) -> Table:
        family = ComparisonFamily("mine", 2, "Holm", exploratory=exploratory)
        return Table("t", "T", (run("run", "run", ["a", "b"]), p_value("p", "p", [0.1, 0.2], family)), notes=notes)

    own = Remark("exploratory", "I said so.")
    result = ViewResult(
        None, (table(exploratory=True), table(exploratory=False), table(exploratory=True, notes=(own,)))
    )
    assert [[note.text for note in each.notes] for each in result.tables] == [
        ["Tests here are exploratory: nobody declared them before."], [], ["I said so."],
    ]  # fmt: skip
    assert [each.notes for each in result.only("t").tables] == [each.notes for each in result.tables]
