"""trec_eval's names out and in again, its groups and its order; ranx's names; nothing known is unread."""

from __future__ import annotations

import pytest

from irviewer.measures.parser import parse_measure, parse_measures
from irviewer.measures.registry import families
from irviewer.measures.tool_names import GROUPS, TREC_NAMES, alias_names, names, trec_name, trec_sort_key

OFFICIAL = (
    "num_q num_ret num_rel num_rel_ret map gm_map Rprec bpref recip_rank "
    + " ".join(f"iprec_at_recall_{n / 10:.2f}" for n in range(11))
    + " P_5 P_10 P_15 P_20 P_30 P_100 P_200 P_500 P_1000"
).split()


def printed(text: str, level: float = 1) -> list[str]:
    names_printed = [trec_name(measure, level) for measure in parse_measures([text])]
    return [name[0] for name in names_printed if name is not None]


def test_official_is_trec_evals() -> None:
    """The names and their order as trec_eval prints them (its runid line is the format's, not a measure's)."""
    assert printed("official") == OFFICIAL


@pytest.mark.parametrize("group", GROUPS)
def test_printed_names_read_back(group: str) -> None:
    for measure in parse_measures([group]):
        printed_name = trec_name(measure)
        assert printed_name is not None, measure.text
        assert parse_measure(printed_name[0]) == measure


@pytest.mark.parametrize("group", GROUPS)
def test_groups_are_in_trec_evals_order(group: str) -> None:
    keys = [trec_sort_key(measure) for measure in parse_measures([group])]
    assert keys == sorted(keys)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("nDCG(gains={1:3,2:9,4:4.5})", "ndcg_1=3,2=9,4=4.5"), ("utility(a=2)", "utility_2,-1,0,0"),
        ("set_F(x=0.5)", "set_F_0.5"), ("RBP(p=0.9)", "rbp"), ("IPrec@0.25", "iprec_at_recall_0.25"),
        ("Rprec_mult@5", "Rprec_mult_5.00"), ("nDCG@10", "ndcg_cut_10"), ("RBP(p=0.5)", "rbp_p=0.5"),
        ("Rndcg(gains={1:3.5,3:9})", "Rndcg_1=3.5,3=9"), ("11pt_avg..5,.25", "11pt_avg_0.25,0.5"),
        ("AP@5", "map_cut_5"),
    ],
)  # fmt: skip
def test_parameters_in_printed_names(text: str, name: str) -> None:
    printed_name = trec_name(parse_measure(text))
    assert printed_name is not None
    assert printed_name[0] == name
    assert parse_measure(name) == parse_measure(text)  # what is printed is read again


@pytest.mark.parametrize(
    "text", ["AP(rel=2)", "AP(judged_only=True)", "nDCG(dcg='jk')@10", "RR@10", "F@5", "ERR@10", "RBP(p=0.9,rel=1)"]
)
def test_what_trec_eval_lacks(text: str) -> None:
    measure = parse_measure(text)
    assert trec_name(measure) is None
    assert trec_sort_key(measure)[0] == len(TREC_NAMES)


def test_the_relevance_level_is_an_option_there() -> None:
    """Under -l 2 map is AP at level 2; AP at level 1 is then not trec_eval's."""
    assert printed("AP(rel=2)", level=2) == ["map"]
    assert printed("AP(rel=3)", level=2) == []


def test_summary_only() -> None:
    only = {
        measure.text
        for measure in parse_measures(["all_trec"])
        if (printed_name := trec_name(measure)) and printed_name[2]
    }
    assert only == {"NumQ", "gm_map", "gm_bpref"}


def test_every_name_is_read() -> None:
    for name in names():
        try:
            assert parse_measures([name])
        except Exception:  # a name that needs a cutoff in its own notation
            assert parse_measures([f"{name}@10"])


def test_other_names_of_a_family() -> None:
    aliases = alias_names(families()["AP"])
    assert {"MAP", "map", "map_cut"} <= set(aliases)
    assert "AP" not in aliases
