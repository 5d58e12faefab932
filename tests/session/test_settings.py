"""Settings: what is saved is found again, a broken file loses nothing but itself, a crash leaves the old or the new."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from irviewer.formats.reading.cache_folder import cache_limit
from irviewer.session.session import Session
from irviewer.session.settings import MOST_RECENT, SETTINGS, SettingError, Settings, settings_path, write_atomically


def test_every_default_is_accepted_by_its_own_row() -> None:
    for setting in SETTINGS:
        assert setting.accepts(setting.default), setting.key
        assert setting.meaning
    assert len({setting.key for setting in SETTINGS}) == len(SETTINGS)


def test_saved_values_are_found_again(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "settings.json"
    settings = Settings(path)
    settings["theme"] = "dark"
    settings["last_folder"] = "/data/Zürich"
    settings.geometry = "AdnQ"
    assert settings.save()
    again = Settings(path)
    assert (again["theme"], again["last_folder"], again.geometry, again.trouble) == ("dark", "/data/Zürich", "AdnQ", "")
    assert os.listdir(path.parent) == ["settings.json"]  # no temporary file is left  # noqa: PTH208


def test_nothing_is_written_where_nothing_changed(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    settings = Settings(path)
    settings["theme"] = "system"
    assert settings.save()
    assert not path.exists()


@pytest.mark.parametrize(
    "text", ['{"theme": ' + "[" * 100_000, '{"cache_limit_gb": ' + "9" * 5000 + "}", '"x"', "\xff"]
)
def test_no_file_keeps_the_program_from_beginning(tmp_path: Path, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "settings.json"
    path.write_text(text, encoding="latin-1")
    settings = Settings(path)
    assert settings["theme"] == "system"
    assert settings.trouble.startswith("Settings could not be read from")
    monkeypatch.setenv("IRVIEWER_CONFIG_DIR", str(tmp_path))
    assert cache_limit() > 0  # which asks the same file


def test_a_broken_file_gives_defaults_and_says_so(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    for content in (b"{", b"[1]", b"\xff\xfe\x00", b""):
        path.write_bytes(content)
        settings = Settings(path)
        assert settings["theme"] == "system"
        assert str(path) in settings.trouble
    session = Session(settings)
    assert session.view.messages[0].text == settings.trouble
    session.close()
    assert path.read_bytes() == b""  # not overwritten before the person changes something


def test_a_value_that_will_not_do_loses_that_value_only(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_text(json.dumps({"theme": "pink", "lists_mode": "strips", "of_a_later_version": [1]}))
    settings = Settings(path)
    assert (settings["theme"], settings["lists_mode"]) == ("system", "strips")
    assert "theme" in settings.trouble
    settings["measure"] = "AP"
    settings.save()
    assert json.loads(path.read_text())["of_a_later_version"] == [1]


def test_unknown_keys_and_bad_values_are_refused() -> None:
    settings = Settings()
    with pytest.raises(SettingError, match="Unknown setting 'colour'"):
        settings["colour"] = "red"
    with pytest.raises(SettingError, match="theme"):
        settings["theme"] = 3
    with pytest.raises(SettingError):
        settings["nothing"]


def test_a_crash_while_writing_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "settings.json"
    path.write_text("old")

    def crash(_: int) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(os, "fsync", crash)
    with pytest.raises(OSError, match="disk full"):
        write_atomically(path, b"new")
    assert path.read_text() == "old"
    assert [file.name for file in tmp_path.iterdir()] == ["settings.json"]


def test_a_folder_that_cannot_be_written_is_reported_not_raised(tmp_path: Path) -> None:
    file = tmp_path / "a file"
    file.write_text("")
    settings = Settings(file / "settings.json")
    settings["theme"] = "dark"
    assert not settings.save()
    assert "could not be saved" in settings.trouble


def test_recent_openings_are_few_newest_first_and_each_once() -> None:
    settings = Settings()
    for number in range(MOST_RECENT + 3):
        settings.add_recent([f"/data/{number}"])
    settings.add_recent(["/data/5"])
    assert settings["recent"][0] == ["/data/5"]
    assert len(settings["recent"]) == MOST_RECENT
    assert settings["recent"].count(["/data/5"]) == 1
    settings.add_recent(["/data/9", "/data/5", "/data/7"])
    assert settings["recent"][0] == ["/data/9", "/data/5", "/data/7"]
    assert ["/data/5"] not in settings["recent"] and ["/data/9"] not in settings["recent"]
    assert ["/data/6"] in settings["recent"]


def test_a_returned_list_is_not_the_setting_itself() -> None:
    settings = Settings()
    settings["recent"].append(["x"])
    assert settings["recent"] == []


def test_the_folder_can_be_chosen_by_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IRVIEWER_CONFIG_DIR", str(tmp_path))
    assert settings_path() == tmp_path / "settings.json"
    settings = Settings.load()
    settings["theme"] = "light"
    settings.save()
    assert Settings.load()["theme"] == "light"


def test_settings_kept_to_themselves_are_never_written(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    settings = Settings(path)
    settings.add_recent(["a.run"])
    settings["theme"] = "dark"
    assert settings.save()
    before = path.read_bytes()
    settings.keep_to_itself()
    assert (settings["recent"], settings["theme"]) == ([], "dark")
    settings.add_recent(["secret.run"])
    assert settings.save()
    assert path.read_bytes() == before


def test_a_value_for_now_is_never_saved(tmp_path: Path) -> None:
    """As ``--large-type``, which is for one start."""
    path = tmp_path / "settings.json"
    settings = Settings(path)
    settings.use_for_now("large_type", True)
    settings["theme"] = "dark"
    assert settings["large_type"]
    assert settings.save()
    again = Settings(path)
    assert (again["large_type"], again["theme"]) == (False, "dark")
    again.use_for_now("large_type", True)
    again["large_type"] = False  # the user, in the window
    assert not again["large_type"]
    again["large_type"] = True
    assert again.save()
    assert Settings(path)["large_type"]
    with pytest.raises(SettingError):
        again.use_for_now("nothing", True)
