"""The site in a real browser, from files: no line is cut, and the search finds pages without a server."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

webdriver = pytest.importorskip("selenium.webdriver")
pytest.importorskip("sphinx", reason="the site needs irviewer[docs]")
pytest.importorskip("pydata_sphinx_theme", reason="the site needs irviewer[docs]")

pytestmark = pytest.mark.browser
ROOT = Path(__file__).parents[2]
CUT = """
const cut = [];
if (document.documentElement.scrollWidth > document.documentElement.clientWidth) cut.push("the page");
const article = document.querySelector("article.bd-article");
for (const part of article ? article.querySelectorAll("*") : [])
  if (["auto", "scroll"].includes(getComputedStyle(part).overflowX) && part.scrollWidth > part.clientWidth + 1)
    cut.push(part.textContent.trim().slice(0, 60));
return cut;
"""
"""What of a page is wider than its place: the page, and parts that scroll sideways."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built site."""
    folder = tmp_path_factory.mktemp("site") / "site"
    subprocess.run([sys.executable, str(ROOT / "packaging" / "site.py"), "--output", str(folder)], check=True)
    return folder


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A browser without a window."""
    program, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if program is None or driver is None:
        pytest.skip("needs chromium and its driver")
    options = webdriver.ChromeOptions()
    options.binary_location = program
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    opened = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))
    try:
        yield opened
    finally:
        opened.quit()


def _cut(browser: Any, site: Path, width: int) -> dict[str, list[str]]:
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    parts_of = {}
    for file in sorted(site.rglob("*.html")):
        browser.get(file.as_uri())
        parts_of[file.relative_to(site).as_posix()] = browser.execute_script(CUT)
    assert len(parts_of) > 50
    return {name: parts for name, parts in parts_of.items() if parts}


@pytest.mark.parametrize("width", [1300])
def test_no_line_is_cut_on_a_screen(browser: Any, site: Path, width: int) -> None:
    assert _cut(browser, site, width) == {}


def test_no_page_is_wider_than_a_telephone(browser: Any, site: Path) -> None:
    """Tables and outputs scroll by themselves there."""
    assert [name for name, parts in _cut(browser, site, 360).items() if "the page" in parts] == []


@pytest.mark.parametrize(
    ("words", "page"), [("bootstrap", "changed_p.html"), ("ranx", "neighbours/ranx.html"), ("nuggets", "answers.html")]
)
def test_the_search_works_without_a_server(browser: Any, site: Path, words: str, page: str) -> None:
    browser.get(f"{(site / 'search.html').as_uri()}?q={words}")
    for _ in range(2000):
        done = browser.execute_script("return document.querySelector('.search-summary')?.textContent || ''")
        if done.startswith("Search finished"):
            break
    links = browser.execute_script("return [...document.querySelectorAll('ul.search a')].map(a => a.href)")
    assert any(link.split("?")[0].split("#")[0].endswith(page) for link in links), links
