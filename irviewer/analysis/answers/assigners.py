"""Agreement of assigners: what two of them, people or models, say of the same nuggets or citations of the same answers.

The coefficients are those of judges of documents. Labels have one scale for all assigners: not said, in part, said.
The nuggets of a topic are not independent, nor are the answers of several systems to it: intervals draw topics."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np
import numpy.typing as npt

from irviewer.analysis.agreement.coefficients import Grades, coefficients
from irviewer.analysis.agreement.draws import Draws, percentiles
from irviewer.analysis.agreement.judge_agreement import Estimate, estimate
from irviewer.analysis.answers.label_pairs import known_labels
from irviewer.analysis.answers.nugget_matrix import aligned
from irviewer.errors import OptionError
from irviewer.model.answers.assigner_names import HERE, Kind, assigner_names, system_name
from irviewer.model.answers.labels import FULL, NONE, OKAY, PARTIAL, UNJUDGED, VITAL, Labels
from irviewer.model.answers.nuggets import Nuggets
from irviewer.model.answers.support import Support
from irviewer.model.arrays import Bools, Ints, frozen
from irviewer.model.run import Run
from irviewer.translation import tr

SCALE = (NONE, PARTIAL, FULL)
"""The labels that are compared, ascending, whichever of them are in use."""
IMPORTANCES: dict[str, tuple[int, ...] | None] = {"all": None, "vital": (VITAL,), "okay": (OKAY,)}


@dataclass(frozen=True, eq=False)
class LabelledItems:
    """U nuggets (or citations) of answers and what A assigners say of them. An item is of one system and one topic.

    assigners   in the order of their names, the reference first
    systems     names; ``system`` int64[U] the place of each item's
    topics      ids; ``topic`` int64[U] the place of each item's
    texts       the nugget, or the sentence and what it cites
    importance  int8[U], VITAL throughout for citations
    labels      int8[A, U]: FULL, PARTIAL, NONE; UNJUDGED where the assigner has none
    odd         int64[A]: the labels that no rule knows, which count as none
    """

    kind: Kind
    assigners: tuple[str, ...]
    systems: tuple[str, ...]
    topics: tuple[str, ...]
    system: Ints
    topic: Ints
    texts: tuple[str, ...]
    importance: Labels
    labels: Labels
    odd: Ints

    def both(self, first: int, second: int) -> Bools:
        """bool[U]: two assigners have a label for the item."""
        return np.asarray((self.labels[first] != UNJUDGED) & (self.labels[second] != UNJUDGED))

    @cached_property
    def labelled(self) -> Ints:
        """int64[A]: the number of labels of each assigner."""
        return np.asarray(np.count_nonzero(self.labels != UNJUDGED, axis=1), dtype=np.int64)


@dataclass(frozen=True, eq=False)
class AssignerPair:
    """The agreement of two assigners on what both labelled.

    group       "all", "vital" or "okay"
    items, topics   how many nuggets (of a system) or citations both labelled, of how many topics
    counts      int64[3, 3]: rows the label of the first, columns that of the second, in the order of SCALE
    estimates   by the name of a coefficient, with the interval over topics
    """

    first: str
    second: str
    group: str
    items: int
    topics: int
    counts: npt.NDArray[np.int64]
    estimates: dict[str, Estimate]


def labelled_items(
    runs: Sequence[Run], topics: Sequence[str], *, kind: Kind = "nuggets", nuggets: Nuggets | None = None,
    reference: str = "",
) -> LabelledItems:  # fmt: skip
    """Return what the assigners of systems say, joined.

    topics     those that count
    nuggets    the set in force; None: the largest that an assigner was given
    reference  the assigner that the others are compared with; "": labels given by hand, else the assigner with fewest

    Raises OptionError where fewer than two assigners labelled anything, or none is called ``reference``."""
    names = assigner_names(runs, kind)
    own = sorted(
        ((name, run) for name, run in zip(names, runs, strict=True) if name), key=lambda each: (each[1].name, each[0])
    )
    assigners = sorted({name for name, _ in own})
    if len(assigners) < 2:
        raise OptionError(tr(
            "Agreement needs labels of the same answers by two assigners. Open another file of them; a file whose "
            "labels are equal to those of another is that file again."
        ))  # fmt: skip
    if reference and reference not in assigners:
        raise OptionError(tr("There is no assigner {name}. There are: {names}.", name=reference,
                             names=", ".join(assigners)))  # fmt: skip
    systems = tuple(sorted({system_name(run) for _, run in own}))
    if kind == "nuggets":
        rows = _nugget_rows(own, topics, nuggets, systems, assigners)
    else:
        rows = _citation_rows(own, topics, systems, assigners)
    system, topic, texts, importance, raw = rows
    labels = known_labels(raw)
    odd = np.count_nonzero(labels != raw, axis=1).astype(np.int64)
    counts = np.count_nonzero(labels != UNJUDGED, axis=1)
    first = reference or min(assigners, key=lambda name: (name != HERE, int(counts[assigners.index(name)]), name))
    order = [assigners.index(first), *(place for place, name in enumerate(assigners) if name != first)]
    return LabelledItems(
        kind, tuple(assigners[place] for place in order), systems, tuple(topics), frozen(system), frozen(topic), texts,
        frozen(importance), frozen(labels[order]), frozen(odd[order]),
    )  # fmt: skip


_Rows = tuple[Ints, Ints, tuple[str, ...], Labels, Labels]


def _nugget_rows(
    own: Sequence[tuple[str, Run]], topics: Sequence[str], given: Nuggets | None, systems: Sequence[str],
    assigners: Sequence[str],
) -> _Rows:  # fmt: skip
    parts = [(name, run, run.answered.assignments) for name, run in own
             if run.answered is not None and run.answered.assignments is not None]  # fmt: skip
    nuggets = given or max((part.nuggets for _, _, part in parts), key=lambda each: len(each.texts))
    rows = np.concatenate([nuggets.rows(topic) for topic in topics] or [np.arange(0)]).astype(np.int64)
    of_topic = np.repeat(np.arange(len(topics)), [len(nuggets.rows(topic)) for topic in topics])
    labels = np.full((len(assigners), len(systems), len(rows)), UNJUDGED, dtype=np.int8)
    for name, run, assignments in parts:
        place = assigners.index(name), systems.index(system_name(run))
        theirs = aligned(nuggets, assignments)[rows]
        labels[place] = np.where(theirs == UNJUDGED, labels[place], theirs)
    texts = nuggets.texts.to_pylist()
    count = len(systems)
    flat = labels.reshape(len(assigners), -1)
    kept = np.flatnonzero((flat != UNJUDGED).any(axis=0))
    return (
        np.repeat(np.arange(count), len(rows))[kept], np.tile(of_topic, count)[kept],
        tuple(texts[row] for row in np.tile(rows, count)[kept].tolist()),
        np.tile(nuggets.importance[rows], count)[kept], flat[:, kept],
    )  # fmt: skip


def _citation_rows(
    own: Sequence[tuple[str, Run]], topics: Sequence[str], systems: Sequence[str], assigners: Sequence[str]
) -> _Rows:
    """Return the citations that are judged, joined by the place and the text of the sentence, the document, and which
    of its citations of the document it is."""
    by_item: dict[tuple[int, int, int, str, str, int], dict[int, int]] = {}
    place_of = {topic: place for place, topic in enumerate(topics)}
    for name, run in own:
        assert run.answered is not None and run.answered.support is not None
        judge, system = assigners.index(name), systems.index(system_name(run))
        for key, label in _judged(run.answered.support, place_of):
            if label != UNJUDGED:
                by_item.setdefault((system, *key), {})[judge] = label
    keys = sorted(by_item)
    labels = np.full((len(assigners), len(keys)), UNJUDGED, dtype=np.int8)
    for at, item in enumerate(keys):
        for judge, label in by_item[item].items():
            labels[judge, at] = label
    return (
        np.array([key[0] for key in keys], dtype=np.int64), np.array([key[1] for key in keys], dtype=np.int64),
        tuple(f"{key[2] + 1}. {key[3]} → {key[4]}" for key in keys), np.full(len(keys), VITAL, dtype=np.int8), labels,
    )  # fmt: skip


def _judged(support: Support, place_of: dict[str, int]) -> list[tuple[tuple[int, int, str, str, int], int]]:
    cited, texts = support.cited.to_pylist(), support.texts.to_pylist()
    labels, bounds = support.labels.tolist(), support.citation_offsets.tolist()
    result = []
    for number, topic in enumerate(support.topics):
        if topic not in place_of:
            continue
        first = int(support.offsets[number])
        for sentence in range(first, int(support.offsets[number + 1])):
            seen: Counter[str] = Counter()
            for at in range(bounds[sentence], bounds[sentence + 1]):
                key = (place_of[topic], sentence - first, " ".join(texts[sentence].split()), cited[at], seen[cited[at]])
                seen[cited[at]] += 1
                result.append((key, labels[at]))
    return result


def assigner_pairs(
    items: LabelledItems, *, level: int = FULL, samples: int = 0, seed: int = 0, confidence: float = 0.95,
    progress: Callable[[float], None] | None = None,
) -> list[AssignerPair]:  # fmt: skip
    """Return the agreement of every two assigners, of all items and by importance, each as far as both labelled any.

    level    the label from which something counts as said: FULL or PARTIAL
    samples  bootstrap samples of the topics; 0: no intervals

    The coefficients are those of ``coefficients``, relevant being what counts as said. Intervals are percentiles of
    draws of topics; of fewer than two topics there is none."""
    grades = Grades(
        np.arange(3, dtype=np.float64), np.array(SCALE, dtype=np.float64), np.array([each >= level for each in SCALE])
    )
    draws = Draws(samples, seed)
    result = []
    pairs = list(combinations(range(len(items.assigners)), 2))
    for done, (first, second) in enumerate(pairs):
        for group, wanted in IMPORTANCES.items():
            if items.kind == "support" and wanted is not None:
                continue
            kept = items.both(first, second)
            if wanted is not None:
                kept = kept & np.isin(items.importance, wanted)
            places = np.flatnonzero(kept)
            if not len(places):
                continue
            topics, topic = np.unique(items.topic[places], return_inverse=True)
            cell = (topic.reshape(-1) * 3 + items.labels[first, places]) * 3 + items.labels[second, places]
            counts = np.bincount(cell, minlength=len(topics) * 9).reshape(len(topics), 9).astype(np.float64)
            total = counts.sum(axis=0).reshape(3, 3)
            values = coefficients(total[:, :, None], grades)
            low = high = np.full(len(values), np.nan)
            if samples and len(topics) > 1:
                again = draws.of(counts, lambda sums: coefficients(sums.reshape(3, 3, -1), grades))
                low, high = percentiles(again, confidence)
            estimates = {
                name: estimate(float(value[0]), float(low[at]), float(high[at]))
                for at, (name, value) in enumerate(values.items())
            }
            result.append(AssignerPair(
                items.assigners[first], items.assigners[second], group, len(places), len(topics),
                total.astype(np.int64), estimates,
            ))  # fmt: skip
        if progress is not None:
            progress((done + 1) / len(pairs))
    return result


def whole_topics(items: LabelledItems, first: int, second: int, system: int) -> Ints:
    """Return the topics, places in ``topics``, of a system in which two assigners labelled the same items: only there
    are scores under both over the same nuggets."""
    own = items.system == system
    by_first, by_second = (own & (items.labels[place] != UNJUDGED) for place in (first, second))
    both = np.unique(items.topic[by_first & by_second])
    differ = np.unique(items.topic[by_first != by_second])
    return np.setdiff1d(both, differ).astype(np.int64)
