"""Settings strings: a pattern with its parameters and staging in one line, as
`pattern=531;dwell=1`.

Settings of parameters, as `dwell=1;wing=30`: their values by key, read and written.
"""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import field, replace

from juggle_anim.choreography import Score
from juggle_anim.errors import (
    ALL_NAMES,
    NotationError,
    ParameterError,
    counted,
    did_you_mean,
    either,
    printable,
)
from juggle_anim.language import _
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.notation.library import LibraryPattern, any_props, find_pattern, name_key
from juggle_anim.notation.limits import MAX_JUGGLERS, MAX_LENGTH, whole_number
from juggle_anim.notation.prechac import (
    NUMBER_OF_JUGGLERS,
    has_labelled_sides,
    may_be_prechac,
    number_of_jugglers,
    with_sides,
)
from juggle_anim.notation.settings.syntax import (
    Setting,
    escaped,
    settings_of_link,
    split_settings,
    unescaped,
)
from juggle_anim.notation.siteswap import read_siteswap, reads_without_end_mark
from juggle_anim.parameters import (
    BODY_CATCH_NAMES,
    BODY_THROW_NAMES,
    DEFAULTS,
    ROWS,
    SIDED_PARAMETERS,
    TEXT_KEYS,
    Choice,
    Parameters,
    Quantity,
    Row,
    row_named,
)
from juggle_anim.pattern import Pattern, value_text

# Most texts are throws alone, so what reads anything else is imported by the functions that use it.

# A parameter has a name in Python, and a shorter key in settings.
_ROW = {row.key: row for row in ROWS}
_SIDED = {row_named(name).key: side_names for name, side_names in SIDED_PARAMETERS.items()}


def write_parameters(parameters: Mapping[str, float | str | None]) -> str:
    """Return settings without a pattern, for parameters by name that are not at their defaults.

    `read_parameters` gives them back exactly.
    """
    return ";".join(f"{key}={text}" for key, text in parameter_texts(parameters).items())


def read_parameters(text: str) -> dict[str, float | str]:
    """Return the parameters, by name, that settings without a pattern name.

    Raises:
        NotationError: an unknown or doubled key, or a value that is nothing of its kind or out of
            range.
    """
    by_key = split_settings(text, ("", *_ROW))
    if "" in by_key:
        raise by_key[""].error(0, _("a value has no key"), _("each setting is key=value"))
    return parameters_in(by_key)


def parameter_texts(parameters: Mapping[str, float | str | None]) -> dict[str, str]:
    """Return the values of parameters as settings write them, by key, without default values."""
    values = {row.key: parameters.get(row.name, row.default) for row in ROWS}
    return {
        key: value if isinstance(value, str) else repr(value).removesuffix(".0")
        for key, value in values.items()
        if value is not None and value != _ROW[key].default
    }


def parameters_in(by_key: Mapping[str, Setting]) -> dict[str, float | str]:
    """Return the parameters, by name, among settings by key."""
    sided = _split_sides(by_key)
    return {_ROW[key].name: _read_value(_ROW[key], sided[key]) for key in sided if key in _ROW}


def _split_sides(by_key: Mapping[str, Setting]) -> Mapping[str, Setting]:
    """Return settings in which one with a value for each side, `left,right`, is replaced by two.

    `SIDED_PARAMETERS` has the parameters that can be so, and those of their two sides. A setting
    with a single value for both sides stays.

    Args:
        by_key: settings by key.

    Returns:
        The settings by key.

    Raises:
        NotationError: a side is given by itself as well.
    """
    split = dict(by_key)
    for key, side_names in _SIDED.items():
        if key not in by_key or by_key[key].text.count(",") != 1:
            continue
        both_sides = split.pop(key)
        for side_name, side_setting in zip(side_names, both_sides.fields(","), strict=True):
            side_key = row_named(side_name).key
            if side_key in split:
                raise side_setting.error(
                    side_setting.indent,
                    _("{own} is given twice", own=side_key),
                    _("give each key once"),
                )
            split[side_key] = side_setting
    return split


def _read_value(row: Row, setting: Setting) -> float | str:
    """Read the value of a parameter: a number, or a word of a choice in lower case.

    Args:
        row: the row of the table of parameters.
        setting: the value as written, at which errors point.

    Raises:
        NotationError: the parameter cannot have this value.
    """
    if not isinstance(row, Choice):
        return _read_number(row, setting)
    # `plain` removes spaces, and replaces words of other programs: `true` becomes `on`.
    word = row.plain(setting.text.casefold())
    if not row.accepts(word):
        reason = _(
            "{key} cannot be {text!r}",
            key=row.key,
            text=printable(setting.text.strip(), 30),
        )
        raise setting.error(setting.indent, reason, row.hint(word))
    return word


def _read_number(quantity: Quantity, setting: Setting) -> float:
    """Return the number that a setting gives for a quantity, in the unit of its table row.

    Args:
        quantity: the table row.
        setting: the value as written, at which errors point.

    Raises:
        NotationError: the text is not a finite number, or out of range.
    """
    key = quantity.key
    written = setting.text.strip()
    accepted = quantity.accepted
    shown = written if len(written) <= 30 else f"{written[:30]}…"
    try:
        number = float(written)
    except ValueError:
        number = math.nan
    # `float` accepts 1_000 and infinity, too, which settings do not.
    if "_" in written or not math.isfinite(number):
        raise setting.error(
            setting.indent,
            _("{key} is {shown!r}, which is not a number", key=key, shown=shown),
            accepted,
        )
    # The parameters have the best message for a number out of range, so the number is given to
    # them, which fails, and their message is used for an error at this place in the text.
    if not quantity.accepts(number):
        try:
            DEFAULTS.replace(**{quantity.name: number})
        except ParameterError as error:
            raise setting.error(setting.indent, str(error), accepted) from error
    return number


PATTERN = "pattern"
"""The key of the siteswap itself, the only one that must be there."""

THROW_KEYS = ("hss", "handspec", "hold", "dwellmax", "jugglers")
"""The keys of other settings that say who throws what."""

_ALL_KEYS = (PATTERN, *(row.key for row in ROWS), *TEXT_KEYS)
_PATTERN_KEYS = (*THROW_KEYS, "hands", "style", "catches", "throws", "throwspins", "body")
_LINK = re.compile(r"\s*https?://", re.IGNORECASE)

_ONE_HAND_A_BEAT = r"[0-9A-Za-z\[\]{}\s]+"  # throws of one hand after the other
_MAX_SHARING = 17
"""More jugglers have more hands than a digit of a hand siteswap says."""

_MAX_KINDS_BEHIND = 4
"""Kinds of props and throws around the body that may follow a pattern in words."""

_MIN_NAME_LENGTH = 4  # letters of the shortest name that is told from throws of 10 and more
_WORD = rf"(?<![^\s-])[^\W\d_]{{{_MIN_NAME_LENGTH},}}(?![^\s-])"
_MAX_SUGGESTIONS = 3  # names that are suggested for one that is not known
_SWITCH = {
    "true": True,
    "yes": True,
    "on": True,
    "1": True,
    "false": False,
    "no": False,
    "off": False,
    "0": False,
}


@dataclass(frozen=True)
class Settings:
    """The content of a settings string: a score, and parameters.

    Args:
        score: the pattern or events.
        parameters: by their names in the table, in the units that it names.
        complete: whether parameters that are not named have their defaults, as in a settings
            string; a pattern or a name alone keeps those in use.
        own_tempo: whether its tempo is that of a pattern of the library, which holds as long as
            hands go where they go there.
        notes: what in the text is not read, as sentences without a full stop.
    """

    score: Score
    parameters: Mapping[str, float | str | None] = field(default_factory=dict)
    complete: bool = False
    own_tempo: bool = False
    notes: tuple[str, ...] = field(default=(), compare=False)

    def applied_to(self, parameters: Parameters) -> Parameters:
        """Return the parameters of the pattern; `parameters` are those in use until now."""
        return (DEFAULTS if self.complete else parameters).replace(**self.parameters)


def read_settings(text: str) -> Settings:
    """Read a settings string, or a pattern alone.

    Args:
        text: `key=value;key=value` with keys in any case; the pattern may stand first without its
            key, or alone. It is a siteswap or a name of the library; alone it may be followed by
            props, as in `531 clubs`. A link to an animator on the web stands for the settings in
            it. A text may also be a statement of the program JuggleSaver, such as `5c 5c 5c;`.

    Raises:
        NotationError: a key is unknown or given twice, a value has the wrong type or is out of
            range, or there is no valid pattern. Its index is one in the whole text.
    """
    # A link holds settings in its query; a note tells which part of it is not read.
    if isinstance(text, str) and is_link(text):
        notes: list[str] = []
        linked = read_settings(settings_of_link(text, _ALL_KEYS, notes))
        return replace(linked, notes=(*notes, *linked.notes))

    # A text without keys is a pattern alone. Anything that is not a text is refused there as well.
    if not isinstance(text, str) or ("=" not in text and ";" not in text):
        return _read_in_words(text)

    from juggle_anim.notation.juggle_saver import is_certainly_statement

    # The text has a = or a ;. Unless it is certainly a statement of JuggleSaver, it is read as
    # settings. If that fails, it may still be such a statement, or labelled sides of a passing
    # pattern with semicolons between them.
    if is_certainly_statement(text):
        settings = _read_juggle_saver(text)
        if settings:
            return settings
    try:
        return _read_keys(text)
    except NotationError as error:
        settings = _read_juggle_saver(text)
        if settings:
            return settings
        if "=" not in text and has_labelled_sides(text):
            return _read_in_words(text)
        raise error from None


def _read_juggle_saver(text: str) -> Settings | None:
    """Read a statement of the screen saver JuggleSaver; None if the text is no valid one."""
    from juggle_anim.notation.juggle_saver import settings_of_statement

    if statement := settings_of_statement(text):
        with suppress(NotationError):
            return _settings_by_key(split_settings(statement, _ALL_KEYS))
    return None


def _read_keys(text: str) -> Settings:
    """Return the settings of a text such as `pattern=531;bps=4`, with notes on keys left out.

    Raises:
        NotationError: there is no pattern among them, or a key or value is not valid.
    """
    notes: list[str] = []  # `split_settings` appends to them
    by_key = split_settings(text, _ALL_KEYS, notes)
    if PATTERN not in by_key:
        raise NotationError(
            text,
            0,
            _("there is no pattern in these settings"),
            _("start with one, such as pattern=531"),
        )
    settings = _settings_by_key(by_key)
    return replace(settings, notes=tuple(notes)) if notes else settings


@reads_without_end_mark
def _read_in_words(text: str) -> Settings:
    """Read a pattern alone, by name, or with props or throws around the body behind it."""
    return _with_words_behind(text, _MAX_KINDS_BEHIND)


def _with_words_behind(text: str, max_kinds: int) -> Settings:
    """Read a pattern with words for props and body tricks behind it: `531 clubs backcross`.

    Args:
        text: a siteswap or a name, perhaps with such words.
        max_kinds: greatest number of props and tricks that may follow. The function calls itself
            with one less for the text before the last of them.

    Raises:
        NotationError: the text is none of these. If throws before the words are wrong, the error
            is theirs; else it is that of the whole text.
    """
    try:
        return _settings_of(look_up(text))
    except NotationError as error:
        # A text that is too long for a pattern is not searched for words behind one.
        if not isinstance(text, str) or not max_kinds or len(text) > MAX_LENGTH:
            raise
        # The error to raise if all else fails; throws that turn out to be wrong replace it.
        best_error = error
    from juggle_anim.notation.body_tricks import pattern_and_trick
    from juggle_anim.notation.search import named_pattern, pattern_and_props

    # The name of a pattern in the user's language.
    named = named_pattern(text)
    if named:
        return _settings_of(named)

    # A pattern and its props.
    before_props = pattern_and_props(text)
    if before_props:
        pattern, prop = before_props
        try:
            return with_settings(_with_words_behind(pattern, max_kinds - 1), prop=prop)
        except NotationError as error:
            if _is_throws_within(text, pattern):
                best_error = _error_in_whole(text, pattern, error)

    # A pattern and a throw or catch around the body, for each way to split the text.
    for pattern, word, side in pattern_and_trick(text):
        try:
            inner_settings = _with_words_behind(pattern, max_kinds - 1)
            return with_trick(inner_settings, word, side, apart=True)
        except NotationError as error:
            if _is_throws_within(text, pattern):
                best_error = _error_in_whole(text, pattern, error)
    raise best_error from None


def _is_throws_within(text: str, pattern: str) -> bool:
    """Return whether a pattern is throws, not a name, and stands in a text just as it is.

    A name that is not known may go on with the words behind it, so that its error tells little.
    """
    return pattern in text and not pattern[:1].isalpha()


def _error_in_whole(text: str, pattern: str, error: NotationError) -> NotationError:
    """Return the error of a pattern with its index counted in the text around the pattern."""
    start = text.index(pattern)
    return NotationError(text, start + error.index, error.reason, error.accepted)


def with_trick(settings: Settings, word: str, side: int | None, *, apart: bool) -> Settings:
    """Return settings with a throw or catch around the body, at the tempo that this allows.

    Args:
        settings: the settings of a pattern on beats.
        word: the trick, of `BODY_THROW_NAMES` or `BODY_CATCH_NAMES`.
        side: the hand that does it: 0 left, 1 right, None for both.
        apart: whether to leave enough time between tricks for the body to recover, as
            `with_body_trick` does.
    """
    from juggle_anim.notation.body_tricks import with_body_trick

    # A tempo of the pattern, `bps`, is dropped, so that the trick decides.
    parameters = {name: value for name, value in settings.parameters.items() if name != "bps"}
    return replace(
        settings,
        score=with_body_trick(settings.score, word, side, apart=apart),
        parameters=parameters,
    )


def is_link(text: str) -> bool:
    """Return whether a text is a web address."""
    return _LINK.match(text) is not None


def with_settings(source: str | Settings, **texts: str | bool | None) -> Settings:
    """Return settings in which some values that are texts are replaced, such as `prop` or `title`.

    Args:
        source: the settings to change, or their text.
        texts: any of `TEXT_KEYS`, written as in a settings string, or a bool for a switch; None
            replaces nothing.

    Raises:
        NotationError: a text that cannot be read, or that this pattern cannot have.
        ParameterError: a name that is not among `TEXT_KEYS`.
    """
    settings = read_settings(source) if isinstance(source, str) else source
    # Each text becomes a setting of its own, so that the index of an error is one in this text.
    by_key = {key: Setting.of_text(str(text)) for key, text in texts.items() if text is not None}
    if unknown := [key for key in by_key if key not in TEXT_KEYS]:
        raise ParameterError(
            _(
                "there is no setting {unknown!r}: {did_you_mean}",
                unknown=unknown[0],
                did_you_mean=did_you_mean(unknown[0], TEXT_KEYS),
            )
        )
    if not by_key:
        return settings
    try:
        return _with_texts(settings, by_key)
    except NotationError as error:
        # The text of the error is the invalid value: set its key for the caller.
        error.key = next(
            (key for key, setting in by_key.items() if setting.whole == error.text), ""
        )
        raise


def _with_texts(settings: Settings, by_key: dict[str, Setting]) -> Settings:
    """Return settings changed by others that are texts; with new throws, the staging stays.

    The staging is all that such texts set besides throws: moves of hands and bodies, catches and
    props.

    Args:
        settings: settings to change.
        by_key: the new settings, by keys of `TEXT_KEYS`.

    Raises:
        NotationError: a value cannot be read, or the score consists of events, without a pattern,
            and the value would change a pattern.
    """
    score = settings.score
    if score.pattern is None:
        _check_fits_events(by_key)
    elif any(key in by_key for key in THROW_KEYS):
        score = dataclasses.replace(score, pattern=_with_throw_settings(score.pattern, by_key))
    changed = dataclasses.replace(settings, score=_with_staging_and_title(score, by_key))
    return _without_own_tempo_around_body(changed, settings.score)


def _check_fits_events(by_key: Mapping[str, Setting]) -> None:
    """Refuse settings of throws or moves, which a score of timed events does not have."""
    for key in _PATTERN_KEYS:
        if key in by_key:
            reason = _(
                "{key} cannot change timed events",
                key=key,
            )
            raise by_key[key].error(0, reason, _("prop, colors and title can be changed"))


def _with_throw_settings(pattern: Pattern, by_key: Mapping[str, Setting]) -> Pattern | None:
    """Read a pattern again, with new settings in place of its own with the same keys."""
    own = {key: Setting.of_text(text) for key, text in pattern_texts(pattern).items()}
    return _settings_by_key({**own, **by_key}).score.pattern


def _without_own_tempo_around_body(settings: Settings, before: Score) -> Settings:
    """Return settings without a library pattern's own tempo if it is too quick for new body tricks.

    It is if hands now throw or catch around the body in ways that were not there before, since
    these take longer. Otherwise the settings are returned unchanged.

    Args:
        settings: the settings as changed.
        before: the score before the change, whose ways around the body the tempo allows for.
    """
    if not settings.own_tempo:
        return settings
    if _ways_around_body(settings.score).issubset(_ways_around_body(before)):
        return settings
    parameters = {name: value for name, value in settings.parameters.items() if name != "bps"}
    return dataclasses.replace(settings, parameters=parameters, own_tempo=False)


def _ways_around_body(score: Score) -> set[str]:
    """Return the words for throws and catches around the body in a score, as `backcross`."""
    staging = score.staging
    throws = {
        word for turn_words in staging.throws for word in turn_words if word in BODY_THROW_NAMES
    }
    return throws | {word for side in staging.catches for word in side if word in BODY_CATCH_NAMES}


def write_settings(score: Score, parameters: Parameters) -> str:
    """Return the shortest settings string, from which `read_settings` reads the same again.

    It is one line. A description and tags are not written, since settings have no keys for them.

    Raises:
        NotationError: the score has no pattern, but events with times and places.
    """
    from juggle_anim.notation.settings.staging import staging_texts

    if score.pattern is None:
        reason = _("settings cannot store timed events")
        raise NotationError(score.name, 0, reason, _("save them as .jml"))
    # Values by key, in the order in which they are written: the pattern, parameters that are not at
    # their defaults, staging (moves and looks) and title. When it is read, a dwell implies a style
    # of hands, so the staging must know whether one is written.
    changed = parameter_texts(parameters.changed)
    texts = (
        pattern_texts(score.pattern)
        | changed
        | staging_texts(score.staging, dwell="dwell" in changed)
    )
    if score.title:
        texts["title"] = escaped(score.title)
    # Throws may have been typed in several lines, whose ends become spaces.
    return " ".join(";".join(f"{key}={text}" for key, text in texts.items()).splitlines())


def _settings_by_key(by_key: Mapping[str, Setting]) -> Settings:
    """Return the settings of a settings string; a library pattern gives those that are left out.

    Args:
        by_key: all settings, including the pattern.

    Raises:
        NotationError: a value cannot be read, or there is no valid pattern.
    """
    pattern = read_pattern_settings(by_key)
    library_settings = _settings_of(pattern)
    own_parameters = parameters_in(by_key)
    # The tempo, `bps`, is that of the library pattern if it has one and none is given here.
    own_tempo = "bps" in library_settings.parameters and "bps" not in own_parameters
    settings = Settings(
        _with_staging_and_title(library_settings.score, by_key),
        {**library_settings.parameters, **own_parameters},
        complete=True,
        own_tempo=own_tempo,
    )
    return _without_own_tempo_around_body(settings, library_settings.score)


def _settings_of(pattern: Pattern | LibraryPattern) -> Settings:
    """Return the settings of a pattern: its throws alone, or all that the library has for it.

    Both leave all other parameters as they are in use.
    """
    if not isinstance(pattern, LibraryPattern):
        return Settings(Score(pattern))
    settings = _settings_by_key(split_settings(pattern.settings_text, _ALL_KEYS))
    score = dataclasses.replace(settings.score, about=pattern.description, tags=pattern.tags)
    own_tempo = "bps" in settings.parameters
    return dataclasses.replace(settings, score=score, complete=False, own_tempo=own_tempo)


def _with_staging_and_title(score: Score, by_key: Mapping[str, Setting]) -> Score:
    """Return a score with the staging and the title that settings state.

    The staging is all that settings say besides throws: how hands and bodies move, how hands catch,
    and how props look. Without any such setting the same score is returned.

    Args:
        score: the score before, which has all that no setting names.
        by_key: the settings by their keys, such as "hands" or "title".

    Raises:
        NotationError: a setting cannot be read.
    """
    # Imported here, since most settings are read without this module.
    from juggle_anim.notation.settings.staging import read_staging

    title = (
        " ".join(unescaped(by_key["title"].text).splitlines()).strip()
        if "title" in by_key
        else score.title
    )
    staging = read_staging(by_key, score.staging)
    if staging is score.staging and title == score.title:
        return score
    return dataclasses.replace(score, staging=staging, title=title)


def read_pattern_settings(by_key: Mapping[str, Setting]) -> Pattern | LibraryPattern:
    """Read the pattern of settings: throws, or a pattern of the library that they name.

    Args:
        by_key: settings by key, with the pattern among them.

    Raises:
        NotationError: the throws form no pattern, or one for another number of jugglers than given.
    """
    jugglers = _number_of_jugglers(by_key["jugglers"]) if "jugglers" in by_key else None
    if "hss" in by_key:
        pattern: Pattern | LibraryPattern = _with_hand_siteswap(by_key)
    else:
        _check_without_hands(by_key)
        pattern = by_key[PATTERN].read(lambda text: _for_jugglers(text, jugglers))
    # Some patterns say themselves how many jugglers there are, which must agree with the given
    # number.
    if jugglers is not None and jugglers != pattern.jugglers:
        setting = by_key["jugglers"]
        reason, accepted = _wrong_number_of_jugglers(pattern.jugglers, given=jugglers)
        raise setting.error(setting.indent, reason, accepted)
    return pattern


def pattern_texts(pattern: Pattern) -> dict[str, str]:
    """Return the settings that `read_pattern_settings` reads as this pattern, by key."""
    texts = {PATTERN: pattern.text}
    if hands := pattern.hand_siteswap:
        texts["hss"] = hands.text
        texts |= {"handspec": hands.handspec} if hands.handspec is not None else {}
        texts |= {"hold": "true"} if hands.hold else {}
        texts |= {} if hands.dwellmax else {"dwellmax": "false"}
    return texts


def look_up(text: str) -> Pattern | LibraryPattern:
    """Read throws, or find the pattern of the library that a text names.

    Args:
        text: a siteswap, or a name or alias of the library in any case.

    Raises:
        NotationError: the text is neither; the message suggests a similar name, if any.
    """
    if not isinstance(text, str):
        reason = _("a pattern is text, not {name}", name=type(text).__name__)
        raise NotationError(str(text), 0, reason, _('write it in quotes, such as "531"'))
    # A text that begins with a letter may be a name as well as throws, and is looked up first. For
    # any other text throws come first, so that the library is mostly not loaded.
    begins_with_letter = text.strip()[:1].isalpha()
    named = find_pattern(text) if begins_with_letter else None
    # If the name of a library pattern is its siteswap, such as b97531, only the throws are meant.
    if named and named.siteswap != text.strip():
        return named
    for_jugglers = _read_for_number(text)
    if for_jugglers:
        return for_jugglers

    # If the text is no valid throws, it may be a name that does not begin with a letter. Otherwise
    # the error is that of an unknown name if there is a word in the text; else it is that of the
    # throws, to which a similar name is added if there is one.
    try:
        return read_siteswap(text)
    except NotationError as error:
        if not begins_with_letter:
            named = find_pattern(text)
            if named:
                return named
        word_index = _index_of_name(text)
        if word_index is not None:
            raise _unknown_name(text, word_index) from error
        from juggle_anim.notation.search import nearest_names

        nearest = nearest_names(text)
        if not nearest:
            raise
        hint = _("{accepted}\nor did you mean {near}?", accepted=error.accepted, near=nearest[0])
        raise NotationError(text, error.index, error.reason, hint, nearest) from error


def _index_of_name(text: str) -> int | None:
    """Return where a name of a pattern, known or not, begins in a text, or the first word of it.

    Words for a number of jugglers at the end, such as `for 2`, do not count.

    Returns:
        0 if the text is or begins with a name; else the index of the first word; None if the text
        has no words, so that it is throws.
    """
    without_number = NUMBER_OF_JUGGLERS.sub("", text)
    # The labels of jugglers' sides, such as `Anna:`, are words but no name. If there are any,
    # `with_sides` returns another text.
    if with_sides(text).text != text:
        return None

    # A text of letters alone is a name, unless it is short enough to be throws.
    key = name_key(without_number)
    words = key.split()
    if all(map(str.isalpha, words)) and sum(map(len, words)) >= _MIN_NAME_LENGTH:
        return 0

    # A word among other characters.
    word = re.search(_WORD, without_number)
    if word is None:
        return None
    # The text is a name if it begins with a letter, or with a number of props, as in "5 ball
    # cascade". `any_props` makes "5 prop cascade" of it, and leaves other texts unchanged.
    has_number_of_props = any_props(key) != key
    if has_number_of_props or key[:1].isalpha():
        return 0
    # Otherwise the word stands behind throws.
    return word.start()


def _unknown_name(text: str, index: int) -> NotationError:
    from juggle_anim.notation.search import nearest_names

    # Names like the whole text, or else like what follows throws: whole names in either case.
    similar_names = nearest_names(text, count=_MAX_SUGGESTIONS) or nearest_names(
        text[index:], count=_MAX_SUGGESTIONS
    )
    hint = _("did you mean {near}?", near=either(similar_names)) if similar_names else _(ALL_NAMES)
    reason = _("the library has no pattern with this name")
    return NotationError(text, index, reason, hint, similar_names)


def _read_for_number(text: str) -> Pattern | LibraryPattern | None:
    """Read a text that ends with a number of jugglers, such as `726 for 2`; None if it does not.

    Raises:
        NotationError: the throws before the number are wrong, or for another number of jugglers.
    """
    ending = NUMBER_OF_JUGGLERS.search(text)
    throws = text[: ending.start()] if ending else ""
    if ending is None or not throws.strip():
        return None
    # In prechac notation the number of jugglers is a part of the text, and is read with it.
    if "<" not in with_sides(throws).text and may_be_prechac(throws):
        return read_siteswap(text)

    # Throws of one hand on each beat are shared: the hands of all jugglers make them in turn. All
    # other patterns say themselves how many jugglers there are, which must be the given number.
    jugglers = number_of_jugglers(ending)
    shared = jugglers != 1 and _can_be_shared(throws)
    if shared and not 1 <= jugglers <= _MAX_SHARING:
        reason = _("{jugglers} jugglers cannot share a siteswap", jugglers=jugglers)
        accepted = _("a number from 1 to {max_sharing}", max_sharing=_MAX_SHARING)
        raise NotationError(text, ending.start(1), reason, accepted)
    try:
        pattern = _read_shared(throws, jugglers) if shared else look_up(throws)
    except NotationError as error:
        raise NotationError(text, error.index, error.reason, error.accepted) from error
    if pattern.jugglers != jugglers:
        reason, accepted = _wrong_number_of_jugglers(pattern.jugglers, given=jugglers)
        raise NotationError(text, ending.start(1), reason, accepted)
    return pattern


def _wrong_number_of_jugglers(jugglers: int, *, given: int | None) -> tuple[str, str]:
    """Return the reason and the remedy where a pattern is not for the given number of jugglers."""
    reason = _(
        "this pattern is for {jugglers}, not for {number}",
        jugglers=counted(jugglers, "juggler"),
        number=given,
    )
    return reason, _("leave out the number of jugglers")


def _can_be_shared(text: str) -> bool:
    """Return whether a text is throws that the hands of several jugglers can make in turn.

    These are throws of one hand on each beat, single or several at once. A name of a pattern, or
    sides of several jugglers, are not.

    Args:
        text: the text of a pattern, as typed.
    """
    # A text such as `db97531` may be throws as well as a name. It is a name if the pattern of that
    # name has other throws.
    throws = text.strip()
    named = find_pattern(throws) if throws[:1].isalpha() else None
    is_name = _index_of_name(throws) is not None or (named is not None and named.siteswap != throws)
    return (
        re.fullmatch(_ONE_HAND_A_BEAT, throws) is not None
        and not is_name
        and not has_labelled_sides(throws)
    )


def _read_shared(throws: str, jugglers: int) -> Pattern:
    """Return a siteswap that jugglers share, as 726 for 2: all right hands, then the left."""
    from juggle_anim.notation.hand_siteswap import read_hand_siteswap

    return read_hand_siteswap(throws.strip(), value_text(2 * jugglers))


@reads_without_end_mark
def _for_jugglers(text: str, jugglers: int | None) -> Pattern | LibraryPattern:
    """Read the value of the key `pattern`: throws that jugglers share, or any text of `look_up`.

    Args:
        text: throws, or a name of the library.
        jugglers: how many share the throws; None if the settings do not say it.

    Raises:
        NotationError: the text is not a pattern.
    """
    # With < > the text states the throws of each juggler. Without them the jugglers share its
    # throws, in prechac notation, or else with one hand on each beat.
    if jugglers is not None and "<" not in with_sides(text).text and may_be_prechac(text):
        from juggle_anim.notation.prechac import read_prechac

        return read_prechac(text, jugglers)
    if jugglers is not None and 1 < jugglers <= _MAX_SHARING and _can_be_shared(text):
        return _read_shared(text, jugglers)
    pattern = look_up(text)
    # If the text is the siteswap of the library pattern that it names, such as b97531, only the
    # throws are meant, without the other settings of that pattern.
    is_own_name = isinstance(pattern, LibraryPattern) and pattern.siteswap.strip() == text.strip()
    return read_siteswap(text) if is_own_name else pattern


def _with_hand_siteswap(by_key: Mapping[str, Setting]) -> Pattern:
    """Read the pattern of settings with a hand siteswap, `hss`, which says which hand throws when.

    Args:
        by_key: the settings: the pattern and `hss`, and perhaps `handspec` (whose hands they are),
            `hold` (whether a prop that lands at the next throw of its own hand is held) and
            `dwellmax` (whether props stay in a hand for as long as possible).

    Raises:
        NotationError: a value is wrong; it points there in the whole text.
    """
    from juggle_anim.notation.hand_siteswap import read_hand_siteswap

    handspec = by_key["handspec"].text if "handspec" in by_key else None
    hold = _switch(by_key.get("hold"), default=False)
    dwellmax = _switch(by_key.get("dwellmax"), default=True)
    try:
        return read_hand_siteswap(
            by_key[PATTERN].text, by_key["hss"].text, handspec, hold=hold, dwellmax=dwellmax
        )
    except NotationError as error:
        raise by_key[error.key].error(error.index, error.reason, error.accepted) from error


def _check_without_hands(by_key: Mapping[str, Setting]) -> None:
    """Refuse settings that mean nothing without a hand siteswap; default values are allowed.

    Args:
        by_key: settings by their keys, without a hand siteswap (`hss`) among them.

    Raises:
        NotationError: for the first of such settings.
    """
    hold = _switch(by_key.get("hold"), default=False)
    dwellmax = _switch(by_key.get("dwellmax"), default=True)
    # The error is that of the first setting with another value than its default.
    if "handspec" in by_key:
        refused = "handspec"
    elif hold:
        refused = "hold"
    elif not dwellmax:
        refused = "dwellmax"
    else:
        return
    raise by_key[refused].error(
        by_key[refused].indent,
        _("{key} only works with a hand siteswap", key=refused),
        _("add hss=4"),
    )


def _switch(setting: Setting | None, *, default: bool) -> bool:
    """Read a setting that is true or false, in any of the usual words such as "yes" and "off".

    Args:
        setting: the setting with its text; None if it is not given.
        default: the value to return if none is given.

    Raises:
        NotationError: the text is none of these words.
    """
    if setting is None:
        return default
    word = setting.text.strip().casefold()
    if word not in _SWITCH:
        raise setting.error(
            setting.indent,
            _("{word} is not true or false", word=word[:20] or _("this")),
            _("true or false"),
        )
    return _SWITCH[word]


def _number_of_jugglers(setting: Setting) -> int:
    """Read the setting `jugglers`, a whole number from 1.

    Raises:
        NotationError: the text is something else, or has too many of them.
    """
    digits = setting.text.strip()
    # Only digits 0 to 9 are read: `isdigit` alone accepts those of other scripts.
    jugglers = whole_number(digits, MAX_JUGGLERS) if digits.isascii() and digits.isdigit() else None
    if not jugglers:
        reason = (
            _("the number of jugglers is {digits!r}", digits=digits[:20])
            if digits
            else _("the number of jugglers is missing")
        )
        raise setting.error(
            setting.indent,
            reason,
            _("a whole number from 1 to {max_jugglers}", max_jugglers=MAX_JUGGLERS),
        )
    return jugglers
