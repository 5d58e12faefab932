"""Plain words: the terms of docs/glossary.md in texts, documents, docstrings and comments, and every text translated.

Every part of irviewer is held, except those that the tables below name with a reason."""

from __future__ import annotations

import re
import sys
from functools import cache
from pathlib import Path

import pytest

from tests.helpers.source_texts import notes_of, untranslated

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "irviewer"
sys.path.insert(0, str(ROOT / "packaging"))
from catalogues import extract  # noqa: E402 - a script beside the package

REPLACED = {
    r"a person|whoever|who judges|somebody": "user, or judge",
    r"all the rest": "the others",
    r"as it were": "(nothing)",
    r"at once": "immediately, in one step",
    r"bids?": "suggests",
    r"by itself": "automatically, separately",
    r"caveats?": "warning",
    r"cheapest": "fewest swaps",
    r"deeds?": "example step, suggested step",
    r"from (?!now|then)\w+ on(?! disk)": "above, below, at least",
    r"given up": "cancelled",
    r"how (firm|alike)": "how stable, how similar",
    r"lay (over|other)|lai[dn] over": "apply",
    r"likeness(es)?": "similarity",
    r"looked at|looks? at": "viewed, read, shown, examined",
    r"metrics?": "measure",
    r"nobody judged": "unjudged",
    r"of its own accord": "automatically",
    r"rule of the house|houses?": "rule",
    r"stands?(?! for)|stood": "is, is shown, is listed",
    r"told": "stated, shown",
    r"verdicts?": "conclusion",
    r"what is there": "existing",
    r"whose rules": "dialect",
    r"wish(es|ed)?": "request",
}
"""Words that are not used in texts and documents (a regular expression) -> what is used instead."""

REPLACED_IN_CODE = {
    pattern: REPLACED[pattern]
    for pattern in (
        r"a person|whoever|who judges|somebody",
        r"all the rest",
        r"as it were",
        r"lay (over|other)|lai[dn] over",
        r"looked at|looks? at",
        r"of its own accord",
        r"rule of the house|houses?",
        r"whose rules",
    )
} | {
    r"(what|that) is told": "what the text says",
    r"what stands|where \w+ stands": "what is, where it is",
    r"bids": "suggests",
}
"""Words that are not used in docstrings and comments."""

DIVIDED = ("analysis", "formats", "gui", "session")
"""Packages that are so large that their parts are held one by one."""


def parts() -> tuple[str, ...]:
    """Return the modules and packages of irviewer, of those in DIVIDED their modules and packages."""
    folders = [PACKAGE, *(PACKAGE / name for name in DIVIDED)]
    modules = [file for folder in folders for file in folder.glob("*.py") if file.stem != "__init__"]
    packages = [file.parent for folder in folders for file in folder.glob("*/__init__.py")]
    names = {path.relative_to(PACKAGE).with_suffix("").as_posix() for path in (*modules, *packages)}
    return tuple(sorted(names - set(DIVIDED)))


PARTS = parts()
TEXTS_NOT_YET: dict[str, str] = {}
"""Parts whose texts for users are not yet held to REPLACED -> why."""
CODE_NOT_YET = {
    "session/view_models": "some of its modules are still to be rewritten",
}
"""Parts whose docstrings and comments are not yet held to REPLACED_IN_CODE -> why."""
TRANSLATED_NOT_YET = {
    "analysis/explain": "names of values in ledgers are read from data too, and formulas are among them",
    "formats/doctor": "the options that it suggests are not distinguished from texts",
    "formats/json": "the names of formats are not distinguished from texts",
    "formats/project_file": "a key of the file is not distinguished from a text",
    "formats/reading": "messages of libraries that are compared are not distinguished from texts",
    "formats/salvage": "a key of the file is not distinguished from a text",
    "formats/search_tools": "the columns of Quepid's files are not distinguished from texts",
    "formats/texts": "the names of formats are not distinguished from texts",
    "formats/trec": "the lines of the formats are not distinguished from texts",
    "gui/stylesheet": "it is a style sheet",
    "gui/systems": "the id of a column is not distinguished from a text",
    "measures": "titles and meanings of measures are texts of the registry, not yet in tr",
    "paths": "the error of an installation without resources is for packagers",
    "session/comparison": "names of tasks and view models are not distinguished from texts",
    "session/curves": "names of view models are not distinguished from texts",
    "session/evaluation": "names of tasks and view models are not distinguished from texts",
    "session/explaining": "the name of a view model is not distinguished from a text",
    "session/failures": "names of view models are not distinguished from texts",
    "session/files": "texts of opened and changed files are not yet in tr",
    "session/judging": "names of view models are not distinguished from texts",
    "session/projects": "texts of merging and of doubts about files are not yet in tr",
    "session/query_sets": "names of tasks are not distinguished from texts",
    "session/saving": "the name of a task is not distinguished from a text",
    "session/shortcuts": "a description of keys is not yet in tr",
    "session/tasks": "the names of threads are not distinguished from texts",
    "session/teaching": "texts of lessons and examples are not yet in tr",
    "session/text": "the list of frequent words is not distinguished from a text",
    "session/view_model_service": "the name of a view model is not distinguished from a text",
}
"""Parts whose texts for users are not yet known to be all in ``tr``, ``trn`` or ``trc`` -> why."""
DOCUMENTS = ("README.md", "CONTRIBUTING.md", "docs/architecture.md", "docs/plugins.md", "packaging/README.md")

NOT_TRANSLATED = {
    ("cli/compare.py", "comes first"): "a column of exported files",
    ("cli/compare.py", "{} of ranks from"): "a column of exported files",
    ("cli/compare.py", "mean of the sets (macro)"): "a row of exported files",
    ("cli/compare.py", "queries of the sets (micro)"): "a row of exported files",
    ("cli/compare.py", "all queries"): "a row of exported files",
    ("cli/explain.py", "query terms"): "a column of exported files",
    ("cli/pool.py", "judged as"): "a column of exported files",
    ("cli/streams.py", "standard output"): "the file name of an error of the system",
    ("cli/view.py", "irviewer view"): "the name of the command",
    ("api/files.py", "column {}"): "the name that the readers give a column",
    ("analysis/collections/random_effects.py", "DerSimonian and Laird"): "a name",
    ("analysis/similarity/similarity.py", "Kendall's τ"): "a name",
    ("formats/classic/writers.py", "TY  - GEN\nID  - {}\nN1  - {}\nER  - \n\n"): "the format's own words",
    ("formats/reviews/ris.py", "first page"): "a field of the format",
    ("formats/reviews/ris.py", "last page"): "a field of the format",
    ("formats/reviews/ris.py", "TY  - GEN"): "the format's own words",
    ("gui/dialogs/merge_judgments.py", "{} grade"): "the id of a column",
    ("gui/dialogs/merge_judgments.py", "{} who"): "the id of a column",
    ("gui/dialogs/merge_judgments.py", "{} when"): "the id of a column",
    ("gui/dialogs/merge_judgments.py", "{} note"): "the id of a column",
    ("gui/dialogs/ties.py", "policy {}"): "the id of a column",
    ("model/dialects.py", "MS MARCO's script"): "the name of a tool",
    ("model/dialects.py", "ir_measures' judged provider"): "the name of a tool",
    ("model/dialects.py", "ir_measures' compat provider"): "the name of a tool",
    ("model/dialects.py", "ir_measures' accuracy provider"): "the name of a tool",
    ("model/dialects.py", "trec_eval 10"): "the name of a tool",
    ("model/dialects.py", "trec_eval 9"): "the name of a tool",
    ("model/dialects.py", "ir_measures 0.4"): "the name of a tool",
    ("model/dialects.py", "ranx 0.3"): "the name of a tool",
    ("model/exchange/frames.py", "score or rank"): "names of columns",
    ("model/invariants.py", "run {}"): "the beginning of an error that only a mistake in the program raises",
    ("model/invariants.py", "qrels {}"): "the beginning of an error that only a mistake in the program raises",
    ("model/run.py", "run {}"): "the beginning of an error that only a mistake in the program raises",
    ("model/qrels.py", "qrels {}"): "the beginning of an error that only a mistake in the program raises",
    ("model/rankings/fusion.py", "made from"): "an attribute in stored files",
    ("model/shapes.py", "{} offsets ({}) of {} queries"): "only a mistake in the program raises it",
    ("model/shapes.py", "offsets from {} to {}, not all of them rising, of {} documents"): "only a mistake in the "
    "program raises it",
    ("model/shapes.py", "two queries of one id"): "only a mistake in the program raises it",
    ("model/shapes.py", "document ids of type {}, {} of them missing"): "only a mistake in the program raises it",
    ("model/shapes.py", "{} values of {} documents"): "only a mistake in the program raises it",
    ("figures/curve_sets.py", "precision: {}"): "a column of exported files",
    ("figures/curve_sets.py", "ideal of {}"): "a row of exported files",
    ("rendering/export.py", "{} from"): "a column of exported files",
    ("rendering/font_list.py", "building the font cache"): "a message of matplotlib",
    ("rendering/html_report.py", ", mean"): "the part of a label that is left out",
    ("rendering/html_report.py", 'transform="rotate(-90 14 {})"'): "markup",
    ("rendering/matplotlib_figure.py", "DejaVu Sans"): "a font",
    ("rendering/matplotlib_figure.py", "Glyph .* missing from font"): "a message of matplotlib",
    ("rendering/matplotlib_figure.py", "outside lower center"): "a setting of matplotlib",
    ("rendering/matplotlib_figure.py", "offset points"): "a setting of matplotlib",
    ("rendering/matplotlib_figure.py", "outside upper left"): "a setting of matplotlib",
    ("rendering/matplotlib_figure.py", "outside right upper"): "a setting of matplotlib",
    ("reports/analysis_sheets.py", "ideal order"): "a column of exported files",
    ("reports/analysis_sheets.py", "all judged"): "a column of exported files",
    ("reports/analysis_sheets.py", "lost by {}"): "a column of exported files",
    ("reports/collections.py", "p corrected"): "a column of exported files",
    ("reports/comparisons.py", "power alpha"): "a column of exported files",
    ("reports/comparisons.py", "queries needed"): "a column of exported files",
    ("reports/comparisons.py", "power reached"): "a column of exported files",
    ("reports/comparisons.py", "detectable difference"): "a column of exported files",
    ("reports/comparisons.py", "detectable ratio"): "a column of exported files",
    ("reports/explanations.py", "log share"): "a column of exported files",
    ("reports/explanations.py", "adds to the mean"): "a column of exported files",
    ("reports/explanations.py", "adds to Δ"): "a column of exported files",
    ("reports/explanations.py", "order of ties"): "a column of exported files",
    ("reports/gates.py", "{} ({} Holm)"): "a name",
    ("reports/gates.py", "{}><{} message={}>{}</{}></testcase>"): "markup",
    ("reports/gates.py", "irviewer gate {}"): "the name of a test suite in JUnit XML",
    (
        "reports/latex.py",
        "% Names in other scripts need XeLaTeX or LuaLaTeX and a font that has them\n",
    ): "a comment of exported files",
    ("reports/sheets.py", "judged as"): "a column of exported files",
    ("reports/sheets.py", "run {}"): "a column of exported files",
    ("gui/screenshot.py", "does not support propagateSizeHints"): "a message of Qt",
}
"""File and text -> why it is not translated."""


def faults(text: str, table: dict[str, str]) -> list[str]:
    """Return the words of a table that a text has, each with its replacement."""
    return [
        f"{match[0]!r} -> {replacement}"
        for pattern, replacement in table.items()
        if (match := re.search(rf"\b(?:{pattern})\b", text, re.IGNORECASE))
    ]


def sources(packages: tuple[str, ...]) -> list[Path]:
    """Return the files of packages or modules of irviewer."""
    return sorted(
        file
        for name in packages
        for file in ((PACKAGE / name).rglob("*.py") if (PACKAGE / name).is_dir() else [PACKAGE / f"{name}.py"])
    )


def held(not_yet: dict[str, str]) -> list[str]:
    """Return the parts that a table of exceptions does not name."""
    return [name for name in PARTS if name not in not_yet]


def test_words_are_found() -> None:
    assert faults("What stands above it was laid over.", REPLACED) == [
        "'laid over' -> apply",
        "'stands' -> is, is shown, is listed",
    ]
    assert faults("the metrics", REPLACED) == ["'metrics' -> measure"]
    assert not faults("The document at rank 3 is relevant; wishful, told-you, understand", {r"wish": "", r"stand": ""})


@cache
def user_texts() -> list[tuple[set[str], str]]:
    """Return each text for users, with the files that have it."""
    return [
        ({file for file, _ in message.locations}, form)
        for message in extract()
        for form in ([message.id] if isinstance(message.id, str) else message.id)
    ]


@pytest.mark.parametrize("package", held(TEXTS_NOT_YET))
def test_texts_use_the_terms(package: str) -> None:
    files_held = {f"irviewer/{file.relative_to(PACKAGE).as_posix()}" for file in sources((package,))}
    assert files_held
    found = [
        f"{min(files & files_held)}: {text!r}: {fault}"
        for files, text in user_texts()
        if files & files_held
        for fault in faults(text, REPLACED)
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("package", held(CODE_NOT_YET))
def test_docstrings_and_comments_use_plain_words(package: str) -> None:
    found = [
        f"{file.relative_to(ROOT)}:{line}: {fault}"
        for file in sources((package,))
        for line, text in notes_of(file)
        for fault in faults(text, REPLACED_IN_CODE)
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("name", DOCUMENTS)
def test_documents_use_the_terms(name: str) -> None:
    """Code and the output of commands are left out: they are held where they come from."""
    text = (ROOT / name).read_text("utf-8")
    prose = re.sub(r"`[^`\n]*`", "", re.sub(r"^```.*?^```", "", text, flags=re.S | re.M))
    found = [f"{name}: {line!r}: {fault}" for line in prose.splitlines() for fault in faults(line, REPLACED)]
    assert not found, "\n".join(found)


def test_the_glossary_is_in_order_and_has_no_term_twice() -> None:
    terms = re.findall(r"^- \*\*([^*]+)\*\*:", (ROOT / "docs" / "glossary.md").read_text("utf-8"), re.M)
    assert len(terms) > 50
    assert terms == sorted(terms, key=str.casefold)
    assert len(set(terms)) == len(terms)


@pytest.mark.parametrize("package", held(TRANSLATED_NOT_YET))
def test_texts_are_translated(package: str) -> None:
    found = [
        f"{file.relative_to(ROOT)}:{line}: {text!r}"
        for file in sources((package,))
        for line, text in untranslated(file)
        if (file.relative_to(PACKAGE).as_posix(), text) not in NOT_TRANSLATED
    ]
    assert not found, "wrap them in tr(…), or add them to NOT_TRANSLATED with a reason:\n" + "\n".join(found)


def test_parts_are_all_of_irviewer_and_exceptions_exist() -> None:
    files = {file for file in PACKAGE.rglob("*.py") if file.name != "__init__.py"}
    assert files <= set(sources(PARTS))
    for table in (TEXTS_NOT_YET, CODE_NOT_YET, TRANSLATED_NOT_YET):
        assert set(table) <= set(PARTS)
        assert all(table.values())


def test_what_is_not_translated_exists() -> None:
    for name, text in NOT_TRANSLATED:
        assert text in [found for _, found in untranslated(PACKAGE / name)], (name, text)


def test_untranslated_texts_are_found(tmp_path: Path) -> None:
    file = tmp_path / "texts.py"
    file.write_text(
        '"""A docstring here."""\nLABEL = "Remove run"\n"""Its description."""\nX = {"a key of it": 1}\n'
        'def f(n: "int or str") -> None:\n    print(tr("Remove it"), f"the run {n}", "word", f"{n} {n}")\n'
        '    raise ValueError("a mistake of ours")\n'
    )
    assert untranslated(file) == [(2, "Remove run"), (6, "the run {}")]
