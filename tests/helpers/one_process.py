"""Commands of the program in one process of their own: a start takes longer than most commands do."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from patience import LONG_PROCESS

SCRIPT = """
import json, os, sys, tempfile
from irviewer.__main__ import main
answers = []
wanted = json.load(sys.stdin)
answer = os.fdopen(os.dup(1), "w", encoding="utf-8")
own_errors = os.dup(2)
for words in wanted:
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as errors:
        os.dup2(out.fileno(), 1)
        os.dup2(errors.fileno(), 2)
        try:
            status = main(words)
        except SystemExit as stop:
            status = int(stop.code or 0)
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os.dup2(own_errors, 2)
        texts = []
        for file in (out, errors):
            file.seek(0)
            texts.append(file.read().decode("utf-8"))
        answers.append([status, *texts])
answer.write(json.dumps(answers))
answer.close()
"""


def results(
    lines: Sequence[Sequence[str]], folder: Path, environment: Mapping[str, str]
) -> list[subprocess.CompletedProcess[str]]:
    """Run commands one after the other in a new process, in this folder and environment; one that raises ends all."""
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], cwd=folder, env={**environment, "PYTHONIOENCODING": "utf-8"},
        input=json.dumps([list(line) for line in lines]), capture_output=True, text=True, timeout=LONG_PROCESS,
        check=False, encoding="utf-8",
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    answers = json.loads(done.stdout)
    return [subprocess.CompletedProcess(list(line), *answer) for line, answer in zip(lines, answers, strict=True)]
