"""A run with ties comes back from a file as it was under every rule of ties, that of the file's order among them."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from irviewer.api.sources import read_run
from irviewer.cli import main
from irviewer.formats.registry import FORMATS
from irviewer.session.session import Session

WRITING = [
    file_format
    for file_format in FORMATS
    if file_format.writes("run") and "scores" in file_format.keeps
    if not file_format.name.startswith(("rag", "answer-", "assignments", "support"))
]  # answers and their labels: a list of documents has none


@pytest.fixture
def tied(tmp_path: Path) -> Path:
    """Lists whose documents share three scores, in any order."""
    dice, lines = random.Random(3), []
    for query in range(1, 9):
        documents = [f"d{number}" for number in range(20)]
        dice.shuffle(documents)
        lines += [f"{query} Q0 {document} 1 {dice.choice((3.0, 2.0, 1.0))} t\n" for document in documents]
    path = tmp_path / "tied.run"
    path.write_text("".join(lines))
    return path


@pytest.mark.parametrize("form", [file_format.name for file_format in WRITING])
def test_converting_keeps_the_order_of_ties(tied: Path, tmp_path: Path, form: str) -> None:
    target = tmp_path / "out"
    assert main.main(["convert", str(tied), str(target), "--to", form]) == 0
    before, after = read_run(tied), read_run(target, format=form)
    for rule in ("descending", "ascending", "arrival"):
        for query in before.query_ids:
            ranking, other = (run.reordered(rule).ranking(query) for run in (before, after))
            assert ranking == other, (rule, query)


def test_saving_an_edited_copy_keeps_it_too(tied: Path, tmp_path: Path) -> None:
    (tmp_path / "some.qrels").write_text("".join(f"{query} 0 d{query} 1\n" for query in range(1, 9)))
    session = Session()
    session.files.open_files([str(tmp_path / "some.qrels"), str(tied)])
    session.navigation.set_query("3")
    assert session.view.collection is not None
    key = session.run_editing.edit_copy(session.view.collection.runs[0].key)
    assert key is not None
    session.run_editing.swap_ranks(key, 1, 4)
    session.run_editing.save_run(key, str(tmp_path / "after.run"))
    edited, after = session.view.collection.run(key), read_run(tmp_path / "after.run")
    assert edited is not None
    session.protocol.set(dialect="textbook")
    shown = session.view.context
    assert shown is not None
    seen = shown.collection.run(key)
    assert seen is not None
    for query in after.query_ids:
        assert after.reordered("arrival").ranking(query) == seen.run.ranking(query), query


@pytest.mark.parametrize("form", [each.name for each in FORMATS if each.writes("run") and "scores" not in each.keeps])
def test_a_format_without_scores_keeps_the_ranking(tied: Path, tmp_path: Path, form: str) -> None:
    """Its ranks are all that is left, so values stay; the order of the file among ties gave other ones."""
    target = tmp_path / "out"
    assert main.main(["convert", str(tied), str(target), "--to", form]) == 0
    before, after = read_run(tied), read_run(target, format=form)
    assert [after.ranking(query) for query in after.query_ids] == [before.ranking(query) for query in before.query_ids]
