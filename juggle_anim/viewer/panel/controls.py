"""Controls: the rows of the panel, their values, and animations with one of them changed.

Controls of the window, which belong to no animation: view, text size, camera motion.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from juggle_anim.animation import Animation
from juggle_anim.choreography import Choreography, PropLook, Score, Staging
from juggle_anim.errors import JuggleError, ParameterError
from juggle_anim.language import (
    LANGUAGES,
    N_,
    _,
    choose_language,
    is_language_forced,
    known_language,
)
from juggle_anim.motion import FEWER_TURNS, TURNS_PER_SECOND
from juggle_anim.notation import (
    Settings,
    read_colours,
    read_siteswap,
    spaced_throws,
    spaced_word,
    staging_texts,
    with_settings,
)
from juggle_anim.parameters import (
    BEAT_PARAMETERS,
    BODY_CATCH_NAMES,
    BODY_THROW_NAMES,
    GRASP_KINDS,
    HAND_STYLES,
    PROP_KINDS,
    ROWS,
    Choice,
    Group,
    Quantity,
    Row,
    Stage,
)
from juggle_anim.scene import CAMERA_PRESETS, EYE_VIEW
from juggle_anim.viewer.camera.camera_rig import DEFAULT_VIEW, CameraRig
from juggle_anim.viewer.panel.values import remembered_value

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
    "One colour for each prop or for each orbit",
)  # fmt: skip

JUGGLERS = Quantity(
    "jugglers", "jugglers", "Jugglers", "", 1.0, 10.0, (1.0, 10.0), 1.0, 1.0, Stage.CHOREOGRAPHY,
    Group.BASICS,
    "How many people juggle this pattern. For passing, search the library for “passing”",
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


FIXED = N_("Fixed: this pattern consists of timed events")
"""Why a control of a pattern of throws cannot be turned."""

_EVENT_NAMES = frozenset(row.name for row in EVENT_CONTROLS)


def fixed_reason(animation: Animation, row: Row) -> str:
    """Return why a control is fixed, as by events of a file; empty if it can be turned."""
    return _(FIXED) if animation.score.placed and row.name not in _EVENT_NAMES else ""


def chosen_value(animation: Animation, row: Row) -> float | str | None:
    """Return the value that was set for a control; None if it follows another or the pattern.

    Args:
        animation: animation whose parameters, staging or events hold the value.
        row: the control.

    Returns:
        A number in the unit of the row, an option of a choice, or other words where a file or a
        siteswap says more than the options do.
    """
    if row.name == JUGGLERS.name:
        return float(animation.jugglers)
    if row.name not in _STAGING_NAMES:
        value: float | str | None = getattr(animation.parameters, row.name)
        return value
    if row is _STYLE:
        return animation.score.staging.style
    if animation.score.placed and row.name in _EVENT_STAGING_NAMES:
        placed = animation.score.placed
        kinds = dict.fromkeys(look.kind for look in _looks(placed))
        return ",".join(kinds) if row is _PROP else _colour_mode(placed)
    # Throws spaced out over the beats are one option, however they are written.
    word = spaced_word(animation.score.staging.throws) if row is _THROWS else ""
    if word:
        return word
    return staging_texts(animation.score.staging).get(row.name, str(row.default))


def value_of(animation: Animation, row: Row) -> float | str:
    """Return the value of a control: the chosen one, or else its automatic value.

    Automatic values come from another row (`follows`), or from the choreography for spins, loops of
    variations and the tempo.

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
    # The tempo is the only other row without a default.
    return animation.choreography.bps if value is None else value


def _club_turns(choreography: Choreography) -> float:
    """About how many turns a club makes in the longest flight."""
    longest = choreography.flights.duration.max(initial=0.0)
    return float(max(round(TURNS_PER_SECOND * longest - FEWER_TURNS), 0))


def is_changed(animation: Animation, row: Row) -> bool:
    """Return whether a control differs from its default; people who pass are no change."""
    if row.name == JUGGLERS.name:
        return animation.jugglers > 1 and bool(_solo_text(animation.score))
    return chosen_value(animation, row) != row.default


def with_value(animation: Animation, row: Row, value: float | str | None) -> Animation:
    """Copy an animation with one control set.

    Args:
        animation: stays as it is.
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
        return animation.replace(**{row.name: value})
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
    # From here on the control is a setting of the staging of throws on beats.
    spaced = spaced_throws(score.pattern, str(value)) if row is _THROWS and score.pattern else None
    if row is _COLOURS and value == DEFAULT_COLOURS:
        props = replace(score.staging.props, text="", colours=(), by_orbit=False)
        score = replace(score, staging=replace(score.staging, props=props))
    elif spaced:
        score = replace(score, staging=replace(score.staging, throws=spaced))
    else:
        score = with_settings(Settings(score), **{row.name: str(value)}).score
    return Animation(score, animation.parameters)


def with_defaults(animation: Animation) -> Animation:
    """Copy an animation with all controls at their defaults.

    Hand and body movements, such as those of Mills mess, belong to the pattern and stay.

    Args:
        animation: stays as it is.
    """
    # Jugglers first, which are written in the pattern itself.
    if is_changed(animation, JUGGLERS):
        animation = with_value(animation, JUGGLERS, JUGGLERS.default)
    staging = animation.score.staging
    # Staging is how it is juggled: props, hand style, catches, and throws around the body.
    usual = Staging()
    staging = replace(
        staging, props=usual.props, style=usual.style, catches=usual.catches, throws=usual.throws
    )
    changes = {row.name: row.default for row in ROWS}
    score = animation.score
    # Placed events have looks of props in themselves.
    if score.placed and any(is_changed(animation, row) for row in (_PROP, _COLOURS)):
        score = _with_looks(_with_looks(score, _PROP, _PROP.default), _COLOURS, DEFAULT_COLOURS)
        return Animation(score, animation.parameters).replace(**changes)
    if score.placed or score.staging == staging:
        return animation.replace(**changes)
    return Animation(replace(score, staging=staging), animation.parameters.replace(**changes))


def _solo_text(score: Score) -> str:
    """Return the siteswap that all jugglers juggle by themselves; empty if they differ, or pass.

    `<531|531>` gives `531`. A star at the end, for throws that are mirrored in each loop, stays.

    Args:
        score: score of throws; events of a file have no siteswap.
    """
    pattern = score.pattern
    if (
        pattern is None
        or pattern.hand_siteswap
        or any(throw.juggler != throw.to_juggler for throw in pattern.throws)
    ):
        return ""
    swaps = pattern.text.endswith("*")
    text = pattern.text.removesuffix("*")
    if text.startswith("<"):
        parts = set(text.removeprefix("<").removesuffix(">").split("|"))
        text = parts.pop() if len(parts) == 1 else ""
    # Signs of passing that are left show a text that is not understood here.
    return text + "*" * swaps if text and not set(text) & set("<|>") else ""


def _with_jugglers(score: Score, count: int) -> Score:
    """Copy a score with so many people who juggle the same beside each other.

    Args:
        score: score of one juggler, or of several who do the same.
        count: count of jugglers, 1 or more.

    Raises:
        ParameterError: the jugglers pass to each other or differ, or are placed by events.
    """
    text = _solo_text(score)
    if not text:
        raise ParameterError(
            _(
                "{name} sets the number of jugglers; type a pattern for that many people",
                name=score.name,
            )
        )
    if count > 1:
        swaps = text.endswith("*")
        text = f"<{'|'.join([text.removesuffix('*')] * count)}>{'*' * swaps}"
    return replace(score, pattern=read_siteswap(text))


class DefaultValues:
    """Finds default values; caches the tempo, which takes long to find."""

    def __init__(self) -> None:
        self._score: Score | None = None
        self._timed: tuple[object, ...] = ()
        self._tempo: float | str | None = None

    def of(self, animation: Animation, row: Row) -> float | str | None:
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
        return (
            self._usual_tempo(animation, row)
            if row.name == _TEMPO
            else _automatic_value(animation, row)
        )

    def _usual_tempo(self, animation: Animation, row: Row) -> float | str | None:
        # A new tempo recomputes all throws: too slow for each frame while its slider is dragged.
        timed = tuple(getattr(animation.parameters, name) for name in _TIMING_NAMES)
        if animation.score is not self._score or timed != self._timed:
            self._score = animation.score
            self._timed = timed
            self._tempo = _automatic_value(animation, row)
        return self._tempo


def _automatic_value(animation: Animation, row: Row) -> float | str | None:
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
    """Copy a score of events with all props of one kind, or with the colours of an option.

    Args:
        score: score of events of a file.
        row: the control of the kind, or that of the colours.
        value: the kind, or the option of colours.
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
    "split_scale", "split_scale", "Split scale", (SAME, OWN), SAME, Stage.CLOCK, Group.WINDOW,
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
    """

    def __init__(self, rig: Callable[[], CameraRig]) -> None:
        self._rig = rig
        self._values: dict[str, float | str] = {}

    def has(self, row: Row) -> bool:
        """Return whether a control is one of the window."""
        return row.name in _NAMES

    def value(self, row: Row) -> float | str:
        """Return the value of a control."""
        if row.name == VIEW.name:
            rig = self._rig()
            return BY_HAND if rig.is_manual else rig.view
        assert row.default is not None
        return self._values.get(row.name, row.default)

    def set_value(self, row: Row, value: float | str | None) -> None:
        """Set a control of the window, with its effect: the view flies, the language changes.

        Args:
            row: the control.
            value: its new value; None for its default.
        """
        # Values that are not at their defaults are kept; the view is that of the camera.
        value = row.default if value is None else value
        assert value is not None
        if row.name == VIEW.name:
            self._rig().fly(str(value))
        elif value == row.default:
            self._values.pop(row.name, None)
        else:
            self._values[row.name] = value
        if row.name == LANGUAGE.name:
            choose_language(known_language(str(value)))
        if row.name == SPLIT_SCALE.name and self._rig().is_manual:
            self._rig().fly(self._rig().view)  # as it is framed, so that the difference is seen

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
    def changed(self) -> dict[str, float | str]:
        """The values that are no defaults, by name, as `restore` takes them."""
        return dict(self._values)

    def restore(self, changed: Mapping[str, float | str | None]) -> None:
        """Set what is remembered; names and values that there are not are passed over."""
        for row in KEPT:
            if row is LANGUAGE and is_language_forced():
                continue
            value = remembered_value(row, changed)
            if value is not None:
                self.set_value(row, value)
