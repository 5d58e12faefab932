"""Code of other packages costs only its own result, whatever it does: 31 misdeeds in a measure and in a format."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from patience import LONG_PROCESS

from irviewer.installed.guard import MOST_TOLD, guarded, told

ROOT = Path(__file__).resolve().parents[2]


class SilentError(Exception):
    """An error that cannot be shown."""

    def __repr__(self) -> str:
        raise SystemExit


def test_the_streams_are_as_before_whatever_became_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    output, errors = io.StringIO(), io.StringIO()
    monkeypatch.setattr(sys, "stdout", output)
    monkeypatch.setattr(sys, "stderr", errors)
    with guarded():
        print("a line")
        sys.stdout.close()
    with guarded():
        sys.stdout = io.StringIO()
        sys.stderr = None  # type: ignore[assignment]
    with guarded(), guarded():
        sys.stdout = None  # type: ignore[assignment]
    assert sys.stdout is output
    assert sys.stderr is errors
    print("ours")
    assert (output.getvalue(), errors.getvalue()) == ("ours\n", "a line\n")


def test_how_numpy_treats_errors_is_as_before() -> None:
    before = np.geterr()
    with guarded():
        np.seterr(all="raise")
    assert np.geterr() == before


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (ValueError("x"), "ValueError('x')"),
        (SilentError(), "SilentError"),
        (ValueError("\u202e\x1b[31m"), r"ValueError('\u202e\x1b[31m')"),
    ],
)
def test_the_text_of_an_exception_is_a_short_line(error: Exception, text: str) -> None:
    assert f"{told(error)!r}" == text
    assert len(told(ValueError("x" * 5000))) == MOST_TOLD


def test_no_misdeed_of_a_plugin_costs_anything_of_others(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "tests/helpers/misbehaving.py"), str(tmp_path)],
        env={**os.environ, "PYTHONPATH": str(ROOT), "IRVIEWER_CONFIG_DIR": str(tmp_path / "config")},
        capture_output=True, text=True, check=False, timeout=LONG_PROCESS,
    )  # fmt: skip
    assert done.returncode == 0, f"{done.stdout[-4000:]}{done.stderr[-4000:]}"
    counts = json.loads(done.stdout.splitlines()[-1])
    assert counts["misdeeds"] > 100
    assert counts["faults"] == 0
