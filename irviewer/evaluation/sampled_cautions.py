"""What measures make of sampled judgments: two of them estimate by strata, the others count what was not sampled as
unjudged."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from irviewer.errors import name_some
from irviewer.measures.answered import parts_of
from irviewer.measures.base import Measure
from irviewer.model.arrays import among, distinct, group_of_each
from irviewer.model.matching.unmatched import JudgedShare, ShareWarning, names_nonrelevant, share_warnings
from irviewer.model.qrels import Qrels
from irviewer.translation import tr, trn

BY_STRATA = ("xinfAP", "infNDCG")
COUNTING = ("NumQ", "NumRet")
"""Families that no judgment changes."""


def sampled_cautions(measures: Sequence[Measure], qrels: Qrels) -> list[str]:
    """Return the sentence about measures that do not know the strata of sampled qrels, or about all where documents
    were drawn without strata; none where nothing was left out of a sample."""
    estimating = any({part.name for part in parts_of(measure)} & {*BY_STRATA} for measure in measures)
    if not estimating:
        return _others(measures, qrels)
    if qrels.strata is None:
        return [*_others(measures, qrels), *_nothing_to_estimate(qrels)]
    return [*_others(measures, qrels), *unsampled_strata(qrels), *unknown_sizes(qrels)]


def unsampled_strata(qrels: Qrels) -> list[str]:
    """Return the sentence about strata without any sampled document, of qrels with strata; none where none is so."""
    assert qrels.strata is not None
    names = qrels.strata.names
    cell = group_of_each(qrels.offsets) * len(names) + qrels.strata.codes
    unsampled = distinct(cell[qrels.grades < 0])
    empty = unsampled[~among(unsampled, cell[qrels.grades >= 0])].tolist()
    if not empty:
        return []
    pairs = [(names[code % len(names)], qrels.query_ids[code // len(names)]) for code in empty]
    shown = name_some([tr("{stratum} of query {query}", stratum=name, query=query) for name, query in pairs], 3)
    return [
        trn(
            "{n:,} stratum has no sampled document ({strata}): nothing is known of it, and its documents add nothing "
            "to xinfAP and infNDCG",
            "{n:,} strata have no sampled document ({strata}): nothing is known of them, and their documents add "
            "nothing to xinfAP and infNDCG",
            len(pairs),
            strata=shown,
        )
    ]


def unknown_sizes(qrels: Qrels) -> list[str]:
    """Return the sentence about strata whose sizes the file may lack, of qrels with strata; none where it lists
    documents that were not sampled."""
    if bool((qrels.grades < 0).any()):
        return []
    return [
        tr(
            "no document has the grade -1: every stratum is read as judged in full. If the file leaves out the "
            "documents that were not sampled, the sizes of the strata are unknown, and xinfAP and infNDCG are not "
            "estimates"
        )
    ]


def _nothing_to_estimate(qrels: Qrels) -> list[str]:
    """Return the sentence about qrels without strata that list no document as not sampled."""
    if qrels.drawn or bool((qrels.grades < 0).any()):
        return []
    return [
        tr(
            "the judgments have neither strata nor documents with the grade -1: xinfAP and infNDCG take the pool as "
            "judged in full and estimate nothing; files with strata are read as sampled (--qrels-from sampled)"
        )
    ]


def _others(measures: Sequence[Measure], qrels: Qrels) -> list[str]:
    knowing = COUNTING if qrels.drawn else (*BY_STRATA, *COUNTING)
    return _cautions([measure.text for measure in measures if not _is_of(measure, knowing)], qrels)


def sampled_curve_cautions(qrels: Qrels) -> list[str]:
    """Return the same of curves."""
    return _cautions([tr("the curve")], qrels)


def _cautions(names: Sequence[str], qrels: Qrels) -> list[str]:
    if qrels.drawn:
        return _of_drawn(names)
    if not names or qrels.strata is None or not bool((qrels.grades < 0).any()):
        return []
    return [
        trn(
            "the judgments are a sample: {measures} does not know the strata and counts documents that were not "
            "sampled as unjudged; xinfAP and infNDCG estimate for them",
            "the judgments are a sample: {measures} do not know the strata and count documents that were not sampled "
            "as unjudged; xinfAP and infNDCG estimate for them",
            len(names),
            measures=name_some(names, 3),
        )
    ]


def untold(cautions: Sequence[str], remarks: Iterable[str]) -> list[str]:
    """Return those of the cautions that no text tells, of whichever measures: what follows the last semicolon is the
    same for all measures."""
    texts = list(remarks)
    return [caution for caution in cautions if not any(caution.rpartition("; ")[2] in text for text in texts)]


def sample_caveat(measure: Measure, qrels: Qrels) -> str:
    """Return the same of one measure in a short line; "" where there is nothing to say."""
    if not _others([measure], qrels):
        return "".join(sampled_cautions([measure], qrels))
    if qrels.drawn:
        return tr("judgments are of drawn documents: those that were not drawn count as unjudged")
    return tr("judgments are a sample: only xinfAP and infNDCG estimate for the documents not sampled")


def _of_drawn(names: Sequence[str]) -> list[str]:
    if not names:
        return []
    return [
        trn(
            "the judged documents were drawn from a larger set: {measures} counts those that were not drawn as "
            "unjudged; irviewer judge (Compare › Judge) corrects means by such a sample",
            "the judged documents were drawn from a larger set: {measures} count those that were not drawn as "
            "unjudged; irviewer judge (Compare › Judge) corrects means by such a sample",
            len(names),
            measures=name_some(names, 3),
        )
    ]


def _is_of(measure: Measure, families: Sequence[str]) -> bool:
    return {part.name for part in parts_of(measure)} <= {*families}


def estimated(measures: Sequence[Measure], qrels: Qrels) -> bool:
    """Return whether all these measures estimate for what strata leave out, so that none counts it as not relevant."""
    return qrels.strata is not None and all(_is_of(measure, (*BY_STRATA, *COUNTING)) for measure in measures)


def of_all_runs(
    cautions: Iterable[str], shares: Sequence[JudgedShare], measures: Sequence[Measure], qrels: Qrels
) -> list[str]:
    """Return the cautions about runs that were evaluated one by one, with those about their ``shares`` made anew, which
    compare runs. Where no shares are known they are as they were."""
    kept = [caution for caution in cautions if not (shares and isinstance(caution, ShareWarning))]
    together = share_warnings(shares, names_nonrelevant(qrels) and not estimated(measures, qrels))
    return list(dict.fromkeys([*kept, *together]))


def is_by_strata(measure: str) -> bool:
    """Return whether the text of a measure is of one that estimates from a sample, of whose mean no interval is shown:
    the estimate of every query may be off the same way."""
    return measure.partition("@")[0].partition("(")[0] in BY_STRATA
