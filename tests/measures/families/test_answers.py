"""Measures of answers: on a collection small enough for paper, and equal to the scores of a track to 1e-12."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

import irviewer
from irviewer.analysis.explain import explain_query
from irviewer.errors import MeasureError
from irviewer.evaluation.evaluate import evaluate
from irviewer.evaluation.results import ResultTable
from irviewer.formats.load import load
from irviewer.measures.answered import NEEDED
from irviewer.measures.parser import parse_measure
from irviewer.measures.registry import families
from irviewer.model.answers.systems import joined_systems
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run

OWN = Path(__file__).parents[2] / "data" / "answers"
SCORES = (
    "strict_vital_score", "vital_score", "strict_weighted_score", "weighted_score", "strict_all_score", "all_score",
)  # fmt: skip
PAPER: dict[str, dict[str, tuple[float, float, float]]] = {
    # vital nuggets: t1 2, t2 3, t3 2; okay ones: 2, 1, 1
    "V_strict": {"alpha": (1 / 2, 2 / 3, 1), "beta": (1, 0, 1 / 2)},
    "V": {"alpha": (1.5 / 2, 2 / 3, 1), "beta": (1, 0.5 / 3, 1 / 2)},
    "W_strict": {"alpha": (1.5 / 3, 2 / 3.5, 1), "beta": (2 / 3, 0.5 / 3.5, 1 / 2.5)},
    "W": {"alpha": (2 / 3, 2.25 / 3.5, 1), "beta": (2 / 3, 1 / 3.5, 1 / 2.5)},
    "A_strict": {"alpha": (2 / 4, 2 / 4, 1), "beta": (2 / 4, 1 / 4, 1 / 3)},
    "A": {"alpha": (2.5 / 4, 2.5 / 4, 1), "beta": (2 / 4, 1.5 / 4, 1 / 3)},
    "NuggetR(weight='vital',partial=1)": {"alpha": (1, 2 / 3, 1), "beta": (1, 1 / 3, 1 / 2)},
    # alpha, t1: 2 (first), none, 1 of three sentences; t2: 2 and 1; t3: not judged
    "SupportP": {"alpha": (1.5 / 2, 1.5 / 2, 0), "beta": (1 / 2, 0.5, 0)},
    "SupportR": {"alpha": (1.5 / 3, 1.5 / 2, 0), "beta": (1 / 2, 0.5 / 2, 0)},
    "SupportP(citations='all')": {"alpha": ((0.5 + 0.5) / 2, (1 + 0.75) / 2, 0), "beta": (1 / 2, 0.5, 0)},
    "SupportR(citations='all',hard=True)": {"alpha": (0.5 / 3, 1.5 / 2, 0), "beta": (1 / 2, 0, 0)},
    "CitedRel": {"alpha": (1, 1, 1), "beta": (1 / 2, 0, 0)},
    "CitedRel(rel=2)": {"alpha": (1 / 2, 1 / 2, 1), "beta": (1 / 2, 0, 0)},
    "Uncited": {"alpha": (1 / 3, 0, 0), "beta": (0, 1 / 2, 1)},
    "CitationsPerSentence": {"alpha": (1, 3 / 2, 1), "beta": (1, 1 / 2, 0)},
    "OverBudget(limit=20)": {"alpha": (1, 0, 0), "beta": (0, 0, 0)},
    "OverBudget(limit=20,amount=True)": {"alpha": (5, 0, 0), "beta": (0, 0, 0)},
    "Length": {"alpha": (25, 11, 15), "beta": (16, 12, 9)},
    "Used": {"alpha": (1, 1, 1), "beta": (1, 1, 0)},
}


def run_of(path: Path, **options: str) -> Run:
    value = load(path, kind="run", **options).value  # type: ignore[arg-type]
    assert isinstance(value, Run)
    return value


def own_runs() -> list[Run]:
    names = [f"{system}.{part}.jsonl" for system in ("alpha", "beta") for part in ("answers", "assignments", "support")]
    return joined_systems([run_of(OWN / name) for name in names])


def qrels_of(path: Path) -> Qrels:
    value = load(path, kind="qrels").value
    assert isinstance(value, Qrels)
    return value


@pytest.mark.parametrize("text", PAPER)
def test_scores_on_paper(text: str) -> None:
    """And the ledger of each ends in its value."""
    qrels, runs = qrels_of(OWN / "qrels.txt"), own_runs()
    result = evaluate(qrels, runs, [text])
    for run in runs:
        wanted = PAPER[text][run.name]
        assert list(result.by_query(text, run.name).values()) == pytest.approx(wanted, abs=1e-12)
        assert result.mean(text, run.name) == pytest.approx(sum(wanted) / 3, abs=1e-12)
        for topic, value in zip(result.query_ids, wanted, strict=True):
            assert explain_query(run, qrels, text, topic).recomputed == pytest.approx(value, abs=1e-12)


def test_f_of_nuggets_on_paper() -> None:
    """Alpha says one vital nugget of two of t1 and one okay one: 200 characters are allowed, and all are within."""
    qrels, (alpha, _) = qrels_of(OWN / "nuggets.jsonl"), own_runs()
    value = evaluate(qrels, alpha, ["NuggetF"]).by_query("NuggetF")["t1"]
    assert value == pytest.approx(10 * 1 * 0.5 / (9 * 1 + 0.5))
    long = (OWN / "alpha.assignments.jsonl").read_text().replace("The air scatters", "x" * 300 + "The air scatters")
    assert alpha.answered is not None and alpha.answered.assignments is not None
    assert len("".join(alpha.answered.assignments.answer_texts[0].split())) < 200 < len(long)
    ledger = explain_query(alpha, qrels, "NuggetF", "t1")
    assert ledger.recomputed == pytest.approx(value)


def test_rules_for_a_word_that_is_not_known(tmp_path: Path) -> None:
    """One vital nugget that is said, and one of importance "failed" that is not."""
    path = tmp_path / "assigned.jsonl"
    path.write_text(
        '{"qid": "t", "run_id": "s", "nuggets": [{"text": "a", "importance": "vital", "assignment": "support"}, '
        '{"text": "b", "importance": "failed", "assignment": "male"}]}\n'
    )
    run, qrels = run_of(path), qrels_of(path)
    wanted = {
        "W": 1.0, "A": 1 / 2, "NuggetR(weight='weighted',odd='okay')": 1 / 1.5,
        "NuggetR(weight='all',odd='okay')": 1 / 2, "NuggetR(weight='all',odd='drop')": 1.0,
    }  # fmt: skip
    for text, value in wanted.items():
        assert evaluate(qrels, run, [text]).mean(text) == pytest.approx(value), text
        assert explain_query(run, qrels, text, "t").recomputed == pytest.approx(value), text
    assert "1 nugget has an importance that no rule knows: it counts in “all” alone" in " ".join(
        rule.text for rule in explain_query(run, qrels, "A", "t").rules
    )


@pytest.mark.parametrize("text", ["V_strict", "SupportP", "CitedRel", "Length"])
def test_a_list_alone_is_refused(text: str) -> None:
    with pytest.raises(MeasureError, match="this measure needs"):
        evaluate(Qrels.from_dict({"1": {"a": 1}}), Run.from_dict({"1": {"a": 1.0}}), [text])


@pytest.mark.parametrize(
    ("name", "text"),
    [("V", "NuggetR(weight='vital')"), ("W_strict", "NuggetR(weight='weighted',strict=True)"),
     ("all_score", "NuggetR(weight='all')"), ("strict_vital_score", "NuggetR(weight='vital',strict=True)")],
)  # fmt: skip
def test_names_of_the_track(name: str, text: str) -> None:
    assert parse_measure(name).text == text


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


@pytest.fixture
def track(data: Path) -> Path:
    folder = data / "trec-rag-2024"
    if not folder.is_dir():
        pytest.skip("the data of the track are not here")
    return folder


def track_runs(track: Path) -> dict[str, Run]:
    """The systems by the names of the expected scores."""
    files = (*sorted((track / "answers").iterdir()), *sorted((track / "assignments").iterdir()))
    runs = joined_systems([run_of(path) for path in files])
    return {("gpt-4o" if "gpt-4o" in run.name else "l31_70b_instruct"): run for run in runs}


def test_every_score_of_the_track(track: Path) -> None:
    runs = track_runs(track)
    result = evaluate(qrels_of(track / "nuggets" / "rag24_nuggets_mistral.jsonl.gz"), list(runs.values()), SCORES)
    values: dict[tuple[str, str], dict[str, float]] = {
        (system, score): result.by_query(score, run.name) for system, run in runs.items() for score in SCORES
    }
    compared = 0
    for row in rows_of(track / "expected.tsv"):
        run = runs[row["system"]]
        assert run.answered is not None and run.answered.answers is not None
        answers = run.answered.answers
        for score in SCORES:
            if row["topic"].startswith("all"):
                assert result.mean(score, run.name) == pytest.approx(float(row[score]), abs=1e-12)
            else:
                assert values[row["system"], score][row["topic"]] == pytest.approx(float(row[score]), abs=1e-12)
                compared += 1
        if not row["topic"].startswith("all"):
            place = answers.topic_index[row["topic"]]
            counts = (answers.sentence_counts, answers.citation_counts, answers.uncited_counts, answers.words)
            names = ("sentences", "citations", "uncited_sentences", "words")
            assert [int(count[place]) for count in counts] == [int(row[name]) for name in names]
    assert compared == 2 * 201 * 6


def test_what_is_cited_against_the_tracks_judgments(track: Path) -> None:
    runs = track_runs(track)
    texts = ["CitedRel", "CitedRel(rel=2)", "CitedRel(rel=3)", "CitedRel(of='judged')"]
    result = evaluate(qrels_of(track / "qrels.rag24.test.txt.gz"), list(runs.values()), texts)
    for row in rows_of(track / "expected.citations.tsv"):
        above = [float(row[f"cited_grade_ge{grade}"]) for grade in (1, 2, 3, 1)]
        below = [float(row["distinct_cited"])] * 3 + [float(row["cited_judged"])]
        for text, count, number in zip(texts, above, below, strict=True):
            value = result.by_query(text, runs[row["system"]].name)[row["topic"]]
            assert value == pytest.approx(count / number if number else 0.0, abs=1e-12)


def support_of_track(track: Path) -> ResultTable:
    path = track / "format-variants" / "support.made.jsonl"
    names = [row["run"] for row in rows_of(track / "format-variants" / "expected.support.made.tsv")]
    runs = [run_of(path, part=name) for name in dict.fromkeys(names)]
    topics = Qrels.from_dict({topic: {"d": 1.0} for topic in runs[0].query_ids})
    kinds = ("first", "all")
    texts = [f"{name}(citations={kind!r})" for kind in kinds for name in ("SupportP", "SupportR")]
    return evaluate(topics, runs, [*texts, "SupportP(hard=True)", "SupportR(hard=True)"])


def test_support_of_the_tracks_variant(track: Path) -> None:
    result = support_of_track(track)
    columns = ("wP_first", "wR_first", "wP_all", "wR_all", "hardP", "hardR")
    for row in rows_of(track / "format-variants" / "expected.support.made.tsv"):
        for measure, column in zip(result.measures, columns, strict=True):
            value = result.by_query(measure, row["run"])[row["topic"]]
            assert value == pytest.approx(float(row[column]), abs=1e-12), (row, measure.text)


def test_comparisons_of_the_track(track: Path, tmp_path: Path) -> None:
    """Difference, p of the paired t-test, its interval, and counts of topics, by the way that lists are compared."""
    files = [*sorted((track / "answers").iterdir()), *sorted((track / "assignments").iterdir())]
    nuggets = track / "nuggets" / "rag24_nuggets_mistral.jsonl.gz"
    baseline = next(run.name for system, run in track_runs(track).items() if system == "gpt-4o")
    compared = irviewer.compare(nuggets, [str(path) for path in files], list(SCORES), baseline=baseline, interval="t")
    compared.save(tmp_path / "compared.csv", table="comparison")
    with (tmp_path / "compared.csv").open(newline="") as file:
        rows = {parse_measure(row["measure"]).text: row for row in csv.DictReader(file)}
    for wanted in rows_of(track / "expected.tests.tsv"):
        row = rows[parse_measure(wanted["measure"]).text]
        columns = {"mean": "mean", "difference": "delta", "interval_low": "ci95_low", "interval_high": "ci95_high"}
        for ours, theirs in columns.items():
            assert float(row[ours]) == pytest.approx(float(wanted[theirs]), abs=1e-12), (wanted["measure"], ours)
        assert float(row["p"]) == pytest.approx(float(wanted["p_paired_t_two_sided"]), abs=1e-9)
        assert [row[name] for name in ("better", "equal", "worse")] == [
            wanted[name] for name in ("better", "equal", "worse")
        ]


def test_the_families_that_read_answers_are_listed() -> None:
    modules = ("nuggets", "support", "citations")
    names = {name for name, family in families().items() if family.compute.__module__.rpartition(".")[2] in modules}
    assert names == set(NEEDED)
