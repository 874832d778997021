"""The keys that a user chooses in the settings file, in place of the default ones."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from juggle_anim.errors import did_you_mean
from juggle_anim.language import _
from juggle_anim.viewer.state.keymap import Action, Binding

_CHORD = re.compile(r"(ctrl\+)?(shift\+)?(alt\+)?([a-z0-9_]+|[^\w\s])")


def custom_bindings(
    usual: Iterable[Binding], choices: Mapping[str, tuple[str, ...]]
) -> tuple[tuple[Binding, ...], list[str]]:
    """The default bindings with the user's choices.

    Args:
        usual: the default bindings.
        choices: chords by the name of an action in lower case, as `step_on`; they replace all its chords.

    Returns:
        The bindings, and a message for each choice that is refused. A chosen key is taken away from its default
        action; the choice is refused if that action would have no key left.
    """
    table, errors = tuple(usual), []
    for name, chords in choices.items():
        try:
            table = _rebound(table, name, tuple(map(_chord, chords)))
        except ValueError as error:
            errors.append(str(error))
    return table, errors


def _rebound(table: tuple[Binding, ...], name: str, chords: tuple[str, ...]) -> tuple[Binding, ...]:
    action = Action.__members__.get(name.upper().replace(" ", "_").replace("-", "_"))
    if action is None:
        raise ValueError(
            _(
                "no key does {name!r}: {did_you_mean}",
                name=name[:40],
                did_you_mean=did_you_mean(name, [each.name.lower() for each in Action]),
            )
        )
    if not chords:
        raise ValueError(_("{name} must keep a key", name=name))
    new = [Binding(chord, action) for chord in dict.fromkeys(chords)]
    others = [binding for binding in table if binding.action is not action and binding.chord not in chords]
    lost = {binding.action for binding in table} - {binding.action for binding in others} - {action}
    if lost:
        raise ValueError(
            _(
                "{chords} is the only key of {name}; give that another one before",
                chords=chords[0],
                name=lost.pop().name.lower(),
            )
        )
    at = next(number for number, binding in enumerate(table) if binding.action is action)
    before = [binding for binding in table[:at] if binding in others]
    return (*before, *new, *(binding for binding in table[at:] if binding in others))


def _chord(text: str) -> str:
    """A chord in the form of the bindings."""
    plain = text.strip().casefold().replace(" ", "") or "space"
    if not _CHORD.fullmatch(plain):
        raise ValueError(_("{text!r} is not a key; write it as b, ctrl+b, shift+left or alt+pageup", text=text[:40]))
    return plain
