"""Merged labels of answers in the window: what the view shows, what leads to an answer, the assigner that they become,
its scores beside those of the same labels in a file, undo, projects and files."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import pytest

import irviewer
from irviewer.analysis.answers.merged_labels import MergedLabels
from irviewer.commands import find, run_command
from irviewer.errors import IrviewerError, OptionError
from irviewer.session.session import Session

OWN = Path(__file__).parents[1] / "data" / "answers"
NUGGETS = OWN / "nuggets.jsonl"
SWAPS = {"lenient": ("partial_support", "support"), "strict": ("partial_support", "not_support")}


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """Answers and labels of two systems, each system's by three assigners."""
    paths = [OWN / f"{run}.{part}.jsonl" for run, part in product(("alpha", "beta"), ("answers", "assignments"))]
    for run, (name, (old, new)) in product(("alpha", "beta"), SWAPS.items()):
        paths.append(tmp_path / f"{run}.{name}.jsonl")
        paths[-1].write_text((OWN / f"{run}.assignments.jsonl").read_text().replace(f'"{old}"', f'"{new}"'))
    return paths


@pytest.fixture
def session(files: list[Path]) -> Session:
    session = Session()
    session.files.open_files([str(path) for path in (NUGGETS, *files)])
    return session


def shown(session: Session, **parameters: object) -> MergedLabels:
    session.result_views.choose("answer-merge")
    for name, value in parameters.items():
        session.result_views.set_parameter(name, value)
    session.compute_now()
    answer = session.result_views.answer()
    assert answer is not None and answer.shown is not None, answer
    value = answer.shown.value
    assert isinstance(value, MergedLabels)
    return value


def labels(text: str) -> dict[tuple[str, str, str], str]:
    """System, topic and nugget -> label, as a file of assignments has them."""
    return {
        (record["run_id"], record["qid"], nugget["text"]): nugget["assignment"]
        for record in map(json.loads, text.splitlines()) for nugget in record["nuggets"]
    }  # fmt: skip


def assigned(session: Session, judge: str) -> list[str]:
    collection = session.view.collection
    assert collection is not None
    return [entry.name for entry in collection.runs if entry.name.endswith(f", {judge}")]


def test_three_assigners_decide_by_the_rule(session: Session) -> None:
    """Of said in part, said and not said none is most frequent: the lowest counts, or the middle one."""
    merged = shown(session)
    assert merged.assigners == ("assignments", "lenient", "strict")
    assert {row.decided for row in merged.conflicts} == {0}
    assert {row.decided for row in shown(session, rule="median").conflicts} == {1}
    assert {row.decided for row in shown(session, rule="fill", assigners=("lenient", "strict")).conflicts} == {2}


def test_a_conflict_leads_to_its_answer(session: Session) -> None:
    shown(session)
    answer = session.result_views.answer()
    assert answer is not None and answer.shown is not None
    table = answer.shown.table("conflicts")
    assert "as --labels-to of irviewer answers merge does" in str(table.notes), "agreement has no --merge"
    assert table.opens == "answer" and table.n_rows > 1
    texts = table.column("item").values
    for row, key in enumerate(table.keys):
        assert session.answers.open(*key)
        view_model = session.answers.view_model()
        assert view_model is not None
        assert view_model.topic.nuggets[view_model.selection.place].text == texts[row]
        assert view_model.labels[view_model.lead].name == key[1]


def test_they_become_an_assigner(session: Session, files: list[Path], tmp_path: Path) -> None:
    """Its scores are those of the file that the command writes; it can be undone, and a project brings it back."""
    shown(session, rule="median")
    before = session.view.collection
    run_command(session, "take_merged_labels")
    assert assigned(session, "merged-median") == ["alpha, merged-median", "beta, merged-median"]
    assert "merged-median" in session.answer_sources.assigners
    written = tmp_path / "merged.jsonl"
    irviewer.merge_labels([path for path in files if "answers" not in path.name], "median", nuggets=NUGGETS,
                          output=written)  # fmt: skip
    for run in ("alpha", "beta"):
        alone = tmp_path / f"{run}.alone.jsonl"
        alone.write_text("".join(f"{line}\n" for line in written.read_text().splitlines()
                                 if json.loads(line)["run_id"] == run))  # fmt: skip
        wanted = irviewer.evaluate(NUGGETS, alone, ["A"]).mean("A")
        assert session.evaluation.set_measure("A")
        context, collection = session.view.context, session.view.collection
        assert context is not None and collection is not None
        entry = next(entry for entry in collection.runs if entry.name == f"{run}, merged-median")
        assert context.mean(entry, context.measure) == pytest.approx(float(wanted), abs=1e-12)
    project = tmp_path / "own.irviewer"
    session.autosave.save_project(str(project))
    again = Session()
    again.projects.open_project(str(project))
    assert assigned(again, "merged-median") == assigned(session, "merged-median")
    assert "merged-median" in again.answer_sources.assigners
    session.history.undo()
    assert session.view.collection is not None and before is not None
    assert [entry.name for entry in session.view.collection.runs] == [entry.name for entry in before.runs]


def test_merged_labels_are_not_merged_again(session: Session) -> None:
    first = shown(session)
    assert session.label_merging.take() == "merged-majority"
    assert shown(session).assigners == first.assigners
    assert session.label_merging.take() == "merged-majority (2)"
    assert shown(session, assigners=("merged-majority", "strict")).assigners == ("merged-majority", "strict")


def test_saved_labels_are_those_of_the_command(session: Session, files: list[Path], tmp_path: Path) -> None:
    shown(session)
    mine, theirs = tmp_path / "mine.jsonl", tmp_path / "theirs.jsonl"
    session.label_merging.save(str(mine))
    irviewer.merge_labels([path for path in files if "answers" not in path.name], nuggets=NUGGETS, output=theirs)
    assert labels(mine.read_text()) == labels(theirs.read_text())


def test_support_becomes_a_judge(tmp_path: Path) -> None:
    """Two judges of support: of full and none the lower one counts."""
    other = tmp_path / "alpha.other.jsonl"
    text = (OWN / "alpha.support.jsonl").read_text()
    record = [json.loads(line) for line in text.splitlines()]
    for each in record:
        for sentence in each["sentences"]:
            for citation in sentence["citations"]:
                citation["support"] = 2 if int(citation["support"]) >= 0 else -1
    other.write_text("".join(json.dumps(each) + "\n" for each in record))
    session = Session()
    session.files.open_files(
        [str(path) for path in (NUGGETS, OWN / "alpha.answers.jsonl", OWN / "alpha.support.jsonl", other)]
    )
    merged = shown(session, labels="support", rule="median")
    assert merged.conflicts and all(row.decided == min(row.labels.values()) for row in merged.conflicts)
    session.label_merging.take()
    assert session.evaluation.set_measure("SupportP")
    context, collection = session.view.context, session.view.collection
    assert context is not None and collection is not None
    means = {entry.name: context.mean(entry, context.measure) for entry in context.system_runs}
    assert means["alpha, merged-median"] == pytest.approx(means["alpha"], abs=1e-12)
    assert means["alpha, merged-median"] < max(means.values())


def test_nothing_to_merge(tmp_path: Path) -> None:
    session = Session()
    session.files.open_files([str(NUGGETS), str(OWN / "alpha.answers.jsonl"), str(OWN / "alpha.assignments.jsonl")])
    assert not find(session, "take_merged_labels").enabled(session)
    with pytest.raises(IrviewerError, match="Merged labels"):
        session.label_merging.take()
    with pytest.raises(OptionError, match="two assigners"):
        irviewer.answers("merge", NUGGETS, [OWN / "alpha.assignments.jsonl"])


def test_an_assigner_that_is_not_there(files: list[Path]) -> None:
    with pytest.raises(OptionError, match=r"nobody.*assignments, lenient, strict"):
        irviewer.answers("merge", NUGGETS, files, assigners=("nobody", "strict"))
