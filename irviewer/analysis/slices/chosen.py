"""The attributes that queries are sliced by, as they are named."""

from __future__ import annotations

from collections.abc import Sequence

from irviewer.errors import OptionError
from irviewer.model.attributes.facets import Facets
from irviewer.model.attributes.queries import DIFFICULTY, FACET, QueryAttribute, find_query_attribute, slices_of
from irviewer.model.query_units import ID_PREFIX
from irviewer.translation import tr


def choose_attributes(
    attributes: Sequence[QueryAttribute], names: Sequence[str], query_ids: Sequence[str], facets: Facets | None = None
) -> tuple[QueryAttribute, ...]:
    """Return the attributes with these names; without names, all with at least two slices but the prefix of ids, which
    is used only where it is named. ``facets`` make an attribute of a field of documents that is named
    (``relevant:brand``). Raises OptionError, and MeasureError for a field that the documents lack."""
    if names:
        if DIFFICULTY in names and all(attribute.name != DIFFICULTY for attribute in attributes):
            raise OptionError(tr("Difficulty needs other runs, which are not compared."))
        own = {attribute.name for attribute in attributes}
        return tuple(
            _facet(name, query_ids, facets) if name.startswith(FACET) and name not in own
            else find_query_attribute(attributes, name)
            for name in dict.fromkeys(names)
        )  # fmt: skip
    usable = []
    for attribute in attributes:
        if attribute.name == ID_PREFIX:
            continue
        try:
            if len(slices_of(attribute, query_ids).slices) > 1:
                usable.append(attribute)
        except OptionError:  # too many categories, or no value of these queries
            continue
    return tuple(usable)


def _facet(name: str, query_ids: Sequence[str], facets: Facets | None) -> QueryAttribute:
    if facets is None:
        raise OptionError(
            tr(
                "{name} is a field of the relevant documents, which are not open; give a file of the documents",
                name=name,
            )
        )
    return facets.attribute(name, query_ids)
