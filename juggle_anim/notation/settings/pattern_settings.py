"""The pattern that settings stand for: throws, a name of the library, or a siteswap with one of its hands."""

from __future__ import annotations

import re
from collections.abc import Mapping

from juggle_anim.errors import NotationError, counted
from juggle_anim.language import _
from juggle_anim.notation.hand_siteswap import read_hand_siteswap
from juggle_anim.notation.library import LibraryPattern, find_pattern
from juggle_anim.notation.limits import MAX_JUGGLERS
from juggle_anim.notation.numbers import whole_number
from juggle_anim.notation.prechac import may_be_prechac, read_prechac
from juggle_anim.notation.search import nearest_names
from juggle_anim.notation.settings.syntax import Setting
from juggle_anim.notation.siteswap.read import read_siteswap
from juggle_anim.notation.siteswap.write import value_text
from juggle_anim.pattern import Pattern

PATTERN = "pattern"
"""The key of the siteswap itself, the only one that must be there."""

THROW_KEYS = ("hss", "handspec", "hold", "dwellmax", "jugglers")
"""The keys of other settings that say who throws what."""

_FOR_JUGGLERS = re.compile(r"\s*((?=[a-z\[\]]*\d)[0-9a-oq-z\[\]]+)\s+for\s+(\d{1,3})(?:\s+jugglers?)?\s*")
_MAX_SHARING = 17
"""More jugglers have more hands than a digit of a hand siteswap says."""

_NAME = 4  # letters of the shortest name that is told from throws of 10 and more
_SWITCH = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}


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
        reason = _(
            "this pattern is for {jugglers}, not for {number}",
            jugglers=counted(pattern.jugglers, "juggler"),
            number=jugglers,
        )
        raise found["jugglers"].error(found["jugglers"].indent, reason, _("leave the number of jugglers out"))
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


def look_up(text: str) -> Pattern | LibraryPattern:
    """The throws that a text writes, or the pattern of the library that it names.

    Args:
        text: a siteswap, or a name or alias of the library in any case.

    Raises:
        NotationError: it is neither; a name that is nearly right is suggested.
    """
    if not isinstance(text, str):
        reason = _("a pattern is text, not {name}", name=type(text).__name__)
        raise NotationError(str(text), 0, reason, _('write it in quotes, as "531"'))
    # No name that begins with a digit or a bracket is some other siteswap, so the library need not be read for one.
    may_be_word = text.strip()[:1].isalpha()
    # A name that is the siteswap itself, as b97531, says no more than the throws.
    if may_be_word and (known := find_pattern(text)) and known.siteswap != text.strip():
        return known
    try:
        return _shared(text) or read_siteswap(text)
    except NotationError as error:
        if not may_be_word and (known := find_pattern(text)):
            return known
        near = nearest_names(text)
        if not near:
            raise
        if _is_name(text):
            hint = _("did you mean {near}?", near=near[0])
            raise NotationError(text, 0, _("there is no pattern of this name"), hint) from error
        hint = _("{accepted}\nor did you mean {near}?", accepted=error.accepted, near=near[0])
        raise NotationError(text, error.index, error.reason, hint) from error


def _is_name(text: str) -> bool:
    """Whether a text is words that are clearly no throws of 10 and more."""
    words = text.replace("'", "").replace("’", "").replace("-", " ").split()
    return all(map(str.isalpha, words)) and sum(map(len, words)) >= _NAME


def _shared(text: str) -> Pattern | None:
    """Read a siteswap that several jugglers share, such as `726 for 2`: hands take turns, all right hands first."""
    written = _FOR_JUGGLERS.fullmatch(text)
    if written is None:
        return None
    throws, jugglers = written[1], int(written[2])
    if not 1 <= jugglers <= _MAX_SHARING:
        reason = _("{jugglers} jugglers cannot share a siteswap", jugglers=jugglers)
        raise NotationError(
            text, written.start(2), reason, _("a number from 1 to {max_sharing}", max_sharing=_MAX_SHARING)
        )
    return read_siteswap(throws) if jugglers == 1 else read_hand_siteswap(throws, value_text(2 * jugglers))


def _for(text: str, jugglers: int | None) -> Pattern | LibraryPattern:
    # What each of several jugglers throws is written in < >; else it is for as many as can share it.
    if jugglers is not None and "<" not in text and may_be_prechac(text):
        return read_prechac(text, jugglers)
    found = (_shared(f"{text} for {jugglers}") if jugglers is not None else None) or look_up(text)
    # A siteswap such as b97531 may be its own name.
    same = isinstance(found, LibraryPattern) and found.siteswap.strip() == text.strip()
    return read_siteswap(text) if same else found


def _with_hands(found: Mapping[str, Setting]) -> Pattern:
    handspec = found["handspec"].text if "handspec" in found else None
    hold, dwellmax = _switch(found.get("hold"), default=False), _switch(found.get("dwellmax"), default=True)
    try:
        return read_hand_siteswap(found[PATTERN].text, found["hss"].text, handspec, hold, dwellmax)
    except NotationError as error:
        raise found[error.key].error(error.index, error.reason, error.accepted) from error


def _check_without_hands(found: Mapping[str, Setting]) -> None:
    """Refuse settings that mean nothing without a hand siteswap; default values are allowed."""
    hold, dwellmax = _switch(found.get("hold"), default=False), _switch(found.get("dwellmax"), default=True)
    for key, says in {"handspec": "handspec" in found, "hold": hold, "dwellmax": not dwellmax}.items():
        if says:
            raise found[key].error(
                found[key].indent, _("{key} goes with a siteswap of the hands only", key=key), _("add hss=4")
            )


def _switch(setting: Setting | None, *, default: bool) -> bool:
    if setting is None:
        return default
    word = setting.text.strip().casefold()
    if word not in _SWITCH:
        raise setting.error(
            setting.indent, _("{word} is neither true nor false", word=word[:20] or _("this")), _("true or false")
        )
    return _SWITCH[word]


def _jugglers(setting: Setting) -> int:
    digits = setting.text.strip()
    jugglers = whole_number(digits, MAX_JUGGLERS) if digits.isascii() and digits.isdigit() else None
    if not jugglers:
        reason = (
            _("the number of jugglers is {digits!r}", digits=digits[:20])
            if digits
            else _("the number of jugglers is missing")
        )
        raise setting.error(
            setting.indent, reason, _("a whole number from 1 to {max_jugglers}", max_jugglers=MAX_JUGGLERS)
        )
    return jugglers
