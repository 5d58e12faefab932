"""Makes the TrueType font of saved figures from Inter.

Journals want such fonts (Type 42) in PDFs, and Inter's own files have PostScript outlines. Of its layout only kerning
is kept: contextual alternates would print a run called 10x10 as 10×10.

    python packaging/print_font.py

The letters are those of Latin, Greek and Cyrillic, punctuation, arrows and signs of mathematics; others come from
DejaVu Sans."""

from __future__ import annotations

from pathlib import Path

from fontTools.pens.cu2quPen import Cu2QuPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont, newTable

FONTS = Path(__file__).resolve().parent.parent / "resources" / "fonts"
BLOCKS = ((0x20, 0x24F), (0x370, 0x4FF), (0x1E00, 0x1EFF), (0x2000, 0x206F), (0x2070, 0x20CF), (0x2100, 0x22FF))
FAMILY = "Inter Print"
MOST_ERROR = 1.0
"""In font units, of which an em has 2048."""


def convert(source: Path, target: Path) -> None:
    """Write a subset of an OpenType font with quadratic outlines."""
    font = TTFont(source)
    options = Options()
    options.layout_features = ["kern", "mark", "mkmk"]
    options.hinting = False
    options.name_IDs = ["*"]
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=[code for first, last in BLOCKS for code in range(first, last + 1)])
    subsetter.subset(font)
    glyphs, order = font.getGlyphSet(), font.getGlyphOrder()
    quadratic = {}
    for name in order:
        pen = TTGlyphPen(glyphs)
        glyphs[name].draw(Cu2QuPen(pen, MOST_ERROR, reverse_direction=True))
        quadratic[name] = pen.glyph()
    font["loca"] = newTable("loca")
    font["glyf"] = newTable("glyf")
    font["glyf"].glyphOrder = order
    font["glyf"].glyphs = quadratic
    maxp = font["maxp"]
    maxp.tableVersion = 0x00010000
    for name in ("maxZones", "maxTwilightPoints", "maxStorage", "maxFunctionDefs", "maxInstructionDefs",
                 "maxStackElements", "maxSizeOfInstructions", "maxComponentElements", "maxPoints", "maxContours",
                 "maxCompositePoints", "maxCompositeContours", "maxComponentDepth"):  # fmt: skip
        setattr(maxp, name, 1 if name == "maxZones" else 0)
    font["post"].formatType = 2.0
    font["post"].extraNames = []
    font["post"].mapping = {}
    font["post"].glyphOrder = order
    for tag in ("CFF ", "VORG"):
        if tag in font:
            del font[tag]
    # A family of its own: two fonts of one name could be mistaken for each other.
    for record in font["name"].names:
        if record.nameID in (1, 3, 4, 6, 16):
            plain = record.toUnicode()
            record.string = plain.replace("Inter", FAMILY.replace(" ", "") if record.nameID == 6 else FAMILY)
    font.sfntVersion = "\000\001\000\000"
    font.recalcTimestamp = False
    font.save(target)


if __name__ == "__main__":
    (FONTS / "print").mkdir(exist_ok=True)
    for weight in ("Regular", "SemiBold"):
        convert(FONTS / f"Inter-{weight}.otf", FONTS / "print" / f"Inter-{weight}.ttf")
