"""A protocol bound to names and queries, against plain loops."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irviewer.errors import MeasureError, OptionError
from irviewer.evaluation.bind import bind, check_identical, refuse_fields, run_place
from irviewer.model.protocol import PRESET, ProtocolFields, QuerySelection
from irviewer.model.query_sets import QuerySet

NAMES = ("dense", "p_bm25", "rrf", "p_bm25 edited")
QUERIES = ("1", "2", "3", "4")
HARD = QuerySet("hard", frozenset({"2", "4", "9"}))


def test_the_line_of_the_issue() -> None:
    names = ("p_bm25", *(f"run{number}" for number in range(13)))
    bound = bind(PRESET.but(level=2, unjudged="pooled"), names, [str(query) for query in range(53)], graded=True)
    assert bound.line() == "53 queries · graded, level ≥ 2 · unjudged: pooled · Holm over 13 against p_bm25 · paired t"
    origins = {part.place: part.origin for part in bound.parts()}
    assert origins == {"scope.queries": "default", "rules.level": "declared", "rules.unjudged": "declared",
                       "inference.correction": "default", "scope.baseline": "name",
                       "inference.test": "default"}  # fmt: skip
    assert "declared=" not in bound.record()
    assert "baseline=p_bm25" in bound.record()


@given(
    copies=st.sets(st.integers(0, 3), max_size=2),
    undecided=st.sets(st.integers(0, 3), max_size=2),
    chosen=st.sets(st.sampled_from([0, 1, 2, 3])),
    family=st.sampled_from(["baseline", "pairs"]),
    baseline=st.none() | st.integers(0, 3),
)
def test_the_family_is_what_a_loop_counts(
    copies: set[int], undecided: set[int], chosen: set[int], family: str, baseline: int | None
) -> None:
    fields = ProtocolFields(runs=[NAMES[place] for place in sorted(chosen)], family=family)  # type: ignore[typeddict-item]
    if baseline is not None:
        fields["baseline"] = NAMES[baseline]
    takes_part = [place for place in range(4) if place not in copies and (not chosen or place in chosen)]
    wrong = bool(chosen & copies) or (
        family == "baseline" and baseline is not None and bool(takes_part) and baseline not in takes_part
    )
    if wrong:
        with pytest.raises(OptionError, match=r"edited copy|not among the runs"):
            bind(PRESET.but(**fields), NAMES, QUERIES, copies=copies, undecided=undecided)
        return
    bound = bind(PRESET.but(**fields), NAMES, QUERIES, copies=copies, undecided=undecided)
    assert bound.runs == tuple(takes_part)
    tests = set()
    for first, other in combinations(takes_part, 2):
        decided = first not in undecided and other not in undecided
        if family == "pairs":
            tests |= {(first, other)} if decided else set()
        elif bound.baseline in (first, other):
            run = other if first == bound.baseline else first
            tests |= {(first, other)} if run not in undecided else set()
    if takes_part:
        assert bound.facts.comparisons == len(tests)
    assert bound.baseline is None or bound.baseline in takes_part
    if family == "baseline" and baseline is not None and takes_part:
        assert bound.baseline == baseline


@given(ids=st.sets(st.sampled_from(["1", "2", "3", "4", "9", "10"]), min_size=1))
def test_queries_that_count_and_those_left_out(ids: set[str]) -> None:
    protocol = PRESET.but(queries=sorted(ids))
    if not ids & set(QUERIES):
        with pytest.raises(OptionError, match="check the query ids"):
            bind(protocol, NAMES, QUERIES)
        return
    bound = bind(protocol, NAMES, QUERIES)
    assert bound.query_ids == tuple(query for query in QUERIES if query in ids)
    assert set(bound.left_out) == ids - set(QUERIES)
    assert bound.selected == bound.query_ids
    assert bound.line().startswith(f"{len(bound.query_ids)} of 4 queries")
    assert bind(PRESET, NAMES, QUERIES).selected is None


def test_a_set_by_name_and_of_a_file() -> None:
    bound = bind(PRESET.but(queries="hard"), NAMES, QUERIES, sets={"hard": HARD})
    assert (bound.query_ids, bound.left_out) == (("2", "4"), ("9",))
    assert bound.line().startswith("2 of 4 queries (hard) · ")
    alone = PRESET.but(queries=QuerySelection(file="a/b.txt", looked=True))
    assert bind(alone, NAMES, QUERIES, sets=[HARD]).line().startswith(
        "2 of 4 queries (b.txt), chosen after seeing results · "
    )  # fmt: skip
    with pytest.raises(OptionError, match=r"a/b\.txt holds 2 query sets; name one of hard, easy"):
        bind(alone, NAMES, QUERIES, sets=[HARD, QuerySet("easy", frozenset("1"))])
    with pytest.raises(OptionError, match="there is no query set soft; the sets are hard"):
        bind(PRESET.but(queries="soft"), NAMES, QUERIES, sets=[HARD])


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("p_bm52", r"there is no run p_bm52; did you mean p_bm25"),
        ("zzz", "there is no run zzz; the runs are dense, p_bm25"),
        ("p_bm25 edited", "is an edited copy"),
        ("dense", ""),
    ],
)
def test_names_of_runs(name: str, message: str) -> None:
    if not message:
        assert run_place(name, NAMES, copies=[3]) == 0
        return
    with pytest.raises(OptionError, match=message):
        bind(PRESET.but(baseline=name), NAMES, QUERIES, copies=[3])
    with pytest.raises(OptionError, match=message):
        bind(PRESET.but(runs=["dense", name]), NAMES, QUERIES, copies=[3])


def test_a_name_without_what_all_names_share() -> None:
    names = ("input.InexpC2", "input.Okapi", "input.dense")
    assert run_place("InexpC2", names) == run_place("input.InexpC2", names) == 0
    with pytest.raises(OptionError, match="2 runs have the name same"):
        run_place("same", ("same", "same", "other"))


def test_a_baseline_must_take_part() -> None:
    with pytest.raises(OptionError, match="the baseline rrf is not among the runs of the protocol"):
        bind(PRESET.but(runs=["dense", "p_bm25"], baseline="rrf"), NAMES, QUERIES)


def test_a_baseline_that_nothing_suggests_is_the_first() -> None:
    bound = bind(PRESET, ("a", "b"), QUERIES)
    assert bound.baseline == 0
    assert {part.origin for part in bound.parts() if part.place == "scope.baseline"} == {"default"}


def test_one_run_is_not_tested() -> None:
    assert bind(PRESET, ("a",), QUERIES).line() == "4 queries · level ≥ 1 · unjudged: unknown"
    assert bind(PRESET, NAMES, QUERIES, uses=("rules", "scope")).line() == "4 queries · level ≥ 1 · unjudged: unknown"


def test_what_cannot_be_computed_is_refused_by_its_name() -> None:
    with pytest.raises(OptionError, match="unit is conversation, and what is tested"):
        bind(PRESET.but(unit="conversation"), NAMES, QUERIES)
    with pytest.raises(OptionError, match="irviewer pool cannot follow queries, weights of the protocol"):
        refuse_fields(PRESET.but(queries="a", weights="b", level=2), ("queries", "weights", "unit"), "irviewer pool")
    refuse_fields(PRESET.but(level=2), ("queries",), "irviewer pool")
    with pytest.raises(MeasureError):
        bind(PRESET.but(measures=["nDGC@10"]), NAMES, QUERIES)


def test_a_pinned_field_says_why() -> None:
    bound = bind(PRESET.but(interval="bca"), NAMES, QUERIES, pins={"interval": ("t", "one-sided limits")})
    assert bound.protocol.inference.interval == "t"
    part = next(part for part in bound.parts() if part.place == "inference.interval")
    assert (part.text, part.origin) == ("95 % intervals (t)", "view")
    assert bound.reasons == {"inference.interval": "one-sided limits"}


def test_protocols_that_differ_are_not_combined() -> None:
    first, other = bind(PRESET, NAMES, QUERIES), bind(PRESET.but(level=2), NAMES, QUERIES)
    check_identical({"a": first, "b": first})
    with pytest.raises(OptionError, match=r"a: 4 queries · level ≥ 1 .*b: 4 queries · level ≥ 2"):
        check_identical({"a": first, "b": other})


def test_equal_protocols_are_equal_when_bound() -> None:
    def again() -> object:
        return bind(PRESET.but(queries=["1"], measures=["AP"]), NAMES, QUERIES, graded=True)

    assert again() == again()
    assert again() != bind(PRESET.but(queries=["2"], measures=["AP"]), NAMES, QUERIES, graded=True)


def test_a_pairwise_test_replaces_that_of_all_pairs() -> None:
    assert bind(PRESET.but(test="tukey"), NAMES).pairwise.test == "t"
    assert bind(PRESET.but(test="sign"), NAMES).pairwise.test == "sign"


def test_without_data_the_line_has_no_counts() -> None:
    assert bind(PRESET.but(queries="hard")).line() == (
        "queries (hard) · level ≥ 1 · unjudged: unknown · Holm against the baseline · paired t"
    )


def test_json_names_every_field() -> None:
    content = bind(PRESET.but(queries="hard", runs=["dense", "rrf"]), NAMES, QUERIES, sets=[HARD]).as_json()
    assert content["queries"] == {"name": "hard"}
    assert content["baseline"] == "dense"
    assert content["comparisons"] == 1
    assert content["declared"] == ["scope.queries", "scope.runs"]
