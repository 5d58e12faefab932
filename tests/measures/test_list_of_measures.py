"""The list that irviewer promises, written out: every measure of trec_eval 10, ir_measures 0.4.3, ranx 0.3.21 and the
textbooks under its names, and what the command line tells of each."""

from __future__ import annotations

import re

import pytest

from irviewer.cli import main
from irviewer.measures.parser import parse_measures
from irviewer.measures.tool_names import GROUPS

K = "5 10 15 20 30 100 200 500 1000"
TREC_EVAL = (
    "num_q num_ret num_rel num_rel_ret num_nonrel_judged_ret map gm_map Rprec bpref gm_bpref recip_rank infAP "
    "11pt_avg binG G iprec_at_recall P recall relative_P map_cut ndcg_cut success unj Rprec_mult ndcg ndcg_rel Rndcg "
    "ndcg.1=3.5,2=9 relstring.10 set_P set_recall set_relative_P set_map set_F utility rbp rbp_resid "
    "dcg ideal_dcg yaap prefs_simp prefs_pair prefs_avgjg map_avgjg P_avgjg Rprec_mult_avgjg official set all_trec"
)
CUTOFFS = {
    **dict.fromkeys(("P", "recall", "relative_P", "map_cut", "ndcg_cut"), K),
    "success": "1 5 10", "unj": "5 10 20", "Rprec_mult": "0.2 0.4 0.6 0.8 1 1.2 1.4 1.6 1.8 2",
    "iprec_at_recall": "0 0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9 1",
}  # fmt: skip
IR_MEASURES = (
    "AP(rel=2,judged_only=True) AP@5 MAP@5 RR(rel=2,judged_only=True)@5 MRR P(rel=2,judged_only=True)@5 Precision@5 "
    "R(rel=2,judged_only=True)@5 Recall@5 Rprec(rel=2,judged_only=True) RPrec Success(rel=2,judged_only=True)@5 "
    "IPrec(rel=2,judged_only=True)@0.1 nDCG(dcg='log2',gains={1:2},judged_only=True)@5 NDCG nDCG(dcg='exp-log2') "
    "SDCG(dcg='log2',min_rel=0,max_rel=4)@5 ERR@5 Bpref(rel=2) BPref infAP(rel=2) Judged Judged@5 Accuracy(rel=2)@5 "
    "Compat(p=0.9,normalize=False) RBP(p=0.5,rel=2)@5 INST(T=2,min_rel=0,max_rel=4) INSQ(T=2,min_rel=0,max_rel=4) "
    "BPM(T=2,min_rel=0,max_rel=4)@5 NERR8(min_rel=0,max_rel=4)@5 NERR9(min_rel=0,max_rel=4)@5 "
    "NERR10(p=0.5,min_rel=0,max_rel=4) NERR11(T=2,min_rel=0,max_rel=4) SetP(rel=2,relative=True,judged_only=True) "
    "SetRelP(rel=2) SetR(rel=2) SetF(rel=2,beta=2,judged_only=True) SetAP(rel=2,judged_only=True) NumQ NumRel(rel=2) "
    "NumRet(rel=2) NumRelRet ERR_IA@5 nERR_IA@5 alpha_DCG(alpha=0.4,rel=2,judged_only=True)@5 alpha_nDCG(alpha=0.4)@5 "
    "NRBP(rel=2,alpha=0.4,beta=0.4) nNRBP(alpha=0.4) AP_IA(rel=2,judged_only=True) P_IA(rel=2,judged_only=True)@5 "
    "StRecall(rel=2)@5"
)
RANX = "hits hit_rate precision recall f1 r-precision bpref rbp.95 mrr map dcg dcg_burges ndcg ndcg_burges"
WHOLE = ("r-precision", "bpref", "rbp.95")
TEXTBOOK = (
    "DCG(dcg='jk')@5 DCG(dcg='jk',base=10)@5 DCG(dcg='exp-jk') nDCG(dcg='jk',base=3)@5 nDCG(ideal='retrieved')@5 "
    "SearchLength SearchLength(rel=2) F@5 F(beta=2,rel=2)@5 SetF(beta=0.5) set_F.0.5 ERR(max_rel=4)@5 RBP "
    "unj_5 Judged@5 WSS@0.95 TNR@0.95 RankAtRecall@0.8 Effort@0.8 NAURC LastRel AllFound@5 BudgetRecall(budget=512)"
)
EVERY = (
    *TREC_EVAL.split(),
    *(f"{name}.{cuts.split()[0]}" for name, cuts in CUTOFFS.items()),
    *IR_MEASURES.split(),
    *(f"{name}-l2" for name in RANX.split()),
    *(f"{name}@10" for name in RANX.split() if name not in WHOLE),
    *TEXTBOOK.split(),
)


@pytest.mark.parametrize("name", CUTOFFS)
def test_cutoffs_are_trec_evals(name: str) -> None:
    assert [measure.cutoff for measure in parse_measures([name])] == [float(cut) for cut in CUTOFFS[name].split()]


@pytest.mark.parametrize("text", EVERY)
def test_everything_is_read_and_explained(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    """``irviewer measures NAME`` prints formula, what it rewards and ignores, source with year, and who has it."""
    parsed = parse_measures([text])
    assert parsed
    assert parse_measures([measure.text for measure in parsed]) == parsed
    if text in GROUPS:
        return
    assert len({measure.name for measure in parsed}) == 1
    assert main.main(["measures", text]) == 0
    lines = [line.strip() for line in capsys.readouterr().out.splitlines()]
    for word in ("formula", "rewards", "ignores", "source", "in tools"):
        lines_of_word = [line for line in lines if re.match(rf"{word}\s+\S", line)]
        assert len(lines_of_word) == len(parsed), word
    assert all(re.search(r"\b(19|20)\d\d\b", line) for line in lines if line.startswith("source "))


def test_the_three_notations_meet() -> None:
    for texts in (
        ("AP", "map", "map-l1", "MAP"),
        ("nDCG@10", "ndcg_cut.10", "ndcg_cut_10", "ndcg@10"),
        ("P@5", "P.5", "precision@5"),
        ("RR", "recip_rank", "mrr", "MRR"),
        ("R@20", "recall.20", "recall@20"),
        ("Success@1", "success_1", "hit_rate@1"),
        ("RBP(p=0.95)", "rbp.0.95", "rbp.95"),
        ("Rprec", "r-precision"),
        ("nDCG(dcg='exp-log2')@5", "ndcg_burges@5"),
    ):
        assert len({parse_measures([text]) for text in texts}) == 1, texts
