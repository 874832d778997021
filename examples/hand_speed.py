"""How fast do hands move? Higher throws need faster ones."""

import numpy as np

import juggle_anim as ja

for siteswap in ("3", "531", "5", "97531", "7", "b97531"):
    animation = ja.animate(siteswap)
    times = np.linspace(0.0, animation.duration, 2000, endpoint=False)
    hands = animation.sample(times).hands  # (times, jugglers, left and right, xyz), [m]
    velocities = np.gradient(hands, times, axis=0)
    peak = np.linalg.norm(velocities, axis=-1).max()
    print(f"{siteswap:>7}  {peak:4.1f} m/s")
