import io
from collections.abc import Iterator

import numpy as np
import pytest
from headless_browser import Page
from PIL import Image
from served import served

PLAYS = "document.querySelector('#stage iframe:not(.coming)')?.contentWindow.player.frames > 1"
TITLE = "document.querySelector('#stage iframe:not(.coming)').contentDocument.title"


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with served() as server:
        yield server.address


def test_one_types_turns_chooses_and_shares_on_one_page_without_a_complaint(
    page: Page, address: str
) -> None:
    page.resize(640, 480)
    page("Page.navigate", url=f"{address}?pattern=531;chickenwing=60;figure=stick")
    page.wait_for(PLAYS)
    assert np.ptp(np.asarray(Image.open(io.BytesIO(page.picture())).convert("L"))[:, :200]) > 100
    type_pattern(page, "532")
    page.wait_for("document.getElementById('said').className === 'wrong'")
    assert page.value(TITLE) == "531"
    type_pattern(page, "51")
    page.wait_for(f"{PLAYS} && {TITLE} === '51'")
    assert page.value("document.getElementById('said').textContent").startswith(
        "3 balls, period 2, "
    )
    page.value(
        "set = document.getElementById('set-bps'); set.value = 3; set.dispatchEvent(new "
        "Event('input'))"
    )
    page.wait_for(
        f"location.search.includes('bps=3') && !document.querySelector('.coming') && {PLAYS}"
    )
    page.value("document.getElementById('tab-share').click()")
    link, tag = (page.value(f"document.getElementById('{name}').value") for name in ("link", "tag"))
    assert link == f"{address}?pattern=51;figure=stick;bps=3;chickenwing=60"
    assert f'<iframe src="{address}embed?pattern=51;figure=stick;bps=3;chickenwing=60"' in tag
    page.value("document.getElementById('tab-library').click()")
    page.wait_for("document.querySelectorAll('#patterns li').length > 100")
    page.value("search = document.getElementById('search'); search.value = 'mills mess'")
    page.value("search.dispatchEvent(new Event('input'))")
    page.wait_for("document.querySelector('#patterns b').textContent === 'Mills mess'")
    page.value("document.querySelector('#patterns button').click()")
    page.wait_for(f"{TITLE} === 'Mills mess'")
    assert page.complaints() == []
    assert {url.partition("?")[0].rpartition("/")[0] + "/" for url in page.requests()} == {address}


def type_pattern(page: Page, text: str) -> None:
    page.value(f"document.getElementById('pattern').value = {text!r}")
    page.value("document.getElementById('typed').requestSubmit()")
