"""``python -m tests.words``: check the words of texts, documents, comments and names, like a linter.

Prints each fault with its place and ends with status 1 where there is one. Then it lists the strings that look like
texts for users and are not in ``tr(…)``: they are shown in English, and no fault. ``--known`` writes these to
untranslated.txt, whose lines are not listed again: names of columns, formulas, words of formats."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.helpers.source_texts import notes_of, source, texts_of, untranslated, variables
from tests.words.terms import NAMES_OF_THE_PROGRAM, OLD_NAMES, REPLACED, REPLACED_IN_CODE, VAGUE

ROOT = Path(__file__).resolve().parent.parent.parent
PACKAGE = ROOT / "irviewer"
KNOWN = Path(__file__).with_name("untranslated.txt")
DOCUMENTS = ("README.md", "CONTRIBUTING.md", "packaging/README.md")
NO_DOCUMENTS = ("glossary.md", "changelog.md", "contributing.md")
"""Pages that only include another file."""
WITHOUT_TEXTS = ("gui/stylesheet.py", "session/text/query_terms.py")
"""A style sheet and a list of frequent words: their strings look like texts."""


@cache
def any_of(*patterns: str) -> re.Pattern[str]:
    """Return what finds a word that any of these finds."""
    return re.compile("|".join(rf"\b(?:{pattern})\b" for pattern in patterns), re.IGNORECASE)


def faults(text: str, table: dict[str, str]) -> list[str]:
    """Return the words of a table that a text has, each with its replacement."""
    if not any_of(*table).search(text):
        return []
    return [
        f"{match[0]!r} -> {replacement}"
        for pattern, replacement in table.items()
        if (match := re.search(rf"\b(?:{pattern})\b", text, re.IGNORECASE))
    ]


def sources(folder: str) -> list[Path]:
    """Return the files of Python below a folder of the project."""
    return sorted((ROOT / folder).rglob("*.py"))


def in_texts() -> Iterator[str]:
    """Yield the faults of the texts that users see."""
    for file in sources("irviewer"):
        for call in source(file).translated:
            for text in texts_of(call):
                for fault in faults(text, REPLACED):
                    yield f"{file.relative_to(ROOT)}:{call.lineno}: {fault}"


def in_comments() -> Iterator[str]:
    """Yield the faults of docstrings and comments."""
    for file in sources("irviewer"):
        if any_of(*REPLACED_IN_CODE).search(file.read_text("utf-8")):
            for line, text in notes_of(file):
                for fault in faults(text, REPLACED_IN_CODE):
                    yield f"{file.relative_to(ROOT)}:{line}: {fault}"


def in_names() -> Iterator[str]:
    """Yield the variables that have a name that could be that of any other, and such functions of the tests."""
    for folder in ("irviewer", "packaging", "tests"):
        for file in sources(folder):
            for line, name in variables(file):
                if name in VAGUE:
                    yield f"{file.relative_to(ROOT)}:{line}: {name} does not say what it holds"
    old = re.compile(rf"\b(?:{'|'.join((*REPLACED, OLD_NAMES))})\b", re.IGNORECASE)
    for file in sources("tests"):
        for line, name in source(file).functions:
            if name in VAGUE or (old.search(name.replace("_", " ")) and name not in NAMES_OF_THE_PROGRAM):
                yield f"{file.relative_to(ROOT)}:{line}: {name}"


def in_documents() -> Iterator[str]:
    """Yield the faults of documents and lessons. Code and the output of commands are left out, and what lessons quote
    of authors, in the fields ``after`` and ``printed``."""
    pages = [ROOT / name for name in DOCUMENTS]
    pages += [page for page in sorted((ROOT / "docs").rglob("*.md")) if page.name not in NO_DOCUMENTS]
    for page in pages:
        prose = re.sub(r"`[^`\n]*`", "", re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.S | re.M))
        for line in prose.splitlines():
            for fault in faults(line, REPLACED):
                yield f"{page.relative_to(ROOT)}: {line!r}: {fault}"
    for lesson in sorted((ROOT / "resources" / "lessons" / "en").glob("*.md")):
        own = re.sub(r"^(after|printed):.*\n((?: +.*\n)*)", "", lesson.read_text("utf-8"), flags=re.M)
        for line in own.splitlines():
            for fault in faults(line, REPLACED):
                yield f"{lesson.relative_to(ROOT)}: {line!r}: {fault}"


def not_in_tr() -> dict[str, int]:
    """Return the strings that look like texts and are not translated, as lines of untranslated.txt, and where each
    first is."""
    lines: dict[str, int] = {}
    for file in sources("irviewer"):
        name = file.relative_to(PACKAGE).as_posix()
        if name not in WITHOUT_TEXTS:
            for line, text in untranslated(file):
                lines.setdefault(f"{name}\t{text!r}", line)
    return lines


def main() -> int:
    """Check everything; 1 where a word is at fault."""
    parser = argparse.ArgumentParser(prog="python -m tests.words", description=__doc__)
    parser.add_argument("--known", action="store_true", help="keep the texts that are not translated as known ones")
    if parser.parse_args().known:
        KNOWN.write_text("".join(f"{line}\n" for line in sorted(not_in_tr())), encoding="utf-8")
        return 0
    lines = [line for check in (in_texts, in_comments, in_names, in_documents) for line in check()]
    print("".join(f"{line}\n" for line in lines), end="")
    known = set(KNOWN.read_text("utf-8").splitlines())
    for text, line in not_in_tr().items():
        if text not in known:
            name, _, shown = text.partition("\t")
            print(f"irviewer/{name}:{line}: not in tr(…): {shown}")
    print(f"{len(lines)} words at fault")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
