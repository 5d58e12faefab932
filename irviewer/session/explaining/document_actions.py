"""Actions on the selected document: pin it, so that the next one is shown beside it, and list what is above it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irviewer.model.rankings.tied_ranks import ORDERS, group_of, tied_ranks
from irviewer.session.store import Store
from irviewer.session.text.card_template import parse_template
from irviewer.session.view import View
from irviewer.session.view_models.documents_above import build_documents_above_view_model
from irviewer.session.view_models.query import DocumentCard, build_document
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.session.view_models.documents_above import DocumentsAboveViewModel


class DocumentService:
    """The selected document and the one pinned beside it. A pin is a query's: another query has none."""

    def __init__(self, store: Store, view: View) -> None:
        self._store = store
        self._settings = store.settings
        self._cache = store.cache
        self._view = view

    @property
    def pinned_document(self) -> str | None:
        """The document that stays beside whichever is selected; None without one."""
        query, document = self._store.state.chosen.pinned
        return document if document and query == self._view.query_id else None

    @property
    def beside(self) -> bool:
        """True where two documents stand side by side."""
        pinned, selected = self.pinned_document, self._view.document_id
        return pinned is not None and selected is not None and pinned != selected

    def pin_document(self, doc_id: str | None) -> None:
        """Keep a document in view beside the ones selected from now on; None lets it go."""
        former = self.pinned_document
        self._store.choose(pinned=(self._view.query_id, doc_id) if doc_id else ("", ""))
        if doc_id:
            self._store.answer(tr("Pinned: {document}", document=doc_id))
        elif former:
            self._store.answer(tr("Unpinned: {document}", document=former))

    def switch_pin(self) -> None:
        """Pin the selected document, or let go of the pinned one."""
        self.pin_document(self._view.document_id if self.pinned_document is None else None)

    def leave_document(self) -> bool:
        """Let go of the selected document, then of the pinned one; False where there is neither."""
        pinned, selected = self.pinned_document, self._view.document_id
        if pinned is None and selected is None:
            return False
        if pinned is None or selected not in (None, pinned):
            self._store.choose(document_id=None)
        else:
            self._store.choose(document_id=None, pinned=("", ""))
        return True

    def pinned_card(self) -> DocumentCard | None:
        """The pinned document's card; None without one."""
        context, query, document = self._view.context, self._view.query_id, self.pinned_document
        if context is None or document is None:
            return None
        template = parse_template(self._settings["card_fields"])
        return self._cache.get(
            "pinned", (context, query, document, template), lambda: build_document(context, query, document, template)
        )

    def tie_words(self, key: int, rank: int) -> str:
        """``tied: ranks 3–5 share the score 12.3, ordered by document id …`` of a rank of the
        selected query; "" where the document shares its score with none."""
        context = self._view.context
        entry = None if context is None else context.collection.run(key)
        if context is None or entry is None:
            return ""
        group = group_of(tied_ranks(entry.run, self._view.query_id), rank)
        if group is None:
            return ""
        score = float(entry.run.ranking_scores(self._view.query_id, rank)[-1])
        return tr(
            "tied: ranks {first:,}–{last:,} share the score {score:g}, {order}",
            first=group[0], last=group[1], score=score, order=ORDERS[entry.run.rule[0]],
        )  # fmt: skip

    def why_not_view_model(self) -> DocumentsAboveViewModel | None:
        """Return the documents above the selected document in the list of the focus run, or of the baseline without
        one. None without a document, a run or judgments."""
        context, query, document = self._view.context, self._view.query_id, self._view.document_id
        key = None if context is None else context.focus if context.focus is not None else context.baseline
        if context is None or key is None or not query or document is None:
            return None

        return build_documents_above_view_model(context, query, document, key)
