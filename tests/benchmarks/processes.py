"""Sides that are whole processes: what each printed, how long it took, and its own processor time and memory."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from dataclasses import dataclass

from tests.benchmarks.case import PEAKS, SPENT

# Linux counts the memory of the process that starts another, with all that benchmarks before this one used, among the
# memory of the one that is started. So a process that has next to nothing starts it, waits for it, and says what the
# system counted.
START = """
import os, sys, time
report = int(sys.argv[1])
os.set_inheritable(report, False)
begun = time.perf_counter()
started = os.posix_spawn(sys.argv[2], sys.argv[2:], os.environ)
status, used = os.wait4(started, 0)[1:]
seconds = time.perf_counter() - begun
words = os.waitstatus_to_exitcode(status), seconds, used.ru_utime + used.ru_stime, used.ru_maxrss
os.write(report, " ".join(map(repr, words)).encode())
"""


@dataclass(frozen=True)
class Ended:
    """What a process printed, and the seconds from its start to its end."""

    output: str
    seconds: float


def run(name: str, command: list[str], **variables: str) -> Ended:
    """Run Python with these arguments and environment variables; it must print something of AP. Its peak memory and its
    processor time are noted under a name, where the system tells them."""
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "", **variables}
    whole = [sys.executable, *command]
    ended = _measured(name, whole, environment) if hasattr(os, "wait4") else _plain(whole, environment)
    assert "map" in ended.output or "AP" in ended.output
    return ended


def _plain(whole: list[str], environment: dict[str, str]) -> Ended:
    begun = time.perf_counter()
    output = subprocess.run(whole, env=environment, stdout=subprocess.PIPE, text=True, check=True).stdout
    return Ended(output, time.perf_counter() - begun)


def _measured(name: str, whole: list[str], environment: dict[str, str]) -> Ended:
    reading, writing = os.pipe()
    with os.fdopen(reading, "rb") as report:
        try:
            starting = [sys.executable, "-I", "-S", "-c", START, str(writing), *whole]
            output = subprocess.run(
                starting, env=environment, stdout=subprocess.PIPE, text=True, check=True, pass_fds=(writing,)
            ).stdout
        finally:
            os.close(writing)
        status, seconds, spent, peak = report.read().split()
    assert int(status) == 0, f"{name} ended with status {int(status)}"
    PEAKS[name] = max(PEAKS.get(name, 0), int(peak) / 1024)  # Linux counts kilobytes
    SPENT.setdefault(name, []).append(float(spent))
    return Ended(output, float(seconds))
