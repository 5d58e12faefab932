"""Kept columns give the run that the text gives; whatever is odd about them, the text is read."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import irviewer
from irviewer.formats import cache, cache_folder
from irviewer.formats import load as load_module
from irviewer.formats.cache import Shelf, keep, recall, shelf_of
from irviewer.formats.format import Loaded
from irviewer.formats.load import load
from irviewer.model.run import Run

TEXT = "# ir_metadata.start\n# team: x\n# ir_metadata.end\n" + "".join(
    f"q{n // 100} Q0 d{n * 7 % 911}é {n % 100 + 1} {50 - n % 100 // 3} tag {n / 3}\n" for n in range(3000)
)
CHOICES = {"kind": "run", "name": None, "duplicates": "best", "format": None, "part": None}


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A run that is large and slow enough to be kept."""
    monkeypatch.setenv(cache_folder.DIRECTORY_VARIABLE, str(tmp_path / "cache"))
    monkeypatch.delenv(cache_folder.CONFIDENTIAL_VARIABLE, raising=False)
    monkeypatch.setattr(cache, "LARGE", 1)
    monkeypatch.setattr(cache, "WORTH", 0)
    (tmp_path / "a.run").write_text(TEXT)
    return tmp_path / "a.run"


def said(loaded: Loaded | None) -> tuple[object, ...]:
    assert loaded is not None
    run = loaded.value
    assert isinstance(run, Run)
    parts = {name: values.tolist() for name, values in run.components.items()}
    arrival = None if run.arrival is None else run.arrival.tolist()
    return (run.name, run.query_ids, run.offsets.tolist(), run.doc_ids.to_pylist(), run.scores.tolist(), parts, arrival,
            run.tied.tolist(), run.tag, run.origin, run.attributes, loaded.report, loaded.kind)  # fmt: skip


def read(file: Path, cached: load_module.Cached = "keep") -> Loaded:
    return load(file, kind="run", duplicates="best", cached=cached)


def shelf(file: Path) -> Shelf:
    found = shelf_of(file, CHOICES)
    assert found is not None
    return found


def test_what_was_kept_is_what_was_read(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fresh = read(file)
    assert shelf(file).place.is_file()
    assert said(recall(shelf(file))) == said(fresh)
    monkeypatch.setattr(load_module, "open_bytes", None)
    again = read(file, "use")
    assert said(again) == said(fresh)
    run = again.value
    assert isinstance(run, Run)
    assert not any(array.flags.writeable for array in (run.scores, run.offsets, run.tied))
    assert run.reordered("ascending").ranking("q0") == fresh.value.reordered("ascending").ranking("q0")  # type: ignore[union-attr]


def test_only_who_asks_keeps_at_once_and_no_means_no(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for cached in ("use", "no"):
        read(file, cached)  # type: ignore[arg-type]
        assert not shelf(file).place.exists()
    read(file)
    monkeypatch.setattr(cache, "recall", None)
    read(file, "no")


def test_what_is_read_a_second_time_is_kept(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With its whole report, though who read it wanted none; a file that has changed in between begins anew."""
    wanted = said(read(file, "no"))
    irviewer.read_run(file, duplicates="best")
    assert [one.suffix for one in shelf(file).place.parent.iterdir()] == [cache.NOTE_SUFFIX]
    file.write_text(TEXT + "z Q0 d 1 1 tag 2\n")
    irviewer.read_run(file, duplicates="best")
    assert recall(shelf(file)) is None
    file.write_text(TEXT)
    irviewer.read_run(file, duplicates="best")
    irviewer.read_run(file, duplicates="best")
    assert said(recall(shelf(file))) == wanted
    assert [one.suffix for one in shelf(file).place.parent.iterdir()] == [cache.SUFFIX]
    monkeypatch.setattr(load_module, "open_bytes", None)
    irviewer.read_run(file, duplicates="best")


def test_a_change_of_any_sort_is_seen(file: Path) -> None:
    read(file)
    place, about = shelf(file).place, file.stat()
    os.utime(file, ns=(about.st_atime_ns, about.st_mtime_ns + 1))
    assert shelf(file).place != place
    os.utime(file, ns=(about.st_atime_ns, about.st_mtime_ns))
    assert shelf(file).place == place
    file.write_text(TEXT.replace("50 tag", "51 tag"))  # as long as before
    os.utime(file, ns=(about.st_atime_ns, about.st_mtime_ns))
    assert shelf(file).place != place
    other = shelf_of(file, {**CHOICES, "duplicates": "first"})
    assert other is not None
    assert other.place != shelf(file).place


def test_another_version_of_the_program_reads_anew(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody has to remember to count a version up: a field more, or a module changed, is another program."""
    read(file)
    former = shelf(file).place
    for change in ("VERSION", "Finding"):
        cache.program.cache_clear()
        with monkeypatch.context() as patched:
            patched.setattr(cache, change, "9.9" if change == "VERSION" else cache.LoadReport)
            assert shelf(file).place != former
        cache.program.cache_clear()
        assert shelf(file).place == former
    (file.parent / "formats").mkdir()
    (file.parent / "formats" / "trec_run.py").write_text("")
    monkeypatch.setattr(cache, "__file__", str(file.parent / "formats" / "cache.py"))
    cache.program.cache_clear()
    elsewhere = cache.program()
    (file.parent / "formats" / "trec_run.py").write_text("mended")
    cache.program.cache_clear()
    assert cache.program() != elsewhere
    monkeypatch.undo()
    cache.program.cache_clear()


def test_the_settings_file_holds_for_every_reader(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The window's settings: nothing is kept by the command line or Python either, and no more than the limit."""
    monkeypatch.setenv("IRVIEWER_CONFIG_DIR", str(file.parent))
    monkeypatch.delenv(cache_folder.LIMIT_VARIABLE, raising=False)
    assert cache_folder.cache_limit() == 10 * 10**9
    settings = file.with_name("settings.json")
    for text, limit in (('{"cache_limit_gb": 0.5}', 5 * 10**8), ('{"cache_limit_gb": "x"}', 10**10), ("[]", 10**10)):
        settings.write_text(text)
        assert cache_folder.cache_limit() == limit
    monkeypatch.setenv(cache_folder.LIMIT_VARIABLE, "7")
    assert cache_folder.cache_limit() == 7
    settings.write_text('{"confidential": true}')
    for _ in range(3):
        irviewer.read_run(file, duplicates="best")
        read(file)
    assert not (file.parent / "cache").exists()


def test_choices_that_come_to_the_same_share_what_is_kept(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    load(file, cached="keep")
    monkeypatch.setattr(load_module, "open_bytes", None)
    for kind in (None, "run"):
        for policy in ("refuse", "first", "best"):
            load(file, kind=kind, duplicates=policy)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        load(file, name="other")


def test_any_damage_means_that_the_text_is_read(file: Path) -> None:
    wanted = said(read(file))
    place = shelf(file).place
    whole = place.read_bytes()
    foreign = file.read_bytes()
    damaged = [b"", b"x", whole[:-1], whole[: len(whole) // 2], whole + b"x", foreign, whole[:-24], bytes(len(whole))]
    damaged += [whole[:at] + bytes([whole[at] ^ 0x10]) + whole[at + 1 :] for at in range(0, len(whole), 997)]
    for data in damaged:
        place.write_bytes(data)
        assert recall(shelf(file)) is None
        assert said(read(file)) == wanted
        assert place.read_bytes() == whole, "it is kept anew"


def test_a_folder_that_cannot_be_written_keeps_nothing(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (file.parent / "cache").write_text("this is no folder")
    assert said(read(file)) == said(read(file, "no"))


def test_confidential_keeps_nothing(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(cache_folder.CONFIDENTIAL_VARIABLE, "1")
    assert said(read(file)) == said(read(file))
    assert not (file.parent / "cache").exists()


def test_a_file_that_changes_while_it_is_read_is_not_kept(file: Path) -> None:
    before, loaded = shelf(file), read(file, "no")
    file.write_text(TEXT + TEXT[-40:])
    assert not keep(before, loaded)


def test_former_states_are_forgotten_and_the_limit_holds(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read(file)
    first = shelf(file).place
    about = file.stat()
    os.utime(file, ns=(about.st_atime_ns, about.st_mtime_ns + 10**12))
    read(file)
    assert not first.exists()
    assert shelf(file).place.exists()
    monkeypatch.setenv(cache_folder.LIMIT_VARIABLE, "1")
    other = file.with_name("b.run")
    other.write_text(TEXT)
    read(other)
    assert [one.name for one in shelf(other).place.parent.iterdir()] == [shelf(other).place.name]


def test_every_field_of_a_run_is_kept_or_known_not_to_be() -> None:
    """Who adds a field to a run adds it to ``cache._batch`` and ``_loaded``."""
    assert set(Run.__dataclass_fields__) == {
        "name", "query_ids", "offsets", "doc_ids", "scores", "tied", "tag", "origin", "attributes", "components",
        "arrival", "original", "rule",
    }  # fmt: skip


def test_what_json_cannot_say_is_not_kept(file: Path) -> None:
    file.write_text(TEXT.replace("# team: x", "# date: 2026-01-01"))
    wanted = said(read(file, "no"))
    assert said(read(file)) == wanted
    assert said(read(file)) == wanted
