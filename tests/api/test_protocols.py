"""A protocol is the same for Python and the command line, to the last digit, and the line word for word."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import protocols as some
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy.stats import kendalltau

import irviewer
from irviewer.analysis.statistics.significance.test_results import TESTS
from irviewer.cli import main
from irviewer.errors import OptionError
from irviewer.formats.protocol_file import protocol_text
from irviewer.model.protocol import PRESET, ProtocolFields, QuerySelection
from irviewer.tables.json_text import json_text
from tests.helpers.compared import comparisons_of, write_files

RUNS = ("base_1", "good&50%", "bad", "same", "fifth")
FIELDS = st.fixed_dictionaries(
    {"samples": st.just(200)},
    optional={
        name: some.VALUES[name]
        for name in ("judged_only", "unjudged", "test", "zeros", "tukey", "family", "correction", "interval",
                     "seed", "dialect")
    } | {
        "missing": st.sampled_from(["zero", "intersection"]), "level": st.sampled_from([1, 0.5]),
        "depth": st.integers(1, 8), "alpha": st.sampled_from([0.01, 0.2]),
        "confidence": st.sampled_from([0.5, 0.99]), "smallest": st.sampled_from([0, 0.1]),
        "measures": st.sampled_from([["RR"], ["P@1", "RR"]]), "baseline": st.sampled_from(RUNS[:3]),
        "runs": st.just(list(RUNS[:3])), "queries": st.just(QuerySelection(ids=tuple(map(str, range(1, 21))))),
    },
).map(lambda values: ProtocolFields(**values))  # type: ignore[typeddict-item]  # fmt: skip


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=10)
@given(fields=FIELDS)
def test_python_and_the_command_line_agree(
    fields: ProtocolFields, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    qrels, *runs = write_files(tmp_path)
    path = tmp_path / "p.toml"
    path.write_text(protocol_text(PRESET.but(**fields)))
    capsys.readouterr()
    assert main.main(["compare", qrels, *runs, "--protocol", str(path), "--format", "json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    table = irviewer.compare(qrels, runs, protocol=path)
    assert table.protocol is not None
    assert json.loads(json.dumps(table.protocol.as_json())) == answer["protocol"]
    by_value = irviewer.compare(qrels, runs, protocol=PRESET.but(**fields))
    assert by_value.protocol == table.protocol
    assert json_text(by_value.rows) == json_text(table.rows)
    pairs = [pair for comparison in comparisons_of(answer) for pair in comparison["pairs"]]
    for mine, theirs in zip(json.loads(json_text(table.rows)), pairs, strict=True):
        same = [name for name in mine if name in theirs and name != "relative"]
        assert {name: theirs[name] for name in same} == {name: mine[name] for name in same}


def test_keywords_change_single_fields(tmp_path: Path) -> None:
    qrels, *runs = write_files(tmp_path)
    protocol = PRESET.but(level=2, test="sign", measures=["RR"])
    table = irviewer.compare(qrels, runs, protocol=protocol, level=1, seed=7, baseline="bad", pairs=False)
    expected = protocol.but(level=1, seed=7, baseline="bad", family="baseline")
    assert table.protocol is not None
    assert table.protocol.protocol == expected
    assert table.protocol.line() == (
        "30 queries · primary: RR · binary, level ≥ 1 · unjudged: unknown · "
        "Holm over 4 against bad · sign test · seed 7"
    )
    for name in TESTS:
        decided = irviewer.compare(qrels, runs, "RR", test=name, samples=100)
        assert decided.protocol is not None
        assert decided.protocol.protocol.inference.decides == name


def test_a_result_knows_its_protocol(tmp_path: Path) -> None:
    qrels, *runs = write_files(tmp_path)
    result = irviewer.evaluate(qrels, runs, "RR", unjudged="pooled")
    assert result.protocol is not None
    assert result.protocol.line() == "30 queries · binary, level ≥ 1 · unjudged: pooled"
    protocol = irviewer.EvaluationProtocol().but(measures=["P@1"], runs=["bad", "same"])
    chosen = irviewer.evaluate(qrels, runs, protocol=protocol)
    assert (chosen.runs, [str(measure) for measure in chosen.measures]) == (("bad", "same"), ["P@1"])


def test_the_queries_of_a_protocol_are_evaluated(tmp_path: Path) -> None:
    """The means are those of a loop over the queries that count, and their order is that of the qrels."""
    qrels, *runs = write_files(tmp_path)
    every = irviewer.evaluate(qrels, runs, ["AP", "RR"])
    chosen = irviewer.evaluate(qrels, runs, ["AP", "RR"], protocol=PRESET.but(queries=["4", "11", "2"]))
    assert set(chosen.query_ids) == {"2", "4", "11"}
    assert chosen.protocol is not None
    assert chosen.protocol.line().startswith("3 of 30 queries")
    for measure in ("AP", "RR"):
        for run in every.runs:
            values = every.by_query(measure, run)
            assert chosen.mean(measure, run) == pytest.approx(sum(values[query] for query in ("2", "4", "11")) / 3)
    agree = irviewer.measure_agreement(qrels, runs, ["AP", "RR"], protocol=PRESET.but(queries=["4", "11", "2"]))
    assert agree.protocol.line() == chosen.protocol.line()
    means = dict(zip(("AP", "RR"), chosen.means.tolist(), strict=True))
    assert agree.values[0, 1] == pytest.approx(kendalltau(means["AP"], means["RR"]).statistic)


def test_refused(tmp_path: Path) -> None:
    qrels, *runs = write_files(tmp_path)
    with pytest.raises(OptionError, match=r"irviewer\.pool_effects\(\) cannot follow weights of the protocol"):
        irviewer.pool_effects(qrels, runs, protocol=PRESET.but(weights="traffic"))
    with pytest.raises(TypeError, match="unexpected keyword argument 'levle'"):
        irviewer.evaluate(qrels, runs, levle=2)  # type: ignore[call-arg]
    with pytest.raises(OptionError, match="there is no run nobody"):
        irviewer.compare(qrels, runs, protocol=PRESET.but(runs=["nobody", "bad"]))
    with pytest.raises(OptionError, match="alpha is 3"):
        irviewer.compare(qrels, runs, alpha=3)


@pytest.mark.parametrize(
    ("fields", "decides"),
    [
        ({"test": "wilcoxon"}, "wilcoxon"),
        ({"test": "wilcoxon-pratt"}, "wilcoxon-pratt"),
        ({"test": "wilcoxon", "zeros": "pratt"}, "wilcoxon-pratt"),
        ({"test": "tukey-randomised"}, "tukey-randomised"),
        ({"test": "tukey", "tukey": "randomised"}, "tukey-randomised"),
    ],
)
def test_every_comparison_names_the_form_of_a_test_alike(fields: dict[str, Any], decides: str, tmp_path: Path) -> None:
    """In the name of the test, as the command line has it, or by the field of the form."""
    qrels, *runs = write_files(tmp_path)
    results = (
        irviewer.compare(qrels, runs, "RR", samples=100, **fields),
        irviewer.paper_table(qrels, runs, ["RR"], samples=100, **fields),
        irviewer.show("systems", qrels, runs, samples=100, **fields),
    )
    assert [each.protocol.protocol.inference.decides for each in results] == [decides] * 3
    assert decides.partition("-")[0] in irviewer.report(qrels, runs, ["RR"], samples=100, **fields).html.lower()
