"""How xdotool calls the keys that the viewer's table of keys names."""

from juggle_anim.viewer.state.keymap import BINDINGS, Action

_NAMES = {
    "space": "space", "pageup": "Prior", "pagedown": "Next", "enter": "Return", "escape": "Escape",
    "tab": "Tab",
    "home": "Home", "end": "End", "left": "Left", "right": "Right", "up": "Up", "down": "Down",
    "delete": "Delete",
    "insert": "Insert",
    ",": "comma", ".": "period", "[": "bracketleft", "]": "bracketright", "/": "slash", "<": "less",
    ">": "greater",
    "?": "question", "\\": "backslash", ";": "semicolon", "'": "apostrophe", "-": "minus",
    "=": "equal", "+": "plus",
    "#": "numbersign", "!": "exclam", "*": "asterisk", "`": "grave", "backspace": "BackSpace",
}  # fmt: skip


def key_of(chord: str) -> str:
    """The name of a chord of the table: `Prior` for `pageup`, `alt+Left` for `alt+left`."""
    if len(chord) == 1:
        return _NAMES.get(chord, chord)
    *held, name = chord.split("+")
    number = name[:1] == "f" and name[1:].isdigit()
    return "+".join([*held, name.upper() if number else _NAMES.get(name, name)])


def keys_for(*actions: Action) -> list[str]:
    """The first key of each action."""
    return [
        key_of(next(row.chord for row in BINDINGS if row.action is action)) for action in actions
    ]
