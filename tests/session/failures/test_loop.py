"""The failures of one run, query by query: order, filter, what was examined, tags; undone, saved, merged, exported."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest

from irviewer.commands import run_command
from irviewer.formats.project_file import read_project
from irviewer.model.failure_tags import FAILURE_TAGS, FailureTag, FailureTagError, failure_tags_of, random_order
from irviewer.rendering.table_files import save_tables
from irviewer.session.failures.loop import LETTERS, FailureLoopService
from irviewer.session.projects.merging import merge
from irviewer.session.session import Session
from irviewer.session.settings import Settings
from irviewer.session.view_models.failure_loop import FailureLoopViewModel
from irviewer.translation import use_decimal_comma
from tests.session.helpers import collection, named_collection, session_with


@pytest.fixture
def session() -> Session:
    """Three runs over twelve queries, in Failures."""
    new_session = session_with(collection(3, queries=12))
    new_session.judging.set_assessor("ada")
    shown(new_session)
    return new_session


def shown(session: Session) -> None:
    session.navigation.set_place("queries")
    session.navigation.set_tab("queries", "failures")
    session.failure_loop.begin()


def view(session: Session) -> FailureLoopViewModel:
    view_model = session.failure_loop.view_model()
    assert view_model is not None
    return view_model


def listed(session: Session) -> list[str]:
    view_model = view(session)
    return [view_model.query_id(row) for row in range(len(view_model.rows))]


def loop(session: Session) -> FailureLoopService:
    return session.failure_loop


def test_the_worst_query_comes_first_and_is_selected(session: Session) -> None:
    view_model = view(session)
    assert view_model.losses is not None
    ids = view_model.losses.query_ids
    by_hand = sorted(ids, key=lambda query: (-view_model.losses.total[ids.index(query)], query))  # type: ignore[union-attr]
    assert listed(session) == by_hand
    assert session.view.query_id == by_hand[0]
    assert view_model.query is not None
    assert view_model.query.query_id == by_hand[0]
    assert sum(view_model.query.parts) == pytest.approx(view_model.query.loss)
    session.navigation.step_query(1)
    assert session.view.query_id == by_hand[1]
    session.navigation.set_place("systems")
    shown(session)
    assert session.view.query_id == by_hand[1], "it begins once"


def test_nothing_noted_is_the_same_object_each_time(session: Session) -> None:
    assert failure_tags_of(session.view.collection) is failure_tags_of(session.view.collection)


def test_space_examines_and_goes_to_the_next_that_was_not(session: Session) -> None:
    order = listed(session)
    loop(session).examine()
    assert session.view.query_id == order[1]
    session.navigation.set_query(order[3])
    loop(session).examine()
    assert session.view.query_id == order[4]
    session.navigation.set_query(order[2])
    loop(session).examine()
    assert session.view.query_id == order[4], "the next one was examined"
    assert (view(session).examined, view(session).total) == (3, 12)
    session.navigation.set_query(order[-1])
    loop(session).examine()
    assert session.view.query_id == order[1], "from the end on at the beginning"
    while view(session).examined < 12:
        loop(session).examine()
    loop(session).examine()
    assert session.view.messages[-1].text == "Every query of the list is examined."


def test_a_key_gives_a_tag_and_takes_it_away(session: Session) -> None:
    first = session.view.query_id
    loop(session).press("1")
    assert session.view.messages[-1].text == "No tag has the key 1. Press + for a new tag."
    loop(session).add_tag(" wrong   entity ")
    assert loop(session).noted.tags == (FailureTag("1", "wrong entity"),)
    assert view(session).keys == {first: ("1",)}
    assert view(session).looks[first].who == "ada"
    assert view(session).looks[first].when.endswith("Z")
    loop(session).press("1")
    assert session.history.undo_label == f"tag wrong entity taken from query {first}"
    assert view(session).keys == {first: ()}
    assert first in view(session).looks, "it was examined all the same"
    assert run_command(session, "grade_1"), "digits are tags in this place"
    assert view(session).keys == {first: ("1",)}
    assert session.view.judgments is not None
    assert not session.view.judgments.overlay
    session.failures.show_every_run()
    assert not run_command(session, "grade_1")


def test_new_tags_take_digits_then_letters_that_no_command_has(session: Session) -> None:
    for number in range(9 + len(LETTERS) + 1):
        loop(session).add_tag(f"tag {number}")
    keys = [tag.key for tag in loop(session).noted.tags]
    assert keys == [*"123456789", *LETTERS, ""]
    assert run_command(session, f"failure_tag_{LETTERS[0]}")
    query = session.view.query_id
    assert "tag 9" not in view(session).looks[query].tags
    loop(session).remove_tag("tag 3")
    loop(session).add_tag("again")
    assert loop(session).noted.named("again") == FailureTag("4", "again")
    for wrong in ("", "  ", "x" * 81):
        with pytest.raises(FailureTagError):
            loop(session).add_tag(wrong)
    with pytest.raises(FailureTagError):
        loop(session).rename_tag("again", "TAG 0")
    loop(session).rename_tag("again", "Again")
    assert "Again" in view(session).looks[query].tags


def test_every_step_can_be_undone_and_done_again(session: Session) -> None:
    first = session.view.query_id
    steps = [
        lambda: loop(session).add_tag("one"), lambda: loop(session).examine(), lambda: loop(session).press("1"),
        lambda: loop(session).set_seed(7), lambda: loop(session).rename_tag("one", "two"),
        lambda: loop(session).forget(), lambda: loop(session).remove_tag("two"),
    ]  # fmt: skip
    states = [loop(session).noted]
    for step in steps:
        before = loop(session).noted
        step()
        if loop(session).noted != before:
            states.append(loop(session).noted)
    assert len(states) == 7, "to examine what has a tag moves only"
    for state in reversed(states[:-1]):
        assert session.history.undo()
        assert loop(session).noted == state
    for state in states[1:]:
        assert session.history.redo()
        assert loop(session).noted == state
    assert first in listed(session)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("tag:1", ["a"]), ("tag:one", ["a"]), ('tag:"and two"', ["a", "b"]), ("untagged examined", ["c"]),
        ("not looked", "rest"), ("not examined", "rest"), ("tag:9", []),
    ],
)  # fmt: skip
def test_the_filter_knows_tags_and_what_is_to_do(session: Session, text: str, kept: list[str] | str) -> None:
    order = listed(session)
    names = dict(zip("abc", order, strict=False))
    loop(session).add_tag("one")
    loop(session).add_tag("and two")
    session.navigation.set_query(names["b"])
    loop(session).press("2")
    session.navigation.set_query(names["c"])
    loop(session).examine()
    loop(session).set_filter(text)
    assert view(session).filter_error == ""
    assert listed(session) == (order[3:] if kept == "rest" else [names[name] for name in kept])
    loop(session).switch_filter(text)
    assert listed(session) == order


def test_the_filter_knows_causes_and_the_run(session: Session) -> None:
    view_model = view(session)
    assert view_model.losses is not None
    place = {query: number for number, query in enumerate(view_model.losses.query_ids)}
    order = listed(session)
    largest = view_model.losses.largest
    loop(session).set_filter("cause:order")
    assert listed(session) == [query for query in order if largest[place[query]] == 2]
    for text in ("cause:median", 'cause:"worse than the median"'):
        loop(session).set_filter(text)
        assert listed(session) == [query for query in order if view_model.signs[5, place[query]]]
    assert view_model.run is not None
    loop(session).set_filter(f"run:{view_model.run.name[:3]}")
    assert listed(session) == order
    loop(session).set_filter("run:nobody")
    assert listed(session) == []
    loop(session).set_filter("cause:nothing_of_this_name")
    assert "there is no cause" in view(session).filter_error
    assert listed(session) == order
    loop(session).set_filter("loss > .2")
    assert listed(session) == [query for query in order if view_model.losses.total[place[query]] > 0.2]


def test_a_query_that_leaves_the_filtered_list_keeps_its_place(session: Session) -> None:
    order = listed(session)
    loop(session).set_filter("untagged")
    session.navigation.set_query(order[2])
    loop(session).add_tag("one")
    assert order[2] not in listed(session)
    assert view(session).query is not None
    session.navigation.step_query(1)
    assert session.view.query_id == order[3]


def test_tags_are_of_a_run_and_a_query(session: Session) -> None:
    query = session.view.query_id
    loop(session).add_tag("one")
    other = next(label.key for label in session.view.labels() if not label.baseline and label.key != session.view.focus)
    session.failures.examine_run(other)
    assert view(session).looks == {}
    assert [tag.name for tag in view(session).all_tags] == ["one"]
    base = next(label.key for label in session.view.labels() if label.baseline)
    session.failures.examine_run(base)
    assert view(session).run is not None
    assert view(session).run.key == base  # type: ignore[union-attr]
    assert session.view.baseline == base
    assert (other, query) not in loop(session).noted.looks


def test_the_random_order_gives_intervals_for_all_queries() -> None:
    session = session_with(collection(2, queries=40))
    shown(session)
    loop(session).set_order("random")
    view_model = view(session)
    assert view_model.losses is not None
    ids = view_model.losses.query_ids
    order = [ids[place] for place in random_order(ids, 42)]
    assert listed(session) == order
    assert session.view.query_id == order[0]
    loop(session).add_tag("one")
    for number in range(12):
        if number % 3 == 0:
            loop(session).switch_tag("one") if number else None
        loop(session).examine()
    summary = view(session).summary
    assert summary is not None
    assert (summary.looked, summary.sample) == (12, 12)
    tag = summary.cause("tag", "one")
    assert tag is not None
    assert tag.queries == 4
    assert 0 <= tag.low <= tag.share <= tag.high <= 1
    loop(session).set_seed(43)
    assert view(session).summary.sample == 0  # type: ignore[union-attr]
    assert listed(session) != order
    session.close()


@pytest.fixture
def project(tmp_path: Path, small: Path) -> Path:
    """A project of a small collection with a run."""
    for name in ("small.qrels", "first.run"):
        (tmp_path / name).write_bytes((small / "projects" / name).read_bytes())
    session = Session(Settings())
    session.files.open_files([str(tmp_path / "small.qrels"), str(tmp_path / "first.run")])
    session.autosave.save_project(str(tmp_path / "p.irviewer"))
    session.close()
    return tmp_path / "p.irviewer"


def opened(project: Path, who: str) -> Session:
    settings = Settings()
    settings["assessor"] = who
    session = Session(settings)
    session.projects.open_project(str(project))
    shown(session)
    return session


def test_tags_are_in_the_project_when_it_is_opened_again(project: Path) -> None:
    session = opened(project, "ada")
    session.failure_loop.add_tag("wrong “entity”, twice")
    session.failure_loop.set_seed(7)
    session.failure_loop.examine()
    noted = session.failure_loop.noted
    assert session.autosave.save_status == "saved", "each step is saved"
    again = opened(project, "bob")
    assert again.failure_loop.noted == noted
    session.close()
    again.close()
    (stored,) = read_project(project)["collections"]
    assert stored[FAILURE_TAGS]["seed"] == 7
    damaged = json.loads(project.read_text())
    damaged["collections"][0][FAILURE_TAGS]["examined"].append(["no run", 5])
    project.write_text(json.dumps(damaged))
    after = opened(project, "cyd")
    assert after.failure_loop.noted.looks == noted.looks, "what is damaged is left out"
    after.close()


def test_two_windows_keep_the_tags_of_both(project: Path) -> None:
    first, other = opened(project, "ada"), opened(project, "bob")
    query = first.view.query_id
    assert other.view.query_id == query
    first.failure_loop.add_tag("of ada")
    other.failure_loop.add_tag("of bob")
    other.failure_loop.examine()
    first.failure_loop.examine()
    assert first.failure_loop.noted.looks[0, query].tags == other.failure_loop.noted.looks[0, query].tags
    assert set(first.failure_loop.noted.looks[0, query].tags) == {"of ada", "of bob"}
    keys = {tag.name: tag.key for tag in first.failure_loop.noted.tags}
    assert keys == {"of ada": "1", "of bob": "2"}, "two new tags take two keys"
    first.history.undo()
    first.close()
    other.close()


def section(*rows: object, tags: object = (("1", "one"),)) -> dict[str, object]:
    runs = [{"key": 0, "name": "a", "file": "a.run"}]
    noted = {"tags": [list(tag) for tag in tags], "examined": list(rows)}  # type: ignore[attr-defined]
    return {"collections": [{"id": "c", "name": "c", "runs": runs, FAILURE_TAGS: noted}]}


def test_of_two_looks_the_tags_of_both_are_kept_but_those_taken_away() -> None:
    base = section([0, "1", ["one", "x"], None, "ada", "2026-01-01"], [0, "2", ["one"], None, "ada", "2026-01-01"])
    mine = section([0, "1", ["one"], None, "ada", "2026-01-02"], [0, "2", ["one"], None, "ada", "2026-01-01"])
    theirs = section([0, "1", ["one", "x", "y"], 42, "bob", "2026-01-03"], tags=(("1", "one"), ("2", "y")))
    (merged,) = merge(base, mine, theirs).sections["collections"]
    assert merged[FAILURE_TAGS]["examined"] == [[0, "1", ["one", "y"], 42, "bob", "2026-01-03"]]
    assert merged[FAILURE_TAGS]["tags"] == [["1", "one"], ["2", "y"]]
    assert merge(base, base, theirs).news == ("tag y", "1 examined failure")


def test_the_exported_table_has_query_run_loss_causes_and_tags(session: Session, tmp_path: Path) -> None:
    assert loop(session).tags_later() is None
    query = session.view.query_id
    loop(session).add_tag("one")
    other = next(label.key for label in session.view.labels() if not label.baseline and label.key != session.view.focus)
    session.failures.examine_run(other)
    loop(session).examine()
    later = loop(session).tags_later()
    assert later is not None
    (table,) = later()
    save_tables(str(tmp_path / "tags.csv"), (table,))
    rows = list(csv.DictReader((tmp_path / "tags.csv").read_text(encoding="utf-8").splitlines()))
    names = [label.whole_name for label in session.view.labels()]
    assert {(row["run"], row["tags"]) for row in rows} == {(names[2], "one"), (names[1], "")}
    assert query in {row["query"] for row in rows if row["tags"]}
    assert all(float(row["loss"]) > 0 for row in rows)
    parts = [float(rows[0][part]) for part in ("not_retrieved", "too_low", "order")]
    assert np.isclose(float(rows[0]["loss"]), sum(parts))


def test_the_list_is_kept_as_a_query_set(session: Session) -> None:
    loop(session).add_tag("one")
    query = session.view.query_id
    loop(session).set_filter("tag:one")
    name = loop(session).keep_set("", session.query_sets)
    assert name == "tag:one"
    (kept,) = session.query_sets.every
    assert kept.query_ids == frozenset({query})
    session.query_sets.set_query_set(name)
    loop(session).set_filter("")
    assert listed(session) == [query]


def test_nothing_open_and_one_run_and_no_judgments() -> None:
    assert Session().failure_loop.view_model() is None
    alone = session_with(collection(1, queries=3))
    shown(alone)
    assert view(alone).run is not None
    assert view(alone).baseline is None or view(alone).run.key == view(alone).baseline.key  # type: ignore[union-attr]
    assert len(listed(alone)) == 3
    loop(alone).examine()
    assert view(alone).examined == 1
    alone.close()


def test_words_of_a_query_keep_their_commas_and_name_runs_as_the_window_does() -> None:
    use_decimal_comma(True)
    try:
        session = session_with(named_collection("results_{}_run", 3, 12))
        session.runs.set_baseline(session.view.labels()[-1].key)
        session.runs.set_focus(session.view.labels()[0].key)
        shown(session)
        query = view(session).query
        assert query is not None
        assert query.below == "2 relevant documents exist · 0 in its top 10, 1 below · gamma has one at rank 6"
        (worse,) = (row.words for row in query.signs if row.name == "baseline")
        assert worse.endswith(" against gamma")
        session.close()
    finally:
        use_decimal_comma(False)
