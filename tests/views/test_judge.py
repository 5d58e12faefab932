"""The page of a judge: published pictures and other code's values, the people by hand, and what is not known."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

import irviewer
from irviewer.analysis.agreement.human_queries import human_queries
from irviewer.analysis.statistics.significance.corrections import corrected
from irviewer.api.show import ShownView
from irviewer.api.sources import read_qrels
from irviewer.cli.main import main
from irviewer.errors import OptionError
from irviewer.model.protocol import EvaluationProtocol


@pytest.fixture(scope="module")
def page(data: Path) -> ShownView:
    folder = data / "trec-dl-2021"
    return irviewer.show(
        "judge", folder / "qrels.nist.txt.gz", sorted((folder / "runs").iterdir()), level=2, samples=200,
        judges=[folder / "judges" / "umbrela_gpt4.qrels.gz"],
    )  # fmt: skip


def test_the_numbers_of_the_picture(page: ShownView) -> None:
    value = page.value
    assert page.shown.sentences[0].text == (
        "On these 14 runs and 53 queries, the order agrees where it is decided; height does not."
    )
    assert (value.order, value.best, value.height) == ("holds", "open", "turns")
    counts = value.under.counts
    assert (counts.pairs, counts.same, counts.opposite, counts.opposite_one, counts.opposite_both) == (91, 87, 4, 0, 0)
    assert value.under.order.tau.value == pytest.approx(0.9120879121)
    assert value.under.order.tau_ap.value == pytest.approx(0.907, abs=5e-4)
    assert list(page["bias"].column("bias").values) == pytest.approx([0.56, 0.55, 0, -0.41], abs=6e-3)
    said = " ".join(sentence.text for sentence in page.shown.sentences)
    assert "Favours any run: not shown" in said
    assert [note.text for note in page["turned"].notes] == [
        "Decided: paired t-test, Holm over all 91 pairs of systems, p < .05."
    ]  # the line of the protocol has no test of the page's own pairs
    assert " no." not in said


def test_kappa_and_the_order_of_the_best_of_other_code(data: Path, page: ShownView) -> None:
    folder = data / "statistics" / "judge"
    if not folder.is_dir():
        pytest.skip("the values are not here")
    with (folder / "kappa_max.tsv").open(newline="") as file:
        rows = [row for row in csv.DictReader(file, delimiter="\t") if row["judge"] == "umbrela_gpt4"]
    (row,) = [row for row in rows if row["scale"] == "NIST >= 2, judge >= 2"]
    pair = page.value.grades.pair(0, 1)
    assert pair.pairs == int(row["pairs"])
    assert pair["kappa_level"].value == pytest.approx(float(row["kappa"]), rel=1e-8)
    assert pair["kappa_level_max"].value == pytest.approx(float(row["kappa_max"]), rel=1e-8)
    with (folder / "best_k.tsv").open(newline="") as file:
        (row,) = [row for row in csv.DictReader(file, delimiter="\t")
                  if (row["judge"], row["k"], row["estimate"]) == ("umbrela_gpt4", "5", "judge only")]  # fmt: skip
    assert page.value.tau_best == pytest.approx(float(row["tau_b_among_nists_best_k"]), rel=1e-8)


def grades(seed: int, noise: float) -> dict[str, dict[str, int]]:
    """40 queries with 6 documents, of which the judge gives some another grade."""
    own = np.random.default_rng(seed)
    truth = np.random.default_rng(1).integers(0, 4, (40, 6))
    judged = np.where(own.random(truth.shape) < noise, own.integers(0, 4, truth.shape), truth)
    return {
        f"q{query:02}": {f"d{place}": int(grade) for place, grade in enumerate(row)}
        for query, row in enumerate(judged.tolist())
    }


RUNS = {
    name: {f"q{query:02}": {f"d{place}": float((place * step + query) % 7) for place in range(6)}
           for query in range(40)} for name, step in (("a", 1), ("b", 2), ("c", 3))
}  # fmt: skip


def line(page: ShownView) -> str:
    provenance = page.shown.tables[0].provenance
    assert provenance is not None
    return provenance.line


def test_the_people_decide_only_by_a_declared_price() -> None:
    human = [grades(seed, 0.3) for seed in (2, 3, 4)]
    undeclared = irviewer.show(
        "judge", human[0], RUNS, judges=[grades(5, 0.1), *human[1:]], samples=50, measures=["P@3"]
    )
    assert list(undeclared["people"].column("instances").values) == [240, 240, 240]
    said = {sentence.code: sentence.text for sentence in undeclared.shown.sentences}
    assert "ε is not declared" in said["epsilon"]
    assert list(undeclared["people"].column("replaced").values) == [None] * 3  # nothing is decided
    declared = irviewer.show(
        "judge", human[0], RUNS, judges=[grades(5, 0.1), *human[1:]], samples=50, measures=["P@3"], epsilon=0.2
    )
    assert line(declared).endswith(" · ε = .2")
    assert list(declared["epsilon"].column("declared").values) == [
        value == 0.2 for value in declared["epsilon"].column("epsilon").values
    ]
    assert "ε" not in line(undeclared)
    answer = {sentence.code: sentence.text for sentence in declared.shown.sentences}["people"]
    assert answer.startswith("Was ") and ", less .2? yes: ω " in answer
    assert declared.value.people.decision(0.2).passes
    random = irviewer.show(
        "judge", human[0], RUNS, judges=[grades(9, 1.0), *human[1:]], samples=50, measures=["P@3"], epsilon=0.1
    )
    assert "not shown" in {sentence.code: sentence.text for sentence in random.shown.sentences}["people"]
    two = irviewer.show("judge", human[0], RUNS, judges=[grades(5, 0.1), human[1]], samples=50, epsilon=0.2)
    assert "no group" in {sentence.code: sentence.text for sentence in two.shown.sentences}["two"]
    # Three people, of whom no pair has more than two: there is no group either.
    halves = [{query: rows for query, rows in human[1].items() if (query < "q20") == first} for first in (True, False)]
    three = irviewer.show("judge", human[0], RUNS, judges=[grades(5, 0.1), *halves], samples=50, epsilon=0.2)
    assert list(three["people"].column("instances").values) == [240, 120, 120]
    assert "no group" in {sentence.code: sentence.text for sentence in three.shown.sentences}["two"]


def test_people_without_a_query_in_common_are_not_tested_and_nothing_is_decided() -> None:
    halves = [{query: rows for query, rows in grades(2, 0.3).items() if (query < "q20") == first}
              for first in (True, False)]  # fmt: skip
    page = irviewer.show("judge", halves[0], RUNS, judges=[grades(5, 0.1), halves[1]], samples=50, epsilon=0.2)
    people = page["people"]
    assert list(people.column("instances").values) == [0, 0]
    assert list(people.column("replaced").values) == [None, None]
    assert [note.code for note in people.notes] == ["clusters"]
    said = {sentence.code: sentence.text for sentence in page.shown.sentences}
    assert said["people"].startswith("May it replace a human judge? Not known")
    assert "two" not in said
    assert "epsilon" not in page.shown.names  # no winning rate is known


def test_the_price_is_named_where_it_applies_and_zero_is_one() -> None:
    human = [grades(seed, 0.3) for seed in (2, 3, 4)]
    asked = EvaluationProtocol().but(epsilon=0, measures=("P@3",), samples=200)
    free = irviewer.show("judge", human[0], RUNS, judges=[grades(5, 0.1), *human[1:]], protocol=asked)
    assert line(free).endswith(" · ε = 0")
    assert free.value.epsilon == 0
    assert ", less 0? yes: ω .6667" in {each.code: each.text for each in free.shown.sentences}["people"]
    alone = irviewer.show("judge", human[0], RUNS, judges=[grades(5, 0.1)], protocol=asked)
    assert "ε" not in line(alone)
    compared = irviewer.compare(human[0], RUNS, protocol=asked)  # no number of it depends on ε
    assert compared.protocol is not None
    assert "ε" not in compared.protocol.line()
    assert "ε = 0" in compared.protocol.full_text()
    with pytest.raises(TypeError, match="epsilon"):
        irviewer.compare(human[0], RUNS, epsilon=0.1)  # type: ignore[call-arg]


def test_what_is_not_known_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    human = grades(2, 0.3)
    with pytest.raises(OptionError, match="needs another judge"):
        irviewer.show("judge", human, RUNS)
    apart = {query: {f"x{document}": grade for document, grade in own.items()} for query, own in human.items()}
    with pytest.raises(OptionError, match="have judged no pair in common"):
        irviewer.show("judge", human, RUNS, judges=[apart])
    with pytest.raises(OptionError, match="There is no judge nobody"):
        irviewer.show("judge", human, RUNS, judges=[grades(5, 0.1)], judge_name="nobody")
    alike = irviewer.show("judge", human, RUNS, judges=[human], samples=50, measures=["P@3"])
    assert alike.value.height == "open"
    assert "no difference in height is shown" in alike.shown.sentences[0].text
    for name, judged in (("human", human), ("model", grades(5, 0.1))):
        lines = [f"{query} 0 {document} {grade}" for query, own in judged.items() for document, grade in own.items()]
        (tmp_path / f"{name}.qrels").write_text("\n".join(lines) + "\n")
    for name, own in RUNS.items():
        lines = [f"{query} Q0 {document} 0 {score} {name}" for query, scores in own.items()
                 for document, score in scores.items()]  # fmt: skip
        (tmp_path / f"{name}.run").write_text("\n".join(lines) + "\n")
    files = [str(tmp_path / "human.qrels"), *(str(tmp_path / f"{name}.run") for name in RUNS)]
    assert main(["judge", *files, "--judge", str(tmp_path / "model.qrels"), "-m", "P@3", "--samples", "50"]) == 0
    assert "On these 3 runs and 40 queries" in capsys.readouterr().out
    assert read_qrels(files[0]).name


def test_the_best_are_no_more_than_the_runs_and_favoured_runs_are_named() -> None:
    """The judge takes d5 for relevant too, which one run has at the top of three queries in four."""
    truth = {query: {f"d{place}": int(place == 0) for place in range(6)} for query in RUNS["a"]}
    judge = {query: {**own, "d5": 1} for query, own in truth.items()}
    tops = {"one": ["d0"], "two": ["d1"], "up": ["d5", "d5", "d5", "d1"]}
    runs = {
        name: {query: {top[number % len(top)]: 2.0, "d2": 1.0} for number, query in enumerate(truth)}
        for name, top in tops.items()
    }
    page = irviewer.show("judge", truth, runs, judges=[judge], samples=50, measures=["P@1"])
    assert list(page.value.shift) == [0, 0, 0.75]
    texts = page["judge"].column("found").show.texts
    assert texts is not None
    assert "among the 3 best" in str(texts[1])
    said = next(each.text for each in page.shown.sentences if each.code == "favoured")
    assert said.startswith("Favours any run: shown for up; the opposite is shown for one, two (")


def test_with_one_query_it_is_not_known_whether_a_run_is_favoured() -> None:
    """A p of 1 stood there, and "not shown", where nothing could be tested."""
    runs = {"a": {"1": {"d1": 2.0, "d2": 1.0}}, "b": {"1": {"d2": 2.0, "d1": 1.0}}}
    page = irviewer.show("judge", {"1": {"d1": 1, "d2": 0}}, runs, judges=[{"1": {"d1": 0, "d2": 1}}], samples=50)
    assert np.isnan([page.value.p_shift, page.value.p_favoured]).all()
    assert any(each.text == "Favours any run: not known, as no shift can be tested." for each in page.shown.sentences)


def test_runs_of_which_nothing_is_judged_are_refused() -> None:
    """Means of 0 stood there, and a verdict."""
    runs = {"a": {"1": {"d1": 2.0}, "2": {"d1": 1.0}}, "b": {"1": {"x": 2.0}, "2": {"y": 2.0}}}
    judges = [{query: {"d1": 1, "d2": grade} for query in "12"} for grade in (0, 1)]
    with pytest.raises(OptionError, match="No document of b is judged"):
        irviewer.show("judge", judges[0], runs, judges=judges[1:])


def judged_apart(folder: Path, queries: int) -> dict[str, dict[str, float]]:
    nist = read_qrels(folder / "qrels.nist.txt.gz")
    ids = sorted(nist.query_ids)
    drawn = np.random.default_rng(42).choice(len(ids), queries, replace=False)
    return {ids[place]: nist.judgments(ids[place]) for place in sorted(drawn.tolist())}


def test_corrected_means_are_those_of_corrected_scores(data: Path, page: ShownView) -> None:
    """20 of 53 queries with the seed of the protocol, drawn by the page or judged alone, are the same sample."""
    folder = data / "trec-dl-2021"
    runs, model = sorted((folder / "runs").iterdir()), folder / "judges" / "umbrela_gpt4.qrels.gz"
    human = judged_apart(folder, 20)
    wanted = irviewer.corrected_scores(human, model, runs, level=2).means
    alone = irviewer.show("judge", human, runs, level=2, samples=200, judges=[model], half_width=0.06)
    for shown in (page, alone):
        means = shown.value.corrected.means
        for name in ("model", "values", "low", "high", "worth"):
            assert getattr(means, name) == pytest.approx(getattr(wanted, name)), name
    assert page.value.corrected.drawn
    assert list(page["corrected"].column("reference").values) == pytest.approx(list(page.value.under.reference_values))
    assert not alone.value.corrected.drawn
    said = {each.code: each.text for each in alone.shown.sentences}["needed"]
    needed = alone.value.needed.queries
    assert said.startswith(f"qrels alone has to judge {int(needed.alone.needed.max())} queries for ±.06 of each (a new")
    assert said.endswith("with umbrela_gpt4 more than the 53 queries that it judged.")


def test_the_half_width_of_differences(data: Path) -> None:
    folder = data / "trec-dl-2021"
    runs, model = sorted((folder / "runs").iterdir())[:4], folder / "judges" / "umbrela_gpt4.qrels.gz"
    human = judged_apart(folder, 20)
    options: dict[str, Any] = {"level": 2, "samples": 200, "judges": [model], "half_width": 0.08}
    shown = irviewer.show("judge", human, runs, against="WLUPassage", **options)
    differences = irviewer.corrected_scores(human, model, runs, level=2, baseline="WLUPassage").differences
    assert differences is not None
    rows = [place for place, name in enumerate(shown.value.systems.runs) if name != "WLUPassage"]
    wanted = human_queries(differences, 0.08)
    assert list(shown["needed"].column("corrected").values) == pytest.approx(wanted.corrected.needed[rows], nan_ok=True)
    assert list(shown["needed"].column("alone").values) == pytest.approx(wanted.alone.needed[rows], nan_ok=True)
    listed = shown["differences"]
    assert list(listed.column("corrected").values) == pytest.approx(differences.values[rows])
    assert list(listed.column("interval").parts["low"]) == pytest.approx(differences.low[rows])
    assert list(listed.column("p").values) == pytest.approx(corrected(differences.p[rows]))
    with pytest.raises(OptionError, match="There is no run nobody"):
        irviewer.show("judge", human, runs, against="nobody", **options)


def test_why_means_are_not_corrected() -> None:
    human = grades(2, 0.3)
    for more, said in (
        ({"human": 40}, "has judged all queries, and as many are to be drawn"),
        ({"measures": ["GMAP"]}, "is no plain mean over queries"),
    ):
        shown = irviewer.show("judge", human, RUNS, judges=[grades(5, 0.1)], samples=200, **more)
        assert said in {each.code: each.text for each in shown.shown.sentences}["corrected"]
        assert "corrected" not in shown.shown.names
    few = irviewer.show("judge", dict([*human.items()][:5]), RUNS, judges=[grades(5, 0.1)], samples=200, half_width=0.1)
    assert few.value.needed is None


def test_means_corrected_by_a_sample_of_documents_at_two_doors(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """P@2: of each drawn document among the first two its grade / probability / 2, by a plain loop, and λ times what
    the sample misses of the model's value, λ by least squares; without probabilities or of another measure it is
    refused."""
    random = np.random.default_rng(8)
    queries = [f"q{place:02d}" for place in range(40)]
    truth = {(query, f"d{place}"): float(random.random() < 0.5) for query in queries for place in range(4)}
    model = {key: grade if random.random() < 0.7 else 1 - grade for key, grade in truth.items()}
    (tmp_path / "model.txt").write_text("".join(f"{q} 0 {d} {grade:g}\n" for (q, d), grade in model.items()))
    (tmp_path / "human.txt").write_text("".join(f"{q} 0 {d} {grade:g}\n" for (q, d), grade in truth.items()))
    (tmp_path / "a.run").write_text("".join(f"{q} Q0 d{at} 1 {9 - at} a\n" for q in queries for at in range(4)))
    (tmp_path / "b.run").write_text("".join(f"{q} Q0 d{at} 1 {9 + at} b\n" for q in queries for at in range(4)))
    chance = {key: 0.25 + 0.5 * (key[1] in ("d0", "d3")) for key in truth}
    drawn = [key for key in truth if random.random() < chance[key]]
    rows = "".join(f"{q}\t{d}\t{truth[q, d]:g}\t{q}{d}\t{chance[q, d]}\tpair\n" for q, d in drawn)
    (tmp_path / "task.tsv").write_text(f"query\tdoc\tgrade\tstratum\tinclusion_probability\tunit\n{rows}")
    runs, first = [tmp_path / "a.run", tmp_path / "b.run"], (("d0", "d1"), ("d3", "d2"))
    added, left = np.zeros((2, 2, 40))
    for place, own in enumerate(first):
        for at, query in enumerate(queries):
            for key in [(query, doc) for doc in own]:
                left[place, at] += model[key] / 2
                if key in drawn:
                    added[place, at] += truth[key] / chance[key] / 2
                    left[place, at] -= model[key] / chance[key] / 2
    slopes = np.clip([-np.polyfit(rest, values, 1)[0] for values, rest in zip(added, left, strict=True)], 0, 1)
    wanted = added.mean(axis=1) + slopes * left.mean(axis=1)
    apart, rest = added[1] - added[0], left[1] - left[0]
    slope = np.clip(-np.polyfit(rest, apart, 1)[0], 0, 1)
    options: dict[str, Any] = {"judges": [tmp_path / "model.txt"], "samples": 100, "tuned": 0.0}
    page = irviewer.show("judge", tmp_path / "task.tsv", runs, measures=["P@2"], **options)
    assert page.value.corrected is None
    assert list(page["corrected"].column("corrected").values) == pytest.approx(wanted)
    assert list(page["corrected"].column("weight").values) == pytest.approx(slopes)
    assert "differences" not in page.shown.names
    both = irviewer.show("judge", tmp_path / "task.tsv", runs, measures=["P@2"], against="a", **options)["differences"]
    assert list(both.keys) == ["b"]
    assert both.column("weight").values[0] == pytest.approx(slope)
    assert both.column("corrected").values[0] == pytest.approx(apart.mean() + slope * rest.mean())
    ends = [both.column("interval").parts[end][0] for end in ("low", "high")]
    assert (both.column("p").values[0] < 0.05) == (ends[0] > 0 or ends[1] < 0)
    with pytest.raises(OptionError, match="There is no run nobody"):
        irviewer.show("judge", tmp_path / "task.tsv", runs, measures=["P@2"], against="nobody", **options)
    low, high = (page["corrected"].column("interval").parts[end] for end in ("low", "high"))
    assert all(bottom < mean < top for bottom, mean, top in zip(low, wanted, high, strict=True))
    said = {each.code: each.text for each in page.shown.sentences}
    assert "corrected interval" in said["corrected"]
    assert np.isnan(page["height"].column("reference").values).all()
    assert "stress" not in page.shown.names
    files = map(str, (tmp_path / "task.tsv", *runs, "--judge", tmp_path / "model.txt"))
    asked = ["-m", "P@2", "--samples", "100", "--sampled", "documents", "--table", "corrected", "--format", "csv"]
    assert main(["judge", *files, *asked]) == 0
    printed = list(csv.DictReader(capsys.readouterr().out.splitlines()))
    assert [float(row["corrected"]) for row in printed] == pytest.approx(wanted)
    for source, measure, trouble in (
        ("human.txt", "P@2", "human says no inclusion probabilities of documents"),
        ("task.tsv", "AP", r"corrects sums over documents \(P, CG, DCG, SetP\); AP is none"),
    ):
        with pytest.raises(OptionError, match=trouble):
            irviewer.show("judge", tmp_path / source, runs, measures=[measure], sampled="documents", **options)
    whole = irviewer.show("judge", tmp_path / "task.tsv", runs, measures=["P@2"], sampled="queries", **options)
    assert whole.value.by_documents is None
    assert "not whole queries" in {each.code: each.text for each in whole.shown.sentences}["corrected"]


def test_bias_by_length_where_texts_are_at_hand(tmp_path: Path) -> None:
    """The judge gives documents of more than 20 words one grade more."""
    human = grades(2, 0.3)
    texts = tmp_path / "documents.tsv"  # of d5 none
    texts.write_text("".join(f"d{place}\t{'word ' * 10 * (place + 1)}\n" for place in range(5)))
    more = {query: {doc: grade + (doc in ("d2", "d3", "d4")) for doc, grade in own.items()}
            for query, own in human.items()}  # fmt: skip
    page = irviewer.show("judge", human, RUNS, judges=[more], samples=200, documents=texts)
    length = page["length"]
    assert [length.column(name).values for name in ("shortest", "longest", "pairs")] == [
        pytest.approx([10, 30, 40, 50]), pytest.approx([20, 30, 40, 50]), pytest.approx([80, 40, 40, 40])
    ]  # fmt: skip
    assert list(length.column("bias").values) == [0, 1, 1, 1]
    beyond = list(length.column("beyond").values)
    assert beyond[0] < 0 < beyond[3]
    assert "40 pairs without a known length are left out." in [note.text for note in length.notes]
    assert "length" not in irviewer.show("judge", human, RUNS, judges=[more], samples=200).shown.names


def test_stress_is_said_to_be_a_worst_case() -> None:
    human = grades(2, 0.3)
    options: dict[str, Any] = {"judges": [grades(5, 0.2)], "samples": 200, "measures": ["nDCG@3"]}
    page = irviewer.show("judge", human, RUNS, tuned=0.5, **options)
    table, value = page["stress"], page.value.stress
    assert (value.tuned, value.every, len(value.after.tau)) == (2, True, 3)
    assert float(table.column("before").values[0]) == pytest.approx(page.value.under.order.tau.value)
    assert float(table.column("mean").values[2]) == pytest.approx(value.after.turned.mean())
    assert table.notes[0].text.startswith("A worst case, no forecast. 2 of 3 systems are re-ranked by the grades of ")
    assert value.by_judge.mean() > value.by_reference.mean() > 0
    weak = irviewer.show("judge", human, RUNS, tuned=0.5, strength=0, **options)
    assert list(weak["stress"].column("mean").values) == list(weak["stress"].column("before").values)
    assert "stress" not in irviewer.show("judge", human, RUNS, tuned=0, **options).shown.names


def test_what_runs_of_the_judges_family_gain() -> None:
    human, model = grades(2, 0.0), grades(5, 0.5)
    families = {"run_attributes": {"a": {"uses": "gpt"}, "b": {"uses": "gpt"}, "c": {"uses": "other"}}}
    judged = {"judges": [model], "samples": 4000, "measures": ["P@3"], **families}
    shown = irviewer.show("judge", human, RUNS, families="uses", judge_family="gpt", **judged)
    values = [irviewer.evaluate(qrels, RUNS, ["P@3"]).of("P@3")[1] for qrels in (human, model)]
    gained = values[1] - values[0]
    own, others = gained[:2].mean(axis=0), gained[2]
    table = shown["family"]
    assert list(table.keys) == ["own", "others", "advantage"]
    means = [own.mean(), others.mean(), (own - others).mean()]
    assert list(table.column("gain").values) == pytest.approx(means)
    assert list(table.column("runs").values) == [2, 1, None]
    drawn = np.random.default_rng(7).integers(0, 40, (4000, 40))
    beyond = 100 * stats.norm.sf(stats.t.ppf(0.975, 39) * np.sqrt(40 / 39))  # as wide as the t interval
    for row, by_query in enumerate((own, others, own - others)):
        ends = np.percentile(by_query[drawn].mean(axis=1), [beyond, 100 - beyond])
        interval = [table.column("interval").parts[part][row] for part in ("low", "high")]
        assert interval == pytest.approx(list(ends), abs=0.1 * float(np.diff(ends)[0]))
    ranks = [stats.rankdata(-each.mean(axis=1)) for each in values]
    change = ranks[0] - ranks[1]
    assert table.column("ranks").values[2] == pytest.approx(change[:2].mean() - change[2])
    assert not any(sentence.code == "family" for sentence in shown.shown.sentences)
    unknown = irviewer.show("judge", human, RUNS, families="uses", **judged)
    assert "family" not in [each.name for each in unknown.shown.tables]
    assert any("not known, as no run is marked" in sentence.text for sentence in unknown.shown.sentences)
    with pytest.raises(
        OptionError, match=r"No run uses a model of the family llama\. The families of the runs are gpt, other"
    ):
        irviewer.show("judge", human, RUNS, families="uses", judge_family="llama", **judged)
    with pytest.raises(OptionError, match="No family of a run is known"):
        irviewer.show("judge", human, RUNS, judge_family="gpt", **judged)


def test_ids_that_look_like_conversations_have_a_hint() -> None:
    """Every query counts alone on this page, which has no unit of several."""
    random = np.random.default_rng(1)
    ids = [f"{talk}_{turn}" for talk in range(8) for turn in range(1, 6)]
    human, model = ({query: {f"d{place}": float(random.integers(0, 2)) for place in range(4)} for query in ids}
                    for _ in range(2))  # fmt: skip
    runs = {name: {query: {f"d{place}": random.random() for place in range(4)} for query in ids} for name in "abc"}

    def said(rename: str) -> dict[str, str]:
        renamed = [{query.replace("_", rename): docs for query, docs in each.items()} for each in (human, model)]
        own = {name: {query.replace("_", rename): docs for query, docs in run.items()} for name, run in runs.items()}
        page = irviewer.show("judge", renamed[0], own, judges=[renamed[1]], samples=100, measures=["P@2"], tuned=0.0)
        return {each.code: each.text for each in page.shown.sentences}

    assert "40 queries in 8" in said("_")["units"]
    assert "units" not in said("0")


def test_two_people_on_the_same_queries() -> None:
    """The second person judged 30 of the queries: a loop over values of evaluate, and scipy's tau."""
    second = dict([*grades(8, 0.5).items()][:30])
    page = irviewer.show("judge", grades(2, 0.3), RUNS, judges=[grades(5, 0.2), second], samples=200)
    table = page["ceiling"]
    assert [table.column(name).values[0] for name in ("queries", "pairs")] == [30, 180]

    def means(judged: dict[str, dict[str, int]]) -> list[float]:
        own = {query: judged[query] for query in second}
        result = irviewer.evaluate(own, RUNS, ["nDCG@10"])
        return [float(np.mean(row)) for row in result.of("nDCG@10")[1]]

    person = means(grades(2, 0.3))
    for name, other in (("tau", second), ("judge_tau", grades(5, 0.2))):
        assert table.column(name).values[0] == pytest.approx(stats.kendalltau(person, means(other)).statistic)
    assert "ceiling" not in [sentence.code for sentence in page.shown.sentences]
    alone = irviewer.show("judge", grades(2, 0.3), RUNS, judges=[grades(5, 0.2)], samples=200)
    assert "ceiling" not in alone.shown.names
    said = {sentence.code: sentence.text for sentence in alone.shown.sentences}
    assert said["ceiling"].startswith("No ceiling is known: it takes a second person's judgments")
    assert "other queries" in said["halves"]
    none = dict([*second.items()][:1])
    assert "ceiling" not in irviewer.show("judge", grades(2, 0.3), RUNS, judges=[grades(5, 0.2), none],
                                          samples=200).shown.names  # fmt: skip


def test_a_second_person_who_found_nothing_relevant() -> None:
    """gdeval leaves out the query: the other 29 are compared. Of a person with one such query more, none."""
    every = grades(8, 0.5)
    second = {query: dict.fromkeys(rows, 0) if query == "q03" else rows for query, rows in [*every.items()][:30]}
    options: dict[str, Any] = {"samples": 200, "dialect": "gdeval"}
    page = irviewer.show("judge", grades(2, 0.3), RUNS, judges=[grades(5, 0.2), second], **options)
    assert [page["ceiling"].column(name).values[0] for name in ("queries", "pairs")] == [29, 174]
    two = {query: second[query] for query in ("q03", "q04")}
    few = irviewer.show("judge", grades(2, 0.3), RUNS, judges=[grades(5, 0.2), two], **options)
    assert "ceiling" not in few.shown.names


def test_more_people_than_are_shown_are_counted() -> None:
    """Nine further people, of whom the one with two queries is not shown."""
    people = [grades(seed, 0.4) for seed in range(10, 18)] + [dict([*grades(30, 0.4).items()][:2])]
    options: dict[str, Any] = {"samples": 200, "tuned": 0.0}
    notes = {}
    for n in (8, 9):
        page = irviewer.show("judge", grades(2, 0.3), RUNS, judges=[grades(5, 0.2), *people[:n]], **options)
        assert page["ceiling"].column("queries").values == [40] * 8
        notes[n] = {note.code: note.text for note in page["ceiling"].notes}
    assert "most" not in notes[8]
    assert notes[9]["most"] == "The 8 people are shown who share the most queries, of 9."


def test_queries_without_judgments_change_nothing() -> None:
    more = {name: {**rows, "z1": {"d1": 1.0}, "a1": {"d2": 2.0, "d1": 2.0}} for name, rows in RUNS.items()}
    pages = [irviewer.show("judge", grades(2, 0.3), runs, judges=[grades(5, 0.2)], samples=200)
             for runs in (RUNS, more)]  # fmt: skip
    for name in pages[0].shown.names:
        first, second = ([list(map(str, values)) for column in page[name].columns for values in column.parts.values()]
                         for page in pages)  # fmt: skip
        assert first == second, name


def test_grades_with_fractions_have_columns_that_can_be_named() -> None:
    halves = {query: {doc: grade / 2 for doc, grade in own.items()} for query, own in grades(5, 0.2).items()}
    human = {query: {doc: grade / 2 for doc, grade in own.items()} for query, own in grades(2, 0.3).items()}
    page = irviewer.show("judge", human, RUNS, judges=[halves], samples=100)
    assert page.value.given.tolist() == [0, 0.5, 1, 1.5]
    bias = page["bias"]
    both = [(human[query][doc], grade) for query, own in halves.items() for doc, grade in own.items()]
    for number, grade in enumerate((0, 0.5, 1, 1.5), start=1):
        column = bias.column(f"gives_{number}")
        assert column.title == f"gives {str(grade).lstrip('0') or '0'}"
        shares = [np.mean([given == grade for own, given in both if own == level]) for level in bias.keys]
        assert list(column.values) == pytest.approx(shares)


@pytest.mark.parametrize(
    ("measure", "title", "tip"),
    [
        ("P@3", "gain", "Mean under {judge} less that under {reference}, above"),
        ("SearchLength", "gain", "Mean under {reference} less that under {judge}, above"),
        ("gm_map", "gain, of logarithms", "Mean of the logarithms under {judge} less that under {reference}, above"),
    ],
)
def test_the_gain_of_a_family_is_what_its_column_says(measure: str, title: str, tip: str) -> None:
    human, model = grades(2, 0.0), grades(5, 0.5)
    shown = irviewer.show("judge", human, RUNS, families="uses", judge_family="gpt", judges=[model], samples=200,
                          measures=[measure], run_attributes={name: {"uses": "gpt" if name < "c" else "other"}
                                                              for name in RUNS})  # fmt: skip
    reference, judge = shown.value.names
    column = shown["family"].column("gain")
    of_map = [irviewer.evaluate(qrels, RUNS, [measure]).of(measure)[1] for qrels in (human, model)]
    own, theirs = (np.log(np.maximum(each, 1e-5)) if measure == "gm_map" else each for each in of_map)
    sign = -1 if "under {reference} less" in tip else 1
    assert column.values[0] == pytest.approx(sign * (theirs - own)[:2].mean())
    assert column.title == title
    assert column.tip.startswith(tip.format(judge=judge, reference=reference))


def test_without_an_interval_nothing_is_counted_as_outside() -> None:
    """From 12 queries no corrected mean has an interval, and "outside 0 of 0 corrected intervals" was said."""
    qrels = {str(q): {f"d{d}": (q + d) % 3 for d in range(6)} for q in range(12)}
    runs = {name: {q: {d: (hash_of(q, d) * step) % 7 for d in own} for q, own in qrels.items()}
            for name, step in (("a", 3), ("b", 5))}  # fmt: skip
    shown = irviewer.show("judge", qrels, runs, judges=[qrels], human=6, samples=50)
    (text,) = [each.text for each in shown.shown.sentences if each.code == "corrected"]
    assert text.startswith("No corrected mean has an interval")


def hash_of(query: str, document: str) -> int:
    return int(query) * 6 + int(document[1:]) + 1


def test_a_family_of_weak_runs_gains_under_a_judge_that_tells_nothing_apart() -> None:
    """Favour of its family is shown there, and the note names the other cause."""
    qrels = {str(q): {f"d{d}": int(d < 3) for d in range(6)} for q in range(12)}
    blind = {q: dict.fromkeys(own, 0) for q, own in qrels.items()}
    runs = {
        name: {q: {f"d{d}": float((d * step + int(q)) % 6) for d in range(6)} for q in qrels}
        for name, step in (("a", 1), ("b", 5))
    } | {name: {q: {f"d{d}": 6.0 - d for d in range(6)} for q in qrels} for name in ("c", "e")}
    shown = irviewer.show(
        "judge", qrels, runs, judges=[blind], samples=200, families="family", judge_family="G",
        run_attributes={name: {"family": "G" if name in "ab" else "H"} for name in runs},
    )  # fmt: skip
    notes = {note.code: note.text for note in shown["family"].notes}
    assert "Favours its own family: shown" in notes["family"]
    assert "weaker runs under a judge that tells systems less apart" in notes["cause"]
