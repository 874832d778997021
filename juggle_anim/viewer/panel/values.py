"""Values of controls: as text, parsed from text, changed by steps, and placed on a slider.

Values of controls: typed, or chosen from a drop-down list with keys, letters and the mouse.

No window, no OpenGL.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from juggle_anim.errors import JuggleError, ParameterError, did_you_mean
from juggle_anim.language import N_, InLanguage, _, pgettext
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.notation import folded_text, is_form_of
from juggle_anim.parameters import Choice, ParameterValue, Quantity, Row
from juggle_anim.scene import EYE_VIEW
from juggle_anim.viewer.layout import Rectangle

AUTOMATIC = N_("auto")
"""The word that stands for an automatic value."""

_UNITS_WITHOUT_SPACE = ("°", "×")  # units without a space after the number
_PLURAL_UNITS = ("beats", "loops", "turns")  # units of which one is without its s

FINE = 0.1
"""A fine step, as a share of a step."""

_ENERGY_UNIT = "of energy"  # the unit of a share that is written in percent


def format_value(row: Row, value: ParameterValue) -> str:
    """Format a value with its unit, as short as possible: `30°`, `2.85 beats/s`, `1 turn`.

    Args:
        row: the control, which tells unit and decimals.
        value: a number in its unit, or an option of a choice; several options are separated by
            commas.
    """
    if isinstance(row, Choice):
        return ",".join(map(option_words, str(value).split(",")))
    if row.unit == _ENERGY_UNIT:
        return _("{share:.6g}% energy kept", share=100 * float(value))
    number = plain_text(row, value).replace("-", "−")
    return with_unit(number, _singular(row.unit) if number in ("1", "−1") else row.unit)


def with_unit(number: str, unit: str) -> str:
    """Return a number, or none, with a unit behind it."""
    if unit == "%":
        return percent(number)
    if unit in _UNITS_WITHOUT_SPACE:
        return number + unit
    return f"{number} {_(unit)}".rstrip()


def _singular(unit: str) -> str:
    """Return the English name of a single unit: `turn` for `turns`."""
    return unit.removesuffix("s") if unit in _PLURAL_UNITS else unit


def percent(number: str) -> str:
    """Return a number with the sign of percent, apart from it where the language has it so."""
    return _("{number}%", number=number)


def option_words(option: str) -> str:
    """Return an option of a choice as it is shown; settings and flags keep its English word."""
    return pgettext("choice", _SHOWN_OPTIONS.get(option, option))


# An option that is named default need not be that of another pattern or window.
_SHOWN_OPTIONS = {
    "default": "standard",
    "-": "standard",
    EYE_VIEW: "first person",
    "juggling-lab": "Juggling Lab",
    "natural-place": "natural, any hands",
    "chicken-wing": "chicken wing",
    "two-link": "robot, direct",
    "two-link-polar": "robot, up first",
    "resolved-rate": "robot, small steps",
    "square": "cube",
}
"""What people are shown of options that are typed otherwise."""


_SOLVERS = {
    "natural": N_("Where relaxed people hold their elbows"),
    "natural-place": N_("Like natural, but the turn of the hand does not matter"),
    "chicken-wing": N_("Elbows out to the side by the angle of the setting Elbow lift"),
    "two-link": N_("A simple robot arm that turns to the hand the shortest way"),
    "two-link-polar": N_("A simple robot arm that first rises, then turns to the hand"),
    "resolved-rate": N_("A robot arm whose joints creep to the hand in small steps"),
}
"""What each solver of arms does."""


_NOTES = {
    "1": N_("brown hair"),
    "2": N_("red ponytail"),
    "3": N_("short hair, beard"),
    "4": N_("black bob, glasses"),
    "5": N_("brown curls"),
    "6": N_("black bun"),
    "7": N_("bald, white beard"),
    "8": N_("long blond hair"),
    "9": N_("afro"),
    "10": N_("grey curls, glasses"),
    "solid": N_("round limbs"),
    "mannequin": N_("of wood"),
    "hidden": N_("props only"),
}
"""What stands beside options that say little: of people by number, and of figures."""


def option_note(option: str) -> str:
    """Return what stands beside an option of a choice; empty if its name says enough."""
    return _(_NOTES.get(option, ""))


def option_help(option: str) -> str:
    """Return what an option of a choice does; empty if its name says it."""
    return _(_SOLVERS[option]) if option in _SOLVERS else ""


def plain_text(row: Row, value: ParameterValue) -> str:
    """Return a value as the user would type it: `-12.5`."""
    if isinstance(row, Choice):
        return str(value)
    text = f"{float(value):.{row.decimals}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text


def parse_value(row: Row, text: str) -> ParameterValue | None:
    """Parse a typed value, with or without its unit; None for automatic.

    Raises:
        ParameterError: the text is not a number, is out of range, or is none of the options.
    """
    return _parse_word(row, text) if isinstance(row, Choice) else _parse_number(row, text)


def _parse_word(choice: Choice, text: str) -> str:
    """Parse a typed option of a choice, in the window's language or in English.

    Accepted are a whole option, the beginning of a single option, and another form of an option's
    word, such as its plural.

    Args:
        choice: the choice with the options.
        text: the text as typed.

    Returns:
        The option, in English as in `choice.options`.

    Raises:
        ParameterError: the text is none of the options, or the beginning of several.
    """
    typed = choice.plain(text.casefold())
    # The English options by their words in the window's language, plain as what was typed.
    by_words = {choice.plain(option_words(option).casefold()): option for option in choice.options}
    typed = by_words.get(typed, typed)
    if choice.accepts(typed):
        return typed
    # Options whose shown words begin with the text; without any, those that begin with it in
    # English; without any, those of which it is another form.
    matches: list[str] = []
    if typed:
        matches = [option for words, option in by_words.items() if words.startswith(typed)]
        if not matches:
            matches = [option for option in choice.options if option.startswith(typed)]
    if not matches:
        matches = [option for option in choice.options if is_form_of(typed, option)]
    if len(matches) == 1:
        return matches[0]
    shown = {words: option_words(option) for words, option in by_words.items()}
    hint = choice.hint(typed) if choice.several else did_you_mean(typed, shown)
    raise ParameterError(_("“{typed}” is not an option: {hint}", typed=typed, hint=hint))


def _without_unit(text: str, unit: str) -> str:
    """Return a typed number without its unit, with the signs that Python reads.

    Args:
        text: the number as typed, such as `2,5 beats/s`.
        unit: the unit in English; it may be typed so, in the window's language or in the singular.
    """
    number = text.strip()
    for ending in (unit, _(unit), _singular(unit)):
        number = number.removesuffix(ending)
    return number.strip().replace("−", "-").replace(",", ".")


def _parse_number(quantity: Quantity, text: str) -> float | None:
    """Parse a typed number, with or without its unit; None for automatic.

    Commas count as decimal points. A share of energy may be typed in percent.

    Args:
        quantity: the control, which tells unit and limits.
        text: the text as typed.

    Raises:
        ParameterError: it is not a number, out of range, or not whole.
    """
    typed = _without_unit(text, quantity.unit)
    # A share of energy, a number from 0 to 1, is shown as `80% energy kept`, and may be typed so.
    is_in_percent = quantity.unit == _ENERGY_UNIT and "%" in typed
    if is_in_percent:
        typed = typed.partition("%")[0].strip()
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
        if "_" in typed:  # which Python would read as a separator of digits
            raise ValueError
        value = float(typed)
    except ValueError:
        raise ParameterError(
            _("“{text}” is not a number; type {accepted}", text=text.strip(), accepted=accepted)
        ) from None
    if is_in_percent:
        value = round(value / 100, 9)  # as short as it was typed
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


def remembered_value(
    row: Row, values: Mapping[str, ParameterValue | None]
) -> ParameterValue | None:
    """Return the value of a control among remembered ones, by name; None if it is not valid."""
    value = values.get(row.name)
    if value is None:
        return None
    if isinstance(row, Choice):
        return value if isinstance(value, str) and row.accepts(value) else None
    return value if not isinstance(value, str) and row.accepts(value) else None


def place_of(row: Row, value: ParameterValue) -> float:
    """Return a value as a number: itself, or the index of an option, −1 for another word."""
    if isinstance(row, Choice):
        return row.options.index(str(value)) if value in row.options else -1
    return float(value)


def value_of(row: Row, place: float) -> ParameterValue:
    """Return the value of a number, the inverse of `place_of`."""
    return row.options[round(place)] if isinstance(row, Choice) else place


def stepped(row: Row, value: ParameterValue, steps: float) -> ParameterValue:
    """Return the value that is some steps of a slider above or below another one.

    It stays within the range of the slider. A value that was typed beyond an end of the slider
    moves toward the slider only. A step of a choice leads to its next option.

    Args:
        row: row of the control.
        value: the present value, in the unit of the row.
        steps: number of steps, whole or `FINE`; negative for down.
    """
    if isinstance(row, Choice):
        # Fine steps, which are fractions, are rounded up to whole options.
        steps = math.copysign(math.ceil(abs(steps)), steps)
        return value_of(row, min(max(place_of(row, value) + steps, 0.0), row.slider[1]))
    number = float(value)
    low = min(row.slider[0], number)
    high = max(row.slider[1], number)
    return _rounded(row, min(max(number + steps * row.step, low), high))


def fraction(row: Row, value: ParameterValue) -> float:
    """Return the slider position of a value, 0 to 1; options are mid-segment."""
    if isinstance(row, Choice):
        return (place_of(row, value) + 0.5) / len(row.options)
    low, high = row.slider
    return min(max((place_of(row, value) - low) / (high - low), 0.0), 1.0)


def value_at(row: Row, place: float, *, fine: bool = False) -> ParameterValue:
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


_PAGE_SIZE = 8


class Option(NamedTuple):
    """An option.

    Args:
        words: by which it is chosen.
        note: shown at its right, as a number of patterns.
        help: what it does.
    """

    words: str
    note: str = ""
    help: str = ""


class DropDown:
    """A list that is open, below the control that it belongs to.

    Args:
        name: name of the control.
        options: at least one.
        present: the words of the present option; another text is none of them.
        choose: takes the words of an option, or others that were typed; returns why they are
            refused, or nothing.
        close: called when the list is closed.
    """

    def __init__(
        self,
        name: str,
        options: Sequence[Option],
        present: str,
        choose: Callable[[str], str],
        close: Callable[[], None],
    ) -> None:
        """Open a list with the present option chosen.

        Args:
            name: name of the control to which the list belongs.
            options: the options, at least one.
            present: words of the present option, or another text if the value is none of them.
            choose: chooses the option with some words, or typed words that are none of the options;
                returns why these are refused, or an empty text.
            close: called to close the list.
        """
        self.name = name
        self.options = tuple(options)
        self.present = present
        words = [option.words for option in self.options]
        self.index = words.index(present) if present in words else 0
        """The option that Enter chooses."""
        self.typed = ""
        self.error = ""
        """What was typed, and why it is refused."""
        self.anchor: Rectangle | None = None
        """The place of the control, [pixels]; None until it is drawn."""
        self.scroll_to_chosen = self.fresh = True
        """Whether the list scrolls to the chosen option, and whether it was not drawn yet."""
        self._choose = choose
        self._close = close

    def resume(self, before: DropDown) -> None:
        """Go on where the same list was that was opened in another language."""
        self.index = before.index
        self.anchor = before.anchor
        self.fresh = before.fresh

    def press(self, key: str) -> bool:
        """Handle a key while the list is open; return whether the list has a use for it.

        Args:
            key: name of the key, such as `down` or `shift+tab`. Keys of characters count as used,
                as `type` gets the same character as text.
        """
        # By how many options keys move the choice; `_go_to` stops at the ends of the list.
        moves = {
            "up": -1,
            "down": 1,
            "shift+tab": -1,
            "tab": 1,
            "pageup": -_PAGE_SIZE,
            "pagedown": _PAGE_SIZE,
            "home": -len(self.options),
            "end": len(self.options),
        }
        if key in moves:
            self._go_to(self.index + moves[key])
        elif key in ("enter", "space"):
            self.take()
        elif key in ("escape", "left", "right"):
            self.close()
        elif key == "backspace":
            self.type("", before=self.typed[:-1])
        else:
            return len(key) == 1
        return True

    def type(self, text: str, before: str | None = None) -> None:
        """Add typed characters, and highlight the first option that begins with all that is typed.

        Args:
            text: the characters; those that cannot be printed are ignored.
            before: the typed text to which they are added; None for that typed until now.
        """
        if not text.isprintable():
            return  # Enter and Tab come as characters, but `press` handles them
        self.typed = (self.typed if before is None else before) + text.casefold()
        self.error = ""
        fitting = self._first_fitting
        if fitting is not None:
            self._go_to(fitting, keeps_typed=True)

    def take(self, index: int | None = None) -> None:
        """Choose an option, and close the list unless the choice is refused, which sets `error`.

        Args:
            index: index of the option that is clicked; None for Enter, which chooses the option at
                `self.index`, or the typed text if no option begins with it.
        """
        if index is None:
            index = self.index
            is_free_text = bool(self.typed) and self._first_fitting is None
        else:
            is_free_text = False
        words = self.typed if is_free_text else self.options[index].words
        self.error = self._choose(words)
        if not self.error:
            self.close()

    def close(self) -> None:
        """Close the list."""
        self._close()

    @property
    def _first_fitting(self) -> int | None:
        """The first option that fits what was typed, by its start, a word, or its plural."""
        if not (typed := folded_text(self.typed)):
            return None
        texts = [folded_text(option.words) for option in self.options]
        begun = [number for number, text in enumerate(texts) if text.startswith(typed)]
        begun += [number for number, text in enumerate(texts) if f" {typed}" in f" {text}"]
        begun += [number for number, text in enumerate(texts) if is_form_of(typed, text)]
        return begun[0] if begun else None

    def _go_to(self, index: int, *, keeps_typed: bool = False) -> None:
        self.index = min(max(index, 0), len(self.options) - 1)
        self.scroll_to_chosen = True
        self.typed = self.typed if keeps_typed else ""
        self.error = ""


def _options_of(choice: Choice) -> list[Option]:
    """Return the options of a choice as a list shows them, in the present language."""
    return [
        Option(
            option_words(option),
            _("default") if option == choice.default else option_note(option),
            option_help(option),
        )
        for option in choice.options
    ]


class DropDowns:
    """The drop-down list that is open, if one is.

    It is made again where the language changes meanwhile.
    """

    def __init__(self) -> None:
        self._open: InLanguage[DropDown] | None = None

    @property
    def now(self) -> DropDown | None:
        """The list that is open."""
        return self._open.now if self._open else None

    def open(self, make: Callable[[], DropDown]) -> None:
        """Open a list of options."""
        self._open = InLanguage(make)

    def open_choice(self, choice: Choice, present: str, choose: Callable[[str], str]) -> None:
        """Open the list of the options of a choice, of which one is the present one.

        Args:
            choice: choice whose options are listed.
            present: the present option.
            choose: chooses an option that is clicked or typed; returns why it is refused, or an
                empty text.
        """
        # A function that makes the list is passed on: when the language changes, the list is made
        # again, with other words.
        self.open(
            lambda: DropDown(
                choice.name,
                _options_of(choice),
                present=format_value(choice, present),
                choose=choose,
                close=self.close,
            )
        )

    def close(self) -> None:
        """Close the list that is open."""
        self._open = None


@dataclass
class TypedValue:
    """A value that is being typed for a control.

    Args:
        quantity: the control.
        text: typed so far.
        error: why the text is refused.
    """

    quantity: Row
    text: str
    error: str = ""

    def read(self, text: str) -> tuple[bool, ParameterValue | None]:
        """Return whether a text is valid, and its value, of which None is automatic.

        The error says why it is not.
        """
        try:
            return True, parse_value(self.quantity, text)
        except JuggleError as error:
            self.text = text
            self.error = str(error)
            return False, None


class ValueEntry:
    """Asks for the values of some controls: numbers in a text field, choices in a drop-down list.

    Args:
        drop_downs: where lists of options open.
        set_value: takes a control and its new value, of which None is automatic.
    """

    def __init__(
        self, drop_downs: DropDowns, set_value: Callable[[Row, ParameterValue | None], None]
    ) -> None:
        self.typed: TypedValue | None = None
        """What is being typed; None while no text field is open."""
        self.wants_focus = False
        """Whether the text field takes the keyboard focus when it is next drawn."""
        self.in_bar = False
        """Whether the text field is in the bar below, and not in the row of its control."""
        self._drop_downs = drop_downs
        self._set_value = set_value

    def open(self, quantity: Row, value: ParameterValue | None, *, in_bar: bool = False) -> None:
        """Open the list of options of a choice, or a text field for a number.

        Args:
            quantity: the control.
            value: its present one; None for an automatic number.
            in_bar: whether the text field is in the bar below.
        """
        if isinstance(quantity, Choice):
            self._drop_downs.open_choice(quantity, str(value), partial(self._choose, quantity))
            return
        text = AUTOMATIC if value is None else plain_text(quantity, value)
        self.typed = TypedValue(quantity, text)
        self.wants_focus = True
        self.in_bar = in_bar

    def apply(self, text: str) -> None:
        """Set the typed value; if it is invalid, show why and keep asking."""
        if self.typed is None:
            return
        valid, value = self.typed.read(text)
        if not valid:
            self.wants_focus = True
            return
        quantity = self.typed.quantity
        self.typed = None
        self._set_value(quantity, value)

    def cancel(self) -> None:
        """Close the text field."""
        self.typed = None

    def _choose(self, choice: Choice, words: str) -> str:
        """Set a choice to the words that were chosen or typed.

        Return why they are refused, or nothing.
        """
        typed = TypedValue(choice, words)
        valid, value = typed.read(words)
        if valid:
            self._set_value(choice, value)
        return typed.error
