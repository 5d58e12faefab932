"""Textbook mode: running values as the sources print them, guesses, what every example bids one do, sets by hand."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from irviewer.commands import run_command
from irviewer.errors import IrviewerError
from irviewer.formats.lessons.course_folder import bundled_course
from irviewer.formats.lessons.lesson_file import parse_lesson
from irviewer.model.lessons.lesson import Lesson, Step
from irviewer.session.session import Session
from irviewer.session.settings import Settings
from irviewer.session.teaching.actions import guess_text
from irviewer.session.teaching.typed_values import inline_ranking_values

LESSONS = bundled_course("").lessons


def changes_a_value(item: object) -> bool:
    """Whether an item is a step that does more than to show something."""
    return isinstance(item, Step) and any(action.verb != "cutoff" for action in item.actions)


WITH_STEPS = [lesson for lesson in LESSONS if any(map(changes_a_value, lesson.items))]


def opened(name: str) -> Session:
    session = Session()
    assert session.teaching.open_example(name)
    return session


def at_first_step(name: str) -> Session:
    session = opened(name)
    lesson = session.lessons.lesson
    assert lesson is not None
    first = next(place for place, item in enumerate(lesson.items, start=1) if isinstance(item, Step))
    assert session.lessons.show_place(first)
    return session


@pytest.mark.parametrize(("name", "measure"), [("b1", "P"), ("b1", "R"), ("g1", "DCG"), ("g6", "DCG")])
def test_running_values_are_the_printed_ones(name: str, measure: str) -> None:
    session = opened(name)
    session.evaluation.set_measure(f"{measure}@10")
    lesson = session.lessons.lesson
    assert lesson is not None
    printed = {figure.measure: figure.value for figure in lesson.figures}
    view_model = session.teaching.lesson_view_model()
    assert view_model is not None
    assert len(view_model.steps) == 10
    for step in view_model.steps:
        assert step.value == pytest.approx(printed[f"{measure}@{step.rank}"], abs=0.00501), step


def test_average_precision_by_hand() -> None:
    view_model = opened("b2").teaching.lesson_view_model()
    assert view_model is not None
    # Precision at each relevant rank, summed, over R = 10.
    total, expected = 0.0, []
    relevant = [1, 3, 4, 5, 6, 7, 9, 11, 14, 20]
    for rank in range(1, 21):
        if rank in relevant:
            total += (relevant.index(rank) + 1) / rank
        expected.append(total / 10)
    assert [step.value for step in view_model.steps] == pytest.approx(expected)
    assert view_model.full_recall == 20
    assert (view_model.found, view_model.relevant) == (10, 10)


def test_a_measure_without_a_cutoff_is_of_the_list_so_far() -> None:
    view_model = opened("b10").teaching.lesson_view_model()  # SetP of 0 1 0 1 0
    assert view_model is not None
    assert [step.value for step in view_model.steps] == pytest.approx([0, 1 / 2, 1 / 3, 2 / 4, 2 / 5])
    assert view_model.full_recall == 0
    assert (view_model.found, view_model.relevant) == (2, 10)


def test_an_expression_has_running_values() -> None:
    session = opened("b10")
    session.evaluation.set_measure("(P@5 + R@5) / 2")
    view_model = session.teaching.lesson_view_model()
    assert view_model is not None
    assert [step.value for step in view_model.steps] == pytest.approx(
        [0, (1 / 5 + 0.1) / 2, (1 / 5 + 0.1) / 2, (2 / 5 + 0.2) / 2, (2 / 5 + 0.2) / 2]
    )


def test_the_sets_follow_the_cutoff() -> None:
    session = opened("b1")
    session.evaluation.set_cutoff(5)
    view_model = session.teaching.lesson_view_model()
    assert view_model is not None
    sets = view_model.sets
    assert (len(sets.both), len(sets.retrieved_only), len(sets.relevant_only)) == (4, 1, 16)
    assert sets.precision == pytest.approx(0.8)
    assert sets.recall == pytest.approx(0.2)
    assert view_model.trail[4].tolist() == pytest.approx([0.2, 0.8])


class TestGuessing:
    def test_right_wrong_and_no_number(self) -> None:
        session = opened("b1")
        assert session.teaching.revealed == 0
        assert session.teaching.guess("1")
        assert session.teaching.lesson.feedback == "Rank 1: right, 1.0000."
        assert session.teaching.revealed == 1
        assert not session.teaching.guess("0.7")
        assert "It is 0.5000; 0.7 is 0.2000 too high." in session.teaching.lesson.feedback
        assert session.teaching.revealed == 2
        assert not session.teaching.guess("many")
        assert "not a number" in session.teaching.lesson.feedback
        assert session.teaching.revealed == 2
        assert session.teaching.guess("2/3")
        assert session.teaching.guess("75 %")
        assert session.teaching.guess("0,8")
        assert session.teaching.revealed == 5

    def test_two_decimals_are_enough_and_no_more_than_that(self) -> None:
        assert guess_text(0.67, 2 / 3) == ("right to two decimals: 0.6667.", True)
        assert guess_text(0.66, 2 / 3)[1] is False
        assert guess_text(0.5, math.nan) == ("there is no value here.", False)

    def test_revealing_ends_at_both_ends(self) -> None:
        session = opened("b10")
        assert not session.teaching.reveal(-1)
        assert session.teaching.reveal(99)
        assert session.teaching.revealed == 5
        assert not session.teaching.reveal(1)
        assert not session.teaching.guess("1")
        assert session.teaching.reveal(-1)
        assert session.teaching.revealed == 4

    def test_other_values_are_hidden_anew(self) -> None:
        session = opened("b2")
        session.teaching.reveal(7)
        session.evaluation.set_measure("P@10")
        assert session.teaching.revealed == 0
        session.evaluation.set_measure("AP")
        assert session.teaching.revealed == 7
        session.teaching.do_example_step()
        assert session.teaching.revealed == 0


@pytest.mark.parametrize("lesson", WITH_STEPS, ids=lambda lesson: lesson.id)
def test_every_step_can_be_tried_and_begun_again(lesson: Lesson) -> None:
    session = opened(lesson.id)
    place = next(place for place, item in enumerate(lesson.items, start=1) if changes_a_value(item))
    session.lessons.show_place(place)
    first = session.teaching.lesson_value()
    assert session.teaching.do_example_step(), lesson.items[place - 1].title
    assert session.teaching.lesson.before == first
    assert session.teaching.lesson_value() != first
    assert session.teaching.restart_example()
    assert session.teaching.lesson.before is None
    session.lessons.show_place(place)
    assert session.teaching.lesson_value() == first
    assert len(session.view.workspace.collections) == 1


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("b1", 0.8), ("b2", 0.78884), ("b4", 0.76523), ("b6", 0.6), ("b8", 2 / 3), ("b12", 1 / 3),
        ("g1", 10.17252), ("g2", 11.17252), ("g4", 0.95407),
        ("b9", (1 + 1 + 1 + 4 / 6 + 5 / 9) / 10),  # ranks 1 2 3 6 9 relevant
    ],
)  # fmt: skip
def test_what_is_tried_has_the_value_that_the_source_prints(name: str, wanted: float) -> None:
    session = at_first_step(name)
    assert session.teaching.do_example_step()
    shown = session.teaching.lesson_value()
    assert shown is not None
    assert shown[1] == pytest.approx(wanted, abs=5.1e-6)


def test_undo_takes_a_swap_back() -> None:
    session = opened("b2")
    session.teaching.do_example_step()
    session.history.undo()
    shown = session.teaching.lesson_value()
    assert shown is not None
    assert shown[1] == pytest.approx(0.75551, abs=5e-6)


def test_textbook_mode_is_entered_and_left() -> None:
    session = Session()
    assert not session.teaching.is_on
    assert session.teaching.lesson_view_model() is None
    assert not session.teaching.do_example_step()
    session.teaching.open_inline_ranking("1 0 1 | R=3")
    assert session.teaching.is_on
    assert session.teaching.example_step is None
    assert not session.teaching.restart_example()
    session.teaching.set_lesson_view("sets")
    with pytest.raises(IrviewerError, match="steps, sets, f"):
        session.teaching.set_lesson_view("g")
    session.teaching.set_teaching(False)
    assert session.teaching.lesson_view_model() is None
    assert run_command(session, "teaching")
    assert session.teaching.is_on


@pytest.mark.parametrize(
    ("name", "relevant", "retrieved", "level"), [("g8", 4, 3, 3), ("g7", 11, 4, 2), ("b1", 20, 7, 1)]
)
def test_sets_and_recall_are_of_the_level_that_the_lesson_speaks_of(
    name: str, relevant: int, retrieved: int, level: float
) -> None:
    session = opened(name)
    view_model = session.teaching.lesson_view_model()
    assert view_model is not None
    assert (view_model.relevant, view_model.found, view_model.level) == (relevant, retrieved, level)
    sets = view_model.sets
    assert (len(sets.both), len(sets.both) + len(sets.relevant_only)) == (retrieved, relevant)
    n = len(sets.both) + len(sets.retrieved_only)
    assert (sets.precision, sets.recall) == (pytest.approx(retrieved / n), pytest.approx(retrieved / relevant))
    assert view_model.trail[-1].tolist() == pytest.approx([retrieved / relevant, retrieved / len(view_model.trail)])
    places = session.view.context.query_index  # type: ignore[union-attr]
    assert session.view.level == level
    assert session.view.context.relevant[places[session.view.query_id]] == relevant  # type: ignore[union-attr]
    of = f" Relevant: grade {level} or higher." if name != "b1" else ""
    assert view_model.told == f"{retrieved} of {relevant} relevant documents are in the list.{of}"


def test_the_picture_of_a_measure_with_a_level_has_the_measures_values() -> None:
    session = opened("g8")  # 5 2 4 1 3 of 5 5 4 3 2 2 1
    for level, both, relevant in ((1, 5, 7), (2, 4, 6), (3, 3, 4), (4, 2, 3), (5, 1, 2)):
        session.evaluation.set_measure(f"P(rel={level})@5")
        view_model = session.teaching.lesson_view_model()
        assert view_model is not None
        assert (len(view_model.sets.both), view_model.relevant) == (both, relevant)
        assert view_model.value == pytest.approx(view_model.sets.precision)
    session.evaluation.set_measure("nDCG@5")
    session.protocol.set(level=4)
    assert session.teaching.lesson_view_model().relevant == 3  # type: ignore[union-attr]


def test_before_and_after_are_of_one_measure() -> None:
    session = at_first_step("g6")
    session.teaching.do_example_step()
    before, after = session.teaching.lesson.before, session.teaching.lesson_value()
    assert before is not None
    assert after is not None
    assert before[0] == after[0] == "nDCG@10"
    assert before[1] < 0.95 <= after[1]


def test_fewest_swaps_are_known_for_the_current_step_of_a_lesson() -> None:
    session = opened("g6")
    key = session.run_editing.edit_copy(session.view.collection.runs[0].key)  # type: ignore[union-attr]
    assert key is not None
    swaps = session.run_editing.fewest_swaps_for(key, 10.0)
    assert swaps is not None
    assert swaps.reached
    assert swaps.before == pytest.approx(9.605, abs=1e-3)
    session.run_editing.set_list(key, swaps.order, "as found")
    assert session.teaching.lesson_value()[1] == pytest.approx(swaps.value)  # type: ignore[index]
    assert swaps.value >= 10


def test_options_of_lessons_stay_theirs() -> None:
    settings = Settings()
    session = Session(settings)
    session.files.open_sample("cranfield")
    session.evaluation.set_measure("P@5")
    session.teaching.open_example("g8")
    session.teaching.do_example_step()
    session.evaluation.set_measure("RR")
    session.protocol.set(level=3)
    session.teaching.open_example("b1")
    assert session.view.level == 1
    session.teaching.open_example("g8")
    assert session.view.level == 3
    session.teaching.open_inline_ranking("2 0 1")
    assert session.view.level == 1
    session.evaluation.set_measure("DCG")
    assert settings["measure"] == "P@5"
    assert str(Session(settings).view.measure) == "P@5"
    session.files.open_sample("trec")
    assert session.lessons.lesson is None
    assert (str(session.view.measure), session.view.cutoff, session.view.level) == ("P@5", 5, 1)
    session.evaluation.set_measure("AP")
    assert settings["measure"] == "AP"


def test_values_while_typing() -> None:
    inline_values = inline_ranking_values("1 0 1 1 0 | R=10")
    values = dict(zip(inline_values.measures, inline_values.rows[0][1], strict=True))
    assert values["P@5"] == pytest.approx(0.6)
    assert values["R@5"] == pytest.approx(0.3)
    assert values["AP"] == pytest.approx((1 + 2 / 3 + 3 / 4) / 10)
    ideal = sum(1 / math.log2(max(rank, 2)) for rank in range(1, 11))  # as lectures have it
    assert values["nDCG"] == pytest.approx((1 + 1 / math.log2(3) + 1 / 2) / ideal)
    inline_values = inline_ranking_values("1 0 1 1 0 | R=10", "trec_eval")
    ideal = sum(1 / math.log2(rank + 1) for rank in range(1, 11))
    values = dict(zip(inline_values.measures, inline_values.rows[0][1], strict=True))
    assert values["nDCG"] == pytest.approx((1 + 1 / 2 + 1 / math.log2(5)) / ideal)
    graded = inline_ranking_values("a: 2 0 1; b: 0 1 2")
    assert "DCG" in graded.measures
    assert [name for name, _ in graded.rows] == ["a", "b"]
    with pytest.raises(IrviewerError, match="not a grade"):
        inline_ranking_values("1 x")


def test_queries_that_rules_leave_out_have_no_values() -> None:
    """gdeval leaves out queries without relevant documents: 2 here."""
    inline_values = inline_ranking_values("1 0\n0 0\n0 1", "gdeval")
    assert inline_values.queries == ("1", "3")
    assert len(inline_values.by_query[0]) == 2
    assert inline_ranking_values("0 0", "gdeval").queries == ()


class TestComingBack:
    def test_every_lesson_has_its_own_measure_and_state(self) -> None:
        session = opened("b2")
        assert session.teaching.do_example_step()
        session.teaching.reveal(3)
        session.teaching.guess("0.99")
        left = session.teaching.lesson
        assert left.before is not None
        assert left.feedback
        session.teaching.open_example("g6")
        measure, cutoff = str(session.view.measure), session.view.cutoff
        assert (session.teaching.revealed, session.teaching.lesson.feedback, session.teaching.lesson.before) == (
            0,
            "",
            None,
        )
        session.teaching.reveal(2)
        session.protocol.set(level=2)
        session.teaching.set_lesson_view("sets")
        session.files.set_collection(0)
        assert str(session.view.measure) == "AP"
        assert session.teaching.lesson == left
        assert session.view.level == 1
        session.files.set_collection(1)
        assert (str(session.view.measure), session.view.cutoff, session.view.level) == (measure, cutoff, 2)
        assert (session.teaching.revealed, session.teaching.lesson.view) == (2, "sets")

    def test_work_is_shown_as_before_and_the_lesson_too(self) -> None:
        session = Session()
        session.teaching.open_inline_ranking("1 0 1", "work")
        assert session.view.collection is not None
        notes = {"named": True}  # as files have it
        session.store.apply(session.state.with_collection(replace(session.view.collection, notes=notes)))
        session.evaluation.set_measure("P@2")
        session.teaching.set_teaching(False)
        session.teaching.open_example("b2")
        session.teaching.do_example_step()
        for _ in range(2):
            session.files.set_collection(0)
            assert (str(session.view.measure), session.view.cutoff) == ("P@2", 2)
            session.files.set_collection(1)
            assert str(session.view.measure) == "AP"
            assert session.teaching.lesson.before == ("AP", pytest.approx(0.7555, abs=5e-5))

    def test_a_measure_chosen_in_a_lesson_is_found_again(self) -> None:
        session = opened("b2")
        session.evaluation.set_measure("P@7")
        session.teaching.open_example("b1")
        session.files.set_collection(0)
        assert (str(session.view.measure), session.view.cutoff) == ("P@7", 7)

    def test_closing_an_earlier_collection_leaves_what_is_in_view(self) -> None:
        session = opened("b1")
        session.teaching.open_example("b2")
        session.teaching.reveal(4)
        session.teaching.do_example_step()
        lesson = session.teaching.lesson
        session.files.close_collection(0)
        assert session.lessons.lesson == session.lessons.named("b2")
        assert session.teaching.lesson == lesson
        assert str(session.view.measure) == "AP"

    def test_begun_again_nothing_is_remembered(self) -> None:
        session = opened("b2")
        session.teaching.do_example_step()
        session.teaching.open_example("b1")
        session.files.set_collection(0)
        assert session.teaching.restart_example()
        assert session.teaching.lesson.before is None
        assert session.teaching.revealed == 0


class TestBeforeAndAfter:
    """What a step shows as its effect is of the ranking that it changed, and only if it changed it."""

    TWO = "---\ntitle: T\nmeasure: RR\nrankings:\n  a: 0 1 0\n  b: 0 0 1\n---\n{steps}"

    def at(self, text: str, place: int = 1) -> Session:
        session = Session()
        session.teaching.open(parse_lesson(self.TWO.format(steps=text)))
        assert session.lessons.show_place(place)
        return session

    def change(self, session: Session) -> tuple[float, float]:
        change = session.teaching.step_change()
        assert change is not None
        assert change.name == change.name_after
        return change.before, change.after

    def test_before_is_of_the_ranking_that_the_step_changes(self) -> None:
        session = opened("b5")
        session.lessons.show_place(3)
        session.teaching.do_example_step()
        relevant_before, relevant_after = range(11, 21), [1, *range(12, 21)]
        assert self.change(session) == pytest.approx(
            tuple(sum(n / rank for n, rank in enumerate(ranks, 1)) / 10 for ranks in (relevant_before, relevant_after))
        )
        session.history.undo()
        before, after = self.change(session)
        assert before == after == pytest.approx(0.3312, abs=5e-5)

    def test_each_step_changes_its_own_ranking_whatever_was_changed_before(self) -> None:
        text = "## Step: S\ndo: move 3 1 in b\n## Step: T\ndo: swap 1 2\n## Step: U\ndo: swap 1 3 in b\n"
        session = self.at(text)
        assert session.teaching.do_example_step()
        assert self.change(session) == pytest.approx((1 / 3, 1))
        assert session.teaching.go()
        assert session.teaching.do_example_step()  # "the first ranking" is not the copy of the step before
        assert self.change(session) == pytest.approx((1 / 2, 1))
        assert session.teaching.go()
        assert session.teaching.do_example_step()  # not in the copy of the first step
        assert self.change(session) == pytest.approx((1 / 3, 1))
        assert [run.name for run in session.view.collection.runs] == ["a", "b", "b (edited)"]  # type: ignore[union-attr]

    @pytest.mark.parametrize(
        ("actions", "said"),
        [
            ("swap 1 9", "There is no rank 9: the list has only 3 ranks."),
            ("swap 1 2\n  move 9 1", "There is no rank 9: the list has only 3 ranks."),
            ("up 8 in b", "There is no rank 8: the list has only 3 ranks."),
            ("measure P@1\n  judge 7 1", "There is no rank 7: the list has only 3 ranks."),
            ("insert missed 1", "Every relevant document is in the list already."),
            ("swap 2 2", ""),
            ("cut 3", ""),
        ],
    )
    def test_a_step_that_fails_changes_nothing_and_shows_no_change(self, actions: str, said: str) -> None:
        session = self.at(f"## Step: S\ndo:\n  {actions}\n")
        collection, measure = session.view.collection, session.view.measure
        assert not session.teaching.do_example_step()
        assert session.teaching.step_change() is None
        assert session.view.collection is collection
        assert session.view.measure == measure
        assert not session.history.undo_label
        assert [message.text for message in session.view.messages] == ([said] if said else [])

    def test_a_failure_leaves_what_was_done_before_it(self) -> None:
        session = self.at("## Step: S\ndo: swap 1 9\n")
        copy = session.run_editing.edit_copy(session.view.collection.runs[0].key)  # type: ignore[union-attr]
        assert copy is not None
        assert session.run_editing.swap_ranks(copy, 1, 2)
        moved = session.view.collection
        assert not session.teaching.do_example_step()
        assert session.view.collection is moved

    def test_done_twice_a_step_has_the_effect_of_once(self) -> None:
        for action, after in (("up 2", 1), ("swap 1 2", 1), ("move 2 3", 1 / 3)):
            session = self.at(f"## Step: S\ndo: {action}\n")
            for _ in range(2):
                assert session.teaching.do_example_step()
                assert self.change(session) == pytest.approx((1 / 2, after))

    def test_a_list_is_put_back_that_cannot_be_undone_as_something_else_was_changed_meanwhile(self) -> None:
        session = self.at("## Step: S\ndo: swap 1 2\n## Step: T\ndo: judge 1 1\n")
        assert session.teaching.do_example_step()
        session.teaching.open_inline_ranking("0 1", "other")
        assert session.judging.judge("A", 1)
        session.files.set_collection(0)
        assert session.run_editing.edited_run is not None
        assert session.teaching.go()
        assert session.run_editing.edited_run is None
        assert session.teaching.do_example_step()
        assert session.teaching.go(-1)
        session.files.set_collection(1)
        assert session.history.has_step_here()  # the user's own work stays

    def test_what_was_noted_stays_when_lists_are_put_back(self) -> None:
        session = self.at("## Step: S\ndo: swap 1 2\n## Step: T\ndo: judge 1 1\n")
        assert session.teaching.do_example_step()
        session.notes.set_note("query", session.view.query_id, "why not 1/2?")
        session.notes.set_tags("document", "A", ["odd"])
        assert session.teaching.go()
        for again in (False, True):
            assert (session.run_editing.edited_run is not None) is again
            assert session.notes.note("query", session.view.query_id).text == "why not 1/2?"
            assert session.notes.note("document", "A").tags == ("odd",)
            while session.history.redo():
                pass

    def test_a_printed_value_of_a_changed_ranking_is_of_its_copy(self) -> None:
        session = self.at("## Step: S\ndo: move 3 1 in b\ncomputed: RR of b = 1\n")
        session.teaching.do_example_step()
        assert session.teaching.figure_value() == 1
