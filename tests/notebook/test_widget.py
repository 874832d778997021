import json
from pathlib import Path
from typing import Any

import pytest
from headless_browser import Page
from widget_page import PLAYER, write_page

import juggle_anim as ja
from juggle_anim.notebook import AnimationWidget


def test_an_attribute_changes_what_plays_and_what_cannot_be_is_told_and_undone() -> None:
    widget = ja.widget("531")
    heard: list[Any] = []
    widget.observe(lambda change: heard.append(change["new"]), "bps")
    before = widget.page
    widget.bps = 4
    assert (widget.animation.parameters.bps, heard) == (4, [4])
    assert widget.page != before
    widget.bps = 1000
    assert "bps is 1000" in widget.error
    assert (widget.bps, widget.animation.parameters.bps) == (4, 4)
    widget.scoop = 50
    assert widget.error == ""
    widget.animation = ja.animate("441", chicken_wing=70)
    assert "441" in widget.page
    assert (widget.bps, widget.left_wing, widget.animation.parameters.wings) == (
        None,
        None,
        (70, 70),
    )


def test_patterns_of_events_have_no_sliders_that_change_their_times(tmp_path: Path) -> None:
    events = ja.animate("531").edit().move_event(0, time=0.05)
    names = [row["name"] for row in AnimationWidget(events).rows]
    assert names == ["scoop", "prop_diameter", "human"]


def test_a_slider_in_the_browser_and_an_attribute_in_python_move_each_other(
    page: Page, tmp_path: Path
) -> None:
    widget = ja.widget(ja.animate("531", figure="stick"))
    write_page(tmp_path / "a.html", widget)
    page.resize(640, 480)
    page("Page.navigate", url=(tmp_path / "a.html").as_uri())
    page.wait_for(f"{PLAYER}?.frames > 1")
    page.value(
        "input = document.querySelector('input'); input.value = 5; input.dispatchEvent(new "
        "Event('input'))"
    )
    page.wait_for("model.saved.length === 1")
    (saved,) = page.value("model.saved")
    assert saved == {"bps": 5}
    for name, value in saved.items():
        setattr(widget, name, value)
    page.value(f"model.told('page', {json.dumps(widget.page)})")
    document = "document.querySelector('iframe:not(.coming)').contentDocument"
    loop = f"JSON.parse({document}.getElementById('given').textContent).loop"
    page.wait_for(f"Math.abs({loop} - {widget.animation.duration}) < 1e-9")
    widget.dwell = 1.8
    page.value("model.told('dwell', 1.8)")
    assert page.value("document.querySelectorAll('output')[1].textContent") == "1.8 beats"
    page.value(f"({PLAYER}).wings[0] = 75")
    page.wait_for("model.saved.length === 2")
    assert page.value("model.saved[1]") == {"left_wing": 75}
    page.value("model.told('right_wing', 10)")
    assert page.value(f"{PLAYER}.wings") == [75, 10]
    page.value("stop()")
    assert page.complaints() == []


def test_a_notebook_shows_an_animation_that_plays_without_kernel_files_or_network(
    page: Page, tmp_path: Path
) -> None:
    shown = ja.animate('pattern=3;title="<b>&')._repr_mimebundle_()
    assert shown["text/plain"].startswith('<Animation "<b>&: ')
    assert len(shown["text/html"]) < 2_000_000
    # What a notebook exported as HTML is, as far as it matters here.
    path = tmp_path / "notebook.html"
    path.write_text(f"<!doctype html><meta charset=utf-8><body>{shown['text/html']}</body>")
    page.resize(640, 480)
    page("Page.navigate", url=path.as_uri())
    frame = "document.querySelector('iframe')"
    page.wait_for(f"{frame}?.getBoundingClientRect().height === 480")
    assert page.value(f"{frame}.title") == '"<b>&, juggled in 3D'
    before = page.picture()
    while page.picture() == before:
        pass
    assert page.complaints() == []
    assert [asked for asked in page.requests() if not asked.startswith(("file:", "about:"))] == []


def test_a_loop_too_long_for_a_page_is_told_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("juggle_anim.exporter.page.page.MAX_BYTES", 500_000)
    shown = ja.animate("3")._repr_mimebundle_()
    assert "save a video" in shown["text/plain"]
    assert "text/html" not in shown
