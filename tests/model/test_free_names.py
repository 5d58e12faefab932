"""A run whose name is taken is told apart by its folder, else by a number."""

from __future__ import annotations

from pathlib import Path

import pytest

from irviewer.model.run_names import free_name, free_run_name


@pytest.mark.parametrize(
    ("origin", "taken", "name"),
    [
        ("new/a.run", {}, "a"),
        ("new/a.run", {"b": "old/b.run"}, "a"),
        ("new/a.run", {"a": "old/a.run"}, "new/a"),
        ("/x/new/a.run", {"a": "old/a.run"}, "new/a"),
        ("new/deep/a.run", {"a": "old/deep/a.run"}, "new/deep/a"),
        ("third/a.run", {"a": "old/a.run", "new/a": "new/a.run"}, "third/a"),
        ("other/new/a.run", {"a": "old/a.run", "new/a": "new/a.run"}, "other/new/a"),
        ("old/a.run", {"a": "old/a.run"}, "a (2)"),
        ("old/a.run", {"a": "old/a.run", "a (2)": "old/a.run"}, "a (3)"),
        ("new/a.run", {"a": ""}, "a (2)"),
        ("", {"a": "old/a.run"}, "a (2)"),
        ("-", {"a": "old/a.run"}, "a (2)"),
        ("new/a.run", {"a": "old/a.run", "new/a": ""}, "a (2)"),
    ],
)
def test_the_name_of_a_further_run(origin: str, taken: dict[str, str], name: str) -> None:
    assert free_run_name("a", origin, taken) == name


def test_a_run_in_the_working_folder_and_one_above(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The shorter path is the end of the longer one: a folder further up tells them apart."""
    monkeypatch.chdir(tmp_path)
    name = free_run_name("a", f"{tmp_path}/deep/a.run", {"a": "a.run"})
    assert name == "deep/a"
    assert free_run_name("a", "a.run", {"a": f"{tmp_path}/deep/a.run"}) == f"{tmp_path.name}/a"


def test_names_that_are_seen_alike_get_numbers() -> None:
    """Spaces at the ends, how many stand between words and of which kind, and composed accents are not seen; hidden
    characters are seen as their escapes."""
    for name in ("judge ", " judge", "judge\u00a0", "judge\u3000"):
        assert free_run_name(name, "", {"judge": ""}) == free_name(name, ["judge"]) == "judge (2)"
        assert free_name("judge", [name]) == "judge (2)"
    assert free_name("judge ", ["judge", "judge (2)"]) == "judge (3)"
    assert free_name("a  b", ["a b"]) == "a  b (2)"
    assert free_name("caf\u00e9", ["cafe\u0301"]) == "caf\u00e9 (2)"
    for name in ("jud\u200bge", "Judge", "judge\u202e", "judg", "j udge"):
        assert free_run_name(name, "", {"judge": ""}) == free_name(name, ["judge"]) == name
