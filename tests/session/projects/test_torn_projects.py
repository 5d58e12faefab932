"""A project whose text is no JSON any more opens with what can be read of it; the file is kept as it was."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from irviewer.formats.project_file import VERSION, project_text
from irviewer.formats.salvage import read_damaged
from irviewer.session.messages import Level
from irviewer.session.session import Session
from irviewer.session.settings import Settings

WHEN = "2026-11-22T03:58:37Z"
JUDGED = [["1", f"d{place}", place % 3, "ada", WHEN] for place in range(40)]
NOTED = [[f"{place}", f"note {place}", ["hard"], "ada", WHEN] for place in range(1, 30)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "small.qrels").write_text("".join(f"{q} 0 d{n} {n % 2}\n" for q in range(1, 4) for n in range(4)))
    (tmp_path / "a.run").write_text("".join(f"{q} Q0 d{n} {n} {9 - n} a\n" for q in range(1, 4) for n in range(6)))
    return tmp_path


def sections() -> dict[str, Any]:
    """Judgments, notes, an edited run, a query set, a matching view."""
    runs = [
        {"key": 0, "name": "a", "file": "a.run", "slot": 0, "worn": True},
        {
            "key": 1,
            "name": "e",
            "edited": {"of": 0, "lists": {str(q): ["d1", "d0", "d2", "d3", "d4", "d5"] for q in range(1, 4)}},
        },
        {"key": 2, "name": "made", "rankings": {str(q): [["d1", 2.5], ["d0", 2], ["d4", 1]] for q in range(1, 4)}},
    ]
    judgments = [{"id": "j1", "name": "small", "file": "small.qrels", "chosen": True, "judged": JUDGED}]
    sets = [{"name": f"set {n}", "query_ids": ["1", "2"], "origin": "filter", "how": "by hand " * 20} for n in (1, 2)]
    collection = {
        "id": "c1", "name": "small", "judgments": judgments, "runs": runs, "query sets": sets,
        "remarks": {"query": NOTED, "document": [["d1", "seen", [], "ada", WHEN]] * 3},
        "selection": {"query_id": "2", "shown": [0]},
    }  # fmt: skip
    return {"current": 0, "view": {"measure": "AP", "place": "queries"}, "collections": [collection]}


TEXT = project_text(sections())


def opened(folder: Path, content: bytes) -> Session:
    (folder / "p.irviewer").write_bytes(content)
    session = Session(Settings())
    session.projects.open_project(str(folder / "p.irviewer"))
    return session


def judged(project: dict[str, Any]) -> list[Any]:
    return [
        row
        for record in project["collections"]
        for each in record.get("judgments", ())
        for row in each.get("judged", ())
    ]


def test_a_project_cut_at_its_end_opens_with_what_is_before(folder: Path) -> None:
    at = TEXT.index('"d25"') + 20
    session = opened(folder, TEXT[:at].encode())
    assert session.view.judgments is not None, session.view.messages
    assert [judgment.doc_id for judgment in session.view.judgments.overlay] == [f"d{place}" for place in range(25)]
    (message,) = session.view.messages
    line = TEXT[:at].count("\n") + 1
    assert message.level is Level.WARNING
    assert message.text == (
        "p.irviewer is damaged. All parts that can be read are open. Left out: "
        f"p.irviewer, line {line}: collections 1 › judgments 1 › judged 26: it cannot be read and 1 more"
    )
    assert message.details == (
        f"p.irviewer, line {line}: collections 1 › judgments 1 › judged 26: it cannot be read",
        f"p.irviewer, line {line}: collections 1 › judgments 1 › judged: the file ends here: the rest is missing",
        "The file is unchanged until you change something; then a copy of it is kept as p.irviewer.damaged.",
    )


@pytest.mark.parametrize("sign", [b"\xff", b"\x00", b'"', b"}", b"\n"])
def test_a_damaged_byte_costs_its_row(folder: Path, sign: bytes) -> None:
    at = TEXT.index('"d25"') + 2
    session = opened(folder, TEXT[:at].encode() + sign + TEXT[at + 1 :].encode())
    assert session.view.judgments is not None, session.view.messages
    doc_ids = [judgment.doc_id for judgment in session.view.judgments.overlay]
    if sign == b"}":  # the text is JSON still
        assert len(doc_ids) == 40
        return
    assert doc_ids == [f"d{place}" for place in range(40) if place != 25]
    assert len(session.notes.every) == len(NOTED) + 1
    assert [label.name for label in session.view.labels()] == ["a", "e", "made"]
    (message,) = [shown for shown in session.view.messages if "is damaged" in shown.text]
    assert "judgments 1 › judged 26: it cannot be read" in message.text


def test_the_damaged_file_is_kept_before_the_project_is_saved(folder: Path) -> None:
    content = TEXT[: TEXT.index('"d25"')].encode()
    path, copy = folder / "p.irviewer", folder / "p.irviewer.damaged"
    session = opened(folder, content)
    assert path.read_bytes() == content
    assert not copy.exists()
    session.judging.judge("d5", 1.0)
    assert session.autosave.save_status == "saved"
    assert copy.read_bytes() == content
    json.loads(path.read_text())
    session.close()
    again = Session(Settings())
    again.projects.open_project(str(path))
    assert [message.text for message in again.view.messages if message.level is not Level.INFO] == []


def test_runs_kept_beside_a_damaged_project_stay(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("irviewer.formats.reading.derived_run.LEFT_OVER", -1.0)
    kept = folder / "p.irviewer-0123456789.parquet"
    kept.write_bytes(b"a run that the part of the file names that is missing")
    session = opened(folder, TEXT[: TEXT.index('"d25"')].encode())
    assert kept.exists()
    session.judging.judge("d5", 1.0)
    session.close()
    again = Session(Settings())
    again.projects.open_project(str(folder / "p.irviewer"))
    again.close()
    assert kept.exists()


def test_a_run_is_read_whole_or_left_out(folder: Path) -> None:
    session = opened(folder, TEXT.replace('["d1", 2.5]', '["d1", 2.x]', 1).encode())
    assert [label.name for label in session.view.labels()] == ["a", "e"]
    assert session.view.judgments is not None
    assert len(session.view.judgments.overlay) == 40


def test_work_without_a_project_is_offered_though_it_is_damaged(folder: Path) -> None:
    settings = Settings(folder / "settings.json")
    first = Session(settings)
    first.files.open_files([str(folder / "small.qrels"), str(folder / "a.run")])
    for place in range(4):
        first.judging.judge(f"d{place}", 1.0)
    assert first.autosave.kept is not None
    kept = first.autosave.kept
    first.close()
    text = kept.read_text()
    kept.write_text(text[: text.index('"d3"')])
    again = Session(settings)
    again.projects.offer_unsaved_work()
    assert [work.path for work in again.projects.unsaved_work] == [kept]
    again.projects.restore_work()
    assert again.view.judgments is not None
    assert [judgment.doc_id for judgment in again.view.judgments.overlay] == ["d0", "d1", "d2"]
    again.close()


def test_what_is_no_project_is_refused_as_before(folder: Path) -> None:
    for content in (b"", b"{", b'{"a": [1, 2', b"\xff\xfe{", b"[1, 2", b'{"collections": [{"name": "x"}', b"x" * 1000):
        session = opened(folder, content)
        assert session.view.collection is None
        assert "this is not a project file" in session.view.messages[-1].text
        session.close()


def test_the_damaged_project_of_a_newer_program_is_left_alone(folder: Path) -> None:
    text = TEXT.replace(f'"irviewer project": {VERSION}', f'"irviewer project": {VERSION + 1}')
    session = opened(folder, text[: len(text) // 2].encode())
    assert session.view.collection is None
    assert "newer irviewer" in session.view.messages[-1].text


def test_a_cut_anywhere_keeps_every_judgment_before_it() -> None:
    content = TEXT.encode()
    dice = random.Random(3)
    last = content.index(b'"judged": [') + 12
    for at in [dice.randrange(last, len(content)) for _ in range(120)]:
        project, lost = read_damaged("p", content[:at])
        whole = [row for row in JUDGED if content.index(f"{json.dumps(row)}".encode()) + len(json.dumps(row)) <= at]
        assert judged(project) == whole, at
        assert bool(lost) == (at < len(content) - 1)


def test_a_damaged_byte_anywhere_costs_one_judgment_at_most() -> None:
    content = TEXT.encode()
    dice = random.Random(4)
    start, end = content.index(b'"collections"'), len(content)
    for at in [dice.randrange(start, end) for _ in range(300)]:
        for sign in (b"\xff", b"\x00"):
            project, lost = read_damaged("p", content[:at] + sign + content[at + 1 :])
            rows = judged(project)
            assert len(rows) >= len(JUDGED) - 1, (at, content[at - 30 : at + 10])
            assert all(row in JUDGED for row in rows)
            assert lost
            runs = [run_record for each in project["collections"] for run_record in each.get("runs", ())]
            if not any(damage.place[2:3] == ("runs",) for damage in lost):
                assert runs == sections()["collections"][0]["runs"]


def test_a_file_in_one_line_is_read_up_to_the_damage() -> None:
    text = json.dumps({"irviewer project": VERSION, **sections()})
    at = text.index('"d25"') + 2
    project, lost = read_damaged("p", text[:at].encode() + b"\xff" + text[at + 1 :].encode())
    assert judged(project) == JUDGED[:25]
    assert "the rest of its line cannot be read" in lost[0].why


@pytest.mark.fuzz
def test_no_damage_is_a_fault_of_the_program(folder: Path) -> None:
    dice = random.Random(6)
    content = TEXT.encode()
    for _ in range(3000):
        damaged_bytes = bytearray(content)
        for _ in range(dice.choice((1, 1, 2, 5, 40))):
            damaged_bytes[dice.randrange(len(damaged_bytes))] = dice.choice(
                (0, 10, 34, 44, 91, 93, 123, 125, 255, dice.randrange(256))
            )
        if dice.random() < 0.2:
            del damaged_bytes[dice.randrange(len(damaged_bytes)) :]
        try:
            read, _ = read_damaged("p", bytes(damaged_bytes))
        except Exception as error:
            assert type(error).__name__ == "ProjectError"
        else:
            assert isinstance(read, dict)
