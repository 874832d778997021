"""Other people's inverse kinematics, each brought to one call: from a target and a start to joint
angles.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np

from juggle_anim.body.chain.chain import Chain, Frame

Solve = Callable[[np.ndarray, np.ndarray], np.ndarray]

TOLERANCE = 5e-5
"""Each stops when it is so near, if it can be told, [m]."""
STEPS = 200
"""After which those stop whose loop is ours."""


def ikpy(chain: Chain, frame: Frame) -> Solve:
    """Bounded least squares by SciPy, one target at a time."""
    from ikpy.chain import Chain as IkpyChain
    from ikpy.link import OriginLink, URDFLink

    links = [
        URDFLink(
            joint.name,
            joint.offset,
            (0, 0, 0),
            rotation=joint.axis,
            bounds=(joint.lower, joint.upper),
        )
        for joint in chain.joints
    ]
    tip = URDFLink("tip", frame.point, (0, 0, 0), joint_type="fixed")
    model = IkpyChain(
        [OriginLink(), *links, tip], active_links_mask=[False, *[True] * len(chain), False]
    )

    def solve(target: np.ndarray, start: np.ndarray) -> np.ndarray:
        return np.array(model.inverse_kinematics(target, initial_position=[0, *start, 0])[1:-1])

    return solve


def pinocchio(chain: Chain, frame: Frame) -> Solve:
    """Damped least squares as in its own examples: compiled kinematics, the loop in Python, limits
    by cutting off.
    """
    import pinocchio as pin

    model = pin.Model()
    for joint in chain.joints:
        moving = pin.JointModelRevoluteUnaligned(np.array(joint.axis))
        place = pin.SE3(np.eye(3), np.array(joint.offset))
        model.addJoint(max(joint.parent + 1, 0), moving, place, joint.name)
    data, tip, (lower, upper) = model.createData(), np.array(frame.point), chain.limits

    def solve(target: np.ndarray, start: np.ndarray) -> np.ndarray:
        angles = start.copy()
        for _ in range(STEPS):
            pin.forwardKinematics(model, data, angles)
            place = data.oMi[frame.joint + 1]
            missing = target - place.act(tip)
            if np.linalg.norm(missing) < TOLERANCE:
                break
            jacobian = pin.computeJointJacobian(model, data, angles, frame.joint + 1)
            linear = place.rotation @ (jacobian[:3] - pin.skew(tip) @ jacobian[3:])
            angles += linear.T @ np.linalg.solve(linear @ linear.T + 1e-4 * np.eye(3), missing)
            angles = np.clip(angles, lower, upper)
        return angles

    return solve


def mink(chain: Chain, frame: Frame) -> Solve:
    """Quadratic programs with limits on MuJoCo."""
    import mink
    import mujoco

    model = mujoco.MjModel.from_xml_string(_mujoco_model(chain, frame))
    configuration = mink.Configuration(model)
    task = mink.FrameTask("tip", "site", position_cost=1.0, orientation_cost=0.0, lm_damping=1e-3)
    limits = [mink.ConfigurationLimit(model)]
    site = model.site("tip").id

    def solve(target: np.ndarray, start: np.ndarray) -> np.ndarray:
        configuration.update(start)
        task.set_target(mink.SE3.from_translation(target))
        for _ in range(STEPS):
            if np.linalg.norm(target - configuration.data.site_xpos[site]) < TOLERANCE:
                break
            velocity = mink.solve_ik(configuration, [task], 1.0, solver="daqp", limits=limits)
            configuration.integrate_inplace(velocity, 1.0)
        return configuration.q.copy()

    return solve


def roboticstoolbox(chain: Chain, frame: Frame) -> Solve:
    """Levenberg–Marquardt in C++, with restarts."""
    from roboticstoolbox import ET, ETS
    from spatialmath import SE3

    parts = []
    for joint in chain.joints:
        parts += [ET.tx(joint.offset[0]), ET.ty(joint.offset[1]), ET.tz(joint.offset[2])]
        axis = int(np.argmax(np.abs(joint.axis)))
        backward = joint.axis[axis] < 0
        parts.append([ET.Rx, ET.Ry, ET.Rz][axis](flip=backward, qlim=[joint.lower, joint.upper]))
    parts += [ET.tx(frame.point[0]), ET.ty(frame.point[1]), ET.tz(frame.point[2])]
    model = ETS(parts)
    mask = np.array([1.0, 1.0, 1.0, 0.0, 0.0, 0.0])

    def solve(target: np.ndarray, start: np.ndarray) -> np.ndarray:
        place = SE3.Trans(*target).A
        return model.ik_LM(place, q0=start, tol=0.5 * TOLERANCE**2, mask=mask, joint_limits=True)[0]

    return solve


PEERS: dict[str, Callable[[Chain, Frame], Solve]] = {
    "ikpy": ikpy,
    "pinocchio": pinocchio,
    "mink": mink,
    "roboticstoolbox": roboticstoolbox,
}
"""By the name of the package that is imported."""


def _mujoco_model(chain: Chain, frame: Frame) -> str:
    """A chain in which each joint carries the next, as MuJoCo reads it."""
    assert all(after.parent == index for index, (_, after) in enumerate(pairwise(chain.joints)))
    body = f'<site name="tip" pos="{_numbers(frame.point)}"/>'
    for joint in reversed(chain.joints):
        hinge = (
            f'<joint axis="{_numbers(joint.axis)}" range="{joint.lower} {joint.upper}" '
            f'limited="true"/>'
        )
        mass = '<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>'
        body = f'<body pos="{_numbers(joint.offset)}">{hinge}{mass}{body}</body>'
    return f'<mujoco><compiler angle="radian"/><worldbody>{body}</worldbody></mujoco>'


def _numbers(values: tuple[float, float, float]) -> str:
    return " ".join(str(value) for value in values)
