"""Chosen shortcuts: a key belongs to one command, and is refused with the reason where it cannot be had."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from irviewer import commands
from irviewer.commands import COMMANDS, IN_VIEWS
from irviewer.commands.keymap import Keymap, ShortcutError
from irviewer.session.session import Session
from irviewer.session.shortcuts import KEY_NAMES, SHORTCUTS, choose_shortcuts, keys, spelled, suited
from irviewer.translation import tr

IN = frozenset(key for _, inside in IN_VIEWS for key in inside)


@pytest.fixture
def keymap() -> Keymap:
    return Keymap(COMMANDS, IN)


@pytest.fixture(autouse=True)
def own_shortcuts() -> Iterator[None]:
    """The shortcuts of the commands themselves before and after a test."""
    yield
    choose_shortcuts({})


def test_a_free_key(keymap: Keymap) -> None:
    changed = keymap.with_key("explain", "F7")
    assert changed.keys_of("explain") == ("F7",)
    assert changed.chosen == {"explain": ("F7",)}
    assert keymap.keys_of("explain") == ("E",)
    assert changed.owner_of("E") is None


def test_a_key_is_taken_from_its_command(keymap: Keymap) -> None:
    owner = keymap.owner_of("W")
    assert owner is not None
    changed = keymap.with_key("explain", "W")
    assert changed.owner_of("W").id == "explain"  # type: ignore[union-attr]
    assert changed.keys_of(owner.id) == ()
    back = changed.with_default(owner.id)
    assert back.keys_of(owner.id) == ("W",)
    assert back.keys_of("explain") == ()
    assert changed.with_defaults().chosen == {}


def test_one_of_two_keys_is_taken(keymap: Keymap) -> None:
    assert keymap.with_key("explain", "Ctrl+Shift+P").keys_of("find_action") == ("Ctrl+K",)


@pytest.mark.parametrize(
    ("key", "reason"),
    [("Up", "moves in lists"), ("Ctrl+C", "always belongs to “Copy”"), ("Ctrl+O", "“Open…” has no other key")],
)
def test_a_key_that_cannot_be_had(keymap: Keymap, key: str, reason: str) -> None:
    assert reason in keymap.trouble_of("explain", key)
    with pytest.raises(ShortcutError, match=reason):
        keymap.with_key("explain", key)


def test_a_command_that_messages_name_keeps_a_key(keymap: Keymap) -> None:
    with pytest.raises(ShortcutError, match="needs a key"):
        keymap.without_key("reload")
    assert keymap.without_key("explain").keys_of("explain") == ()
    choose_shortcuts({"reload": ()})
    assert keys("reload") == "F5"


def test_every_table_of_keys_has_each_key_once(keymap: Keymap) -> None:
    changed = keymap
    for name, key in (("explain", "Ctrl+K"), ("strips", "E"), ("find_action", "V"), ("next_query", "Ctrl+Shift+P")):
        changed = changed.with_key(name, key)
        held = [key for command in COMMANDS for key in changed.keys_of(command.id)]
        assert len(held) == len(set(held))


def test_chosen_keys_are_named_everywhere() -> None:
    choose_shortcuts({"next_query": ["Ctrl+J"], "choose_baseline": [], "judging_mode": ["F7"]})
    assert commands.keys("next_query") == keys("next_query") == "Ctrl+J"
    assert commands.keys("choose_baseline") == ""
    assert commands.all_keys("choose_baseline") == ()
    assert commands.find(Session(), "next_query").keys == ("Ctrl+J",)
    assert tr("Judging mode") == commands.find(Session(), "judging_mode").title


@pytest.mark.parametrize("system", ["darwin", "win32"])
def test_shortcuts_do_not_fight_the_system(system: str) -> None:
    """Those of macOS: Apple's list of shortcuts that programs leave alone, with Qt's Ctrl for the command key."""
    of_system = {
        "darwin": {
            "Ctrl+H", "Ctrl+M", "Ctrl+Tab", "Ctrl+Shift+Tab", "Ctrl+Space", "Ctrl+`", "Ctrl+Alt+H", "Ctrl+Alt+M",
            "Ctrl+Alt+D", "Ctrl+Alt+Esc", "Ctrl+Shift+3", "Ctrl+Shift+4", "Ctrl+Shift+5", "Ctrl+Shift+Q",
            "Ctrl+Alt+Space", "F11", "F12",
        },
        "win32": {"Alt+F4", "Alt+Tab", "Alt+Esc", "Alt+Space", "Ctrl+Esc", "Ctrl+Shift+Esc", "Ctrl+Alt+Del"},
    }[system]  # fmt: skip
    used = [key for command in COMMANDS for key in suited(command.shortcuts, system)]
    assert set(used) & of_system == set()
    assert len(used) == len(set(used))
    if system == "win32":  # Ctrl+Alt is AltGr, with which letters are typed
        assert [key for key in used if "Ctrl+Alt+" in key] == []
    assert all(suited(keys, system) == keys for keys in SHORTCUTS.values())


def test_on_this_system_shortcuts_are_as_written() -> None:
    assert suited(("Ctrl+H",), "linux") == ("Ctrl+H",)


def test_every_key_with_a_word_has_its_name() -> None:
    """A key without one would have Qt's English name in texts of another language."""
    sequences = [key for command in COMMANDS for key in command.shortcuts] + sorted(IN)
    words = {part for sequence in sequences for part in sequence.split("+") if len(part) > 1}
    assert {word for word in words if not word[1:].isdigit()} <= KEY_NAMES.keys()


def test_messages_name_keys_as_menus_do(keymap: Keymap, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(KEY_NAMES, "Shift", "Mayús")
    monkeypatch.setitem(KEY_NAMES, "PgDown", "Av Pág")
    assert spelled("Alt+Shift+PgDown") == "Alt+Mayús+Av Pág"
    assert [spelled(key) for key in ("Ctrl++", "+", "J", "")] == ["Ctrl++", "+", "J", ""]
    choose_shortcuts({"next_query": ("Shift+PgDown",)})
    assert keys("next_query") == "Mayús+Av Pág"
    taken = keymap.with_key("open_files", "Shift+PgDown")
    assert "Mayús+Av Pág" in taken.trouble_of("explain", "Shift+PgDown")
