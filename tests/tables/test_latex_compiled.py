"""Our LaTeX through LaTeX itself, where there is one: every kind of table, with names that hold all that is special."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from odd_names import runs_by_name

from irviewer.cli import main

PDFLATEX = shutil.which("pdflatex")


def booktabs() -> bool:
    """Whether LaTeX is here with the package that the tables load."""
    asked = shutil.which("kpsewhich")
    return (
        asked is not None and subprocess.run([asked, "booktabs.sty"], capture_output=True, check=False).returncode == 0
    )


pytestmark = pytest.mark.skipif(PDFLATEX is None or not booktabs(), reason="pdflatex or booktabs is not installed")


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """Qrels and three runs whose names pdfLaTeX has letters for."""
    return runs_by_name(tmp_path, ("a_b%c&d#e", "$5~^{x}\\", "größe_βΔ±"))


@pytest.mark.parametrize(
    "words",
    [
        ["compare", "-m", "AP", "-m", "P@1"],
        ["compare", "-m", "AP", "--pairs"],
        ["explain", "-m", "nDCG@5", "-q", "3"],
        ["explain", "-m", "gm_map"],
    ],
    ids=" ".join,
)
def test_latex_takes_it(files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str]) -> None:
    qrels, *runs = files
    kind, *rest = words
    assert main.main([kind, qrels, *(runs if kind == "compare" else runs[:1]), *rest, "--format", "latex"]) == 0
    text = capsys.readouterr().out
    (tmp_path / "page.tex").write_text(
        "\\documentclass{article}\n\\usepackage{booktabs}\n\\begin{document}\n" + text + "\\end{document}\n"
    )
    assert PDFLATEX is not None
    # -draftmode: everything but the PDF, for which fonts might have to be drawn first.
    command = [PDFLATEX, "-interaction=nonstopmode", "-halt-on-error", "-draftmode", "page.tex"]
    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, errors="replace", check=False)
    assert ended.returncode == 0, [line for line in ended.stdout.splitlines() if line.startswith("!")]
    assert "Missing character" not in ended.stdout
