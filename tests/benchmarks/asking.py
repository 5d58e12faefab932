"""What is answered while a person waits: why a number is what it is, and which query was meant."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import numpy as np

from irviewer.analysis.explain import explain_query
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.texts import TextTable
from irviewer.model.workspace import Collection
from tests.benchmarks.case import Side

LEDGERS = ("nDCG", "AP", "RBP", "ERR", "INST", "Bpref")


@contextmanager
def ledgers(folder: Path, small: bool) -> Iterator[dict[str, Side]]:
    """The ledger of a query of a thousand documents, two hundred of them judged, for each measure."""
    depth, queries = (50, 2) if small else (1000, 20)
    chance = np.random.default_rng(1)
    grades = {f"d{n}": float(chance.integers(0, 4)) for n in chance.permutation(2 * depth)[: depth // 5]}
    qrels = Qrels.from_dict({str(query): grades for query in range(queries)})
    run = Run.from_dict({str(query): {f"d{n}": -float(n) for n in range(depth)} for query in range(queries)})

    def explain(text: str) -> None:
        explain_query(run, qrels, text, "1")

    yield {text: partial(explain, text) for text in LEDGERS}


@contextmanager
def picking(folder: Path, small: bool) -> Iterator[dict[str, Side]]:
    """Some letters among 6,980 queries with texts, as the picker asks with every letter."""
    from irviewer.gui.dialogs.picker.sources import QuerySource

    ids = tuple(str(n) for n in range(100 if small else 6980))
    texts = TextTable.from_rows([{"id": doc_id, "text": f"what is the number {doc_id} of things"} for doc_id in ids])
    view = SimpleNamespace(context=SimpleNamespace(query_ids=ids), collection=Collection("big", texts))
    session = SimpleNamespace(view=view)
    source = QuerySource(session)  # type: ignore[arg-type]
    source.begin()

    def pick() -> None:
        assert source.items("number 69")[0].act is not None

    yield {"picked": pick}
