"""From a JML document to a choreography and back: flights, carries, orbits and kinds of events.

The `mod` of a throw or a prop: `key=value;key=value`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import accumulate, pairwise
from typing import NamedTuple

import numpy as np

from juggle_anim.arrays import Booleans, Floats, Integers
from juggle_anim.choreography import (
    AIR,
    HAND_FORWARD,
    HAND_HEIGHT,
    BodyKeyframes,
    Choreography,
    EventKind,
    Events,
    Flights,
    FlightStyle,
    Grasp,
    Manner,
    PropLook,
    PropOrbit,
    Score,
    circle,
    rest_positions,
)
from juggle_anim.errors import FileError, NotationError
from juggle_anim.language import _
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.notation.jml.document import (
    Extension,
    JmlEvent,
    JmlPattern,
    JmlPosition,
    Location,
    Transition,
    TransitionKind,
    Triple,
    hand_name,
    read_number,
    read_whole,
    shown,
    unknown,
)
from juggle_anim.notation.jml.symmetries import SAME_PLACE, SAME_TIME, expand_symmetries
from juggle_anim.notation.limits import MAX_BOUNCES, MAX_JML_ATTRIBUTE, USUAL, decimals
from juggle_anim.notation.rewriting import inverse, known_kind
from juggle_anim.notation.settings import STANDING, braced_text, read_colour
from juggle_anim.parameters import DEFAULTS, quantity_named
from juggle_anim.pattern import cycles, grouped

GRAVITY = 9.8
"""The default gravity, [m/s²]."""

BOUNCE_FRACTION = 0.9
"""Share of its energy that a prop keeps at a bounce that says nothing of it."""

SIZE_KEYS = {"ball": "diam", "ring": "outside", "square": "diam", "image": "width", "club": "diam"}
"""The kinds of prop, and the key under which each has its size."""

# Two values that differ by less are one.
_VALUE_TOLERANCE = 1e-9

_MOD_DIGITS = 9  # decimals of gravity [cm/s²] and of the bounce fraction

# What a ball stands for, where Juggling Lab has no such prop; it skips keys that it does not
# know.
_KIND_KEY = "kind"


def read_toss(location: Location, text: str) -> FlightStyle:
    """Read the flight style of a throw without bounces from its `mod` attribute, such as "g=980".

    Args:
        location: where the throw stands in the file, for messages.
        text: the `mod`; its only key is g, the gravity of this flight, [cm/s²].

    Raises:
        FileError: an unknown key or an unreadable value.
    """
    values = _values_by_key(location, text, ("g",))
    return FlightStyle(gravity=_gravity(location, values))


def read_bounce(location: Location, text: str) -> FlightStyle:
    """Read the flight style of a bounce from its `mod` attribute, such as "bounces=2;forced=true".

    Args:
        location: where the throw stands in the file, for messages.
        text: the `mod`; lengths in it are in cm.

    Raises:
        FileError: an unknown key, or an unreadable or impossible value.
    """
    values = _values_by_key(
        location, text, ("bounces", "forced", "hyper", "bounceplane", "bouncefrac", "g")
    )
    gravity = _gravity(location, values)
    if gravity is not None and gravity <= 0:
        raise location.error(
            _("g is {found}, and nothing bounces without gravity", found=shown(values["g"])),
            _("a number above 0"),
        )
    # A forced bounce is thrown down, any other lifted. A lifted prop is caught rising and a forced
    # one falling, unless `hyper` reverses this.
    forced = _switch(location, values, "forced")
    hyper = _switch(location, values, "hyper")
    return FlightStyle(
        gravity=gravity,
        # Without these keys a prop bounces once, from the floor.
        bounces=read_whole(location, "bounces", values.get("bounces", "1"), 1, MAX_BOUNCES),
        forced=forced,
        falling=_is_falling(forced, hyper),
        # From cm to m.
        plane=read_number(location, "bounceplane", values.get("bounceplane", "0")) / 100,
        bounce_fraction=_bounce_fraction(location, values),
    )


def with_defaults(
    style: FlightStyle,
    before: tuple[float, float],
    after: tuple[float, float] = (GRAVITY, BOUNCE_FRACTION),
) -> FlightStyle:
    """Return the style of the same flight for other defaults of gravity and bounces.

    None in a style stands for the default. So None becomes the old default, and a value that equals
    the new default becomes None.

    Args:
        style: the style of the flight.
        before: the defaults to which `style` refers: gravity [m/s²], and share of its energy that a
            prop keeps at a bounce.
        after: the defaults to which the result refers; those of JML where not given.
    """
    gravity_before, fraction_before = before
    gravity_after, fraction_after = after
    # The actual gravity and share of energy of this flight.
    gravity = gravity_before if style.gravity is None else style.gravity
    fraction = fraction_before if style.bounce_fraction is None else style.bounce_fraction
    # A flight without bounces needs no bounce fraction. Values that differ by less than
    # `_VALUE_TOLERANCE` count as equal.
    needs_fraction = style.bounces and abs(fraction - fraction_after) >= _VALUE_TOLERANCE
    return replace(
        style,
        gravity=None if abs(gravity - gravity_after) < _VALUE_TOLERANCE else gravity,
        bounce_fraction=fraction if needs_fraction else None,
    )


def shared_defaults(
    styles: Sequence[FlightStyle], stated: Mapping[str, float | str | None] | None
) -> tuple[float, float]:
    """Return gravity and the share of energy kept at a bounce that hold for a whole pattern.

    They are the parameters that the file states. A file without parameters, from another program,
    has them at each flight; there they are the values that all flights have in common.

    Args:
        styles: the styles of the flights in the file; None in a field means JML's default.
        stated: the parameters in the file, gravity in cm/s²; None if the file has none.

    Returns:
        Gravity, [m/s²], and the share of its energy that a prop keeps at a bounce, from 0 to 1.
    """
    if stated is None:
        # Styles have m/s² and the parameter cm/s²: hence the scale of 100.
        gravity = _common_value(
            {style.gravity for style in styles}, "gravity", scale=100, default=GRAVITY
        )
        bounce_fraction = _common_value(
            {style.bounce_fraction for style in styles if style.bounces},
            "bounce_fraction",
            scale=1,
            default=BOUNCE_FRACTION,
        )
        return gravity, bounce_fraction
    # A file with parameters is one of ours, so those that it leaves out have our defaults, not
    # JML's.
    parameters = DEFAULTS.replace(
        **{name: stated[name] for name in ("gravity", "bounce_fraction") if name in stated}
    )
    return parameters.gravity / 100, parameters.bounce_fraction


def _common_value(
    values: set[float | None], parameter: str, *, scale: float, default: float
) -> float:
    """Return the value that all flights share if a parameter can have it, else JML's default.

    Args:
        values: the distinct values of the flights, each in the unit of a flight; None for JML's
            default.
        parameter: name of the parameter, whose range decides.
        scale: factor from the unit of a flight to that of the parameter.
        default: JML's default, in the unit of a flight.
    """
    if len(values) != 1:
        return default
    (value,) = values
    if value is None or not quantity_named(parameter).accepts(scale * value):
        return default
    return value


def write_flight(style: FlightStyle) -> tuple[str, str]:
    """Return the attributes `type` and `mod` of a throw in JML, whose units are cm and s.

    `type` is "toss" or "bounce", and `mod` has the form key=value;key=value.

    Args:
        style: how the prop flies, in m and s.
    """
    # Keys at their defaults are left out: an empty value is skipped by `_joined`.
    gravity = {} if style.gravity is None else {"g": decimals(100 * style.gravity, _MOD_DIGITS)}
    if not style.bounces:
        return "toss", _joined(gravity)
    pairs = {
        "bounces": str(style.bounces) if style.bounces > 1 else "",
        "forced": "true" if style.forced else "",
        "hyper": "true" if _is_hyper(style.forced, style.falling) else "",
        "bounceplane": decimals(100 * style.plane, USUAL.place) if style.plane else "",
        "bouncefrac": ""
        if style.bounce_fraction is None
        else decimals(style.bounce_fraction, _MOD_DIGITS),
    }
    return "bounce", _joined({**pairs, **gravity})


def read_look(location: Location, kind: str, text: str) -> PropLook:
    """Read the look of a prop from the attributes `type` and `mod` of JML.

    Args:
        location: the place of the prop in the file, for messages.
        kind: the value of `type`, a key of `SIZE_KEYS`.
        text: the value of `mod`, such as `color=red;diam=10`, with lengths in cm. Unknown keys are
            kept in the look, so that they are written again.

    Raises:
        FileError: a colour or a size cannot be read, or a size is not positive.
    """
    values = _values_by_key(location, text, None)
    # Kinds that Juggling Lab does not have are written as a ball, with the true kind in the `mod`.
    kind = values.pop(_KIND_KEY) if values.get(_KIND_KEY) in SIZE_KEYS else kind
    colour = _colour(location, values.pop("color", None))
    # `SIZE_KEYS` has the key under which each kind states its size; from cm to m.
    size = values.pop(SIZE_KEYS[kind], None)
    diameter = None if size is None else read_number(location, SIZE_KEYS[kind], size) / 100
    if diameter is not None and diameter <= 0:
        raise location.error(
            _("{size_keys} is {size}", size_keys=SIZE_KEYS[kind], size=shown(str(size))),
            _("a number above 0"),
        )
    image = values.pop("image", "") if kind == "image" else ""
    # What is left are keys that this program does not know.
    return PropLook(kind, colour, diameter, image=image, extra=_joined(values))


def write_look(look: PropLook) -> str:
    """Return the `mod` of a prop, with its size in cm; keys that are not needed are left out."""
    pairs = {
        # Only kinds that Juggling Lab does not have, whose `type` is another one.
        _KIND_KEY: look.kind if known_kind(look.kind) != look.kind else "",
        "image": look.image if look.kind == "image" else "",
        "color": braced_text(look.colour) if look.colour else "",
        SIZE_KEYS[look.kind]: decimals(100 * look.diameter, USUAL.place) if look.diameter else "",
    }
    return ";".join(filter(None, [_joined(pairs), look.extra]))


def _is_hyper(forced: bool, falling: bool) -> bool:
    """Return JML's `hyper` of a bounce: whether its catch is its throw seen backwards in time.

    So a hyper bounce that is thrown down is caught rising, and one that is thrown up is caught
    falling.

    Args:
        forced: whether it is thrown down.
        falling: whether it is caught falling.
    """
    return forced != falling


def _is_falling(forced: bool, hyper: bool) -> bool:
    """Return whether a bounce is caught falling; the converse of `_is_hyper`."""
    return forced != hyper


def _values_by_key(
    location: Location, text: str, known_keys: tuple[str, ...] | None
) -> dict[str, str]:
    """Return the values in a `mod` attribute of the form key=value;key=value, by their keys.

    Of equal keys the last one counts.

    Args:
        location: where the element stands in the file, for messages.
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
    # Line breaks may stand anywhere, even within a value.
    for piece in text.replace("\n", "").replace("\r", "").split(";"):
        key, equals, value = piece.partition("=")
        key = key.strip().lower()
        # A piece is empty between two semicolons and after a last one.
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
    """Return the gravity of a flight, [m/s²]; None for JML's default.

    Args:
        location: names the place in the file for errors.
        values: the values of the throw's `mod` attribute, of which `g` is gravity, [cm/s²].
    """
    if "g" not in values:
        return None
    gravity = read_number(location, "g", values["g"]) / 100
    return None if gravity == GRAVITY else gravity


def _bounce_fraction(location: Location, values: dict[str, str]) -> float | None:
    """Return the share of its energy that a prop keeps at a bounce; None for JML's default.

    Args:
        location: where the throw stands in the file, for messages.
        values: the entries of its `mod` attribute, by their keys.

    Raises:
        FileError: the value is not a positive number.
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
        return read_colour(text)
    except NotationError as error:
        raise location.error(_("color: {reason}", reason=error.reason), error.accepted) from error


_LOWEST_BPS = quantity_named("bps").low
_HIGHEST_BPS = quantity_named("bps").high

_BPS = re.compile(
    r"(?:^|;)\s*bps\s*=\s*([0-9]{1,3}(?:\.[0-9]{1,9})?)\s*(?:;|$)", re.IGNORECASE | re.ASCII
)


def to_choreography(pattern: JmlPattern) -> Choreography:
    """Convert a JML document into a choreography: timed events, flights and orbits.

    A flight connects a throw with a catch. A chain, or orbit, is the closed sequence of flights
    that some props (paths of JML) share. Rest positions of the hands, the tempo and the shared
    gravity are derived from the events where the file does not state them.

    Args:
        pattern: the document, in JML's units (cm) and axes.

    Raises:
        FileError: symmetries or events that contradict each other.
    """
    # Events and prop paths of the whole loop, in JML's units and numbering. A JML document lists
    # only those events from which the others follow by symmetry.
    events = expand_symmetries(pattern)
    chains = prop_paths(pattern, events)
    # Our extension of JML, by which a file of ours is read back exactly.
    extension = pattern.extension or Extension()
    flights = _ordered_flights(chains, extension.numbers)

    # Start each orbit at the flight that the extension names as its first. Two flights may be
    # equal, so they are told apart by identity.
    flight_index = {id(flight): index for index, flight in enumerate(flights)}
    first_ids = {id(flights[index]) for index in extension.first if index < len(flights)}
    chains = [_from_first(chain, first_ids, events, pattern.delay) for chain in chains]

    # Gravity and the bounce fraction become parameters of the choreography.
    pattern_defaults = shared_defaults([flight.style for flight in flights], extension.parameters)
    gravity, bounce_fraction = pattern_defaults
    styles = _flight_styles(flights, pattern_defaults, extension)

    # Arrays over all E events. Events of idle hands become rest positions and are dropped, so that
    # events are renumbered: `new_row` has the new row of each event that remains.
    positions = _positions(events)
    looks = tuple(pattern.looks[pattern.props[path]] for chain in chains for path in chain.paths)
    hand = np.array([event.hand for event in events], dtype=np.intp)
    kind = event_kinds(pattern, events, chains)
    is_busy = ~_rests_only(events, hand, kind)
    new_row = np.cumsum(is_busy) - 1
    manners = np.array([event.manner for event in events], dtype=np.intp).reshape(-1, 2)[is_busy]
    return Choreography(
        duration=pattern.delay,
        bps=_tempo(pattern, extension, events),
        gravity=gravity,
        bounce_fraction=bounce_fraction,
        bodies=body_keys(pattern),
        rest=_rest_positions_of_hands(pattern.jugglers, hand, kind, positions),
        events=Events(
            time=np.array([event.time for event in events], dtype=float)[is_busy],
            hand=hand[is_busy],
            kind=kind[is_busy],
            position=positions[is_busy],
        ).with_manners(manners),
        flights=Flights(
            throw=new_row[[flight.throw for flight in flights]],
            catch=new_row[[flight.catch for flight in flights]],
            duration=np.array([flight.duration for flight in flights], dtype=float),
            carry=np.array([flight.carry for flight in flights], dtype=float),
            style=() if all(style == AIR for style in styles) else tuple(styles),
        ),
        orbits=tuple(
            PropOrbit(
                tuple(flight_index[id(flight)] for flight in chain.flights),
                len(chain.paths),
                chain.hand,
            )
            for chain in chains
        ),
        looks=() if all(look == PropLook() for look in looks) else looks,
        as_juggling_lab=extension.as_juggling_lab,
    )


def _flight_styles(
    flights: list[Flight], pattern_defaults: tuple[float, float], extension: Extension
) -> list[FlightStyle]:
    """Return the styles of flights relative to a pattern's defaults, with the stated spins.

    A style has None for gravity and for the bounce fraction (the share of energy that a bounce
    keeps) where these are the defaults: in the document those of JML, `GRAVITY` and
    `BOUNCE_FRACTION`, in the result those of the pattern.

    Args:
        flights: the flights of the document.
        pattern_defaults: gravity, [m/s²], and bounce fraction of the pattern.
        extension: our own instruction in the document, with the spin of each flight.
    """
    jml_defaults = GRAVITY, BOUNCE_FRACTION
    styles = [
        with_defaults(flight.style, before=jml_defaults, after=pattern_defaults)
        for flight in flights
    ]
    # Documents without spins have none here. Where their number is wrong, as in a document edited
    # by hand, it is not known which flight each belongs to, so all flights spin as usual.
    if len(extension.spins) != len(styles):
        return styles
    return [replace(style, spin=spin) for style, spin in zip(styles, extension.spins, strict=True)]


def _ordered_flights(chains: list[PropPath], numbers: tuple[int, ...]) -> list[Flight]:
    """Return the flights of all props in the order in which the file numbers them.

    Args:
        chains: the paths of the props, with their flights.
        numbers: the number of each flight, listed in the order of the throwing events. If there is
            not one for each flight, flights keep the order of the throwing events.
    """
    flights = sorted(
        (flight for chain in chains for flight in chain.flights), key=lambda flight: flight.throw
    )
    if len(numbers) != len(flights):
        return flights
    return [flights[index] for index in np.argsort(numbers, kind="stable")]


def _positions(events: tuple[JmlEvent, ...]) -> Floats:
    """Return the position of the hand at each event, relative to the body.

    Args:
        events: their places are relative to the usual position of hands in front of the body:
            right, forward and up, [cm].

    Returns:
        Distances left, up and forward of the point on the floor below the body, shape (E, 3) for E
        events, [m].
    """
    # The shape is stated for documents without events.
    places = np.array([event.place for event in events], dtype=float).reshape(-1, 3) / 100
    positions: Floats = np.stack(
        [-places[:, 0], HAND_HEIGHT + places[:, 2], HAND_FORWARD + places[:, 1]], axis=-1
    )
    return positions


def _rests_only(events: tuple[JmlEvent, ...], hand: Integers, kind: Integers) -> Booleans:
    """Mask of the events that only state the rest position of an idle hand, shape (E,).

    Args:
        events: E, of one loop.
        hand: shape (E,), hand index 2·juggler + side of each event.
        kind: shape (E,), of `EventKind`.
    """
    # Whether the event is the only one of its hand.
    alone = np.bincount(hand)[hand] == 1
    return alone & (kind >= EventKind.HOLD) & np.array([event.idle for event in events], dtype=bool)


def _from_first(
    chain: PropPath, first_ids: set[int], events: tuple[JmlEvent, ...], delay: float
) -> PropPath:
    """Return the cyclic path of some props, rotated so that it starts at a chosen flight.

    In JML a prop has one path number in each loop, and continues on another in the next loop.

    Args:
        chain: the path; it is returned unchanged if none of its flights is chosen.
        first_ids: `id` of the chosen flights, at most one on each path.
        events: all events of the loop; `Flight.throw` is an index into them.
        delay: duration of the loop, [s].
    """
    flights = chain.flights
    start = next((index for index, flight in enumerate(flights) if id(flight) in first_ids), 0)
    if start == 0:
        return chain
    # The time at which the first prop makes the chosen flight, [s].
    time = events[flights[0].throw].time + sum(
        flight.duration + flight.carry for flight in flights[:start]
    )
    # In the first loop, the chosen flight is made by the prop that is `loops_ahead` loops ahead of
    # the first one. In that loop it is on the path which the first prop takes so many loops later.
    first_event = events[flights[start].throw]
    loops_ahead = round((time - first_event.time) / delay) % len(chain.paths)
    paths = (*chain.paths[loops_ahead:], *chain.paths[:loops_ahead])
    return PropPath(paths, (*flights[start:], *flights[:start]), first_event.hand)


def _tempo(pattern: JmlPattern, extension: Extension, events: tuple[JmlEvent, ...]) -> float:
    """Return the tempo, [beats/s].

    It is the one that the file states, else that of the pattern from which the file was made, else
    an estimate: the number of distinct throwing times per second.

    Args:
        pattern: the document, for its duration and the pattern from which it was made.
        extension: what the file states in our extension of JML, maybe the tempo.
        events: all events of one loop.
    """
    own_bps = extension.parameters.get("bps") if extension.parameters else None
    if own_bps:
        return float(own_bps)
    # The text of that pattern, such as "pattern=531;bps=4". A tempo beyond the limits is ignored.
    _notation, base_text = pattern.base or ("", "")
    if (stated := _BPS.search(base_text)) and _LOWEST_BPS <= float(stated[1]) <= _HIGHEST_BPS:
        return float(stated[1])
    # Times in files are rounded, so throws within a microsecond are simultaneous.
    throw_times = {
        round(event.time, 6)
        for event in events
        if any(transition.kind is TransitionKind.THROW for transition in event.transitions)
    }
    # A pattern without throws has one beat in each loop.
    return max(1, len(throw_times)) / pattern.delay


def _rest_positions_of_hands(
    jugglers: int, hand: Integers, kind: Integers, positions: Floats
) -> Floats:
    """Return the rest positions of all hands, relative to the body, shape (2·jugglers, 3), [m].

    They are the usual ones, except for an idle hand, whose only event is no throw or catch: it
    rests at the position of this event.

    Args:
        jugglers: number of jugglers.
        hand: hand of each event, 2·juggler + side, shape (E,) for E events.
        kind: `EventKind` of each event, shape (E,).
        positions: positions of the hands at the events, relative to the body, shape (E, 3), [m].
    """
    rest = rest_positions(jugglers).copy()
    hands_with_events, first_event, event_count = np.unique(
        hand, return_index=True, return_counts=True
    )
    # HOLD and MOVE are the last of the kinds: those without a throw or catch.
    idle = (event_count == 1) & (kind[first_event] >= EventKind.HOLD)
    rest[hands_with_events[idle]] = positions[first_event[idle]]
    return rest


def event_kinds(
    pattern: JmlPattern, events: tuple[JmlEvent, ...], chains: list[PropPath]
) -> Integers:
    """Return the kind of each event as an `EventKind`, shape (E,).

    Args:
        pattern: a parsed JML pattern: events, paths of props, symmetries and positions of jugglers.
        events: all E events of one loop, sorted by time.
        chains: the paths of the props.
    """
    # A throw or a catch is told by the event itself; of others it matters whether the hand holds a
    # prop.
    holds_prop = _holding(pattern, events, chains)
    return np.array(
        [_kind(event, holds_prop=bool(holds_prop[index])) for index, event in enumerate(events)],
        dtype=np.intp,
    )


def _kind(event: JmlEvent, *, holds_prop: bool) -> EventKind:
    kinds = {transition.kind for transition in event.transitions}
    if TransitionKind.THROW in kinds:
        return EventKind.THROW
    if TransitionKind.CATCH in kinds:
        return EventKind.CATCH
    return EventKind.HOLD if holds_prop else EventKind.MOVE


def _holding(pattern: JmlPattern, events: tuple[JmlEvent, ...], chains: list[PropPath]) -> Booleans:
    """Return whether the hand of each event holds a prop at the time of the event, shape (E,).

    Args:
        pattern: a parsed JML pattern: events, paths of props, symmetries and positions of jugglers.
        events: all E events of one loop, sorted by time.
        chains: the paths of the props.
    """
    time = np.array([event.time for event in events])
    hand = np.array([event.hand for event in events], dtype=np.intp)
    # A prop without flights stays in its hand all the time.
    holds_prop = np.isin(hand, [chain.hand for chain in chains if not chain.flights])

    # A hand carries a prop from its catch to the next throw: group flights by the catching hand.
    flights_into_hand = grouped(
        (int(hand[flight.catch]), flight) for chain in chains for flight in chain.flights
    )
    for hand_index, flights in flights_into_hand.items():
        events_of_hand = np.flatnonzero(hand == hand_index)
        carry_starts = np.array([time[flight.catch] for flight in flights])
        carry_durations = np.array([flight.carry for flight in flights])
        holds_prop[events_of_hand] |= covered(
            time[events_of_hand], carry_starts, carry_durations, pattern.delay
        )
    return holds_prop


def covered(times: Floats, starts: Floats, lengths: Floats, loop: float) -> Booleans:
    """Return for each time whether it lies in at least one of the spans, which repeat every loop.

    A span includes its start and excludes its end.

    Args:
        times: T times, shape (T,), in [0, loop), sorted, [s].
        starts: shape (S,) for S spans, in [0, loop), [s].
        lengths: shape (S,), [s]; a span as long as the loop covers all of it.
        loop: duration of the loop, [s].

    Returns:
        shape (T,).
    """
    # Sweep: +1 at the first time in a span, -1 at the first one after it; the running sum is the
    # number of open spans. The last slot takes the ends that come after all times.
    open_span_changes = np.zeros(len(times) + 1)
    # A span that reaches into the next loop also covers the start of this one, so each span is
    # counted a second time one loop earlier.
    for shifted_starts in (starts, starts - loop):
        np.add.at(open_span_changes, np.searchsorted(times, shifted_starts, side="left"), 1)
        ends = shifted_starts + lengths
        np.add.at(open_span_changes, np.searchsorted(times, ends, side="left"), -1)
    return (np.cumsum(open_span_changes)[:-1] > 0) | bool(np.any(lengths >= loop))


def body_keys(pattern: JmlPattern) -> BodyKeyframes:
    """Return the body keyframes of a document, sorted by juggler and time.

    A juggler without listed positions stands at the usual place on the circle of jugglers.

    Args:
        pattern: the document, in JML's units (cm, degrees) and axes.

    Raises:
        FileError: a juggler is at two places at once.
    """
    standing, facing = circle(pattern.jugglers)
    positions_of: list[list[JmlPosition]] = [[] for _ in range(pattern.jugglers)]
    for position in pattern.positions:
        positions_of[position.juggler].append(
            replace(position, time=_wrapped(position.time, pattern.delay))
        )
    # Juggler, time [s], position in the world [m] and facing angle [rad] of each keyframe.
    keyframes: list[tuple[int, float, Floats, float]] = []
    for juggler, positions in enumerate(positions_of):
        if not positions:
            keyframes.append((juggler, 0.0, standing[juggler], float(facing[juggler])))
        for position in _without_repetitions(positions):
            # In JML z is up, and a body that stands is at z = STANDING [cm]. In our world y is up,
            # and x and z are JML's -x and y.
            x, y, z = position.place
            place = np.array([-x, z - STANDING, y]) / 100
            keyframes.append((juggler, position.time, place, np.radians(position.angle)))
    return BodyKeyframes.from_rows(keyframes)


def _without_repetitions(positions: list[JmlPosition]) -> list[JmlPosition]:
    """Return a juggler's positions by time, with only one of those that are equal at one time.

    Args:
        positions: the positions of one juggler, in any order. Their times are wrapped into the
            loop, so that a position at the end of the loop repeats the one at its start.

    Raises:
        FileError: two positions at the same time differ.
    """
    distinct: list[JmlPosition] = []
    for position in sorted(positions, key=lambda position: position.time):
        # Times that differ by less than `SAME_TIME` [s] are equal. By sorting they are neighbours.
        if not distinct or position.time - distinct[-1].time >= SAME_TIME:
            distinct.append(position)
        elif not _is_same_pose(position, distinct[-1]):
            where = _(
                "at time {time:.6g}, here and on line {line}",
                time=position.time,
                line=distinct[-1].location.line,
            )
            reason = _(
                "juggler {juggler} is in two places {where}",
                juggler=position.juggler + 1,
                where=where,
            )
            raise position.location.error(reason, _("one place at a time"))
    return distinct


def _wrapped(time: float, delay: float) -> float:
    """Time within the loop, [s]; a time just before its end is rounded to its start."""
    within = time % delay
    return 0.0 if delay - within < SAME_TIME else within


def _is_same_pose(first: JmlPosition, second: JmlPosition) -> bool:
    distance = max(abs(a - b) for a, b in zip(first.place, second.place, strict=True))
    # Angles are compared modulo 360 degrees.
    angle = abs((first.angle - second.angle + 180) % 360 - 180)
    return max(distance, angle) < SAME_PLACE


@dataclass(frozen=True)
class Flight:
    """A flight that begins in the loop.

    Args:
        throw: index of the event that throws.
        catch: index of the event that catches, in this loop or a later one.
        duration: [s].
        carry: time from the catch to the next throw, [s].
        style: how the prop flies and is caught.
    """

    throw: int
    catch: int
    duration: float
    carry: float
    style: FlightStyle


@dataclass(frozen=True)
class PropPath:
    """The cyclic path of some props that follow each other one loop apart.

    Args:
        paths: numbers of the JML paths on which the first prop is in successive loops. In the
            first loop, these are the paths of all the props.
        flights: flights in their order; none for props that are held forever.
        hand: the hand that holds the first prop before its first flight.
    """

    paths: tuple[int, ...]
    flights: tuple[Flight, ...]
    hand: int


def prop_paths(pattern: JmlPattern, events: tuple[JmlEvent, ...]) -> list[PropPath]:
    """Return the cyclic path of each group of props that follow each other one loop apart.

    In a JML document each prop is on a numbered path, and continues on another path in the next
    loop. An event lists what happens to the paths in its hand: its transitions.

    Args:
        pattern: the document: the permutation of its paths from loop to loop.
        events: all events of one loop, sorted by time.

    Raises:
        FileError: a prop is thrown by a hand that does not hold it, caught before it is thrown,
            thrown and never caught, or in no event at all.
    """
    # The steps of each path: its transitions by time. At one time a catch comes before a throw,
    # which is the order of `TransitionKind`.
    steps_by_path: list[list[_Step]] = [[] for _ in pattern.props]
    for event_row, event in enumerate(events):
        for transition in sorted(event.transitions, key=lambda transition: transition.kind):
            steps_by_path[transition.path].append(_Step(event.time, event_row, event, transition))
    chains = []
    # A cycle of the permutation lists the paths of one prop in successive loops.
    for cycle in cycles(inverse(pattern.paths)):
        # Start with the first path that has a throw; a prop that is only held has none.
        first = next(
            (
                index
                for index, path in enumerate(cycle)
                if any(step.kind is TransitionKind.THROW for step in steps_by_path[path])
            ),
            0,
        )
        chains.append(_prop_path(pattern, (*cycle[first:], *cycle[:first]), steps_by_path))
    return chains


class _Step(NamedTuple):
    """A transition of a prop: its time from the loop of its first path on, and its event's row."""

    time: float
    row: int
    event: JmlEvent
    transition: Transition

    @property
    def kind(self) -> TransitionKind:
        return self.transition.kind


def _prop_path(
    pattern: JmlPattern, paths: tuple[int, ...], steps_by_path: list[list[_Step]]
) -> PropPath:
    """Return the checked sequence of flights of a prop, which is on another path in each loop.

    Args:
        pattern: the document, for its loop duration and error messages.
        paths: the paths of the prop in successive loops, a cycle.
        steps_by_path: for each path its steps (throws, catches and holds) in one loop, by time.

    Returns:
        The prop's path, whose flights start at its first throw. A prop that is never thrown has no
        flights, and stays in one hand.

    Raises:
        FileError: the prop has no steps, or they are in an impossible order.
    """
    # The steps of the prop until it is on its first path again.
    steps_of_prop = [
        step._replace(time=step.time + loop * pattern.delay)
        for loop, path in enumerate(paths)
        for step in steps_by_path[path]
    ]
    if not steps_of_prop:
        path = _("path {paths}", paths=min(paths) + 1)
        raise pattern.location.error(
            _("{path} is never thrown, caught or held", path=path),
            _("an event that names {path}", path=path),
        )
    # The sequence is cyclic, so the last step comes before the first one.
    for before, after in pairwise([steps_of_prop[-1], *steps_of_prop]):
        _check_sequence(before, after)
    first_throw = next(
        (index for index, step in enumerate(steps_of_prop) if step.kind is TransitionKind.THROW),
        None,
    )
    if first_throw is None:
        return PropPath(paths, (), steps_of_prop[0].event.hand)
    # From the first throw on to the same throw one period of the prop later.
    period = len(paths) * pattern.delay
    next_period = [
        step._replace(time=step.time + period) for step in steps_of_prop[: first_throw + 1]
    ]
    return PropPath(
        paths,
        _flights([*steps_of_prop[first_throw:], *next_period]),
        steps_of_prop[first_throw].event.hand,
    )


def _flights(steps: list[_Step]) -> tuple[Flight, ...]:
    """Return the flights of a prop over one period, from its steps.

    A step is what happens to a prop at some time: a throw, a catch or a hold; its `row` is the
    index of the event of a hand at which it happens. The carry of a flight is the time from its
    catch to the next throw of the prop. A period is the time after which the prop does the same
    again, a whole number of loops.

    Args:
        steps: the steps by time; they begin with a throw and end with the same throw a period
            later. Throws and catches alternate, which `_check_sequence` has checked.

    Raises:
        FileError: a flight that takes no time.
    """
    # Throws are at even indices, catches at odd ones. The last throw, which repeats the first, is
    # needed only for the end of the last carry.
    throws_and_catches = [step for step in steps if step.kind is not TransitionKind.HOLDING]
    throws = throws_and_catches[:-1:2]
    catches = throws_and_catches[1::2]
    next_throws = throws_and_catches[2::2]
    flights = []
    for throw, catch, next_throw in zip(throws, catches, next_throws, strict=True):
        duration = catch.time - throw.time
        if duration < SAME_TIME:
            raise _step_error(catch, _("is caught at the moment it is thrown"), _("a later catch"))
        style = throw.transition.flight
        # JML states the style of the catch at the catch; a `FlightStyle` has both.
        if catch.transition.caught:
            style = replace(style, caught=catch.transition.caught)
        # By rounding in the file, a throw at the moment of the catch may be slightly before it.
        carry = max(0.0, next_throw.time - catch.time)
        flights.append(
            Flight(throw=throw.row, catch=catch.row, duration=duration, carry=carry, style=style)
        )
    return tuple(flights)


def _check_sequence(before: _Step, after: _Step) -> None:
    """Check that one step of a prop (a throw, a catch or a hold) can follow another.

    Args:
        before: the earlier step.
        after: the step that follows it, at which an error points.

    Raises:
        FileError: a catch without a throw, a throw without a catch, or a prop that is in another
            hand without a flight.
    """
    since = _("line {line}", line=before.event.location.line)
    thrown = after.kind is TransitionKind.THROW
    # Only a prop in the air can be caught.
    if after.kind is TransitionKind.CATCH:
        if before.kind is not TransitionKind.THROW:
            raise _step_error(
                after,
                _("is caught, but not thrown since {since}", since=since),
                _("a throw before each catch"),
            )
    # A prop in the air can be neither thrown nor held.
    elif before.kind is TransitionKind.THROW:
        reason = (
            _("is thrown, but not caught since {since}", since=since)
            if thrown
            else _("is held, but not caught since {since}", since=since)
        )
        raise _step_error(after, reason, _("a catch after each throw"))
    # A prop in a hand must stay in that hand.
    elif before.event.hand != after.event.hand:
        hands = _(
            "by {hand}, but it is in {hand2}",
            hand=hand_name(after.event.hand),
            hand2=hand_name(before.event.hand),
        )
        reason = (
            _("is thrown {hands} since {since}", hands=hands, since=since)
            if thrown
            else _("is held {hands} since {since}", hands=hands, since=since)
        )
        raise _step_error(after, reason, _("a throw and a catch between"))


def _step_error(step: _Step, reason: str, accepted: str) -> FileError:
    """Return an error at the event of a step, about its path, counted from 1."""
    return step.event.location.error(
        _("path {path} {reason}", path=step.transition.path + 1, reason=reason), accepted
    )


# Bodies that differ by less from where jugglers usually stand are there, [m] and [rad].
_POSE_TOLERANCE = 1e-9


def from_choreography(score: Score) -> JmlPattern:
    """Return the JML document of a score whose events have times and positions.

    It lists every event of a loop, so its only symmetry is that the loop repeats.

    Args:
        score: the score; its `placed` is the choreography with these events.
    """
    choreography = score.placed
    assert choreography is not None, "only a score with placed events has a JML document"
    looks, props = _looks(choreography)
    return JmlPattern(
        jugglers=choreography.jugglers,
        looks=looks,
        props=props,
        delay=choreography.duration,
        paths=_path_permutation(choreography),
        symmetries=(),
        events=_Extraction(choreography).events(),
        positions=positions(choreography.bodies),
        title=score.title,
        about=score.about,
        tags=score.tags,
        base=score.base,
    )


def _first_paths(choreography: Choreography) -> list[int]:
    """Return the number of the first path of each orbit."""
    return [*accumulate((orbit.props for orbit in choreography.orbits), initial=0)][:-1]


def _path_permutation(choreography: Choreography) -> tuple[int, ...]:
    """Return, for each path, the path whose motion it takes over after a loop.

    A path is the motion of one prop. An orbit is the closed path of several props, and so a cycle
    of this permutation.
    """
    # The paths of an orbit have successive numbers, so that each becomes the next one.
    orbits = zip(_first_paths(choreography), choreography.orbits, strict=True)
    return tuple(
        first + (offset + 1) % orbit.props
        for first, orbit in orbits
        for offset in range(orbit.props)
    )


def _looks(choreography: Choreography) -> tuple[tuple[PropLook, ...], tuple[int, ...]]:
    """Return the distinct looks of props, and for each JML path the index of its look.

    A path is the number of a prop during one loop; in the next loop the prop has another one.

    Args:
        choreography: its looks of props and its orbits; an orbit is the closed sequence of flights
            that some props share.
    """
    if not choreography.looks:
        # All props have the default look.
        return (PropLook(),), (0,) * choreography.props
    # Looks are listed orbit after orbit, each prop one loop ahead of the one before. Paths count
    # the other way, since each becomes the next one after a loop: the prop that is n loops ahead
    # has the path n before the first one, cyclically among the paths of its orbit.
    looks = iter(choreography.looks)
    look_of_path: dict[int, PropLook] = {}
    first_paths = _first_paths(choreography)
    for orbit, first in zip(choreography.orbits, first_paths, strict=True):
        for loops_ahead in range(orbit.props):
            look_of_path[first + (-loops_ahead) % orbit.props] = next(looks)
    # Distinct looks, in the order in which the paths have them.
    looks_by_path = [look_of_path[path] for path in range(choreography.props)]
    distinct = list(dict.fromkeys(looks_by_path))
    look_index = {look: index for index, look in enumerate(distinct)}
    return tuple(distinct), tuple(look_index[look] for look in looks_by_path)


class _Extraction:
    """The transitions of all events, gathered along the paths of the props.

    Attributes:
        transitions: for each event its transitions, a dict as an ordered set.
        first_paths: number of the first path of each orbit.
        holds_of_hand: for each hand, 2·juggler + side, the rows of its holding events.
    """

    def __init__(self, choreography: Choreography) -> None:
        self.choreography = choreography
        self.transitions: list[dict[Transition, None]] = [{} for _ in choreography.events.time]
        self.first_paths = _first_paths(choreography)
        events = choreography.events
        self.holds_of_hand = [
            np.flatnonzero((events.hand == hand) & (events.kind == EventKind.HOLD))
            for hand in range(2 * choreography.jugglers)
        ]

    def events(self) -> tuple[JmlEvent, ...]:
        """Return all events of the loop in JML's order; each hand has at least one, as JML wants.

        This fills `self.transitions`, so it is called once.
        """
        # Follow the props of each orbit to find the paths that events throw, catch and hold.
        for orbit_index, orbit in enumerate(self.choreography.orbits):
            if orbit.flights:
                self._add_flights(orbit_index)
            else:
                self._add_held_props(orbit_index)

        # A hand has the index 2·juggler + side.
        events = self.choreography.events
        # How each throw or catch is made: the grasp of the hand, and the way around the body, as a
        # row of the table `BODY_THROWS`.
        manners = [Manner(Grasp(grasp), row) for grasp, row in events.manners.tolist()]
        listed = [
            JmlEvent(
                time=float(events.time[index]),
                juggler=int(events.hand[index]) // 2,
                side=int(events.hand[index]) % 2,
                place=_seen_from_usual_place(events.position[index]),
                transitions=tuple(
                    sorted(transitions, key=lambda transition: (transition.kind, transition.path))
                ),
                manner=manners[index],
            )
            for index, transitions in enumerate(self.transitions)
        ]
        listed += self._events_of_idle_hands()
        # By time and juggler, right hands first.
        return tuple(sorted(listed, key=lambda event: (event.time, event.juggler, -event.side)))

    def _events_of_idle_hands(self) -> list[JmlEvent]:
        """Return one event at time 0 for each hand without events, at its rest position.

        JML has positions of hands only in events, so an idle hand needs one. The event also names
        the paths of the props that the hand holds all the time.
        """
        hands_with_events = set(self.choreography.events.hand.tolist())
        return [
            JmlEvent(
                time=0.0,
                juggler=hand // 2,
                side=hand % 2,
                place=_seen_from_usual_place(self.choreography.rest[hand]),
                transitions=tuple(
                    Transition(TransitionKind.HOLDING, path)
                    # An orbit without flights is that of props which its hand never releases.
                    for orbit_index, orbit in enumerate(self.choreography.orbits)
                    if not orbit.flights and orbit.hand == hand
                    for path in self._paths(orbit_index)
                ),
                idle=True,
            )
            for hand in range(2 * self.choreography.jugglers)
            if hand not in hands_with_events
        ]

    def _add_flights(self, orbit_index: int) -> None:
        """Add the throws, catches and carries of the props of an orbit to their events.

        An orbit is the closed sequence of flights that some props share, each a loop behind
        another. In JML each prop has the number of a path, and an event lists what happens to the
        paths in its hand: its transitions. One prop, followed through its whole orbit, gives the
        transitions of all props on it.

        Args:
            orbit_index: the index of an orbit with flights.
        """
        events = self.choreography.events
        flights = self.choreography.flights
        defaults = self.choreography.gravity, self.choreography.bounce_fraction
        orbit = self.choreography.orbits[orbit_index]
        # Time of the first prop of the orbit, which runs on over several loops, [s].
        time = float(events.time[flights.throw[orbit.flights[0]]])
        for flight in orbit.flights:
            # The default gravity and bounces of JML are others than those of the choreography.
            style = with_defaults(flights.style[flight] if flights.style else AIR, before=defaults)
            throw = int(flights.throw[flight])
            catch = int(flights.catch[flight])
            path = self._path(orbit_index, time, throw)
            # JML states the style of the catch at the catch, so the throw has the usual one.
            thrown_style = replace(style, caught=AIR.caught)
            self._add(throw, Transition(TransitionKind.THROW, path, flight=thrown_style))
            time += float(flights.duration[flight])
            path = self._path(orbit_index, time, catch)
            self._add(catch, Transition(TransitionKind.CATCH, path, caught=style.caught))
            carry = float(flights.carry[flight])
            self._add_carry(orbit_index, int(events.hand[catch]), time, carry)
            time += carry

    def _paths(self, orbit: int) -> range:
        """Return the numbers of the paths of an orbit, one for each of its props."""
        first = self.first_paths[orbit]
        return range(first, first + self.choreography.orbits[orbit].props)

    def _path(self, orbit: int, time: float, event: int) -> int:
        """Return the number of the JML path that an event of the loop throws, catches or holds.

        Args:
            orbit: index of the orbit of the prop.
            time: time at which the first prop of the orbit comes to the event, maybe several loops
                later, [s].
            event: index of the event.
        """
        loops = round(
            (time - float(self.choreography.events.time[event])) / self.choreography.duration
        )
        # The event of the first loop has the prop that is `loops` loops ahead of the first one.
        # Paths count props backwards, since each path becomes the next one after a loop.
        return self.first_paths[orbit] + (-loops) % self.choreography.orbits[orbit].props

    def _add_carry(self, orbit: int, hand: int, start: float, length: float) -> None:
        """Note in the holding events of a hand that it carries a prop then.

        A holding event has a place on the way of the hand, without a throw or catch.

        Args:
            orbit: index of the prop's orbit.
            hand: the hand that carries, 2·juggler + side.
            start: time of the catch on the time line of the orbit's first prop, [s].
            length: time from the catch to the next throw, [s].
        """
        events = self.choreography.events
        duration = self.choreography.duration
        for event in self.holds_of_hand[hand]:
            # The first time after the catch at which the event happens; it repeats each loop.
            time = start + (float(events.time[event]) - start) % duration
            while time < start + length:
                path = self._path(orbit, time, int(event))
                self._add(int(event), Transition(TransitionKind.HOLDING, path))
                time += duration

    def _add_held_props(self, orbit_index: int) -> None:
        """Note in the holding events of a hand which props it holds all the time.

        For a hand without holding events this is noted in its first event, since JML wants each
        prop to be named in some event.

        Args:
            orbit_index: the index of an orbit without flights.
        """
        events = self.choreography.events
        orbit = self.choreography.orbits[orbit_index]
        holds = self.holds_of_hand[orbit.hand]
        if not len(holds):
            holds = np.flatnonzero(events.hand == orbit.hand)[:1]
        for event in holds:
            for path in self._paths(orbit_index):
                self._add(int(event), Transition(TransitionKind.HOLDING, path))

    def _add(self, event: int, transition: Transition) -> None:
        self.transitions[event][transition] = None


def _seen_from_usual_place(position: Floats) -> Triple:
    """Return JML's place of a hand: right, forward and up of its usual position, [cm]."""
    left, up, forward = (float(part) for part in position)
    return -100 * left, 100 * (forward - HAND_FORWARD), 100 * (up - HAND_HEIGHT)


def positions(bodies: BodyKeyframes) -> tuple[JmlPosition, ...]:
    """Return the positions of all bodies as JML lists them, by time.

    A juggler who always stands at the usual place, facing the usual way, has none.

    Args:
        bodies: keyframes of all jugglers, sorted by juggler: where each stands at some times, and
            which way the juggler faces.
    """
    standing, facing = circle(int(bodies.juggler[-1]) + 1)
    # Keyframes away from the usual place, or facing another way. `_POSE_TOLERANCE` is in [m] and
    # [rad].
    distances = np.abs(bodies.position - standing[bodies.juggler]).max(axis=1, initial=0.0)
    is_away = distances > _POSE_TOLERANCE
    is_turned = np.abs(bodies.facing - facing[bodies.juggler]) > _POSE_TOLERANCE
    # Of a juggler with several keyframes all are listed, since the body moves between them.
    is_moving = (bodies.time > 0) | (np.bincount(bodies.juggler)[bodies.juggler] > 1)
    listed = np.flatnonzero(is_away | is_turned | is_moving)
    return tuple(
        _body_position(bodies, int(keyframe))
        for keyframe in listed[np.argsort(bodies.time[listed], kind="stable")]
    )


def _body_position(bodies: BodyKeyframes, row: int) -> JmlPosition:
    """Return the JML position of a body keyframe, in JML's axes and units."""
    left, up, forward = (float(part) for part in bodies.position[row])
    return JmlPosition(
        time=float(bodies.time[row]),
        juggler=int(bodies.juggler[row]),
        place=(-100 * left, 100 * forward, 100 * up + STANDING),
        angle=float(np.degrees(bodies.facing[row])),
    )
