"""The window, the command line, Python, CSV, JSON, Parquet, report and paper say the same of random collections under
random protocols, in English and in Spanish with decimal commas: equal numbers to the last digit, the line of the
protocol word for word, and data that no language changes."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from examples import examples
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from language_workers import LANGUAGES, Worker, workers_of

from irviewer.formats.protocol_file import protocol_text
from irviewer.model.protocol import EvaluationProtocol, QuerySelection

RUNS = ("alpha", "bm25", "gamma", "délta")
QUERIES = 12
TEXTS = frozenset({"notes", "decided by", "looked at", "judgments", "reason"})
"""Columns of sentences, which are in a language."""
FIELDS = st.fixed_dictionaries(
    {},
    optional={
        "test": st.sampled_from(["t", "wilcoxon", "sign", "randomisation"]),
        "correction": st.sampled_from(["holm", "bonferroni", "bh", "none"]), "level": st.sampled_from([1, 2]),
        "dialect": st.sampled_from(["trec_eval", "trec_eval-9", "ranx", "ir_measures"]),
        "unjudged": st.sampled_from(["pooled", "complete", "sparse"]), "alpha": st.sampled_from([0.05, 0.3]),
        "interval": st.sampled_from(["percentile", "bca", "t"]), "confidence": st.sampled_from([0.95, 0.8]),
        "measures": st.sampled_from(["gm_map", "nDCG@5", "DCG@5"]),
        "baseline": st.sampled_from(RUNS), "queries": st.sets(st.integers(0, QUERIES - 1), min_size=4),
    },
)  # fmt: skip
CASES = {
    "fields": FIELDS, "seed": st.integers(0, 10_000), "hidden": st.sets(st.sampled_from(RUNS), max_size=3),
    "edited": st.sampled_from(["", *RUNS]),
}  # fmt: skip
TOPICS = (("slices",), ("paper",), ("report",), ("stages", "gate"), ("evaluate",))
"""What is asked beside the comparison, an example each."""
PHASES = (Phase.explicit, Phase.generate)
"""A case that fails is told as it was drawn: to make it smaller takes minutes."""


@pytest.fixture(scope="module")
def workers() -> Iterator[list[Worker]]:
    yield from workers_of(Path(__file__).with_name("worker.py"))


def write_collection(folder: Path, seed: int) -> list[str]:
    """Qrels with grades to 3 and some below 0, and runs with ties, of which the last lacks a query."""
    dice = np.random.default_rng(seed)
    lines = [f"{query} 0 dö{n} {dice.integers(-1, 4)}\n" for query in range(QUERIES) for n in range(6)]
    (folder / "qrels.txt").write_text("".join(lines), "utf-8")
    paths = [str(folder / "qrels.txt")]
    for name in RUNS:
        rows = [
            f"{query} Q0 dö{n} 1 {dice.integers(0, 6)} t\n"
            for query in range(QUERIES)
            for n in range(8)
            if not (name == RUNS[-1] and query == 5) and (n == 0 or dice.random() < 0.8)
        ]
        (folder / f"{name}.run").write_text("".join(rows), "utf-8")
        paths.append(str(folder / f"{name}.run"))
    rows = [f"{query}\t{dice.choice(['red', 'blue'])}\n" for query in range(QUERIES)]
    (folder / "attributes.tsv").write_text("query\tkind\n" + "".join(rows))
    return paths


def request_of(
    folder: Path, topics: Sequence[str], fields: dict[str, Any], seed: int, hidden: set[str], edited: str
) -> dict[str, Any]:
    """A request to a worker: the files are written, the protocol as a file and as the choices of a window."""
    folder.mkdir()
    paths = write_collection(folder, seed)
    measure, values = str(fields.get("measures", "AP")), dict(fields)
    if "queries" in values:
        path = folder / "sets"
        path.write_text("".join(f"{query}\tfew\n" for query in sorted(values["queries"])))
        values["queries"] = QuerySelection("few", str(path))
    protocol = EvaluationProtocol().but(**{**values, "measures": [measure]}, samples=200)
    (folder / "p.toml").write_text(protocol_text(protocol), "utf-8")
    return {
        "folder": str(folder), "paths": paths, "protocol": str(folder / "p.toml"), "measure": measure,
        "fields": {name: sorted(value) if isinstance(value, set) else value for name, value in fields.items()},
        "hidden": sorted(hidden), "edited": edited, "attributes": str(folder / "attributes.tsv"),
        "topics": ["compare", *topics],
    }  # fmt: skip


def shared(rows: dict[str, list[dict[str, str]]]) -> dict[str, list[dict[str, str]]]:
    """The rows of each door in the columns that all of them have, in one order."""
    keys = sorted(set.intersection(*(set(each[0]) for each in rows.values())))
    return {door: sorted([row[key] for key in keys] for row in each) for door, each in rows.items()}  # type: ignore[misc]


def hold(workers: list[Worker], topics: Sequence[str], **drawn: Any) -> None:
    with tempfile.TemporaryDirectory() as place:
        for worker, language in zip(workers, LANGUAGES, strict=True):
            worker.ask(request_of(Path(place) / language, topics, **drawn))
        answers = [worker.answer() for worker in workers]
    for answer in answers:
        for topic, lines in answer["lines"].items():
            first, *others = lines.values()
            assert all(line == first for line in others), (topic, lines)
        for topic, rows in answer["values"].items():
            first, *others = shared(rows).values()
            assert first
            assert all(each == first for each in others), (topic, shared(rows))
        _hold_topics(answer)
    english, spanish = answers
    assert english["lines"].keys() == spanish["lines"].keys()
    for topic, files in english["files"].items():
        for door, text in files.items():
            if not TEXTS & set(english["values"][topic][door][0]):
                assert text == spanish["files"][topic][door], (topic, door)
    for topic, doors in english["values"].items():
        for door, rows in doors.items():
            assert _without_texts(rows) == _without_texts(spanish["values"][topic][door]), (topic, door)


def _without_texts(rows: list[dict[str, str]]) -> list[dict[str, str]]:
    return [{key: value for key, value in row.items() if key not in TEXTS} for row in rows]


def _hold_topics(answer: dict[str, Any]) -> None:
    """One number where several topics have it: the report's line begins with that of the comparison, the means and p of
    the paper, and those of all queries in slices."""
    lines, values = answer["lines"], answer["values"]
    said = next(iter(lines["compare"].values()))
    for line in (*lines.get("report", {}).values(), *lines.get("slices", {}).values()):
        assert line.startswith(said), line
    compared = {row["run"]: row for row in values["compare"]["command csv"]}
    for row in values.get("paper", {}).get("command csv", ()):
        if row["run"] in compared:
            pair = compared[row["run"]]
            assert row["p_corrected"] == pair["p_corrected"], row
            assert row["outcome"] == pair["outcome"], row
    for row in values.get("slices", {}).get("command csv", ()):
        if not row["attribute"]:
            pair = compared[row["run"]]
            assert (row.get("difference") or row["ratio"]) == (pair.get("difference") or pair["ratio"])
            assert (row["mean"], row["baseline_mean"]) == (pair["mean"], pair["other_mean"])
            assert row["p_corrected"] == pair["p_corrected"]


@pytest.mark.parametrize("topics", TOPICS)
@settings(examples(15), phases=PHASES)
@given(**CASES)
def test_all_doors_agree(workers: list[Worker], topics: Sequence[str], **drawn: Any) -> None:
    hold(workers, topics, **drawn)


@pytest.mark.fuzz
@settings(examples(50), phases=PHASES)
@given(**CASES)
def test_all_doors_agree_in_bulk(workers: list[Worker], **drawn: Any) -> None:
    hold(workers, [topic for each in TOPICS for topic in each], **drawn)
