"""Hand-made query view models, and a session that only notes what it is asked: enough to test the Query place's views.

Reached through the fixture ``query_view_models`` of conftest.py."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
from psygnal import Signal
from session_parts import PARTS

from irviewer.figures.figure import Axis, Curve, Figure, Role
from irviewer.model.run import Run
from irviewer.model.texts import TextTable
from irviewer.model.workspace import Collection, JudgmentSet, Regime
from irviewer.rendering.run_label import NEW, RunLabel
from irviewer.session.view_models.queries import QueriesViewModel
from irviewer.session.view_models.query import (
    DocumentCard,
    MetricRow,
    MissedRow,
    QueryViewModel,
    RankedColumn,
    StripRow,
)

NAMES = ("standard_bm25", "english_bm25", "english_classic", "dense_minilm", "fusion_rrf", "lm_dirichlet")
TITLES = (
    "periodic temperature distributions in a two-layer composite slab",
    "one-dimensional transient heat flow in a multilayer slab",
    "linear heat flow in a composite slab",
    "biot's variational principle in heat conduction",
    "small bending and stretching of sandwich type shells",
)


def label(key: int, *, shown: bool = True, name: str = "") -> RunLabel:
    """A run: the first is the baseline, the second the focus."""
    name = name or (NAMES[key] if key < len(NAMES) else f"run_{key}")
    least = f"{name[:2]}…{name[-2:]}"
    return RunLabel(key, name, name[:8], key, None, shown, key == 0, key == 1, name, forms=(least,))


def figure(title: str) -> Figure:
    """A figure with one curve."""
    curve = Curve(Role("run", 0), "one", np.array([0.0, 1.0]), np.array([1.0, 0.2]))
    return Figure(title, Axis("Recall", 0.0, 1.0), Axis("Precision", 0.0, 1.0), (curve,))


def query_view_model(
    runs: int = 3,
    depth: int = 50,
    *,
    query_id: str = "3",
    regime: Regime = Regime.COMPLETE,
    document: str | None = None,
    strips: int | None = None,
    seed: int = 0,
    cutoff: int = 10,
) -> QueryViewModel:
    """A view model of ``runs`` shown lists of ``depth`` out of twice as many documents; d0 … d8 are relevant, d9 is
    judged non-relevant, the others are not in the qrels."""
    rng = np.random.default_rng(seed)
    grade = {f"d{k}": float(1 + k % 5) for k in range(9)} | {"d9": 0.0}
    total = runs if strips is None else strips
    lists = []
    for _ in range(total):
        keys = np.arange(2 * depth) + rng.normal(0, depth / 3, 2 * depth)
        lists.append([f"d{k}" for k in np.argsort(keys)[:depth].tolist()])
    base = {doc: rank for rank, doc in enumerate(lists[0], 1)} if lists else {}
    columns, rows = [], []
    for key, docs in enumerate(lists):
        grades = np.array([grade.get(doc, np.nan) for doc in docs])
        change = np.array(
            [base[doc] - rank if doc in base else NEW for rank, doc in enumerate(docs, 1)], dtype=np.int64
        )
        run = label(key, shown=key < runs)
        value = 0.9 - 0.1 * key / max(1, total)
        if key < runs:
            columns.append(RankedColumn(run, value, docs, grades, None if key == 0 else change))
        listed = np.flatnonzero(~np.isnan(grades))
        chosen = docs.index(document) + 1 if document in docs else 0
        rows.append(
            StripRow(run, value, listed + 1, grades[listed], [docs[k] for k in listed.tolist()], len(docs), chosen)
        )
    missed = []
    for doc, value in grade.items():
        ranks = tuple(docs.index(doc) + 1 if doc in docs else 0 for docs in lists[:runs])
        if value > 0 and any(rank == 0 or rank > cutoff for rank in ranks):
            missed.append(MissedRow(doc, TITLES[int(doc[1:]) % len(TITLES)], value, ranks))
    best = (0,) if runs > 1 else ()
    metrics = tuple(
        MetricRow(name, name, tuple(column.value for column in columns), best, 0.27, name == "nDCG@10")
        for name in ("nDCG@10", "AP", "P@10", "R@50", "RR")
    )
    return QueryViewModel(
        query_id,
        "what problems of heat conduction in composite slabs have been solved so far",
        (3, 225),
        9,
        "nDCG@10",
        cutoff,
        regime,
        5.0,
        (1.0, 2.0, 3.0, 4.0, 5.0),
        tuple(columns),
        lambda: tuple(rows),
        tuple(missed),
        metrics,
        cache(lambda: figure("Precision–recall")),
        cache(lambda: figure("DCG accumulation")),
        document,
        ("heat", "composite"),
        depth,
    )


def queries_view_model(count: int = 225, selected: int = 2) -> QueriesViewModel:
    """Queries "1" … with falling differences."""
    delta = np.linspace(0.6, -0.3, count)
    return QueriesViewModel(
        title=f"{count} queries",
        note="",
        measure="nDCG@10",
        runs=(label(0), label(1)),
        query_ids=tuple(str(k + 1) for k in range(count)),
        texts=tuple(f"what problems of heat conduction have been solved, part {k}" for k in range(count)),
        relevant=np.full(count, 9),
        values=np.zeros((count, 2)),
        delta=delta,
        spread=np.abs(delta),
        ends=(0.0, 1.0),
        selected=selected,
        sort=("delta", True),
        filter="",
        filter_error="",
        total=count,
        better=1,
        equal=1,
        worse=1,
        delta_note="",
        bars=figure("Differences"),
        make_map=lambda: None,
        compute_cells=lambda: None,
    )


def documents(count: int = 2000) -> TextTable:
    """Titled documents d0 …"""
    rows = [
        {"id": f"d{k}", "title": TITLES[k % len(TITLES)], "text": f"the text of d{k} about heat <b> & slabs"}
        for k in range(count)
    ]
    return TextTable.from_rows(rows, name="documents")


class FakeSession:
    """Answers with the view models it is given and notes in ``calls`` what it is asked to do."""

    changed = Signal(frozenset)
    hovered = Signal(str)
    asked = Signal(str)

    def __init__(
        self, view_model: QueryViewModel | None = None, queries: QueriesViewModel | None = None, *, titled: bool = True
    ) -> None:
        self.view_model = view_model
        self.queries = queries
        self.calls: list[tuple[Any, ...]] = []
        self.lists_mode = "lists"
        self.list_ids = False
        self.offered_fields: tuple[str, ...] = ()
        self.list_fields: tuple[str, ...] = ()
        self.context = None
        self.document_id = None if view_model is None else view_model.document
        self.card: DocumentCard | None = None
        self.collection = Collection("test", documents=documents() if titled else None)
        if view_model is not None:
            lists = [{doc: -float(at) for at, doc in enumerate(c.doc_ids)} for c in view_model.columns]
            runs = [Run.from_dict({view_model.query_id: ranking}, name=f"r{k}") for k, ranking in enumerate(lists)]
            self.collection = self.collection.with_runs(runs)
        self.judgments: JudgmentSet | None = None
        self.grades = (0.0, 1.0, 2.0)
        self.judgment_mark = ""
        self.columns: dict[str, dict[str, list[str]]] = {}
        self.query_id = "" if view_model is None else view_model.query_id
        self.measure = "nDCG@10"
        self.pinned_document: str | None = None
        self.ties = ""
        self.filter_under_way: str | None = None

    def query_view_model(self) -> QueryViewModel | None:
        return self.view_model

    def queries_view_model(self) -> QueriesViewModel | None:
        return self.queries

    query_list_view_model = queries_view_model

    def score_words(self, key: int, rank: int) -> str:
        return f"score {100 - rank}"

    def aspect_words(self, doc_id: str) -> str:
        return ""

    @property
    def beside(self) -> bool:
        return None not in (self.pinned_document, self.document_id) and self.pinned_document != self.document_id

    def tie_words(self, key: int, rank: int) -> str:
        return self.ties

    def pinned_card(self) -> DocumentCard | None:
        return None if self.pinned_document is None else self.pinned

    def pin(self, card: DocumentCard | None) -> None:
        """Have a card pinned."""
        self.pinned, self.pinned_document = card, None if card is None else card.doc_id

    def leave_document(self) -> bool:
        """Lets go of the selected document, as the real one does."""
        if self.document_id is None:
            return False
        self.set_document(None)
        return True

    def document_card(self) -> DocumentCard | None:
        return self.card if self.document_id is not None else None

    def labels(self) -> tuple[RunLabel, ...]:
        return tuple(strip.run for strip in self.view_model.strips) if self.view_model is not None else ()

    def hover(self, doc_id: str) -> None:
        self.calls.append(("hover", doc_id))
        self.hovered.emit(doc_id)

    def set_document(self, doc_id: str | None) -> None:
        """Selects, as the real one does, and makes a card of it."""
        self.calls.append(("set_document", doc_id))
        self.document_id = doc_id
        if self.view_model is not None:
            self.view_model = replace(self.view_model, document=doc_id)
        if doc_id is not None:
            self.card = document_card(doc_id, self.view_model)

    def __getattr__(self, name: str) -> Any:
        if name in PARTS:
            return self

        if name.startswith("_"):
            raise AttributeError(name)

        def note(*args: Any) -> None:
            self.calls.append((name, *args))

        return note


def document_card(
    doc_id: str, view_model: QueryViewModel | None, *, known: bool = True, grade: float = 2.0
) -> DocumentCard:
    """A card with one mark in title and text."""
    runs = () if view_model is None else tuple(column.run for column in view_model.columns)
    ranks = tuple((run, 7 * place) for place, run in enumerate(runs))
    text = "periodic heat <flow> & composite slabs.\nMore of it. " * 8
    title = "heat flow in composite slabs"
    fields = (("author", "campbell,w.f."), ("bib", "j. ae. scs. 25, 1958, 340."), ("abstract", "long " * 30))
    if not known:
        return DocumentCard(doc_id, "", "", (), grade, ranks, (), (), False)
    return DocumentCard(doc_id, title, text, fields, grade, ranks, ((9, 4), (23, 9)), ((0, 4),), True)
