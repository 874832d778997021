"""An animation: one pattern with its parameters; each stage is computed on first use and kept."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Iterator, Mapping
from copy import copy
from dataclasses import field, replace
from functools import cached_property, partial
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, NamedTuple, overload

import numpy as np

from juggle_anim.arrays import Bytes, Floats, Singles
from juggle_anim.body import (
    MAX_DRAWN_RADIUS,
    BodyPlan,
    BodyPoses,
    ElbowFunction,
    Joint,
    Joints,
    Pose,
    bodies_at_ease,
    draft_plan,
    plan_at_ease,
    plan_bodies,
    plan_life,
    pose,
    pose_bodies,
    register_solver,
)
from juggle_anim.choreography import (
    Choreography,
    PropStyle,
    Score,
    Staging,
    choreograph,
    items_of_turns,
    repeat_to_full_loop,
    timing_of,
)
from juggle_anim.errors import EditError, JuggleError, ParameterError, counted, did_you_mean
from juggle_anim.formats import load
from juggle_anim.language import N_, _
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.motion import FACING, PLACE, Frames, Motion, move
from juggle_anim.notation import (
    Settings,
    find_pattern,
    open_pattern,
    parameter_texts,
    read_settings,
    with_settings,
    write_settings,
)
from juggle_anim.parameters import (
    BEAT_PARAMETERS,
    DEFAULTS,
    IMPLIED_HAND_STYLE,
    ROWS,
    SIDED_PARAMETERS,
    TEXT_KEYS,
    Guessed,
    Parameters,
    Stage,
    Table,
    guessed_keywords,
    plain_value,
    row_named,
    same_name,
    setting_named,
)
from juggle_anim.pattern import Pattern, Throw, write_state
from juggle_anim.vectors import z_up

# What draws is imported when first used: what is only laid out or posed needs none of it.
if TYPE_CHECKING:
    from juggle_anim.analysis import Analysis, Flight
    from juggle_anim.editing.editor import Editor
    from juggle_anim.scene import Camera, EyeRange, Look, Palette, Scene, Scenes, Viewpoint

AZIMUTH = np.radians(18.0)
ELEVATION = np.radians(7.0)
"""Default direction of the camera, [rad]."""

GROUP_ELEVATION = np.radians(20.0)
"""Default elevation for three jugglers and more, [rad]: so high that hardly one hides another, and
so low that who stands behind another is not far above in the picture, and all are large.
"""

HEADROOM = 1.3
HEADROOM_BELOW_THROWS = 0.75
"""Space above the heads where pictures frame people, [m]: at most the first, with which a person is
at least 45 % as high as the picture. Where throws are higher still, so that they leave the picture
anyway, it is the second, and people are larger.
"""


def headroom_of(throws: float) -> float:
    """Return the space above the heads, [m], by the height of the highest throw above them, [m]."""
    return throws if throws <= HEADROOM else HEADROOM_BELOW_THROWS


USUAL_LENGTH = "10 s"
"""For so long a pattern is juggled that is put into a routine without a length."""

HIGH_THROWS = 0.85
HIGH_HEADROOM = 1.45
HIGH_FIELD_OF_VIEW = np.radians(70.0)
"""Stills of one person with throws higher above the head than the first, [m], are taken from near
the floor, with their feet and space above the head for throws up to the second, [m]. A field of
view at least as wide, vertical, [rad], brings the camera near, so that the person is large.
"""

WIDE = 1.5
"""Width over height of stills above which they end at the thighs of a person with high throws, and
do not look up: there is room beside the person, and none above.
"""

ROOM = 0.15
HIGH_ROOM = 0.30
"""How far stills go on above what they must show, as a share of its height: at most so far, the
second those that look up.
"""

# Samples of a loop.
_EYE_SAMPLES = 24  # for what the eyes have to see
_EXTENT_SAMPLES = 48  # for the extent of people and props, each time the pattern varies
_MAX_EXTENT_SAMPLES = 480
_REACH_SAMPLES = 6  # for spheres of reach
# A hand is at its farthest for a few hundredths of a second only, and a loop may be long; so many
# poses are computed in a fifth of a second, which is an acceptable delay.
_GAP_SAMPLES_PER_SECOND = 60
_MAX_GAP_SAMPLES = 40_000
_REFINED_GAPS = 4  # widest gaps around which more samples are taken
# Cached properties that are shared where only parameters of later stages change, and their stages.
_SHARED_STAGES = (
    ("choreography", Stage.CHOREOGRAPHY),
    ("performance", Stage.MOTION),
    ("motion", Stage.MOTION),
    ("plan", Stage.PLAN),
)
_SHARED_FRAMING = ("_outermost_points", "gaps")


@dataclass(frozen=True, init=False)
class Animation:
    """A pattern, its parameters, and everything computed from them; also named `Pattern`.

    `animate` makes an animation of a text. Points that its methods return are in metres, with
    x to the left of the first juggler, y behind and z up, as in Blender; those in the arrays of its
    stages have y up.

    Args:
        score: the pattern and its staging; or a text or another animation as for `animate`, with
            arguments as there.
        parameters: all adjustable values.
        film: default options of `export`.
    """

    score: Score
    parameters: Parameters
    film: Mapping[str, Any] = field(compare=False)

    def __init__(
        self,
        score: Score | str | Animation,
        parameters: Parameters = DEFAULTS,
        film: Mapping[str, Any] | None = None,
        **given: Any,
    ) -> None:
        values = {"score": score, "parameters": parameters, "film": film or {}}
        if isinstance(score, str | Animation):
            values = vars(animate(score, **given))
        self.__dict__.update(values)

    def __bool__(self) -> bool:
        """Whether there is one, of however many frames."""
        return True

    def __len__(self) -> int:
        """Number of frames of its film."""
        return sum(1 for _time in self._film.request.times)

    def frames(self, **options: Any) -> Iterator[Bytes]:
        """Draw one frame after another, arrays of bytes, shape (height, width, 3 or 4 channels).

        Args:
            options: as for `export`, such as `fps`, `size` or `duration` [s]; by default whole
                loops.
        """
        yield from animate(self, **options)._film.images()

    @property
    def _film(self) -> Any:
        options = load("exporter.options:ExportOptions")(**self.film)
        (job, *_others) = load("exporter.jobs:export_jobs")(self, Path("film.gif"), options)
        return load("exporter.stills:DrawnFrames")(job.request)

    @property
    def siteswap(self) -> str:
        """The throws, as they were typed; for events their name."""
        return self.score.pattern.text if self.score.pattern else self.text

    def __getattr__(self, name: str) -> Any:
        """Return what it has under a name that people guess; see `juggle_anim.api.attribute`."""
        if name.startswith("_"):
            raise AttributeError(name, name=name, obj=self)
        return load("api:attribute")(self, name)

    @classmethod
    def from_siteswap(cls, text: str, **given: Any) -> Animation:
        """Return the animation of a siteswap; see `animate`."""
        return animate(text, **given)

    @property
    def num_props(self) -> int:
        """Number of props."""
        return self.score.props

    num_balls = num_props

    @property
    def num_jugglers(self) -> int:
        """Number of jugglers."""
        return self.score.jugglers

    @property
    def _throws_on_beats(self) -> tuple[Throw, ...]:
        """All throws of the siteswap; none for events."""
        return self.pattern.throws if self.pattern else ()

    @property
    def max_throw(self) -> int:
        """The highest throw, siteswap; 0 for events, and where nothing is thrown."""
        throws = self._throws_on_beats or self.throws
        return max((throw.value for throw in throws), default=0)

    @cached_property
    def is_passing(self) -> bool:
        """Whether jugglers throw to each other; false for events."""
        return any(throw.juggler != throw.to_juggler for throw in self._throws_on_beats)

    @property
    def is_sync(self) -> bool:
        """Whether both hands of a juggler ever throw on the same beat; false for events."""
        turns = {throw.turn for throw in self._throws_on_beats}
        return len(turns) > len({turn[:2] for turn in turns})

    @property
    def period(self) -> int | None:
        """Number of beats that the siteswap spells out; None for events."""
        return self.pattern.written_period if self.pattern else None

    @property
    def state(self) -> str:
        """The state before its first throw: 1 for each coming beat on which a prop lands."""
        return write_state(self.pattern) if self.pattern else ""

    @property
    def throws(self) -> Table[Flight]:
        """The throws of one loop, by time; `replace(throws="underleg,-")` changes them."""
        staging = self.score.staging
        script = self.score.routine
        thrown = script.throws if script else ()
        words = None
        period = None
        if self.pattern:
            loop = repeat_to_full_loop(self.pattern, staging)
            period = loop.period
            is_hold = timing_of(loop, staging, self.parameters).is_hold
            thrown = tuple(
                throw for throw, held in zip(loop.throws, is_hold, strict=True) if not held
            )
            words = items_of_turns(loop, staging.throws) if staging.throws else None
        throws: Table[Flight] = load("analysis.measures:measure_throws")(
            self.motion, thrown, words, period
        )
        return throws

    @property
    def catches(self) -> Table[Flight]:
        """The throws of one loop in the order in which they are caught; see `catch_time`."""
        return Table(sorted(self.throws, key=lambda throw: throw.catch_time))

    def times(self, count: int = 100) -> Floats:
        """Return so many times of one loop, evenly spaced, [s]."""
        return np.linspace(0.0, self.duration, count, endpoint=False)

    @property
    def is_valid(self) -> Truth:
        """Always true: only valid patterns have an animation; see `juggle_anim.is_valid`."""
        return Truth(True)

    def max_height(self) -> float:
        """Height of the highest point of all throws above the floor, [m]."""
        return max((throw.apex for throw in self.throws), default=0.0)

    @guessed_keywords
    def prop_positions(self, times: Any) -> Floats:
        """Centres of all props, shape (T, props, 3) for T times, [m].

        Args:
            times: shape (T,), or a number, for which it is (props, 3), [s].
        """
        return self._props(0, times)

    @guessed_keywords
    def prop_velocities(self, times: Any) -> Floats:
        """Velocities of all props, [m/s]; arguments and shapes are those of `prop_positions`."""
        return self._props(1, times)

    def _props(self, derivative: int, times: Any) -> Floats:
        """Return a derivative of the positions of props, [m/s^derivative]."""
        frames = self.motion.sample(np.atleast_1d(times), derivative)
        return z_up(frames.props.reshape(*np.shape(times), -1, 3))

    @guessed_keywords
    def prop_position(self, prop: int, time: Any) -> Floats:
        """Centre of one prop, shape (3,), or (T, 3) at several times, [m].

        Args:
            prop: from 0.
            time: [s].
        """
        return self.prop_positions(time)[..., prop, :]

    @guessed_keywords
    def hand_positions(self, times: Any, hand: str = "", juggler: int = 0) -> Any:
        """Positions of a hand, shape (T, 3) for T times, [m], with z up.

        Args:
            times: shape (T,); or a single number, for which the result has shape (3,), [s].
            hand: "left" or "right"; by default the result is a dict with both.
            juggler: index of the juggler, from 0.
        """
        return self._hands(0, times, hand, juggler)

    @guessed_keywords
    def hand_velocities(self, times: Any, hand: str = "", juggler: int = 0) -> Any:
        """Velocities of a hand, [m/s]; arguments and shapes are those of `hand_positions`."""
        return self._hands(1, times, hand, juggler)

    @guessed_keywords
    def hand_speeds(self, times: Any, hand: str = "", juggler: int = 0) -> Any:
        """Speeds of a hand, shape (T,), [m/s]; arguments are those of `hand_positions`."""
        velocities = self.hand_velocities(times, hand, juggler)
        if isinstance(velocities, dict):
            return {side: np.linalg.norm(velocities[side], axis=-1) for side in velocities}
        return np.linalg.norm(velocities, axis=-1)

    @guessed_keywords
    def hand_accelerations(self, times: Any, hand: str = "", juggler: int = 0) -> Any:
        """Accelerations of a hand, [m/s²]; arguments and shapes are those of `hand_positions`."""
        return self._hands(2, times, hand, juggler)

    def _hands(self, derivative: int, times: Any, hand: Any, juggler: int) -> Any:
        """Return a derivative of the positions of hands, [m/s^derivative]."""
        times, hand = times_first(times, hand)
        vectors = z_up(self.motion.sample(np.atleast_1d(times), derivative).hands[:, juggler])
        left, right = np.moveaxis(vectors.reshape(*np.shape(times), 2, 3), -2, 0)
        hands = {"left": left, "right": right}
        return hands[hand] if hand else hands

    @guessed_keywords
    def hand_position(self, hand: str, time: Any, juggler: int = 0) -> Any:
        """Position of one hand, "left" or "right"; see `hand_positions`."""
        return self.hand_positions(time, hand, juggler)

    @guessed_keywords
    def joint_positions(self, times: Any, joint: str = "", juggler: int = 0) -> Any:
        """Positions of a joint, shape (T, 3) for T times, [m].

        Args:
            times: shape (T,); or a single number, for which the result has shape (3,), [s].
            joint: such as "left elbow" or "head". For a pair of joints, such as "elbow", the result
                is a dict of both sides; by default a dict of all joints.
            juggler: index of the juggler, from 0.

        Raises:
            ParameterError: there is no such joint.
        """
        times, joint = times_first(times, joint)
        pose = self.pose(times, juggler=juggler)

        def places(name: str) -> Floats:
            return pose[name].reshape(*np.shape(times), 3)

        if not joint:
            return {name: places(name) for name in (known.name.lower() for known in Joint)}
        name = joint.strip().lower().replace("hand", "palm").replace(" ", "_")
        if f"LEFT_{name.upper()}" in Joint.__members__:
            return {side: places(f"{side} {name}") for side in ("left", "right")}
        return places(name)

    @guessed_keywords
    def joint_position(self, joint: str, time: Any, juggler: int = 0) -> Any:
        """Position of one joint, such as "left elbow"; see `joint_positions`."""
        return self.joint_positions(time, joint, juggler)

    @guessed_keywords
    def collisions(self, radius: float | None = None, **given: Any) -> Table[Hit]:
        """Find the balls that hit each other in one loop.

        Args:
            radius: radius of the balls, [m]; None for that of the animation.
            given: settings as for `animate`, such as `ball_size` [m].

        Returns:
            For each collision what a `Collision` of `analyse` has, but as `time` that of the first
            contact; `deepest`, the time of the deepest overlap, [s]; `balls`, the indices of both,
            from 0, also as `a` and `b`, and as `ball1` and `ball2`; `position`, the point between
            their centres at `time`, shape (3,), [m]; and `distance`, the least of their centres,
            [m].
        """
        if radius is not None:
            given["ball_radius"] = radius
        animation = animate(self, **given)
        hits = animation.analyse().collisions
        collisions = []
        for hit in hits:
            if hit.part:  # a ball hits this part of a body, not another ball
                continue
            touching, deepest = animation.prop_positions([hit.start, hit.time])[:, [*hit.balls]]
            collisions.append(
                Hit(
                    **{**vars(hit), "time": hit.start},
                    depth=hit.overlap,
                    deepest=hit.time,
                    balls=hit.balls,
                    a=hit.prop,
                    b=hit.other,
                    ball1=hit.prop,
                    ball2=hit.other,
                    position=touching.mean(axis=0),
                    distance=float(np.linalg.norm(deepest[1] - deepest[0])),
                )
            )
        return Table(collisions)

    @property
    def pattern(self) -> Pattern | None:
        """The throws on beats; None for timed events."""
        return self.score.pattern

    @property
    def text(self) -> str:
        """The shortest text that opens this pattern: a library name, throws, or settings.

        Parameters, such as the tempo, are not in it. For timed events it is their name.
        """
        score = self.score
        if score.pattern is None:
            return score.name
        # The title of a pattern of the library, unless other throws have the same title.
        library_pattern = find_pattern(score.title) if score.title else None
        if library_pattern and library_pattern.siteswap == score.pattern.text:
            return library_pattern.name
        # Throws alone would lose a hand siteswap and any staging but the style.
        if score.pattern.hand_siteswap or replace(score.staging, style="natural") != Staging():
            return write_settings(replace(score, title=""), DEFAULTS)
        return score.pattern.text

    @property
    def title(self) -> str:
        """The title of the pattern, or its text."""
        return self.score.name

    @property
    def jugglers(self) -> tuple[Juggler, ...]:
        """The people."""
        return tuple(Juggler(self, juggler) for juggler in range(self.num_jugglers))

    @cached_property
    def choreography(self) -> Choreography:
        """Throws and catches in seconds and metres, as written."""
        return choreograph(self.score, self.parameters)

    @cached_property
    def performance(self) -> Choreography:
        """The throws and catches of one loop as they are juggled.

        That is the choreography, or, with the parameter `human`, several rounds of it with random
        variations of times and places, as people make them.
        """
        if not self.parameters.human:
            return self.choreography
        # Imported when first used: by default nothing varies.
        vary = load("choreography.variation:vary")
        varied: Choreography = vary(self.choreography, self.parameters)
        return varied

    @cached_property
    def motion(self) -> Motion:
        """Continuous paths of hands and props."""
        return move(self.performance, self.parameters)

    @cached_property
    def plan(self) -> BodyPlan:
        """Slow movements of the bodies, planned over the whole loop."""
        return plan_bodies(self.motion, self.parameters)

    @property
    def settings(self) -> str:
        """The settings string that opens this animation.

        Raises:
            NotationError: the score consists of timed events, which settings cannot express.
        """
        return PatternText(write_settings(self.score, self.parameters))

    def as_settings(self) -> Settings:
        """The score with all parameters that are not at their defaults."""
        return Settings(self.score, self.parameters.changed, complete=True)

    def as_routine(self) -> str:
        """Return the text of the routine that is shown, or of a new one with the shown pattern.

        A new routine has a head with the settings of the pattern, the pattern, and a stop.

        Raises:
            EditError: events of a file are shown.
        """
        if script := self.score.routine:
            return script.text
        if self.pattern is None:
            raise EditError(_("A routine needs patterns, but this is made of timed events"))
        # The text of a routine has a head, which sets the title, the props and the parameters of
        # beats; then a blank line, and a line for each pattern with its length.
        props = self.score.staging.props
        beat_parameters = {name: getattr(self.parameters, name) for name in BEAT_PARAMETERS}
        head = {
            "title": "My routine",
            "prop": ",".join(props.kinds),
            **({"colors": props.text} if props.text else {}),
            **parameter_texts(beat_parameters),
        }
        head_lines = "\n".join(f"{key}={value}" for key, value in head.items())
        return f"{head_lines}\n\n{self._routine_line()} {USUAL_LENGTH}\nstop\n"

    def _routine_line(self) -> str:
        """Return the text of the shown pattern for the line of a routine, without a length.

        The head of the routine has the props and the parameters of beats. The line is the shortest
        text of the pattern, such as a name in the library. If that text implies another staging, or
        parameters of beats other than the head's, the line has the pattern and all its staging as
        settings.
        """
        staging = replace(self.score.staging, props=PropStyle())
        without_props = replace(self.score, staging=staging)
        short_text = Animation(without_props, DEFAULTS).text
        read_back = read_settings(short_text)
        has_same_staging = replace(read_back.score.staging, props=PropStyle()) == staging
        has_same_beats = all(
            value == getattr(self.parameters, name)
            for name, value in read_back.parameters.items()
            if name in BEAT_PARAMETERS
        )
        if has_same_staging and has_same_beats:
            return short_text
        return write_settings(replace(without_props, title=""), DEFAULTS)

    @property
    def duration(self) -> float:
        """Duration of one loop as it is juggled, [s] of the pattern's own time.

        It does not depend on the playing speed.
        """
        return self.performance.duration

    period_time = duration

    def __repr__(self) -> str:
        props = counted(self.score.props, "prop")
        jugglers = counted(self.num_jugglers, "juggler")
        return f"<Animation {self.title}: {jugglers}, {props}, {self.duration:.2f} s>"

    def __str__(self) -> str:
        """The text that opens it: a siteswap, or settings."""
        return self.settings.removeprefix("pattern=")

    def _repr_mimebundle_(self, **_options: object) -> dict[str, str]:
        """Return what notebooks show, by MIME type: the player, or a line where it cannot be made.

        The player is a web page of its own, which goes on without a kernel.
        """
        try:
            return {
                "text/plain": repr(self),
                "text/html": load("exporter.page.page:player_tag")(self),
            }
        except JuggleError as error:
            return {"text/plain": f"{self!r}\n{error}"}

    def _repr_html_(self) -> str | None:
        """Return the player alone."""
        return self._repr_mimebundle_().get("text/html")

    def export(self, path: str | Path, **options: Any) -> list[Path]:
        """Export to files, in the format that the path names; see `juggle_anim.export`."""
        named, others = load("exporter.options:film_options")(options)
        written: list[Path] = load("api:export")(self, path, **self.film | named | others)
        return written

    def save(self, path: str | Path, **options: Any) -> list[Path]:
        """Save a file in the format of its ending, or replace it; see `juggle_anim.save`."""
        written: list[Path] = load("api:save")(self, path, **options)
        return written

    def show(self) -> None:
        """Open the animation in the viewer, and return when the viewer is closed."""
        load("api:show")(self)

    def analyse(self) -> Analysis:
        """Measure one loop; see `juggle_anim.analyse`."""
        analysis: Analysis = load("api:analyse")(self)
        return analysis

    def replace(self, **changes: float | str | bool | ElbowFunction | None) -> Animation:
        """Return this animation with other parameters or settings.

        An animation is computed in stages, such as clock, choreography and body. Results of stages
        before the first one that the changes affect are shared with the new animation, as far as
        they have been computed.

        Args:
            changes: as for `animate`.

        Raises:
            NotationError: a setting in words is invalid.
            ParameterError: a name that does not exist, a value outside its range, or a tempo or
                dwell for timed events.
        """
        return self.with_values(**plain_settings(changes))

    with_settings = replace

    def with_values(self, **changes: float | str | bool | ElbowFunction | None) -> Animation:
        """As `replace`, with the settings' own names and units: a small `gravity` is in cm/s²."""
        # Settings in words change the score, from which all stages follow, so nothing is shared.
        # After these the parameters are replaced.
        texts: dict[str, Any] = {
            name: value for name, value in changes.items() if name in TEXT_KEYS
        }
        if texts:
            score = with_settings(Settings(self.score), **texts).score
            parameters = {name: value for name, value in changes.items() if name not in TEXT_KEYS}
            return Animation(score, self.parameters, self.film).with_values(**parameters)
        named = _named(changes)
        animation = Animation(self.score, self.parameters.replace(**named), self.film)
        changed = [name for name in named if getattr(self.parameters, name) != named[name]]
        _check_times(self.score, changed)

        # Cached properties are kept in __dict__; copy those that the changes do not affect.
        first_stage = min((row_named(name).stage for name in changed), default=Stage.CLOCK)
        for name, stage in _SHARED_STAGES:
            if stage < first_stage and name in self.__dict__:
                animation.__dict__[name] = self.__dict__[name]
        for name in _SHARED_FRAMING:
            if first_stage > Stage.BODY and name in self.__dict__:
                animation.__dict__[name] = self.__dict__[name]
        return animation

    def drafted(self, shown: Animation) -> Animation:
        """Return this animation for quick pictures while the user drags a part of it.

        What takes long to compute is taken over from the animation shown before the drag, as far as
        it fits: the body plan and the orientations of hands. So is the framing, so that the picture
        stays still.

        Args:
            shown: the animation as it was shown before the drag.
        """
        # Cached properties are kept in __dict__; to set them there saves computing them.
        animation = Animation(self.score, self.parameters)
        motion = self.motion.turned_as(shown.motion)
        animation.__dict__.update(
            choreography=self.choreography, performance=self.performance, motion=motion
        )
        animation.__dict__.update({name: getattr(shown, name) for name in _SHARED_FRAMING})
        animation.__dict__["plan"] = draft_plan(motion, self.parameters, shown.plan)
        return animation

    def at_ease(self) -> Animation:
        """Return this animation with bodies at ease, for pictures until they are planned."""
        plan = bodies_at_ease(self.motion, self.parameters)
        animation = self.replace()
        animation.__dict__["plan"] = plan
        return animation

    def closing_after(self, loops: int) -> Animation:
        """This animation as it closes after some loops, with no seam in breath, sway and blinks.

        By itself it closes after each loop but for these, which go by a clock of their own.
        """
        life = plan_life(self.parameters.body_motion / 100, loops * self.duration)
        plan = replace(self.plan, life=life)
        closing = copy(self)
        closing.__dict__["plan"] = plan
        closing.__dict__.pop("ghost", None)
        return closing

    @overload
    def edit(self) -> Editor[Animation]: ...
    @overload
    def edit(self, operation: str, *positional: Any, **named: Any) -> Animation: ...
    def edit(self, operation: str = "", *positional: Any, **named: Any) -> Any:
        """Return an editor of this animation, or the result of one of its operations.

        Each method of the editor is an operation that returns another animation, or raises
        `EditError`: `animation.edit().swap_landings(0, 1)`, which is the same as
        `animation.edit("swap-landings", 0, 1)`.

        Args:
            operation: the name of a method of the editor, perhaps with hyphens; empty for the
                editor itself.
            positional, named: arguments of the operation; throws, events and beats count from 0.

        Raises:
            ParameterError: there is no such operation.
        """
        # Imported when first used: few programs edit.
        from juggle_anim.editing.draft import Draft
        from juggle_anim.editing.editor import Editor, operations

        def make(draft: Draft) -> Animation:
            return Animation(draft.score, draft.parameters)

        # Events are edited as written, without random variation.
        exact = self.replace(human=0.0) if self.parameters.human else self
        editor = Editor(Draft(self.score, self.parameters, lambda: exact.motion), make)
        if not operation:
            return editor
        name = operation.replace("-", "_")
        name = name if name in operations() else same_name(name, operations())
        if not name:
            names = [known.replace("_", "-") for known in operations()]
            hint = did_you_mean(operation, names)
            raise ParameterError(
                _("there is no operation {word!r}: {near}", word=operation, near=hint)
            )
        return getattr(editor, name)(*positional, **named)

    def sample(self, times: Floats) -> Frames:
        """Hands and props at some times, shape (T,) for T times, [s]."""
        return self.motion.sample(times)

    @guessed_keywords
    def pose(self, t: Any, solver: str = "", juggler: int | None = None) -> Pose:
        """Return the pose of all jugglers, or of one, at some times: places of joints and more.

        Args:
            t: shape (T,) for T times, or a single number, T = 1, [s].
            solver: name of the solver of the arms; by default that of the parameters.
            juggler: index of a juggler, from 0, whose axis then has length 1; None for all.
        """
        # `self.plan` is computed before the solver is replaced, so that the copy shares it.
        posed = self.replace(arms=solver) if solver and self.plan else self
        pose = posed._pose(posed.motion.sample_without_props(np.atleast_1d(t)))
        chosen = slice(None) if juggler is None else [juggler]
        # Axis 1 of all fields but the times is that of jugglers.
        fields = {name: values[:, chosen] for name, values in vars(pose).items() if name != "times"}
        return replace(pose, **{**fields, "joints": fields["joints"].view(Joints)})

    def pose_bodies(self, times: Floats) -> BodyPoses:
        """Joints seen from the bodies, of each juggler who does what others do only once.

        See `BodyPlan.shared`.

        Args:
            times: T times, shape (T,), [s].
        """
        return pose_bodies(
            self.motion.sample_without_props(times), self.motion, self.parameters, self.plan
        )

    def scenes(self, times: Floats, camera: Camera) -> Scenes:
        """Scenes to draw at some times, shape (T,) for T times, [s]."""
        from juggle_anim.scene import compose

        frames = self.sample(times)
        ghost_animation = self.ghost
        ghost = ghost_animation._pose(frames) if ghost_animation else None
        return compose(frames, self._pose(frames), self.motion, camera, ghost, self.look)

    def scene(self, time: float, camera: Camera | None = None) -> Scene:
        """The scene to draw at one time.

        Args:
            time: [s].
            camera: None for one that frames the pattern 4 : 3.
        """
        return self.scenes(np.array([time]), camera or self.camera(4 / 3))[0]

    def camera(
        self,
        aspect: float,
        azimuth: float = AZIMUTH,
        elevation: float | None = None,
        field_of_view: float | None = None,
        headroom: float | None = None,
        aside: tuple[float, float] = (0.0, 0.0),
        moments: tuple[float, ...] = (),
        full_length: bool = True,
    ) -> Camera:
        """Return a camera that frames people with their throws, or people alone.

        The parameter `framing` says which.

        Args:
            aspect: width of the picture over its height.
            azimuth: of the camera around the jugglers, 0 in front, positive toward their left,
                [rad].
            elevation: of the camera above the horizon, [rad]; the default depends on the number of
                jugglers.
            field_of_view: vertical angle of view, [rad]; by default that of the parameters.
            headroom: height of the picture above the highest joint, [m], so that high throws leave
                it; None to show all of them.
            aside: as for `juggle_anim.scene.Framing`.
            moments: the only times at which pictures are taken, [s]; empty for the whole loop.
            full_length: whether pictures at `moments` show people down to their feet, and all props
                in the air.
        """
        from juggle_anim.scene import FREE_BELOW, Framing, frame_above_floor

        if elevation is None:
            elevation = self.elevation
        if field_of_view is None:
            looks_up = bool(moments) and not full_length and self._looks_up(aspect)
            field_of_view = self._field_of_view(looks_up=looks_up)
        orthographic = self.parameters.projection == "orthographic"

        # Points that must be in the picture, shape (N, 3) for N points, in the world with y up,
        # [m], and the margin around them, [m]. Points above the headroom are lowered to it.
        points, margin = self.extent
        free_below = FREE_BELOW  # share of the picture's height below the feet
        if moments:
            frames = self.sample(np.array(moments))
            joints = self._pose(frames).joints
            points, margin, below = self._extent_at(frames, joints, full_length, aspect)
            points = points.reshape(-1, 3)
            free_below = float(below.max())
        if headroom is not None:
            _points, highest_joint = self._outermost_points
            points = np.minimum(points, (np.inf, highest_joint + headroom, np.inf))
        if self.parameters.aids in ("reach", "both"):
            points = np.concatenate([points, self._reach_points])

        framing = Framing(
            aspect, azimuth, elevation, field_of_view, orthographic, aside, free_below
        )
        camera = frame_above_floor(points, margin, framing)
        return dataclasses.replace(camera, mirrored=self.parameters.mirror == "on")

    def viewpoint(
        self,
        aspect: float,
        times: Floats | None = None,
        direction: tuple[float, float] | None = None,
        full_length: bool = True,
    ) -> Viewpoint:
        """Return the time, and the direction of the camera, at which a still shows a pattern best.

        Args:
            aspect: width of the picture over its height.
            times: the times that one picture shows together, shape (T,) for T times, [s]; None for
                the best moment of a loop.
            direction: azimuth and elevation of the camera, [rad]; None for the best ones.
            full_length: as of `camera`.
        """
        from juggle_anim.scene import (
            Framing,
            Moments,
            Viewpoint,
            best_viewpoint,
            candidate_views,
            light_axes,
        )

        motion = self.motion
        moments = Moments.of_loop(motion) if times is None else Moments.at(motion, times)
        usual = direction or (float(AZIMUTH), self.elevation)
        looks_up = not full_length and self._looks_up(aspect)
        candidates = (
            candidate_views(self.num_jugglers, looks_up=looks_up)
            if direction is None
            else np.array([direction])
        )
        orthographic = self.parameters.projection == "orthographic"
        if orthographic:
            # Parallel lines of sight that rise come from below the floor.
            candidates = np.maximum(candidates, (-np.inf, 0.0))
        frames = self.sample(moments.times)
        pose = self._pose_at_ease(frames) if times is None else self._pose(frames)
        points, margin, free_below = self._extent_at(frames, pose.joints, full_length, aspect)
        if times is not None:
            # One picture has the points of all moments, so the axis of moments has length 1.
            points = points.reshape(1, -1, 3)
            free_below = free_below[:1]
        best = best_viewpoint(
            motion,
            frames,
            pose,
            moments,
            points,
            margin,
            free_below,
            candidates,
            light_axes(self.look.stage)[2],
            Framing(aspect, *usual, self._field_of_view(looks_up=looks_up), orthographic),
            steady=times is not None,
        )
        # If no candidate is possible, the usual direction at the first of the times is taken.
        return best or Viewpoint(0.0 if times is None else float(times[0]), *usual)

    def _looks_up(self, aspect: float) -> bool:
        """Whether stills look up to one person, whose throws are higher than `HIGH_THROWS`.

        Those that are wide do not, if they can end at the thighs instead.
        """
        points, heads = self._outermost_points
        parameters = self.parameters
        return bool(
            self.num_jugglers == 1
            and parameters.framing == "people"
            and parameters.projection == "perspective"
            and points[:, 1].max() > heads + HIGH_THROWS
            and not (aspect > WIDE and self._can_be_cut)
        )

    @property
    def _can_be_cut(self) -> bool:
        """Whether a wide picture may end above the feet: of one juggler, but not on a dark stage,
        on which the pool of light around the feet is the scenery.
        """
        from juggle_anim.scene import SPOT

        return self.num_jugglers == 1 and self.look.stage.scenery != SPOT

    def _field_of_view(self, *, looks_up: bool) -> float:
        """Vertical field of view of pictures, [rad]."""
        usual = float(np.radians(self.parameters.field_of_view))
        return max(usual, float(HIGH_FIELD_OF_VIEW)) if looks_up else usual

    @property
    def elevation(self) -> float:
        """Default elevation of cameras, [rad]."""
        return float(ELEVATION if self.num_jugglers < 3 else GROUP_ELEVATION)

    def eyes(self, times: Floats, juggler: int = 0) -> list[Camera]:
        """Return cameras that see what a juggler sees, one for each time.

        Args:
            times: times of the pictures, shape (T,) for T pictures, [s].
            juggler: index of the juggler, from 0.
        """
        from juggle_anim.scene import eye_camera

        # Joints of the juggler, shape (T, N, 3) for N joints, [m].
        joints = self.pose(times).joints[:, juggler]
        mirrored = self.parameters.mirror == "on"
        eye_range = self._eye_ranges[juggler]
        return [
            eye_camera(
                joint_places[Joint.HEAD],
                joint_places[Joint.FACE],
                eye_range,
                juggler,
                mirrored,
            )
            for joint_places in joints
        ]

    @cached_property
    def _eye_ranges(self) -> list[EyeRange]:
        """What the eyes of each juggler have to see."""
        from juggle_anim.scene import eye_ranges

        times = self.times(_EYE_SAMPLES)
        joints = self._pose_at_ease(self.motion.sample_without_props(times)).joints
        return eye_ranges(self.motion, self.motion.sample_hands(times), joints)

    @property
    def is_planned(self) -> bool:
        """Whether bodies and `extent` are known, which a first picture takes long to compute."""
        return {"plan", "_outermost_points"} <= vars(self).keys()

    @property
    def extent(self) -> tuple[Floats, float]:
        """Points that every picture must show, shape (N, 3) for N points, and the margin around
        them, [m].
        """
        points, highest_joint = self._outermost_points
        # Higher throws leave the picture of people.
        if self.parameters.framing == "people":
            headroom = headroom_of(points[:, 1].max() - highest_joint)
            points = np.minimum(points, (np.inf, highest_joint + headroom, np.inf))
        return points, max(MAX_DRAWN_RADIUS, self.motion.prop_radius)

    def _extent_at(
        self, frames: Frames, joints: Floats, full_length: bool, aspect: float
    ) -> tuple[Floats, float, Floats]:
        """Return the points that pictures of some moments must show, for each moment.

        Args:
            frames: hands and props at T times.
            joints: joints of all jugglers at these times, [m].
            full_length, aspect: as of `camera`.

        Returns:
            Points, shape (T, N, 3) for N points, or (1, N, 3) where they are the same for all; the
            margin around them, as of `extent`; and `Framing.free_below`, shape (T,) or (1,).
        """
        from juggle_anim.scene import (
            FREE_BELOW,
            MARGIN,
            Cone,
            clear_of_props,
            points_at,
            prop_points,
            three_quarter_points,
        )

        margin = max(MAX_DRAWN_RADIUS, self.motion.prop_radius)
        looks_up = not full_length and self._looks_up(aspect)
        if self.parameters.framing == "whole":
            return self.extent[0][None], margin, np.full(1, FREE_BELOW)
        points = points_at(self.motion, frames, joints, self.look.stands)
        if self.parameters.paths == "arcs" and self.look.traces:
            arcs = self.look.traces.arcs(frames.times)
            points = np.concatenate([points, arcs[..., Cone.START]], axis=1)
        if not full_length:
            # The picture ends at some height above the heads, [m], which higher throws leave. It is
            # lower above people who bend down, and moved so that the edge cuts no prop.
            all_points, heads_of_loop = self._outermost_points
            heads = joints[:, :, Joint.HEAD, 1].max(axis=1)
            headroom = headroom_of(all_points[:, 1].max() - heads_of_loop)
            headroom, room = (HIGH_HEADROOM, HIGH_ROOM) if looks_up else (headroom, ROOM)
            highest = heads * (1.0 + headroom / heads_of_loop)
            reach = self.motion.shapes.reach
            highest = clear_of_props(highest, frames.props[..., 1], reach, room)
            highest = np.maximum(highest, heads + margin)
            points[..., 1] = np.minimum(points[..., 1], highest[:, None])
        if not full_length and aspect > 1.0 and not looks_up and self._can_be_cut:
            props = prop_points(self.motion, frames)
            points, free_below = three_quarter_points(points, props, joints[:, 0], margin)
            return points, margin, free_below
        return points, margin, np.full(len(points), MARGIN if looks_up else FREE_BELOW)

    @cached_property
    def look(self) -> Look:
        """How jugglers, stage, paths and stands for props are drawn, all from the parameters."""
        from juggle_anim.scene import (
            BARE,
            MANNEQUIN,
            STAGES,
            WOODEN,
            Look,
            Traces,
            prop_stands,
        )

        parameters = self.parameters

        # Trails behind props, and whole paths.
        traced = parameters.trails or parameters.paths != "none"
        palette = self.palette
        colours = self.prop_colours
        traces = (
            Traces(self.motion, parameters.trails, parameters.paths, colours, palette)
            if traced
            else None
        )

        stage = STAGES[parameters.stage]
        if parameters.ground == "off":
            stage = replace(stage, scenery=BARE)

        # Jugglers that are drawn, from 0; users count from 1.
        hidden = parameters.hide_jugglers.split(",")
        jugglers = range(0 if "all" in hidden else self.num_jugglers)
        shown = tuple(juggler for juggler in jugglers if str(juggler + 1) not in hidden)
        return Look(
            figure=parameters.figure if shown else "hidden",
            stage=stage,
            traces=traces,
            stereo=parameters.stereo,
            aids=parameters.aids,
            palette=palette,
            people=WOODEN if parameters.figure == MANNEQUIN else parameters.people,
            # None for all; if nobody is shown, the figure says so.
            shown=shown if 0 < len(shown) < self.num_jugglers else None,
            stands=prop_stands(self.motion),
        )

    @property
    def palette(self) -> Palette:
        """The colours of the theme."""
        from juggle_anim.scene import palette_of

        return palette_of(self.parameters.theme, self.parameters.stage)

    @property
    def prop_colours(self) -> Singles:
        """Colours of the props as drawn, shape (P, 3) for P props, sRGB."""
        from juggle_anim.scene import drawn_colours

        return drawn_colours(self.performance, self.palette)

    @cached_property
    def ghost(self) -> Animation | None:
        """The same animation with the solver of the ghost's arms; None without a ghost."""
        name = self.parameters.ghost
        return None if name == "none" else self.replace(arms=name, ghost="none")

    @cached_property
    def gaps(self) -> Floats:
        """Largest gap of each juggler's left and right hand over the loop, shape (J, 2) for J
        jugglers, [m].

        A gap is how far a hand stays from its position because the arm is too short.
        """
        # Samples are even over the loop. With long loops and many jugglers there are fewer in
        # proportion, so that the result is not long in coming.
        count = max(
            _EXTENT_SAMPLES,
            min(
                round(self.duration * _GAP_SAMPLES_PER_SECOND),
                _MAX_GAP_SAMPLES // self.num_jugglers,
            ),
        )
        times = self.times(count)
        gaps = self.pose(times).gaps  # (T, J, 2), m

        # A gap may be widest between two samples, so around each of the samples with the widest
        # gaps 17 more times are taken, from the sample before to the sample after.
        widest_samples = np.argsort(gaps.max(axis=(1, 2)))[-_REFINED_GAPS:]
        closer_times = times[widest_samples, None] + np.linspace(-1.0, 1.0, 17) * (
            self.duration / count
        )
        widest: Floats = np.maximum(
            gaps.max(axis=0), self.pose(closer_times.ravel()).gaps.max(axis=0)
        )
        return widest

    @cached_property
    def _outermost_points(self) -> tuple[Floats, float]:
        """Outermost points of people and props in a loop, shape (N, 3) for N points, and the height
        of the highest joint, [m].
        """
        from juggle_anim.scene import outermost_points

        # If loops vary, each reaches elsewhere, so the number of samples grows with that of loops.
        samples = min(
            _EXTENT_SAMPLES * round(self.duration / self.choreography.duration), _MAX_EXTENT_SAMPLES
        )
        frames = self.sample(self.times(samples))
        joints = self._pose_at_ease(frames).joints
        points = outermost_points(self.motion, frames, joints, self.look.stands)
        return points, float(joints[..., 1].max())

    @cached_property
    def _reach_points(self) -> Floats:
        """Extreme points of the spheres of reach along the world axes, shape (N, 3) for N points,
        [m].
        """
        from juggle_anim.scene import reach_points

        times = self.times(_REACH_SAMPLES)
        return reach_points(self._pose_at_ease(self.motion.sample_without_props(times)).joints)

    def _pose(self, frames: Frames) -> Pose:
        return pose(frames, self.motion, self.parameters, self.plan)

    def _pose_at_ease(self, frames: Frames) -> Pose:
        """Poses all over the loop, for what a picture has to show."""
        return pose(frames, self.motion, self.parameters, plan_at_ease(self.plan))


class Truth(int):
    """True or false, also as a method that returns it."""

    def __call__(self) -> bool:
        """Return it as a bool."""
        return bool(self)

    def __repr__(self) -> str:
        return repr(bool(self))


def times_first(times: Any, name: Any) -> tuple[Any, Any]:
    """Return times and the name of a hand or joint, which may be given the other way round.

    Raises:
        ParameterError: there are no times.
    """
    if not isinstance(times, str):
        return times, name
    if isinstance(name, str):
        raise ParameterError.of("times", name, _("seconds, such as 0.5 or [0, 0.5, 1]"))
    return name, times


def text_setting(animation: Animation, name: str) -> str:
    """Return a setting in words as settings strings have it; "" for the default."""
    texts = (text.partition("=") for text in re.split(r"(?<!\\);", animation.settings))
    return next((value for key, _equals, value in texts if key == name), "")


class PatternText(str):
    """The text of a pattern, which also has what its animation has: `text.bps`, `text["bps"]`.

    Its settings are got as of a dict.
    """

    def __getitem__(self, key: Any) -> Any:
        if key in TEXT_KEYS:
            return text_setting(animate(self), key)
        return getattr(animate(self), key) if isinstance(key, str) else super().__getitem__(key)

    def keys(self) -> list[str]:
        """Return the names of the settings that it has beside its throws, as a dict has keys."""
        names = {row.key: row.name for row in ROWS}
        written = re.findall(r"(?:^|;)(\w+)=", self)
        return [names.get(key, key) for key in written if key != "pattern"]

    def values(self) -> list[Any]:
        """Return the values of these settings."""
        return [self[name] for name in self.keys()]

    def items(self) -> list[tuple[str, Any]]:
        """Return these settings as pairs of a name and a value."""
        return [(name, self[name]) for name in self.keys()]

    def get(self, name: str, default: Any = None) -> Any:
        """Return any setting, also one that it has not; `default` if there is none so named."""
        return getattr(animate(self), name, default)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(animate(self), name)


class Hit(Guessed, SimpleNamespace):
    """A collision of two balls; see `Animation.collisions`."""


class Juggler(NamedTuple):
    """One of the people; all functions of the animation for a juggler are functions of it, too."""

    animation: Animation
    number: int

    @property
    def name(self) -> str:
        """Such as "Juggler 1"."""
        return f"Juggler {self.number + 1}"

    @property
    def position(self) -> Floats:
        """Where the feet are at the start, shape (3,), [m]."""
        return z_up(self._place[PLACE])

    @property
    def facing(self) -> float:
        """Direction at the start, counterclockwise from above, 0 toward −y, [°]."""
        return float(np.degrees(self._place[FACING]))

    @property
    def _place(self) -> Floats:
        return self.animation.motion.bodies.places(np.zeros(1))[0, self.number]

    def __getattr__(self, name: str) -> Any:
        return partial(getattr(self.animation, name), juggler=self.number)


def _refuse_to_change(_animation: Animation, name: str, _value: object) -> None:
    """Refuse to set an attribute, and tell how to make a changed animation."""
    message = _("an animation stays as it is; `replace({name}=…)` returns another one", name=name)
    raise dataclasses.FrozenInstanceError(message)


dataclasses.fields(Animation)  # makes it a data class now, so that its method can be replaced
type.__setattr__(Animation, "__setattr__", _refuse_to_change)


def animate(text: Animation | str, **given: Any) -> Animation:
    """Return the animation of a pattern.

    Args:
        text: another animation; or a siteswap, the name of a library pattern, settings such as
            `pattern=531;dwell=1`, or a file of patterns, of which `tricks.jml#3` selects the third;
            or the lines of a routine, as "cascade 4 catches\\n531 2 loops\\nstop".
        given: any row of the table in `juggle_anim.parameters`, by its name or key and in its unit,
            and any setting in words; they override the text. `arms` may be a function, as for
            `register_solver`. Options of `export`, such as `fps`, are kept for films of it.

    Raises:
        NotationError: the text is no valid pattern, or a setting in words is invalid.
        FileError: the file cannot be read, or has no such pattern.
        ParameterError: a parameter that does not exist, a value outside its range, or a tempo or
            dwell for timed events.
    """
    film: dict[str, Any] = {}
    settings: dict[str, Any] = {}
    if given:  # the module that knows options of `export` is only loaded if there may be any
        film, settings = load("exporter.options:film_options")(given)
    if not isinstance(text, Animation | str):
        # A routine has an animation, and a step of a lesson a text; anything else is opened below.
        text = getattr(text, "animation", None) or getattr(text, "pattern", text)
    if isinstance(text, Animation):
        animation = text.replace(**settings)
    else:
        animation = animated(open_pattern(text), **settings)
    animation.__dict__["film"] = {**animation.film, **film}
    return animation


def animated(settings: Settings, **given: float | str | bool | ElbowFunction | None) -> Animation:
    """Return the animation of settings already read.

    Args:
        settings: the pattern and settings, as read from a text.
        given: settings that override these, as for `animate`.

    Raises:
        NotationError, ParameterError: as of `animate`.
    """
    given = plain_settings(given)
    # Settings in words change the score, the others are parameters.
    texts: dict[str, Any] = {name: value for name, value in given.items() if name in TEXT_KEYS}
    numbers = _named({name: value for name, value in given.items() if name not in TEXT_KEYS})
    # As in a text of settings, a dwell without a style of hands means the style of Juggling Lab.
    if numbers.get("dwell") is not None and settings.score.pattern:
        texts.setdefault("style", IMPLIED_HAND_STYLE)
    settings = with_settings(settings, **texts)
    animation = Animation(settings.score, settings.applied_to(DEFAULTS))
    return animation.with_values(**numbers) if numbers else animation


def plain_settings(given: dict[str, Any]) -> dict[str, Any]:
    """Return settings that somebody typed, under their own names and in their units."""
    plain: dict[str, Any] = {}
    for guess, value in given.items():
        name = setting_named(guess)
        if name in SIDED_PARAMETERS and isinstance(value, list | tuple) and len(value) == 2:
            # Of the left and of the right side.
            plain |= zip(SIDED_PARAMETERS[name], value, strict=True)
        else:
            plain[name] = plain_value(guess, value)
    return plain


def _named(numbers: dict[str, Any]) -> dict[str, Any]:
    """Return parameters by their names in the table, from names or keys of settings.

    An elbow solver that is a function is registered, and replaced by its name.

    Raises:
        ParameterError: a parameter is given by its name and by its key.
    """
    name_by_key = {row.key: row.name for row in ROWS}
    named = {name_by_key.get(name, name): _solver_name(value) for name, value in numbers.items()}
    # There are fewer names if two of them are the same parameter.
    if len(named) < len(numbers):
        raise ParameterError(
            _("{numbers}: two of these set the same parameter", numbers=", ".join(numbers))
        )
    return named


def _solver_name(value: Any) -> Any:
    """Register a function as an elbow solver, and return its name; any other value stays.

    The name is made of that of the function, as `own-my-solver`.
    """
    if not callable(value):
        return value
    words = re.findall(r"[a-z0-9]+", getattr(value, "__name__", "").casefold())
    name = "-".join(["own", *words])[:40].rstrip("-")
    register_solver(name, value)
    return name


_INSTEAD = {
    "bps": N_("; use speed=0.5 to play it at half speed")
}  # what a user of a parameter may be after


def _check_times(score: Score, changed: Iterable[str]) -> None:
    """Raise a `ParameterError` if a tempo or a dwell is changed of events with their own times.

    Args:
        score: score with a pattern on beats, or with timed events (`placed`).
        changed: names of the parameters that are changed.

    Raises:
        ParameterError: one of these is only for patterns on beats, but the score has events.
    """
    for name in changed:
        if score.placed and name in BEAT_PARAMETERS:
            raise ParameterError(
                _(
                    "{name} cannot be changed: {name2} consists of timed events{instead}",
                    name=name,
                    name2=score.name,
                    instead=_(_INSTEAD.get(name, "")),
                )
            )
