"""Random walks of edits through a session, undo and redo included: what follows from the edits equals what is computed
from files that say the same, for every measure, to 1e-11; and undo comes back to exactly what was there."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from alike import assert_close
from every import NEEDS_MORE, every_measure
from random_collections import KINDS, RandomCollection, random_collection

from irviewer.errors import MeasureError
from irviewer.evaluation.evaluation_cache import Evaluation, EvaluationInput
from irviewer.measures.base import Measure
from irviewer.model.arrays import group_of_each, strings
from irviewer.model.dialects import DIALECTS
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.workspace import Collection, JudgmentSet, Regime
from irviewer.session.session import Session
from tests.session.helpers import session_with

Record = Callable[[str, object], None]
Snapshot = tuple[tuple[tuple[str, str, str, str, float], ...], tuple[tuple[str, tuple[str, ...]], ...]]

CLOSE = 1e-11
MEASURES = [measure for measure in every_measure(9) if measure.name not in NEEDS_MORE]


class Walk:
    """A session on a random collection, and what was in it after each step that can be undone."""

    def __init__(self, seed: int, kind: str) -> None:
        self.dice = random.Random(f"walk {seed} {kind}")
        self.made: RandomCollection = random_collection(seed, kind, queries=7, judged=9, deep=12, runs=2)
        judgments = JudgmentSet(self.made.qrels, Regime.POOLED)
        self.session: Session = session_with(Collection("walked", judgments=(judgments,)).with_runs(self.made.runs))
        copy = self.session.run_editing.edit_copy(1)
        assert copy is not None
        self.copy = copy
        self.session.navigation.set_query(self.dice.choice(self.made.qrels.query_ids))
        self.done: list[Snapshot] = []
        self.undone: list[Snapshot] = []
        self.now = self.snapshot()
        self.number = 0

    # --- what there is ---

    def qrels(self) -> Qrels:
        """The judgments as they are."""
        assert self.session.view.judgments is not None
        return self.session.view.judgments.qrels

    def run(self, key: int) -> Run:
        """A run as it is, whatever is shown of it."""
        entry = None if self.session.view.collection is None else self.session.view.collection.run(key)
        assert entry is not None
        return entry.run

    def seen(self, key: int) -> list[str]:
        """The list of the selected query that is shown."""
        entry = None if self.session.view.context is None else self.session.view.context.collection.run(key)
        assert entry is not None
        return entry.run.ranking(self.session.view.query_id)

    def snapshot(self) -> Snapshot:
        """All judgments, and the lists of the edited copy."""
        run = self.run(self.copy)
        lists = tuple((query, tuple(run.ranking(query))) for query in sorted(run.query_ids))
        return tuple(sorted(rows_of(self.qrels()))), lists

    # --- steps ---

    def step(self) -> None:
        """One random step; a step that is recorded changes something, and one that is not changes nothing."""
        before, label = self.now, len(self.session.history.history_labels[0])
        act = self.dice.choices(list(ACTS), [weight for weight, _ in ACTS.values()])[0]
        if act in ("undo", "redo"):
            self._walk(back=act == "undo")
            return
        ACTS[act][1](self)
        self.now = self.snapshot()
        recorded = len(self.session.history.history_labels[0]) - label
        assert recorded in (0, 1), act
        if recorded:
            self.number += 1
            self.done.append(before)
            self.undone.clear()
        else:
            assert self.now == before, act
            if (
                act == "drag" and not self.session.history.redo_label
            ):  # it was a step until it came back to where it began
                self.undone.clear()

    def _walk(self, *, back: bool) -> None:
        source, target = (self.done, self.undone) if back else (self.undone, self.done)
        for _ in range(self.dice.randint(1, 4)):
            if not source:
                assert back or not self.session.history.redo()
                return
            assert self.session.history.undo() if back else self.session.history.redo()
            target.append(self.now)
            self.now = self.snapshot()
            assert self.now == source.pop()
            self.number += 1

    def judge(self) -> None:
        query = self.dice.choice([*self.made.qrels.query_ids, "q-new", self.session.view.query_id])
        document = self.dice.choice([*self.seen(self.copy), *(f"d{number}" for number in range(22)), "unseen"])
        grade = self.dice.choice((None, -1.0, 0.0, 1.0, 2.0, 0.5, 11.0))
        how = self.dice.random()
        if how < 0.1:
            self.session.judging.judge(document, None, query_id=query)
        elif how < 0.2:
            self.session.judging.revert_judgment(document, query_id=query)
        else:
            self.session.judging.judge(document, grade, query_id=query)

    def move(self) -> None:
        ids = self.seen(self.copy)
        if not ids:
            return
        document, other = self.dice.choice(ids), self.dice.choice(ids)
        acts: tuple[Callable[[], object], ...] = (
            lambda: self.session.run_editing.move_document(self.copy, document, self.dice.randint(1, 15)),
            lambda: self.session.run_editing.shift_document(self.copy, document, self.dice.randint(-3, 3)),
            lambda: self.session.run_editing.swap_documents(self.copy, document, other),
            lambda: self.session.run_editing.remove_document(self.copy, document),
            lambda: self.session.run_editing.set_list(
                self.copy, tuple(self.dice.sample(ids, len(ids))), "the list in another order"
            ),
        )  # fmt: skip
        self.dice.choice(acts)()

    def insert(self) -> None:
        document = self.dice.choice([*(f"d{number}" for number in range(22)), "put in"])
        self.session.run_editing.insert_document(self.copy, document, self.dice.randint(1, 15))

    def drag(self) -> None:
        ids = self.seen(self.copy)
        if ids:
            document = self.dice.choice(ids)
            label = len(self.session.history.history_labels[0])
            for _ in range(3):
                going_on = len(self.session.history.history_labels[0]) > label
                self.session.run_editing.move_document(
                    self.copy, document, self.dice.randint(1, len(ids)), going_on=going_on
                )

    def look(self) -> None:
        """What is shown and by which rules: no step."""
        self.dice.choice(
            (
                lambda: self.session.navigation.set_query(self.dice.choice(self.qrels().query_ids)),
                lambda: self.session.protocol.set(dialect=self.dice.choice(list(DIALECTS))),
                lambda: self.session.protocol.set(judged_only=self.dice.random() < 0.5),
                lambda: self.session.protocol.set(level=self.dice.choice((1, 2))),
            )
        )()

    # --- numbers ---

    def ask(self, measures: list[Measure]) -> None:
        """Ask for values, so that the next edit has some to follow from."""
        context = self.session.view.context
        assert context is not None
        for entry in context.collection.runs:
            for measure in measures:
                refused(lambda entry=entry, measure=measure: context.values(entry, measure))  # type: ignore[misc]

    def check(self, measures: list[Measure]) -> int:
        """Everything against a cache that knows nothing, of qrels and runs made again; how many values agree."""
        context, options = self.session.view.context, self.session.state.options
        assert context is not None
        fresh, qrels, count = Evaluation(), again(self.qrels()), 0
        for entry in context.collection.runs:
            run = rebuilt(self.run(entry.key))
            ids = run.doc_ids.to_pylist()
            for start, stop in zip(run.offsets[:-1].tolist(), run.offsets[1:].tolist(), strict=True):
                assert len(set(ids[start:stop])) == stop - start
            evaluation_input = EvaluationInput(run, qrels, options)
            for measure in measures:
                mine = refused(lambda entry=entry, measure=measure: context.values(entry, measure))  # type: ignore[misc]
                theirs = refused(
                    lambda evaluation_input=evaluation_input, measure=measure: fresh.values(evaluation_input, measure)
                )  # type: ignore[misc]
                assert (mine is None) == (theirs is None), measure
                if mine is not None and theirs is not None:
                    what = (measure, options)
                    assert_close(mine, theirs, rtol=CLOSE, atol=CLOSE, what=what)
                    mean = fresh.mean(evaluation_input, measure)
                    assert_close(context.mean(entry, measure), mean, rtol=CLOSE, atol=CLOSE, what=what)
                    count += len(mine) + 1
        return count


ACTS: dict[str, tuple[float, Callable[[Walk], None]]] = {
    "judge": (5, Walk.judge),
    "move": (4, Walk.move),
    "insert": (1.5, Walk.insert),
    "drag": (0.7, Walk.drag),
    "look": (1, Walk.look),
    "undo": (1.6, Walk.look),
    "redo": (1.2, Walk.look),
}


def refused(ask: Callable[[], np.ndarray]) -> np.ndarray | None:
    """The values; None where the measure is refused."""
    try:
        return ask()
    except MeasureError:
        return None


def rows_of(qrels: Qrels) -> list[tuple[str, str, str, str, float]]:
    """(query, group, subgroup, document, grade) of every row that a file of these qrels has."""
    said, ids = qrels.assessments, qrels.doc_ids.to_pylist()
    query = group_of_each(qrels.offsets)
    if said is None:
        return [(qrels.query_ids[query[row]], "0", "", ids[row], float(qrels.grades[row])) for row in range(len(ids))]
    return [
        (qrels.query_ids[query[row]], said.names[code], "", ids[row], float(grade))
        for row, code, grade in zip(said.rows.tolist(), said.codes.tolist(), said.grades.tolist(), strict=True)
    ]


def again(qrels: Qrels) -> Qrels:
    """The qrels as a reader would make them of their rows; queries of which nothing is left stay."""
    rows = rows_of(qrels)
    codes = np.array([qrels.query_index[row[0]] for row in rows], dtype=np.int64)
    groups = None if qrels.assessments is None else strings([row[1] for row in rows])
    grades = np.array([row[4] for row in rows], dtype=np.float64)
    return Qrels.from_columns(qrels.query_ids, codes, strings([row[3] for row in rows]), grades, subtopics=groups)


def rebuilt(run: Run) -> Run:
    """The run as a reader would make it of its rows."""
    codes = np.repeat(np.arange(len(run.query_ids)), np.diff(run.offsets))
    rebuilt_run = Run.from_columns(run.query_ids, codes, run.doc_ids, np.array(run.scores))
    return replace(rebuilt_run, arrival=run.arrival)  # the order of ties in a file is not in the columns


def walk(seed: int, kind: str, steps: int, every: int, record: Record) -> None:
    new_walk = Walk(seed, kind)
    values, first = 0, new_walk.now
    for number in range(steps):
        new_walk.step()
        new_walk.ask(new_walk.dice.sample(MEASURES, 8))
        if number % every == every - 1:
            values += new_walk.check(MEASURES if number == steps - 1 else new_walk.dice.sample(MEASURES, 120))
    values += new_walk.check(MEASURES)
    record("steps done, undone and done again", new_walk.number)
    record("values that follow from edits equal fresh ones", values)
    new_walk.session.history.go_back(len(new_walk.done))
    assert new_walk.snapshot() == first


@pytest.mark.parametrize("kind", ["graded", "subtopics"])
def test_a_walk_of_edits_agrees_with_files_that_say_the_same(kind: str, record_property: Record) -> None:
    walk(1, kind, 40, 20, record_property)


@pytest.mark.fuzz
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", [11, 12])
def test_thousands_of_edits_agree_with_files_that_say_the_same(seed: int, kind: str, record_property: Record) -> None:
    walk(seed, kind, 150, 25, record_property)
