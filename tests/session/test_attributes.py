"""Attributes of queries and runs: opened like any file, columns and filters, undone, and stored in the project."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from irviewer.errors import OptionError
from irviewer.model.attributes.queries import Cut
from irviewer.model.attributes.runs import RunAttribute, run_groups
from irviewer.model.attributes.tables import SlicingChoices
from irviewer.model.texts import TextTable
from irviewer.rendering.export import figure_rows
from irviewer.rendering.palette import LIGHT, PALETTES
from irviewer.rendering.styles import group_style, run_styles
from irviewer.session.evaluation.caveats import share_caveats
from irviewer.session.session import Session
from tests.session.helpers import collection, session_with

CSV = "query_id,language,length class,traffic\n" + "".join(
    f"{query},{'de' if query % 2 else 'en'},{'long' if query > 4 else 'short'},{query * 1.5}\n" for query in range(1, 8)
)


@pytest.fixture
def session() -> Session:
    return session_with(collection(3))


def opened(session: Session, path: Path, text: str) -> None:
    path.write_text(text)
    session.files.open_files([str(path)])


def rows(session: Session) -> tuple[str, ...]:
    view_model = session.view_models.queries_view_model()
    assert view_model is not None
    return view_model.query_ids


def names(session: Session) -> list[str]:
    return [attribute.name for attribute in session.attributes.of_queries]


def test_a_column_called_query_may_hold_ids(session: Session, tmp_path: Path) -> None:
    """Beside attributes, ids of known queries in one word each are no texts that people searched for."""
    opened(session, tmp_path / "segments.tsv", CSV.replace("query_id", "query").replace(",", "\t"))
    assert names(session)[:3] == ["language", "length class", "traffic"]
    assert session.view.collection is not None
    assert session.view.collection.query_text("1") != "1"
    other = session_with(collection(3))
    opened(other, tmp_path / "log.tsv", "query\tclicks\nred shoes\t3\nblue shoes\t4\n")
    assert not other.attributes.tables


def test_a_judgment_does_not_read_the_texts_again(session: Session, tmp_path: Path) -> None:
    opened(session, tmp_path / "queries.tsv", "".join(f"{query}\twhat is shown by {query}\n" for query in range(1, 8)))
    before = {attribute.name: attribute for attribute in session.attributes.of_queries}
    assert {"question-word", "length", "relevant"} <= before.keys()
    assert session.view.context is not None
    assert share_caveats(session.view.context) is share_caveats(session.view.context)
    query = session.view.context.query_ids[0]
    session.judging.judge("a new document", 1.0, query_id=query)
    after = {attribute.name: attribute for attribute in session.attributes.of_queries}
    assert after["question-word"] is before["question-word"]
    assert after["length"] is before["length"]
    assert after["relevant"].values[query] == before["relevant"].values[query] + 1.0  # type: ignore[operator]


def test_queries_are_plotted_first_by_what_groups_them(session: Session, tmp_path: Path) -> None:
    text = "query_id,asked,language\n" + "".join(f"{n},what is {n},{'de' if n % 2 else 'en'}\n" for n in range(1, 8))
    opened(session, tmp_path / "segments.csv", text)
    assert names(session)[:2] == ["asked", "language"]
    assert session.attributes.query_plot[0] == "language"


@pytest.mark.parametrize("how", ["dropped", "opened by its command"])
def test_a_table_gives_columns_filters_and_orders(session: Session, tmp_path: Path, how: str) -> None:
    path = tmp_path / "segments.csv"
    path.write_text(CSV)
    if how == "dropped":
        session.files.open_files([str(path)])
    else:
        session.attributes.open_table(str(path))
    assert names(session)[:3] == ["language", "length class", "traffic"]
    session.navigation.sort_queries("query", False)
    view_model = session.view_models.queries_view_model()
    assert view_model is not None
    assert [(column.attribute.name, column.texts[0]) for column in view_model.attributes] == [
        ("language", "de"), ("length class", "short"), ("traffic", "1.5")
    ]  # fmt: skip
    session.navigation.filter_queries('language = DE and not "length class" = long')
    assert set(rows(session)) == {"1", "3"}
    session.navigation.filter_queries("traffic >= 9 or id:8")
    assert set(rows(session)) == {"6", "7", "8"}
    session.navigation.filter_queries("")
    session.navigation.sort_queries("attribute:traffic", True)
    assert rows(session) == ("7", "6", "5", "4", "3", "2", "1", "8")  # without a value: last
    session.navigation.sort_queries("attribute:language", False)
    assert rows(session) == ("1", "3", "5", "7", "2", "4", "6", "8")
    session.navigation.sort_queries("attribute:language", True)
    assert rows(session)[-1] == "8"
    assert set(rows(session)[:3]) == {"2", "4", "6"}


def test_columns_are_chosen_and_undo_takes_the_table_back(session: Session, tmp_path: Path) -> None:
    opened(session, tmp_path / "segments.csv", CSV)
    session.attributes.set_column("language", False)
    session.attributes.set_column("relevant", True)
    assert session.attributes.columns == ("length class", "traffic", "relevant")
    assert session.history.undo_label == "attributes of segments.csv"
    session.history.undo()
    assert "language" not in names(session)
    session.history.redo()
    assert "language" in names(session)
    session.attributes.remove_table("segments.csv")
    assert not session.attributes.tables
    session.history.undo()
    assert [table.name for table in session.attributes.tables] == ["segments.csv"]


def test_fields_of_the_queries_file_are_attributes_and_json_lines_too(session: Session, tmp_path: Path) -> None:
    lines = [{"query_id": str(query), "kind": "a" if query < 3 else "b"} for query in range(1, 9)]
    opened(session, tmp_path / "kinds.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
    assert "kind" in names(session)
    table = TextTable.from_rows([{"id": str(q), "text": "how so " * q, "domain": "law"} for q in range(1, 9)])
    session.store.apply(
        session.state.with_collection(replace(session.state.collection, queries=table))  # type: ignore[type-var]
    )
    assert names(session) == ["kind", "domain", "relevant", "question-word", "length"]
    session.navigation.filter_queries("length > 6 question-word = how")
    assert set(rows(session)) == {"4", "5", "6", "7", "8"}


def test_attributes_of_runs_by_name_or_file(session: Session, tmp_path: Path) -> None:
    opened(session, tmp_path / "runs.csv", "run,family,latency\nalpha,lexical,12\nbeta,dense,60.5\n")
    family, latency = session.attributes.of_runs
    assert family.values == {"alpha": "lexical", "beta": "dense"}
    np.testing.assert_array_equal(latency.numbers(["alpha", "gamma", "beta"]), [12, np.nan, 60.5])


def test_a_table_of_nothing_that_is_open_says_what_it_lacks(session: Session, tmp_path: Path) -> None:
    opened(session, tmp_path / "other.csv", "query_id,language\nx1,de\nx2,en\n")
    assert not session.attributes.tables
    assert any("no known column names" in str(message) for message in session.state.messages)
    (tmp_path / "again.csv").write_text("query_id,language\nx1,de\n")
    session.attributes.open_table(str(tmp_path / "again.csv"))
    assert any("no open collection has its queries" in str(message) for message in session.state.messages)


def test_a_project_has_them(session: Session, tmp_path: Path) -> None:
    opened(session, tmp_path / "segments.csv", CSV)
    opened(session, tmp_path / "runs.csv", "run,family,latency\nalpha,lexical,12\nbeta,dense,60.5\n")
    session.attributes.set_slicing(SlicingChoices(("language", "traffic"), {"traffic": Cut(borders=(3.0, 6.0))}))
    session.attributes.set_column("traffic", False)
    path = str(tmp_path / "all.irviewer")
    session.autosave.save_project(path)
    again = Session()
    again.projects.open_project(path)
    assert again.attributes.slicing == session.attributes.slicing
    assert again.attributes.columns == ("language", "length class")
    for before, after in zip(session.attributes.tables, again.attributes.tables, strict=True):
        assert (before.name, before.names) == (after.name, after.names)
        for mine, its in zip((*before.queries, *before.runs), (*after.queries, *after.runs), strict=True):
            assert (mine.name, mine.kind, dict(mine.values)) == (its.name, its.kind, dict(its.values))
    session.history.undo()
    assert session.attributes.slicing == SlicingChoices()


def test_systems_have_columns_filters_and_groups(session: Session, tmp_path: Path) -> None:
    opened(session, tmp_path / "runs.csv", "run,family,latency\nalpha,lexical,12\nbeta,dense,60.5\n")
    view_model = session.view_models.systems_view_model()
    assert view_model is not None
    assert [(column.name, set(column.texts)) for column in view_model.attributes] == [
        ("family", {"lexical", "dense", ""}), ("latency", {"12", "60.5", ""})
    ]  # fmt: skip

    def names_shown() -> list[str]:
        view_model = session.view_models.systems_view_model()
        assert view_model is not None
        return [run.name for run in view_model.runs]

    session.navigation.sort_systems("attribute:family", False)
    assert names_shown() == ["beta", "alpha", "gamma"]
    session.navigation.sort_systems("attribute:latency", True)
    assert names_shown() == ["beta", "alpha", "gamma"]
    session.comparison.filter_systems("latency < 20 or family = dense")
    assert set(names_shown()) == {"alpha", "beta"}
    session.comparison.filter_systems("not family:*")
    assert names_shown() == ["gamma"]
    session.attributes.set_run_column("family", False)
    view_model = session.view_models.systems_view_model()
    assert view_model is not None
    assert [column.name for column in view_model.attributes] == ["latency"]


RUNS = "run,family,latency\nalpha,lexical,12\nbeta,dense,60.5\ngamma,dense,70\n"


def test_runs_of_one_family_have_one_colour_and_are_listed_together(session: Session, tmp_path: Path) -> None:
    own = {label.name: label.slot for label in session.view.labels()}
    opened(session, tmp_path / "runs.csv", RUNS)
    session.runs.recolour_run(session.view.labels()[1].key, "#123456")
    session.attributes.set_run_column("family", False)
    session.attributes.colour_runs("family")
    labels = {label.name: label for label in session.view.labels()}
    assert {name: label.group for name, label in labels.items()} == {
        "alpha": "lexical", "beta": "dense", "gamma": "dense"
    }  # fmt: skip
    assert labels["beta"].slot == labels["gamma"].slot != labels["alpha"].slot
    assert labels["beta"].colour is None  # that of its group
    styles = run_styles(labels.values(), LIGHT)
    (beta, beta_dash), (gamma, gamma_dash) = styles[labels["beta"].key], styles[labels["gamma"].key]
    assert beta == gamma
    assert beta_dash != gamma_dash
    for descending in (True, False):
        session.navigation.sort_systems("run", descending)
        view_model = session.view_models.systems_view_model()
        assert view_model is not None
        families = [label.group for label in view_model.runs]
        assert families == ["dense", "dense", "lexical"]
        assert "coloured and grouped by family" in view_model.note
        assert view_model.attributes[0].name == "family"
    session.attributes.colour_runs("")
    assert {label.name: label.slot for label in session.view.labels()} == own
    assert session.view.labels()[1].colour == "#123456"


def test_runs_without_a_value_are_a_group_and_too_many_values_are_refused(session: Session, tmp_path: Path) -> None:
    opened(session, tmp_path / "runs.csv", RUNS.replace("gamma,dense,70\n", ""))
    session.attributes.colour_runs("family")
    assert session.view.labels()[2].group == "no family"
    names = [f"r{number}" for number in range(30)]
    attribute = RunAttribute("version", "category", {name: f"v{name}" for name in names})
    with pytest.raises(OptionError, match="30 different values"):
        run_groups(attribute, names)
    with pytest.raises(OptionError, match="None of the runs"):
        run_groups(attribute, ["other"])
    numbers = RunAttribute("cost", "number", {name: float(place) for place, name in enumerate(names)})
    groups = run_groups(numbers, names)
    assert len(groups.names) == 4
    assert [groups.of[name] for name in names] == sorted(groups.of.values())


def test_queries_are_coloured_by_an_attribute_in_plot_and_table(session: Session, tmp_path: Path) -> None:
    opened(session, tmp_path / "segments.csv", CSV)
    session.attributes.set_column("language", False)
    session.attributes.plot(x="traffic", colour="language")
    figure = session.attributes.query_figure()
    assert figure is not None
    assert figure.points is not None
    assert figure.points.groups is not None
    names = [figure.points.group_names[group] for group in figure.points.groups.tolist()]
    said = {"1": "de", "2": "en", "3": "de", "4": "en", "5": "de", "6": "en", "7": "de", "8": "no language"}
    assert dict(zip(figure.points.keys, names, strict=True)) == said
    assert figure_rows(figure)[0][-1] == "group"
    assert {row[0]: row[-1] for row in figure_rows(figure)[1]} == said
    view_model = session.view_models.queries_view_model()
    assert view_model is not None
    column = view_model.attributes[0]
    assert column.attribute.name == "language"
    assert column.groups is not None
    assert [figure.points.group_names[group] for group in column.groups.tolist()] == [
        said[query] for query in view_model.query_ids
    ]
    session.attributes.plot(colour="")
    figure = session.attributes.query_figure()
    assert figure is not None
    assert figure.points is not None
    assert figure.points.groups is None


def test_signs_of_groups_differ_in_colour_or_shape() -> None:
    signs = [group_style(palette, group) for palette in PALETTES.values() for group in range(96)]
    for number in range(len(PALETTES)):
        part = signs[number * 96 : (number + 1) * 96]
        assert len(set(part)) == 96
        assert len({shape for _, shape in part[:8]}) == 8  # the first ones without colour too


def test_a_lone_run_is_plotted_itself(session: Session) -> None:
    assert session.attributes.query_plot[1] == "delta"
    lone = session_with(collection(1))
    assert lone.attributes.query_plot[1] == str(lone.view.baseline)
    assert lone.attributes.query_figure() is not None


@pytest.mark.parametrize("how", ["dropped", "opened by its command"])
def test_a_table_that_changed_on_disk_is_read_again(session: Session, tmp_path: Path, how: str) -> None:
    """Tables of attributes were not looked at: the columns stayed those of the former file without a word."""
    path, newer = tmp_path / "segments.csv", tmp_path / "newer.csv"
    path.write_text(CSV)
    newer.write_text("query_id,traffic\n1,100\n")
    for each in (path, newer):
        session.files.open_files([str(each)]) if how == "dropped" else session.attributes.open_table(str(each))

    def news() -> list[str]:
        session.disk.look_at_disk()
        session.disk.look_at_disk()
        return [message.text for message in session.view.messages if "on disk" in message.text]

    assert news() == []
    tables = session.attributes.tables
    session.files.open_again([str(path)])
    assert session.attributes.tables == tables, "the same values are no step"
    path.write_text(CSV.replace("de,", "fr,"))
    assert news() == ["segments.csv changed on disk. F5 reads it again."]
    session.disk.read_changed()
    assert news() == []
    by_name = {attribute.name: attribute.values for attribute in session.attributes.of_queries}
    assert (by_name["language"]["1"], by_name["traffic"]["1"]) == ("fr", 100.0), "each in its place"
    path.unlink()
    assert news() == ["segments.csv is no longer on disk. Its data stays open."]


def test_a_table_that_is_read_again_stays_in_its_collection(tmp_path: Path) -> None:
    session = session_with(collection(3))
    path = tmp_path / "segments.csv"
    opened(session, path, CSV)
    other = tmp_path / "other"
    other.mkdir()
    (other / "a.qrels").write_text("".join(f"{query} 0 zz 1\n" for query in range(1, 8)))
    (other / "a.run").write_text("".join(f"{query} Q0 zz 1 1 t\n" for query in range(1, 8)))
    session.files.open_files([str(other / "a.qrels"), str(other / "a.run")])
    assert len(session.view.workspace.collections) == 2
    path.write_text(CSV.replace("de,", "fr,"))
    session.files.open_again([str(path)])
    tables = [each.attributes for each in session.view.workspace.collections]
    assert [len(each) for each in tables] == [1, 0]
    assert tables[0][0].queries[0].values["1"] == "fr"
