"""Names of files for patterns: safe on any system and in any shell, and no two alike."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

LONGEST = 100
"""Of a name without its ending, [bytes]; systems take 255, and a draft's name is longer than that of its file."""


def file_names(titles: Iterable[str]) -> list[str]:
    """A name for each title: its letters and digits, and a number after a name that an earlier one has.

    More titles behind the others change no name of those, so that a batch can be resumed with a longer list.
    """
    taken: set[str] = set()
    return [_untaken(safe_name(title), taken) for title in titles]


def safe_name(title: str) -> str:
    """A title without what a system, a shell or a template for frames would take for something else."""
    plain = unicodedata.normalize("NFC", title)
    kept = "".join(sign if sign.isalnum() or sign in _HARMLESS else " " for sign in plain)
    name = _PART.sub("_", _cut("_".join(kept.split())).strip(_NOT_AT_ENDS))
    return f"{name}_" if _DEVICES.fullmatch(name.casefold()) else name or _NAMELESS


def _untaken(name: str, taken: set[str]) -> str:
    free, number = name, 1
    # Some systems know no difference between small and large letters.
    while _key(free) in taken:
        number += 1
        free = f"{name}_{number}"
    taken.add(_key(free))
    return free


def _key(name: str) -> str:
    return unicodedata.normalize("NFKC", name.casefold())


def _cut(name: str) -> str:
    return name.encode()[:LONGEST].decode(errors="ignore")


_HARMLESS = "-+,"
_NOT_AT_ENDS = "-+,_"
_NAMELESS = "pattern"
# One pattern may have several files: a-1.bvh, a-2.bvh. None of those should be that of another pattern.
_PART = re.compile(r"-(?=(\d+|props)$)")
# Windows keeps these for itself, whatever ending they have.
_DEVICES = re.compile(r"con|prn|aux|nul|(com|lpt)[0-9]")
