import pytest
from hypothesis import given
from staging_strategies import catches_texts, staging_settings, throws_texts

import juggle_anim as ja
from juggle_anim.choreography import PropStyle, Staging
from juggle_anim.errors import NotationError
from juggle_anim.notation.settings.staging import (
    read_catches,
    read_staging,
    read_throws,
    staging_texts,
    write_catches,
    write_throws,
)
from juggle_anim.notation.settings.syntax import Setting
from juggle_anim.parameters import BODY_CATCH_NAMES, GRASP_KINDS


@given(catches_texts())
def test_catches_are_written_as_they_are_read(text: str) -> None:
    catches = read_catches(text)
    assert read_catches(write_catches(catches)) == catches
    assert all(word in (*GRASP_KINDS, *BODY_CATCH_NAMES) for words in catches for word in words)


@given(throws_texts())
def test_throws_are_written_as_they_are_read(text: str) -> None:
    throws = read_throws(text)
    assert throws == () or read_throws(write_throws(throws)) == throws
    assert (throws == ()) == (not set(text) - set("-,| "))


def test_a_list_is_for_both_hands_and_a_stroke_parts_left_from_right() -> None:
    assert read_catches("claw") == (("claw",), ("claw",))
    assert read_catches(" Palm | CLAW,penguin") == (("palm",), ("claw", "penguin"))
    assert write_catches((("palm",), ("claw", "penguin"))) == "palm|claw,penguin"


def test_a_list_of_one_word_is_that_word() -> None:
    assert read_catches("claw,claw|palm,palm") == (("claw",), ("palm",))


def test_palms_are_usual_and_not_written() -> None:
    assert read_catches(GRASP_KINDS[0]) == Staging().catches
    assert ja.animate("531", catches="palm").settings == "pattern=531"


def test_settings_say_catches_and_come_back() -> None:
    animation = ja.animate("531", catches="claw,behind", throws="Lazy,-,-|lazy, -,-")
    assert animation.settings == "pattern=531;catches=claw,behind;throws=lazy,-,-"
    assert ja.animate(animation.settings).score == animation.score


texts = staging_settings()


def read(before: Staging = Staging(), **written: str) -> Staging:  # noqa: B008 - it is frozen
    return read_staging({key: Setting(text, 0, text) for key, text in written.items()}, before)


@given(texts)
def test_staging_is_written_as_it_is_read(written: dict[str, str]) -> None:
    staging = read(**written)
    assert read(**staging_texts(staging)) == staging


@given(texts, texts)
def test_what_is_not_said_stays_as_it_was(first: dict[str, str], then: dict[str, str]) -> None:
    assert read(read(**first), **then) == read(**{**first, **then})


def test_what_is_usual_is_not_written() -> None:
    assert read(prop=" Ball ") == Staging()
    assert staging_texts(Staging()) == {}


def test_props_have_a_kind_and_colours() -> None:
    props = read(prop="CLUB", colors="orbits").props
    assert (props.kinds, props.by_orbit, len(props.colours)) == (("club",), True, 10)
    assert read(prop="ball, Club,ring").props.kinds == ("ball", "club", "ring")
    assert read(prop="ring,ring").props.kinds == ("ring",)
    assert staging_texts(read(prop="ball,club")) == {"prop": "ball,club"}
    assert read(colors="{red} \n {0,0,255}").props == PropStyle(
        "{red} {0,0,255}", colours=((1, 0, 0), (0, 0, 1))
    )


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("rign", "did you mean ring"),
        ("qqqqq", "there are ball, club"),
        (" ", "the prop is missing"),
    ],
)
def test_an_unknown_prop_is_refused(kind: str, words: str) -> None:
    with pytest.raises(NotationError, match=words):
        read(prop=kind)
    with pytest.raises(NotationError, match=words) as refused:
        read(prop=f"ball,{kind}")
    assert refused.value.index >= len("ball,")
