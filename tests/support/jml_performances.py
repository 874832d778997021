"""JML texts and choreographies for tests, and what a choreography comes down to."""

from __future__ import annotations

from dataclasses import replace
from itertools import accumulate

import numpy as np
from hypothesis import strategies as st

from juggle_anim.arrays import Floats
from juggle_anim.choreography import (
    AIR,
    BodyKeyframes,
    CatchStyle,
    Choreography,
    EventKind,
    Events,
    Flights,
    FlightStyle,
    PropLook,
    PropOrbit,
    Score,
    choreograph,
)
from juggle_anim.choreography.places import circle, rest_positions
from juggle_anim.notation.jml import read_jml, write_jml
from juggle_anim.notation.jml.conversion import from_choreography
from juggle_anim.notation.jml.document import JmlPattern
from juggle_anim.notation.pattern_list import Entry, PatternList
from juggle_anim.notation.settings.settings import Settings, read_settings
from juggle_anim.parameters import Parameters

LOOP = '<symmetry type="delay" delay="1"/>'


def jml(
    *inner: str, setup: str = '<setup paths="1"/>', loop: str = LOOP, version: str = "3"
) -> str:
    """A file with one pattern: the setup on line 3, the loop on line 4, and what else stands in it
    from line 5 on.
    """
    return "\n".join(
        [f'<jml version="{version}">', "<pattern>", setup, loop, *inner, "</pattern>", "</jml>"]
    )


def read_one(text: str) -> Choreography:
    """The choreography of a file with one pattern."""
    score = score_of(text)
    assert score.placed is not None
    return score.placed


def score_of(text: str) -> Score:
    """The score of a file with one pattern."""
    settings = read_jml(text, "file").patterns[0].settings
    assert settings is not None
    return settings.score


def write_one(score: Score) -> str:
    """A file with one pattern."""
    return write_jml(PatternList((Entry(score.title, Settings(score)),), single=True))


def rewritten(choreography: Choreography) -> Choreography:
    """A choreography written to JML and read again."""
    return read_one(write_one(Score(placed=choreography)))


def assert_same(one: Choreography, other: Choreography) -> None:
    """That two choreographies show the same, to 1 µs and 1 µm, however they number things."""
    assert abs(one.duration - other.duration) < 1e-8
    for name, rows in _tables(one).items():
        np.testing.assert_allclose(_tables(other)[name], rows, rtol=0, atol=1e-6, err_msg=name)
    assert _styles(one) == _styles(other)
    assert _ways(one) == _ways(other)


def _tables(shown: Choreography) -> dict[str, Floats]:
    events, flights, bodies = shown.events, shown.flights, shown.bodies
    ends = [
        np.stack([events.hand[index], events.time[index]]).T
        for index in (flights.throw, flights.catch)
    ]
    return {
        "events": _sorted(
            np.column_stack([events.hand, events.time, events.kind, events.position])
        ),
        "flights": _sorted(np.column_stack([*ends, flights.duration, flights.carry])),
        "bodies": _sorted(
            np.column_stack([bodies.juggler, bodies.time, bodies.position, bodies.facing])
        ),
        "rest": shown.rest,
    }


def _sorted(rows: Floats) -> Floats:
    ordered: Floats = rows[np.lexsort(np.round(rows, 4).T[::-1])]
    return ordered


def _styles(shown: Choreography) -> list[str]:
    """How each flight flies, with what it takes from the whole."""
    found = []
    for style in shown.flights.style or (AIR,) * len(shown.flights.throw):
        gravity = shown.gravity if style.gravity is None else style.gravity
        kept = shown.bounce_fraction if style.bounce_fraction is None else style.bounce_fraction
        bounce = (
            f" {style.forced} {style.falling} {style.plane:.6f} {kept:.6f}" if style.bounces else ""
        )
        found.append(f"{gravity + 0.0:.6f} {style.caught:d} {style.bounces}{bounce}")
    return sorted(found)


def _ways(shown: Choreography) -> list[str]:
    """Of each prop its look, and when and where it is thrown from the start on."""
    looks = iter(shown.looks or (PropLook(),) * shown.props)
    found = []
    for orbit in shown.orbits:
        whole = orbit.props * shown.duration
        legs = [float(shown.flights.duration[f] + shown.flights.carry[f]) for f in orbit.flights]
        first = (
            float(shown.events.time[shown.flights.throw[orbit.flights[0]]])
            if orbit.flights
            else 0.0
        )
        times = [first, *accumulate(legs, initial=first)][1:-1]
        hands = [int(shown.events.hand[shown.flights.throw[f]]) for f in orbit.flights]
        for ahead in range(orbit.props):
            moments = [(time - ahead * shown.duration + 1e-5) % whole for time in times]
            thrown = sorted(
                (f"{moment:.4f}"[:-1], hand) for moment, hand in zip(moments, hands, strict=True)
            )
            found.append(f"{_look(next(looks))} {thrown or orbit.hand}")
    return sorted(found)


def _look(look: PropLook) -> PropLook:
    # Sizes go through centimetres.
    return look if look.diameter is None else replace(look, diameter=round(look.diameter, 9))


_COLOURS = st.tuples(*[st.integers(0, 255).map(lambda byte: byte / 255)] * 3)

LOOKS = st.builds(
    PropLook,
    kind=st.sampled_from(["ball", "club", "ring", "square"]),
    colour=st.none() | _COLOURS,
    diameter=st.none() | st.integers(1, 400).map(lambda millimetres: millimetres / 1000),
    extra=st.sampled_from(["", "highlight=true", "inside=20;spin=2"]),
) | st.builds(
    PropLook, kind=st.just("image"), image=st.sampled_from(["file:a.png", "http://a/b?c=d"])
)

_BOUNCES = st.builds(
    FlightStyle,
    gravity=st.none() | st.integers(1, 3000).map(lambda pull: pull / 100),
    bounces=st.integers(1, 4),
    forced=st.booleans(),
    falling=st.booleans(),
    plane=st.sampled_from([0.0, 0.4]),
    bounce_fraction=st.none() | st.sampled_from([0.5, 1.0]),
    caught=st.sampled_from(CatchStyle),
)

_TOSSES = st.builds(
    FlightStyle,
    gravity=st.none() | st.integers(-300, 3000).map(lambda pull: pull / 100),
    caught=st.sampled_from(CatchStyle),
)

SLOTS = 12
"""Moments of a loop at which generated choreographies have their events."""


@st.composite
def choreographies(draw: st.DrawFn) -> Choreography:
    """Props that fly and are carried at random, also many at one moment in one hand."""
    jugglers = draw(st.integers(1, 3))
    duration = draw(st.floats(0.01, 30.0))
    hands = st.integers(0, 2 * jugglers - 1)
    kinds: dict[tuple[int, int], EventKind] = {}
    legs: list[tuple[tuple[int, int], tuple[int, int], int, int, FlightStyle]] = []
    orbits: list[PropOrbit] = []
    full: set[tuple[int, int]] = set()
    for _ in range(draw(st.integers(0, 4))):
        hand, count, spare = draw(hands), draw(st.integers(0, 4)), draw(st.integers(0, 2))
        if not count:
            orbits.append(PropOrbit((), 1 + spare, hand))
            full |= {(hand, slot) for slot in range(SLOTS)}
            continue
        flown = draw(st.lists(st.integers(1, 2 * SLOTS), min_size=count, max_size=count))
        carried = draw(st.lists(st.integers(0, SLOTS), min_size=count, max_size=count))
        props = -(-sum(flown + carried) // SLOTS) + spare
        carried[-1] += props * SLOTS - sum(flown + carried)
        at, now = draw(st.integers(0, SLOTS - 1)), hand
        first = len(legs)
        for number in range(count):
            to = hand if number == count - 1 else draw(hands)
            flight, carry = flown[number], carried[number]
            thrown, caught = (now, at % SLOTS), (to, (at + flight) % SLOTS)
            kinds[thrown] = EventKind.THROW
            kinds.setdefault(caught, EventKind.CATCH)
            full |= {(to, slot % SLOTS) for slot in range(at + flight, at + flight + carry)}
            legs.append((thrown, caught, flight, carry, draw(_TOSSES | _BOUNCES | st.just(AIR))))
            at, now = at + flight + carry, to
        orbits.append(PropOrbit(tuple(range(first, len(legs))), props, hand))
    for passed in draw(st.lists(st.tuples(hands, st.integers(0, SLOTS - 1)), max_size=6)):
        kinds.setdefault(passed, EventKind.HOLD if passed in full else EventKind.MOVE)
    for hand in range(2 * jugglers):
        # JML knows no hand that is nowhere.
        if all(hand != other for other, _ in kinds):
            kinds[hand, 0] = EventKind.HOLD if (hand, 0) in full else EventKind.MOVE
    return _assembled(draw, jugglers, duration, kinds, legs, orbits)


def _assembled(
    draw: st.DrawFn,
    jugglers: int,
    duration: float,
    kinds: dict[tuple[int, int], EventKind],
    legs: list[tuple[tuple[int, int], tuple[int, int], int, int, FlightStyle]],
    orbits: list[PropOrbit],
) -> Choreography:
    keys = sorted(kinds, key=lambda key: (key[1], key[0]))
    number = {key: place for place, key in enumerate(keys)}
    step = duration / SLOTS
    places = st.tuples(*[st.floats(-2.0, 2.0)] * 3)
    position = np.array([draw(places) for _ in keys]).reshape(-1, 3)
    rest = rest_positions(jugglers).copy()
    for hand in range(2 * jugglers):
        own = [place for place, key in enumerate(keys) if key[0] == hand]
        if len(own) == 1 and kinds[keys[own[0]]] >= EventKind.HOLD:
            rest[hand] = position[own[0]]
    looks = (
        tuple(draw(LOOKS) for orbit in orbits for _ in range(orbit.props))
        if draw(st.booleans())
        else ()
    )
    return Choreography(
        duration=duration,
        bps=1.0,
        gravity=draw(st.sampled_from([9.8, 1.62])),
        bounce_fraction=draw(st.sampled_from([0.9, 0.8])),
        bodies=_bodies(draw, jugglers, step),
        rest=rest,
        events=Events(
            time=np.array([slot * step for _, slot in keys]),
            hand=np.array([hand for hand, _ in keys], dtype=np.intp),
            kind=np.array([kinds[key] for key in keys], dtype=np.intp),
            position=position,
        ),
        flights=Flights(
            throw=np.array([number[leg[0]] for leg in legs], dtype=np.intp),
            catch=np.array([number[leg[1]] for leg in legs], dtype=np.intp),
            duration=np.array([leg[2] * step for leg in legs]),
            carry=np.array([leg[3] * step for leg in legs]),
            style=tuple(leg[4] for leg in legs),
        ),
        orbits=tuple(orbits),
        looks=looks,
    )


def _bodies(draw: st.DrawFn, jugglers: int, step: float) -> BodyKeyframes:
    standing, facing = circle(jugglers)
    rows = []
    for juggler in range(jugglers):
        slots = draw(st.lists(st.integers(0, SLOTS - 1), max_size=3, unique=True).map(sorted))
        for slot in slots:
            place = draw(st.tuples(*[st.floats(-5.0, 5.0)] * 3))
            rows.append((slot * step, juggler, place, draw(st.floats(-10.0, 10.0))))
        if not slots:
            rows.append((0.0, juggler, tuple(standing[juggler]), float(facing[juggler])))
    return BodyKeyframes(
        time=np.array([row[0] for row in rows]),
        juggler=np.array([row[1] for row in rows], dtype=np.intp),
        position=np.array([row[2] for row in rows]),
        facing=np.array([row[3] for row in rows]),
    )


def extracted(text: str) -> JmlPattern:
    settings = read_settings(text)
    return from_choreography(
        Score(placed=choreograph(settings.score, settings.applied_to(Parameters())))
    )
