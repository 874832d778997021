import pytest
from jml_performances import LOOP, jml

from juggle_anim.errors import FileError
from juggle_anim.notation.jml import read_jml
from juggle_anim.notation.jml.document import (
    JmlEvent,
    JmlPattern,
    Transition,
    TransitionKind,
    read_tree,
)
from juggle_anim.notation.jml.read import Version, read_pattern
from juggle_anim.notation.limits import MAX_JML_EVENTS

HELD = '<event x="0" t="0" hand="left"><holding path="1"/></event>'


def document(
    *inner: str, version: Version = (3,), setup: str = '<setup paths="2"/>', loop: str = LOOP
) -> JmlPattern:
    return read_pattern(read_tree(jml(*inner, setup=setup, loop=loop), "f").children[0], version)


def test_what_is_left_out_has_the_value_of_the_document_type() -> None:
    pattern = document(
        '<event x="1" t="2" hand="right"><throw path="2"/></event>', '<position x="3" y="4" t="5"/>'
    )
    assert (pattern.jugglers, pattern.props, pattern.paths) == (1, (0, 0), (0, 1))
    assert pattern.events == (
        JmlEvent(2.0, 0, 1, (1.0, 0.0, 0.0), (Transition(TransitionKind.THROW, 1),)),
    )
    (position,) = pattern.positions
    assert (position.place, position.angle, position.juggler) == ((3.0, 4.0, 100.0), 0.0, 0)


@pytest.mark.parametrize(
    ("version", "place"),
    [((1,), (1, 3, 2)), ((1, 1), (1, 2, 3)), ((2,), (1, 2, 3)), ((3,), (1, 2, 3))],
)
def test_the_first_version_has_its_second_axis_up(
    version: Version, place: tuple[int, int, int]
) -> None:
    event = '<event x="1" y="2" z="3" t="0" hand="left"/>'
    assert document(event, version=version).events[0].place == place


@pytest.mark.parametrize("hand", ["right", "Right", "1:right", " 1 : RIGHT "])
def test_a_hand_may_be_named_without_its_juggler_and_in_any_case(hand: str) -> None:
    assert document(f'<event x="0" t="0" hand="{hand}"/>').events[0].hand == 1


def test_elements_and_attributes_may_be_in_capitals() -> None:
    assert (
        document('<EVENT X="1" T="0" Hand="left"><Catch PATH="1" Type="SOFT"/></EVENT>')
        .events[0]
        .transitions
    )


def test_words_keep_their_white_space_only_where_it_is_said_to_matter() -> None:
    assert document("<title>\n a  b </title>").title == "a  b"
    assert document('<title xml:space="preserve"> a </title>').title == " a "


def test_tags_are_separated_by_commas() -> None:
    assert document('<info tags=" a, b c,,a">about</info>').tags == ("a", "b c")


@pytest.mark.parametrize(
    ("setup", "reason"),
    [
        ("", 'f:2: the pattern has no <setup>; add <setup jugglers="1" paths="3"/>'),
        ("<setup/>", 'f:3: <setup> has no paths; add paths="…"'),
        ('<setup paths="-1"/>', "f:3: paths of <setup> is '-1'; a whole number from 0 to 5000"),
        (
            '<setup paths="1" jugglers="0"/>',
            "f:3: jugglers of <setup> is '0'; a whole number from 1 to 1000",
        ),
        (
            '<setup paths="2" props="1"/>',
            "f:3: props of <setup> has 1 numbers; one for each of the 2 paths",
        ),
        (
            '<setup paths="2" props="1,2"/>',
            "f:3: a prop of <setup> is '2'; a whole number from 1 to 1",
        ),
    ],
)
def test_a_setup_that_sets_up_nothing_is_refused(setup: str, reason: str) -> None:
    with pytest.raises(FileError) as caught:
        document(HELD, setup=setup)
    assert str(caught.value) == reason


@pytest.mark.parametrize(
    ("loop", "reason"),
    [
        ("", "f:2: the pattern has no symmetry of type delay; one entry such as"),
        ('<symmetry type="delay"/>', '<symmetry> has no delay; add delay="…"'),
        ('<symmetry type="delay" delay="0"/>', "delay is '0'; at least 0.0001 seconds"),
        (
            '<symmetry type="delay" delay="inf"/>',
            "delay of <symmetry> is 'inf', which is not a number",
        ),
    ],
)
def test_a_loop_without_a_duration_is_refused(loop: str, reason: str) -> None:
    with pytest.raises(FileError) as caught:
        document(HELD, loop=loop)
    assert reason in str(caught.value)


def test_a_flood_of_events_is_refused() -> None:
    with pytest.raises(FileError, match="the pattern has more than"):
        read_jml(jml('<event x="0" t="0" hand="left"/>' * (MAX_JML_EVENTS + 1)), "f")
