"""Presets: the settings of the panel without a pattern, saved under a name in the user's file.

What the panel lists: groups of controls, pages of plots and help, and the chosen arm.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from juggle_anim.animation import Animation
from juggle_anim.atomic_file import atomic_file, cannot_write
from juggle_anim.choreography import Score, Staging
from juggle_anim.errors import JuggleError, NotationError, ViewerError, printable
from juggle_anim.language import N_, _
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.notation import read_settings, read_siteswap, write_settings
from juggle_anim.parameters import Choice, Group, Row
from juggle_anim.viewer.panel.controls import CONTROLS, WINDOW_CONTROLS
from juggle_anim.viewer.panel.values import option_words
from juggle_anim.viewer.session.file import directory_lock, settings_folder

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
    """Copy an animation with a preset applied; its pattern stays.

    Args:
        animation: stays as it is.
        preset: settings without a pattern, `dwell=1;prop=club`; empty for no changes.

    Raises:
        NotationError: the preset has unknown settings.
        ParameterError: it sets beats, but the animation consists of events with their own times.
    """
    settings = read_settings(f"{_PLACEHOLDER_PATTERN};{preset}" if preset else _PLACEHOLDER_PATTERN)
    new = settings.score.staging
    score = animation.score
    staging = dataclasses.replace(
        score.staging, props=new.props, style=new.style, catches=new.catches
    )
    parameters = settings.applied_to(animation.parameters)
    if score.placed or staging == score.staging:
        # Events of a file have their own props.
        return animation.replace(**dataclasses.asdict(parameters))
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
        """Return the content of the file; an empty dictionary if there are no presets in it.

        All of it is kept, as a newer program may store more than presets in it.

        `error` says why a file that exists has none; it is empty otherwise.
        """
        self.error = ""
        # Whatever is wrong with the file, the error below says so.
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
        """Replace the presets in the file, and keep what else it holds.

        Args:
            presets: settings by name.

        Raises:
            ExportError: the file cannot be written.
        """
        content = self._read()
        with cannot_write(self.path):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            if not content and self.path.exists():
                # Keep the broken file, as the user may want to repair it.
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
        """Lines of the panel to show, top to bottom: heads of groups, and controls below them.

        Without a search, folded groups show their heads alone. In a search, groups without a match
        are left out, and controls whose names fit come before those whose help does.

        Args:
            changed: tells whether a control differs from its default, which can be searched for.
        """
        query = self.query.strip()
        rows = list(PANEL_CONTROLS)
        if query:  # most frames are drawn without a search
            rows = [row for row in PANEL_CONTROLS if _matches(row, query, changed)]
            rows.sort(key=lambda row: not begin_in(query, [row.label, row.key]))
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


def _matches(row: Row, query: str, changed: Callable[[Row], bool]) -> bool:
    """Return whether every word of a query begins a word that describes a row."""
    texts = [row.label, row.key, _(row.group.value), row.help]
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
    """Pack groups in order into the fewest columns, as low as possible, and columns into pages.

    Args:
        groups: to be placed.
        height: returns the height of a column of these groups, [pixels].
        room: maximal height of a column, [pixels]; a higher group gets a column of its own.
        across: number of columns on a page.

    Returns:
        Pages of columns of groups.
    """
    columns = _columns(groups, height, room)
    # Reduce the height of columns as long as their number does not grow.
    while (
        len(lower := _columns(groups, height, room - _PACKING_STEP)) == len(columns)
        and room > _PACKING_STEP
    ):
        columns = lower
        room = room - _PACKING_STEP
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
