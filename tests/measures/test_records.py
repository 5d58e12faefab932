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
    assert family.tools, "no tool has it, no textbook: where does it come from?"
    assert set(family.tools) <= set(TOOLS)
    assert all(family.tools.values())
    for measure in variants(family, 12):
        assert re.search(r"\b(19|20)\d\d\b", measure.source), measure.source
        for text in (family.title, measure.rewards, measure.ignores, measure.formula):
            assert text.strip() == text != ""
    for one in family.parameters:
        assert one.meaning
        assert (one.choices != ()) is (one.kind == "choice")
        assert one.kind != "choice" or one.default in one.choices


def _names(tool: str) -> dict[str, set[str]]:
    """Name in a tool -> the families that say they are it."""
    found: dict[str, set[str]] = {}
    for name, family in OWN.items():
        for one in filter(None, family.tools.get(tool, "").split(", ")):
            found.setdefault(one, set()).add(name)
    return found


def test_trec_evals_names_are_those_that_are_read() -> None:
    assert _names("trec_eval") == {one.name: {one.family} for one in TREC_NAMES}
    for one in TREC_NAMES:
        assert {found.name for found in parse_measures([one.name])} == {one.family}


def test_ranx_names_are_those_that_are_read() -> None:
    told = _names("ranx")
    assert set(told) == {name.partition(".")[0] for name in RANX}
    for name in RANX:
        (whole,) = parse_measures([f"{name}-l2" if name != "rbp.95" else name])
        assert whole.name in told[name.partition(".")[0]], name
        if name not in ("rbp.95", "hit_rate", "r-precision", "bpref"):
            (cut,) = parse_measures([f"{name}@10"])
            assert cut.name in told[name], name
            assert cut.cutoff == 10


def test_ir_measures_names_are_those_that_are_read() -> None:
    """Each of its measures, under each of its names, with each of its parameters."""
    told = _names("ir_measures")
    theirs = dict(ir_measures.measures.registry)
    assert set(told) <= set(theirs)
    for name, one in theirs.items():
        known = [family for family in OWN.values() if name in (family.name, *family.aliases)]
        assert len(known) == 1, name
        said = set(one.SUPPORTED_PARAMS) - {"cutoff", "recall"}
        if name not in ("NumRelRet", "SetRelP"):  # there another name for a measure with a parameter set
            assert said <= {parameter.name for parameter in known[0].parameters}, name
        (found,) = parse_measures([f"{name}(cutoff=3)" if "cutoff" in one.SUPPORTED_PARAMS else f"{name}(recall=0.1)"
                                   if "recall" in one.SUPPORTED_PARAMS else name])  # fmt: skip
        assert found.cutoff == (
            3 if "cutoff" in one.SUPPORTED_PARAMS else 0.1 if "recall" in one.SUPPORTED_PARAMS else None
        )
        assert found.name in {family for families_ in told.values() for family in families_}


def test_the_command_line_tells_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["measures", "nDCG@10"]) == 0
    told = capsys.readouterr().out
    assert "  in tools trec_eval: ndcg, ndcg_cut; ir_measures: nDCG; ranx: ndcg, ndcg_burges; gdeval: ndcg@k" in told
    assert "TOIS 2002" in told
    assert main.main(["measures", "(P@5 + R@20) / 2"]) == 0
    assert "in tools" not in capsys.readouterr().out
