import pytest

from juggle_anim.errors import ParameterError
from juggle_anim.server.query import QueryTooLongError, read_query


@pytest.mark.parametrize(
    ("text", "settings"),
    [
        ("531", "pattern=531"),
        ("pattern=531&dwell=1", "pattern=531;dwell=1"),
        ("pattern%3D531%3Bdwell%3D1", "pattern=531;dwell=1"),
        ("pattern=%3C3p%203%7C3p+3%3E;colors=%7Bred%7D", "pattern=<3p 3|3p 3>;colors={red}"),
        ("pattern=3;title=a%3Bb", "pattern=3;title=a\\;b"),
        (
            "PATTERN=3;slowdown=2.0;border=0;showground=false;startpaused=false",
            "pattern=3;showground=false;speed=0.5",
        ),
        (
            "pattern=3;hidejugglers=true;stereo=true;handwidth=80",
            "pattern=3;figure=hidden;stereo=crossed;width=80",
        ),
        ("pattern=<3|3|3>;hidejugglers=(1,3)", "pattern=<3|3|3>;hidejugglers=(1,3)"),
        ("pattern=3;hidejugglers=1;showground=auto", "pattern=3;hidejugglers=1;showground=auto"),
        ("pattern=3;scale=2;avatar=female;wxyz=1", "pattern=3"),
    ],
)
def test_addresses_made_for_juggling_lab_say_the_same_here(text: str, settings: str) -> None:
    assert read_query(text).settings == settings


def test_the_picture_has_the_size_rate_and_view_asked_for_and_its_own_address_asks_for_the_same() -> (
    None
):
    query = read_query(
        "pattern=(6x,4)*;width=300;height=200;fps=25;camangle=20,75;redirect=true;title=a%3Bb;handwidth=90"
    )
    assert (query.size, query.fps, query.camera, query.redirect) == (
        (300, 200),
        25.0,
        "20,15",
        True,
    )
    again = read_query(query.address("gif").removeprefix("anim.gif?"))
    assert (again.settings, again.size, again.fps, again.camera) == (
        query.settings,
        (300, 200),
        25.0,
        "20,15",
    )
    assert again.redirect is False


@pytest.mark.parametrize(
    ("asked", "address"),
    [
        ("redirect=gif", "anim.gif?pattern=3;width=400;height=450"),
        ("redirect=MP4", "anim.mp4?pattern=3;width=400;height=450"),
        ("redirect=true", "anim.gif?pattern=3;width=400;height=450"),
        ("redirect=true;format=png", "anim.png?pattern=3;width=400;height=450"),
        ("redirect=false", None),
        ("redirect=0", None),
    ],
)
def test_the_address_of_the_picture_is_asked_for_by_a_word_or_its_format(
    asked: str, address: str | None
) -> None:
    query = read_query(f"pattern=3;{asked}")
    assert query.redirect == (address is not None)
    assert address in (None, query.address(query.format or "gif"))


@pytest.mark.parametrize(
    ("text", "left_out"),
    [
        ("pattern=3;scale=2;border=0", ("scale", "border")),
        ("pattern=3;SCALE=2;utm_source=mail", ("scale", "utm_source")),
        (
            "pattern=3;startpaused=false;mousepause=true;view=simple;catchsound=on",
            ("startpaused", "mousepause", "view", "catchsound"),
        ),
        ("pattern=3;showground=no;hidejugglers=2", ()),
    ],
)
def test_what_is_said_to_another_program_alone_is_left_out(
    text: str, left_out: tuple[str, ...]
) -> None:
    assert read_query(text).left_out == left_out


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "there is no pattern"),
        ("dwell=1", "there is no pattern"),
        ("pattern=3;pattern=4", "given twice"),
        ("pattern=3;colour=red", "did you mean colours"),
        ("pattern=3;width=1e9", "from 16 to 1920"),
        ("pattern=3;height=15", "from 16 to 1920"),
        ("pattern=3;fps=nan", "from 1 to 60"),
        ("pattern=3;slowdown=0", "above 0"),
        ("pattern=3;format=exe", "format is 'exe'"),
        ("pattern=3;redirect=maybe", "true or false"),
        ("pattern=3;531", "has no value"),
    ],
)
def test_what_cannot_be_read_is_told_with_what_would_be_accepted(text: str, said: str) -> None:
    with pytest.raises(ParameterError, match=said):
        read_query(text)


def test_a_query_that_is_too_long_is_not_read() -> None:
    with pytest.raises(QueryTooLongError):
        read_query("pattern=" + "3" * 9000)


def test_gunswaps_words_for_tempo_and_dwell_are_read() -> None:
    query = read_query("pattern=531;beatduration=0.25;dwellratio=0.6")
    assert query.settings == "pattern=531;bps=4;dwell=0.6"
    # Ours have precedence.
    assert "bps=3" in read_query("pattern=531;beatduration=0.25;bps=3").settings
    with pytest.raises(ParameterError, match="above 0"):
        read_query("pattern=531;beatduration=0")
