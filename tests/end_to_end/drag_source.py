"""A small window from which files can be dragged: ``python drag_source.py FILE...``, for tests of dropping."""

from __future__ import annotations

import sys

from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtGui import QDrag, QMouseEvent
from PySide6.QtWidgets import QApplication, QLabel


class Source(QLabel):
    """Drags the files as soon as the pressed pointer moves."""

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        data = QMimeData()
        data.setUrls([QUrl.fromLocalFile(path) for path in sys.argv[1:]])
        drag = QDrag(self)
        drag.setMimeData(data)
        drag.exec(Qt.DropAction.CopyAction)


if __name__ == "__main__":
    application = QApplication(["drag_source"])
    source = Source("drag me")
    source.setWindowTitle("drag source")
    source.setGeometry(20, 40, 160, 120)
    source.show()
    application.exec()
