"""What tests of the commands share: data change by steps of the history only."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from through_history import watch


@pytest.fixture(autouse=True, scope="package")
def _data_change_by_steps() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        watch(patch)
        yield
