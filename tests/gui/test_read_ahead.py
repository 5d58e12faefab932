"""Code that was read ahead: modules are as if imported plainly, without asking the disk."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import import_module
from importlib.machinery import SourceFileLoader
from pathlib import Path

import pytest

from irviewer.gui.read_ahead import ReadAhead

PACKAGE = "readable"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A package of modules, and none of them imported afterwards."""
    home = tmp_path / PACKAGE
    (home / "inner").mkdir(parents=True)
    (home / "spare").mkdir()
    (home / "__init__.py").write_text("from . import one\n")
    (home / "one.py").write_text("from .inner import two\nVALUE = two.VALUE + 1\n")
    (home / "inner" / "__init__.py").write_text("")
    (home / "inner" / "two.py").write_text("VALUE = 1\n")
    (home / "spare" / "__init__.py").write_text("")
    (home / "bad.py").write_text("VALUE = = 1\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield home
    for name in [name for name in sys.modules if name.partition(".")[0] == PACKAGE]:
        del sys.modules[name]


def test_what_was_read_is_imported_without_the_disk(folder: Path) -> None:
    plain = import_module(f"{PACKAGE}.inner.two")
    for name in [name for name in sys.modules if name.partition(".")[0] == PACKAGE]:
        del sys.modules[name]
    read = ReadAhead(PACKAGE, (f"{PACKAGE}.spare",))
    for path in sorted(folder.rglob("*.py*")):
        if path.parent.name != "spare":
            path.unlink()
    assert import_module(PACKAGE).one.VALUE == 2
    two = sys.modules[f"{PACKAGE}.inner.two"]
    assert (two.__file__, two.__package__, two.__name__) == (plain.__file__, plain.__package__, plain.__name__)
    import_module(f"{PACKAGE}.spare")  # of the disk
    with pytest.raises(ModuleNotFoundError):  # as the disk says by now: its code could not be read
        import_module(f"{PACKAGE}.bad")
    read.release()
    read.release()
    assert read not in sys.meta_path


def test_a_part_of_a_package_is_read_and_its_code_given_once(folder: Path) -> None:
    import_module(PACKAGE)
    (folder / "inner" / "three.py").write_text("VALUE = 3\n")
    read = ReadAhead(f"{PACKAGE}.inner")
    (folder / "inner" / "three.py").write_text("VALUE = 4\n")
    three = import_module(f"{PACKAGE}.inner.three")
    assert three.VALUE == 3
    read.release()
    spec = three.__spec__
    assert spec is not None
    loader = spec.loader
    assert isinstance(loader, SourceFileLoader)
    assert vars(loader)["code"] is None, "it is not kept"
    (folder / "inner" / "three.py").write_text("VALUE = 'another'\n")
    assert "another" in loader.get_code(three.__name__).co_consts


def test_a_module_that_cannot_be_compiled_fails_as_ever(folder: Path) -> None:
    read = ReadAhead(PACKAGE)
    with pytest.raises(SyntaxError):
        import_module(f"{PACKAGE}.bad")
    read.release()


def test_what_is_imported_already_is_not_read(folder: Path) -> None:
    import_module(f"{PACKAGE}.inner.two")
    read = ReadAhead(PACKAGE)
    assert f"{PACKAGE}.inner.two" not in read._specs
    assert f"{PACKAGE}.spare" in read._specs
    read.release()
    assert import_module(f"{PACKAGE}.spare").__spec__ is not None


def test_what_does_not_exist_is_no_fault() -> None:
    ReadAhead("no_such_package").release()
