"""The words of statistics, which ``irviewer help`` explains in the user's language: what each says, what it does not
say, and where the program shows it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from irviewer.translation import tr


@dataclass(frozen=True)
class StatisticsWord:
    """A word in the user's language, its names (also the English ones), its meaning, and where to see it."""

    names: tuple[str, ...]
    meaning: str
    where: str


@cache
def statistics_words() -> Sequence[StatisticsWord]:
    """Return the words, in no special order."""
    compare = tr("Compare › Pair; irviewer compare")
    verdict = tr("Compare › Verdict; irviewer verdict")
    agreement = tr("Compare › Judges; irviewer agreement")
    plan = tr("Compare › More › Plan; irviewer plan")
    gate = tr("Compare › More › Gate; irviewer gate")
    rows = (
        (tr("p-value"), ("p-value", "p", "p value"), tr(
            "How often a difference at least as large as this would be seen if the runs did not differ over all such "
            "queries and what the test supposes held (Wasserstein and Lazar 2016). It is not the probability that they "
            "do not differ, and says nothing of how large the difference is."), compare),
        (tr("significance level"), ("alpha", "significance level", "α"), tr(
            "The corrected p below which a difference counts as shown, chosen before the data; .05 unless declared."),
         compare),
        (tr("power"), ("power", "statistical power"), tr(
            "The probability that a test shows a true difference of a given size, which is chosen before the data. The "
            "power of the difference that was seen is p in other words, and is not shown here."), plan),
        (tr("sample size"), ("sample size", "topic set size"), tr(
            "How many queries show a smallest difference that matters with the power wanted. It holds for one "
            "difference, one standard deviation and one alpha."), plan),
        (tr("confidence interval"), ("confidence interval", "interval"), tr(
            "A range made so that it holds the true value in the given share of samples, 95 % unless declared. Values "
            "outside fit these data worse than those inside; none is excluded for certain."), compare),
        (tr("standard deviation"), ("standard deviation", "sigma", "σ", "sd", "variance"), tr(
            "How much values, or differences of two runs, vary from query to query; its square is the variance."),
         plan),
        (tr("standard error"), ("standard error", "se"), tr(
            "The standard deviation of a mean over samples: that of the differences over the root of the number of "
            "queries, where queries are independent."), compare),
        (tr("effect size"), ("effect size", "Cohen's d", "Hedges' g"), tr(
            "How large a difference is, here in standard deviations of the differences (Cohen's d). It does not grow "
            "with the number of queries, as a test statistic does, and says nothing of what users notice."), compare),
        (tr("multiple comparisons"), ("multiple comparisons", "multiple testing", "family", "family-wise error"), tr(
            "With many tests some show a difference by chance. p is corrected over the family of comparisons that was "
            "declared; the line of the protocol says over how many."), compare),
        (tr("Holm"), ("Holm", "Holm-Bonferroni"), tr(
            "A correction for several comparisons: the smallest p is multiplied by their number, the next by one less, "
            "and so on. The chance of any false conclusion is alpha at the most. Never weaker than Bonferroni."),
         compare),
        (tr("Bonferroni"), ("Bonferroni",), tr(
            "A correction for several comparisons: every p is multiplied by their number."), compare),
        (tr("false discovery rate"), ("false discovery rate", "Benjamini-Hochberg", "bh", "fdr"), tr(
            "The share of false ones among the differences shown. Benjamini and Hochberg's correction bounds it on "
            "average where the tests are independent or depend positively (Benjamini and Yekutieli 2001), which "
            "comparisons of runs need not do; it allows more false conclusions than Holm."), compare),
        (tr("Dunnett"), ("Dunnett", "Dunnett's test"), tr(
            "A test of several runs against one baseline that allows for what they have in common. The p of "
            "comparisons with the baseline are corrected by Holm instead; the interval of the best of several runs is "
            "of this kind, simultaneous by the largest t."), compare),
        (tr("Tukey"), ("Tukey", "Tukey's HSD", "HSD"), tr(
            "A test of all pairs of runs together. Its p are corrected ones. It assumes that the differences of "
            "all pairs vary alike."),
         compare),
        (tr("paired t-test"), ("t-test", "paired t-test", "Student's t"), tr(
            "Compares the mean difference of two runs on the same queries with its standard error. It asks that the "
            "mean is about normal, not each value: with some 20 queries or more that usually holds, but where "
            "differences have a long tail on one side it takes more."), compare),
        (tr("Wilcoxon"), ("Wilcoxon", "Wilcoxon signed-rank test"), tr(
            "A test of the ranks of the differences. It asks whether they lie around zero symmetrically, not whether "
            "the mean differs."), compare),
        (tr("permutation"), ("permutation", "permutation test", "randomisation", "randomization",
                             "Fisher's randomisation test"), tr(
            "If the runs did not differ, each difference could as well have the other sign. The test counts how often "
            "random signs give a mean at least as far from zero."), compare),
        (tr("sign test"), ("sign test",), tr(
            "Counts on how many queries a run is better and worse; sizes do not count."), compare),
        (tr("bootstrap"), ("bootstrap", "percentile interval", "bca"), tr(
            "Draws the queries anew, with replacement, many times, and looks how far the mean moves: an interval "
            "without a formula. From few queries it is too narrow."), compare),
        (tr("posterior"), ("posterior", "Bayes", "Bayesian"), tr(
            "What is believed of the difference after the data, by a prior that is named: a probability that the run "
            "is better. Another prior gives another one."), tr("Compare › Pair; irviewer compare --posterior")),
        (tr("region of practical equivalence"), ("region of practical equivalence", "rope"), tr(
            "Differences too small to matter, here below the smallest difference that matters."),
         tr("Compare › Pair; irviewer compare --posterior")),
        (tr("non-inferiority"), ("non-inferiority", "noninferiority", "margin"), tr(
            "Shown if the lower limit of the difference lies above minus the margin: not worse by more than what is "
            "accepted. The margin is chosen before the data."), gate),
        (tr("equivalence"), ("equivalence", "TOST"), tr(
            "Shown if the difference lies between minus and plus the smallest one that matters, by two one-sided "
            "tests. A p above alpha does not show it."), verdict),
        (tr("kappa"), ("kappa", "Cohen's kappa", "κ"), tr(
            "Agreement of two judges beyond what their shares of grades give by chance: 1 is full agreement, 0 that of "
            "chance. The margins limit it: read it beside the largest value that they allow."), agreement),
        (tr("alpha of Krippendorff"), ("Krippendorff", "Krippendorff's alpha"), tr(
            "Agreement of several judges beyond chance, also with gaps and with grades that are near or far."),
         agreement),
        (tr("Kendall's tau"), ("tau", "τ", "Kendall", "Kendall's tau", "tau-AP"), tr(
            "How similar two orders are: the share of pairs in the same order less that of pairs in the other. A high "
            "tau over all runs says little of the best ones; tau-AP weighs the top more."), agreement),
        (tr("correlation"), ("correlation", "Pearson", "Spearman"), tr(
            "How far two series rise together, from -1 to 1. Two judges may correlate and still give other heights."),
         agreement),
        (tr("independence"), ("independence", "unit", "cluster", "design effect"), tr(
            "Tests count queries as drawn one by one. Queries of one conversation or user are alike and count for "
            "fewer: declare the unit."), tr("the unit of the protocol; irviewer plan --design-effect")),
        (tr("exploratory"), ("exploratory", "confirmatory", "registered protocol"), tr(
            "A test that nobody declared before seeing the data. It suggests; another set of queries must confirm it."),
         tr("the line of the protocol")),
        (tr("sequential testing"), ("sequential testing", "group sequential", "looks", "O'Brien-Fleming", "Pocock"), tr(
            "Asking again with more queries until a difference is shown finds one in the end even where there is none. "
            "Declare the looks before, in the protocol: each then decides at the bound of its look, a stricter "
            "p."),
         tr("Statistics › Looks of a pair; irviewer plan --look-at 50 --look-at 100")),
        (tr("replicates"), ("replicates", "seeds", "variance components"), tr(
            "Several runs of one system, such as seeds or dates: one system with spread. A test on the means of these "
            "runs speaks of them alone; components of variance speak of new runs too. The best of several runs is no "
            "estimate of a system."), tr("Compare › More › Replicates; irviewer show replicates")),
        (tr("rank-biased overlap"), ("rank-biased overlap", "RBO"), tr(
            "How similar two lists are, the top weighed most, by the share of documents that both have down to each "
            "rank. Tied scores are an unknown order unless declared otherwise: a list with ties then agrees with "
            "itself by less than 1."), tr("Compare › Matrices; irviewer similarity")),
        (tr("prediction-powered inference"), ("prediction-powered inference", "PPI", "PPI++"), tr(
            "The mean by a model's judgments on all queries, corrected by how far they are from a human's on some of "
            "them. λ says how much the model is trusted; a poor model gets little. The human's queries must be drawn "
            "by chance."), tr("Compare › Judge; irviewer judge")),
        (tr("alternative annotator test"), ("alternative annotator test", "alternative annotator", "alt-test"), tr(
            "Asks whether a model was shown to agree with several people as well as one of them does, less ε, which is "
            "declared. Not shown is not the same as no."), tr("Compare › Judge; irviewer judge")),
        (tr("intra-class correlation"), ("intra-class correlation", "ICC", "intraclass correlation"), tr(
            "How similar the values of one conversation, user or template are: the share of all variance that lies "
            "between them. With m queries each the design effect is 1 + (m − 1) · ICC."),
         tr("irviewer plan --design-effect")),
        (tr("degrees of freedom"), ("degrees of freedom", "df", "Satterthwaite"), tr(
            "How many independent differences a standard error rests on: queries less 1 in a paired t-test, fewer "
            "where queries belong together (Satterthwaite). The fewer, the wider the interval."), compare),
        (tr("registration"), ("registration", "preregistration"), tr(
            "A protocol frozen with its date, the files that were open by then, and a digest. It is evidence only "
            "where the digest was published elsewhere before the results."), tr("irviewer protocol --register FILE")),
    )  # fmt: skip
    return tuple(
        StatisticsWord(tuple(dict.fromkeys((name, *names))), meaning, where) for name, names, meaning, where in rows
    )
