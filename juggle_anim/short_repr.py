"""A repr of one line for dataclasses that hold arrays and long tables."""

from __future__ import annotations

import dataclasses

_FEW_ITEMS = 3  # of a sequence; of a longer one their number is shown
_SHORT = 40  # characters of a value; of a longer one its type is shown


class ShortRepr:
    """A dataclass whose repr is one line, with shapes in place of arrays.

    It is declared with `repr=False`.
    """

    def __repr__(self) -> str:
        fields = dataclasses.fields(self)  # type: ignore[arg-type]
        shown = (
            f"{field.name}={_short(getattr(self, field.name))}" for field in fields if field.repr
        )
        return f"{type(self).__name__}({', '.join(shown)})"


def _short(value: object) -> str:
    """Return a value of a field in a few characters: itself, a shape, a length or a type."""
    kind = type(value).__name__
    shape = getattr(value, "shape", None)
    if shape is not None:  # an array; numpy is not imported for texts that have none
        return f"<{kind} {'×'.join(map(str, shape))}>"
    if isinstance(value, tuple | list) and len(value) > _FEW_ITEMS:
        return f"<{len(value)} {type(value[0]).__name__}>"
    if isinstance(value, str) and len(value) > _SHORT:
        return repr(f"{value[:_SHORT]}…")
    if isinstance(value, ShortRepr):
        return f"<{kind}>"
    text = repr(value)
    return text if len(text) <= _SHORT else f"<{kind}>"
