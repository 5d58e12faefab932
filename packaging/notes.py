"""Print the notes of a release: ``python packaging/notes.py [--version 1.2.3]``.

They are what the changelog's section of it begins with, what is new in short, and the ways in."""

from __future__ import annotations

import argparse
import re
import sys

from versions import ROOT, version

FILES = "https://github.com/irviewer/irviewer/blob/v"
WAYS = """
## Ways in

With Python 3.11 or later, one of these:

```sh
pip install irviewer
pipx install irviewer
uvx irviewer qrels run
```

Without Python, one of the files below: the Debian package, the AppImage, the disk image of macOS, the msi of Windows.
Then `irviewer --sample` opens a sample. To check what was downloaded, with `SHA256SUMS` beside it:

```sh
sha256sum --check --ignore-missing SHA256SUMS
gh attestation verify FILE --repo irviewer/irviewer
```

`irviewer.cdx.json` lists the packages that the Debian package and the AppImage are made of (CycloneDX)."""


def main() -> int:
    """Print the notes."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--version", default="", help="the version (default: that of the checkout)")
    of_version = parser.parse_args().version or version()
    print(notes((ROOT / "CHANGELOG.md").read_text("utf-8"), of_version))
    return 0


def notes(changelog: str, of_version: str) -> str:
    """Return the notes, with links that lead to the files of the tag.

    Raises:
        SystemExit: the changelog has no section of the version.
    """
    section = re.search(rf"^## \[{re.escape(of_version)}\].*?\n(.*?)(?=^###? |\Z)", changelog, re.M | re.S)
    if section is None:
        raise SystemExit(f"CHANGELOG.md has no section of {of_version}")
    page = f"{FILES}{of_version}/"
    text = re.sub(r"\]\(#", f"]({page}CHANGELOG.md#", section[1].strip())
    text = re.sub(r"\]\((?!https?://)", f"]({page}", text)
    text = text.replace("details are below", f"details are in the [changelog]({page}CHANGELOG.md)")
    return f"{text}\n{WAYS}"


if __name__ == "__main__":
    sys.exit(main())
