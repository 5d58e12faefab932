"""Slices of lengths, relevant documents and question words have one name in files of data, whatever the language."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

COMMAND = "import sys; from irviewer.cli.main import main; sys.exit(main(sys.argv[1:]))"
TEXTS = ("what lifts a wing", "how", "heat in thin plates of steel", "where does the flow turn", "plates", "what is it")


def said_by(language: str, *arguments: str) -> str:
    """What a command says in a language; a verdict that is not known ends with 2."""
    ended = subprocess.run(
        [sys.executable, "-c", COMMAND, *arguments], capture_output=True, text=True, check=False,
        env={**os.environ, "IRVIEWER_LANGUAGE": language},
    )  # fmt: skip
    assert ended.returncode in ((0, 2) if arguments[0] == "verdict" else (0,)), ended.stderr
    assert ended.stdout
    return ended.stdout


def test_data_are_the_same_and_texts_are_not(tmp_path: Path) -> None:
    queries = range(1, 25)
    (tmp_path / "qrels").write_text("".join(f"{q} 0 d{n} {int(n <= q % 3)}\n" for q in queries for n in range(4)))
    for name, first in (("one", 0), ("two", 2)):
        lines = [f"{q} Q0 d{n} 1 {9 - (n + first * q) % 5} {name}\n" for q in queries for n in range(5)]
        (tmp_path / name).write_text("".join(lines))
    (tmp_path / "queries.tsv").write_text("".join(f"{q}\t{TEXTS[q % len(TEXTS)]}\n" for q in queries))
    command = ["slices", *(str(tmp_path / name) for name in ("qrels", "one", "two")), "--query-attributes",
               str(tmp_path / "queries.tsv"), "--by", "question-word", "--by", "length", "--cross"]  # fmt: skip
    for table in ("slices", "crossed"):
        english, spanish = (
            said_by(language, *command, "--format", "csv", "--table", table) for language in ("en", "es")
        )
        assert english == spanish
        assert "other, or none" in english
        assert " words" in english
    verdict = ["verdict", *command[1:4], "--texts", command[5], "--table", "tried"]
    assert said_by("en", *verdict, "--format", "csv") == said_by("es", *verdict, "--format", "csv")
    tried = said_by("es", *verdict)
    assert " palabras" in tried
    assert not any(word in tried for word in (" words", " relevant\n", " relevant ", "other, or none"))
    text = said_by("es", *command)
    assert "other, or none" not in text
    assert " words" not in text
    assert " palabras" in text
