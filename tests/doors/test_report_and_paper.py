"""The report and the table for a paper are the tables of the commands: the same values bit for bit, from the command
line, Python and the window, under the line of one protocol word for word; what is shown changes no number."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import subprocess
import sys
import tempfile
from contextlib import redirect_stdout
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from examples import examples
from hypothesis import Phase, example, given, settings
from hypothesis import strategies as st

import irviewer
from irviewer.cli.main import main
from irviewer.formats.protocol_file import protocol_text
from irviewer.model.protocol import EvaluationProtocol, QuerySelection
from irviewer.session.comparison.paper import PaperChoices
from irviewer.session.session import Session
from irviewer.views.registered import view_of
from tests.helpers.patience import LONG_PROCESS
from tests.helpers.report_page import ReportPage

pytestmark = pytest.mark.filterwarnings("ignore::irviewer.errors.IrviewerWarning")
RUNS = ("alpha", "bm25", "gamma", "délta")
QUERIES = 12
FIELDS = st.fixed_dictionaries(
    {"measures": st.sampled_from([("AP",), ("nDCG@5", "AP"), ("DCG@5", "RR", "num_rel_ret"), ("P@5", "gm_map")])},
    optional={
        "test": st.sampled_from(["wilcoxon", "sign", "randomisation", "tukey"]),
        "correction": st.sampled_from(["bonferroni", "bh", "none"]), "level": st.just(2),
        "dialect": st.sampled_from(["trec_eval-9", "ranx", "ir_measures"]), "alpha": st.just(0.3),
        "interval": st.sampled_from(["bca", "t"]), "confidence": st.just(0.8), "family": st.just("pairs"),
        "unjudged": st.sampled_from(["pooled", "complete"]), "missing": st.just("intersection"),
        "baseline": st.sampled_from(RUNS), "queries": st.sets(st.integers(0, QUERIES - 1), min_size=4),
    },
)  # fmt: skip


def write(folder: Path, seed: int) -> list[str]:
    """Qrels with grades to 3, and runs with ties, of which the last lacks a query."""
    dice = np.random.default_rng(seed)
    judged = [f"{query} 0 dö{n} {dice.integers(0, 4)}\n" for query in range(QUERIES) for n in range(6)]
    (folder / "qrels.txt").write_text("".join(judged), "utf-8")
    for name in RUNS:
        rows = [
            f"{query} Q0 dö{n} 1 {dice.integers(0, 6)} t\n"
            for query in range(QUERIES)
            for n in range(8)
            if not (name == RUNS[-1] and query == 5) and (n == 0 or dice.random() < 0.8)
        ]
        (folder / f"{name}.run").write_text("".join(rows), "utf-8")
    kinds = [f"{query}\t{dice.choice(['red', 'blue'])}\n" for query in range(QUERIES)]
    (folder / "attributes.tsv").write_text("query\tkind\n" + "".join(kinds))
    return [str(folder / name) for name in ("qrels.txt", *(f"{name}.run" for name in RUNS))]


def printed(*words: str) -> str:
    out = io.StringIO()
    with redirect_stdout(out):
        assert main(list(words)) == 0, words
    return out.getvalue()


def rows_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def number(text: str) -> str:
    """A value as one text, whichever format it was in; nothing for none."""
    try:
        return "" if text in ("", "–") else repr(float(text))
    except ValueError:
        return text


@dataclass
class Doors:
    """One collection under one protocol, as files and in the window."""

    folder: Path
    paths: list[str]
    fields: dict[str, Any]

    @property
    def protocol(self) -> str:
        values = dict(self.fields)
        if "queries" in values:
            path = self.folder / "sets"
            path.write_text("".join(f"{query}\tfew\n" for query in sorted(values["queries"])))
            values["queries"] = QuerySelection("few", str(path))
        (self.folder / "p.toml").write_text(protocol_text(EvaluationProtocol().but(**values, samples=200)), "utf-8")
        return str(self.folder / "p.toml")

    def window(self) -> Session:
        session = Session()
        session.files.open_files(self.paths)
        chosen = {name: value for name, value in self.fields.items() if name not in ("baseline", "queries")}
        session.protocol.set(**chosen)
        session.protocol.set_number("samples", "200")
        assert session.view.collection is not None
        keys = {entry.name: entry.key for entry in session.view.collection.runs}
        if "baseline" in self.fields:
            session.runs.set_baseline(keys[self.fields["baseline"]])
        if "queries" in self.fields:
            session.query_sets.make_query_set("few", [str(query) for query in self.fields["queries"]], looked=False)
            session.query_sets.set_query_set("few")
        session.evaluation.set_measure(self.fields["measures"][0])
        return session


def in_doors(fields: dict[str, Any], seed: int, place: str) -> Doors:
    folder = Path(place)
    fields = {**fields, "measures": list(fields["measures"])}
    if fields.get("test") == "tukey" and "missing" in fields:
        del fields["missing"]  # which Tukey's test refuses
    return Doors(folder, write(folder, seed), fields)


CASES = {"fields": FIELDS, "seed": st.integers(0, 10_000), "hidden": st.sampled_from(RUNS)}
PHASES = (Phase.explicit, Phase.generate)


@settings(examples(12), phases=PHASES)
@example(fields={"measures": ("AP",), "dialect": "ranx", "missing": "intersection", "queries": {1, 2, 5, 7}}, seed=2,
         hidden=RUNS[0])  # fmt: skip
@given(**CASES)
def test_the_paper_is_the_same_at_every_door(fields: dict[str, Any], seed: int, hidden: str) -> None:
    with tempfile.TemporaryDirectory() as place:
        doors = in_doors(fields, seed, place)
        protocol, paths = doors.protocol, doors.paths
        command = ["paper", *paths, "--protocol", protocol]
        python = irviewer.paper_table(paths[0], paths[1:], protocol=protocol)
        assert python.protocol is not None
        line = python.protocol.line()
        shown = irviewer.paper_table(paths[0], paths[1:], protocol=protocol, shown=[n for n in RUNS if n != hidden])
        session = doors.window()
        try:
            tables: list[Any] = []
            for kept in (RUNS, [name for name in RUNS if name != hidden]):
                choices = PaperChoices(tuple(RUNS.index(name) for name in kept), tuple(doors.fields["measures"]))
                session.paper.find_table(choices, tables.append, pytest.fail)
        finally:
            session.close()
        said = f" ({Path(protocol).name})"
        for form in ("csv", "latex", "markdown", "html", "table"):
            text = printed(*command, "--format", form)
            assert text.replace(said, "").replace(said.replace("_", r"\_"), "") == python.text(form), form
            assert form == "csv" or re.sub(r"\\", "", unescape(text)).count(line) == 1, form
        document = json.loads(printed(*command, "--format", "json"))
        assert document["protocol"]["line"] == line
        assert tables[0].protocol.line() == line
        assert tables[0].csv == python.csv
        assert tables[1].csv == shown.csv
        for table, names in zip(tables, ((), [n for n in RUNS if n != hidden]), strict=True):
            named = {"shown": names, "collection": table.subject.collection}
            assert table.caption == irviewer.paper_table(paths[0], paths[1:], protocol=protocol, **named).caption
        full = {row["run"]: row for row in rows_of(python.csv)}
        assert all(full[row["run"]] == row for row in rows_of(shown.csv))
        _hold_to_comparison(doors, full, python)


def test_runs_whose_names_begin_alike_keep_their_marks(tmp_path: Path) -> None:
    """The window shortens such names, and the table for a paper found no p by the short ones: it had no daggers."""
    qrels, *runs = write(tmp_path, 3)
    alike = [str(Path(path).rename(tmp_path / f"input.{Path(path).name}")) for path in runs]
    doors = Doors(tmp_path, [qrels, *alike], {"measures": ["AP"], "alpha": 0.9, "correction": "none"})
    tables: list[Any] = []
    session = doors.window()
    try:
        session.paper.find_table(PaperChoices(tuple(range(len(RUNS))), ("AP",)), tables.append, pytest.fail)
    finally:
        session.close()
    python = irviewer.paper_table(qrels, alike, protocol=doors.protocol)
    assert tables[0].csv == python.csv
    assert all(row["p_corrected"] for row in rows_of(tables[0].csv) if row["run"] != "input.bm25")
    assert tables[0].table.marks


def _hold_to_comparison(doors: Doors, rows: dict[str, dict[str, str]], table: Any) -> None:
    """The means, p and outcome are those of ``compare``, and marks are at the primary measure alone."""
    text = printed("compare", *doors.paths, "--protocol", doors.protocol, "--format", "csv", "--table", "runs")
    for row in rows_of(text):
        assert number(rows[row["run"]][row["measure"]]) == number(row["mean"])
        if row["measure"] == table.primary and "group" in row:
            assert rows[row["run"]]["group"] == row["group"]
    for row in rows_of(printed("compare", *doors.paths, "--protocol", doors.protocol, "--format", "csv")):
        if row["measure"] == table.primary and "p_corrected" in rows[row["run"]]:
            assert rows[row["run"]]["p_corrected"] == row["p_corrected"]
            assert rows[row["run"]]["outcome"] == row["outcome"]
    assert {key for _, key in table.table.marks} <= {table.primary}
    assert table.primary == doors.fields["measures"][0] or table.primary == table.columns[0].key


@settings(examples(12), phases=PHASES)
@given(**CASES)
def test_the_report_is_the_tables_of_the_commands(fields: dict[str, Any], seed: int, hidden: str) -> None:
    with tempfile.TemporaryDirectory() as place:
        tested = tuple(name for name in fields["measures"] if name != "num_rel_ret")  # which is no mean
        doors = in_doors({**fields, "measures": tested}, seed, place)
        protocol, paths = doors.protocol, doors.paths
        sliced = ["--by", "kind", "--query-attributes", str(doors.folder / "attributes.tsv")]
        page = doors.folder / "report.html"
        printed("report", *paths, "--protocol", protocol, *sliced, "-o", str(page))
        pages = {"command": ReportPage(page.read_text("utf-8"))}
        pages["Python"] = ReportPage(
            irviewer.report(
                paths[0], paths[1:], protocol=protocol, by="kind", query_attributes=str(doors.folder / "attributes.tsv")
            ).html
        )
        session = doors.window()
        try:
            for door, names in (("window", RUNS), ("fewer", [name for name in RUNS if name != hidden])):
                session.runs.show_runs([RUNS.index(name) for name in names])
                session.report.save(str(page))
                pages[door] = ReportPage(page.read_text("utf-8"))
        finally:
            session.close()
        _hold_sections(doors, pages)
        _hold_conclusion(doors, pages)
        _hold_slices(doors, {door: pages[door] for door in ("command", "Python")}, sliced)


def _hold_sections(doors: Doors, pages: dict[str, ReportPage]) -> None:
    compared = irviewer.compare(doors.paths[0], doors.paths[1:], protocol=doors.protocol)
    assert compared.protocol is not None
    view = view_of(compared)
    assert view is not None
    text = printed("compare", *doors.paths, "--protocol", doors.protocol, "--format", "csv")
    exact = {(row["measure"], row["run"], row["other"]): row for row in rows_of(text)}
    means = rows_of(
        printed("compare", *doors.paths, "--protocol", doors.protocol, "--format", "csv", "--table", "runs")
    )
    primary = next(iter(exact))[0]
    titles = {
        each.title: each.key for each in view.table("comparison").columns
        if not each.show.detail and "" in each.parts and each.key not in ("measure", "run", "other")
    }  # fmt: skip
    groups = {part.title: part for part in view.table("comparison").groups()}
    measures = dict(zip(groups, dict.fromkeys(measure for measure, _, _ in exact), strict=True))
    for door, page in pages.items():
        assert unescape(page.fact()).startswith(f"{compared.protocol.line()} · "), door
        for row in means:
            shown = [each for each in page.rows("Systems") if each["run"][1] == row["run"]]
            assert len(shown) == 1 or door == "fewer"
            for each in shown:
                assert number(each[row["measure"]][1]) == number(row["mean"]), (door, row)
        assert list(page.sections["What the tests show"]) == [next(iter(groups))] or door == "fewer"
        n_pairs = 0
        for section in ("What the tests show", *(name for name in page.sections if "means with" in name.lower())):
            for title, rows in page.sections[section].items():
                if title not in groups:
                    continue
                assert (section == "What the tests show") == (measures[title] == primary), door
                for row in page.rows(section, title):
                    n_pairs += 1
                    other = (
                        row["other"][1] if "other" in row else str(compared[primary].names[compared[primary].baseline])
                    )
                    wanted = exact[measures[title], row["run"][1], other]
                    for name, key in titles.items():
                        if name in row:
                            assert number(row[name][1]) == number(wanted[key]), (door, name, row)
                assert len(rows) > 1
        assert n_pairs == len(exact) or door == "fewer"
        sentences = [note for note in page.notes.get("What the tests show", ()) if "the test shows" in note]
        assert all(note.startswith(f"{primary}: ") or "share a letter" in note for note in sentences), door
        others = [note for name in page.notes if "means with" in name.lower() for note in page.notes[name]]
        assert not any("the test shows" in note for note in others)


def _hold_conclusion(doors: Doors, pages: dict[str, ReportPage]) -> None:
    """What a report concludes is what the verdict says, word for word."""
    answer = view_of(irviewer.verdict(doors.paths[0], doors.paths[1:], protocol=doors.protocol))
    assert answer is not None
    said = [each.text for each in answer.sentences if each.code in ("headline", "chosen", "why", "simultaneous")]
    assert said
    for door, page in pages.items():
        assert all(sentence in unescape(page.html) for sentence in said), door


def _hold_slices(doors: Doors, pages: dict[str, ReportPage], words: list[str]) -> None:
    measure = str(irviewer.compare(doors.paths[0], doors.paths[1:], protocol=doors.protocol).comparisons[0].measure)
    command = ["slices", *doors.paths, "-m", measure, "--protocol", doors.protocol, *words, "--format", "csv"]
    rows = rows_of(printed(*command))
    view = view_of(
        irviewer.compare_slices(doors.paths[0], doors.paths[1:], measure, "kind",
                                query_attributes=words[-1], protocol=doors.protocol)
    )  # fmt: skip
    assert view is not None
    titles = {
        each.title: each.key for each in view.table("slices").columns
        if not each.show.detail and "" in each.parts and not each.is_text
    }  # fmt: skip
    for page in pages.values():
        section = next(name for name in page.sections if "by slices of the queries" in name)
        shown = page.rows(section, next(iter(page.sections[section])))
        for row, wanted in zip(shown, rows, strict=True):
            for title, key in titles.items():
                assert number(row[title][1]) == number(wanted[key]), (title, row)


WRITE = """
import sys
from irviewer.cli.main import main
from irviewer.translation import use_decimal_comma
use_decimal_comma(True)
folder, *paths = sys.argv[1:]
main(["report", *paths, "-m", "nDCG@5", "-m", "AP", "--by", "relevant", "-o", f"{folder}/es.html"])
main(["paper", *paths, "-m", "nDCG@5", "-m", "AP", "--format", "csv", "-o", f"{folder}/es.csv"])
main(["paper", *paths, "-m", "nDCG@5", "-m", "AP", "-o", f"{folder}/es.tex"])
"""


def test_no_language_changes_a_value(tmp_path: Path) -> None:
    paths = write(tmp_path, 7)
    measures = ["-m", "nDCG@5", "-m", "AP"]
    printed("report", *paths, *measures, "--by", "relevant", "-o", str(tmp_path / "en.html"))
    environment = {**os.environ, "IRVIEWER_LANGUAGE": "es", "PYTHONPATH": str(Path(__file__).parents[2])}
    subprocess.run(
        [sys.executable, "-c", WRITE, str(tmp_path), *paths], env=environment, check=True, timeout=LONG_PROCESS
    )
    english, spanish = ((tmp_path / f"{name}.html").read_text("utf-8") for name in ("en", "es"))
    values = re.findall(r'data-value="(-?[0-9.e+-]+)"', english)
    assert len(values) > 100
    assert values == re.findall(r'data-value="(-?[0-9.e+-]+)"', spanish)
    assert "Lo que muestran" in spanish or "What the tests show" not in spanish
    assert (tmp_path / "es.csv").read_text("utf-8") == printed("paper", *paths, *measures, "--format", "csv")
    cells = [line for line in (tmp_path / "es.tex").read_text("utf-8").splitlines() if line.endswith(r" \\")]
    assert [line for line in printed("paper", *paths, *measures).splitlines() if line.endswith(r" \\")][1:] == cells[1:]
