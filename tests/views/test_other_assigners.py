"""The verdict of a score of nuggets asks the labels of other assigners of the same answers."""

from __future__ import annotations

import json
import math
import random
from pathlib import Path

import pytest
from scipy import stats

import irviewer
from irviewer.session.session import Session

TOPICS = [f"t{n:02}" for n in range(30)]
N_NUGGETS = 4
Said = dict[str, list[bool]]


def nuggets_of(topic: str) -> list[dict[str, str]]:
    return [{"text": f"{topic} {n}", "importance": "vital"} for n in range(N_NUGGETS)]


def drawn(seed: int, share: float) -> Said:
    draw = random.Random(seed)
    return {topic: [draw.random() < share for _ in range(N_NUGGETS)] for topic in TOPICS}


def labels(path: Path, system: str, said: Said) -> Path:
    path.write_text("".join(json.dumps({
        "run_id": system, "qid": topic, "answer_text": f"{system} on {topic}.", "nuggets": [
            {**each, "assignment": "support" if is_said else "not_support"}
            for each, is_said in zip(nuggets_of(topic), own, strict=True)
        ],
    }) + "\n" for topic, own in said.items()))  # fmt: skip
    return path


def score(said: Said, topic: str) -> float:
    return sum(said[topic]) / N_NUGGETS


def test_other_assigners_of_both_systems_are_asked(tmp_path: Path) -> None:
    """They were none of the verdict's other judges. The person labelled some topics, and finds the other system better;
    a third one labelled one system alone."""
    nuggets = tmp_path / "nuggets.jsonl"
    nuggets.write_text("".join(json.dumps({"qid": each, "nuggets": nuggets_of(each)}) + "\n" for each in TOPICS))
    model = {"a": drawn(1, 0.8), "b": drawn(2, 0.3)}
    person = {system: {topic: said[topic] for topic in TOPICS[:12]} for system, said in
              {"a": drawn(3, 0.2), "b": drawn(4, 0.9)}.items()}  # fmt: skip
    files = [labels(tmp_path / f"{system}.model.jsonl", system, said) for system, said in model.items()]
    files += [labels(tmp_path / f"{system}.person.jsonl", system, said) for system, said in person.items()]
    files.append(labels(tmp_path / "a.third.jsonl", "a", drawn(5, 0.5)))
    shown = irviewer.show("verdict", nuggets, files, measures="V_strict", run="a", against="b", baseline="b")
    changes, tried = shown["changes"], shown["tried"]
    place = list(changes.column("change").values).index("assigner")
    assert changes.column("status").values[place] == "turns"
    assert changes.column("evidence").values[place] == "assigners"
    rows = [n for n, each in enumerate(tried.column("change").values) if each == "assigner"]
    assert [tried.column("name").values[n] for n in rows] == ["person"]
    differences = [score(person["a"], topic) - score(person["b"], topic) for topic in TOPICS[:12]]
    assert tried.column("difference").values[rows[0]] == pytest.approx(sum(differences) / 12, abs=1e-12)
    assert stats.ttest_1samp(differences, 0).pvalue < 0.05 / 4


def test_one_assigner_has_no_other(tmp_path: Path) -> None:
    nuggets = tmp_path / "nuggets.jsonl"
    nuggets.write_text("".join(json.dumps({"qid": each, "nuggets": nuggets_of(each)}) + "\n" for each in TOPICS))
    files = [labels(tmp_path / f"{system}.model.jsonl", system, drawn(place, 0.5)) for place, system in enumerate("ab")]
    shown = irviewer.show("verdict", nuggets, files, measures="V_strict")
    assert "assigner" not in list(shown["changes"].column("change").values)


@pytest.mark.parametrize("family", ["baseline", "pairs"])
def test_no_system_is_compared_with_itself_under_another_assigner(family: str, tmp_path: Path) -> None:
    """Of two systems that two assigners labelled, the two best runs were one system under both, and the verdict was
    about it. Who names runs has them."""
    nuggets = tmp_path / "nuggets.jsonl"
    nuggets.write_text("".join(json.dumps({"qid": each, "nuggets": nuggets_of(each)}) + "\n" for each in TOPICS))
    shares = {("a", "ann"): 0.8, ("b", "ann"): 0.4, ("a", "bob"): 0.9, ("b", "bob"): 0.3}
    files = [labels(tmp_path / f"{system}.{who}.jsonl", system, drawn(seed, share))
             for seed, ((system, who), share) in enumerate(shares.items())]  # fmt: skip
    protocol = irviewer.EvaluationProtocol().but(measures=("V_strict",), family=family)
    shown = irviewer.show("verdict", nuggets, files, protocol=protocol)
    pair = shown.value.verdict.answer.pair
    assert {pair.run_name, pair.other_name} == {"a", "b"}
    said = " ".join(remark.text for remark in shown.shown.sentences)
    assert "under the labels of ann" in said and "chosen:" not in said
    page = irviewer.report(nuggets, files, protocol=protocol).html
    assert "under the labels of ann" in page
    named = irviewer.show("verdict", nuggets, files, protocol=protocol, run="a (2)", against="a")
    assert named.value.verdict.answer.pair.run_name == "a (2)"
    with pytest.raises(irviewer.IrviewerError, match="one under several assigners"):
        irviewer.show("verdict", nuggets, files[::2], protocol=protocol)


@pytest.fixture(scope="module")
def of_two(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Path]]:
    """Nuggets, and the labels of two assigners for two systems."""
    folder = tmp_path_factory.mktemp("of_two")
    nuggets = folder / "nuggets.jsonl"
    nuggets.write_text("".join(json.dumps({"qid": each, "nuggets": nuggets_of(each)}) + "\n" for each in TOPICS))
    shares = {("a", "ann"): 0.8, ("b", "ann"): 0.7, ("a", "bob"): 0.9, ("b", "bob"): 0.3}
    files = [labels(folder / f"{system}.{who}.jsonl", system, drawn(seed, share))
             for seed, ((system, who), share) in enumerate(shares.items())]  # fmt: skip
    return nuggets, files


@pytest.mark.parametrize("family", ["baseline", "pairs"])
def test_a_system_is_compared_once_under_two_assigners(family: str, of_two: tuple[Path, list[Path]]) -> None:
    """Each assigner's run of a system was a comparison of its own: three with the baseline, six pairs. The p-value is
    that of the only two systems."""
    nuggets, files = of_two
    protocol = irviewer.EvaluationProtocol().but(measures=("V_strict",), family=family)
    first, other = drawn(0, 0.8), drawn(1, 0.7)
    p = stats.ttest_rel([score(first, topic) for topic in TOPICS], [score(other, topic) for topic in TOPICS]).pvalue
    compared = irviewer.compare(nuggets, files, protocol=protocol)
    (pair,) = compared["V_strict"].pairs
    assert {pair.run_name, pair.other_name} == {"a", "b"}
    assert pair.decision.p_corrected == pytest.approx(p, abs=1e-9)
    assert compared.protocol is not None and compared.protocol.facts.comparisons == 1
    assert any("a (2), b (2)" in note and "another assigner" in note for note in compared.warnings)
    systems = irviewer.show("systems", nuggets, files, protocol=protocol).value
    assert systems.names == ("a", "b", "a (2)", "b (2)"), "their values are shown"
    assert len((systems.comparison or systems.pairs).pairs) == 1
    assert irviewer.show(
        "verdict", nuggets, files, protocol=protocol
    ).value.verdict.answer.pair.decision.p_corrected == pytest.approx(p, abs=1e-9)
    named = irviewer.compare(nuggets, files, protocol=protocol.but(runs=("a", "b", "a (2)")))
    assert len(named["V_strict"].pairs) == (3 if family == "pairs" else 2), "the protocol itself names these"


def test_a_named_run_is_compared_under_its_own_assigner(of_two: tuple[Path, list[Path]]) -> None:
    """Of all pairs it was refused, as if there were one system; the other one under this assigner was left out."""
    nuggets, files = of_two
    protocol = irviewer.EvaluationProtocol().but(measures=("V_strict",), family="pairs")
    ours, theirs = drawn(2, 0.9), drawn(3, 0.3)
    p = stats.ttest_rel([score(ours, topic) for topic in TOPICS], [score(theirs, topic) for topic in TOPICS]).pvalue
    answer = irviewer.show("verdict", nuggets, files, protocol=protocol, run="a (2)").value.verdict.answer
    assert (answer.pair.run_name, answer.pair.other_name, answer.labels_of) == ("a (2)", "b (2)", "bob")
    assert answer.pair.decision.p_corrected == pytest.approx(p, rel=1e-6)


def test_the_window_tests_no_system_twice(of_two: tuple[Path, list[Path]]) -> None:
    nuggets, files = of_two
    session = Session()
    session.files.open_files([*map(str, (nuggets, *files))])
    session.evaluation.set_measure("V_strict")
    context = session.view.context
    assert context is not None and len(context.system_runs) == 4
    assert [entry.name for entry in context.decidable] == ["a", "b"]
    session.runs.set_baseline(next(entry.key for entry in context.system_runs if entry.name == "b (2)"))
    context = session.view.context
    assert context is not None and {entry.name for entry in context.decidable} == {"a (2)", "b (2)"}


def test_the_window_compares_a_run_of_the_baselines_assigner(of_two: tuple[Path, list[Path]], tmp_path: Path) -> None:
    """The best run but the baseline was the other system under the other assigner, beside pairs of one assigner in the
    verdict. A run that somebody chose stays."""
    nuggets, (a, b, *_) = of_two
    others = [
        labels(tmp_path / f"{system}.cy.jsonl", system, drawn(seed, 0.95)) for seed, system in ((7, "b"), (8, "a"))
    ]
    third = [labels(tmp_path / f"c.{who}.jsonl", "c", drawn(seed, share)) for seed, (who, share) in
             enumerate((("ann", 0.2), ("cy", 0.99)), start=20)]  # fmt: skip
    for files in ((a, b, *others), (a, b, *others, *third)):  # of six runs three are shown and the baseline
        session = Session()
        session.files.open_files([*map(str, (nuggets, *files))])
        session.evaluation.set_measure("V_strict")
        context = session.view.context
        assert context is not None and len(context.system_runs) == len(files)
        assert (context.baseline, context.focus) == (0, 1), "the runs of the first two files"
        session.runs.set_focus(2)
        assert session.view.focus == 2


def test_versions_are_no_assigners(tmp_path: Path, of_two: tuple[Path, list[Path]]) -> None:
    """Today's and yesterday's answers of a system, both labelled, are two hypotheses."""
    nuggets, files = of_two
    today = labels(tmp_path / "a.ann.jsonl", "a", drawn(9, 0.5))
    today.write_text(today.read_text().replace("a on t", "Today a on t"))
    compared = irviewer.compare(nuggets, [files[0], today], measures=["V_strict"])
    assert len(compared["V_strict"].pairs) == 1


def test_tables_and_slices_compare_a_system_once(of_two: tuple[Path, list[Path]]) -> None:
    """Their notes said that its other run is in no test, and it was in the family."""
    nuggets, files = of_two
    table = irviewer.paper_table(nuggets, files, ["V_strict"])
    assert table.comparison is not None and [pair.run_name for pair in table.comparison.pairs] == ["b"]
    assert {"a (2)", "b (2)"} < set(table.runs) and "in no test unless" in table.caption
    sliced = irviewer.compare_slices(nuggets, files, "V_strict", "relevant")
    assert [each.overall.run_name for each in sliced.runs] == ["b"]


def test_scores_that_differ_alike_have_no_interval(tmp_path: Path) -> None:
    """Of ten nuggets the model counts one more than the person in every topic: .3 - .2 and .8 - .7 are other floats."""
    topics = TOPICS[:12]

    def texts(topic: str) -> list[dict[str, str]]:
        return [{"text": f"{topic} {n}", "importance": "vital"} for n in range(10)]

    nuggets = tmp_path / "nuggets.jsonl"
    nuggets.write_text("".join(json.dumps({"qid": each, "nuggets": texts(each)}) + "\n" for each in topics))
    files = []
    for name, more in (("person", 1), ("model", 2)):
        files.append(tmp_path / f"a.{name}.jsonl")
        files[-1].write_text("".join(json.dumps({
            "run_id": "a", "qid": topic, "answer_text": f"a on {topic}.", "nuggets": [
                {**each, "assignment": "support" if n < place % 8 + more else "not_support"}
                for n, each in enumerate(texts(topic))
            ],
        }) + "\n" for place, topic in enumerate(topics)))  # fmt: skip
    scores = irviewer.show("answer-agreement", nuggets, files, measures="V_strict")["scores"]
    column = scores.column("difference_interval")
    assert len(column.numbers["low"]) == 1
    assert all(math.isnan(end) for key in ("low", "high") for end in column.numbers[key])
