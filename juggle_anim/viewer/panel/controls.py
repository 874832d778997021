"""What the panel lists: controls with their values, in groups, and presets of them.

Controls of the window belong to no animation: view, text size, camera motion. A preset is the
settings of the panel without a pattern, saved under a name in the user's file.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from juggle_anim.animation import Animation
from juggle_anim.atomic_file import atomic_file, cannot_write
from juggle_anim.choreography import Choreography, PropLook, Score, Staging
from juggle_anim.errors import JuggleError, NotationError, ParameterError, ViewerError, printable
from juggle_anim.language import (
    LANGUAGES,
    N_,
    _,
    choose_language,
    is_language_forced,
    known_language,
)
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.motion import FEWER_TURNS, TURNS_PER_SECOND
from juggle_anim.notation import (
    Settings,
    read_colours,
    read_settings,
    read_siteswap,
    spaced_throws,
    spaced_word,
    staging_texts,
    with_settings,
    write_settings,
)
from juggle_anim.parameters import (
    BEAT_PARAMETERS,
    BODY_CATCH_NAMES,
    BODY_THROW_NAMES,
    GRASP_KINDS,
    HAND_STYLES,
    OTHER_NAMES,
    PROP_KINDS,
    ROWS,
    Choice,
    Group,
    ParameterValue,
    Quantity,
    Row,
    Stage,
)
from juggle_anim.scene import CAMERA_PRESETS, EYE_VIEW
from juggle_anim.viewer.camera.camera_rig import DEFAULT_VIEW, CameraRig
from juggle_anim.viewer.panel.values import option_words, remembered_value
from juggle_anim.viewer.session.file import directory_lock, settings_folder

_STYLE = Choice(
    "style", "style", "Hand style", HAND_STYLES, HAND_STYLES[0], Stage.CHOREOGRAPHY,
    Group.HAND_PATH,
    "Where and when hands throw and catch, unless the pattern sets it",
)  # fmt: skip

_CATCHES = Choice(
    "catches", "catches", "Catches", (*GRASP_KINDS, *BODY_CATCH_NAMES), GRASP_KINDS[0],
    Stage.CHOREOGRAPHY,
    Group.HAND_PATH,
    "How hands catch, and where around the body",
)  # fmt: skip

_THROWS = Choice(
    "throws", "throws", "Throws", ("-", *GRASP_KINDS, *BODY_THROW_NAMES), "-", Stage.CHOREOGRAPHY,
    Group.HAND_PATH,
    "How hands throw, and where around the body",
)  # fmt: skip

_PROP = Choice(
    "prop", "prop", "Prop", tuple(kind for kind in PROP_KINDS if kind != "image"), PROP_KINDS[0],
    Stage.CHOREOGRAPHY, Group.BASICS, "What to juggle",
)  # fmt: skip

DEFAULT_COLOURS = "default"
OWN_COLOURS = "own"
"""Options for the default colours, and for those of a file."""

_COLOURS = Choice(
    "colors", "colors", "Colours", (DEFAULT_COLOURS, "mixed", "orbits"), DEFAULT_COLOURS,
    Stage.CHOREOGRAPHY,
    Group.BASICS,
    "Easy to tell apart, bright as in Juggling Lab (mixed), or one colour for each orbit",
)  # fmt: skip

JUGGLERS = Quantity(
    "jugglers", "jugglers", "Jugglers", "", 1.0, 10.0, (1.0, 10.0), 1.0, 1.0, Stage.CHOREOGRAPHY,
    Group.BASICS,
    "How many people juggle this pattern, each alone. In passing patterns they throw to each other",
    whole=True,
)  # fmt: skip
"""Belongs to the text of the pattern, as `<531|531>`; people who pass are as many as that says."""

STAGING_CONTROLS: tuple[Choice, ...] = (_STYLE, _CATCHES, _THROWS, _PROP, _COLOURS)
"""Settings of the staging that have a few usual options. Another value is kept until one of these
is chosen.
"""

# Names, as comparing rows compares all their fields.
_STAGING_NAMES = frozenset(row.name for row in STAGING_CONTROLS)
_EVENT_STAGING_NAMES = frozenset(
    {_PROP.name, _COLOURS.name}
)  # staging settings that placed events have, too
_TEMPO = "bps"
_TIMING_NAMES = tuple(
    row.name for row in ROWS if row.stage is Stage.CHOREOGRAPHY and row.name != _TEMPO
)

Colours = tuple[tuple[float, float, float] | None, ...]


_NEWCOMERS_FIRST = (
    "prop",
    "colors",
    "jugglers",
    "speed",
    "bps",
    "people",
    "figure",
    "stage",
    "trails",
    "paths",
)


def _panel_place(row: Row) -> tuple[int, int]:
    """Return the order of a control in the panel: its group, then what newcomers look for."""
    return list(Group).index(row.group), _NEWCOMERS_FIRST.index(
        row.name
    ) if row.name in _NEWCOMERS_FIRST else len(_NEWCOMERS_FIRST)


CONTROLS: tuple[Row, ...] = tuple(sorted([*ROWS, *STAGING_CONTROLS, JUGGLERS], key=_panel_place))
"""All controls, group by group, in the order of the panel."""

EVENT_CONTROLS: tuple[Row, ...] = tuple(
    row
    for row in CONTROLS
    if row.name not in (*BEAT_PARAMETERS, JUGGLERS.name)
    and (row.name not in _STAGING_NAMES or row.name in _EVENT_STAGING_NAMES)
)
"""Controls that apply to events of a file."""


FIXED = N_("Set by the times of its events")
"""Why a control of a pattern of throws cannot be turned."""

_EVENT_NAMES = frozenset(row.name for row in EVENT_CONTROLS)


def fixed_reason(animation: Animation, row: Row) -> str:
    """Return why a control is fixed, as by events of a file; empty if it can be turned."""
    if not animation.score.placed or row.name in _EVENT_NAMES:
        return ""
    return _("Set by the routine") if animation.score.routine else _(FIXED)


def chosen_value(animation: Animation, row: Row) -> ParameterValue | None:
    """Return the value that was set for a control; None if it follows another or the pattern.

    Args:
        animation: the animation that holds the value: in its number of jugglers, its parameters, or
            the staging of its score (props, hand style, kinds of catches and throws); for events
            read from a file, in the looks of their props (`placed`).
        row: the control.

    Returns:
        A number in the unit of the row, an option of a choice, or other words where a file or a
        siteswap says more than the options do.
    """
    if row.name == JUGGLERS.name:
        return float(animation.num_jugglers)
    if row.name not in _STAGING_NAMES:
        value: ParameterValue | None = getattr(animation.parameters, row.name)
        return value
    if row is _STYLE:
        return animation.score.staging.style
    if animation.score.placed and row.name in _EVENT_STAGING_NAMES:
        placed = animation.score.placed
        if row is not _PROP:
            return _colour_mode(placed)
        # Each kind of prop once, in their order.
        kinds = dict.fromkeys(look.kind for look in _looks(placed))
        return ",".join(kinds)
    if row is _THROWS:
        # Some throws around the body, such as under a leg, are not made on each beat, as the body
        # needs time to move back. The staging then has a list of them. If all of these are of one
        # kind, its word is the option of the control.
        word = spaced_word(animation.score.staging.throws)
        if word:
            return word
    return staging_texts(animation.score.staging).get(row.name, str(row.default))


def value_of(animation: Animation, row: Row) -> ParameterValue:
    """Return the value of a control: the chosen one, or else its automatic value.

    Automatic values come from another control (`follows`), or from the choreography: for the spins
    of clubs, the number of loops that vary as people do (`human_loops`), and the tempo.

    Args:
        animation: the animation with the values.
        row: the control.

    Returns:
        A number in the unit of the row, or an option of a choice.
    """
    value = chosen_value(animation, row)
    if value is None and isinstance(row, Quantity) and row.follows:
        value = getattr(animation.parameters, row.follows)
    if value is None and row.name == "spins":
        return _club_turns(animation.choreography)
    if value is None and row.name == "human_loops":
        # Imported when first used: by default nothing varies.
        from juggle_anim.choreography.variation import loop_count

        return float(loop_count(animation.choreography, animation.parameters))
    # Only an automatic tempo, [beats/s], can still be None here.
    return animation.choreography.bps if value is None else value


def _club_turns(choreography: Choreography) -> float:
    """About how many turns a club makes in the longest flight."""
    longest = choreography.flights.duration.max(initial=0.0)
    return float(max(round(TURNS_PER_SECOND * longest - FEWER_TURNS), 0))


def is_changed(animation: Animation, row: Row) -> bool:
    """Return whether a control differs from its default; people who pass are no change."""
    if row.name == JUGGLERS.name:
        pattern = animation.pattern
        return animation.num_jugglers > 1 and pattern is not None and bool(pattern.solo_text)
    return chosen_value(animation, row) != row.default


def with_value(animation: Animation, row: Row, value: ParameterValue | None) -> Animation:
    """Return a copy of an animation with one control set to a value.

    Args:
        animation: the animation; it is not changed.
        row: the control.
        value: its new value; None lets it follow another parameter or the pattern.

    Raises:
        JuggleError: the value is out of range or impossible for this pattern.
    """
    score = animation.score
    # The number of jugglers is written in the pattern, and most controls are parameters.
    if row.name == JUGGLERS.name:
        return Animation(_with_jugglers(score, int(float(value or 1))), animation.parameters)
    if row.name not in _STAGING_NAMES:
        return animation.with_values(**{row.name: value})
    # Events of a file hold their own props and colours, and nothing else of a staging.
    if score.placed and row.name in _EVENT_STAGING_NAMES:
        return Animation(_with_looks(score, row, str(value)), animation.parameters)
    if score.placed:
        reason = _(
            "{label} cannot be changed: {name} consists of timed events",
            label=row.label,
            name=score.name,
        )
        raise ParameterError(reason)
    # From here on the control is a setting of the staging of throws on beats. Some throws around
    # the body need time between them for it to move back, and are not made on each beat: `spaced`
    # is then the list of throws that are made so; otherwise None.
    spaced = None
    if row is _THROWS and score.pattern:
        spaced = spaced_throws(score.pattern, str(value))
    if row is _COLOURS and value == DEFAULT_COLOURS:
        props = replace(score.staging.props, text="", colours=(), by_orbit=False)
        score = replace(score, staging=replace(score.staging, props=props))
    elif spaced:
        score = replace(score, staging=replace(score.staging, throws=spaced))
    else:
        score = with_settings(Settings(score), **{row.name: str(value)}).score
    return Animation(score, animation.parameters)


def solo_text(animation: Animation) -> str:
    """Return the text of a pattern that several juggle alike, as one juggles it; else its text."""
    if not is_changed(animation, JUGGLERS):
        return animation.text
    return with_value(animation, JUGGLERS, 1).text


def with_defaults(animation: Animation) -> Animation:
    """Return a copy of an animation with all controls at their defaults.

    Hand and body movements, such as those of Mills mess, belong to the pattern and stay.

    Args:
        animation: the animation; it is not changed.
    """
    # The number of jugglers first, as it is written in the pattern itself, not in the parameters.
    if is_changed(animation, JUGGLERS):
        animation = with_value(animation, JUGGLERS, JUGGLERS.default)
    defaults = {row.name: row.default for row in ROWS}
    score = animation.score
    if score.placed:
        # Events of a file hold the looks of their props, and nothing else of a staging.
        if is_changed(animation, _PROP) or is_changed(animation, _COLOURS):
            score = _with_looks(score, _PROP, _PROP.default)
            score = _with_looks(score, _COLOURS, DEFAULT_COLOURS)
            animation = Animation(score, animation.parameters)
        return animation.with_values(**defaults)
    # Only those parts of the staging that have controls get their defaults.
    usual = Staging()
    staging = replace(
        score.staging,
        props=usual.props,
        style=usual.style,
        catches=usual.catches,
        throws=usual.throws,
    )
    if score.staging == staging:
        return animation.with_values(**defaults)
    return Animation(replace(score, staging=staging), animation.parameters.replace(**defaults))


def _with_jugglers(score: Score, count: int) -> Score:
    """Return a copy of a score for a number of people who all juggle the same.

    Args:
        score: score of one juggler, or of several who juggle the same without passing.
        count: number of jugglers, 1 or more.

    Raises:
        ParameterError: the jugglers pass to each other or differ, or are placed by events.
    """
    text = score.pattern.solo_text if score.pattern else ""
    if not text:
        raise ParameterError(
            _(
                "{name} sets the number of jugglers; type a pattern for that many people",
                name=score.name,
            )
        )
    if count > 1:
        star = "*" if text.endswith("*") else ""
        parts = "|".join([text.removesuffix("*")] * count)
        text = f"<{parts}>{star}"
    return replace(score, pattern=read_siteswap(text))


class DefaultValues:
    """Finds default values; caches the tempo, which takes long to find."""

    def __init__(self) -> None:
        self._score: Score | None = None
        self._timed: tuple[object, ...] = ()
        self._tempo: ParameterValue | None = None

    def of(self, animation: Animation, row: Row) -> ParameterValue | None:
        """Return the default of a control, or the automatic value that it has without a choice.

        Args:
            animation: for which automatic values are found.
            row: the control.

        Returns:
            The value; None if the pattern is impossible with it.
        """
        if row.default is not None:
            return row.default
        if chosen_value(animation, row) is None:
            return value_of(animation, row)
        if row.name == _TEMPO:
            return self._usual_tempo(animation, row)
        return _automatic_value(animation, row)

    def _usual_tempo(self, animation: Animation, row: Row) -> ParameterValue | None:
        # A new tempo recomputes all throws: too slow for each frame while its slider is dragged.
        timed = tuple(getattr(animation.parameters, name) for name in _TIMING_NAMES)
        if animation.score is not self._score or timed != self._timed:
            self._score = animation.score
            self._timed = timed
            self._tempo = _automatic_value(animation, row)
        return self._tempo


def _automatic_value(animation: Animation, row: Row) -> ParameterValue | None:
    try:
        return value_of(with_value(animation, row, None), row)
    except JuggleError:
        return None


def _colour_mode(placed: Choreography) -> str:
    """Return the option that the colours match: `usual`, `mixed`, `orbits` or `own`."""
    given = tuple(look.colour for look in _looks(placed))
    return next(
        (word for word in (DEFAULT_COLOURS, "mixed", "orbits") if given == _colours(placed, word)),
        OWN_COLOURS,
    )


def _with_looks(score: Score, row: Row, value: str) -> Score:
    """Return a score of events with another kind of all props, or with other colours.

    Args:
        score: the events of a file, with a look (kind and colour) of each prop.
        row: the control that is changed: that of the kind (`_PROP`), or that of the colours.
        value: the kind, or an option of the colours.
    """
    assert score.placed is not None, "throws on beats have a staging"
    looks = _looks(score.placed)
    if row is _PROP:
        looks = tuple(replace(look, kind=value) for look in looks)
    else:
        colours = _colours(score.placed, value)
        looks = tuple(
            replace(look, colour=colour) for look, colour in zip(looks, colours, strict=True)
        )
    return replace(score, placed=replace(score.placed, looks=looks))


def _looks(placed: Choreography) -> tuple[PropLook, ...]:
    return placed.looks or (PropLook(),) * placed.props


def _colours(placed: Choreography, word: str) -> Colours:
    if word == DEFAULT_COLOURS:
        return (None,) * placed.props
    colours, by_orbit = read_colours(word)
    orbits = [number for number, orbit in enumerate(placed.orbits) for _ in range(orbit.props)]
    return tuple(
        colours[place % len(colours)] for place in (orbits if by_orbit else range(placed.props))
    )


BY_HAND = "by hand"
"""The view of a camera that was moved with the mouse."""

FULL = "full"
REDUCED = "reduced"
ON = "on"
OFF = "off"
AUTOMATIC = "automatic"
ZOOM = "zoom"
TURN = "turn"
SAME = "same"
OWN = "own"

VIEW = Choice(
    "view", "view", "View", (DEFAULT_VIEW,
        *(name for name in CAMERA_PRESETS if name != DEFAULT_VIEW), EYE_VIEW),
    DEFAULT_VIEW, Stage.SCENE, Group.BASICS, "Where the camera looks from",
)  # fmt: skip

TEXT_SIZE = Quantity(
    "text_size", "text_size", "Text size", "%", 80.0, 200.0, (80.0, 200.0), 10.0, 100.0,
    Stage.CLOCK, Group.WINDOW,
    "Size of text and buttons in this window",
)  # fmt: skip

MOTION = Choice(
    "motion", "motion", "Motion", (FULL, REDUCED), FULL, Stage.CLOCK, Group.WINDOW,
    "Animate camera moves and fade cards, or show them at once",
)  # fmt: skip

GLIDE = Choice(
    "glide", "glide", "Camera glides", (ON, OFF), ON, Stage.CLOCK, Group.WINDOW,
    "Let the camera glide to a stop when released",
)  # fmt: skip

SCROLLING = Choice(
    "scrolling", "scrolling", "Scrolling", (AUTOMATIC, ZOOM, TURN), AUTOMATIC, Stage.CLOCK,
    Group.WINDOW,
    "What wheel and two-finger scrolling do; automatic: a wheel zooms, sideways swipes turn",
)  # fmt: skip

SPLIT_SCALE = Choice(
    "split_scale", "split_scale", "Size in split view", (SAME, OWN), SAME, Stage.CLOCK,
    Group.WINDOW,
    "Show two patterns side by side at one scale, or fit each to its half",
)  # fmt: skip

SYSTEM = "system"

LANGUAGE = Choice(
    "language", "language", "Language", (SYSTEM, *LANGUAGES.values()), SYSTEM, Stage.CLOCK,
    Group.WINDOW,
    "Language of the window and messages; by default the system's",
)  # fmt: skip

KEPT: tuple[Row, ...] = (TEXT_SIZE, LANGUAGE, MOTION, GLIDE, SCROLLING, SPLIT_SCALE)
"""Those that the next window remembers."""

WINDOW_CONTROLS: tuple[Row, ...] = (VIEW, *KEPT)
"""All controls of the window."""

_NAMES = frozenset(row.name for row in WINDOW_CONTROLS)


class WindowControls:
    """The values of the controls of a window.

    Args:
        rig: gives the camera that is moved now.
        look_from: moves it to a view.
    """

    def __init__(self, rig: Callable[[], CameraRig], look_from: Callable[[str], None]) -> None:
        self._rig = rig
        self._look_from = look_from
        self._values: dict[str, ParameterValue] = {}

    def has(self, row: Row) -> bool:
        """Return whether a control is one of the window."""
        return row.name in _NAMES

    def value(self, row: Row) -> ParameterValue:
        """Return the value of a control."""
        if row.name == VIEW.name:
            rig = self._rig()
            return BY_HAND if rig.is_manual else rig.view
        assert row.default is not None
        return self._values.get(row.name, row.default)

    def set_value(self, row: Row, value: ParameterValue | None) -> None:
        """Set a control of the window, and let it take effect: the camera flies to a view, say.

        Args:
            row: the control.
            value: its new value; None for its default.
        """
        # `_values` holds the values that are not at their defaults. The view is not among them, as
        # the camera itself knows its view.
        value = row.default if value is None else value
        assert value is not None
        if row.name == VIEW.name:
            self._look_from(str(value))
        elif value == row.default:
            self._values.pop(row.name, None)
        else:
            self._values[row.name] = value
        if row.name == LANGUAGE.name:
            choose_language(known_language(str(value)))
        if row.name == SPLIT_SCALE.name and self._rig().is_manual:
            # A camera that was moved by hand returns to its view, which is framed at the new scale.
            self._rig().fly(self._rig().view)

    @property
    def shares_scale(self) -> bool:
        """Whether both halves of a split view are equally large."""
        return self.value(SPLIT_SCALE) == SAME

    @property
    def text_scale(self) -> float:
        """How large texts are, 1 as usual."""
        return float(self.value(TEXT_SIZE)) / 100.0

    @property
    def is_still(self) -> bool:
        """Whether cameras and cards are where they belong at once."""
        return self.value(MOTION) == REDUCED

    @property
    def glides(self) -> bool:
        """Whether a camera that is released while it turns comes to rest slowly."""
        return self.value(GLIDE) == ON and not self.is_still

    @property
    def changed(self) -> dict[str, ParameterValue]:
        """The values that are no defaults, by name, as `restore` takes them."""
        return dict(self._values)

    def restore(self, changed: Mapping[str, ParameterValue | None]) -> None:
        """Set what is remembered; names and values that there are not are passed over."""
        for row in KEPT:
            if row is LANGUAGE and is_language_forced():
                continue
            value = remembered_value(row, changed)
            if value is not None:
                self.set_value(row, value)


_PLACEHOLDER_PATTERN = "pattern=3"  # stands for the pattern that a preset lacks

MAX_NAME_LENGTH = 40
"""Characters of a name."""

_MAX_BYTES = 1_000_000  # bytes of a file
_PRESETS_KEY = "presets"


def preset_of(animation: Animation) -> str:
    """Return the settings that are no defaults, `dwell=1;style=natural;prop=club`, or nothing."""
    staging = animation.score.staging
    usual = Staging()
    # Hand and body movements belong to the throws.
    staging = dataclasses.replace(staging, hands=usual.hands, body=usual.body, throws=usual.throws)
    text = write_settings(Score(read_siteswap("3"), staging=staging), animation.parameters)
    return text.removeprefix(_PLACEHOLDER_PATTERN).removeprefix(";")


def with_preset(animation: Animation, preset: str) -> Animation:
    """Return an animation of the same pattern with the settings of a preset.

    Of the preset count the parameters, and of its staging the hand style, catches and props.

    Args:
        animation: the animation; it is not changed.
        preset: settings without a pattern, `dwell=1;prop=club`; empty for no changes.

    Raises:
        NotationError: the preset has unknown settings.
        ParameterError: it sets beats, but the animation consists of events with their own times.
    """
    # Settings are only valid with a pattern, so a placeholder is added, whose throws are not used.
    text = f"{_PLACEHOLDER_PATTERN};{preset}" if preset else _PLACEHOLDER_PATTERN
    settings = read_settings(text)
    new = settings.score.staging
    score = animation.score
    staging = dataclasses.replace(
        score.staging, props=new.props, style=new.style, catches=new.catches
    )
    parameters = settings.applied_to(animation.parameters)
    if score.placed or staging == score.staging:
        # The staging stays: that of the preset is the same, or events of a file have their own.
        return animation.with_values(**dataclasses.asdict(parameters))
    return Animation(dataclasses.replace(score, staging=staging), parameters)


class PresetStore:
    """Presets in a file, which is read each time, as another window may have written it.

    Args:
        path: path of the file, which need not exist.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.error = ""
        """Why the file could not be read; empty if it could."""

    def all(self) -> dict[str, str]:
        """Return the presets by name, sorted; empty if the file is missing or unreadable."""
        entries = self._read().get(_PRESETS_KEY, {})
        texts = {name: text for name, text in entries.items() if isinstance(text, str)}
        return dict(sorted(texts.items(), key=lambda entry: entry[0].casefold()))

    def save(self, name: str, preset: str) -> str:
        """Save a preset, replacing one of that name; return the normalised name.

        Args:
            name: the name, as typed; blanks are made single, and signs that cannot be printed are
                removed.
            preset: settings without a pattern, as `preset_of` has them.

        Raises:
            ViewerError: the name is empty or too long.
            ExportError: the file cannot be written.
        """
        name = " ".join(printable(name, None).split())
        if not 0 < len(name) <= MAX_NAME_LENGTH:
            raise ViewerError(
                _(
                    "a preset needs a name of 1 to {max_name_length} characters",
                    max_name_length=MAX_NAME_LENGTH,
                )
            )
        with directory_lock(self.path.parent):
            self._write({**self.all(), name: preset})
        return name

    def delete(self, name: str) -> None:
        """Delete a preset, if there is one of that name.

        Raises:
            ExportError: the file cannot be written.
        """
        with directory_lock(self.path.parent):
            self._write({other: preset for other, preset in self.all().items() if other != name})

    def _read(self) -> dict[str, Any]:
        """Return the content of the file, also what a newer program stores in it besides presets.

        The content is empty if there is no file, or an unreadable one. A file is also unreadable if
        it is too large, no JSON object, or has presets of another type.

        Sets `error`: a message if the file exists and is unreadable, otherwise empty.
        """
        self.error = ""
        # After any exception, the message below says that the file is unreadable.
        with contextlib.suppress(OSError, ValueError, RecursionError):
            if not self.path.exists():
                return {}
            if self.path.is_file() and self.path.stat().st_size <= _MAX_BYTES:
                content = json.loads(self.path.read_text(encoding="utf-8"))
                if isinstance(content, dict) and isinstance(content.get(_PRESETS_KEY, {}), dict):
                    return content
        self.error = _(
            "{name} has no presets; saving one keeps the old file under another name",
            name=self.path.name,
        )
        return {}

    def _write(self, presets: dict[str, str]) -> None:
        """Replace the presets in the file, and keep all else that it holds.

        An unreadable file is kept under another name, as the user may want to repair it.

        Args:
            presets: settings by name.

        Raises:
            ExportError: the file cannot be written.
        """
        content = self._read()
        with cannot_write(self.path):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            if not content and self.path.exists():
                self.path.replace(self.path.with_suffix(".old.json"))
        text = json.dumps({**content, _PRESETS_KEY: presets}, indent=1, ensure_ascii=False) + "\n"
        with atomic_file(self.path) as draft:
            draft.write_text(text, encoding="utf-8", newline="\n")


class PresetList:
    """The list of presets on screen.

    Args:
        path: returns the file of the presets, when it is first needed.
    """

    def __init__(
        self, path: Callable[[], Path] = lambda: settings_folder() / "presets.json"
    ) -> None:
        """Initialise with a hidden list; the file is read when the list is opened.

        Args:
            path: returns the file of the presets.
        """
        self._path = path
        self.shown = self.wants_focus = False
        """Whether the list is shown, and whether its field takes the keyboard focus when it is next
        drawn.
        """
        self.name = self.error = ""
        """The typed name, and the last error."""
        self.chosen: str | None = None
        """The name of the chosen preset."""
        self.presets: dict[str, str] = {}
        """All presets by name, as last read from the file."""

    def open(self) -> None:
        """Show the list, read from the file again."""
        self.shown = self.wants_focus = True
        self.name = self.error = ""
        self._reload()

    def close(self) -> None:
        """Hide the list."""
        self.shown = self.wants_focus = False

    def step(self, steps: int) -> None:
        """Choose the preset a number of steps further down, cyclically."""
        names = list(self.presets)
        if names:
            index = names.index(self.chosen) + steps if self.chosen in names else min(steps, 0)
            self.chosen = names[index % len(names)]

    def save(self, preset: str) -> None:
        """Save a preset under the typed name."""

        def save() -> None:
            self.chosen = self._store.save(self.name, preset)
            self.name = ""

        self._change_and_reload(save)

    def delete(self, name: str) -> None:
        """Delete a preset."""
        self._change_and_reload(lambda: self._store.delete(name))

    @cached_property
    def _store(self) -> PresetStore:
        return PresetStore(self._path())

    def _change_and_reload(self, change: Callable[[], None]) -> None:
        self.error = ""
        self.wants_focus = True
        try:
            change()
        except JuggleError as error:
            self.error = error.reason if isinstance(error, NotationError) else str(error)
        self._reload()

    def _reload(self) -> None:
        try:
            self.presets = self._store.all()
            self.error = self.error or self._store.error
        except ViewerError as error:
            self.error = str(error)
        if self.chosen not in self.presets:
            self.chosen = None


Line = Group | Row
"""A line of the panel: the head of a group, or a control."""

PANEL_CONTROLS: tuple[Row, ...] = tuple(
    sorted((*CONTROLS, *WINDOW_CONTROLS), key=lambda row: list(Group).index(row.group))
)
"""All controls of the panel, in its order: of the animation, and of the window."""

FOLDED_AT_FIRST = frozenset(Group) - {Group.BASICS}
"""Groups of which a new window shows the heads alone."""

CHANGED = N_("changed")
"""The word that finds changed controls."""

HelpGroup = TypeVar("HelpGroup")

_PACKING_STEP = 8.0


class Listing:
    """Which groups are folded, and the search text."""

    def __init__(self) -> None:
        self.folded: set[Group] = set(FOLDED_AT_FIRST)
        self.query = ""
        self.wants_focus = False
        """Whether the search field takes the keyboard focus when it is next drawn."""

    def lines(self, changed: Callable[[Row], bool]) -> list[Line]:
        """Return the lines of the panel, top to bottom: heads of groups, and their controls below.

        Without a search, folded groups have their heads alone. In a search, groups without a match
        are left out, and controls whose names match come before those whose help does.

        Args:
            changed: tells whether a control differs from its default, which can be searched for.
        """
        query = self.query.strip()
        rows = list(PANEL_CONTROLS)
        if query:  # most frames are drawn without a search
            rows = [row for row in PANEL_CONTROLS if _matches(row, query, changed)]
            # False sorts before True: first the controls with a name that begins with the query.
            rows.sort(key=lambda row: not begin_in(query, [row.label, row.key, *other_names(row)]))
        lines: list[Line] = []
        for group in dict.fromkeys(row.group for row in rows):
            lines.append(group)
            if query or group not in self.folded:
                lines += [row for row in rows if row.group is group]
        return lines

    def toggle(self, group: Group) -> None:
        """Fold or unfold a group."""
        self.folded ^= {group}

    def show(self, row: Row) -> None:
        """Make a control visible: unfold its group, and clear a search that hides it."""
        self.folded.discard(row.group)
        if not _matches(row, self.query, lambda _: True):
            self.query = ""


def other_names(row: Row) -> list[str]:
    """Return what people call a control otherwise: `elbow` for the one that lifts elbows."""
    return [alias.replace("_", " ") for alias, name in OTHER_NAMES.items() if name == row.name]


def _matches(row: Row, query: str, changed: Callable[[Row], bool]) -> bool:
    """Return whether every word of a query begins a word that describes a row."""
    texts = [row.label, row.key, *other_names(row), _(row.group.value), row.help]
    texts += (
        [*row.options, *map(option_words, row.options)]
        if isinstance(row, Choice)
        else [row.unit, _(row.unit)]
    )
    return begin_in(query, [*texts, CHANGED, _(CHANGED)] if changed(row) else texts)


def begin_in(query: str, texts: Sequence[str]) -> bool:
    """Return whether every word of a query begins a word of some texts."""
    words = " ".join(texts).casefold().replace("-", " ").split()
    return all(
        any(word.startswith(part) for word in words)
        for part in query.casefold().replace("-", " ").split()
    )


@dataclass
class Pages:
    """A list that is shown page by page.

    Args:
        count: length of the list when it was last drawn.
        first: index of the first item on the present page.
        capacity: items on a page when it was last drawn.
    """

    count: int = 1
    first: int = 0
    capacity: int = 1

    def turn(self, *, shown: bool) -> bool:
        """Go to the first page if none is shown, or to the next one.

        Returns:
            Whether there is one; after the last page there is none.
        """
        following = self.first + self.capacity if shown else 0
        exists = following < self.count
        self.first = following if exists else 0
        return exists

    def turn_to(self, index: int) -> None:
        """Go to the page with an item."""
        self.first = index - index % self.capacity

    @property
    def indices(self) -> range:
        """Indices of the shown items; the last page is as full as the others."""
        first = max(min(self.first, self.count - self.capacity), 0)
        return range(first, min(first + self.capacity, self.count))


def pack_groups(
    groups: Sequence[HelpGroup],
    height: Callable[[Sequence[HelpGroup]], float],
    room: float,
    across: int,
) -> list[list[list[HelpGroup]]]:
    """Distribute groups, in their order, over columns, and columns over pages.

    There are as few columns as possible, and these are as low as possible.

    Args:
        groups: groups of lines of the help.
        height: returns the height of a column of some groups, [pixels].
        room: greatest height of a column, [pixels]; a higher group has a column of its own.
        across: greatest number of columns on a page.

    Returns:
        The pages: for each its columns, and for each of these its groups.
    """
    columns = _columns(groups, height, room)
    # Reduce the height in steps as long as the number of columns does not grow.
    while room > _PACKING_STEP:
        room -= _PACKING_STEP
        lower_columns = _columns(groups, height, room)
        if len(lower_columns) != len(columns):
            break
        columns = lower_columns
    return [columns[first : first + across] for first in range(0, len(columns), across)]


def _columns(
    groups: Sequence[HelpGroup], height: Callable[[Sequence[HelpGroup]], float], room: float
) -> list[list[HelpGroup]]:
    columns: list[list[HelpGroup]] = [[]]
    for group in groups:
        if columns[-1] and height([*columns[-1], group]) > room:
            columns.append([])
        columns[-1].append(group)
    return columns


@dataclass(frozen=True)
class ArmSelection:
    """One arm.

    Args:
        juggler: counted from 0.
        side: 0 for the left arm, 1 for the right one.
    """

    juggler: int = 0
    side: int = 0

    def next(self, jugglers: int) -> ArmSelection:
        """Return the other arm, or the next juggler's first one, cyclically."""
        number = (2 * self.juggler + self.side + 1) % (2 * jugglers)
        return ArmSelection(number // 2, number % 2)

    def within(self, jugglers: int) -> ArmSelection:
        """Return the same arm, or the last juggler's if there are fewer jugglers."""
        return ArmSelection(min(self.juggler, jugglers - 1), self.side)

    def label(self, jugglers: int) -> str:
        """Return the arm's name: `Left arm`, or among several jugglers `Left arm of 2`."""
        name = (_("Left arm"), _("Right arm"))[self.side]
        return (
            name if jugglers == 1 else _("{name} of {juggler}", name=name, juggler=self.juggler + 1)
        )
