from pathlib import Path

import pytest
from hypothesis import given as fed
from hypothesis import settings
from hypothesis import strategies as st

from juggle_anim.animation import Animation, animate
from juggle_anim.notation import open_patterns, write_file
from juggle_anim.notation.library import library
from juggle_anim.notation.rewriting import with_events
from juggle_anim.viewer.panel.controls import CONTROLS, chosen_value, with_value
from juggle_anim.viewer.panel.overrides import (
    describe,
    full_text,
    overrides_of,
    path_of,
    split_overrides,
    with_overrides,
    with_overrides_of,
)

NAMES = sorted(pattern.name for pattern in library())


def turned(animation: Animation, **values: float | str | None) -> Animation:
    for name, value in values.items():
        animation = with_value(animation, next(row for row in CONTROLS if row.name == name), value)
    return animation


@pytest.fixture
def box(tmp_path: Path) -> str:
    """A file of events."""
    patterns, _ = with_events(
        open_patterns("pattern=(4,2x)(2x,4);gravity=500;spins=3;title=My box")
    )
    write_file(patterns, tmp_path / "box.jml")
    return str(tmp_path / "box.jml")


@settings(max_examples=40)
@fed(st.sampled_from([*NAMES, "531", "(6x,4)*", "<3p|3p>", "[3 4B]2T3"]))
def test_what_nobody_turned_keeps_its_short_text(name: str) -> None:
    animation = animate(name)
    assert full_text(animation, animation.text) == animation.text


@settings(max_examples=40)
@fed(
    st.sampled_from([*NAMES[::9], "531", "<3p|3p>"]),
    st.floats(0.1, 1.9),
    st.floats(0, 90),
    st.sampled_from(["club", "ball"]),
)
def test_a_full_text_opens_the_very_animation(
    name: str, dwell: float, wing: float, prop: str
) -> None:
    animation = turned(animate(name), dwell=dwell, chicken_wing=wing, prop=prop, trails=0.5)
    again = animate(full_text(animation, animation.text))
    assert (again.score.staging, again.parameters) == (
        animation.score.staging,
        animation.parameters,
    )
    assert again.text == animation.text


def test_events_are_opened_by_their_path_and_what_was_turned_stands_behind_it(box: str) -> None:
    animation = animate(box)
    assert full_text(animation, box) == box
    tuned = turned(animation, gravity=980.0, prop="club", colors="mixed", chicken_wing=60.0)
    text = full_text(tuned, box)
    path, tuning = split_overrides(text)
    assert (path, tuning) == (
        box,
        {"gravity": 980.0, "prop": "club", "colors": "mixed", "chicken_wing": 60.0},
    )
    again = with_overrides_of(turned(animate(path), trails=2.0), path, tuning)
    assert again.parameters == tuned.parameters
    assert again.score.placed
    assert tuned.score.placed
    assert again.score.placed.looks == tuned.score.placed.looks


def test_a_value_that_follows_again_is_told_from_the_one_of_the_file(box: str) -> None:
    animation = turned(animate(box), spins=None)
    assert overrides_of(animation, box) == {"spins": None}
    assert (
        with_overrides(animate(box), overrides_of(animation, box)).parameters
        == animation.parameters
    )


def test_of_a_file_that_is_gone_all_that_is_not_usual_counts(box: str) -> None:
    animation = turned(animate(box), prop="ring")
    Path(box).unlink()
    tuning = overrides_of(animation, box)
    assert (tuning["gravity"], tuning["prop"], tuning["spins"]) == (500.0, "ring", 3.0)


def test_a_file_that_changes_is_read_anew(box: str) -> None:
    animation = turned(animate(box), gravity=700.0)
    assert overrides_of(animation, box) == {"gravity": 700.0}
    patterns, _ = with_events(
        open_patterns("pattern=(4,2x)(2x,4);gravity=700;spins=3;title=My larger box")
    )
    write_file(patterns, Path(box), force=True)
    assert overrides_of(animation, box) == {}


def test_events_of_no_file_have_no_text(box: str) -> None:
    assert full_text(animate(box), "My box") == ""
    assert path_of("531") == ""


def test_what_an_animation_cannot_have_is_left_out(box: str) -> None:
    animation = animate(box)
    nonsense = {
        "prop": "sausage",
        "colors": "own",
        "gravity": -1.0,
        "style": "juggling-lab",
        "hat": 7.0,
        "trails": "x",
    }
    assert full_text(with_overrides(animation, nonsense), box) == box
    assert with_overrides(animate("531"), {"prop": "club"}).score == animate("531").score


@pytest.mark.parametrize(
    "text",
    ["pattern=531;dwell=1", "531;dwell=1", "Mills mess", "/a;b/c.jml", "x.jml;", "x.jml;hat"],
)
def test_other_texts_stay_whole(text: str) -> None:
    assert split_overrides(text) == (text, {})


def test_semicolons_in_the_name_of_a_file_are_part_of_it(box: str) -> None:
    path = Path(box).rename(Path(box).with_name("a;trails=1;b.jml"))
    assert split_overrides(str(path)) == (str(path), {})
    assert split_overrides(f"{path}#1;trails=1.5") == (f"{path}#1", {"trails": 1.5})


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("531", ""),
        ("pattern=531;dwell=1;style=natural;chickenwing=60", "elbow lift 60°, dwell 1 beat"),
        ("x.jml#2;prop=club;gravity=500", "gravity 500 cm/s², prop club"),
        ("pattern=54f", ""),
        ("hands=;=;", ""),
    ],
)
def test_what_was_turned_is_told(text: str, words: str) -> None:
    assert describe(text) == words


def test_what_the_library_says_itself_is_not_told() -> None:
    for name in NAMES:
        animation = animate(name)
        assert describe(animation.settings) == ""
    assert describe(turned(animate("Mills mess"), dwell=1.0).settings) == "dwell 1 beat"
    assert (
        chosen_value(animate("Mills mess"), next(row for row in CONTROLS if row.name == "dwell"))
        != 1.0
    )
