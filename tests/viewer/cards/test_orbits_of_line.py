from types import SimpleNamespace

import numpy as np
import pytest

from juggle_anim.viewer.cards import beats
from juggle_anim.viewer.state.beats import ShownOrbit


@pytest.mark.parametrize("room", range(60, 500, 7))
def test_orbits_and_the_ellipsis_after_them_keep_to_their_room(
    room: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[tuple[float, str]] = []
    monkeypatch.setattr(beats, "px", float)
    monkeypatch.setattr(beats, "measure", lambda text: SimpleNamespace(width=9.0 * len(text)))
    monkeypatch.setattr(beats, "_draw_orbit", lambda orbit, x, top: drawn.append((x, orbit.values)))
    monkeypatch.setattr(beats, "draw_text", lambda x, top, text, *style: drawn.append((x, text)))
    orbits = tuple(
        ShownOrbit(np.ones((prop_count, 3), np.float32), "531") for prop_count in (1, 2, 1, 3)
    )

    left = beats._draw_orbits(orbits, right=600.0, top=0.0, room=float(room))
    assert 600.0 - room <= left == drawn[0][0]
    assert [x for x, _ in drawn] == sorted(x for x, _ in drawn)
    assert len(drawn) == len(orbits) or drawn[-1][1] == "…"
