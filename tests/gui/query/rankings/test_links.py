"""The lines between lists: for whom they are drawn, and how they leave."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtGui import QColor, QImage, QPainter

from irviewer.gui.query.rankings.links import Gap, Side, Window, draw_links, link_colour
from irviewer.gui.theme import Theme


def test_links_leave_at_the_edges_and_only_for_who_matters(theme: Theme) -> None:
    image = QImage(QSize(30, 100), QImage.Format.Format_RGB32)

    def drawn(left: list[str], right: list[str], relevant: bool, marked: dict[str, QColor]) -> bool:
        image.fill(QColor("white"))
        painter = QPainter(image)
        ink = QColor("green") if relevant else None
        window = Window(0, 5, 20, 0.0, 0.0, 100.0)
        draw_links(
            painter,
            Gap(Side(left), Side(right)),
            (0.0, 30.0),
            window,
            lambda rows: [ink] * len(rows),
            QColor("grey"),
            {left.index(doc_id): colour for doc_id, colour in marked.items() if doc_id in left},
        )
        painter.end()
        return any(image.pixelColor(x, y) != QColor("white") for x in range(30) for y in range(100))

    far = [f"x{k}" for k in range(50)] + ["a"]
    assert drawn(["a"], ["a"], False, {})
    assert not drawn(["a"], far, False, {})
    assert drawn(["a"], far, True, {})
    assert drawn(far, ["a"], True, {})
    near_edge = image.copy() if drawn(["a"], far, True, {}) else None
    assert drawn(["a"], [f"x{k}" for k in range(900)] + ["a"], True, {})
    assert image == near_edge, "a line to a row out of view leaves just outside the edge, however far the row is"
    assert drawn(["a"], far, False, {"a": QColor("black")})
    assert not drawn(["a"], ["b"], True, {"a": QColor("black")})
    assert link_colour(theme, 1, 5) == link_colour(theme, 3, 5)
    assert link_colour(theme, 5, 5) != link_colour(theme, 3, 5)
