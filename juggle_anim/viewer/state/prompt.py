"""The path prompt with its completion, questions, and notices shown for a while."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Collection, Sequence
from enum import Enum
from pathlib import Path
from typing import NamedTuple, Protocol

from juggle_anim.errors import JuggleError, NotationError, ViewerError
from juggle_anim.formats import BY_ENDING, DRAWINGS, MODELS, PAGES, STILLS, SUBTITLES, VIDEOS
from juggle_anim.language import N_, _
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.notation import BY_ENDING as PATTERN_FORMATS
from juggle_anim.notation import ROUTINE, WRITTEN


class SaveKind(NamedTuple):
    """A kind of file that the window saves.

    Attributes:
        name: name on its button.
        endings: endings of its files, the usual one first.
        use: what it is for.
        picture: the kind of print, as `prints` calls it; empty for all else.
        synonyms: other words by which people find it.
    """

    name: str
    endings: tuple[str, ...]
    use: str = ""
    picture: str = ""
    synonyms: str = ""


PATTERN = SaveKind(
    N_("Pattern"),
    tuple(dict.fromkeys((*WRITTEN, *ROUTINE.written))),
    N_("To open again, here or in other programs for jugglers"),
)

GIF = SaveKind(
    N_("GIF"),
    tuple(ending for ending, row in VIDEOS.items() if row.repeats),
    N_("A loop that repeats without end"),
)

SAVE_GROUPS = {
    N_("Watch and share"): (
        PATTERN,
        SaveKind(
            N_("Video"),
            tuple(ending for ending, row in VIDEOS.items() if not row.repeats),
            N_("A film of the pattern"),
        ),
        GIF,
        SaveKind(
            N_("Picture"),
            tuple(ending for ending in STILLS if ending not in VIDEOS),
            N_("The picture as it is now"),
        ),
    ),
    N_("Print"): tuple(
        SaveKind(name, tuple(sorted(DRAWINGS)), use, picture, synonyms)
        for picture, name, use, synonyms in (
            ("ladder", N_("Ladder"), N_("All throws along a line of time for each hand"), ""),
            (
                "causal",
                N_("Diagram (causal)"),
                N_("Which throw makes room for which"),
                N_("who throws to whom"),
            ),
            ("states", N_("State graph"), N_("All states, and the way through them"), ""),
            ("lines", N_("Line drawing"), N_("The picture in lines, sharp at any size"), ""),
            (
                "sheet",
                N_("Sheet"),
                N_("A page with moments of the loop, side by side"),
                N_("contact sheet, picture strip"),
            ),
            (
                "strobe",
                N_("Overlay"),
                N_("All moments in one picture: the flight of the props, seen at once"),
                N_("all moments in one picture, multiple exposure"),
            ),
        )
    ),
    N_("Other programs"): (
        SaveKind(
            N_("3D model"),
            tuple(ending for ending, row in MODELS.items() if row.scene),
            N_("For Blender and other 3D programs"),
        ),
        SaveKind(
            N_("Motion data"),
            tuple(ending for ending, row in MODELS.items() if not row.scene),
            N_("How joints and props move"),
        ),
        SaveKind(N_("Web page"), tuple(PAGES), N_("A page that plays the pattern")),
        SaveKind(N_("Subtitles"), tuple(SUBTITLES), N_("The throws as text for a video")),
    ),
}
"""All kinds, in groups by what they are for."""

SAVE_KINDS = tuple(itertools.chain(*SAVE_GROUPS.values()))
"""All kinds; where several have an ending, the first is meant unless another is chosen."""

CONTACT_SHEET = next(kind for kind in SAVE_KINDS if kind.picture == "sheet")
"""The kind of file for printing."""


def kinds_with(path: Path) -> tuple[SaveKind, ...]:
    """Return the kinds whose files end as a path does."""
    ending = path.suffix.casefold()
    return tuple(kind for kind in SAVE_KINDS if ending in kind.endings)


_LIST_ENDINGS = (".txt", ".jml", ".json")

FILM_ENDINGS = (
    ".mp4", ".m4v", ".mov", ".webm", ".mkv", ".avi", ".gif", ".apng", ".mpg", ".mpeg", ".ogv",
    ".wmv", ".3gp", ".mts",
)  # fmt: skip
"""Endings of files that are films, in lower case."""

_OPEN_ENDINGS = (
    *dict.fromkeys((*PATTERN.endings, *PATTERN_FORMATS)),
    *dict.fromkeys((*BY_ENDING, *FILM_ENDINGS)),
)

NOTICE_TIME = 4.0
"""How long a notice is shown, [s]."""

_TIME_PER_CHARACTER = 0.04  # s; added to it
_OFFER_TIME = 4.0  # s; added where there is a button to reach


class Purpose(Enum):
    """Why a path is requested: the title, the accepted files, and the word on the button."""

    OPEN = (
        "Open a file",
        ".jml, .jif, .pass, .txt or .routine, or an exported picture or video",
        "Open",
    )
    FILM = "Open a video to juggle along with", "MP4, WebM, GIF or another video", "Open"
    SAVE = "Save", "", "Save"
    SAVE_LIST = "Save the list", ".txt, .jml or .json", "Save"

    @property
    def endings(self) -> tuple[str, ...]:
        """Endings of the files that are meant, in lower case."""
        endings = {
            Purpose.OPEN: _OPEN_ENDINGS,
            Purpose.SAVE_LIST: _LIST_ENDINGS,
            Purpose.FILM: FILM_ENDINGS,
        }
        # Among the files that one may replace, those of all kinds.
        return endings.get(self, tuple(ending for kind in SAVE_KINDS for ending in kind.endings))


NONE_CHOSEN = -1  # of the recent paths; one step above the first


class PathDialog(Protocol):
    """A dialog of the desktop that asks for a path while the window goes on."""

    def open(self, purpose: Purpose, suggested: str) -> bool:
        """Open it, with a suggested path; returns whether there is one."""

    def answer(self) -> str | None:
        """Return the chosen path, empty if none was chosen; None while it is open."""

    def close(self) -> None:
        """Close it, if it is open."""


@dataclass
class PathPrompt:
    """A line that asks for a path.

    Args:
        purpose: why a path is requested; None if the prompt is closed.
        text: typed so far.
        error: why the text is refused.
        replacing: the existing path that is replaced if it is confirmed again.
        wants_focus: whether the line takes the keyboard focus when it is next drawn.
        hint: names that complete the path, or that there are none.
        recent: paths to choose from, the latest first; of a file to open.
        chosen: the index of the chosen one; `NONE_CHOSEN` if none is.
        kind: kind of file that is saved, where its ending leaves that open; None while only the
            ending tells, as after a dialog of the desktop.
        lines: how many the card has below the field, as it was drawn last.
        dialog: dialog of the desktop, which asks instead; None if there is none.
        dialog_purpose: what the dialog asks for now; None while it is closed.
    """

    purpose: Purpose | None = None
    text: str = ""
    error: str = ""
    replacing: str = ""
    wants_focus: bool = False
    hint: str = ""
    recent: tuple[str, ...] = ()
    chosen: int = NONE_CHOSEN
    kind: SaveKind | None = None
    lines: int = 1
    dialog: PathDialog | None = None
    dialog_purpose: Purpose | None = None

    def ask(self, purpose: Purpose, text: str, recent: Sequence[str] = (), error: str = "") -> None:
        """Ask for a path, by a dialog of the desktop, or else by the prompt in the window.

        Args:
            purpose: why a path is requested.
            text: the suggested path.
            recent: paths to choose from in the prompt.
            error: why another path was refused; that is shown in the prompt, so no dialog opens.
        """
        self.close()
        self.kind = None
        # Where the desktop has no dialog, or it does not open, the prompt asks.
        if self.dialog and not error and self.dialog.open(purpose, text):
            self.dialog_purpose = purpose
            return
        self.purpose = purpose
        self.text = text
        self.kind = PATTERN
        self.error = error
        self.replacing = ""
        self.wants_focus = True
        self.hint = ""
        self.recent = tuple(recent)
        self.chosen = NONE_CHOSEN

    def reopen(self, purpose: Purpose, kind: SaveKind) -> None:
        """Open the line in the window with its present text, after a dialog of the desktop."""
        self.purpose = purpose
        self.kind = kind

    def answer(self) -> str:
        """Return the path that was just chosen in the dialog of the desktop; empty if none was.

        The line of the prompt then holds the path, so that the user can mend it if it is refused.
        """
        path = self.dialog.answer() if self.dialog and self.dialog_purpose else None
        if path is None:  # no dialog, or one that is still open
            return ""
        purpose = self.dialog_purpose
        self.dialog_purpose = None
        if path:  # empty if the dialog was cancelled
            self.purpose = purpose
            self.text = path
            self.error = ""
            self.hint = ""
            self.recent = ()
            self.replacing = path  # the dialog has asked already whether to replace a file
        return path

    def choose(self, steps: int) -> str:
        """Choose the recent path a number of steps further down, within the list, and return it.

        Above the first one nothing is chosen, and an empty text is returned.
        """
        self.chosen = min(max(self.chosen + steps, NONE_CHOSEN), len(self.recent) - 1)
        self.error = ""
        self.hint = ""
        return "" if self.chosen == NONE_CHOSEN else self.recent[self.chosen]

    @property
    def kinds(self) -> tuple[SaveKind, ...]:
        """The kinds of files to choose from; none unless something is saved."""
        return SAVE_KINDS if self.purpose is Purpose.SAVE else ()

    @property
    def is_film(self) -> bool:
        """Whether the path is that of a film that is to be saved."""
        return bool(self.kinds) and Path(self.text).suffix.casefold() in VIDEOS

    def kind_of(self, text: str) -> SaveKind | None:
        """Return the kind of file that a path is saved as; None if no kind ends so."""
        fitting = kinds_with(Path(text))
        return self.kind if self.kind in fitting else next(iter(fitting), None)

    def take_kind(self, kind: SaveKind, text: str) -> str:
        """Save as another kind of file, and return the path with an ending of that kind.

        Args:
            kind: kind of file.
            text: the path, as it is typed.
        """
        self.kind = kind
        self.error = ""
        self.hint = ""
        path = Path(text)
        kinds_before = kinds_with(path)
        if kind in kinds_before:
            return text
        # The ending of a known kind is replaced. What follows a dot otherwise belongs to the name,
        # and stays.
        stem = text.removesuffix(path.suffix) if kinds_before else text
        return stem + kind.endings[0]

    def next_kind(self, steps: int, text: str) -> str:
        """Go a number of kinds of files further, cyclically; return the path with its ending."""
        kind = self.kind_of(text)
        index = SAVE_KINDS.index(kind) if kind else -1
        return self.take_kind(SAVE_KINDS[(index + steps) % len(SAVE_KINDS)], text)

    def complete(self, text: str) -> str:
        """Return the typed path, completed as far as it is unique.

        If several names could follow, they become the hint below the line; if none can, the hint
        says so.
        """
        longer, names = complete_path(text, (self.purpose or Purpose.SAVE).endings)
        self.error = ""
        self.hint = "" if len(names) == 1 else "  ·  ".join(names) or _("No matching files")
        return longer

    def refuse(self, text: str, error: str) -> None:
        """Show why the typed text is refused, and keep asking."""
        self.text = text
        self.error = error
        self.wants_focus = True

    def close(self) -> None:
        """Close the prompt, and the dialog."""
        if self.dialog_purpose and self.dialog:
            self.dialog.close()
        self.purpose = self.dialog_purpose = None


@dataclass(frozen=True)
class Answer:
    """An answer to a question.

    Args:
        label: label on its button.
        key: the letter that gives it.
        do: what is done then.
    """

    label: str
    key: str
    do: Callable[[], object] = lambda: None


@dataclass
class Question:
    """A question that is answered before anything else is done.

    Args:
        title: the question.
        text: what there is to know.
        answers: the last one leaves everything as it is; Escape gives it, too.
        chosen: the number of the answer that Enter gives.
    """

    title: str
    text: str
    answers: tuple[Answer, ...]
    chosen: int = 0

    def resume(self, before: Question) -> None:
        """Go on where the same question was that was asked in another language."""
        self.chosen = before.chosen

    def press(self, chord: str) -> Answer | None:
        """React to a key: arrows and Tab choose another answer, Enter and Escape give one.

        Args:
            chord: the key with its modifiers, such as `shift+tab`.

        Returns:
            The answer that the key gives; None if it gives none.
        """
        if chord in ("left", "up", "shift+tab"):
            self.chosen = (self.chosen - 1) % len(self.answers)
        elif chord in ("right", "down", "tab"):
            self.chosen = (self.chosen + 1) % len(self.answers)
        elif chord == "enter":
            return self.answers[self.chosen]
        elif chord == "escape":
            return self.answers[-1]  # the last one leaves everything as it is
        return None

    def type(self, text: str) -> Answer | None:
        """Return the answer that a typed character gives, or None."""
        if text == " ":
            return self.answers[self.chosen]
        return next((answer for answer in self.answers if answer.key == text.casefold()), None)


def suggest_path(title: str, folder: Path, ending: str = ".jml") -> str:
    """Suggest a path for saving a pattern of this title."""
    # Signs that names of files should not have become hyphens.
    name = re.sub(r"[^\w ().,\[\]+-]+", "-", title)[:80].strip(" .-")
    return str(folder / f"{name or 'pattern'}{ending}")


def local_path(text: str) -> str:
    """Return the path in a dropped or pasted text, which may be a file address."""
    from urllib.parse import unquote, urlsplit

    text = text.strip()
    return unquote(urlsplit(text).path) if text.casefold().startswith("file://") else text


def home_path(text: str) -> Path:
    """Return a typed path with `~` or `~user` at its start expanded to the home folder.

    Raises:
        ViewerError: that user has no home folder.
    """
    try:
        return Path(text).expanduser()
    except RuntimeError as error:
        # The name of a file may begin with ~, too; the message says how to open it.
        raise ViewerError(
            _(
                "no home folder {home}; write ./{text} if this is a file name",
                home=text.split("/")[0],
                text=text,
            )
        ) from error


def error_lines(error: Exception | None) -> str:
    """Return the lines of an error for a card, without the caret under the text."""
    text = error.reason if isinstance(error, NotationError) else str(error)
    lines = (" ".join(line.split()) for line in text.split("\n"))
    return "\n".join(line for line in lines if line.strip("^"))


def is_film(path: str, *, ours: bool = False) -> bool:
    """Return whether a path names a film to juggle along with.

    Args:
        path: path of any file.
        ours: whether films that this program has exported count, too; otherwise they are opened as
            the pattern that is stored in them.
    """
    # Imported when first used: the program starts sooner.
    from juggle_anim.notation import read_exported

    if Path(path).suffix.casefold() not in FILM_ENDINGS:
        return False
    if ours:
        return True
    try:
        return read_exported(Path(path)) is None
    except JuggleError:  # an export of this program whose pattern cannot be read
        return False


def complete_path(text: str, endings: Collection[str]) -> tuple[str, tuple[str, ...]]:
    """Complete a path as a shell does.

    Args:
        text: typed so far; `~` stands for the home folder, and other paths begin in the current
            one.
        endings: endings of accepted files, in lower case; folders are always accepted, and written
            with a slash after their name.

    Returns:
        text: completed by what all candidates begin with; as typed if there are none.
        candidates: names in that folder that begin as typed, sorted; hidden ones only if a dot was
            typed.
    """
    name_start = text.rfind("/") + 1  # 0 without a slash: the current folder
    folder = text[:name_start]
    name_begin = text[name_start:]
    # Hidden names start with a dot: they are meant only if that is typed.
    candidates = tuple(
        name
        for name in _names(folder, endings)
        if name.startswith(name_begin) and (name_begin or not name.startswith("."))
    )
    completed = folder + _common_prefix(candidates) if candidates else text
    return completed, candidates


def _names(folder: str, endings: Collection[str]) -> list[str]:
    """Sorted names in a folder; empty if it cannot be read."""
    try:
        paths = sorted(
            Path(folder or ".").expanduser().iterdir(), key=lambda path: path.name.casefold()
        )
        named = [f"{path.name}/" if path.is_dir() else path.name for path in paths]
    except (OSError, RuntimeError):  # `expanduser` raises the latter for a home that is not there
        return []
    return [name for name in named if name.endswith("/") or Path(name).suffix.casefold() in endings]


def _common_prefix(names: tuple[str, ...]) -> str:
    """Return the common prefix of some names."""
    # Characters at one place of all names, up to the first place at which they differ.
    columns = zip(*names, strict=False)
    common = itertools.takewhile(lambda column: len(set(column)) == 1, columns)
    return "".join(letter for letter, *_others in common)


Offer = tuple[str, Callable[[], object]]


@dataclass
class Notice:
    """A message that disappears after a while.

    Args:
        text: to be shown; empty if there is none.
        is_error: whether it is an error.
        offer: words on its button, and what that does, such as undoing what is reported; None for
            no button.
        refusal: words on a second button that declines the offer, and what that does.
        remaining: time until it disappears, [s].
    """

    text: str = ""
    is_error: bool = False
    offer: Offer | None = None
    refusal: Offer | None = None
    remaining: float = 0.0

    def say(
        self,
        words: str,
        *,
        bad: bool = False,
        offer: Offer | None = None,
        refusal: Offer | None = None,
    ) -> None:
        """Show a message, perhaps with one or two buttons."""
        self.text = words
        self.is_error = bad
        self.offer = offer
        self.refusal = refusal
        time_to_press = _OFFER_TIME if offer else 0.0
        self.remaining = NOTICE_TIME + _TIME_PER_CHARACTER * len(words) + time_to_press

    def advance(self, elapsed: float) -> bool:
        """Let time pass, [s]; returns whether the message has just disappeared."""
        if not self.text:
            return False
        self.remaining -= elapsed
        if self.remaining > 0:
            return False
        self.text = ""
        return True
