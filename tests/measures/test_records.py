"""What is told of every measure: complete, with a year, and true of the tools it names."""

from __future__ import annotations

import re
import warnings

import pytest
from every import variants

from irviewer.cli import main
from irviewer.measures.base import TOOLS, Family
from irviewer.measures.parser import parse_measures
from irviewer.measures.registry import families
from irviewer.measures.tool_names import TREC_NAMES

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # its own imports are not ours to mend
    import ir_measures

OWN = {name: family for name, family in families().items() if family.compute.__module__.startswith("irviewer.")}
RANX = (
    "hits", "hit_rate", "precision", "recall", "f1", "r-precision", "bpref", "rbp.95", "mrr", "map", "dcg",
    "dcg_burges", "ndcg", "ndcg_burges",
)  # fmt: skip
"""What ranx 0.3.21 has."""


@pytest.mark.parametrize("family", OWN.values(), ids=OWN)
def test_complete(family: Family) -> None:
    own = family.compute.__module__.endswith(".document_fields")  # they describe documents, by no tool's name
    assert family.tools or own, "no tool has it, no textbook: where does it come from?"
    assert set(family.tools) <= set(TOOLS)
    assert all(family.tools.values())
    for measure in variants(family, 12):
        assert re.search(r"\b(19|20)\d\d\b", measure.source), measure.source
        for text in (family.title, measure.rewards, measure.ignores, measure.formula):
            assert text.strip() == text != ""
    for parameter in family.parameters:
        assert parameter.meaning
        assert (parameter.choices != ()) is (parameter.kind == "choice")
        assert parameter.kind != "choice" or parameter.default in (None, *parameter.choices)  # None: to be declared


def _names(tool: str) -> dict[str, set[str]]:
    """Name in a tool -> the families that say they are it."""
    by_name: dict[str, set[str]] = {}
    for name, family in OWN.items():
        for tool_name in filter(None, family.tools.get(tool, "").split(", ")):
            by_name.setdefault(tool_name, set()).add(name)
    return by_name


def test_trec_evals_names_are_those_that_are_read() -> None:
    assert _names("trec_eval") == {trec_name.name: {trec_name.family} for trec_name in TREC_NAMES}
    for trec_name in TREC_NAMES:
        assert {parsed.name for parsed in parse_measures([trec_name.name])} == {trec_name.family}


def test_ranx_names_are_those_that_are_read() -> None:
    our_names = _names("ranx")
    assert set(our_names) == {name.partition(".")[0] for name in RANX}
    for name in RANX:
        (whole,) = parse_measures([f"{name}-l2" if name != "rbp.95" else name])
        assert whole.name in our_names[name.partition(".")[0]], name
        if name not in ("rbp.95", "hit_rate", "r-precision", "bpref"):
            (cut,) = parse_measures([f"{name}@10"])
            assert cut.name in our_names[name], name
            assert cut.cutoff == 10


def test_ir_measures_names_are_those_that_are_read() -> None:
    """Each of its measures, under each of its names, with each of its parameters."""
    our_names = _names("ir_measures")
    theirs = dict(ir_measures.measures.registry)
    assert set(our_names) <= set(theirs)
    for name, their_measure in theirs.items():
        known = [family for family in OWN.values() if name in (family.name, *family.aliases)]
        assert len(known) == 1, name
        said = set(their_measure.SUPPORTED_PARAMS) - {"cutoff", "recall"}
        if name not in ("NumRelRet", "SetRelP"):  # there another name for a measure with a parameter set
            assert said <= {parameter.name for parameter in known[0].parameters}, name
        (parsed,) = parse_measures(
            [
                f"{name}(cutoff=3)"
                if "cutoff" in their_measure.SUPPORTED_PARAMS
                else f"{name}(recall=0.1)"
                if "recall" in their_measure.SUPPORTED_PARAMS
                else name
            ]
        )
        assert parsed.cutoff == (
            3
            if "cutoff" in their_measure.SUPPORTED_PARAMS
            else 0.1
            if "recall" in their_measure.SUPPORTED_PARAMS
            else None
        )
        assert parsed.name in {family for families_ in our_names.values() for family in families_}


def test_the_command_line_tells_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["measures", "nDCG@10"]) == 0
    printed = capsys.readouterr().out
    assert "  in tools trec_eval: ndcg, ndcg_cut; ir_measures: nDCG; ranx: ndcg, ndcg_burges; gdeval: ndcg@k" in printed
    assert "TOIS 2002" in printed
    assert main.main(["measures", "(P@5 + R@20) / 2"]) == 0
    assert "in tools" not in capsys.readouterr().out
