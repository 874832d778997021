"""Writing JML: a pattern, or a list of patterns."""

from __future__ import annotations

from collections.abc import Iterator

from juggle_anim.choreography import Score
from juggle_anim.notation.jml.extract import extract
from juggle_anim.notation.jml.pattern_writer import element, escaped, info, opening, words, write_pattern
from juggle_anim.notation.jml.symmetries import with_symmetries
from juggle_anim.notation.pattern_list import Entry, PatternList
from juggle_anim.notation.settings import write_settings
from juggle_anim.parameters import Parameters

_HEAD = '<?xml version="1.0"?>\n<!DOCTYPE jml SYSTEM "file://jml.dtd">\n<jml version="3">'


def write_jml(patterns: PatternList) -> str:
    """A JML file of version 3.

    Placed events are written as a pattern with the fewest events that its symmetries allow, any other pattern as a
    settings string, which only a list can hold. A broken line is written as it was read; one that held events, of which
    nothing is left, as its words.

    Args:
        patterns: what to write; a single pattern that is placed makes a file without a list.
    """
    if patterns.single and len(patterns.entries) == 1:
        settings = patterns.entries[0].settings
        if settings and settings.score.placed:
            return "\n".join([_HEAD, _placed(settings.score), "</jml>", ""])
    body = [
        "<patternlist>",
        *([words("title", patterns.title)] if patterns.title else []),
        *info(patterns.about, ()),
        *(line for entry in patterns.entries for line in _lines(entry)),
        "</patternlist>",
    ]
    return "\n".join([_HEAD, *body, "</jml>", ""])


def _lines(entry: Entry) -> Iterator[str]:
    notation, content = _content(entry)
    head = {"display": entry.display, "notation": notation, "animprefs": entry.animprefs or None}
    if not content:
        yield element("line", **head)
        return
    yield opening("line", **head)
    yield from content
    yield "</line>"


def _content(entry: Entry) -> tuple[str | None, list[str]]:
    """The notation of a line, and what stands in it."""
    if entry.settings is None:
        return ("siteswap", [escaped(entry.text)]) if entry.text else (None, [])
    score = entry.settings.score
    if score.placed:
        return "jml", [_placed(score)]
    text = entry.text or write_settings(score, entry.settings.applied_to(Parameters()))
    return "siteswap", [escaped(text), *info(score.about, score.tags)]


def _placed(score: Score) -> str:
    assert score.placed is not None, "only placed events are written so"
    return write_pattern(with_symmetries(extract(score)), score.placed.gravity, score.placed.kept)
