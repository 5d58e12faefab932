"""The report from every door: under one protocol the window's, the command line's and Python's have the same line, p,
difference, interval, number of queries and conclusion, those of ``compare`` and of the Systems view."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest

import irviewer
from irviewer.cli.main import main
from irviewer.formats.protocol_file import protocol_text, read_protocol
from irviewer.session.session import Session
from tests.helpers.report_page import Cell, ReportPage
from tests.session.helpers import NAMES, collection, session_with

QUERIES, PART = 40, 20
PROTOCOL = """
measures = ["RR", "P@5"]
[rules]
unjudged = "pooled"
[scope]
queries = {{ file = "{file}", name = "few" }}
baseline = "beta"
{weights}
[inference]
test = "wilcoxon"
correction = "bonferroni"
alpha = 0.01
interval = "bca"
confidence = 0.9
samples = 500
seed = 7
"""


TESTED = "RR, 20 queries, compared with beta"


class Page(ReportPage):
    """The page, and its parts by their classes."""

    def part(self, name: str) -> str:
        """The text of the elements of a class, without tags."""
        element = re.search(rf"<(\w+)[^>]*class=\"?{name}\"?[^>]*>(.*?)</\1>", self.html, re.S)
        assert element is not None, name
        return unescape(re.sub(r"<[^>]+>", " ", element[2]))

    def tests(self) -> list[dict[str, Cell]]:
        """The rows of the table of tests of the first measure."""
        return self.rows("What the tests show", TESTED)


@pytest.fixture
def session() -> Session:
    """Five runs of 40 queries, the options of PROTOCOL, and only two runs shown."""
    session = session_with(collection(5, queries=QUERIES))
    session.evaluation.set_measure("RR")
    session.query_sets.make_query_set("few", [str(query) for query in range(1, PART + 1)], looked=False)
    session.query_sets.set_query_set("few")
    session.protocol.set(test="wilcoxon")
    session.protocol.set(correction="bonferroni")
    session.protocol.set(interval="bca")
    for name, text in (("alpha", ".01"), ("confidence", ".9"), ("samples", "500"), ("seed", "7")):
        session.protocol.set_number(name, text)
    opened = session.view.collection
    assert opened is not None
    keys = {entry.name: entry.key for entry in opened.runs}
    session.runs.set_baseline(keys["beta"])
    for name, key in keys.items():
        session.runs.show_run(key, name in ("beta", "epsilon"))
    return session


@pytest.fixture
def files(session: Session, tmp_path: Path) -> list[str]:
    """The same data as files, with the protocol."""
    opened = session.view.collection
    assert opened is not None
    judgments = opened.judgments[0].qrels
    lines = [
        f"{query} 0 {document} {grade:g}\n"
        for query in judgments.query_ids
        for document, grade in judgments.judgments(query).items()
    ]
    (tmp_path / "qrels").write_text("".join(lines))
    for entry in opened.runs:
        irviewer.write_run(entry.run, tmp_path / entry.name)
    (tmp_path / "sets").write_text("".join(f"{query} few\n" for query in range(1, PART + 1)))
    (tmp_path / "weights").write_text("".join(f"{query} {query % 3}\n" for query in range(1, QUERIES + 1)))
    (tmp_path / "protocol.toml").write_text(PROTOCOL.format(file="sets", weights=""))
    return [str(tmp_path / "qrels"), *(str(tmp_path / name) for name in NAMES[:5])]


def pages(session: Session, files: list[str], tmp_path: Path) -> dict[str, Page]:
    """The report from each door."""
    session.report.save(str(tmp_path / "window.html"))
    protocol = str(tmp_path / "protocol.toml")
    assert main(["report", *files, "--protocol", protocol, "-o", str(tmp_path / "command.html")]) == 0
    irviewer.report(files[0], files[1:], protocol=protocol).save(tmp_path / "python.html")
    names = ("window", "command", "python")
    return {name: Page((tmp_path / f"{name}.html").read_text("utf-8")) for name in names}


def test_every_door_writes_the_same_report(session: Session, files: list[str], tmp_path: Path) -> None:
    compared = irviewer.compare(files[0], files[1:], "RR", protocol=tmp_path / "protocol.toml")
    systems = session.comparison.compared()
    assert compared.protocol is not None
    assert systems is not None
    line = compared.protocol.line()
    assert line.startswith("20 of 40 queries (few) · primary: RR · ")
    assert "Bonferroni over 4 against beta · Wilcoxon · shown below p = .01 · 90 % intervals (BCa)" in line
    for door, page in pages(session, files, tmp_path).items():
        assert page.part("facts").startswith(f"{line} · "), door
        assert f"Protocol: {line}." in unescape(page.html), door
        for row in page.tests():
            pair = compared["RR"].find(row["run"][0])
            shown = systems.comparison.find(row["run"][0])
            for name in ("n", "difference", "interval", "decision", "conclusion", "significant"):
                assert getattr(pair, name) == getattr(shown, name), (door, name)
            assert pair.n == PART
            assert f"RR: {pair.conclusion}." in unescape(page.html), door
            exact = [float(row[title][1]) for title in ("mean", "Δ", "p", "p Bonferroni")]
            assert exact == [pair.mean, pair.difference, pair.decision.p, pair.decision.p_corrected], door
        assert len(page.tests()) == (1 if door == "window" else 4)
        queries = {row["query"][0] for row in page.rows("RR by query")}
        assert queries == {str(query) for query in range(1, PART + 1)}, door
        assert "the test shows" not in " ".join(page.notes.get("Secondary measures, and means with intervals", []))


def test_means_are_over_the_queries_that_count(session: Session, files: list[str], tmp_path: Path) -> None:
    model = session.comparison.systems_view_model()
    assert model is not None
    means = {label.name: row for label, row in zip(model.runs, model.means, strict=True)}
    column = next(place for place, each in enumerate(model.columns) if each.measure == "RR")
    for door, page in pages(session, files, tmp_path).items():
        row = next(row for row in page.rows("Systems") if row["run"][0] == "epsilon")
        assert row["RR"] == (f"{means['epsilon'][column]:.4f}", repr(float(means["epsilon"][column]))), door


def test_showing_runs_changes_no_number(session: Session, tmp_path: Path) -> None:
    opened = session.view.collection
    assert opened is not None
    session.report.save(str(tmp_path / "two.html"))
    for entry in opened.runs:
        session.runs.show_run(entry.key, True)
    session.report.save(str(tmp_path / "all.html"))
    two, every = (Page((tmp_path / f"{name}.html").read_text("utf-8")) for name in ("two", "all"))
    assert two.tests() == [row for row in every.tests() if row["run"][0] == "epsilon"]
    assert two.part("conclusion") == every.part("conclusion")
    assert "3 more runs take part in the tests and are not shown." in two.html
    assert "not shown" not in every.html


def test_weights_are_followed(session: Session, files: list[str], tmp_path: Path) -> None:
    (tmp_path / "protocol.toml").write_text(PROTOCOL.format(file="sets", weights='weights = { file = "weights" }'))
    session.query_sets.open_query_weights(str(tmp_path / "weights"))
    compared = irviewer.compare(files[0], files[1:], "RR", protocol=tmp_path / "protocol.toml")
    change = compared["RR"].find("epsilon").weighted_change
    assert change is not None
    for door, page in pages(session, files, tmp_path).items():
        row = next(row for row in page.tests() if row["run"][0] == "epsilon")
        assert float(row["weighted Δ"][1]) == change.value, door
        assert "weighted by weights" in page.part("facts"), door


def test_the_declared_measure_decides_whichever_is_in_view(session: Session, tmp_path: Path) -> None:
    """A report on the measure in view called that one primary, and drew its conclusion from its tests."""
    session.protocol.set(measures=("RR", "P@5"))
    verdicts = []
    for measure in ("P@5", "RR"):
        session.evaluation.set_measure(measure)
        session.report.save(str(tmp_path / "report.html"))
        page = Page((tmp_path / "report.html").read_text("utf-8"))
        assert page.fact().startswith("20 of 40 queries (few) · primary: RR · ")
        verdicts.append(page.part("conclusion"))
        assert list(page.sections["What the tests show"]) == [TESTED]
    assert verdicts[0] == verdicts[1]
    assert " RR " in verdicts[0]


def test_runs_that_the_protocol_leaves_out_are_in_no_report(session: Session, files: list[str], tmp_path: Path) -> None:
    """The family is of four runs at every door, and the fifth changes no number."""
    opened = session.view.collection
    assert opened is not None
    session.protocol.set_taking_part(next(entry.key for entry in opened.runs if entry.name == "alpha"), False)
    path = tmp_path / "protocol.toml"
    named = read_protocol(path).but(runs=NAMES[1:5])
    path.write_text(protocol_text(named, folder=tmp_path), "utf-8")
    written = pages(session, files, tmp_path)
    for door, page in written.items():
        assert "Bonferroni over 3 against beta" in page.part("facts"), door
        assert "alpha" not in page.part("facts"), door
    tests = {door: [row for row in page.tests() if row["run"][0] == "epsilon"] for door, page in written.items()}
    assert tests["window"] == tests["command"] == tests["python"] != []


def test_every_door_writes_the_same_page_for_a_manager(session: Session, files: list[str], tmp_path: Path) -> None:
    protocol = str(tmp_path / "protocol.toml")
    session.report.save(str(tmp_path / "window.html"), "manager")
    assert (
        main(["report", *files, "--protocol", protocol, "--for", "manager", "-o", str(tmp_path / "command.html")]) == 0
    )
    irviewer.report(files[0], files[1:], protocol=protocol, reader="manager").save(tmp_path / "python.html")
    window, command, python = (
        Page((tmp_path / f"{name}.html").read_text("utf-8")) for name in ("window", "command", "python")
    )
    assert window.part("conclusion") == command.part("conclusion") == python.part("conclusion")
    assert "beta" in window.part("conclusion")
    rows = {row["system"][0]: row for row in command.rows("What was compared")}
    assert len(rows) == 4
    shown = window.rows("What was compared")
    assert [row["system"][0] for row in shown] == ["epsilon"]  # the others take part in the tests
    assert shown[0] == rows["epsilon"]
    assert window.part("methods").split("Made by")[0].strip() == command.part("methods").split("Made by")[0].strip()
