"""The language of window, help and messages, and the translation of each text.

Texts stand in English where they are used, as `_("nothing is typed")`; `locale/` has a catalogue
for each other language. Only what people read is translated. What programs read stays as it is:
notation, names, keys and numbers.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

if TYPE_CHECKING:
    from pathlib import Path

    Spoken = tuple[str, "Catalogue | None"]

LANGUAGES: Mapping[str, str] = {
    "en": "English",
    "de": "Deutsch",
    "es": "Español",
    "fr": "Français",
    "pt": "Português",
}
"""Codes of the languages, and what each is called in itself."""

_ENGLISH_NAMES = {"german": "de", "spanish": "es", "french": "fr", "portuguese": "pt"}
"""Codes of the languages by what they are called in English."""

DOMAIN = "juggle_anim"
LIBRARY_DOMAIN = "library"
"""The names of the catalogues' files: of the program's texts, and of what the library tells of its
patterns.
"""

_LONGEST_HEADER = 500  # characters of what a browser says of languages

_VARIABLES = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")

_state: dict[str, Any] = {"code": "", "catalogue": None, "system": None, "asked": False}

# A language that counts more than that of the program while one of many is answered.
_spoken: ContextVar[Spoken | None] = ContextVar("spoken", default=None)


def system_language() -> str:
    """The language that the system asks for.

    It is that of LANGUAGE, LC_ALL, LC_MESSAGES or LANG, the first that is set.

    LANGUAGE may hold several, as `ca:es`; the first one that there is counts. English, if there is
    none.
    """
    if _state["system"] is None:
        _state["system"] = language_of_environment(os.environ)
    return str(_state["system"])


def language_of_environment(environment: Mapping[str, str]) -> str:
    """The language that variables of an environment ask for."""
    wanted = next((value for name in _VARIABLES if (value := environment.get(name))), "")
    return next(filter(None, map(known_language, wanted.split(":"))), "en")


def language() -> str:
    """The code of the present language; English until one is chosen."""
    spoken = _spoken.get()
    return spoken[0] if spoken else str(_state["code"] or "en")


@contextmanager
def speaking(code: str) -> Iterator[None]:
    """Speak a language meanwhile, in this thread or task alone: a server answers each in theirs.

    Args:
        code: of one in `LANGUAGES`.
    """
    before = _spoken.set((code, _catalogue(code)))
    try:
        yield
    finally:
        _spoken.reset(before)


def _present() -> Catalogue | None:
    """The catalogue of the present language; None for English."""
    spoken = _spoken.get()
    return spoken[1] if spoken else _state["catalogue"]


def choose_language(code: str, asked: bool = False) -> None:
    """Show texts in a language from now on; programs that are started later inherit it.

    Args:
        code: code of a language in `LANGUAGES`; empty for that of the system.
        asked: whether the command line asks for it, which counts more than the language that a
            window remembers.
    """
    system = system_language()  # before the variable below hides which language it asks for
    code = code or system
    _state["catalogue"] = _catalogue(code)
    _state["code"] = code
    os.environ["LANGUAGE"] = code
    _state["asked"] = asked


def begin_language() -> None:
    """Speak what the system does, unless a language was chosen before."""
    if not _state["code"]:
        choose_language("")


def is_language_forced() -> bool:
    """Whether the present language was asked for on the command line."""
    return bool(_state["asked"])


def known_language(text: str) -> str:
    """Return the code of a language that is named as de, de_AT, Deutsch or German; empty if none
    is.
    """
    plain = text.strip().casefold()
    short = re.split(r"[._@-]", plain)[0]
    short = _ENGLISH_NAMES.get(short, short)
    return next(
        (code for code, name in LANGUAGES.items() if short == code or plain == name.casefold()), ""
    )


CATALOGUES = "catalogues.tar.xz"
"""File of all catalogues as the program reads them, `de/juggle_anim` and so on.

They share their English texts, so together they take half of what they take one by one. Each has
all English texts, then their translations in the same order, in UTF-8 with a `TEXT_END` between
any two.
"""

TEXT_END = "\1"
FORM_END = "\0"
"""Between the singular and the plural of a text."""

CONTEXT_END = "\4"
"""Between the context of a text and the text."""


class Catalogue(dict[str, str]):
    """The translations of texts; a text without one stays in English."""

    def gettext(self, message: str) -> str:
        """Return the translation of a text."""
        return self.get(message, message)

    def pgettext(self, context: str, message: str) -> str:
        """Return the translation of a text that has this one of several meanings."""
        return self.get(f"{context}{CONTEXT_END}{message}", message)

    def ngettext(self, one: str, many: str, *, plural: bool) -> str:
        """Return the translation for one thing, or that for several."""
        both = f"{one}{FORM_END}{many}"
        return self.get(both, both).split(FORM_END)[plural]


def catalogue_folder() -> Path:
    """The folder of all catalogues, as people edit them and compiled."""
    from pathlib import Path

    return Path(__file__).parent / "locale"


@cache
def _catalogue(code: str, domain: str = DOMAIN) -> Catalogue | None:
    """Return the catalogue of translations of a language; None for English.

    Args:
        code: code of the language, such as "de".
        domain: name of the catalogue in the archive of all catalogues.
    """
    if code == "en":
        return None
    # Imported here, since it takes a while, and English does not need it.
    import tarfile

    with tarfile.open(catalogue_folder() / CATALOGUES) as archive:
        file = archive.extractfile(f"{code}/{domain}")
        assert file is not None, "each language has a catalogue of each domain"
        texts = file.read().decode().split(TEXT_END)
    half = len(texts) // 2
    return Catalogue(zip(texts[:half], texts[half:], strict=True))


def _(message: str, /, **values: object) -> str:
    """Return a text in the present language, with values filled in.

    Args:
        message: the text in English; with values, a format for them, as `{name} is not a number`.
        values: what stands for the names in braces.
    """
    # What `_present` does, without the call: each frame has hundreds of texts.
    spoken = _spoken.get()
    catalogue = spoken[1] if spoken else _state["catalogue"]
    if catalogue is not None and message:
        message = catalogue.gettext(message)
    return message.format(**values) if values else message


def ngettext(one: str, many: str, number: float, /, **values: object) -> str:
    """A text for a number of things in the present language; `{number}` in it is the number."""
    catalogue = _present()
    is_plural = number != 1
    plain = many if is_plural else one
    text = plain if catalogue is None else catalogue.ngettext(one, many, plural=is_plural)
    return text.format(number=number, **values)


def pgettext(context: str, message: str) -> str:
    """A word in the present language that has several meanings, told apart by a context."""
    catalogue = _present()
    return message if catalogue is None or not message else catalogue.pgettext(context, message)


def library_text(message: str) -> str:
    """What the library tells of a pattern, in the present language.

    The catalogue is read when it is first wanted.
    """
    catalogue = _catalogue(language(), LIBRARY_DOMAIN)
    return message if catalogue is None or not message else catalogue.gettext(message)


def preferred_language(header: str) -> str:
    """The language that a browser's Accept-Language likes best; English if none is known."""
    ranges = [part.partition(";") for part in header[:_LONGEST_HEADER].split(",")]
    weighted = [(_weight(weight), known_language(code)) for code, _semicolon, weight in ranges]
    # A weight of 0 means that the language is not wanted.
    known = [(weight, code) for weight, code in weighted if code and weight > 0]
    # Of equally weighted ones the first.
    _highest, code = max(known, key=lambda entry: entry[0], default=(0.0, "en"))
    return code


def _weight(text: str) -> float:
    """The quality value of a language range, 1 if none is given and 0 if it is malformed."""
    match = re.fullmatch(r"\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*", text, re.ASCII)
    return float(match[1]) if match else float(not text.strip())


def within_sentence(label: str) -> str:
    """A label as it stands within a sentence: in German, with its capital letter."""
    return label if language() == "de" else label[:1].lower() + label[1:]


def N_(message: str) -> str:  # noqa: N802 - the usual name
    """Mark a text that is translated later, where it is shown; here it stays English."""
    return message


Kind = TypeVar("Kind")


def translated(*names: str) -> Callable[[type[Kind]], type[Kind]]:
    """Return a decorator of a dataclass that translates some fields whenever they are read.

    Args:
        names: the fields; they hold texts in English, and give them in the present language.
    """

    def decorated(kind: type[Kind]) -> type[Kind]:
        for name in names:
            setattr(kind, name, _TranslatedField(name))
        return kind

    return decorated


class _TranslatedField:
    def __init__(self, name: str) -> None:
        self._name = name

    def __get__(self, row: object, owner: type) -> str:
        return _(row.__dict__[self._name])

    def __set__(self, row: object, text: str) -> None:
        row.__dict__[self._name] = text


def replaced(row: Kind, **changes: object) -> Kind:
    """A row that is `translated`, with other fields.

    `dataclasses.replace` would keep words of the present language.
    """
    from dataclasses import fields

    values = {entry.name: vars(row)[entry.name] for entry in fields(row)}  # type: ignore[arg-type]
    return type(row)(**values | changes)


class Resumed(Protocol):
    """What is made anew where one goes on that was made before."""

    def resume(self, before: Any) -> None:
        """Be as far as an earlier one of the same kind, whose words are of another language."""


Open = TypeVar("Open", bound=Resumed)


class InLanguage(Generic[Open]):
    """Something that stays open for a while, and is made anew when the language changes meanwhile.

    Args:
        make: makes it, its words in the present language.
    """

    def __init__(self, make: Callable[[], Open]) -> None:
        self._make = make
        self._open = make()
        self._language = language()

    @property
    def now(self) -> Open:
        """What is open, in the present language."""
        if self._language != language():
            before = self._open
            self._open = self._make()
            self._language = language()
            self._open.resume(before)
        return self._open


def english(row: object, name: str) -> str:
    """A field of a `translated` row in English, for catalogues and for what programs read."""
    return str(row.__dict__[name])
