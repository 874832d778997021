import pytest

from juggle_anim.notation.siteswap.syntax import PLAIN, Modifier, modifier_at


@pytest.mark.parametrize(
    ("letters", "modifier"),
    [
        ("B", Modifier(1, "lift")),
        ("BL", Modifier(1, "lift")),
        ("BBB", Modifier(3, "lift")),
        ("BF", Modifier(1, "force")),
        ("F", Modifier(1, "force")),
        ("BBF", Modifier(2, "force")),
        ("BH", Modifier(1, "hyper_lift")),
        ("BHL", Modifier(1, "hyper_lift")),
        ("BHF", Modifier(1, "hyper_force")),
        ("BFH", Modifier(1, "hyper_force")),
        ("H", Modifier(held=True)),
        ("T", Modifier(held=False)),
    ],
)
def test_letters_say_how_a_prop_is_thrown(letters: str, modifier: Modifier) -> None:
    assert modifier_at(f"5{letters} 3", 1) == (modifier, 1 + len(letters))


@pytest.mark.parametrize("text", ["5", "53", "5L3", "5 B"])
def test_without_letters_nothing_is_read(text: str) -> None:
    assert modifier_at(text, 1) == (PLAIN, 1)
