"""Collections in the session: matched by name or by hand, with undo and in a project; what two systems come to."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from irviewer.evaluation.evaluate import evaluate
from irviewer.model.workspace import Collection
from irviewer.rendering.palette import LIGHT
from irviewer.rendering.styles import label_colour
from irviewer.session.session import Session
from irviewer.session.view_models.collections import CollectionsViewModel
from irviewer.tables.emphasis import best
from irviewer.tables.table import Status
from tests.session.collections_made import collections
from tests.session.helpers import collection, session_with


@pytest.fixture
def session() -> Session:
    new_session = session_with(*collections(7, {2: ("weak",)}))
    new_session.evaluation.set_measure("RR")
    new_session.navigation.set_place("collections")
    return new_session


def shown(session: Session) -> CollectionsViewModel:
    session.compute_now()
    view_model = session.collections.collections_view_model()
    assert view_model is not None
    return view_model


def test_means_are_those_of_each_collection_and_macro_and_micro_of_the_complete_ones(session: Session) -> None:
    view_model = shown(session)
    systems = [label.name for label in view_model.systems]
    assert systems == ["bm25", "dense", "weak"]  # BM25 is bm25
    for place, opened in enumerate(session.view.workspace.collections):
        means = {entry.name.lower(): evaluate(opened.judgments[0].qrels, entry.run, ["RR"]).mean("RR")
                 for entry in opened.runs}  # fmt: skip
        for row, system in enumerate(systems):
            value = view_model.means[row, place]
            assert value == pytest.approx(means[system]) if system in means else np.isnan(value)
    complete = [place for place in range(7) if place != 2]
    np.testing.assert_allclose(view_model.macro, view_model.means[:, complete].mean(axis=1))
    np.testing.assert_allclose(view_model.micro, view_model.macro)  # as many queries each
    np.testing.assert_array_equal(view_model.macro_best, view_model.macro == view_model.macro.max())
    np.testing.assert_array_equal(view_model.micro_best, view_model.micro == view_model.micro.max())
    assert "set2" in " ".join(view_model.notes)
    assert view_model.pairs is not None
    assert len(view_model.ranks) == 3


def test_the_tables_have_the_values_and_signs_of_the_screen(session: Session) -> None:
    view_model = shown(session)
    table, forest = view_model.table, view_model.forest_table
    assert forest is not None
    keys = [column.key for column in table.columns if column.names == "collection"]
    np.testing.assert_array_equal(np.stack([table.column(key).numbers[""] for key in keys], axis=1), view_model.means)
    for row in range(table.n_rows):
        for place, key in enumerate(keys):
            sign = {1: "better", -1: "worse"}.get(int(view_model.marks[row, place]))
            assert (table.marks[row, key].code if (row, key) in table.marks else None) == sign
            assert bool(best(table, table.column(key))[row]) == bool(view_model.best[row, place])
    assert forest.column("interval").numbers["low"].tolist() == pytest.approx(
        [line.low for line in view_model.forest], nan_ok=True
    )
    assert [forest.status_of(row) for row in range(forest.n_rows)].count(Status.TOTAL) == 1


def test_a_collection_may_have_any_name() -> None:
    """Its name is the key of a column: one with capitals or spaces was a ValueError when the table was saved."""
    renamed = [replace(each, name=name) for each, name in zip(collections(3), ("TREC 8", "ADI", "system"), strict=True)]
    session = session_with(*renamed)
    session.evaluation.set_measure("RR")
    session.navigation.set_place("collections")
    session.compute_now()
    result = session.collections.result()
    assert result is not None
    assert {"TREC 8", "ADI", "system_2"} <= {column.key for column in result.tables[0].columns}
    assert {"TREC 8", "ADI", "system_2"} <= {column.key for column in shown(session).table.columns}


def test_two_systems_are_chosen_by_ticks_or_by_name(session: Session) -> None:
    assert shown(session).pair == ("dense", "bm25")
    session.collections.show_system("dense", False)
    view_model = shown(session)
    assert view_model.pair == ("weak", "bm25")
    assert [line.title for line in view_model.forest if line.why] == ["set2"]
    session.collections.set_pair(system="bm25")
    assert shown(session).pair == ("bm25", "weak")
    session.collections.set_pair(other="dense")
    view_model = shown(session)
    assert view_model.pair == ("bm25", "dense")
    assert all(label.shown for label in view_model.systems)


def test_matches_by_hand_are_undone_and_kept_in_a_project(session: Session, tmp_path: Path) -> None:
    key = session.view.workspace.collections[2].runs[1].key  # dense
    session.collections.match({2: {key: "weak"}})
    view_model = shown(session)
    # The systems on most collections come first.
    assert [label.name for label in view_model.systems] == ["bm25", "weak", "dense"]
    assert view_model.by_hand[:, 2].tolist() == [False, True, False]
    assert np.isnan(view_model.means[:, 2]).tolist() == [False, False, True]
    path = tmp_path / "kept.irviewer"
    session.navigation.set_place("collections")
    session.autosave.save_project(str(path))
    again = Session()
    again.files.open_files([str(path)])
    assert again.view.place == "collections"
    assert bool(shown(again).by_hand[1, 2])
    again.close()
    session.history.undo()
    assert not shown(session).by_hand.any()
    session.history.redo()
    assert bool(shown(session).by_hand[1, 2])


def choose_few(session: Session, place: int) -> None:
    """Choose three queries of a collection."""
    session.collections.open_collection(place)
    session.query_sets.make_query_set("few", ["q1", "q2", "q3"], looked=False)
    session.query_sets.set_query_set("few")
    session.navigation.set_place("collections")


def test_a_query_set_counts_in_all_collections_or_is_refused(session: Session) -> None:
    choose_few(session, 0)
    said = shown(session).explanation
    assert "the protocols differ: set0: 3 of 12 queries (few)" in said
    assert "; set1: 12 queries" in said
    for place in range(1, 7):
        choose_few(session, place)
    assert [head.queries for head in shown(session).heads] == [3] * 7
    assert session.collections.protocol is not None
    assert session.collections.protocol.line() == (
        "21 of 84 queries (few) in 7 collections · primary: RR · binary, level ≥ 1 · unjudged: pooled · "
        "Holm over 1 to 2 in each collection against bm25 · paired t"
    )


def test_the_protocol_of_the_window_is_followed(session: Session) -> None:
    assert shown(session).forest_note.endswith("95 % intervals (percentile) · square: weight")
    session.protocol.set(test="sign")
    session.protocol.set(interval="t")
    session.protocol.set(correction="none")
    assert shown(session).forest_note.endswith("sign test · 95 % intervals (t) · square: weight")
    assert session.collections.protocol is not None
    assert session.collections.protocol.line().endswith("uncorrected against bm25 · sign test · 95 % intervals (t)")
    table = session.collections.known_table()
    assert table is not None
    assert (table.options.tests, table.options.interval, table.options.correction) == (("sign",), "t", "none")


def test_few_collections_are_not_tested_and_one_is_no_place() -> None:
    few = session_with(*collections(2))
    few.navigation.set_place("collections")
    few.evaluation.set_measure("RR")
    view_model = shown(few)
    assert view_model.pairs is None
    assert "too few" in view_model.pairs_note
    few.files.close_collection(1)
    assert few.view.place == "systems"
    few.navigation.set_place("collections")
    assert few.view.place == "systems"
    assert "Open another one" in few.view.messages[-1].text


def test_a_measure_without_a_mean_says_so(session: Session) -> None:
    session.evaluation.set_measure("num_rel")
    assert "NumRel" in shown(session).explanation


def test_systems_of_other_names_are_each_their_own() -> None:
    unlike = session_with(collection(2), collection(2, name="other"))
    names = unlike.collections.systems
    assert names.names == ("alpha", "beta")
    assert names.collections == ("made", "other")


def test_changed_judgments_are_named_with_the_numbers(session: Session) -> None:
    assert "changed judgment" not in shown(session).legend
    session.navigation.set_query("q1")
    session.judging.judge("c0n1", 1.0)
    session.navigation.set_place("collections")
    assert "set0: with 1 changed judgment" in shown(session).legend
    result = session.collections.result()
    assert result is not None
    assert any("changed judgment" in note for note in result.value[0].notes)


def test_runs_left_out_by_the_protocol(session: Session) -> None:
    assert session.collections.protocol is None or "chosen" not in session.collections.protocol.line()
    for place in range(7):
        session.collections.open_collection(place)
        collection = session.view.collection
        assert collection is not None
        for entry in collection.runs:
            if entry.name.casefold() == "weak":
                session.protocol.set_taking_part(entry.key, takes_part=False)
    session.navigation.set_place("collections")
    view_model = shown(session)
    assert [label.name for label in view_model.systems] == ["bm25", "dense"]
    assert session.collections.protocol is not None
    line = session.collections.protocol.line()
    assert "2 runs chosen" in line and "Holm over 1 comparison in each collection against bm25" in line
    assert session.collections.protocol.as_json()["runs"] == ["bm25", "dense"]
    assert "left out by the protocol: weak" in view_model.legend


@pytest.mark.parametrize("runs", [5, 17])
def test_no_two_systems_have_the_same_colour(runs: int) -> None:
    """With 17 systems five colours came twice. Of many systems the baseline and the pair have theirs, others are
    grey; a system that only another collection has may have the hue of one here."""
    first, second = (
        Collection(name, judgments=template.judgments).with_runs(
            [replace(template.runs[0].run, name=f"{prefix}{n}") for n in range(runs)]
        )
        for name, prefix, template in (("one", "a", collection(1, seed=1)), ("two", "b", collection(1, seed=2)))
    )
    session = session_with(first, second)
    session.navigation.set_place("collections")
    view_model = shown(session)
    labels = {label.name: label for label in view_model.systems}
    assert len(labels) == 2 * runs
    coloured = [label_colour(label, LIGHT) for label in labels.values() if not label.grey]
    assert len(set(coloured)) == len(coloured)
    session.collections.set_pair(f"a{runs - 1}", f"b{runs - 1}")
    view_model = shown(session)
    assert [label.grey for label in view_model.pair_labels] == [False, False]
    coloured = [label_colour(label, LIGHT) for label in view_model.systems if not label.grey]
    assert len(set(coloured)) == len(coloured) == (3 if runs > 12 else 2 * runs)
