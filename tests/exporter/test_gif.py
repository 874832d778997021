from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageSequence

from juggle_anim.animation import animate
from juggle_anim.exporter.options import WriteOptions
from juggle_anim.exporter.stills import DrawnFrames
from juggle_anim.exporter.video import write_video
from juggle_anim.exporter.view import FrameRequest
from juggle_anim.render.renderer import Renderer

SHOTS = FrameRequest(animate("531"), (120, 90), 100 / 3)
SHORT = replace(SHOTS, seconds=0.6)


def pauses(path: Path) -> list[int]:
    """Of each picture, [cs]."""
    with Image.open(path) as read:
        return [round(each.info["duration"] / 10) for each in ImageSequence.Iterator(read)]


@pytest.mark.parametrize("fps", [24, 47.3, 50])
def test_pauses_are_whole_hundredths_that_players_keep_and_their_sum_is_that_of_the_loop(
    tmp_path: Path, fps: float
) -> None:
    shots = replace(SHOTS, fps=fps, size=(16, 12))
    found = pauses(write_video(shots, tmp_path / "a.gif"))
    assert abs(sum(found) - 100 * shots.duration) <= 0.5
    assert max(found) - min(found) <= 1
    # Players take a pause of 1 for a slip, and wait much longer.
    assert min(found) >= 2


def test_it_repeats_without_end_and_has_one_palette(tmp_path: Path) -> None:
    path = write_video(SHORT, tmp_path / "a.gif")
    with Image.open(path) as read:
        assert read.info["loop"] == 0
        assert read.n_frames == SHORT.frames  # type: ignore[attr-defined]
    colours = set()
    with Image.open(path) as read:
        for each in ImageSequence.Iterator(read):
            colours |= set(
                map(tuple, np.unique(np.asarray(each.convert("RGB")).reshape(-1, 3), axis=0))
            )
    assert 100 < len(colours) <= 255


def changed_share(path: Path) -> float:
    with Image.open(path) as read:
        frames = np.array(
            [np.asarray(each.convert("RGB")) for each in ImageSequence.Iterator(read)]
        )
    return float((frames[1:] != frames[:-1]).any(axis=-1).mean())


def test_plain_areas_lie_still_unless_dithering_is_asked_for(tmp_path: Path) -> None:
    plain = write_video(SHORT, tmp_path / "plain.gif")
    dithered = write_video(SHORT, tmp_path / "dithered.gif", options=WriteOptions(dither=True))
    drawn = np.array(list(DrawnFrames(SHORT).images()))
    truth = float((drawn[1:] != drawn[:-1]).any(axis=-1).mean())
    assert changed_share(plain) <= truth
    assert changed_share(dithered) > 1.1 * changed_share(plain)


def test_a_draft_has_fewer_colours_and_is_smaller(tmp_path: Path) -> None:
    files = [
        write_video(
            replace(SHORT, seconds=0.2),
            tmp_path / f"{quality}.gif",
            options=WriteOptions(quality=quality),
        )
        for quality in ("draft", "good")
    ]
    assert files[0].stat().st_size < 0.8 * files[1].stat().st_size
    with Image.open(files[0]) as read:
        assert 32 < len(np.unique(np.asarray(read.convert("RGB")).reshape(-1, 3), axis=0)) <= 63


def test_no_frame_is_drawn_twice_for_the_palette(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn, draw = [], Renderer.draw
    monkeypatch.setattr(
        Renderer,
        "draw",
        lambda self, *given, **how: (drawn.append(given), draw(self, *given, **how)),
    )
    request = replace(SHORT, fps=20)
    path = write_video(request, tmp_path / "a.gif")
    assert len(drawn) == request.frames == 12
    with Image.open(path) as read:
        frames = [
            np.asarray(each.convert("RGB"), dtype=int) for each in ImageSequence.Iterator(read)
        ]
    for ours, theirs in zip(DrawnFrames(request).images(), frames, strict=True):
        assert np.abs(ours - theirs).mean() < 2
