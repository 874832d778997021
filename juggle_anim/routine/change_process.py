"""Changes of a routine that a process of its own prepares, so that the pictures of a window keep
their time.

A thread would share Python's lock with the pictures, which then wait for it at each call into
OpenGL. What the process needs of a routine is its end alone: what plays, back to a pattern that was
juggled without a change.
"""

from __future__ import annotations

import contextlib
import pickle
import subprocess
import sys
from collections.abc import Iterable, Mapping
from copyreg import __newobj__  # type: ignore[attr-defined]
from dataclasses import fields, is_dataclass, replace
from io import BytesIO
from threading import Lock, Thread
from typing import IO, Any, NoReturn

from juggle_anim.animation import Animation
from juggle_anim.errors import JuggleError
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.routine.bridge import Bridge
from juggle_anim.routine.routine import Routine, Span
from juggle_anim.worker_process import give_back_memory, start_worker, step_back

_SECONDS_SENT = 10.0  # s before a change of which the process knows
_SENT_CACHED_PROPERTIES = (
    "choreography",
    "performance",
    "motion",
    "plan",
    "_outermost_points",
    "gaps",
)  # cached properties of an animation that the other process needs
_LONG_AGO_ID = -1  # persistent ID of all spans before those that the process has
# with later protocols each array is read as a view of a buffer, of which the garbage collector has
# to know
_PICKLE_PROTOCOL = 4
_LAST_SPANS = (-2, -1)  # indices: the bridge, and the pattern to which it leads
_UNREADABLE = OSError, EOFError, pickle.PickleError, AttributeError, ImportError


class ChangeProcess:
    """A process that prepares changes; it ends with the program that has started it, or by
    `close`.
    """

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._channel: _Channel | None = None
        self._starter = Thread(target=self._start, name="start of live changes", daemon=True)
        self._lock = Lock()

    def start(self) -> None:
        """Begin to start the process, in a thread; return at once."""
        if not self._starter.ident:
            self._starter.start()

    def wait(self) -> bool:
        """Wait until the process has started; return whether it has."""
        self.start()
        self._starter.join()
        return self._channel is not None

    def change(
        self, routine: Routine, time: float, animation: Animation, at_start: bool = False
    ) -> Routine | None:
        """Change a routine to another pattern in the process, and wait for the result.

        The process runs `prepared_change`.

        Args:
            routine: the routine until then.
            time: time of the change, [s].
            animation: animation of the next pattern.
            at_start: whether the pattern is entered at its first throw; if not, wherever the way is
                shortest.

        Returns:
            The changed routine, which shares all that was there before the change. None if the
            caller has to change it in this process, because the other one is not there, or because
            the change depends on what was juggled long before.

        Raises:
            JuggleError: the change is not possible.
        """
        # One task at a time: the answers come in order through one channel.
        with self._lock:
            try:
                return self._request(routine, time, animation, at_start) if self._channel else None
            except _UNREADABLE:
                # The process has ended, or its answer is broken: it is not asked again.
                self._channel = None
                return None

    def close(self) -> None:
        """End it."""
        self._channel = None
        if self._process:
            self._process.kill()
            self._process.wait()

    def _request(
        self, routine: Routine, time: float, animation: Animation, at_start: bool
    ) -> Routine | None:
        """Have the process compute a change of pattern, and return the routine with that change.

        Waits for the answer of the process, which must have started. A routine has parts, the
        patterns that were asked for, and spans, what plays one after another: patterns, and the
        throws between them. Only the end of the routine is sent, and the parts and spans that were
        not sent are put before those of the answer. What the process has computed for the animation
        is kept in the animation.

        Args:
            routine: the routine until then.
            time: time of the change, [s].
            animation: animation of the next pattern.
            at_start: whether the pattern is entered at its first throw; if not, wherever the way is
                shortest.

        Returns:
            The changed routine; None if the process cannot say, as the change depends on what was
            not sent, or because of a mistake there.

        Raises:
            JuggleError: the change is not possible.
        """
        channel = self._channel
        assert channel
        # The task, and how many of the first parts and spans it leaves out. What played before its
        # first span is replaced by a mark (`left_out`); `shared` are the objects that both
        # processes then have.
        task, part_count, span_count = _Task.from_end_of(routine, time, animation, at_start)
        channel.send(task, *task.shared, left_out=_lines_before(task.routine.spans[0]))
        answer = channel.receive()
        if isinstance(answer, JuggleError):
            raise answer
        if not isinstance(answer, _PreparedChange):
            channel.keep_only()  # so that next time it gets all of the last seconds anew
            return None
        # Both processes now have the objects of the answer.
        channel.keep_only(*_shared(answer.routine))
        # Cached properties are items of an object's dictionary.
        for name, value in answer.computed.items():
            vars(animation).setdefault(name, value)
        # Join the beginning that was not sent, and the end with the change.
        parts_before = routine.parts[:part_count]
        spans_before = routine.spans[:span_count]
        changed_end = answer.routine
        changed = replace(
            changed_end,
            parts=(*parts_before, *changed_end.parts),
            spans=(*spans_before, *changed_end.spans),
        )
        changed.keep_span_animations(answer.last_animations)
        return changed

    def _start(self) -> None:
        """Start the process and wait for its first message; without one, there is no channel."""
        with contextlib.suppress(*_UNREADABLE):
            # One thread: others of numpy's would take processors from the pictures.
            self._process = start_worker(__name__, OPENBLAS_NUM_THREADS="1")
            assert self._process.stdin is not None
            assert self._process.stdout is not None
            channel = _Channel(self._process.stdout, self._process.stdin)
            if channel.receive():
                self._channel = channel


def prepared_change(
    routine: Routine, time: float, animation: Animation, at_start: bool = False
) -> Routine:
    """Change a routine to another pattern, and compute what pictures and cards will need first.

    After a cut (a change without throws that lead from one pattern into the other) nothing is
    computed, as a window then shows the pattern by itself.

    Args:
        routine: the routine until then.
        time: time of the change, [s].
        animation: animation of the next pattern.
        at_start: whether the pattern is entered at its first throw; if not, wherever the way is
            shortest.

    Raises:
        JuggleError: the pattern cannot be juggled.
    """
    changed = routine.changed(time, animation, at_start)
    # A part says for which reason it was cut to, and nothing if throws lead to it.
    if changed.parts[-1].reason:
        return changed
    # `prepare` computes one thing after another, and yields after each.
    for _ in changed.prepare():
        pass
    # Properties are cached when they are first asked for. The last spans are the bridge and the
    # pattern: how much room each takes, and how far hands come short of their targets.
    for span_index in _LAST_SPANS:
        changed.span_animation(span_index).extent  # noqa: B018 - cached
    animation.gaps  # noqa: B018 - cached
    return changed


def work() -> None:
    """Answer the tasks on standard input, one after another, until it ends."""
    step_back()
    with contextlib.suppress(EOFError, OSError, KeyboardInterrupt):
        channel = _Channel(sys.stdin.buffer, sys.stdout.buffer)
        channel.send(True)
        while True:
            _serve_next_task(channel)
            give_back_memory()


def _serve_next_task(channel: _Channel) -> None:
    """Read the next task from a channel, prepare its change, and send that back.

    The answer is the change, or a `JuggleError` where none is possible, or None where this process
    cannot say: because data that it needs was not sent, or because of an error.
    """
    task = channel.receive()
    assert isinstance(task, _Task)
    # Objects that both processes have are sent as numbers. From now on these are the objects of the
    # task; older ones are forgotten, and what played before its first span is freed.
    channel.keep_only(*task.shared)
    _forget_past(task.routine.spans[0])
    try:
        change = _PreparedChange.of(task)
        channel.send(change, *_shared(change.routine))
    except JuggleError as error:
        # The message alone: a subclass may hold data that cannot be pickled.
        channel.send(JuggleError(str(error)))
    except Exception:
        # The window has all that this process lacks, and will report a mistake when it changes the
        # routine itself. After None both ends forget what they share, so that all is sent anew.
        channel.send(None)
        channel.keep_only()


def _lines_before(first: Span) -> list[object]:
    """The span and the line that played before a span, as far as there are any."""
    line_before = first.line.before if isinstance(first.line, Bridge) else None
    return [earlier for earlier in (first.before, line_before) if earlier]


def _forget_past(first: Span) -> None:
    """Free all that comes before a span: put `_LONG_AGO` in its place."""
    if first.before:
        object.__setattr__(first, "before", _LONG_AGO)
    if isinstance(first.line, Bridge):
        object.__setattr__(first.line, "before", _LONG_AGO)


@dataclass(frozen=True)
class _Task:
    """A change to prepare: the end of a routine, and the other arguments of `prepared_change`."""

    routine: Routine
    time: float
    animation: Animation
    at_start: bool

    @classmethod
    def from_end_of(
        cls, routine: Routine, time: float, animation: Animation, at_start: bool
    ) -> tuple[_Task, int, int]:
        """Return the task of laying out a change in another process, from the end of a routine.

        The task has only the end of the routine, so that little is sent to the process: the part
        that is juggled just before the change, and all spans that play in the last `_SECONDS_SENT`
        seconds before it. A part is a pattern that was asked for; a span is what plays for some
        time, a pattern or the throws between two.

        Args:
            routine: the routine until then.
            time: time of the change, [s].
            animation: animation of the next pattern.
            at_start: whether the pattern is entered at its first throw; if not, wherever the way is
                shortest.

        Returns:
            The task, and how many parts and how many spans at the start of the routine it leaves
            out.
        """
        # The span that plays at the beginning of those seconds, and the part that is juggled just
        # before the change; the first ones if there are none so early.
        first_span = len(routine.spans) - 1
        while first_span and routine.spans[first_span].start > time - _SECONDS_SENT:
            first_span -= 1
        first_part = len(routine.parts) - 1
        while first_part and routine.parts[first_part].start >= time:
            first_part -= 1
        end = replace(routine, parts=routine.parts[first_part:], spans=routine.spans[first_span:])
        return cls(end, time, animation, at_start), first_part, first_span

    @property
    def shared(self) -> list[object]:
        """The objects that both processes have once a task is sent."""
        return [*_shared(self.routine), self.animation, self.animation.score]


@dataclass(frozen=True)
class _PreparedChange:
    """A changed routine, the animations of its last spans, and the pattern's cached properties."""

    routine: Routine
    last_animations: tuple[Animation, ...]
    computed: Mapping[str, object]

    @classmethod
    def of(cls, task: _Task) -> _PreparedChange:
        """Prepare the change of a task, and collect what was computed for it.

        A span is what plays from a given time on: a pattern, or a bridge, the throws from one
        pattern into the next.

        Args:
            task: the routine, the time of the change, [s], and the animation of the next pattern.

        Returns:
            The routine with the change, the animations of its last spans (the bridge and what comes
            after it), and by name the cached properties that the animation of the next pattern did
            not have before.

        Raises:
            JuggleError: the pattern cannot be juggled.
        """
        names_before = set(vars(task.animation))
        routine = prepared_change(task.routine, task.time, task.animation, task.at_start)
        # A part has a reason if no throws lead to it, so that it is only cut to: then nothing was
        # prepared.
        last_spans = () if routine.parts[-1].reason else _LAST_SPANS
        last_animations = tuple(routine.span_animation(span_index) for span_index in last_spans)
        computed = {
            name: value for name, value in vars(task.animation).items() if name not in names_before
        }
        return cls(routine, last_animations, computed)


class _Channel:
    """One end of the connection of both processes. Objects that both have are sent as their IDs.

    Both ends give IDs in the same order: one when objects have been sent, the other when they have
    been received.
    """

    def __init__(self, source: IO[bytes], sink: IO[bytes]) -> None:
        self._source = source
        self._sink = sink
        self._objects: dict[int, object] = {}  # that both ends have, by their persistent IDs
        self._next_id = 0

    def send(self, message: object, *shared: object, left_out: Iterable[object] = ()) -> None:
        """Write a message, and keep the objects in it that both ends have from now on.

        Args:
            message: the object to pickle; objects that both ends have already are sent as their
                persistent IDs, numbers by which the other end finds its own.
            shared: objects in the message that both ends have from now on, in place of those
                before; without any, those that both ends have stay the same.
            left_out: objects in the message that are not sent. The other end gets a mark
                (`_LONG_AGO`) in place of each that it does not have.
        """
        file = BytesIO()
        # From Python's `id` of an object to its persistent ID.
        persistent_ids = {id(value): _LONG_AGO_ID for value in left_out}
        persistent_ids.update(self._persistent_ids())
        _Pickler(file, persistent_ids).dump(message)
        self._sink.write(file.getvalue())
        self._sink.flush()
        if shared:
            self.keep_only(*shared)

    def receive(self) -> object:
        """Read a message."""
        return _Unpickler(self._source, {_LONG_AGO_ID: _LONG_AGO, **self._objects}).load()

    def keep_only(self, *shared: object) -> None:
        """Give IDs to the objects that both ends have from now on, and forget all others.

        Both ends call this with the same objects in the same order, so that an object has the same
        persistent ID at both ends. Objects that both had before keep theirs, all others get new
        ones.

        Args:
            shared: the objects, compared by identity; none to forget all.
        """
        persistent_ids = self._persistent_ids()  # by Python's `id` of an object
        objects = dict[int, object]()
        for value in shared:
            key = id(value)
            if key not in persistent_ids:
                persistent_ids[key] = self._next_id
                self._next_id += 1
            objects[persistent_ids[key]] = value
        self._objects = objects

    def _persistent_ids(self) -> dict[int, int]:
        """The persistent IDs of the objects that both ends have, by Python's `id` of them."""
        return {id(value): persistent_id for persistent_id, value in self._objects.items()}


def _shared(routine: Routine) -> list[object]:
    """The objects of a routine that later routines hold, too, always in the same order.

    Both processes give them IDs in this order.
    """
    of_parts = [
        shared for part in routine.parts for shared in (part, part.animation, part.animation.score)
    ]
    of_spans = [shared for span in routine.spans for shared in (span, span.line)]
    return [*of_parts, *routine.rests, *of_spans]


class _Pickler(pickle.Pickler):
    """Writes objects that the other process has as their persistent IDs."""

    def __init__(self, file: IO[bytes], ids: Mapping[int, int]) -> None:
        super().__init__(file, _PICKLE_PROTOCOL)
        self._ids = ids

    def persistent_id(self, value: object) -> int | None:
        return self._ids.get(id(value))

    def reducer_override(self, value: object) -> Any:
        """Say how pickle writes an object: a dataclass with what was computed for it.

        Usually pickle would leave cached properties to the class. An animation is written with its
        fields and only those cached properties that the other process needs.

        Args:
            value: any object that pickle comes to.

        Returns:
            The function, arguments and state with which pickle makes the object again;
            NotImplemented for the usual way.
        """
        kind = type(value)
        # A class with slots has no such dictionary.
        if not is_dataclass(kind) or not hasattr(value, "__dict__"):
            return NotImplemented
        # A copy: the other thread may compute more of it meanwhile.
        state = dict(value.__dict__)
        if kind is Animation:
            names = (*(field.name for field in fields(kind)), *_SENT_CACHED_PROPERTIES)
            state = {name: state[name] for name in names if name in state}
        # Made without `__init__`, by `kind.__new__(kind)`; the state then becomes its dictionary.
        return __newobj__, (kind,), state


class _Unpickler(pickle.Unpickler):
    """Reads objects, and finds by their persistent IDs those that it has."""

    def __init__(self, file: IO[bytes], objects: Mapping[int, object]) -> None:
        super().__init__(file)
        self._objects = objects

    def persistent_load(self, persistent_id: int) -> object:
        return self._objects[persistent_id]


class _LongAgoError(Exception):
    """A change depends on spans before those that the process has."""


class _LongAgo:
    """Stands for all spans before those that the process has."""

    def __getattr__(self, name: str) -> object:
        raise _LongAgoError

    def __reduce__(self) -> NoReturn:
        raise _LongAgoError


_LONG_AGO = _LongAgo()
