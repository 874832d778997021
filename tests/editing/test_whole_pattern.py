"""Operations on whole patterns."""

from __future__ import annotations

import pytest

import juggle_anim as ja
from juggle_anim.errors import EditError


@pytest.mark.parametrize(
    ("text", "beat", "expected"),
    [
        ("531", 0, "3531"),
        ("531", 1, "6231"),
        ("97531", 10, "975315"),
        ("(6x,4)*", 0, "(6,4)(6x,4)*"),
        ("[54]24", 1, "[54]524"),
        ("<3p 3|3p 3>", 1, "<3p 3 3|3p 3 3>"),
        ("726 for 2", 3, "8273"),
    ],
)
def test_an_inserted_beat_keeps_the_number_of_props_and_is_taken_back(text: str, beat: int, expected: str) -> None:
    animation = ja.animate(text)
    edited = animation.edit().insert_beat(beat)
    assert edited.pattern is not None
    assert edited.pattern.text == expected
    assert edited.score.props == animation.score.props
    assert animation.pattern is not None
    back = edited.edit().delete_beat(min(beat, animation.pattern.written_period))
    assert back.pattern is not None
    assert (back.pattern.throws, back.pattern.period) == (animation.pattern.throws, animation.pattern.period)


def test_paths_of_hands_and_bodies_stay_with_their_throws_when_beats_come_and_go() -> None:
    mess = ja.animate("Mills mess")
    longer = mess.edit().insert_beat(1)
    assert longer.settings == "pattern=3;hands=(-25)(2.5)..(25)(-2.5).(-25)(0).;style=natural"
    assert longer.edit().delete_beat(1).score.staging == mess.score.staging
    turned = ja.animate("pattern=3;body=(0).(90).(180).").edit().delete_beat(1)
    assert turned.settings == "pattern=3;body=(0).(180)."


def test_the_only_beat_is_not_deleted() -> None:
    with pytest.raises(EditError, match="only beat"):
        ja.animate("3").edit().delete_beat(0)
    with pytest.raises(EditError, match="no beat 7"):
        ja.animate("531").edit().insert_beat(7)
