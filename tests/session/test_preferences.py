"""The preferences: set in one step, kept in the settings, and refused before anything changes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from irviewer.errors import IrviewerError
from irviewer.model.protocol import Inference
from irviewer.session.session import Session
from irviewer.session.settings import SettingError, Settings
from tests.session.helpers import collection, session_with

OTHER = Inference(
    test="wilcoxon", correction="bh", interval="t", samples=500, seed=1, alpha=0.01, confidence=0.9, smallest=0.02,
    zeros="pratt", tukey="randomised",
)  # fmt: skip


def test_all_of_them_are_set_and_read_again(tmp_path: Path) -> None:
    session = Session(Settings(tmp_path / "settings.json"))
    wanted = replace(
        session.preferences.present, theme="contrast", type_size=120, lists_mode="strips", run_colours=("#123456",),
        hints=False, table_measures=("AP", "P@3"), inference=OTHER, assessor="Ada", cache_limit_gb=2.5,
        shortcuts={"explain": ("F7",)},
    )  # fmt: skip
    assert session.preferences.set(wanted)
    assert session.preferences.present == wanted
    session.close()
    again = Session(Settings(tmp_path / "settings.json"))
    assert again.preferences.present == wanted
    assert not again.preferences.set(wanted)
    again.close()


def test_what_they_mean_for_what_is_open() -> None:
    session = session_with(collection(3))
    session.preferences.set(
        replace(
            session.preferences.present, table_measures=("P@3",), run_colours=("#123456", "#654321"), inference=OTHER
        )
    )
    assert session.view_models.systems_view_model().columns[0].measure == "P@3"
    assert session.view.palette.runs[:2] == ("#123456", "#654321")
    assert session.view.palette is session.view.palette
    assert session.state.protocol.inference == Inference(), "what is open keeps its own"
    session.files.close_collection(0)
    assert session.state.protocol.inference == OTHER
    assert "inference.test" in session.state.protocol.declared
    session.preferences.set(replace(session.preferences.present, inference=Inference(), run_colours=()))
    assert session.settings["inference"] == {}
    assert session.state.protocol.inference == Inference()
    assert session.view.palette.runs[0] != "#123456"


def test_an_invalid_measure_changes_nothing() -> None:
    session = Session()
    before = session.preferences.present
    with pytest.raises(IrviewerError, match="nDCQ"):
        session.preferences.set(replace(before, table_measures=("AP", "nDCQ@10"), theme="dark"))
    assert session.preferences.present == before


@pytest.mark.parametrize(
    ("key", "value"),
    [("inference", {"alpha": 3}), ("inference", {"test": []}), ("inference", {"colour": 1}), ("inference", []),
     ("inference", {"alpha": ".05"}), ("run_colours", ["red"]), ("type_size", True), ("type_size", 99),
     ("shortcuts", {"explain": "E"})],
)  # fmt: skip
def test_settings_that_are_not_accepted(key: str, value: object) -> None:
    with pytest.raises(SettingError):
        Settings()[key] = value
