"""Make the icons of Windows and macOS from the drawing: ``python packaging/icons.py [--output DIR]``.

Both files hold PNG pictures: ``irviewer.ico`` has those that Windows asks for, ``irviewer.icns`` those of the Finder
and the Dock. Needs PySide6, which draws the SVG."""

from __future__ import annotations

import argparse
import os
import struct
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DRAWING = ROOT / "resources" / "icons" / "irviewer.svg"
ICO_SIZES = (16, 20, 24, 32, 40, 48, 64, 96, 128, 256)
"""Those of 100, 125, 150, 200 and 400 % of a small and of a large icon."""
ICNS_SIZES = {
    "icp4": 16, "icp5": 32, "ic07": 128, "ic08": 256, "ic09": 512,
    "ic11": 32, "ic12": 64, "ic13": 256, "ic14": 512, "ic10": 1024,
}  # fmt: skip
"""Type of an entry -> pixels: 16 to 512 points, and the same at two pixels a point."""
ICNS_MARGIN = 0.1
"""The transparent margin on macOS, a tenth of the side: its icons do not fill the square."""


def write_icons(folder: Path) -> tuple[Path, Path]:
    """Write irviewer.ico and irviewer.icns into a folder, and return their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    ico, icns = folder / "irviewer.ico", folder / "irviewer.icns"
    ico.write_bytes(ico_data({size: picture(size) for size in ICO_SIZES}))
    pictures = {size: picture(size, ICNS_MARGIN) for size in set(ICNS_SIZES.values())}
    icns.write_bytes(icns_data({kind: pictures[size] for kind, size in ICNS_SIZES.items()}))
    return ico, icns


def picture(size: int, margin: float = 0.0) -> bytes:
    """Return the drawing as a square PNG of ``size`` pixels a side, with a transparent margin, a part of the side."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QRectF
    from PySide6.QtGui import QImage, QPainter
    from PySide6.QtSvg import QSvgRenderer

    image = QImage(size, size, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(0)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    edge = margin * size
    QSvgRenderer(str(DRAWING)).render(painter, QRectF(edge, edge, size - 2 * edge, size - 2 * edge))
    painter.end()
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")
    return bytes(data.data())


def ico_data(pictures: dict[int, bytes]) -> bytes:
    """Return an ICO file of PNG pictures by their sizes: a header, an entry of 16 bytes each, then the pictures."""
    head = struct.pack("<HHH", 0, 1, len(pictures))
    at = len(head) + 16 * len(pictures)
    entries = b""
    for size, data in pictures.items():
        side = size % 256  # 256 is written as 0
        entries += struct.pack("<BBBBHHII", side, side, 0, 0, 1, 32, len(data), at)
        at += len(data)
    return head + entries + b"".join(pictures.values())


def icns_data(pictures: dict[str, bytes]) -> bytes:
    """Return an ICNS file of PNG pictures by the types of their entries: type and length in front of each."""
    entries = b"".join(
        kind.encode("ascii") + struct.pack(">I", len(data) + 8) + data for kind, data in pictures.items()
    )
    return b"icns" + struct.pack(">I", len(entries) + 8) + entries


def main() -> int:
    """Write both icons, and print their paths."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--output", type=Path, default=ROOT / "build" / "icons", help="the folder (default: build/icons)"
    )
    for path in write_icons(parser.parse_args().output):
        print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
