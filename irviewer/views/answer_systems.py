"""The systems that answer among the runs of a part: the files of one system are one, also where they are runs of their
own, as in the window; and what they are joined with: nuggets, grades, and the list that the answers were made from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from irviewer.errors import OptionError
from irviewer.evaluation.answer_cautions import assigners_text, refuse_parts_of_other_topics
from irviewer.evaluation.bind import BoundProtocol
from irviewer.model.answers.beside import with_judgments, with_segments
from irviewer.model.answers.systems import joined_systems, list_of, share_listed, with_list
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.run_names import run_place
from irviewer.translation import tr
from irviewer.views.inputs import Part


def systems_of(part: Part, protocol: BoundProtocol) -> list[Run]:
    """Return the runs that take part, those of one system as one, by the name of the first. Labels of different topics
    that are still apart were kept so."""
    return joined_systems([part.runs[place] for place in protocol.runs], apart=True)


def systems_with_topics(part: Part, protocol: BoundProtocol, qrels: Qrels) -> list[Run]:
    """Return the runs as :func:`systems_of`, for a view that reads all that they have. Raises OptionError where all
    labels, or all answers, of a system are of other topics than those of the qrels."""
    systems = systems_of(part, protocol)
    for run in systems:
        refuse_parts_of_other_topics(run, qrels)
    return systems


@dataclass(frozen=True)
class FoundList:
    """The list that answers were made from: its name, "" where no run is it; whether the user chose it, and the part of
    the references that it has."""

    name: str = ""
    chosen: bool = False
    share: float = 0.0


def with_their_list(part: Part, systems: Sequence[Run]) -> tuple[list[Run], FoundList]:
    """Return systems with the list that their answers were made from: the run of the part that the user chose, else the
    one that has their references, also one that takes no part. Systems that were given a list keep it."""
    without = [run for run in systems if run.answered is not None and not run.answered.with_list]
    if not without:
        return list(systems), FoundList()
    name = part.collection.chosen_list
    chosen = name is not None
    if name is None:
        listed = list_of(without, part.runs)
    else:
        listed = next((entry.run for entry in part.collection.runs if entry.name == name), None)
    if listed is None:
        return list(systems), FoundList(chosen=chosen)
    name = part.names[next(place for place, run in enumerate(part.runs) if run is listed)]
    return (
        [with_list(run, listed) if any(run is each for each in without) else run for run in systems],
        FoundList(name, chosen, share_listed(without, listed)),
    )


def with_other_judgments(part: Part) -> Qrels:
    """Return the judgments in force; nuggets, links to segments and grades that they lack come from other sets of
    the collection, where one has them."""
    qrels = part.qrels
    sets = [each.qrels for each in part.collection.judgments if each.qrels is not qrels and each.qrels.unread is None]
    if qrels.nuggets is None:
        other = next((each.nuggets for each in sets if each.nuggets is not None), None)
        qrels = qrels if other is None else replace(qrels, nuggets=other)
    if qrels.nuggets is not None and qrels.nuggets.links is None:
        for each in sets:
            if each.nuggets is not None and each.nuggets.links is not None:
                try:
                    qrels = with_segments(qrels, each)
                except OptionError:
                    continue
                break
    if not len(qrels):
        graded = next((each for each in sets if len(each)), None)
        qrels = qrels if graded is None else with_judgments(qrels, graded)
    return qrels


def assigners_note(runs: Sequence[Run]) -> str:
    """Return that different assigners labelled the nuggets of systems, as a sentence; "" where all are by one."""
    text = assigners_text(runs)
    return text and text[:1].upper() + text[1:] + "."


def pair_of(part: Part, protocol: BoundProtocol, names: Sequence[str], run: str) -> tuple[int, int]:
    """Return the places among ``names`` of the baseline and of a system beside it: the named one, else the first other.
    Without the baseline among them it is the first. Raises OptionError where there is no second one."""
    if len(names) < 2:
        raise OptionError(tr("This needs two systems. Open the files of another one."))
    own = "" if protocol.baseline is None else part.names[protocol.baseline]
    baseline = names.index(own) if own in names else 0
    if not run:
        return baseline, next(place for place in range(len(names)) if place != baseline)
    system = run_place(run, names)
    if system == baseline:
        raise OptionError(tr("{run} is compared with itself: name another system.", run=run))
    return baseline, system
