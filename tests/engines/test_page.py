"""The examples of docs/many_machines.md run as they stand, in a copy of the sample."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import irviewer
from irviewer.engines.engine import ENGINES

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "resources" / "samples" / "fables"
BLOCKS = re.findall(r"^```(sh|python)\n(.*?)^```$", (ROOT / "docs/many_machines.md").read_text("utf-8"), re.M | re.S)
EXAMPLES = [(name, language, text) for name in ENGINES for language, text in BLOCKS if re.search(rf"\b{name}\b", text)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(SAMPLE, tmp_path / "sample"))


def ran(folder: Path, *command: str | Path) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_every_example_is_run() -> None:
    assert sorted((name, language) for name, language, _ in EXAMPLES) == [
        (name, language) for name in sorted(ENGINES) for language in ("python", "sh")
    ]
    assert len(BLOCKS) == len(EXAMPLES) + 2  # other schedulers, and moments


@pytest.mark.engines
@pytest.mark.parametrize(
    ("name", "language", "text"), EXAMPLES, ids=[f"{name} {language}" for name, language, _ in EXAMPLES]
)
def test_examples_of_engines(name: str, language: str, text: str, folder: Path) -> None:
    pytest.importorskip(ENGINES[name], reason=f"needs irviewer[{name}]")
    alone = irviewer.evaluate(folder / "qrels.txt", folder / "runs/bm25_stemmed.run.gz", ["nDCG@10", "AP"])
    if language == "python":
        (folder / "example.py").write_text(text)
        assert ran(folder, sys.executable, "example.py") == f"{alone}\n"
        return
    (command,) = text.splitlines()
    program, *words = command.split()
    assert program == "irviewer"
    plain = [word for word in words if word not in ("--engine", name, "--jobs", "2")]
    assert len(plain) == len(words) - 4
    assert ran(folder, sys.executable, "-m", "irviewer", *words) == ran(
        folder, sys.executable, "-m", "irviewer", *plain
    )


def test_the_example_of_other_schedulers(folder: Path) -> None:
    (text,) = [text for language, text in BLOCKS if "merge_partitions" in text]
    (folder / "example.py").write_text(text + "    print(result)\n")
    alone = irviewer.evaluate(folder / "qrels.txt", folder / "runs/bm25_stemmed.run.gz", ["nDCG@10", "AP"])
    shown = ran(folder, sys.executable, "example.py")
    assert shown.splitlines()[-1].split()[1:] == str(alone).splitlines()[-1].split()[1:]  # it has another name


def test_the_example_of_moments(folder: Path) -> None:
    (text,) = [text for _, text in BLOCKS if "Moments.merge" in text]
    whole = text.replace("range(0, 40, 10)", "range(0, 40, 40)").replace("start + 10", "start + 40")
    assert whole != text
    shown = []
    for number, program in enumerate((text, whole)):
        (folder / f"example{number}.py").write_text(program)
        shown.append(ran(folder, sys.executable, f"example{number}.py"))
    numbers = [[float(each) for each in re.findall(r"=(-?\d[^,)]*)", line)] for line in shown]
    assert numbers[0] == pytest.approx(numbers[1], rel=1e-12)
    assert len(numbers[0]) == 7
