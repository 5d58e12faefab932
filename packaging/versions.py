"""The version, from the tag: ``python packaging/versions.py`` prints it, with ``--write`` writes it into the program,
with ``--tag v1.2.3`` checks that it is that release.

A release is a tag ``v1.2.3`` and nothing else: every other commit is ``1.2.3.devN+gCOMMIT`` of the version to come,
which no package index takes. ``irviewer/version.py`` names that version; the tag decides."""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RELEASE = re.compile(r"v(\d+)\.(\d+)\.(\d+)((?:a|b|rc)\d+)?")
"""A tag that is a release, or a candidate of one."""


def main() -> int:
    """Print the version of the checkout or archive."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="write it into irviewer/version.py, before a build")
    parser.add_argument("--tag", help="a tag: the version must be its, and the files that name a version must agree")
    options = parser.parse_args()
    of_version = version()
    if options.tag is not None:
        from naming import require_named  # hatch runs this file from elsewhere, and has no use for it

        require_tag(options.tag, of_version)
        require_named(ROOT, of_version)
    if options.write:
        stamp(ROOT, of_version)
    print(of_version)
    return 0


def version(root: Path = ROOT) -> str:
    """Return the version of a checkout, of an archive that git made, or of sources that state theirs.

    On a tag it is the tag's. Else it is that of the next release, with the commits since the tag (0 where they cannot
    be counted: no tag, or a shallow clone) and the commit. A copy of the sources without either has what
    ``irviewer/version.py`` states, as the sources of a release do."""
    stated = _stated(root)
    if (root / ".git").exists():  # else git would tell of a repository around the archive
        described = _told(root, "describe", "--tags", "--long", "--match", "v[0-9]*")
        commit = _told(root, "rev-parse", "--short", "HEAD")
    else:
        described, commit = _archived(root)
    parts = re.fullmatch(r"(.+?)(?:-(\d+)-g([0-9a-f]+))?", described)
    tag = RELEASE.fullmatch(parts[1]) if parts else None
    if parts and tag:
        commits = int(parts[2] or 0)
        if not commits:
            return tag[0].removeprefix("v")
        return f"{_next(tag, stated)}.dev{commits}+g{parts[3]}"
    return f"{stated}.dev0+g{commit}" if commit else stated


def stamp(tree: Path, of_version: str) -> None:
    """Write a version into the program of a tree."""
    path = tree / "irviewer" / "version.py"
    text = path.read_text(encoding="utf-8")
    path.write_text(re.sub(r'^VERSION = ".*"$', f'VERSION = "{of_version}"', text, flags=re.M), encoding="utf-8")


def require_tag(tag: str, of_version: str) -> None:
    """End where a tag is no release, or not that of a version: two tags can be on one commit."""
    if RELEASE.fullmatch(tag) is None:
        raise SystemExit(f"the tag {tag} is no release; one is v1.2.3, or v1.2.3rc1")
    if tag != f"v{of_version}":
        raise SystemExit(f"the tag is {tag}, but the checkout is {of_version}: check out that tag, with no other on it")


def _next(tag: re.Match[str], stated: str) -> str:
    """Return the version that the program states, or the one after the tag where that is older."""
    major, minor, patch = int(tag[1]), int(tag[2]), int(tag[3])
    after = (major, minor, patch if tag[4] else patch + 1)
    numbers = tuple(map(int, re.findall(r"\d+", stated)[:3]))
    return ".".join(map(str, max(after, numbers)))


def _archived(root: Path) -> tuple[str, str]:
    """Return what ``git archive`` wrote: the description and the commit, empty where the file is as in the checkout."""
    path = root / "packaging" / "archived.txt"
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    fields = dict(line.split(": ", 1) for line in lines if ": " in line and "$Format" not in line)
    return fields.get("described", "").strip(), fields.get("commit", "").strip()


def _stated(root: Path) -> str:
    text = (root / "irviewer" / "version.py").read_text(encoding="utf-8")
    match = re.search(r'^VERSION = "([^"]+)"$', text, re.M)
    assert match is not None
    return match.group(1)


def _told(root: Path, *words: str) -> str:
    """Return git's answer, empty where git is missing or has none."""
    try:
        done = subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return ""
    return done.stdout.strip()


if __name__ == "__main__":
    sys.exit(main())
