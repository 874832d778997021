"""State graph, collisions and QR code in the page."""

import segno
from headless_browser import Page


def test_the_page_shows_states_collisions_and_a_qr_code(page: Page, address: str) -> None:
    page.resize(390, 844)
    page("Page.navigate", url=f"{address}?pattern=531")
    page.wait_for("window.player?.frames > 1")
    page.tap("#tab-ladder")
    page.wait_for("document.querySelectorAll('#diagram button').length > 3")
    page.value("document.getElementById('kind').focus()")
    page.press("ArrowDown")
    page.wait_for("document.querySelector('#diagram title')?.textContent === 'States of 531'")
    assert page.value("document.querySelectorAll('#diagram button').length") == 0
    page.tap("#collisions")
    page.wait_for("said.textContent.startsWith('No; closest: prop ') && player.paused")
    page.tap("#tab-share")
    page.tap("#code summary")
    page.wait_for("Boolean(document.querySelector('#qr path'))")
    link = page.value("document.getElementById('link').value")
    assert page.value("document.querySelector('#qr svg').getAttribute('aria-label')") == link
    modules = segno.make(link, error="m", micro=False, boost_error=False).symbol_size()[0]
    assert page.value("document.querySelector('#qr svg').viewBox.baseVal.width") == modules
    assert page.complaints() == []
