"""Goes through the cards of a real window in several languages, and tells which words are cut,
covered, or English.

Run it with languages, each with a size of the window and its dots per inch, as `de:640x480@96`. It
writes a list of faults as JSON.
"""

from __future__ import annotations

import json
import re
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from imgui_bundle import imgui

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "docs"), str(ROOT / "tests" / "support")]

import sitter as portraits  # noqa: E402
from catalogues import read_catalogue  # noqa: E402

from juggle_anim.language import choose_language  # noqa: E402
from juggle_anim.viewer.arms.arm_lab import TITLES  # noqa: E402
from juggle_anim.viewer.cards import ui  # noqa: E402
from juggle_anim.viewer.panel.controls import PANEL_CONTROLS  # noqa: E402
from juggle_anim.viewer.state.keymap import PLOTS, Action  # noqa: E402

_NEAR, _HIGH = 1.5, 4.0  # words may touch so far across and down, [pixels]
_WORD = re.compile(r"[^\W\d_]{4}")

ROUTINE = "title=Three tricks\n531 2 loops\nMills mess 1 loops\nstop"
SCENES: dict[str, tuple[str, tuple[Action, ...]]] = {
    "library": ("531", (Action.BROWSE, Action.CHOOSE_NEXT, Action.CHOOSE_NEXT)),
    "level": ("531", (Action.LEVEL,)),
    "lesson": ("531", (Action.LEARN,)),
    "lesson of two": ("<3p 3|3p 3>", (Action.LEARN,)),
    "states": ("531", (Action.STATE_GRAPH,)),
    "facts": ("45141", (Action.FACTS,)),
    "editing": ("531", (Action.EDIT, Action.HANDLE_AFTER)),
    "menu": ("531", (Action.EDIT, Action.HANDLE_AFTER, Action.EDIT_MENU)),
    "events": ("531", (Action.EVENTS, Action.EDIT, Action.HANDLE_AFTER)),
    "routine": (ROUTINE, (Action.ROUTINE,)),
    "no routine": ("531", (Action.ROUTINE,)),
    "camera path": (
        "531", (Action.CAMERA_PATH, Action.ADD_POINT, Action.FROM_TOP, Action.ADD_POINT,
            Action.CHOOSE_PREVIOUS),
    ),
    "generator": ("531", (Action.GENERATE,)),
    "goal": ("531", (Action.GOAL,)),
    "save": ("531", (Action.SAVE_AS,)),
    "open": ("531", (Action.OPEN_FILE,)),
    "presets": ("531", (Action.PRESETS,)),
    "notice": ("531", (Action.PATTERN_BEFORE,)),
    "split": ("531", (Action.SPLIT,)),
    "palette": ("531", (Action.PALETTE,)),
    "help": ("531", (Action.TOGGLE_HELP,)),
    "more help": ("531", (Action.TOGGLE_HELP, Action.TOGGLE_HELP)),
    "welcome": ("531", (Action.WELCOME,)),
}  # fmt: skip
"""By name: a pattern, and the actions that lead to a card."""


def _show_curves(controller: Any) -> None:
    controller.model.plots.turn_to(TITLES.index("Joints"))
    controller.model.cards.strip = PLOTS


MORE: dict[str, Callable[[Any], object]] = {
    "ladder": lambda controller: controller.model.diagrams.show("ladder"),
    "curves": _show_curves,
    "error": lambda controller: controller.model.type_pattern("543"),
    **{
        f"slider {row.name}": lambda controller, row=row: controller.model.reach(row)
        for row in PANEL_CONTROLS[4::5]
    },
}  # fmt: skip
"""By name: what is done with a window that has just been opened."""


class Drawn(NamedTuple):
    """Words as they were drawn: in which card, where, and the place beyond which nothing is seen,
    [pixels].
    """

    card: tuple[str, bool]
    words: str
    place: tuple[float, float, float, float]
    clip: tuple[float, float, float, float]


WORDS: list[Drawn] = []
SHORTENED: list[str] = []
_add_text, _ellipsized = imgui.ImDrawList.add_text, ui._ellipsized


def _record(draw: imgui.ImDrawList, *given: Any, **more: Any) -> None:
    _add_text(draw, *given, **more)
    font, size, place, _tint, words, *wrap = given
    imgui.push_font(font, size)
    wide, high = imgui.calc_text_size(words, wrap_width=wrap[0] if wrap and wrap[0] else -1.0)
    imgui.pop_font()
    x, y = place
    low, top = draw.get_clip_rect_min()
    right, bottom = draw.get_clip_rect_max()
    card = imgui.internal.get_current_window_read().name, draw is imgui.get_foreground_draw_list()
    WORDS.append(Drawn(card, words, (x, y, x + wide, y + high), (low, top, right, bottom)))


def _shorten(words: str, *how: Any, **more: Any) -> str:
    shown = _ellipsized(words, *how, **more)
    if shown != words and _WORD.search(words) and "=" not in words:  # settings may have any length
        SHORTENED.append(f"{words} → {shown}")
    return shown


def faults(size: tuple[int, int], english: set[str]) -> Iterator[str]:
    """Tell what is wrong with the words that were drawn last, in a window of a size, [pixels]."""
    yield from (f"shortened: {words}" for words in SHORTENED)
    cards = defaultdict[tuple[str, bool], list[Drawn]](list)
    for each in WORDS:
        (left, top, right, bottom), (low, upper, high, lower) = each.place, each.clip
        if bottom <= upper + 1 or top >= lower - 1:
            continue  # scrolled away
        if each.words in english:
            yield f"English: {each.words}"
        if left < low - _NEAR or right > min(high, size[0]) + _NEAR:
            yield f"cut: {each.words}"
        if "/" not in each.card[0] and bottom > min(lower, size[1]) + _HIGH:
            yield f"below the edge: {each.words}"
        cards[each.card].append(each)
    for drawn in cards.values():
        yield from (
            f"over each other: {one.words} and {other.words}"
            for number, one in enumerate(drawn)
            for other in drawn[number + 1 :]
            if one.words.strip()
            and other.words.strip()
            and one.place[:2] != other.place[:2]
            and _covers(one, other)
        )


def _covers(one: Drawn, other: Drawn) -> bool:
    low, top, right, bottom = (
        (max if number < 2 else min)(
            one.place[number], other.place[number], one.clip[number], other.clip[number]
        )
        for number in range(4)
    )
    return right - low > _NEAR and bottom - top > _HIGH


def english_words(code: str) -> set[str]:
    """Texts that the catalogue of a language says in another way, and that are no words of that
    language.
    """
    said = [
        (str(message.id), str(message.string))
        for message in read_catalogue(code)
        if isinstance(message.id, str)
    ]
    words = {translation for _text, translation in said}
    return {
        text
        for text, translation in said
        if text != translation and text not in words and _WORD.search(text)
    }


def main(windows: list[str]) -> None:
    """Go through all cards in some windows, and write the faults."""
    imgui.ImDrawList.add_text = _record  # type: ignore[method-assign, assignment]
    ui._ellipsized = _shorten  # type: ignore[assignment]
    ui._wrapped = ui._wrapped.__wrapped__  # type: ignore[assignment, attr-defined]
    found = list[str]()
    portraits.animate = lru_cache(portraits.animate)  # type: ignore[assignment]
    with portraits.Sitter((640, 480)) as sitter, sitter.unpainted():
        viewer = sitter._viewer
        viewer._dpi.advance = lambda _elapsed: False  # type: ignore[method-assign]
        for window in windows:
            code, wide, high, dpi = re.split("[:x@]", window)
            size = int(wide), int(high)
            sitter.resize(size)
            viewer._dpi._dpi = float(dpi)
            choose_language(code)
            english = english_words(code) if code != "en" else set()
            for name in (*SCENES, *MORE):
                _show(sitter, name)
                WORDS.clear()
                SHORTENED.clear()
                viewer.draw(0.0)
                found += [f"{window}, {name}: {fault}" for fault in faults(size, english)]
    print(json.dumps(sorted(set(found))))


def _show(sitter: portraits.Sitter, name: str) -> None:
    pattern, actions = SCENES.get(name, ("531", ()))
    controller = sitter.show(pattern, 0.5)
    controller.library.prompt.dialog = None
    controller.model.listing.folded.clear()
    sitter._draw(2)
    for action in actions:
        controller.perform(action)
        sitter._draw(2)
    if name in MORE:
        MORE[name](controller)
    sitter._draw(3)


if __name__ == "__main__":
    main(sys.argv[1:])
