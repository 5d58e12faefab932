"""Titles laid out for rows: where the id goes, and when it gives way."""

from __future__ import annotations

import pytest

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


def test_titles_that_look_the_same_show_their_ids(theme: Theme) -> None:
    ids = [f"SKU-tent-black-{number:03d}" for number in range(4)]
    cache = TitleCache()
    cache.set_lists([ids])
    cache.set_room(90.0, 2)
    for doc_id in ids:
        cache.put(doc_id, "Black tarpaulin for tents", False)
    assert cache.known((ids[0], False)) is None  # it was laid out as if no other looked like it
    layouts = [cache.put(doc_id, "Black tarpaulin for tents", False) for doc_id in ids]
    shown = [layout.id_text.text() for layout in layouts if layout.id_text is not None]
    assert len(set(shown)) == len(ids)
    assert all(layout.id_line == len(layout.lines) == 1 for layout in layouts)
    assert cache.known((ids[0], False)) is layouts[0]


def test_a_short_id_is_behind_a_title_that_others_have(theme: Theme) -> None:
    title = "periodic temperature distributions in a two-layer composite slab."
    cache = TitleCache()
    cache.set_room(90.0, 2)
    for _ in range(2):
        layouts = [cache.put(doc_id, title, True) for doc_id in ("90", "91")]
    assert [layout.id_text.text() for layout in layouts if layout.id_text is not None] == ["90", "91"]
    assert all(layout.id_line == 1 and len(layout.lines) == 2 and layout.id_x > 20 for layout in layouts)


def test_an_id_below_its_title_uses_the_whole_line_and_no_more(theme: Theme) -> None:
    far = [f"https://shop.example.de/garden/tent/{kind}/item-{n}.html" for kind in ("red", "green") for n in range(9)]
    near = [f"SKU-tent-red-{n:03d}" for n in range(9)]
    cache = TitleCache()
    cache.set_lists([far, near])
    cache.set_room(118.0, 2)
    width = cache._small_metrics.horizontalAdvance
    for doc_id in (*far, *near):
        text = cache.put(doc_id, "Red tents and more", False).id_text
        assert text is not None and width(text.text()) <= 118.0
        assert text.text() == doc_id if doc_id in near else width(text.text()) > 118.0 * 0.6


def test_an_id_in_two_lines_breaks_behind_a_separator(theme: Theme) -> None:
    cache = TitleCache()
    width = cache._metrics[False].horizontalAdvance
    cache.set_room(width("legal-de_2541"), 2)
    texts = [line.text() for line in cache.put("legal-de_2541729", "", False).lines]
    assert texts == ["legal-de_", "2541729"]
    cache.set_room(width("D25417"), 2)
    texts = [line.text() for line in cache.put("D2541729", "", False).lines]
    assert "".join(texts) == "D2541729" and len(texts) == 2


@pytest.mark.parametrize("title", ["", "\u200b", "periodic temperature distributions in a two-layer composite slab"])
@pytest.mark.parametrize("sign", ["\u200b", "\u0301", "\u202e", "\ufe0f", "\ufffe"])
def test_ids_without_width_are_escaped_among_long_ones(theme: Theme, sign: str, title: str) -> None:
    cache = TitleCache()
    cache.set_lists([[sign, "x" * 100]])
    cache.set_room(90.0, 2)
    escape = sign.encode("unicode_escape").decode()
    for strong in (False, True):
        assert "…" in _shown(cache.put("x" * 100, title, strong))
        shown = _shown(cache.put(sign, title, strong))
        assert sign not in shown
        assert title or shown == escape
