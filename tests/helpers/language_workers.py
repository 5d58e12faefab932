"""Processes that answer the same requests in English and in Spanish."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

HELPERS = Path(__file__).parent
LANGUAGES = ("en", "es")


class Worker:
    """A script that reads a request from each line and writes its answer, in one language."""

    def __init__(self, script: Path, language: str) -> None:
        environment = {
            **os.environ, "IRVIEWER_LANGUAGE": language, "QT_QPA_PLATFORM": "offscreen",
            "PYTHONPATH": os.pathsep.join([str(HELPERS.parents[1]), str(HELPERS)]),
        }  # fmt: skip
        self.process = subprocess.Popen(
            [sys.executable, str(script)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
        )

    def ask(self, request: dict[str, Any]) -> None:
        """Send a request; other workers can be asked meanwhile."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()

    def answer(self) -> dict[str, Any]:
        """Wait for the answer to the last request."""
        assert self.process.stdout is not None
        answer: dict[str, Any] = json.loads(self.process.stdout.readline())
        assert "error" not in answer, answer["error"]
        return answer


def workers_of(script: Path) -> Iterator[list[Worker]]:
    """Yield a worker for each language, and end them afterwards."""
    every = [Worker(script, language) for language in LANGUAGES]
    yield every
    for worker in every:
        worker.process.communicate()
