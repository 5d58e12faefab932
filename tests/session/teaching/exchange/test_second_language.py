"""A page of lessons in two languages: both mark alike, and what is not the same lessons is refused."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from irviewer.cli.main import main

LESSON = "---\ntitle: T\nid: x\nrankings: 1 0 1 | R=4\n---\n## Question: Q\n"
WORD = f"{LESSON}answer: recall | share\n"


def content(page: Path) -> Any:
    [data] = re.findall(r'id="lessons">(.*?)</script>', page.read_text(encoding="utf-8"), re.S)
    return json.loads(data)


@pytest.fixture
def spanish(tmp_path: Path) -> Path:
    """The page of a lesson that a process in Spanish wrote."""
    (tmp_path / "es.md").write_text(LESSON.replace("Q\n", "P\n") + "answer: exhaustividad\n", encoding="utf-8")
    command = [sys.executable, "-m", "irviewer", "lesson", str(tmp_path / "es.md"), "--language", "es"]
    subprocess.run([*command, "--web", str(tmp_path / "es.html")], check=True, env=os.environ)
    return tmp_path / "es.html"


def test_a_page_has_both_and_the_first_marks(spanish: Path, tmp_path: Path) -> None:
    (tmp_path / "en.md").write_text(WORD)
    assert (
        main(["lesson", str(tmp_path / "en.md"), "--web", str(tmp_path / "both.html"), "--second", str(spanish)]) == 0
    )
    both, alone = content(tmp_path / "both.html"), content(spanish)
    other = both.pop("other")
    assert (both["language"], other["language"], other["language_name"]) == ("en", "es", "Español")
    assert other["texts"] == alone["texts"]
    asked, asked_second = both["lessons"][0]["places"][1], other["lessons"][0]["places"][1]
    assert asked_second["title"] == "P"
    assert [asked_second[key] for key in ("spellings", "version")] == [asked[key] for key in ("spellings", "version")]
    main(["lesson", str(tmp_path / "en.md"), "--web", str(tmp_path / "en.html")])
    assert both == content(tmp_path / "en.html")  # nothing else changes


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (WORD.replace("id: x", "id: y"), "this page has other lessons"),
        (WORD.replace("1 0 1", "1 1 0"), "lesson x is another one at place 1"),
        (f"{LESSON}ask: P@2\n", "lesson x is another one at place 2"),
        (f"{WORD}\n## Question: R\nanswer: 1\n", "lesson x is another one at place 3"),
        (f"{LESSON}\n- [x] a\n- [ ] b\n", "lesson x is another one at place 2"),
    ],
)
def test_other_lessons_are_refused(
    text: str, reason: str, spanish: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "en.md").write_text(text)
    assert main(["lesson", str(tmp_path / "en.md"), "--web", str(tmp_path / "b.html"), "--second", str(spanish)]) == 2
    assert reason in capsys.readouterr().err
    assert not (tmp_path / "b.html").exists()


@pytest.mark.parametrize("text", ["", "<html>", '<script type="application/json" id="lessons">[1]</script>'])
def test_what_is_no_page_is_refused(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "en.md").write_text(WORD)
    (tmp_path / "bad.html").write_text(text)
    options = ["--web", str(tmp_path / "b.html"), "--second", str(tmp_path / "bad.html")]
    assert main(["lesson", str(tmp_path / "en.md"), *options]) == 2
    assert "this is no web page of lessons" in capsys.readouterr().err
    main(["lesson", str(tmp_path / "en.md"), "--web", str(tmp_path / "en.html")])
    assert main(["lesson", str(tmp_path / "en.md"), *options[:3], str(tmp_path / "en.html")]) == 2
    assert "this page is in the same language" in capsys.readouterr().err
    assert main(["lesson", str(tmp_path / "en.md"), "--second", str(tmp_path / "en.html")]) == 2
