from juggle_anim.errors import character_name, joined_names, printable


def test_signs_that_steer_a_terminal_become_blanks() -> None:
    assert printable("3 × \x1b[2J\r\n5\u202e") == "3 ×  [2J  5 "


def test_a_long_text_is_cut_off() -> None:
    assert printable("3" * 12, longest=10) == "3" * 10 + "…"
    assert printable("3" * 10, longest=10) == "3" * 10


def test_a_text_without_a_limit_is_shown_whole() -> None:
    assert printable("3" * 5000, longest=None) == "3" * 5000


def test_a_character_that_cannot_be_seen_is_named_by_its_number() -> None:
    assert character_name("×") == "×"
    assert character_name("\x07") == "character U+0007"


def test_of_many_things_the_first_and_the_last_are_named() -> None:
    assert joined_names(["a"]) == "a"
    assert joined_names(["a", "b", "c"]) == "a, b and c"
    assert joined_names([str(number) for number in range(1, 7)]) == "1, 2, 3, 4, 5 and 6"
    assert joined_names([str(number) for number in range(1, 101)]) == "1, 2, 3, 4, 95 more and 100"
