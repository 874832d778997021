"""Settings whose values are texts, and the words they accept.

Keys of settings strings and flags come from them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from juggle_anim.errors import printable
from juggle_anim.language import _, translated

PROP_KINDS = ("ball", "club", "ring", "square", "image")
"""Values of `prop`."""

HAND_STYLES = ("natural", "juggling-lab")
"""Values of `style`; the first is the default."""

IMPLIED_HAND_STYLE = "juggling-lab"
"""The style that applies where a dwell or hands are given without a style."""

GRASP_KINDS = ("palm", "claw")
"""The words of `catches` that say how a hand is turned; the first is the default."""

BODY_THROW_NAMES = {
    "backcross": "Behind the back, over the other shoulder",
    "shoulder": "Behind the back, over the same shoulder",
    "lazy": "Behind the back, around the other side",
    "underleg": "Under the leg from outside",
    "underleg-inside": "Under the leg from inside",
    "underleg-other": "Under the other leg from inside",
    "albert": "Between the legs from the front",
    "trebla": "Between the legs from behind",
    "underarm": "Under the other arm",
    "chop": "Chop, down and across",
    "overhead": "From above the head",
    "penguin": "Penguin, beside the body",
}
"""The words of `throws` beside grasps, and what they mean; `juggle_anim.choreography.body_throws`
has how they go.
"""

BODY_CATCH_NAMES = {
    "penguin": "Penguin, beside the body",
    "behind": "Behind the back",
    "overhead": "Above the head",
    "neck": "On the neck",
}
"""The words of `catches` beside grasps, likewise."""


@translated("help")
@dataclass(frozen=True)
class TextSetting:
    """A setting whose value is a text.

    Args:
        name: in settings strings, in Python and, as `--name`, on the command line.
        form: the form of its value, in a word; empty for a switch, which is on or off.
        help: what it does.
    """

    name: str
    form: str
    help: str


TEXT_SETTINGS = (
    TextSetting("hss", "SITESWAP", "Hand siteswap; the pattern is then that of the props"),
    TextSetting("handspec", "(L,R)(L,R)", "With --hss: numbers of each juggler's hands"),
    TextSetting("hold", "", "With --hss: hold props thrown as far as the hand's own throw"),
    TextSetting("dwellmax", "", "With --hss: hold props as long as possible, ignoring dwell"),
    TextSetting(
        "jugglers", "N", "How many jugglers share a line of passing notation such as 4p 2 3"
    ),
    TextSetting("hands", "MOVES", "Where hands throw and catch, in cm: (10)(32.5). or inside"),
    TextSetting(
        "style",
        "STYLE",
        "natural, or Juggling Lab's places and times (juggling-lab, the default with hands or "
        "dwell)",
    ),
    TextSetting(
        "catches",
        "WORDS",
        "palm, claw, penguin, behind …; claw,palm in turn; left|right by hand",
    ),
    TextSetting(
        "throws",
        "WORDS",
        "backcross, underleg … for each throw, such as underleg,-; - is the default",
    ),
    TextSetting(
        "throwspins", "TURNS", "Turns of clubs for each throw, such as 1,-,1.5; - is the default"
    ),
    TextSetting(
        "body", "MOVES", "Where jugglers stand and face, in degrees and cm: (90,75).|(270,-75)."
    ),
    TextSetting("prop", "KINDS", "ball, club, ring, square or image; club,ring for props in turn"),
    TextSetting("colors", "COLOURS", "mixed, orbits, or a list such as {red}{0,0,255}"),
    TextSetting("title", "TEXT", "Name of the pattern"),
)
"""All text settings, in the order in which they are written."""

TEXT_KEYS = tuple(setting.name for setting in TEXT_SETTINGS)
"""Their names."""

OTHER_NAMES = {
    "bpm": "bps", "color": "colors", "colour": "colors", "colours": "colors", "distance": "body",
    "elbow": "chicken_wing", "elbow_angle": "chicken_wing", "props": "prop", "tempo": "bps",
}  # fmt: skip
"""What people call settings in Python and on the command line, and the setting that each means."""

MIN_GRAVITY = 30.0
"""A smaller gravity that somebody types is in m/s², as even that of Jupiter is, 24.8 m/s²; in cm/s²
it would be that of an asteroid.
"""


def plain_value(name: str, value: Any) -> Any:
    """Return the value that a setting has for one that somebody typed; what is none stays.

    Args:
        name: as typed, maybe of `OTHER_NAMES`: `bpm` is beats a minute, `distance` that of two
            jugglers who face each other, [m].
        value: several words may be a list.
    """
    try:
        match name:
            case "bpm":
                return float(value) / 60
            case "distance":
                half = 50 * float(value)  # cm
                return f"(90,{half:g}).|(270,{-half:g})."
            case "gravity" if 0 <= value < MIN_GRAVITY:
                return 100 * value
    except (TypeError, ValueError):
        return value
    return ",".join(value) if isinstance(value, list | tuple) else value


FOREIGN_KEYS = (
    "avatar", "border", "bouncesound", "camangle", "catchsound", "fps", "height", "mousepause",
    "redirect", "scale",
    "slowdown", "startpause", "startpaused", "view",
)  # fmt: skip
"""What other programs, Juggling Lab first, say of their own windows and pictures, and nothing of a
pattern.
"""


def left_out_note(key: str) -> str:
    """What is told of a setting that is not read, as a sentence without a full stop."""
    return _("unknown setting {key} is ignored", key=printable(key, 40))
