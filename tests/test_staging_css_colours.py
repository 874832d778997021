from PIL import ImageColor

from juggle_anim.notation.staging.css_colours import CSS_COLOURS


def test_every_name_of_css_has_its_colour() -> None:
    named = {name.replace("grey", "gray"): ImageColor.getrgb(name) for name in ImageColor.colormap}
    assert {name: ImageColor.getrgb(f"#{digits}") for name, digits in CSS_COLOURS.items()} == named
