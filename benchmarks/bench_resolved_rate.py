"""Inverse kinematics: targets a second and how many are met, beside other people's solvers.

The peers are measured where they are installed: `pip install -r benchmarks/peers.txt`. None of
these uses more than one thread; their matrices are too small to be shared out.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from math import radians

import numpy as np
import pytest
from kinematics_peers import PEERS, TOLERANCE

from juggle_anim.body.arms.resolved_rate import resolved_rate
from juggle_anim.body.arms.solvers import AT_EASE, Arm
from juggle_anim.body.chain.chain import Chain, Frame, Revolute, palm, posture_at_ease, upper_body
from juggle_anim.body.chain.solve import Goal, SolverOptions, solve

TARGETS = 10_000
TARGETS_OF_PEERS = 500
MET = 1e-4
UPPER = 0.30
LOWER = 0.28


@dataclass(frozen=True)
class Reaching:
    """A chain whose frame is to reach targets that it can reach, from a start."""

    chain: Chain
    frame: Frame
    start: np.ndarray

    def targets(self, count: int) -> np.ndarray:
        lower, upper = self.chain.limits
        return self.chain.locate(
            np.random.default_rng(1).uniform(lower, upper, (count, len(lower))), self.frame
        )[0]

    def met_percent(self, angles: np.ndarray, targets: np.ndarray) -> float:
        lower, upper = self.chain.limits
        near = np.linalg.norm(self.chain.locate(angles, self.frame)[0] - targets, axis=1) < MET
        allowed = ((angles >= lower - 1e-6) & (angles <= upper + 1e-6)).all(axis=1)
        return 100 * float((near & allowed).mean())


def _arm() -> Reaching:
    turns = [((0.0, 0.0, 1.0), -60, 170), ((1.0, 0.0, 0.0), -150, 60), ((0.0, 1.0, 0.0), -90, 90)]
    joints = [
        Revolute(
            f"shoulder {index}", index - 1, (0.0, 0.0, 0.0), axis, radians(lower), radians(upper)
        )
        for index, (axis, lower, upper) in enumerate(turns)
    ]
    joints.append(Revolute("elbow", 2, (0.0, -UPPER, 0.0), (1.0, 0.0, 0.0), radians(-145), 0.0))
    return Reaching(
        Chain(tuple(joints)), Frame(3, (0.0, -LOWER, 0.0)), np.radians([15.0, -20.0, 0.0, -80.0])
    )


def _spine_to_palm() -> Reaching:
    chain = upper_body((0,))
    return Reaching(chain, palm(chain, 0), posture_at_ease(chain))


CASES = {"arm of 4 joints": _arm, "spine to palm, 11 joints": _spine_to_palm}


@pytest.fixture(params=CASES)
def reaching(request: pytest.FixtureRequest) -> Reaching:
    return CASES[request.param]()


def test_solve(benchmark, report, reaching: Reaching) -> None:
    targets = reaching.targets(TARGETS)
    effort = SolverOptions(tolerance=TOLERANCE)
    outcome = benchmark(
        solve, reaching.chain, [Goal(reaching.frame, targets)], reaching.start, effort=effort
    )
    report(
        targets_a_second=TARGETS / benchmark.stats["median"],
        met_percent=reaching.met_percent(outcome.angles, targets),
    )


def test_solve_one(benchmark, report, reaching: Reaching) -> None:
    target = reaching.targets(1)
    benchmark(solve, reaching.chain, [Goal(reaching.frame, target)], reaching.start)
    report(milliseconds=1e3 * benchmark.stats["median"])


def _installed(name: str) -> object:
    return pytest.param(
        name, marks=pytest.mark.skipif(find_spec(name) is None, reason=f"{name} is not installed")
    )


@pytest.mark.parametrize("peer", list(map(_installed, PEERS)))
def test_peer(benchmark, report, reaching: Reaching, peer: str) -> None:
    targets = reaching.targets(TARGETS_OF_PEERS)
    solve_one = PEERS[peer](reaching.chain, reaching.frame)
    found = benchmark.pedantic(
        lambda: [solve_one(target, reaching.start) for target in targets], rounds=2
    )
    report(
        targets_a_second=TARGETS_OF_PEERS / benchmark.stats["median"],
        met_percent=reaching.met_percent(np.array(found), targets),
    )


def test_arms_of_the_viewer(benchmark, report) -> None:
    hands = _arm().targets(TARGETS)
    benchmark(resolved_rate, np.zeros(3), hands, Arm(UPPER, LOWER), 0, AT_EASE)
    report(arms_a_second=TARGETS / benchmark.stats["median"])
