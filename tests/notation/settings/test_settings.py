import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from juggling_lab import LAYOUTS
from siteswap_strategies import valid_siteswaps
from staging_strategies import parameter_values, staging_settings
from work import LITTLE, ONE_SECOND, at_most

from juggle_anim.animation import animate
from juggle_anim.choreography import Choreography, Score, Staging
from juggle_anim.choreography.choreograph import repeat_to_full_loop
from juggle_anim.errors import NotationError, ParameterError
from juggle_anim.notation import (
    Settings,
    read_settings,
    read_siteswap,
    with_settings,
    write_settings,
)
from juggle_anim.notation.hand_siteswap import read_hand_siteswap
from juggle_anim.notation.library import LibraryPattern
from juggle_anim.notation.settings.moves import read_hands
from juggle_anim.notation.settings.settings import pattern_texts, read_pattern_settings
from juggle_anim.notation.settings.syntax import Setting
from juggle_anim.parameters import QUANTITIES, TEXT_KEYS, Parameters
from juggle_anim.pattern import Pattern


def read(**texts: str) -> Pattern:
    pattern = read_pattern_settings({key: Setting(text, 0, text) for key, text in texts.items()})
    assert isinstance(pattern, Pattern)
    return pattern


def test_hands_may_follow_a_siteswap_of_their_own() -> None:
    assert read(pattern="5", hss="4") == read_hand_siteswap("5", "4")
    assert read(pattern="5", hss="123", handspec="(1,)(,2)").jugglers == 2
    on = read(pattern="6", hss="6", hold="YES", dwellmax=" 0 ").hand_siteswap
    assert on
    assert (on.hold, on.dwellmax) == (True, False)


@pytest.mark.parametrize(
    "texts",
    [
        {"pattern": "531"},
        {"pattern": "5", "hss": "4"},
        {
            "pattern": "7",
            "hss": "426",
            "handspec": "(2,1)(3,)(,4)",
            "hold": "true",
            "dwellmax": "false",
        },
        {"pattern": "<3p 3|3p 3>"},
    ],
    ids=str,
)
def test_a_pattern_is_written_as_it_is_read(texts: dict[str, str]) -> None:
    assert pattern_texts(read(**texts)) == texts


def test_jugglers_share_a_line_of_passing_notation() -> None:
    pattern = read(pattern="4p 2 3", jugglers=" 3 ")
    assert pattern.jugglers == 3
    assert read(**pattern_texts(pattern)) == pattern


def test_a_number_of_jugglers_that_is_right_anyway_may_be_said() -> None:
    assert read(pattern="531", jugglers="1") == read_siteswap("531")
    assert read(pattern="<3p|3p>", jugglers="2") == read_siteswap("<3p|3p>")


def test_switches_that_say_what_is_usual_need_no_siteswap_of_the_hands() -> None:
    assert read(pattern="531", hold="false", dwellmax="true") == read_siteswap("531")


def test_a_siteswap_that_is_its_own_name_is_just_the_siteswap(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    known = LibraryPattern("Tower", "b97531", (), 9, "High.", aliases=("b97531",))
    monkeypatch.setattr("juggle_anim.notation.settings.settings.find_pattern", lambda _: known)
    assert read(pattern="b97531") == read_siteswap("b97531")
    assert read_settings("tower").score.title == "Tower"


def test_strings_that_people_use_give_what_juggling_lab_makes_of_them() -> None:
    for layout in LAYOUTS:
        found = read_settings(layout["settings"])
        pattern = found.score.pattern
        assert pattern is not None, layout["settings"]
        assert (pattern.jugglers, pattern.props) == (layout["jugglers"], layout["props"]), layout[
            "settings"
        ]
        together = repeat_to_full_loop(pattern, found.score.staging)
        assert together.period == layout["period"] * together.division, layout["settings"]
        again = read_settings(write_settings(found.score, found.applied_to(Parameters())))
        assert again.score == found.score, layout["settings"]
        assert again.applied_to(Parameters()) == found.applied_to(Parameters()), layout["settings"]


def test_a_settings_string_gives_pattern_and_parameters() -> None:
    found = read_settings("pattern=(6x,4)*; BPS=4.5 ;dwell=1;chickenwing=-10;bouncefrac=1.5;")
    assert found.score == Score(read_siteswap("(6x,4)*"), staging=Staging(style="juggling-lab"))
    assert found.parameters == {
        "bps": 4.5,
        "dwell": 1.0,
        "chicken_wing": -10.0,
        "bounce_fraction": 1.5,
    }


def test_a_settings_string_gives_staging_and_title() -> None:
    score = read_settings(
        "Hands=inside;BODY=(0,10).;prop=ring;colours=mixed;pattern=3; title = a=b \\; c "
    ).score
    assert score.staging.hands == read_hands("inside")
    assert score.staging.body
    assert (score.staging.props.kinds, len(score.staging.props.colours)) == (("ring",), 10)
    assert (score.title, score.name) == ("a=b ; c", "a=b ; c")


def test_a_text_without_keys_is_a_pattern() -> None:
    assert read_settings("531") == Settings(Score(read_siteswap("531")))
    assert read_settings("Cascade").score.pattern == read_siteswap("3")


def test_a_pattern_that_stands_first_needs_no_key() -> None:
    assert read_settings("531; dwell=1;prop=club") == read_settings("pattern=531;dwell=1;prop=club")
    assert read_settings("Mills mess;prop=ring") == read_settings("pattern=Mills mess;prop=ring")
    assert read_settings("531;") == read_settings("pattern=531")


@pytest.mark.parametrize(
    "text",
    ["Mills mess", "531 clubs", "726 for 2", "3p 3 3", "pattern=531", "pattern=3p 3;jugglers=2"],
)
def test_a_full_stop_or_comma_may_follow_what_stands_for_a_pattern(text: str) -> None:
    pattern, *others = text.split(";")
    for mark in ".,":
        assert read_settings(";".join([pattern + mark, *others])) == read_settings(text)


def test_old_names_of_settings_are_read_and_written_as_today() -> None:
    """`dratio` is a share of the two beats between the throws of a hand."""
    old = read_settings("pattern=3;dratio= 0.5;TPS=3.572")
    assert old == read_settings("pattern=3;dwell=1;bps=3.572")
    assert write_settings(old.score, old.applied_to(Parameters())) == "pattern=3;bps=3.572;dwell=1"


@pytest.mark.parametrize(
    ("text", "index", "reason"),
    [
        ("3;dratio=much", 9, "dwell is 'much'"),
        ("3;dratio= 1.5", 10, "dwell"),
        ("3;dratio=0.5;dwell=1", 13, "dwell is given twice"),
        ("3;bps=3;tps=3", 8, "bps is given twice"),
    ],
)
def test_old_names_with_wrong_values_are_refused_where_they_stand(
    text: str, index: int, reason: str
) -> None:
    with pytest.raises(NotationError) as caught:
        read_settings(text)
    assert caught.value.index == index
    assert caught.value.reason.startswith(reason)


def test_settings_may_change_a_pattern_that_is_named() -> None:
    named = read_settings("Mills mess")
    assert named.score.staging.hands
    changed = read_settings("pattern=mills mess;hands=inside;dwell=1")
    assert changed.score.staging.hands == read_hands("inside")
    assert changed.score.title == named.score.title == "Mills mess"
    assert changed.complete


def test_settings_bring_their_own_defaults_and_a_pattern_keeps_what_is() -> None:
    turned = Parameters(dwell=0.8)
    assert read_settings("pattern=3;bps=2").applied_to(turned) == Parameters(bps=2)
    assert read_settings("3").applied_to(turned) == turned


numbers = st.fixed_dictionaries(
    {},
    optional={quantity.name: parameter_values(quantity) for quantity in QUANTITIES},
)


titles = st.one_of(st.text("\\;= aé\n", max_size=8), st.text(max_size=12))


hand_siteswaps = st.sampled_from(
    [
        {},
        {"hss": "4"},
        {"hss": "1"},
        {"hss": "4", "handspec": "(2,1)(4,3)", "hold": True},
        {"hss": "6", "dwellmax": "0"},
    ]
)


words = st.tuples(staging_settings(), st.fixed_dictionaries({}, optional={"title": titles})).map(
    lambda drawn: drawn[0] | drawn[1]
)


@given(valid_siteswaps(), numbers, words, hand_siteswaps)
def test_what_is_written_is_read_back_exactly(
    text: str, changes: dict, texts: dict, hands: dict
) -> None:
    found = with_settings(text, **texts)
    with contextlib.suppress(NotationError):  # a pattern with pairs has no siteswap of the hands
        found = with_settings(found, **hands)
    parameters = Parameters().replace(**changes)
    again = read_settings(write_settings(found.score, parameters))
    assert again.score == found.score
    assert again.applied_to(Parameters(dwell=0.5)) == parameters


def test_defaults_are_not_written() -> None:
    score = read_settings("531").score
    assert write_settings(score, Parameters()) == "pattern=531"
    assert (
        write_settings(score, Parameters(chicken_wing=62.5, gravity=162))
        == "pattern=531;chickenwing=62.5;gravity=162"
    )
    full = read_settings(
        "title=A;colors=orbits;prop=ball;hold=no;hss=4;pattern=5;hands=half shower"
    )
    assert write_settings(full.score, Parameters()) == (
        "pattern=5;hss=4;hands=(32.5)(10).(10)(32.5).;colors=orbits;title=A"
    )


def test_strings_with_a_dwell_or_hands_mean_the_style_they_were_written_for() -> None:
    styles = {
        text: read_settings(f"pattern=531;{text}").score.staging.style
        for text in (
            "bps=4",
            "dwell=1.3",
            "hands=inside",
            "dwell=1;style=natural",
            "style=Juggling-Lab",
        )
    }
    assert list(styles.values()) == [
        "natural",
        "juggling-lab",
        "juggling-lab",
        "natural",
        "juggling-lab",
    ]
    turned = read_settings("531").score
    written = write_settings(turned, Parameters(dwell=1))
    assert written == "pattern=531;dwell=1;style=natural"
    assert read_settings(written).score.staging == turned.staging
    with pytest.raises(NotationError, match="did you mean natural"):
        read_settings("pattern=3;style=nature")


def test_events_with_times_and_places_are_not_written(placed: Score) -> None:
    with pytest.raises(NotationError, match=r"\.jml"):
        write_settings(placed, Parameters())


def test_settings_in_words_win_over_the_text() -> None:
    text = "pattern=3;dwell=1;hands=inside;prop=ring;colors=mixed;title=Old"
    changed = with_settings(text, hands="outside", title="New", prop=None)
    assert changed.score.staging.hands == read_hands("outside")
    assert changed.score.staging.props == read_settings(text).score.staging.props
    assert (changed.score.title, changed.parameters, changed.complete) == (
        "New",
        {"dwell": 1.0},
        True,
    )
    assert with_settings("3", prop="club").complete is False


def test_hands_can_be_given_a_siteswap_and_turned_off_one_by_one() -> None:
    changed = with_settings(with_settings("5", hss="4", hold=True), dwellmax=False)
    assert (
        changed.score.pattern
        == read_settings("pattern=5;hss=4;hold=true;dwellmax=false").score.pattern
    )


def test_a_mistake_in_words_is_shown_in_them_alone() -> None:
    with pytest.raises(NotationError) as caught:
        with_settings("pattern=3;dwell=1", hands="(1)x")
    assert (caught.value.text, caught.value.index) == ("(1)x", 3)
    with pytest.raises(ParameterError, match="did you mean hands"):
        with_settings("3", hand="inside")
    with pytest.raises(ParameterError, match="there are hss"):
        with_settings("3", qqqq="inside")


def test_nothing_changes_where_nothing_is_given() -> None:
    for text in ("531", "pattern=5;hss=4;title=a\\;b", "mills mess"):
        assert with_settings(text, **dict.fromkeys(TEXT_KEYS)) == read_settings(text)


@pytest.fixture
def placed() -> Score:
    choreography = object.__new__(Choreography)
    return Score(placed=choreography, title="From a file")


def test_events_with_times_and_places_keep_them(placed: Score) -> None:
    changed = with_settings(Settings(placed), title="Mine", prop="ring").score
    assert changed.placed is placed.placed
    assert (changed.title, changed.staging.props.kinds) == ("Mine", ("ring",))
    for key in ("hands", "body", "hss", "hold", "jugglers"):
        with pytest.raises(NotationError, match=f"{key} cannot change timed events"):
            with_settings(Settings(placed), **{key: "1"})


@given(
    st.text(max_size=20),
    st.text("pattern=dwell;531bps.", max_size=40),
    st.sampled_from(TEXT_KEYS),
    st.text("(){}<>|^.,-c1290;#mixed"),
)
def test_any_text_is_read_or_refused_with_a_notation_error(
    wild: str, near: str, key: str, value: str
) -> None:
    for text in (
        wild,
        near,
        "pattern=" + near,
        f"pattern=3;{key}={wild}",
        f"pattern=3;{key}={value}",
    ):
        with contextlib.suppress(NotationError):
            found = read_settings(text)
            assert found.score.props >= 0
            assert (
                read_settings(
                    write_settings(found.score, found.applied_to(Parameters()))
                ).score.staging
                == found.score.staging
            )


@pytest.mark.parametrize("key", [*TEXT_KEYS, "pattern", "dwell"])
def test_hostile_values_take_little_work(key: str) -> None:
    for length, calls in [(20_000, LITTLE)] + [(250_000, ONE_SECOND)] * (key == "hands"):
        for unit in ("(", "(1)", "((1)(2).)^999", "{", "9", "|", "(^", "<"):
            text = "pattern=3;" * (key != "pattern") + f"{key}={unit * (length // len(unit))}"
            with at_most(calls), contextlib.suppress(NotationError):
                read_settings(text)


def test_a_number_is_written_as_everybody_does() -> None:
    with pytest.raises(NotationError, match="not a number"):
        read_settings("pattern=3;dwell=1_0")


def test_both_wings_may_be_given_at_once() -> None:
    said = read_settings("pattern=3;chickenwing=20, 60").parameters
    assert said == {"left_wing": 20.0, "right_wing": 60.0}
    assert (
        read_settings(write_settings(Score(read_siteswap("3")), Parameters(**said))).parameters
        == said
    )  # type: ignore[arg-type]


def test_a_siteswap_that_jugglers_share_is_one_of_all_their_hands() -> None:
    shared = animate("pattern=726;hss=4").pattern
    for text in ("726 for 2", "726 for 2 jugglers", "pattern=726;jugglers=2"):
        pattern = animate(text).pattern
        assert pattern == shared
        assert (pattern.jugglers, pattern.props) == (2, 5)
    assert animate("726 for 1").pattern == animate("726").pattern


@pytest.mark.parametrize(
    ("text", "throws", "prop"),
    [
        ("531 clubs", "531", "club"),
        ("box with rings", "(4,2x)(2x,4)", "ring"),
        ("Mills mess Club", "3", "club"),
        ("5 balls", "5", "ball"),
    ],
)
def test_props_may_follow_a_pattern_alone(text: str, throws: str, prop: str) -> None:
    score = read_settings(text).score
    assert score.pattern is not None
    assert (score.pattern.text, score.staging.props.kinds) == (throws, (prop,))


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("531 backcross", "pattern=531;throws=backcross,-,-"),
        ("cascade with an albert", "pattern=3;throws=albert,-,-,-,-"),
        ("underleg right 423", "pattern=423;throws=underleg,-,-,-,-,-"),
        (
            "441 behind left with clubs",
            "pattern=441;prop=club;catches=palm,palm,palm,palm,behind,palm,palm,palm,palm|palm",
        ),
        ("box and a chop", "pattern=(4,2x)(2x,4);throws=chop,-,-,-,-,-,-,chop,-,-,-,-"),
        ("(4,2x)* lazy", "pattern=(4,2x)*;throws=lazy,-,-,-"),
        ("5 lazies", "pattern=5;throws=lazy,-,-"),
    ],
)
def test_a_trick_around_the_body_may_stand_beside_a_pattern_alone(text: str, same: str) -> None:
    assert animate(text).settings == animate(same).settings


@pytest.mark.parametrize("text", ["532 clubs", "532 backcross", "backcross 532 with rings"])
def test_words_beside_what_is_no_pattern_leave_the_error_of_its_throws(text: str) -> None:
    with pytest.raises(
        NotationError, match=r"average 3⅓\. It must be a whole number: the number of props"
    ) as caught:
        read_settings(text)
    assert (caught.value.text, caught.value.index) == (text, text.index("532"))
