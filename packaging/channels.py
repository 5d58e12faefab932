"""Fill in the files of conda-forge, Flathub, winget and Homebrew from the sums of a release:

    python packaging/channels.py --version 1.2.3 --sums SHA256SUMS --maintainer ACCOUNT [--output dist/channels]

``packaging/channels`` has them with ``@VERSION@``, ``@SHA256 name of a file@``, ``@MAINTAINER@`` and the codes of the
installer of Windows, since the sums of a release are those of its files, after they are signed. Where a sum is not
there, it ends and nothing is written."""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

from msi import UPGRADE_CODE, product_code

HERE = Path(__file__).resolve().parent
TEMPLATES = HERE / "channels"
RELEASE = re.compile(r"[0-9]+\.[0-9]+\.[0-9]+")
SUM = re.compile(r"([0-9a-fA-F]{64})[ \t]+\*?(.+)")


def main() -> int:
    """Write the files, and print their paths."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--version", required=True, help="the release, such as 1.2.3")
    parser.add_argument("--sums", type=Path, required=True, help="SHA256SUMS of the release")
    parser.add_argument("--maintainer", required=True, help="the account that keeps the recipe of conda-forge")
    parser.add_argument("--output", type=Path, default=HERE.parent / "dist" / "channels", help="a folder")
    options = parser.parse_args()
    texts = filled(options.version, sums(options.sums), options.maintainer)
    for name, text in texts.items():
        path = options.output / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        print(path)
    return 0


def sums(path: Path) -> dict[str, str]:
    """Return the sum of each file in what ``sha256sum`` printed.

    Raises:
        SystemExit: a line is none of it.
    """
    by_name: dict[str, str] = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if not line.strip():
            continue
        match = SUM.fullmatch(line)
        if match is None:
            raise SystemExit(f"{path}, line {number}: no sum and name as sha256sum prints them")
        by_name[match[2]] = match[1].lower()
    return by_name


def filled(version: str, sums: dict[str, str], maintainer: str) -> dict[str, str]:
    """Return the texts of the files by their place in packaging/channels.

    Raises:
        SystemExit: the version is no release, or files that are named have no sum.
    """
    if RELEASE.fullmatch(version) is None:
        raise SystemExit(f"{version} is no release such as 1.2.3: these files are for releases alone")
    missing: set[str] = set()

    def of_file(match: re.Match[str]) -> str:
        name = match[1].replace("{version}", version)
        if name not in sums:
            missing.add(name)
        return sums.get(name, "")

    texts = {}
    for path in sorted(TEMPLATES.rglob("*")):
        if path.is_file():
            text = re.sub(r"@SHA256 ([^@]+)@", of_file, path.read_text(encoding="utf-8"))
            text = text.replace("@VERSION@", version).replace("@MAINTAINER@", maintainer)
            text = text.replace("@PRODUCT_CODE@", product_code(version)).replace("@UPGRADE_CODE@", UPGRADE_CODE)
            texts[path.relative_to(TEMPLATES).as_posix()] = text
    if missing:
        raise SystemExit(
            f"no sum of {', '.join(sorted(missing))}: the release must have all files, and SHA256SUMS their sums"
        )
    return texts


if __name__ == "__main__":
    sys.exit(main())
