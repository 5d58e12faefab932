"""The queries of a protocol at every door: the numbers are those of files that were restricted to them by hand, the
line says how many of how many, and the command, its option and Python give the same."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest

import irviewer
from irviewer.cli import main
from irviewer.errors import OptionError
from irviewer.model.protocol import PRESET
from irviewer.session.session import Session
from irviewer.views import manifest
from irviewer.views.result import ViewResult

QUERIES = 24
CHOSEN = ("3", "5", "8", "11", "12", "17", "20", "22", "23")
RUNS = ("base", "good", "late")


def write(folder: Path, chosen: Iterable[str]) -> tuple[str, list[str]]:
    """Graded judgments, and three runs with ties, each of which lacks a query; of the chosen queries only. A run has a
    query that nobody judged."""
    random = np.random.default_rng(5)
    folder.mkdir()
    kept = set(chosen)
    lines: dict[str, list[str]] = {name: [] for name in ("qrels", *RUNS)}
    for query in map(str, range(QUERIES)):
        grades = [3, *random.integers(0, 4, 11).tolist()]
        own = [f"{query} 0 d{place} {grade}\n" for place, grade in enumerate(grades) if place % 4 != 3]
        lines["qrels"] += own if query in kept else []
        for name in RUNS:
            order = random.permutation(12)[:9]
            scores = np.sort(random.integers(0, 6, 9))[::-1]
            if (name, query) not in {("good", "8"), ("late", "0")}:
                ranks = zip(order.tolist(), scores.tolist(), strict=True)
                own = [f"{query} Q0 d{document} 1 {score} t\n" for document, score in ranks]
                lines[name] += own if query in kept else []
    if len(kept) == QUERIES:
        lines["late"].append("unknown Q0 d1 1 1 t\n")
    for name, text in lines.items():
        (folder / name).write_text("".join(text))
    return str(folder / "qrels"), [str(folder / name) for name in RUNS]


Files = tuple[str, list[str]]


@pytest.fixture
def every(tmp_path: Path) -> Files:
    (tmp_path / "set.txt").write_text("".join(f"{query}\n" for query in CHOSEN))
    (tmp_path / "p.toml").write_text('[scope]\nqueries = { file = "set.txt" }\n')
    return write(tmp_path / "every", map(str, range(QUERIES)))


@pytest.fixture
def restricted(tmp_path: Path) -> Files:
    return write(tmp_path / "some", CHOSEN)


FUNCTIONS: dict[str, tuple[Callable[..., Any], list[str]]] = {
    "explain": (lambda q, r, **k: irviewer.explain(q, r[1], "nDCG@5", **k), ["explain", "Q", "R1", "-m", "nDCG@5"]),
    "explain geometric": (lambda q, r, **k: irviewer.explain(q, r[2], "GMAP", **k),
                          ["explain", "Q", "R2", "-m", "GMAP"]),
    "explain a difference": (lambda q, r, **k: irviewer.explain(q, r[1], "AP", against=r[0], **k),
                             ["explain", "Q", "R1", "-m", "AP", "--against", "R0"]),
    "explain ties": (lambda q, r, **k: irviewer.explain(q, r[1], "RR", ties=True, **k),
                     ["explain", "Q", "R1", "-m", "RR", "--ties"]),
    "pool_effects": (lambda q, r, **k: irviewer.pool_effects(q, r, ["AP", "ERR@10"], **k),
                     ["pool", "Q", "R", "-m", "AP", "-m", "ERR@10"]),
    "worklist": (lambda q, r, **k: irviewer.worklist(q, r, "nDCG@5", **k),
                 ["pool", "Q", "R", "--worklist", "-m", "nDCG@5"]),
    "failures": (lambda q, r, **k: irviewer.failures(q, r, "AP", **k), ["failures", "Q", "R", "-m", "AP"]),
    "dialects": (lambda q, r, **k: irviewer.dialects(q, r, ["AP", "nDCG@5"], by_query=True, **k),
                 ["dialects", "Q", "R", "-m", "AP", "-m", "nDCG@5", "-q"]),
    "curves": (lambda q, r, **k: irviewer.curves(q, r, "dcg", **k), ["curves", "Q", "R", "--kind", "dcg"]),
    "bands": (lambda q, r, **k: irviewer.curves(q, r, bands="percentile", samples=200, **k),
              ["curves", "Q", "R", "--bands", "percentile", "--samples", "200"]),
    "stages": (lambda q, r, **k: irviewer.stages(q, r[:2], "AP", **k), ["stages", "Q", "R0", "R1", "-m", "AP"]),
    "sweep_fusion": (lambda q, r, **k: irviewer.sweep_fusion(q, r, "AP", step=0.5, repeats=2, folds=3, **k),
                     ["fusion-sweep", "Q", "R", "-m", "AP", "--step", ".5", "--repeats", "2", "--folds", "3"]),
    "gate": (lambda q, r, **k: irviewer.gate(q, r[1], r[0], ["AP > -0.05", "RR"], "P@3 worse", smallest=0.2, **k), []),
    "gate by slice": (lambda q, r, **k: irviewer.gate(q, r[1], r[0], "AP > -0.05", by="relevant", **k), []),
}  # fmt: skip


def tables(result: Any, tmp_path: Path) -> Any:
    result.save(tmp_path / "saved.json")
    document = json.loads((tmp_path / "saved.json").read_text())
    return [(table["name"], table["rows"]) for table in document["tables"]]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_files_restricted_by_hand(every: Files, restricted: Files, tmp_path: Path, name: str) -> None:
    function, _ = FUNCTIONS[name]
    chosen, by_hand = function(*every, protocol=PRESET.but(queries=CHOSEN)), function(*restricted)
    assert chosen.protocol.line().startswith("9 of 24 queries")
    assert tables(chosen, tmp_path) == tables(by_hand, tmp_path)
    assert tables(chosen, tmp_path) != tables(function(*every), tmp_path)
    assert tables(function(*every, protocol=tmp_path / "p.toml"), tmp_path) == tables(chosen, tmp_path)


@pytest.mark.parametrize("name", [name for name, (_, words) in FUNCTIONS.items() if words])
def test_the_command_line(every: Files, tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    function, words = FUNCTIONS[name]
    qrels, runs = every
    own = {"Q": [qrels], "R": runs} | {f"R{place}": [run] for place, run in enumerate(runs)}
    command = [part for word in words for part in own.get(word, [word])]
    result = function(*every, protocol=tmp_path / "p.toml")
    for more in (["--protocol", str(tmp_path / "p.toml")], ["--query-set", str(tmp_path / "set.txt")]):
        assert main.main([*command, *more, "--format", "json"]) == 0
        document = json.loads(capsys.readouterr().out)
        assert document["protocol"]["line"] == result.protocol.line()
        printed = {table["name"]: table["rows"] for table in document["tables"]}
        own_tables = dict(tables(result, tmp_path))
        assert printed
        assert all(rows == own_tables[each] for each, rows in printed.items() if each in own_tables)


@pytest.mark.parametrize("name", ["failures", "pool", "curves", "dialects", "fusion-sweep"])
def test_the_views(
    every: Files, restricted: Files, tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    answers = []
    for (qrels, runs), more in ((every, ["--protocol", str(tmp_path / "p.toml")]), (restricted, [])):
        assert main.main(["show", name, qrels, *runs, "-m", "AP", *more, "--format", "json"]) == 0
        answers.append(json.loads(capsys.readouterr().out))
    assert answers[0]["protocol"]["line"].startswith("9 of 24 queries")
    assert answers[0]["tables"] == answers[1]["tables"]


def test_means_are_those_of_evaluate(every: Files) -> None:
    """ERR scales by the highest grade of all judgments, also where no chosen query has it."""
    qrels, runs = every
    chosen = ["3", "5", "8", "11", "12"]
    path = Path(qrels)
    judged = [line.split() for line in path.read_text().splitlines()]
    lowered = [[q, n, d, "2" if g == "3" and q in chosen else g] for q, n, d, g in judged]
    path.write_text("".join(" ".join(row) + "\n" for row in lowered))
    protocol = PRESET.but(queries=chosen, dialect="ir_measures")
    for measure in ("ERR@10", "AP", "nDCG@5"):
        means = irviewer.evaluate(qrels, runs, measure, protocol=protocol)
        for place, run in enumerate(runs):
            ledger = irviewer.explain(qrels, run, measure, protocol=protocol)
            assert ledger.value == means.means[0, place]
        delta = irviewer.explain(qrels, runs[1], measure, against=runs[0], protocol=protocol).delta
        (comparison,) = irviewer.compare(
            qrels, runs[:2], measure, protocol=protocol, samples=100, baseline="base"
        ).comparisons
        assert delta == comparison.pairs[0].difference
        gate = irviewer.gate(qrels, runs[1], runs[0], f"{measure} > -1", protocol=protocol)
        assert gate.results[0].delta == comparison.pairs[0].difference


def test_means_of_sets_within_the_queries_of_a_protocol(
    every: Files, restricted: Files, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sets = {"a": ["3", "4", "5"], "b": ["8", "11", "12", "13"], "out": ["1", "2"]}
    means = irviewer.set_means(*every, sets, "AP", protocol=PRESET.but(queries=CHOSEN))
    within = {"a": ["3", "5"], "b": ["8", "11", "12"]}
    by_hand = irviewer.set_means(*restricted, within, "AP")
    for name in ("means", "macro", "micro", "whole"):
        assert getattr(means, name).tolist() == getattr(by_hand, name).tolist()
    assert (means.queries, means.inside) == (9, 5)
    assert "The query set out has none of the queries of the protocol: left out." in means.notes
    assert means.protocol.line().startswith("9 of 24 queries")
    (tmp_path / "sets.tsv").write_text("".join(f"{query}\t{name}\n" for name, ids in sets.items() for query in ids))
    words = ["--query-set", str(tmp_path / "sets.tsv"), "-m", "AP", "--protocol", str(tmp_path / "p.toml")]
    assert main.main(["query-sets", every[0], *every[1], *words, "--format", "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["protocol"]["line"].startswith("9 of 24 queries")
    assert dict(tables(means, tmp_path))["sets"] == document["tables"][0]["rows"]
    with pytest.raises(OptionError, match="no query of the sets is among the queries of the protocol"):
        irviewer.set_means(*every, {"out": ["1"]}, "AP", protocol=PRESET.but(queries=CHOSEN))


@pytest.mark.parametrize("words", [["-m", "AP"], ["-m", "AP", "--ties"], ["--document", "d0"]])
def test_a_query_outside_the_set_is_explained_and_named(
    every: Files, tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    qrels, runs = every
    command = ["explain", qrels, runs[0], *words, "--format", "json"]
    answers = {}
    for query in ("3", "4"):
        for more in ([], ["--query-set", str(tmp_path / "set.txt")]):
            assert main.main([*command, "-q", query, *more]) == 0
            answers[query, bool(more)] = json.loads(capsys.readouterr().out)
        assert answers[query, True]["tables"] == answers[query, False]["tables"]
    said = {key: [note["text"] for note in each["notes"] if note["code"] == "outside_set"]
            for key, each in answers.items()}  # fmt: skip
    text = "Query 4 is none of the 9 queries of set.txt: it does not count in their means."
    assert said == {("3", False): [], ("3", True): [], ("4", False): [], ("4", True): [text]}
    assert main.main(["curves", qrels, runs[0], "-q", "4", "--query-set", str(tmp_path / "set.txt"),
                      "--format", "table"]) == 0  # fmt: skip
    assert text in capsys.readouterr().out


def test_judgments_by_subtopic(tmp_path: Path) -> None:
    """The part of qrels keeps the rows of its queries, and what is known of the whole: a document in several subtopics
    is one elsewhere too."""
    lines = ["1 s1 a 1", "1 s2 a 1", "1 s1 b 1", "2 s1 a 1", "2 s2 b 1", "3 s1 b 1", "3 s1 a 0", "3 s2 a 1"]
    (tmp_path / "qrels").write_text("\n".join(lines) + "\n")
    (tmp_path / "run").write_text("".join(f"{q} Q0 {d} 1 {s} t\n" for q in "123" for d, s in (("a", 2), ("b", 1))))
    files = str(tmp_path / "qrels"), str(tmp_path / "run")
    for measure in ("alpha_nDCG@2", "StRecall@1"):
        every = irviewer.evaluate(*files, measure).by_query(measure)
        for chosen in (["2"], ["3", "1"], ["2", "3"]):
            ledger = irviewer.explain(*files, measure, protocol=PRESET.but(queries=chosen))
            assert dict(zip(ledger.query_ids, ledger.values.tolist(), strict=True)) == {
                query: every[query] for query in sorted(chosen)
            }


@pytest.mark.parametrize("view", ["stability", "slices", "systems"])
def test_a_named_set_of_a_file_is_said_alike_in_the_window(every: Files, tmp_path: Path, view: str) -> None:
    qrels, runs = every
    (tmp_path / "sets.tsv").write_text("".join(f"{query}\tsome\n" for query in CHOSEN))
    (tmp_path / "named.toml").write_text('[scope]\nqueries = { file = "sets.tsv", name = "some" }\n')
    by: dict[str, Any] = {"by": ("relevant",)} if view == "slices" else {}
    session = Session()
    try:
        session.files.open_files([qrels, *runs])
        session.protocol.open_file(str(tmp_path / "named.toml"))
        session.result_views.choose(view)
        for name, value in by.items():
            session.result_views.set_parameter(name, value)
        session.compute_now()
        answer = session.result_views.answer()
        assert answer is not None and answer.shown is not None
        shown = irviewer.show(view, qrels, runs, protocol=str(tmp_path / "named.toml"), **by).shown
        said = [[note.text for table in each.tables for note in table.notes] for each in (shown, answer.shown)]
        assert said[0] == said[1]
        assert any("Only the queries of some: 9 of 24." in text for text in said[0])
    finally:
        session.close()


LACKING: dict[str, list[str]] = {
    "medians": [], "stability": ["--samples", "100"], "measure-agreement": [], "query-sets": [], "curves": [],
    "fusion-sweep": ["--step", "1", "--repeats", "1", "--folds", "2"], "pool": ["-m", "AP"],
    "plan": ["-m", "AP", "--size", ".1"], "slices": ["--by", "relevant", "-m", "AP"], "zscores": ["-m", "AP"],
    "dialects": ["-m", "AP"],
    "failures": [], "show trade-offs": ["--run-attributes", "costs"], "show queries": [], "show verdict": [],
    "evaluate": [], "stages": ["-m", "AP"],
}  # fmt: skip
"""Commands beside whose numbers the queries that runs lack are named, and what else they need."""


@pytest.mark.parametrize("name", LACKING)
def test_the_chosen_queries_that_a_run_lacks_are_named_beside_the_numbers(
    every: Files, tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    """In every format and at every door, once; those that do not count are not."""
    qrels, runs = every
    for copy in ("first", "second"):  # medians need five runs
        shutil.copy(runs[0], tmp_path / copy)
        runs = [*runs, str(tmp_path / copy)]
    wanted = "run good lacks 1 query (8) of the qrels: counted as 0"
    (tmp_path / "costs").write_text("run,ms\n" + "".join(f"{Path(run).name},{len(run)}\n" for run in runs))
    own = {"costs": str(tmp_path / "costs")}
    command = [*name.split(), qrels, *runs, "--query-set", str(tmp_path / "set.txt")]
    command += [own.get(word, word) for word in LACKING[name]]
    for form in ("table", "markdown", "html", "json"):
        capsys.readouterr()
        assert main.main([*command, "--format", form]) == 0
        printed = capsys.readouterr()
        assert printed.out.count(wanted) == 1, form
        assert ("run late lacks" in printed.out) == (name == "query-sets"), "its last row is of all queries"
        assert "lacks" not in printed.err
    assert main.main([*command, "--format", "csv"]) == 0
    assert wanted in capsys.readouterr().err


def test_every_view_names_the_queries_that_runs_lack(every: Files, tmp_path: Path) -> None:
    """Once, whatever else it says of them; as many as count under the protocol, and of one query that query alone."""
    qrels, runs = every
    for copy in ("first", "second"):
        shutil.copy(runs[0], tmp_path / copy)
        runs = [*runs, str(tmp_path / copy)]
    costs = {Path(run).name: {"ms": float(place), "system": "ab"[place % 2]} for place, run in enumerate(runs)}
    fields: dict[str, Any]
    needed: dict[str, dict[str, Any]] = {
        "fusion-sweep": {"step": 1.0, "folds": 2, "repeats": 1}, "plan": {"size": 0.1},
        "reproduction": {"original": "base", "own": "good"},
    }  # fmt: skip
    for name in manifest.BY_NAME:
        if name.startswith("answer-") or name in ("similarity", "judge", "replicates", "query"):
            continue  # of topics, of no judgments; the others need further files
        measures = ["AP", "RR"] if name == "measure-agreement" else ["AP"]
        further = [{"missing": "intersection"}] if name in ("slices", "systems", "stages") else []
        for fields in ({"queries": CHOSEN}, *further):
            protocol = PRESET.but(measures=measures, samples=100, **fields)
            said = _said(irviewer.show(name, qrels, runs, protocol=protocol, run_attributes=costs,
                                       **needed.get(name, {})).shown)  # fmt: skip
            of_good = [text for text in said if re.search(r"good (lacks|has no value for) 1 query", text)]
            assert len(of_good) == 1, (name, said)
            of_late = any(re.search("late (lacks|has no value)", text) for text in said)
            assert of_late == (not protocol.scope.queries), name
    for query, lacks in (("8", True), ("3", False)):
        for name in ("query", "curves"):
            said = _said(irviewer.show(name, qrels, runs, query=query).shown)
            assert any("good lacks" in text for text in said) == lacks, (name, query)


def test_queries_without_a_value_count_as_empty_lists(every: Files, capsys: pytest.CaptureFixture[str]) -> None:
    """A search length has no value without documents, and 0 would be the best of a measure whose values should be
    low."""
    qrels, runs = every
    for measure, how in (("SearchLength", "each counts as an empty list"), ("AP", "counted as 0")):
        wanted = f"run good lacks 1 query (8) of the qrels: {how}"
        assert main.main(["evaluate", qrels, *runs, "-m", measure, "--format", "table"]) == 0
        assert capsys.readouterr().out.count(wanted) == 1
        assert (
            _said(irviewer.show("queries", qrels, runs, protocol=PRESET.but(measures=[measure])).shown).count(wanted)
            == 1
        )


def test_the_note_is_of_the_measures_that_are_shown(every: Files, capsys: pytest.CaptureFixture[str]) -> None:
    """Of those that a view shows beside the declared ones, or in their place."""
    qrels, runs = every
    protocol = PRESET.but(measures=["AP", "NumRel"], samples=100)
    mixed = "counted as 0 (by SearchLength, NumRel as an empty list)"
    for name, given, how in (
        ("systems", {"tested": "SearchLength"}, mixed.replace("SearchLength, NumRel", "NumRel, SearchLength")),
        ("queries", {"tested": "SearchLength"}, "each counts as an empty list"),
        ("queries", {}, "counted as 0"),
        ("slices", {"by": ("relevant",)}, "counted as 0"),
        ("curves", {}, "counted as 0"),
    ):
        said = _said(irviewer.show(name, qrels, runs, protocol=protocol, **given).shown)
        assert f"run good lacks 1 query (8) of the qrels: {how}" in said, (name, given, said)
    command = ["show", "systems", qrels, *runs, "-m", "AP", "--tested", "SearchLength", "--samples", "100"]
    assert main.main([*command, "--format", "csv"]) == 0
    assert "counted as 0 (by SearchLength as an empty list)" in capsys.readouterr().err


def test_a_comparison_of_several_measures_says_which_counts_a_lacking_query_how(
    every: Files, capsys: pytest.CaptureFixture[str]
) -> None:
    qrels, runs = every
    assert main.main(["compare", qrels, *runs, "-m", "AP", "-m", "IdealDCG", "-m", "RR", "--samples", "100"]) == 0
    out = capsys.readouterr().out
    for measure, how in (("AP", "counted as 0."), ("RR", "counted as 0."), ("IdealDCG", "it counts as an empty list.")):
        assert out.count(f"Note: {measure}: good lacks 1 query: {how}") == 1
    assert main.main(["compare", qrels, *runs, "-m", "AP", "-m", "RR", "--samples", "100"]) == 0
    assert capsys.readouterr().out.count("Note: good lacks 1 query: counted as 0.") == 1


def test_python_names_the_queries_that_a_stage_lacks(every: Files) -> None:
    qrels, runs = every
    said = irviewer.stages(qrels, runs[:2], "AP").notes
    assert "run good lacks 1 query (8) of the qrels: counted as 0" in said


def test_a_file_of_one_table_names_them_also_where_another_table_does(
    every: Files, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A gate of several candidates says it of its conditions, and its first table is that of the candidates."""
    qrels, runs = every
    command = ["gate", qrels, *runs[1:], "--baseline", runs[0], "--require", "AP > 0"]
    main.main([*command, "--format", "csv", "-o", str(tmp_path / "g.csv")])
    wanted = "run good lacks 1 query (8) of the qrels: counted as 0"
    assert capsys.readouterr().err.count(wanted) == 1
    assert (tmp_path / "g.csv.protocol.toml").read_text().count(wanted) == 1
    for form in ("table", "markdown"):
        capsys.readouterr()
        assert main.main(["pool", qrels, *runs, "-m", "AP", "--table", "runs", "--format", form]) == 0
        assert capsys.readouterr().out.count(wanted) == 1
    gate = irviewer.gate(qrels, runs[1:], runs[0], require=["AP > 0"])
    gate.save(tmp_path / "g.parquet")
    held = json.loads(pq.read_schema(tmp_path / "g.parquet").metadata[b"irviewer.table"])
    assert [note["text"] for note in held["notes"]].count(wanted) == 1


def _said(result: ViewResult) -> list[str]:
    return [note.text for table in result.tables for note in table.notes]
