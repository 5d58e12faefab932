"""Exports and first readings, killed at random moments; says what was left half done.

    killed_writing.py FOLDER TIMES SEED [exports | readings]

``exports``: every process opens a collection whose ids have no width, turn the direction or are very long, and writes
runs, judgments, notes, sheets and tables to the same files again and again, two versions in turn; it is killed by
SIGKILL. Each file is then one of the two versions, whole: the last one that was acknowledged, or one that was begun
since. ``readings``: every process reads runs, which are cached, and a corpus, which is indexed, for the first time, as
their time of change is new; it is killed meanwhile. Whoever reads them next, with what it finds in the cache, has what
the files say. The last line printed is a JSON object of counts."""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NoReturn

from odd_names import LONG_ID, UNSEEN

from irviewer.errors import IrviewerError
from irviewer.formats.lessons.lesson_file import parse_lesson
from irviewer.formats.load import load
from irviewer.formats.reading import cache
from irviewer.formats.texts import corpus
from irviewer.formats.texts.corpus_index import CorpusIndex
from irviewer.model.run import Run
from irviewer.session.session import Session
from irviewer.session.settings import Settings
from irviewer.session.teaching.exchange.printing import save_sheet

IDS = (*UNSEEN, LONG_ID, *(f"d{number}" for number in range(60)))
QUERIES = ("\u200b", "\u2066", "q", *(f"q{number}" for number in range(9)))
Write = Callable[[str], object]


def main() -> int:
    """Run it; 1 where a file is half done, or a reading is wrong."""
    folder, times, dice = Path(sys.argv[1]), int(sys.argv[2]), random.Random(int(sys.argv[3]))
    kind = sys.argv[4] if len(sys.argv) > 4 else "exports"
    write_collection(folder)
    counts = exports(folder, times, dice) if kind == "exports" else readings(folder, times, dice)
    print(json.dumps(counts))
    return 1 if counts["faults"] else 0


def write_collection(folder: Path) -> None:
    """Write the collection: two runs, qrels and documents."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, step in (("first", 1), ("second", -1)):
        lines = (
            f"{query} Q0 {document} {rank} {999 - rank} {name}\n"
            for query in QUERIES
            for rank, document in enumerate(IDS[::step], 1)
        )
        (folder / f"{name}.run").write_text("".join(lines), encoding="utf-8")
    grades = (f"{query} 0 {document} {place % 3}\n" for query in QUERIES for place, document in enumerate(IDS))
    (folder / "a.qrels").write_text("".join(grades), encoding="utf-8")
    texts = (json.dumps({"id": document, "text": f"text of {document[:20]}"}) + "\n" for document in IDS)
    (folder / "documents.jsonl").write_text("".join(texts), encoding="utf-8")


def forked(work: Callable[[int], NoReturn], life: float) -> bytes:
    """Do work in a process that is killed after some seconds from its first word; what it said."""
    pipe, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(pipe)
        try:
            work(write)
        finally:
            os._exit(3)  # whatever happens, it must not go on as its parent
    os.close(write)
    said = os.read(pipe, 1 << 16)
    time.sleep(life)
    os.kill(child, signal.SIGKILL)
    while piece := os.read(pipe, 1 << 16):
        said += piece
    os.close(pipe)
    _, status = os.waitpid(child, 0)
    if not os.WIFSIGNALED(status) or os.WTERMSIG(status) != signal.SIGKILL:
        raise SystemExit(f"a process ended by itself, status {status}: {said[-2000:].decode(errors='replace')}")
    return said


# --- exports ---


def writers(session: Session, version: int) -> Iterator[tuple[str, Write]]:
    """Name of a file and what writes it, in one of two versions. What a file says does not depend on the time."""
    assert session.view.collection is not None
    key = session.view.collection.runs[version].key
    for suffix in ("run", "parquet", "jsonl", "csv", "run.gz"):
        yield f"saved.{suffix}", lambda path: session.run_editing.save_run(key, path)
    yield "merged.qrels", session.judging.export_merged
    yield "patch.tsv", session.judging.export_patch
    yield "notes.csv", session.notes.save_notes
    yield "sets.tsv", session.query_sets.save_query_sets
    lesson = parse_lesson(f"---\ntitle: Version {version}\nrankings: 1 0 {version}\n---\n" + "Words. " * 5000)
    yield "sheet.html", lambda path: save_sheet(path, [lesson], answers=True)


def changed(session: Session, version: int) -> None:
    """Bring a session that was just opened to one of the two versions."""
    for place, document in enumerate(UNSEEN):
        session.judging.judge(document, float((place + version) % 3), query_id=QUERIES[place % 3])
        session.notes.set_note("document", document, f"note {version} " * 50)
    session.query_sets.make_query_set(f"set {version}", QUERIES[version:6])


def opened(folder: Path, version: int) -> Session:
    """Return a session in one of the two versions, without threads: work is done at once."""
    session = Session(Settings())
    session.files.open_files([str(folder / name) for name in ("a.qrels", "first.run", "second.run")])
    changed(session, version)
    return session


def exports(folder: Path, times: int, dice: random.Random) -> dict[str, int]:
    """Kill so many processes that write."""
    target = folder / "exports"
    target.mkdir(exist_ok=True)
    wanted: dict[str, list[bytes]] = {}
    sessions = [opened(folder, version) for version in (0, 1)]
    names = [name for name, _ in writers(sessions[0], 0)]
    fixed: list[str] = []
    for name in names:
        wanted[name] = [_content(sessions[version], version, name, folder / "wanted") for version in (0, 1)]
        again = [_content(sessions[version], version, name, folder / "wanted") for version in (0, 1)]
        if wanted[name] == again:  # else it tells the time
            fixed.append(name)
    counts = {"killed": 0, "written": 0, "killed while writing": 0, "left over": 0, "faults": 0, "files": len(fixed)}

    def work(pipe: int) -> NoReturn:
        moment = random.Random(counts["killed"])
        os.write(pipe, b"begun - 0\n")
        while True:
            version, name = moment.randrange(2), moment.choice(fixed)
            os.write(pipe, f"begun {name} {version}\n".encode())
            dict(writers(sessions[version], version))[name](str(target / name))
            os.write(pipe, f"done {name} {version}\n".encode())

    last: dict[str, set[int]] = {}
    while counts["killed"] < times:
        said = forked(work, dice.uniform(0, 0.06))
        counts["killed"] += 1
        lines = [line.split() for line in said.decode().split("\n")[:-1]]
        for word, name, version in lines:
            if name != "-":
                last[name] = {int(version)} if word == "done" else {*last.get(name, {-1}), int(version)}
                counts["written"] += word == "done"
        counts["killed while writing"] += lines[-1][0] == "begun" and lines[-1][1] != "-"
        for name, versions in last.items():
            path = target / name
            content = path.read_bytes() if path.exists() else None
            if content not in [None if version < 0 else wanted[name][version] for version in versions]:
                counts["faults"] += 1
                print(f"{name} is none of {versions}: {content[:80] if content else content!r}", file=sys.stderr)
    counts["left over"] = sum(1 for path in target.iterdir() if path.name not in names)
    return counts


def _content(session: Session, version: int, name: str, folder: Path) -> bytes:
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.unlink(missing_ok=True)
    dict(writers(session, version))[name](str(path))
    return path.read_bytes()


# --- first readings ---


def readings(folder: Path, times: int, dice: random.Random) -> dict[str, int]:
    """Kill so many processes that read for the first time."""
    cache.LARGE, cache.WORTH, corpus.INDEX_FROM = 1, 0.0, 1
    names = ("first.run", "second.run", "documents.jsonl")
    wanted = {name: _read(folder / name) for name in names}
    counts = {"killed": 0, "read": 0, "killed while reading": 0, "read again": 0, "faults": 0}

    def work(pipe: int) -> NoReturn:
        moment = random.Random(counts["killed"])
        os.write(pipe, b"begun -\n")
        while True:
            name = moment.choice(names)
            changed_at = moment.randrange(10**9, 16 * 10**8)
            os.utime(folder / name, (changed_at, changed_at))
            os.write(pipe, f"begun {name}\n".encode())
            if _read(folder / name) != wanted[name]:
                os.write(pipe, f"wrong {name}\n".encode())
            os.write(pipe, f"done {name}\n".encode())

    while counts["killed"] < times:
        said = forked(work, dice.uniform(0, 0.05)).decode()
        counts["killed"] += 1
        counts["read"] += said.count("done ")
        counts["faults"] += said.count("wrong ")
        lines = said.split("\n")[:-1]
        counts["killed while reading"] += lines[-1].startswith("begun") and lines[-1] != "begun -"
        for name in names:
            try:
                right = _read(folder / name) == wanted[name]
            except IrviewerError as error:
                right = False
                print(f"{name}: {error}", file=sys.stderr)
            counts["read again"] += 1
            counts["faults"] += not right
    return counts


def _read(path: Path) -> object:
    """Return everything that a file says, read with the cache."""
    if path.suffix == ".run":
        run = load(path, kind="run", duplicates="best", cached="keep").value
        assert isinstance(run, Run)
        return {query: list(run.ranking(query)) for query in run.query_ids}, run.scores.tolist()
    index = load(path, kind="documents").value
    assert isinstance(index, CorpusIndex)
    return {document: index.text(document) for document in index.ids}


if __name__ == "__main__":
    raise SystemExit(main())
