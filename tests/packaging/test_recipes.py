"""The recipes of systems that are not here: icons as other programs read them, types of documents, versions."""

from __future__ import annotations

import gzip
import importlib
import io
import os
import plistlib
import re
import shutil
import subprocess
import sys
import tarfile
import xml.etree.ElementTree as ET
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
PACKAGING = ROOT / "packaging"
DESKTOP = ROOT / "resources" / "desktop"


MARKDOWN = """<?xml version="1.0"?>
<mime-info xmlns="{namespace}">
  <mime-type type="text/markdown"><sub-class-of type="text/plain"/><glob pattern="*.md"/></mime-type>
</mime-info>
"""


@pytest.fixture
def recipe(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A module of packaging/, which is a folder of programs."""
    monkeypatch.syspath_prepend(str(PACKAGING))

    def load(name: str) -> ModuleType:
        return importlib.import_module(name)

    return load


def test_icons_are_read_by_others(tmp_path: Path) -> None:
    image = pytest.importorskip("PIL.Image", reason="Pillow reads the icons")
    # In a process of its own: it makes pictures before there is an application.
    command = [sys.executable, str(PACKAGING / "icons.py"), "--output", str(tmp_path)]
    subprocess.run(command, check=True, capture_output=True)
    with image.open(tmp_path / "irviewer.ico") as ico:
        assert {(16, 16), (32, 32), (48, 48), (256, 256)} <= ico.info["sizes"]
        ico.size = (256, 256)
        assert ico.convert("RGBA").getpixel((128, 20)) == (0x1F, 0x27, 0x33, 255)
    with image.open(tmp_path / "irviewer.icns") as icns:
        assert {(16, 16, 1), (16, 16, 2), (512, 512, 1), (512, 512, 2)} <= set(icns.info["sizes"])
        icns.load()
        drawn = icns.convert("RGBA")
        assert (drawn.getpixel((3, 3))[3], drawn.getpixel((512, 140))) == (0, (0x1F, 0x27, 0x33, 255))


def test_every_system_knows_the_same_documents(recipe: Any) -> None:
    types = recipe("document_types").TYPES
    mime = "{http://www.freedesktop.org/standards/shared-mime-info}"
    described = {
        (kind.get("type"), kind.find(f"{mime}glob").get("pattern"), kind.find(f"{mime}comment").text)  # type: ignore[union-attr]
        for kind in ET.parse(DESKTOP / "irviewer.xml").getroot()
    }
    assert described == {(kind.mime, f"*.{kind.suffix}", kind.title) for kind in types}
    entry = (DESKTOP / "irviewer.desktop").read_text("utf-8")
    assert re.search(r"^MimeType=(.*);$", entry, re.M).group(1).split(";") == [kind.mime for kind in types]  # type: ignore[union-attr]
    metainfo = ET.parse(DESKTOP / "org.irviewer.irviewer.metainfo.xml").getroot()
    assert [item.text for item in metainfo.findall("provides/mediatype")] == [kind.mime for kind in types]


def test_the_property_list_of_macos(recipe: Any) -> None:
    properties = recipe("document_types").property_list("1.2.3")
    assert plistlib.loads(plistlib.dumps(properties)) == properties
    declared = {
        kind["UTTypeIdentifier"]
        for kind in properties["UTExportedTypeDeclarations"] + properties["UTImportedTypeDeclarations"]
    }
    assert {kind for entry in properties["CFBundleDocumentTypes"] for kind in entry["LSItemContentTypes"]} == declared


@pytest.mark.parametrize("name", ["lecture.md", "lecture.lesson.md"])
def test_of_markdown_only_lessons_are_opened_with_the_program(name: str, tmp_path: Path) -> None:
    """As GNOME and KDE detect them: by a suffix of their own, or by the header."""
    if shutil.which("update-mime-database") is None:
        pytest.skip("needs update-mime-database")
    (tmp_path / "mime" / "packages").mkdir(parents=True)
    shutil.copy(DESKTOP / "irviewer.xml", tmp_path / "mime" / "packages")
    markdown = MARKDOWN.format(namespace="http://www.freedesktop.org/standards/shared-mime-info")
    (tmp_path / "mime" / "packages" / "freedesktop.org.xml").write_text(markdown)
    subprocess.run(["update-mime-database", tmp_path / "mime"], check=True, capture_output=True)
    (tmp_path / name).write_text("---\ntitle: T\nrankings: 1 0 1\n---\nText.\n")
    (tmp_path / "page.md").write_text("---\ntitle: T\n---\n# Rankings\nText.\n")
    detect = (
        "import sys; from PySide6.QtCore import QMimeDatabase; "
        "print(*(QMimeDatabase().mimeTypeForFile(path).name() for path in sys.argv[1:]))"
    )
    environment = {**os.environ, "XDG_DATA_HOME": str(tmp_path), "XDG_DATA_DIRS": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", detect, tmp_path / name, tmp_path / "page.md"],
        env=environment, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.split() == ["text/x-irviewer-lesson", "text/markdown"]


class Recorded:
    """Stands for the names that PyInstaller gives to a recipe."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, dict[str, Any]]] = []

    def call(self, name: str) -> Any:
        def recorded(*args: Any, **values: Any) -> Any:
            self.calls.append((name, values))
            return type(name, (), {"binaries": [], "datas": [], "pure": [], "scripts": []})()

        return recorded


@pytest.mark.packaging
@pytest.mark.parametrize("system", ["darwin", "win32"])
def test_the_recipe_runs_as_on_other_systems(
    system: str, recipe: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, qapp: object
) -> None:
    """What PyInstaller would be asked for there."""
    pytest.importorskip("PyInstaller", reason="needs irviewer[packaging]")
    recipe("icons")
    recorded = Recorded()
    names = {name: recorded.call(name) for name in ("Analysis", "PYZ", "EXE", "COLLECT", "BUNDLE")}
    source = (PACKAGING / "irviewer.spec").read_text("utf-8")
    code = compile(source, "irviewer.spec", "exec")
    import PyInstaller.depend.bindepend
    import PyInstaller.utils.hooks

    monkeypatch.setattr(PyInstaller.utils.hooks, "collect_submodules", lambda name: [name])
    monkeypatch.setattr(sys, "platform", system)
    exec(code, {**names, "SPECPATH": str(PACKAGING), "workpath": str(tmp_path)})
    programs = [values for name, values in recorded.calls if name == "EXE"]
    if system == "win32":
        assert [(row["name"], row["console"]) for row in programs] == [("irviewer", True), ("irviewerw", False)]
        assert all(Path(row["icon"]).suffix == ".ico" and Path(row["icon"]).is_file() for row in programs)
        # As PyInstaller reads it: names of its own, and nothing else.
        known = ("VSVersionInfo", "FixedFileInfo", "StringFileInfo", "StringTable", "StringStruct", "VarFileInfo")
        text = Path(programs[0]["version"]).read_text("utf-8")
        assert eval(text, dict.fromkeys((*known, "VarStruct"), lambda *args, **values: True))
    else:
        assert [(row["name"], row["console"]) for row in programs] == [("irviewer", False)]
        (values,) = [values for name, values in recorded.calls if name == "BUNDLE"]
        assert Path(values["icon"]).suffix == ".icns"
        assert values["info_plist"]["CFBundleDocumentTypes"]
        assert "argv_emulation" not in programs[0]


@pytest.mark.parametrize(
    ("given", "expected"),
    [("1.2.3", "1.2.3"), ("1.2.3.dev4+gabc1234", "1.2.3~dev4+gabc1234"), ("1.2.3rc1", "1.2.3~rc1")],
)
def test_versions_of_debian(recipe: Any, given: str, expected: str) -> None:
    assert recipe("deb").debian_version(given) == expected


@pytest.mark.skipif(shutil.which("dpkg") is None, reason="dpkg compares the versions")
def test_a_version_before_the_next_is_older(recipe: Any) -> None:
    version = recipe("deb").debian_version
    order = ["1.2.2", "1.2.3.dev4+gabc1234", "1.2.3rc1", "1.2.3"]
    for older, newer in pairwise(order):
        words = ["dpkg", "--compare-versions", version(older), "lt", version(newer)]
        assert subprocess.run(words, check=False).returncode == 0, (older, newer)


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("dpkg-deb") is None or shutil.which("objdump") is None, reason="makes a .deb")
def test_a_debian_package_is_made_again_byte_by_byte(
    recipe: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a bundle of two files, whose times differ, as those of what the recipe writes do."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1500000000")
    packages = []
    for later in (0, 3600):
        bundle = tmp_path / f"bundle{later}"
        (bundle / "_internal").mkdir(parents=True)
        shutil.copy("/bin/true", bundle / "_internal" / "library.so")
        (bundle / "irviewer").write_text("#!/bin/sh\necho completion\n")
        (bundle / "irviewer").chmod(0o755)
        for path in (bundle / "_internal" / "library.so", bundle / "irviewer"):
            os.utime(path, (1700000000 + later, 1700000000 + later))
        packages.append(recipe("deb").build(bundle, tmp_path / f"deb{later}", "gzip"))
    assert packages[0].read_bytes() == packages[1].read_bytes()
    content = subprocess.run(["dpkg-deb", "--fsys-tarfile", packages[0]], check=True, capture_output=True).stdout
    with tarfile.open(fileobj=io.BytesIO(content)) as files:
        assert max(file.mtime for file in files) == 1500000000
        entry = files.extractfile("./usr/share/doc/irviewer/changelog.Debian.gz")
        assert entry is not None
        assert "Fri, 14 Jul 2017 02:40:00 -0000" in gzip.decompress(entry.read()).decode()


LIBRARY = Path("/usr/lib/x86_64-linux-gnu/libglib-2.0.so.0")


@pytest.mark.skipif(shutil.which("dpkg") is None or not LIBRARY.exists(), reason="of a package of Debian")
def test_a_copied_library_brings_its_notice_and_the_texts_it_refers_to(
    recipe: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    packages = recipe("debian_packages")
    files = packages.notices([str(LIBRARY)])
    (notice,) = (path for place, path in files.items() if place.endswith("/copyright"))
    assert "LGPL" in notice.read_text("utf-8")
    assert "GNU LESSER GENERAL PUBLIC LICENSE" in files["system/common-licenses/LGPL-2.1"].read_text("utf-8").upper()
    ours = tmp_path / "library.so"
    ours.touch()
    with pytest.raises(SystemExit, match="no package holds"):
        packages.notices([str(ours)])
    monkeypatch.setattr(packages, "NOTICES", tmp_path)
    with pytest.raises(SystemExit, match="brings no licence"):
        packages.notices([str(LIBRARY)])
