"""Values as Z-scores: a file of means joins the collection whose queries it names, and every number follows the
switch."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from irviewer.commands import run_command
from irviewer.measures.parser import parse_measure
from irviewer.model.workspace import Regime
from irviewer.session.session import Session
from irviewer.session.settings import Settings
from tests.session.helpers import cells

QRELS = "1 0 a 1\n1 0 b 1\n2 0 a 1\n3 0 a 1\n"
RUNS = {
    "good": "1 Q0 a 1 2 t\n1 Q0 b 2 1 t\n2 Q0 a 1 2 t\n3 Q0 a 1 1 t\n",
    "bad": "1 Q0 a 1 2 t\n1 Q0 x 2 1 t\n2 Q0 x 1 2 t\n2 Q0 a 2 1 t\n3 Q0 x 1 1 t\n",
}
"""AP 1, 1, 1 and 0.5, 0.5, 0."""
MEANS = "1 map 0.5 0.25\n2 map 0.75 0.5\n1 num_ret 1 2\n2 num_ret 2 1\n3 num_ret 3 1\n"
GOOD, BAD = [2.0, 0.5, np.nan], [0.0, -0.5, np.nan]
"""(1 - 0.5) / 0.25, (1 - 0.75) / 0.5, no line; (0.5 - 0.5) / 0.25, (0.5 - 0.75) / 0.5, no line."""
AP = parse_measure("AP")


@pytest.fixture
def paths(tmp_path: Path) -> list[str]:
    texts = {"qrels": QRELS, **{f"{name}.run": text for name, text in RUNS.items()}, "means": MEANS}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    return [str(tmp_path / name) for name in texts]


@pytest.fixture
def session(paths: list[str]) -> Session:
    session = Session(Settings())
    session.files.open_files(paths)
    session.evaluation.set_measure("AP")
    return session


def values(session: Session) -> list[list[float]]:
    context = session.view.context
    assert context is not None
    by_name = {entry.name: context.values(entry, AP).tolist() for entry in context.collection.runs}
    return [by_name["good"], by_name["bad"]]


def test_a_file_of_means_joins_the_collection_and_waits_to_be_asked(session: Session, paths: list[str]) -> None:
    assert session.view.collection is not None
    assert session.view.collection.zscores is not None
    assert session.view.collection.zscores.name == "means"
    assert session.zscores.has_zscores
    assert not session.zscores.is_on
    assert values(session) == [[1, 1, 1], [0.5, 0.5, 0]]
    message = next(shown for shown in session.view.messages if "means" in shown.text)
    assert message.action == "as_zscores"
    run_command(session, "as_zscores")
    assert session.zscores.is_on
    np.testing.assert_allclose(values(session), [GOOD, BAD])
    run_command(session, "as_zscores")
    assert values(session) == [[1, 1, 1], [0.5, 0.5, 0]]


def test_tables_and_means_show_them(session: Session) -> None:
    session.zscores.set_zscores(True)
    view_model = session.view_models.systems_view_model()
    assert view_model is not None
    at = [column.measure for column in view_model.columns].index("AP")
    assert view_model.columns[at].label == "Z(AP)"
    assert view_model.delta_label == "Δ Z(AP)"
    assert "Z(AP): mean of 2 queries" in view_model.note
    means = {run.name: view_model.means[row, at] for row, run in enumerate(view_model.runs)}
    assert means == pytest.approx({"good": 1.25, "bad": -0.25})  # of the two queries that have a mean
    session.navigation.set_query("2")
    query = session.view_models.query_view_model()
    assert query is not None
    row = next(row_of_measure for row_of_measure in query.metrics if row_of_measure.measure == "AP")
    assert row.label == "Z(AP)"
    assert sorted(row.values) == pytest.approx([-0.5, 0.5])
    queries = session.view_models.queries_view_model()
    assert queries is not None
    assert "Z(AP)" in queries.title


def test_comparisons_are_of_them(session: Session) -> None:
    before = session.comparison.compared("baseline")
    session.zscores.set_zscores(True)
    compared = session.comparison.compared("baseline")
    assert before is not None
    assert compared is not None
    assert session.view.focus is not None
    pair, plain = compared.pair(session.view.focus), before.pair(session.view.focus)
    assert pair is not None
    assert plain is not None
    assert abs(pair.difference) == pytest.approx(1.5)
    assert abs(plain.difference) == pytest.approx(2 / 3)


def test_a_count_of_documents_is_a_score_and_a_geometric_mean_has_none(session: Session) -> None:
    session.zscores.set_zscores(True)
    context = session.view.context
    assert context is not None
    entry = next(run_entry for run_entry in context.collection.runs if run_entry.name == "bad")
    np.testing.assert_allclose(context.values(entry, parse_measure("num_ret")), [0.5, 0, -2])
    assert np.isnan(context.values(entry, parse_measure("gm_map"))).all()
    assert np.isnan(context.mean(entry, parse_measure("gm_map")))
    assert context.mean(entry, parse_measure("num_q")) == 3


def test_the_status_line_says_so_and_what_is_lacking(session: Session) -> None:
    assert not any("Z-score" in caveat for caveat in session.view.caveats)
    session.zscores.set_zscores(True)
    assert session.view.caveats[0] == (
        "values are Z-scores with the means of means, which has none for AP of 1 query"
    )  # fmt: skip
    session.evaluation.set_measure("nDCG@10")
    assert session.view.caveats[0].endswith("which has none for nDCG@10")


def test_what_explains_a_value_goes_on_to_its_score(session: Session) -> None:
    session.zscores.set_zscores(True)
    session.navigation.set_query("1")
    key = next(label.key for label in session.view.labels() if label.name == "good")
    session.explaining.explain(key, "AP")
    view_model = session.explaining.ledger_view_model()
    assert view_model is not None
    assert "1.0000" in view_model.title
    assert view_model.rules[-1] == "As a Z-score: (1.0000 − 0.5000) ÷ 0.2500 = 2.0000."
    session.navigation.set_query("3")
    view_model = session.explaining.ledger_view_model()
    assert view_model is not None
    assert view_model.rules[-1] == "Tables show no Z-score: means has none for this value."
    mean = session.explaining.mean_view_model()
    assert mean is not None
    assert mean.rules[-1].startswith("Tables show the mean of Z-scores, 1.2500")
    session.zscores.set_zscores(False)
    view_model = session.explaining.ledger_view_model()
    assert view_model is not None
    assert not any("Z-score" in rule for rule in view_model.rules)


def test_what_is_dragged_along_is_what_the_table_has(session: Session) -> None:
    session.zscores.set_zscores(True)
    session.evaluation.set_measure("AP@2")
    swept = session.sliders.sweep("cutoff", [1, 2])
    assert swept is not None
    assert np.isnan(swept.means).all()  # there are no means of AP@1 and AP@2


def test_a_file_that_names_other_queries_is_left_out(session: Session, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.write_text("77 map 0.5 0.25\n")
    session.files.open_files([str(other)])
    assert session.view.collection is not None
    assert session.view.collection.zscores is not None
    assert session.view.collection.zscores.name == "means"
    assert any("other was not opened: it has means for Z-scores" in m.text for m in session.view.messages)


def test_a_file_that_changed_is_read_again(session: Session, paths: list[str]) -> None:
    session.zscores.set_zscores(True)
    Path(paths[-1]).write_text("1 map 0 0.5\n2 map 0 0.5\n3 map 0 0.5\n")
    session.files.reload()
    np.testing.assert_allclose(values(session), [[2, 2, 2], [1, 1, 0]])
    assert session.zscores.is_on


def test_projects_keep_the_file_and_the_switch(session: Session, paths: list[str], tmp_path: Path) -> None:
    session.zscores.set_zscores(True)
    target = tmp_path / "one.irviewer"
    session.autosave.save_project(str(target))
    said = json.loads(target.read_text())["collections"][0]
    assert said["zscores"] == {"file": "means"}
    assert said["selection"]["zscores"] is True
    session.close()
    again = Session(Settings())
    again.files.open_files([str(target)])
    assert again.zscores.is_on
    np.testing.assert_allclose(values(again), [GOOD, BAD])
    again.close()
    Path(paths[-1]).unlink()
    without = Session(Settings())
    without.files.open_files([str(target)])
    without.projects.open_without_missing()
    assert without.view.collection is not None
    assert not without.zscores.has_zscores
    assert values(without) == [[1, 1, 1], [0.5, 0.5, 0]]
    without.autosave.save_project(str(target))
    assert json.loads(target.read_text())["collections"][0]["zscores"] == {"file": "means"}
    without.close()


def test_intervals_of_the_pool_say_that_they_are_plain(session: Session) -> None:
    session.evaluation.set_regime(Regime.POOLED)
    session.compute_now()
    session.navigation.set_query("2")
    session.navigation.set_place("compare")
    session.navigation.set_tab("compare", "pool")
    session.compute_now()
    said = "values of AP, not its Z-scores"
    assert said not in session.pooling.pool_view_model().note  # type: ignore[union-attr]
    assert all(text.startswith("between .5") for text in session.pooling.value_intervals().values())
    session.zscores.set_zscores(True)
    session.compute_now()
    view_model = session.pooling.pool_view_model()
    assert view_model is not None
    assert said in view_model.note
    assert sorted(cells(view_model.table, "value")) == pytest.approx([1 / 3, 1])  # APs, whatever the tables show
    assert all(
        text.startswith("AP (not its Z-score): between .5") for text in session.pooling.value_intervals().values()
    )
    assert session.pooling.value_intervals()
