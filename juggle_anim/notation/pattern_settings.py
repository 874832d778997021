"""The pattern as settings: its throws, and how hands take turns and how many jugglers there are."""

from __future__ import annotations

from collections.abc import Mapping

from juggle_anim.errors import NotationError
from juggle_anim.notation.hand_siteswap import read_hand_siteswap
from juggle_anim.notation.library import LibraryPattern
from juggle_anim.notation.limits import MAX_JUGGLERS
from juggle_anim.notation.look_up import look_up
from juggle_anim.notation.prechac import may_be_prechac, read_prechac
from juggle_anim.notation.setting import Setting
from juggle_anim.notation.siteswap import read_siteswap
from juggle_anim.notation.whole_number import whole_number
from juggle_anim.pattern import Pattern

PATTERN = "pattern"
"""The key of the siteswap itself, the only one that must be there."""

THROW_KEYS = ("hss", "handspec", "hold", "dwellmax", "jugglers")
"""The keys of other settings that say who throws what."""


def read_pattern_settings(found: Mapping[str, Setting]) -> Pattern | LibraryPattern:
    """The pattern that settings stand for, or the one of the library that they name.

    Args:
        found: settings by key, of which the pattern and `THROW_KEYS` are read.

    Raises:
        NotationError: they are no pattern.
    """
    jugglers = _jugglers(found["jugglers"]) if "jugglers" in found else None
    if "hss" in found:
        pattern: Pattern | LibraryPattern = _with_hands(found)
    else:
        _check_without_hands(found)
        pattern = found[PATTERN].read(lambda text: _for(text, jugglers))
    if jugglers not in (None, pattern.jugglers):
        reason = f"this pattern is for {pattern.jugglers} juggler{'s' * (pattern.jugglers > 1)}, not for {jugglers}"
        raise found["jugglers"].error(found["jugglers"].indent, reason, "leave the number of jugglers out")
    return pattern


def pattern_texts(pattern: Pattern) -> dict[str, str]:
    """The settings that `read_pattern_settings` reads as this pattern, by key."""
    texts = {PATTERN: pattern.text}
    if hands := pattern.hand_siteswap:
        texts["hss"] = hands.text
        texts |= {"handspec": hands.handspec} if hands.handspec is not None else {}
        texts |= {"hold": "true"} if hands.hold else {}
        texts |= {} if hands.dwellmax else {"dwellmax": "false"}
    return texts


def _for(text: str, jugglers: int | None) -> Pattern | LibraryPattern:
    # What each of several jugglers throws is written in < >; else it is for as many as can share it.
    if jugglers is not None and "<" not in text and may_be_prechac(text):
        return read_prechac(text, jugglers)
    found = look_up(text)
    # A siteswap such as b97531 may be its own name.
    same = isinstance(found, LibraryPattern) and found.siteswap.strip() == text.strip()
    return read_siteswap(text) if same else found


def _with_hands(found: Mapping[str, Setting]) -> Pattern:
    handspec = found["handspec"].text if "handspec" in found else None
    hold, dwellmax = _switch(found.get("hold"), usual=False), _switch(found.get("dwellmax"), usual=True)
    try:
        return read_hand_siteswap(found[PATTERN].text, found["hss"].text, handspec, hold, dwellmax)
    except NotationError as error:
        raise found[error.key].error(error.index, error.reason, error.accepted) from error


def _check_without_hands(found: Mapping[str, Setting]) -> None:
    """Refuse what would mean nothing without a siteswap of the hands; what is usual anyway may be said."""
    hold, dwellmax = _switch(found.get("hold"), usual=False), _switch(found.get("dwellmax"), usual=True)
    for key, says in {"handspec": "handspec" in found, "hold": hold, "dwellmax": not dwellmax}.items():
        if says:
            raise found[key].error(found[key].indent, f"{key} goes with a siteswap of the hands only", "add hss=4")


def _switch(setting: Setting | None, *, usual: bool) -> bool:
    if setting is None:
        return usual
    word = setting.text.strip().casefold()
    if word not in _SWITCH:
        raise setting.error(setting.indent, f"{word[:20] or 'this'} is neither true nor false", "true or false")
    return _SWITCH[word]


def _jugglers(setting: Setting) -> int:
    digits = setting.text.strip()
    jugglers = whole_number(digits, MAX_JUGGLERS) if digits.isascii() and digits.isdigit() else None
    if not jugglers:
        reason = f"{digits[:20] or 'this'} is no number of jugglers"
        raise setting.error(setting.indent, reason, f"a whole number from 1 to {MAX_JUGGLERS}")
    return jugglers


_SWITCH = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}
