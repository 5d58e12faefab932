"""Titles laid out for rows: where the id goes, and when it gives way."""

from __future__ import annotations

from irviewer.gui.theme import Theme
from irviewer.gui.widgets.titles import TextCache, TitleCache, TitleText


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
    assert cache.known(("91", False)) is None
    assert cache.put("91", title, False).id_text is not None
    assert cache.put("FR940126-2-00106", "", True).lines == ()


def _shown(layout: TitleText) -> str:
    texts = [line.text() for line in layout.lines]
    return "".join(texts if layout.id_text is None else [*texts, layout.id_text.text()])


def test_ids_without_titles_use_both_lines(theme: Theme) -> None:
    cache = TitleCache()
    cache.set_lists([["FR940126-2-00106-and-more"]])
    room = cache._metrics[False].horizontalAdvance("FR940126-2-00106")
    cache.set_room(room, 2)
    layout = cache.put("FR940126-2-00106-and-more", "", False)
    assert len(layout.lines) == 2
    assert _shown(layout) == "FR940126-2-00106-and-more"
    cache.set_room(room, 1)
    assert "…" in _shown(cache.put("FR940126-2-00106-and-more", "", False))


def test_shortened_ids_of_a_list_stay_different(theme: Theme) -> None:
    ids = [f"WAPO_b2e89334-{middle:02d}f9-11e1-825f-dabc29fd-4QNU" for middle in range(40)]
    for title in ("", "periodic temperature distributions in a two-layer composite slab"):
        for lines in (1, 2):
            cache = TitleCache()
            cache.set_lists([ids[:20], ids[10:]])
            cache.set_room(150.0, lines)
            layouts = [cache.put(doc_id, title, False) for doc_id in ids]
            shown = ["" if layout.id_text is None else layout.id_text.text() for layout in layouts]
            shown = shown if any(shown) else [_shown(layout) for layout in layouts]
            assert len(set(shown)) == len(ids)
            assert all(cache._metrics[False].horizontalAdvance(text) <= 150 * lines for text in shown)
