"""The systems that answer among the runs of a part: the files of one system are one, also where they are runs of their
own, as in the window."""

from __future__ import annotations

from irviewer.evaluation.bind import BoundProtocol
from irviewer.model.answers.systems import joined_systems
from irviewer.model.run import Run
from irviewer.views.inputs import Part


def systems_of(part: Part, protocol: BoundProtocol) -> list[Run]:
    """Return the runs that take part, those of one system as one, by the name of the first."""
    return joined_systems([part.runs[place] for place in protocol.runs])
