"""Choreograph a score: assign a time and a place to every throw and catch, a tempo, and a look to
every prop.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from functools import partial
from math import gcd, lcm
from typing import NamedTuple

from juggle_anim.choreography.bounce import bounced_tempo, check_bounces, fit_bounces
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
from juggle_anim.choreography.score import Choreography, PropLook, PropStyle, Score, Staging
from juggle_anim.errors import ChoreographyError
from juggle_anim.language import _
from juggle_anim.parameters import Parameters, quantity_named
from juggle_anim.pattern import RIGHT, Pattern, repeated, side_of_hand

MAX_THROWS = 20_000
"""Limit of the throws in a loop that repeats hands, catches and bodies, too."""

MAX_FLIGHT = 2.6
"""Longest flight before the tempo is raised instead, [s]; it is 8.3 m high, about what a picture
can show.
"""


_USUAL_PROPS = PropStyle()  # balls in their usual colours


def choreograph(score: Score, parameters: Parameters) -> Choreography:
    """Return the choreography of one loop of a score: all throws and catches in seconds and metres.

    An orbit is the closed path that some props share, one loop apart. A look is the kind, size and
    colour of a prop. If the score has placed events, these stay as they are, and of the parameters
    only gravity and bounce apply to them. Otherwise throws on beats get times and places, and with
    them flights, the orbits of props, keyframes of bodies and looks of props.

    Args:
        score: a pattern with its staging (where hands and bodies go), or placed events, which
            already have times and places.
        parameters: tempo, dwell, squeeze, width, heights, gravity and bounce are read.

    Raises:
        ChoreographyError: a throw cannot bounce in its time, or the loop with its hands, bodies and
            words has too many throws.
    """
    gravity = parameters.gravity / 100  # from cm/s² to m/s²
    kept_energy = parameters.bounce_fraction
    slow = parameters.bounce_speed == "slow"
    if score.placed is not None:
        return dataclasses.replace(
            score.placed, gravity=gravity, bounce_fraction=kept_energy, slow_bounces=slow
        )
    pattern, event_table, bps = entered_events(score, parameters)
    # The hand style with the width and the heights that are set.
    style = STYLES[score.staging.style].shaped(parameters)
    # The pattern counts time in units, of which `division` make a beat.
    units_per_second = bps * pattern.division
    # The events sorted by time; flights refer to them by their rows.
    row_of_event, events = event_table.events(units_per_second)
    props = score.staging.props
    return Choreography(
        duration=pattern.period / units_per_second,
        bps=bps,
        gravity=gravity,
        bounce_fraction=kept_energy,
        slow_bounces=slow,
        # If the text places only some bodies, the others stand in the smallest circle, not in the
        # wider one that some styles have for all.
        bodies=body_keyframes(
            pattern,
            score.staging.body,
            units_per_second,
            MIN_RADIUS if score.staging.body else style.circle,
        ),
        rest=rest_positions(pattern.jugglers),
        events=events,
        flights=event_table.flights(row_of_event, units_per_second),
        orbits=event_table.orbits(),
        # Without a style in the text props have no looks, and are drawn in the usual one.
        looks=()
        if props == _USUAL_PROPS
        else prop_looks(pattern, props, event_table.loops_to_first_flight()),
        as_juggling_lab=style.as_juggling_lab,
    )


def entered_events(score: Score, parameters: Parameters) -> tuple[Pattern, EventTable, float]:
    """Repeat a pattern to a full loop, time its throws and catches, and check its bounces.

    This is the part of `choreograph` that can fail, so it also serves to check a score.

    Args:
        score: a pattern with its staging. It must not consist of events whose times and places a
            file gives.
        parameters: tempo, dwell, squeeze, width, heights, gravity and bounce are read.

    Returns:
        The pattern, repeated until hands, words, spins and bodies repeat with it; the table of the
        throws and catches that are entered for it, with times in parts of a beat (one beat has
        `pattern.division` parts); and the tempo that is set, or else the one that suits the throws,
        [beats/s].

    Raises:
        ChoreographyError: a throw cannot bounce in its time, or the repeated loop has too many
            throws.
    """
    assert score.pattern is not None, "events of a file have times and places already"
    pattern = repeat_to_full_loop(score.pattern, score.staging)
    table, bps = timed_events(pattern, score.staging, parameters)
    gravity = parameters.gravity / 100  # from cm/s² to m/s²
    check_bounces(bps, table, score.staging.body, gravity, parameters.bounce_fraction)
    return pattern, table, bps


def timed_events(
    pattern: Pattern, staging: Staging, parameters: Parameters
) -> tuple[EventTable, float]:
    """Return the events of a full loop (throws, catches and points that hands pass), and its tempo.

    A unit of the pattern is a beat, or the part of one in which the pattern counts. The tempo is
    found in these steps:

    - the tempo that is given, or else that of jugglers in nature, slowed for throws around the body
      if there are such;
    - if no tempo is given, slowed further so that bounces have enough time;
    - where that is not enough, bounces are changed (see `fit_bounces`).

    Args:
        pattern: the pattern repeated to a full loop, as `repeat_to_full_loop` does.
        staging: hands, bodies, style, catches, spins, throws and kinds of props are read.
        parameters: tempo, dwell, squeeze, width, heights, gravity and bounce are read; a tempo of
            None leaves the choice to this function.

    Returns:
        The events, with times in units of the pattern; and the tempo, [beats/s].
    """
    style = STYLES[staging.style].shaped(parameters)  # with the width and heights that are set
    event_table = partial(_event_table_before_tempo, pattern, staging, parameters)
    table = event_table(AS_WRITTEN)
    usual_bps = parameters.bps
    is_tempo_given = usual_bps is not None
    if usual_bps is None:
        usual_bps = table.tempo_for_body_throws(natural_tempo(pattern, parameters.dwell, style))
    if not table.bouncing:
        return table, usual_bps

    gravity = parameters.gravity / 100  # from cm/s² to m/s²
    kept_energy = parameters.bounce_fraction
    # A hand style is a set of rules for where and when hands throw. In that of Juggling Lab,
    # bounces stay as written, and only slow the pattern.
    if style.as_juggling_lab:
        if is_tempo_given:
            return table, usual_bps
        return table, bounced_tempo(usual_bps, table, staging.body, gravity, kept_energy)

    # In other styles bounces may also be caught late, thrown down hard or left out, as people would
    # do. `fit_bounces` chooses for each between its events as written and those of a second table,
    # in which all bounces are caught late.
    changes, bps = fit_bounces(
        table,
        event_table(BounceChanges(caught_late=table.bouncing)),
        usual_bps,
        staging.body,
        gravity,
        kept_energy,
        is_tempo_given=is_tempo_given,
    )
    return table if changes == AS_WRITTEN else event_table(changes), bps


def timing_of(pattern: Pattern, staging: Staging, parameters: Parameters) -> Timing:
    """Return when the throws of a full loop leave hands and are caught, in units of the pattern.

    The times are those that `choreograph` uses. A unit of the pattern is a beat, or the part of one
    in which the pattern counts.

    Args:
        pattern: the pattern repeated to a full loop, as `repeat_to_full_loop` does.
        staging: where hands and bodies go, and how props are thrown and caught; without bounces
            only the style and the paths of hands are read.
        parameters: without bounces only dwell, squeeze, width and heights are read; with them also
            what the tempo depends on.
    """
    # Only bounces make the times depend on the tempo; otherwise there is no need to find it.
    if any(throw.bounces for throw in pattern.throws):
        return timed_events(pattern, staging, parameters)[0].timing
    style = STYLES[staging.style].shaped(parameters)
    return time_throws(
        pattern,
        dwell=parameters.dwell,
        squeeze=parameters.squeeze_beats,
        dwell_gain=style.dwell_gain,
        recorded_timing=style.recorded_timing(staging),
    )


def _event_table_before_tempo(
    pattern: Pattern, staging: Staging, parameters: Parameters, bounces: BounceChanges
) -> EventTable:
    """Return the events of a full loop, in units of the pattern, before its tempo is known.

    A unit of the pattern is a beat, or the part of one in which the pattern counts.

    Args:
        pattern: the pattern repeated to a full loop, as `repeat_to_full_loop` does.
        staging: hands, style, catches, spins, throws and kinds of props are read.
        parameters: dwell, squeeze, width and heights are read.
        bounces: which throws bounce in another way than the text says: which are caught late,
            thrown in another style, or do not bounce.
    """
    style = STYLES[staging.style].shaped(parameters)  # with the width and heights that are set
    # When each throw leaves its hand and is caught, and which throws are holds.
    timing = time_throws(
        pattern,
        dwell=parameters.dwell,
        squeeze=parameters.squeeze_beats,
        dwell_gain=style.dwell_gain,
        caught_late=bounces.caught_late,
        recorded_timing=style.recorded_timing(staging),
    )
    # How many looks (kind and colour) are taken from the list in the text: one for each orbit, or
    # one for each prop. They decide whether all props are of one kind.
    look_count = len(pattern.orbits) if staging.props.by_orbit else pattern.props
    return EventTable(
        pattern,
        timing,
        hands=staging.hands,
        style=style,
        dwell=parameters.dwell,
        catch_words=staging.catches,
        throw_words=staging.throws,
        spins=staging.spins,
        prop_kind=staging.props.only_kind(look_count),
        bounces=bounces,
    )


def repeat_to_full_loop(pattern: Pattern, staging: Staging) -> Pattern:
    """Repeat a pattern until hands, words, spins and bodies repeat with it.

    A list of c items, of which a loop uses n, begins with its first item again after c / gcd(n, c)
    loops. The pattern is repeated as often as the least common multiple of these numbers says.

    Args:
        pattern: what is juggled; its own loop is taken once if no list is longer.
        staging: the staging whose lists of hand paths, words of throws and catches, spins and body
            paths count.

    Raises:
        ChoreographyError: the resulting loop has more than `MAX_THROWS` throws.
    """
    # For each list, after how many loops a loop begins with its first item again. (The 1 stands for
    # a loop without any lists.)
    loops_to_restart = [1]

    def loops_until_restart(used: int, length: int) -> int:
        """Number of loops until a list of `length` items begins anew; each loop uses `used`."""
        return length // gcd(used, length)

    # Paths of hands and words of throws: each turn of a juggler (a beat on which a hand may throw)
    # takes the next item of the juggler's list. If the text gives fewer lists than there are
    # jugglers, these go through the lists in turn.
    hand_paths = staging.hands.beats if staging.hands else ()
    for lists in (hand_paths, staging.throws):
        if not lists:
            continue
        turn_counts = Counter(juggler for _beat, juggler, _hand in pattern.turns)
        loops_to_restart += [
            loops_until_restart(count, len(lists[juggler % len(lists)]))
            for juggler, count in turn_counts.items()
        ]

    # Bodies: each beat takes the next item of the path. Lengths are in units of the pattern, in
    # which its period is. A path of one beat with one place never moves, so it does not count.
    if staging.body:
        loops_to_restart += [
            loops_until_restart(pattern.period, len(path) * pattern.division)
            for path in staging.body.beats
            if len(path) > 1 or len(path[0]) > 1
        ]

    # Words of catches: each catch of a hand takes the next word of its side, 0 left and 1 right.
    # Hand numbers are 2 · juggler + side.
    if any(len(words) > 1 for words in staging.catches):
        loops_to_restart += [
            loops_until_restart(count, len(staging.catches[side_of_hand(hand)]))
            for hand, count in catch_counts(pattern, holds(pattern)).items()
        ]

    # Spins: each turn, of any hand, takes the next one.
    if len(staging.spins) > 1:
        loops_to_restart.append(loops_until_restart(len(pattern.turns), len(staging.spins)))

    # A pattern that has more than `MAX_THROWS` by itself is allowed if it need not be repeated.
    repeat_count = lcm(*loops_to_restart)
    if repeat_count * len(pattern.throws) > max(MAX_THROWS, len(pattern.throws)):
        raise ChoreographyError(
            _(
                "{text}: hands, body and throws repeat together only after {times} × {period} "
                "beats, but a loop can have at most {max_throws} throws; choose lengths that "
                "divide each other",
                text=pattern.text,
                times=repeat_count,
                period=pattern.period,
                max_throws=MAX_THROWS,
            )
        )
    return repeated(pattern, repeat_count)


def prop_looks(
    pattern: Pattern, style: PropStyle, loops_to_first_flight: list[int]
) -> tuple[PropLook, ...]:
    """Return the looks of all props, in the order of `Choreography.looks`.

    The order is by orbit. Within an orbit the first prop is the one that makes the orbit's first
    flight (a throw that is no hold) in this loop; the next is one loop ahead of it, and so on.
    Kinds and colours are assigned to the props in the order in which they are first thrown or held,
    right hands first; or, if the style says so, to orbits, so that all props of an orbit look
    alike.

    Args:
        pattern: what is juggled; its orbits are the closed paths that several props share, one
            loop apart.
        style: kinds and colours as the text gives them.
        loops_to_first_flight: for each orbit how many loops later than its first throw, which may
            be a hold, its first flight begins; from `EventTable.loops_to_first_flight`.

    Returns:
        One look for each prop.
    """
    # All props, in the order of the result: the index of the orbit, and how many loops the prop is
    # ahead of the one that makes the orbit's first throw, or hold, in this loop. The first prop,
    # which makes the first flight, is `loops_to_first_flight` ahead of that one. Around the orbit,
    # numbers of loops repeat with the number of its props.
    props = [
        (orbit_index, (loops_to_first_flight[orbit_index] + position) % orbit.props)
        for orbit_index, orbit in enumerate(pattern.orbits)
        for position in range(orbit.props)
    ]
    by_first_throw = sorted(
        props, key=lambda prop: _first_throw(pattern, orbit_index=prop[0], loops_ahead=prop[1])
    )
    throw_order = {prop: order for order, prop in enumerate(by_first_throw)}
    looks = (style.look(prop[0] if style.by_orbit else throw_order[prop]) for prop in props)
    return tuple(PropLook(kind, colour, image=style.image) for kind, colour in looks)


class _FirstThrow(NamedTuple):
    """The first throw of a prop, or hold, from the start of the loop on; sorts by these fields.

    Attributes:
        beat: from 0, the start of the loop; at or after the period if it is in a later loop.
        juggler: the juggler who makes it.
        is_left: whether the left hand makes it, so that right hands sort first.
        throw: index of the throw in the pattern.
    """

    beat: int
    juggler: int
    is_left: bool
    throw: int


def _first_throw(pattern: Pattern, *, orbit_index: int, loops_ahead: int) -> _FirstThrow:
    """Return the first throw or hold that a prop makes from the start of the loop on.

    An orbit is the closed path that its props share, one loop apart, so that a prop comes back to
    its start after as many loops as the orbit has props.

    Args:
        pattern: the pattern that is juggled.
        orbit_index: index of the prop's orbit.
        loops_ahead: by how many loops the prop is ahead of the one that makes the orbit's first
            throw in this loop.
    """
    orbit = pattern.orbits[orbit_index]  # `orbit.throws` has the indices of its throws, in order
    round_trip = orbit.props * pattern.period  # beats until the prop makes a throw again
    # The prop makes the orbit's first throw `loops_ahead` loops before the loop that begins at 0. A
    # throw's value is the time until the prop's next throw, so adding up values gives the beats of
    # the others.
    beat = pattern.throws[orbit.throws[0]].beat - loops_ahead * pattern.period
    first_throws = []
    for throw_index in orbit.throws:
        throw = pattern.throws[throw_index]
        first_throws.append(
            _FirstThrow(
                beat=beat % round_trip,  # the first time from beat 0 on
                juggler=throw.juggler,
                is_left=throw.hand != RIGHT,
                throw=throw_index,
            )
        )
        beat += throw.value
    # The earliest; of simultaneous ones the first in the order of the fields.
    return min(first_throws)


def natural_tempo(pattern: Pattern, dwell: float, style: HandStyle) -> float:
    """Return the tempo at which jugglers would juggle this pattern, [beats/s].

    It is the mean, over the throws above 2, of the tempo that suits each. It is raised if otherwise
    the highest throw would fly longer than `MAX_FLIGHT`, up to the fastest tempo that can be set.
    The beats are whole ones, even if the pattern divides them: time m of the pattern is m /
    (division · tempo) seconds.

    Args:
        pattern: the pattern that is juggled.
        dwell: time from a catch to that hand's next throw, [beats]. A throw of v beats flies v −
            dwell.
        style: the tempo that suits each throw.
    """
    # In beats. A throw of 2 or less is as a rule held or handed over, which suits any tempo.
    values = [
        throw.value / pattern.division
        for throw in pattern.throws
        if throw.value > 2 * pattern.division
    ]
    # Without throws above 2 there is nothing to average.
    if not values:
        return style.tempo_of(0.0)
    mean = sum(map(style.tempo_of, values)) / len(values)
    # The tempo at which the highest throw flies for exactly `MAX_FLIGHT` seconds.
    for_max_flight = (max(values) - dwell) / MAX_FLIGHT
    fastest_allowed = quantity_named("bps").high  # of the setting, beats/s
    return min(max(mean, for_max_flight), fastest_allowed)
