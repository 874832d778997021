"""The page for everybody: axe-core finds nothing wrong, and words, keys and settings of a system do."""

import json
from importlib.resources import files

import pytest
from headless_browser import Page
from long_cases import sampled

import juggle_anim as ja
from juggle_anim.diagrams.timeline import pattern_in_words
from juggle_anim.language import speaking

AXE = (files("axe_core_python") / "axe.min.js").read_text("utf-8")
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"]
SIZES = [(390, 844), (1280, 720)]


def open_page(page: Page, address: str, size: tuple[int, int], query: str = "") -> None:
    page.resize(*size)
    page("Page.navigate", url=f"{address}?{query}")
    page.wait_for("window.player?.frames > 1")


def violations(page: Page) -> list[str]:
    """What axe-core complains about, with the first element of each."""
    # What is right is not collected, which would take most of the time.
    given = json.dumps({"runOnly": {"type": "tag", "values": RULES}, "resultTypes": ["violations"]})
    told: list[str] = page.value(
        f"axe.run(document, {given}).then(({{ violations }}) => violations.map((one) =>"
        "`${one.id}: ${one.nodes[0].html}`))"
    )
    return told


@pytest.mark.parametrize("size", sampled(SIZES, SIZES[0]))
def test_axe_finds_nothing_wrong_in_any_tab(
    page: Page, address: str, size: tuple[int, int]
) -> None:
    open_page(page, address, size)
    page.value("player.stage.renderer.setAnimationLoop(null)")  # drawing takes what axe needs
    page("Runtime.evaluate", expression=AXE)
    assert violations(page) == []
    page.tap("#tab-library")
    page.value("(search = document.getElementById('search')).value = 'mills'")
    page.value("search.dispatchEvent(new Event('input'))")
    page.wait_for("document.querySelector('#patterns b')?.textContent.includes('ills')")
    assert violations(page) == []
    page.tap("#tab-share")
    assert violations(page) == []
    page.tap("#tab-ladder")
    page.wait_for("document.querySelectorAll('#diagram button').length > 3")
    assert violations(page) == []
    page.tap("#diagram button")
    page.wait_for("document.getElementById('menu').open")
    assert violations(page) == []
    page.press("Escape")
    page.tap("#along")
    page.wait_for("!document.getElementById('along-bar').hidden")
    assert violations(page) == []


def test_a_pattern_is_told_in_words_in_every_language(page: Page, address: str) -> None:
    open_page(page, address, (1280, 720), "pattern=531;lang=de")
    words = "document.getElementById('in-words')"
    page.wait_for(f"{words}.textContent.includes('Rechte Hand wirft 5')")
    assert page.value(f"{words}.role || {words}.getAttribute('role')") == "status"
    pattern = ja.animate("531").score.pattern
    assert pattern is not None
    assert pattern_in_words(pattern) == (
        "Right hand throws 5 to left hand; left hand throws 3 to right hand; "
        "right hand throws 1 to left hand; then the same with hands swapped."
    )
    told = set()
    for code in ("en", "de", "es", "fr", "pt"):
        with speaking(code):
            told.add(pattern_in_words(pattern))
    assert len(told) == 5


def test_who_wants_no_motion_sees_the_pattern_stand(page: Page, address: str) -> None:
    page("Emulation.setEmulatedMedia", features=[_feature("prefers-reduced-motion", "reduce")])
    open_page(page, address, (1280, 720))
    assert page.value("player.paused")
    assert page.value("document.getElementById('play').ariaLabel") == "Play"
    page.press(" ")
    assert not page.value("player.paused")
    page("Emulation.setEmulatedMedia", features=[_feature("prefers-contrast", "more")])
    assert page.value("getComputedStyle(document.body).color") == "rgb(0, 0, 0)"


def _feature(name: str, value: str) -> dict[str, str]:
    return {"name": name, "value": value}


@pytest.mark.long
def test_text_twice_as_large_loses_nothing(page: Page, address: str) -> None:
    zoomed = (640, 360)  # what a window of 1280 x 720 has when it is zoomed to 200 %
    open_page(page, address, zoomed)
    check_that_nothing_is_lost(page, zoomed)
    page.value("document.documentElement.style.fontSize = '200%'")
    for size in SIZES:
        page.resize(*size)
        page.wait_for(f"innerWidth === {size[0]} && innerHeight === {size[1]}")
        check_that_nothing_is_lost(page, size)


def check_that_nothing_is_lost(page: Page, size: tuple[int, int]) -> None:
    """In any tab of a window of this size, [pixels]."""
    for name in ("sliders", "library", "ladder", "share"):
        page.value(f"document.getElementById('tab-{name}').click()")
        assert page.value("document.documentElement.scrollWidth") <= size[0]
        assert page.value(f"document.getElementById('{name}').clientHeight") >= 44
        assert page.value(CUT) == []


CUT = """
[...document.querySelectorAll("button, input, select, label, summary, output")].filter((one) => {
    const { left, right, width } = one.getBoundingClientRect();
    return width > 1 && (left < -1 || right > innerWidth + 1);
}).map((one) => one.outerHTML)
"""
"""Elements that stand beyond the sides of the window."""


@pytest.mark.long
def test_keys_turn_the_camera_and_walk_through_tabs(page: Page, address: str) -> None:
    open_page(page, address, (1280, 720))
    place = "player.view.camera.position.toArray()"
    before = page.value(place)
    page.value("document.getElementById('picture').focus()")
    page.press("]")
    turned = page.value(place)
    assert turned != before
    page.press("[")
    assert page.value(place) == pytest.approx(before)
    page.value("document.getElementById('tab-sliders').focus()")
    for name in ("library", "ladder", "share"):
        page.press("ArrowRight")
        assert page.value("document.activeElement.id") == f"tab-{name}"
        assert not page.value(f"document.getElementById('{name}').hidden")
