"""The labels of support of the citations of an answer, joined with what a judge was given."""

from __future__ import annotations

from irviewer.model.answers.answered import Answered
from irviewer.model.answers.labels import UNJUDGED


def support_labels(answered: Answered, topic: str) -> list[int]:
    """Return the label of support of each citation of the answer to a topic, in order: joined by the place of the
    sentence, checked by what is cited; UNJUDGED where the judged sentence cites something else."""
    answers, support = answered.answers, answered.support
    place = None if answers is None else answers.topic_index.get(topic)
    if answers is None or place is None:
        return []
    bounds = answers.citation_offsets[int(answers.offsets[place]) : int(answers.offsets[place + 1]) + 1].tolist()
    labels = [UNJUDGED] * (bounds[-1] - bounds[0])
    at = None if support is None else support.topic_index.get(topic)
    if support is None or at is None:
        return labels
    theirs = support.citation_offsets[int(support.offsets[at]) : int(support.offsets[at + 1]) + 1].tolist()
    judged = support.cited[theirs[0] : theirs[-1]].to_pylist()
    given = support.labels[theirs[0] : theirs[-1]].tolist()
    cited = answers.cited[bounds[0] : bounds[-1]].to_pylist()
    for number in range(min(len(bounds), len(theirs)) - 1):
        known: dict[str, int] = {}
        for citation in range(theirs[number] - theirs[0], theirs[number + 1] - theirs[0]):
            known.setdefault(judged[citation], given[citation])
        for citation in range(bounds[number] - bounds[0], bounds[number + 1] - bounds[0]):
            labels[citation] = known.get(cited[citation], UNJUDGED)
    return labels
