"""How fast does an elbow move, by each way to find it?"""

import numpy as np

import juggle_anim as ja
from juggle_anim.body import Joint
from juggle_anim.body.arms import SOLVERS

animation = ja.animate("mills mess")
times = np.linspace(0.0, animation.duration, 2000)
for solver in SOLVERS:
    joints = (
        animation.replace(arms=solver).pose(times).joints
    )  # (times, jugglers, joints, xyz), [m]
    velocity = np.gradient(joints[:, 0, Joint.LEFT_ELBOW], times, axis=0)
    print(f"{solver:>14}  {np.linalg.norm(velocity, axis=-1).max():.1f} m/s")
