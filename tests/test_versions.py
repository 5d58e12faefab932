"""The version comes from the tag, and a commit is no release: in a checkout, a shallow clone, and an archive."""

from __future__ import annotations

import importlib
import os
import shutil
import subprocess
import tarfile
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree

import pytest

ROOT = Path(__file__).parents[1]
IDENTITY = {f"GIT_{who}_{what}": "a@b.example" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git makes the tags")


def _git(folder: Path, *words: str) -> str:
    environment = {**os.environ, **IDENTITY, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    command = ["git", *words]
    return subprocess.run(command, cwd=folder, env=environment, check=True, capture_output=True, text=True).stdout


@pytest.fixture
def versions(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(ROOT / "packaging"))
    return importlib.import_module("versions")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository of one commit with the files that tell the version, which names 0.1.0."""
    folder = tmp_path / "repository"
    for name in ("packaging/archived.txt", ".gitattributes"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, folder / name)
    (folder / "irviewer").mkdir()
    (folder / "irviewer" / "version.py").write_text('VERSION = "0.1.0"\n')
    _git(folder, "init", "-q", ".")
    _commit(folder)
    return folder


def _commit(folder: Path) -> str:
    _git(folder, "add", "-A")
    _git(folder, "commit", "-q", "--allow-empty", "-m", "Change")
    return _git(folder, "rev-parse", "--short", "HEAD").strip()


def _archive(repository: Path, target: Path) -> Path:
    _git(repository, "archive", "-o", str(target.with_suffix(".tar")), "HEAD")
    with tarfile.open(target.with_suffix(".tar")) as opened:
        opened.extractall(target, filter="data")
    return target


@pytest.mark.parametrize("tag", ["v1.0.0", "v2.3.4rc1"])
def test_on_a_tag_it_is_the_tag(versions: ModuleType, repository: Path, tmp_path: Path, tag: str) -> None:
    _git(repository, "tag", tag)
    assert versions.version(repository) == tag[1:]
    assert versions.version(_archive(repository, tmp_path / "archive")) == tag[1:]


@pytest.mark.parametrize(
    ("tag", "base"), [("v1.0.0", "1.0.1"), ("v1.0.0rc1", "1.0.0"), ("v0.0.9", "0.1.0"), ("v0.1.9", "0.1.10")]
)
def test_a_later_commit_is_before_the_next_version(
    versions: ModuleType, repository: Path, tmp_path: Path, tag: str, base: str
) -> None:
    _git(repository, "tag", tag)
    _commit(repository)
    commit = _commit(repository)
    assert versions.version(repository) == f"{base}.dev2+g{commit}"
    assert versions.version(_archive(repository, tmp_path / "archive")) == f"{base}.dev2+g{commit}"


def test_the_program_may_name_a_candidate(versions: ModuleType, repository: Path) -> None:
    (repository / "irviewer" / "version.py").write_text('VERSION = "1.2.3rc1"\n')
    _git(repository, "tag", "v1.0.0")
    commit = _commit(repository)
    assert versions.version(repository) == f"1.2.3.dev1+g{commit}"


def test_without_a_tag_a_commit_is_no_release(versions: ModuleType, repository: Path, tmp_path: Path) -> None:
    _git(repository, "tag", "vague")
    commit = _git(repository, "rev-parse", "--short", "HEAD").strip()
    assert versions.version(repository) == f"0.1.0.dev0+g{commit}"
    assert versions.version(_archive(repository, tmp_path / "archive")) == f"0.1.0.dev0+g{commit}"


def test_a_shallow_clone(versions: ModuleType, repository: Path, tmp_path: Path) -> None:
    _git(repository, "tag", "v1.0.0")
    commit = _commit(repository)
    _git(tmp_path, "clone", "-q", "--depth", "1", repository.as_uri(), "shallow")
    assert versions.version(tmp_path / "shallow") == f"0.1.0.dev0+g{commit}"
    _git(repository, "tag", "v1.1.0")
    _git(tmp_path, "clone", "-q", "--depth", "1", "--branch", "v1.1.0", repository.as_uri(), "tagged")
    assert versions.version(tmp_path / "tagged") == "1.1.0"


def test_a_copy_says_what_it_states_even_inside_another_repository(versions: ModuleType, repository: Path) -> None:
    copy = repository / "copy"
    for name in ("irviewer", "packaging"):
        shutil.copytree(repository / name, copy / name)
    _git(repository, "tag", "v7.0.0")
    assert versions.version(copy) == "0.1.0"
    versions.stamp(copy, "1.2.3")
    assert versions.version(copy) == "1.2.3"


METAINFO = "resources/desktop/org.irviewer.irviewer.metainfo.xml"


@pytest.fixture
def naming(versions: ModuleType) -> ModuleType:
    return importlib.import_module("naming")


@pytest.fixture
def release(repository: Path) -> Path:
    """The repository with the other files that name a version, before its tag."""
    (repository / "CITATION.cff").write_text(
        "cff-version: 1.2.0\nversion: 1.2.3\ndate-released: 2026-01-02\nlicense: MIT\n"
    )
    (repository / "irviewer" / "version.py").write_text('VERSION = "1.2.3"\n')
    (repository / "CHANGELOG.md").write_text("# Changelog\n\n## [Unreleased]\n\n## [1.2.3] - 2026-01-02\n")
    (repository / METAINFO).parent.mkdir(parents=True)
    (repository / METAINFO).write_text('<releases>\n    <release version="1.2.3" date="2026-01-02">\n</releases>\n')
    return repository


def test_a_release_is_named_alike_everywhere(naming: ModuleType, release: Path) -> None:
    naming.require_named(release, "1.2.3")


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("irviewer/version.py", "1.2.3", "1.2.2"),
        ("CITATION.cff", "version: 1.2.3", "version: 1.2.30"),
        ("CITATION.cff", "version: 1.2.3\n", ""),
        ("CITATION.cff", "2026-01-02", "2026-01-03"),
        ("CITATION.cff", "date-released: 2026-01-02\n", ""),
        (METAINFO, 'version="1.2.3"', 'version="1.2.2"'),
        (METAINFO, "2026-01-02", "2026-01-03"),
        ("CHANGELOG.md", "## [1.2.3]", "## [1.2.30]"),
        ("CHANGELOG.md", "2026-01-02", "unreleased"),
    ],
)
def test_a_release_that_a_file_does_not_name_is_refused(
    naming: ModuleType, release: Path, name: str, before: str, after: str
) -> None:
    path = release / name
    assert before in path.read_text()
    path.write_text(path.read_text().replace(before, after))
    with pytest.raises(SystemExit, match=rf"the release is 1\.2\.3, but {name}"):
        naming.require_named(release, "1.2.3")


def test_only_the_tag_of_the_version_is_released(versions: ModuleType) -> None:
    versions.require_tag("v1.2.3", "1.2.3")
    versions.require_tag("v1.2.3rc1", "1.2.3rc1")
    with pytest.raises(SystemExit, match=r"v1\.2\.3, but the checkout is 1\.2\.3rc1"):
        versions.require_tag("v1.2.3", "1.2.3rc1")
    with pytest.raises(SystemExit, match="no release"):
        versions.require_tag("v1.2.3-beta", "1.2.3-beta")


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    """The files of the project that name a version, with the changelog's head as between two releases."""
    for name in ("irviewer/version.py", "CITATION.cff", "CHANGELOG.md", METAINFO):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    path = tmp_path / "CHANGELOG.md"
    path.write_text(
        path.read_text("utf-8").replace("\n## [", "\n## [Unreleased]\n\n### Added\n- New.\n\n## [", 1), "utf-8"
    )
    return tmp_path


def test_a_command_names_the_release_in_all_files(naming: ModuleType, sources: Path) -> None:
    naming.name_release(sources, "9.0.0rc1", "2030-01-02")
    naming.require_named(sources, "9.0.0rc1")
    naming.name_release(sources, "9.0.0rc1", "2030-01-03")  # put off by a day
    naming.require_named(sources, "9.0.0rc1")
    assert "2030-01-02" not in "".join((sources / name).read_text("utf-8") for name in ("CITATION.cff", METAINFO))
    path = sources / "CHANGELOG.md"
    path.write_text(path.read_text("utf-8").replace("## [9.0.0rc1] - 2030-01-03", "## [9.0.0] - unreleased"), "utf-8")
    naming.name_release(sources, "9.0.0", "2030-02-03")
    naming.require_named(sources, "9.0.0")
    releases = [
        (each.get("version"), each.get("type"), each.get("date"))
        for each in ElementTree.parse(sources / METAINFO).getroot().iter("release")
    ]
    assert releases[:2] == [("9.0.0", None, "2030-02-03"), ("9.0.0~rc1", "development", "2030-01-03")]
    if shutil.which("appstreamcli"):
        subprocess.run(["appstreamcli", "validate", "--no-net", sources / METAINFO], check=True, capture_output=True)


@pytest.mark.parametrize(
    ("version", "why"), [("8.0.0", "begins with"), ("v9.0.0", "no release"), ("9.0", "no release")]
)
def test_a_release_is_not_named_twice_nor_by_another_name(
    naming: ModuleType, sources: Path, version: str, why: str
) -> None:
    naming.name_release(sources, "9.0.0", "2030-02-03")
    with pytest.raises(SystemExit, match=why):
        naming.name_release(sources, version, "2030-02-04")
    naming.require_named(sources, "9.0.0")


def test_the_notes_have_what_is_new_and_links_to_the_tag(naming: ModuleType) -> None:
    notes = importlib.import_module("notes").notes
    changelog = (
        "# Changelog\n\n## [1.2.3] - 2030-01-02\n\nIn short.\n\n- **A** ([why](#fixed), [list](docs/a.md), "
        "[out](https://example.org)).\n\n### Added\n- More.\n\n## [1.2.2]\n\nOld.\n"
    )
    text = notes(changelog, "1.2.3")
    page = "https://github.com/irviewer/irviewer/blob/v1.2.3/"
    links = f"([why]({page}CHANGELOG.md#fixed), [list]({page}docs/a.md), [out](https://example.org))"
    assert text.startswith(f"In short.\n\n- **A** {links}.\n\n## Ways in\n")
    assert "uvx irviewer qrels run" in text
    assert "More" not in text
    assert notes(changelog, "1.2.2").startswith("Old.\n")
    with pytest.raises(SystemExit, match=r"no section of 1\.2\.4"):
        notes(changelog, "1.2.4")
