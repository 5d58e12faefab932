"""Lists beside answers, under a measure of answers: they are left out with a note at every door, and in no family; it
is refused where too little is left. A baseline that nobody chose does not depend on labels."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

import irviewer
from irviewer.__main__ import main
from irviewer.errors import MeasureError
from irviewer.model.answers.labels import FULL
from irviewer.session.session import Session

pytestmark = pytest.mark.filterwarnings("ignore::irviewer.errors.IrviewerWarning")

LISTS = ("context.run", "other.run")
SYSTEMS = tuple(f"{name}.{part}.jsonl" for name in ("alpha", "beta") for part in ("answers", "assignments"))
FULL_NAME = "NuggetR(weight='vital',strict=True)"
NOTE = "V_strict: context, other left out: this measure needs assignments of nuggets to answers; give a file of them"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two lists and the answers of two systems to three topics."""
    folder = tmp_path_factory.mktemp("lists_and_answers")
    for path in (Path(__file__).parents[1] / "data" / "answers").iterdir():
        shutil.copy(path, folder)
    ranked = (("t1", "d12 d14 d13"), ("t2", "d22 d29"), ("t3", "d31 d32"))
    (folder / "other.run").write_text(
        "".join(
            f"{topic} Q0 {document} {rank} {9 - rank} other\n"
            for topic, documents in ranked
            for rank, document in enumerate(documents.split(), start=1)
        )
    )
    return folder


@pytest.fixture
def here(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(folder)
    return folder


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, dict[str, Any], str]:
    status = main([*words, "--format", "json"])
    said = capsys.readouterr()
    return status, json.loads(said.out) if said.out else {}, said.err


def names_of(document: dict[str, Any]) -> set[str]:
    """The runs that rows name, of those with a value where there is a column of the measure or of its mean."""
    return {
        row[key]
        for table in document["tables"] for row in table["rows"] for key in ("run", "other")
        if row.get(key) and None not in (row.get("mean", 0), row.get(FULL_NAME, 0))
    }  # fmt: skip


DOORS = ("evaluate", "compare", "compare --pairs", "slices --by relevant", "stability", "plan", "verdict", "dialects",
         "show evaluation", "show comparison", "show slices --by relevant", "show stability", "show plan",
         "show systems", "show verdict", "show trade-offs --cost ms --run-attributes costs.csv")  # fmt: skip


@pytest.mark.parametrize("qrels", ["qrels.txt", "nuggets.jsonl"])
@pytest.mark.parametrize("door", DOORS)
def test_lists_are_left_out_of_what_answers_say(
    door: str, qrels: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "costs.csv").write_text("run,ms\nalpha,1\nbeta,2\ncontext,3\nother,4\n")
    command, *options = door.split()
    named = [options.pop(0)] if command == "show" else []
    status, document, _ = printed(capsys, command, *named, qrels, *LISTS, *SYSTEMS, "-m", "V_strict", *options)
    assert status == 0
    assert [note["text"] for note in document["notes"]].count(NOTE) == 1
    compared = names_of(document)
    assert compared.isdisjoint({"context", "other"})
    assert "Holm over 1" in document["protocol"]["line"] or "Holm" not in document["protocol"]["line"]


@pytest.mark.parametrize("words", [
    ("gate", "other.run", "--baseline", "context.run", "--non-inferior", "V_strict>-0.9"),
    ("gate", "alpha.assignments.jsonl", "--baseline", "context.run", "--non-inferior", "V_strict>-0.9"),
    ("gate", "context.run", "--baseline", "alpha.assignments.jsonl", "--non-inferior", "V_strict>-0.9"),
    ("compare", *LISTS, *SYSTEMS, "-m", "V_strict", "--baseline", "context"),
    ("compare", *LISTS, *SYSTEMS[:2], "-m", "V_strict", "--pairs"),
    ("slices", *LISTS, *SYSTEMS, "-m", "V_strict", "--baseline", "context"),
    ("stability", *LISTS, *SYSTEMS[:2], "-m", "V_strict"),
    ("reproduction", *LISTS, *SYSTEMS, "-m", "V_strict", "--original", "alpha", "--own", "other"),
    ("evaluate", *LISTS, "-m", "V_strict"),
])  # fmt: skip
def test_it_is_refused_where_too_little_is_left(
    words: tuple[str, ...], here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, _, error = printed(capsys, words[0], "qrels.txt", *words[1:])
    assert status == 2
    assert "this measure needs assignments of nuggets to answers; give a file of them" in error


@pytest.mark.parametrize(
    "words", ["agreement qrels.txt qrels.txt --samples 0 --runs", "judge qrels.txt --samples 20 --judge qrels.txt"]
)
def test_judges_order_what_is_left(words: str, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A judge who judged all that the reference judged orders the systems as it does."""
    command, qrels, *options = words.split()
    runs = [*LISTS, *SYSTEMS]
    arguments = [qrels, *options, *runs] if command == "agreement" else [qrels, *runs, *options]
    status, document, _ = printed(capsys, command, *arguments, "-m", "V_strict")
    assert status == 0 and NOTE in [note["text"] for note in document["notes"]]
    taus = {"agreement": ("orders", "tau"), "judge": ("order", "value")}[command]
    (table,) = [each for each in document["tables"] if each["name"] == taus[0]]
    assert 1.0 in [row[taus[1]] for row in table["rows"]]


def test_runs_without_values_have_no_place(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for command, place in (("reuse", "rank_before"), ("pool", "rank")):
        _, document, _ = printed(capsys, command, "qrels.txt", *LISTS, *SYSTEMS, "-m", "V_strict")
        rows = document["tables"][0]["rows"]
        assert {row["run"]: row[place] for row in rows} == {"context": None, "other": None, "alpha": 1, "beta": 2}


def test_other_measures_keep_all_runs(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each measure has the runs that have what it reads."""
    _, document, _ = printed(capsys, "compare", "qrels.txt", *LISTS, *SYSTEMS, "-m", "nDCG@3", "-m", "V_strict")
    rows = next(table for table in document["tables"] if table["name"] == "comparison")["rows"]
    assert {(row["measure"], row["run"]) for row in rows if row["measure"] == "nDCG@3"} == {
        ("nDCG@3", name) for name in ("beta", "context", "other")
    }
    assert [row["run"] for row in rows if row["measure"] != "nDCG@3"] == ["beta"]
    assert "Holm over 3 against alpha" in document["protocol"]["line"]
    _, document, _ = printed(
        capsys, "compare", "qrels.txt", *LISTS, *SYSTEMS, "-m", "nDCG@3", "-m", "V_strict", "--baseline", "context"
    )
    assert {row["measure"] for row in document["tables"][0]["rows"]} == {"nDCG@3"}
    notes = [note["text"] for note in document["notes"] if "left out" in note["text"]]
    assert notes == ["V_strict left out: the baseline context lacks what it reads", NOTE], "the reason once"


def test_a_measure_of_too_few_runs_is_left_out(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It was said twice, in two wordings, what the lists lack."""
    (here / "third.run").write_text((here / "other.run").read_text().replace("other", "third"))
    runs = [*LISTS, "third.run", *SYSTEMS]
    for command in ("medians", "stability", "compare --pairs", "slices --by relevant --baseline alpha"):
        few = runs if command == "medians" else [*LISTS, *SYSTEMS[:2]]
        words = ("qrels.txt", *few, "-m", "nDCG@3", "-m", "V_strict")
        _, document, _ = printed(capsys, *command.split(), *words)
        (about, reason) = [note["text"] for note in document["notes"] if "left out" in note["text"]]
        assert about == "V_strict left out: too few runs have what it reads"
        assert reason.endswith("left out: this measure needs assignments of nuggets to answers; give a file of them")
        assert not [row for row in document["tables"][0]["rows"] if row.get("measure") == FULL_NAME]


def test_measures_agree_over_the_runs_that_have_them(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Python said over how many runs, and not that one was left out; the command did."""
    for name in ("gamma", "delta"):
        (here / f"{name}.assignments.jsonl").write_text(
            (here / "alpha.assignments.jsonl").read_text().replace('"alpha"', f'"{name}"')
        )
    runs = [LISTS[0], *SYSTEMS[1::2], "gamma.assignments.jsonl", "delta.assignments.jsonl"]
    note = NOTE.replace("context, other", "context")
    correlations = irviewer.measure_agreement("qrels.txt", runs, ["V_strict", "V"])
    (left_out,) = [each for each in correlations.notes if "left out" in each]
    _, document, _ = printed(capsys, "measure-agreement", "qrels.txt", *runs, "-m", "V_strict", "-m", "V")
    assert [each["text"] for each in document["notes"] if "left out" in each["text"]] == [left_out]
    assert correlations.runs == 4 and left_out == note.replace("V_strict:", "V_strict, V:")


def test_python_says_the_same(here: Path) -> None:
    runs = [*LISTS, *SYSTEMS]
    compared = irviewer.compare("qrels.txt", runs, ["V_strict"])
    assert compared["V_strict"].names == ("alpha", "beta") and NOTE in compared.warnings
    result = irviewer.evaluate("qrels.txt", runs, ["V_strict"])
    assert result.lacking[result.measures[0].text].keys() == {"context", "other"}
    with pytest.raises(MeasureError, match="run context: this measure needs assignments"):
        irviewer.compare("qrels.txt", runs, ["V_strict"], baseline="context")
    table = irviewer.paper_table("qrels.txt", runs, ["V_strict"])
    assert NOTE in table.caption


def test_the_window_says_it_once_in_its_words(here: Path) -> None:
    """Of the measure that is compared alone, though Systems has others beside it."""
    session = Session()
    try:
        session.files.open_files(["nuggets.jsonl", *LISTS, *SYSTEMS])
        session.evaluation.set_measure("V_strict")
        session.compute_now()
        systems = session.view_models.systems_view_model()
        assert systems is not None and systems.caveats == (NOTE,)
    finally:
        session.close()


def test_labels_do_not_move_the_baseline(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Neither those that are given by hand nor those of a file: which systems answer decides."""
    unlabelled = [*LISTS, "alpha.answers.jsonl", "beta.answers.jsonl"]
    session = Session()
    try:
        session.files.open_files(["nuggets.jsonl", *unlabelled])
        session.compute_now()
        context = session.view.context
        assert context is not None
        before = context.baseline
        assert context.collection.run(before).name == "alpha"
        session.navigation.set_query("t1")
        session.answering.choose_system("alpha")
        assert session.answering.label(FULL)
        session.compute_now()
        after = session.view.context
        assert after is not None and after.collection is not context.collection
        assert after.baseline == before
    finally:
        session.close()
    for files in (unlabelled, [*LISTS, *SYSTEMS]):
        _, document, _ = printed(capsys, "show", "systems", "nuggets.jsonl", *files, "-m", "nDCG@3")
        assert document["protocol"]["baseline"] == "alpha"


def test_stored_values_say_what_is_lacking(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A list among them was compared by signs, as one that reaches nothing on any query, and was in the family."""
    printed(capsys, "evaluate", "qrels.txt", LISTS[0], *SYSTEMS, "-m", "V_strict", "--save-values", "v.parquet")
    words = ("qrels.txt", "v.parquet", LISTS[1], "-m", "V_strict", "--baseline", "alpha")
    for command in (("compare",), ("plan",)):
        status, document, _ = printed(capsys, *command, *words)
        assert status == 0 and names_of(document).isdisjoint({"context", "other"})
        notes = [note["text"] for note in document["notes"] if "left out" in note["text"]]
        assert notes == [NOTE], "once, of all of them"
        assert "Holm over 1 " in document["protocol"]["line"]
    gate = ("show", "gate", *words[:2], "--run", "context", "--non-inferior", "V_strict>-0.9", *words[-2:])
    for refused in (("compare", *words[:-1], "context"), gate):
        status, _, error = printed(capsys, *refused)
        assert status == 2 and "run context: this measure needs assignments" in error
    kept = irviewer.evaluate("qrels.txt", "v.parquet", ["V_strict"])
    assert kept.lacking[FULL_NAME].keys() == {"context"}


@pytest.mark.parametrize("door", ["evaluate", "zscores", "reuse", "pool", "failures", "show systems"])
def test_labels_of_other_topics_are_as_none(door: str, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its values were 0 where they were not tested, and moved means, places and medians; Systems had no others."""
    third = {part: (here / f"alpha.{part}.jsonl").read_text().replace('"alpha"', '"gamma"')
             for part in ("answers", "assignments")}  # fmt: skip
    (here / "gamma.answers.jsonl").write_text(third["answers"])
    (here / "other_topics.jsonl").write_text(third["assignments"].replace('"qid": "t', '"qid": "x'))
    words = (*door.split(), "qrels.txt", LISTS[0], *SYSTEMS, "gamma.answers.jsonl")
    _, without, _ = printed(capsys, *words, "-m", "V_strict")
    status, document, _ = printed(capsys, *words, "other_topics.jsonl", "-m", "V_strict")
    assert status == 0
    assert [table["rows"] for table in document["tables"]] == [table["rows"] for table in without["tables"]]
