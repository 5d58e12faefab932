"""The linter of words finds what it looks for, and the glossary is in order."""

from __future__ import annotations

import re
from pathlib import Path

from tests.helpers.source_texts import untranslated, variables
from tests.words.__main__ import faults
from tests.words.terms import REPLACED, VAGUE

ROOT = Path(__file__).resolve().parent.parent.parent


def test_words_are_found() -> None:
    assert faults("What stands above it was laid over.", REPLACED) == [
        "'laid over' -> apply",
        "'stands' -> is, is shown, is listed",
    ]
    assert faults("the metrics", REPLACED) == ["'metrics' -> measure"]
    assert not faults("The document at rank 3 is relevant; wishful, told-you, understand", {r"wish": "", r"stand": ""})


def test_the_glossary_is_in_order_and_has_no_term_twice() -> None:
    terms = re.findall(r"^- \*\*([^*]+)\*\*:", (ROOT / "resources" / "glossary.md").read_text("utf-8"), re.M)
    assert len(terms) > 50
    assert terms == sorted(terms, key=str.casefold)
    assert len(set(terms)) == len(terms)


def test_untranslated_texts_are_found(tmp_path: Path) -> None:
    file = tmp_path / "texts.py"
    file.write_text(
        '"""A docstring here."""\nLABEL = "Remove run"\n"""Its description."""\nX = {"a key of it": 1}\n'
        'def f(n: "int or str") -> None:\n    print(tr("Remove it"), f"the run {n}", "word", f"{n} {n}")\n'
        '    raise ValueError("a mistake of ours")\n'
    )
    assert untranslated(file) == [(2, "Remove run"), (6, "the run {}")]


def test_variables_are_found(tmp_path: Path) -> None:
    file = tmp_path / "names.py"
    file.write_text(
        "class A:\n    found: int\n\n\ndef f(one: int) -> None:\n"
        "    for thing in [one]:\n        found = [one for one in thing]\n"
    )
    assert [name for _, name in variables(file) if name in VAGUE] == ["one", "thing", "found", "one"]
