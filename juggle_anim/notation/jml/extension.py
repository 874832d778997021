"""The `<?juggle-anim …?>` instructions in a JML document: what a pattern says that JML has no words
for.

Programs skip processing instructions that are not theirs (XML 1.0, section 2.6), as Juggling Lab
does. What stands in one looks like attributes, as in `<?xml-stylesheet?>`. One in a `<pattern>`
says how hands move, and the parameters; one in an `<event>` says how the hand grasps there, and
what it does around the body, which its images share.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from html import unescape
from typing import Any, NamedTuple

import numpy as np

from juggle_anim.choreography import Choreography, Grasp, Score
from juggle_anim.choreography.body_throw_variants import CATCH_VARIANTS, THROW_VARIANTS
from juggle_anim.choreography.body_throws import CATCHES, THROWS
from juggle_anim.choreography.manners import USUAL, Manner, caught_in, thrown_in
from juggle_anim.errors import JuggleError, NotationError, did_you_mean
from juggle_anim.language import N_, _
from juggle_anim.notation.jml.conversion import to_choreography
from juggle_anim.notation.jml.document import Extension, JmlEvent, JmlPattern
from juggle_anim.notation.jml.xml import OURS, Instruction, shown
from juggle_anim.notation.limits import MAX_JML_EVENTS
from juggle_anim.notation.pattern_list import Note
from juggle_anim.notation.settings.parameter_settings import read_parameters, write_parameters
from juggle_anim.notation.settings.settings import Settings, read_settings
from juggle_anim.notation.settings.staging import read_spins, write_spins
from juggle_anim.parameters import BEAT_PARAMETERS, ROWS, Stage, quantity_named, row_named
from juggle_anim.text_settings import GRASP_KINDS, HAND_STYLES

Values = dict[str, float | str | None]
"""Parameters by name."""

_NATURAL, _JUGGLING_LAB = HAND_STYLES

# Two tempi that differ by less, as a share of them, are one.
_TEMPO_TOLERANCE = 1e-9

_FLIGHT_PARAMETERS = ("gravity", "bounce_fraction")

_MAX_PAIRS = 10  # key="value" in one instruction; we write five

_MAX_NOTES = 100  # of a file; more say nothing new

_PAIR = re.compile(r"""\s*([\w-]{1,30})\s*=\s*("[^"]*"|'[^']*')""")


def read_extension(instructions: Iterable[Instruction], notes: list[Note]) -> Extension | None:
    """What the instructions in a pattern say; None where there are none.

    What cannot be read is left out, since events say the most; `notes` get a sentence on it.
    """
    values = _read(instructions, _OF_PATTERN, notes)
    return Extension(**values) if values else None


def read_event_extension(
    instructions: Iterable[Instruction], notes: list[Note]
) -> tuple[Manner, bool]:
    """Return the manner of an event, and whether its hand is idle, as instructions say."""
    values = _read(instructions, _OF_EVENT, notes) if instructions else {}
    grasp, row = values.get("grasp", USUAL)
    return Manner(grasp, values.get("caught") or values.get("thrown") or row), values.get(
        "idle", False
    )


def extension_attributes(extension: Extension) -> dict[str, str | None]:
    """What the instruction in a pattern says."""
    parameters = extension.parameters
    return {
        "style": _JUGGLING_LAB if extension.as_juggling_lab else _NATURAL,
        "settings": None if parameters is None else write_parameters(parameters),
        "throws": " ".join(map(str, extension.numbers)) or None,
        "first": " ".join(map(str, extension.first)) or None,
        "spins": write_spins(extension.spins) or None,
    }


def event_attributes(event: JmlEvent) -> dict[str, str | None]:
    """What the instruction in an event says; it needs none where this is empty."""
    grasp, row = event.manner
    attributes = {"grasp": GRASP_KINDS[grasp]} if grasp else {}
    if row:
        # By the table it is from: a catch may also be a throw in reversed time.
        key, word = _WORDS_OF_ROWS[row]
        attributes[key] = word
    return {**attributes, **({"idle": "true"} if event.idle else {})}


def extension_of(settings: Settings, pattern: JmlPattern) -> Extension | None:
    """Return what must be said for events to be shown the same when read; None for nothing.

    Args:
        settings: the events and their parameters.
        pattern: the document of the same events.
    """
    placed = settings.score.placed
    assert placed is not None, "only placed events are written so"
    # How the events would be read back without the instruction.
    plain = to_choreography(pattern)
    wanted = _shown(settings)
    parameters_without = shown_parameters(Score(placed=plain, base=pattern.base))
    has_manners = any(event.manner != USUAL for event in pattern.events)
    tempo = placed.bps if abs(placed.bps - plain.bps) > _TEMPO_TOLERANCE * plain.bps else None
    spins = tuple(style.spin for style in placed.flights.style)
    spins = () if set(spins) <= {None} else spins
    if (
        placed.as_juggling_lab
        and not has_manners
        and tempo is None
        and wanted == parameters_without
        and not spins
    ):
        return None
    if tempo is not None and quantity_named("bps").accepts(tempo):
        wanted = {"bps": float(tempo), **wanted}
    return Extension(placed.as_juggling_lab, wanted, *_numbering(placed, plain), spins)


def shown_parameters(score: Score, extension: Extension | None = None) -> Values:
    """The parameters with which to show events that were read.

    They are those that the file states; else what all flights agree in, and what the pattern says
    from which the events were made and JML has no other word for.
    """
    if extension and extension.parameters is not None:
        return {
            name: value
            for name, value in extension.parameters.items()
            if name not in BEAT_PARAMETERS
        }
    return {**_only_in_base(score.base), **_of_flights(score)}


def _of_flights(score: Score) -> Values:
    assert score.placed is not None, "a document holds events"
    # In hundredths of a cm/s² and less there is nothing but rounding.
    values = {
        "gravity": round(100 * score.placed.gravity, 9),
        "bounce_fraction": score.placed.bounce_fraction,
    }
    return {name: value for name, value in values.items() if value != quantity_named(name).default}


def _only_in_base(base: tuple[str, str] | None) -> Values:
    text = base[1] if base else ""
    names = [row.name for row in _ROWS_WITHOUT_WORD if row.key in text.casefold()]
    try:
        parameters = read_settings(text).parameters if names else {}
    except JuggleError:
        return {}
    return {name: parameters[name] for name in names if name in parameters}


def _shown(settings: Settings) -> Values:
    """The parameters of events that are not at their defaults."""
    changed = {
        name: value
        for name, value in settings.parameters.items()
        if name not in (*BEAT_PARAMETERS, *_FLIGHT_PARAMETERS)
        and value is not None
        and value != row_named(name).default
    }
    return {**changed, **_of_flights(settings.score)}


def _numbering(
    placed: Choreography, plain: Choreography
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The fields `numbers` and `first` of an extension.

    Args:
        placed: as it should be numbered.
        plain: the same as it is read where nothing is said of numbers.
    """
    orbits = placed.orbits
    plain_orbits = plain.orbits
    if [len(orbit.flights) for orbit in orbits] != [len(orbit.flights) for orbit in plain_orbits]:
        return (), ()
    keys = _flight_keys(placed)
    plain_keys = _flight_keys(plain)
    numbers = [0] * len(keys)
    rotated = False
    for orbit, plain_orbit in zip(orbits, plain_orbits, strict=True):
        wanted = [keys[flight] for flight in orbit.flights]
        plain_order = [plain_keys[flight] for flight in plain_orbit.flights]
        # The same flights may begin elsewhere in the orbit: find the rotation.
        rotations = range(max(1, len(plain_order)))
        rotation = next(
            (
                rotation
                for rotation in rotations
                if plain_order[rotation:] + plain_order[:rotation] == wanted
            ),
            None,
        )
        if rotation is None:
            return (), ()
        rotated = rotated or rotation > 0
        for flight, number in zip(
            plain_orbit.flights[rotation:] + plain_orbit.flights[:rotation],
            orbit.flights,
            strict=True,
        ):
            numbers[flight] = number
    first = tuple(orbit.flights[0] for orbit in orbits if orbit.flights)
    return () if numbers == sorted(numbers) else tuple(numbers), first if rotated else ()


def _flight_keys(choreography: Choreography) -> list[tuple[int, int, int]]:
    """The events of each flight, and how many loops it ends later."""
    events = choreography.events
    flights = choreography.flights
    spans = events.time[flights.throw] + flights.duration - events.time[flights.catch]
    loops = np.rint(spans / choreography.duration).astype(int)
    return list(zip(flights.throw.tolist(), flights.catch.tolist(), loops.tolist(), strict=True))


def _read(
    instructions: Iterable[Instruction], fields: Mapping[str, _Field], notes: list[Note]
) -> dict[str, Any]:
    """What instructions say, by the names of its fields."""
    values: dict[str, Any] = {}
    for instruction in instructions:
        pairs, unread = _pairs(instruction.text)
        left_out = (
            [
                _(
                    '{rest} in <?{ours}?> is not read: it is no other key="value"',
                    rest=shown(unread),
                    ours=OURS,
                )
            ]
            if unread
            else []
        )
        for key, text in pairs.items():
            field = fields.get(key)
            value = None
            try:
                value = field.read(text) if field else None
                why = (
                    _("there is {accepted}", accepted=_(field.accepted))
                    if field
                    else did_you_mean(key, list(fields))
                )
            except NotationError as error:
                why = f"{error.reason}; {error.accepted}".replace("\n", " ")
            if field and value is not None:
                values[field.name] = value
            else:
                left_out.append(
                    _(
                        "{key} in <?{ours}?>, {text}, is not read: {why}",
                        key=key,
                        ours=OURS,
                        text=shown(text),
                        why=why,
                    )
                )
        # A file that is broken everywhere needs no more to be said.
        notes += [
            Note(instruction.location.line, sentence)
            for sentence in left_out[: max(0, _MAX_NOTES - len(notes))]
        ]
    return values


def _pairs(text: str) -> tuple[dict[str, str], str]:
    """Return the values of an instruction by key, and the text from where none can be read."""
    values: dict[str, str] = {}
    end = 0
    while (pair := _PAIR.match(text, end)) and pair[1] not in values and len(values) < _MAX_PAIRS:
        values[pair[1]], end = unescape(pair[2][1:-1]), pair.end()
    return values, text[end:].strip()


class _Field(NamedTuple):
    """A field's name, how its text is read, None if it cannot be, and what is accepted."""

    name: str
    read: Callable[[str], object]
    accepted: str


def _one_of(name: str, meanings: Mapping[str, object]) -> _Field:
    return _Field(name, lambda text: meanings.get(text.strip().casefold()), ", ".join(meanings))


def _numbers(text: str) -> tuple[int, ...] | None:
    words = text.split()
    right = len(words) <= MAX_JML_EVENTS and all(
        word.isascii() and word.isdigit() and len(word) < 6 for word in words
    )
    return tuple(map(int, words)) if right else None


_ROWS_WITHOUT_WORD = tuple(
    row for row in ROWS if row.stage > Stage.CHOREOGRAPHY and row.name != "prop_diameter"
)

_OF_PATTERN = {
    "style": _one_of("as_juggling_lab", {style: style == _JUGGLING_LAB for style in HAND_STYLES}),
    "settings": _Field("parameters", read_parameters, N_("settings as chickenwing=40;spins=2")),
    "throws": _Field("numbers", _numbers, N_("a number for each throw, counted from 0")),
    "first": _Field("first", _numbers, N_("a number of a throw for each orbit")),
    "spins": _Field("spins", read_spins, N_("the turns of each throw as 1,-,1.5")),
}

_THROWN = {name: thrown_in(name).row for name in (*THROWS, *THROW_VARIANTS)}
_CAUGHT = {name: caught_in(name).row for name in (*CATCHES, *CATCH_VARIANTS)}
# Files of before a penguin had a row of its own say it as a grasp.
_GRASPS = {word: Manner(Grasp(number), 0) for number, word in enumerate(GRASP_KINDS)}
_GRASPS["penguin"] = caught_in("penguin")

_WORDS_OF_ROWS = {
    row: (key, word)
    for key, rows in (("throw", _THROWN), ("catch", _CAUGHT))
    for word, row in rows.items()
}

_OF_EVENT = {
    "grasp": _one_of("grasp", _GRASPS),
    "throw": _one_of("thrown", _THROWN),
    "catch": _one_of("caught", _CAUGHT),
    "idle": _one_of("idle", {"true": True, "false": False}),
}
