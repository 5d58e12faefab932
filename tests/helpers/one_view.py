"""Two ways to the same numbers: what a window holds, and what the command line prints of the files behind it.

``PrintedValues`` runs the command line here; ``write_case`` makes random files; ``Tally`` compares and counts. Knows
no Qt."""

from __future__ import annotations

import contextlib
import io
import json
import math
import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest import mock

from irviewer.api import sources
from irviewer.cli import main
from irviewer.formats.load import Loaded, load
from tests.helpers.compared import comparisons_of

NAN = float("nan")
MEASURES = (
    "nDCG@10", "AP", "P@3", "R@5", "RR", "Rprec", "Bpref", "nDCG", "nDCG@4", "ERR@5", "RBP(p=0.8)", "SetF", "IPrec@0.3",
    "gm_map", "nDCG(dcg='exp-log2')@5", "nDCG(ideal='retrieved')@5", "Success@3", "NumRelRet", "SearchLength", "AP@4",
    "AP(judged_only=True)", "(P@5 + R@5) / 2", "11pt_avg", "infAP", "DCG@5", "NumRet", "RBP(p=0.5)@4",
    "Judged@5", "RankAtRecall@0.5", "NumQ", "ERR",
)  # fmt: skip
"""Measures that are chosen one after the other."""
GRADES = ((0, 0, 1), (0, 1, 2, 3), (-1, 0, 1, 2), (1, 2), (0, 1, 1, 2, 5))
SCORES = (None, (3.0, 2.0, 1.0), (2.0, 2.0 + 1e-9, 1.0))
"""None: all differ. Else what scores are drawn from: ties, and near ones."""
NAMES = ("one", "two", "three", "four", "five", "six")


def write_case(folder: Path, dice: random.Random) -> list[str]:
    """Random qrels and two runs to six: some queries in none or in one of them, ties, grades of all kinds."""
    grades, queries = dice.choice(GRADES), dice.randint(4, 12)
    documents = [f"d{number}" for number in range(dice.randint(14, 30))]
    names = [str(number) for number in range(1, queries + 1)]
    judged = {query: dice.sample(documents, dice.randint(3, 10)) for query in names}
    lines = [f"{query} 0 {document} {dice.choice(grades)}\n" for query, some in judged.items() for document in some]
    (folder / "case.qrels").write_text("".join(lines))
    paths = [str(folder / "case.qrels")]
    for name in NAMES[: dice.randint(2, 6)]:
        scores, rows = dice.choice(SCORES), []
        for query in [*names, "outside"] if dice.random() < 0.3 else names:
            if dice.random() < 0.1:
                continue
            some = dice.sample(documents, dice.randint(1, len(documents)))
            if dice.random() < 0.6:  # the better half of runs looks at the judgments
                some.sort(key=lambda document: (document not in judged.get(query, ()), dice.random()))
            drawn = [float(-place) if scores is None else dice.choice(scores) for place in range(len(some))]
            rows += [
                f"{query} Q0 {document} {rank} {score!r} {name}\n"
                for rank, (document, score) in enumerate(zip(some, drawn, strict=True), 1)
            ]
        (folder / f"{name}.run").write_text("".join(rows) or f"1 Q0 {documents[0]} 1 1.0 {name}\n")
        paths.append(str(folder / f"{name}.run"))
    return paths


@dataclass
class Tally:
    """What was compared, by kind, and everything that was not equal."""

    counts: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)

    def same(self, kind: str, mine: object, theirs: object, *where: object) -> None:
        """A text, or anything that is equal or not."""
        self.counts[kind] += 1
        if mine != theirs:
            self.wrong.append(
                f"{kind} {' '.join(map(str, where))}: the window has {mine!r}, the command line {theirs!r}"
            )

    def near(self, kind: str, mine: float | None, theirs: float | None, *where: object, within: float = 1e-11) -> None:
        """A number, or none on both sides."""
        self.counts[kind] += 1
        first, other = (NAN if value is None else float(value) for value in (mine, theirs))
        if math.isnan(first) and math.isnan(other):
            return
        if not (abs(first - other) <= within * max(1.0, abs(first)) or first == other):
            self.wrong.append(
                f"{kind} {' '.join(map(str, where))}: the window has {first!r}, the command line {other!r}"
            )


@dataclass(frozen=True)
class PrintedValues:
    """The command line on some files under some options: ``common`` are those of how numbers are made, ``only`` a file
    of queries that numbers are to be of, ``comparing`` those of the statistics. The files stay as they are: a command
    that was run is not run again, and a file that was read is not read again."""

    qrels: str
    runs: tuple[str, ...]
    names: tuple[str, ...]
    common: tuple[str, ...]
    comparing: tuple[str, ...] = ()
    only: str = ""
    _answers: dict[tuple[str, ...], tuple[int, str, str]] = field(default_factory=dict, compare=False, repr=False)
    _files: dict[tuple[object, ...], Loaded] = field(default_factory=dict, compare=False, repr=False)

    def _load(self, path: str | Path, **how: Any) -> Loaded:
        """A file as the command line loads it."""
        key = (str(path), *(how.get(name) for name in ("kind", "name", "duplicates", "format", "part")))
        if key not in self._files:
            self._files[key] = load(path, **how)
        return self._files[key]

    def _answer(self, *words: str) -> tuple[int, str, str]:
        """The status of a command, and what it prints to both streams."""
        if words not in self._answers:
            out, err = io.StringIO(), io.StringIO()
            with (
                contextlib.redirect_stdout(out),
                contextlib.redirect_stderr(err),
                mock.patch.object(sources, "load", self._load),
            ):
                status = main.main(words)
            self._answers[words] = status, out.getvalue(), err.getvalue()
        return self._answers[words]

    def text(self, command: str, *words: str, status: int = 0) -> str:
        """What a command prints. Fails where it ends otherwise than with ``status``."""
        exit_status, out, err = self._answer(command, *words)
        assert exit_status == status, f"{command} {' '.join(words)}: status {exit_status}, {err}"
        return out

    def refused(self, command: str, *words: str) -> bool:
        """True where a command says that it cannot."""
        return self._answer(command, *words)[0] == 2

    def json(self, command: str, *words: str) -> Any:
        """What it prints, read."""
        return json.loads(self.text(command, self.qrels, *self.runs, *words, *self.common, "--format", "json"))

    def values(self, measures: Sequence[str]) -> dict[str, dict[str, tuple[float, dict[str, float]]]]:
        """Measure as it was asked for -> run -> (mean, query -> value)."""
        answer = self.json("evaluate", "-q", *(word for measure in measures for word in ("-m", measure)))
        queries, means = answer["tables"]
        texts = [column["key"] for column in means["columns"][1:]]
        if len(texts) != len(measures):  # two of them are one under these options
            return {measure: self.values([measure])[measure] for measure in measures}
        return {
            asked: {
                run["run"]: (
                    NAN if run[text] is None else run[text],
                    {
                        row["query"]: row[text]
                        for row in queries["rows"]
                        if row["run"] == run["run"] and row[text] is not None
                    },
                )
                for run in means["rows"]
            }
            for asked, text in zip(measures, texts, strict=True)
        }

    def compared(self, measure: str, *words: str) -> Any | None:
        """The comparison of one measure as JSON has it; None where the command line refuses it."""
        asked = ["compare", self.qrels, *self.runs, "-m", measure, *self.common, *self.comparing, *words]
        asked += ["--query-set", self.only] if self.only else []
        asked += ["--format", "json"]
        if self.refused(*asked):
            return None
        return comparisons_of(json.loads(self.text(*asked)))[0]


def rows_of(answer: Any, name: str = "") -> list[dict[str, Any]]:
    """The rows of a table of an answer; the first table for ""."""
    rows: list[dict[str, Any]] = next(table["rows"] for table in answer["tables"] if name in ("", table["name"]))
    return rows


def note_of(answer: Any, code: str) -> dict[str, Any]:
    """A note of an answer by its code."""
    note: dict[str, Any] = next(note for note in answer["notes"] if note["code"] == code)
    return note


def shown(value: float, counts: bool) -> str:
    """A number as a table of the window writes it."""
    if math.isnan(value):
        return "–"
    return f"{value:.0f}" if counts and float(value).is_integer() else f"{value:.4f}"


def curve_at(rows: Iterable[Mapping[str, Any]], run: str) -> list[tuple[float, float]]:
    """The points of a run, as ``curves --format json`` has them."""
    points = []
    for row in rows:
        name, x, y = list(row.values())[:3]
        if name == run:
            points.append((float(x), float(y)))
    return points
