"""Settings strings: a pattern with its parameters in one line, as `pattern=531;dwell=1`."""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from juggle_anim.errors import NotationError, ParameterError
from juggle_anim.notation.pattern_text import read_pattern
from juggle_anim.parameters import QUANTITIES, Parameters
from juggle_anim.pattern import Pattern

PATTERN = "pattern"
"""The key of the siteswap itself, the only one that must be there."""

LATER = ("hands", "body", "bouncefrac", "prop", "colors", "hss", "hold", "dwellmax", "handspec", "title")
"""Keys that other programs' strings hold, and that are not read yet."""

_QUANTITY = {quantity.key: quantity for quantity in QUANTITIES}


@dataclass(frozen=True)
class Settings:
    """What a text says: a pattern, and the parameters that it names.

    Args:
        pattern: what is juggled.
        parameters: by their names in the table, in the units that it names.
        complete: whether the text is a settings string, which means the defaults where it says nothing; a pattern alone
            means nothing of them.
    """

    pattern: Pattern
    parameters: Mapping[str, float | None] = field(default_factory=dict)
    complete: bool = False

    def applied_to(self, parameters: Parameters) -> Parameters:
        """The parameters with which to juggle the pattern, where `parameters` are those in use until now."""
        return (Parameters() if self.complete else parameters).replace(**self.parameters)


def read_settings(text: str) -> Settings:
    """Read a settings string, or a pattern alone.

    Args:
        text: `key=value;key=value` with keys in any case, or, without an `=`, a siteswap or a name of the library.

    Raises:
        NotationError: an unknown or doubled key, a value that is no number or out of range, or no valid pattern; the
            caret stands under the place in the whole text.
    """
    if not isinstance(text, str) or "=" not in text:
        return Settings(read_pattern(text))
    found: dict[str, tuple[int, str]] = {}
    for start, key, at, value in _pairs(text):
        if key in found:
            raise NotationError(text, start, f"{key} is given twice", "give each key once")
        _check_key(text, start, key)
        found[key] = at, value
    if PATTERN not in found:
        raise NotationError(text, 0, "there is no pattern in these settings", "begin with one, as pattern=531")
    at, value = found.pop(PATTERN)
    numbers = {_QUANTITY[key].name: _number(text, key, *found[key]) for key in found}
    return Settings(_pattern(text, at, value), numbers, complete=True)


def write_settings(pattern: Pattern, parameters: Parameters) -> str:
    """The shortest settings string for a pattern and its parameters; `read_settings` gives both back exactly."""
    changed = [quantity for quantity in QUANTITIES if getattr(parameters, quantity.name) != quantity.default]
    numbers = [f"{quantity.key}={getattr(parameters, quantity.name)!r}" for quantity in changed]
    return ";".join([f"{PATTERN}={pattern.text}", *(number.removesuffix(".0") for number in numbers)])


def _pairs(text: str) -> Iterator[tuple[int, str, int, str]]:
    """Where each key starts, the key, where its value starts, and the value."""
    start = 0
    for piece in text.split(";"):
        if piece.strip():
            key, equals, value = piece.partition("=")
            first = start + len(piece) - len(piece.lstrip())
            if not equals:
                raise NotationError(text, first, f"{piece.strip()} has no value", "each setting is key=value")
            yield first, key.strip().casefold(), start + len(key) + 1, value
        start += len(piece) + 1


def _check_key(text: str, index: int, key: str) -> None:
    if key == PATTERN or key in _QUANTITY:
        return
    if key in LATER:
        raise NotationError(text, index, f"{key} is not read yet", f"what is read: {', '.join([PATTERN, *_QUANTITY])}")
    near = difflib.get_close_matches(key, [PATTERN, *_QUANTITY, *LATER], n=1)
    hint = f"did you mean {near[0]}?" if near else f"there are {', '.join([PATTERN, *_QUANTITY])}"
    raise NotationError(text, index, f"there is no setting {key!r}", hint)


def _number(text: str, key: str, at: int, value: str) -> float:
    quantity = _QUANTITY[key]
    index = at + len(value) - len(value.lstrip())
    accepted = f"a number from {quantity.low:g} to {quantity.high:g} {quantity.unit}"
    try:
        number = float(value)
    except ValueError as error:
        raise NotationError(text, index, f"{key} is {value.strip()!r}, which is no number", accepted) from error
    if not math.isfinite(number):
        raise NotationError(text, index, f"{key} is {value.strip()!r}, which is no number", accepted)
    try:
        Parameters().replace(**{quantity.name: number})
    except ParameterError as error:
        raise NotationError(text, index, str(error), accepted) from error
    return number


def _pattern(text: str, at: int, value: str) -> Pattern:
    try:
        return read_pattern(value)
    except NotationError as error:
        raise NotationError(text, at + error.index, error.reason, error.accepted) from error
