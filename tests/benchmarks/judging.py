"""Agreement of as many judges, on as many pairs, as LLMJudge has, with all intervals."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from tests.benchmarks.case import Side


@contextmanager
def many_judges(folder: Path, small: bool) -> Iterator[dict[str, Side]]:
    """23 judges, 4,423 pairs of 25 queries: every coefficient of all 253 pairs of judges, 10,000 bootstrap samples."""
    from irviewer.analysis.agreement.judge_agreement import AgreementOptions, agreement
    from irviewer.model.judgments.judgment_set import JudgmentSet
    from irviewer.model.qrels import Qrels

    judges, pairs, samples = (3, 200, 200) if small else (23, 4423, 10_000)
    random = np.random.default_rng(5)
    truth = random.choice(4, pairs, p=[0.45, 0.28, 0.18, 0.09])
    sets = []
    for judge in range(judges):
        own = np.where(random.random(pairs) < 0.6, truth, random.integers(0, 4, pairs))
        grades: dict[str, dict[str, float]] = {}
        for place, grade in enumerate(own.tolist()):
            grades.setdefault(f"q{place % 25}", {})[f"d{place}"] = grade
        sets.append(JudgmentSet(Qrels.from_dict(grades), f"judge {judge}"))

    def ours() -> None:
        judges_compared = agreement(sets, AgreementOptions(samples=samples))
        assert np.isfinite(judges_compared.low["kappa_quadratic"]).sum() == judges * (judges - 1)

    yield {"agreement": ours}
