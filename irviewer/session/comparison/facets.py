"""Fields of the relevant documents as attributes of queries, each read in the background once it is chosen."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass

from irviewer.errors import IrviewerError
from irviewer.evaluation.document_lengths import lengths_of
from irviewer.model.attributes.facets import Facets
from irviewer.model.attributes.queries import FACET, QueryAttribute
from irviewer.model.same import Same
from irviewer.model.texts import TEXT_COLUMNS
from irviewer.session.evaluation.context import EvaluationContext
from irviewer.translation import tr


@dataclass(frozen=True, eq=False)
class FacetResult:
    """A field of the relevant documents, or the reason why there is none."""

    attribute: QueryAttribute | None = None
    trouble: str = ""


@dataclass(frozen=True, eq=False)
class FacetRequest:
    """What a facet depends on; ``attribute`` stands for it, without values, until it is read."""

    key: tuple[Hashable, ...]
    attribute: QueryAttribute
    facets: Facets
    query_ids: tuple[str, ...]

    def compute(self, progress: Callable[[float], None] | None = None) -> FacetResult:
        """Read the field; any thread may."""
        try:
            return FacetResult(self.facets.attribute(self.attribute.name, self.query_ids))
        except IrviewerError as error:
            return FacetResult(trouble=str(error))


def facets_in_view(context: EvaluationContext) -> tuple[FacetRequest, ...]:
    """Return the fields of the open documents as attributes, without reading any; () without judgments and for texts.
    The same objects for the same context."""
    return context.evaluation.shared(("facets", *_depends_on(context)), lambda: _made(context))


def _depends_on(context: EvaluationContext) -> tuple[Hashable, ...]:
    grades = None if context.judgments is None else Same(context.judgments.qrels.grades)
    return Same(context.collection.documents), grades, Same(context.query_ids), context.options.level


def _made(context: EvaluationContext) -> tuple[FacetRequest, ...]:
    documents, lengths, judgments = context.collection.documents, lengths_of(context.collection), context.judgments
    if documents is None or lengths is None or lengths.fields is None:
        return ()
    if judgments is None or judgments.qrels.unread is not None:
        return ()
    facets = Facets(lengths.fields, judgments.qrels, context.options.level)
    return tuple(
        FacetRequest(
            ("facet", name, *_depends_on(context)),
            QueryAttribute(
                f"{FACET}{name}", "category", {}, tr("{field} of the relevant documents", field=name),
                tr("of grade {level:g} or more; read when it is ticked", level=context.options.level),
            ),
            facets, context.query_ids,
        )
        for name in documents.attributes
        if name.casefold() not in TEXT_COLUMNS
    )  # fmt: skip
