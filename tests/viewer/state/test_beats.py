from pathlib import Path

import numpy as np

from juggle_anim.animation import animate
from juggle_anim.notation import open_patterns, write_file
from juggle_anim.notation.rewriting import with_events
from juggle_anim.scene.people import prop_colours
from juggle_anim.viewer.state.beats import BeatLine


def test_orbits_have_the_colours_of_their_props_and_the_values_of_their_throws() -> None:
    line, animation = BeatLine(), animate("531")
    orbits = line.orbits(animation)
    assert [orbit.values for orbit in orbits] == ["5  1", "3", "1  5"]
    np.testing.assert_array_equal(
        np.concatenate([orbit.colours for orbit in orbits]), prop_colours(3)
    )
    assert len(line.orbits(animate("3"))[0].colours) == 3


def test_an_orbit_tells_passes_and_writes_what_repeats_once() -> None:
    passes = BeatLine().orbits(animate("<3p|3p>"))
    assert {orbit.values for orbit in passes} == {"3p"}
    assert BeatLine().orbits(animate("3"))[0].values == "3"


def test_a_long_orbit_is_cut_short() -> None:
    assert BeatLine().orbits(animate("97531 744 753 66661"))[0].values.endswith(" …")
    assert len(BeatLine().orbits(animate("97531 744 753 66661"))[0].values.split()) == 9


def test_the_colours_are_those_that_were_chosen() -> None:
    orbits = BeatLine().orbits(animate("531", colors="{red}"))
    assert orbits[0].colours.tolist() == [[1.0, 0.0, 0.0]]


def test_another_pattern_has_other_beats() -> None:
    line = BeatLine()
    assert line.text(animate("531")).text == "531"
    assert line.text(animate("441")).text == "441"


def test_events_of_a_file_have_no_beats(tmp_path: Path) -> None:
    events, _ = with_events(open_patterns("531"))
    write_file(events, tmp_path / "a.jml")
    assert not BeatLine().is_visible(animate(f"{tmp_path}/a.jml"))
    assert BeatLine().is_visible(animate("531"))
