"""Our LaTeX through LaTeX itself, where there is one: every kind of table, with names that hold all that is special."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from irviewer import cli

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
    (tmp_path / "qrels").write_text("".join(f"{query} 0 d_{query}&% 1\n" for query in range(12)))
    found = [str(tmp_path / "qrels")]
    for place, name in enumerate(("a_b%c&d#e", "$5~^{x}\\", "größe_βΔ±")):
        lines = [
            f"{query} Q0 {document} 1 {9 - rank} t\n"
            for query in range(12)
            for rank, document in enumerate(["x"] * (query % (place + 2) > 0) + [f"d_{query}&%"])
        ]
        (tmp_path / name).write_text("".join(lines))
        found.append(str(tmp_path / name))
    return found


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
    assert cli.main([kind, qrels, *(runs if kind == "compare" else runs[:1]), *rest, "--format", "latex"]) == 0
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
