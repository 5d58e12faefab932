"""The installer of Windows: made by wixl of a small folder, and read by other programs of the same project."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

pytestmark = pytest.mark.packaging
ROOT = Path(__file__).parents[2]
FILES = {
    "irviewer.exe": b"terminal",
    "irviewerw.exe": b"window",
    "irviewer.ico": b"icon",
    "LICENSE": b"MIT",
    "_internal/base_library.zip": b"PK",
    "_internal/PySide6/plugins/platforms/qwindows.dll": bytes(range(256)) * 300,
    "_internal/irviewer/a file's name & more, é.txt": b"",
}


def _run(*words: object, status: int = 0) -> str:
    done = subprocess.run([str(word) for word in words], capture_output=True, check=False)
    assert done.returncode == status, done.stderr
    return (done.stdout if status == 0 else done.stderr).decode("utf-8")


def _made(bundle: Path, output: Path, version: str, status: int = 0) -> str:
    words = ("--bundle", bundle, "--output", output, "--version", version)
    return _run(sys.executable, ROOT / "packaging" / "msi.py", *words, status=status).rstrip("\n")


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    for name in ("wixl", "msiinfo", "msiextract"):
        if shutil.which(name) is None:
            pytest.skip(f"needs {name}")
    folder = tmp_path_factory.mktemp("bundle")
    for name, data in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    return folder


@pytest.fixture(scope="module")
def installer(bundle: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = Path(_made(bundle, tmp_path_factory.mktemp("made"), "1.2.3"))
    assert path.name == "irviewer-1.2.3.msi"
    return path


def _table(installer: Path, name: str) -> list[list[str]]:
    return [line.split("\t") for line in _run("msiinfo", "export", installer, name).split("\r\n")[3:] if line]


def _properties(installer: Path) -> dict[str, str]:
    return {row[0]: row[1] for row in _table(installer, "Property")}


def test_the_files_of_the_folder_are_in_it(installer: Path, tmp_path: Path) -> None:
    _run("msiextract", "--directory", tmp_path, installer)
    files = {
        path.relative_to(tmp_path / "Programs" / "irviewer").as_posix(): path.read_bytes()
        for path in tmp_path.rglob("*")
        if path.is_file()
    }
    assert files == FILES


def test_it_is_installed_for_one_user_without_an_administrator(installer: Path) -> None:
    assert "ALLUSERS" not in _properties(installer)
    summary = _run("msiinfo", "suminfo", installer)
    assert "Template: x64;1033" in summary
    words = int(re.search(r"^Source: (\d+)", summary, re.M).group(1))  # type: ignore[union-attr]
    assert words == 2 | 8, "compressed, and no rights are asked for"
    parents = {row[0]: row[1] for row in _table(installer, "Directory")}
    assert parents["INSTALLFOLDER"] == "Programs"
    assert parents["Programs"] == "LocalAppDataFolder"
    assert {row[1] for row in _table(installer, "Registry")} == {"1"}, "the current user's"


def test_versions_replace_each_other(installer: Path, bundle: Path, tmp_path: Path) -> None:
    again, later, candidate = (
        Path(_made(bundle, tmp_path / version, version)) for version in ("1.2.3", "1.2.4", "1.2.3rc1")
    )
    first, same, other, before = map(_properties, (installer, again, later, candidate))
    assert first["UpgradeCode"] == other["UpgradeCode"] == before["UpgradeCode"]
    assert first["ProductCode"] == same["ProductCode"]
    assert len({each["ProductCode"] for each in (first, other, before)}) == 3
    assert [each["ProductVersion"] for each in (first, other, before)] == ["1.2.3", "1.2.4", "1.2.3"]
    # Columns: code, least, most, language, attributes (2: only look; 256 and 512: the bound is included).
    older, newer = sorted(_table(installer, "Upgrade"), key=lambda row: row[1])
    assert older == [first["UpgradeCode"], "0.0.0", "1.2.4", "", "256", "", "OLDERFOUND"]
    assert newer == [first["UpgradeCode"], "1.2.4", "", "", str(2 | 256), "", "NEWERFOUND"]
    order = {row[0]: int(row[2]) for row in _table(installer, "InstallExecuteSequence")}
    assert order["FindRelatedProducts"] < order["RemoveExistingProducts"] < order["InstallFiles"]
    assert [row[0] for row in _table(installer, "LaunchCondition")] == ["NOT NEWERFOUND"]


def test_the_menu_has_an_entry_and_files_open_with_it(installer: Path) -> None:
    (entry,) = _table(installer, "Shortcut")
    assert (entry[1], entry[2], entry[4]) == ("ProgramMenuFolder", "irviewer", "[INSTALLFOLDER]irviewerw.exe")
    start = "Software\\Classes\\"
    values = {
        (row[2].removeprefix(start), row[3]): row[4]
        for row in _table(installer, "Registry")
        if row[2].startswith(start)
    }
    expected = {(".irviewer", ""): "irviewer.project"}
    for suffix, name, title in (
        ("irviewer", "irviewer.project", "irviewer project"),
        ("run", "irviewer.run", "Retrieval run"),
        ("qrels", "irviewer.qrels", "Relevance judgments"),
    ):
        expected[f".{suffix}\\OpenWithProgids", name] = ""
        expected[name, ""] = title
        expected[f"{name}\\DefaultIcon", ""] = "[INSTALLFOLDER]irviewerw.exe,0"
        expected[f"{name}\\shell\\open\\command", ""] = '"[INSTALLFOLDER]irviewerw.exe" "%1"'
    assert values == expected


def test_nothing_stays_after_it_is_removed(installer: Path) -> None:
    """Each folder has an order to go, and each part a value of the registry that says whether it is there."""
    parts = {row[0]: row for row in _table(installer, "Component")}
    assert len({row[1] for row in parts.values()}) == len(parts)
    assert {row[3] for row in parts.values()} == {str(256 | 4)}, "64 bits; known by the registry"
    folders = {row[0] for row in _table(installer, "Directory")}
    own = folders - {"TARGETDIR", "LocalAppDataFolder", "ProgramMenuFolder", "Programs"}
    assert {(row[3], row[4]) for row in _table(installer, "RemoveFile")} == {(folder, "2") for folder in own}
    assert {row[1] for row in _table(installer, "FeatureComponents")} == set(parts)


def test_winget_knows_it_by_its_codes(installer: Path, tmp_path: Path) -> None:
    templates = (path.read_text("utf-8") for path in (ROOT / "packaging" / "channels").rglob("*") if path.is_file())
    names = {name.format(version="1.2.3") for text in templates for name in re.findall("@SHA256 ([^@]+)@", text)}
    sums = tmp_path / "SHA256SUMS"
    sums.write_text("".join(f"{'0' * 64}  {name}\n" for name in names))
    words = ("--version", "1.2.3", "--maintainer", "someone", "--sums", sums, "--output", tmp_path)
    _run(sys.executable, ROOT / "packaging" / "channels.py", *words)
    manifest = yaml.safe_load((tmp_path / "winget" / "irviewer.irviewer.installer.yaml").read_text("utf-8"))
    properties = _properties(installer)
    assert manifest["InstallerType"] == "msi"
    assert manifest["ProductCode"] == properties["ProductCode"]
    assert manifest["AppsAndFeaturesEntries"] == [{"UpgradeCode": properties["UpgradeCode"]}]
    assert manifest["Installers"][0]["InstallerUrl"].endswith(f"/v1.2.3/{installer.name}")


def test_a_folder_that_is_no_bundle_of_windows_is_named(bundle: Path, tmp_path: Path) -> None:
    (tmp_path / "irviewer.exe").write_bytes(b"")
    assert f"{tmp_path} has no irviewerw.exe, irviewer.ico, LICENSE" in _made(tmp_path, tmp_path, "1.2.3", status=1)
    assert list(tmp_path.glob("*.msi")) == []
