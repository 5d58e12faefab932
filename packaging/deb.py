"""Make the Debian package from the bundle: ``build/venv/bin/python packaging/deb.py [--bundle DIR] [--output DIR]``.

That is the Python of build.py, which has what the manual pages are made from.

It needs Debian or Ubuntu (dpkg-deb, objdump). The package depends on what the bundle's libraries are linked with and
the bundle does not hold; the C library must be that of the building machine or newer."""

from __future__ import annotations

import argparse
import gzip
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from email.utils import formatdate
from pathlib import Path

import manpages
from debian_packages import package_of
from linux_tree import PROGRAM, lay_out
from source_only import is_source_only
from versions import version

ROOT = Path(__file__).resolve().parent.parent
MAINTAINER = "The irviewer developers <irviewer@users.noreply.github.com>"
ALWAYS = ("libegl1", "libgl1", "fontconfig-config")
"""Packages that no library is linked with: Qt loads those of the graphics driver, fontconfig reads its settings."""
OVERRIDES = """\
# The folder is a whole program with its libraries, as PyInstaller makes it.
irviewer: embedded-library
irviewer: unstripped-binary-or-object
irviewer: hardening-no-fortify-functions
irviewer: hardening-no-bindnow
irviewer: hardening-no-relro
irviewer: custom-library-search-path
irviewer: shared-library-is-executable
irviewer: shared-library-lacks-prerequisites
irviewer: sharedobject-in-library-directory-missing-soname
irviewer: library-not-linked-against-libc
irviewer: package-contains-documentation-outside-usr-share-doc
irviewer: extra-license-file
irviewer: font-in-non-font-package
irviewer: font-outside-font-dir
irviewer: truetype-font-prohibits-installable-embedding
irviewer: duplicate-font-file
irviewer: hardening-no-pie
# Not a package of the archive: no bug asked for it.
irviewer: initial-upload-closes-no-bugs
"""


def main() -> int:
    """Make the package, and print its path."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bundle", type=Path, default=ROOT / "dist" / "irviewer", help="what build.py made")
    parser.add_argument("--output", type=Path, default=ROOT / "dist", help="the folder of the package (default: dist)")
    parser.add_argument("--compression", default="xz", choices=("xz", "gzip", "zstd", "none"))
    options = parser.parse_args()
    print(build(options.bundle.resolve(), options.output.resolve(), options.compression))
    return 0


def build(bundle: Path, output: Path, compression: str = "xz") -> Path:
    """Make the package of a bundle in a folder, and return its path."""
    of_version = debian_version(version())
    architecture = _told("dpkg", "--print-architecture").strip()
    output.mkdir(parents=True, exist_ok=True)
    target = output / f"irviewer_{of_version}_{architecture}.deb"
    with tempfile.TemporaryDirectory(dir=output) as folder:
        tree = Path(folder)
        lay_out(bundle, tree / "usr")
        _write_documentation(tree / "usr" / "share", of_version)
        _write_help(bundle / "irviewer", tree / "usr" / "share")
        size = sum(path.stat().st_size for path in tree.rglob("*") if path.is_file() and not path.is_symlink())
        control = tree / "DEBIAN" / "control"
        control.parent.mkdir()
        control.write_text(
            f"""\
Package: irviewer
Version: {of_version}
Architecture: {architecture}
Maintainer: {MAINTAINER}
Installed-Size: {size // 1024}
Depends: {", ".join(dependencies(tree / "usr" / PROGRAM))}
Recommends: xdg-utils
Section: science
Priority: optional
Homepage: https://github.com/irviewer/irviewer
Description: debugger for the rankings of search systems
 irviewer opens relevance judgments (qrels) and any number of retrieval runs,
 without a network, and computes the numbers of trec_eval. For each query it
 shows the ranked lists side by side, coloured by relevance, next to the
 measures and curves; it compares runs with statistical tests, explains values
 rank by rank, and saves figures and tables for papers.
 .
 The package holds the program with everything it needs, Python and Qt included.
""",
            encoding="utf-8",
        )
        sums = [
            f"{_told('md5sum', str(path)).split()[0]}  {path.relative_to(tree)}"
            for path in sorted((tree / "usr").rglob("*"))
            if path.is_file() and not path.is_symlink()
        ]
        (tree / "DEBIAN" / "md5sums").write_text("\n".join(sums) + "\n", encoding="utf-8")
        tree.chmod(0o755)
        _told("dpkg-deb", f"-Z{compression}", "--root-owner-group", "--build", str(tree), str(target))
    return target


def debian_version(of_version: str) -> str:
    """Return a version of Python as Debian orders it: 1.2.3.dev4 comes before 1.2.3, as does a release candidate."""
    return re.sub(r"\.?(dev|rc|a|b)(\d)", r"~\1\2", of_version)


def dependencies(program: Path) -> list[str]:
    """Return the packages that hold what the libraries of a bundle are linked with and the bundle does not, sorted."""
    files = [path for path in program.rglob("*") if path.is_file() and not path.is_symlink()]
    elves = [str(path) for path in files if _start(path) == b"\x7fELF"]
    listing = _told("objdump", "-p", *elves)
    needed = set(re.findall(r"^  NEEDED +(\S+)$", listing, re.M)) - {path.name for path in program.rglob("*")}
    places = dict(re.findall(r"^\t(\S+) \([^)]*x86-64[^)]*\) => (\S+)$", _told("ldconfig", "-p"), re.M))
    packages = {package_of(places[name]) for name in needed if name in places}
    missing = sorted(needed - set(places))
    if missing:
        print("not on this machine, so no package is named:", *missing, file=sys.stderr)
    packages |= set(ALWAYS)
    versions = [tuple(map(int, text.split("."))) for text in re.findall(r"GLIBC_(\d+\.\d+)", listing)]
    newest = ".".join(map(str, max(versions)))
    return [f"{name} (>= {newest})" if name == "libc6" else name for name in sorted(packages)]


def _start(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(4)


def _write_documentation(share: Path, of_version: str) -> None:
    documents = share / "doc" / "irviewer"
    documents.mkdir(parents=True)
    (documents / "copyright").write_text(
        "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nUpstream-Name: irviewer\n"
        "Source: https://github.com/irviewer/irviewer\n"
        "Comment: The licences of the libraries are below /usr/lib/irviewer/_internal/licences;\n"
        " Qt and PySide6 are under LGPL-3, see /usr/share/common-licenses/LGPL-3.\n\n" + _licences(),
        encoding="utf-8",
    )
    entry = f"irviewer ({of_version}) unstable; urgency=medium\n\n  * See changelog.gz.\n\n -- {MAINTAINER}  "
    entry += formatdate(_moment()) + "\n"
    for name, text in (
        ("changelog.Debian.gz", entry),
        ("changelog.gz", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")),
    ):
        (documents / name).write_bytes(gzip.compress(text.encode("utf-8"), 9, mtime=0))
    overrides = share / "lintian" / "overrides" / "irviewer"
    overrides.parent.mkdir(parents=True)
    overrides.write_text(OVERRIDES, encoding="utf-8")
    for path in (documents, overrides.parent.parent):
        for inner in [path, *path.rglob("*")]:
            inner.chmod(0o755 if inner.is_dir() else 0o644)
    shutil.copymode(share, documents)


def _moment() -> float | None:
    """Return the time that the package states, SOURCE_DATE_EPOCH for builds that can be repeated (dpkg-deb takes it for
    the times of files); None is now."""
    seconds = os.environ.get("SOURCE_DATE_EPOCH")
    return int(seconds) if seconds else None


def _licences() -> str:
    """Return what ``REUSE.toml`` says of the program and of the files below ``resources``, in Debian's form, with the
    texts."""
    stanzas, used = [], []
    for each in tomllib.loads((ROOT / "REUSE.toml").read_text(encoding="utf-8"))["annotations"]:
        paths = [each["path"]] if isinstance(each["path"], str) else each["path"]
        shown = ["*" if path == "**" else f"*/{path.replace('**', '*')}" for path in paths if _is_given_away(path)]
        holders = each["SPDX-FileCopyrightText"]
        names = [holders] if isinstance(holders, str) else holders
        if shown:
            used.append(each["SPDX-License-Identifier"])
            files, copyright_ = "\n ".join(shown), "\n ".join(names)
            stanzas.append(f"Files: {files}\nCopyright: {copyright_}\nLicense: {used[-1]}\n")
    for name in dict.fromkeys(used):
        text = (ROOT / "LICENSES" / f"{name}.txt").read_text(encoding="utf-8")
        indented = "\n".join(f" {line}" if line.strip() else " ." for line in text.strip().splitlines())
        stanzas.append(f"License: {name}\n{indented}\n")
    return "\n".join(stanzas)


def _is_given_away(path: str) -> bool:
    return path == "**" or (path.startswith("resources/") and not is_source_only(path))


def _write_help(program: Path, share: Path) -> None:
    """Write the manual pages, packed, and the completion of shells."""
    for page in manpages.write(share / "man", version()):
        page.with_name(f"{page.name}.gz").write_bytes(gzip.compress(page.read_bytes(), 9, mtime=0))
        page.unlink()
    for shell, place in (
        ("bash", "bash-completion/completions/irviewer"),
        ("zsh", "zsh/vendor-completions/_irviewer"),
    ):
        path = share / place
        path.parent.mkdir(parents=True)
        path.write_text(_told(str(program), "completion", shell), encoding="utf-8")
    for folder in ("man", "bash-completion", "zsh"):
        for path in (share / folder, *(share / folder).rglob("*")):
            path.chmod(0o755 if path.is_dir() else 0o644)


def _told(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"packaging: {command[0]} ended with {done.returncode}\n{done.stderr}")
    return done.stdout


if __name__ == "__main__":
    sys.exit(main())
