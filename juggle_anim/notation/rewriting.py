"""Rewriting: entries of a list in a form that the format of a file can hold.

Permutations of numbers from 0, and those of paths and jugglers as JML writes them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import lcm

from juggle_anim.choreography import Choreography, PropStyle, Score, choreograph
from juggle_anim.errors import FileError, JuggleError, joined_names
from juggle_anim.language import _
from juggle_anim.notation.limits import MAX_JML_ATTRIBUTE
from juggle_anim.notation.pattern_list import Entry, PatternList
from juggle_anim.notation.settings import (
    Settings,
    has_other_names,
    prop_style,
    read_settings,
    write_settings,
)
from juggle_anim.parameters import Parameters
from juggle_anim.pattern import cycles

_PROPS_OF_JUGGLING_LAB = ("ball", "image", "ring")


def only_pattern(patterns: PatternList, holder: str) -> tuple[Entry, Settings]:
    """Return the entry of the only pattern of a list, and its settings.

    Args:
        patterns: the list.
        holder: what can hold only one pattern, such as a format, as errors name it.

    Raises:
        FileError: there are several patterns or none, or it is one that could not be read.
    """
    # Entries that are mere words do not count.
    entries = patterns.patterns
    if len(entries) != 1:
        raise FileError(
            _(
                "{holder} can have only one pattern, not {count}; use .jml or .txt for many",
                holder=holder,
                count=len(entries),
            )
        )
    (entry,) = entries
    if entry.settings is None:
        raise FileError(
            _(
                "{display}: cannot be saved, because it could not be read: {error}",
                display=entry.display,
                error=entry.error,
            )
        )
    return entry, entry.settings


Rewritten = tuple[PatternList, tuple[str, ...]]
"""A list that a format can hold, and a sentence for each loss."""


def for_jml(patterns: PatternList) -> Rewritten:
    """Rewrite patterns as Juggling Lab can show them."""
    return with_props_of_juggling_lab(without_names(with_events_for_unwritable(patterns)))


def for_text_list(patterns: PatternList) -> Rewritten:
    """Rewrite patterns to fit a line each; the writer reports the losses."""
    return without_names(with_events_for_unwritable(patterns)), ()


def for_joepass(patterns: PatternList) -> Rewritten:
    """Rewrite a pattern to fit a .pass file; the writer reports the losses."""
    return with_titles(without_names(patterns)), ()


def for_jif(patterns: PatternList) -> Rewritten:
    """Rewrite a pattern as a JIF document can hold it.

    Args:
        patterns: a list of one pattern.

    Returns:
        The list, and a sentence for each thing that JIF cannot hold.

    Raises:
        FileError: there are several patterns or none, or it is one that could not be read.
    """
    entry, _settings = only_pattern(patterns, "JIF")
    losses = []
    if patterns.has_words_around:
        losses.append(
            _(
                "{display}: the list's title and notes are not saved",
                display=entry.display,
            )
        )
    if entry.animprefs:
        losses.append(
            _("{display}: display settings of other programs are not saved", display=entry.display)
        )
    return with_titles(without_names(patterns)), tuple(losses)


def without_names(patterns: PatternList) -> PatternList:
    """Write settings for names of the library and old names of settings.

    Other programs do not know these.
    """
    return replace(patterns, entries=tuple(map(_without_name, patterns.entries)))


def with_events_for_unwritable(patterns: PatternList) -> PatternList:
    """Write events for throws that no text stands for, as those between beats in JIF."""
    return replace(patterns, entries=tuple(map(_with_events_if_unwritable, patterns.entries)))


def with_titles(patterns: PatternList) -> PatternList:
    """Give patterns without a title the names that the list shows."""
    return replace(patterns, entries=tuple(map(_with_title, patterns.entries)))


def with_events(patterns: PatternList) -> tuple[PatternList, tuple[str, ...]]:
    """Convert all patterns of throws on beats to events in space and time, as they are animated.

    Args:
        patterns: the list.

    Returns:
        The list with events, in which comments stay as they are, and so does a pattern that cannot
        be choreographed; and a sentence with the reason for each such pattern.
    """
    entries = []
    failed = []
    for entry in patterns.entries:
        try:
            entries.append(_with_events(entry))
        except JuggleError as error:
            entries.append(entry)
            failed.append(
                _(
                    "{display} has no events: {error}",
                    display=entry.display,
                    error=str(error).splitlines()[0],
                )
            )
    return replace(patterns, entries=tuple(entries)), tuple(failed)


def with_props_of_juggling_lab(patterns: PatternList) -> tuple[PatternList, tuple[str, ...]]:
    """Return a list with props that Juggling Lab has, and a sentence for each pattern with others.

    Juggling Lab shows nothing of a pattern with other props than balls, rings and images, or with
    several kinds of props in a settings string. Clubs and squares become balls, which fly where the
    middle of the prop would be. Patterns of events keep their props here: the writer of events
    replaces each by a ball, and notes what it stands for.
    """
    entries = []
    losses = []
    for entry in patterns.entries:
        rewritten, loss = _with_known_props(entry)
        entries.append(rewritten)
        if loss:
            losses.append(f"{entry.display}: {loss}")
    return replace(patterns, entries=tuple(entries)), tuple(losses)


def _with_known_props(entry: Entry) -> tuple[Entry, str]:
    """Return an entry with props that Juggling Lab supports, and a sentence about the loss, if any.

    Juggling Lab has fewer kinds of props than this program, one kind for all props of a pattern,
    and no default colour beside others. Entries without settings are returned unchanged.

    Args:
        entry: an entry of a pattern list: the text of its settings, the text that the list shows,
            and the settings as read.

    Returns:
        The entry and the sentence, which is empty if nothing is lost.
    """
    if entry.settings is None:
        return entry, ""
    score = entry.settings.score

    # A score of events keeps its props here: the writer of events replaces them.
    if score.placed:
        kinds = tuple(look.kind for look in score.placed.looks)
        has_unknown = any(known_kind(kind) != kind for kind in kinds)
        return entry, _lacking_props(kinds, mixed=False) if has_unknown else ""

    kinds = score.staging.props.kinds
    colours = score.staging.props.colours
    props = _with_one_known_kind(score.staging.props)
    changed = replace(score, staging=replace(score.staging, props=props))
    if changed == score:
        return entry, ""

    # Write the text of the changed settings; if the list showed the old text, show the new one.
    rewritten = replace(entry, settings=replace(entry.settings, score=changed))
    text = _settings_text(rewritten)
    display = text if entry.display == entry.text else entry.display
    rewritten = replace(rewritten, text=text, display=display)
    losses = []
    is_mixed = len(set(map(known_kind, kinds))) > 1
    if is_mixed or any(known_kind(kind) != kind for kind in kinds):
        losses.append(_lacking_props(kinds, mixed=is_mixed))
    if None in colours:
        losses.append(_("Juggling Lab has no default colour among others; it is saved as red"))
    return rewritten, "; ".join(losses)


def _with_one_known_kind(style: PropStyle) -> PropStyle:
    """Return the style of props that comes nearest in Juggling Lab's settings.

    In these all props have one kind, here that of the first, and each may have a colour. There is
    no word for the default colour, None, beside other colours.
    """
    kind = known_kind(style.kinds[0])
    style = replace(style, kinds=(kind,))
    if None not in style.colours:
        return style
    return prop_style([(kind, colour or _USUAL_COLOUR) for colour in style.colours], style)


_USUAL_COLOUR = 1.0, 0.0, 0.0  # of a prop in Juggling Lab


def known_kind(kind: str) -> str:
    """Return the kind of prop as which Juggling Lab shows a kind."""
    return kind if kind in _PROPS_OF_JUGGLING_LAB else "ball"


def _lacking_props(kinds: tuple[str, ...], *, mixed: bool) -> str:
    """Return in words what Juggling Lab lacks of some kinds of props.

    Args:
        kinds: the kinds of the props in turn, at least one. If `mixed` is false, Juggling Lab does
            not know one of them.
        mixed: whether they would be shown there as several kinds, which settings cannot say.
    """
    unknown = sorted({kind for kind in kinds if known_kind(kind) != kind})
    # `no clubs and no squares`
    lacks = joined_names([_("no {kind}s", kind=kind) for kind in unknown]) if unknown else ""
    if not mixed:
        return _("Juggling Lab has {lacks}; they are saved as balls", lacks=lacks)
    limits = _("one kind of prop in settings")
    limits = joined_names([limits, lacks]) if lacks else limits
    return _(
        "Juggling Lab has {one}; all are saved as {known_kind}s. Use --events to keep them apart",
        one=limits,
        known_kind=known_kind(kinds[0]),
    )


def _without_name(entry: Entry) -> Entry:
    """Return an entry whose text spells out its throws, with keys that all programs know.

    The text is written anew if it is a name of the library, or has keys of old versions.
    """
    pattern = entry.settings.score.pattern if entry.settings else None
    if pattern is None:
        return entry
    # The pattern is the value of its key, or the first one. Throws may have several lines in a
    # file, so blanks and ends of lines are not compared.
    pieces = _without_blanks(entry.text).split(";")
    first = next((piece for piece in pieces if piece.startswith("pattern=")), pieces[0])
    has_throws = _without_blanks(pattern.text) in first
    if has_throws and not has_other_names(entry.text):
        return entry
    return replace(entry, text=_settings_text(entry))


def _with_events_if_unwritable(entry: Entry) -> Entry:
    """Return an entry with events where its throws cannot be written; else as it is.

    The throws cannot be written if no text is read as the same throws. Entries that cannot be
    choreographed stay unchanged, too.
    """
    # Entries of words, of events or with a text that was read need no events.
    if (
        entry.settings is None
        or entry.settings.score.pattern is None
        or entry.text
        or _is_read_back(entry)
    ):
        return entry
    try:
        entry_with_events = _with_events(entry)
    except JuggleError:
        return entry
    assert entry_with_events.settings is not None, "it had some before"
    # `base` is the text from which events can be made again. Here no text gives the throws again,
    # so there is none.
    score = replace(entry_with_events.settings.score, base=None)
    return replace(entry_with_events, settings=replace(entry_with_events.settings, score=score))


def _is_read_back(entry: Entry) -> bool:
    """Return whether the settings of an entry are read as the same throws."""
    assert entry.settings is not None, "only what was read has settings"
    pattern = entry.settings.score.pattern
    try:
        read = read_settings(_settings_text(entry)).score.pattern
    except JuggleError:
        return False
    return read is not None and pattern is not None and replace(read, text=pattern.text) == pattern


def _with_title(entry: Entry) -> Entry:
    """Return an entry whose pattern has the shown name as its title, if it has none."""
    score = entry.settings.score if entry.settings else None
    # The shown name becomes the title only if somebody gave it: not if it is empty, the text
    # itself, or derived from the pattern.
    if (
        entry.settings is None
        or score is None
        or score.title
        or entry.display in ("", entry.text, score.name)
    ):
        return entry
    score = replace(score, title=entry.display)
    return replace(entry, settings=replace(entry.settings, score=score))


def _with_events(entry: Entry) -> Entry:
    """Return an entry with events for its throws on beats, and without a text.

    Entries without settings, and those with events already, stay unchanged.

    Args:
        entry: a pattern of a list, valid or broken.

    Raises:
        JuggleError: the throws cannot be choreographed.
    """
    if entry.settings is None or entry.settings.score.placed:
        return entry
    settings = entry.settings
    score = entry.settings.score
    placed = _with_sizes(choreograph(score, settings.applied_to(Parameters())), settings)
    # The notation and the text from which the events come, so that another program can make them
    # again.
    base = ("siteswap", _settings_text(entry))
    # If the list shows the text itself, no name was given, and the pattern's own name is the title.
    title = score.name if entry.display == entry.text else score.title or entry.display
    events = Score(placed=placed, title=title, about=score.about, tags=score.tags, base=base)
    return replace(entry, settings=replace(settings, score=events), text="")


def _with_sizes(placed: Choreography, settings: Settings) -> Choreography:
    """Return a choreography whose props have the diameter of the settings.

    A score of events has no parameters, so the diameter would be lost. A prop that has a diameter
    keeps it, and clubs and rings have sizes of their own.

    Args:
        placed: events with times and places, flights, and orbits of props.
    """
    if settings.parameters.get("prop_diameter") is None:
        return placed
    diameter = settings.applied_to(Parameters()).prop_diameter / 100  # m; the parameter is in cm
    looks = tuple(
        look if look.kind in ("club", "ring") else replace(look, diameter=look.diameter or diameter)
        for look in placed.looks_of_props
    )
    return replace(placed, looks=looks)


def _settings_text(entry: Entry) -> str:
    assert entry.settings is not None, "only what was read has settings"
    return write_settings(entry.settings.score, entry.settings.applied_to(Parameters()))


def _without_blanks(text: str) -> str:
    return "".join(text.split())


Permutation = tuple[int, ...]
"""For each number the one that it becomes."""

PathPermutation = Permutation
"""For each path, from 0, the path that it becomes."""

JugglerImage = tuple[int, bool]
"""A juggler, from 0, and whether left and right are exchanged."""

JugglerPermutation = tuple[JugglerImage | None, ...]
"""For each juggler the one that takes over; None for a juggler with whom the symmetry has nothing
to do.
"""

_NUMBER = re.compile(r"\s*([0-9]{1,6})\s*(\*?)\s*", re.ASCII)

_CYCLES = re.compile(r"\s*(\([^()]*\)\s*)*")


def inverse(step: Permutation) -> Permutation:
    """Return the permutation that undoes another."""
    sources = [0] * len(step)
    for source, image in enumerate(step):
        sources[image] = source
    return tuple(sources)


class Powers:
    """A permutation applied any number of times; numbers beyond its size stay unchanged."""

    def __init__(self, step: Permutation) -> None:
        # For each number its cycle, and its index in that.
        self._cycle_and_index = {
            number: (cycle, index) for cycle in cycles(step) for index, number in enumerate(cycle)
        }

    def cycle(self, number: int) -> Permutation:
        """Return the cycle of a number that the permutation has."""
        cycle, _index = self._cycle_and_index[number]
        return cycle

    def image(self, number: int, exponent: int) -> int:
        """Return the image of a number under a power of the permutation; it may be negative."""
        if number not in self._cycle_and_index:
            return number
        cycle, index = self._cycle_and_index[number]
        return cycle[(index + exponent) % len(cycle)]


class PermutationError(ValueError):
    """A text that is not a permutation, and why."""


def read_paths(text: str, paths: int) -> PathPermutation:
    """Read a permutation of paths.

    Args:
        text: cycles, as `(1,3)(2)`, or the image of each path in turn, as `3,2,1`. Paths count from
            1. A path that no cycle names stays; an empty text keeps all.
        paths: number of paths.

    Returns:
        The image of each path, counted from 0.

    Raises:
        PermutationError: the text is neither, or no permutation.
    """
    # A path that is not named stays where it is.
    images = list(range(paths))
    for path, image in _read_images(text, paths):
        # A number with a star is read as a negative one.
        if path < 0 or image < 0:
            starred = -path if path < 0 else -image
            raise PermutationError(
                _("{number}* is not a path; hands belong to jugglers", number=starred)
            )
        images[path - 1] = image - 1
    if len(set(images)) < paths:
        raise PermutationError(_("two paths become one"))
    return tuple(images)


def read_jugglers(text: str, jugglers: int) -> JugglerPermutation:
    """Read a permutation of jugglers.

    Args:
        text: cycles as for paths; `2*` is juggler 2 with left and right exchanged. A juggler that
            no cycle names has nothing to do with the symmetry.
        jugglers: number of jugglers.

    Returns:
        For each juggler the image, from 0, and whether left and right are exchanged; None for one
        who has nothing to do with the symmetry.

    Raises:
        PermutationError: the text is not a permutation of the expected size.
    """
    # Image by juggler, both counted from 1. An image is negative if left and right are exchanged.
    images: dict[int, int] = {}
    for juggler, image in _read_images(text, jugglers):
        # A negative number is a juggler with hands exchanged: if 2* becomes 3, then 2 becomes 3*.
        # So what the text says of 2 and of 2* must agree.
        signed_image = image if juggler > 0 else -image
        if images.setdefault(abs(juggler), signed_image) != signed_image:
            raise PermutationError(_("juggler {one} becomes two different hands", one=abs(juggler)))
    if len({abs(image) for image in images.values()}) < len(images):
        raise PermutationError(_("two jugglers become one"))
    named = [images.get(juggler) for juggler in range(1, jugglers + 1)]
    return tuple(None if image is None else (abs(image) - 1, image < 0) for image in named)


def write_paths(paths: PathPermutation) -> str:
    """Write a permutation of paths as cycles."""
    return "".join(f"({','.join(str(path + 1) for path in cycle)})" for cycle in cycles(paths))


def write_jugglers(jugglers: JugglerPermutation) -> str:
    """Write a permutation of jugglers as cycles: `(1,2*)` counts from 1, * exchanges the hands.

    Args:
        jugglers: for each juggler the juggler at whose place it goes on, from 0, and whether its
            hands are exchanged; None for one with whom the symmetry has nothing to do, who is left
            out.
    """
    cycles_text = ""
    written_jugglers = set()
    for start, image in enumerate(jugglers):
        if start in written_jugglers or image is None:
            continue
        cycle = list(_orbit(jugglers, start))
        written_jugglers |= {juggler for juggler, _crossed in cycle}
        numbers = [f"{juggler + 1}*" if crossed else f"{juggler + 1}" for juggler, crossed in cycle]
        cycles_text += f"({','.join(numbers)})"
    return cycles_text


def order(jugglers: JugglerPermutation) -> int:
    """Return the order of a permutation: the least power that keeps all jugglers and hands."""
    starts = [start for start, image in enumerate(jugglers) if image is not None]
    return lcm(*(len(list(_orbit(jugglers, start))) for start in starts))


def _orbit(jugglers: JugglerPermutation, start: int) -> Iterator[JugglerImage]:
    """Yield the images of a juggler under all powers of a permutation, until they repeat.

    Args:
        jugglers: the permutation.
        start: a juggler, from 0, who belongs to the symmetry, as do all images.

    Yields:
        A juggler, from 0, and whether left and right are exchanged; first `start` itself.
    """
    juggler = start
    crossed = False
    while True:
        yield juggler, crossed
        image = jugglers[juggler]
        assert image is not None, "a juggler becomes one who belongs to the symmetry, too"
        juggler, crosses = image
        crossed = crossed != crosses
        if (juggler, crossed) == (start, False):
            return


def _read_images(text: str, size: int) -> Iterator[tuple[int, int]]:
    """Parse a permutation, as cycles or as a list of images.

    Args:
        text: cycles such as `(1,2*)(3)`, or for each number its image, such as `2,1,3`.
        size: number of permuted items, which are numbered from 1.

    Yields:
        Each number that is named, with its image; nothing for an empty text. A star exchanges the
        hands of a juggler: 2* is read as −2, another number than 2.

    Raises:
        PermutationError: the text is neither, or names a number twice or one above the size.
    """
    if len(text) > MAX_JML_ATTRIBUTE:
        raise PermutationError(_("it has {count} characters", count=len(text)))

    # A list of images: `3,2,1`.
    if "(" not in text:
        numbers = _read_numbers(text, size)
        if numbers and len(numbers) != size:
            raise PermutationError(_("it names {count} of {size}", count=len(numbers), size=size))
        yield from enumerate(numbers, 1)
        return

    # Cycles: `(1,3)(2)`.
    if not _CYCLES.fullmatch(text):
        raise PermutationError(_("its brackets do not match"))
    named: set[int] = set()
    for cycle in re.findall(r"\(([^()]*)\)", text):
        numbers = _read_numbers(cycle, size)
        for number in numbers:
            if number in named:
                raise PermutationError(
                    _("it names {name} twice", name=f"{abs(number)}{'*' * (number < 0)}")
                )
            named.add(number)
        # Each number of a cycle becomes the next one, and the last becomes the first.
        yield from zip(numbers, [*numbers[1:], *numbers[:1]], strict=True)


def _read_numbers(text: str, size: int) -> Sequence[int]:
    """Read numbers from 1 to `size` with commas between; a number with a star is negative.

    Args:
        text: such as `1, 2*, 3`.
        size: the greatest number.

    Returns:
        The numbers in order; none for a blank text.

    Raises:
        PermutationError: there is anything else.
    """
    if not text.strip():
        return []
    numbers = []
    for piece in text.split(","):
        match = _NUMBER.fullmatch(piece)
        if not match or not 1 <= int(match[1]) <= size:
            raise PermutationError(
                _("{piece!r} is not a number from 1 to {size}", piece=piece.strip()[:20], size=size)
            )
        numbers.append(-int(match[1]) if match[2] else int(match[1]))
    return numbers
