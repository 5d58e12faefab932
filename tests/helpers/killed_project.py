"""Makes judgments in a project, process after process, each killed at a random moment; says what was lost.

    killed_project.py PROJECT TIMES SEED [kept]

Every process opens the project (with ``kept``: the work that the one before left without a project), judges documents
and writes notes, and acknowledges through a pipe what the session shows as saved. It is killed by SIGKILL; what was
acknowledged by it and by all before it must be in the file. Processes are forked from one that has imported everything,
so that two hundred take seconds; that one uses no thread. The last line printed is a JSON object of counts."""

from __future__ import annotations

import json
import os
import queue
import random
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

from irviewer.formats.project_file import read_project
from irviewer.session.projects.recovery import Recovery, recovery_folder
from irviewer.session.session import Session
from irviewer.session.settings import Settings

Post = Callable[[], None]


def main() -> int:
    """Run it; 1 where something acknowledged is not in the file."""
    project, times, seed, kept = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:] == ["kept"]
    dice = random.Random(seed)
    _import_everything(project)
    promised: set[str] = set()
    counts = {"killed": 0, "acknowledged": 0, "killed while saving": 0, "not acknowledged but there": 0}
    for number in range(times):
        made, acknowledged = _one(project, number, dice.randrange(5), dice.uniform(0.0, 0.012), kept=kept)
        promised |= acknowledged
        counts["killed"] += 1
        counts["acknowledged"] += len(acknowledged)
        counts["killed while saving"] += made > len(acknowledged)
        found = _found(project, kept=kept)
        if not promised <= found:
            print(f"process {number}: lost {sorted(promised - found)[:5]} of {len(promised)}", file=sys.stderr)
            return 1
        counts["not acknowledged but there"] = len(found) - len(promised)
    print(json.dumps(counts))
    return 0


def _import_everything(project: Path) -> None:
    """What the processes need is imported, and no thread begun: work is done at once where nobody is posted to."""
    session = Session(Settings())
    session.open_files([str(one) for one in sorted(project.parent.glob("small.*"))])
    session.judge("d1", 1.0)
    session.close()


def _one(project: Path, number: int, saves: int, life: float, *, kept: bool) -> tuple[int, set[str]]:
    """(how many documents a process judged, which of them it acknowledged) before it was killed: some seconds after so
    many times that it had said that all is saved."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        try:
            _judge(project, number, write, kept=kept)
        finally:
            os._exit(3)  # whatever happens, it must not go on as its parent
    os.close(write)
    begun = os.read(read, 1)  # the project is open
    told = b""
    while told.count(b"all\n") < saves and (piece := os.read(read, 1 << 16)):
        told += piece
    time.sleep(life)
    os.kill(child, signal.SIGKILL)
    while piece := os.read(read, 1 << 16):
        told += piece
    os.close(read)
    _, status = os.waitpid(child, 0)
    if begun != b"+" or not os.WIFSIGNALED(status):
        raise SystemExit(f"process {number} ended by itself, status {status}: {told.decode(errors='replace')}")
    # A line that was cut was never acknowledged.
    lines = [line.split() for line in told.decode().split("\n")[:-1]]
    made = sum(1 for line in lines if line[0] == "made")
    return made, {line[1] for line in lines if line[0] == "saved"}


def _judge(project: Path, number: int, pipe: int, *, kept: bool) -> NoReturn:
    calls: queue.SimpleQueue[Post] = queue.SimpleQueue()
    session = Session(Settings(Path(os.environ["IRVIEWER_CONFIG_DIR"]) / "settings.json"), post=calls.put)
    session.offer_left_work()
    if kept and session.left_work:
        session.restore_work()
    elif kept:
        session.open_files([str(one) for one in sorted(project.parent.glob("small.*"))])
    else:
        session.open_project(str(project))
    while session.collection is None or session.busy is not None:
        calls.get()()
    os.write(pipe, b"+")
    dice = random.Random(number)
    waiting: list[str] = []
    count = 0
    while True:
        for _ in range(dice.choice((1, 1, 1, 3))):
            name = f"d{number}-{count}"
            count += 1
            waiting.append(name)
            os.write(pipe, f"made {name}\n".encode())
            if dice.random() < 0.3:
                session.set_note("document", name, f"note {count}")
            else:
                session.judge(name, float(dice.randrange(4)), query_id=dice.choice(("1", "2")))
        if dice.random() < 0.5:
            session.set_query(dice.choice(("1", "2")))
        while not session.is_saved:
            calls.get()()
        if session.save_status not in ("saved", "kept, not in a project"):
            os.write(pipe, f"status {session.save_status!r}: {session.save_account}\n".encode())
            os._exit(4)
        os.write(pipe, ("".join(f"saved {one}\n" for one in waiting) + "all\n").encode())
        waiting.clear()


def _found(project: Path, *, kept: bool) -> set[str]:
    """The documents of which the file says something."""
    if kept:
        left = Recovery(recovery_folder(Settings(Path(os.environ["IRVIEWER_CONFIG_DIR"]) / "settings.json"))).left()
        if not left:
            return set()
        project = left[0].path
    (collection,) = read_project(project)["collections"]
    judged = {row[1] for one in collection["judgments"] for row in one.get("judged", ())}
    return judged | {row[0] for row in collection.get("remarks", {}).get("document", ())}


if __name__ == "__main__":
    raise SystemExit(main())
