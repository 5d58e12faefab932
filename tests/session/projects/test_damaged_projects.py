"""A project that is damaged opens without what is, and says which file, which place and why; it is never a fault of the
program."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from irviewer.formats.project_file import MARK, VERSION, ProjectError
from irviewer.session.messages import Level
from irviewer.session.projects import saving
from irviewer.session.projects.schema import checked
from irviewer.session.session import Session
from irviewer.session.settings import Settings
from tests.session.helpers import NAMES

RUNS = NAMES[:2]
WRONG: tuple[Any, ...] = (
    None, True, -1, 2.5, 10**400, 3, "x", "", "\ud800", "#zzz", [], {}, [[]], [1, "x"], {"a": 1}, {"": None},
)  # fmt: skip


def view_models_of(session: Session) -> list[Callable[[], object]]:
    """Everything that a view can ask of a session."""
    return [
        session.view_models.query_view_model,
        session.view_models.queries_view_model,
        session.view_models.systems_view_model,
        session.comparison.pair_view_model,
        session.matrices.matrix_view_model,
        session.failures.failures_view_model,
        session.list_judging.relevant_view_model,
        session.list_judging.hubs_view_model,
        session.failures.vector_view_model,
        session.failures.recall_view_model,
        session.query_sets.sets_view_model,
        session.pooling.pool_view_model,
        session.list_judging.worklist_view_model,
        session.judging.judging_view_model,
        session.explaining.ledger_view_model,
        session.teaching.lesson_view_model,
        session.explaining.mean_view_model,
        session.documents.why_not_view_model,
        session.view_models.document_card,
        session.documents.pinned_card,
    ]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "small.qrels").write_text("".join(f"{q} 0 d{q}{n} {n % 3}\n" for q in range(1, 4) for n in range(4)))
    for shift, tag in enumerate(RUNS):
        lines = [f"{q} Q0 d{q}{(n + shift) % 6} {n} {9 - n} {tag}\n" for q in range(1, 4) for n in range(6)]
        (tmp_path / f"{tag}.run").write_text("".join(lines))
    (tmp_path / "queries.tsv").write_text("".join(f"{q}\tthe number of a wing {q}\n" for q in range(1, 4)))
    (tmp_path / "documents.jsonl").write_text('{"id": "d11", "text": "one"}\n')
    return tmp_path


def whole_project() -> dict[str, Any]:
    """Something of everything that a project may hold."""
    ranked = {"1": [["d10", 2], ["d11", 1.5]], "2": [["d20", "inf"]]}
    when = "2026-11-22T03:58:37Z"
    collection = {
        "id": "c1",
        "name": "small",
        "about": {"named": True, "last_key": 9},
        "queries": {"file": "queries.tsv"},
        "documents": {"file": "documents.jsonl"},
        "judgments": [
            {"id": "j1", "name": "small", "file": "small.qrels", "regime": "complete", "chosen": True,
             "read": {"duplicates": "last"},
             "judged": [["1", "d10", 4, "ada", when, "clearly so"], ["2", "d20", None, "ada", when], ["3", "new", 1]]},
            {"id": "j2", "name": "mine", "regime": "unknown", "chosen": False,
             "grades": {"1": {"d10": 1, "d11": 0}, "2": {}}},
        ],
        "runs": [
            {"key": 0, "name": "alpha", "file": "alpha.run", "slot": 0, "worn": True, "colour": "#123456"},
            {"key": 1, "name": "beta", "file": "beta.run", "read": {"duplicates": "best"}, "slot": 1, "worn": True},
            {"key": 2, "name": "edited", "edited": {"of": 0, "lists": {"1": ["d11", "d10"]}}, "slot": 2},
            {"key": 3, "name": "made", "rankings": ranked, "made": {"made from": ["alpha"], "fusion": "rrf"}},
            {"key": 4, "name": "copy", "edited": {"source": ranked, "lists": {"2": ["d21"]}}},
        ],
        "query sets": [{"name": "two", "query_ids": ["1", "2"], "origin": "filter", "how": "Δ > 0", "looked": True}],
        "weights": {"how": "said", "default": 1, "values": {"1": 2, "2": 0.5}},
        "remarks": {"query": [["1", "hard", ["hard"], "", when]], "document": [["d11", "", ["seen"], "ada", when]]},
        "selection": {
            "query_id": "1", "document_id": "d11", "baseline": 0, "focus": 2, "shown": [0, 1, 2, 3],
            "queries_sort": ["spread", True], "queries_filter": "wing", "judgments": 0, "query_set": "two",
            "systems_sort": ["AP", True], "systems_filter": "a", "pool_sort": ["run", False], "brushed": ["1"],
            "pinned": ["1", "d10"], "zscores": False,
        },
    }  # fmt: skip
    view = {
        "measure": "AP", "cutoff": 5, "place": "queries", "lists_mode": "strips", "tabs": {"queries": "failures"},
        "matrix": "p", "explaining": True, "explained": [0, "1"], "blind": False, "columns": 2,
    }  # fmt: skip
    return {
        MARK: VERSION,
        "current": 0,
        "view": view,
        "options": {"level": 2, "judged_only": True, "depth": 100, "missing": "zero", "dialect": "trec_eval"},
        "statistics": {"correction": "bh", "interval": "bca", "samples": 500, "seed": 7, "alpha": 0.1, "rbo_p": 0.8},
        "finding": {
            "kinds": ["hard"], "hubs_sort": ["document", False], "failures_sort": ["query", True],
            "relevant_sort": ["found", True], "sizes": {"small": 5000}, "stop": 3,
            "limits": {"worse": 0.25, "hard": 0, "unjudged": 0.4, "cutoff": 7},
        },
        "layout": {"query/0": [500, 500]},
        "columns": {"systems": {"order": ["run", "P@10", "AP"], "hidden": ["AP"]}},
        "collections": [collection],
    }  # fmt: skip


def places(value: Any, at: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Every place below a value."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield (*at, key)
        yield from places(inner, (*at, key))


def damaged(place: tuple[str | int, ...], wrong: Any) -> dict[str, Any]:
    """The whole project with something else at a place, or nothing where that is ``...``."""
    project = copy.deepcopy(whole_project())
    inside: Any = project
    for key in place[:-1]:
        inside = inside[key]
    if wrong is ...:
        del inside[place[-1]]
    else:
        inside[place[-1]] = wrong
    return project


def opened(folder: Path, project: dict[str, Any]) -> Session:
    """The session in which it was opened, after every view model was asked for."""
    path = folder / "p.irviewer"
    path.write_text(json.dumps(project, indent=1), encoding="utf-8")
    session = Session(Settings())
    session.autosave.set_autosave(False)
    session.projects.open_project(str(path))
    if session.projects.seeking is not None:
        session.projects.open_without_missing()
    for view_model in view_models_of(session):
        view_model()
    return session


def test_the_whole_project_is_not_damaged(folder: Path) -> None:
    project = whole_project()
    session = opened(folder, project)
    assert session.view.messages == ()
    assert [label.name for label in session.view.labels()] == ["alpha", "beta", "edited", "made", "copy"]
    again = json.loads(session.autosave.snapshot(folder / "p.irviewer").text())
    for part in ("view", "options", "statistics", "finding"):
        assert again[part] == {key: what for key, what in project[part].items() if key in again[part]}, part
    mine, other = again["collections"][0], project["collections"][0]
    assert {name: mine[name] for name in other if name not in ("runs", "about", "selection")} == {
        name: what for name, what in other.items() if name not in ("runs", "about", "selection")
    }


CASES = {
    "a row is too short": (("collections", 0, "judgments", 0, "judged", 1), ["2"],
        "collections 1 › judgments 1 › judged 2: expected a row of 3 to 6, not 1"),
    "a grade is text": (("collections", 0, "judgments", 0, "judged", 0, 2), "high",
        "collections 1 › judgments 1 › judged 1: expected a number, not text"),
    "a run without a key": (("collections", 0, "runs", 1, "key"), ..., "collections 1 › runs 2: “key” is missing"),
    "two runs of one key": (("collections", 0, "runs", 1, "key"), 0,
        "collections 1 › runs 2: an earlier item has the same “key”"),
    "a run of nothing": (("collections", 0, "runs", 0, "file"), ...,
        "collections 1 › runs 1: one of “file”, “rankings”, “kept”, “edited”, “labels” is needed"),
    "a list that is an object": (("collections", 0, "runs"), {"key": 1},
        "collections 1 › runs: expected a list, not an object"),
    "no measure": (("view", "measure"), "nDCG@", "measure"),
    "a colour": (("collections", 0, "runs", 0, "colour"), "red",
        "collections 1 › runs 1 › colour: “red” is not a colour"),
    "no collections": (("collections",), ..., "“collections” is missing"),
    "a collection that is text": (("collections", 0), "small",
        "collections 1: expected an object, not text"),
    "a cutoff": (("view", "cutoff"), -4, "view › cutoff: the number -4 is out of range"),
    "a weight": (("collections", 0, "weights", "values", "1"), -1,
        "collections 1 › weights › values › 1: the number -1"),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_what_is_damaged_is_left_out_and_reported(folder: Path, name: str) -> None:
    place, wrong, expected = CASES[name]
    session = opened(folder, damaged(place, wrong))
    (message,) = [shown for shown in session.view.messages if shown.level is Level.WARNING and "left out" in shown.text]
    assert message.text.startswith("p.irviewer")
    assert expected in message.text, message.text
    if isinstance(wrong, str | int) and "key" not in name and name != "no measure":
        line = int(message.text.split("line ")[1].split(":")[0])
        around = (folder / "p.irviewer").read_text().split("\n")[line - 1 : line + 3]  # a row begins before its grade
        assert any(json.dumps(wrong) in text for text in around)
    if "collection" not in name:
        assert session.view.collection is not None
        assert session.view.judgments is not None


def test_several_damaged_parts_are_one_message(folder: Path) -> None:
    project = damaged(("collections", 0, "judgments", 0, "judged", 1), 3)
    project["collections"][0]["runs"][3]["slot"] = "blue"
    session = opened(folder, project)
    (message,) = session.view.messages
    assert message.text.startswith("2 parts of p.irviewer are damaged and were left out: p.irviewer, line ")
    assert len(message.details) == 2
    assert session.view.judgments is not None
    assert [judgment.doc_id for judgment in session.view.judgments.overlay] == ["d10", "new"]
    assert [label.name for label in session.view.labels()] == ["alpha", "beta", "edited", "made", "copy"]


def test_what_was_damaged_is_kept_beside_the_project(folder: Path) -> None:
    path, copy = folder / "p.irviewer", folder / "p.irviewer.damaged"
    session = opened(folder, damaged(("collections", 0, "judgments", 0, "judged", 1), 3))
    before = path.read_bytes()
    session.autosave.set_autosave(True)
    assert not copy.exists()  # as long as nothing is saved
    session.judging.judge("d11", 1.0)
    session.judging.judge("d12", 1.0)
    assert session.autosave.save_status == "saved"
    assert path.read_bytes() != before
    assert copy.read_bytes() == before
    session.close()
    again = Session(Settings())
    again.projects.open_project(str(path))
    assert again.view.messages == ()
    again.judging.judge("d13", 1.0)
    assert sorted(file.name for file in folder.glob("p.irviewer*")) == ["p.irviewer", "p.irviewer.damaged"]
    session = opened(folder, damaged(("collections", 0, "judgments", 0, "judged", 2), 3))
    session.autosave.set_autosave(True)
    session.judging.judge("d11", 1.0)
    assert (folder / "p.irviewer.damaged-2").is_file()  # the first is not written over
    assert copy.read_bytes() == before
    other = Session(Settings())
    other.files.open_files([str(folder)])
    assert [message for message in other.view.messages if message.level is not Level.HINT] == []


def test_a_damaged_project_that_cannot_be_kept_is_not_written_over(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = folder / "p.irviewer"
    session = opened(folder, damaged(("collections", 0, "judgments", 0, "judged", 1), 3))
    before = path.read_bytes()
    session.autosave.set_autosave(True)

    def full(*arguments: object) -> None:
        raise ProjectError("No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(saving, "keep_damaged", full)
        session.judging.judge("d11", 1.0)
        assert session.autosave.save_status == "NOT saved"
        assert path.read_bytes() == before
    session.judging.judge("d12", 1.0)
    assert session.autosave.save_status == "saved"


def _sampled(share: int) -> list[tuple[tuple[str | int, ...], Any]]:
    every = [(place, wrong) for place in places(whole_project()) if place != (MARK,) for wrong in (*WRONG, ...)]
    random.Random(share).shuffle(every)
    return every[: len(every) // share]


def _survives(folder: Path, place: tuple[str | int, ...], wrong: Any) -> None:
    project = damaged(place, wrong)
    try:
        session = opened(folder, project)
    except Exception as error:
        raise AssertionError(f"{place} = {wrong!r}") from error
    _, faults = checked({name: what for name, what in project.items() if name != MARK})
    warnings = [message for message in session.view.messages if message.level in (Level.WARNING, Level.ERROR)]
    assert bool(warnings) >= bool(faults), (place, wrong)
    session.autosave.snapshot(folder / "p.irviewer").text()
    session.close()


def test_no_wrong_value_is_a_fault_of_the_program(folder: Path) -> None:
    for place, wrong in _sampled(90):
        _survives(folder, place, wrong)


@pytest.mark.fuzz
def test_no_wrong_value_of_many_more_is_a_fault_of_the_program(folder: Path) -> None:
    for place, wrong in _sampled(24):
        _survives(folder, place, wrong)


@pytest.mark.fuzz
def test_bytes_that_flip_are_no_fault_of_the_program(folder: Path) -> None:
    dice = random.Random(5)
    content = json.dumps(whole_project(), indent=1).encode()
    path = folder / "p.irviewer"
    for _ in range(200):
        damaged_bytes = bytearray(content)
        for _ in range(dice.choice((1, 1, 2, 5))):
            damaged_bytes[dice.randrange(len(damaged_bytes))] = dice.randrange(256)
        path.write_bytes(damaged_bytes if dice.random() < 0.8 else damaged_bytes[: dice.randrange(len(damaged_bytes))])
        session = Session(Settings())
        session.autosave.set_autosave(False)
        session.projects.open_project(str(path))
        assert session.view.collection is not None or session.view.messages or session.projects.seeking is not None
        session.view_models.query_view_model()
        session.view_models.systems_view_model()


def test_forty_thousand_runs_are_refused(folder: Path) -> None:
    project = whole_project()
    project["collections"][0]["runs"] = [{"key": n, "name": f"r{n}", "file": f"r{n}.run"} for n in range(40_000)]
    session = opened(folder, project)
    (message,) = session.view.messages
    assert "p.irviewer was not opened: it has 40,000 runs, and a project can have at most 10,000" in message.text
    assert session.view.collection is None
    assert session.autosave.project_path == ""
