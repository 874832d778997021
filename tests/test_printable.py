from juggle_anim.notation.printable import printable


def test_signs_that_steer_a_terminal_become_spaces() -> None:
    assert printable("3 × \x1b[2J\r\n5\u202e") == "3 ×  [2J  5 "


def test_a_long_text_is_cut_off() -> None:
    assert printable("3" * 12, longest=10) == "3" * 10 + "…"
    assert printable("3" * 10, longest=10) == "3" * 10
