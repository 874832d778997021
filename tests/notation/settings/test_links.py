import pytest

from juggle_anim.animation import animate


@pytest.mark.parametrize(
    ("link", "settings"),
    [
        (
            "https://jugglinglab.org/anim?pattern=531;dwell=1;width=400;slowdown=2",
            "pattern=531;dwell=1",
        ),
        ("https://jugglinglab.org/anim?531", "pattern=531"),
        ("https://jugglinglab.org/anim?pattern=%3C3p%7C3p%3E&bps=4", "pattern=<3p|3p>;bps=4"),
        ("https://passist.org/siteswap/726?jugglers=2", "pattern=726;hss=4"),
        ("https://passist.org/siteswap/786?jugglers=3&fullscreen", "pattern=786;hss=6"),
        ("HTTP://example.org/animator#siteswap=531&beatDuration=0.3", "pattern=531"),
        ("  https://example.org/?props=ball&throws=b97531  ", "pattern=b97531"),
    ],
)
def test_a_link_to_an_animator_opens_as_the_pattern_in_it(link: str, settings: str) -> None:
    assert animate(link).settings == animate(settings).settings
