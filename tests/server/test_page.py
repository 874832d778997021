import io

import numpy as np
import pytest
from headless_browser import Page
from long_cases import sampled
from PIL import Image

PLAYS = "window.player?.frames > 1 && document.getElementById('set-speed') !== null"


def test_one_types_turns_chooses_and_shares_on_one_page_without_a_complaint(
    page: Page, address: str
) -> None:
    page.resize(640, 480)
    page("Page.navigate", url=f"{address}?pattern=531;chickenwing=60;figure=stick")
    page.wait_for(PLAYS)
    assert np.ptp(np.asarray(Image.open(io.BytesIO(page.picture())).convert("L"))[:, :200]) > 100
    assert page.value("player.wings") == [60, 60]
    type_pattern(page, "532")
    page.wait_for("document.getElementById('said').className === 'wrong'")
    # The whole pattern is wrong, and what plays goes on.
    assert page.value("document.querySelector('#said mark').textContent") == "532"
    assert page.value(SAID).endswith("531 keeps playing.")
    # Patterns that may have been meant are a click away.
    near = page.value("[...document.querySelectorAll('#said button')].map((one) => one.innerText)")
    assert near == ["522", "531", "534"]
    page.value("document.querySelectorAll('#said button')[2].click()")
    page.wait_for(titled("534"))
    type_pattern(page, "51")
    page.wait_for(titled("51"))
    assert page.value(SAID).startswith("3 balls, period 2, ")
    turn(page, "bps", "3")
    page.wait_for("location.search.includes('bps=3') && Math.abs(player.loop - 2 / 3) < 1e-9")
    turn(page, "speed", "0.5")
    assert page.value("player.speed") == 0.5
    page.wait_for("location.search.includes('speed=0.5')")
    page.value("document.getElementById('undo').click()")
    page.wait_for("player.speed === 1 && !location.search.includes('speed')")
    page.value("document.getElementById('tab-share').click()")
    link, tag = (page.value(f"document.getElementById('{name}').value") for name in ("link", "tag"))
    assert link == f"{address}?pattern=51;chickenwing=60;figure=stick;bps=3"
    assert f'<iframe src="{address}embed?pattern=51;chickenwing=60;figure=stick;bps=3"' in tag
    page.value("document.getElementById('tab-library').click()")
    page.wait_for("document.querySelectorAll('#patterns li').length > 100")
    page.value("search = document.getElementById('search'); search.value = 'mils mess'")
    page.value("search.dispatchEvent(new Event('input'))")
    page.wait_for("document.querySelector('#patterns b')?.textContent === 'Mills mess'")
    page.value("document.querySelector('#patterns button').click()")
    page.wait_for(titled("Mills mess"))
    # A pattern of the library keeps how one looks at it.
    assert "figure=stick" in page.value("location.search")
    assert page.complaints() == []
    assert {url.partition("?")[0].rpartition("/")[0] + "/" for url in page.requests()} == {address}


@pytest.mark.long
def test_keys_play_step_and_turn_and_the_line_of_time_goes_along(page: Page, address: str) -> None:
    page.resize(1280, 720)
    page("Page.navigate", url=f"{address}?pattern=3")
    page.wait_for(PLAYS)
    page.press(" ")
    page.wait_for("player.paused")
    before = page.value("player.time")
    page.press(".")
    assert page.value("player.time") == pytest.approx(before + 1 / 60)
    page.press("ArrowRight")
    page.wait_for("player.wings[0] === 35 && location.search.includes('chickenwing=35')")
    # In one expression: between two of them the line would go on with the time that is shown.
    page.value(
        "line = document.getElementById('time'); line.value = 0.5;"
        "line.dispatchEvent(new Event('input'))"
    )
    assert page.value("player.time / player.loop") == pytest.approx(0.5)


def test_one_generates_learns_strings_together_and_keeps_what_one_likes(
    page: Page, address: str
) -> None:
    page.resize(390, 844)
    page("Page.navigate", url=f"{address}?pattern=441")
    page.wait_for(PLAYS)
    page.value("localStorage.clear()")
    # What is typed then replaces the pattern.
    page.tap("#pattern")
    assert page.value("(({selectionStart, selectionEnd}) => selectionEnd - selectionStart)("
                      "document.getElementById('pattern'))") == len("441")  # fmt: skip
    page.value("document.getElementById('tab-library').click()")
    choose_shelf(page, "learn")
    # The library's rows stay until those of the lesson are there.
    page.wait_for(f"{LISTED}[1]?.textContent.includes('One ball')")
    page.value(f"{LISTED}[1].querySelector('button').click()")
    page.wait_for(titled("441: One ball"))
    page.tap("#next-step")
    page.wait_for(titled("441: The other hand starts"))
    # A lesson goes on where one left it.
    page.tap("#tab-sliders")
    page.tap("#tab-library")
    page.wait_for(f"Boolean({LISTED}[2].querySelector('[aria-current=true]'))")
    assert page.value(f"{LISTED}[0].querySelector('b').textContent") == "441"
    # One chooses another trick, whose lesson follows.
    page.tap("#learn-other")
    page.wait_for(f"{LISTED}.length > 100")
    page.tap("#patterns li:nth-child(2) button")
    page.wait_for(f"{LISTED}[0].querySelector('b').textContent === 'Reverse cascade'")
    assert page.value("!document.getElementById('learn-other').hidden")
    # It is that of the pattern that is typed, from its top.
    page.value("document.getElementById('pattern').value = '51'")
    page.value("document.getElementById('typed').requestSubmit()")
    page.wait_for(f"{LISTED}[0].querySelector('b').textContent === '51'")
    assert page.value("document.getElementById('library').scrollTop") == 0
    choose_shelf(page, "generate")
    page.wait_for(f"[...{LISTED}].map((row) => row.textContent).join() === '441,522,531,450'")
    page.value(f"{LISTED}[3].querySelector('button').click()")
    page.wait_for(titled("450"))
    page.value("document.getElementById('star').click()")
    check_that_tricks_make_a_routine(page)
    page("Page.navigate", url=f"{address}?pattern=3")
    page.wait_for(PLAYS)
    page.value("document.getElementById('tab-library').click()")
    choose_shelf(page, "favourites")
    page.wait_for(f"[...{LISTED}].map((row) => row.textContent).join() === '450'")
    page.value(f"{LISTED}[0].querySelector('button').click()")
    page.wait_for("document.getElementById('star').ariaPressed === 'true'")
    page.value("document.getElementById('tab-ladder').click()")
    page.wait_for(
        "document.querySelector('#diagram svg') && !document.getElementById('now').hidden"
    )
    assert page.complaints() == []


ROWS = "[...document.querySelectorAll('#lines input')].map((one) => one.value).join()"


def check_that_tricks_make_a_routine(page: Page) -> None:
    choose_shelf(page, "routine")
    page.wait_for(f"{ROWS} === '450 10 s,stop'")
    page.value("document.getElementById('long').value = 2")
    page.value("document.getElementById('unit').value = 'loops'")
    # A name is offered while it is typed, and any text can be added.
    page.value("trick = document.getElementById('trick'); trick.value = 'mills'")
    page.value("trick.dispatchEvent(new Event('input'))")
    page.wait_for("document.querySelector('#meant button')?.textContent === 'Mills mess'")
    page.tap("#meant button")
    page.wait_for(f"{ROWS} === '450 10 s,Mills mess 2 loops,stop'")
    page.wait_for("document.querySelectorAll('#tricks button').length === 3")
    page.value("trick.value = '441'")
    page.tap("#add > button")
    page.wait_for(f"{ROWS} === '450 10 s,Mills mess 2 loops,441 2 loops,stop'")
    page.wait_for("document.querySelectorAll('#tricks button').length === 4")
    # What is juggled is lit above the picture, and a tap goes to another trick.
    page.wait_for("document.querySelector('#tricks [aria-current=true]')?.textContent[0] === '4'")
    page.tap("#tricks button:nth-child(2)")
    page.wait_for("document.querySelector('#tricks [aria-current=true]')?.textContent[0] === 'M'")
    # A line that is wrong says why below it; another one can go.
    page.value("line = document.querySelector('#lines input'); line.value = '532 1 loop'")
    page.value("line.dispatchEvent(new Event('change'))")
    page.wait_for("document.querySelector('#lines [aria-invalid=true]')?.value === '532 1 loop'")
    assert "average" in page.value("document.querySelector('#lines small').textContent")
    page.tap("#lines li:first-child button:nth-of-type(2)")
    page.wait_for(f"{ROWS} === 'Mills mess 2 loops,441 2 loops,stop'")
    page.wait_for("document.querySelectorAll('#tricks button').length === 3")
    assert page.value("player.loop") > 3
    page.tap("#undo")
    page.wait_for(f"{ROWS} === '532 1 loop,Mills mess 2 loops,441 2 loops,stop'")
    page.tap("#undo")
    page.wait_for(f"{ROWS} === '450 10 s,Mills mess 2 loops,441 2 loops,stop'")
    # A line goes up, and the routine has a name.
    page.tap("#lines li:nth-child(2) button:nth-of-type(1)")
    page.wait_for(f"{ROWS} === 'Mills mess 2 loops,450 10 s,441 2 loops,stop'")
    page.value("field = document.getElementById('routine-name'); field.value = 'Three tricks'")
    page.value("field.dispatchEvent(new Event('change'))")
    page.wait_for(titled("Three tricks"))
    page.wait_for(f"{SAID}.startsWith('Three tricks: ')")


def test_a_lesson_leaves_nothing_behind(page: Page, address: str) -> None:
    page.resize(390, 844)
    page("Page.navigate", url=address)
    page.wait_for(PLAYS)
    turn(page, "chickenwing", "60")
    turn(page, "speed", "0.3")
    page.tap("#tab-library")
    choose_shelf(page, "learn")
    # Who has chosen nothing learns the cascade.
    page.wait_for("document.getElementById('next-step').textContent === 'Start the lesson'")
    page.tap("#play")
    page.tap("#next-step")
    page.wait_for(titled("Cascade: One ball"))
    # It begins with standard arms and speed.
    assert page.value("!player.paused && player.wings[0] === 30 && player.speed === 1")
    assert page.value(TURNED) == ""
    # It is named by its step, and its parts push nothing.
    assert page.value("document.getElementById('pattern').placeholder") == "Cascade · step 1"
    assert page.value("document.getElementById('tricks').hidden")
    assert page.value("document.getElementById('next-step').textContent") == "Next step"
    # A tab begins at its top when it is opened again.
    page.value("document.getElementById('library').scrollTop = 200")
    page.tap("#tab-sliders")
    page.tap("#tab-library")
    page.wait_for("document.getElementById('library').scrollTop === 0")
    # A routine begins with the trick, not with the step.
    choose_shelf(page, "routine")
    page.wait_for(f"{ROWS} === 'Cascade 10 s,stop'")
    page.value("document.getElementById('trick').value = '441'")
    page.tap("#add > button")
    page.wait_for(titled("My routine"))
    link = "new URLSearchParams(location.search.replace(/;/g, '&'))"
    assert page.value(f"[...{link}.keys()].join()") == "pattern,speed,chickenwing"
    assert page.value(f"{link}.get('pattern')") == (
        "title=My routine\nprop=ball\n\nCascade 10 s\n441 10 s\nstop\n"
    )
    # Without any trick it is no error.
    page.tap("#lines li:first-child button:nth-of-type(2)")
    page.wait_for(f"{ROWS} === '441 10 s,stop'")
    page.tap("#lines li:first-child button:nth-of-type(2)")
    assert page.value(SAID) == "Add your first trick."
    page.tap("#reset")
    page.wait_for(f"{TURNED} === '' && player.wings[0] === 30")


TURNED = "document.getElementById('turned').textContent"


def test_a_stopped_pattern_moves_once_another_is_typed(page: Page, address: str) -> None:
    page("Page.navigate", url=f"{address}?pattern=531")
    page.wait_for(PLAYS)
    page.value("document.getElementById('play').click()")
    type_pattern(page, "hello")
    page.wait_for("document.getElementById('said').className === 'wrong'")
    said = page.value(SAID)
    assert said.startswith("The library has no pattern")
    assert "juggle-anim" not in said
    type_pattern(page, "522")
    page.wait_for(f"{titled('522')} && !player.paused")
    type_pattern(page, "532")
    page.wait_for("document.getElementById('said').className === 'wrong'")
    page.value("field = document.getElementById('pattern'); field.value = ''")
    page.value("field.dispatchEvent(new Event('input'))")
    # An emptied field says what plays.
    assert page.value(SAID).startswith("3 balls, period 3, ")


def test_what_was_turned_is_told_and_reset(page: Page, address: str) -> None:
    page.resize(390, 844)
    page("Page.navigate", url=f"{address}?pattern=531;prop=club;speed=0.5;chickenwing=60")
    page.wait_for(PLAYS)
    # The speed stands beside the line of time alone.
    assert page.value(TURNED) == "Elbow lift: 60°"
    assert page.value("document.getElementById('rate').textContent") == "0.5×"
    page.tap("#rate")
    page.wait_for("player.speed === 1 && document.getElementById('rate').hidden")
    turn(page, "gravity", "5")
    page.wait_for(f"{TURNED} === '2 settings changed'")
    page.tap("#reset")
    page.wait_for("document.getElementById('reset').hidden && player.wings[0] < 60")
    page.wait_for("location.search === '?pattern=531;prop=club'")
    # A finger that goes up on a slider moves the list.
    page.value("document.querySelectorAll('details').forEach((group) => group.open = true)")
    x, y = page.place("#set-speed")
    page("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
    for way in range(10, 130, 10):
        page("Input.dispatchTouchEvent", type="touchMove", touchPoints=[{"x": x, "y": y - way}])
    page("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
    page.wait_for("document.getElementById('set-speed').value === '1'")
    page.wait_for("player.speed === 1 && !document.getElementById('undo').disabled")


def test_what_is_found_is_seen_above_the_keyboard_of_a_phone(page: Page, address: str) -> None:
    page.resize(390, 844)
    page("Page.navigate", url=f"{address}?pattern=3")
    page.wait_for(PLAYS)
    page.tap("#tab-library")
    page.wait_for(f"{LISTED}.length > 100")
    page.tap("#search")
    page.resize(390, 520)
    page.value("search = document.getElementById('search'); search.value = '4 ball shower'")
    page.value("search.dispatchEvent(new Event('input'))")
    page.wait_for(f"{LISTED}[0].textContent.startsWith('Four-ball shower')")
    lowest = page.value(f"{LISTED}[1].getBoundingClientRect().bottom")
    assert lowest < 520
    # What is tapped does not move away under the finger.
    page.touch(page.place("#patterns li:nth-child(2)"))
    page.wait_for(titled("Four-ball bounce shower"))
    page.wait_for("document.getElementById('typed').clientHeight > 0")


@pytest.mark.long
def test_a_list_is_not_tapped_while_another_is_looked_for(page: Page, address: str) -> None:
    page("Page.navigate", url=f"{address}?pattern=3")
    page.wait_for(PLAYS)
    page.value("document.getElementById('tab-library').click()")
    page.wait_for(f"{LISTED}.length > 100")
    busy = page.value(
        "search = document.getElementById('search'); search.value = '4 ball shower';"
        "search.dispatchEvent(new Event('input'));"
        "getComputedStyle(document.getElementById('patterns')).pointerEvents"
    )
    assert busy == "none"
    page.wait_for("getComputedStyle(document.getElementById('patterns')).pointerEvents === 'auto'")
    assert page.value(f"{LISTED}[0].textContent").startswith("Four-ball shower")


SAID = "document.getElementById('said').textContent"
LISTED = "document.querySelectorAll('#patterns li')"


def choose_shelf(page: Page, name: str) -> None:
    page.tap(f"#shelves label:has([value={name}])")


@pytest.mark.parametrize("size", sampled([(390, 844), (844, 390), (1280, 720)], (390, 844)))
def test_the_picture_stays_in_view_and_thumbs_hit_everything(
    page: Page, address: str, size: tuple[int, int]
) -> None:
    page.resize(*size)
    page("Page.navigate", url=address)
    page.wait_for(PLAYS)
    # Nothing moves under a finger that goes to another tab.
    place = "JSON.stringify(document.getElementById('tab-share').getBoundingClientRect())"
    before = page.value(place)
    for tab in ("library", "ladder", "share", "sliders"):
        page.tap(f"#tab-{tab}")
        assert page.value(place) == before
    page.value("document.querySelectorAll('details').forEach((group) => group.open = true)")
    # Nor when what a setting does is told.
    row = "document.getElementById('set-bps').getBoundingClientRect().y"
    before = page.value(row)
    turn(page, "speed", "0.5")
    page.value("document.getElementById('set-speed').focus()")
    told = "getComputedStyle(document.getElementById('set-speed-help')).display"
    assert (page.value(told), page.value(row)) == ("block", before)
    page.value("document.getElementById('sliders').scrollTop = 1e4")
    width, height = page.value("(({width, height}) => [width, height])("
                               "document.getElementById('picture').getBoundingClientRect())")  # fmt: skip
    assert width * height > 0.3 * size[0] * size[1]
    assert page.value("document.documentElement.scrollWidth") == size[0]
    small = page.value(SMALL)
    assert small == []


SMALL = """
[...document.querySelectorAll("button, input, select, summary")].filter((one) => {
    const { width, height } = one.getBoundingClientRect();
    return width && (width < 44 || height < 44);
}).map((one) => one.outerHTML)
"""


def titled(name: str) -> str:
    return f"document.title === '{name} – juggle-anim'"


def turn(page: Page, key: str, value: str) -> None:
    page.value(f"row = document.getElementById('set-{key}'); row.value = {value}")
    page.value("row.dispatchEvent(new Event('input'))")


def type_pattern(page: Page, text: str) -> None:
    page.value(f"document.getElementById('pattern').value = {text!r}")
    page.value("document.getElementById('typed').requestSubmit()")
