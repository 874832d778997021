"""The `mod` of a throw or a prop: `key=value;key=value`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from juggle_anim.choreography import FlightStyle, PropLook
from juggle_anim.errors import NotationError
from juggle_anim.language import _
from juggle_anim.notation.jml.xml import Location, read_number, read_whole, shown, unknown
from juggle_anim.notation.limits import MAX_BOUNCES, MAX_JML_ATTRIBUTE
from juggle_anim.notation.numbers import USUAL, decimals
from juggle_anim.notation.rewriting import known_kind
from juggle_anim.notation.settings.colours import braced_text, read_colour
from juggle_anim.parameters import DEFAULTS, quantity_named

GRAVITY = 9.8
"""The default gravity, [m/s²]."""

BOUNCE_FRACTION = 0.9
"""Share of its energy that a prop keeps at a bounce that says nothing of it."""

SIZE_KEYS = {"ball": "diam", "ring": "outside", "square": "diam", "image": "width", "club": "diam"}
"""The kinds of prop, and the key under which each has its size."""

# Two values that differ by less are one.
_VALUE_TOLERANCE = 1e-9

_MOD_DIGITS = 9  # decimals of gravity [cm/s²] and of the bounce fraction

# What a ball stands for, where Juggling Lab has no such prop; it passes over keys that it does not
# know.
_KIND_KEY = "kind"


def read_toss(location: Location, text: str) -> FlightStyle:
    """Return the flight of a toss, from its `mod`.

    Raises:
        FileError: a key or a value that means nothing.
    """
    values = _pairs(location, text, ("g",))
    return FlightStyle(gravity=_gravity(location, values))


def read_bounce(location: Location, text: str) -> FlightStyle:
    """Return the flight of a bounce, from its `mod`.

    Raises:
        FileError: a key or a value that means nothing.
    """
    values = _pairs(
        location, text, ("bounces", "forced", "hyper", "bounceplane", "bouncefrac", "g")
    )
    gravity = _gravity(location, values)
    if gravity is not None and gravity <= 0:
        raise location.error(
            _("g is {found}, and nothing bounces without gravity", found=shown(values["g"])),
            _("a number above 0"),
        )
    forced = _switch(location, values, "forced")
    return FlightStyle(
        gravity=gravity,
        bounces=read_whole(location, "bounces", values.get("bounces", "1"), 1, MAX_BOUNCES),
        forced=forced,
        falling=_falling(forced, _switch(location, values, "hyper")),
        plane=read_number(location, "bounceplane", values.get("bounceplane", "0")) / 100,
        bounce_fraction=_kept(location, values),
    )


def with_defaults(
    style: FlightStyle,
    before: tuple[float, float],
    after: tuple[float, float] = (GRAVITY, BOUNCE_FRACTION),
) -> FlightStyle:
    """The same flight where other values hold for what its style does not say.

    Args:
        style: of the flight.
        before: gravity [m/s²], and share of its energy kept at a bounce, that hold until now where
            nothing is said.
        after: those that hold from now on.
    """
    gravity = before[0] if style.gravity is None else style.gravity
    bounce_fraction = before[1] if style.bounce_fraction is None else style.bounce_fraction
    return replace(
        style,
        gravity=None if abs(gravity - after[0]) < _VALUE_TOLERANCE else gravity,
        bounce_fraction=None
        if not style.bounces or abs(bounce_fraction - after[1]) < _VALUE_TOLERANCE
        else bounce_fraction,
    )


def shared_defaults(
    styles: Sequence[FlightStyle], stated: Mapping[str, float | str | None] | None
) -> tuple[float, float]:
    """Gravity [m/s²] and the share of energy kept at a bounce that hold for a whole pattern.

    Args:
        styles: of its flights, as a file says them.
        stated: the parameters that the file states; None if it states none, and what all flights
            agree in holds.
    """
    if stated is None:
        gravity = _common({style.gravity for style in styles}, "gravity", 100, GRAVITY)
        bounce_fraction = _common(
            {style.bounce_fraction for style in styles if style.bounces},
            "bounce_fraction",
            1,
            BOUNCE_FRACTION,
        )
        return gravity, bounce_fraction
    shown = DEFAULTS.replace(
        **{name: stated[name] for name in ("gravity", "bounce_fraction") if name in stated}
    )
    return shown.gravity / 100, shown.bounce_fraction


def _common(values: set[float | None], name: str, scale: float, default: float) -> float:
    """The only value that is said, if it is one that can also be turned."""
    value = values.pop() if len(values) == 1 else None
    return value if value is not None and quantity_named(name).accepts(scale * value) else default


def write_flight(style: FlightStyle) -> tuple[str, str]:
    """The `type` and the `mod` of a throw."""
    pull = {} if style.gravity is None else {"g": decimals(100 * style.gravity, _MOD_DIGITS)}
    if not style.bounces:
        return "toss", _joined(pull)
    pairs = {
        "bounces": str(style.bounces) if style.bounces > 1 else "",
        "forced": "true" if style.forced else "",
        "hyper": "true" if _falling(style.forced, style.falling) else "",
        "bounceplane": decimals(100 * style.plane, USUAL.place) if style.plane else "",
        "bouncefrac": ""
        if style.bounce_fraction is None
        else decimals(style.bounce_fraction, _MOD_DIGITS),
    }
    return "bounce", _joined({**pairs, **pull})


def read_look(location: Location, kind: str, text: str) -> PropLook:
    """Return the appearance of a prop, from its `type` and `mod`.

    Raises:
        FileError: a value that means nothing.
    """
    values = _pairs(location, text, None)
    kind = values.pop(_KIND_KEY) if values.get(_KIND_KEY) in SIZE_KEYS else kind
    colour = _colour(location, values.pop("color", None))
    size = values.pop(SIZE_KEYS[kind], None)
    diameter = None if size is None else read_number(location, SIZE_KEYS[kind], size) / 100
    if diameter is not None and diameter <= 0:
        raise location.error(
            _("{size_keys} is {size}", size_keys=SIZE_KEYS[kind], size=shown(str(size))),
            _("a number above 0"),
        )
    image = values.pop("image", "") if kind == "image" else ""
    return PropLook(kind, colour, diameter, image, extra=_joined(values))


def write_look(look: PropLook) -> str:
    """The `mod` of a prop."""
    pairs = {
        _KIND_KEY: look.kind if known_kind(look.kind) != look.kind else "",
        "image": look.image if look.kind == "image" else "",
        "color": braced_text(look.colour) if look.colour else "",
        SIZE_KEYS[look.kind]: decimals(100 * look.diameter, USUAL.place) if look.diameter else "",
    }
    return ";".join(filter(None, [_joined(pairs), look.extra]))


def _falling(forced: bool, hyper: bool) -> bool:
    """Whether a bounce is caught on its way down, from JML's `hyper`; and the other way round.

    In JML a hyper bounce is caught as it is thrown, seen backwards in time; so a forced one is
    caught on its way up.
    """
    return forced != hyper


def _pairs(location: Location, text: str, known_keys: tuple[str, ...] | None) -> dict[str, str]:
    """Return keys and values of a `mod`, keys in lower case; any key where `known_keys` is None."""
    if len(text) > MAX_JML_ATTRIBUTE:
        raise location.error(
            _("mod has {count} characters", count=len(text)),
            _("at most {max_jml_attribute}", max_jml_attribute=MAX_JML_ATTRIBUTE),
        )
    values: dict[str, str] = {}
    for piece in text.replace("\n", "").replace("\r", "").split(";"):
        key, equals, value = piece.partition("=")
        key = key.strip().lower()
        if not piece.strip():
            continue
        if not (key and equals):
            raise location.error(
                _("mod holds {piece}, which has no value", piece=shown(piece.strip())),
                "key=value;key=value",
            )
        if known_keys is not None and key not in known_keys:
            raise unknown(
                location,
                _("mod holds {key}, which means nothing here", key=shown(key)),
                key,
                known_keys,
            )
        values[key] = value.strip()
    return values


def _joined(pairs: dict[str, str]) -> str:
    return ";".join(f"{key}={value}" for key, value in pairs.items() if value)


def _gravity(location: Location, values: dict[str, str]) -> float | None:
    if "g" not in values:
        return None
    gravity = read_number(location, "g", values["g"]) / 100
    return None if gravity == GRAVITY else gravity


def _kept(location: Location, values: dict[str, str]) -> float | None:
    if "bouncefrac" not in values:
        return None
    share = read_number(location, "bouncefrac", values["bouncefrac"])
    if share <= 0:
        raise location.error(
            _("bouncefrac is {found}", found=shown(values["bouncefrac"])), _("a number above 0")
        )
    return None if share == BOUNCE_FRACTION else share


def _switch(location: Location, values: dict[str, str], key: str) -> bool:
    text = values.get(key, "false").lower()
    if text not in ("true", "false"):
        raise location.error(
            _("{key} is {found}", key=key, found=shown(values[key])), _("true or false")
        )
    return text == "true"


def _colour(location: Location, text: str | None) -> tuple[float, float, float] | None:
    if text is None:
        return None
    try:
        return read_colour(text.replace("{", "").replace("}", ""))
    except NotationError as error:
        raise location.error(_("color: {reason}", reason=error.reason), error.accepted) from error
