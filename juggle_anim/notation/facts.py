"""Facts of a pattern: states, prime parts, ways in and out, relatives, hand load and periods; and
the same in words.

Checks: whether a text is a pattern, and its props, period, orbits and state.
"""

from __future__ import annotations

import dataclasses
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property, lru_cache
from itertools import islice
from typing import Any, NamedTuple

from juggle_anim.choreography import (
    Choreography,
    Score,
    choreograph,
    ignores_words_of_ones,
    needs_hops,
    repeat_to_full_loop,
    time_throws,
    timed_events,
)
from juggle_anim.errors import (
    ChoreographyError,
    JuggleError,
    NotationError,
    PatternError,
    RoutineError,
    counted,
)
from juggle_anim.language import N_, _, ngettext
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.notation.files import find_file_reference, shown_path
from juggle_anim.notation.limits import MAX_LENGTH
from juggle_anim.notation.pattern_list import Note
from juggle_anim.notation.prechac.write import write_prechac
from juggle_anim.notation.settings.settings import read_settings
from juggle_anim.notation.siteswap import BOUNCE_STYLES, completions, write_siteswap, write_throws
from juggle_anim.parameters import Parameters, Result
from juggle_anim.pattern import (
    MAX_STATES_SIZE,
    Cycle,
    Orbit,
    Passage,
    Pattern,
    Row,
    Throw,
    entry_of,
    exit_of,
    hand_throws,
    hand_turns,
    is_ground,
    is_rotation,
    repeat_length,
    right_first,
    state_cycle,
    write_state,
    written_states,
)

_MAX_PASSAGE_WORK = (
    800_000  # turns × props × hands of a pattern whose ways in and out are looked for
)
_MAX_STATE_CHARACTERS = 500_000  # characters of all states

_TOO_LARGE = N_("the pattern is too large")
_UNEVEN = N_("its hands throw at irregular intervals")
_NO_PROPS = N_("it has no props")


class Part(NamedTuple):
    """A prime pattern, and how often it stands in another one."""

    siteswap: str
    times: int


class GroundPassage(NamedTuple):
    """Throws between the ground state and a pattern: none if it passes the ground state.

    Attributes:
        throws: the throws as a part of a siteswap.
        pattern: the pattern from where it is entered, or up to where it is left.
    """

    throws: str
    pattern: str


class Relative(NamedTuple):
    """A pattern made from another one.

    Attributes:
        siteswap: the siteswap of it.
        props: how many.
        same: whether it is that pattern itself, perhaps begun elsewhere.
        height: for a dual, the height with respect to which it is one; else 0.
    """

    siteswap: str
    props: int
    same: bool
    height: int = 0


class HandLoad(NamedTuple):
    """Number of props that hands keep going.

    Attributes:
        smallest, largest: the mean of the values that a hand throws on all beats, for the hand with
            the least and the one with the most; all hands together keep all props going.
        at_once: the most props that one hand throws or holds on a beat.
    """

    smallest: float
    largest: float
    at_once: int


@dataclass(frozen=True)
class Facts:
    """Facts about a pattern; a fact is None if it makes no sense, and `missing` tells why.

    Args:
        states: before each beat on which hands can throw, until they come round; as `write_state`
            writes them.
        beats: the beats of each of the states.
        round: beats, or parts of beats, until the states come round.
        prime: whether it goes through no state twice; else it is composite.
        parts: the prime patterns that it consists of, or itself alone if it is prime; from the
            lowest state on.
        ground: whether the pattern passes through the ground state.
        entry, exit: the shortest throws from the ground state into it, and back.
        inverse: it in reversed time.
        dual: the pattern of the empty places, in reversed time.
        mirror: it with left and right hands swapped.
        hand_load: the props that hands keep going, see `HandLoad`.
        prop_period: beats until every prop is where it began.
        hand_period: beats until every hand does the same again.
        missing: reason why a fact is None, by its name.
    """

    states: tuple[str, ...] | None = None
    beats: tuple[int, ...] = ()
    round: int = 0
    prime: bool | None = None
    parts: tuple[Part, ...] | None = None
    ground: bool | None = None
    entry: GroundPassage | None = None
    exit: GroundPassage | None = None
    inverse: Relative | None = None
    dual: Relative | None = None
    mirror: Relative | None = None
    hand_load: HandLoad | None = None
    prop_period: float | None = None
    hand_period: float | None = None
    missing: dict[str, str] = field(default_factory=dict)

    def as_data(self) -> dict[str, Any]:
        """Return the facts as JSON values by name; null where a fact is not applicable.

        "not_applicable" has the reason for each null, by the name of the fact.
        """
        # Named tuples become objects.
        data: dict[str, Any] = {}
        for name in FACT_NAMES:
            value = getattr(self, name)
            data[name] = value._asdict() if hasattr(value, "_asdict") else value
        if self.parts is not None:
            data["parts"] = [part._asdict() for part in self.parts]
        if self.states is not None:
            data["states"] = list(self.states)
        # An inverse or a mirror image has no height: only the dual depends on the highest throw.
        for name in ("inverse", "mirror"):
            if data[name]:
                data[name].pop("height")
        return {**data, "not_applicable": dict(self.missing)}


_FACTS_OF_BEATS = (
    "states", "prime", "parts", "ground", "entry", "exit", "inverse", "dual", "mirror", "hand_load",
)  # fmt: skip

FACT_NAMES = (*_FACTS_OF_BEATS, "prop_period", "hand_period")


def facts_of(score: Score) -> Facts:
    """Find the facts of a score: of its throws on beats, or of its events."""
    if score.pattern:
        return find_facts(score.pattern)
    assert score.placed is not None, "a score without a pattern has events"
    return find_event_facts(score.placed)


def find_facts(pattern: Pattern) -> Facts:
    """Find the facts of a pattern on beats, each within a bounded time.

    A fact that makes no sense for the pattern, or would take too long, is left out, and
    `Facts.missing` has the reason.

    Args:
        pattern: the pattern of throws on beats.
    """
    # Facts do not depend on how often the text repeats the loop.
    pattern = _shortest_loop(pattern)
    # The pattern as a closed walk of states (on which coming beats props are due), beat by beat.
    cycle = state_cycle(pattern)
    missing = dict[str, str]()
    facts: dict[str, Any] = {
        "hand_load": _hand_load(pattern),
        "hand_period": _in_beats(pattern, pattern.period),
    }
    # The other facts may not apply. Each is found by itself, so that one failure does not affect
    # the others.
    finders = {
        "states": _states, "prime": _prime, "parts": _parts, "ground": _ground, "entry": _entry,
        "exit": _exit,
        "inverse": _inverse, "dual": _dual, "mirror": _mirror, "prop_period": _prop_period,
    }  # fmt: skip
    for name, find in finders.items():
        try:
            facts[name] = find(pattern, cycle)
        except (_NotApplicableError, JuggleError) as reason:
            missing[name] = str(reason)
    # The fields `beats` and `round` say when the states are passed, so they are set only with them.
    if "states" in facts:
        facts |= {"beats": cycle.turn_beats, "round": cycle.period}
    return Facts(**facts, missing=missing)


def find_event_facts(placed: Choreography) -> Facts:
    """Find the facts of events, which are on no beats: their periods, in seconds."""
    missing = dict.fromkeys(_FACTS_OF_BEATS, _("its events have no beats"))
    # If n props share an orbit, each goes round it in n loops. All are where they began after the
    # least common multiple of these numbers.
    loops = math.lcm(*(orbit.props for orbit in placed.orbits))
    return Facts(prop_period=loops * placed.duration, hand_period=placed.duration, missing=missing)


class _NotApplicableError(Exception):
    """Raised where a fact makes no sense, or would take too long; the text says why."""


def _in_beats(pattern: Pattern, parts: int) -> float:
    """Return beats for parts of beats as the pattern counts them; whole beats as an integer."""
    beats = parts / pattern.division if parts % pattern.division else parts // pattern.division
    return round(beats, 4)


def _require(condition: bool, reason: str) -> None:
    """Raise `_NotApplicableError` with a reason unless a condition holds."""
    if not condition:
        raise _NotApplicableError(reason)


def _require_text_fits(throws: int, jugglers: int) -> None:
    """Raise an error if no text of so many throws can be short enough.

    This avoids a long search for such a text.

    Args:
        throws: number of throws of the text.
        jugglers: number of jugglers.

    Raises:
        _NotApplicableError: any such text is longer than MAX_LENGTH characters.
    """
    # Each throw takes at least one character. With several jugglers there is also a space, a
    # separator of jugglers or a p for each.
    characters_a_throw = 2 if jugglers > 1 else 1
    # A star at the end may stand for half of the throws.
    _require(
        characters_a_throw * throws <= 2 * MAX_LENGTH,
        _("its throws do not fit in {max_length} characters", max_length=MAX_LENGTH),
    )


def _require_walk(cycle: Cycle) -> None:
    """Raise `_NotApplicableError` unless the states of a cycle can be walked through in time."""
    _require(cycle.props > 0, _NO_PROPS)
    _require(cycle.states_size <= MAX_STATES_SIZE, _TOO_LARGE)


def _require_ground(cycle: Cycle) -> None:
    """Raise `_NotApplicableError` unless a cycle has a ground state to compare with."""
    _require(cycle.is_regular, _("{uneven}, so there is no ground state", uneven=_(_UNEVEN)))
    _require_walk(cycle)


def _states(pattern: Pattern, cycle: Cycle) -> tuple[str, ...]:
    """Return the state before each beat on which hands can throw, as text, until states repeat.

    A state says on which coming beats a prop is due in each hand.

    Args:
        pattern: throws on beats, by jugglers and hands.
        cycle: its throws as a closed walk of states.

    Raises:
        _NotApplicableError: the states are too many or too long.
    """
    _require(cycle.states_size <= MAX_STATES_SIZE, _TOO_LARGE)
    states = []
    beats_with_turns = set(cycle.turn_beats)
    characters = 0
    # The loop of the pattern may be several periods of the cycle, of which only the first is
    # needed.
    for beat, state in enumerate(islice(written_states(pattern), cycle.period)):
        if beat in beats_with_turns:
            states.append(state)
            # The size is checked while the states are made, before all of them fill the memory.
            characters += len(state)
            _require(characters <= _MAX_STATE_CHARACTERS, _TOO_LARGE)
    return tuple(states)


def _prime(_pattern: Pattern, cycle: Cycle) -> bool:
    _require_walk(cycle)
    return len(cycle.parts) == 1


def _parts(_pattern: Pattern, cycle: Cycle) -> tuple[Part, ...]:
    """Return the prime patterns of which a cycle is made, each with how often it occurs.

    They come in the order in which each occurs first in the cycle's parts.
    """
    _require_walk(cycle)
    # Parts that differ as cycles may have the same text; their numbers are added.
    times_by_text = Counter[str]()
    for part, times in Counter(cycle.parts).items():
        times_by_text[_cycle_text(part.standard())] += times
    return tuple(Part(text, times) for text, times in times_by_text.items())


def _ground(_pattern: Pattern, cycle: Cycle) -> bool:
    _require_ground(cycle)
    return any(is_ground(cycle, turn) for turn in cycle.turn_beats)


def _entry(_pattern: Pattern, cycle: Cycle) -> GroundPassage:
    return _ground_passage(cycle, into=True)


def _exit(_pattern: Pattern, cycle: Cycle) -> GroundPassage:
    return _ground_passage(cycle, into=False)


def _ground_passage(cycle: Cycle, *, into: bool) -> GroundPassage:
    """Return the shortest throws between the ground state and a pattern.

    In the ground state, from which one begins to juggle, one prop is due on each of the next turns
    (beats on which a hand can throw).

    Args:
        cycle: the pattern, as a closed walk of states.
        into: whether the throws lead from the ground state into the pattern; if not, from the
            pattern back.

    Raises:
        _NotApplicableError: the pattern has no ground state, is too large, or the throws use parts
            of beats, which a siteswap cannot write.
    """
    _require_ground(cycle)
    work = len(cycle.turn_beats) * cycle.props * len(cycle.rows)
    _require(work <= _MAX_PASSAGE_WORK, _TOO_LARGE)
    passage = entry_of(cycle) if into else exit_of(cycle)
    _require(cycle.division == 1 or not passage.length, _("it uses parts of beats"))

    # An entry ends right before the turn at which the pattern is entered; an exit begins with the
    # turn at which it is left.
    first_beat = passage.turn_beat
    if into:
        first_beat -= passage.length
    throws = _passage_text(cycle.rows, passage, first_beat)
    # The pattern is written so that it begins with the turn at which it is entered or left.
    rotated_cycle = cycle.part(cycle.turn_beats_from(passage.turn_beat))
    return GroundPassage(throws, _cycle_text(rotated_cycle))


def _passage_text(rows: Sequence[Row], passage: Passage, first_beat: int) -> str:
    """Write the throws of a passage as a part of a siteswap; empty if there are none.

    Args:
        rows: the rows of the pattern. A row is a hand, or the two hands of a juggler who throw in
            turn; it has a turn on its `first_beat` and every `step` beats from then on.
        passage: the throws, whose beats are counted from the first of them.
        first_beat: the beat of that throw in the pattern.
    """
    # The rows with beats counted from the first throw of the passage.
    rows = right_first([row.counted_from(first_beat) for row in rows])
    jugglers = 1 + max(row.juggler for row in rows)
    # All turns within the passage, as (beat, index of the row): those without a throw, too, since
    # each is written as a 0.
    slots = [
        (beat, row_index)
        for row_index, row in enumerate(rows)
        for beat in range(row.first_beat, passage.length, row.step)
    ]
    return write_throws(
        hand_throws(rows, passage.throws), hand_turns(rows, slots), passage.length, jugglers
    )


def inverse_cycle(cycle: Cycle) -> Cycle:
    """Return the inverse of a cycle: the same throws in reversed time.

    Raises:
        PatternError: the cycle is too large.
    """
    try:
        _require(cycle.states_size <= MAX_STATES_SIZE, _TOO_LARGE)
    except _NotApplicableError as reason:
        raise PatternError(_("there is no inverse: {reason}", reason=reason)) from reason
    return cycle.inverse()


def dual_cycle(cycle: Cycle) -> Cycle:
    """Return the dual of a cycle with respect to the least possible height.

    The dual throws props where the cycle has empty places: a throw of v beats becomes one of
    height − v beats, in reversed time.

    Raises:
        PatternError: the cycle has no dual.
    """
    try:
        _require_dual(cycle)
    except _NotApplicableError as reason:
        raise PatternError(_("there is no dual: {reason}", reason=reason)) from reason
    return cycle.dual(cycle.dual_height())


def _inverse(_pattern: Pattern, cycle: Cycle) -> Relative:
    _require(cycle.states_size <= MAX_STATES_SIZE, _TOO_LARGE)
    inverse = cycle.inverse()
    text = _cycle_text(inverse.standard())
    return Relative(text, cycle.props, same=cycle.is_same(inverse))


def _dual(_pattern: Pattern, cycle: Cycle) -> Relative:
    _require_dual(cycle)
    height = cycle.dual_height()
    dual = cycle.dual(height)
    return Relative(
        _cycle_text(dual.standard()),
        dual.props,
        same=cycle.is_same(dual),
        height=height // cycle.division,
    )


def _require_dual(cycle: Cycle) -> None:
    """Raise `_NotApplicableError` unless a cycle has a dual."""
    has_multiplex = len({throw.slot for throw in cycle.throws}) < len(cycle.throws)
    _require(not has_multiplex, _("a hand throws several props at once"))
    _require(not any(throw.bounces for throw in cycle.throws), _("props bounce"))
    _require(cycle.is_regular, _UNEVEN)
    _require(cycle.states_size <= MAX_STATES_SIZE, _TOO_LARGE)


def _mirror(pattern: Pattern, cycle: Cycle) -> Relative:
    """Return the pattern with left and right hands swapped.

    Where hands take turns, the text has the same throws as that of the pattern.

    Args:
        pattern: throws on beats, by jugglers and hands.
        cycle: its throws as a closed walk of states.

    Raises:
        _NotApplicableError: no text is short enough.
    """
    mirrored = _hands_swapped(pattern)

    # If hands take turns from the first beat on, the text is just the throws in order, which are
    # the same with swapped hands.
    begins_at_once = any(beat == 0 for beat, _juggler, _hand in pattern.turns)
    is_siteswap = pattern.division == 1 and not pattern.hand_siteswap
    if is_siteswap and begins_at_once and _is_vanilla(cycle):
        text = write_throws(mirrored.throws, mirrored.turns, cycle.period)
    else:
        # All others need a text that says which hand throws. Only prechac has parts of beats.
        _require_text_fits(len(pattern.throws), pattern.jugglers)
        text = write_siteswap(mirrored) if pattern.division == 1 else write_prechac(mirrored)

    # The mirror image may be the pattern itself, perhaps begun at another beat.
    same = is_rotation(_actions_by_beat(pattern), _actions_by_beat(mirrored))
    return Relative(text, pattern.props, same=same)


def _hands_swapped(pattern: Pattern) -> Pattern:
    """Return the pattern with left and right hands swapped, but the text as it was."""
    # Throws and turns are sorted again by beat, juggler and hand.
    swapped = [throw.mirrored for throw in pattern.throws]
    throws = tuple(sorted(swapped, key=lambda throw: throw.turn))
    turns = tuple(sorted((beat, juggler, 1 - hand) for beat, juggler, hand in pattern.turns))
    return dataclasses.replace(pattern, throws=throws, turns=turns)


def _shortest_loop(pattern: Pattern) -> Pattern:
    """Return the pattern with the shortest loop: throws that repeat within it are left out."""
    period = repeat_length(_actions_by_beat(pattern))
    throws = tuple(throw for throw in pattern.throws if throw.beat < period)
    turns = tuple((beat, juggler, hand) for beat, juggler, hand in pattern.turns if beat < period)
    return dataclasses.replace(pattern, throws=throws, turns=turns, period=period)


def _is_vanilla(cycle: Cycle) -> bool:
    """Return whether hands take turns, so that the throws of each beat in order are a text."""
    return len(cycle.rows) == 1 and cycle.rows[0].hand is None


def _actions_by_beat(pattern: Pattern) -> list[object]:
    """Return for each beat of a loop what the hands do on it, to compare beats with each other.

    Returns:
        For each beat the turns (juggler, hand) and the throws without their beat, both sorted: a
        hashable pair, equal for beats on which the hands do the same.
    """
    turns: list[list[tuple[int, int]]] = [[] for _beat in range(pattern.period)]
    for beat, juggler, hand in pattern.turns:
        turns[beat].append((juggler, hand))
    throws: list[list[Throw]] = [[] for _beat in range(pattern.period)]
    for throw in pattern.throws:
        throws[throw.beat].append(throw._replace(beat=0))
    # Throws are sorted as text, since a field may be None, which has no order among others.
    return [
        (tuple(sorted(beat_turns)), tuple(sorted(beat_throws, key=repr)))
        for beat_turns, beat_throws in zip(turns, throws, strict=True)
    ]


def _prop_period(pattern: Pattern, cycle: Cycle) -> float:
    _require(cycle.props > 0, _NO_PROPS)
    return _in_beats(pattern, math.lcm(*(orbit.beats for orbit in pattern.orbits)))


def _hand_load(pattern: Pattern) -> HandLoad:
    """Return the mean number of props that hands keep going, and the most thrown at once.

    By the average theorem of siteswap, the props that a hand keeps going are the mean of the values
    that it throws over all beats of the period.

    Args:
        pattern: the pattern with or without throws.
    """
    # The sum of values by hand, (juggler, side), and the number of props by turn, (beat, juggler,
    # side).
    hands = {(juggler, side) for _beat, juggler, side in pattern.turns}
    value_sums = Counter[tuple[int, int]]()
    thrown_at_once = Counter[tuple[int, int, int]]()
    for throw in pattern.throws:
        value_sums[throw.juggler, throw.hand] += throw.value
        thrown_at_once[throw.turn] += 1

    # Without any turns there is no hand.
    loads = [value_sums[hand] / pattern.period for hand in sorted(hands)] or [0.0]
    return HandLoad(
        smallest=round(min(loads), 4),
        largest=round(max(loads), 4),
        at_once=max(thrown_at_once.values(), default=0),
    )


@lru_cache(maxsize=64)
def _cycle_text(cycle: Cycle) -> str:
    """Write a cycle: a siteswap, or prechac notation where jugglers throw between beats.

    Cached, since several facts about a pattern are often about the same cycle.

    Raises:
        _NotApplicableError: no siteswap of so many throws is short enough. Prechac notation has no
            such limit.
    """
    # A text does not say which hand begins, so it is the right one.
    pattern = cycle.right_first().pattern()
    if cycle.division > 1:
        return write_prechac(pattern)
    _require_text_fits(len(pattern.throws), pattern.jugglers)
    # Where hands take turns, the throws in order are the text, found without a search.
    if _is_vanilla(cycle):
        return write_throws(pattern.throws, pattern.turns, cycle.period)
    return write_siteswap(pattern)


def fact_lines(facts: Facts, *, in_beats: bool = True) -> list[tuple[str, str]]:
    """Return the facts of a pattern, except its states, as pairs of a name and a text.

    Args:
        facts: relatives (inverse, dual and mirror image), throws into and out of the pattern, and
            so on; a fact that does not apply is None, with the reason in `missing`.
        in_beats: whether the periods are in beats; if not, in seconds.

    Returns:
        Pairs of the name of a fact, with spaces, and its text or the reason why it does not apply;
        the last one, "repeats", has the two periods.
    """
    # The periods of hands and props, which all patterns have.
    hand_period = round(facts.hand_period or 0.0, 4)
    period = counted(hand_period, "beat") if in_beats else f"{hand_period:g} s"
    returns = (
        _(", props after {prop_period:.12g}", prop_period=facts.prop_period)
        if facts.prop_period
        else ""
    )
    repeats = "repeats", _("hands after {period}{returns}", period=period, returns=returns)

    # For a score of events all facts except the two periods are missing for the same reason, which
    # is one line.
    reasons = set(facts.missing.values())
    if len(reasons) == 1 and facts.missing.keys() == set(_FACTS_OF_BEATS):
        return [("facts", _("not applicable: {pop}", pop=reasons.pop())), repeats]

    words_by_name = _facts_in_words(facts)
    lines = []
    for name in ("parts", "entry", "exit", "inverse", "dual", "mirror", "hand_load"):
        # A fact that is None has no words, but a reason.
        reason = facts.missing.get(name, "")
        words = words_by_name.get(name) or _("not applicable: {missing}", missing=reason)
        lines.append((name.replace("_", " "), words))
    return [*lines, repeats]


def _facts_in_words(facts: Facts) -> dict[str, str]:
    """Return in words the facts that apply, by name, except states and periods.

    Args:
        facts: what is known of a pattern: its prime parts, the throws from the ground state into it
            and back (entry and exit), its inverse, dual and mirror image, and how much its hands
            have to do. A fact that does not apply is None.
    """
    words = {}
    if facts.parts is not None:
        words["parts"] = _parts_in_words(facts.parts, prime=bool(facts.prime))
    # In these texts {0} stands for the pattern and {1} for the throws into it or out of it.
    if facts.entry:
        words["entry"] = _passage_in_words(
            facts.entry, _("{1}, then {0}"), _("none needed, start with {0}")
        )
    if facts.exit:
        words["exit"] = _passage_in_words(
            facts.exit, _("{0}, then {1}"), _("none needed, end after {0}")
        )
    if facts.inverse:
        words["inverse"] = _relative_in_words(facts.inverse)
    if facts.dual:
        words["dual"] = _relative_in_words(facts.dual)
    if facts.mirror:
        words["mirror"] = _relative_in_words(facts.mirror)
    if facts.hand_load:
        words["hand_load"] = _load_in_words(facts.hand_load)
    return words


def _parts_in_words(prime_parts: Iterable[Part], *, prime: bool) -> str:
    """Say whether a pattern is prime, or which prime patterns it is made of."""
    if prime:
        return _("prime: not made of shorter patterns")
    parts = ", ".join(f"{times} × {text}" if times > 1 else text for text, times in prime_parts)
    return _("composite: {parts}", parts=parts)


def _passage_in_words(passage: GroundPassage, through: str, none: str) -> str:
    """Say which throws lead to or from the ground state, or that none are needed."""
    return (through if passage.throws else none).format(passage.pattern, passage.throws)


def _relative_in_words(relative: Relative) -> str:
    """Return in words which pattern an inverse, dual or mirror image is.

    A dual has another number of props, which is said with the height: each throw is replaced by
    the height less its value, in reversed time.

    Args:
        relative: the relative with its siteswap, and whether it is the pattern itself (`same`).
    """
    text = relative.siteswap
    # "Itself" may still begin at another throw.
    if relative.same:
        text += _(" (itself)")
    if relative.height:
        text += _(
            ": {props}, height {height}",
            props=counted(relative.props, "prop"),
            height=relative.height,
        )
    return text


def _load_in_words(load: HandLoad) -> str:
    """Return in words how many props a hand keeps going, and how many it throws or holds at once.

    `1 prop a hand, 1 at once`, or a span where hands differ: `1 to 2.5 props a hand, 2 at once`.
    """
    span = f"{load.smallest:g}"
    if load.smallest != load.largest:
        span += _(" to {largest:g}", largest=load.largest)
    return ngettext(
        "{span} prop a hand, {at_once} at once",
        "{span} props a hand, {at_once} at once",
        # The count that chooses singular or plural; spans and fractions are plural.
        1 if span == "1" else 2,
        span=span,
        at_once=load.at_once,
    )


@dataclass(frozen=True)
class Check(Result):
    """The result of reading a text: a score, or the error that says why there is none.

    Args:
        text: the text as typed or in a file: a siteswap, settings or a name; for events their name.
        score: None if the text is not a valid pattern.
        error: None if it is.
        file: the file of the text; empty for typed text, for which the other fields are unset, too.
        number: the number of the pattern in the file, from 1.
        line: the number of the line in the file, from 1; 0 if unknown.
        name: the name of the pattern in the file.
        parameters: the parameters that the text gives, by their names in `Parameters`.
        notes: what in the file is not read; only the first pattern of it has them.
        solutions: siteswaps that one with a ? may stand for, the nearest first, if requested.
    """

    text: str
    score: Score | None = None
    error: JuggleError | None = None
    file: str = ""
    number: int = 0
    line: int = 0
    name: str = ""
    parameters: Mapping[str, float | str | None] = field(default_factory=dict)
    notes: tuple[Note, ...] = ()
    solutions: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        """Return whether the text is a valid pattern."""
        return self.score is not None

    @property
    def valid(self) -> bool:
        """Whether the text is a valid pattern."""
        return bool(self)

    @property
    def props(self) -> int:
        """How many props; 0 of a text that is no pattern."""
        return self.score.props if self.score else 0

    num_props = num_balls = props

    @property
    def period(self) -> int:
        """Number of beats of the throws as written; 0 for events, and of what is no pattern."""
        return self.pattern.written_period if self.pattern else 0

    @property
    def message(self) -> str:
        """The sentence of the error; empty for a valid pattern."""
        return str(self.error or "")

    @property
    def pattern(self) -> Pattern | None:
        """The throws, or None for events."""
        return self.score.pattern if self.score else None

    @cached_property
    def facts(self) -> Facts | None:
        """Facts about a valid pattern beyond its props, period and orbits; else None."""
        return facts_of(self.score) if self.score else None

    @property
    def hint(self) -> str:
        """What would be accepted instead; empty for a valid pattern."""
        return getattr(self.error, "accepted", "")

    suggestion = hint

    @property
    def column(self) -> int | None:
        """The index in the text at which the error starts; None for a valid pattern."""
        return getattr(self.error, "index", None)

    @property
    def advice(self) -> str:
        """Return advice where the animation differs from the text or from what people do.

        Sentences joined by semicolons; empty if there is nothing to say.
        """
        if self.pattern is None or self.score is None:
            return ""
        staging = self.score.staging
        try:
            loop = repeat_to_full_loop(self.pattern, staging)
        except ChoreographyError:
            return ""  # it cannot be animated, and the animation itself says why

        parameters = Parameters().replace(**self.parameters)
        sentences = bounce_advice(self.score, parameters)
        if staging.throws and needs_hops(choreograph(self.score, parameters)):
            sentences.append(
                _(
                    "throws under one leg and then the other come too soon after each other: "
                    "people hop, but here arms may pass through legs; put a normal throw in "
                    "between, as in underleg,-"
                )
            )
        # Words for catches belong to catches in their order, which depends on the dwell. It is
        # counted with the default dwell, not that of the animation, as when body tricks are added.
        defaults = Parameters()
        timing = time_throws(loop, defaults.dwell, defaults.squeeze_beats)
        if ignores_words_of_ones(loop, timing, staging.catches, staging.throws):
            sentences.append(
                _("a 1 has no time to go around the body, so it is thrown and caught normally")
            )
        return "; ".join(sentences)

    def __str__(self) -> str:
        """Return the sentence of the error, or what is known of the pattern, a line for each."""
        return self.message or super().__str__()

    def to_dict(self) -> dict[str, Any]:
        """Return the result as JSON values; see `as_data`."""
        return self.as_data()

    def as_data(self) -> dict[str, Any]:
        """Return the result as JSON values: where it was read, then the facts or the error.

        Periods are in beats, those of events in seconds.
        """
        # Where the text stands in a file.
        data: dict[str, Any] = {}
        if self.file:
            data |= {
                "file": self.file,
                "number": self.number,
                "line": self.line,
                "name": self.name,
            }
        if self.notes:
            data["notes"] = [note._asdict() for note in self.notes]
        data |= {"text": self.text, "valid": self.score is not None}

        # The error of a broken pattern; for a routine all of its problems.
        if isinstance(self.error, RoutineError):
            data["problems"] = [
                {
                    "line": line_number,
                    "column": problem.index + 1,
                    "error": problem.reason,
                    "accepted": problem.accepted,
                }
                for line_number, problem in self.error.problems
            ]
        if self.score is None:
            error = self.error
            if isinstance(error, NotationError):
                return {
                    **data,
                    "error": error.reason,
                    "index": error.index,
                    "accepted": error.accepted,
                }
            return {**data, "error": str(error)}

        # The facts of a valid pattern.
        assert self.facts is not None, "a valid pattern has some"
        if self.score.routine and self.score.routine.lines:
            data["lines"] = [line._asdict() for line in self.score.routine.lines]
        if self.advice:
            data["advice"] = self.advice
        return {**data, **_described_score(self.score), **self.facts.as_data()}

    def brief(self) -> dict[str, Any]:
        """Return the facts that a table shows of a valid pattern, faster than all facts."""
        assert self.score is not None, "it is valid"
        return _described_score(self.score)


def bounce_advice(score: Score, parameters: Parameters) -> list[str]:
    """Return in words how throws that have too little time to bounce as written are changed.

    Args:
        score: the pattern; without bounces there is nothing to say.
        parameters: the parameters of the animation; gravity and the like decide which throws have
            time.

    Returns:
        A sentence for each kind of change, which begins with its throws as they are written.
    """
    pattern = score.pattern
    if pattern is None or not any(throw.bounces for throw in pattern.throws):
        return []
    loop = repeat_to_full_loop(pattern, score.staging)
    events, _tempo = timed_events(loop, score.staging, parameters)
    changes = events.bounces

    # Each throw as it is written: value in beats, a B for each bounce, letters of the style.
    throw_texts = []
    for throw in loop.throws:
        style_letters = BOUNCE_STYLES.get(throw.bounce_style, "")
        throw_texts.append(f"{loop.beats(throw.value):g}{'B' * throw.bounces}{style_letters}")

    def joined_throws(indices: Iterable[int]) -> str:
        """Return some throws as they are written, each different text once."""
        return ", ".join(sorted({throw_texts[index] for index in indices}))

    sentences = []
    # Restyled throws are caught late as well, which their own sentence says, so this one leaves
    # them out.
    if late_only := changes.caught_late.difference(changes.restyled):
        sentences.append(
            _(
                "{throws}: caught late to give it time to bounce",
                throws=joined_throws(late_only),
            )
        )
    if changes.restyled:
        sentences.append(
            _(
                "{throws}: too low to bounce as written, so it is thrown down or bounces less "
                "often, and is caught late",
                throws=joined_throws(changes.restyled),
            )
        )
    if changes.unbounced:
        sentences.append(
            _(
                "{throws}: no time to bounce, so it goes through the air",
                throws=joined_throws(changes.unbounced),
            )
        )
    return sentences


def check(text: str) -> Check:
    """Read a text as a pattern; an error becomes part of the result."""
    try:
        settings = read_settings(text)
    except JuggleError as error:
        return Check(text, error=error)
    notes = tuple(Note(0, note) for note in settings.notes)
    return Check(text, settings.score, parameters=settings.parameters, notes=notes)


def check_all(text: str) -> tuple[Check, ...]:
    """Check a text that is a pattern, a file of patterns, or a reference to one in a file.

    Args:
        text: a siteswap, settings, a name, or the path of a file, perhaps with `#3` for one
            pattern.

    Returns:
        A check for each pattern, in the order of the file; at least one. Errors of reading become
        a check, too.
    """
    reference = find_file_reference(text)
    if reference is None:
        return (check(text),)
    try:
        numbered_entries, notes = reference.numbered()
    except JuggleError as error:
        return (Check(text, error=error),)

    file = shown_path(reference.path)
    checks = []
    for number, entry in numbered_entries:
        score = entry.settings.score if entry.settings else None
        parameters = entry.settings.parameters if entry.settings else {}
        # Entries with events have no text, only a name.
        entry_text = entry.text or entry.display
        checks.append(
            Check(
                entry_text,
                score,
                entry.error,
                file=file,
                number=number,
                line=entry.line,
                name=entry.display,
                parameters=parameters,
            )
        )
    # Notes are about the file as a whole, so only the first check gets them. There is always one.
    return replace(checks[0], notes=notes), *checks[1:]


def check_completions(text: str) -> Iterator[Check]:
    """Check all completions of a siteswap with a `?`, the nearest first; another text as it is.

    Yields:
        A check for each completion, found while they are requested, since there may be very many;
        or one check with the error.
    """
    # The name of a file may have a ? in it.
    if "?" not in text or find_file_reference(text):
        yield from check_all(text)
        return
    try:
        # A settings string; only a pattern by itself has several completions.
        if "=" in text:
            reason = _("only a siteswap can be completed, and this has settings")
            raise NotationError(
                text, text.index("?"), reason, _("write only the part after pattern=")
            )
        completed = completions(text)
    except JuggleError as error:
        yield Check(text, error=error)
        return
    yield from map(check, completed)


def orbit_values(pattern: Pattern, orbit: Orbit) -> list[float]:
    """Return the values of an orbit's throws in beats, in the order in which a prop makes them."""
    return [pattern.beats(pattern.throws[index].value) for index in orbit.throws]


def _described_score(score: Score) -> dict[str, Any]:
    """Return the counts, period, orbits and state of a score as JSON values.

    Periods and orbits of a pattern are in beats; a score of events has seconds, and no state.

    Args:
        score: the score of a pattern, or of placed events.
    """
    # An orbit has the values of its throws in the order in which a prop makes them, the beats in
    # which the prop goes round, and how many props share it.
    pattern = score.pattern
    if pattern:
        return {
            "siteswap": pattern.text,
            "jugglers": pattern.jugglers,
            "props": pattern.props,
            "period": pattern.beats(pattern.written_period),
            "orbits": [
                {
                    "throws": orbit_values(pattern, orbit),
                    "beats": pattern.beats(orbit.beats),
                    "props": orbit.props,
                }
                for orbit in pattern.orbits
            ],
            "state": write_state(pattern),
        }
    placed = score.placed
    assert placed is not None, "a score without a pattern has events"
    return {
        "jugglers": placed.jugglers,
        "props": placed.props,
        "duration": placed.duration,
        "orbits": [
            {
                "throws": len(orbit.flights),
                "seconds": orbit.props * placed.duration,
                "props": orbit.props,
            }
            for orbit in placed.orbits
        ],
    }
