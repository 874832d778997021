"""Random inputs for half a minute; `make soak` makes them for half an hour."""

import shutil

import pytest
from soak import soak

_SECONDS, _REST = 30.0, 7.5
_MOST_GROWTH = 60.0  # MB; much is loaded in the first minutes


@pytest.mark.long
@pytest.mark.skipif(not shutil.which("Xvfb"), reason="needs Xvfb: apt-get install xvfb")
def test_the_viewer_bears_random_inputs_at_twenty_times_speed() -> None:
    soaked = soak("short", _SECONDS, _REST)
    soaked.judge(_REST, _MOST_GROWTH)
    assert not soaked.faults, "\n".join(soaked.faults)
    assert sum(soaked.made.values()) > 100
    assert soaked.rests[-1]["frames"] > 50
