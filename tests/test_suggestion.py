from work import ONE_SECOND, at_most

from juggle_anim.errors import did_you_mean


def test_the_nearest_word_is_suggested() -> None:
    assert did_you_mean("clubb", ("ball", "club", "ring")) == "did you mean club?"


def test_where_no_word_is_near_all_are_named() -> None:
    assert did_you_mean("torch", ("ball", "ring")) == "there are ball, ring"
    assert did_you_mean("torch", ("ball", "ring"), "write ball") == "write ball"


def test_words_of_a_mapping_stand_for_its_values() -> None:
    assert did_you_mean("mills mes", {"mills mess": "Mills mess"}) == "did you mean Mills mess?"
    assert did_you_mean("torch", {"mills mess": "Mills mess"}) == "there are Mills mess"


def test_it_can_be_said_how_alike_words_must_be() -> None:
    assert did_you_mean("dwel time", ("dwell",)) == "there are dwell"
    assert did_you_mean("dwel time", ("dwell",), alike=0.5) == "did you mean dwell?"


def test_a_hostile_word_is_not_compared_for_long() -> None:
    with at_most(ONE_SECOND):
        did_you_mean("club" * 1_000_000, ("ball", "club"))
