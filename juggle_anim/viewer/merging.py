"""Merging: two windows that write to one memory, of which nothing is to be lost."""

from __future__ import annotations

from dataclasses import replace

from juggle_anim.viewer.memory import MOST_RECENT, Memory


def merged(before: Memory, mine: Memory, theirs: Memory) -> Memory:
    """What is to be written where somebody else has written meanwhile.

    Favourites and recent patterns are those of both, less what either has removed; keys, and whatever this version does
    not know, are only written by others. Where it opens next time is a matter of who writes last.

    Args:
        before: what both began with.
        mine: what this window would write.
        theirs: what the file says by now.
    """
    recent = _both(before.recent, mine.recent, theirs.recent)[:MOST_RECENT]
    favourites = _both(before.favourites, mine.favourites, theirs.favourites)
    return replace(mine, recent=recent, favourites=favourites, keys=theirs.keys, other=theirs.other)


def _both(before: tuple[str, ...], mine: tuple[str, ...], theirs: tuple[str, ...]) -> tuple[str, ...]:
    """Two lists, the newest first, that were one before: what is new in mine, in theirs, and what neither removed."""
    if theirs == before:
        return mine
    removed = {text for text in before if text not in mine or text not in theirs}
    texts = dict.fromkeys((*_front(before, mine), *_front(before, theirs), *mine, *theirs))
    return tuple(text for text in texts if text not in removed)


def _front(before: tuple[str, ...], now: tuple[str, ...]) -> tuple[str, ...]:
    """What was put in front of a list, be it new or from farther down."""
    for count in range(len(now)):
        rest = now[count:]
        if rest == tuple(text for text in before if text in rest):
            return now[:count]
    return now
