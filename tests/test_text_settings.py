import dataclasses

from juggle_anim.choreography import STYLES, Staging
from juggle_anim.parameters import QUANTITIES
from juggle_anim.text_settings import HAND_STYLES, PROP_KINDS, TEXT_KEYS, TEXT_SETTINGS


def test_every_setting_in_words_has_a_name_of_its_own_and_says_what_it_does() -> None:
    taken = {name for quantity in QUANTITIES for name in (quantity.name, quantity.key)} | {"pattern"}
    assert len(set(TEXT_KEYS)) == len(TEXT_KEYS)
    assert taken.isdisjoint(TEXT_KEYS)
    assert all(setting.help for setting in TEXT_SETTINGS)


def test_the_usual_prop_is_one_of_those_that_can_be_named() -> None:
    assert set(Staging().props.kinds) <= set(PROP_KINDS)
    assert "kinds" in {field.name for field in dataclasses.fields(Staging().props)}


def test_the_styles_are_those_that_hands_can_follow() -> None:
    assert tuple(STYLES) == HAND_STYLES
    assert Staging().style == HAND_STYLES[0]
