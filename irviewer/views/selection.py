"""What is said where only some queries count."""

from __future__ import annotations

from pathlib import Path

from irviewer.analysis.statistics.warnings import set_warning
from irviewer.evaluation.bind import BoundProtocol
from irviewer.translation import tr


def selection_notes(bound: BoundProtocol) -> list[str]:
    """Return a note that values are over the selected queries; empty for all queries."""
    if bound.selected is None:
        return []
    selection = bound.protocol.scope.queries
    file = Path(selection.file).name
    name = f"{selection.name} ({file})" if selection.name and file else selection.name or file or tr("the protocol")
    return [set_warning(name, len(bound.query_ids), bound.facts.all_queries or 0)]
