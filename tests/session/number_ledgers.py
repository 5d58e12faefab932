"""The ledgers of the numbers of views, as the session delivers them."""

from __future__ import annotations

from irviewer.model.arrays import Floats
from irviewer.session.session import Session
from irviewer.session.view_models.ledgers.ledger import LedgerViewModel


def explained(session: Session, key: str) -> LedgerViewModel:
    """The ledger of a number of the view that is shown."""
    ledgers: list[LedgerViewModel] = []
    session.numbers.explain(key, ledgers.append)
    (ledger,) = ledgers
    assert not ledger.explanation
    assert ledger.table is not None
    assert ledger.table.n_rows == len(ledger.documents)
    return ledger


def column(ledger: LedgerViewModel, key: str) -> Floats:
    """The numbers of a column."""
    assert ledger.table is not None
    return ledger.table.column(key).numbers[""]


def names(ledger: LedgerViewModel) -> tuple[str, ...]:
    """The texts of the first column."""
    assert ledger.table is not None
    return tuple(map(str, ledger.table.columns[0].values))
