"""Worked examples of textbooks and lecture notes as small collections: subject, printed values, and a suggestion.

Only the numbers are taken from the sources: grades by rank, and printed values; the texts are our own. Sources:
Arguello, INLS 509 (2013); Montesi and Rizzo; Manrique, after Arguello; Huang; Fang, Delaware. Knows no window."""

from __future__ import annotations

from dataclasses import dataclass

from irviewer.translation import tr

_JK = "dcg='jk'"


@dataclass(frozen=True)
class Figure:
    """A value that the source prints: a measure, a run ("" the first), and to how many decimals it is exact. ``query``
    is "" for the mean."""

    measure: str
    value: float
    decimals: int
    run: str = ""
    query: str = ""


@dataclass(frozen=True)
class Example:
    """One example.

    text     the rankings, as ``model.rankings.inline_ranking`` reads them
    measure  the measure selected first
    shows    a sentence about the subject of the example
    tries    a suggestion for the user, with its effect
    swap     the ranks of the first run that the source swaps, with the value of ``measure`` after it
    level    the relevance level of the source
    view     the view of textbook mode for the example, "" the present one
    printed  False if the source gives a rule without a value: the figures follow from the rule
    """

    id: str
    title: str
    source: str
    text: str
    measure: str
    shows: str
    tries: str
    figures: tuple[Figure, ...]
    swap: tuple[int, int, float] | None = None
    level: float = 1.0
    view: str = ""
    printed: bool = True


def _at(ranks: str, n: int) -> str:
    """Ones at the ranks, zeros elsewhere, down to rank n."""
    there = {int(rank) for rank in ranks.split()}
    return " ".join("1" if rank in there else "0" for rank in range(1, n + 1))


_B2 = "1 3 4 5 6 7 9 11 14 20"
_G1 = "4 3 4 2 0 0 0 1 1 0"
_P1 = (1, 0.5, 0.67, 0.75, 0.80, 0.83, 0.86, 0.75, 0.78, 0.70)
_R1 = (0.05, 0.05, 0.10, 0.15, 0.20, 0.25, 0.30, 0.30, 0.35, 0.35)
_DCG1 = (4, 7, 9.52, 10.52, 10.52, 10.52, 10.52, 10.86, 11.17, 11.17)
_DCG6 = (3, 5, 6.89, 6.89, 6.89, 7.28, 7.99, 8.66, 9.61, 9.61)


def _by_rank(measure: str, values: tuple[float, ...]) -> tuple[Figure, ...]:
    return tuple(Figure(f"{measure}@{rank}", value, 2) for rank, value in enumerate(values, start=1))


EXAMPLES: tuple[Example, ...] = (
    Example(
        "b1", tr("Precision and recall at every rank"), "Arguello; Manrique", f"{_at('1 3 4 5 6 7 9', 10)} | R=20",
        "P@10",
        tr("Precision goes up and down along the list, recall only up."),
        tr("Move the cutoff from 1 to 10: each relevant document raises both, each other document lowers only "
           "precision."),
        (*_by_rank("P", _P1), *_by_rank("R", _R1)),
    ),
    Example(
        "b2", tr("Average precision, and a swap near the top"), "Arguello; Manrique", _at(_B2, 20), "AP",
        tr("Average precision is the mean of the precision at each relevant document; top ranks count most."),
        tr("Swap ranks 2 and 3 in a copy: AP goes from .76 to .79."),
        (Figure("AP", 0.75551, 5),), (2, 3, 0.78884),
    ),
    Example(
        "b4", tr("The same swap further down"), "Arguello; Manrique", _at(_B2, 20), "AP",
        tr("Swapping two neighbours changes AP less at lower ranks."),
        tr("Swap ranks 8 and 9 in a copy: AP goes from .76 to .77 only."),
        (Figure("AP", 0.75551, 5),), (8, 9, 0.76523),
    ),
    Example(
        "b5", tr("The best and the worst half"), "Arguello; Manrique",
        f"on top: {_at('1 2 3 4 5 6 7 8 9 10', 20)}\nbelow: {_at('11 12 13 14 15 16 17 18 19 20', 20)}", "AP",
        tr("Ten relevant documents of twenty: AP is 1 with all of them at the top, and still a third with all "
           "at the bottom."),
        tr("Move one document of the lower ranking to rank 1 and watch AP."),
        (Figure("AP", 1.0, 5, "on top"), Figure("AP", 0.33123, 5, "below")),
    ),
    Example(
        "b6", tr("Equal at rank 10, but different"), "Montesi and Rizzo",
        f"early: {_at('1 3 4 5 6 10', 10)}\nlate: {_at('2 5 6 7 9 10', 10)}", "AP",
        tr("P@10 and R@10 do not depend on the order of the first ten documents; AP does."),
        tr("Compare both rankings by P@10, R@10 and AP."),
        (
            Figure("P@10", 0.6, 5, "early"), Figure("P@10", 0.6, 5, "late"), Figure("R@10", 1.0, 5, "early"),
            Figure("R@10", 1.0, 5, "late"), Figure("AP", 0.775, 5, "early"), Figure("AP", 0.52116, 5, "late"),
        ),
    ),
    Example(
        "b7", tr("The mean over queries"), "Montesi and Rizzo", f"{_at('1 3 6 9 10', 10)}\n---\n{_at('2 5 7', 10)}",
        "AP",
        tr("MAP counts each query equally, however many relevant documents it has."),
        tr("Remove a judgment of query 2: its AP changes, and the mean by half as much."),
        (Figure("AP", 0.62222, 5, query="1"), Figure("AP", 0.44286, 5, query="2"), Figure("AP", 0.53254, 5)),
    ),
    Example(
        "b8", tr("Three relevant documents"), "Huang", _at("1 3 5", 5), "AP",
        tr("Precision at k divides by k, however many relevant documents there are."),
        tr("Type the same ranking with “| R=6” at its end: P@5 is the same, AP is halved."),
        (Figure("P@3", 2 / 3, 9), Figure("P@4", 0.5, 9), Figure("P@5", 0.6, 9), Figure("AP", 0.75556, 5)),
    ),
    Example(
        "b9", tr("Missed documents add nothing"), "Fang", f"{_at('1 2 5 8', 10)} | R=10", "AP",
        tr("Six relevant documents were never retrieved: each adds zero precision, and AP still divides by ten."),
        tr("Insert a missed document at rank 3 of a copy."),
        (Figure("AP", 0.31, 5),),
    ),
    Example(
        "b10", tr("Precision and recall of a set"), "Fang", f"{_at('2 4', 5)} | R=10", "SetP",
        tr("Without ranks: the share of retrieved documents that are relevant, and of relevant documents that "
           "are retrieved."),
        tr("Cut the list at 2: precision rises, recall falls."),
        (Figure("SetP", 0.4, 9), Figure("SetR", 0.2, 9)),
    ),
    Example(
        "b11", tr("The F measure follows the lower value"), "Arguello; Fang", "1 | R=100", "SetF",
        tr("F is the harmonic mean of precision and recall: a single retrieved document that is relevant has precision "
           "1 and recall near 0, and F is near the lower value; the arithmetic mean would still be above one half."),
        tr("Insert missed documents one by one and watch F rise with recall; compare it with (SetP + "
            "SetR) / 2."),
        (
            Figure("SetF", 0.0198, 4), Figure("SetP", 1.0, 9), Figure("SetR", 0.01, 9),
            Figure("(SetP + SetR) / 2", 0.505, 9),
        ),
        view="f", printed=False,
    ),
    Example(
        "b12", tr("One relevant document"), "Huang", _at("4", 10), "RR",
        tr("With one relevant document the reciprocal rank is 1/K, and the search length K."),
        tr("Move the document up with the keys: 1/4, 1/3, 1/2, 1."),
        (Figure("RR", 0.25, 9), Figure("SearchLength", 4, 9)),
    ),
    Example(
        "g1", tr("Graded gains, discounted"), "Arguello; Manrique", _G1, f"DCG({_JK})@10",
        tr("The gain of a document is its grade, divided by the logarithm of its rank; here ranks 1 and 2 are "
           "not discounted."),
        tr("Give the document at rank 1 grade 3 instead of 4: DCG is 10.17. Give the one at rank 10 "
            "grade 3: DCG is 12.08."),
        (*_by_rank(f"DCG({_JK})", _DCG1), Figure(f"DCG({_JK})@10", 11.17252, 5)),
    ),
    Example(
        "g2", tr("A lower grade at rank 1"), "Arguello", "3 3 4 2 0 0 0 1 1 0", f"DCG({_JK})@10",
        tr("A grade lower by one at the top lowers DCG by 1."), tr("Give it grade 4 again: DCG is 11.17."),
        (Figure(f"DCG({_JK})@10", 10.17252, 5),),
    ),
    Example(
        "g3", tr("A relevant document at rank 10"), "Arguello", "4 3 4 2 0 0 0 1 1 3", f"DCG({_JK})@10",
        tr("Three grades more at rank 10 add less than one grade more at the "
           "top."), tr("Move it up with the keys and watch DCG."),
        (Figure(f"DCG({_JK})@10", 12.07561, 5),),
    ),
    Example(
        "g4", tr("Which ideal ranking? The most common difference between nDCG values"), "Manrique",
        f"{_G1} | ideal 4 4 3 3 3 2 2 1 1",
        f"nDCG({_JK})@10",
        tr("Compared with the best order of the retrieved documents nDCG is .954, with that of all judged "
           "documents .754."),
        tr("Choose ideal='retrieved' and then 'judged': the list is the same, the denominator differs."),
        (
            Figure(f"nDCG({_JK},ideal='retrieved')@2", 0.875, 5),
            Figure(f"nDCG({_JK},ideal='retrieved')@10", 0.95407, 5),
            Figure(f"nDCG({_JK})@10", 0.75389, 5),
        ),
    ),
    Example(
        "g6", tr("Another ranking, rank by rank"), "Huang", "3 2 3 0 0 1 2 2 3 0", f"DCG({_JK})@10",
        tr("Ranks 4 and 5 add no gain, and grade 3 at rank 9 adds less than 1."),
        tr("Find the fewest swaps that reach an nDCG of .95."),
        _by_rank(f"DCG({_JK})", _DCG6),
    ),
    Example(
        "g7", tr("A grade of 1 that means non-relevant"), "Fang",
        "3 2 1 1 3 1 1 2 1 1 | ideal 3 3 3 3 3 3 3 3 3 2 2 1 1 1 1 1 1", f"nDCG({_JK})@10",
        tr("Grades from 1 to 3, where grade 1 is non-relevant but still has a gain of 1."),
        tr("Set the gain of grade 1 to 0 (gains={1: 0}) and the relevance level to 2."),
        (
            Figure(f"DCG({_JK})@10", 9.44918, 5), Figure(f"IdealDCG({_JK})@10", 15.46245, 5),
            Figure(f"nDCG({_JK})@10", 0.61110, 5),
        ),
        level=2,
    ),
    Example(
        "g8", tr("A relevance level makes grades binary"), "Manrique", "5 2 4 1 3 | ideal 5 5 4 3 2 2 1", "P(rel=3)@5",
        tr("Binary measures need a relevance level: here documents of grade 3 and higher are relevant."),
        tr("Move the relevance level from 1 to 5 and watch P, R and AP."),
        (Figure("P(rel=3)@5", 0.6, 9), Figure("R(rel=3)@5", 0.75, 9)), level=3, printed=False,
    ),
)  # fmt: skip


def example(name: str) -> Example | None:
    """Return the example with this id or title, ignoring case; None if there is none."""
    wanted = name.casefold()
    return next(
        (known_example for known_example in EXAMPLES if wanted in (known_example.id, known_example.title.casefold())),
        None,
    )
