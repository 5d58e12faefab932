"""Write the figures of docs/trust.md from the output of the tests: ``python packaging/trust.py LOG…``.

A LOG is what ``.ci/run`` or a command of the page printed. The tests say at its end how many values they compared with
other programs, what else they counted, and how often intervals held the truth. A count that several parts of a run
print is that of the larger part, so that nothing is counted twice; the date is that of the newest file, unless
``--date`` names it."""

from __future__ import annotations

import argparse
import re
import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

PAGE = Path(__file__).resolve().parent.parent / "docs" / "trust.md"
BEGIN, END = "<!-- figures: begin, by packaging/trust.py -->", "<!-- figures: end -->"


@dataclass(frozen=True)
class Row:
    """What a count is of, the part of the page that shows it, and the tests that count it: files, and ``-m ""`` where
    some of them are left out of an ordinary run."""

    part: str
    meaning: str
    tests: str

    @property
    def command(self) -> str:
        """The command that repeats it."""
        return f"python -m pytest -m '' {self.tests}"


PEERS, OWN, HARM = "Equal to other programs", "Equal to a plain loop, or inside bounds", "What went wrong on purpose"
COVERAGE = "Intervals in simulations"
TOOLS, DIFFERENTIAL = "tests/evaluation/test_dialects_against_tools.py", "tests/evaluation/test_differential.py"
KILLS, HOSTILE = "tests/session/projects/test_kill.py", "tests/gui/window/test_hostile.py"
ROWS = {
    "equal to trec_eval 10": Row(PEERS, "trec_eval 10, its printed decimals", "tests/golden/test_trec_eval.py"),
    "equal to trec_eval 9": Row(PEERS, "trec_eval 9, its printed decimals", "tests/golden/test_trec_eval.py"),
    "equal to trec_eval 9 under its dialect": Row(
        PEERS, "trec_eval 9, with `--dialect trec_eval-9`", "tests/golden/test_dialect_trec_eval_9.py"
    ),
    "equal to trec_eval's own outputs": Row(
        PEERS, "the outputs that trec_eval tests itself with", "tests/golden/test_trec_eval.py"
    ),
    "equal to pytrec_eval on random collections": Row(PEERS, "pytrec_eval, random collections", DIFFERENTIAL),
    "equal to pytrec_eval under trec_eval-9": Row(PEERS, "pytrec_eval, scores that are nearly tied", TOOLS),
    "equal to pytrec_eval's stored ones": Row(PEERS, "pytrec_eval, stored values", "tests/golden/test_python_tools.py"),
    "equal to ir_measures on random collections": Row(PEERS, "ir_measures, random collections", DIFFERENTIAL),
    "equal to ir_measures under its dialect": Row(PEERS, "ir_measures, with `--dialect ir_measures`", TOOLS),
    "equal to ir_measures and gdeval": Row(
        PEERS, "ir_measures and gdeval, models of users", "tests/golden/test_browsing_models.py"
    ),
    "equal to gdeval under its dialect": Row(PEERS, "gdeval, with `--dialect gdeval`", TOOLS),
    "equal to ranx under its dialect": Row(PEERS, "ranx, with `--dialect ranx`", TOOLS),
    "equal to ndeval": Row(PEERS, "ndeval, measures of diversity", "tests/golden/test_ndeval.py"),
    "equal": Row(PEERS, "reference programs of rank similarity", "tests/analysis/similarity/test_similarity.py"),
    "of statistics": Row(
        PEERS, "SciPy and statsmodels, tests and corrections", "tests/analysis/statistics/test_against_goldens.py"
    ),
    "0 of an empty list where pytrec_eval divides 0 by 0": Row(
        PEERS, "0 of an empty list, where pytrec_eval divides 0 by 0 and says so", DIFFERENTIAL
    ),
    "ranked as a plain sort ranks them": Row(
        OWN, "lines ranked as Python's sort ranks them", "tests/model/rankings/test_tie_breaking.py"
    ),
    "read as plain Python reads them": Row(
        OWN, "fields read as a loop in Python reads them", "tests/formats/reading/test_reading_twins.py"
    ),
    "joined as a dictionary joins them": Row(
        OWN, "grades found as a dictionary finds them", "tests/model/judgments/test_joining.py"
    ),
    "that follow from edits equal fresh ones": Row(
        OWN, "values after an edit, equal to those of a fresh session", "tests/session/test_walks.py"
    ),
    "within their bounds": Row(
        OWN, "values of measures inside the bounds that their descriptions give", "tests/measures/test_spans.py"
    ),
    "kills of a process with work": Row(
        HARM, "processes killed while they saved, loaded or judged; nothing was lost that was shown as saved", KILLS
    ),
    "kills while a file was written or first read": Row(
        HARM, "processes killed while they wrote or read a file; no file was half there under its name", KILLS
    ),
    "damaged files": Row(
        HARM,
        "damaged files, each read or refused in one line, in ten seconds and a gigabyte at most",
        "tests/formats/test_fuzz_formats.py",
    ),
    "hostile ids in a window": Row(
        HARM, "ids that look like markup, paths, formulas or commands, shown as text", HOSTILE
    ),
    "views and dialogs with hostile ids": Row(HARM, "views and dialogs in which these ids were shown", HOSTILE),
}
"""What the tests print -> its row."""
SIMULATIONS = {
    "simultaneous intervals": "tests/analysis/statistics/test_simultaneous.py",
    "corrected": "tests/analysis/agreement/test_corrected.py",
    "the mean of several collections": "tests/analysis/collections/test_random_effects.py",
    "CR2 intervals": "tests/analysis/statistics/dependence/test_cluster_mean.py",
}
"""How the names of simulated intervals begin -> their tests."""


def read(text: str) -> tuple[dict[str, int], dict[str, str], list[str]]:
    """Return the counts of a log by name, the shares of intervals that held the truth, and the tests that failed. Of a
    count that is there twice the larger is taken."""
    counts: dict[str, int] = {}
    for line in re.findall(r"^(?:values compared with other programs|counted): (.*)$", text, re.M):
        for number, name in re.findall(r"(\d[\d,]*) (.+?)(?=, \d|$)", line):
            counts[name] = max(counts.get(name, 0), int(number.replace(",", "")))
    coverage = dict(re.findall(r"^coverage of (.+): ([\d.]+% of [\d,]+, asked \d+%)$", text, re.M))
    return counts, coverage, re.findall(r"^FAILED (\S+)", text, re.M)


def figures(texts: list[str], date: str) -> str:
    """Return the part of the page between its marks. Raises KeyError for a count that has no row."""
    counts: dict[str, int] = {}
    coverage: dict[str, str] = {}
    failed: list[str] = []
    for text in texts:
        own, shares, faults = read(text)
        for name, count in own.items():
            counts[name] = max(counts.get(name, 0), count)
        coverage |= shares
        failed += faults
    lines = [f"Counted on {date}."]
    if failed:
        names = ", ".join(f"`{name}`" for name in failed)
        lines[0] += f" Tests that failed in this run, and count nothing there: {names}."
    rows = {ROWS[name]: count for name, count in counts.items()}
    for part in (PEERS, OWN, HARM):
        own_rows = [(row, rows[row]) for row in ROWS.values() if row.part == part and row in rows]
        lines += ["", f"### {part}", "", "| how many | of what | command |", "|--:|---|---|"]
        lines += [f"| {count:,} | {row.meaning} | `{row.command}` |" for row, count in own_rows]
    lines += ["", f"### {COVERAGE}", "", "| held the truth | of what | command |", "|--:|---|---|"]
    for name, said in sorted(coverage.items()):
        (file,) = [file for begin, file in SIMULATIONS.items() if name.startswith(begin)]
        share, samples, asked = re.findall(r"[\d.,]+\d%?", said)
        meaning = f"{name}: {asked} intervals, {samples} samples"
        lines.append(f"| {share} | {meaning} | `{Row(COVERAGE, meaning, file).command}` |")
    return "\n".join(lines)


def main() -> int:
    """Write the page. Return the exit status."""
    parser = argparse.ArgumentParser(description="Write the figures of docs/trust.md from the output of the tests.")
    parser.add_argument("logs", nargs="+", type=Path, metavar="LOG", help="what the tests printed")
    parser.add_argument("--date", help="the day of the run (default: that of the newest file)")
    options = parser.parse_args()
    newest = max(log.stat().st_mtime for log in options.logs)
    date = options.date or datetime.fromtimestamp(newest, UTC).date().isoformat()
    texts = [log.read_text("utf-8", errors="replace") for log in options.logs]
    begin, rest = PAGE.read_text("utf-8").split(BEGIN)
    PAGE.write_text(f"{begin}{BEGIN}\n\n{figures(texts, date)}\n\n{END}{rest.split(END)[1]}", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
