"""Effects of the pool and the worklist at every door: the window, the command and Python write the same bytes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import irviewer
from irviewer.cli.main import main
from irviewer.gui.widgets.savable import savable_later
from irviewer.model.workspace import Regime
from irviewer.session.session import Session
from irviewer.tables.emphasis import role
from irviewer.views.pool import worklist_table
from tests.analysis.stages.test_stages import world
from tests.helpers.doors import assert_same_files, collection_files
from tests.session.helpers import cells

QRELS, LISTS = world(1)
RUNS = {"a": LISTS[0], "b": LISTS[1]}


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """Qrels and two runs as files."""
    return collection_files(tmp_path, QRELS, RUNS)


@pytest.fixture
def session(files: list[str]) -> Iterator[Session]:
    """A session on both runs, whose pool was judged."""
    opened = Session()
    opened.files.open_files(files)
    opened.evaluation.set_measure("nDCG@4")
    opened.evaluation.set_regime(Regime.POOLED)
    yield opened
    opened.close()


def test_the_window_writes_the_files_of_pool(files: list[str], session: Session, tmp_path: Path) -> None:
    find = session.pooling.effects_of_all()
    assert find is not None
    words = ["pool", *files, "-m", "nDCG@4", "--unjudged", "pooled"]
    effects = irviewer.pool_effects(files[0], files[1:], "nDCG@4", unjudged="pooled")
    for format_name in ("csv", "json", "parquet"):  # people are told two of the tables by the command
        ours, python, saved = (tmp_path / f"{door}.{format_name}" for door in ("command", "python", "window"))
        assert main([*words, "--format", format_name, "-o", str(ours)]) == 0
        effects.save(python)
        savable_later("", find).write(str(saved))
        assert saved.read_bytes() == python.read_bytes() == ours.read_bytes()
    session.query_sets.make_query_set("few", session.view.context.query_ids[:2], looked=False)  # type: ignore[union-attr]
    session.query_sets.set_query_set("few")
    assert session.pooling.effects_of_all() is None


def test_a_level_above_all_grades_is_in_what_the_window_writes(
    files: list[str], session: Session, tmp_path: Path
) -> None:
    """By nDCG, which reads no level: relevant documents are counted by it."""
    session.protocol.set(level=9)
    session.navigation.set_place("compare")
    session.navigation.set_tab("compare", "pool")
    session.compute_now()
    find, view_model = session.pooling.effects_of_all(), session.pooling.pool_view_model()
    assert find is not None
    assert view_model is not None
    assert view_model.table is not None
    said = "no document has grade 9 or higher"
    assert [note.text for note in view_model.table.notes if said in note.text]
    ours, saved = tmp_path / "command.json", tmp_path / "window.json"
    words = ["pool", *files, "-m", "nDCG@4", "--unjudged", "pooled", "--level", "9", "--format", "json"]
    assert main([*words, "-o", str(ours)]) == 0
    savable_later("", find).write(str(saved))
    assert said in saved.read_text()
    assert saved.read_bytes() == ours.read_bytes()


def test_the_window_writes_the_files_of_the_worklist(files: list[str], session: Session, tmp_path: Path) -> None:
    session.navigation.set_place("queries")
    session.navigation.set_tab("queries", "worklist")
    session.compute_now()
    words = ["pool", *files, "-m", "nDCG@4", "--unjudged", "pooled", "--worklist"]
    written = assert_same_files(tmp_path, words, None, session.failures.tables("worklist"))
    assert written["csv"].startswith(b"query,document,")
    assert len(written["csv"].splitlines()) > 2


def test_the_screen_shows_the_values_of_the_tables(session: Session) -> None:
    session.navigation.set_place("compare")
    session.navigation.set_tab("compare", "pool")
    session.compute_now()
    view_model, find = session.pooling.pool_view_model(), session.pooling.effects_of_all()
    assert view_model is not None
    assert find is not None
    limits, runs, *_ = find()
    shown = {"least": limits, "most": limits, "value": limits, "relevant_alone": runs, "rbp_residual": runs}
    for key, table in shown.items():
        names = list(table.column("run").values)
        assert view_model.table is not None
        for name, value in zip(view_model.table.keys, cells(view_model.table, key).tolist(), strict=True):
            assert value == table.column(key).numbers[""][names.index(name)], key


def test_a_judgment_that_raises_a_cost_is_for_the_worse(files: list[str]) -> None:
    """A further relevant document makes the rank of the last one greater: more is to be read."""
    worklist = irviewer.worklist(files[0], files[1:], "last_rel")
    table = worklist_table(worklist)
    change = table.column("change")
    assert len(worklist) > 3
    assert min(change.numbers[""]) > 0
    assert {role(table, change, row) for row in range(len(worklist))} == {"worse"}


def test_runs_that_found_the_same_are_named() -> None:
    qrels = {"1": {"a": 1, "b": 1, "c": 0}}
    runs = {"one": {"1": {"a": 3.0, "c": 1.0}}, "again": {"1": {"c": 3.0, "a": 1.0}}, "other": {"1": {"b": 1.0}}}
    shown = irviewer.show("pool", qrels, runs, measures=["AP"])
    (note,) = [note for note in shown["runs"].notes if note.code == "same"]
    assert note.text.startswith("again, one found the same judged documents: they are one contribution")
    assert list(shown["runs"].column("relevant_alone").values) == [1, 1, 1]
    limits = dict(
        zip(shown["limits"].column("run").values, shown["limits"].column("without_its_own").values, strict=True)
    )
    assert limits == {"one": 0, "again": 0, "other": 0}


def test_means_that_differ_by_rounding_are_equal() -> None:
    """(.1 + .1 + .4) / 3 is another float than (.4 + .1 + .1) / 3. ``more`` has one more of ten in each query than
    ``first``, and no more if the document that ``first`` alone returns is relevant, too."""
    counts = {"first": (1, 1, 4), "second": (4, 1, 1), "more": (2, 2, 5)}
    qrels = {str(query): {f"r{rank}": 1 for rank in range(10)} for query in range(3)}
    runs = {
        name: {str(query): {f"{'r' if rank < k else 'n'}{rank}": 10.0 - rank for rank in range(10)}
               for query, k in enumerate(own)}
        for name, own in counts.items()
    }  # fmt: skip
    effects = irviewer.pool_effects(qrels, runs, "P@10")
    limits = effects.to_arrow("limits").to_pylist()
    assert [(row["run"], row["rank"]) for row in limits] == [("first", 2), ("second", 2), ("more", 1)]
    notes = str(effects)
    assert "equal, and more judgments could set them apart: first over second: Δ 0, could be between" in notes
    assert "second over first" not in notes
    low, _ = effects.bounds.mean_differences
    assert low[0, 2, 0] == 0
