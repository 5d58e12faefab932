"""Answers that were cached are the answers of the file, whatever stands in it; a damaged cache file means that the file
is read."""

from __future__ import annotations

import json
import tempfile
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from examples import examples
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import irviewer
from irviewer.formats.load import load
from irviewer.formats.reading import cache, cache_folder, file_state
from irviewer.formats.reading.cached_answers import PARTS, packed, unpacked
from irviewer.model.answers.answered import Answered
from irviewer.model.answers.answers import Answers
from irviewer.model.answers.assignments import Assignments
from irviewer.model.answers.foreign import ForeignScores
from irviewer.model.answers.nuggets import Links, Nuggets
from irviewer.model.answers.support import Support
from irviewer.model.arrays import frozen, strings
from irviewer.model.run import Run

DATA = Path(__file__).parents[2] / "data" / "answers"
FILES = sorted(path for path in DATA.glob("*.jsonl") if path.name.split(".")[0] in ("alpha", "beta"))
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20) | st.sampled_from(
    ["<img src=x>", "a\u202eb", "\x00", "é" * 300, " ", "[1]"]
)


@pytest.fixture(autouse=True)
def anything_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(cache_folder.DIRECTORY_VARIABLE, str(tmp_path / "cache"))
    monkeypatch.delenv(cache_folder.CONFIDENTIAL_VARIABLE, raising=False)
    monkeypatch.setattr(cache, "LARGE_ANSWERS", 1)
    monkeypatch.setattr(cache, "WORTH_ANSWERS", 0)
    monkeypatch.setattr(file_state, "SETTLED", 0.0)


def plain(value: Any) -> Any:
    """A value as lists and texts, with the types of its arrays."""
    if is_dataclass(value) and not isinstance(value, type):
        return {each.name: plain(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, np.ndarray):
        return value.dtype.name, value.shape, repr(value.tolist()), value.flags.writeable
    if isinstance(value, pa.Array):
        return str(value.type), value.to_pylist()
    if isinstance(value, tuple | list):
        return type(value).__name__, [plain(each) for each in value]
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    return repr(value) if isinstance(value, float) else value


def of_run(run: Any) -> Any:
    assert isinstance(run, Run)
    assert run.answered is not None
    return plain({each.name: getattr(run, each.name) for each in fields(run)})


def place_of(path: Path) -> Path | None:
    shelf = cache.shelf_of(path, {"kind": "run", "name": None, "duplicates": "refuse", "format": None, "part": None})
    return None if shelf is None else shelf.place


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_what_was_cached_is_what_was_read(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fresh = load(path, kind="run", cached="no")
    load(path, kind="run", cached="keep")
    place = place_of(path)
    assert place is not None and place.is_file()
    monkeypatch.setattr("irviewer.formats.load.open_bytes", None)
    again = load(path, kind="run")
    assert of_run(again.value) == of_run(fresh.value)
    assert again.report == fresh.report


@settings(examples(40), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.fixed_dictionaries({
            "topic": TEXTS, "references": st.lists(TEXTS, max_size=3), "response_length": st.integers(-1, 9),
            "answer": st.lists(st.fixed_dictionaries(
                {"text": TEXTS, "citations": st.lists(st.integers(-1, 4), max_size=3)}), max_size=3),
        }), min_size=1, max_size=4,
    )
)  # fmt: skip
def test_any_answers(records: list[dict[str, Any]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.jsonl"
        lines = [json.dumps({"run_id": "s", "topic_id": f"t{place}", **each}) for place, each in enumerate(records)]
        path.write_text("\n".join(lines) + "\n")
        try:
            fresh = load(path, kind="run", cached="no")
        except irviewer.IrviewerError:
            return
        load(path, kind="run", cached="keep")
        place = place_of(path)
        assert place is not None and place.is_file()
        again = load(path, kind="run")
        assert of_run(again.value) == of_run(fresh.value)
        assert again.report == fresh.report


NAMES = st.lists(TEXTS, min_size=2, max_size=2, unique=True)


@settings(examples(20))
@given(NAMES, st.integers(0, 1), st.booleans())
def test_every_part_comes_back(names: list[str], small: int, whole: bool) -> None:
    """All parts and fields, the optional ones too."""
    two = np.array([0, 1, 2])
    codes = frozen(np.array([small, -2], dtype=np.int8))
    texts = strings(names)
    answers = Answers(
        tuple(names), ("", "q"), two, texts, two, texts, np.array([0, -1]), frozen(np.array([True, False])),
        np.array([0.5, np.nan]), two, texts, np.array([3, -1]), ("{}", '{"team": "x"}'), "rag25",
    )  # fmt: skip
    links = Links(frozenset(names), frozen(np.array([0, 1])), texts)
    nuggets = Nuggets("n", tuple(names), ("", ""), two, texts, codes, texts, links if whole else None,
                      np.array([1.0, np.nan]) if whole else None)  # fmt: skip
    spans = np.array([[0, 3], [-1, -1]]) if whole else None
    assignments = Assignments(nuggets, codes, texts, texts, tuple(names), np.array([1, 2]), "file", spans)
    support = Support(tuple(names), two, texts, two, texts, np.array([0, -1]), codes, texts, "file",
                      codes if whole else None, codes if whole else None)  # fmt: skip
    foreign = (ForeignScores("tool", names[0], {names[1]: 0.25}),)
    for value in (
        Answered("s", answers, assignments, support, None, foreign), Answered("", None, assignments),
        Answered("s", None, None, support), Answered("s", None, None, None, None, foreign),
    ):  # fmt: skip
        columns, about = packed(value)
        arrays = {
            name: pa.array(each) if isinstance(each, np.ndarray) else each for name, each in columns.items()
        }  # fmt: skip
        assert plain(unpacked(arrays, json.loads(json.dumps(about)))) == plain(value)


def test_every_field_of_answers_is_known() -> None:
    """A field of another type than these raises TypeError where it is written: then nothing is cached."""
    with pytest.raises(TypeError, match="context"):
        packed(Answered("s", context=Run.of({"q": {"d": 1.0}})))
    assert set(PARTS) == {"Answered", "Answers", "Assignments", "Links", "Nuggets", "Support"}


def test_labels_name_the_file_by_the_path_that_was_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "alpha.assignments.jsonl"
    path.write_bytes((DATA / path.name).read_bytes())
    load(path, kind="run", cached="keep")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("irviewer.formats.load.open_bytes", None)
    run = load(path.name, kind="run").value
    assert isinstance(run, Run) and run.answered is not None and run.answered.assignments is not None
    assert run.origin == run.answered.assignments.origin == path.name


def test_any_damage_means_that_the_file_is_read(tmp_path: Path) -> None:
    path = FILES[0]
    wanted = of_run(load(path, kind="run", cached="keep").value)
    place = place_of(path)
    assert place is not None
    whole = place.read_bytes()
    for data in (b"", whole[:-1], whole[: len(whole) // 2], whole + b"x", bytes(len(whole))):
        place.write_bytes(data)
        assert of_run(load(path, kind="run").value) == wanted


def test_answers_are_cached_sooner_than_other_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "LARGE_ANSWERS", 1 << 10)
    ranking = tmp_path / "a.run"
    ranking.write_text("q1 Q0 d1 1 2.5 t\n" + "".join(f"q1 Q0 d{n} 1 {1 / n} t\n" for n in range(2, 200)))
    objects = tmp_path / "a.json"
    objects.write_text(json.dumps({"q1": {f"d{n}": 1 / (n + 1) for n in range(200)}}))
    for path in (ranking, objects):
        for _ in range(2):
            load(path, kind="run", cached="keep")
        place = place_of(path)
        assert place is None or not place.exists()
