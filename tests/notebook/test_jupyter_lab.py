from pathlib import Path

import pytest
from headless_browser import Page
from jupyter_lab import Lab, run_cell, save

CELLS = [
    'import juggle_anim as ja\nja.animate("531", figure="stick")',
    'widget = ja.widget(ja.animate("531", figure="stick"))\nwidget',
    'print("tempo", widget.bps)',
    "widget.bps = 3\nwidget.dwell = 1000",
]
SLIDER = "document.querySelector('.juggle-anim input')"
WIDGET = "document.querySelector('.juggle-anim iframe:not(.coming)')?.contentWindow?.player"
# The server's own page is never in this state, so it tells when all cells can be run.
IDLE = "document.querySelector('.jp-Notebook-ExecutionIndicator')?.dataset.status === 'idle'"


@pytest.mark.long
def test_jupyter_lab_plays_turns_sliders_in_both_directions_and_its_export_plays_without_a_network(
    page: Page, tmp_path: Path
) -> None:
    lab = Lab.installed(tmp_path)
    notebook = lab.write("a.ipynb", CELLS)
    with lab.serving() as address:
        page.resize(1280, 900)
        page("Page.navigate", url=address + notebook.name)
        page.wait_for(
            f"document.querySelectorAll('.jp-CodeCell').length === {len(CELLS)} && {IDLE}"
        )
        check_an_animation_plays(page)
        check_a_slider_and_an_attribute_move_each_other(page)
        assert [each for each in page.complaints() if "juggle" in str(each)] == []
        save(page, notebook)
    check_an_export_plays_without_a_network(page, lab.exported(notebook))


def check_an_animation_plays(page: Page) -> None:
    run_cell(page, 0)
    page.wait_for("document.querySelectorAll('iframe').length === 1")
    page.value("document.querySelector('iframe').scrollIntoView()")
    check_it_moves(page)


def check_a_slider_and_an_attribute_move_each_other(page: Page) -> None:
    run_cell(page, 1)
    page.wait_for(f"{WIDGET}?.frames > 1")
    shown = (
        "[...document.querySelectorAll('.juggle-anim-player')].map((each) => "
        "each.getBoundingClientRect().height)"
    )
    assert page.value(shown) == [0]
    box = page.value(
        f"({SLIDER}.scrollIntoView({{ block: 'center' }}), "
        f"{SLIDER}.getBoundingClientRect().toJSON())"
    )
    middle = box["top"] + box["height"] / 2
    page.drag(
        (box["left"] + 0.4 * box["width"], middle), (box["left"] + 0.8 * box["width"], middle)
    )
    tempo = page.value(f"{SLIDER}.value")
    assert float(tempo) > 6
    page.wait_for("document.querySelector('.juggle-anim iframe.coming') !== null")
    page.wait_for(f"!document.querySelector('.juggle-anim iframe.coming') && {WIDGET}?.frames > 1")
    run_cell(page, 2)
    page.wait_for(
        f"document.querySelector('.jp-Notebook').innerText.includes('tempo {float(tempo)}')"
    )
    run_cell(page, 3)
    page.wait_for(f"{SLIDER}.value === '3'")
    page.wait_for(
        "document.querySelector('.juggle-anim .error').textContent.startsWith('dwell is 1000')"
    )


def check_an_export_plays_without_a_network(page: Page, path: Path) -> None:
    page(
        "Network.emulateNetworkConditions",
        offline=True,
        latency=0,
        downloadThroughput=0,
        uploadThroughput=0,
    )
    page("Page.navigate", url=path.as_uri())
    page.wait_for(
        "document.querySelector('.juggle-anim-player iframe')?.getBoundingClientRect().height === "
        "480"
    )
    source = "document.querySelector('.juggle-anim-player iframe').srcdoc"
    # It is the animation as it was turned last: 531 has six beats.
    loop = f"""JSON.parse({source}.match(/id="given">(.*?)<.script>/s)[1]).loop"""
    assert page.value(loop) == pytest.approx(6 / 3)
    page.value("document.querySelector('.juggle-anim-player').scrollIntoView()")
    check_it_moves(page)


def check_it_moves(page: Page) -> None:
    before = page.picture()
    while page.picture() == before:
        pass
