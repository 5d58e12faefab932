"""The page of figures: every count has a row, every row a test that exists and prints it, and a log makes the page."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parent.parent
LOG = """
values compared with other programs: 1,632,923 equal to trec_eval 10, 14 equal to ndeval
counted: 195 kills of a process with work
coverage of corrected means, simple sample: 94.7% of 3,000, asked 95%
FAILED tests/test_some.py::test_it[1] - assert False
"""


@pytest.fixture(scope="module")
def trust() -> ModuleType:
    """packaging/trust.py."""
    spec = importlib.util.spec_from_file_location("trust", ROOT / "packaging" / "trust.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["trust"] = module  # where dataclasses look for it
    spec.loader.exec_module(module)
    return module


def test_every_count_of_the_tests_has_a_row_and_every_row_names_the_test_that_counts(trust: ModuleType) -> None:
    printed: dict[str, set[str]] = {}
    for file in sorted((ROOT / "tests").rglob("test_*.py")):
        if file == Path(__file__):
            continue
        text = file.read_text("utf-8")
        if "record" in text:
            for name in re.findall(r'"(?:values|counted) ([^"{}]+)"(?:, | *\n)', text):
                printed.setdefault(name, set()).add(file.relative_to(ROOT).as_posix())
    for name, row in trust.ROWS.items():
        assert row.tests in printed[name], name
    assert all((ROOT / file).is_file() for file in trust.SIMULATIONS.values())


def test_commands_of_the_page_name_tests_that_exist() -> None:
    page = (ROOT / "docs" / "trust.md").read_text("utf-8")
    files = re.findall(r"`python -m pytest -m '' (\S+)`", page)
    assert len(files) > 20
    assert [file for file in files if not (ROOT / file).is_file()] == []


def test_a_log_makes_the_tables(trust: ModuleType) -> None:
    smaller = LOG.replace("1,632,923", "830,430").partition("FAILED")[0]
    text = trust.figures([smaller, LOG], "2026-01-02")
    first = "Counted on 2026-01-02. Tests that failed in this run, and count nothing there:"
    assert f"{first} `tests/test_some.py::test_it[1]`." in text
    assert (
        "| 1,632,923 | trec_eval 10, its printed decimals | `python -m pytest -m '' tests/golden/test_trec_eval.py` |"
        in text
    )
    assert "| 195 | processes killed" in text
    assert "| 94.7% | corrected means, simple sample: 95% intervals, 3,000 samples | `python" in text
    with pytest.raises(KeyError, match="what nobody knows"):
        trust.figures([LOG.replace("equal to ndeval", "what nobody knows")], "2026-01-02")


def test_the_page_is_what_the_script_writes(trust: ModuleType) -> None:
    page = (ROOT / "docs" / "trust.md").read_text("utf-8")
    shown = page.split(trust.BEGIN)[1].split(trust.END)[0]
    for number, meaning, command in re.findall(r"^\| ([\d,]+) \| (.*?) \| `(.*?)` \|$", shown, re.M):
        assert number != "0"
        assert (meaning, command) in {(row.meaning, row.command) for row in trust.ROWS.values()}
