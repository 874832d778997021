from typing import Any

import numpy as np
import pytest

from juggle_anim.analysis import encounters
from juggle_anim.arrays import Floats, Integers


class ParabolicPairs:
    """Pairs whose gaps are least, 0.1 m, at 0.3 s."""

    def gap(self, pair: Integers, time: Floats) -> Floats:
        return 0.1 + (time - 0.3) ** 2


@pytest.mark.parametrize(
    ("pair_of_sample", "times", "dips"),
    [
        ([0, 0, 0, 1, 1, 1], [0.0, 0.1, 0.5, 0.0, 0.1, 0.5], [2, 5]),
        ([0, 0], [0.0, 0.2], []),  # the gap only shrinks
    ],
)
def test_a_dip_between_the_last_two_samples_of_any_pair_is_found(
    pair_of_sample: list[int], times: list[float], dips: list[int]
) -> None:
    pairs: Any = ParabolicPairs()
    pair = np.array(pair_of_sample)
    time = np.array(times)
    searched = time > 0.0
    samples = encounters._Samples(
        pair=pair,
        time=time,
        gap=pairs.gap(pair, time),
        linked=searched,
        contact_allowed=np.zeros(len(time), dtype=bool),
    )
    assert encounters._dips_at_edges(pairs, samples, searched).tolist() == dips
