from juggle_anim.notation.settings.staging import MIXED, read_colour, read_colours


def test_mixed_and_orbits_take_ten_colours_in_turn() -> None:
    colours = tuple(read_colour(name) for name in MIXED)
    assert len(set(colours)) == 10
    assert read_colours(" Mixed ") == (colours, False)
    assert read_colours("orbits") == (colours, True)


def test_colours_are_listed_by_name_and_number() -> None:
    colours, by_orbit = read_colours("{red}{0,0,255} { 255, 0 ,51 },#00f, black #f80")
    assert not by_orbit
    assert colours == ((1, 0, 0), (0, 0, 1), (1, 0, 0.2), (0, 0, 1), (0, 0, 0), (1, 0x88 / 255, 0))


def test_lists_repeat() -> None:
    assert read_colours("({red}({blue})^2)^2{white}") == read_colours(
        "red,blue,blue,red,blue,blue,white"
    )


def test_names_are_those_of_css_in_any_spelling() -> None:
    for name in ("DarkSlateGrey", "dark slate gray", " dark-slate_gray "):
        assert read_colour(name) == read_colour("#2f4f4f")


def test_names_that_juggling_lab_knows_have_its_colours() -> None:
    assert [read_colour(name) for name in ("green", "orange", "pink")] == [
        read_colour(text) for text in ("0,255,0", "255,200,0", "255,175,175")
    ]
