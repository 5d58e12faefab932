"""Export for paper in the session: the preset is what is on screen, the numbers are the Systems table's."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import irviewer
from irviewer.reports.paper_table import PaperTable
from irviewer.session.comparison.paper import PaperChoices, PaperPreset
from irviewer.session.session import Session
from irviewer.translation import use_decimal_comma
from tests.session.helpers import collection, session_with


@pytest.fixture
def session() -> Session:
    return session_with(collection(5, queries=20))


def preset_of(session: Session) -> PaperPreset:
    """What the dialog begins with."""
    preset = session.paper.preset()
    assert preset is not None
    return preset


def table_of(session: Session, choices: PaperChoices) -> PaperTable:
    """The table of these choices."""
    tables: list[PaperTable] = []
    session.paper.find_table(choices, tables.append, pytest.fail)
    return tables[0]


def test_the_preset_is_what_is_on_screen(session: Session) -> None:
    view_model = session.comparison.systems_view_model()
    assert view_model is not None
    preset = preset_of(session)
    assert [label.key for label in preset.runs] == [label.key for label in view_model.runs]
    assert preset.choices.runs == tuple(label.key for label in view_model.runs if label.shown)
    assert 1 < len(preset.choices.runs) < 5
    assert preset.choices.measures == tuple(column.measure for column in view_model.columns)
    assert preset.choices.baseline == session.view.baseline
    session.navigation.sort_systems("run", False)
    session.statistics.set_test("wilcoxon")
    session.comparison.set_correction("bonferroni")
    again = preset_of(session)
    assert [label.name for label in again.runs] == ["alpha", "beta", "delta", "epsilon", "gamma"]
    assert (again.choices.test, again.choices.correction) == ("wilcoxon", "bonferroni")


def test_numbers_are_those_of_the_systems_table(session: Session) -> None:
    view_model = session.comparison.systems_view_model()
    assert view_model is not None
    choices = replace(preset_of(session).choices, runs=tuple(label.key for label in view_model.runs))
    table = table_of(session, choices)
    means = np.stack([column.means for column in table.columns], axis=1)
    assert np.array_equal(means, view_model.means, equal_nan=True)
    chosen = next(place for place, column in enumerate(view_model.columns) if column.chosen)
    compared = session.comparison.compared()
    assert compared is not None
    # With every run in the table the correction counts the same comparisons.
    corrected = compared.comparison.column("t").corrected
    by_name = dict(zip([compared.comparison.names[run] for run in compared.comparison.first], corrected, strict=True))
    wanted = [by_name.get(name, np.nan) for name in table.runs]
    assert np.allclose(table.columns[chosen].p, wanted, equal_nan=True)


def test_the_python_call_makes_the_same(session: Session) -> None:
    """The comparison is over the runs of the table, here three of five."""
    choices = PaperChoices((3, 0, 1), ("RR", "nDCG@10", "P@5"), baseline=0, decimals=3)
    table = table_of(session, choices)
    opened = session.view.collection
    assert opened is not None
    runs = [opened.runs[key].run for key in (3, 0, 1)]
    wanted = irviewer.paper_table(
        opened.judgments[0].qrels, runs, ["RR", "nDCG@10", "P@5"], baseline="alpha", decimals=3, collection="made"
    )
    assert table.latex == wanted.latex
    assert "Holm over 2 comparisons" in table.caption


def test_a_baseline_need_not_be_a_row(session: Session) -> None:
    table = table_of(session, PaperChoices((4, 3), ("RR",), baseline=0))
    assert table.runs == ("epsilon", "delta")
    assert "than alpha (paired t-test, Holm over 2 comparisons" in table.caption
    plain = table_of(session, PaperChoices((4, 3), ("RR",), baseline=None))
    assert "test" not in plain.caption
    assert plain.columns[0].means.tolist() == table.columns[0].means.tolist()


def test_the_caption_names_the_query_set(session: Session) -> None:
    session.query_sets.make_query_set("first", ["1", "2", "3"], looked=False)
    session.query_sets.set_query_set("first")
    table = table_of(session, PaperChoices((0, 1), ("RR",), baseline=0))
    assert table.caption.startswith("made: 3 queries of the set first, 9 judgments.")


def test_changed_judgments_are_named(session: Session) -> None:
    session.judging.set_assessor("Ada")
    session.navigation.set_query("1")
    session.judging.judge("n1", 2.0)
    assert "60 judgments with 1 changed judgment" in table_of(session, preset_of(session).choices).caption


def test_what_cannot_be_computed_is_said(session: Session) -> None:
    said: list[str] = []
    session.paper.find_table(PaperChoices((0, 1), ("no measure",), baseline=0), pytest.fail, said.append)
    assert "no measure" in said[0]


def test_it_is_saved(session: Session, tmp_path: Path) -> None:
    table = table_of(session, preset_of(session).choices)
    for form, name in (("latex", "t.tex"), ("html", "t.html"), ("markdown", "t.md")):
        session.paper.save(table, form, str(tmp_path / name))
        assert (tmp_path / name).read_text() == getattr(table, form)


def test_nothing_open_has_no_preset() -> None:
    assert Session().paper.preset() is None


def test_numbers_have_points_on_screen_as_in_files(session: Session) -> None:
    plain = table_of(session, preset_of(session).choices)
    use_decimal_comma(True)
    try:
        table = table_of(session, preset_of(session).choices)
        assert "p < .05" in table.caption
        for form in ("latex", "markdown", "csv", "html"):
            assert getattr(table, form) == getattr(plain, form)
    finally:
        use_decimal_comma(False)
