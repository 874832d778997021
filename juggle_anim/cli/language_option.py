"""The option `--language`, which may stand anywhere: it is read before all else, so that help and
errors follow it.
"""

from __future__ import annotations

from juggle_anim.errors import ParameterError, did_you_mean
from juggle_anim.language import LANGUAGES, _, choose_language, known_language

FLAG = "--language"
"""The option."""


def take_language(words: list[str]) -> list[str]:
    """Choose the language that a command line asks for, or that of the system.

    Args:
        words: the words after the name of the program; those behind `--` are no options.

    Returns:
        The words without the option.

    Raises:
        ParameterError: there is no such language.
    """
    choose_language("")
    # The option may stand anywhere before `--`.
    end = words.index("--") if "--" in words else len(words)
    other_words = []
    language = None
    options = iter(words[:end])
    for word in options:
        name, equals, value = word.partition("=")
        if name == FLAG:
            language = value if equals else next(options, "")
        else:
            other_words.append(word)
    # Of several the last one counts.
    if language is not None:
        _choose(language)
    return [*other_words, *words[end:]]


def language_help() -> str:
    """What the option does, for the help."""
    languages = ", ".join(LANGUAGES)
    return _("Language: {languages}.", languages=languages)


def _choose(text: str) -> None:
    code = known_language(text)
    if not code:
        raise ParameterError(f"{FLAG[2:]}: {text!r}: " + did_you_mean(text, LANGUAGES), FLAG[2:])
    choose_language(code, asked=True)
