"""Build the self-contained folder: a new environment, PyInstaller with irviewer.spec, and what stands beside it.

Needs nothing but Python and a checkout; uses nothing that lies in the checkout untracked but ``build/``."""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

from source_only import ignored

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
BESIDE = (
    "resources/desktop/irviewer.desktop",
    "resources/desktop/irviewer.xml",
    "resources/desktop/org.irviewer.irviewer.metainfo.xml",
    "resources/icons/irviewer.svg",
    "resources/icons/irviewer-256.png",
    "LICENSE",
)


def main() -> int:
    """``python3 packaging/build.py [--output DIR] [--work DIR]``: prints where the folder is."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--output", type=Path, default=ROOT / "dist", help="the folder irviewer/ is made in (default: dist)"
    )
    parser.add_argument(
        "--work", type=Path, default=ROOT / "build", help="for the environment and PyInstaller's own files"
    )
    options = parser.parse_args()
    output, work = options.output.resolve(), options.work.resolve()
    if sys.platform.startswith("linux") and shutil.which("strip") is None:
        print("The build needs objdump and strip; on Debian and Ubuntu: sudo apt-get install binutils", file=sys.stderr)
        return 2
    python = make_environment(work / "venv")
    run(python, "-m", "PyInstaller", "--noconfirm", "--clean", "--log-level", "WARN",
        "--distpath", output, "--workpath", work / "pyinstaller", HERE / "irviewer.spec")  # fmt: skip
    folder = output / "irviewer"
    if sys.platform.startswith("linux"):
        strip_debugging(folder / "_internal")
    for name in BESIDE:
        shutil.copy(ROOT / name, folder)
    if sys.platform == "win32":  # for the list of installed programs
        shutil.copy(work / "pyinstaller" / "irviewer" / "irviewer.ico", folder)
    shutil.copytree(ROOT / "LICENSES", folder / "LICENSES", ignore=ignored, dirs_exist_ok=True)
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    print(f"{folder}: {size / 1e6:.0f} MB")
    return 0


def make_environment(folder: Path) -> Path:
    """A new environment that holds the program, its dependencies and PyInstaller; gives its interpreter."""
    venv.create(folder, clear=True, with_pip=True)
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    run(python, "-m", "pip", "install", "-q", f"{ROOT}[packaging,excel]")
    return python


def strip_debugging(folder: Path) -> None:
    """Remove what only debuggers read from the libraries below a folder: a tenth of the bundle.

    Those in NAME.libs stay as they are: strip spoils some libraries that were moved there from elsewhere."""
    libraries = [
        path
        for path in folder.rglob("*.so*")
        if path.is_file() and not path.is_symlink() and not path.parent.name.endswith(".libs")
    ]
    run("strip", "--strip-debug", *libraries)


def run(*command: object) -> None:
    """Run a step; the build ends where one fails."""
    print("+", *command[:12], "…" if len(command) > 12 else "", flush=True)
    done = subprocess.run([str(word) for word in command], cwd=ROOT, check=False)
    if done.returncode:
        raise SystemExit(f"packaging: {command[0]} ended with {done.returncode}")


if __name__ == "__main__":
    sys.exit(main())
