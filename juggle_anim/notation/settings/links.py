"""Links to other people's animators, such as jugglinglab.org and passist.org: the settings that they hold."""

from __future__ import annotations

import re
from collections.abc import Collection
from urllib.parse import unquote, urlsplit

from juggle_anim.errors import NotationError

_PATTERN_KEYS = ("pattern", "siteswap", "throws", "p", "s")
_OF_WINDOWS = ("width", "height")
_PASSIST = re.compile(r"/(?:[a-z-]+-)?siteswap/([^/]+)")
_PASSIST_JUGGLERS = 2

_ACCEPTED = "a link with pattern=, as jugglinglab.org/anim?pattern=531;dwell=1, or passist.org/siteswap/726?jugglers=2"


def settings_of_link(text: str, keys: Collection[str]) -> str:
    """Return the settings string that a link holds.

    It may stand in the query or behind a #. What an animator says there of its own window is left out.

    Args:
        text: the link.
        keys: of settings, in lower case.

    Raises:
        NotationError: there is no pattern in it.
    """
    try:
        link = urlsplit(text.strip())
        host = link.hostname or ""
    except ValueError as error:
        raise NotationError(text, 0, "this is no valid web address", _ACCEPTED) from error
    fields = _fields(unquote(link.query or link.fragment))
    if host.endswith("passist.org") and (named := _PASSIST.match(link.path)):
        return _shared(unquote(named[1]), fields.get("jugglers", ""))
    pattern = next((fields[key] for key in _PATTERN_KEYS if fields.get(key, "").strip()), "")
    if not pattern:
        raise NotationError(text, 0, "there is no pattern in this link", _ACCEPTED)
    kept = {key: value for key, value in fields.items() if key in keys and key not in (*_PATTERN_KEYS, *_OF_WINDOWS)}
    return ";".join(f"{key}={value}" for key, value in {"pattern": pattern, **kept}.items())


def _fields(query: str) -> dict[str, str]:
    """Return keys and values; the pattern may stand first without a key."""
    fields: dict[str, str] = {}
    for number, part in enumerate(re.split("[;&]", query.removeprefix("?"))):
        key, equals, value = part.partition("=")
        if equals:
            fields.setdefault(key.strip().casefold(), value)
        elif number == 0:
            fields["pattern"] = part
    return fields


def _shared(throws: str, jugglers: str) -> str:
    """Return a local siteswap as it is, and a global one for its number of jugglers."""
    if "p" in throws or "<" in throws:
        return throws
    return f"{throws} for {jugglers if jugglers.isdecimal() else _PASSIST_JUGGLERS}"
