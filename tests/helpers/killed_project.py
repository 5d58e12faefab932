"""Makes judgments in a project, process after process, each killed at a random moment; says what was lost.

    killed_project.py PROJECT TIMES SEED [kept | loading | shared | tags]

Every process opens the project (``kept``: the work that the one before left without a project; ``shared``: while
another process, which is killed as well, has it open and saves; ``loading``: and is killed before it has opened it or
just after; ``tags``: it gives queries the tag of a failure instead, each another one), judges documents, whose ids
begin with characters that nobody sees, writes notes, and acknowledges through a pipe what the session shows as saved.
It is killed by SIGKILL; what was acknowledged by it and by all before it must be in the file. Processes are forked
from one that has imported everything, so that two hundred take seconds; that one uses no thread. The last line printed
is a JSON object of counts."""

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

from odd_names import UNSEEN

from irviewer.formats.project_file import read_project
from irviewer.session.projects.recovery import Recovery, recovery_folder
from irviewer.session.session import Session
from irviewer.session.settings import Settings

Post = Callable[[], None]


def main() -> int:
    """Run it; 1 where something acknowledged is not in the file."""
    project, times, seed = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    kind = sys.argv[4] if len(sys.argv) > 4 else ""
    dice = random.Random(seed)
    _import_everything(project)
    promised: set[str] = set()
    counts = {"killed": 0, "acknowledged": 0, "killed while saving": 0, "not acknowledged but there": 0}
    while counts["killed"] < times:
        number = counts["killed"]
        made_before, acknowledged, killed = 0, set(), 1
        if kind == "loading" and dice.random() < 0.7:
            _one(project, number, -1, dice.uniform(0.0, 0.03), kind)
        elif kind == "shared":
            made_before, acknowledged = _two(project, number, dice)
            killed = 2
        else:
            made_before, acknowledged = _one(project, number, dice.randrange(5), dice.uniform(0.0, 0.012), kind)
        promised |= acknowledged
        counts["killed"] += killed
        counts["acknowledged"] += len(acknowledged)
        counts["killed while saving"] += made_before > len(acknowledged)
        saved_work = _found(project, kept=kind == "kept", tags=kind == "tags")
        if not promised <= saved_work:
            print(f"process {number}: lost {sorted(promised - saved_work)[:5]} of {len(promised)}", file=sys.stderr)
            return 1
        counts["not acknowledged but there"] = len(saved_work) - len(promised)
    print(json.dumps(counts))
    return 0


def _import_everything(project: Path) -> None:
    """What the processes need is imported, and no thread begun: work is done at once where nobody is posted to."""
    session = Session(Settings())
    session.files.open_files([str(path) for path in sorted(project.parent.glob("small.*"))])
    session.judging.judge("d1", 1.0)
    session.close()


class _Process:
    """A process that judges; ``told`` is what it has said so far."""

    def __init__(self, project: Path, number: int, kind: str) -> None:
        self.number = number
        self.output = b""
        self._pipe, write = os.pipe()
        self._child = os.fork()
        if self._child == 0:
            os.close(self._pipe)
            try:
                _judge(project, number, write, kept=kind == "kept", tags=kind == "tags")
            finally:
                os._exit(3)  # whatever happens, it must not go on as its parent
        os.close(write)

    def hear(self, until: Callable[[bytes], bool]) -> None:
        """Wait for what it says."""
        while not until(self.output) and (piece := os.read(self._pipe, 1 << 16)):
            self.output += piece

    def kill(self) -> tuple[int, set[str]]:
        """(how many documents it judged, which of them it acknowledged), now that it is no more."""
        os.kill(self._child, signal.SIGKILL)
        self.hear(lambda output: False)
        os.close(self._pipe)
        _, status = os.waitpid(self._child, 0)
        if not os.WIFSIGNALED(status):
            said = self.output.decode(errors="replace")
            raise SystemExit(f"process {self.number} ended by itself, status {status}: {said}")
        # A line that was cut was never acknowledged.
        lines = [line.split() for line in self.output.decode().split("\n")[:-1]]
        n_made = sum(1 for line in lines if line[0] == "made")
        return n_made, {line[1] for line in lines if line[0] == "saved"}


def _one(project: Path, number: int, saves: int, life: float, kind: str) -> tuple[int, set[str]]:
    """(how many documents a process judged, which of them it acknowledged) before it was killed: some seconds after so
    many times that it had said that all is saved; -1: whether it has opened the project or not."""
    process = _Process(project, number, kind)
    if saves >= 0:
        process.hear(lambda output: output.count(b"all\n") >= saves and b"open\n" in output)
    time.sleep(life)
    return process.kill()


def _two(project: Path, number: int, dice: random.Random) -> tuple[int, set[str]]:
    """The same of two at once, killed one after the other."""
    pair = [_Process(project, number, "shared"), _Process(project, number + 1, "shared")]
    for process in pair:
        saves = dice.randrange(4)
        process.hear(lambda output, saves=saves: output.count(b"all\n") >= saves and b"open\n" in output)  # type: ignore[misc]
    n_made, acknowledged = 0, set()
    dice.shuffle(pair)
    for process in pair:
        time.sleep(dice.uniform(0.0, 0.03))
        more, said = process.kill()
        n_made, acknowledged = n_made + more, acknowledged | said
    return n_made, acknowledged


QUERIES = 60
"""The queries of each process that gives them tags."""
TAG = "wrong term"


def _judge(project: Path, number: int, pipe: int, *, kept: bool, tags: bool) -> NoReturn:
    calls: queue.SimpleQueue[Post] = queue.SimpleQueue()
    session = Session(Settings(Path(os.environ["IRVIEWER_CONFIG_DIR"]) / "settings.json"), post=calls.put)
    session.projects.offer_unsaved_work()
    while session.store.tasks.under_way("find unsaved work"):
        calls.get()()
    if kept and session.projects.unsaved_work:
        session.projects.restore_work()
    elif kept:
        session.files.open_files([str(path) for path in sorted(project.parent.glob("small.*"))])
    else:
        session.projects.open_project(str(project))
    while session.view.collection is None or session.busy is not None:
        calls.get()()
    os.write(pipe, b"open\n")
    dice = random.Random(number)
    waiting: list[str] = []
    count = 0
    while True:
        for _ in range(dice.choice((1, 1, 1, 3))):
            if tags and count == QUERIES:
                signal.pause()
            name = f"q{number}-{count}" if tags else f"{dice.choice(UNSEEN)}d{number}-{count}"
            count += 1
            waiting.append(name)
            os.write(pipe, f"made {name}\n".encode())
            if tags:
                session.navigation.set_query(name)
                session.failure_loop.switch_tag(TAG)
            elif dice.random() < 0.3:
                session.notes.set_note("document", name, f"note {count}")
            else:
                session.judging.judge(name, float(dice.randrange(4)), query_id=dice.choice(("1", "2")))
        if not tags and dice.random() < 0.5:
            session.navigation.set_query(dice.choice(("1", "2")))
        while not session.autosave.is_saved and not session.autosave.at_risk:
            calls.get()()
        if session.autosave.save_status not in ("saved", "stored, not in a project"):
            os.write(pipe, f"status {session.autosave.save_status!r}: {session.autosave.save_account}\n".encode())
            os._exit(4)
        os.write(pipe, ("".join(f"saved {key}\n" for key in waiting) + "all\n").encode())
        waiting.clear()


def _found(project: Path, *, kept: bool, tags: bool) -> set[str]:
    """The documents of which the file says something; with ``tags`` the queries that have the tag."""
    if kept:
        left = Recovery(recovery_folder(Settings(Path(os.environ["IRVIEWER_CONFIG_DIR"]) / "settings.json"))).left()
        if not left:
            return set()
        project = left[0].path
    (collection,) = read_project(project)["collections"]
    if tags:
        return {row[1] for row in collection["failure_tags"]["examined"] if row[2] == [TAG]}
    judged = {row[1] for record in collection["judgments"] for row in record.get("judged", ())}
    return judged | {row[0] for row in collection.get("remarks", {}).get("document", ())}


if __name__ == "__main__":
    raise SystemExit(main())
