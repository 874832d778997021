from pathlib import Path

import numpy as np

from juggle_anim.animation import animate
from juggle_anim.notation import BeatText, open_patterns, write_file
from juggle_anim.notation.rewriting import with_events
from juggle_anim.scene.people import prop_colours
from juggle_anim.viewer.state.beats import BeatLine, routine_line, shortened
from juggle_anim.viewer.state.playback import throw_times


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


def test_a_routine_has_the_throws_of_all_its_patterns_by_their_times() -> None:
    line = BeatLine()
    routine = animate("3 2 loops\n441 2 loops\n[33]33 1 loop\n")
    assert line.is_visible(routine)
    text, spans = line.text(routine).text, line.text(routine).spans
    assert text.startswith("3 3 4 4 1 4 4 1 ")
    # Just after the throws of each beat, these are lit; before the first ones, they are as well.
    shown = []
    for beat, ((start, end),) in enumerate(spans):
        time = line.start(routine, beat)
        assert line.beat(routine, time) == line.beat(routine, time + 3 * routine.duration) == beat
        shown.append(text[start:end])
    assert " ".join(shown) == text.strip()
    assert line.beat(routine, 0.0) == 0
    assert "[33]" in shown


def test_a_routine_tells_the_line_that_is_juggled() -> None:
    routine = animate("3 2 loops\npattern=441;dwell=1.2 5 s\nstop\n")
    lines = [routine_line(routine, time) for time in np.linspace(0.0, routine.duration, 50)]
    assert list(dict.fromkeys(lines)) == ["", "3  ·  2 loops", "441  ·  5 s", "stop"]
    for other in ("531", "441 9 catches\nstop\n"):
        assert {routine_line(animate(other), time) for time in (0.5, 2.0, 3.0)} == {""}


def test_a_throw_that_leaves_early_is_lit_when_it_is_made() -> None:
    animation = animate("531")
    beats = BeatLine()
    times = throw_times(animation)
    assert times[2] * animation.choreography.bps < 1.5, "the 1 leaves long before its beat"
    loops = (0, 3)
    lit = [
        beats.beat(animation, time + loop * animation.duration) for loop in loops for time in times
    ]
    assert lit == [*range(6), *range(6)]
    assert beats.beat(animation, times[2] + 0.01) == 1, "in between, beats are even"


def test_long_runs_of_a_throw_are_short_and_each_beat_keeps_its_place() -> None:
    words = ["5", *["3"] * 19, "4", "4", "[43]"]
    text, spans = "", []
    for word in words:
        spans.append(((len(text), len(text) + len(word)),))
        text += f"{word} "
    short = shortened(BeatText(text, tuple(spans)))
    assert short.text.split() == ["5", "3", "×19", "4", "4", "[43]"]
    places = [short.text[start:end] for ((start, end),) in short.spans]
    assert places == ["5", *["3 ×19"] * 19, "4", "4", "[43]"]
    assert shortened(BeatText(text, tuple(spans)).until(8)).text.split() == ["5", "3", "×7"]
    several = BeatText("(4,4)", (((1, 2), (3, 4)),) * 8)
    assert shortened(several) == several
