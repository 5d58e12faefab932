"""What README and the documents show is what happens: outputs of commands and of Python, pictures, commands to copy."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from irviewer.__main__ import main
from irviewer.formats.lessons.course_folder import read_course
from irviewer.formats.lessons.lesson_file import parse_lesson
from irviewer.formats.protocol_file import parse_protocol
from irviewer.model.protocol import Looks, QuerySelection

ROOT = Path(__file__).resolve().parent.parent
SAMPLE = ROOT / "resources" / "samples" / "fables"
DOCUMENTS = {
    page.relative_to(ROOT).as_posix(): page.read_text("utf-8")
    for page in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md")))
}
"""README and the pages of the site, by path. CONTRIBUTING.md is one of its pages."""
PLUGINS, CONTRIBUTING, LESSONS = "docs/plugins.md", "CONTRIBUTING.md", "docs/lessons.md"
ENGINES = "docs/many_machines.md"
COMMANDS = "docs/reference/command_line.md"
DEPENDENCE = "docs/dependence.md"
PLAN = "docs/howto/plan.md"
ELSEWHERE = {
    (PLUGINS, "toml"), (PLUGINS, "python"), (PLUGINS, "console"), (PLUGINS, "text"),  # tests/test_plugin_guide.py
    (CONTRIBUTING, "python"), (CONTRIBUTING, "diff"),  # tests/test_howtos.py
    (LESSONS, "text"),  # read below
    (COMMANDS, "toml"), (DEPENDENCE, "toml"), (PLAN, "toml"),  # read below
    (ENGINES, "python"), (ENGINES, "sh"),  # tests/engines/test_page.py
}  # fmt: skip
"""Documents and languages of blocks that other tests run."""
DRAWINGS = {"docs/architecture.md": 3, "docs/howto/teach.md": 1}
"""Documents -> how many of their blocks of text are no output: drawings, and a ranking to type."""
SET_UP = (
    "git clone https://github.com/irviewer/irviewer && cd irviewer",
    ". .venv/bin/activate",
    "sudo apt-get install ./irviewer_VERSION_amd64.deb",
    "pip install --no-compile dist/irviewer_core-*.whl",
)
"""Further lines that set up a checkout, or what is made of one; tests/packaging follows the last two."""
RUN = ("console", "python", "sh", "text", "bash", "yaml")
"""Languages of blocks that are run."""
NEXT = "=== the next block ==="


def _blocks(document: str, language: str) -> list[str]:
    """The blocks of a language; those inside a list without its indentation."""
    blocks = re.findall(rf"^( *)```{language}\n(.*?)^ *```$", DOCUMENTS[document], re.M | re.S)
    return [re.sub(rf"^{indent}", "", block, flags=re.M) for indent, block in blocks]


def _run(*words: str, folder: Path = ROOT) -> str:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run(
        [sys.executable, *words], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


CONSOLE = [
    pytest.param(block, id=f"{document} {' '.join(block.split()[1:3])}")
    for document in DOCUMENTS
    if (document, "console") not in ELSEWHERE
    for block in _blocks(document, "console")
]
PYTHON = [document for document in DOCUMENTS if (document, "python") not in ELSEWHERE and _blocks(document, "python")]


@pytest.mark.parametrize("block", CONSOLE)
def test_commands_print_what_is_shown(
    block: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """README's as processes of their own, the others in this one."""
    command, _, expected = block.partition("\n")
    dollar, program, *words = shlex.split(command)
    assert (dollar, program) == ("$", "irviewer")
    if block in _blocks("README.md", "console"):
        assert _run("-m", "irviewer", *words) == expected
        return
    monkeypatch.chdir(ROOT)
    assert main(words) == 0
    assert capsys.readouterr() == (expected, "")


@pytest.mark.parametrize("document", PYTHON)
def test_python_prints_what_is_shown(document: str, tmp_path: Path) -> None:
    """The blocks of a document one after the other, README's in the checkout, others in a copy of the sample."""
    folder = ROOT
    if document != "README.md":
        folder = tmp_path / "sample"
        shutil.copytree(SAMPLE, folder)
    shown = re.findall(
        r"^```python\n(.*?)^```$(?:\n\nprints\n\n^```text\n(.*?)^```$)?", DOCUMENTS[document], re.M | re.S
    )
    code = f"print({NEXT!r})\n".join(block for block, _ in shown)
    printed = _run("-W", "error", "-c", code, folder=folder).split(NEXT + "\n")
    for (block, expected), output in zip(shown, printed, strict=True):
        assert output == expected or not expected, block


def test_every_block_is_run_by_a_test() -> None:
    """Those of ``sh`` and ``yaml`` by tests/packaging/test_site.py on the site, and by .ci/run in README."""
    for document, text in DOCUMENTS.items():
        languages = re.findall(r"^ *```([\w+-]+)", text, re.M)
        strange = {language for language in languages if (document, language) not in ELSEWHERE and language not in RUN}
        assert strange == set(), document
        if (document, "text") not in ELSEWHERE:
            outputs = len(re.findall(r"^prints\n\n```text$", text, re.M))
            assert languages.count("text") == outputs + DRAWINGS.get(document, 0), document


def test_commands_that_are_not_run_are_readmes() -> None:
    """Those that set up a checkout are in README, which .ci/run follows."""
    readme = "".join(_blocks("README.md", "sh"))
    for document in DOCUMENTS:
        for line in "".join(_blocks(document, "bash")).splitlines():
            assert line in SET_UP or f"{line}\n" in readme, document
    own = [line for line in _blocks("README.md", "sh") if line.startswith("irviewer ")]
    assert own == [block for block in own if block in _blocks("docs/howto/open_files.md", "sh")]


def test_the_lessons_that_are_shown_are_read(tmp_path: Path) -> None:
    lesson, varied, rankings, printed, course = _blocks(LESSONS, "text")
    for name in ("week2.qrels", "week2.run"):
        (tmp_path / name).touch()
    assert len(parse_lesson(f"---\ntitle: A\n{varied}", tmp_path / "varied.md").alternatives) == 9
    assert parse_lesson(lesson, "shown.md").title.startswith("Average precision")
    assert len(parse_lesson(f"---\ntitle: A\n{rankings}---\nText\n", "rankings.md").rankings) > 1
    read = parse_lesson(f"---\ntitle: A\n{rankings}{printed}---\nText\n", "printed.md")
    assert [figure.source for figure in read.figures] == ["Author, “heading”"] * 6
    for name in re.findall(r"[\w-]+\.md", course):
        (tmp_path / name).write_text(lesson, "utf-8")
    (tmp_path / "course.md").write_text(course, "utf-8")
    assert [entry.title for entry in read_course(tmp_path).lessons] == [parse_lesson(lesson, "a.md").title] * 2


def test_commands_for_contributors_name_files_that_exist() -> None:
    named = re.findall(r"\b(?:tests|packaging|\.ci)(?:/[\w.]+)+|\.ci/run", "".join(_blocks(CONTRIBUTING, "sh")))
    assert len(named) > 5
    assert [name for name in named if not (ROOT / name).exists()] == []


def test_pictures_are_the_ones_that_are_made() -> None:
    script = (ROOT / "packaging" / "pictures.py").read_text("utf-8")
    pictures = sorted(re.findall(r'"(\w+\.png)":', script))
    shown = {
        name
        for text in DOCUMENTS.values()
        for name in re.findall(r"!\[[^\]]*\]\([./]*packaging/pictures/([^)]+)\)", text)
    }
    assert sorted(shown) == pictures
    assert pictures == sorted(file.name for file in (ROOT / "packaging" / "pictures").glob("*.png"))
    assert set(re.findall(r"!\[[^\]]*\]\([./]*packaging/pictures/([^)]+)\)", DOCUMENTS["docs/gallery.md"])) == shown


def test_the_protocol_that_is_shown_is_read() -> None:
    (block,) = _blocks(COMMANDS, "toml")
    assert parse_protocol(block).scope.queries == QuerySelection(file="hard.txt", looked=True)
    (block,) = _blocks(DEPENDENCE, "toml")
    assert parse_protocol(block).scope.unit == "conversation"
    (block,) = _blocks(PLAN, "toml")
    assert parse_protocol(block).inference.looks == Looks((0.5, 1), "obrien-fleming", 1)
