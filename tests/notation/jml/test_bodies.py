import numpy as np
import pytest
from jml_performances import extracted, jml, read_one, score_of

from juggle_anim.choreography.places import circle
from juggle_anim.errors import FileError
from juggle_anim.notation.jml.conversion import from_choreography

HOLD = '<event x="-30" t="0" hand="left"><holding path="1"/></event>'


def test_bodies_stand_in_a_circle_or_where_the_file_says() -> None:
    where = '<position x="-100" y="50" z="120" t="0.5" angle="90" juggler="2"/>'
    shown = read_one(jml(HOLD, where, setup='<setup jugglers="2" paths="1"/>'))
    standing, facing = circle(2)
    np.testing.assert_allclose(shown.bodies.position, [standing[0], [1.0, 0.2, 0.5]], atol=1e-12)
    np.testing.assert_allclose(shown.bodies.facing, [facing[0], np.pi / 2], atol=1e-12)
    assert shown.bodies.time.tolist() == [0.0, 0.5]


def test_a_body_may_come_back_to_its_place_when_the_loop_ends() -> None:
    where = [
        f'<position x="0" y="0" t="{time}" angle="{angle}"/>'
        for time, angle in ((0, 0), (0.5, 90), (1, 360))
    ]
    assert read_one(jml(HOLD, *where)).bodies.time.tolist() == [0.0, 0.5]
    with pytest.raises(
        FileError,
        match=r"^file:7: juggler 1 is in two places at time 0, here and on line 6; one",
    ):
        read_one(jml(HOLD, where[0], where[2].replace('x="0"', 'x="1"')))


def test_bodies_are_listed_only_where_they_do_not_stand_as_usual() -> None:
    assert extracted("pattern=<3p 3|3p 3>;style=juggling-lab").positions == ()
    moved = jml(
        '<event x="0" t="0" hand="left"/>',
        '<position x="1" y="2" t="0" angle="30" juggler="2"/>',
        setup='<setup jugglers="2" paths="0"/>',
    )
    assert [
        (position.juggler, position.place)
        for position in from_choreography(score_of(moved)).positions
    ] == [(1, (1.0, 2.0, 100.0))]
