"""A small collection on disk whose reciprocal ranks are known, and the command that compares its runs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from irviewer.cli import main

QUERIES = 30


def write_files(tmp_path: Path) -> list[str]:
    """Qrels of 30 queries with one relevant document; runs that have it at a drawn rank, one with an odd name."""
    random = np.random.default_rng(7)
    (tmp_path / "qrels").write_text("".join(f"{q} 0 rel 1\n" for q in range(QUERIES)))
    paths = [str(tmp_path / "qrels")]
    for name, far in (("base_1", 6), ("good&50%", 3), ("bad", 9), ("same", 6), ("fifth", 5)):
        ranks = random.integers(3 if name == "bad" else 1, far, QUERIES)
        if name == "same":
            ranks = np.array([int(rank) for rank in (tmp_path / "base_1.ranks").read_text().split()])
        (tmp_path / f"{name}.ranks").write_text(" ".join(map(str, ranks)))
        lines = []
        for query, rank in enumerate(ranks.tolist()):
            documents = [f"d{place}" for place in range(1, 10)]
            documents[rank - 1] = "rel"
            lines += [f"{query} Q0 {document} {place} {20 - place} t\n" for place, document in enumerate(documents, 1)]
        (tmp_path / name).write_text("".join(lines))
        paths.append(str(tmp_path / name))
    return paths


def values(files: list[str]) -> dict[str, np.ndarray]:
    """RR by run, from the ranks themselves."""
    return {
        Path(path).name: 1 / np.array([int(x) for x in Path(path + ".ranks").read_text().split()]) for path in files[1:]
    }


def compare(capsys: pytest.CaptureFixture[str], *words: str, command: str = "compare") -> str:
    assert main.main([command, *words]) == 0
    out = capsys.readouterr()
    assert all(line.startswith("irviewer: note: ") for line in out.err.splitlines())
    return out.out


def answer_of(text: str) -> dict[str, Any]:
    """The rows of pairs and of runs of a comparison in JSON, what is said of each pair, and the warnings."""
    document = json.loads(text)
    pairs, runs = (table["rows"] for table in document["tables"])
    said = {
        (note["values"]["run"], note["values"]["other"]): note["text"]
        for note in document["notes"]
        if note["code"] == "conclusion"
    }
    warnings = [note["text"] for note in document["notes"] if note["code"] == "warning"]
    groups = next((note["text"] for note in document["notes"] if note["code"] == "groups"), None)
    return {"pairs": pairs, "runs": runs, "said": said, "warnings": warnings, "groups": groups}


def comparisons_of(document: dict[str, Any]) -> list[dict[str, Any]]:
    """The runs and pairs of each measure of a comparison in JSON, by the names that the analysis has for them."""
    pairs, runs = (table["rows"] for table in document["tables"])
    warnings = [note["text"] for note in document["notes"] if note["code"] == "warning"]
    answers = []
    for measure in dict.fromkeys(row["measure"] for row in runs):
        own = [_pair(row, document["notes"]) for row in pairs if row["measure"] == measure]
        answers.append({
            "measure": measure, "geometric": any(row.get("ratio") is not None for row in own), "pairs": own,
            "test": own[0]["test"] if own else None, "warnings": warnings,
            "runs": [
                {**row, "name": row["run"], "low": row["interval_low"], "high": row["interval_high"],
                 "weighted mean": row.get("weighted_mean"), "reached": row.get("reached"), "group": row.get("group")}
                for row in runs if row["measure"] == measure
            ],
        })  # fmt: skip
    return answers


def _pair(row: dict[str, Any], notes: list[dict[str, Any]]) -> dict[str, Any]:
    names = {"measure": row["measure"], "run": row["run"], "other": row["other"]}
    said = [note["text"].removeprefix(f"{row['measure']}: ") for note in notes if note["values"] == names]
    tests = {}
    for name in ("t", "wilcoxon", "wilcoxon-pratt", "sign", "randomisation", "tukey", "tukey-randomised"):
        key = name.replace("-", "_")
        if f"{key}_p" in row:
            tests |= {f"{name} p": row[f"{key}_p"], f"{name} p corrected": row[f"{key}_p_corrected"],
                      f"{name} statistic": row[f"{key}_statistic"]}  # fmt: skip
    changes = {
        "difference": row.get("difference"), "low": row.get("interval_low"), "high": row.get("interval_high"),
        "ratio": row.get("ratio"), "ratio low": row.get("ratio_interval_low"),
        "ratio high": row.get("ratio_interval_high"),
        "weighted difference": row.get("weighted_difference"), "weighted ratio": row.get("weighted_ratio"),
    }  # fmt: skip
    return {
        **row, **changes, **tests, "queries": row["n"], "wins": row["better"], "ties": row["equal"],
        "losses": row["worse"], "declared test": row["test"], "shown": row["outcome"] in ("better", "worse"),
        "verdict": said[0].split(". ")[0] if said else "", "conclusion": _conclusion(said[0]) if said else "",
        **{f"P({name})": row[f"p_{name}"] for name in ("better", "equal", "worse")},
    }  # fmt: skip


def _conclusion(said: str) -> str:
    """The sentence with the verdict, and the one with what remains possible where the test shows nothing."""
    verdict, *further = said.removesuffix(".").split(". ")
    return " ".join(f"{each}." for each in (verdict, *further[:1]) if each is verdict or "remains possible" in each)
