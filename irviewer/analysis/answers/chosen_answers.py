"""What if systems were tuned to an assigner of labels: of the answers at hand they give the one that it scores highest.

An assigner orders no list, so tuning is not re-ranking as for judges of documents. A system that is tuned to an
assigner keeps, of several answers to a topic, the one that the assigner likes best (best of n, as with a reward model;
Gao, Schulman and Hilton, ICML 2023). Here the answers of all systems are the n. It is a worst case, no forecast."""

from __future__ import annotations

import numpy as np

from irviewer.model.arrays import Floats


def chosen_answers(reference: Floats, assigner: Floats, strength: float) -> tuple[Floats, Floats]:
    """Return the values float64[N, T] of N systems on T topics under a reference and an assigner (high values best) if
    each were tuned to the assigner.

    strength   from 0, its own answer, to 1, the answer of any system that the assigner scores highest; between them
               the value that is expected if it gives that one with this probability. Of several highest its own stays,
               if it is among them, else they count alike, their mean"""
    best = assigner.max(axis=0)
    highest = np.isclose(assigner, best, rtol=0, atol=1e-12)
    others = (reference * highest).sum(axis=0) / highest.sum(axis=0)
    chosen = np.where(highest, reference, others)
    return (
        np.asarray((1 - strength) * reference + strength * chosen),
        np.asarray((1 - strength) * assigner + strength * np.where(highest, assigner, best)),
    )
