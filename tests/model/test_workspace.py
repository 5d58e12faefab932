"""The workspace: runs get keys, slots and names that last; a regime is suggested from the grades; texts by id."""

from __future__ import annotations

import pytest

from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.run_names import free_name
from irviewer.model.texts import TextTable
from irviewer.model.workspace import Collection, Regime, RunEntry, Workspace, regime_offer, suggest_regime


def run(name: str) -> Run:
    return Run.from_dict({"1": {"a": 1.0}}, name=name)


def test_runs_get_keys_slots_and_names() -> None:
    first = Collection("c").with_runs([run("x"), run("x"), run("y")])
    assert [(entry.key, entry.slot, entry.name) for entry in first.runs] == [(0, 0, "x"), (1, 1, "x (2)"), (2, 2, "y")]
    second = first.without_run(1).with_runs([run("z")])
    assert [(entry.key, entry.slot, entry.name) for entry in second.runs] == [(0, 0, "x"), (2, 2, "y"), (3, 1, "z")]
    assert first.run(1) is not None
    assert second.run(1) is None


def test_a_key_is_never_given_again() -> None:
    pair_of_runs = Collection("c").with_runs([run("x"), run("y")])
    assert pair_of_runs.without_run(1).with_runs([run("z")]).runs[-1].key == 2
    assert pair_of_runs.without_run(0).without_run(1).with_runs([run("z")]).runs[-1].key == 2
    assert pair_of_runs.without_run(1).without_run(0).with_runs([run("z")]).runs[-1].key == 2


def test_a_run_is_replaced_in_its_place() -> None:
    pair_of_runs = Collection("c").with_runs([run("x"), run("y")])
    changed = pair_of_runs.with_run(RunEntry(0, pair_of_runs.runs[0].run.renamed("new"), 0, "#112233"))
    assert [entry.name for entry in changed.runs] == ["new", "y"]
    assert [entry.name for entry in pair_of_runs.runs] == ["x", "y"]


@pytest.mark.parametrize(
    ("taken", "name"), [((), "a"), (("a",), "a (2)"), (("a", "a (2)", "a (3)"), "a (4)"), (("b",), "a")]
)
def test_free_names(taken: tuple[str, ...], name: str) -> None:
    assert free_name("a", taken) == name


@pytest.mark.parametrize(
    ("grades", "regime"),
    [
        ([1, 1, 1, 1], Regime.COMPLETE),
        ([1], Regime.SPARSE),
        ([1, 0, 0], Regime.POOLED),
        ([3, -2], Regime.POOLED),
    ],
)
def test_suggested_regimes(grades: list[float], regime: Regime) -> None:
    qrels = Qrels.from_dict({"1": {f"d{n}": grade for n, grade in enumerate(grades)}})
    assert suggest_regime(qrels) is regime
    assert f"“{regime.value}”" in regime_offer(qrels)  # an offer, no more
    assert regime.meaning


def test_collections_come_and_go() -> None:
    first, two = Collection("one"), Collection("two")
    space = Workspace().with_collection(0, first).with_collection(1, two)
    assert [each.name for each in space.collections] == ["one", "two"]
    other = Collection("other")
    assert space.with_collection(0, other).collections == (other, two)
    assert space.without_collection(0).collections == (two,)


def test_texts_by_id() -> None:
    documents = TextTable.from_rows(
        [
            {"id": "1", "title": "A  title\nin two lines", "text": "Body", "year": 1966},
            {"id": "2", "text": "Only text"},
        ],
        name="docs",
    )
    queries = TextTable.from_rows([{"id": "7", "query": "what  is\nit"}])
    with_texts = Collection("c", queries, documents)
    assert with_texts.document_title("1") == "A title in two lines"
    assert with_texts.document_title("2") == ""
    assert with_texts.document_title("9") == ""
    assert with_texts.query_text("7") == "what is it"
    assert with_texts.query_text("8") == ""
    assert Collection("bare").query_text("7") == ""
    assert Collection("bare").document_title("1") == ""
    assert documents.row("2") == {"text": "Only text"}
    assert documents.row("1")["year"] == 1966
    assert documents.row("9") == {}
    assert documents.text("2") == "Only text"
    assert documents.attributes == ("title", "text", "year")
    assert len(TextTable.from_rows([])) == 0


def test_columns_whose_values_disagree_become_text() -> None:
    table = TextTable.from_rows([{"id": "1", "x": 1}, {"id": "2", "x": "one"}, {"id": "3", "x": [1]}])
    assert [table.row(doc_id)["x"] for doc_id in table.ids] == ["1", "one", "[1]"]
