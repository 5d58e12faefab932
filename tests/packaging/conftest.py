"""What is given away, built once: a wheel in an empty environment, and the self-contained folder."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest
from given import Given

ROOT = Path(__file__).parents[2]


def _build(*command: object) -> None:
    done = subprocess.run([str(word) for word in command], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    _build(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, ROOT)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="session")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Given:
    """The wheel in an environment that was empty, with nothing of the checkout in reach."""
    folder = tmp_path_factory.mktemp("installed")
    venv.create(folder / "venv", with_pip=True)
    binaries = folder / "venv" / "bin"
    _build(binaries / "python", "-m", "pip", "install", "-q", "--retries", "10", "--timeout", "60", wheel)
    own = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV", "QT_"))}
    return Given(binaries / "irviewer", folder, own, binaries / "python")


@pytest.fixture(scope="session")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Given:
    """The self-contained folder, started with no Python, no program and no setting in reach.

    It is built now, unless IRVIEWER_BUNDLE names one."""
    folder = tmp_path_factory.mktemp("bundle")
    built = os.environ.get("IRVIEWER_BUNDLE")
    if built is None:
        _build(sys.executable, ROOT / "packaging" / "build.py", "--output", folder / "dist", "--work", folder / "build")
    home = folder / "home"
    home.mkdir()
    bare = {"HOME": str(home), "PATH": "/nonexistent", "LANG": "C.UTF-8"}
    return Given((Path(built) if built else folder / "dist" / "irviewer") / "irviewer", home, bare)
