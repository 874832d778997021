"""Cut the fonts in `assets/fonts/` to the characters that are needed: `python
scripts/subset_fonts.py [FOLDER]`.

    .venv/bin/python scripts/subset_fonts.py ~/Downloads/Inter/static

FOLDER holds Inter-Medium.ttf and Inter-SemiBold.ttf of Inter 4, whole; without one, the fonts that
are there are cut again. Names and titles may be in any language that is written in Latin, Greek or
Cyrillic letters. The same fonts give the same bytes. Inter is under the SIL Open Font License and
reserves no name, so what is left may be called Inter.
"""

from __future__ import annotations

import io
import sys
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

TARGET = Path(__file__).resolve().parents[1] / "assets" / "fonts"
NAMES = "Inter-Medium.ttf", "Inter-SemiBold.ttf"

CHARACTERS = (
    (0x0020, 0x024F),  # Latin, with Latin-1, Extended-A and Extended-B
    (0x0259, 0x0259),  # ə of Azerbaijani
    (0x02B0, 0x036F),  # accents of their own and those that combine
    (0x0370, 0x052F),  # Greek and Cyrillic
    (0x1E00, 0x1EFF),  # Latin letters with two accents, as Vietnamese has them
    (0x2000, 0x20BF),  # punctuation, raised and lowered digits, currencies
    (0x2100, 0x23FF),  # letter-like signs, fractions, arrows, mathematics, technical signs
    (0x2500, 0x27BF),  # boxes, geometric shapes, stars, ticks and crosses
    (0xFB00, 0xFB06),  # ligatures
)
"""First and last of each range."""

FEATURES = ["mark", "mkmk", "ccmp", "locl", "tnum"]
"""Accents, letters that a language writes its own way, and digits of one width. Not `kern`: Dear
ImGui and matplotlib place letters by their widths alone, and pairs would be a third of the files.
"""

# Copyright, family, style, version and licence, but no labels of features.
_NAME_IDS = [*range(8), 13, 14, 16, 17]


def subset(content: bytes) -> bytes:
    """Return a font with these characters and features alone.

    Args:
        content: of a TrueType font.
    """
    options = Options(
        layout_features=FEATURES, name_IDs=_NAME_IDS, glyph_names=False, notdef_outline=True
    )
    options.drop_tables += ["STAT"]
    cut = Subsetter(options)
    cut.populate(unicodes=[code for first, last in CHARACTERS for code in range(first, last + 1)])
    font = TTFont(io.BytesIO(content), recalcTimestamp=False)
    cut.subset(font)
    file = io.BytesIO()
    font.save(file)
    return file.getvalue()


if __name__ == "__main__":
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else TARGET
    for name in NAMES:
        content = subset((folder / name).read_bytes())
        (TARGET / name).write_bytes(content)
        print(name, len(content), "bytes")
