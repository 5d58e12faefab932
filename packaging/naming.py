"""Write the version of the next release, and its day, into the files that name them, before the tag:

    python packaging/naming.py 1.2.3 [--date 2026-01-31]

These are the program, CITATION.cff, CHANGELOG.md and the metadata for software centres. The release ends where one of
them names another version or day."""

from __future__ import annotations

import argparse
import re
import sys
from datetime import UTC, date, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VERSION = re.compile(r"\d+\.\d+\.\d+(?:(?:a|b|rc)\d+)?")
PROGRAM, CITATION, CHANGELOG = "irviewer/version.py", "CITATION.cff", "CHANGELOG.md"
METAINFO = "resources/desktop/org.irviewer.irviewer.metainfo.xml"
PAGE = "https://github.com/irviewer/irviewer/releases/tag/v"


def main() -> int:
    """Write the files, and print their names."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("version", help="such as 1.2.3, or 1.2.3rc1")
    parser.add_argument("--date", type=date.fromisoformat, default=datetime.now(UTC).date(), help="(default: today)")
    options = parser.parse_args()
    name_release(ROOT, options.version, options.date.isoformat())
    print(PROGRAM, CITATION, CHANGELOG, METAINFO, sep="\n")
    return 0


def name_release(root: Path, of_version: str, day: str) -> None:
    """Write a version and its day. What is already written of the same version is replaced.

    Raises:
        SystemExit: the version is no release, or the changelog's head is of another version.
    """
    if VERSION.fullmatch(of_version) is None:
        raise SystemExit(f"{of_version} is no release; one is 1.2.3, or 1.2.3rc1")
    texts = {name: (root / name).read_text("utf-8") for name in (PROGRAM, CITATION, CHANGELOG, METAINFO)}
    texts[PROGRAM] = re.sub(r'^VERSION = ".*"$', f'VERSION = "{of_version}"', texts[PROGRAM], flags=re.M)
    cited = re.sub(r"^date-released:.*\n", "", texts[CITATION], flags=re.M)
    texts[CITATION] = re.sub(r"^version:.*$", f"version: {of_version}\ndate-released: {day}", cited, flags=re.M)
    head = re.search(r"^## (.*)$", texts[CHANGELOG], re.M)
    if head is None or not (head[1] == "[Unreleased]" or head[1].startswith((f"[{of_version}]", _next(of_version)))):
        raise SystemExit(f"{CHANGELOG} begins with {head[1] if head else 'no section'}, which is not {of_version}")
    texts[CHANGELOG] = texts[CHANGELOG].replace(head[0], f"## [{of_version}] - {day}", 1)
    texts[METAINFO] = _listed(texts[METAINFO], of_version, day)
    for name, text in texts.items():
        (root / name).write_text(text, encoding="utf-8", newline="\n")


def require_named(root: Path, of_version: str) -> None:
    """End where a file names another version or another day than the changelog's of the one to be released."""
    texts = {name: (root / name).read_text("utf-8") for name in (PROGRAM, CITATION, CHANGELOG, METAINFO)}
    section = re.search(rf"^## \[{re.escape(of_version)}\] - (\d{{4}}-\d\d-\d\d)$", texts[CHANGELOG], re.M)
    day = section[1] if section else None
    wrong = []
    for name, what, pattern, wanted in (
        (PROGRAM, "version", r'^VERSION = "([^"]+)"$', of_version),
        (CITATION, "version", r"^version: *[\"']?([^\"'\s]+)", of_version),
        (CITATION, "date", r"^date-released: *[\"']?([^\"'\s]+)", day),
        (METAINFO, "version", r'<release version="([^"]+)"', _ordered(of_version)),
        (METAINFO, "date", r'<release version="[^"]+" (?:type="[^"]+" )?date="([^"]+)"', day),
    ):
        match = re.search(pattern, texts[name], re.M)
        if wanted is not None and (match is None or match[1] != wanted):
            wrong.append(f"{name} has {f'the {what} {match[1]}' if match else f'no {what}'}")
    if section is None:
        wrong.append(f"{CHANGELOG} has no section of it with a day")
    if wrong:
        raise SystemExit(
            f"the release is {of_version}, but {', '.join(wrong)}: "
            f"run python packaging/naming.py {of_version}, commit, and tag that commit"
        )


def _next(of_version: str) -> str:
    """Return how the changelog's head names the release that a candidate is of."""
    return f"[{'.'.join(re.findall(r'[0-9]+', of_version)[:3])}]"


def _ordered(of_version: str) -> str:
    """Return a version as software centres order it: a candidate, 1.2.3~rc1, before its release."""
    return re.sub(r"(?<=\d)(?=a|b|rc)", "~", of_version)


def _listed(metainfo: str, of_version: str, day: str) -> str:
    """Return the metadata with the release as the first of the list."""
    listed = _ordered(of_version)
    kind = "" if re.fullmatch(r"[\d.]+", of_version) else 'type="development" '
    entry = (
        f'    <release version="{listed}" {kind}date="{day}">\n'
        f'      <url type="details">{PAGE}{of_version}</url>\n    </release>\n'
    )
    rest = re.sub(rf' *<release version="{re.escape(listed)}".*?</release>\n', "", metainfo, flags=re.S)
    if "<releases>" not in rest:
        rest = rest.replace("  <content_rating", "  <releases>\n  </releases>\n  <content_rating", 1)
    return rest.replace("  <releases>\n", f"  <releases>\n{entry}", 1)


if __name__ == "__main__":
    sys.exit(main())
