"""Editing in the page: throws are dragged and chosen by fingers, mice and keys."""

import pytest
from headless_browser import Page

FIRST = "#diagram button[data-number='0']"
"""The first throw on the ladder."""


@pytest.fixture
def ladder(page: Page, address: str, request: pytest.FixtureRequest) -> Page:
    """The page with 531 and its ladder, in a window of the size that a test asks for."""
    page.resize(*getattr(request, "param", (390, 844)))
    page("Page.navigate", url=f"{address}?pattern=531;chickenwing=60")
    page.wait_for("window.player?.frames > 1")
    page.tap("#tab-ladder")
    page.wait_for(f"Boolean(document.querySelector(`{FIRST}`))")
    return page


def landing(page: Page, text: str) -> tuple[float, float]:
    """Where the first throw of 531 is let go for the pattern `text`, [pixels]."""
    share = page.value(
        "fetch('landings?pattern=531;throw=0').then((answer) => answer.json())"
        f".then(({{ landings }}) => landings.find((one) => one.text === '{text}'))"
    )
    box = page.value("document.getElementById('diagram').getBoundingClientRect().toJSON()")
    return box["x"] + share["x"] * box["width"], box["y"] + share["y"] * box["height"]


def shows(pattern: str) -> str:
    return (
        f"document.title === '{pattern} – juggle-anim' && "
        f"document.querySelector('#diagram title')?.textContent.startsWith('{pattern}')"
    )


@pytest.mark.long
def test_a_finger_drags_a_throw_to_another_landing_and_takes_it_back(ladder: Page) -> None:
    ladder.touch(ladder.place(FIRST), landing(ladder, "441"))
    ladder.wait_for(shows("441"))
    assert ladder.value("location.search") == "?pattern=441;chickenwing=60"
    ladder.tap("#undo")
    ladder.wait_for(shows("531"))
    ladder.tap("#redo")
    ladder.wait_for(shows("441"))
    x, y = ladder.place(FIRST)
    # The finger sees what it makes above it.
    goal_x, goal_y = landing(ladder, "531")
    ladder("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
    ladder("Input.dispatchTouchEvent", type="touchMove", touchPoints=[{"x": x + 20, "y": y}])
    ladder.wait_for("Boolean(document.querySelector('.ring'))")
    ladder("Input.dispatchTouchEvent", type="touchMove", touchPoints=[{"x": goal_x, "y": goal_y}])
    label = "document.getElementById('landing')"
    ladder.wait_for(f"!{label}.hidden && {label}.textContent !== ''")
    assert ladder.value(f"{label}.getBoundingClientRect().bottom") < goal_y
    ladder("Input.dispatchTouchEvent", type="touchCancel", touchPoints=[])
    ladder.wait_for(f"{label}.hidden")
    # Let go far from all landings, all stays.
    ladder.touch((x, y), (x - 40, y + 250))
    ladder.wait_for("document.getElementById('aim').hidden && !document.querySelector('.ring')")
    assert ladder.value("location.search") == "?pattern=441;chickenwing=60"
    assert ladder.complaints() == []


def test_a_tap_on_a_throw_opens_a_menu_of_edits(ladder: Page) -> None:
    ladder.tap(FIRST)
    ladder.wait_for("document.getElementById('menu').open")
    words = "[...document.querySelectorAll('#lines-of-menu b')].map((one) => one.textContent)"
    assert ladder.value("document.getElementById('menu-title').textContent") == (
        "Right hand throws 5 to left hand"
    )
    assert "Insert beat before" in ladder.value(words)
    ladder.tap(f"#lines-of-menu li:nth-child({ladder.value(words).index('Body throw') + 1}) button")
    ladder.wait_for("document.getElementById('menu-title').textContent === 'Body throw'")
    ladder.value("document.querySelector('#diagram svg').dataset.before = true")
    ladder.tap("#lines-of-menu li:nth-child(2) button")
    ladder.wait_for("location.search.includes('throws=backcross')")
    # The button may move until the ladder of the edited pattern is drawn.
    ladder.wait_for("document.querySelector('#diagram svg')?.dataset.before === undefined")
    ladder.tap("#whole")
    ladder.wait_for("document.getElementById('menu-title').textContent === 'Whole pattern'")
    ladder.tap("#lines-of-menu li:nth-child(3) button")  # reverse
    ladder.wait_for("location.search.includes('pattern=153')")
    assert ladder.complaints() == []


@pytest.mark.parametrize("ladder", [(1280, 720)], indirect=True)
def test_a_mouse_drags_throws_and_keys_edit_them(ladder: Page) -> None:
    ladder.drag(ladder.place(FIRST), landing(ladder, "441"))
    ladder.wait_for(shows("441"))
    ladder.press("z", control=True)
    ladder.wait_for(shows("531"))
    ladder.value("document.getElementById('tab-ladder').focus()")
    for _stop in ("the kind of diagram", "collisions", "the first throw"):
        ladder.press("Tab")
    assert ladder.value("document.activeElement.ariaLabel") == "Right hand throws 5 to left hand"
    ladder.press("ArrowLeft", shift=True)
    ladder.wait_for(shows("441"))
    ladder.wait_for("document.activeElement.ariaLabel === 'Right hand throws 4 to right hand'")
    ladder.press("ArrowRight")
    assert ladder.value("document.activeElement.ariaLabel") == "Left hand throws 4 to left hand"
    ladder.press("Enter")
    ladder.wait_for("document.getElementById('menu').open")
    ladder.press("Escape")
    ladder.wait_for("!document.getElementById('menu').open")
    ladder.press("y", control=True)
    assert ladder.value("location.search") == "?pattern=441;chickenwing=60"
    assert ladder.complaints() == []
