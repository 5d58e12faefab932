"""Each public function follows a protocol as the command of the same numbers does: the line word for word, and every
field of it in JSON. The oracle of a field is the keyword that names it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import irviewer
from irviewer.cli import main
from irviewer.errors import OptionError
from irviewer.model.protocol import PRESET, EvaluationProtocol
from tests.helpers.compared import write_files

Files = tuple[str, list[str]]
FILE = (
    "measures = ['RR', 'AP']\n[rules]\nlevel = 0.5\nunjudged = 'pooled'\n[scope]\nruns = ['base_1', 'bad', 'fifth']\n"
    "[inference]\nconfidence = 0.9\nsamples = 300\nseed = 7\n"
)

FUNCTIONS: dict[str, tuple[Callable[..., Any], list[str]]] = {
    "explain": (lambda q, r, p: irviewer.explain(q, r[0], protocol=p), ["explain", "Q", "R0"]),
    "explain a query": (lambda q, r, p: irviewer.explain(q, r[0], None, "3", protocol=p),
                        ["explain", "Q", "R0", "-q", "3"]),
    "explain a difference": (lambda q, r, p: irviewer.explain(q, r[0], against=r[1], protocol=p),
                             ["explain", "Q", "R0", "--against", "R1"]),
    "pool_effects": (lambda q, r, p: irviewer.pool_effects(q, r, protocol=p), ["pool", "Q", "R"]),
    "worklist": (lambda q, r, p: irviewer.worklist(q, r, protocol=p), ["pool", "Q", "R", "--worklist"]),
    "failures": (lambda q, r, p: irviewer.failures(q, r, protocol=p), ["failures", "Q", "R"]),
    "dialects": (lambda q, r, p: irviewer.dialects(q, r, protocol=p), ["dialects", "Q", "R"]),
    "stages": (lambda q, r, p: irviewer.stages(q, r, protocol=p), ["stages", "Q", "R"]),
    "similarity": (lambda q, r, p: irviewer.similarity(r, protocol=p), ["similarity", "R"]),
    "curves": (lambda q, r, p: irviewer.curves(q, r, "dcg", protocol=p), ["curves", "Q", "R", "--kind", "dcg"]),
    "bands": (lambda q, r, p: irviewer.curves(q, r, bands=True, protocol=p), ["curves", "Q", "R", "--bands"]),
    "agreement": (lambda q, r, p: irviewer.agreement([q, q], r, protocol=p), ["agreement", "Q", "Q", "--runs", "R"]),
    "sweep_fusion": (lambda q, r, p: irviewer.sweep_fusion(q, r, step=0.5, protocol=p),
                     ["fusion-sweep", "Q", "R", "--step", ".5"]),
    "reuse": (lambda q, r, p: irviewer.reuse(q, r, every_run=True, prefix="_", protocol=p),
              ["reuse", "Q", "R", "--every-run", "--prefix", "_"]),
    "reproduction": (lambda q, r, p: irviewer.reproduction(q, r, original="base_1", own="bad", p=0.8, protocol=p),
                     ["reproduction", "Q", "R", "--original", "base_1", "--own", "bad", "--p", ".8"]),
    "judge": (lambda q, r, p: irviewer.judge(q, r, [q], parameters={"human": 12}, protocol=p),
              ["judge", "Q", "R", "--judge", "Q", "--human", "12"]),
}  # fmt: skip


@pytest.fixture
def files(tmp_path: Path) -> Files:
    qrels, *runs = write_files(tmp_path)
    return qrels, runs


def printed(capsys: pytest.CaptureFixture[str], files: Files, words: list[str], *more: str) -> str:
    qrels, runs = files
    own = {"Q": [qrels], "R0": [runs[0]], "R1": [runs[1]], "R": runs}
    assert main.main([*(part for word in words for part in own.get(word, [word])), *more]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_file_is_followed_as_on_the_command_line(
    files: Files, tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    function, words = FUNCTIONS[name]
    path = tmp_path / "p.toml"
    path.write_text(FILE.replace("'base_1', ", "") if name == "sweep_fusion" else FILE)
    if name == "explain a difference":  # with a run that the file leaves out
        path.write_text(FILE[: FILE.index("[scope]")])
    result = function(*files, path)
    assert result.protocol is not None
    document = json.loads(printed(capsys, files, words, "--protocol", str(path), "--format", "json"))
    assert json.loads(json.dumps(result.protocol.as_json())) == document["protocol"]
    assert repr(result).splitlines()[0] == document["protocol"]["line"]
    saved = tmp_path / "saved.json"
    result.save(saved)
    assert json.loads(saved.read_text())["protocol"] == document["protocol"]
    if name not in ("curves", "bands"):  # plain data on the command line
        line = printed(capsys, files, words, "--protocol", str(path)).splitlines()[0]
        assert line == document["protocol"]["line"] + " (p.toml)"


KEYWORDS: dict[str, tuple[Callable[..., Any], dict[str, Any], Callable[[Any], Any]]] = {
    "explain": (lambda q, r, **k: irviewer.explain(q, r[0], "RR", **k), {"level": 2}, repr),
    "pool_effects": (lambda q, r, **k: irviewer.pool_effects(q, r, "RR", **k), {"unjudged": "complete"}, repr),
    "failures": (lambda q, r, **k: irviewer.failures(q, r, "RR", **k), {"level": 2}, repr),
    "worklist": (lambda q, r, **k: irviewer.worklist(q, r, "RR", **k), {"depth": 2}, repr),
    "dialects": (lambda q, r, **k: irviewer.dialects(q, r, "AP", **k), {"judged_only": True}, repr),
    "curves": (lambda q, r, **k: irviewer.curves(q, r, bands=True, **k), {"confidence": 0.5}, repr),
    "agreement": (lambda q, r, **k: irviewer.agreement([q, q], r, "RR", **k), {"level": 2}, repr),
    "ranking_stability": (lambda q, r, **k: irviewer.ranking_stability(q, r, "RR", **k), {"samples": 300}, repr),
    "measure_agreement": (lambda q, r, **k: irviewer.measure_agreement(q, r, ["RR", "AP"], **k), {"depth": 1}, repr),
    "set_means": (lambda q, r, **k: irviewer.set_means(q, r, {"a": ["1", "2"]}, "RR", **k), {"depth": 1}, repr),
    "sweep_fusion": (lambda q, r, **k: irviewer.sweep_fusion(q, r[:2], "RR", step=0.5, **k), {"seed": 3}, repr),
    "gate": (lambda q, r, **k: irviewer.gate(q, r[1], r[0], "RR > -1", **k), {"unjudged": "pooled"}, repr),
    "corrected_scores": (lambda q, r, **k: irviewer.corrected_scores(q, q, r, "RR", **k), {"confidence": 0.5}, repr),
    "reuse": (lambda q, r, **k: irviewer.reuse(q, r, "RR", **k), {"level": 2}, repr),
    "reproduction": (lambda q, r, **k: irviewer.reproduction(q, r, "RR", original="base_1", own="bad", **k),
                     {"level": 2}, repr),
    "judge": (lambda q, r, **k: irviewer.judge(q, r, [q], "RR", **k), {"confidence": 0.5}, repr),
}  # fmt: skip


@pytest.mark.parametrize("name", ["reuse", "reproduction", "judge"])
def test_a_function_of_one_view_writes_the_tables_of_its_command(
    files: Files, tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    function, words = FUNCTIONS[name]
    path, saved = tmp_path / "p.toml", tmp_path / "saved.json"
    path.write_text(FILE)
    function(*files, path).save(saved)
    printed_one = json.loads(printed(capsys, files, words, "--protocol", str(path), "--format", "json"))
    assert json.loads(saved.read_text()) == printed_one
    assert all(table["rows"] for table in printed_one["tables"][:3])


def test_a_registered_protocol_is_kept_in_python_as_on_the_command_line(
    files: Files, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    qrels, runs = files
    mine = tmp_path / "mine.registered.json"
    registered = irviewer.register_protocol(mine, alpha=0.01, measures=["AP"], opened=[qrels])
    assert irviewer.read_registration(mine) == registered
    given = {"0.01": (True, 0), "0.05": (False, 1)}
    for alpha, (kept, status) in given.items():
        answer = irviewer.registration_kept(mine, alpha=float(alpha), measures=["AP"], opened=[qrels, runs[0]])
        words = ["protocol", "-m", "AP", "--alpha", alpha, "--registered", str(mine)]
        assert main.main([*words, "--opened", qrels, "--opened", runs[0]]) == status
        assert (kept, list(answer[1])) == (answer[0], capsys.readouterr().out.splitlines())
    mine.write_text(mine.read_text().replace("alpha = 0.01", "alpha = 0.05"))
    assert not irviewer.registration_kept(mine, alpha=0.05, measures=["AP"])[0]
    with pytest.raises(OptionError, match="there is no such file"):
        irviewer.registration_kept(mine, opened=[tmp_path / "none.run"])


@pytest.mark.parametrize("name", KEYWORDS)
def test_a_keyword_changes_the_field_of_a_protocol(files: Files, name: str) -> None:
    function, fields, shown = KEYWORDS[name]
    by_keyword, by_value = function(*files, **fields), function(*files, protocol=PRESET.but(**fields))
    assert shown(by_keyword) == shown(by_value)
    assert by_keyword.protocol == by_value.protocol
    other = PRESET.but(**{field: PRESET[field] for field in fields})
    assert function(*files, protocol=other, **fields).protocol.protocol == by_value.protocol.protocol


def test_runs_and_queries_of_a_protocol(files: Files) -> None:
    qrels, runs = files
    protocol = EvaluationProtocol().but(runs=["base_1", "bad"], queries=["1", "2", "3"])
    alike = irviewer.similarity(runs, protocol=protocol)
    assert (alike.runs, alike.query_ids) == (("base_1", "bad"), ("1", "2", "3"))
    assert alike.protocol.line() == "3 of 30 queries · 2 runs chosen"
    some = irviewer.agreement([qrels, qrels], protocol=EvaluationProtocol().but(queries=["1", "2", "3"]))
    expected = {query: irviewer.read_qrels(qrels).judgments(query) for query in ("1", "2", "3")}
    assert some.grades.pairs.tolist() == irviewer.agreement([expected, expected]).grades.pairs.tolist()
    assert some.grades.pairs[0, 1] == sum(map(len, expected.values()))


def test_ties_of_similarity_are_those_of_the_dialect() -> None:
    """Two lists with the same tied scores: trec_eval orders them by id, the order of a file is not."""
    first = {"1": {"a": 1.0, "b": 1.0, "c": 0.5}}
    second = {"1": {"b": 2.0, "a": 1.0, "c": 0.5}}
    assert irviewer.similarity({"one": first, "two": second}, "tau-ap").means[0, 1] == 1
    arrived = irviewer.similarity({"one": first, "two": second}, "tau-ap", dialect="ranx")
    assert arrived.means[0, 1] < 1
    assert arrived.protocol.line() == "1 query · ranx"


def test_a_field_that_a_function_cannot_follow_is_refused(files: Files) -> None:
    qrels, runs = files
    for function, name in ((irviewer.pool_effects, "weights"), (irviewer.similarity, "judged_only")):
        arguments = (runs,) if function is irviewer.similarity else (qrels, runs)
        value: Any = {"weights": "traffic", "judged_only": True}[name]
        with pytest.raises(OptionError, match=f"cannot follow {name} of the protocol"):
            function(*arguments, protocol=PRESET.but(**{name: value}))
    for name, value in (("depth", 2), ("judged_only", True)):
        with pytest.raises(OptionError, match=f"cannot follow {name} of the protocol"):
            irviewer.show("similarity", qrels, runs, protocol=PRESET.but(**{name: value}))
    with pytest.raises(OptionError, match="cannot follow weights of the protocol"):
        irviewer.show("medians", qrels, runs, protocol=PRESET.but(weights="traffic"))
    with pytest.raises(TypeError, match="unexpected keyword argument 'regime'"):
        irviewer.pool_effects(qrels, runs, regime="pooled")  # type: ignore[call-arg]


def test_the_ranks_of_a_protocol_in_a_fusion_sweep(
    files: Files, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The command cuts lists before they are valued, as Python, irviewer show and its own option do."""
    qrels, runs = files
    path, saved = tmp_path / "p.toml", tmp_path / "saved.json"
    path.write_text("measures = ['AP']\n[rules]\ndepth = 1\n")
    words = ["fusion-sweep", "Q", "R0", "R1", "--step", ".5", "--repeats", "2"]
    irviewer.sweep_fusion(qrels, runs[:2], step=0.5, repeats=2, protocol=path).save(saved)
    in_python = json.loads(saved.read_text())["tables"]
    options = (
        [*words, "--protocol", str(path)], [*words, "-m", "AP", "--depth", "1"],
        ["show", *words, "--protocol", str(path)], [*words, "-m", "AP"],
    )  # fmt: skip
    *cut, whole = (json.loads(printed(capsys, files, each, "--format", "json"))["tables"] for each in options)
    own = {table["name"]: table["rows"] for table in in_python}
    for tables in cut:
        assert {table["name"]: table["rows"] for table in tables}.items() <= own.items()
    assert whole[0]["rows"] != own["means"]


def test_weights_of_a_file_in_the_views_that_follow_them(
    files: Files, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The order of weighted means is drawn at every door; the table of systems says that tests are not weighted."""
    qrels, runs = files
    (tmp_path / "w.tsv").write_text("".join(f"{query}\t{1 + 50 * (query % 7 == 0)}\n" for query in range(30)))
    path, saved = tmp_path / "p.toml", tmp_path / "saved.json"
    path.write_text("measures = ['RR']\n[scope]\nweights = { file = 'w.tsv' }\n[inference]\nsamples = 200\n")
    irviewer.ranking_stability(qrels, runs, protocol=path).save(saved)
    document = json.loads(saved.read_text())
    own = ["stability", "Q", "R", "-m", "RR", "--samples", "200", "--weights", str(tmp_path / "w.tsv")]
    for words in (["show", "stability", "Q", "R", "--protocol", str(path)], own):
        answer = json.loads(printed(capsys, files, words, "--format", "json"))
        assert answer["tables"] == document["tables"]
    plain = irviewer.ranking_stability(qrels, runs, "RR", samples=200)
    assert plain.rank.tolist() != [row["rank"] for row in document["tables"][0]["rows"]]
    assert any("ordered by weighted means" in note["text"] for note in document["notes"])
    said = [note.text for note in irviewer.show("systems", qrels, runs, protocol=path).shown.tables[0].notes]
    assert "Tests count every query once; weighted means and their intervals use the weights." in said
    for view in ("stability", "systems"):
        with pytest.raises(OptionError, match="the column traffic of the queries is known in the window only"):
            irviewer.show(view, qrels, runs, protocol=PRESET.but(weights="traffic"))


def test_weights_by_the_name_of_a_column_are_refused_outside_the_window(
    files: Files, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    qrels, runs = files
    protocol = PRESET.but(weights="traffic")
    for function in (irviewer.compare, irviewer.ranking_stability):
        with pytest.raises(OptionError, match="weights: the column traffic of the queries is known in the window only"):
            function(qrels, runs, "RR", protocol=protocol)
    path = tmp_path / "p.toml"
    path.write_text("[scope]\nweights = 'traffic'\n")
    assert main.main(["compare", qrels, *runs, "-m", "RR", "--protocol", str(path)]) == 2
    assert "the column traffic of the queries is known in the window only" in capsys.readouterr().err
