"""Measures of other packages, found by entry point in a process of their own: described, plain, broken."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from one_process import results

import irviewer

ROOT = str(Path(irviewer.__file__).resolve().parents[1])
MODULE = '''
import numpy as np
from irviewer.measures.base import Cutoff, RELEVANCE_LEVEL, measure


def hits(judged, cutoff=None, rel=1, weight=1.0):
    """Hits, weighed.

    More of the docstring."""
    return weight * judged.relevant_hits(rel, cutoff).count_by_query


@measure("described", title="A described one", rewards="something", ignores="the rest", formula="x", source="us 2024",
         cutoff=Cutoff.REQUIRED, parameters=(RELEVANCE_LEVEL,), aliases=("desc",))
def described(judged, rel, cutoff):
    return np.full(judged.n_queries, float(cutoff) + rel)


def short(judged):
    return [1.0]


def fails(judged):
    raise KeyError("no such thing")


def unreadable(judged, words="text"):
    return np.zeros(judged.n_queries)


def leaves(judged):
    raise SystemExit(0)


def interrupts(judged):
    raise KeyboardInterrupt


def imaginary(judged):
    return np.full(judged.n_queries, 1 + 2j)


def words(judged):
    return ["1"] * judged.n_queries


def writes(judged):
    for array in (judged.hit_grade, judged.hit_rank, judged.ideal_grades, judged.returned, judged.qrels.grades):
        try:
            array.flags.writeable = True
        except ValueError:
            pass
        try:
            array[:] = 0
        except ValueError:
            pass
    judged.judged_hits.rank[:] = 99
    judged.memory.clear()
    return np.ones(judged.n_queries)


@measure("decorated", title="One that fails", rewards="something", ignores="the rest", formula="x", source="us 2024")
def decorated(judged):
    raise SystemExit("decorated")


def chatty(judged):
    print("standard output is a table")
    return np.ones(judged.n_queries)


number = 5
'''
POINTS = """[irviewer.measures]
Hits = its_measures:hits
described = its_measures:described
short = its_measures:short
fails = its_measures:fails
unreadable = its_measures:unreadable
number = its_measures:number
absent = its_measures:not_there
gone = no_such_module:f
AP = its_measures:short
quits = quitting:f
leaves = its_measures:leaves
interrupts = its_measures:interrupts
imaginary = its_measures:imaginary
words = its_measures:words
writes = its_measures:writes
chatty = its_measures:chatty
decorated = its_measures:decorated
"""
FAULTS = [
    ("short", "its function must return 3 values, one per query, but returned an array of shape (1,)"),
    ("fails", "its function failed: KeyError('no such thing')"),
    ("leaves", "leaves: its function failed: SystemExit(0); report it to its author"),
    ("interrupts", "interrupts: its function failed: KeyboardInterrupt()"),
    ("decorated", "decorated: its function failed: SystemExit('decorated')"),
    ("imaginary", "imaginary: its function must return numbers, but returned complex128"),
    ("words", "words: its function must return numbers, but returned str"),
    ("unreadable", "could not be loaded from its_measures:unreadable: unreadable: the default of the parameter words"),
    ("number@5", "could not be loaded from its_measures:number: number is not a function"),
    ("absent", "could not be loaded from its_measures:not_there: AttributeError"),
    ("gone", "could not be loaded from no_such_module:f: ModuleNotFoundError"),
    ("quits", "could not be loaded from quitting:f: SystemExit('no')"),
]
"""Names of measures, and what is said of them."""
MEASURES = ("measures",)
CHATTY = ("evaluate", "qrels.test", "results.test", "-m", "chatty", "--format", "csv")


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """An installed package with measures, on the path of a process to come."""
    folder = tmp_path_factory.mktemp("installed")
    (folder / "its_measures.py").write_text(MODULE)
    (folder / "quitting.py").write_text("import sys\nsys.exit('no')\n")
    info = folder / "its_measures-1.5.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: its-measures\nVersion: 1.5\n")
    (info / "entry_points.txt").write_text(POINTS)
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), ROOT])}


@pytest.fixture(scope="module")
def done(environment: dict[str, str], samples: Path) -> dict[tuple[str, ...], subprocess.CompletedProcess[str]]:
    """Each command with what came of it. All are of one process, which the faults of a package cost nothing."""
    lines = [MEASURES, CHATTY, *(("evaluate", "qrels.test", "results.test", "-m", name) for name, _ in FAULTS)]
    return dict(zip(lines, results(lines, samples / "trec", environment), strict=True))


def run(code: str, environment: dict[str, str]) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False, encoding="utf-8"
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_usable_as_a_built_in_one_is(environment: dict[str, str], samples: Path) -> None:
    code = f"""
import json, irviewer
folder = {str(samples / "trec")!r}
texts = ["Hits", "Hits@5", "Hits(rel=2,weight=0.5)@5", "NumRelRet", "P@5", "described@3", "desc(rel=4)@3",
         "(Hits@5 + described@3) / 2", "AP"]
result = irviewer.evaluate(folder + "/qrels.test", folder + "/results.test", texts)
one = irviewer.parse_measure("Hits@5")
print(json.dumps([result.means[:, 0].tolist(), [m.text for m in result.measures],
                  [one.family.title, one.family.source, one.family.rewards]]))
"""
    means, texts, printed = json.loads(run(code, environment))
    values = dict(zip(texts, means, strict=True))
    assert values["Hits"] == pytest.approx(values["NumRelRet"] / 3)
    assert values["Hits@5"] == pytest.approx(values["P@5"] * 5)
    assert values["Hits(rel=2,weight=0.5)@5"] == 0
    assert (values["described@3"], values["described(rel=4)@3"]) == (4, 7)
    assert values["(Hits@5 + described@3) / 2"] == pytest.approx((values["Hits@5"] + 4) / 2)
    assert 0 < values["AP"] < 0.5, "the built-in one keeps its name"
    assert printed == [
        "Hits, weighed",
        "its-measures 1.5",
        "according to its author: Hits, weighed.  More of the docstring.",
    ]


def test_a_measure_that_writes_into_its_arrays_changes_no_other(environment: dict[str, str], samples: Path) -> None:
    code = f"""
import json, irviewer
folder = {str(samples / "trec")!r}
names = ["AP", "nDCG@10", "P@5", "RR", "Judged@10", "infAP"]
for texts in (names, ["writes", *names], [*names, "writes", *names]):
    result = irviewer.evaluate(folder + "/qrels.test", folder + "/results.test", texts)
    print(json.dumps([float(result.means[:, 0][[m.text for m in result.measures].index(text)]) for text in names]))
"""
    alone, after, between = run(code, environment).splitlines()
    assert alone == after == between


def test_what_a_measure_prints_is_not_in_the_table(
    done: dict[tuple[str, ...], subprocess.CompletedProcess[str]],
) -> None:
    table = done[CHATTY]
    assert table.stdout.splitlines() == ["run,chatty", "results.test,1"]
    assert table.stderr.splitlines() == ["standard output is a table"]


def test_ctrl_c_still_interrupts_a_measure(environment: dict[str, str], samples: Path) -> None:
    code = f"""
import irviewer, os, signal
from irviewer.measures.base import measure
from irviewer.errors import MeasureError
@measure("Slow", title="x", rewards="x", ignores="x", formula="x", source="x")
def slow(judged):
    os.kill(os.getpid(), signal.SIGINT)
    while True:
        pass
folder = {str(samples / "trec")!r}
try:
    irviewer.evaluate(folder + "/qrels.test", folder + "/results.test", ["Slow"])
except KeyboardInterrupt:
    print("interrupted", signal.getsignal(signal.SIGINT) is signal.default_int_handler)
"""
    assert run(code, environment) == "interrupted True\n"


@pytest.mark.parametrize(("name", "message"), FAULTS)
def test_faults_are_reported_and_cost_nothing_else(
    name: str, message: str, done: dict[tuple[str, ...], subprocess.CompletedProcess[str]]
) -> None:
    faulty = done["evaluate", "qrels.test", "results.test", "-m", name]
    assert faulty.returncode == 2
    assert message in faulty.stderr
    assert "Traceback" not in faulty.stderr


def test_the_list_of_measures_says_which_are_not_there(
    done: dict[tuple[str, ...], subprocess.CompletedProcess[str]],
) -> None:
    listed = done[MEASURES]
    assert listed.returncode == 0
    assert "Hits(rel=1, weight=1.0)@k?" in listed.stdout
    assert "irviewer has a measure of this name" in listed.stderr
    assert listed.stderr.count("note") == 6


def test_a_folder_of_data_is_no_package(environment: dict[str, str], tmp_path: Path, samples: Path) -> None:
    """``python -m irviewer`` puts the folder that it is started in first on the path: what lies there is not loaded."""
    data = tmp_path / "data"
    info = data / "evil-1.0.dist-info"
    info.mkdir(parents=True)
    (data / "evil.py").write_text("from pathlib import Path\nPath('was_run').touch()\n")
    (data / "its_measures.py").write_text("from pathlib import Path\nPath('was_run').touch()\n")
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: evil\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[irviewer.measures]\nEvil = evil:f\n")
    command = [sys.executable, "-m", "irviewer", "measures"]
    done = subprocess.run(
        command, cwd=data, env=environment, capture_output=True, text=True, check=True, encoding="utf-8"
    )
    assert "Hits(rel=1, weight=1.0)@k?" in done.stdout
    assert "Evil" not in done.stdout + done.stderr
    assert not (data / "was_run").exists()
