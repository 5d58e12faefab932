"""What was marked as read: every planted change is a fault at its line, what is no change is none, and the record of
others stays."""

from __future__ import annotations

import json
import random
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irviewer.cli.main import main
from irviewer.errors import ParseError
from irviewer.formats.folders import data_files_in
from irviewer.formats.lessons.course_folder import is_lesson_path, read_course
from irviewer.formats.lessons.lesson_file import read_lesson
from irviewer.formats.lessons.read_record import MARK, RECORD, Reading, read_record, record_of
from irviewer.model.lessons.course import course_of
from irviewer.paths import resource
from irviewer.session.teaching.checking.proofreading import changes_since, mark_as_read, read_lines, readings_of
from irviewer.session.teaching.lesson_source import stamps_of

OWN = """---
title: Mara looks things up
measure: RR
qrels: a.qrels
runs: amber.run
---
Mara is impatient. She reads from the top, and recall is of no interest to her.

Nunca mira más allá del primer acierto: así es como lee.

![a circle](a.svg)

## Step: The first two change places
do: swap 1 2

She would not have noticed.

## Question: What does she want?
- [x] One page.
  The first that helps is enough for her.
- [ ] All pages.
  She would have to read them all.

## Question: What is the reciprocal rank?
ask: RR
hint: Look for the first page that helps.
because: It is at rank 1.
"""
CIRCLE = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><circle cx="4" cy="4" r="4"/></svg>\n'


def own_lesson(folder: Path, name: str = "own.md") -> Path:
    """A lesson of an author with files of its own, and words that nothing computes."""
    (folder / "a.qrels").write_text("1 0 d1 1\n1 0 d2 0\n")
    (folder / "amber.run").write_text("1 Q0 d1 1 2 amber\n1 Q0 d2 2 1 amber\n")
    (folder / "a.svg").write_text(CIRCLE)
    (folder / name).write_text(OWN, encoding="utf-8")
    return folder / name


def said_of(file: Path) -> list[tuple[int, str]]:
    """The lines and reasons of what changed in a lesson; of one that cannot be read any more by its text alone."""
    course = course_of(read_lesson(file))
    return [(fault.line, fault.reason) for fault in changes_since(course, readings_of(course))]


LESSONS = [
    *sorted((resource("lessons") / "en").glob("[a-z]*.md"))[::9],
    *sorted((resource("lessons") / "es").glob("w*.md")),
]
LESSONS = [file for file in LESSONS if file.name != "course.md"]


@pytest.mark.parametrize(
    "lesson", [None, *LESSONS], ids=lambda file: "own" if file is None else f"{file.parent.name} {file.stem}"
)
def test_each_planted_change_is_a_fault_at_its_line(lesson: Path | None, tmp_path: Path) -> None:
    file = own_lesson(tmp_path) if lesson is None else Path(shutil.copy(lesson, tmp_path))
    course = course_of(read_lesson(file))
    mark_as_read(course)
    readings = readings_of(course)
    assert [*changes_since(course, readings)] == []
    lines, some = file.read_text(encoding="utf-8").split("\n")[:-1], random.Random(file.name)
    for _ in range(25):
        at = some.choice([number for number, line in enumerate(lines) if line.strip()])
        planted, kind = planted_in(lines, at, some)
        file.write_text("\n".join(planted) + "\n", encoding="utf-8")
        said = [(fault.line, fault.reason) for fault in changes_since(course, readings)]
        if kind == "another place":  # of two lines that changed places, one was moved to the other side
            assert {line for line, reason in said if kind in reason} & {
                n + 1 for n, each in enumerate(lines) if planted[n] != each
            }
        else:
            ((line, reason),) = said
            assert (line, kind in reason) == (min(at + 1, len(planted)), True)


def planted_in(lines: list[str], at: int, some: random.Random) -> tuple[list[str], str]:
    """Some lines with one change of what is at a place, and what kind of change it is."""
    line = lines[at]
    sign = some.choice([number for number, each in enumerate(line) if not each.isspace()])
    changed = some.choice((
        line[:sign] + some.choice("XYZ0123456789") + "#" + line[sign + 1 :], f"{line[:sign]}{line[sign + 1 :]}~",
        f"{line} not", f"  {line}" if not line.startswith(" ") else line.lstrip(),
    ))  # fmt: skip
    once = [number for number, each in enumerate(lines) if each.strip() and lines.count(each) == 1]
    how = some.choice(("changed", "changed", "new", "removed", "another place")) if at in once else "changed"
    if how == "another place":
        other = some.choice([number for number in once if number != at])
        moved = [*lines]
        moved[at], moved[other] = lines[other], line
        return moved, how
    own = {"changed": [changed], "new": ["Recall looks at the top alone.", line], "removed": []}[how]
    return [*lines[:at], *own, *lines[at + 1 :]], how


def test_marks_keys_and_data_are_read_too(tmp_path: Path) -> None:
    file = own_lesson(tmp_path)
    mark_as_read(course_of(read_lesson(file)))
    for old, new, line in (
        ("measure: RR", "measure: AP", 3),
        ("swap 1 2", "swap 2 1", 14),
        ("helps is", "that is", 20),
        ("hint: Look", "hint: Never look", 26),
    ):
        file.write_text(OWN.replace(old, new), encoding="utf-8")
        assert [each for each, _ in said_of(file)] == [line]
    file.write_text(OWN.replace("[x] One", "[ ] One").replace("[ ] All", "[x] All"), encoding="utf-8")
    assert [each for each, _ in said_of(file)] == [19, 21]
    file.write_text(OWN, encoding="utf-8")
    for name, line in (("a.qrels", 4), ("amber.run", 5), ("a.svg", 11)):
        former = (tmp_path / name).read_text()
        (tmp_path / name).write_text(former.replace("2", "3") if name != "a.svg" else former.replace("9", "8"))
        assert [(at, name in reason) for at, reason in said_of(file)] == [(line, True)]
        (tmp_path / name).write_text(former)
    assert said_of(file) == []


def test_ends_of_lines_and_blanks_there_are_no_change(tmp_path: Path) -> None:
    file = own_lesson(tmp_path)
    mark_as_read(course_of(read_lesson(file)))
    for text in (
        OWN.replace("\n", "\r\n"), OWN.replace("\n", "  \n"), f"{OWN}\n\n", OWN.rstrip("\n"),
        f"\N{ZERO WIDTH NO-BREAK SPACE}{OWN}",
    ):  # fmt: skip
        file.write_bytes(text.encode("utf-8"))
        assert said_of(file) == []
    for name in ("a.qrels", "amber.run", "a.svg"):
        (tmp_path / name).write_bytes((tmp_path / name).read_bytes().replace(b"\n", b"\r\n"))
    assert said_of(file) == []
    file.write_text(OWN.replace("\n\nNunca", "\nNunca"), encoding="utf-8")  # two paragraphs are one
    assert [line for line, _ in said_of(file)] == [8]


DIGESTS = [f"{number:012x}" for number in range(4)]


@given(st.lists(st.sampled_from(DIGESTS), max_size=12), st.lists(st.sampled_from(DIGESTS), min_size=1, max_size=12))
def test_lines_that_are_not_named_are_as_they_were(before: list[str], now: list[str]) -> None:
    from irviewer.session.teaching.checking.proofreading import _differences

    said = [*_differences(before, now)]
    named = {line + each for kind, line, n in said if kind != "gone" for each in range(n)}
    rest = iter(before)
    assert all(digest in rest for line, digest in enumerate(now, start=1) if line not in named)
    assert (said == []) == (before == now)
    assert named <= {*range(1, len(now) + 1)}


def test_a_folder_is_marked_with_its_course_and_without_what_is_gone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own_lesson(tmp_path, "a.md")
    (tmp_path / "b.md").write_text("---\ntitle: B\nrankings: 1 0 1\n---\nP@1 is 1.\n")
    (tmp_path / "course.md").write_text("---\ntitle: C\nlessons:\n  b.md\n  a.md\n---\nAbout it.\n")
    check = ["lesson", str(tmp_path), "--check"]
    assert main([*check, "--mark-read"]) == 0
    assert sorted(read_record(tmp_path)) == ["a.md", "b.md", "course.md"]
    assert main(check) == 0
    capsys.readouterr()
    (tmp_path / "course.md").write_text("---\ntitle: C\nlessons:\n  a.md\n  b.md\n---\nAbout it.\n")
    assert main(check) == 2
    assert f"{tmp_path / 'course.md'}:4:1: " in capsys.readouterr().err
    assert main([*check, "--mark-read"]) == 0
    (tmp_path / "course.md").unlink()
    (tmp_path / "b.md").unlink()
    capsys.readouterr()
    assert main(check) == 2
    said = capsys.readouterr().err
    assert "b.md was marked as read on" in said
    assert "course.md was marked as read on" in said
    assert main(["lesson", str(tmp_path / "a.md"), "--check"]) == 0
    capsys.readouterr()
    assert main(["lesson", str(tmp_path / "a.md"), "--check", "--mark-read"]) == 0
    assert "b.md is there no longer, and no longer marked as read" in capsys.readouterr().out
    assert main(check) == 0


def test_a_lesson_with_faults_is_not_marked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "a.md"
    file.write_text("---\ntitle: A\nrankings: 1 0 1\n---\nP@3 is .36.\n")
    assert main(["lesson", str(file), "--check", "--mark-read"]) == 2
    assert "nothing was marked as read" in capsys.readouterr().err
    assert not (tmp_path / RECORD).exists()
    for arguments, said in (
        (["lesson", "bundled", "--check", "--mark-read"], "needs a file or a folder"),
        (["lesson", str(file), "--mark-read"], "--mark-read needs --check"),
        (["lesson", str(file), "--check", "--again"], "--again needs --unchecked"),
    ):
        assert main(arguments) == 2
        assert said in capsys.readouterr().err


def test_the_command_says_what_is_to_be_read_and_what_was(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "a.md"
    head = "---\ntitle: It\nrankings: 1 0 1\n---\n"
    file.write_text(f"{head}P@3 is .67, said 13 students.\nRecall looks at the top.\nPrecision does not.\n")
    check = ["lesson", str(file), "--check"]
    assert main(check) == 0
    heard = capsys.readouterr().out.splitlines()
    assert heard[1:] == [
        "read yourself what the check does not judge:",
        f"{file}:5:18: P@3 is .67, said 13 students.",
        f"{file}: sentences without numbers, names and comparisons: lines 6–7",
        "of 3 places in the texts the check judges 2; read the others yourself",
        "what you have read is marked as read with --check --mark-read; later changes are faults then",
    ]
    assert main([*check, "--mark-read"]) == 0
    day = read_record(tmp_path)["a.md"].date
    said = f"of 3 places in the texts the check judges 2; the rest, 1, was marked as read on {day}"
    assert capsys.readouterr().out.splitlines() == ["1 lesson without faults", said]
    assert main([*check, "--unchecked"]) == 0
    heard = capsys.readouterr().out.splitlines()
    assert heard[0] == "1 place was marked as read: --unchecked --again lists it too"
    assert main([*check, "--unchecked", "--again"]) == 0
    assert "number not noticed: 14 in place of 13" in capsys.readouterr().out
    file.write_text(f"{head}P@3 is .67, said 14 students.\nRecall looks at the end.\nPrecision does not.\n")
    assert main([*check, "--unchecked"]) == 2
    heard_too = capsys.readouterr()
    assert f"{file}:5:1: 2 lines from here have changed since" in heard_too.err
    assert "number not noticed: 15 in place of 14" in heard_too.out
    assert "comparisons: lines 6\n" in heard_too.out
    reading = read_record(tmp_path)["a.md"]
    assert read_lines(str(file), reading) == {1, 2, 3, 4, 7}


DAMAGED = [
    (b"", "is not JSON"),
    (b'{"lessons": ', "is not JSON"),
    (b"[" * 100_000, "is not JSON"),
    (b"\xff\xfe{}", "is not JSON"),
    (b"[]", "no record"),
    (b'{"lessons": {}}', "no record"),
    (json.dumps({MARK: True, "lessons": {}}).encode(), "no record"),
    (json.dumps({MARK: 1, "lessons": []}).encode(), "no record"),
    (json.dumps({MARK: 2, "lessons": {}}).encode(), "later version"),
    *(
        (json.dumps({MARK: 1, "lessons": {name: entry}}).encode(), "is damaged")
        for name, entry in (
            ("a.md", None),
            ("a.md", {"date": "2026-11-30", "files": {}, "lines": "abc"}),
            ("a.md", {"date": "\x1b[31m", "files": {}, "lines": "0" * 12}),
            ("a.md", {"date": "2026-11-30", "files": {"a.run": 1}, "lines": "0" * 12}),
            ("../a.md", {"date": "2026-11-30", "files": {}, "lines": "0" * 12}),
            ("\x1b]0;x", None),
        )
    ),
]


@pytest.mark.parametrize(("content", "said"), DAMAGED)
def test_a_damaged_record_is_named_and_kept(
    content: bytes, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = own_lesson(tmp_path)
    (tmp_path / RECORD).write_bytes(content)
    for further in ([], ["--mark-read"]):
        assert main(["lesson", str(file), "--check", *further]) == 2
        heard = capsys.readouterr().err
        assert str(tmp_path / RECORD) in heard
        assert said in heard
        assert "\x1b" not in heard
        assert (tmp_path / RECORD).read_bytes() == content


def test_a_record_that_is_a_folder_or_a_link(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = own_lesson(tmp_path)
    (tmp_path / RECORD).mkdir()
    assert main(["lesson", str(file), "--check", "--mark-read"]) == 2
    assert "this is no file" in capsys.readouterr().err
    (tmp_path / RECORD).rmdir()
    (tmp_path / "kept").mkdir()
    (tmp_path / RECORD).symlink_to(tmp_path / "kept" / "record.json")
    assert main(["lesson", str(file), "--check", "--mark-read"]) == 0
    assert (tmp_path / RECORD).is_symlink()
    assert "own.md" in read_record(tmp_path)
    (tmp_path / RECORD).unlink()
    (tmp_path / RECORD).symlink_to(tmp_path / "nowhere" / "record.json")
    assert main(["lesson", str(file), "--check", "--mark-read"]) == 2
    assert "cannot be written" in capsys.readouterr().err


def test_a_record_is_read_as_it_was_written_with_names_of_all_kinds() -> None:
    readings = {
        name: Reading("2026-11-30", ("0" * 12,), {"a b.run": "1" * 12}) for name in ("ñ.md", "a\udce9.md", "b.md")
    }
    text = record_of(readings)
    assert json.loads(text)["lessons"].keys() == readings.keys()
    assert record_of(dict(reversed(readings.items()))) == text


def test_marks_of_several_threads_are_all_kept(tmp_path: Path) -> None:
    files = [tmp_path / f"{number}.md" for number in range(8)]
    for file in files:
        file.write_text(f"---\ntitle: {file.stem}\nrankings: 1 0 1\n---\n")
    with ThreadPoolExecutor(8) as threads:
        done = [threads.submit(mark_as_read, course_of(read_lesson(file))) for file in files]
    assert [each.result() for each in done] == [[]] * 8
    assert sorted(read_record(tmp_path)) == [file.name for file in files]


def test_a_lesson_that_changes_while_it_is_checked_is_not_marked(tmp_path: Path) -> None:
    file = own_lesson(tmp_path)
    course = course_of(read_lesson(file))
    file.write_text(OWN.replace("top", "end"), encoding="utf-8")
    with pytest.raises(ParseError, match="has changed while it was checked"):
        mark_as_read(course)
    assert not (tmp_path / RECORD).exists()


def test_the_record_is_no_lesson_no_data_and_changes_nothing_that_is_written(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("---\ntitle: A\nrankings: 1 0 1\n---\n")
    written = {}
    for name in ("before.html", "after.html"):
        assert main(["lesson", str(tmp_path), "--web", str(tmp_path.parent / name)]) == 0
        written[name] = (tmp_path.parent / name).read_text(encoding="utf-8"), stamps_of(str(tmp_path))
        if name == "before.html":
            mark_as_read(read_course(tmp_path))
    assert written["before.html"] == written["after.html"]
    assert is_lesson_path(tmp_path)
    assert [Path(entry.path).name for entry in read_course(tmp_path).entries] == ["a.md"]
    assert data_files_in(tmp_path) == []


@pytest.mark.parametrize("language", ["en", "es"])
def test_the_lessons_that_come_with_the_program_are_marked_as_read(language: str) -> None:
    """CONTRIBUTING.md says how they are marked again."""
    course = read_course(resource("lessons") / language)
    readings = readings_of(course)
    assert [*changes_since(course, readings)] == []
    assert {Path(path).name for path in readings} == {Path(entry.path).name for entry in course.entries} | {"course.md"}
