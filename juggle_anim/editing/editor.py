"""The editor of an animation: every operation under its public name."""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar

from juggle_anim.editing import beats, bodies, draft, events, staging, throws
from juggle_anim.editing.draft import Draft

A = TypeVar("A")
P = ParamSpec("P")
R = TypeVar("R")


class Operation(Generic[P]):
    """A descriptor that makes a function of a draft a method of `Editor`.

    Args:
        function: takes a draft and more, and returns another draft.
    """

    def __init__(self, function: Callable[Concatenate[Draft, P], Draft]) -> None:
        self.function = function
        update_wrapper(self, function)  # type: ignore[arg-type]

    def __get__(self, editor: Editor[A] | None, owner: type[Any]) -> Callable[P, A]:
        assert editor is not None, "an operation is called on an editor"

        def operate(*args: P.args, **kwargs: P.kwargs) -> A:
            return editor.make(self.function(editor.draft, *args, **kwargs))

        return update_wrapper(operate, self.function)


class Query(Generic[P, R]):
    """A descriptor that makes a function of a draft, which changes nothing, a method of `Editor`.

    Args:
        function: takes a draft and more.
    """

    def __init__(self, function: Callable[Concatenate[Draft, P], R]) -> None:
        self.function = function
        update_wrapper(self, function)  # type: ignore[arg-type]

    def __get__(self, editor: Editor[A] | None, owner: type[Any]) -> Callable[P, R]:
        assert editor is not None, "a query is called on an editor"

        def ask(*args: P.args, **kwargs: P.kwargs) -> R:
            return self.function(editor.draft, *args, **kwargs)

        return update_wrapper(ask, self.function)


class Editor(Generic[A]):
    """Edits what it was made of: `animation.edit().swap_landings(0, 1)` is another animation.

    Args:
        draft: the score and the parameters that are edited.
        make: makes the result of a changed draft.
    """

    def __init__(self, draft: Draft, make: Callable[[Draft], A]) -> None:
        self.draft = draft
        self.make = make

    def without_settings(self) -> Editor[A]:
        """Return an editor whose changed events stay events, even if settings could express them.

        No settings are looked for then, so that edits are quick while a user drags an event.
        """
        return Editor(self.draft._replace(stays_events=True), self.make)

    swap_landings = Operation(throws.swap_landings)
    aim_throw = Operation(throws.aim_throw)
    add_period = Operation(throws.add_period)
    set_throw = Operation(throws.set_throw)
    set_body_throw = Operation(throws.set_body_throw)
    insert_beat = Operation(beats.insert_beat)
    delete_beat = Operation(beats.delete_beat)
    mirror = Operation(throws.mirror)
    swap_hands = Operation(throws.swap_hands)
    reverse = Operation(throws.reverse)
    rotate = Operation(throws.rotate)
    repeat = Operation(throws.repeat)
    inverse = Operation(throws.inverse)
    dual = Operation(throws.dual)
    set_props = Operation(staging.set_props)
    landings_of = Query(throws.landings_of)

    move_event = Operation(events.move_event)
    move_events = Operation(events.move_events)
    time_limits = Query(events.time_limits)
    set_catch = Operation(events.set_catch)
    set_dwell = Operation(events.set_dwell)
    add_point = Operation(events.add_point)
    remove_point = Operation(events.remove_point)
    copy_path = Operation(events.copy_path)

    move_body = Operation(bodies.move_body)
    add_body_key = Operation(bodies.add_body_key)
    remove_body_key = Operation(bodies.remove_body_key)

    to_events = Operation(draft.to_events)
    back_to_settings = Operation(draft.back_to_settings)
    kind = Query(draft.kind)
    losses = Query(draft.losses)


def operations() -> dict[str, Operation[Any] | Query[Any, Any]]:
    """Return the operations and queries of an editor by name."""
    return {
        name: member
        for name, member in vars(Editor).items()
        if isinstance(member, Operation | Query)
    }
