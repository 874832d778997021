"""The fonts are what their script leaves of Inter, and that is enough for what the program says and
draws.
"""

import importlib.util
from types import ModuleType

import pytest
from fontTools.ttLib import TTFont
from paths import ROOT

FONTS = [
    TTFont(ROOT / "assets" / "fonts" / name) for name in ("Inter-Medium.ttf", "Inter-SemiBold.ttf")
]

SPOKEN = "Ångström Łódź Žižkov Çeşme Vũ Điện Ευχάριστος Жонглёр Ґанок Σ½√≤≥≠→↑⅓₃⁵✓★●"

# What people type is read with signs that are never shown, which Inter does not have; comments draw
# trees and matrices.
UNSHOWN = set("⟨⟩\u2329\u232a\u3008\u3009\uff1c\uff1e\ufffd\U00010000ᵀ─│└├")


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location(
        "subset_fonts", ROOT / "scripts" / "subset_fonts.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_they_hold_what_the_script_leaves_and_nothing_else(script: ModuleType) -> None:
    wanted = {code for first, last in script.CHARACTERS for code in range(first, last + 1)}
    for font in FONTS:
        assert set(font.getBestCmap()) <= wanted
        features = {
            row.FeatureTag
            for table in ("GSUB", "GPOS")
            for row in font[table].table.FeatureList.FeatureRecord
        }
        assert features == set(script.FEATURES)


def test_they_have_every_character_of_the_program_and_of_languages_in_latin_greek_and_cyrillic_letters() -> (
    None
):
    package, kinds = ROOT / "juggle_anim", ("*.py", "*.po")
    files = [
        *(path for kind in kinds for path in package.rglob(kind)),
        *(ROOT / "patterns").rglob("*.toml"),
    ]
    needed = set(SPOKEN).union(*(set(path.read_text(encoding="utf-8")) for path in files)) - UNSHOWN
    for font in FONTS:
        characters = font.getBestCmap()
        assert (
            sorted(sign for sign in needed if sign.isprintable() and ord(sign) not in characters)
            == []
        )
