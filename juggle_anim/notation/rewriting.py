"""Rewriting: entries of a list in a form that the format of a file can hold."""

from __future__ import annotations

from dataclasses import replace

from juggle_anim.choreography import Choreography, PropLook, Score, choreograph
from juggle_anim.errors import FileError, JuggleError, joined_names
from juggle_anim.language import _
from juggle_anim.notation.pattern_list import Entry, PatternList
from juggle_anim.notation.settings.settings import Settings, read_settings, write_settings
from juggle_anim.notation.settings.staging import prop_style
from juggle_anim.notation.settings.syntax import has_other_names
from juggle_anim.parameters import Parameters

_PROPS_OF_JUGGLING_LAB = ("ball", "image", "ring")


def only_pattern(patterns: PatternList, holder: str) -> tuple[Entry, Settings]:
    """Return the entry of the only pattern of a list, and its settings.

    Args:
        patterns: the list.
        holder: what holds one pattern, for errors.

    Raises:
        FileError: there are several patterns or none, or it is one that could not be read.
    """
    entries = patterns.patterns  # without words
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
    """Rewrite patterns as a line each can hold them; what is lost, the writer says."""
    return without_names(with_events_for_unwritable(patterns)), ()


def for_joepass(patterns: PatternList) -> Rewritten:
    """Rewrite a pattern as a .pass file can hold it; what is lost, the writer says."""
    return with_titles(without_names(patterns)), ()


def for_jif(patterns: PatternList) -> Rewritten:
    """Rewrite a pattern as a JIF document can hold it.

    Raises:
        FileError: there are several patterns or none, or it is one that could not be read.
    """
    entry, _settings = only_pattern(patterns, "JIF")
    losses = []
    # A list with one pattern may have a title and words around it.
    if not patterns.single and (patterns.title or patterns.about or len(patterns.entries) > 1):
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
    """Write events for throws on beats, and a sentence for each pattern that has none."""
    entries = []
    failed = []
    for entry in patterns.entries:
        # A pattern that cannot be choreographed stays as it is.
        try:
            entries.append(_with_events(entry))
        except JuggleError as error:
            entries.append(entry)
            failed.append(
                _(
                    "{display}: has no events: {error}",
                    display=entry.display,
                    error=str(error).splitlines()[0],
                )
            )
    return replace(patterns, entries=tuple(entries)), tuple(failed)


def with_props_of_juggling_lab(patterns: PatternList) -> tuple[PatternList, tuple[str, ...]]:
    """Replace props that Juggling Lab lacks, and return a sentence for each pattern with such.

    It knows balls, rings and images, and one kind for all props of a settings string, and shows
    nothing of a pattern with any other. A ball is where the middle of a club or a square would be;
    there is no image that comes along. In events the writer says of each ball what it stands for.
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
    """Return an entry with props that Juggling Lab has, and a sentence on the loss.

    The sentence is empty if nothing is lost. Entries without settings stay as they are.
    """
    if entry.settings is None:
        return entry, ""
    score = entry.settings.score

    # A score of events keeps its props here: the writer of events replaces them.
    if score.placed:
        kinds = tuple(look.kind for look in score.placed.looks)
        has_unknown = any(known_kind(kind) != kind for kind in kinds)
        return entry, _lacking_props(kinds, mixed=False) if has_unknown else ""

    # In Juggling Lab's settings all props have one kind, for which that of the first is taken, and
    # each may have a colour. It has no word for a usual colour, None, beside other colours.
    kinds = score.staging.props.kinds
    colours = score.staging.props.colours
    props = replace(score.staging.props, kinds=(known_kind(kinds[0]),))
    if None in colours:
        props = prop_style([(props.kinds[0], colour or _USUAL_COLOUR) for colour in colours], props)
    changed = replace(score, staging=replace(score.staging, props=props))
    if changed == score:
        return entry, ""

    # The text is written anew from the changed settings. If the list showed the old text, it shows
    # the new one.
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


_USUAL_COLOUR = 1.0, 0.0, 0.0  # of a prop in Juggling Lab


def known_kind(kind: str) -> str:
    """Return the kind of prop as which Juggling Lab shows a kind."""
    return kind if kind in _PROPS_OF_JUGGLING_LAB else "ball"


def _lacking_props(kinds: tuple[str, ...], *, mixed: bool) -> str:
    """Say what Juggling Lab lacks of some kinds of props.

    Args:
        kinds: of the props in turn, at least one. If `mixed` is false, Juggling Lab does not know
            one of them.
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
    """Return an entry whose text has its throws and keys that all programs know.

    The text is written anew if it is a name of the library, or has keys of old versions.
    """
    pattern = entry.settings.score.pattern if entry.settings else None
    if pattern is None:
        return entry
    # The throws may have several lines in a file, so blanks and ends of lines are not compared.
    has_throws = _without_blanks(pattern.text) in _without_blanks(entry.text)
    if has_throws and not has_other_names(entry.text):
        return entry
    return replace(entry, text=_settings_text(entry))


def _with_events_if_unwritable(entry: Entry) -> Entry:
    """Return an entry with events where its throws cannot be written; else as it is.

    The throws cannot be written if no text is read as the same throws. Entries that cannot be
    choreographed stay as they are, too.
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
    # `base` is the text from which events can be made anew. Here no text gives the throws again, so
    # there is none.
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
    # The shown name becomes a title only if someone gave it: not if it is empty, the text itself or
    # made from the pattern.
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

    Entries without settings, and those with events already, stay as they are.

    Raises:
        JuggleError: they cannot be choreographed.
    """
    if entry.settings is None or entry.settings.score.placed:
        return entry
    settings = entry.settings
    score = entry.settings.score
    placed = _with_sizes(choreograph(score, settings.applied_to(Parameters())), settings)
    # The notation and the text from which the events come, so that another program can make them
    # anew.
    base = ("siteswap", _settings_text(entry))
    # If the list shows the text itself, no name was given, and the pattern's own name is the title.
    title = score.name if entry.display == entry.text else score.title or entry.display
    events = Score(placed=placed, title=title, about=score.about, tags=score.tags, base=base)
    return replace(entry, settings=replace(settings, score=events), text="")


def _with_sizes(placed: Choreography, settings: Settings) -> Choreography:
    """Give the props of a choreography the diameter that settings have.

    A score of events has no parameters, so the diameter would be lost. A prop that has a diameter
    keeps it, and clubs and rings have sizes of their own.
    """
    if settings.parameters.get("prop_diameter") is None:
        return placed
    diameter = settings.applied_to(Parameters()).prop_diameter / 100  # m; the parameter is in cm
    looks = placed.looks or (PropLook(),) * placed.props
    looks = tuple(
        look if look.kind in ("club", "ring") else replace(look, diameter=look.diameter or diameter)
        for look in looks
    )
    return replace(placed, looks=looks)


def _settings_text(entry: Entry) -> str:
    assert entry.settings is not None, "only what was read has settings"
    return write_settings(entry.settings.score, entry.settings.applied_to(Parameters()))


def _without_blanks(text: str) -> str:
    return "".join(text.split())
