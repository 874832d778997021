import numpy as np
import pytest

import juggle_anim as ja

PATTERNS = [
    *(
        "531",
        "[34]23",
        "5B",
        "pattern=531;prop=club",
        "pattern=3;prop=ring",
        "pattern=531;prop=ball,club,ring",
    ),
    *("pattern=4;prop=club;spins=0.5", "pattern=<3p|3p>;body=(90).(0,0,50).|(270,-150).;prop=club"),
]


@pytest.mark.parametrize("text", PATTERNS)
def test_single_props_are_where_a_sample_of_all_has_them_and_point_as_there(text: str) -> None:
    motion = ja.animate(text).motion
    times = np.random.default_rng(1).uniform(-1.0, 5.0, 200)
    frames = motion.sample(times)
    row, prop = np.arange(len(times)), np.arange(len(times)) % frames.props.shape[1]
    places = motion.places(prop, times)
    assert places.centres == pytest.approx(frames.props[row, prop], abs=1e-9)
    assert places.holders.tolist() == frames.holders[row, prop].tolist()
    if frames.aims is None:
        assert places.aims is None
    else:
        assert places.aims == pytest.approx(frames.aims[row, prop], abs=1e-9)


def test_no_place_may_be_asked_for() -> None:
    places = ja.animate("pattern=3;prop=club").motion.places(
        np.zeros(0, dtype=np.intp), np.zeros(0)
    )
    assert places.centres.shape == (0, 3)
