"""Windows that were closed leave nothing behind: memory stays flat."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
from pathlib import Path

import pytest
from patience import LONG_PROCESS

TIMES = int(os.environ.get("IRVIEWER_OPENED", "20"))
"""How often a window is opened and closed; 200 for a long run."""


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is read from /proc")
def test_opening_and_closing_keeps_memory_flat(tmp_path: Path) -> None:
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "IRVIEWER_CONFIG_DIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-m", "tests.end_to_end.open_and_close", str(TIMES)],
        capture_output=True, text=True, timeout=LONG_PROCESS * 10, check=False, env=environment,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-4000:]
    sizes = [float(line) for line in done.stdout.split()]
    assert len(sizes) == TIMES
    early, late = statistics.median(sizes[3:8]), statistics.median(sizes[-5:])
    assert late <= early * 1.1, sizes
