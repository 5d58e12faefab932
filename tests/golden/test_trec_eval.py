"""trec_eval's outputs, line for line: every golden of version 10, and those of version 9 where the two agree."""

from __future__ import annotations

import gzip
import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import pytest
from comparison import Comparison
from golden_files import qrels_of, run_of

from irviewer.evaluation.evaluate import evaluate, missing_queries
from irviewer.formats.trec.qrels import read_qrels
from irviewer.formats.trec.run import read_run
from irviewer.formats.trec.trec_lines import trec_lines
from irviewer.measures.base import Measure
from irviewer.measures.parser import parse_measures
from irviewer.measures.tool_names import GROUPS
from irviewer.model.judgments.judged import judge
from irviewer.model.options import EvaluationOptions

DATA = Path(os.environ.get("IRVIEWER_DATA", Path(__file__).parents[2].parent / "shared" / "data"))

CHANGED_IN_10 = (*tuple(f"iprec_at_recall_0.{n}0" for n in (1, 2, 3, 4, 6, 7, 8, 9)), "11pt_avg", "rbp", "unj")
"""What version 9 rounds otherwise or lacks; at recall 0, .5 and 1 the two agree."""

LARGE = 22
"""Of a collection with more goldens most are compared by slow tests."""

RESCALED = "rbp of graded qrels (rescaled with variables that are never set)"


@dataclass(frozen=True)
class Golden:
    """One row of goldens.tsv, its flags understood."""

    output: str
    run: str
    qrels: str
    options: EvaluationOptions
    measures: tuple[str, ...]
    complete_queries: bool
    truncated: bool


def _goldens(version: str) -> dict[str, list[Golden]]:
    """The rows of one version by collection; none where the data are not there."""
    by_collection: dict[str, list[Golden]] = {}
    if not (DATA / "goldens.tsv").is_file():
        return {"no data": []}
    for row in (DATA / "goldens.tsv").read_text().splitlines()[1:]:
        output, run, qrels, flags, state = row.split("\t")
        if f"/trec_eval-{version}" in output:
            by_collection.setdefault(output.split("/")[0], []).append(_golden(output, run, qrels, flags.split(), state))
    return by_collection


def _golden(output: str, run: str, qrels: str, flags: list[str], state: str) -> Golden:
    level, judged_only, depth, complete, measures = 1, False, None, False, []
    rest = iter(flags)
    for flag in rest:
        if flag == "-J":
            judged_only = True
        elif flag == "-c":
            complete = True
        elif flag == "-l":
            level = int(next(rest))
        elif flag == "-M":
            depth = int(next(rest))
        elif flag == "-m":
            measures.append(next(rest))
        else:
            assert flag == "-q", flag
    options = EvaluationOptions(level, judged_only, depth, "zero" if complete else "intersection")
    return Golden(output, run, qrels, options, tuple(measures or ["official"]), complete, state == "truncated")


def _known(texts: tuple[str, ...]) -> list[Measure]:
    return list(parse_measures(texts))


def _ours(golden: Golden) -> tuple[list[str], bool]:
    """Our lines, and whether rbp and its residual are left out: on graded qrels trec_eval is no oracle."""
    run, qrels = run_of(DATA / golden.run), qrels_of(DATA / golden.qrels)
    result = evaluate(qrels, run, _known(golden.measures), golden.options)
    runid = any(text in GROUPS for text in golden.measures)
    text = trec_lines(result, [run.tag], [judge(run, qrels, golden.options)], by_query=True, runid=runid)
    return text.splitlines(), qrels.is_graded


def _theirs(golden: Golden) -> list[str]:
    path = DATA / golden.output
    with gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb") as file:
        return file.read().decode("utf-8").splitlines()


def _without(lines: list[str], names: Iterable[str]) -> list[str]:
    """The lines whose name is none of these."""
    unwanted = tuple(f"{name:<22}\t" for name in names)
    return [line for line in lines if not line.startswith(unwanted)]


def _first_difference(ours: list[str], theirs: list[str]) -> str:
    for a, b in zip(ours, theirs, strict=False):
        if a != b:
            return f"ours {a!r}, trec_eval's {b!r}"
    return f"{len(ours)} lines of ours, {len(theirs)} of trec_eval's"


@pytest.fixture
def in_data_folder() -> None:
    if not DATA.joinpath("goldens.tsv").is_file():
        pytest.skip(f"the goldens are not here ({DATA}); set IRVIEWER_DATA to their folder")


def _parts(version: str) -> list[object]:
    """The parameters collection and goldens: of a large collection each fourth golden; the others are slow."""
    params: list[object] = []
    for name, goldens in _goldens(version).items():
        if len(goldens) <= LARGE:
            params.append(pytest.param(name, goldens, id=name))
            continue
        others = [golden for number, golden in enumerate(goldens) if number % 4]
        params += [
            pytest.param(name, goldens[::4], id=name),
            pytest.param(name, others, id=f"{name}-others", marks=pytest.mark.slow),
        ]
    return params


@pytest.mark.parametrize(("collection", "goldens"), _parts("10"))
def test_version_10_line_for_line(
    collection: str, goldens: list[Golden], in_data_folder: None, record_property: Callable[[str, object], None]
) -> None:
    """The same lines in the same order, padding and signs included."""
    compared, wrong = 0, []
    account = Comparison("trec_eval 10.0-rc3", collection, files=len(goldens))
    for golden in goldens:
        lines, graded = _ours(golden)
        lacking: set[str] = {"rbp", "rbp_resid"} if graded else set()
        ours, theirs = lines, _theirs(golden)
        if lacking:
            whole = theirs
            ours, theirs = (_without(output_lines, lacking) for output_lines in (ours, whole))
            for line in set(whole) - set(theirs):
                account.aside(RESCALED, line not in lines)
        if golden.truncated:
            # trec_eval stopped at the first query that the run lacks: after some queries, before any summary.
            assert not any("\tall\t" in line for line in theirs)
            ours = ours[: len(theirs)]
        elif not golden.complete_queries:
            assert missing_queries(run_of(DATA / golden.run), qrels_of(DATA / golden.qrels)) == (), golden.output
        if ours == theirs:
            compared += len(theirs)
            account.equal(len(theirs))
        else:
            wrong.append(f"{golden.output}: {_first_difference(ours, theirs)}")
    assert not wrong, "\n".join(wrong[:20])
    account.record(record_property)
    record_property("values equal to trec_eval 10", compared)


@pytest.mark.parametrize(("collection", "goldens"), _parts("9"))
def test_version_9_where_the_two_agree(
    collection: str, goldens: list[Golden], in_data_folder: None, record_property: Callable[[str, object], None]
) -> None:
    """Version 9 averages over the queries in common unless told -c, and prints no lines of queries that a run lacks."""
    compared, wrong = 0, []
    for golden in goldens:
        lines, _ = _ours(golden)
        wanted = {line.rpartition("\t")[0]: line for line in _theirs(golden) if not line.startswith(CHANGED_IN_10)}
        ours = {line.rpartition("\t")[0]: line for line in lines}
        different = [f"{ours.get(key)!r} {line!r}" for key, line in wanted.items() if ours.get(key) != line]
        wrong += [f"{golden.output}: {difference}" for difference in different]
        compared += len(wanted)
    assert not wrong, "\n".join(wrong[:20])
    record_property("values equal to trec_eval 9", compared)


OWN = {
    "out.test": ("qrels.test", "results.test", [], False),
    "out.test.aq": ("qrels.test", "results.test", ["-q", "-m", "all_trec"], True),
    "out.test.aqc": ("qrels.test", "results.trunc", ["-q", "-c", "-m", "all_trec"], True),
    "out.test.aqcM": ("qrels.test", "results.trunc", ["-q", "-c", "-M", "100", "-m", "all_trec"], True),
    "out.test.aql": (
        "qrels.rel_level",
        "results.test",
        ["-q", "-l", "2", "-m", "all_trec", "-m", "relstring.20"],
        True,
    ),
}


MORE = {
    "out.test.a": ("qrels.test", "results.test", ["-m", "all_trec"], False),
    "out.comment.test": ("qrels.comment.test", "results.comment.test.gz", [], False),
    "out.test.meas_params": (
        "qrels.test", "results.test",
        ["-m", "iprec_at_recall.0.10,0.20,0.25,0.75,0.50", "-m", "P.5,7,3", "-m", "recall.20,2000", "-m",
         "Rprec_mult.5.0,0.2,0.35", "-m", "utility.2,-1,0,0", "-m", "11pt_avg..25,.5,.75", "-m", "ndcg.1=3,2=9,4=4.5",
         "-m", "ndcg_cut.10,20,23", "-m", "success.2,5,20"], True,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", MORE)
def test_trec_evals_other_outputs(
    name: str, in_data_folder: None, record_property: Callable[[str, object], None]
) -> None:
    """The rest of what trec_eval is checked with: comments in both files, and parameters of measures."""
    judgments, ranking, flags, by_query = MORE[name]
    folder = DATA / "trec_eval_test"
    golden = _golden(name, ranking, judgments, flags, "complete")
    qrels, run = read_qrels(folder / judgments), read_run(folder / ranking)
    result = evaluate(qrels, run, _known(golden.measures), golden.options)
    runid = any(text in GROUPS for text in golden.measures)
    ours = trec_lines(
        result, [run.tag], [judge(run, qrels, golden.options)], by_query=by_query, runid=runid
    ).splitlines()
    theirs = (folder / name).read_text().splitlines()
    # It repeats the recall levels as they were typed.
    assert ours == [line.replace("11pt_avg_.25,.5,.75   ", "11pt_avg_0.25,0.5,0.75") for line in theirs]
    Comparison("trec_eval's own tests", "trec_eval_test", 1, len(theirs)).record(record_property)


@pytest.mark.parametrize("name", OWN)
def test_trec_evals_own_outputs(
    name: str, small: Path, samples: Path, record_property: Callable[[str, object], None]
) -> None:
    """The expected outputs that trec_eval itself is checked with; they are in every checkout."""
    judgments, ranking, flags, by_query = OWN[name]
    folder = samples / "trec" if judgments == "qrels.test" else small / "trec_eval"
    golden = _golden(name, ranking, judgments, [flag for flag in flags if flag != "-q"], "complete")
    qrels, run = read_qrels(folder / judgments), read_run(samples / "trec" / ranking)
    result = evaluate(qrels, run, _known(golden.measures), golden.options)
    ours = trec_lines(result, [run.tag], [judge(run, qrels, golden.options)], by_query=by_query).splitlines()
    theirs = (small / "trec_eval" / name).read_text().splitlines()
    lacking: set[str] = {"rbp", "rbp_resid"} if qrels.is_graded else set()
    if "relstring.20" in golden.measures:
        lacking.add("relstring")  # where a length is named trec_eval prints that length only
    left, right = (_without(lines, lacking) for lines in (ours, theirs))
    assert left == right, _first_difference(left, right)
    account = Comparison("trec_eval's own tests", "trec_eval_test", 1, len(right))
    for line in set((small / "trec_eval" / name).read_text().splitlines()) - set(right):
        is_relstring = line.startswith("relstring")
        account.aside("relstring of two lengths prints one" if is_relstring else RESCALED, line not in ours)
    account.record(record_property)
    record_property("values equal to trec_eval's own outputs", len(right))
