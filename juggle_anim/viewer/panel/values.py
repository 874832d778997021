"""Values of controls: as text, parsed from text, changed by steps, and placed on a slider."""

from __future__ import annotations

import math
from collections.abc import Mapping

from juggle_anim.errors import ParameterError, did_you_mean
from juggle_anim.language import N_, _, pgettext
from juggle_anim.notation.search import is_form_of
from juggle_anim.parameters import Choice, Quantity, Row

AUTOMATIC = N_("auto")
"""The word that stands for an automatic value."""

_UNITS_WITHOUT_SPACE = ("°", "%", "×")  # units without a space after the number
_PLURAL_UNITS = ("beats", "loops", "turns")  # units of which one is without its s

FINE = 0.1
"""A fine step, as a share of a step."""

_ENERGY_UNIT = "of energy"  # the unit of a share that is written in percent


def format_value(row: Row, value: float | str) -> str:
    """Format a value with its unit, as short as possible: `30°`, `2.85 beats/s`, `1 turn`.

    Args:
        row: the control, which tells unit and decimals.
        value: a number in its unit, or an option of a choice.
    """
    if isinstance(row, Choice):
        return ",".join(map(option_words, str(value).split(",")))
    if row.unit == _ENERGY_UNIT:
        return _("{share:.6g} % energy kept", share=100 * float(value))
    number = plain_text(row, value).replace("-", "−")
    unit = (
        row.unit.removesuffix("s")
        if number in ("1", "−1") and row.unit in _PLURAL_UNITS
        else row.unit
    )
    return number + unit if unit in _UNITS_WITHOUT_SPACE else f"{number} {_(unit)}".rstrip()


def option_words(option: str) -> str:
    """Return an option of a choice as it is shown; settings and flags keep its English word."""
    return pgettext("choice", option)


def plain_text(row: Row, value: float | str) -> str:
    """Return a value as the user would type it: `-12.5`."""
    if isinstance(row, Choice):
        return str(value)
    text = f"{float(value):.{row.decimals}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text


def parse_value(row: Row, text: str) -> float | str | None:
    """Parse a typed value, with or without its unit; None for automatic.

    Raises:
        ParameterError: the text is not a number, is out of range, or is none of the options.
    """
    return _parse_word(row, text) if isinstance(row, Choice) else _parse_number(row, text)


def _parse_word(choice: Choice, text: str) -> str:
    """Parse a typed option of a choice, in the window's language or in English.

    The beginning of an option is enough if no other begins so, and so is another form of its word.

    Args:
        choice: with the options.
        text: as typed.

    Raises:
        ParameterError: the text is none of the options, or the beginning of several.
    """
    typed = choice.plain(text.casefold())
    by_words = {option_words(option).casefold(): option for option in choice.options}
    typed = by_words.get(typed, typed)
    # Options that begin so, as shown or else in English, or else whose word has this form.
    matches = [option for words, option in by_words.items() if typed and words.startswith(typed)]
    matches = matches or [option for option in choice.options if typed and option.startswith(typed)]
    matches = matches or [option for option in choice.options if is_form_of(typed, option)]
    if choice.accepts(typed) or len(matches) == 1:
        return typed if choice.accepts(typed) else matches[0]
    shown = {words: option_words(option) for words, option in by_words.items()}
    hint = choice.hint(typed) if choice.several else did_you_mean(typed, shown)
    raise ParameterError(_("“{typed}” is not an option: {hint}", typed=typed, hint=hint))


def _parse_number(quantity: Quantity, text: str) -> float | None:
    """Parse a typed number, with or without its unit; None for automatic.

    Commas count as decimal points. A share of energy may be typed in percent.

    Args:
        quantity: the control, which tells unit and limits.
        text: as typed.

    Raises:
        ParameterError: it is not a number, out of range, or not whole.
    """
    singular_unit = (
        quantity.unit.removesuffix("s") if quantity.unit in _PLURAL_UNITS else quantity.unit
    )
    # Units may be typed in English, in the window's language, or in the singular.
    typed = (
        text.strip()
        .removesuffix(quantity.unit)
        .removesuffix(_(quantity.unit))
        .removesuffix(singular_unit)
        .strip()
        .replace("−", "-")
        .replace(",", ".")
    )
    # A share of energy is shown as `80 % energy kept`, and may be typed so.
    percent = quantity.unit == _ENERGY_UNIT and "%" in typed
    typed = typed.partition("%")[0].strip() if percent else typed
    if quantity.default is None and typed.lower() in ("", AUTOMATIC, _(AUTOMATIC)):
        return None
    accepted = _(
        "{quantity} to {quantity2}",
        quantity=format_value(quantity, quantity.low),
        quantity2=format_value(quantity, quantity.high),
    )
    if quantity.default is None:
        accepted += _(", or {automatic}", automatic=_(AUTOMATIC))
    try:
        # Python would read an underscore as a separator of digits.
        value = float(typed if "_" not in typed else "")
        value = round(value / 100, 9) if percent else value
    except ValueError:
        raise ParameterError(
            _("“{text}” is not a number; type {accepted}", text=text.strip(), accepted=accepted)
        ) from None
    if not quantity.low <= value <= quantity.high:
        raise ParameterError(
            _(
                "{quantity} is out of range; type {accepted}",
                quantity=plain_text(quantity, value),
                accepted=accepted,
            )
        )
    if not quantity.accepts(value):
        raise ParameterError(
            _(
                "“{text}” is not a whole number; type {accepted}",
                text=text.strip(),
                accepted=accepted,
            )
        )
    return value


def remembered_value(row: Row, values: Mapping[str, float | str | None]) -> float | str | None:
    """Return the value of a control among remembered ones, by name; None if it is not valid."""
    value = values.get(row.name)
    if value is None:
        return None
    if isinstance(row, Choice):
        return value if isinstance(value, str) and row.accepts(value) else None
    return value if not isinstance(value, str) and row.accepts(value) else None


def place_of(row: Row, value: float | str) -> float:
    """Return a value as a number: itself, or the index of an option, −1 for another word."""
    if isinstance(row, Choice):
        return row.options.index(str(value)) if value in row.options else -1
    return float(value)


def value_of(row: Row, place: float) -> float | str:
    """Return the value of a number, the inverse of `place_of`."""
    return row.options[round(place)] if isinstance(row, Choice) else place


def stepped(row: Row, value: float | str, steps: float) -> float | str:
    """Value some steps further, within the slider; an option some places further.

    A value that was typed beyond the ends of the slider can only come back.

    Args:
        row: of the control.
        value: the present one, in its unit.
        steps: how many, whole or `FINE`, negative for down.
    """
    if isinstance(row, Choice):
        # A fine step is a whole option, too.
        steps = math.copysign(math.ceil(abs(steps)), steps)
        return value_of(row, min(max(place_of(row, value) + steps, 0.0), row.slider[1]))
    number = float(value)
    low = min(row.slider[0], number)
    high = max(row.slider[1], number)
    return _rounded(row, min(max(number + steps * row.step, low), high))


def fraction(row: Row, value: float | str) -> float:
    """Return the slider position of a value, 0 to 1; options are mid-segment."""
    if isinstance(row, Choice):
        return (place_of(row, value) + 0.5) / len(row.options)
    low, high = row.slider
    return min(max((place_of(row, value) - low) / (high - low), 0.0), 1.0)


def value_at(row: Row, place: float, *, fine: bool = False) -> float | str:
    """Return the value at a slider position, 0 to 1, rounded to a step, or if fine to 0.1 of it."""
    place = min(max(place, 0.0), 1.0)
    if isinstance(row, Choice):
        return row.options[min(int(place * len(row.options)), len(row.options) - 1)]
    low, high = row.slider
    value = low + place * (high - low)
    step = row.step * (FINE if fine else 1.0)
    return _rounded(row, min(max(round(value / step) * step, low), high))


def _rounded(quantity: Quantity, value: float) -> float:
    # The sum of many tenths would otherwise show: 0.30000000000000004.
    return round(value, quantity.decimals) + 0.0
