"""Titles laid out for rows: where the id goes, and when it gives way."""

from __future__ import annotations

from irviewer.gui.theme import Theme
from irviewer.gui.widgets.titles import TextCache, TitleCache


def test_short_texts_are_laid_out_once(theme: Theme) -> None:
    texts = TextCache(theme.font(9))
    assert texts.get("12")[0] is texts.get("12")[0]
    assert texts.metrics.horizontalAdvance("12") == texts.metrics.horizontalAdvance("12") > 0


def test_a_narrow_title_takes_the_room_of_the_id(theme: Theme) -> None:
    cache = TitleCache()
    cache.set_room(90.0, 2)
    title = "periodic temperature distributions in a two-layer composite slab"
    assert cache.put("91", title, False).id_text is None
    assert cache.put("91", "slab", False).id_text is not None
    cache.set_room(200.0, 2)
    assert cache.known("91", False) is None
    assert cache.put("91", title, False).id_text is not None
    assert cache.put("FR940126-2-00106", "", True).lines == ()
