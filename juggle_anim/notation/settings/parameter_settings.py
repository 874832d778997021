"""Settings of parameters, as `dwell=1;wing=30`: their values by key, read and written."""

from __future__ import annotations

import math
from collections.abc import Mapping

from juggle_anim.errors import ParameterError, printable
from juggle_anim.language import _
from juggle_anim.notation.settings.syntax import Setting, split_settings
from juggle_anim.parameters import (
    DEFAULTS,
    ROWS,
    SIDED_PARAMETERS,
    Choice,
    Quantity,
    Row,
    row_named,
)

_ROW = {row.key: row for row in ROWS}


def write_parameters(parameters: Mapping[str, float | str | None]) -> str:
    """Settings without a pattern, for parameters by name that are not at their defaults.

    `read_parameters` gives them back exactly.
    """
    return ";".join(f"{key}={text}" for key, text in parameter_texts(parameters).items())


def read_parameters(text: str) -> dict[str, float | str]:
    """The parameters, by name, that settings without a pattern name.

    Raises:
        NotationError: an unknown or doubled key, or a value that is nothing of its kind or out of
            range.
    """
    by_key = split_settings(text, ("", *_ROW))
    if "" in by_key:
        raise by_key[""].error(0, _("a value has no key"), _("each setting is key=value"))
    return parameters_in(by_key)


def parameter_texts(parameters: Mapping[str, float | str | None]) -> dict[str, str]:
    """The values of parameters as settings have them, by key; without those at their defaults."""
    values = {row.key: parameters.get(row.name, row.default) for row in ROWS}
    return {
        key: value if isinstance(value, str) else repr(value).removesuffix(".0")
        for key, value in values.items()
        if value is not None and value != _ROW[key].default
    }


def parameters_in(by_key: Mapping[str, Setting]) -> dict[str, float | str]:
    """The parameters, by name, among settings by key."""
    sided = _split_sides(by_key)
    return {_ROW[key].name: _read_value(_ROW[key], sided[key]) for key in sided if key in _ROW}


def _split_sides(by_key: Mapping[str, Setting]) -> Mapping[str, Setting]:
    """Return settings in which one with a value for each side, `left,right`, becomes two.

    The parameters of `SIDED_PARAMETERS` may have a value for each side. One with a single value for
    both stays.

    Args:
        by_key: settings by key.

    Returns:
        The same settings; each that is split is replaced by those of the left and the right side.

    Raises:
        NotationError: a side is given by itself as well.
    """
    split = dict(by_key)
    for name, sides in SIDED_PARAMETERS.items():
        key = row_named(name).key
        if key in by_key and by_key[key].text.count(",") == 1:
            for side, side_setting in zip(sides, split.pop(key).fields(","), strict=True):
                if (side_key := row_named(side).key) in split:
                    raise side_setting.error(
                        side_setting.indent,
                        _("{own} is given twice", own=side_key),
                        _("give each key once"),
                    )
                split[side_key] = side_setting
    return split


def _read_value(row: Row, setting: Setting) -> float | str:
    """Read the value of a parameter: a number, or a word of a choice in lower case.

    Args:
        row: of the table of parameters.
        setting: the value as written, at which errors point.

    Raises:
        NotationError: the parameter cannot have this value.
    """
    if not isinstance(row, Choice):
        return _read_number(row, setting)
    word = row.plain(setting.text.casefold())
    if not row.accepts(word):
        reason = _(
            "{key} cannot be {text!r}",
            key=row.key,
            text=printable(setting.text.strip(), 30),
        )
        raise setting.error(setting.indent, reason, row.hint(word))
    return word


def _read_number(quantity: Quantity, setting: Setting) -> float:
    """Return the number that a setting gives for a quantity, in the unit of its table row.

    Args:
        quantity: the table row.
        setting: the value as written, at which errors point.

    Raises:
        NotationError: it is no finite number, or out of range.
    """
    key = quantity.key
    written = setting.text.strip()
    accepted = quantity.accepted
    shown = written if len(written) <= 30 else f"{written[:30]}…"
    try:
        # `float` accepts underscores, as in 1_000, which settings do not. An empty text instead
        # makes it raise the error.
        number = float(written if "_" not in written else "")
    except ValueError as error:
        raise setting.error(
            setting.indent,
            _("{key} is {shown!r}, which is not a number", key=key, shown=shown),
            accepted,
        ) from error
    if not math.isfinite(number):
        raise setting.error(
            setting.indent,
            _("{key} is {shown!r}, which is not a number", key=key, shown=shown),
            accepted,
        )
    # The message of the parameters themselves says best which numbers are in range. So the number
    # is put into them to get their error, which becomes one of this text.
    if not quantity.accepts(number):
        try:
            DEFAULTS.replace(**{quantity.name: number})
        except ParameterError as error:
            raise setting.error(setting.indent, str(error), accepted) from error
    return number
