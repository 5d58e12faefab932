"""Build the two wheels: irviewer-core (command line and Python) and irviewer (the window and the figures).

    python packaging/wheels.py [--output DIR] [--sources]

They share the folder ``irviewer`` of an installation, and no file: each can be removed alone. A checkout is installed
whole. The core has the manual pages. ``--sources`` also makes the archives of sources from which the same wheels are
built. Needs ``build`` and ``hatchling`` (``pip install -e '.[test]'``)."""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import catalogues  # noqa: E402 - scripts beside this one
import manpages  # noqa: E402
from source_only import ignored  # noqa: E402
from versions import stamp, version  # noqa: E402

ROOT = HERE.parent
REPOSITORY = "https://github.com/irviewer/irviewer"
RAW = "https://raw.githubusercontent.com/irviewer/irviewer"
WINDOW = (
    "irviewer/gui",
    "irviewer/rendering/matplotlib_figure.py",
    "irviewer/rendering/formula.py",
    "irviewer/rendering/font_list.py",
    "resources/fonts",
    "resources/icons",
    "resources/desktop",
)
"""What the wheel irviewer holds; the other files are in irviewer-core."""
OF_WINDOW = ("PySide6-Essentials", "pyqtgraph", "matplotlib")
"""The dependencies of the wheel irviewer, besides irviewer-core."""
CONSOLE = "Environment :: Console"
CORE_DESCRIPTION = "The command line and Python functions of irviewer, the debugger for rankings, without its window."


def main() -> int:
    """Build both wheels, and print their paths."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, default=ROOT / "dist", help="the folder of the wheels (default: dist)")
    parser.add_argument("--version", default="", help="the version of the wheels (default: that of the checkout)")
    parser.add_argument("--sources", action="store_true", help="make the archives of sources too")
    options = parser.parse_args()
    kinds = ("wheel", "sdist") if options.sources else ("wheel",)
    for path in build(options.output.resolve(), options.version or version(), kinds):
        print(path)
    return 0


def build(output: Path, of_version: str, kinds: Sequence[str] = ("wheel",)) -> list[Path]:
    """Build both wheels into a folder, or archives of sources ("sdist"), and return their paths: core first."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    catalogues.compile_changed()
    with tempfile.TemporaryDirectory() as folder:
        core, window = Path(folder) / "core", Path(folder) / "window"
        for tree in (core, window):
            for name in ("irviewer", "resources"):
                shutil.copytree(ROOT / name, tree / name, ignore=ignored)
            for text in project["license-files"]:
                (tree / text).parent.mkdir(exist_ok=True)
                shutil.copy(ROOT / text, tree / text)
            text = (ROOT / "README.md").read_text(encoding="utf-8")
            (tree / "README.md").write_text(absolute_links(text, of_version), encoding="utf-8")
        for name in WINDOW:
            _remove(core / name)
        _keep_only(window, WINDOW)
        stamp(core, of_version)
        manpages.write(core / "man", of_version)
        (core / "pyproject.toml").write_text(_core(project, of_version), encoding="utf-8")
        (window / "pyproject.toml").write_text(_window(project, of_version), encoding="utf-8")
        return [_built(kind, tree, output) for kind in kinds for tree in (core, window)]


def _core(project: dict[str, Any], of_version: str) -> str:
    dependencies = [name for name in project["dependencies"] if not name.startswith(OF_WINDOW)]
    kinds = [name for name in project["classifiers"] if not name.startswith("Environment ::") or name == CONSOLE]
    texts = {"name": "irviewer-core", "description": CORE_DESCRIPTION, "classifiers": kinds}
    scripts = "\n".join(f'{name} = "{where}"' for name, where in project["scripts"].items())
    return (
        _pyproject({**project, **texts}, of_version, dependencies)
        + f"\n[project.scripts]\n{scripts}\n"
        + '\n[tool.hatch.build.targets.wheel.shared-data]\n"man" = "share/man"\n'
    )


def _window(project: dict[str, Any], of_version: str) -> str:
    dependencies = [name for name in project["dependencies"] if name.startswith(OF_WINDOW)]
    return _pyproject(project, of_version, [f"irviewer-core=={of_version}", *dependencies])


def _pyproject(project: dict[str, Any], of_version: str, dependencies: list[str]) -> str:
    """Return the project file of a wheel."""

    def texts(values: list[str]) -> str:
        return "[" + ", ".join(f'"{_escaped(value)}"' for value in values) + "]"

    urls = "\n".join(f'{name} = "{address}"' for name, address in project["urls"].items())
    return f"""\
[build-system]
requires = ["hatchling>=1.24"]
build-backend = "hatchling.build"

[project]
name = "{project["name"]}"
version = "{of_version}"
description = "{_escaped(project["description"])}"
readme = "README.md"
license = "{project["license"]}"
license-files = {texts(project["license-files"])}
requires-python = "{project["requires-python"]}"
keywords = {texts(project["keywords"])}
classifiers = {texts(project["classifiers"])}
dependencies = {texts(dependencies)}

[project.urls]
{urls}

[tool.hatch.build.targets.sdist]
include = ["/irviewer", "/resources", "/man", "/README.md", "/LICENSE", "/LICENSES"]

[tool.hatch.build.targets.wheel]
packages = ["irviewer"]

[tool.hatch.build.targets.wheel.force-include]
"resources" = "irviewer/resources"
"""


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink()


def _keep_only(tree: Path, names: tuple[str, ...]) -> None:
    kept = [tree / name for name in names]
    for path in sorted((tree / "irviewer").rglob("*")) + sorted((tree / "resources").rglob("*")):
        if path.is_file() and not any(path == folder_kept or folder_kept in path.parents for folder_kept in kept):
            path.unlink()


def absolute_links(text: str, of_version: str) -> str:
    """Return a page whose pictures and links to files lead to the repository, at the tag or commit of a version. A
    package index shows the page alone."""
    commit = re.search(r"\+g([0-9a-f]+)$", of_version)
    at = commit.group(1) if commit else f"v{of_version}"
    text = re.sub(r"(!\[[^\]]*\]\()(?![a-z]+:|#)", rf"\g<1>{RAW}/{at}/", text)
    return re.sub(r"((?<!!)\[[^\]!]*\]\()(?![a-z]+:|#)", rf"\g<1>{REPOSITORY}/blob/{at}/", text)


def _built(kind: str, tree: Path, output: Path) -> Path:
    ending = {"wheel": "*.whl", "sdist": "*.tar.gz"}[kind]
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, "-m", "build", f"--{kind}", "--no-isolation", "--outdir", folder, str(tree)],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        if done.returncode:
            raise SystemExit(f"{tree.name}: {done.stdout}\n{done.stderr}")
        (built,) = Path(folder).glob(ending)
        output.mkdir(parents=True, exist_ok=True)
        return Path(shutil.copy(built, output))


if __name__ == "__main__":
    sys.exit(main())
