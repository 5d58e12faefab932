"""The ledgers of the numbers of views, as the session delivers them."""

from __future__ import annotations

import numpy as np

from irviewer.model.arrays import Floats
from irviewer.session.session import Session
from irviewer.session.view_models.ledgers.ledger import LedgerViewModel


def explained(session: Session, key: str) -> LedgerViewModel:
    """The ledger of a number of the view that is shown."""
    ledgers: list[LedgerViewModel] = []
    session.numbers.explain(key, ledgers.append)
    (ledger,) = ledgers
    assert not ledger.explanation
    assert all(len(cells) == len(ledger.documents) for cells in ledger.cells)
    return ledger


def column(ledger: LedgerViewModel, key: str) -> Floats:
    """The numbers of a column."""
    cells = ledger.cells[[column.key for column in ledger.columns].index(key)]
    assert isinstance(cells, np.ndarray)
    return cells


def names(ledger: LedgerViewModel) -> tuple[str, ...]:
    """The texts of the first column."""
    cells = ledger.cells[0]
    assert isinstance(cells, tuple)
    return cells
