"""The laws of motion for what people wrote: passing, bounces, multiplex, ways of hands, moving bodies."""

import numpy as np
from juggling_lab import LAYOUTS

from juggle_anim.animation import animate
from juggle_anim.text_settings import HAND_STYLES

HAIR = 1e-6


def test_the_laws_hold() -> None:
    for style in HAND_STYLES:
        for layout in LAYOUTS[::7]:
            name = layout["settings"]
            animation = animate(name, style=style)
            motion = animation.motion
            times = np.random.default_rng(7).uniform(0, motion.duration, 100)
            place, velocity, acceleration = (motion.sample(times, derivative) for derivative in (0, 1, 2))
            low, high = motion.sample(times - HAIR), motion.sample(times + HAIR)
            slower, faster = motion.sample(times - HAIR, 1), motion.sample(times + HAIR, 1)
            # Velocity and acceleration of hands are the derivatives of where they are.
            scale = 1 + np.abs(velocity.hands).max()
            assert np.abs((high.hands - low.hands) / (2 * HAIR) - velocity.hands).max() < 1e-5 * scale, name
            scale = 1 + np.abs(acceleration.hands).max()
            assert np.abs((faster.hands - slower.hands) / (2 * HAIR) - acceleration.hands).max() < 1e-3 * scale, name
            # No prop jumps, and what flies falls.
            furthest = 6 * HAIR * (1 + np.abs(velocity.props).max(initial=0.0))
            assert np.abs(high.props - low.props).max(initial=0.0) < furthest, name
            flying = acceleration.props[acceleration.holders < 0]
            assert np.abs(flying + (0.0, animation.parameters.gravity / 100, 0.0)).max(initial=0.0) < 1e-6, name
            # After a loop each prop has taken the place of the next.
            later = motion.sample(times + motion.duration)
            assert np.abs(later.hands - place.hands).max() < 1e-8, name
            assert np.abs(later.props - place.props[:, motion.successors()]).max(initial=0.0) < 1e-8, name
