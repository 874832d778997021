"""The keys that somebody chose in the settings file, in place of the usual ones."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from juggle_anim.suggestion import did_you_mean
from juggle_anim.viewer.keys import Action, Binding

_CHORD = re.compile(r"(ctrl\+)?(shift\+)?(alt\+)?([a-z0-9_]+|[^\w\s])")


def chosen_bindings(
    usual: Iterable[Binding], choices: Mapping[str, tuple[str, ...]]
) -> tuple[tuple[Binding, ...], list[str]]:
    """The table of keys with some of them chosen otherwise.

    Args:
        usual: the table as it is without.
        choices: chords by the name of an action in small letters, as `step_on`; they replace all that it has.

    Returns:
        The table, and a sentence for each choice that cannot be. A key that somebody chose is taken from the action
        that has it usually; where that would be left without any, the choice cannot be.
    """
    table, complaints = tuple(usual), []
    for name, chords in choices.items():
        try:
            table = _changed(table, name, tuple(map(_chord, chords)))
        except ValueError as error:
            complaints.append(str(error))
    return table, complaints


def _changed(table: tuple[Binding, ...], name: str, chords: tuple[str, ...]) -> tuple[Binding, ...]:
    action = Action.__members__.get(name.upper().replace(" ", "_").replace("-", "_"))
    if action is None:
        raise ValueError(f"no key does {name[:40]!r}: {did_you_mean(name, [each.name.lower() for each in Action])}")
    if not chords:
        raise ValueError(f"{name} must keep a key")
    new = [Binding(chord, action) for chord in dict.fromkeys(chords)]
    others = [binding for binding in table if binding.action is not action and binding.chord not in chords]
    lost = {binding.action for binding in table} - {binding.action for binding in others} - {action}
    if lost:
        raise ValueError(f"{chords[0]} is the only key of {lost.pop().name.lower()}; give that another one before")
    at = next(number for number, binding in enumerate(table) if binding.action is action)
    before = [binding for binding in table[:at] if binding in others]
    return (*before, *new, *(binding for binding in table[at:] if binding in others))


def _chord(text: str) -> str:
    """A chord as the table writes it."""
    plain = text.strip().casefold().replace(" ", "") or "space"
    if not _CHORD.fullmatch(plain):
        raise ValueError(f"{text[:40]!r} is no key; write it as b, ctrl+b, shift+left or alt+pageup")
    return plain
