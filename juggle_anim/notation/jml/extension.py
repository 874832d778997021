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

from juggle_anim.choreography import (
    CATCHES,
    THROW_VARIANTS,
    THROWS,
    USUAL,
    Choreography,
    Grasp,
    Manner,
    Score,
    catch_manner,
    throw_manner,
)
from juggle_anim.errors import JuggleError, NotationError, did_you_mean
from juggle_anim.language import N_, _
from juggle_anim.notation.jml.conversion import to_choreography
from juggle_anim.notation.jml.document import (
    OURS,
    Extension,
    Instruction,
    JmlEvent,
    JmlPattern,
    shown,
)
from juggle_anim.notation.limits import MAX_JML_EVENTS
from juggle_anim.notation.pattern_list import Note
from juggle_anim.notation.settings import (
    Settings,
    read_parameters,
    read_settings,
    read_spins,
    write_parameters,
    write_spins,
)
from juggle_anim.parameters import (
    BEAT_PARAMETERS,
    GRASP_KINDS,
    HAND_STYLES,
    ROWS,
    Stage,
    quantity_named,
    row_named,
)

Values = dict[str, float | str | None]
"""Parameters by name."""

_FlightKey = tuple[int, int, int]

_NATURAL, _JUGGLING_LAB = HAND_STYLES

# Two tempi that differ by less, as a share of them, are one.
_TEMPO_TOLERANCE = 1e-9

_FLIGHT_PARAMETERS = ("gravity", "bounce_fraction")

_MAX_PAIRS = 10  # key="value" in one instruction; we write five

_MAX_NOTES = 100  # of a file; more say nothing new

_PAIR = re.compile(r"""\s*([\w-]{1,30})\s*=\s*("[^"]*"|'[^']*')""")


def read_extension(instructions: Iterable[Instruction], notes: list[Note]) -> Extension | None:
    """Return the extension of a pattern from its `<?juggle-anim …?>` instructions.

    Fields that cannot be read are left out, since the events say the most about a pattern; a note
    on each is appended to `notes`.

    Returns:
        None if no instruction states anything readable.
    """
    values = _read(instructions, _OF_PATTERN, notes)
    return Extension(**values) if values else None


def read_event_extension(
    instructions: Iterable[Instruction], notes: list[Note]
) -> tuple[Manner, bool]:
    """Return the manner of an event, and whether its hand is idle, from our instructions in it.

    The manner is how the hand grasps, and around which part of the body it throws or catches.

    Args:
        instructions: our processing instructions in the element of the event.
        notes: a note on each field that cannot be read is appended.
    """
    values = _read(instructions, _OF_EVENT, notes) if instructions else {}
    grasp, implied_body_throw = values.get("grasp", USUAL)
    # Body throws and catches are rows of one table; row 0 is an ordinary throw or catch.
    body_throw = values.get("caught", 0)
    if not body_throw:
        body_throw = values.get("thrown", 0)
    # A grasp may imply a body throw (penguin), but a catch or throw that is named outranks it.
    if not body_throw:
        body_throw = implied_body_throw
    return Manner(grasp, body_throw), values.get("idle", False)


def extension_attributes(extension: Extension) -> dict[str, str | None]:
    """Return the attributes of the instruction in a pattern; None for those that are left out."""
    parameters = extension.parameters
    return {
        "style": _JUGGLING_LAB if extension.as_juggling_lab else _NATURAL,
        "settings": None if parameters is None else write_parameters(parameters),
        "throws": " ".join(map(str, extension.numbers)) or None,
        "first": " ".join(map(str, extension.first)) or None,
        "spins": write_spins(extension.spins) or None,
    }


def event_attributes(event: JmlEvent) -> dict[str, str | None]:
    """Return the key="value" pairs of our instruction in an event; empty if it needs none."""
    attributes: dict[str, str | None] = {}
    # 0 is the usual grasp, and an ordinary throw or catch.
    grasp, body_throw = event.manner
    if grasp:
        attributes["grasp"] = GRASP_KINDS[grasp]
    if body_throw:
        # The key is "catch" or "throw" by the table that has the word, not by what the event does:
        # in a pattern reversed in time, a catch is made in the manner of a throw.
        key, word = _KEY_AND_WORD_OF_BODY_THROW[body_throw]
        attributes[key] = word
    if event.idle:
        attributes["idle"] = "true"
    return attributes


def extension_of(settings: Settings, pattern: JmlPattern) -> Extension | None:
    """Return the additions to plain JML with which a file is read back as the same pattern.

    Args:
        settings: the timed events and their parameters.
        pattern: the JML document of these events.

    Returns:
        The additions; None if plain JML is enough.
    """
    placed = settings.score.placed
    assert placed is not None, "only timed events are written as JML"
    # The events and parameters as read back without an extension, to find the differences.
    plain = to_choreography(pattern)
    plain_parameters = shown_parameters(Score(placed=plain, base=pattern.base))
    parameters = _shown(settings)
    has_manners = any(event.manner != USUAL for event in pattern.events)
    # The tempo [beats/s] must be stated only where it does not follow from the events.
    tempo = placed.bps if abs(placed.bps - plain.bps) > _TEMPO_TOLERANCE * plain.bps else None
    # The spins of all flights, or none if all have the usual one, which is None.
    spins = tuple(style.spin for style in placed.flights.style)
    if set(spins) == {None}:
        spins = ()
    if (
        placed.as_juggling_lab
        and not has_manners
        and tempo is None
        and parameters == plain_parameters
        and not spins
    ):
        return None
    # A tempo that the parameter does not accept could not be read back.
    if tempo is not None and quantity_named("bps").accepts(tempo):
        parameters = {"bps": float(tempo), **parameters}
    # The numbers of flights and the first flights of orbits, if plain JML is read back with others.
    numbers, first = _numbering(placed, plain)
    return Extension(placed.as_juggling_lab, parameters, numbers=numbers, first=first, spins=spins)


def shown_parameters(score: Score, extension: Extension | None = None) -> Values:
    """Return the parameters with which to show events that were read from a file, by name.

    They are those that the extension (our additions to the file) states. If it states none, they
    are gravity and bounces of the flights, and those settings of the base pattern (the text from
    which the events were made) that JML cannot express.

    Args:
        score: the events, and perhaps their base.
        extension: our additions to the file; None if it has none.
    """
    if extension and extension.parameters is not None:
        # The times of events already show the beat parameters.
        return {
            name: value
            for name, value in extension.parameters.items()
            if name not in BEAT_PARAMETERS
        }
    return {**_stated_in_base(score.base), **_parameters_of_flights(score)}


def _parameters_of_flights(score: Score) -> Values:
    """Return gravity, [cm/s²], and bounce fraction of events, where not at their defaults."""
    assert score.placed is not None, "a document holds events"
    # From m/s²; rounding undoes the error of the factor, or a default would not equal itself.
    values = {
        "gravity": round(100 * score.placed.gravity, 9),
        "bounce_fraction": score.placed.bounce_fraction,
    }
    return {name: value for name, value in values.items() if value != quantity_named(name).default}


def _stated_in_base(base: tuple[str, str] | None) -> Values:
    """Return the parameters that the text of the base pattern states and JML cannot express.

    Args:
        base: notation and text of the pattern from which the events were made, or None.
    """
    _notation, text = base or ("", "")
    # Only texts that mention such a key are worth reading.
    names = [row.name for row in _ROWS_NOT_IN_JML if row.key in text.casefold()]
    try:
        parameters = read_settings(text).parameters if names else {}
    except JuggleError:
        # The base is information only: it may be in a notation that this program does not read.
        return {}
    return {name: parameters[name] for name in names if name in parameters}


def _shown(settings: Settings) -> Values:
    """Return the parameters of timed events that are not at their defaults, by name.

    The beat parameters are left out, since events have times; gravity and bounces are those of the
    flights.
    """
    changed = {
        name: value
        for name, value in settings.parameters.items()
        if name not in (*BEAT_PARAMETERS, *_FLIGHT_PARAMETERS)
        and value is not None
        and value != row_named(name).default
    }
    return {**changed, **_parameters_of_flights(settings.score)}


def _numbering(
    placed: Choreography, plain: Choreography
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return `numbers` and `first` of an `Extension`, which restore the order of flights.

    Args:
        placed: the events, with flights numbered as they should be.
        plain: the same events as they are read without an extension.

    Returns:
        numbers: for each flight of `plain` its number in `placed`; empty if the order is the same.
        first: for each orbit with flights the number of its first flight; empty if these are the
            same in both.
        Both are empty if the two choreographies have different orbits.
    """
    orbits = placed.orbits
    plain_orbits = plain.orbits
    if [len(orbit.flights) for orbit in orbits] != [len(orbit.flights) for orbit in plain_orbits]:
        return (), ()
    # A flight may have a different index in each choreography, but has the same key in both.
    keys = _flight_keys(placed)
    plain_keys = _flight_keys(plain)
    numbers = [0] * len(keys)
    any_rotated = False
    for orbit, plain_orbit in zip(orbits, plain_orbits, strict=True):
        orbit_keys = [keys[flight] for flight in orbit.flights]
        plain_orbit_keys = [plain_keys[flight] for flight in plain_orbit.flights]
        # The same cycle of flights may begin at another flight.
        rotation = _rotation(plain_orbit_keys, orbit_keys)
        if rotation is None:
            return (), ()
        any_rotated = any_rotated or rotation > 0
        rotated_flights = plain_orbit.flights[rotation:] + plain_orbit.flights[:rotation]
        for plain_flight, flight in zip(rotated_flights, orbit.flights, strict=True):
            numbers[plain_flight] = flight
    first = tuple(orbit.flights[0] for orbit in orbits if orbit.flights)
    return () if numbers == sorted(numbers) else tuple(numbers), first if any_rotated else ()


def _rotation(keys: list[_FlightKey], rotated: list[_FlightKey]) -> int | None:
    """Return which index of `keys` comes first in `rotated`; None if that is no rotation of it.

    Two empty lists, those of a prop that is only held, have the rotation 0.
    """
    for start in range(max(1, len(keys))):
        if keys[start:] + keys[:start] == rotated:
            return start
    return None


def _flight_keys(choreography: Choreography) -> list[_FlightKey]:
    """Return a key of each flight: rows of its throw and catch, and the catch's delay in loops."""
    events = choreography.events
    flights = choreography.flights
    # Time of the landing minus the time of the catching event within the loop: whole loops.
    differences = events.time[flights.throw] + flights.duration - events.time[flights.catch]
    loops = np.rint(differences / choreography.duration).astype(int)
    return list(zip(flights.throw.tolist(), flights.catch.tolist(), loops.tolist(), strict=True))


def _read(
    instructions: Iterable[Instruction], fields: Mapping[str, _Field], notes: list[Note]
) -> dict[str, Any]:
    """Read the key="value" pairs of instructions.

    Args:
        instructions: the instructions of one element.
        fields: the fields that it may state, by their keys.
        notes: a note on each pair that cannot be read is appended.

    Returns:
        The values by the names of their fields.
    """
    values: dict[str, Any] = {}
    for instruction in instructions:
        # `unread` is text that is no pair.
        pairs, unread = _pairs(instruction.text)
        # A sentence for each thing that is not read.
        problems = []
        if unread:
            problems.append(
                _(
                    '{rest} in <?{ours}?> is ignored: it is not key="value"',
                    rest=shown(unread),
                    ours=OURS,
                )
            )
        for key, text in pairs.items():
            field = fields.get(key)
            if field is None:
                why = did_you_mean(key, list(fields))
            else:
                value, why = _read_field(field, text)
                if value is not None:
                    values[field.name] = value
                    continue
            problems.append(
                _(
                    "{key} in <?{ours}?>, {text}, is ignored: {why}",
                    key=key,
                    ours=OURS,
                    text=shown(text),
                    why=why,
                )
            )
        # A file that is broken everywhere gets only the first notes.
        room = max(0, _MAX_NOTES - len(notes))
        notes += [Note(instruction.location.line, problem) for problem in problems[:room]]
    return values


def _read_field(field: _Field, text: str) -> tuple[object, str]:
    """Return the value of a field, None if its text is refused; and why it would be refused."""
    # Readers refuse a text by None or by an error, which says why.
    try:
        value = field.read(text)
    except NotationError as error:
        return None, f"{error.reason}; {error.accepted}".replace("\n", " ")
    return value, _("there is {accepted}", accepted=_(field.accepted))


def _pairs(text: str) -> tuple[dict[str, str], str]:
    """Split an instruction into its key="value" pairs.

    Returns:
        The values by key, and the text from the first place on that is not a pair, repeats a key or
        goes beyond the limit of pairs; empty if all was read.
    """
    values: dict[str, str] = {}
    end = 0
    while (pair := _PAIR.match(text, end)) and pair[1] not in values and len(values) < _MAX_PAIRS:
        key, quoted = pair.groups()
        values[key] = unescape(quoted[1:-1])
        end = pair.end()
    return values, text[end:].strip()


class _Field(NamedTuple):
    """A field of an instruction.

    Args:
        name: under which its value is returned.
        read: makes the value from a text; None for a text that it does not accept.
        accepted: words for the texts that it accepts, for notes.
    """

    name: str
    read: Callable[[str], object]
    accepted: str


def _one_of(name: str, meanings: Mapping[str, object]) -> _Field:
    """Return a field whose text is one of several words, in any case of letters.

    Older files may have a variant of a word for one kind of prop, such as "underleg of rings", that
    is gone: it means the word alone.

    Args:
        name: name of the field.
        meanings: what each of the words means.
    """

    def meaning(text: str) -> object:
        """Return what a text of a file means; None if it is none of the words."""
        word = text.strip().casefold()
        return meanings.get(word, meanings.get(word.partition(" of ")[0]))

    return _Field(name, meaning, ", ".join(meanings))


def _numbers(text: str) -> tuple[int, ...] | None:
    """Return the whole numbers, of at most five digits, of a text; None if it has anything else."""
    words = text.split()
    readable = len(words) <= MAX_JML_EVENTS and all(
        word.isascii() and word.isdigit() and len(word) < 6 for word in words
    )
    return tuple(map(int, words)) if readable else None


_ROWS_NOT_IN_JML = tuple(
    row for row in ROWS if row.stage > Stage.CHOREOGRAPHY and row.name != "prop_diameter"
)

_OF_PATTERN = {
    "style": _one_of("as_juggling_lab", {style: style == _JUGGLING_LAB for style in HAND_STYLES}),
    "settings": _Field(
        "parameters", read_parameters, N_("settings such as chickenwing=40;spins=2")
    ),
    "throws": _Field("numbers", _numbers, N_("a number for each throw, counting from 0")),
    "first": _Field("first", _numbers, N_("the number of a throw for each orbit")),
    "spins": _Field("spins", read_spins, N_("the turns of each throw, such as 1,-,1.5")),
}

_THROWN = {name: throw_manner(name).row for name in (*THROWS, *THROW_VARIANTS)}
_CAUGHT = {name: catch_manner(name).row for name in CATCHES}
# Files of before a penguin had a row of its own say it as a grasp.
_GRASPS = {word: Manner(Grasp(number), 0) for number, word in enumerate(GRASP_KINDS)}
_GRASPS["penguin"] = catch_manner("penguin")

_KEY_AND_WORD_OF_BODY_THROW = {
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
