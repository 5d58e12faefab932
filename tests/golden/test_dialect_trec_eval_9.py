"""trec_eval 9's outputs, all of their values, under its dialect: 32-bit scores, queries in common, recall cut up."""

from __future__ import annotations

import gzip
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from comparison import Comparison
from golden_files import qrels_of, run_of

from irviewer.evaluation.evaluate import evaluate
from irviewer.formats.trec.trec_lines import trec_lines
from irviewer.measures.parser import parse_measures
from irviewer.measures.tool_names import GROUPS
from irviewer.model.judgments.judged import judge
from irviewer.model.options import EvaluationOptions

DATA = Path(os.environ.get("IRVIEWER_DATA", Path(__file__).parents[2].parent / "shared" / "data"))


@dataclass(frozen=True)
class Golden:
    """One row of goldens.tsv, its flags understood."""

    output: str
    run: str
    qrels: str
    options: EvaluationOptions
    measures: tuple[str, ...]


def _goldens() -> dict[str, list[Golden]]:
    by_collection: dict[str, list[Golden]] = {}
    if not (DATA / "goldens.tsv").is_file():
        return {"no data": []}
    for row in (DATA / "goldens.tsv").read_text().splitlines()[1:]:
        output, run, qrels, flags, _ = row.split("\t")
        if "/trec_eval-9" in output:
            options, measures = _understood(flags.split())
            by_collection.setdefault(output.split("/")[0], []).append(Golden(output, run, qrels, options, measures))
    return by_collection


def _understood(flags: list[str]) -> tuple[EvaluationOptions, tuple[str, ...]]:
    said: dict[str, object] = {}
    measures: list[str] = []
    rest = iter(flags)
    for flag in rest:
        match flag:
            case "-J":
                said["judged_only"] = True
            case "-c":
                said["missing"] = "zero"
            case "-l":
                said["level"] = int(next(rest))
            case "-M":
                said["depth"] = int(next(rest))
            case "-m":
                measures.append(next(rest))
            case _:
                assert flag == "-q", flag
    return EvaluationOptions(**said, dialect="trec_eval-9"), tuple(measures or ["official"])  # type: ignore[arg-type]


def _lines(golden: Golden) -> dict[str, str]:
    """Our lines by name and query."""
    run, qrels = run_of(DATA / golden.run), qrels_of(DATA / golden.qrels)
    measures = parse_measures(golden.measures)
    result = evaluate(qrels, run, measures, golden.options)
    runid = any(text in GROUPS for text in golden.measures)
    text = trec_lines(result, [run.tag], [judge(run, qrels, golden.options)], by_query=True, runid=runid)
    return {line.rpartition("\t")[0]: line for line in text.splitlines()}


@pytest.mark.parametrize(("collection", "goldens"), _goldens().items(), ids=_goldens())
def test_all_values(collection: str, goldens: list[Golden], record_property: Callable[[str, object], None]) -> None:
    """Every line. Under -c it prints no lines of queries that a run lacks."""
    if not goldens:
        pytest.skip(f"the goldens are not here ({DATA}); set IRVIEWER_DATA to their folder")
    compared, wrong = 0, []
    account = Comparison("trec_eval 9.0.7", collection, files=len(goldens))
    for golden in goldens:
        data = (DATA / golden.output).read_bytes()
        text = (gzip.decompress(data) if golden.output.endswith(".gz") else data).decode("utf-8")
        theirs = text.splitlines()
        account.equal(len(theirs))
        ours = _lines(golden)
        wrong += [
            f"{golden.output}: {ours.get(line.rpartition(chr(9))[0])!r} {line!r}"
            for line in theirs
            if ours.get(line.rpartition("\t")[0]) != line
        ]
        compared += len(theirs)
    assert not wrong, f"{len(wrong)} of {compared}\n" + "\n".join(wrong[:20])
    account.record(record_property)
    record_property("values equal to trec_eval 9 under its dialect", compared)
