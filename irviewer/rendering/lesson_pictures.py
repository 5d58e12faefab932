"""The pictures of lessons in HTML: their bytes stand in it, nothing is loaded."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from html import escape

from irviewer.model.lessons.picture import Picture
from irviewer.rendering.lesson_text import Shown


def shown_with(pictures: Sequence[Picture], most_width: int = 0) -> Shown:
    """Return how texts with these pictures are shown; each is at most ``most_width`` pixels wide, 0 for any width."""
    named = {picture.name: picture for picture in pictures}

    def html(name: str, alt: str) -> str:
        picture = named.get(name)
        return escape(alt) if picture is None else picture_html(picture, alt, most_width)

    return Shown(picture=html)


def picture_html(picture: Picture, alt: str, most_width: int = 0) -> str:
    """Return a picture as an ``img`` element, with what it shows."""
    width, height = picture.width, picture.height
    if most_width and width > most_width:
        width, height = most_width, max(1, round(height * most_width / width))
    data = base64.b64encode(picture.data).decode()
    size = f'width="{width}" height="{height}"'
    return f'<img src="data:image/{picture.kind};base64,{data}" alt="{escape(alt)}" {size}>'
