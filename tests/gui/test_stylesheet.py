"""The stylesheet is whole in both themes."""

from __future__ import annotations

import pytest

from irviewer.gui.stylesheet import stylesheet
from irviewer.session.palette import DARK, LIGHT, Palette


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_every_token_is_filled_in(palette: Palette) -> None:
    text = stylesheet(palette)
    assert palette.panel in text
    assert text.count("{") == text.count("}")
    assert "{{" not in text
    assert "None" not in text
