"""Laws of routines over 300 random rows of patterns, with changes during changes."""

import random

import numpy as np
import pytest

from juggle_anim.animation import animate
from juggle_anim.routine import Routine
from juggle_anim.routine.bridge import Bridge

VANILLA = [
    "3",
    "4",
    "5",
    "531",
    "51",
    "441",
    "423",
    "42",
    "7",
    "771",
    "91",
    "71",
    "7131",
    "534",
    "97531",
    "6",
    "40",
    "60",
    "330",
    "552",
    "633",
    "7531",
    "2",
    "1",
    "20",
    "55500",
]
SYNCHRONOUS = [
    "(4,4)",
    "(6x,4)*",
    "(2x,4x)",
    "(4,2x)(2x,4)",
    "(6,6)",
    "(4x,4x)",
    "(6x,2x)*",
    "(4,6x)*",
    "(8x,4x)",
]
MULTIPLEX = ["[43]23", "[33]", "[54]24", "24[54]", "[32]", "([44],[44])", "[43]", "[34]1"]
PASSING = [
    "<3p|3p>",
    "<33|33>",
    "<4p|4p>",
    "<3p 3|3p 3>",
    "<4p 3|3 4p>",
    "<5p|5p>",
    "<[3p 3]|[3p 3]>",
    "<3.5p|3.5p>",
]
CLUBS = [f"pattern={each};prop=club" for each in ("531", "5", "3", "4", "(4,4)", "7")]
POOLS = VANILLA, VANILLA + SYNCHRONOUS, VANILLA + SYNCHRONOUS + MULTIPLEX, PASSING, CLUBS
STEP = 5e-4


@pytest.mark.long
@pytest.mark.parametrize("seed", range(300))
def test_laws_hold_for_random_patterns(seed):
    choose = random.Random(seed)
    pool = choose.choice(POOLS)
    texts = [choose.choice(pool) for _ in range(choose.choice((2, 2, 3, 4)))]
    found, time, times = Routine.of(animate(texts[0])), choose.uniform(0.5, 4.0), []
    for text in texts[1:]:
        past = np.linspace(time - 2.5, time - 1e-9, 60)
        before, found = found, found.changed(time, animate(text))
        old, new = before.sample(past), found.sample(past)
        assert np.array_equal(old.hands, new.hands)
        assert np.array_equal(old.props, new.props[:, : old.props.shape[1]])
        times.append(time)
        time += choose.choice((0.05, 0.3, 0.8, 1.5, 3.0, 6.0)) * choose.uniform(0.8, 1.2)
    moments = np.arange(times[0] - 0.3, found.parts[-1].ends + 0.8, STEP)
    places, velocities = found.sample(moments), found.sample(moments, 1)
    for place, velocity in ((places.hands, velocities.hands), (places.props, velocities.props)):
        middle = (velocity[1:] + velocity[:-1]) / 2 * STEP
        assert np.abs(place[1:] - place[:-1] - middle).max() < 5e-5
        assert np.abs(np.diff(velocity, axis=0)).max() < 0.6
    for span in found.spans:
        assert sorted(set(span.props)) == sorted(span.props)
        if isinstance(span.line, Bridge):
            flights = span.line.loop.choreography.flights
            assert flights.carry.min() > 0.02
            assert flights.duration.min() > 0.02
