from hypothesis import given
from staging_strategies import catches_texts

import juggle_anim as ja
from juggle_anim.choreography import Staging
from juggle_anim.notation.settings.staging import read_catches, write_catches
from juggle_anim.text_settings import GRASP_KINDS


@given(catches_texts())
def test_catches_are_written_as_they_are_read(text: str) -> None:
    catches = read_catches(text)
    assert read_catches(write_catches(catches)) == catches
    assert all(word in GRASP_KINDS for words in catches for word in words)


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
    animation = ja.animate("pattern=531;catches=claw,palm")
    assert animation.settings == "pattern=531;catches=claw,palm"
    assert ja.animate(animation.settings).score == animation.score
