"""What holds for every test: no display is needed, and nobody's own settings are read or written."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator

import pytest

# Before Qt is imported: without a display it would end the whole test run.
os.environ["QT_QPA_PLATFORM"] = "offscreen"


@pytest.fixture(autouse=True, scope="session")
def _own_settings() -> Iterator[None]:
    """Settings, recent files and caches in a folder that goes when the tests end."""
    with tempfile.TemporaryDirectory(prefix="irviewer-tests-") as folder, pytest.MonkeyPatch.context() as patch:
        patch.setenv("IRVIEWER_CONFIG_DIR", folder)
        patch.setenv("MPLCONFIGDIR", folder)  # matplotlib builds its list of fonts there
        yield
