"""Answers of many systems: read, scored, compared, and shown topic by topic; in processor time of one process."""

from __future__ import annotations

import itertools
import json
import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

import pytest

import irviewer
from irviewer.analysis.answers.topic_answers import AnsweredTopics
from irviewer.formats.load import load
from irviewer.formats.reading import file_state
from irviewer.model.answers.systems import joined_systems
from irviewer.model.run import Run
from tests.benchmarks import processes
from tests.benchmarks.case import Side

TOPICS, SYSTEMS = 301, 50
SENTENCES, CITATIONS, NUGGETS, REFERENCES = 12, 1.4, 20, 20
MEASURES = ["V_strict", "V", "W_strict", "W", "A_strict", "A"]
LABELS = ("support", "partial_support", "not_support")
WHOLE = """
import sys
import irviewer
from irviewer.formats.load import load
from irviewer.model.answers.systems import joined_systems
how, measures, nuggets, *files = sys.argv[1:]
qrels = load(nuggets).value
runs = joined_systems([load(file, kind="run", cached=how).value for file in files])
irviewer.evaluate(qrels, runs, measures.split(","))
irviewer.compare(qrels, runs, measures=["V_strict"], pairs=True)
irviewer.answers("nuggets", qrels, runs)
print("map")
"""
"""A process that reads all files and does all of the rest: its memory is that of a session with all open."""


def make_answers(folder: Path, topics: int, systems: int) -> tuple[Path, list[Path]]:
    """Write nuggets, and for each system answers and assignments, of random words; return the files."""
    random_ = random.Random(7)
    words = ["".join(random_.choices("abcdefghijklmnoprstuvw", k=random_.randint(3, 9))) for _ in range(4000)]

    def text(least: int, most: int) -> str:
        return " ".join(random_.choices(words, k=random_.randint(least, most)))

    of_topic = [[(text(4, 8), random_.choice(("vital", "okay"))) for _ in range(NUGGETS)] for _ in range(topics)]
    nuggets = folder / "nuggets.jsonl"
    with nuggets.open("w") as lines:
        for topic, each in enumerate(of_topic):
            listed = [{"text": words_, "importance": importance} for words_, importance in each]
            lines.write(json.dumps({"qid": f"t{topic}", "query": text(4, 9), "nuggets": listed}) + "\n")
    files = []
    for system in range(systems):
        answers, assignments = folder / f"s{system}.answers.jsonl", folder / f"s{system}.assignments.jsonl"
        with answers.open("w") as first, assignments.open("w") as second:
            for topic, each in enumerate(of_topic):
                sentences = [
                    {"text": text(15, 30), "citations": random_.sample(range(REFERENCES), random_.choice((0, 1, 2, 2)))}
                    for _ in range(SENTENCES)
                ]
                references = [f"msmarco_v2.1_doc_{topic}_{place}#{place}" for place in range(REFERENCES)]
                record = {"run_id": f"s{system}", "topic_id": f"t{topic}", "topic": "q", "references": references,
                          "response_length": 280, "answer": sentences}  # fmt: skip
                first.write(json.dumps(record) + "\n")
                labelled = [{"text": words_, "importance": importance, "assignment": random_.choice(LABELS)}
                            for words_, importance in each]  # fmt: skip
                judged = " ".join(str(sentence["text"]) for sentence in sentences)
                second.write(json.dumps({"qid": f"t{topic}", "query": "q", "run_id": f"s{system}",
                                         "answer_text": judged, "nuggets": labelled}) + "\n")  # fmt: skip
        files += [answers, assignments]
    return nuggets, files


def spent(work: Callable[[], object]) -> Side:
    """Return a side in seconds of processor time."""

    def side() -> float:
        before = time.process_time()
        work()
        return time.process_time() - before

    return side


@contextmanager
def answers(folder: Path, small: bool) -> Iterator[dict[str, Side]]:
    """301 topics × 50 systems: 15,050 answers, 180,000 sentences, 250,000 citations, 301,000 labels."""
    nuggets, files = make_answers(folder, 5 if small else TOPICS, 3 if small else SYSTEMS)
    qrels = load(nuggets).value

    def read(cached: Literal["no", "use"] = "no") -> list[Run]:
        runs = [load(file, kind="run", cached=cached).value for file in files]
        return joined_systems([run for run in runs if isinstance(run, Run)])

    def whole(name: str, how: str) -> Side:
        arguments = ["-c", WHOLE, how, ",".join(MEASURES), str(nuggets), *map(str, files)]
        return lambda: processes.run(name, arguments).seconds

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("IRVIEWER_CACHE_DIR", str(folder / "cache"))
        patch.setattr(file_state, "SETTLED", 0.0)
        runs = read()
        for _ in range(2):
            read("use")
        shown = AnsweredTopics(
            tuple(runs[:6]), nuggets=qrels.nuggets, grades=None, listed=None, context=0, rule="segments"
        )
        topics = itertools.cycle(shown.topics)
        yield {
            "read": spent(read),
            "read again": spent(lambda: read("use")),
            "six measures": spent(lambda: irviewer.evaluate(qrels, runs, MEASURES)),
            "all pairs": spent(lambda: irviewer.compare(qrels, runs, measures=["V_strict"], pairs=True)),
            "another topic": spent(lambda: shown.topic(next(topics))),
            "nuggets by system": spent(lambda: irviewer.answers("nuggets", qrels, runs)),
            "all in a process": whole("all in a process", "no"),
            "all from the cache": whole("all from the cache", "use"),
        }
