"""Rewriting: entries of a list in a form that the format of a file can hold."""

from __future__ import annotations

from dataclasses import replace

from juggle_anim.choreography import Score, choreograph
from juggle_anim.errors import JuggleError
from juggle_anim.notation.pattern_list import Entry, PatternList
from juggle_anim.notation.settings import write_settings
from juggle_anim.parameters import Parameters


def without_names(patterns: PatternList) -> PatternList:
    """The same with settings for names of the library, which other programs do not know."""
    return replace(patterns, entries=tuple(map(_without_name, patterns.entries)))


def with_titles(patterns: PatternList) -> PatternList:
    """The same with the names that the list shows for titles, where there are none."""
    return replace(patterns, entries=tuple(map(_with_title, patterns.entries)))


def with_events(patterns: PatternList) -> tuple[PatternList, tuple[str, ...]]:
    """The same with events for throws on beats, and a sentence for each pattern that has none."""
    entries, failed = [], []
    for entry in patterns.entries:
        try:
            entries.append(_with_events(entry))
        except JuggleError as error:
            entries.append(entry)
            failed.append(f"{entry.display}: has no events: {str(error).splitlines()[0]}")
    return replace(patterns, entries=tuple(entries)), tuple(failed)


def _without_name(entry: Entry) -> Entry:
    pattern = entry.settings.score.pattern if entry.settings else None
    # In a file the throws may go over several lines.
    if pattern is None or _squeezed(pattern.text) in _squeezed(entry.text):
        return entry
    return replace(entry, text=_settings_text(entry))


def _with_title(entry: Entry) -> Entry:
    if entry.settings is None or entry.settings.score.title or entry.display in ("", entry.text):
        return entry
    score = replace(entry.settings.score, title=entry.display)
    return replace(entry, settings=replace(entry.settings, score=score))


def _with_events(entry: Entry) -> Entry:
    if entry.settings is None or entry.settings.score.placed:
        return entry
    settings, score = entry.settings, entry.settings.score
    placed = choreograph(score, settings.applied_to(Parameters()))
    base = ("siteswap", _settings_text(entry))
    title = score.title or entry.display
    events = Score(placed=placed, title=title, about=score.about, tags=score.tags, base=base)
    return replace(entry, settings=replace(settings, score=events), text="")


def _settings_text(entry: Entry) -> str:
    assert entry.settings is not None, "only what was read has settings"
    return write_settings(entry.settings.score, entry.settings.applied_to(Parameters()))


def _squeezed(text: str) -> str:
    return "".join(text.split())
