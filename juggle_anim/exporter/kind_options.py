"""Options that only some kinds of files can have, and what they can be."""

from __future__ import annotations

from collections.abc import Callable

from juggle_anim.errors import ParameterError, did_you_mean, printable
from juggle_anim.exporter.models.bone_names import BONES
from juggle_anim.exporter.options import FrameOptions
from juggle_anim.formats import EXPORTS, Format
from juggle_anim.language import _

DEEP = 16
"""Bits a channel of deep pictures."""

MIN_SCALE, MAX_SCALE = 0.001, 10_000.0
"""Accepted numbers of units to a metre."""

_Asked = Callable[[FrameOptions], object]
_Holds = Callable[[Format], bool]

_KINDS: tuple[tuple[str, _Asked, _Holds], ...] = (
    ("depth", lambda options: options.depth == DEEP, lambda row: DEEP in row.depths),
    ("captions", lambda options: options.captions, lambda row: bool(row.video or row.still)),
    ("bones", lambda options: options.bones, lambda row: row.bones),
    ("scale", lambda options: options.scale != 1.0, lambda row: row.scaled),
)
"""Of each option its name, whether it is asked for, and whether a kind of files can have it."""


def check_options(options: FrameOptions, ending: str) -> None:
    """Refuse options that files with some ending, one of `EXPORTS`, cannot have.

    Raises:
        ParameterError: they cannot, or an option has no such value.
    """
    for name, asked, holds in _KINDS:
        if asked(options) and not holds(EXPORTS[ending.casefold()]):
            endings = ", ".join(each for each, row in EXPORTS.items() if holds(row))
            raise ParameterError(_("{name} is for {endings}", name=name, endings=endings), name)
    if options.depth not in (8, DEEP):
        raise ParameterError.of("depth", options.depth, _("8 or 16 bits a channel"))
    if options.bones and options.bones not in BONES:
        near = did_you_mean(options.bones, BONES)
        raise ParameterError(_("bones is {text!r}: {near}", text=printable(options.bones, 40), near=near), "bones")
    if not MIN_SCALE <= options.scale <= MAX_SCALE:  # NaN fails this, too
        units = _("from {low:g} to {high:,.0f} units to a metre, as 100 for centimetres", low=MIN_SCALE, high=MAX_SCALE)
        raise ParameterError.of("scale", options.scale, units)
