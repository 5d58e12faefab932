"""Two states of a project are joined: nothing that one side made is lost, and both sides come to the same."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irviewer.session.projects.merging import data_of, merge

OLD, NEW, NEWEST = "2026-11-22T10:00:00Z", "2026-11-22T10:05:00Z", "2026-11-22T10:09:00Z"


def project(**changed: Any) -> dict[str, Any]:
    """A project as its file holds it, with other parts of its one collection."""
    collection = {
        "id": "c1",
        "name": "small",
        "about": {"last_key": 2},
        "judgments": [
            {"id": "j1", "name": "small", "regime": "pooled", "chosen": False, "file": "small.qrels",
             "judged": [["1", "d1", 2, "ada", OLD], ["1", "d2", 0, "ada", OLD, "why"]]},
        ],
        "runs": [
            {"key": 0, "name": "alpha", "file": "alpha.run", "slot": 0, "worn": True},
            {"key": 1, "name": "beta", "file": "beta.run", "slot": 1, "worn": True},
            {"key": 2, "name": "copy", "edited": {"of": 0, "lists": {"1": ["d2", "d1"]}}, "slot": 2, "worn": True},
        ],
        "query sets": [{"name": "two", "query_ids": ["1"]}],
        "remarks": {"query": [["1", "hard", ["x"], "ada", OLD]]},
        "selection": {"query_id": "1", "shown": [0, 1, 2], "baseline": 0},
    }  # fmt: skip
    return {"current": 0, "view": {"measure": "AP"}, "collections": [{**collection, **changed}]}


def judged(*rows: list[Any]) -> dict[str, Any]:
    copied = copy.deepcopy(project())
    copied["collections"][0]["judgments"][0]["judged"] = list(rows)
    return copied


def rows_of(sections: dict[str, Any]) -> dict[tuple[str, str], Any]:
    (collection,) = sections["collections"]
    return {(row[0], row[1]): row[2] for row in collection["judgments"][0].get("judged", ())}


BASE = project()["collections"][0]["judgments"][0]["judged"]


def test_judgments_of_both_sides_are_joined() -> None:
    mine = judged(*BASE, ["1", "d3", 1, "bob", NEW], ["1", "d4", 1, "bob", NEW])
    theirs = judged(["1", "d1", 0, "ada", NEW], *BASE[1:], ["2", "d3", 3, "cyd", NEW], ["1", "d4", 2, "cyd", NEWEST])
    merged = merge(project(), mine, theirs)
    assert rows_of(merged.sections) == {
        ("1", "d1"): 0, ("1", "d2"): 0, ("1", "d3"): 1, ("1", "d4"): 2, ("2", "d3"): 3,
    }  # fmt: skip
    assert merged.conflicts == ()
    assert sorted(merged.news) == ["1 judgment of ada", "2 judgments of cyd"]
    assert merged.settled == (
        f"query 1, document d4: 1 (bob, {NEW}) here, 2 (cyd, {NEWEST}) in the file: the later one is used, "
        f"2 (cyd, {NEWEST})",
    )


def test_what_one_side_took_back_is_taken_back_unless_the_other_changed_it() -> None:
    changed = ["1", "d1", 3, "bob", NEW]
    assert ("1", "d1") not in rows_of(merge(project(), judged(BASE[1]), project()).sections)
    merged = merge(project(), project(), judged(BASE[1]))
    assert ("1", "d1") not in rows_of(merged.sections)
    assert merged.news == ("1 judgment restored to the file's",)
    for mine, theirs in ((judged(BASE[1]), judged(changed, BASE[1])), (judged(changed, BASE[1]), judged(BASE[1]))):
        assert rows_of(merge(project(), mine, theirs).sections)["1", "d1"] == 3


def test_notes_changed_on_both_sides_keep_both_texts() -> None:
    mine = project(remarks={"query": [["1", "hard, see d3", ["x", "mine"], "bob", NEW]]})
    theirs = project(remarks={"query": [["1", "hard: a typo", ["theirs"], "cyd", NEWEST], ["2", "easy"]]})
    merged = merge(project(), mine, theirs)
    row, other = merged.sections["collections"][0]["remarks"]["query"]
    assert row == ["1", "hard: a typo\nhard, see d3", ["theirs", "mine"], "cyd", NEWEST]  # x was taken off
    assert other == ["2", "easy"]
    assert merged.conflicts == ()


def test_what_cannot_both_hold_is_asked() -> None:
    def named(called: str, **more: Any) -> dict[str, Any]:
        copied = copy.deepcopy(project(**more))
        copied["collections"][0]["runs"][1]["name"] = called
        return copied

    mine, theirs = named("second", name="tiny"), named("bm25", name="tiny")
    merged = merge(project(), mine, theirs)
    (conflict,) = merged.conflicts
    assert (conflict.what, conflict.mine, conflict.theirs) == ("runs › run second › name", "second", "bm25")
    for side, name in (("mine", "second"), ("theirs", "bm25")):
        settled = merge(project(), mine, theirs, side)  # type: ignore[arg-type]
        assert settled.conflicts == ()
        (collection,) = settled.sections["collections"]
        assert (collection["name"], collection["runs"][1]["name"]) == ("tiny", name)
    assert merge(project(), named("second"), project()).conflicts == ()
    (taken,) = merge(project(), project(), named("bm25")).news
    assert taken == "runs › run beta › name: bm25"


def test_runs_are_added_taken_out_and_put_in_order() -> None:
    runs = project()["collections"][0]["runs"]
    new = {"key": 3, "name": "mine", "file": "mine.run", "slot": 3}
    other = {"key": 3, "name": "theirs", "file": "theirs.run", "slot": 3}
    edited = {"key": 4, "name": "edited", "edited": {"of": 3, "lists": {"1": ["d9"]}}}
    mine = project(
        runs=[runs[2], *runs[:2], new, edited], about={"last_key": 4},
        selection={"shown": [0, 3, 4], "focus": 4}, scope={"baseline": 3, "runs": [0, 3]},
    )  # fmt: skip
    theirs = project(runs=[runs[0], other, runs[2]], about={"last_key": 3})
    merged = merge(project(), mine, theirs)
    (collection,) = merged.sections["collections"]
    assert merged.rekeyed == {"c1": {3: 5}}  # theirs stands in the file already
    assert [(run_record["key"], run_record["name"]) for run_record in collection["runs"]] == [
        (2, "copy"), (0, "alpha"), (3, "theirs"), (5, "mine"), (4, "edited"),
    ]  # fmt: skip
    assert collection["runs"][-1]["edited"]["of"] == 5
    assert collection["selection"] == {"shown": [0, 5, 4], "focus": 4}
    assert collection["scope"] == {"baseline": 5, "runs": [0, 5]}
    assert merged.news == ("run theirs", "run beta was removed") or set(merged.news) == {
        "run theirs",
        "run beta was removed",
    }
    same = merge(project(), project(runs=[*runs, new]), project(runs=[*runs, {**new, "slot": 7}]))
    assert same.rekeyed == {}  # both opened one file
    assert [run_record["key"] for run_record in same.sections["collections"][0]["runs"]] == [0, 1, 2, 3]


def test_where_one_is_stays_ones_own() -> None:
    mine, theirs = project(), project(selection={"query_id": "9"})
    theirs["view"] = {"measure": "P@5"}
    theirs["layout"] = {"query/0": [1, 2]}
    theirs["protocol"] = {"rules": {"level": 2}}
    sections = merge(project(), mine, theirs).sections
    assert sections["view"] == {"measure": "AP"}
    assert "layout" not in sections
    assert sections["protocol"] == {"rules": {"level": 2}}
    assert sections["collections"][0]["selection"]["query_id"] == "1"
    assert data_of(sections) == data_of({**theirs, "view": {}})


def test_the_protocol_is_merged_field_by_field() -> None:
    base, mine, theirs = project(), project(scope={"baseline": 0}), project(scope={"queries": "few"})
    base["protocol"] = {"rules": {"level": 2}, "measures": ["AP"]}
    mine["protocol"] = {"rules": {"level": 2, "depth": 10}, "inference": {"test": "sign"}, "measures": ["AP"]}
    theirs["protocol"] = {"inference": {"alpha": 0.01}, "measures": ["AP", "RR"]}
    merged = merge(base, mine, theirs)
    assert merged.conflicts == ()
    assert merged.sections["protocol"] == {
        "rules": {"depth": 10}, "inference": {"test": "sign", "alpha": 0.01}, "measures": ["AP", "RR"],
    }  # fmt: skip
    assert merged.sections["collections"][0]["scope"] == {"baseline": 0, "queries": "few"}
    mine["protocol"]["inference"]["alpha"] = 0.1
    (conflict,) = merge(base, mine, theirs).conflicts
    assert (conflict.what, conflict.mine, conflict.theirs) == ("protocol › inference › alpha", "0.1", "0.01")


def test_collections_come_and_go() -> None:
    mine, theirs = project(), project()
    theirs["collections"].append({"id": "c2", "name": "other", "selection": {"query_id": "7"}})
    merged = merge(project(), mine, theirs)
    assert [collection_record["id"] for collection_record in merged.sections["collections"]] == ["c1", "c2"]
    assert merged.sections["collections"][1]["selection"] == {"query_id": "7"}
    assert merged.news == ("collection other",)
    assert [
        collection_record["id"] for collection_record in merge(theirs, theirs, project()).sections["collections"]
    ] == ["c1"]
    worked = copy.deepcopy(theirs)
    worked["collections"][1]["remarks"] = {"query": [["7", "mine"]]}
    kept = merge(theirs, worked, project()).sections["collections"]
    assert [collection_record["id"] for collection_record in kept] == [
        "c1",
        "c2",
    ]  # what was made in it is not thrown away


def test_a_file_of_another_project_is_a_conflict() -> None:
    theirs = {"collections": [{"id": "zz", "name": "another"}]}
    merged = merge(project(), project(), theirs)
    (conflict,) = merged.conflicts
    assert (conflict.what, conflict.mine, conflict.theirs) == ("the whole project", "small", "another")
    assert merge(project(), project(), theirs, "mine").sections == project()
    assert merge(project(), project(), theirs, "theirs").sections == theirs


@pytest.mark.parametrize("part", ["hologram", "weights"])
def test_unknown_and_undivided_parts_are_one_value(part: str) -> None:
    mine, theirs = project(**{part: {"a": 1}}), project(**{part: {"a": 2}})
    assert len(merge(project(), mine, theirs).conflicts) == 1
    assert merge(project(), project(), theirs).sections["collections"][0][part] == {"a": 2}
    assert merge(project(), mine, project()).sections["collections"][0][part] == {"a": 1}


GRADES = st.dictionaries(
    st.tuples(st.sampled_from("12"), st.sampled_from(["d1", "d2", "d3", "d4"])),
    st.tuples(st.integers(0, 3), st.sampled_from([OLD, NEW, NEWEST])),
)


@given(GRADES, GRADES, GRADES)
def test_any_judgments_of_two_sides(base: Any, mine: Any, theirs: Any) -> None:
    """Against what is said in so many words: the changed one, the later of two, whichever window merges first."""

    def project_of(grades: Any) -> dict[str, Any]:
        return judged(*([query, doc, grade, "ada", when] for (query, doc), (grade, when) in grades.items()))

    merged = merge(project_of(base), project_of(mine), project_of(theirs))
    wanted = {}
    for key in {*base, *mine, *theirs}:
        old, own, other = base.get(key), mine.get(key), theirs.get(key)
        if own == old:
            holds = other
        elif other in (old, own):
            holds = own
        elif own is None or other is None:
            holds = own or other
        else:
            holds = max(own, other, key=lambda said: (said[1], said[0]))
        if holds is not None:
            wanted[key] = holds[0]
    assert rows_of(merged.sections) == wanted
    assert merged.conflicts == ()
    assert rows_of(merge(project_of(base), project_of(theirs), project_of(mine)).sections) == wanted
    # The other window, which had saved its own, takes what was merged as it stands, and has nothing to write.
    again = merge(project_of(theirs), project_of(theirs), merged.sections)
    assert again.sections == merged.sections
