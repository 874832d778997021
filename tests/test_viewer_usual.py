from pathlib import Path

import pytest

from juggle_anim.animation import Animation, animate
from juggle_anim.notation import open_patterns, write_file
from juggle_anim.notation.rewriting import with_events
from juggle_anim.parameters import Row, row_named
from juggle_anim.viewer.state.controls import CONTROLS, DefaultValues, value_of


@pytest.fixture
def usual() -> DefaultValues:
    return DefaultValues()


def test_a_default_is_usual_whatever_was_turned(usual: DefaultValues) -> None:
    turned = animate("531", dwell=1.0, arms="two-link", prop="club")
    values = {row.name: usual.of(turned, row) for row in CONTROLS}
    assert (values["dwell"], values["arms"], values["prop"]) == (1.3, "natural", "ball")


@pytest.mark.parametrize("row", [row for row in CONTROLS if row.default is None], ids=lambda row: row.name)
def test_what_follows_is_where_it_would_stand_if_nobody_had_turned_it(usual: DefaultValues, row: Row) -> None:
    follows = animate("b97531", chicken_wing=50, prop="club", dwell=1.1)
    turned = follows.replace(**{row.name: row.slider[1]})
    assert usual.of(follows, row) == usual.of(turned, row) == value_of(follows, row)
    assert value_of(turned, row) == row.slider[1]


def test_the_usual_tempo_is_that_of_the_present_pattern_and_dwell(usual: DefaultValues) -> None:
    tempo = row_named("bps")
    for text, dwell in (("531", 1.3), ("b97531", 1.3), ("b", 1.3), ("b", 0.2), ("531", 1.3)):
        animation = animate(text, dwell=dwell)
        assert usual.of(animation.replace(bps=7.0), tempo) == animation.choreography.bps


def test_the_usual_tempo_is_not_found_again_for_each_place_of_a_drag(
    usual: DefaultValues, monkeypatch: pytest.MonkeyPatch
) -> None:
    tempo, animation = row_named("bps"), animate("531", bps=2.0)
    wanted, found = usual.of(animation, tempo), []
    monkeypatch.setattr(Animation, "choreography", property(found.append))
    assert usual.of(animation.replace(bps=5.0, chicken_wing=80.0), tempo) == wanted == 3.5
    assert not found


def test_there_is_none_where_nobody_could_juggle_by_default(usual: DefaultValues) -> None:
    tempo = row_named("bps")
    assert usual.of(animate("pattern=zBHF;gravity=100000;bps=30"), tempo) is None
    assert usual.of(animate("531", bps=3.0), tempo) == 3.5


def test_events_of_a_file_have_their_own_tempo(usual: DefaultValues, tmp_path: Path) -> None:
    patterns, _ = with_events(open_patterns("pattern=531;bps=2"))
    write_file(patterns, tmp_path / "events.jml")
    animation = animate(str(tmp_path / "events.jml"))
    assert usual.of(animation, row_named("bps")) == animation.choreography.bps
