"""Documents: the file of each pattern, and what has been changed since it was saved."""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from juggle_anim.choreography import Choreography, Score
from juggle_anim.editing.draft import Draft, base_of, losses
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.parameters import DEFAULTS
from juggle_anim.viewer.state.undo import Step


class FileStamp(NamedTuple):
    """What tells one version of a file from another.

    Attributes:
        modified: when it was written, [ns].
        size: [bytes].
    """

    modified: int
    size: int


def stamp_of(path: Path) -> FileStamp | None:
    """Return the stamp of a file; None if it is not there, or cannot be looked at."""
    try:
        about = path.stat()
    except OSError:
        return None
    return FileStamp(about.st_mtime_ns, about.st_size)


@dataclass(eq=False)
class Document:
    """A pattern that is edited, from when it was opened on.

    Args:
        saved: it as it was opened or saved last; None for recovered work, which is not saved yet.
        latest: it as it is now.
        path: the file that it is saved to; None if it has none yet.
        stamp: the stamp of that file when it was opened or saved last.
        discarded: the state that need not be saved, as the user has said.
    """

    saved: Step | None
    latest: Step
    path: Path | None = None
    stamp: FileStamp | None = None
    discarded: Step | None = None
    _compared: tuple[tuple[object, ...], tuple[bool, bool]] | None = None

    @property
    def name(self) -> str:
        """The name of its file, else its title."""
        return self.path.name if self.path else self.latest.score.name

    @property
    def is_edited(self) -> bool:
        """Whether it differs from what was opened or saved last.

        Without a file that means its throws, events and paths of hands and bodies. With one it
        means all settings.
        """
        edited, changed = self._compare()
        return edited or (changed and self.path is not None)

    @property
    def is_unsaved(self) -> bool:
        """Whether closing it would lose edited throws, events or paths.

        Sliders are kept by the session, so they do not count.
        """
        return self._compare()[0] and not self.is_discarded

    @property
    def needs_file(self) -> bool:
        """Whether it is unsaved, and the history of patterns does not hold it either.

        The history holds each pattern as a text, but not events that were moved by hand, nor what
        is meant for a file.
        """
        if not self.is_unsaved:
            return False
        if self.path:
            return True
        score = self.latest.score
        # Events are safe if they can go back to the settings from which they were made (their base)
        # without loss. That depends on the score alone: any parameters will do.
        draft = Draft(score, DEFAULTS)
        return score.pattern is None and (base_of(draft) is None or bool(losses(draft)))

    @property
    def is_discarded(self) -> bool:
        """Whether its latest state need not be saved, as the user has said."""
        return self.discarded is not None and _is_same(self.discarded, self.latest)

    @property
    def has_newer_file(self) -> bool:
        """Whether another program has written its file since it was opened or saved last."""
        now = stamp_of(self.path) if self.path else None
        return now is not None and now != self.stamp

    def _compare(self) -> tuple[bool, bool]:
        """Compare the latest state of the document with the saved one.

        The result is cached, as the panel asks in every frame.

        Returns:
            moves_differently: whether they differ in throws, events, or paths of hands and bodies.
            is_changed: whether they differ in anything that a file holds.
            Both are True if nothing was saved yet.
        """
        if self.saved is None:
            return True, True
        saved = self.saved
        latest = self.latest
        compared = (saved.score, saved.parameters, latest.score, latest.parameters)
        # The cached result is valid as long as these are the same four objects. They are immutable,
        # so identity is enough, and comparing their values would take long.
        cached_objects = self._compared[0] if self._compared else (None,) * len(compared)
        if any(now is not cached for now, cached in zip(compared, cached_objects, strict=True)):
            moves_differently = not have_same_movements(saved.score, latest.score)
            is_changed = (
                moves_differently
                or saved.score.pattern != latest.score.pattern
                or saved.parameters != latest.parameters
                or saved.score.staging != latest.score.staging
            )
            self._compared = compared, (moves_differently, is_changed)
        assert self._compared is not None
        _compared_objects, result = self._compared
        return result


class Documents:
    """The documents of a viewer.

    A score that comes about by a change belongs to the document of the score before.

    Args:
        unsaved: documents with work that is not saved, to which others are added.
    """

    def __init__(self, unsaved: list[Document] | None = None) -> None:
        # Scores are compared by identity: equal ones may belong to different documents.
        self._owners: dict[int, tuple[weakref.ref[Score], Document]] = {}
        self._unsaved: list[Document] = [] if unsaved is None else unsaved

    def beside(self) -> Documents:
        """Return the documents of the other half of a split view, which are its own."""
        return Documents(self._unsaved)  # unsaved are those of both halves, also once one is closed

    @property
    def unsaved(self) -> tuple[Document, ...]:
        """All documents with work that is not saved, in the order of their first edits."""
        return tuple(document for document in self._unsaved if document.is_unsaved)

    def of(self, step: Step) -> Document:
        """Return the document of a step that is shown now, and note the step as its latest state.

        A step is a state of the viewer that can be undone: a score (a pattern and its staging) with
        parameters. It belongs to the document that has its score; if none has, to a new one, which
        counts as saved. The list of unsaved documents is brought up to date.
        """
        document = self.owner(step.score) or self._own(step.score, Document(step, step))
        # An equal step is not replaced, so that comparisons that are cached for it stay valid.
        if not _is_same(document.latest, step) or document.latest.text != step.text:
            document.latest = step
        if document.is_unsaved and document not in self._unsaved:
            self._unsaved.append(document)
        elif not document.is_unsaved and document in self._unsaved:
            self._unsaved.remove(document)
        return document

    def owner(self, score: Score) -> Document | None:
        """Return the document of a score that was shown; None if it was not."""
        entry = self._owners.get(id(score))
        if entry is None:
            return None
        reference, document = entry
        # An id may be reused once its object has been freed: the reference tells whether it still
        # is that of this score.
        return document if reference() is score else None

    def replace_step(self, before: Step, after: Step) -> None:
        """Let the state after a change belong to the document of the state before.

        If the new state belongs to a document already, as after an undo, it stays there.

        Args:
            before, after: the states before and after the change, each a score with parameters.
        """
        if self.owner(after.score) is None:
            self._own(after.score, self.of(before))
        self.of(after)

    def add(self, document: Document) -> None:
        """Add a document; its latest state belongs to it from now on."""
        self._own(document.latest.score, document)
        self.of(document.latest)

    def opened(self, step: Step, path: Path) -> None:
        """Note that a step was just opened from a file that may be written."""
        self.add(Document(step, step, path, stamp_of(path)))

    def _own(self, score: Score, document: Document) -> Document:
        number = id(score)
        owners = self._owners

        def forget(reference: weakref.ref[Score]) -> None:
            if number in owners and owners[number][0] is reference:
                del owners[number]

        owners[number] = weakref.ref(score, forget), document
        return document


def _is_same(first: Step, second: Step) -> bool:
    return first.score is second.score and first.parameters is second.parameters


def have_same_movements(first: Score, second: Score) -> bool:
    """Return whether two scores have the same throws or events, and the same hand and body paths.

    A score is a pattern of throws on beats with its staging (positions of hands and bodies), or
    `placed`, timed events with their positions. How many people juggle the same is a setting.
    """
    if first is second:
        return True
    if first.placed is not None and second.placed is not None:
        return _are_equal(_movements(first.placed), _movements(second.placed))
    if first.pattern is None or second.pattern is None:
        return False  # a pattern and events
    # The looks of props are part of the staging, but no movements: they are made equal before the
    # comparison.
    same_staging = replace(first.staging, props=second.staging.props) == second.staging
    solo_text = first.pattern.solo_text
    same_throws = first.pattern == second.pattern or (
        solo_text != "" and solo_text == second.pattern.solo_text
    )
    return same_staging and same_throws


def _movements(placed: Choreography) -> tuple[object, ...]:
    return placed.duration, placed.events, placed.flights, placed.bodies


def _are_equal(first: object, second: object) -> bool:
    """Return whether two values are equal; arrays in them are compared element by element.

    Data classes are compared field by field and sequences item by item, as `==` of arrays within
    them is no single bool.
    """
    if first is second:
        return True
    if isinstance(first, np.ndarray) or isinstance(second, np.ndarray):
        return np.array_equal(np.asarray(first), np.asarray(second))
    if is_dataclass(first) and type(first) is type(second):
        names = [field.name for field in fields(first)]
        return all(_are_equal(getattr(first, name), getattr(second, name)) for name in names)
    # Strings are sequences, but left to `==`: their items are strings again, so that the recursion
    # would never end.
    if isinstance(first, Sequence) and isinstance(second, Sequence) and not isinstance(first, str):
        return len(first) == len(second) and all(map(_are_equal, first, second))
    return first == second
