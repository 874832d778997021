"""What the two pages on the viewer name is there, and they name all of it: keys, sliders, groups,
words and pages.
"""

import re

from paths import DOCS

from juggle_anim.parameters import Choice
from juggle_anim.viewer.panel.controls import PANEL_CONTROLS
from juggle_anim.viewer.state.keymap import BINDINGS, Action, binding_for

PAGE = "".join(
    (DOCS / name).read_text(encoding="utf-8") for name in ("viewer.md", "viewer_reference.md")
)
CODES = set(re.findall(r"`([^`\n]+)`", PAGE))
KEY = re.compile(
    r"((Ctrl|Shift|Alt)\+)*([A-Z\d]|F\d+|[,.?/+−↑↓←→-]|Space|Tab|Home|Enter|Esc|Delete|Del|Ins|PgUp|PgDn)"
)
NAMES = {
    "↑": "up", "↓": "down", "←": "left", "→": "right", "esc": "escape", "pgup": "pageup",
    "pgdn": "pagedown",
    "ins": "insert", "del": "delete",
}  # fmt: skip
"""Keys whose names on the page differ from those of the table."""
SIGNS = {"+": "plus", "−": "minus"}
"""Keys of chords that have names in the table, as `+` joins their parts."""
PART = re.compile(r"(?<=.)\+(?=.)")
"""What joins the parts of a chord, as of `Ctrl++`."""
NO_SHORTCUTS = {"Delete", "1", "9"}
"""A key of the list of presets alone, the sign for a prop in a state, and keys of the sheet of
variations.
"""
CHORDS = {
    "+".join(
        NAMES.get(part, SIGNS.get(part, part) if PART.search(code) else part)
        for part in PART.split(code.lower())
    )
    for code in CODES - NO_SHORTCUTS
    if KEY.fullmatch(code)
}


def table_of_sliders() -> dict[str, list[str]]:
    (rows,) = re.findall(r"\| group \| settings \|\n\|---\|---\|\n((?:\|.*\|\n)+)", PAGE)
    cells = [[cell.strip() for cell in row.strip("|").split("|")] for row in rows.splitlines()]
    return {group: words.split(", ") for group, words in cells}


def test_every_key_it_names_does_something() -> None:
    assert len(CHORDS) > 60
    assert {chord for chord in CHORDS if binding_for(chord) is None} == set()


def test_it_names_a_key_of_every_action() -> None:
    named = {binding.action for binding in BINDINGS if binding.chord in CHORDS}
    assert [action.name for action in Action if action not in named] == []


def test_its_list_of_names_of_actions_is_whole_and_has_no_other() -> None:
    (listed,) = re.findall(r"The names are: (.*?)\.\n", PAGE, re.DOTALL)
    assert re.findall(r"`(\w+)`", listed) == [action.name.lower() for action in Action]


def test_its_table_of_sliders_is_the_panel() -> None:
    panel: dict[str, list[str]] = {}
    for knob in PANEL_CONTROLS:
        panel.setdefault(knob.group.value, []).append(knob.label)
    assert table_of_sliders() == panel


def test_what_it_writes_in_italics_are_sliders_or_groups() -> None:
    italics = set(re.findall(r"(?<!\*)\*([^*\n]+)\*(?!\*)", PAGE))
    known = {knob.label for knob in PANEL_CONTROLS} | {knob.group.value for knob in PANEL_CONTROLS}
    assert len(italics) > 15
    assert italics - known == set()


def test_words_it_gives_for_a_slider_can_be_chosen() -> None:
    options = {
        option for knob in PANEL_CONTROLS if isinstance(knob, Choice) for option in knob.options
    }
    given = {
        "parallel",
        "crossed",
        "anaglyph",
        "projected",
        "colour-blind",
        "axes",
        "reach",
        "flying",
    }
    assert given <= CODES
    assert given <= options


def test_the_pages_it_leads_to_are_there() -> None:
    pages = re.findall(r"\]\(([\w.]+\.md)\)", PAGE)
    assert pages
    assert [page for page in pages if not (DOCS / page).exists()] == []
