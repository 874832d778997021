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
    """Return the flight style of a toss, from its `mod` such as "g=980".

    Args:
        location: of the throw, for messages.
        text: the `mod`.

    Raises:
        FileError: an unknown key or an unreadable value.
    """
    values = _pairs(location, text, ("g",))
    return FlightStyle(gravity=_gravity(location, values))


def read_bounce(location: Location, text: str) -> FlightStyle:
    """Read the flight style of a bounce from its `mod`, such as "bounces=2;forced=true".

    Args:
        location: of the throw, for messages.
        text: the `mod`; lengths in it are in cm.

    Raises:
        FileError: an unknown key, or an unreadable or impossible value.
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
        # From cm to m.
        plane=read_number(location, "bounceplane", values.get("bounceplane", "0")) / 100,
        bounce_fraction=_bounce_fraction(location, values),
    )


def with_defaults(
    style: FlightStyle,
    before: tuple[float, float],
    after: tuple[float, float] = (GRAVITY, BOUNCE_FRACTION),
) -> FlightStyle:
    """Express a flight style relative to other defaults, so that the flight stays the same.

    A value None in a style means the default; a value that equals the new default becomes None.

    Args:
        style: of the flight.
        before: the defaults to which `style` refers: gravity [m/s²], and share of its energy that a
            prop keeps at a bounce.
        after: the defaults to which the result refers; those of JML where not given.
    """
    gravity_before, fraction_before = before
    gravity_after, fraction_after = after
    # The values that hold for the flight.
    gravity = gravity_before if style.gravity is None else style.gravity
    fraction = fraction_before if style.bounce_fraction is None else style.bounce_fraction
    # A flight without bounces has no use for a bounce fraction.
    needs_fraction = style.bounces and abs(fraction - fraction_after) >= _VALUE_TOLERANCE
    return replace(
        style,
        gravity=None if abs(gravity - gravity_after) < _VALUE_TOLERANCE else gravity,
        bounce_fraction=fraction if needs_fraction else None,
    )


def shared_defaults(
    styles: Sequence[FlightStyle], stated: Mapping[str, float | str | None] | None
) -> tuple[float, float]:
    """Return the gravity and the share of energy kept at a bounce that hold for a whole pattern.

    Args:
        styles: of its flights, as the file states them; None in one means JML's default.
        stated: the parameters that the file states, gravity in cm/s²; None if it has none, and the
            values in which all flights agree hold.

    Returns:
        Gravity, [m/s²], and the share of its energy that a prop keeps at a bounce, from 0 to 1.
    """
    if stated is None:
        # Styles have m/s² and the parameter cm/s²: hence the scale of 100.
        gravity = _common({style.gravity for style in styles}, "gravity", 100, GRAVITY)
        bounce_fraction = _common(
            {style.bounce_fraction for style in styles if style.bounces},
            "bounce_fraction",
            1,
            BOUNCE_FRACTION,
        )
        return gravity, bounce_fraction
    # A parameter that the file does not state is at this program's default, not at JML's.
    parameters = DEFAULTS.replace(
        **{name: stated[name] for name in ("gravity", "bounce_fraction") if name in stated}
    )
    return parameters.gravity / 100, parameters.bounce_fraction


def _common(values: set[float | None], name: str, scale: float, default: float) -> float:
    """The value in which all flights agree, if it is in the range of a parameter; else `default`.

    Args:
        values: the distinct values of the flights; takes the value out.
        name: of the parameter.
        scale: factor from a value to the unit of the parameter.
        default: JML's, in the unit of `values`.
    """
    value = values.pop() if len(values) == 1 else None
    return value if value is not None and quantity_named(name).accepts(scale * value) else default


def write_flight(style: FlightStyle) -> tuple[str, str]:
    """Return the `type` and the `mod` of a throw, in JML's units of cm and s.

    Keys at their defaults are left out: `_joined` skips empty values.

    Args:
        style: of the throw.
    """
    gravity = {} if style.gravity is None else {"g": decimals(100 * style.gravity, _MOD_DIGITS)}
    if not style.bounces:
        return "toss", _joined(gravity)
    pairs = {
        "bounces": str(style.bounces) if style.bounces > 1 else "",
        "forced": "true" if style.forced else "",
        "hyper": "true" if _falling(style.forced, style.falling) else "",
        "bounceplane": decimals(100 * style.plane, USUAL.place) if style.plane else "",
        "bouncefrac": ""
        if style.bounce_fraction is None
        else decimals(style.bounce_fraction, _MOD_DIGITS),
    }
    return "bounce", _joined({**pairs, **gravity})


def read_look(location: Location, kind: str, text: str) -> PropLook:
    """Read the look of a prop from its `type` and `mod`.

    Args:
        location: of the prop, for messages.
        kind: its `type`, one of `SIZE_KEYS`.
        text: its `mod`. Keys that are not known are kept in the look, to be written again.

    Raises:
        FileError: a colour or a size that cannot be read, or no positive size.
    """
    values = _pairs(location, text, None)
    # A kind of prop that Juggling Lab does not have is written as a ball with its kind in the mod.
    kind = values.pop(_KIND_KEY) if values.get(_KIND_KEY) in SIZE_KEYS else kind
    colour = _colour(location, values.pop("color", None))
    size = values.pop(SIZE_KEYS[kind], None)
    # From cm to m.
    diameter = None if size is None else read_number(location, SIZE_KEYS[kind], size) / 100
    if diameter is not None and diameter <= 0:
        raise location.error(
            _("{size_keys} is {size}", size_keys=SIZE_KEYS[kind], size=shown(str(size))),
            _("a number above 0"),
        )
    image = values.pop("image", "") if kind == "image" else ""
    return PropLook(kind, colour, diameter, image=image, extra=_joined(values))


def write_look(look: PropLook) -> str:
    """The `mod` of a prop, with its size in cm; keys that are not needed are left out."""
    pairs = {
        # Only kinds that Juggling Lab does not have, whose `type` is another one.
        _KIND_KEY: look.kind if known_kind(look.kind) != look.kind else "",
        "image": look.image if look.kind == "image" else "",
        "color": braced_text(look.colour) if look.colour else "",
        SIZE_KEYS[look.kind]: decimals(100 * look.diameter, USUAL.place) if look.diameter else "",
    }
    return ";".join(filter(None, [_joined(pairs), look.extra]))


def _falling(forced: bool, hyper: bool) -> bool:
    """Whether a bounce is caught on its way down, from JML's `hyper`; or `hyper` from this.

    In JML a hyper bounce is caught as it is thrown, seen backwards in time; so a forced one is
    caught on its way up.
    """
    return forced != hyper


def _pairs(location: Location, text: str, known_keys: tuple[str, ...] | None) -> dict[str, str]:
    """Split a `mod` of the form key=value;key=value; the last of equal keys wins.

    Args:
        location: of the element, for messages.
        text: the `mod`.
        known_keys: the keys to accept; None for any key.

    Returns:
        The values by their keys in lower case.

    Raises:
        FileError: the text is too long, a key has no value, or is not known.
    """
    if len(text) > MAX_JML_ATTRIBUTE:
        raise location.error(
            _("mod has {count} characters", count=len(text)),
            _("at most {max_jml_attribute}", max_jml_attribute=MAX_JML_ATTRIBUTE),
        )
    values: dict[str, str] = {}
    # A line break may stand anywhere, even within a value.
    for piece in text.replace("\n", "").replace("\r", "").split(";"):
        key, equals, value = piece.partition("=")
        key = key.strip().lower()
        # Nothing stands between two semicolons or after the last one.
        if not piece.strip():
            continue
        if not (key and equals):
            raise location.error(
                _("mod has {piece} without a value", piece=shown(piece.strip())),
                "key=value;key=value",
            )
        if known_keys is not None and key not in known_keys:
            raise unknown(
                location,
                _("mod has {key}, which means nothing here", key=shown(key)),
                key,
                known_keys,
            )
        values[key] = value.strip()
    return values


def _joined(pairs: dict[str, str]) -> str:
    return ";".join(f"{key}={value}" for key, value in pairs.items() if value)


def _gravity(location: Location, values: dict[str, str]) -> float | None:
    """Gravity of a flight [m/s²] from the `g` of its mod [cm/s²]; None for JML's default."""
    if "g" not in values:
        return None
    gravity = read_number(location, "g", values["g"]) / 100
    return None if gravity == GRAVITY else gravity


def _bounce_fraction(location: Location, values: dict[str, str]) -> float | None:
    """Return the share of its energy that a prop keeps at a bounce; None for JML's default.

    Raises:
        FileError: it is no positive number.
    """
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
        # JML writes red, green and blue in braces, as {255,0,0}.
        return read_colour(text.replace("{", "").replace("}", ""))
    except NotationError as error:
        raise location.error(_("color: {reason}", reason=error.reason), error.accepted) from error
