import pytest
from hypothesis import given
from hypothesis import strategies as st
from jml_performances import LOOKS

from juggle_anim.choreography import AIR, FlightStyle, PropLook
from juggle_anim.errors import FileError
from juggle_anim.notation.jml.conversion import (
    read_bounce,
    read_look,
    read_toss,
    with_defaults,
    write_flight,
    write_look,
)
from juggle_anim.notation.jml.document import Location

SPOT = Location("f", 7)


def test_a_toss_says_nothing_but_its_gravity() -> None:
    assert read_toss(SPOT, "") == read_toss(SPOT, "g=980") == AIR
    assert read_toss(SPOT, " G = -50 ; ") == FlightStyle(gravity=-0.5)


def test_a_bounce_says_how_it_bounces() -> None:
    said = "bounces=3;forced=True;hyper=true;bounceplane=-12;bouncefrac=0.5;g=162"
    assert read_bounce(SPOT, said) == FlightStyle(
        1.62, 3, forced=True, falling=False, plane=-0.12, bounce_fraction=0.5
    )


def test_a_bounce_that_says_nothing_is_thrown_up_and_caught_on_its_way_up() -> None:
    assert read_bounce(SPOT, "") == FlightStyle(bounces=1, forced=False, falling=False)


def test_a_hyper_bounce_is_caught_as_it_is_thrown_backwards_in_time() -> None:
    assert read_bounce(SPOT, "hyper=true").falling
    assert read_bounce(SPOT, "forced=true").falling
    assert not read_bounce(SPOT, "forced=true;hyper=true").falling


@given(
    st.integers(1, 20),
    st.booleans(),
    st.booleans(),
    st.sampled_from([0.0, 0.25]),
    st.sampled_from([None, 0.5]),
)
def test_a_bounce_written_is_read_as_it_was(
    n: int, forced: bool, hyper: bool, plane: float, bounce_fraction: float | None
) -> None:
    style = FlightStyle(
        bounces=n, forced=forced, falling=hyper, plane=plane, bounce_fraction=bounce_fraction
    )
    kind, mod = write_flight(style)
    assert kind == "bounce"
    assert read_bounce(SPOT, mod) == style


def test_a_flight_takes_from_the_whole_what_it_does_not_say() -> None:
    assert write_flight(with_defaults(AIR, (9.8, 0.5))) == ("toss", "")
    assert write_flight(with_defaults(AIR, (1.62, 0.5))) == ("toss", "g=162")
    assert write_flight(with_defaults(FlightStyle(bounces=1), (9.8, 0.5))) == (
        "bounce",
        "bouncefrac=0.5",
    )
    assert write_flight(with_defaults(FlightStyle(gravity=9.8), (1.62, 0.9))) == ("toss", "")
    assert with_defaults(FlightStyle(gravity=1.62), (9.8, 0.9), (1.62, 0.9)) == AIR
    assert with_defaults(AIR, (9.8, 0.9), (1.62, 0.9)) == FlightStyle(gravity=9.8)


def test_colours_are_names_or_numbers() -> None:
    assert read_look(SPOT, "ball", "color=red") == read_look(SPOT, "ball", "color={ 255, 0,0}")
    assert read_look(SPOT, "ball", "color=255,0,0").colour == (1.0, 0.0, 0.0)


def test_each_kind_of_prop_has_its_size_under_a_name_of_its_own() -> None:
    assert read_look(SPOT, "ball", "diam=7").diameter == 0.07
    assert read_look(SPOT, "ring", "outside=32;inside=27") == PropLook(
        "ring", diameter=0.32, extra="inside=27"
    )
    assert read_look(SPOT, "image", "image=http://a/b?c=d;width=20") == PropLook(
        "image", None, 0.2, "http://a/b?c=d"
    )


@given(LOOKS)
def test_a_look_written_is_read_as_it_was(look: PropLook) -> None:
    read = read_look(SPOT, look.kind, write_look(look))
    assert (read.colour, read.image, read.extra) == (look.colour, look.image, look.extra)
    assert read.diameter == pytest.approx(look.diameter, abs=1e-9)


@pytest.mark.parametrize(
    ("mod", "reason"),
    [
        ("spin=2", "mod has 'spin', which means nothing here; there is bounces"),
        ("bounce=2", "mod has 'bounce', which means nothing here; did you mean bounces?"),
        ("forced", "mod has 'forced' without a value; key=value;key=value"),
        ("bounces=0", "bounces is '0'; a whole number from 1 to 20"),
        ("bounces=21", "bounces is '21'; a whole number from 1 to 20"),
        ("forced=yes", "forced is 'yes'; true or false"),
        ("bouncefrac=0", "bouncefrac is '0'; a number above 0"),
        ("bouncefrac=NaN", "bouncefrac is 'NaN', which is not a number"),
        ("bounceplane=low", "bounceplane is 'low', which is not a number"),
        ("g=0", "g is '0', and nothing bounces without gravity; a number above 0"),
        ("g=" + "9" * 100_000, "mod has 100002 characters"),
    ],
)
def test_a_mod_that_no_bounce_has_is_refused(mod: str, reason: str) -> None:
    with pytest.raises(FileError) as caught:
        read_bounce(SPOT, mod)
    assert str(caught.value).startswith(f"f:7: {reason}")


@pytest.mark.parametrize(
    ("mod", "reason"),
    [
        ("color=ret", "color: ret is not a colour; did you mean red"),
        ("color=1,2", "color: .*three"),
        ("diam=0", "diam is '0'"),
    ],
)
def test_a_mod_that_no_ball_has_is_refused(mod: str, reason: str) -> None:
    with pytest.raises(FileError, match=f"^f:7: {reason}"):
        read_look(SPOT, "ball", mod)
