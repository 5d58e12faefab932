"""All pairs of runs (or of measures) at once, like beside like."""

from __future__ import annotations

from dataclasses import dataclass

from irviewer.figures.figure import Figure


@dataclass(frozen=True)
class MatrixKind:
    """What a matrix may show: its name, what the strip calls it, and what its numbers are. ``of`` names the kind that
    it is a variant of, ``variant`` is what it is called among those."""

    name: str
    title: str
    meaning: str
    of: str = ""
    variant: str = ""


MATRICES = (
    MatrixKind("difference", "Differences", "difference of the means, row minus column"),
    MatrixKind("p", "p-values", "of the difference, by the test that decides, corrected for all pairs"),
    MatrixKind(
        "rbo", "RBO", "rank-biased overlap: shared documents, the more the nearer the top", variant="extrapolated"
    ),
    MatrixKind(
        "rbo-min", "RBO, least", "the least that RBO can be, whatever stands below the lists' ends", "rbo", "least"
    ),
    MatrixKind(
        "rbo-residual", "RBO, residual", "how much more RBO could be, were what stands below alike", "rbo", "residual"
    ),
    MatrixKind("overlap", "Overlap", "shared documents among the first ten"),
    MatrixKind("tau", "Kendall's τ", "how alike the documents that both return are ordered"),
    MatrixKind("tau-ap", "τ-AP", "as τ, disagreement near the top counting more"),
    MatrixKind("measures", "Measures", "how alike two measures order the runs, Kendall's τ", variant="τ"),
    MatrixKind(
        "measures-tau-ap", "Measures, τ-AP", "how alike they order the runs, the best counting more", "measures", "τ-AP"
    ),
    MatrixKind(
        "measures-pearson", "Measures, r", "Pearson's correlation of two measures over the runs", "measures", "r"
    ),
)


@dataclass(frozen=True, eq=False)
class MatrixPage:
    """One matrix.

    kind, kinds   which, and those there are
    keys          what each row is: a run's key, or a measure's text
    figure        None until it is there
    explanation   what is missing, or that it is being made
    """

    title: str
    note: str
    kind: str
    kinds: tuple[MatrixKind, ...]
    keys: tuple[int | str, ...]
    figure: Figure | None
    explanation: str = ""
