"""Every sample of a format says where its shape is told, and under which licence it is here."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

DATA = Path(__file__).parents[1] / "data"


def sources_of(readme: str) -> dict[str, str]:
    """The patterns of files of a table's first column, each with the last column."""
    rows = re.findall(r"^\| (.*?) \| (?:.*) \| (.*?) \|$", readme, re.M)
    return {pattern: source for files, source in rows[1:] for pattern in re.findall(r"`([^`]+)`", files)}


@pytest.mark.parametrize("folder", ["formats", "mapped"])
def test_every_sample_has_a_source(folder: str) -> None:
    readme = (DATA / folder / "README.md").read_text("utf-8")
    assert "(MIT, as the project)" in readme
    sources = sources_of(readme)
    files = sorted(path.name for path in (DATA / folder).iterdir() if path.name != "README.md")
    lacking = [name for name in files if not any(fnmatchcase(name, pattern) for pattern in sources)]
    assert not lacking, f"say in {folder}/README.md where the shape of these is told"
    assert [pattern for pattern in sources if not any(fnmatchcase(name, pattern) for name in files)] == []
    assert all(len(source) > 10 for source in sources.values())


def test_every_file_of_a_program_names_it() -> None:
    readme = (DATA / "arrow" / "README.md").read_text("utf-8")
    assert "(MIT, as the project)" in readme
    for path in (DATA / "arrow").iterdir():
        if path.name != "README.md":
            assert re.search(rf"{path.name.partition('_')[0]} \d+\.\d+", readme, re.IGNORECASE), path.name
