"""Have the program make README's pictures: ``python packaging/pictures.py`` in an environment that holds irviewer."""

from __future__ import annotations

import gzip
import json
import random
import sys
import tempfile
from pathlib import Path

from irviewer.__main__ import main
from irviewer.installed.samples import SAMPLES
from irviewer.paths import resource

FOLDER = Path(__file__).resolve().parent / "pictures"
SIZE = "1440x900"
PICTURES = {
    "query.png": ["--sample", "--place", "query", "--theme", "light"],
    "systems.png": ["--sample", "--place", "systems", "--theme", "light"],
    "compare.png": ["--sample", "--place", "compare:pair", "--theme", "light"],
    "slices.png": ["--sample", "--place", "compare:slices", "--theme", "light"],
    "explain.png": ["--sample", "--query", "10", "--explain", "--theme", "dark"],
    "queries.png": ["--sample", "--place", "queries", "--theme", "dark"],
    "agreement.png": ["{judges}", "--place", "compare:agreement", "--theme", "light"],
    "confusion.png": ["{judges}", "--place", "compare:confusion", "--theme", "light"],
    "judges.png": ["{judges}", "--place", "compare:judges", "--theme", "dark"],
    "collections.png": ["{collections}", "--place", "collections", "--theme", "light"],
    "answers.png": ["{answers}", "--place", "query:answer", "--query", "37", "--theme", "light"],
    "stages.png": ["{stages}", "--place", "query:stages", "--query", "9", "--theme", "light"],
}
POOL, STAGE, HALVES = 10, 20, 8
"""Documents of each run that judges judge; documents that a second stage sees; halves of the queries."""
JUDGES = {"model A": (0.25, 0.0), "model A, second pass": (0.3, 0.0), "model B": (0.35, 0.45), "model C": (0.6, 0.2)}
"""Judges that are made of the sample's: the share of grades drawn anew, and of grades raised by one."""
VITAL, OKAY = "vital", "okay"
FULL, PART, NONE = "support", "partial_support", "not_support"
BATS, BEE, WEASELS, BEARS = (
    "bat-the-birds-and-the-beasts",
    "bee-and-jupiter",
    "bat-and-the-weasels",
    "bear-and-the-bees",
)
BOY, MONKEY = "boy-who-cried-wolf", "monkey-and-the-dolphin"
NUGGETS = {
    "37": (
        ("The birds and the beasts were at war", VITAL), ("The bat joined whichever side was winning", VITAL),
        ("After the peace both sides drove him away", VITAL), ("He has wings like a bird and fur like a beast", OKAY),
    ),
    "36": (
        ("A bee asked Jupiter for a sting", VITAL), ("Jupiter was displeased, for he loved mankind", OKAY),
        ("The sting stays in the wound, and the bee dies", VITAL),
    ),
    "44": (
        ("A shepherd boy cried wolf when there was none", VITAL), ("Nobody came when the wolf was real", VITAL),
        ("The flock was lost", OKAY),
    ),
}  # fmt: skip
"""Queries of the fables -> what an answer should say."""
ANSWERS = {
    "37": {
        "model B": (
            (
                ("When the birds and the beasts were at war, the bat joined whichever side was winning.", (BATS,)),
                ("In peace both sides drove him away, so he comes out only at night.", (BATS,)),
                ("Another bat fooled two weasels.", (WEASELS,)),
            ),
            (FULL, FULL, FULL, NONE),
        ),
        "model A": (
            (
                ("Bats fly at night to hide from weasels.", (WEASELS,)),
                ("A bat has wings like a bird and fur like a mouse.", ()),
                ("He changed sides in a war.", (WEASELS,)),
            ),
            (NONE, PART, NONE, FULL),
        ),
    },
    "36": {
        "model B": (
            (
                ("A bee asked Jupiter for a sting to kill those who came for her honey.", (BEE,)),
                ("He granted it, but it stays in the wound and the bee dies.", (BEE,)),
            ),
            (FULL, NONE, FULL),
        ),
        "model A": ((("Bees sting whoever breaks open their nest.", (BEARS,)),), (NONE, NONE, NONE)),
    },
    "44": {
        "model B": (
            (
                ("A boy cried wolf for fun, and when a wolf came nobody stirred.", (BOY,)),
                ("A monkey who lied to a dolphin was drowned.", (MONKEY,)),
            ),
            (FULL, FULL, NONE),
        ),
        "model A": ((("A boy had cried wolf too often, and lost his flock.", (BOY,)),), (FULL, PART, FULL)),
    },
}
"""Query -> system -> the sentences of its answer with the documents that they cite, and the label of each nugget."""
Ranked = dict[str, dict[str, list[str]]]
"""Run -> query -> documents, the best first."""


def make(folder: Path) -> int:
    """Save every picture into a folder; the first status that is not 0."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary:
        data = make_data(Path(temporary))
        for name, words in PICTURES.items():
            words = [word for given in words for word in data.get(given, [given])]
            status = main(["view", *words, "--size", SIZE, "--screenshot", str(folder / name)])
            if status:
                return status
    return 0


def make_data(folder: Path) -> dict[str, list[str]]:
    """Write what the sample does not have, made of it: several judges, several collections, a second stage. Return the
    arguments of each."""
    sample = resource("samples") / SAMPLES[0]
    grades: dict[str, dict[str, int]] = {}
    for line in (sample / "qrels.txt").read_text("utf-8").splitlines():
        query, _, doc, grade = line.split()
        grades.setdefault(query, {})[doc] = int(grade)
    runs: Ranked = {}
    for path in sorted((sample / "runs").glob("*.run.gz")):
        lists: dict[str, list[str]] = runs.setdefault(path.name.removesuffix(".run.gz"), {})
        with gzip.open(path, "rt", encoding="utf-8") as file:
            for line in file:
                if line.startswith("#"):
                    continue
                query, _, doc, *_rest = line.split()
                lists.setdefault(query, []).append(doc)
    return {
        "{judges}": _judges(folder / "judges", grades, runs),
        "{collections}": _collections(folder / "halves of the fables", grades, runs),
        "{answers}": _answers(folder / "answers", sample),
        "{stages}": _stages(folder / "stages", grades, runs, str(sample / "queries.tsv")),
    }


def _answers(folder: Path, sample: Path) -> list[str]:
    """Answers of two systems to three queries, with their labels, and the list that they were made from."""
    folder.mkdir(parents=True)
    queries = dict(line.split("\t")[:2] for line in (sample / "queries.tsv").read_text("utf-8").splitlines()[1:])
    written: dict[str, list[str]] = {"nuggets.jsonl": []}
    for topic, nuggets in NUGGETS.items():
        known = [{"text": text, "importance": importance} for text, importance in nuggets]
        written["nuggets.jsonl"].append(json.dumps({"qid": topic, "query": queries[topic], "nuggets": known}))
        for system, (sentences, labels) in sorted(ANSWERS[topic].items()):
            documents = list(dict.fromkeys(doc for _, docs in sentences for doc in docs))
            answer = [{"text": text, "citations": [documents.index(doc) for doc in docs]} for text, docs in sentences]
            whole = " ".join(text for text, _ in sentences)
            row = {"run_id": system, "topic_id": topic, "topic": queries[topic], "references": documents}
            row |= {"response_length": len(whole.split()), "answer": answer}
            written.setdefault(f"{system}.answers.jsonl", []).append(json.dumps(row))
            said = [{**nugget, "assignment": label} for nugget, label in zip(known, labels, strict=True)]
            row = {"qid": topic, "run_id": system, "answer_text": whole, "nuggets": said}
            written.setdefault(f"{system}.assignments.jsonl", []).append(json.dumps(row))
    for name, lines in written.items():
        (folder / name).write_text("\n".join(lines) + "\n", "utf-8")
    others = ("qrels.txt", "runs/fusion_rrf.run.gz", "queries.tsv", "documents.jsonl")
    return [*(str(folder / name) for name in written), *(str(sample / name) for name in others)]


def _judges(folder: Path, grades: dict[str, dict[str, int]], runs: Ranked) -> list[str]:
    """The sample's judge on the first documents of all runs, which are its pool, and judges made of it."""
    folder.mkdir(parents=True)
    pool = {query: {doc for lists in runs.values() for doc in lists.get(query, [])[:POOL]} for query in grades}
    human = {query: {doc: grades[query][doc] for doc in sorted(docs)} for query, docs in pool.items()}
    rows = ["query_id,doc_id,relevance,judge\n", *_rows(human, "human")]
    for number, (name, (drawn, raised)) in enumerate(JUDGES.items()):
        dice = random.Random(number if number != 1 else 0)
        own = {}
        for query, judged in human.items():
            own[query] = {doc: _regraded(dice, grade, drawn, raised) for doc, grade in judged.items()}
        rows += _rows(own, name)
    path = folder / "fables.csv"
    path.write_text("".join(rows), "utf-8")
    return [str(path), *(_write_run(folder / f"{name}.run", lists) for name, lists in runs.items())]


def _rows(grades: dict[str, dict[str, int]], judge: str) -> list[str]:
    return [f'{query},{doc},{grade},"{judge}"\n' for query, own in grades.items() for doc, grade in own.items()]


def _regraded(dice: random.Random, grade: int, drawn: float, raised: float) -> int:
    first, second, other = dice.random(), dice.random(), dice.choice((0, 0, 0, 1, 2))
    return other if first < drawn else min(2, grade + (second < raised))


def _collections(folder: Path, grades: dict[str, dict[str, int]], runs: Ranked) -> list[str]:
    """Halves of the queries, drawn at random, as if each were a collection."""
    for number in range(HALVES):
        part = random.Random(number).sample(sorted(grades, key=int), len(grades) // 2)
        own = folder / f"half {number + 1}"
        own.mkdir(parents=True)
        _write_qrels(own / "test.qrels", {query: grades[query] for query in part})
        for name, lists in list(runs.items())[:4]:
            _write_run(own / f"{name}.run", {query: lists.get(query, []) for query in part})
    return [str(folder)]


def _stages(folder: Path, grades: dict[str, dict[str, int]], runs: Ranked, queries: str) -> list[str]:
    """A run cut at a depth, and the same documents in the order of the other runs of full texts together."""
    folder.mkdir(parents=True)
    first, *others = sorted(runs.keys() - {"title_trigrams"})
    cut = {query: docs[:STAGE] for query, docs in runs[first].items()}
    ranked = {}
    for query, docs in cut.items():
        places = [{doc: rank for rank, doc in enumerate(runs[other].get(query, []), 1)} for other in others]
        merit = {doc: sum(1 / (60 + place.get(doc, 1000)) for place in places) for doc in docs}
        ranked[query] = sorted(docs, key=lambda doc: -merit[doc])
    return [
        _write_qrels(folder / "Fables.qrels", grades), queries,
        _write_run(folder / "first stage.run", cut), _write_run(folder / "re-ranked.run", ranked),
    ]  # fmt: skip


def _write_qrels(path: Path, grades: dict[str, dict[str, int]]) -> str:
    lines = [f"{query} 0 {doc} {grade}\n" for query, judged in grades.items() for doc, grade in judged.items()]
    path.write_text("".join(lines), "utf-8")
    return str(path)


def _write_run(path: Path, lists: dict[str, list[str]]) -> str:
    lines = [
        f"{query} Q0 {doc} {rank} {1000 - rank} {path.stem.replace(' ', '_')}\n"
        for query, docs in lists.items()
        for rank, doc in enumerate(docs, 1)
    ]
    path.write_text("".join(lines), "utf-8")
    return str(path)


if __name__ == "__main__":
    sys.exit(make(FOLDER))
