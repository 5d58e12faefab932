"""A run has several names: its whole one, what is left without a shared beginning, that of its file, its tag. Each
option that names runs takes any of them at every door, and refuses one of several runs in one line."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import irviewer
from irviewer.cli.main import main
from irviewer.errors import OptionError
from irviewer.model.run_names import run_place
from irviewer.session.session import Session

NAMES = ("input.InexpC2", "input.Okapi", "dense", "other-Okapi")
FURTHER = ({"a.run", "a", "teamA"}, {"b.run", "b", "teamB"}, {"dense.run", "team"}, {"team", "Okapi2"})


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("input.InexpC2", 0), ("InexpC2", 0), ("a", 0), ("a.run", 0), ("teamA", 0), ("Okapi", 1), ("teamB", 1),
        ("dense", 2), ("dense.run", 2), ("other-Okapi", 3), ("Okapi2", 3),
    ],
)  # fmt: skip
def test_each_name_of_a_run(name: str, place: int) -> None:
    assert run_place(name, NAMES, (), FURTHER) == place


@pytest.mark.parametrize(
    ("name", "names", "further", "said"),
    [
        ("team", NAMES, FURTHER, r"^team may be one of the runs dense, other-Okapi; give the whole name$"),
        ("C2", NAMES, FURTHER, "there is no run C2; "),  # not a word of its own
        ("input", NAMES, FURTHER, "there is no run input; did you mean input.Okapi"),
        ("x", ("a.x", "a.y", "b.x", "b.y"), (), "x may be one of the runs a.x, b.x"),
        ("x", ("a.x", "b.y"), (), "there is no run x; "),  # nothing shares its beginning
        ("run", (*NAMES, "run", "run"), ({"run"}, *FURTHER[1:], set(), set()), "2 runs have the name run; rename"),
    ],
)
def test_names_of_none_and_of_several(name: str, names: tuple[str, ...], further: Any, said: str) -> None:
    with pytest.raises(OptionError, match=said) as error:
        run_place(name, names, (), further)
    assert "\n" not in str(error.value)


def test_a_whole_name_goes_before_a_further_one() -> None:
    """What the window shows is never the tag of another run."""
    assert run_place("b", ("a", "b"), (), ({"b"}, {"a"})) == 1
    assert run_place("one", ("x.one", "x.two"), (), (set(), {"one"})) == 0


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Qrels of twelve queries, and four runs: input.InexpC2, input.Okapi, dense and bm25."""
    folder, dice = tmp_path_factory.mktemp("names"), random.Random(3)
    queries = [str(number) for number in range(12)]
    (folder / "qrels").write_text(
        "".join(f"{query} 0 d{document} {dice.randint(0, 1)}\n" for query in queries for document in range(12))
    )
    paths = [str(folder / "qrels")]
    for name, tag in (("input.InexpC2", "one"), ("input.Okapi", "two"), ("dense", "three"), ("bm25", "four")):
        lines = [
            f"{query} Q0 d{document} {rank} {100 - rank} {tag}\n"
            for query in queries
            for rank, document in enumerate(dice.sample(range(16), 10), start=1)
        ]
        (folder / f"{name}.run").write_text("".join(lines))
        paths.append(str(folder / f"{name}.run"))
    return paths


SHORT = {"input.InexpC2": ["InexpC2", "one", "input.InexpC2.run"], "dense": ["three", "dense.run"]}
NO_QRELS = ("similarity",)
COMMANDS = (
    ["compare", "--baseline", "@"], ["slices", "--by", "relevant", "--baseline", "@"], ["paper", "--baseline", "@"],
    ["stages", "--baseline", "@"], ["verdict", "--baseline", "@"], ["verdict", "--run", "@"],
    ["failures", "--causes", "--baseline", "@"], ["failures", "--causes", "--run", "@"],
    ["show", "systems", "--baseline", "@"], ["show", "queries", "--run", "@"], ["show", "pool"],
    ["show", "gate", "--run", "@", "--non-inferior", "AP > -0.5"], ["plan", "--size", ".1", "--baseline", "@"],
    ["reproduction", "--original", "@", "--own", "bm25"], ["pool"], ["stability"],
    ["measure-agreement"], ["similarity"], ["dialects"], ["curves"], ["fusion-sweep"],
)  # fmt: skip


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_every_command_takes_each_name(
    files: list[str], words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In its options, and in the runs and the baseline of a protocol."""

    def printed(name: str, status: int = 0) -> str:
        protocol = tmp_path / "protocol.toml"
        protocol.write_text(f'schema = 1\n[scope]\nruns = ["{name}", "bm25", "input.Okapi"]\n')
        head = words[: 2 if words[0] == "show" else 1]
        given = files[1:] if words[0] in NO_QRELS else files
        rest = [name if word == "@" else word for word in words[len(head) :]]
        protocols = [] if words[0] == "reproduction" else ["--protocol", str(protocol)]
        done = main([*head, *given, *rest, *protocols, "--format", "json"])
        said = capsys.readouterr()
        assert done in ((0, 1) if status == 0 else (status,)), said.err
        return said.out if status == 0 else said.err

    for whole, others in SHORT.items():
        expected = printed(whole)
        assert whole in expected
        for name in others:
            assert _values(printed(name)) == _values(expected), name
    said = printed("nobody", 2)
    assert said.startswith("irviewer: there is no run nobody; ")
    assert len(said.splitlines()) == 1


def _values(text: str) -> str:
    """The output without the parameters, which are kept as they were given."""
    document = json.loads(text)
    document.pop("parameters", None)
    return json.dumps(document)


FUNCTIONS: dict[str, Callable[[str, list[str], str], Any]] = {
    "compare": lambda qrels, runs, name: irviewer.compare(qrels, runs, "AP", baseline=name),
    "compare_slices": lambda qrels, runs, name: irviewer.compare_slices(qrels, runs, "AP", "relevant", baseline=name),
    "paper_table": lambda qrels, runs, name: irviewer.paper_table(qrels, runs, "AP", baseline=name),
    "rows of a paper": lambda qrels, runs, name: irviewer.paper_table(qrels, runs, "AP", shown=[name, "bm25"]),
    "stages": lambda qrels, runs, name: irviewer.stages(qrels, runs[:2], measure="AP", baseline=name),
    "failures": lambda qrels, runs, name: irviewer.failures(qrels, runs, "AP", baseline=name),
    "verdict": lambda qrels, runs, name: irviewer.verdict(qrels, runs, "AP", baseline=name),
    "show": lambda qrels, runs, name: irviewer.show("verdict", qrels, runs, run="bm25", against=name),
    "ranking_stability": lambda qrels, runs, name: irviewer.ranking_stability(
        qrels, runs, "AP", protocol=irviewer.EvaluationProtocol().but(runs=[name, "bm25"])
    ),
}


@pytest.mark.parametrize("function", FUNCTIONS)
def test_every_function_takes_each_name(files: list[str], function: str) -> None:
    qrels, *runs = files
    call = FUNCTIONS[function]
    expected = str(call(qrels, runs, "input.InexpC2"))
    assert "input.InexpC2" in expected
    for name in SHORT["input.InexpC2"]:
        assert str(call(qrels, runs, name)) == expected
    with pytest.raises(OptionError, match="there is no run nobody"):
        call(qrels, runs, "nobody")


def test_a_report_names_its_baseline(files: list[str]) -> None:
    qrels, *runs = files
    pages = {
        irviewer.report(qrels, runs, ["AP"], baseline=name, shown=[name, other]).html.partition("<body")[2]
        for name, other in (("InexpC2", "two"), ("one", "Okapi"), ("input.InexpC2", "input.Okapi"))
    }
    assert len(pages) == 1


def test_systems_of_collections_by_each_name(files: list[str]) -> None:
    qrels, *runs = files
    collections = {"first": (qrels, runs), "second": (qrels, runs)}
    values = set()
    for name in ("input.InexpC2", "InexpC2", "one"):
        systems = {"ours": {"first": name, "second": name}}
        collected = irviewer.evaluate_collections(collections, "AP", systems=systems, baseline="ours")
        values.add(str(collected.table))
    assert len(values) == 1
    with pytest.raises(OptionError, match="first has no run nobody"):
        irviewer.evaluate_collections(collections, "AP", systems={"ours": {"first": "nobody"}})


def test_runs_of_one_name_at_every_door(files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Two files of one name: the first keeps it, the other is called by its folder too; a third of the same folder has
    a number."""
    qrels = files[0]
    runs = []
    for place, source in (("old", files[1]), ("new", files[2])):
        (tmp_path / place).mkdir()
        runs.append(str(tmp_path / place / "same.run"))
        Path(runs[-1]).write_bytes(Path(source).read_bytes())
    names = ["same", "new/same"]

    def printed(*words: str) -> dict[str, Any]:
        assert main([*words, "--format", "json"]) == 0, capsys.readouterr().err
        return json.loads(capsys.readouterr().out)

    assert list(irviewer.evaluate(qrels, runs, "AP").runs) == names
    assert irviewer.paper_table(qrels, runs, "AP").protocol.names == tuple(names)
    assert irviewer.show("systems", qrels, runs, measures=["AP"])["systems"].column("run").values == tuple(names)
    for words in (["evaluate"], ["compare"], ["slices", "--by", "relevant"], ["paper"], ["show", "queries"]):
        rows = [row for table in printed(*words, qrels, *runs, "-m", "AP")["tables"] for row in table["rows"]]
        assert any("new/same" in (*row, *row.values()) for row in rows), words
        assert not any("same (2)" in (*row, *row.values()) for row in rows), words
    condition = ["--non-inferior", "AP > -0.9"]
    shown = printed("show", "gate", qrels, *runs, "--run", "new/same", *condition)
    decided = printed("gate", qrels, runs[1], "--baseline", runs[0], *condition)
    asked = irviewer.gate(qrels, runs[1], runs[0], "AP > -0.9")
    assert (asked.run, asked.baseline) == ("new/same", "same")
    for document in (shown, decided):
        row = next(table for table in document["tables"] if table["name"] == "gate")["rows"][0]
        assert (row["run"], row["baseline"]) == ("new/same", "same")
    session = Session()
    session.files.open_files([qrels, *runs])
    session.files.open_files([files[3]])
    assert [label.name for label in session.view.labels()] == [*names, "dense"]
    again = irviewer.evaluate(qrels, [*runs, runs[1], {"q": {"d": 1.0}}], "AP")
    assert list(again.runs) == [*names, "same (2)", "run"]
