"""``irviewer lesson``: checks lessons, prints sheets, and leaves opening to the window."""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

import pytest

from irviewer.__main__ import is_text
from irviewer.cli.commands import BY_NAME
from irviewer.cli.main import main

GOOD = "---\ntitle: Good\nrankings: 1 0 1\n---\n## Question: Q\nanswer: 7\n"


def test_a_course_is_checked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.md").write_text(GOOD)
    assert main(["lesson", str(tmp_path), "--check"]) == 0
    assert capsys.readouterr().out.splitlines()[0] == "1 lesson without faults"
    (tmp_path / "b.md").write_text(GOOD.replace("answer", "anser"))
    assert main(["lesson", str(tmp_path), "--check"]) == 2
    said = capsys.readouterr()
    assert f"{tmp_path / 'b.md'}:6:1: anser is not known here; did you mean answer?" in said.err
    assert main(["lesson", "nobody", "--check"]) == 2
    assert "there is no lesson 'nobody'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("--qti-version 3.0", "--qti-version needs --qti FILE"),
        ("--check --format json", "--format needs --grade FILE"),
        ("--web w.html --spreadsheet", "--spreadsheet needs --grade FILE"),
        ("--print p.html -o x", "-o needs --grade FILE, --variants FILE"),
        ("--check -o x", "-o needs --grade FILE, --variants FILE"),
        ("--grade a.json --print p.html", "--grade does nothing else; leave out --print"),
        ("--grade a.json --check", "--grade does nothing else; leave out --check"),
        ("--variants s.txt -o x --web w.html", "--variants does nothing else; leave out --web"),
    ],
)
def test_an_option_that_would_be_passed_over_is_refused(
    options: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """They were ignored: --qti-version without --qti checked the lesson."""
    monkeypatch.chdir(tmp_path)
    Path("a.md").write_text(GOOD)
    assert main(["lesson", "a.md", *options.split()]) == 2
    assert capsys.readouterr().err.splitlines() == [f"irviewer: {said}"]
    assert [path.name for path in tmp_path.iterdir()] == ["a.md"]


def test_sheets_are_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.md").write_text(GOOD)
    sheet = tmp_path / "sheet.html"
    assert main(["lesson", str(tmp_path / "a.md"), "--print", str(sheet)]) == 0
    assert "<b>7</b>" not in sheet.read_text(encoding="utf-8")
    assert main(["lesson", str(tmp_path / "a.md"), "--print", str(sheet), "--answers"]) == 0
    assert "<b>7</b>" in sheet.read_text(encoding="utf-8")
    assert main(["lesson", "b2", "--print", "-"]) == 0
    assert capsys.readouterr().out.startswith("<!DOCTYPE html>")


def test_a_web_page_is_written_of_a_lesson_a_folder_and_the_course(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in "ab":
        (tmp_path / f"{name}.md").write_text(GOOD)
    page = tmp_path / "page.html"
    for given, lessons in (("b2", 1), (str(tmp_path / "a.md"), 1), (str(tmp_path), 2), ("bundled", 42)):
        assert main(["lesson", given, "--web", str(page)]) == 0
        assert page.read_text(encoding="utf-8").count('"rules":') == lessons
    assert capsys.readouterr().out == ""
    (tmp_path / "b.md").write_text(GOOD.replace("answer", "anser"))
    assert main(["lesson", str(tmp_path), "--web", str(page)]) == 2  # the good one is written all the same
    assert "anser is not known" in capsys.readouterr().err
    assert page.read_text(encoding="utf-8").count('"rules":') == 1


def test_a_sheet_is_written_in_another_language(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert not is_text(["lesson", "b2"])
    assert is_text(["lesson", "b2", "--grade", "a.json"])
    for arguments, tag in ((["--language", "es_MX"], "es-MX"), (["--lang=es"], "es")):
        done = subprocess.run(
            [sys.executable, "-m", "irviewer", "lesson", "b2", "--print", "-", *arguments],
            capture_output=True, encoding="utf-8", check=True,
        )  # fmt: skip
        assert f'<html lang="{tag}">' in done.stdout
        assert "suma AP" in done.stdout  # a constant
        assert "Precisión media" in done.stdout
    assert main(["lesson", "b2", "--print", "-", "--language", "xx"]) == 2
    assert "there is no language 'xx'; known are en, es" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("run", "said"),
    [("9 Q0 x 1 2 a\n", "The runs of the lesson Files do not belong to its qrels."), ("garbage", "a.run, line 1: ")],
)
def test_files_that_cannot_be_opened_are_a_fault(
    run: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.md").write_text("---\ntitle: Files\nqrels: a.qrels\nruns: a.run\n---\n")
    (tmp_path / "b.md").write_text(GOOD)
    (tmp_path / "a.qrels").write_text("1 0 d1 1\n")
    (tmp_path / "a.run").write_text(run)
    assert main(["lesson", str(tmp_path / "a.md"), "--check"]) == 2
    assert said in capsys.readouterr().err
    sheet = tmp_path / "sheet.html"
    assert main(["lesson", str(tmp_path / "a.md"), "--print", str(sheet)]) == 2
    assert not sheet.exists()
    assert main(["lesson", str(tmp_path), "--print", str(sheet)]) == 2
    assert said in capsys.readouterr().err
    assert "<h1>Good</h1>" in sheet.read_text(encoding="utf-8")
    (tmp_path / "a.run").write_text("1 Q0 d1 1 2 a\n")
    assert main(["lesson", str(tmp_path / "a.md"), "--check"]) == 0


def test_answers_are_printed_only(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lesson", "b2", "--check", "--answers"]) == 2
    assert "--answers needs --print FILE" in capsys.readouterr().err


def test_without_an_option_the_window_opens_it() -> None:
    assert not is_text(["lesson", "b2"])
    assert not is_text(["lesson", "b2", "--theme", "dark"])
    for option in ("--print", "--print=x.html", "--check", "--help"):
        assert is_text(["lesson", "b2", option])
    assert is_text(["lesson"])


def test_every_option_asks_for_text_and_not_for_the_window() -> None:
    parser = argparse.ArgumentParser()
    BY_NAME["lesson"].add(parser)
    options = [option for action in parser._actions for option in action.option_strings]
    assert {"--qti", "--variants", "-o"} <= set(options)
    assert [option for option in options if not is_text(["lesson", "b2", option])] == []


def test_a_qti_package_is_written_to_a_file_or_to_standard_output(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.md").write_text(GOOD)
    assert main(["lesson", "a.md", "--qti", "q.zip"]) == 0
    assert main(["lesson", "a.md", "--qti", "-"]) == 0
    sys.stdout.flush()
    assert capfdbinary.readouterr().out == (tmp_path / "q.zip").read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.md", "q.zip"]
