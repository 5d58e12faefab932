"""The report for a manager: a recommendation that the declared test and margin support, the numbers of the other doors,
one interval, one page."""

from __future__ import annotations

import re
import shutil
import subprocess
from html import unescape
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

import irviewer
from irviewer.analysis.statistics.simultaneous import simultaneous_intervals
from irviewer.cli.main import main
from irviewer.errors import OptionError
from irviewer.measures.parameters import Cutoff
from irviewer.measures.parser import parse_measure
from irviewer.measures.plain_words import in_plain_words
from irviewer.measures.registry import families
from irviewer.measures.tool_names import usual_name
from irviewer.model.number_text import signed_quantity
from irviewer.translation import interval
from tests.api.test_reports import HOSTILE, checked, collection
from tests.helpers.report_page import ReportPage

WHAT = "What was compared"


def text_of(html: str) -> str:
    """What a reader sees."""
    body = html.partition("</style>")[2]
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", body)).split())


def conclusion(html: str) -> str:
    element = re.search(r"<p class=conclusion>(.*?)</p>", html, re.S)
    assert element is not None
    return unescape(element[1])


def of_values(base: list[float], run: list[float]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Judgments and two runs whose RR by query are 1/n of these ranks."""
    qrels = {f"q{q}": {"d": 1} for q in range(len(base))}

    def ranked(ranks: list[float]) -> dict[str, dict[str, float]]:
        return {
            f"q{q}": {**{f"x{n}": 100.0 - n for n in range(1, int(rank))}, "d": 100.0 - rank}
            for q, rank in enumerate(ranks)
        }

    return qrels, {"A": ranked(base), "B": ranked(run)}


def page(base: list[float], run: list[float], **options: Any) -> str:
    qrels, runs = of_values(base, run)
    return irviewer.report(qrels, runs, "RR", baseline="A", reader="manager", **options).html


def ranks(seed: int, n: int, shift: float) -> tuple[list[float], list[float]]:
    dice = np.random.default_rng(seed)
    base = dice.integers(1, 6, n)
    return base.tolist(), np.clip(base - (dice.random(n) < abs(shift)) * np.sign(shift)
                                  + (dice.random(n) < 0.35) - 1.0 * (dice.random(n) < 0.35), 1, 9).tolist()  # fmt: skip


def supported(difference: np.ndarray[Any, Any], margin: float | None) -> str:
    """How a recommendation of B against A begins by SciPy's t-tests: two-sided at .05, against the margin one-sided at
    .025."""

    def shown(border: float, side: str) -> bool:
        return bool(stats.ttest_1samp(difference - border, 0, alternative=side).pvalue < 0.025)

    better = difference.mean() > 0
    more = less = False
    if margin is not None:
        more, less = shown(-margin, "greater"), shown(margin, "less")
    if stats.ttest_1samp(difference, 0).pvalue < 0.05:
        little = less if better else more
        return "Keep either" if little else "Keep B" if better else "Keep A"
    if margin is None:
        return "No difference between B and A was shown. That does not show that they are equal."
    return "Keep either" if more and less else "Keep A" if less else "More queries are needed"


def test_a_recommendation_says_what_the_tests_support() -> None:
    kinds = set()
    for seed in range(3):
        for shift in (-0.6, -0.1, 0.0, 0.1, 0.6):
            base, run = ranks(seed, 40, shift)
            difference = 1 / np.array(run) - 1 / np.array(base)
            for margin in (None, 0.02, 0.2):
                said = conclusion(page(base, run, **({} if margin is None else {"smallest": margin})))
                wanted = supported(difference, margin)
                assert said.startswith(wanted), (seed, shift, margin)
                kinds.add(wanted)
    assert len(kinds) == 5


def test_few_queries_and_equal_runs() -> None:
    assert conclusion(page([1, 2, 3], [1, 1, 1])) == (
        "More queries are needed: a conclusion about B and A needs 10, and there are 3 queries."
    )
    assert conclusion(page([1] * 20, [1] * 20)) == "Keep either: B and A have the same value on every query."
    of_two = page([1, 1], [1, 1])
    assert conclusion(of_two).startswith("More queries are needed: a conclusion about B and A needs 10")
    assert "borderline" not in text_of(of_two)  # so few queries have no interval, which cannot exclude 0


def test_equal_runs_on_chosen_queries_are_not_said_to_be_alike() -> None:
    said = conclusion(page([1] * 15 + [3] * 5, [1] * 20, queries=[f"q{n}" for n in range(15)],
                           chosen_after_looking=True))  # fmt: skip
    assert said == "No difference between B and A was shown."


def test_the_best_of_several_is_not_said_to_be_better_than_the_others() -> None:
    qrels, runs = of_values([3] * 20, [1] * 15 + [2] * 5)
    runs["C"] = of_values([3] * 20, [1] * 14 + [2] * 6)[1]["B"]
    said = conclusion(irviewer.report(qrels, runs, "RR", baseline="A", reader="manager").html)
    assert said == (
        "Keep B: it is better than A. It has the best mean of 2 systems, which does not show that it is better than "
        "the others of them."
    )


def test_of_all_pairs_both_runs_are_chosen_and_the_interval_holds_for_all_pairs() -> None:
    base, run = ranks(0, 40, 0.3)
    qrels, runs = of_values(base, run)
    runs["C"] = of_values(base, [min(9, rank + 1) for rank in run])[1]["B"]
    rows = [1 / np.array(each) for each in (base, run, [min(9, rank + 1) for rank in run])]
    pairs = np.array([rows[1] - rows[0], rows[2] - rows[0], rows[2] - rows[1]])
    by_id = sorted(range(40), key=str)  # as queries are drawn
    together = simultaneous_intervals(pairs[:, by_id])
    ends = interval(*(signed_quantity(float(end[0])) for end in (together.low, together.high)))
    said = text_of(irviewer.report(qrels, runs, "RR", family="pairs", reader="manager").html)
    assert f"Both were chosen as the best of 3: for runs so chosen the 95 % interval of the change is {ends}." in said


def test_a_margin_of_a_measure_without_mean_differences_is_said_to_be_untested() -> None:
    qrels, runs = of_values(*ranks(0, 40, 0.3))
    options: dict[str, Any] = {"baseline": "A", "smallest": 0.02}
    untested = "The smallest difference that matters, .02, was not tested: gm_map has no mean difference."
    assert untested in conclusion(irviewer.report(qrels, runs, "gm_map", reader="manager", **options).html)
    assert untested in [each.text for each in irviewer.verdict(qrels, runs, "gm_map", **options).shown.sentences]


def test_the_p_of_a_look_is_rounded() -> None:
    said = text_of(page(*ranks(0, 40, 0.3), looks="1 of .5 1"))
    assert "the paired t-test gives p below .0052." in said  # 2 Φ(−2.797), the first of two looks


def test_queries_chosen_after_looking_support_nothing() -> None:
    said = conclusion(page([3] * 20, [1] * 15 + [2] * 5, queries=[f"q{n}" for n in range(15)] + ["q17"],
                           chosen_after_looking=True))  # fmt: skip
    assert said.startswith("No difference between B and A was shown.")
    assert "chosen after seeing results" in said


def test_the_numbers_are_those_of_compare_and_of_the_verdict(tmp_path: Path) -> None:
    qrels, runs = collection(4, 60)
    html = irviewer.report(qrels, runs, baseline="run0", reader="manager", by="relevant").html
    compared = irviewer.compare(qrels, runs, "nDCG@10", baseline="run0")["nDCG@10"]
    rows = ReportPage(html).rows(WHAT)
    assert [row["system"][0] for row in rows] == ["run1", "run2", "run3"]
    for row in rows:
        pair = compared.find(row["system"][0], "run0")
        assert float(row["mean"][1]) == pair.mean
        assert float(row["run0"][1]) == pair.other_mean
        assert float(row["change"][1]) == pair.difference
        assert float(row["in %"][1]) == pytest.approx(pair.difference / pair.other_mean)
        assert (row["better"][0], row["worse"][0]) == (str(pair.wins), str(pair.losses))
        assert row["the test"][0] == (
            "no difference shown" if not pair.significant else
            "shown to be better" if pair.difference > 0 else "shown to be worse"
        )  # fmt: skip
    best = compared.find("run3", "run0")
    verdict = irviewer.verdict(qrels, runs, "nDCG@10", baseline="run0")
    together = verdict.shown.table("verdict").column("simultaneous")
    low, high = (float(together.parts[end][0]) for end in ("low", "high"))
    seen = text_of(html)
    assert f"by +{best.difference:.4f}".replace("+0.", "+.") in seen
    ends = re.findall(r"\[([+−.\d]+), ([+−.\d]+)\]", seen)
    assert [tuple(float(end.replace("−", "-")) for end in pair) for pair in ends] == [
        (pytest.approx(low, abs=5e-5), pytest.approx(high, abs=5e-5))
    ]
    assert "It was chosen as the best of 3" in seen
    slices = irviewer.compare_slices(qrels, runs, "nDCG@10", by="relevant", baseline="run0")
    own = next(run for run in slices.runs if run.overall.run_name == "run3")
    shown = ReportPage(html).rows("run3 by kinds of queries")
    assert [float(row["change"][1]) for row in shown[1:]] == [
        row.pair.difference for part in own.attributes for row in part.rows if row.pair is not None
    ]


def test_slices_say_what_the_queries_are_cut_by() -> None:
    """Two attributes can have the same values."""
    qrels, runs = collection(2, 40)
    attributes = {query: {"kind": "ab"[place % 2], "mood": "ac"[place // 2 % 2]} for place, query in enumerate(qrels)}
    options: dict[str, Any] = {"baseline": "run0", "reader": "manager", "by": ["kind", "mood"]}
    html = irviewer.report(qrels, runs, query_attributes=attributes, **options).html
    shown = ReportPage(html).rows("run1 by kinds of queries")
    assert [(row["attribute"][0], row["queries with"][0]) for row in shown[1:]] == [
        ("kind", "a"), ("kind", "b"), ("mood", "a"), ("mood", "c"),
    ]  # fmt: skip


def test_documents_are_taken_for_measures_and_slices_of_their_fields() -> None:
    qrels, runs = collection(2, 40)
    names = sorted(
        {name for each in (*qrels.values(), *runs["run0"].values(), *runs["run1"].values()) for name in each}
    )
    documents = {name: {"price": float(place), "brand": "xy"[place % 2]} for place, name in enumerate(names)}
    measure = "FieldMean(field='price',better='lower',empty=0)@3"
    html = irviewer.report(
        qrels, runs, measure, baseline="run0", reader="manager", by="relevant:brand", documents=documents
    ).html
    mean = irviewer.evaluate(qrels, runs, measure, documents=documents).mean(measure, "run1")
    assert float(ReportPage(html).rows("What was compared")[0]["mean"][1]) == mean
    assert {row["queries with"][0] for row in ReportPage(html).rows("run1 by kinds of queries")[1:]} >= {"x", "y"}


def test_two_runs_have_the_interval_of_compare() -> None:
    qrels, runs = collection(2, 40)
    html = irviewer.report(qrels, runs, baseline="run0", reader="manager").html
    pair = irviewer.compare(qrels, runs, "nDCG@10", baseline="run0")["nDCG@10"].find("run1", "run0")
    ends = re.findall(r"\[([+−.\d]+), ([+−.\d]+)\]", text_of(html))
    assert [tuple(float(end.replace("−", "-")) for end in pair) for pair in ends] == [
        (pytest.approx(pair.interval.low, abs=5e-5), pytest.approx(pair.interval.high, abs=5e-5))
    ]
    assert text_of(html).count("interval") == 1


def test_one_run_and_what_the_page_does_not_show_are_refused() -> None:
    qrels, runs = collection(2, 12)
    with pytest.raises(OptionError, match="compares runs; give another run"):
        irviewer.report(qrels, {"run0": runs["run0"]}, reader="manager")
    with pytest.raises(OptionError, match="shows none of judges; leave them out"):
        irviewer.report(qrels, runs, reader="manager", judges={"other": qrels})
    with pytest.raises(OptionError, match="unknown reader 'boss'; choose one of expert, manager"):
        irviewer.report(qrels, runs, reader="boss")  # type: ignore[arg-type]


def test_names_are_data() -> None:
    qrels, runs = collection(2, 12)
    html = irviewer.report(
        qrels, {HOSTILE: runs["run0"], f"{HOSTILE}2": runs["run1"]}, baseline=HOSTILE, reader="manager", title=HOSTILE
    ).html
    checked(html)
    assert "<script" not in html


def test_the_command_writes_the_same_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    qrels, runs = collection(3, 30)
    Path("qrels").write_text("".join(f"{q} 0 {d} {g}\n" for q, each in qrels.items() for d, g in each.items()))
    for name, run in runs.items():
        irviewer.write_run(irviewer.Run.from_dict(run, name=name), name)
    asked = ["qrels", *runs, "--baseline", "run0"]
    assert main(["report", *asked, "--for", "manager", "--smallest", ".02", "-o", "page.html"]) == 0
    command = Path("page.html").read_text("utf-8")
    python = irviewer.report("qrels", list(runs), baseline="run0", smallest=0.02, reader="manager").html
    command_line = re.compile(r"<li>Made by: .*?</li>")
    assert command_line.search(command)
    assert command_line.sub("", command) == python
    assert "differences from .02 matter" in text_of(command)


def test_every_measure_is_explained_in_a_sentence() -> None:
    for name, family in families().items():
        cutoff = {Cutoff.REQUIRED: "@10", Cutoff.RECALL: "@0.5", Cutoff.FACTOR: "@0.5"}.get(family.cutoff, "")
        measure = parse_measure(f"{name}{cutoff}")
        said = in_plain_words(measure)
        assert said.startswith(usual_name(measure)), said
        assert said.endswith("."), said
        assert "\n" not in said
        if not measure.higher_is_better:
            assert "lower is better" in said


def test_a_sentence_follows_the_parameters() -> None:
    def words(text: str) -> str:
        return in_plain_words(parse_measure(text))

    assert words("P@5") == "P@5 is the share of relevant documents among the first 5 results."
    assert "the first 20 results" in words("nDCG@20")
    assert "the best possible order" not in words("nDCG(ideal='retrieved')@10")
    assert "0 where none is among the first 10" in words("RR@10")
    assert "unjudged documents" not in words("R@100")


@pytest.mark.skipif(not shutil.which("chromium"), reason="needs Chromium")
def test_it_prints_on_one_page(tmp_path: Path) -> None:
    qrels, runs = collection(6, 40)
    file = tmp_path / "page.html"
    irviewer.report(qrels, runs, baseline="run0", reader="manager", by=["relevant"]).save(file)
    subprocess.run(
        ["chromium", "--headless=new", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path / 'browser'}",
         f"--print-to-pdf={tmp_path / 'page.pdf'}", file.as_uri()],
        check=True, capture_output=True,
    )  # fmt: skip
    assert len(re.findall(rb"/Type\s*/Page\b", (tmp_path / "page.pdf").read_bytes())) == 1
