"""The site of ``docs`` builds without warnings, holds together, and says nothing that does not run."""

from __future__ import annotations

import argparse
import html
import os
import re
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
import yaml

pytest.importorskip("sphinx", reason="the site needs irviewer[docs]")
pytest.importorskip("myst_parser", reason="the site needs irviewer[docs]")
pytest.importorskip("pydata_sphinx_theme", reason="the site needs irviewer[docs]")

pytestmark = pytest.mark.packaging
ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
SAMPLE = ROOT / "resources" / "samples" / "fables"
RUN = [page.relative_to(DOCS).as_posix() for page in sorted(DOCS.rglob("*.md")) if page.name != "many_machines.md"]
"""Pages whose commands are run here; tests/test_readme.py runs Python, and commands shown with their output.
tests/engines/test_page.py runs those of the page that is left out."""
SOURCE = "https://github.com/irviewer/irviewer/blob/main/"
"""Where links to files that are no pages lead."""
OF_THE_THEME = {"genindex.html", "search.html"}
"""Pages of Sphinx and the theme, whose headings are their own."""


class Page(HTMLParser):
    """What a page refers to: ids, links, images with their alternative texts, levels of the headings of its article."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.images: list[tuple[str, str]] = []
        self.formulas: list[str] = []
        self.levels: list[int] = []
        self._articles = 0
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        if "id" in values:
            self.ids.add(values["id"])
        if tag == "a" and "href" in values:
            self.links.append(values["href"])
        if tag == "img":
            self.images.append((values["src"], values.get("alt", "")))
        if "formula" in values.get("class", "").split():
            self.formulas.append(values.get("alt", ""))
        if tag in ("script", "img", "iframe", "source") and values.get("src"):
            self.loaded.append(values["src"])
        if tag == "link" and values.get("rel") in ("stylesheet", "preload", "icon", "preconnect"):
            self.loaded.append(values["href"])
        self._articles += tag == "article"
        if self._articles and re.fullmatch("h[1-6]", tag):
            self.levels.append(int(tag[1]))

    def handle_endtag(self, tag: str) -> None:
        self._articles -= tag == "article"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built site; a warning fails."""
    folder = tmp_path_factory.mktemp("site") / "site"
    command = [sys.executable, str(ROOT / "packaging" / "site.py"), "--output", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return folder


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[str, Page]:
    """Page of the site, by its path -> what it refers to."""
    return {file.relative_to(site).as_posix(): Page(file.read_text("utf-8")) for file in site.rglob("*.html")}


def test_it_has_every_page(pages: dict[str, Page]) -> None:
    assert set(pages) >= {file.relative_to(DOCS).with_suffix(".html").as_posix() for file in DOCS.rglob("*.md")}


def test_links_inside_lead_somewhere(site: Path, pages: dict[str, Page]) -> None:
    broken = []
    for name, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (site / name).parent / unquote(parts.path) if parts.path else site / name
            target = target.resolve()
            other = pages.get(target.relative_to(site.resolve()).as_posix())
            if not target.is_file() or (parts.fragment and other and unquote(parts.fragment) not in other.ids):
                broken.append(f"{name}: {link}")
    assert broken == []


def test_links_to_the_source_name_files_that_are_no_pages(pages: dict[str, Page]) -> None:
    """A link to a page must stay in the site, which is read without a network."""
    named = {
        (name, urlsplit(link).path.removeprefix(urlsplit(SOURCE).path))
        for name, page in pages.items()
        for link in page.links
        if link.startswith(SOURCE)
    }
    assert named
    assert [row for row in sorted(named) if not (ROOT / row[1]).exists() or row[1].startswith("docs/")] == []


def test_every_option_has_an_anchor(pages: dict[str, Page]) -> None:
    """That of the command and its longest name, so that others can link to it."""
    from irviewer.cli.commands import COMMANDS

    def options(name: str, parser: argparse.ArgumentParser) -> Iterator[str]:
        for action in parser._actions:
            if isinstance(action, argparse._SubParsersAction):
                for sub, below in action.choices.items():
                    yield from options(f"{name}-{sub}", below)
            elif action.help != argparse.SUPPRESS:
                longest = max(action.option_strings, key=len, default="--help")
                if longest not in ("-h", "--help"):
                    yield f"{name}-{longest.strip('-')}".lower()

    ids = pages["reference/commands.html"].ids
    wanted = [anchor for command in COMMANDS for anchor in options(command.name, command.parser())]
    assert len(wanted) > 300
    assert [anchor for anchor in wanted if anchor not in ids] == []
    assert {"compare-alpha", "gate-non-inferior", "view-sample"} <= ids


def test_static_files_are_those_that_pages_load(site: Path) -> None:
    """Each is named by a page, a style sheet or a script of the site; fonts by the theme's own sheet."""
    files = [file for file in (site / "_static").rglob("*") if file.is_file()]
    texts = {file: file.read_text("utf-8") for file in site.rglob("*") if file.suffix in (".html", ".css", ".js")}
    left = [
        file.relative_to(site).as_posix()
        for file in files
        if not file.name.endswith(".LICENSE.txt")
        and not any(file.name in text for other, text in texts.items() if other != file)
    ]
    assert left == []
    assert not (site / "_sources").exists()


def test_images_exist_and_have_alternative_texts(site: Path, pages: dict[str, Page]) -> None:
    images = [(name, source, text) for name, page in pages.items() for source, text in page.images]
    assert len(images) > 10
    faults = [
        (name, source)
        for name, source, text in images
        if not text.strip() or not ((site / name).parent / unquote(source)).is_file()
    ]
    assert faults == []


def test_formulas_are_drawn_and_have_their_source_as_text(pages: dict[str, Page]) -> None:
    from irviewer.measures.registry import families

    formulas = [formula for page in pages.values() for formula in page.formulas]
    assert len(formulas) > len(families()) / 2
    assert all(formulas)


def test_nothing_is_loaded_from_a_network(site: Path, pages: dict[str, Page]) -> None:
    assert [(name, url) for name, page in pages.items() for url in page.loaded if urlsplit(url).netloc] == []
    remote = re.compile(r"url\(['\"]?(https?:)?//")
    sheets = [file.name for file in site.rglob("*.css") if remote.search(file.read_text("utf-8"))]
    assert sheets == []


def test_headings_are_in_order(pages: dict[str, Page]) -> None:
    for name, page in pages.items():
        if name in OF_THE_THEME:
            continue
        assert page.levels.count(1) == 1 and page.levels[0] == 1, (name, page.levels[:3])
        assert all(below <= above + 1 for above, below in zip(page.levels, page.levels[1:], strict=False)), name


def test_the_reference_has_every_entry(site: Path) -> None:
    import irviewer
    from irviewer.cli.commands import COMMANDS as TEXT_COMMANDS
    from irviewer.commands import COMMANDS
    from irviewer.formats.registry import formats
    from irviewer.measures.registry import families

    def text_of(name: str) -> str:
        return html.unescape(re.sub(r"<[^>]+>", "", (site / "reference" / f"{name}.html").read_text("utf-8")))

    keys, python, commands = map(text_of, ("keys", "python", "commands"))
    cards = "".join(text_of(f"measures/{page.stem}") for page in (DOCS / "reference" / "measures").glob("*.md"))
    assert [family.name for family in families().values() if cards.count(f"({family.name})#") != 1] == []
    assert [form.name for form in formats() if form.name not in text_of("formats")] == []
    assert [row.id for row in COMMANDS if row.help not in keys] == []
    assert [name for name in irviewer.__all__ if f"irviewer.{name}" not in python] == []
    assert [row.name for row in TEXT_COMMANDS if f"usage: irviewer {row.name}" not in commands] == []


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the sample, in which a page's commands are run."""
    copy = tmp_path / "sample"
    shutil.copytree(SAMPLE, copy)
    return copy


def _environment(folder: Path) -> dict[str, str]:
    """The environment, with a program ``irviewer`` that saves a picture where the window would wait for its user."""
    programs = folder.parent / "programs"
    programs.mkdir()
    program = programs / "irviewer"
    program.write_text(
        f"#!{sys.executable}\n"
        "import sys\n"
        "from irviewer.__main__ import is_text, main\n"
        "words = sys.argv[1:]\n"
        "sys.exit(main(words if is_text(words) else [*words, '--screenshot', 'window.png']))\n"
    )
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    own = {"PATH": f"{programs}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}
    return {**os.environ, **own, "QT_QPA_PLATFORM": "offscreen"}


def _blocks(page: str, language: str) -> list[str]:
    pattern = rf"^( *)```{language}\n(.*?)^ *```$"
    return [block for _, block in re.findall(pattern, (DOCS / page).read_text("utf-8"), re.M | re.S)]


@pytest.mark.parametrize("page", [page for page in RUN if _blocks(page, "sh")])
def test_commands_run(page: str, folder: Path) -> None:
    environment = _environment(folder)
    for block in _blocks(page, "sh"):
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", block], cwd=folder, env=environment, capture_output=True, text=True,
            check=False,
        )  # fmt: skip
        assert done.returncode == 0, f"{page}\n{block}\n{done.stdout[-2000:]}\n{done.stderr}"


@pytest.mark.parametrize("page", [page for page in RUN if _blocks(page, "yaml")])
def test_workflows_run(page: str, folder: Path) -> None:
    """The commands of their steps, one after the other; all succeed."""
    environment = _environment(folder)
    for block in _blocks(page, "yaml"):
        commands = [step["run"] for step in yaml.safe_load(block)["steps"] if "run" in step]
        assert len(commands) > 1
        for command in commands:
            done = subprocess.run(
                ["bash", "-e", "-c", command], cwd=folder, env=environment, capture_output=True, text=True, check=False
            )
            assert done.returncode == 0, done.stderr
