"""Laws of what was edited: events that fit together, and a motion through them."""

from __future__ import annotations

import numpy as np

from juggle_anim.animation import Animation
from juggle_anim.choreography.score import HOLD

HAIR = 1e-6


def assert_events_fit(animation: Animation) -> None:
    """Events are in order, hands do one thing at a time, and props are thrown where and when they
    were caught.
    """
    choreography = animation.choreography
    events, flights, loop = choreography.events, choreography.flights, choreography.duration
    assert (np.diff(events.time) >= 0).all()
    assert ((events.time >= 0) & (events.time < loop)).all()
    for hand in range(2 * choreography.jugglers):
        assert (np.diff(events.time[events.hand == hand]) > 0).all()
    assert (flights.duration > 0).all()
    assert (flights.carry >= 0).all()
    assert (events.kind[flights.throw] < HOLD).all()
    assert (events.kind[flights.catch] < HOLD).all()
    after = flights.throw[choreography.flight_links.next_flight]
    assert (events.hand[flights.catch] == events.hand[after]).all()
    flown = (events.time[flights.throw] + flights.duration - events.time[flights.catch]) / loop
    kept = (events.time[flights.catch] + flights.carry - events.time[after]) / loop
    for laps in (flown, kept):
        assert np.abs(laps - np.rint(laps)).max(initial=0.0) < 1e-6
    for orbit in choreography.orbits:
        rows = list(orbit.flights)
        if rows:
            assert (
                abs((flights.duration[rows] + flights.carry[rows]).sum() / loop - orbit.props)
                < 1e-6
            )
    assert not choreography.looks or len(choreography.looks) == choreography.props
    assert (np.diff(choreography.bodies.juggler) >= 0).all()
    assert set(choreography.bodies.juggler.tolist()) == set(range(choreography.jugglers))


def assert_motion_is_lawful(animation: Animation, samples: int = 60) -> None:
    """Hands and props move without a jump, what flies falls, what is held is at its hand, and the
    loop closes.
    """
    motion = animation.motion
    times = np.random.default_rng(7).uniform(0, motion.duration, samples)
    place, velocity, acceleration = (motion.sample(times, derivative) for derivative in (0, 1, 2))
    low, high = motion.sample(times - HAIR), motion.sample(times + HAIR)
    slower, faster = motion.sample(times - HAIR, 1), motion.sample(times + HAIR, 1)
    speed, force = (1 + np.abs(each.hands).max() for each in (velocity, acceleration))
    assert np.abs((high.hands - low.hands) / (2 * HAIR) - velocity.hands).max() < 1e-5 * speed
    assert (
        np.abs((faster.hands - slower.hands) / (2 * HAIR) - acceleration.hands).max() < 1e-3 * force
    )
    furthest = 6 * HAIR * (1 + np.abs(velocity.props).max(initial=0.0))
    assert np.abs(high.props - low.props).max(initial=0.0) < furthest
    flying = acceleration.props[acceleration.holders < 0]
    assert np.abs(flying + (0.0, animation.parameters.gravity / 100, 0.0)).max(initial=0.0) < 1e-6
    row, prop = np.nonzero(place.holders >= 0)
    hands = place.hands.reshape(samples, -1, 3)[row, place.holders[row, prop]]
    assert np.linalg.norm(place.props[row, prop] - hands, axis=-1).max(initial=0.0) < 0.6
    later = motion.sample(times + motion.duration)
    assert np.abs(later.hands - place.hands).max() < 1e-8
    # A club is held elsewhere than a ball, so one that takes a ball's place is not where that was.
    then, looks = np.asarray(motion.successors()), animation.choreography.looks
    alike = [not looks or looks[prop].kind == looks[other].kind for prop, other in enumerate(then)]
    assert np.abs(later.props - place.props[:, then])[:, alike].max(initial=0.0) < 1e-8
