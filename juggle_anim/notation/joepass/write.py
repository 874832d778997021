"""Writing JoePass! files: from a score to commands and throws."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from fractions import Fraction

from juggle_anim.choreography import BodyMoves, PropStyle, Staging
from juggle_anim.errors import FileError, JuggleError, either, printable
from juggle_anim.language import _, pgettext
from juggle_anim.notation.jif.scores import PropOrder, prop_looks
from juggle_anim.notation.joepass.read import HANDS, KINDS, joepass_numbers, read_joepass
from juggle_anim.notation.limits import MAX_DECIMALS, decimals
from juggle_anim.notation.pattern_list import Entry, PatternList, WrittenText
from juggle_anim.notation.rewriting import only_pattern
from juggle_anim.notation.settings import Settings, first_place, read_hands, read_settings
from juggle_anim.parameters import IMPLIED_HAND_STYLE
from juggle_anim.pattern import LEFT, RIGHT, Pattern, Throw

_SHOWN_NAME = 60  # characters of the name of a pattern in an error
_MAX_JUGGLERS_NAMED = 35  # whom a single character names

_BOUNCES = {"lift": "b", "force": "bb", "hyper_lift": "vhl", "hyper_force": "vhf"}

_KEEPS_TURN = re.compile(r"(?<![0-9.:])1(p|:.)?x")

_LOOK_DISTANCE = 100.0  # cm, from a juggler to the point looked at


def write_joepass(patterns: PatternList) -> WrittenText:
    """Write one pattern as a .pass file of JoePass!; `read_joepass` reads the same throws.

    Hands take turns in the file if they do in the pattern; otherwise both hands are written on
    every beat, or on every second. Notes list everything that the format cannot express.

    Args:
        patterns: a list of one pattern.

    Returns:
        The text, and notes on what it leaves out.

    Raises:
        FileError: there are several patterns or none, or it is one that could not be read, or that
            the format has no words for.
    """
    entry, settings = only_pattern(patterns, _("a .pass file"))
    settings, left_out = _settings_with_throws(entry, settings)
    pattern = settings.score.pattern
    assert pattern is not None, "events were replaced by throws"
    if patterns.has_words_around:
        left_out.append(_("the list's title and notes are not saved"))
    left_out += _not_expressible(entry, settings, pattern)
    grid, throws = _written(entry, pattern)
    # #sx means values that are numbers between spaces, since they may be above 9.
    head = [
        *_words(settings),
        "#sx",
        *_looks(settings.score.staging.props, pattern, grid.starts),
        *_tempo(settings),
    ]
    text = "\n".join([*head, *_places(settings.score.staging.body, pattern.jugglers), throws])
    return WrittenText(f"{text}\n", tuple(f"{entry.display}: {note}" for note in left_out))


def _settings_with_throws(entry: Entry, settings: Settings) -> tuple[Settings, list[str]]:
    """Return settings whose score has throws, and a note if they are not those of the entry.

    A score of placed events is replaced by the siteswap from which the events were made.

    Args:
        entry: the entry, for errors.
        settings: the settings of the entry.

    Raises:
        FileError: there is no such siteswap.
    """
    if settings.score.pattern:
        return settings, []
    # The base is the text from which the events were made, if they were made from one.
    notation, text = settings.score.base or ("", "")
    try:
        base_settings = read_settings(text) if notation.casefold() == "siteswap" else None
    except JuggleError:
        base_settings = None
    if base_settings is None:
        reason = _("its events have times and places that a .pass file cannot store")
        raise FileError(
            _(
                "{display}: {reason}; save it as .jml",
                display=printable(entry.display, _SHOWN_NAME),
                reason=reason,
            )
        )
    return base_settings, [
        _("a .pass file cannot store its events, so the original pattern is saved")
    ]


def _written(entry: Entry, pattern: Pattern) -> tuple[_Grid, str]:
    """Return the throws and their commands in the first form that is read back as the same pattern.

    Args:
        entry: the entry, for errors.
        pattern: what to write.

    Returns:
        The grid of the throws, and the text.

    Raises:
        FileError: too many jugglers, or no form is read back the same.
    """
    if pattern.jugglers > _MAX_JUGGLERS_NAMED:
        reason = _(
            "it has {jugglers} jugglers; the limit of a .pass file is {most_jugglers}",
            jugglers=pattern.jugglers,
            most_jugglers=_MAX_JUGGLERS_NAMED,
        )
        raise FileError(f"{printable(entry.display, _SHOWN_NAME)}: {reason}")
    # Not every pattern can be written in each form, so each text is read again and compared.
    expected = _comparable(pattern)
    for grid, text in _forms(pattern):
        try:
            read = read_joepass(f"#sx\n{text}").patterns[0].settings
        except JuggleError:
            continue
        if read and read.score.pattern and _comparable(read.score.pattern) == expected:
            return grid, text
    reason = _("a .pass file needs throws on whole beats of each hand")
    raise FileError(
        _(
            "{display}: {reason}; save it as .jif",
            display=printable(entry.display, _SHOWN_NAME),
            reason=reason,
        )
    )


def _comparable(pattern: Pattern) -> tuple[object, ...]:
    """Return all of a pattern that must be read back from a file, in a form that can be compared.

    Times are in beats, as patterns may divide beats differently. Whether throws are held, and how
    often they bounce, cannot be written, so it is left out.

    Args:
        pattern: the pattern that was written, or that was read back.
    """
    parts = pattern.division
    throws = [
        (
            Fraction(throw.beat, parts),
            Fraction(throw.value, parts),
            throw._replace(beat=0, value=0, bounces=0, held=None),
        )
        for throw in pattern.throws
    ]
    return pattern.jugglers, Fraction(pattern.period, parts), throws


def _forms(pattern: Pattern) -> Iterator[tuple[_Grid, str]]:
    """Yield possible texts of the throws, each with its grid: with hands in turn, then in pairs.

    A grid has the throws of each beat, juggler and hand. The caller reads the texts, to see which
    is the pattern. Shorter texts come first. There is none if the period is not a whole number of
    beats.

    Args:
        pattern: the pattern to write.
    """
    if pattern.period % pattern.division:
        return
    # With hands in turn, the text has the beats that were written, or all beats of the period,
    # which may be twice as many.
    turns = _Grid(pattern, in_turns=True)
    for beats in sorted({pattern.written_period // pattern.division, turns.beats}):
        text = turns.text(beats, 0)
        # After a crossing 1, JoePass! lets the same hand throw again, which is not meant.
        if not _KEEPS_TURN.search(text):
            yield turns, text
    # Pairs stand on every second beat if the number of beats is even, or else on every beat.
    pairs = _Grid(pattern, in_turns=False)
    if pairs.beats % 2 == 0:
        yield pairs, pairs.text(pairs.beats, 2)
    yield pairs, pairs.text(pairs.beats, 1)


class _Grid:
    """The throws of a pattern on the beats of each juggler.

    Args:
        pattern: any of whole beats.
        in_turns: whether hands are to take turns, so that it matters which begins.

    Attributes:
        beats: the beats of the period.
        delays: delay of each (juggler, hand), [parts of a beat].
        throws_of_turn: throws by beat, juggler and hand; empty for a turn without throws.
        starts: the hand with which each juggler begins.
    """

    def __init__(self, pattern: Pattern, *, in_turns: bool) -> None:
        """Sort the throws of a pattern by beat, juggler and hand, and find the delay of each hand.

        Args:
            pattern: its period is a whole number of beats.
            in_turns: whether hands take turns; otherwise both hands are written on a beat.
        """
        self.pattern = pattern
        self.beats = pattern.period // pattern.division
        # The number of parts of a beat by which each hand is late, from its first throw. A dict
        # keeps the last of equal keys, so throws are taken from the last to the first.
        self.delays = {
            (throw.juggler, throw.hand): throw.beat % pattern.division
            for throw in reversed(pattern.throws)
        }
        self.throws_of_turn: dict[tuple[int, int, int], list[Throw]] = {}
        for beat, juggler, hand in pattern.turns:
            self.throws_of_turn[self._beat(beat, juggler, hand), juggler, hand] = []
        for throw in pattern.throws:
            beat = self._beat(throw.beat, throw.juggler, throw.hand)
            turn = (beat, throw.juggler, throw.hand)
            self.throws_of_turn.setdefault(turn, []).append(throw)
        self.starts = [
            self._start(juggler) if in_turns else RIGHT for juggler in range(pattern.jugglers)
        ]

    def text(self, beats: int, step: int) -> str:
        """Write the commands for hands and delays, and the throws.

        Args:
            beats: number of beats of the grid to write.
            step: beats from one pair to the next; 0 if hands take turns.

        Returns:
            A line for each command, and then the throws on one line.
        """
        lines = [f"#emptyBeats {step - 1}"] if step else []
        lines += [
            f"#jugglerStartLeft {juggler + 1}"
            for juggler, hand in enumerate(self.starts)
            if hand == LEFT
        ]
        # "#D -" means that values already include delays.
        if any(self.delays.values()):
            lines.append("#D -")
        for juggler, first_hand in enumerate(self.starts):
            first_delay = self._delay(juggler, first_hand)
            second_delay = self._delay(juggler, _other_hand(first_hand))
            if first_delay != second_delay:
                # JoePass! calls the hand that begins the right one.
                lines.append(f"#jugglerDelay {juggler + 1} r {first_delay} l {second_delay}")
            elif first_delay != "0":
                lines.append(f"#jugglerDelay {juggler + 1} {first_delay}")
        sides = [
            " ".join(self._side(juggler, beats, step)) for juggler in range(self.pattern.jugglers)
        ]
        throws = f"< {' | '.join(sides)} >" if len(sides) > 1 else sides[0]
        return "\n".join([*lines, throws])

    def _side(self, juggler: int, beats: int, step: int) -> list[str]:
        """Write the throws of a juggler, one text for each turn or pair; as in `text`."""
        if step == 0:
            return [self._single(beat, juggler) for beat in range(beats)]
        return [self._pair(beat, juggler) for beat in range(0, beats, step)]

    def _beat(self, beat: int, juggler: int, hand: int) -> int:
        """Return the whole beat of a hand without its delay, from a time in parts of beats."""
        return (beat - self._parts_late(juggler, hand)) // self.pattern.division % self.beats

    def _parts_late(self, juggler: int, hand: int) -> int:
        """Return by how many parts of a beat a hand is late.

        A hand without throws is as late as the juggler's other hand.
        """
        delay_of_other = self.delays.get((juggler, _other_hand(hand)), 0)
        return self.delays.get((juggler, hand), delay_of_other)

    def _delay(self, juggler: int, hand: int) -> str:
        return decimals(self._parts_late(juggler, hand) / self.pattern.division, MAX_DECIMALS)

    def _start(self, juggler: int) -> int:
        """Return the hand that throws on the even beats of a juggler, whose hands take turns.

        It follows from the juggler's first throw; a juggler without throws has the right hand.
        """
        beat, hand = min(
            ((beat, hand) for beat, owner, hand in self.throws_of_turn if owner == juggler),
            default=(0, RIGHT),
        )
        return hand if beat % 2 == 0 else _other_hand(hand)

    def _single(self, beat: int, juggler: int) -> str:
        first_hand = self.starts[juggler]
        hand = first_hand if beat % 2 == 0 else _other_hand(first_hand)
        return self._hand(self.throws_of_turn.get((beat, juggler, hand), []))

    def _pair(self, beat: int, juggler: int) -> str:
        hands = []
        for hand in (LEFT, RIGHT):
            throws = self.throws_of_turn.get((beat, juggler, hand))
            hands.append("-" if throws is None else self._hand(throws))
        return f"( {' , '.join(hands)} )"

    def _hand(self, throws: list[Throw]) -> str:
        texts = [self._throw(throw) for throw in throws]
        return f"[ {' '.join(texts)} ]" if len(texts) > 1 else "".join(texts) or "0"

    def _throw(self, throw: Throw) -> str:
        """Write a throw, with an `x` if it is caught by another hand than its value implies.

        An even number of whole beats implies the throwing hand, an odd one the other hand;
        different first hands of thrower and receiver reverse this.

        Args:
            throw: the throw of the pattern, with its value in parts of beats.
        """
        value = Fraction(throw.value, self.pattern.division)
        pass_flag = ""
        if throw.to_juggler != throw.juggler:
            # With two jugglers the receiver is not named; with more it is 1 to 9 or A to Z.
            number = throw.to_juggler + 1
            pass_flag = (
                "p"
                if self.pattern.jugglers == 2
                else f":{number if number < 10 else chr(ord('A') + number - 10)}"
            )
        starts_differ = self.starts[throw.juggler] != self.starts[throw.to_juggler]
        crossing = (throw.hand + int(value) + starts_differ) % 2 != throw.to_hand
        bounce = _BOUNCES[throw.bounce_style] if throw.bounces else ""
        crossing_flag = "x" if crossing else ""
        return f"{decimals(float(value), MAX_DECIMALS)}{pass_flag}{crossing_flag}{bounce}"


def _other_hand(hand: int) -> int:
    return LEFT if hand == RIGHT else RIGHT


def _words(settings: Settings) -> list[str]:
    """Return the title and the description as comments."""
    title = [f"! title: {' '.join(settings.score.title.split())}"] if settings.score.title else []
    return title + [f"! about: {line}" for line in settings.score.about.splitlines()]


def _looks(style: PropStyle, pattern: Pattern, starts: list[int]) -> list[str]:
    """Return the commands for number, kinds and colours of props.

    Args:
        style: the style of the props.
        pattern: pattern with the props.
        starts: the hand with which each juggler begins; it decides on JoePass!'s numbers of props.
    """
    order = PropOrder(pattern)
    looks = prop_looks(style, order)
    numbers = joepass_numbers(order, starts)
    # Looks in the order of JoePass!'s numbers.
    ranked = [looks[prop] for prop in sorted(range(len(looks)), key=lambda prop: numbers[prop])]
    # Several codes stand for one kind; the first one is written.
    code_of_kind = {kind: code for code, kind in reversed(KINDS.items())}
    codes = [code_of_kind.get(kind, code_of_kind["ball"]) for kind, _colour in ranked]
    lines = [f"#objectCount {len(ranked)}"]
    if len(set(codes)) == 1:
        # A kind without a number is for all.
        lines.append(f"#objectKind {codes[0]}")
    elif codes:
        numbered_codes = [f"{number}:{code}" for number, code in enumerate(codes, start=1)]
        lines.append(f"#objectKind {','.join(numbered_codes)}")
    for number, (_kind, colour) in enumerate(ranked, start=1):
        if colour:
            parts = ",".join(decimals(part, 3) for part in colour)
            lines.append(f"#objectColor {number} ({parts})")
    return lines


def _tempo(settings: Settings) -> Iterator[str]:
    if name := _joepass_style(settings.score.staging):
        yield f"#globalStyle {name}"
    for key, command in _COMMANDS.items():
        if settings.parameters.get(key) is not None:
            yield f"#{command} {decimals(float(settings.parameters[key] or 0), MAX_DECIMALS)}"


def _joepass_style(staging: Staging) -> str:
    """Return JoePass!'s name for the moves of hands; empty if it has no name for them."""
    return next((name for name, moves in HANDS.items() if staging.hands == read_hands(moves)), "")


def _places(moves: BodyMoves | None, jugglers: int) -> Iterator[str]:
    """Yield commands with the place of each juggler and a point to look at, (x, y, z) in cm.

    In JoePass! y is up, and x to the right as seen from above; our x is to the left.

    Args:
        moves: the moves of bodies; None if no places are set; then no commands are written.
        jugglers: number of jugglers.
    """
    if moves is None:
        return
    for juggler in range(jugglers):
        place = first_place(moves, juggler)
        if place is None:
            continue
        left, up, forward = (100 * part for part in place.position)
        # From the juggler to the point at which they look, at `_LOOK_DISTANCE`, [cm], in our axes.
        look_left = _LOOK_DISTANCE * math.sin(place.facing)
        look_forward = _LOOK_DISTANCE * math.cos(place.facing)
        stands_at = (-left, up, forward)
        looks_at = (-left - look_left, up, forward + look_forward)
        points = (
            f"({','.join(decimals(part, 2) for part in point)})" for point in (stands_at, looks_at)
        )
        yield f"#jugglerPosition {juggler + 1} {' '.join(points)}"


def _not_expressible(entry: Entry, settings: Settings, pattern: Pattern) -> Iterator[str]:
    """Yield a sentence for each thing of a pattern that its .pass file cannot hold.

    Args:
        entry: the entry of the list that is saved, with how other programs display it.
        settings: the settings of the entry.
        pattern: the throws of the settings.
    """
    staging = settings.score.staging
    default = Staging()
    if any(throw.held is not None for throw in pattern.throws):
        yield _("whether a throw is held or thrown is not saved")
    if any(throw.bounces > 1 for throw in pattern.throws):
        yield _("only one bounce of each throw is saved")
    # Moves of hands are saved by their JoePass! name. A file with such a name is read in
    # `IMPLIED_HAND_STYLE`, Juggling Lab's, so moves in another style would not come back.
    moves_are_saved = _joepass_style(staging) != "" and staging.style == IMPLIED_HAND_STYLE
    moves_are_usual = staging.hands is None and staging.style == default.style
    hands_are_saved = moves_are_saved or moves_are_usual
    if not hands_are_saved or staging.throws or staging.catches != default.catches:
        yield _("how hands move, throw and catch is not saved")
    # Only the first place of each juggler is written, so further ones are lost.
    bodies = staging.body.beats if staging.body else ()
    if any(sum(place is not None for steps in beats for place in steps) > 1 for beats in bodies):
        yield _("where bodies move is not saved, only where they start")
    if unknown := sorted(set(staging.props.kinds) - set(KINDS.values())):
        yield _(
            "a .pass file has no {unknown}: they are written as balls",
            unknown=either([pgettext("choice", kind) for kind in unknown]),
        )
    if others := [key for key in settings.parameters if key not in _COMMANDS]:
        yield _("not saved: {others}", others=", ".join(others))
    if settings.score.tags or entry.animprefs:
        yield _("tags and display settings of other programs are not saved")


_COMMANDS = {"bps": "bps", "dwell": "hurried"}
"""The commands that say parameters."""
