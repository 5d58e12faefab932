"""The unit of dependence of a collection in view: what the queries that count belong to."""

from __future__ import annotations

import numpy as np

from irviewer.errors import OptionError
from irviewer.model.attributes.queries import QueryAttribute
from irviewer.model.attributes.tables import given_query_attributes
from irviewer.model.query_units import QueryUnits, id_prefix, units_of
from irviewer.model.same import Same
from irviewer.session.evaluation.context import EvaluationContext


def unit_attributes(context: EvaluationContext) -> tuple[QueryAttribute, ...]:
    """Return the attributes that may be the unit: those that were given, and the prefix of ids."""
    given = given_query_attributes(context.collection.queries, context.collection.attributes)
    prefix = id_prefix(context.query_ids)
    return given if prefix is None else (*given, prefix)


def units_in_view(context: EvaluationContext) -> tuple[QueryUnits | None, str]:
    """Return the units of the queries that count, and why there are none where one is declared; None and "" without a
    unit. A unit can go with a table that is closed, or lack queries of other judgments."""
    name = context.choices.scope.unit
    if not name or context.judgments is None:
        return None, ""
    ids = context.query_ids
    if context.within is not None:
        ids = tuple(np.array(ids)[context.within].tolist())
    collection = context.collection
    key = ("units", name, ids, Same(collection.queries), Same(collection.attributes))

    def found() -> tuple[QueryUnits | None, str]:
        try:
            return units_of(name, unit_attributes(context), ids), ""
        except OptionError as trouble:
            return None, str(trouble)

    return context.evaluation.shared(key, found)
