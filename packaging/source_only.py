"""What is in the source and in nothing that is made of it: Cranfield, as its texts state no licence, what makes that
sample, and the text that says so."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

ROOT = Path(__file__).resolve().parent.parent
PATHS = (
    "resources/samples/cranfield",
    "resources/samples/build_cranfield.py",
    "LICENSES/LicenseRef-Cranfield.txt",
)


def is_source_only(path: str) -> bool:
    """Return whether a path of the source, with slashes, is one of these, or is below one of them."""
    given = PurePosixPath(path)
    return any(given.is_relative_to(each) for each in PATHS)


def ignored(folder: str, inside: list[str]) -> set[str]:
    """Return which names inside a folder of the source ``shutil.copytree`` leaves out: these, and compiled Python."""
    here = Path(folder).resolve().relative_to(ROOT)
    return {name for name in inside if name == "__pycache__" or is_source_only((here / name).as_posix())}


def resources() -> dict[str, str]:
    """Return the files below ``resources`` that packages hold, and their paths in the program's folder."""
    files = (path for path in sorted((ROOT / "resources").rglob("*")) if path.is_file())
    kept = (path for path in files if "__pycache__" not in path.parts)
    inside = ((path, path.relative_to(ROOT).as_posix()) for path in kept)
    return {str(path): f"irviewer/{name}" for path, name in inside if not is_source_only(name)}
