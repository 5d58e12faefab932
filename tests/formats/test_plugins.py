"""Formats of other packages, found by entry point in a process of their own: whole, broken, failing, badly named."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from one_process import results

import irviewer

ROOT = str(Path(irviewer.__file__).resolve().parents[1])
MODULE = """
from irviewer.formats.format import Format, Sniffed
from irviewer.formats.rows import made, rows_of


def sniff(head):
    return Sniffed("run", "lines of slashes") if head.first.count("/") == 2 else None


def read(opened, wanted):
    rows = [line.split("/") for line in opened.data.decode().splitlines()]
    queries, documents, scores = zip(*rows)
    return made(opened, rows_of(queries, documents, [float(one) for one in scores]), wanted, "slashes")


def write(value):
    return "no bytes" if value.name == "text" else value.missing


def shy(head):
    raise KeyError("no such thing")


def nothing(opened, wanted):
    return None


def leaves(*given):
    print("a word on standard output")
    raise SystemExit(0)


def interrupts(*given):
    print("and another")
    raise KeyboardInterrupt


def changes(value):
    print("written")
    try:
        value.scores.flags.writeable = True
    except ValueError:
        return b"kept apart"
    return b"shared"


LEAVES = Format("leaves", "leaves", ("run",), leaves, leaves, leaves)
INTERRUPTS = Format("interrupts", "interrupts", ("run",), interrupts, interrupts, interrupts)
CHANGES = Format("changes", "changes", ("run",), lambda head: "run", nothing, changes)
SLASHES = Format("slashes", "slashes", ("run",), sniff, read, write, suffixes=(".slashes",))
SHY = Format("shy", "shy", ("run",), shy, nothing)
TREC = Format("trec", "mine", ("run",), sniff, read)
OTHER = Format("another", "mine", ("run",), sniff, read)
KINDS = Format("kinds", "mine", ("pictures",), sniff, read)
number = 5
"""
POINTS = """[irviewer.formats]
slashes = its_formats:SLASHES
shy = its_formats:SHY
trec = its_formats:TREC
misnamed = its_formats:OTHER
kinds = its_formats:KINDS
number = its_formats:number
absent = its_formats:not_there
gone = no_such_module:f
quits = quitting:f
leaves = its_formats:LEAVES
interrupts = its_formats:INTERRUPTS
changes = its_formats:CHANGES
"""
RUN = "1/a/2\n1/b/1.5\n2/c/1\n"
FAULTS = [
    (("--from", "gone"), "the format gone could not be loaded from no_such_module:f: ModuleNotFoundError"),
    (("--from", "shy"), "run: the reader of the format shy returned no run"),
    (("--from", "slash"), "there is no format 'slash'; similar names: slashes,"),
    (("--to", "slashes"), "the writer of the format slashes failed: AttributeError"),
    (("--to", "slashes", "--name", "text"), "the writer of the format slashes returned no bytes"),
    (("--from", "leaves"), "run: the reader of the format leaves failed: SystemExit(0)"),
    (("--from", "interrupts"), "run: the reader of the format interrupts failed: KeyboardInterrupt()"),
    (("--to", "leaves"), "the writer of the format leaves failed: SystemExit(0)"),
    (("--to", "interrupts"), "the writer of the format interrupts failed: KeyboardInterrupt()"),
    (("--to", "shy"), "irviewer cannot write run as shy; --to is one of:"),
]
"""Words after ``irviewer convert run -``, and what is said of them."""
FORMATS = ("formats",)
CONVERT = ("convert", "run", "-", "--to", "trec")
COPIED = ("convert", "run", "-", "--to", "changes")
EVALUATE = ("evaluate", "qrels", "run", "-m", "RR", "--format", "csv")
CHECK = ("check", "odd")
Words = tuple[str, ...]
Done = subprocess.CompletedProcess[str]


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """An installed package with formats, on the path of a process to come."""
    folder = tmp_path_factory.mktemp("installed")
    info = folder / "its_formats-1.5.dist-info"
    info.mkdir()
    (folder / "its_formats.py").write_text(MODULE)
    (folder / "quitting.py").write_text("import sys\nsys.exit('no')\n")
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: its-formats\nVersion: 1.5\n")
    (info / "entry_points.txt").write_text(POINTS)
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), ROOT])}


@pytest.fixture(scope="module")
def done(environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> dict[Words, Done]:
    """Each command with what came of it. All are of one process, which the faults of a package cost nothing."""
    folder = tmp_path_factory.mktemp("data")
    (folder / "run").write_text(RUN)
    (folder / "qrels").write_text("1 0 a 1\n2 0 d 1\n")
    (folder / "odd").write_text("nothing that anybody knows\n")
    lines = [FORMATS, CHECK, *(("convert", "run", "-", *words) for words, _ in FAULTS), CONVERT, COPIED, EVALUATE]
    return dict(zip(lines, results(lines, folder, environment), strict=True))


def test_usable_as_a_built_in_one_is(done: dict[Words, Done]) -> None:
    converted = done[CONVERT]
    assert (converted.returncode, converted.stdout) == (0, "1 Q0 a 1 2 run\n1 Q0 b 2 1.5 run\n2 Q0 c 1 1 run\n")
    assert "slashes (lines of slashes), written as TREC run" in converted.stderr
    assert done[EVALUATE].stdout == "run,RR\nrun,0.5\n"


def test_a_file_that_ours_know_is_not_shown_to_another_package(environment: dict[str, str], tmp_path: Path) -> None:
    """Its code is not even loaded: numbers of known files cannot depend on what else is installed."""
    (tmp_path / "run").write_text("1/a/2 Q0 a 1 2 x\n")
    (tmp_path / "qrels").write_text("1/a/2 0 a 1\n")
    code = (
        "import sys, irviewer; irviewer.evaluate('qrels', ['run'], ['RR']); assert 'its_formats' not in sys.modules;"
        "from irviewer.formats.load import load\n"
        "try:\n    load('run', format='slashes')\nexcept Exception as error:\n    print(error)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert done.stdout == (
        "run: the reader of the format slashes failed: "
        "ValueError(\"could not convert string to float: '2 Q0 a 1 2 x'\")\n"
    ), done.stderr


def test_the_list_of_formats_says_which_are_not_there(done: dict[Words, Done]) -> None:
    listed = done[FORMATS]
    assert listed.returncode == 0
    assert re.search(r"^slashes +run +run +\.slashes$", listed.stdout, re.M)
    messages = listed.stderr.splitlines()
    assert [line.removeprefix("irviewer: note: the format ") for line in messages] == [
        "trec could not be loaded from its_formats:TREC: irviewer already has a format of this name",
        "misnamed could not be loaded from its_formats:OTHER: its name is 'another': it must be the entry "
        "point's name in lower case",
        "kinds could not be loaded from its_formats:KINDS: its kinds are pictures: they must be some of qrels, "
        "run, queries, documents",
        "number could not be loaded from its_formats:number: number is not an irviewer.formats.format.Format",
        "absent could not be loaded from its_formats:not_there: AttributeError(\"module 'its_formats' has no attribute "
        "'not_there'\")",
        "gone could not be loaded from no_such_module:f: ModuleNotFoundError(\"No module named 'no_such_module'\")",
        "quits could not be loaded from quitting:f: SystemExit('no')",
    ]


@pytest.mark.parametrize(("words", "message"), FAULTS)
def test_faults_are_reported_and_cost_nothing_else(words: Words, message: str, done: dict[Words, Done]) -> None:
    faulty = done["convert", "run", "-", *words]
    assert (faulty.returncode, faulty.stdout) == (2, "")
    assert message in faulty.stderr
    assert "Traceback" not in faulty.stderr


def test_a_detection_that_fails_is_reported_where_no_format_fits(done: dict[Words, Done]) -> None:
    checked = done[CHECK]
    assert checked.returncode == 2
    assert "unknown file format" in checked.stderr
    assert "the detection of the format shy of its_formats failed: KeyError('no such thing')" in checked.stderr
    assert "the detection of the format leaves of its_formats failed: SystemExit(0)" in checked.stderr
    assert checked.stdout == ""


def test_a_writer_gets_a_copy_and_prints_to_standard_error(done: dict[Words, Done]) -> None:
    written = done[COPIED]
    assert (written.returncode, written.stdout) == (0, "kept apart")
    assert "written" in written.stderr.splitlines()


def test_a_folder_of_data_is_no_package(environment: dict[str, str], tmp_path: Path) -> None:
    """``python -m irviewer`` puts the folder that it is started in first on the path: what lies there is not loaded."""
    data = tmp_path / "data"
    info = data / "evil-1.0.dist-info"
    info.mkdir(parents=True)
    for name in ("evil.py", "its_formats.py"):
        (data / name).write_text("from pathlib import Path\nPath('was_run').touch()\n")
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: evil\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[irviewer.formats]\nevil = evil:f\n")
    command = [sys.executable, "-m", "irviewer", "formats"]
    done = subprocess.run(
        command, cwd=data, env=environment, capture_output=True, text=True, check=False, encoding="utf-8"
    )
    assert done.returncode == 0
    assert "slashes" in done.stdout
    assert "evil" not in done.stdout + done.stderr
    assert not (data / "was_run").exists()


def test_the_columns_of_another_packages_run_are_not_kept(environment: dict[str, str], tmp_path: Path) -> None:
    """Its next version may read the file otherwise."""
    (tmp_path / "run").write_text(RUN)
    environment = environment | {"IRVIEWER_CACHE_DIR": str(tmp_path / "cache")}
    code = (
        "from irviewer.formats.reading import cache\nfrom irviewer.formats.load import load\n"
        "from irviewer.formats.reading import file_state\n"
        "cache.WORTH, cache.LARGE, file_state.SETTLED = 0.0, 0, 0.0\n"
        "print(load('run', cached='keep').value.name, load('plain', cached='keep').value.name)\n"
    )
    (tmp_path / "plain").write_text("1 Q0 a 1 2.5 x\n")
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert done.stdout == "run plain\n", done.stderr
    kept = [path for path in (tmp_path / "cache").rglob("*") if path.is_file()]
    assert len(kept) == 1
