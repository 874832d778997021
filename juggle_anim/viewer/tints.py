"""Tints: the colours of panels, for each theme on a bright stage and on the dark one."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Tints:
    """Colours, codes as in `FF8800`; two more digits say how opaque one is.

    Args:
        ink: of what is read first.
        muted: of what is read next.
        faint: of what cannot be done now, and of marks.
        accent, second, third: of what was chosen, and of the lines of a plot.
        on_accent: of words on it.
        ghost, error: of a second solver, and of what went wrong.
        card, sheet, field: behind all; of what lies over all; where something is typed.
        fill, fill_chosen, selection, error_fill: over a card, of what is on, was chosen, is selected, went wrong.
        groove, track, track_hovered, line: of parts of sliders and buttons, and around them.
        veil: over the picture, behind a sheet.
        veil_strong, on_veil, recording: under a mark in the picture, of its words, and of its red dot.
        paper, paper_ink: under diagrams, whose colours follow it, and of words on it.
    """

    ink: str
    muted: str
    faint: str
    accent: str
    second: str
    third: str
    on_accent: str
    ghost: str
    error: str
    card: str
    sheet: str
    field: str
    fill: str
    fill_chosen: str
    selection: str
    error_fill: str
    groove: str
    track: str
    track_hovered: str
    line: str
    veil: str
    veil_strong: str = "17222ED9"
    on_veil: str = "FFFFFF"
    recording: str = "FF5A4D"
    paper: str = "FFFFFF"
    paper_ink: str = "17222E"


LIGHT = Tints(
    ink="17222E", muted="566372", faint="17222E4D", accent="0067A3", second="B45F06", third="00785A",
    on_accent="FFFFFF", ghost="B0107A", error="B3261E", card="FCFDFEEB", sheet="FCFDFE", field="FFFFFF",
    fill="0072B229", fill_chosen="0072B217", selection="0072B240", error_fill="B3261E14", groove="17222E29",
    track="17222E0E", track_hovered="17222E17", line="17222E1F", veil="17222E66",
)  # fmt: skip
DARK = Tints(
    ink="EEF2F6", muted="A9B6C4", faint="EEF2F64D", accent="5CB8FF", second="FFB454", third="4FD6A8",
    on_accent="0E151D", ghost="FF8AD0", error="FF8A80", card="1A212BEB", sheet="1A212B", field="0F151C",
    paper="10161D", paper_ink="E9EFF5",
    fill="5CB8FF33", fill_chosen="5CB8FF1F", selection="5CB8FF55", error_fill="FF8A801F", groove="EEF2F633",
    track="EEF2F612", track_hovered="EEF2F621", line="EEF2F629", veil="00000080",
)  # fmt: skip
_PROJECTED = replace(
    LIGHT, ink="000000", muted="1F2730", faint="4A525B", accent="003C78", second="5E2C00", third="00452D",
    ghost="80004F", error="8A0000", card="FFFFFF", sheet="FFFFFF", fill="CFE6F8", fill_chosen="E6F2FB",
    selection="D6EBFC", error_fill="FDE9E7", groove="7A848F", track="EEF0F2", track_hovered="DFE4E9", line="56606B",
    veil="000000B3", veil_strong="000000", recording="FF8A7A",
)  # fmt: skip
_PROJECTED_DARK = replace(
    DARK, ink="FFFFFF", muted="E1E8EF", faint="A9B4BF", accent="8CCBFF", second="FFC46B", third="7BE8C0",
    on_accent="000000", ghost="FFB0E0", error="FFB3AB", card="0A0E13", sheet="0A0E13", field="000000",
    fill="0E2C47", fill_chosen="0C1F31", selection="123450", error_fill="33100C", groove="7C8894", track="1A222B",
    track_hovered="222C36", line="8E9AA6", veil="000000B3", veil_strong="000000", recording="FF8A7A",
)  # fmt: skip
# Found by trying: no two of the accents, errors, ghosts and words are nearer than 18 in CIEDE2000 to eyes that lack any
# one kind of cones.
_ALL_EYES = replace(
    LIGHT, accent="7954FF", second="5900A0", third="747368", ghost="610308", error="CC2A02", fill="7954FF29",
    fill_chosen="7954FF17", selection="7954FF40", error_fill="CC2A0214",
)  # fmt: skip
_ALL_EYES_DARK = replace(
    DARK, accent="53CA96", second="FFE10A", third="928595", ghost="739419", error="F987FB", fill="53CA9633",
    fill_chosen="53CA961F", selection="53CA964D", error_fill="F987FB1F",
)  # fmt: skip

TINTS = {
    "standard": (LIGHT, DARK),
    "projected": (_PROJECTED, _PROJECTED_DARK),
    "colour-blind": (_ALL_EYES, _ALL_EYES_DARK),
}
"""By the names of themes: on a bright stage, and on the dark one."""

LARGER = {"projected": 1.25}
"""How much larger everything is than usual."""

BOLDER = {"projected": 1.6, "colour-blind": 1.2}
"""How much thicker lines are."""


def tints_of(theme: str, stage: str) -> Tints:
    """The colours of a theme on a stage."""
    return TINTS[theme][stage == "dark"]
