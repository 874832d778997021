"""Choreograph a score: assign a time and a place to every throw and catch, a tempo, and a look to
every prop.
"""

from __future__ import annotations

import dataclasses
from math import gcd, lcm

from juggle_anim.choreography.bounce import bounced_tempo, check_bounces, fit_bounces
from juggle_anim.choreography.choreography import Choreography, PropLook
from juggle_anim.choreography.dwell import Timing, holds, time_throws
from juggle_anim.choreography.events import AS_WRITTEN, BounceChanges, EventTable
from juggle_anim.choreography.places import (
    MIN_RADIUS,
    STYLES,
    HandStyle,
    body_keyframes,
    catch_counts,
    rest_positions,
)
from juggle_anim.choreography.score import PropStyle, Score, Staging
from juggle_anim.errors import ChoreographyError
from juggle_anim.language import _
from juggle_anim.parameters import Parameters, quantity_named
from juggle_anim.pattern import RIGHT, Pattern
from juggle_anim.pattern.pattern import hand_of, repeated

MAX_THROWS = 20_000
"""Limit of the throws in a loop that repeats hands, catches and bodies, too."""

MAX_FLIGHT = 2.6
"""Longest flight before the tempo is raised instead, [s]; it is 8.3 m high, about what a picture
can show.
"""


def choreograph(score: Score, parameters: Parameters) -> Choreography:
    """Return the events of one loop of a score.

    Placed events stay as they are; only gravity and bounce apply to them.

    Args:
        score: what is juggled.
        parameters: tempo, dwell, squeeze, width, heights, gravity and bounce are read.

    Raises:
        ChoreographyError: a throw cannot bounce in its time, or the loop is too long.
    """
    gravity = parameters.gravity / 100  # from cm/s² to m/s²
    kept_energy = parameters.bounce_fraction
    slow = parameters.bounce_speed == "slow"
    if score.placed is not None:
        return dataclasses.replace(
            score.placed, gravity=gravity, bounce_fraction=kept_energy, slow_bounces=slow
        )
    assert score.pattern is not None

    # Events in beats, and the tempo that turns them into seconds.
    pattern = repeat_to_full_loop(score.pattern, score.staging)
    style = STYLES[score.staging.style].shaped(parameters)
    table, bps = timed_events(pattern, score.staging, parameters)
    check_bounces(bps, table, score.staging.body, gravity, kept_energy)
    rate = bps * pattern.division  # units of the pattern per second
    rank, events = table.events(rate)
    return Choreography(
        duration=pattern.period / rate,
        bps=bps,
        gravity=gravity,
        bounce_fraction=kept_energy,
        slow_bounces=slow,
        # Where only some bodies are placed, the others stand in the usual circle.
        bodies=body_keyframes(
            pattern, score.staging.body, rate, MIN_RADIUS if score.staging.body else style.circle
        ),
        rest=rest_positions(pattern.jugglers),
        events=events,
        flights=table.flights(rank, rate),
        orbits=table.orbits(),
        looks=prop_looks(pattern, score.staging.props, table.shifts()),
        as_juggling_lab=style.as_juggling_lab,
    )


def timed_events(
    pattern: Pattern, staging: Staging, parameters: Parameters
) -> tuple[EventTable, float]:
    """Return the events of a full loop in beats, and the tempo, [beats/s].

    Args:
        pattern: that of a full loop, see `repeat_to_full_loop`.
        staging: hands, bodies, style, catches, spins, throws and kinds of props are read.
        parameters: tempo, dwell, squeeze, width, heights, gravity and bounce are read.
    """
    style = STYLES[staging.style].shaped(parameters)
    table = _event_table_before_tempo(pattern, staging, parameters, AS_WRITTEN)
    # No tempo given: the natural one, slowed for throws around the body.
    usual = parameters.bps or table.slowed(natural_tempo(pattern, parameters.dwell, style))
    bouncing = frozenset(index for index in table.flown if pattern.throws[index].bounces)
    if not bouncing:
        return table, usual

    # Bounces need time. As in Juggling Lab they only slow the pattern; people also change them.
    world = staging.body, parameters.gravity / 100, parameters.bounce_fraction
    is_tempo_given = parameters.bps is not None
    if style.as_juggling_lab:
        return table, usual if is_tempo_given else bounced_tempo(usual, table, *world)
    late = _event_table_before_tempo(pattern, staging, parameters, BounceChanges(late=bouncing))
    changes, bps = fit_bounces(table, late, usual, *world, given=is_tempo_given)
    if changes != AS_WRITTEN:
        table = _event_table_before_tempo(pattern, staging, parameters, changes)
    return table, bps


def timing_of(pattern: Pattern, staging: Staging, parameters: Parameters) -> Timing:
    """Return when the throws of a full loop leave hands and are caught, in beats, as `choreograph`
    has it.
    """
    if any(throw.bounces for throw in pattern.throws):
        return timed_events(pattern, staging, parameters)[0].timing
    style = STYLES[staging.style].shaped(parameters)
    return time_throws(pattern, parameters.dwell, parameters.squeeze_beats, style.dwell_gain)


def _event_table_before_tempo(
    pattern: Pattern, staging: Staging, parameters: Parameters, bounces: BounceChanges
) -> EventTable:
    """Return the events of a full loop, in units of the pattern, before its tempo is known.

    Args:
        pattern: that of a full loop.
        staging: hands, style, catches, spins, throws and kinds of props are read.
        parameters: dwell, squeeze, width and heights are read.
        bounces: how throws bounce otherwise than is written.
    """
    style = STYLES[staging.style].shaped(parameters)
    timing = time_throws(
        pattern, parameters.dwell, parameters.squeeze_beats, style.dwell_gain, late=bounces.late
    )
    # Looks are given by orbit or by prop.
    looks = len(pattern.orbits) if staging.props.by_orbit else pattern.props
    return EventTable(
        pattern,
        timing,
        staging.hands,
        style,
        staging.catches,
        parameters.dwell,
        staging.spins,
        staging.throws,
        prop=staging.props.only_kind(looks),
        bounces=bounces,
    )


def repeat_to_full_loop(pattern: Pattern, staging: Staging) -> Pattern:
    """Repeat a pattern until hands, catches, spins and bodies repeat with it.

    A cycle of length c that advances by n per loop is back after c / gcd(n, c) loops; the result
    has the least common multiple of these.

    Args:
        pattern: what is juggled.
        staging: its cycles of hand paths, words, spins and body paths may be longer than the loop.

    Raises:
        ChoreographyError: the loop is too long.
    """
    times = 1

    # Paths of hands and words of throws: each juggler's turns go through the juggler's cycle.
    turns = [0] * pattern.jugglers
    for _beat, juggler, _hand in pattern.turns:
        turns[juggler] += 1
    for cycles in (staging.hands.beats if staging.hands else (), staging.throws):
        if not cycles:
            continue
        lengths = [
            (count, len(cycles[juggler % len(cycles)])) for juggler, count in enumerate(turns)
        ]
        times = lcm(times, *(length // gcd(count, length) for count, length in lengths))

    # Bodies: their paths go on with the beats. A path with a single place never moves.
    if staging.body:
        spans = [
            len(path) * pattern.division
            for path in staging.body.beats
            if len(path) > 1 or len(path[0]) > 1
        ]
        times = lcm(times, *(span // gcd(pattern.period, span) for span in spans))

    # Words of catches: each hand's catches go through the cycle of its side.
    if any(len(words) > 1 for words in staging.catches):
        lengths = [
            (count, len(staging.catches[hand % 2]))
            for hand, count in catch_counts(pattern, holds(pattern)).items()
        ]
        times = lcm(times, *(length // gcd(count, length) for count, length in lengths))

    # Spins: the turns of all hands go through them.
    if len(staging.spins) > 1:
        times = lcm(times, len(staging.spins) // gcd(len(pattern.turns), len(staging.spins)))

    # A pattern that alone has more throws is allowed, but not repeated.
    if times * len(pattern.throws) > max(MAX_THROWS, len(pattern.throws)):
        raise ChoreographyError(
            _(
                "{text}: hands, body and throws come together only after {times} × {period} "
                "beats, and a "
                "loop has {max_throws} throws at most; give them lengths that go into each other",
                text=pattern.text,
                times=times,
                period=pattern.period,
                max_throws=MAX_THROWS,
            )
        )
    return repeated(pattern, times)


def prop_looks(pattern: Pattern, style: PropStyle, shifts: list[int]) -> tuple[PropLook, ...]:
    """Return the looks of all props, in the order of `Choreography.looks`; empty for the default
    look.

    Kinds and colours are assigned to the props in the order in which they are first thrown, right
    hands first, or to orbits in their order.

    Args:
        pattern: what is juggled.
        style: kinds and colours as the text gives them.
        shifts: for each orbit, the loops by which its first prop is ahead of the one that makes the
            orbit's first throw in the loop.
    """
    if style == PropStyle():
        return ()

    # Props are pairs: their orbit, and by how many loops they are ahead of the one that makes the
    # orbit's first throw.
    props = [
        (orbit_index, ahead)
        for orbit_index, orbit in enumerate(pattern.orbits)
        for ahead in range(orbit.props)
    ]
    by_first_throw = sorted(props, key=lambda prop: _first_throw_key(pattern, *prop))
    throw_order = {prop: order for order, prop in enumerate(by_first_throw)}

    # The choreography numbers the props of an orbit from its first flight.
    looks = []
    for orbit_index, ahead in props:
        prop = orbit_index, (ahead + shifts[orbit_index]) % pattern.orbits[orbit_index].props
        kind, colour = style.look(orbit_index if style.by_orbit else throw_order[prop])
        looks.append(PropLook(kind, colour, image=style.image))
    return tuple(looks)


def _first_throw_key(pattern: Pattern, orbit_index: int, ahead: int) -> tuple[int, int, bool, int]:
    """Sort key of the first throw or hold of a prop from the start of the loop on.

    Args:
        pattern: what is juggled.
        orbit_index: of the prop's orbit.
        ahead: by how many loops the prop is ahead of the one that makes the orbit's first throw.

    Returns:
        Beat, juggler, whether it is the left hand, and index of the throw.
    """
    orbit = pattern.orbits[orbit_index]
    beat = pattern.throws[orbit.throws[0]].beat - ahead * pattern.period
    round_trip = orbit.props * pattern.period  # beats after which the prop makes the same throw
    keys = []
    for index in orbit.throws:
        throw = pattern.throws[index]
        keys.append((beat % round_trip, hand_of(throw) // 2, throw.hand != RIGHT, index))
        beat += throw.value
    return min(keys)


def natural_tempo(pattern: Pattern, dwell: float, style: HandStyle) -> float:
    """Return the tempo at which jugglers would juggle this pattern, [beats/s].

    It is the mean, over the throws above 2, of the tempo that suits each, raised where the highest
    would fly too long. Beats are whole ones where the pattern divides them: time m of the pattern
    is after m / (division · tempo) seconds.

    Args:
        pattern: what is juggled.
        dwell: [beats].
        style: with the tempo that suits each throw.
    """
    values = [
        throw.value / pattern.division
        for throw in pattern.throws
        if throw.value > 2 * pattern.division
    ]
    # Only throws that may be held: the tempo of the lowest value.
    if not values:
        return style.tempo[0]
    mean = sum(map(style.tempo_of, values)) / len(values)
    for_max_flight = (max(values) - dwell) / MAX_FLIGHT
    fastest_allowed = quantity_named("bps").high
    return min(max(mean, for_max_flight), fastest_allowed)
