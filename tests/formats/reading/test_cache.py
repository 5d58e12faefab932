"""Kept columns give the run that the text gives; whatever is odd about them, the text is read."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import irviewer
from irviewer.formats import load as load_module
from irviewer.formats.format import Loaded
from irviewer.formats.load import load
from irviewer.formats.reading import cache, cache_folder, file_state
from irviewer.formats.reading.cache import Shelf, keep, recall, shelf_of
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
    opened_shelf = shelf_of(file, CHOICES)
    assert opened_shelf is not None
    return opened_shelf


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


def test_only_who_asks_keeps_immediately_and_no_means_no(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
    assert [path.suffix for path in shelf(file).place.parent.iterdir()] == [cache.NOTE_SUFFIX]
    file.write_text(TEXT + "z Q0 d 1 1 tag 2\n")
    irviewer.read_run(file, duplicates="best")
    assert recall(shelf(file)) is None
    file.write_text(TEXT)
    irviewer.read_run(file, duplicates="best")
    irviewer.read_run(file, duplicates="best")
    assert said(recall(shelf(file))) == wanted
    assert [path.suffix for path in shelf(file).place.parent.iterdir()] == [cache.SUFFIX]
    monkeypatch.setattr(load_module, "open_bytes", None)
    irviewer.read_run(file, duplicates="best")


def test_a_change_of_any_sort_is_seen(file: Path) -> None:
    """Also one that leaves the size and puts the time back, as ``cp -p`` and ``rsync -t`` do."""
    read(file)
    places, about = [shelf(file).place], file.stat()
    for text in (TEXT, TEXT.replace("50 tag", "51 tag")):  # as long as before
        file.write_text(text)
        os.utime(file, ns=(about.st_atime_ns, about.st_mtime_ns))
        places.append(shelf(file).place)
    os.utime(file, ns=(about.st_atime_ns, about.st_mtime_ns + 1))
    places.append(shelf(file).place)
    file.rename(file.with_name("aside"))
    file.write_text(TEXT)
    os.utime(file, ns=(about.st_atime_ns, about.st_mtime_ns))
    places.append(shelf(file).place)
    assert len(set(places)) == len(places)
    assert shelf(file).place == places[-1]
    other = shelf_of(file, {**CHOICES, "duplicates": "first"})
    assert other is not None
    assert other.place != shelf(file).place


@pytest.mark.parametrize("change_time", [True, False])
def test_a_change_between_the_samples_is_seen(file: Path, monkeypatch: pytest.MonkeyPatch, change_time: bool) -> None:
    """The same size and time, and other bytes where no sample is taken; also where only the bytes can tell."""
    monkeypatch.setattr(file_state, "SAMPLE", 16)
    monkeypatch.setattr(file_state, "CHANGE_TIME", change_time and file_state.CHANGE_TIME)
    old, about = said(read(file)), file.stat()
    assert recall(shelf(file)) is not None
    at = TEXT.index("\n", len(TEXT) // 4) + 1
    file.write_text(TEXT[:at] + TEXT[at:].replace(" Q0 d", " Q0 x", 1))
    os.utime(file, ns=(about.st_atime_ns, about.st_mtime_ns))
    assert recall(shelf(file)) is None
    assert said(read(file)) != old


def test_what_was_just_changed_is_not_kept(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a file system whose clock is coarse another change could go unseen."""
    monkeypatch.setattr(file_state, "SETTLED", 1e9)
    read(file)
    assert not shelf(file).place.exists()


KEEPING = """
import sys
from pathlib import Path
from irviewer.formats.reading import cache, file_state
from irviewer.formats.load import load
cache.LARGE, cache.WORTH, file_state.SETTLED = 1, 0, 0
shelf = cache.shelf_of(sys.argv[1], {"kind": "run", "name": None, "duplicates": "refuse", "format": None, "part": None})
print(shelf.place.name, shelf.place.exists(), cache.recall(shelf) is not None)
load(sys.argv[1], kind="run", cached="keep")
"""


def test_a_program_with_another_reader_reads_anew(file: Path, tmp_path: Path) -> None:
    """Nobody has to remember to count a version up: a source that is changed, however deep, is another program."""
    ours = Path(irviewer.__file__).parent
    leave = shutil.ignore_patterns("gui", "__pycache__", "session")
    copy = shutil.copytree(ours, tmp_path / "tree" / "irviewer", ignore=leave)
    environment = {**os.environ, "PYTHONPATH": str(copy.parent), "PYTHONDONTWRITEBYTECODE": "1"}

    def asked() -> list[str]:
        command = [sys.executable, "-c", KEEPING, str(file)]
        return subprocess.run(
            command, env=environment, cwd=tmp_path, capture_output=True, text=True, check=True
        ).stdout.split()

    first, second = asked(), asked()
    assert (first[1:], second[1:]) == (["False", "False"], ["True", "True"])
    assert second[0] == first[0]
    reader = copy / "model" / "number_text.py"  # deep, and the readers ask it
    about = reader.stat()
    reader.write_text(reader.read_text().replace("def ", "def  ", 1).replace("\n\n\n", "\n\n", 1))
    os.utime(reader, ns=(about.st_atime_ns, about.st_mtime_ns))
    assert asked()[1:] == ["False", "False"]


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
    words = whole[:4096], whole[4096:4104], whole[4104:4112], whole[4112:]
    assert words[1] != words[2]
    damaged.append(words[0] + words[2] + words[1] + words[3])  # each word is there, in another order
    damaged += [whole[:at] + bytes([whole[at] ^ 0x10]) + whole[at + 1 :] for at in range(0, len(whole), 1997)]
    for data in damaged:
        place.write_bytes(data)
        assert recall(shelf(file)) is None
        assert said(read(file)) == wanted
        assert place.read_bytes() == whole, "it is kept anew"


def test_what_is_mapped_is_never_changed_in_place(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = said(read(file))
    place = shelf(file).place
    mapped = recall(shelf(file))
    inode = place.stat().st_ino
    assert keep(shelf(file), read(file, "no"), 0)
    assert place.stat().st_ino != inode
    assert said(mapped) == wanted
    place.chmod(0o666)  # another user may shorten it
    assert recall(shelf(file)) is None
    assert said(read(file)) == wanted


def test_only_the_cache_maps_files() -> None:
    package = Path(irviewer.__file__).parent
    mapping = {
        path.name
        for path in package.rglob("*.py")
        if re.search(r"memory_map|\bmmap\.mmap|memmap|mmap_mode", path.read_text())
    }
    assert mapping == {"cache.py", "corpus_building.py"}, "any other file may be shortened while it is read"


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
    assert [path.name for path in shelf(other).place.parent.iterdir()] == [shelf(other).place.name]


def test_several_programs_keep_one_file(file: Path) -> None:
    """Each sees an entry that is whole, or none; one is left, and former ones that another removed meanwhile are no
    fault."""
    wanted = said(read(file, "no"))
    place = shelf(file).place
    place.parent.mkdir(parents=True)
    gone = place.with_name(f"{shelf(file).path_digest}-gone{cache.SUFFIX}")
    gone.symlink_to(file.with_name("removed"))  # is listed, and not there
    with ThreadPoolExecutor(4) as threads:
        results = list(threads.map(lambda _: [said(read(file)), said(recall(shelf(file)))], range(12)))
    assert results == [[wanted, wanted]] * 12
    assert [path for path in place.parent.iterdir() if path != gone] == [place]


def test_every_field_of_a_run_is_kept_or_known_not_to_be() -> None:
    """Who adds a field to a run adds it to ``cache._batch`` and ``_loaded``."""
    assert set(Run.__dataclass_fields__) == {
        "name", "query_ids", "offsets", "doc_ids", "scores", "tied", "tag", "origin", "attributes", "components",
        "arrival", "original", "rule", "read_name", "stored", "answered",
    }  # fmt: skip


def test_what_json_cannot_say_is_not_kept(file: Path) -> None:
    file.write_text(TEXT.replace("# team: x", "# date: 2026-01-01"))
    wanted = said(read(file, "no"))
    assert said(read(file)) == wanted
    assert said(read(file)) == wanted
