"""Agreement of assigners, against plain loops, which scikit-learn confirms where it is installed, and its intervals by
simulation."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from itertools import product
from pathlib import Path

import numpy as np
import pytest

import irviewer
from irviewer.analysis.answers.assigners import (
    LabelledItems,
    assigner_pairs,
    labelled_items,
    whole_topics,
)
from irviewer.errors import OptionError
from irviewer.formats.load import load
from irviewer.model.answers.assigner_names import assigner_names
from irviewer.model.answers.labels import FULL, NONE, OKAY, PARTIAL, UNJUDGED, VITAL
from irviewer.model.number_text import quantity
from irviewer.model.run import Run

WORDS = {FULL: "support", PARTIAL: "partial_support", NONE: "not_support"}


def items_of(
    first: Iterable[int], second: Iterable[int], topic: Iterable[int], importance: int = VITAL
) -> LabelledItems:
    """Labels of two assigners for one system."""
    labels = np.array([list(first), list(second)], dtype=np.int8)
    count = labels.shape[1]
    topics = np.array(list(topic), dtype=np.int64)
    return LabelledItems(
        "nuggets", ("a", "b"), ("s",), tuple(map(str, range(int(topics.max()) + 1))), np.zeros(count, dtype=np.int64),
        topics, ("",) * count, np.full(count, importance, dtype=np.int8), labels, np.zeros(2, dtype=np.int64),
    )  # fmt: skip


def alpha(pairs: list[tuple[int, int]], kind: str) -> float:
    """Krippendorff's alpha of two judges from the definition."""
    every = [label for pair in pairs for label in pair]
    count = {label: every.count(label) for label in (0, 1, 2)}

    def apart(a: int, b: int) -> float:
        if kind == "nominal":
            return float(a != b)
        low, high = sorted((a, b))
        return (sum(count[g] for g in range(low, high + 1)) - (count[low] + count[high]) / 2) ** 2

    observed = sum(apart(*pair) for pair in pairs) / len(pairs)
    expected = sum(apart(a, b) for i, a in enumerate(every) for j, b in enumerate(every) if i != j)
    return 1 - observed / (expected / (len(every) * (len(every) - 1)))


def kappa(
    first: Iterable[int], second: Iterable[int], labels: Iterable[int] = (0, 1), weights: str | None = None
) -> float:
    """Cohen's kappa from the definition: one minus the mean disagreement over that of independent judges."""
    order = list(labels)
    places = [(order.index(int(a)), order.index(int(b))) for a, b in zip(first, second, strict=True)]
    power = {"linear": 1, "quadratic": 2}.get(weights or "")

    def apart(a: int, b: int) -> float:
        return float(a != b) if power is None else float(abs(a - b) ** power)

    observed = sum(apart(a, b) for a, b in places) / len(places)
    expected = sum(apart(a, b) for a, _ in places for _, b in places) / len(places) ** 2
    return 1 - observed / expected


@pytest.mark.parametrize("weights", [None, "linear", "quadratic"])
def test_kappa_from_the_definition_is_that_of_scikit_learn(weights: str | None) -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    random = np.random.default_rng(3)
    for _ in range(20):
        first, second = random.integers(0, 3, (2, 40))
        wanted = metrics.cohen_kappa_score(first, second, labels=[0, 1, 2], weights=weights)
        assert kappa(first, second, [0, 1, 2], weights) == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize("seed", range(8))
def test_coefficients(seed: int) -> None:
    random = np.random.default_rng(seed)
    first = random.integers(0, 3, 60)
    second = np.where(random.random(60) < 0.6, first, random.integers(0, 3, 60))
    if seed == 0:  # a label that neither gives has its place in the scale
        first, second = first // 2 * 2, second // 2 * 2
    topic = np.sort(random.integers(0, 9, 60))
    pair = next(pair for pair in assigner_pairs(items_of(first, second, topic)) if pair.group == "all")
    value = {name: each.value for name, each in pair.estimates.items()}
    order = [NONE, PARTIAL, FULL]
    for name, weights in (("kappa", None), ("kappa_linear", "linear"), ("kappa_quadratic", "quadratic")):
        wanted = kappa(first, second, labels=order, weights=weights)
        assert value[name] == pytest.approx(wanted, abs=1e-12)
    assert value["kappa_level"] == pytest.approx(kappa(first == FULL, second == FULL), abs=1e-12)
    pairs = list(zip(first.tolist(), second.tolist(), strict=True))
    for kind in ("nominal", "ordinal"):
        assert value[f"alpha_{kind}"] == pytest.approx(alpha(pairs, kind), abs=1e-12)
    both = sum(a == b == FULL for a, b in pairs)
    assert value["relevant"] == pytest.approx(2 * both / (sum(first == FULL) + sum(second == FULL)))
    assert pair.counts.tolist() == [[pairs.count((a, b)) for b in order] for a in order]
    assert (pair.items, pair.topics) == (60, len(set(topic.tolist())))
    in_part = next(iter(assigner_pairs(items_of(first, second, topic), level=PARTIAL))).estimates["kappa_level"].value
    assert in_part == pytest.approx(kappa(first >= PARTIAL, second >= PARTIAL), abs=1e-12)


def test_an_interval_is_of_topics() -> None:
    """Each nugget three times over is no further evidence; the same nuggets as topics of their own are."""
    random = np.random.default_rng(1)
    first = random.integers(0, 3, 80)
    second = np.where(random.random(80) < 0.6, first, random.integers(0, 3, 80))
    topic = np.arange(80) // 4

    def ends(*arrays: np.ndarray) -> tuple[float, float]:
        pair = assigner_pairs(items_of(*arrays), samples=2000, seed=3)[0].estimates["kappa"]
        assert pair.low is not None
        assert pair.high is not None
        return pair.low, pair.high

    own = ends(first, second, topic)
    assert ends(*(np.repeat(each, 3) for each in (first, second, topic))) == pytest.approx(own, abs=1e-9)
    one_topic = assigner_pairs(items_of(first, second, np.zeros(80)), samples=2000, seed=3)[0].estimates["kappa"]
    assert one_topic.low is None


def drawn(random: np.random.Generator, topics: int, nuggets: int) -> tuple[np.ndarray, np.ndarray]:
    """Labels of two assigners, int[T, N]: how often the second one errs differs by topic."""
    first = random.choice(3, size=(topics, nuggets), p=[0.4, 0.2, 0.4])
    right = random.beta(3, 1.5, size=(topics, 1))
    second = np.where(random.random(first.shape) < right, first, random.choice(3, size=first.shape, p=[0.4, 0.2, 0.4]))
    return first, second


@pytest.mark.parametrize("name", ["kappa", "kappa_quadratic", "alpha_ordinal", "kappa_level", "ac1", "relevant"])
def test_intervals_cover(name: str) -> None:
    """Of 200 samples of 40 topics the 95 % intervals hold the value of a large sample in 90 % or more, and those that
    count nuggets as independent do not come near: here their topics differ."""
    random = np.random.default_rng(17)
    whole_first, whole_second = drawn(random, 40_000, 12)
    topic = np.repeat(np.arange(40_000), 12)
    truth = assigner_pairs(items_of(whole_first.ravel(), whole_second.ravel(), topic))[0].estimates[name].value
    assert truth is not None
    held = 0
    for _ in range(200):
        first, second = drawn(random, 40, 12)
        items = items_of(first.ravel(), second.ravel(), np.repeat(np.arange(40), 12))
        pair = assigner_pairs(items, samples=400, seed=1)[0].estimates[name]
        assert pair.low is not None
        assert pair.high is not None
        held += pair.low <= truth <= pair.high
    assert 180 <= held <= 199


def record(topic: str, system: str, labels: list[int | None]) -> str:
    nuggets = [
        {"text": f"fact {place}", "importance": "vital" if place % 2 else "okay", "assignment": WORDS[label]}
        for place, label in enumerate(labels)
        if label is not None
    ]
    return json.dumps({"qid": topic, "run_id": system, "answer_text": "x", "nuggets": nuggets}) + "\n"


def written(folder: Path, name: str, system: str, topics: dict[str, list[int | None]]) -> Path:
    path = folder / name
    path.write_text("".join(record(topic, system, labels) for topic, labels in topics.items()))
    return path


def run_in(file: Path) -> Run:
    run = load(file, kind="run").value
    assert isinstance(run, Run)
    return run


def test_files_of_one_assigner_have_one_name(tmp_path: Path) -> None:
    (tmp_path / "people").mkdir()
    names = ["alpha.human.jsonl", "be-ta_human.jsonl", "alpha.jsonl", "people/be_ta.jsonl", "human/alpha-human.jsonl"]
    (tmp_path / "human").mkdir()
    runs = []
    for place, name in enumerate(names):
        system = "alpha" if "alpha" in name else "beta"
        file = written(tmp_path, name, system, {"1": [place % 3]})
        runs.append(run_in(file))
    assert assigner_names(runs[:2], "nuggets") == ("human", "human")
    assert assigner_names(runs[2:4], "nuggets") == (tmp_path.name, "people")
    assert assigner_names([runs[0], runs[4]], "nuggets") == (f"human ({tmp_path.name})", "human (human)")
    assert assigner_names(runs[:1], "support") == ("",)


def test_items_are_joined_by_place_whatever_the_order_of_files(tmp_path: Path) -> None:
    files = [
        written(tmp_path, "one.model.jsonl", "one", {"1": [2, 1, 0], "2": [0, 0]}),
        written(tmp_path, "one.person.jsonl", "one", {"1": [2, None, 2]}),
        written(tmp_path, "two.model.jsonl", "two", {"1": [0, 0, 0], "2": [2, 2]}),
        written(tmp_path, "two.person.jsonl", "two", {"1": [0, 0, 1]}),
    ]
    runs = [run_in(file) for file in files]
    items = labelled_items(runs, ["1", "2"])
    assert items.assigners == ("person", "model"), "the reference is the one with fewer labels"
    assert items.labelled.tolist() == [5, 10]
    by_text = {
        (items.systems[system], items.topics[topic], text): tuple(labels)
        for system, topic, text, labels in zip(
            items.system.tolist(), items.topic.tolist(), items.texts, items.labels.T.tolist(), strict=True
        )
    }
    assert by_text["one", "1", "fact 1"] == (UNJUDGED, 1)
    assert by_text["one", "1", "fact 2"] == (2, 0)
    assert by_text["two", "2", "fact 0"] == (UNJUDGED, 2)
    again = labelled_items(runs[::-1], ["1", "2"])
    assert again.assigners == items.assigners
    assert np.array_equal(again.labels, items.labels)
    assert whole_topics(items, 0, 1, 0).tolist() == [], "the person left out a nugget of the topic"
    assert whole_topics(items, 0, 1, 1).tolist() == [0]
    named = labelled_items(runs, ["1", "2"], reference="model")
    assert named.assigners == ("model", "person")
    with pytest.raises(OptionError, match="There are: model, person"):
        labelled_items(runs, ["1"], reference="nobody")
    with pytest.raises(OptionError, match="two assigners"):
        labelled_items([runs[0], runs[2]], ["1", "2"])


def test_scores_under_each_are_over_the_same_topics_and_are_corrected(tmp_path: Path) -> None:
    """The mean of 30 topics that a person labelled is moved by what the model says of 200, as much as its labels follow
    the person's (PPI++: Angelopoulos, Duchi and Zrnic, 2023); of 25 draws the interval
    holds the person's mean over all topics in 90 % or more."""
    random = np.random.default_rng(5)
    held, spread = 0, []
    people, models = (random.integers(0, 2, size=(200, 6)) * 2 for _ in range(2))
    models = np.where(random.random(people.shape) < 0.7, people, models)
    full = {str(t): row.tolist() for t, row in enumerate(models)}
    model = written(tmp_path, "s.model.jsonl", "s", full)
    vital = [place for place in range(6) if place % 2]
    truth = float((people[:, vital] == 2).mean())
    for number in range(25):
        chosen = random.choice(200, 30, replace=False).tolist()
        person = written(tmp_path, "s.person.jsonl", "s", {str(t): people[t].tolist() for t in chosen})
        score = irviewer.answers("agreement", model, [model, person], samples=0).value.scores[0]
        theirs = float((people[np.ix_(chosen, vital)] == 2).mean())
        ours = float((models[np.ix_(chosen, vital)] == 2).mean())
        assert score.topics == 30
        assert score.means == pytest.approx((theirs, ours))
        assert score.mean_of_all == pytest.approx(float((models[:, vital] == 2).mean()))
        of_all = (models[:, vital] == 2).mean(axis=1)
        both = np.cov((people[np.ix_(chosen, vital)] == 2).mean(axis=1), of_all[chosen])[0, 1]
        weight = min(max(both / ((1 + 30 / 170) * of_all.var(ddof=1)), 0.0), 1.0)
        others = float(np.delete(of_all, chosen).mean())
        assert score.weight == pytest.approx(weight)
        assert score.corrected[0] == pytest.approx(theirs + weight * (others - ours))
        held += score.corrected[1] <= truth <= score.corrected[2]
        spread.append(score.corrected[2] - score.corrected[1])
        if number == 0:
            delta = (models[np.ix_(chosen, vital)] == 2).mean(axis=1) - (people[np.ix_(chosen, vital)] == 2).mean(
                axis=1
            )
            half = 2.045229642132703 * delta.std(ddof=1) / math.sqrt(30)
            assert (score.low, score.high) == pytest.approx((delta.mean() - half, delta.mean() + half))
    assert held >= 22
    assert max(spread) < 0.3


OWN = Path(__file__).parents[2] / "data" / "answers"


def test_support(tmp_path: Path) -> None:
    """Two judges of citations: joined by sentence and document."""
    text = (OWN / "alpha.support.jsonl").read_text()
    records = [json.loads(line) for line in text.splitlines()]
    flat = [
        citation for entry in records for sentence in entry["sentences"] for citation in sentence["citations"]
        if str(citation["support"]) != "-1"
    ]  # fmt: skip
    first = [int(citation["support"]) for citation in flat]
    flat[0]["support"] = 0 if int(flat[0]["support"]) else 2
    second = [int(citation["support"]) for citation in flat]
    (tmp_path / "alpha.person.jsonl").write_text("".join(json.dumps(entry) + "\n" for entry in records))
    files = [OWN / "alpha.support.jsonl", tmp_path / "alpha.person.jsonl"]
    shown = irviewer.answers("agreement", OWN / "nuggets.jsonl", files, labels="support")
    pair = shown.value.pairs[0]
    assert pair.items == len(first)
    wanted = kappa(first, second, labels=[0, 1, 2], weights="quadratic")
    assert pair.estimates["kappa_quadratic"].value == pytest.approx(wanted)
    assert len(shown["disagreements"].column("topic").values) == 1
    with pytest.raises(OptionError, match="SupportP"):
        irviewer.answers("agreement", OWN / "nuggets.jsonl", files, labels="support", score="V_strict")


def test_importance_is_a_group(tmp_path: Path) -> None:
    labels = list(product((0, 1, 2), repeat=2))
    first = written(tmp_path, "s.a.jsonl", "s", {"1": [a for a, _ in labels], "2": [2, 2]})
    second = written(tmp_path, "s.b.jsonl", "s", {"1": [b for _, b in labels], "2": [2, 0]})
    pair = {pair.group: pair for pair in irviewer.answers("agreement", first, [first, second]).value.pairs}
    assert {group: pair.items for group, pair in pair.items()} == {"all": 11, "vital": 5, "okay": 6}
    for group, kept in (("vital", 1), ("okay", 0)):
        pairs = [pair for place, pair in enumerate(labels) if place % 2 == kept] + [((2, 2), (2, 0))[kept]]
        wanted = kappa([a for a, _ in pairs], [b for _, b in pairs], labels=[0, 1, 2])
        assert pair[group].estimates["kappa"].value == pytest.approx(wanted)
    assert OKAY == 0


def test_a_sentence_says_what_two_assigners_part(tmp_path: Path) -> None:
    """A model that says 20 of 60 topics in full where the person does not: higher for both systems, in one order."""
    random = np.random.default_rng(6)
    files, shares = [], []
    for system, share in (("s", 0.3), ("t", 0.6)):
        people = (random.random((60, 6)) < share) * 2
        models = np.where(np.arange(60)[:, None] < 20, 2, people)
        files += [
            written(tmp_path, f"{system}.{who}.jsonl", system, {str(t): row.tolist() for t, row in enumerate(rows)})
            for who, rows in (("model", models), ("person", people))
        ]
        shares.append((people.ravel() == 2, models.ravel() == 2))
    first, second = (np.concatenate([pair[side] for pair in shares]) for side in (0, 1))
    agreement = irviewer.answers("agreement", files[0], files, reference="person", samples=0)
    (said,) = agreement.shown.sentences
    assert said.values == {"apart": 2, "tested": 2, "opposite": 0}
    level = (first == second).mean()
    expected = first.mean() * second.mean() + (1 - first.mean()) * (1 - second.mean())
    most = min(first.mean(), second.mean()) + min(1 - first.mean(), 1 - second.mean())
    shown = [quantity((value - expected) / (1 - expected)) for value in (level, most)]
    assert said.text == (
        f"model beside person on these answers: κ of said {shown[0]} of at most {shown[1]}; the height of "
        "V_strict differs for 2 of 2 systems (intervals without 0, each alone); "
        "0 of 1 pair of systems turned."
    )
