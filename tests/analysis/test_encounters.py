from typing import Any

import numpy as np

from juggle_anim.analysis import encounters
from juggle_anim.arrays import Floats, Integers


class ParabolicPairs:
    """Pairs whose gaps are least, 0.1 m, at 0.3 s."""

    def gap(self, pair: Integers, time: Floats) -> Floats:
        return 0.1 + (time - 0.3) ** 2


def test_a_dip_between_the_last_two_samples_of_any_pair_is_found() -> None:
    pairs: Any = ParabolicPairs()
    pair = np.array([0, 0, 0, 1, 1, 1])
    time = np.array([0.0, 0.1, 0.5, 0.0, 0.1, 0.5])
    searched = np.array([False, True, True, False, True, True])
    samples = encounters._Samples(
        pair=pair,
        time=time,
        gap=pairs.gap(pair, time),
        linked=searched,
        contact_allowed=np.zeros(6, dtype=bool),
    )
    assert encounters._dips_at_edges(pairs, samples, searched).tolist() == [2, 5]


def test_a_gap_that_only_shrinks_has_no_dip() -> None:
    pairs: Any = ParabolicPairs()
    pair = np.array([0, 0])
    time = np.array([0.0, 0.2])
    searched = np.array([False, True])
    samples = encounters._Samples(
        pair=pair,
        time=time,
        gap=pairs.gap(pair, time),
        linked=searched,
        contact_allowed=np.zeros(2, dtype=bool),
    )
    assert not len(encounters._dips_at_edges(pairs, samples, searched))
