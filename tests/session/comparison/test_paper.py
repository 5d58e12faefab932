"""Export for paper in the session: the preset is what is on screen, the numbers are the Systems table's."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

import irviewer
from irviewer.session.comparison.paper import PaperChoices, PaperPreset
from irviewer.session.session import Session
from irviewer.tables.emphasis import best
from irviewer.translation import use_decimal_comma
from irviewer.views.paper import PaperTable
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
    assert preset.choices.tested
    assert session.view.protocol is not None
    assert preset.line == session.view.protocol.line()
    session.navigation.sort_systems("run", False)
    session.protocol.set(test="wilcoxon")
    session.protocol.set(correction="bonferroni")
    again = preset_of(session)
    assert [label.name for label in again.runs] == ["alpha", "beta", "delta", "epsilon", "gamma"]
    assert "Bonferroni over 4 against alpha · Wilcoxon" in again.line


def test_the_caption_counts_the_queries_that_have_a_value(tmp_path: Path) -> None:
    """Of three topics one has no vital nugget: its mean is over two, in the window as in Python."""
    own = {topic: [{"text": "x", "importance": "okay" if topic == "3" else "vital"}] for topic in "123"}
    files = {"nuggets": {}, "a": {"run_id": "a", "answer_text": "x"}, "b": {"run_id": "b", "answer_text": "x"}}
    for name, more in files.items():
        said = {"assignment": "support"} if more else {}
        (tmp_path / f"{name}.jsonl").write_text("".join(
            json.dumps({"qid": topic, **more, "nuggets": [{**each, **said} for each in nuggets]}) + "\n"
            for topic, nuggets in own.items()
        ))  # fmt: skip
    paths = [str(tmp_path / f"{name}.jsonl") for name in files]
    session = Session()
    session.files.open_files(paths)
    text = "V(missing='undefined')"
    assert session.evaluation.set_measure(text)
    choices = replace(preset_of(session).choices, measures=(str(session.view.measure),), tested=False)
    for table in (table_of(session, choices), irviewer.paper_table(paths[0], paths[1:], text, tested=False)):
        assert f" {text} is over those that have a value, 2." in table.caption
        assert "3 queries" in table.caption


def test_numbers_are_those_of_the_systems_table(session: Session) -> None:
    view_model = session.comparison.systems_view_model()
    assert view_model is not None
    choices = replace(preset_of(session).choices, runs=tuple(label.key for label in view_model.runs))
    table = table_of(session, choices)
    means = np.stack([column.means for column in table.columns], axis=1)
    assert np.array_equal(means, view_model.means, equal_nan=True)
    compared = session.comparison.compared()
    assert compared is not None
    # With every run in the table the correction counts the same comparisons.
    corrected = compared.comparison.column("t").corrected
    by_name = dict(zip([compared.comparison.names[run] for run in compared.comparison.first], corrected, strict=True))
    wanted = [by_name.get(name, np.nan) for name in table.runs]
    assert np.allclose(table.p, wanted, equal_nan=True)


def test_the_python_call_makes_the_same(session: Session) -> None:
    """The comparison is over all runs, of which three are rows."""
    session.evaluation.set_measure("RR")
    choices = PaperChoices((3, 0, 1), ("RR", "nDCG@10", "P@5"), decimals=3)
    table = table_of(session, choices)
    opened = session.view.collection
    assert opened is not None
    runs = [entry.run for entry in opened.runs]
    wanted = irviewer.paper_table(
        opened.judgments[0].qrels, runs, ["RR", "nDCG@10", "P@5"], shown=["delta", "alpha", "beta"], decimals=3,
        collection="made", unjudged="pooled",
    )  # fmt: skip
    for form in ("markdown", "csv", "html", "latex", "json"):
        assert _apart_from_origins(table.text(form)) == _apart_from_origins(wanted.text(form))
    assert "Holm over 4 comparisons; 2 runs not shown" in table.caption
    assert "Only RR is tested; nDCG@10 and P@5 are secondary." in table.caption


def _apart_from_origins(text: str) -> str:
    """Without what is declared, which JSON names: the window declares no measure."""
    return re.sub(r'"(measures|declared)": \[[^]]*\]', "", text)


@pytest.mark.parametrize("test", ["t", "wilcoxon", "tukey"])
def test_daggers_are_the_marks_of_systems_whatever_is_ticked(session: Session, test: str, tmp_path: Path) -> None:
    """Holm's p of one of few comparisons is smaller: unticking runs buys no dagger."""
    session.protocol.set(test=test)
    session.query_sets.make_query_set("few", [str(query) for query in range(1, 13)], looked=False)
    session.query_sets.set_query_set("few")
    session.evaluation.set_measure("RR")
    systems, opened = session.comparison.compared(), session.view.collection
    assert systems is not None
    assert opened is not None
    marks = dict(zip(systems.comparison.names, systems.comparison.marks().tolist(), strict=True))
    corrected = systems.comparison.column().corrected.tolist()
    p = dict(zip([systems.comparison.names[run] for run in systems.comparison.first], corrected, strict=True))
    assert len(set(marks.values())) > 1
    compared = irviewer.compare(
        opened.judgments[0].qrels, [entry.run for entry in opened.runs], "RR", test=test,
        queries=[str(query) for query in range(1, 13)],
    )["RR"]  # fmt: skip
    for count in range(1, 6):
        for ticked in combinations(range(5), count):
            column = table_of(session, PaperChoices(ticked, ("RR",)))
            names = [opened.runs[key].name for key in ticked]
            assert column.marks.tolist() == [marks[name] for name in names]
            assert column.marks.tolist() == [compared.marks().tolist()[compared.place(name)] for name in names]
            assert column.p.tolist() == pytest.approx([p.get(name, np.nan) for name in names], rel=0, nan_ok=True)


def test_the_best_is_never_marked_worse(session: Session) -> None:
    """Without the row of the baseline, a run that is worse than it can have the best mean of the table."""
    opened = session.view.collection
    assert opened is not None
    session.evaluation.set_measure("RR")
    session.runs.set_baseline(next(entry.key for entry in opened.runs if entry.name == "epsilon"))
    table = table_of(session, PaperChoices((0, 1), ("RR",)))
    assert table.marks.tolist() == [-1, -1]
    assert not best(table.table, table.table.column("RR")).any()


def test_a_baseline_need_not_be_a_row(session: Session) -> None:
    session.evaluation.set_measure("RR")
    table = table_of(session, PaperChoices((4, 3), ("RR",)))
    assert table.runs == ("epsilon", "delta")
    assert "than alpha (paired t-test, Holm over 4 comparisons; 2 runs not shown" in table.caption
    plain = table_of(session, PaperChoices((4, 3), ("RR",), tested=False))
    assert "test" not in plain.caption
    assert plain.columns[0].means.tolist() == table.columns[0].means.tolist()


def test_the_caption_names_the_query_set(session: Session) -> None:
    session.query_sets.make_query_set("first", ["1", "2", "3"], looked=False)
    session.query_sets.set_query_set("first")
    table = table_of(session, PaperChoices((0, 1), ("RR",)))
    assert table.caption.startswith("made: 3 queries of the set first, 9 judgments.")


def test_changed_judgments_are_named(session: Session) -> None:
    session.judging.set_assessor("Ada")
    session.navigation.set_query("1")
    session.judging.judge("n1", 2.0)
    assert "60 judgments with 1 changed judgment" in table_of(session, preset_of(session).choices).caption


def test_what_cannot_be_computed_is_said(session: Session) -> None:
    said: list[str] = []
    session.paper.find_table(PaperChoices((0, 1), ("no measure",)), pytest.fail, said.append)
    assert "no measure" in said[0]


def test_it_is_saved(session: Session, tmp_path: Path) -> None:
    table = table_of(session, preset_of(session).choices)
    for form, name in (("latex", "t.tex"), ("html", "t.html"), ("markdown", "t.md")):
        session.paper.save(table, form, str(tmp_path / name))
        assert (tmp_path / name).read_text() == getattr(table, form)
    session.paper.save(table, "latex", str(tmp_path / "table"))
    assert (tmp_path / "table").read_text() == table.latex
    session.paper.save(table, "latex", str(tmp_path / "t.csv"))
    assert (tmp_path / "t.csv").read_text() == table.csv
    assert session.view.protocol is not None
    assert session.view.protocol.line() in (tmp_path / "t.csv.protocol.toml").read_text()


def test_a_declared_measure_keeps_the_daggers_whichever_is_in_view(session: Session) -> None:
    session.protocol.set(measures=("RR", "nDCG@10"))
    tables = []
    for measure in ("nDCG@10", "RR"):
        session.evaluation.set_measure(measure)
        tables.append(table_of(session, PaperChoices((0, 1, 2), ("nDCG@10", "RR"))))
    assert tables[0].primary == "RR"
    assert tables[0].marks.any()
    assert tables[0].latex == tables[1].latex
    alone = table_of(session, PaperChoices((0, 1, 2), ("nDCG@10",)))
    assert alone.caption.endswith("nDCG@10 is secondary to RR, and not tested.")


def test_all_pairs_have_the_letters_of_the_comparison(session: Session) -> None:
    session.evaluation.set_measure("RR")
    session.protocol.set(family="pairs")
    assert preset_of(session).pairs
    table = table_of(session, PaperChoices((0, 1, 4), ("RR", "P@5")))
    opened = session.view.collection
    assert opened is not None
    compared = irviewer.compare(
        opened.judgments[0].qrels, [entry.run for entry in opened.runs], "RR", pairs=True
    )["RR"]  # fmt: skip
    every = dict(zip(compared.names, compared.letters(), strict=True))
    assert table.letters == tuple(every[name] for name in table.runs)
    assert "Holm over 10 comparisons; 2 runs not shown" in table.caption


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
