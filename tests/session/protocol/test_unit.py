"""The unit of dependence in the window's session: chosen, undone, saved and opened; numbers count by it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import irviewer
from irviewer.errors import OptionError
from irviewer.model.query_units import units_of
from irviewer.session.session import Session
from irviewer.session.settings import Settings

IDS = tuple(f"{conversation}_{turn}" for conversation in range(12) for turn in range(1, 4))


@pytest.fixture
def paths(tmp_path: Path) -> list[str]:
    random, lines = np.random.default_rng(3), {"a.qrels": [], "one.run": [], "two.run": []}
    for query in IDS:
        lines["a.qrels"] += [f"{query} 0 d{document} {int(document < 3)}" for document in range(8)]
        for name in ("one", "two"):
            order = enumerate(random.permutation(8), start=1)
            lines[f"{name}.run"] += [f"{query} Q0 d{d} {rank} {9 - rank} {name}" for rank, d in order]
    for name, content in lines.items():
        (tmp_path / name).write_text("\n".join(content) + "\n")
    return [str(tmp_path / name) for name in lines]


def p_of(session: Session) -> float:
    compared = session.comparison.compared()
    assert compared is not None
    return float(compared.comparison.pairs[0].decision.p)


def test_what_is_shown_counts_by_it(paths: list[str], tmp_path: Path) -> None:
    session = Session(Settings())
    session.files.open_files(paths)
    session.evaluation.set_measure("nDCG@5")
    naive = p_of(session)
    assert session.protocol.units == (("id-prefix", 12),)
    session.protocol.set_unit("id-prefix")
    assert "unit: id-prefix (12)" in session.protocol.line
    wanted = irviewer.compare(paths[0], paths[1:], ["nDCG@5"], unit="id-prefix")["nDCG@5"].pairs[0]
    assert p_of(session) == wanted.decision.p != naive
    assert session.result_views.protocol("verdict").units is not None
    with pytest.raises(OptionError, match="supposes independent queries"):
        session.protocol.set(test="wilcoxon")
    session.protocol.save_file(str(tmp_path / "kept.protocol.toml"))
    session.autosave.save_project(str(tmp_path / "kept.irviewer"))
    session.history.undo()
    assert "unit" not in session.protocol.line
    assert p_of(session) == naive
    session.protocol.open_file(str(tmp_path / "kept.protocol.toml"))
    assert p_of(session) == wanted.decision.p
    again = Session(Settings())
    again.projects.open_project(str(tmp_path / "kept.irviewer"))
    assert "unit: id-prefix (12)" in again.protocol.line
    again.protocol.undeclare("unit")
    assert "unit" not in again.protocol.line


def test_curves_by_unit_have_no_bands_and_say_so(paths: list[str]) -> None:
    session = Session(Settings())
    session.files.open_files(paths)
    session.navigation.set_place("systems")
    for look in ("curve_bands", "curve_differences"):
        session.curves.set_curve_look(look, True)
        session.protocol.set_unit("id-prefix")
        session.compute_now()
        view_model = session.view_models.systems_view_model()
        assert view_model is not None
        for figure in (view_model.precision_recall, view_model.by_cutoff):
            assert figure.curves
            assert not figure.bands
            assert figure.note.startswith("no bands by unit")
        assert view_model.statistics is not None
        assert view_model.statistics.first is None
        assert any("(1st) is not shown" in warning for warning in view_model.statistics.warnings)
        session.protocol.undeclare("unit")
        session.compute_now()
        again = session.view_models.systems_view_model()
        assert again is not None
        assert again.by_cutoff.bands
        assert "by unit" not in again.by_cutoff.note


def test_what_there_is_not_is_refused(paths: list[str]) -> None:
    session = Session(Settings())
    session.files.open_files(paths)
    with pytest.raises(OptionError, match="they have id-prefix"):
        session.protocol.set_unit("talk")
    session.protocol.set(test="sign")
    with pytest.raises(OptionError, match="supposes independent queries"):
        session.protocol.set_unit("id-prefix")


def test_queries_without_attributes_are_said_to_have_none() -> None:
    with pytest.raises(OptionError, match="the queries have no attributes; give a table of them"):
        units_of("conversation", (), ("1", "2"))
    with pytest.raises(
        OptionError, match="the ids of the queries do not look like those of conversations, such as 12_3"
    ):
        units_of("id-prefix", (), ("q1", "q2"))


def test_sentences_count_units_and_a_unit_that_is_lost_stays_in_the_line(paths: list[str], tmp_path: Path) -> None:
    table = tmp_path / "talks.tsv"
    table.write_text("query\ttalk\n" + "".join(f"{query}\tt{query.split('_')[0]}\n" for query in IDS))
    session = Session(Settings())
    session.files.open_files(paths)
    session.evaluation.set_measure("nDCG@5")
    session.attributes.open_table(str(table))
    session.protocol.set_unit("talk")
    session.navigation.set_place("compare")
    session.compute_now()
    compared = session.comparison.compared()
    assert compared is not None
    pair = compared.comparison.pairs[0]
    assert ", in 12 units (talk); " in pair.conclusion
    assert "36 queries in 12 units (talk), p" in pair.decision.sentence
    assert pair.detectable_sentence().startswith("36 queries in 12 units (talk) can show a true difference of ")
    shown = session.comparison.pair_view_model()
    assert shown is not None and "36 queries in 12 units (talk)" in shown.note
    session.attributes.remove_table(session.attributes.tables[0].name)
    assert "unit: talk, not known here: queries count one by one" in session.protocol.line
