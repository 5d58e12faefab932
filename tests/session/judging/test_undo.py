"""One history: whatever the user does to data is a named step, exact back and forth, in any order of acts."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from irviewer.measures.parser import parse_measure
from irviewer.model.failure_tags import FailureTagError, failure_tags_of
from irviewer.model.judgments.judgment_set import ORIGINS, JudgeFacts
from irviewer.model.judgments.overlay import Judgment, JudgmentOverlay
from irviewer.model.query_sets import make_weights
from irviewer.model.rankings.fusion import Fusion
from irviewer.model.workspace import NO_LIST, Regime, new_identity
from irviewer.session.judging.merging import Incoming
from irviewer.session.notes.changes import notes_of
from irviewer.session.projects import runs
from irviewer.session.session import Session
from irviewer.session.settings import Settings
from tests.session.helpers import collection, session_with

WORDS = ("", "because", "later", "wrong?")
TAGS = ((), ("hard",), ("hard", "odd"))
Act = Callable[[Session, random.Random], object]


def users_work(session: Session) -> Any:
    """Everything that the user made, as plain values, order and all; and the rankings and grades that follow."""
    return session.state.protocol, [
        (
            chosen.scope,
            opened.name,
            [
                (entry.key, entry.name, entry.colour, entry.family, entry.edited and list(entry.edited.lists.items()),
                 {query: entry.run.ranking(query) for query in entry.run.query_ids})
                for entry in opened.runs
            ],
            [
                (judged.name, judged.regime, judged.chosen, judged.facts, judged.widened, list(judged.overlay),
                 {query: judged.qrels.judgments(query) for query in judged.qrels.query_ids})
                for judged in opened.judgments
            ],
            opened.query_sets,
            None if opened.weights is None else (opened.weights.how, dict(opened.weights.values)),
            list(notes_of(opened).rows()),
            (opened.stages, list(opened.systems.items()), opened.answer_list),
            (failure_tags_of(opened).tags, list(failure_tags_of(opened).looks.items()), failure_tags_of(opened).seed),
        )
        for opened, chosen in zip(session.view.workspace.collections, session.state.choices, strict=True)
    ]  # fmt: skip


def _key(session: Session, dice: random.Random) -> int:
    runs = () if session.view.collection is None else session.view.collection.runs
    return dice.choice(runs).key if runs else -1


def _query(session: Session, dice: random.Random) -> str:
    return str(dice.randint(1, 5))


def _document(session: Session, dice: random.Random) -> str:
    query = _query(session, dice)
    return dice.choice((f"x{query}-{dice.randint(0, 9)}", f"d{query}", f"e{query}", "never seen"))


def _copy(session: Session, dice: random.Random) -> None:
    session.run_editing.edit_copy(_key(session, dice))


def _edit(session: Session, dice: random.Random) -> None:
    key = session.run_editing.edited_run
    if key is None or session.view.collection is None:
        return
    entry = session.view.collection.run(key)
    assert entry is not None
    ids = entry.run.ranking(session.view.query_id)
    if not ids:
        return
    what = dice.randrange(5)
    if what == 0:
        session.run_editing.move_document(key, dice.choice(ids), dice.randint(1, 9), going_on=dice.random() < 0.5)
    elif what == 1:
        session.run_editing.remove_document(key, dice.choice(ids))
    elif what == 2:
        session.run_editing.insert_document(key, _document(session, dice), dice.randint(1, 9))
    elif what == 3:
        session.run_editing.reset_list(key)
    else:
        session.run_editing.swap_documents(key, dice.choice(ids), dice.choice(ids))


def _fuse(session: Session, dice: random.Random) -> None:
    keys = [] if session.view.collection is None else [entry.key for entry in session.view.collection.runs]
    if 2 <= len(keys) <= 8:
        session.fusion.fuse_runs(dice.sample(keys, 2), Fusion())


def _lay(session: Session, dice: random.Random) -> None:
    session.judging.apply_judgments(
        JudgmentOverlay.of(
            Judgment(_query(session, dice), _document(session, dice), float(dice.randint(0, 3)), "Ada")
            for _ in range(dice.randint(1, 30))
        )
    )


def _own_set(session: Session, dice: random.Random) -> None:
    """Judgments in force saved as a set of their own, as the file that was just written is taken up."""
    collection = session.view.collection
    if session.view.judgments is not None and collection is not None and len(collection.judgments) < 5:
        qrels = replace(session.view.judgments.qrels, origin=f"/nowhere/{len(session.state.history)}.qrels")
        session.judging._take_set(collection.identity, qrels, session.view.judgments.regime)


def _judges(session: Session, dice: random.Random) -> None:
    """A judge gets another name and other facts, or goes if another stays."""
    number = dice.randrange(max(1, len(session.judges.sets)))
    if len(session.judges.sets) > 1 and dice.random() < 0.3:
        session.judges.remove(number)
        return
    name, facts = dice.choice(("NIST", "UMBRELA")), JudgeFacts(dice.choice(ORIGINS), dice.choice(("", "GPT-4")))
    if session.judges.sets and not session.judges.trouble_of(number, name):
        session.judges.describe(number, name, facts)


def _merge_judges(session: Session, dice: random.Random) -> None:
    """Two judges become a third; a judge that is alone gets another first."""
    sets = session.judges.sets
    if len(sets) == 1:
        session.judges.add(replace(sets[0], identity=new_identity()).renamed("another"), "another judge")
    elif 2 <= len(sets) < 5 and len({judgments.name for judgments in sets}) == len(sets):
        session.judges.merge([0, 1], dice.choice(("majority", "median", "mean", "fill")), "lower")


def _close(session: Session, dice: random.Random) -> None:
    """Close a collection in which something was made: another is gone without a step, for its files are there."""
    number = dice.randint(0, 1)
    collections = session.view.workspace.collections
    if len(collections) > 1 and dice.random() < 0.1 and session.history.has_steps(collections[number]):
        session.files.close_collection(number)


def _receive(session: Session, dice: random.Random) -> None:
    """A colleague's patch, and one of the ways out of what contradicts."""
    collection = session.view.collection
    if collection is None or not collection.judgments:
        return
    said = tuple(
        Judgment(
            _query(session, dice), _document(session, dice), dice.choice((None, 0.0, 1.0, 2.0)), "Grace", "2026-01-02"
        )
        for _ in range(dice.randint(1, 9))
    )
    session.judging.receive(
        Incoming("grace.tsv", collection.identity, dice.choice(collection.judgments).identity, said)
    )
    if len(collection.judgments) < 5:
        session.judging.settle(dice.choice(("mine", "theirs", "judge", None)))
    else:
        session.judging.settle(dice.choice(("mine", "theirs", None)))


def _tag_failure(session: Session, dice: random.Random) -> None:
    loop = session.failure_loop
    names, what = [tag.name for tag in loop.noted.tags], dice.randrange(7)
    try:
        if what <= 1 or not names:
            loop.add_tag(dice.choice("ABCD"))
        elif what == 2:
            loop.switch_tag(dice.choice(names))
        elif what == 3:
            loop.examine()
        elif what == 4:
            loop.forget()
        elif what == 5:
            loop.rename_tag(dice.choice(names), dice.choice("ABCDE"))
        else:
            dice.choice((loop.remove_tag, lambda _: loop.set_seed(dice.randint(0, 2))))(dice.choice(names))
    except FailureTagError:  # a name that another tag has
        return


def _set(session: Session, dice: random.Random) -> None:
    names = [query_set.name for query_set in session.query_sets.every]
    what = dice.randrange(4)
    if what == 0 or not names:
        session.query_sets.make_query_set(dice.choice("ABC"), {_query(session, dice), _query(session, dice)})
    elif what == 1:
        session.query_sets.rename_query_set(dice.choice(names), dice.choice("ABCD"))
    elif what == 2:
        session.query_sets.remove_query_set(dice.choice(names))
    else:
        session.query_sets.set_query_set(dice.choice(names))


def _weigh(session: Session, dice: random.Random) -> None:
    if dice.random() < 0.5:
        session.query_sets.weight_by("")
    else:
        assert session.view.collection is not None
        values = {str(query): float(dice.randint(1, 4)) for query in range(1, 6)}
        session.query_sets._put("weights", replace(session.view.collection, weights=make_weights(values, "dice")))


def _widen(session: Session, dice: random.Random) -> None:
    scale = session.judging.scale
    if scale is not None and scale.grades[-1] < 90:
        session.judging.widen_scale(scale.grades[-1] + dice.randint(1, 3))


def _declare(session: Session, dice: random.Random) -> None:
    if dice.random() < 0.3:
        session.protocol.undeclare(dice.choice(("level", "test")))
    else:
        session.protocol.set(level=dice.choice((1, 2)), test=dice.choice(("t", "sign")))


DATA: dict[str, Act] = {
    "judge": lambda s, d: s.judging.judge(
        _document(s, d), d.choice((None, -1, 0, 1, 2)), d.choice(WORDS), query_id=_query(s, d)
    ),
    "revert": lambda s, d: s.judging.revert_judgment(_document(s, d), query_id=_query(s, d)),
    "judgment note": lambda s, d: s.judging.write_judgment_note(_document(s, d), d.choice(WORDS)),
    "scale": _widen,
    "lay": _lay,
    "receive": _receive,
    "own set": _own_set,
    "regime": lambda s, d: s.evaluation.set_regime(d.choice(list(Regime))),
    "copy": _copy,
    "edit": _edit,
    "fuse": _fuse,
    "rename": lambda s, d: s.runs.rename_run(_key(s, d), d.choice(("one", "two", "three"))),
    "colour": lambda s, d: s.runs.recolour_run(_key(s, d), d.choice((None, "#112233", "#aabbcc"))),
    "move": lambda s, d: s.runs.move_run(_key(s, d), d.randint(0, 5)),
    "remove": lambda s, d: s.runs.remove_run(_key(s, d)) if len(s.view.labels()) > 2 else None,
    "judges": _judges,
    "merge judges": _merge_judges,
    "family": lambda s, d: s.runs.set_family(_key(s, d), d.choice(("", "GPT-4", "Llama"))),
    "stages": lambda s, d: s.stages.set_stage(d.randint(0, 2), _key(s, d)),
    "answer list": lambda s, d: s.answer_sources.set_list(d.choice((None, NO_LIST, _key(s, d)))),
    "systems": lambda s, d: s.collections.match({d.randint(0, len(s.view.workspace.collections) - 1): {
        _key(s, d): d.choice(("", "bm25", "dense"))}}),
    "sets": _set,
    "weights": _weigh,
    "note": lambda s, d: s.notes.set_note(d.choice(("query", "document")), _query(s, d), d.choice(WORDS)),
    "tag": lambda s, d: s.notes.set_tags(d.choice(("query", "document")), _query(s, d), d.choice(TAGS)),
    "failure tags": _tag_failure,
    "close": _close,
    "baseline": lambda s, d: s.runs.set_baseline(_key(s, d)),
    "protocol": _declare,
}  # fmt: skip
VIEW: dict[str, Act] = {
    "query": lambda s, d: s.navigation.set_query(_query(s, d)),
    "place": lambda s, d: s.navigation.set_place(d.choice(("verdict", "systems", "queries", "query", "compare"))),
    "collection": lambda s, d: s.files.set_collection(d.randint(0, 1)),
    "shown": lambda s, d: s.runs.show_run(_key(s, d), d.random() < 0.5),
    "measure": lambda s, d: s.evaluation.set_measure(d.choice(("AP", "P@5"))),
}


def _opened() -> Session:
    return session_with(collection(3, queries=5), collection(2, queries=4, name="other", seed=2))


def _check_numbers(session: Session) -> None:
    """The numbers that were derived along the way are those of a cache that knows nothing."""
    context = session.view.context
    fresh = Session()
    fresh.store.state = session.state
    other = fresh.view.context
    assert context is not None
    assert other is not None
    for mine, entry in zip(context.collection.runs, other.collection.runs, strict=True):
        for text in ("AP", "nDCG@10"):
            measure = parse_measure(text)
            assert context.mean(mine, measure) == pytest.approx(other.mean(entry, measure), abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("seed", range(4))
def test_any_acts_in_any_order_are_undone_and_done_again(seed: int) -> None:
    """A list of what was made beside the history: at every step back or forth the two agree, to the beginning and to
    the end, with changes of view in between; a new step forgets what was undone."""
    _walk(seed, 100)


@pytest.mark.fuzz
def test_many_acts_in_any_order_are_undone_and_done_again() -> None:
    for seed in range(100, 112):
        _walk(seed, 200)


def _walk(seed: int, acts: int) -> None:
    dice, session = random.Random(seed), _opened()
    states, at = [users_work(session)], 0
    for _ in range(acts):
        what = dice.choice((*DATA, *VIEW, "undo", "undo", "redo"))
        if what == "undo":
            assert session.history.undo() == (at > 0)
            at = max(0, at - 1)
        elif what == "redo":
            assert session.history.redo() == (at < len(states) - 1)
            at = min(len(states) - 1, at + 1)
        elif what in VIEW:
            VIEW[what](session, dice)
        else:
            before = len(session.state.history)
            DATA[what](session, dice)
            if users_work(session) == states[at]:
                assert len(session.state.history) == before, f"{what} is a step, and made nothing"
                continue
            if len(session.state.history) == before:  # it went on with the last step
                states[at] = users_work(session)
                assert what == "edit"
            else:
                states[at + 1 :] = [users_work(session)]
                at += 1
                assert session.history.undo_label
            assert not session.history.redo_label
        assert users_work(session) == states[at], what
    _check_numbers(session)
    for wanted in reversed(states[:at]):
        assert session.history.undo()
        assert users_work(session) == wanted
    assert not session.history.undo()
    _check_numbers(session)
    for wanted in states[1:]:
        assert session.history.redo()
        assert users_work(session) == wanted
    assert not session.history.redo()
    _check_numbers(session)


def test_steps_have_names_that_say_what_they_did() -> None:
    session = _opened()
    session.judging.judge("x1-0", 2, query_id="1")
    session.runs.rename_run(0, "BM25")
    session.runs.recolour_run(0, "#112233")
    session.runs.move_run(0, 2)
    session.runs.remove_run(0)
    session.query_sets.make_query_set("hard", {"1"})
    session.query_sets.rename_query_set("hard", "harder")
    session.query_sets.remove_query_set("harder")
    session.notes.set_note("query", "3", "odd")
    session.notes.set_tags("document", "d1", ["seen"])
    session.evaluation.set_regime(Regime.COMPLETE)
    copy = session.run_editing.edit_copy(1)
    assert copy is not None
    session.run_editing.move_document(copy, "x1-3", 1) or session.navigation.set_query("1")
    session.fusion.fuse_runs([1, 2], Fusion())
    done, undone = session.history.history_labels
    assert undone == ()
    assert [label for label in reversed(done) if "rank" not in label] == [
        "grade 2 of x1-0 for query 1", "rename run alpha to BM25", "colour of run BM25", "move run BM25",
        "remove run BM25",
        "query set hard", "rename query set hard to harder", "remove query set harder", "note of query 3",
        "tags of document d1", "judgments read as complete", "copy beta for editing",
        f"fuse {session.view.labels()[-1].name}",
    ]  # fmt: skip
    session.history.go_back(3)
    assert session.history.history_labels[0] == done[3:]
    assert session.history.history_labels[1] == tuple(reversed(done[:3]))
    session.history.go_back(-2)
    assert session.history.history_labels[0] == done[1:]


def test_a_new_step_of_any_kind_forgets_what_was_undone() -> None:
    for name in DATA:
        dice, session = random.Random(3), _opened()
        for query in "12345":
            session.judging.judge(f"d{query}", 2, query_id=query)
        session.query_sets.make_query_set("A", {"1"})
        session.run_editing.edit_copy(1)
        session.judging.judge("x2-0", 2, query_id="2")
        session.history.undo()
        assert session.history.redo_label
        before = users_work(session)
        for _ in range(200):
            DATA[name](session, dice)
            if users_work(session) != before:
                break
        else:
            pytest.fail(f"{name} never did anything")
        assert not session.history.redo()


def test_a_removed_run_comes_back_with_its_roles() -> None:
    session = _opened()
    session.runs.set_baseline(1)
    shown = session.view.shown
    session.runs.remove_run(1)
    assert session.view.baseline != 1
    session.history.undo()
    assert session.view.baseline == 1
    assert session.view.shown == shown
    session.runs.remove_run(1)
    session.runs.set_baseline(2)
    session.history.go_back(2)
    assert session.view.baseline == 1
    assert session.view.shown == shown
    session.history.go_back(-2)
    assert session.view.baseline == 2


def test_a_step_of_another_collection_brings_it_into_view_and_says_so() -> None:
    session = _opened()
    session.files.set_collection(0)
    session.judging.judge("x1-0", 2, query_id="1")
    session.files.set_collection(1)
    assert session.history.undo_label == "grade 2 of x1-0 for query 1 (made)"
    assert session.history.undo()
    assert session.view.collection is not None
    assert session.view.collection.name == "made"
    assert session.history.redo_label == "grade 2 of x1-0 for query 1"


def test_a_closed_collection_comes_back_with_what_was_made_in_it() -> None:
    session = _opened()
    session.files.set_collection(0)
    session.judging.judge("x1-0", 2, query_id="1")
    before = users_work(session)
    session.files.close_collection()
    assert [opened_collection.name for opened_collection in session.view.workspace.collections] == ["other"]
    assert session.history.undo_label == "close made"
    session.history.undo()
    assert users_work(session) == before
    assert session.history.undo_label == "grade 2 of x1-0 for query 1"
    session.history.undo()
    session.files.close_collection()  # nothing was made in it any more: its files are there
    assert [opened_collection.name for opened_collection in session.view.workspace.collections] == ["other"]
    assert not session.history.undo_label
    session.judging.judge("x1-0", 1, query_id="1")
    session.files.close_collection()  # the last: nothing is open
    assert not session.history.undo_label
    assert not session.history.undo()


def test_files_that_are_read_again_are_not_undone(tmp_path: Path) -> None:
    """A step made or taken back after the file behind it was read again keeps what the file says now."""
    (tmp_path / "some.qrels").write_text("1 0 a 1\n1 0 b 0\n2 0 a 1\n")
    (tmp_path / "one.run").write_text("1 Q0 a 1 3 t\n1 Q0 b 2 2 t\n2 Q0 a 1 1 t\n")
    (tmp_path / "two.run").write_text("1 Q0 b 1 3 t\n2 Q0 b 1 1 t\n")
    session = Session()
    session.files.open_files([str(tmp_path / name) for name in ("some.qrels", "one.run", "two.run")])
    session.judging.judge("b", 2, query_id="1")
    session.runs.rename_run(0, "first")
    session.runs.recolour_run(0, "#112233")
    session.runs.remove_run(1)
    (tmp_path / "one.run").write_text("1 Q0 b 1 3 t\n1 Q0 c 2 2 t\n2 Q0 a 1 1 t\n")
    (tmp_path / "some.qrels").write_text("1 0 a 1\n1 0 b 0\n1 0 c 3\n2 0 a 1\n")
    (tmp_path / "three.run").write_text("1 Q0 c 1 3 t\n2 Q0 b 1 1 t\n")
    session.files.reload()
    session.files.open_files([str(tmp_path / "three.run")])

    def now() -> tuple[object, ...]:
        assert session.view.collection is not None
        judged = session.view.collection.judgments[0].qrels.judgments("1")
        runs = [(entry.name, entry.colour, entry.run.ranking("1")) for entry in session.view.collection.runs]
        return judged, runs

    new, third = ["b", "c"], ("three", None, ["c"])
    assert now() == ({"a": 1, "b": 2, "c": 3}, [("first", "#112233", new), third])
    session.history.undo()
    assert now() == ({"a": 1, "b": 2, "c": 3}, [("first", "#112233", new), ("two", None, ["b"]), third])
    session.history.undo()
    session.history.undo()
    session.history.undo()
    assert now() == ({"a": 1, "b": 0, "c": 3}, [("one", None, new), ("two", None, ["b"]), third])
    while session.history.redo():
        pass
    assert now() == ({"a": 1, "b": 2, "c": 3}, [("first", "#112233", new), third])


def test_a_name_that_was_taken_since_gives_way(tmp_path: Path) -> None:
    (tmp_path / "some.qrels").write_text("1 0 a 1\n")
    (tmp_path / "one.run").write_text("1 Q0 a 1 3 t\n")
    (tmp_path / "two.run").write_text("1 Q0 b 1 3 t\n")
    session = Session()
    session.files.open_files([str(tmp_path / "some.qrels"), str(tmp_path / "one.run"), str(tmp_path / "two.run")])
    session.runs.remove_run(0)
    session.files.open_files([str(tmp_path / "one.run")])
    session.history.undo()
    assert [label.name for label in session.view.labels()] == ["one", "two", "one (2)"]
    (tmp_path / "one.run").write_text("1 Q0 z 1 3 t\n")
    session.files.reload()
    assert session.view.collection is not None
    assert [entry.run.ranking("1") for entry in session.view.collection.runs] == [["z"], ["b"], ["z"]]


def test_a_message_that_offers_undo_goes_when_something_else_is_done() -> None:
    session = _opened()
    session.runs.remove_run(0)
    assert session.view.messages[-1].action == "undo"
    session.runs.rename_run(1, "other")
    assert all(message.action != "undo" for message in session.view.messages)


def test_saving_follows_the_steps(tmp_path: Path) -> None:
    (tmp_path / "some.qrels").write_text("1 0 a 1\n")
    (tmp_path / "one.run").write_text("1 Q0 a 1 3 t\n")
    session = Session()
    session.files.open_files([str(tmp_path / "some.qrels"), str(tmp_path / "one.run")])
    project = tmp_path / "work.irviewer"
    session.autosave.save_project(str(project))
    plain = Path(session.autosave.project_path).read_text()
    session.judging.judge("b", 2, query_id="1")
    judged = Path(session.autosave.project_path).read_text()
    assert judged != plain
    session.history.undo()
    assert Path(session.autosave.project_path).read_text() == plain
    session.history.redo()
    assert session.autosave.is_saved


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "some.qrels").write_text("1 0 a 1\n1 0 b 0\n2 0 a 1\n")
    (tmp_path / "one.run").write_text("1 Q0 a 1 3 t\n1 Q0 b 2 2 t\n2 Q0 a 1 1 t\n")
    (tmp_path / "two.run").write_text("1 Q0 b 1 3 t\n1 Q0 c 2 1 t\n2 Q0 b 1 1 t\n")
    return tmp_path


def _in_project(folder: Path) -> tuple[Session, list[object]]:
    """A project in which an edited copy and a fused run were made and removed; what there was before."""
    session = Session()
    session.files.open_files([str(folder / name) for name in ("some.qrels", "one.run", "two.run")])
    session.navigation.set_query("1")
    session.autosave.save_project(str(folder / "work"))
    copy = session.run_editing.edit_copy(0)
    assert copy is not None
    session.run_editing.move_document(copy, "b", 1)
    session.fusion.fuse_runs([0, 1], Fusion())
    before = users_work(session)
    fused = session.view.labels()[-1].key
    session.runs.remove_run(copy)
    session.runs.remove_run(fused)
    session.runs.remove_run(1)  # its file stays: it needs no keeping
    return session, before


@pytest.mark.parametrize("large", [False, True])
def test_runs_that_no_file_holds_survive_a_crash_after_they_were_removed(
    folder: Path, monkeypatch: pytest.MonkeyPatch, large: bool
) -> None:
    monkeypatch.setattr(runs, "MOST_ROWS", 0 if large else 10**6)
    _, before = _in_project(folder)  # never closed
    again = Session()
    again.projects.open_project(str(folder / "work.irviewer"))
    assert [label.name for label in again.view.labels()] == ["one"]
    assert again.history.history_labels[0] == ("remove run RRF (k = 60) of one and two", "remove run one (edited)")
    assert again.history.undo()
    assert again.history.undo()
    assert not again.history.undo()
    assert again.view.collection is not None
    back = {entry.name: [entry.run.ranking(query) for query in "12"] for entry in again.view.collection.runs}
    wanted = {name: [rankings[query] for query in "12"] for _, name, _, _, _, rankings in before[1][0][2]}  # type: ignore[index]
    assert back == {name: lists for name, lists in wanted.items() if name != "two"}
    assert again.view.collection.runs[-1].edited is None
    copy = next(entry for entry in again.view.collection.runs if entry.edited is not None)
    assert copy.edited is not None
    assert dict(copy.edited.lists) == {"1": ("b", "a")}
    assert again.history.redo()
    assert again.history.redo()
    assert [label.name for label in again.view.labels()] == ["one"]


def test_what_was_removed_goes_when_the_project_is_closed(folder: Path) -> None:
    session, _ = _in_project(folder)
    assert "removed runs" in (folder / "work.irviewer").read_text()
    session.close()
    assert "removed runs" not in (folder / "work.irviewer").read_text()
    again = Session()
    again.projects.open_project(str(folder / "work.irviewer"))
    assert not again.history.undo_label
    (other,) = _in_project(folder)[:1]
    other.files.close_collection()
    assert "removed runs" not in (folder / "work.irviewer").read_text()


def test_a_run_that_came_back_is_kept_as_a_run(folder: Path) -> None:
    session, _ = _in_project(folder)
    session.history.undo()
    session.history.undo()
    session.history.undo()
    assert "removed runs" not in (folder / "work.irviewer").read_text()
    session.history.redo()
    assert "removed runs" in (folder / "work.irviewer").read_text()


def test_work_that_was_undone_is_not_left_to_be_restored(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("IRVIEWER_CONFIG_DIR", str(tmp_path))
    session = Session(Settings(tmp_path / "settings.json"))
    session.files.open_files([str(folder / name) for name in ("some.qrels", "one.run", "two.run")])
    session.fusion.fuse_runs([0, 1], Fusion())
    assert session.autosave.save_status == "stored, not in a project"
    assert len(list(tmp_path.rglob("*.irviewer"))) == 1
    session.history.undo()
    assert session.autosave.save_status == ""
    assert list(tmp_path.rglob("*.irviewer")) == []
    session.history.redo()
    assert len(list(tmp_path.rglob("*.irviewer"))) == 1
    session.close()


def test_an_inline_ranking_that_is_closed_is_opened_again_by_undo() -> None:
    session = _opened()
    assert session.teaching.open_inline_ranking("1 0 1 | R=4")
    before = users_work(session)
    session.files.close_collection()
    assert session.history.undo()
    assert users_work(session) == before


def _users(session: Session) -> Any:
    """What the user made, without what the files say: by name of the file, for runs come and go."""
    assert session.view.collection is not None
    runs = [
        (entry.run.origin, entry.name, entry.colour, entry.edited and list(entry.edited.lists.items()))
        for entry in session.view.collection.runs
    ]
    sets = [(judgment_set.regime, list(judgment_set.overlay)) for judgment_set in session.view.collection.judgments]
    return runs, sets, session.view.collection.query_sets, list(notes_of(session.view.collection).rows())


@pytest.mark.parametrize("seed", range(3))
def test_files_that_are_read_again_between_steps_change_nothing_that_the_user_made(tmp_path: Path, seed: int) -> None:
    """Steps back and forth with the files written and read again in between: what the user made comes and goes exactly,
    and every number is that of what the files say last."""
    dice = random.Random(seed)

    def write() -> None:
        qrels, documents = [], [f"x1-{place}" for place in range(8)] + ["d1", "e1"]
        for query in range(1, 6):
            judged = dice.sample([document.replace("1", str(query), 1) for document in documents], 5)
            qrels += [f"{query} 0 {doc_id} {dice.randint(0, 2)}" for doc_id in judged]
        (tmp_path / "some.qrels").write_text("\n".join(qrels) + "\n")
        for name in ("one", "two", "three"):
            lines = []
            for query in range(1, 6):
                ids = [document.replace("1", str(query), 1) for document in documents]
                dice.shuffle(ids)
                lines += [f"{query} Q0 {document} 0 {9 - rank} {name}" for rank, document in enumerate(ids)]
            (tmp_path / f"{name}.run").write_text("\n".join(lines) + "\n")

    write()
    session = Session()
    session.files.open_files([str(tmp_path / name) for name in ("some.qrels", "one.run", "two.run", "three.run")])
    states, at = [_users(session)], 0
    kinds = [name for name in DATA if name not in ("close", "own set")]
    for _ in range(80):
        what = dice.choice((*kinds, "undo", "undo", "redo", "redo", "read", "query"))
        if what == "undo":
            at -= session.history.undo()
        elif what == "redo":
            at += session.history.redo()
        elif what == "query":
            session.navigation.set_query(_query(session, dice))
        elif what == "read":
            write()
            session.files.reload()
        else:
            before = len(session.state.history)
            DATA[what](session, dice)
            if len(session.state.history) > before:
                states[at + 1 :] = [_users(session)]
                at += 1
            elif session.state.history.done is not None and not session.history.redo_label:
                states[at] = _users(session)  # it went on with the last step, or did nothing
        assert _users(session) == states[at], what
    write()
    session.files.reload()
    _check_numbers(session)
    while session.history.undo():
        at -= 1
        assert _users(session) == states[at]
    assert at == 0
    _check_numbers(session)
    while session.history.redo():
        at += 1
        assert _users(session) == states[at]
    _check_numbers(session)


def test_only_the_last_closed_collections_are_held() -> None:
    session = _opened()
    session.runs.rename_run(0, "first")
    for number in range(8):
        session.teaching.open_inline_ranking(f"1 0 1 | R={number + 4}", f"typed {number}")
        session.judging.judge("d2", 1)
        session.files.close_collection()
    assert [label for label in session.history.history_labels[0] if label.startswith("close")] == [
        "close typed 7", "close typed 6", "close typed 5",
    ]  # fmt: skip
    while session.history.undo():
        pass
    assert [opened_collection.name for opened_collection in session.view.workspace.collections] == [
        "made",
        "other",
        "typed 5",
        "typed 6",
        "typed 7",
    ]
    assert session.view.workspace.collections[0].runs[0].name == "alpha"
