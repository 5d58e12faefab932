"""Plain words: the terms of the glossary in texts, documents, docstrings and comments, and every text translated.

Every part of irviewer is held, except for what the tables below name with a reason."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from tests.helpers.source_texts import notes_of, source, texts_of, untranslated, variables

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "irviewer"

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
    r"ideal lists?": "ideal ranking",
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
    r"ideal lists?": "ideal ranking",
    r"what stands|where \w+ stands": "what is, where it is",
    r"bids": "suggests",
}
"""Words that are not used in docstrings and comments."""

VAGUE = {"one", "found", "thing", "made", "there", "told", "strangers"}
"""Names that no variable has, and no function of the tests, because they do not say what it holds."""
OLD_NAMES = r"cheapest changes|condensed|typed rankings?|(in|the) account"
"""Names of concepts that have another name now, which no test has."""
NAMES_OF_THE_PROGRAM = {"metrics": "the names of Qt's class for the widths of letters"}
"""Names in tests that another program chose -> what they are."""

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
CODE_NOT_YET: dict[str, str] = {}
"""Parts whose docstrings and comments are not yet held to REPLACED_IN_CODE -> why."""
WITHOUT_TEXTS = {
    "gui/stylesheet.py": "a style sheet",
    "session/text/query_terms.py": "the list of frequent words",
}
"""Files without texts for users, whose strings look like texts -> what they are."""
DOCUMENTS = (
    "README.md",
    "CONTRIBUTING.md",
    "packaging/README.md",
    *sorted(
        page.relative_to(ROOT).as_posix()
        for page in (ROOT / "docs").rglob("*.md")
        if page.name not in ("glossary.md", "changelog.md", "contributing.md")
    ),
)
"""Documents that are held; the glossary names the words that are not used, and two pages only include another file."""

NOT_TRANSLATED = {
    ("cli/commands/compare.py", "comes first"): "a column of exported files",
    ("cli/commands/compare.py", "{} of ranks from"): "a column of exported files",
    ("cli/commands/compare.py", "mean of the sets (macro)"): "a row of exported files",
    ("cli/commands/compare.py", "queries of the sets (micro)"): "a row of exported files",
    ("cli/commands/compare.py", "all queries"): "a row of exported files",
    ("cli/commands/explain.py", "query terms"): "a column of exported files",
    ("cli/commands/pool.py", "judged as"): "a column of exported files",
    ("cli/streams.py", "standard output"): "the file name of an error of the system",
    ("cli/view.py", "irviewer view"): "the name of the command",
    ("api/files.py", "column {}"): "the name that the readers give a column",
    ("analysis/collections/random_effects.py", "DerSimonian and Laird"): "a name",
    ("session/view_models/ledgers/number_ledger.py", "exp({} ÷ {}) = {}"): "a formula",
    ("analysis/similarity/similarity.py", "Kendall's τ"): "a name",
    ("formats/classic/writers.py", "TY  - GEN\nID  - {}\nN1  - {}\nER  - \n\n"): "the format's own words",
    ("formats/reviews/ris.py", "first page"): "a field of the format",
    ("formats/reviews/ris.py", "last page"): "a field of the format",
    ("formats/reviews/ris.py", "TY  - GEN"): "the format's own words",
    ("gui/dialogs/judging/merge_judgments.py", "{} grade"): "the id of a column",
    ("gui/dialogs/judging/merge_judgments.py", "{} who"): "the id of a column",
    ("gui/dialogs/judging/merge_judgments.py", "{} when"): "the id of a column",
    ("gui/dialogs/judging/merge_judgments.py", "{} note"): "the id of a column",
    ("gui/dialogs/measures/ties.py", "policy {}"): "the id of a column",
    ("model/dialect_rules.py", "max(i, 2)"): "a formula",
    ("model/dialect_rules.py", "max(i, {})"): "a formula",
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
    ("rendering/font_list.py", "Failed to find font weight"): "a message of matplotlib",
    ("rendering/html_report.py", ", mean"): "the part of a label that is left out",
    ("rendering/html_report.py", 'transform="rotate(-90 14 {})"'): "markup",
    ("rendering/matplotlib_figure.py", "DejaVu Sans"): "a font",
    ("rendering/matplotlib_figure.py", "Inter Print"): "a font",
    ("rendering/matplotlib_figure.py", "axes fraction"): "a setting of matplotlib",
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

KINDS_NOT_TRANSLATED = {
    "a word that the code compares": {
        "analysis/explain/difference.py": ("log odds",),
        "analysis/explain/families/average_precision.py": ("log odds",),
        "analysis/explain/means.py": (
            "no value",
            "left out",
        ),
        "analysis/explain/tie_bounds.py": (
            "no ties",
            "every order",
            "closed form",
        ),
        "analysis/explain/wording.py": (
            "nothing relevant",
            "log odds",
        ),
    },
    "a formula": {
        "analysis/explain/families/dcg.py": (
            "log_{}(max(i, {}))",
            "log2(i + 1)",
        ),
        "analysis/explain/families/interpolated.py": ("int(r·R + .9)",),
        "analysis/explain/families/precision.py": (
            "min(k, R)",
            "int(m·R + .9)",
            "min(k, n)",
        ),
        "analysis/explain/families/sets.py": ("min(n, R)",),
        "analysis/explain/means.py": ("{} = exp({} ÷ {}) = {}",),
        "analysis/explain/wording.py": ("{} = log((1 + {}) ÷ (1 + {} − {})) = {}",),
        "measures/families/bpref.py": (
            "N = |nonrel|",
            "bpref_q = {}",
        ),
        "measures/families/compatibility.py": ("rel(i) = [grade(i) > 0]",),
        "measures/families/gain_levels.py": ("J = |judged|",),
        "measures/families/interpolated.py": ("IPrec(r) = {}",),
        "measures/families/preferences.py": (
            "rank(a) < rank(b)",
            "|nonrel_g| := R_g",
        ),
        "measures/families/rbp.py": ("g(i) = grade(i)",),
        "measures/families/utility.py": ("N = |nonrel|",),
        "measures/formulas.py": (
            "rel(i) = {}",
            "2^{grade(i)} - 1",
        ),
        "session/lecture_table/columns.py": (
            "2^{grade} - 1",
            "gain = {}",
            "log{} {}",
            "log₂ {}",
        ),
    },
    "an example of the language of filters": {
        "session/text/filter.py": ("id:3 · tag:hard · note:*", "Δ > 0.1 · spread >= .2", "nDCG@10 > .4"),
    },
    "a line of a script": {
        "cli/commands/completion.py": (
            '{}() {\n  compgen -W "{}" -- "$1"\n}\n',
            "complete -o bashdefault -F",
            "complete -o bashdefault -o default -F",
            "  _describe 'irviewer commands' _commands\n  _files\n",
            "        *) _files ;;\n      esac\n  esac\n}",
        ),
    },
    "an option of the command line": {
        "formats/doctor.py": (
            "--duplicates {}",
            "--columns {}",
            "--query-ids {}",
            "--ids {}",
            "--rollup {}",
        ),
    },
    "the name of a file format": {
        "formats/json/json_maps.py": ("ranx lz4",),
        "formats/texts/formats.py": ("JSON lines",),
        "formats/texts/ir_datasets.py": ("ir_datasets export ",),
        "formats/trec/three_columns.py": ("MS MARCO",),
    },
    "a key of a stored file or of a collection's notes": {
        "formats/project_file.py": ("irviewer project",),
        "formats/salvage.py": ("removed runs",),
        "session/files/query_texts.py": ("id in its file",),
        "session/projects/collection_sections.py": (
            "absent from disk",
            "sections of a later version",
            "removed runs",
            "query sets",
        ),
        "session/projects/doubts.py": ("runs in doubt",),
        "session/projects/joining.py": ("query sets",),
        "session/projects/json_records.py": ("{} has no plain form",),
        "session/projects/merging.py": ("removed runs",),
        "session/projects/opening.py": ("removed runs",),
        "session/projects/recovery.py": ("query sets",),
    },
    "a line or column of a file format": {
        "formats/reading/arrow_columns.py": ("column #{}:",),
        "formats/reading/cache.py": ("component {}",),
        "formats/reading/derived_run.py": ("layout {}",),
        "formats/search_tools/quepid.py": (
            "Snapshot Name",
            "Snapshot Time",
            "Case ID",
            "Query Text",
            "Doc ID",
            "Doc Position",
        ),
        "formats/trec/letor.py": ("{} qid:{} # {}\n",),
        "formats/trec/run.py": ("column {}",),
    },
    "a message of a library, or an error that is caught where it is raised": {
        "formats/reading/arrow_columns.py": ("Empty CSV",),
        "formats/reading/cache.py": ("the file is too short",),
        "formats/reading/delimited_stream.py": ("a line ends within quotation marks, or is empty",),
        "formats/reading/unpacking.py": ("Compressed file ended before the end-of-stream marker was reached",),
    },
    "the id of a column": {
        "gui/systems/table.py": ("baseline {}",),
    },
    "the name of a measure in a tool or in papers": {
        "measures/families/average_precision.py": (
            "map, map_cut",
            "average precision",
        ),
        "measures/families/browsing_models.py": (
            "NERR (8)",
            "NERR (9)",
            "NERR (10)",
            "NERR (11)",
        ),
        "measures/families/dcg.py": (
            "dcg, dcg_burges",
            "ndcg, ndcg_cut",
            "ndcg, ndcg_burges",
            "ideal DCG",
        ),
        "measures/families/evidence.py": (
            "all evidence found, perfect recall@k",
            "recall at a token budget",
            "all evidence within a token budget",
        ),
        "measures/families/high_recall.py": (
            "TNR@r, normalised WSS",
            "effort at recall r",
            "relative effort at recall r",
        ),
        "measures/families/inferred.py": ("inferred AP",),
        "measures/families/interpolated.py": (
            "interpolated precision",
            "11-point average",
        ),
        "measures/families/judgment_groups.py": (
            "judgment groups",
            "trec_eval 10 (2026), map_avgjg",
            "trec_eval 10 (2026), P_avgjg",
            "trec_eval 10 (2026), Rprec_mult_avgjg",
        ),
        "measures/families/preferences.py": (
            "prefs_num_prefs_ful, prefs_num_prefs_ful_ret",
            "prefs_simp, prefs_simp_imp, prefs_simp_ret",
            "prefs_pair, prefs_pair_imp, prefs_pair_ret",
            "prefs_avgjg, prefs_avgjg_imp, prefs_avgjg_ret",
            "prefs_avgjg_Rnonrel, prefs_avgjg_Rnonrel_ret",
        ),
        "measures/families/rbp.py": ("residual of RBP",),
        "measures/families/reciprocal_rank.py": ("search length",),
    },
    "a kind of cutoff": {
        "measures/parameters.py": (
            "optional rank",
            "recall level",
            "multiple of R",
        ),
    },
    "an error of an incomplete installation, for packagers": {
        "paths.py": ("irviewer's resource {} is not installed; looked in {}",),
    },
    "the name of a task, a thread, a topic or a cached value": {
        "session/comparison/fusion.py": ("try fusion",),
        "session/comparison/pooling.py": (
            "left out",
            "systems marked",
        ),
        "session/curves/actions.py": (
            "systems with looks",
            "query with looks",
        ),
        "session/curves/rules.py": ("ndcg by cutoff",),
        "session/evaluation/actions.py": ("not a measure",),
        "session/evaluation/caveats.py": ("judged share",),
        "session/evaluation/context.py": (
            "short names",
            "query ids",
            "query index",
            "natural order",
        ),
        "session/evaluation/dialects.py": ("dialect note",),
        "session/evaluation/zscores.py": ("means for Z-scores",),
        "session/explaining/actions.py": ("mean ledger",),
        "session/failures/actions.py": (
            "failures here",
            "hubs here",
            "worklist here",
            "relevant ranks",
        ),
        "session/files/actions.py": (
            "open sample {}",
            "open {}",
        ),
        "session/files/disk_actions.py": ("check files",),
        "session/judging/actions.py": (
            "judged progress",
            "judged text",
            "save {}",
        ),
        "session/judging/in_lists.py": ("held {}",),
        "session/projects/actions.py": (
            "open project",
            "find unsaved work",
        ),
        "session/projects/autosave.py": (
            "check project",
            "join project",
        ),
        "session/query_sets.py": (
            "sets {}",
            "weights {}",
        ),
        "session/saving.py": ("save {}",),
        "session/shortcuts.py": ("keys do not judge",),
        "session/tasks.py": (
            "irviewer urgent",
            "irviewer lasting",
            "irviewer reading",
            "irviewer writing",
            "irviewer checking",
        ),
        "session/view_model_service.py": ("query with document",),
    },
    "word of the lesson format": {
        "formats/lessons/lesson_file.py": ("query {}",),
        "model/lessons/lesson.py": (
            "AP sum",
            "discounted gain",
            "ideal DCG",
        ),
    },
}
"""What strings are that look like texts but are not translated -> file -> the strings."""
NOT_TRANSLATED |= {
    (file, text): kind
    for kind, files in KINDS_NOT_TRANSLATED.items()
    for file, texts in files.items()
    for text in texts
}


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


def user_texts(file: Path) -> list[str]:
    """Return the texts for users in a file."""
    return [text for call in source(file).translated for text in texts_of(call)]


def text_faults(package: str) -> list[str]:
    """Return the words of REPLACED in the texts of a part."""
    return [
        f"{file.relative_to(ROOT)}: {text!r}: {fault}"
        for file in sources((package,))
        for text in user_texts(file)
        for fault in faults(text, REPLACED)
    ]


def code_faults(package: str) -> list[str]:
    """Return the words of REPLACED_IN_CODE in the docstrings and comments of a part."""
    return [
        f"{file.relative_to(ROOT)}:{line}: {fault}"
        for file in sources((package,))
        if any_of(*REPLACED_IN_CODE).search(file.read_text("utf-8"))
        for line, text in notes_of(file)
        for fault in faults(text, REPLACED_IN_CODE)
    ]


@pytest.mark.parametrize("package", held(TEXTS_NOT_YET))
def test_texts_use_the_terms(package: str) -> None:
    lines = text_faults(package)
    assert not lines, "\n".join(lines)


@pytest.mark.parametrize("package", held(CODE_NOT_YET))
def test_docstrings_and_comments_use_plain_words(package: str) -> None:
    lines = code_faults(package)
    assert not lines, "\n".join(lines)


@pytest.mark.parametrize("folder", ["irviewer", "packaging", "tests"])
def test_variables_say_what_they_hold(folder: str) -> None:
    """A variable has no name that could be that of any other."""
    lines = [
        f"{file.relative_to(ROOT)}:{line}: {name}"
        for file in sorted((ROOT / folder).rglob("*.py"))
        for line, name in variables(file)
        if name in VAGUE
    ]
    assert not lines, "\n".join(lines)


def test_names_of_tests_use_the_terms() -> None:
    """The names of functions and classes in tests have no replaced words, and say what they return."""
    old = re.compile(rf"\b(?:{'|'.join((*REPLACED, OLD_NAMES))})\b", re.IGNORECASE)
    lines = [
        f"{file.relative_to(ROOT)}:{line}: {name}"
        for file in sorted((ROOT / "tests").rglob("*.py"))
        for line, name in source(file).functions
        if name in VAGUE or (old.search(name.replace("_", " ")) and name not in NAMES_OF_THE_PROGRAM)
    ]
    assert not lines, "\n".join(lines)


@pytest.mark.parametrize("name", DOCUMENTS)
def test_documents_use_the_terms(name: str) -> None:
    """Code and the output of commands are left out: they are held where they come from."""
    text = (ROOT / name).read_text("utf-8")
    prose = re.sub(r"`[^`\n]*`", "", re.sub(r"^```.*?^```", "", text, flags=re.S | re.M))
    lines = [f"{name}: {line!r}: {fault}" for line in prose.splitlines() for fault in faults(line, REPLACED)]
    assert not lines, "\n".join(lines)


def test_lessons_use_the_terms() -> None:
    """Headings of authors, in the fields ``after`` and ``printed``, are theirs."""
    for path in sorted((ROOT / "resources" / "lessons" / "en").glob("*.md")):
        own = re.sub(r"^(after|printed):.*\n((?: +.*\n)*)", "", path.read_text("utf-8"), flags=re.M)
        lines = [f"{path.name}: {line!r}: {fault}" for line in own.splitlines() for fault in faults(line, REPLACED)]
        assert not lines, "\n".join(lines)


def test_the_glossary_is_in_order_and_has_no_term_twice() -> None:
    terms = re.findall(r"^- \*\*([^*]+)\*\*:", (ROOT / "resources" / "glossary.md").read_text("utf-8"), re.M)
    assert len(terms) > 50
    assert terms == sorted(terms, key=str.casefold)
    assert len(set(terms)) == len(terms)


@pytest.mark.parametrize("package", PARTS)
def test_texts_are_translated(package: str) -> None:
    lines = [
        f"{file.relative_to(ROOT)}:{line}: {text!r}"
        for file in sources((package,))
        if file.relative_to(PACKAGE).as_posix() not in WITHOUT_TEXTS
        for line, text in untranslated(file)
        if (file.relative_to(PACKAGE).as_posix(), text) not in NOT_TRANSLATED
    ]
    assert not lines, "wrap them in tr(…), or add them to NOT_TRANSLATED with a reason:\n" + "\n".join(lines)


def test_parts_are_all_of_irviewer() -> None:
    files = {file for file in PACKAGE.rglob("*.py") if file.name != "__init__.py"}
    assert files <= set(sources(PARTS))


def test_no_exception_is_outdated() -> None:
    """An exception that is no longer needed is removed from its table."""
    for package, why in TEXTS_NOT_YET.items():
        assert package in PARTS and why and text_faults(package), package
    for package, why in CODE_NOT_YET.items():
        assert package in PARTS and why and code_faults(package), package
    for name, why in WITHOUT_TEXTS.items():
        assert why and untranslated(PACKAGE / name), name
    for name, text in NOT_TRANSLATED:
        assert text in [string for _, string in untranslated(PACKAGE / name)], (name, text)


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
