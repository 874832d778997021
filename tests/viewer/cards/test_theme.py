from collections.abc import Iterator
from dataclasses import fields

import pytest
from colour_vision import EYES, Colour, contrast, least_difference
from hypothesis import given
from hypothesis import strategies as st
from imgui_bundle import imgui

from juggle_anim.diagrams.drawing import PRINT_INK, WHITE
from juggle_anim.parameters import row_named
from juggle_anim.scene.people import PALETTES, palette_of
from juggle_anim.scene.scene import STAGES
from juggle_anim.viewer.cards import ui
from juggle_anim.viewer.cards.ui import (
    DARK,
    LIGHT,
    THEME_COLOURS,
    ThemeColours,
    brightened_for_dark,
    is_paper_dark,
    pack_colour,
    paper_colour,
    theme_colours,
)

shares = st.floats(0, 1)


@pytest.fixture
def in_imgui() -> Iterator[None]:
    context = imgui.create_context()
    imgui.set_current_context(context)
    yield
    ui.load_theme(1.0, 1.0, LIGHT)
    imgui.destroy_context(context)


@pytest.fixture
def dark(in_imgui: None) -> None:
    ui.load_theme(1.0, 1.0, DARK)


def luminance(colour: tuple[float, ...]) -> float:
    return sum(
        part * share**2.2 for part, share in zip((0.2126, 0.7152, 0.0722), colour, strict=True)
    )


def test_on_light_cards_inks_are_those_of_the_print() -> None:
    assert not is_paper_dark()
    assert paper_colour((0.2, 0.4, 0.6)) == pack_colour((0.2, 0.4, 0.6))
    assert ui.PAPER == paper_colour(WHITE) == 0xFFFFFFFF


@pytest.mark.usefixtures("dark")
def test_on_dark_cards_paper_is_dark_and_words_are_light() -> None:
    assert is_paper_dark()
    assert paper_colour(WHITE) == ui.PAPER != 0xFFFFFFFF
    assert paper_colour(PRINT_INK) == ui.PAPER_INK


@given(st.tuples(shares, shares, shares))
def test_no_line_is_too_dark_for_dark_paper(colour: tuple[float, float, float]) -> None:
    brighter = brightened_for_dark(colour)
    assert all(0 <= part <= 1 + 1e-9 for part in brighter)
    assert luminance(brighter) >= 0.25 - 1e-6


PROJECTED, ANY_EYES = 7.0, 16.0


WORDS = ("ink", "muted", "accent", "second", "third", "ghost", "error")


CHOSEN = ("ink", "muted", "accent")
"""Words that stand on what is chosen, lit or pressed; those of other colours stand on cards."""


ERRORS = ("error_fill",)


AA = 4.5
"""Contrast of small text after WCAG 2.2, success criterion 1.4.3."""


OVERLAYS = ("fill", "fill_chosen", "selection", "error_fill", "track", "track_hovered")


BOTH = [(name, dark) for name in THEME_COLOURS for dark in (0, 1)]


def sight(code: str) -> tuple[Colour, float]:
    red, green, blue = (int(code[at : at + 2], 16) / 255 for at in (0, 2, 4))
    return (red, green, blue), int(code[6:] or "FF", 16) / 255


def over(code: str, behind: Colour) -> Colour:
    colour, opaque = sight(code)
    return tuple(
        opaque * ours + (1 - opaque) * theirs for ours, theirs in zip(colour, behind, strict=True)
    )


def grounds(
    tints: ThemeColours, behind: Colour, overlays: tuple[str, ...] = OVERLAYS
) -> list[Colour]:
    """Whatever words may stand on."""
    cards = [over(tints.card, behind), over(tints.sheet, behind), over(tints.field, behind)]
    return cards + [over(getattr(tints, name), cards[0]) for name in overlays]


def least_contrast(tints: ThemeColours, names: tuple[str, ...], backs: list[Colour]) -> float:
    return min(contrast(over(getattr(tints, name), back), back) for name in names for back in backs)


@pytest.mark.parametrize("dark", [0, 1])
def test_every_word_on_a_projector_has_a_contrast_of_seven(dark: int) -> None:
    tints = THEME_COLOURS["projected"][dark]
    for behind in (
        (0.0, 0.0, 0.0),
        (1.0, 1.0, 1.0),
    ):  # whatever the picture is, its cards are opaque
        assert least_contrast(tints, WORDS, grounds(tints, behind)) >= PROJECTED
        assert least_contrast(tints, ("faint",), grounds(tints, behind, ())) >= PROJECTED
    assert contrast(sight(tints.on_accent)[0], sight(tints.accent)[0]) >= PROJECTED
    assert contrast(sight(tints.on_veil)[0], sight(tints.veil_strong)[0]) >= PROJECTED


@pytest.mark.parametrize(("name", "dark"), BOTH)
def test_words_are_legible_on_every_stage(name: str, dark: int) -> None:
    tints = THEME_COLOURS[name][dark]
    for stage, behind in STAGES.items():
        if (stage == "dark") == bool(dark):
            for colour in (behind.backdrop_top, behind.backdrop_bottom, behind.floor):
                assert least_contrast(tints, WORDS, grounds(tints, colour, ())) >= AA
                assert least_contrast(tints, ("error",), grounds(tints, colour, ERRORS)) >= AA
                assert least_contrast(tints, CHOSEN, grounds(tints, colour)) >= AA
                assert least_contrast(tints, ("ink",), grounds(tints, colour)) >= 7.0
    assert contrast(sight(tints.on_accent)[0], sight(tints.accent)[0]) >= AA


@pytest.mark.parametrize("dark", [0, 1])
def test_usual_words_have_the_contrast_of_wcag_aa_on_whatever_is_chosen_or_lit(dark: int) -> None:
    tints = THEME_COLOURS["standard"][dark]
    for stage, behind in STAGES.items():
        if (stage == "dark") == bool(dark):
            for colour in (behind.backdrop_top, behind.backdrop_bottom, behind.floor):
                assert least_contrast(tints, WORDS, grounds(tints, colour)) >= 4.5


@pytest.mark.parametrize("dark", [0, 1])
def test_colours_that_mean_something_in_panels_are_told_apart_by_all_eyes(dark: int) -> None:
    tints = THEME_COLOURS["colour-blind"][dark]
    colours = [sight(getattr(tints, name))[0] for name in WORDS if name != "muted"]
    for eyes in EYES.values():
        assert least_difference(colours, eyes) >= ANY_EYES


@pytest.mark.parametrize("stage", STAGES)
def test_colours_that_mean_something_in_pictures_are_told_apart_by_all_eyes(stage: str) -> None:
    palette = palette_of("colour-blind", stage)
    colours = [
        *(sight(code)[0] for code in palette.props),
        palette.left,
        palette.right,
        palette.thrown,
        palette.ghost,
    ]
    for eyes in EYES.values():
        assert least_difference(colours, eyes) >= ANY_EYES


@pytest.mark.parametrize("theme_name", THEME_COLOURS)
def test_all_that_means_something_is_seen_in_the_dark(theme_name: str) -> None:
    palette, dark = palette_of(theme_name, "dark"), STAGES["dark"]
    colours = [
        *(sight(code)[0] for code in palette.props),
        palette.left,
        palette.right,
        palette.thrown,
        palette.ghost,
    ]
    for colour in colours:
        assert (
            min(contrast(colour, dark.backdrop_top), contrast(colour, dark.backdrop_bottom)) >= 2.7
        )


def test_ways_stand_out_from_every_stage_on_a_projector() -> None:
    for name, stage in STAGES.items():
        palette = palette_of("projected", name)
        for colour in (palette.left, palette.right, palette.thrown, palette.ghost):
            assert (
                min(contrast(colour, stage.backdrop_top), contrast(colour, stage.backdrop_bottom))
                >= 2.7
            )


def test_each_theme_has_colours_for_panels_and_pictures() -> None:
    options = row_named("theme").options  # type: ignore[union-attr]
    assert set(options) == set(THEME_COLOURS) == set(PALETTES)
    for option in options:
        assert (
            theme_colours(option, "studio")
            == theme_colours(option, "gym")
            != theme_colours(option, "dark")
        )


@pytest.mark.usefixtures("in_imgui")
def test_a_theme_that_is_worn_changes_every_colour_of_the_panels() -> None:
    dark = theme_colours("projected", "dark")
    ui.load_theme(1.0, 1.0, dark)
    for name in fields(ThemeColours):
        assert getattr(ui, name.name.upper()) == ui.tint(getattr(dark, name.name))
    ui.load_theme(1.0, 1.0, theme_colours("standard", "studio"))
    assert ui.colour("17222E") == ui.INK
