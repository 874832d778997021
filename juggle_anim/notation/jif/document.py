"""A JSON document with the path to each value for error messages, and colours as in CSS; comments
are forgiven.

The `juggleAnim` members of a JIF document and of its throws: what a score says that JIF has no
words for.
"""

from __future__ import annotations

import dataclasses
import json
import math
import re
from collections.abc import Mapping
from dataclasses import field
from typing import Any

from juggle_anim.choreography import Score, Staging
from juggle_anim.errors import (
    FileError,
    JuggleError,
    NotationError,
    ParameterError,
    did_you_mean,
    printable,
)
from juggle_anim.language import _
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.notation.limits import (
    MAX_BOUNCES,
    MAX_JIF_CHARACTERS,
    MAX_JUGGLERS,
    MAX_LOOP_THROWS,
    MAX_PERIOD,
    MAX_TAGS,
)
from juggle_anim.notation.settings import (
    Colour,
    Setting,
    Settings,
    css_colours,
    hex_colour,
    hex_text,
    read_settings,
    read_staging,
    staging_texts,
    write_settings,
)
from juggle_anim.notation.siteswap.syntax import BOUNCE_STYLES, PLAIN, Modifier
from juggle_anim.parameters import CHOICES, QUANTITIES, TEXT_KEYS, Parameters
from juggle_anim.pattern import Throw, Turn

# Texts are matched so that nothing in them is taken for a comment; a text never closed goes on to
# the end.
_TEXT = r'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)'

# All before a comment, and the comment; after the last comment, the second part is empty.
_COMMENT = re.compile(
    rf"((?:[^\"/]++|{_TEXT}|/(?![/*]))*+)(//[^\n]*|/\*.*?(?:\*/|\Z)|\Z)", re.DOTALL
)

# The same for a comma behind the last member.
_COMMA = re.compile(rf"((?:[^\",]++|{_TEXT}|,(?!\s*[}}\]]))*+)(,|\Z)", re.DOTALL)

_NOT_NEWLINE = re.compile(r"[^\n]")

_HEX = re.compile(r"#((?:[0-9a-f]{3,4}){1,2})")

_RGB = re.compile(
    r"rgba?\(\s*([0-9]{1,3})\s*[,\s]\s*([0-9]{1,3})\s*[,\s]\s*([0-9]{1,3})\s*(?:[,/][^)]{1,20})?\)"
)


@dataclass(frozen=True)
class Node:
    """A value of a document and the path to it.

    Args:
        name: the name of the file.
        where: path of the value, as `throws[3].to`; empty for the whole document.
        value: the value as Python's json module gives it.
    """

    name: str
    where: str
    value: Any

    def error(self, reason: str, accepted: str) -> FileError:
        """Return the error for this place: what is wrong, and what would be accepted."""
        place = f"{self.name}: {printable(self.where, 100)}: " if self.where else f"{self.name}: "
        return FileError(f"{place}{_(reason)}; {_(accepted)}")

    def get(self, key: str) -> Node | None:
        """Return the member of an object; None if it is left out, or null.

        Args:
            key: name of the member.

        Raises:
            FileError: the value is not an object.
        """
        if not isinstance(self.value, dict):
            raise self.error(
                _("{shown} is not an object", shown=self._shown), _("write an object as {…}")
            )
        value = self.value.get(key)
        return None if value is None else self._member(key, value)

    def find(self, *keys: str) -> Node | None:
        """Return the member at a path of keys; None if one of the members is left out, or null.

        Raises:
            FileError: the value or a member on the path is not an object.
        """
        node: Node | None = self
        for key in keys:
            node = node.get(key) if node else None
        return node

    def need(self, key: str, accepted: str) -> Node:
        """Return the required member of an object.

        Args:
            key: its name.
            accepted: the accepted values, in words, for messages.

        Raises:
            FileError: the value is not an object, or has no such member.
        """
        member = self.get(key)
        if member is None:
            raise self._member(key, None).error(_("is missing"), accepted)
        return member

    def items(self, limit: int) -> list[Node]:
        """Return the members of a list.

        Raises:
            FileError: the value is not a list, or has more than `limit` members.
        """
        if not isinstance(self.value, list):
            raise self.error(
                _("{shown} is not a list", shown=self._shown), _("write a list as […]")
            )
        if len(self.value) > limit:
            raise self.error(
                _("this has {count}", count=len(self.value)),
                _("the limit is {limit}", limit=limit),
            )
        return self.children()

    def list_of(self, key: str, limit: int) -> list[Node]:
        """Return the members of a list that may be left out."""
        member = self.get(key)
        return member.items(limit) if member else []

    def text(self) -> str:
        """Return the value as a text.

        Raises:
            FileError: the value is not a text.
        """
        if not isinstance(self.value, str):
            raise self.error(_("{shown} is not text", shown=self._shown), _('write text as "…"'))
        return self.value

    def text_of(self, *keys: str) -> str:
        """Return the text of a member; empty if the member is left out."""
        member = self.find(*keys)
        return member.text() if member else ""

    def number_of(self, key: str) -> float:
        """Return a required number of an object, in any range that makes sense."""
        return self.need(key, _("a number")).number(-1e9, 1e9)

    def flag(self) -> bool:
        """Return the value as a bool.

        Raises:
            FileError: the value is neither true nor false.
        """
        if not isinstance(self.value, bool):
            raise self.error(
                _("{shown} is not true or false", shown=self._shown), _("true or false")
            )
        return self.value

    def number(self, low: float, high: float) -> float:
        """Return the value as a number from `low` to `high`, both included.

        Raises:
            FileError: the value is not a number, or out of range.
        """
        if not self._is_number:
            raise self.error(_("{shown} is not a number", shown=self._shown), _range(low, high))
        # The value is compared before it is converted, as an int of hundreds of digits is too large
        # for `float`. NaN fails both comparisons.
        if not low <= self.value <= high:
            raise self.error(_("{shown} is out of range", shown=self._shown), _range(low, high))
        return float(self.value)

    def whole(self, low: int, high: int) -> int:
        """Return the value as a whole number from `low` to `high`, both included; 3.0 is one too.

        Raises:
            FileError: the value is not a whole number, or out of range.
        """
        number = self.number(low, high)
        if number != int(number):
            raise self.error(
                _("{shown} is not a whole number", shown=self._shown), _range(low, high)
            )
        return int(number)

    def index(self, count: int, noun: str) -> int:
        """Return the value as an index, counted from 0.

        Args:
            count: number of objects (jugglers, limbs or props) to which the index may refer.
            noun: word for such an object, in messages.

        Raises:
            FileError: the value is not a whole number from 0 to `count` - 1.
        """
        accepted = (
            _("a number from 0 to {count}", count=count - 1)
            if count
            else _("no {what}, since there are none", what=noun)
        )
        if not self._is_number:
            raise self.error(_("{shown} is not a {what}", shown=self._shown, what=noun), accepted)
        # NaN fails both comparisons.
        if not 0 <= self.value < count or self.value != int(self.value):
            raise self.error(
                _("there is no {what} {shown}", what=noun, shown=self._shown), accepted
            )
        return int(self.value)

    @property
    def _is_number(self) -> bool:
        # In Python a bool is an int.
        return isinstance(self.value, int | float) and not isinstance(self.value, bool)

    @property
    def _shown(self) -> str:
        """The value as messages name it, cut to a short piece of one line."""
        # Before numbers, since a bool is an int to Python.
        if isinstance(self.value, bool):
            return "true" if self.value else "false"
        if isinstance(self.value, str):
            return f'"{printable(self.value, 30)}"'
        if isinstance(self.value, dict | list):
            return "{…}" if isinstance(self.value, dict) else "[…]"
        if isinstance(self.value, int) and abs(self.value) >= 10**15:
            return _("such a large number")
        # Infinity and NaN, which Python reads in JSON, are shown by name.
        return (
            f"{self.value:.12g}"
            if isinstance(self.value, float) and math.isfinite(self.value)
            else str(self.value)
        )

    def path_to(self, key: str) -> str:
        """Return the path to a member."""
        return f"{self.where}.{key}" if self.where else key

    def _member(self, key: str, value: Any) -> Node:
        return Node(self.name, self.path_to(key), value)

    def children(self) -> list[Node]:
        """Return the members of an object or a list; other values have none."""
        if isinstance(self.value, dict):
            return [self._member(key, value) for key, value in self.value.items()]
        members = self.value if isinstance(self.value, list) else []
        return [
            Node(self.name, f"{self.where}[{index}]", value) for index, value in enumerate(members)
        ]


def _range(low: float, high: float) -> str:
    return _("a number from {low:g} to {high:g}", low=low, high=high)


def read_document(text: str, name: str) -> Node:
    """Parse a JIF document.

    Args:
        text: JSON; comments as in JavaScript and a comma after the last member are allowed.
        name: the name of the file, for errors.

    Raises:
        FileError: the text is too long, nested too deep, no JSON, no object, or an object has two
            members of the same name.
    """
    if len(text) > MAX_JIF_CHARACTERS:
        raise FileError(
            _(
                "{name}: the text has {count} characters; the limit is {max_jif_characters}",
                name=name,
                count=len(text),
                max_jif_characters=MAX_JIF_CHARACTERS,
            )
        )
    # A byte order mark is not part of the JSON.
    text = text.removeprefix("\ufeff")
    try:
        root, doubled = _parse_json(text, name)
    except FileError:
        # Comments and trailing commas are rare: they are looked for only where JSON is refused.
        cleaned = _cleaned(text)
        if cleaned == text:
            raise
        root, doubled = _parse_json(cleaned, name)
    if doubled:
        _refuse_doubled(root, doubled)
    if not isinstance(root.value, dict):
        raise root.error(
            _("this is not an object"), _('a JIF document is an object, such as {"throws": […]}')
        )
    return root


def _parse_json(text: str, name: str) -> tuple[Node, dict[int, str]]:
    """Parse JSON, and find objects in which two members have the same name.

    Args:
        text: the text of the document.
        name: the name of the file, for errors.

    Returns:
        The root, and the repeated name of each such object, by Python's `id` of its dict.

    Raises:
        FileError: the text is not JSON, or nested too deep.
    """
    doubled: dict[int, str] = {}

    def members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        """Return the members of an object by name; a repeated one is noted in `doubled`."""
        # A dict keeps only the last of equal names. The error is left to the caller, since the path
        # to the object is known only when all is parsed.
        members_by_name = dict(pairs)
        if len(members_by_name) < len(pairs):
            doubled[id(members_by_name)] = _first_doubled(pairs)
        return members_by_name

    try:
        # A node has the value and its path in the document, for errors.
        root = Node(name, "", json.loads(text, object_pairs_hook=members, parse_int=_whole))
    except json.JSONDecodeError as error:
        raise FileError(
            _(
                "{name}: line {lineno}: this is not JSON: {error}",
                name=name,
                lineno=error.lineno,
                error=_reason(error),
            )
        ) from error
    except RecursionError as error:
        raise FileError(
            _(
                "{name}: brackets are nested too deeply; a JIF document has about four levels",
                name=name,
            )
        ) from error
    return root, doubled


def _first_doubled(members: list[tuple[str, Any]]) -> str:
    names: set[str] = set()
    for name, _value in members:
        if name in names:
            break
        names.add(name)
    return name


def _whole(digits: str) -> int | float:
    # Python turns thousands of digits into no int; whoever reads the place says that it is out of
    # range.
    return int(digits) if len(digits) < 400 else math.inf


def _reason(error: json.JSONDecodeError) -> str:
    """Return the reason of a JSON error for a message, with the character at which it occurs."""
    # Some of Python's messages end with " at", as a position follows there.
    reason = error.msg[:1].lower() + error.msg[1:].removesuffix(" at")
    unexpected = error.doc[error.pos : error.pos + 1]
    if not unexpected:
        return _("{reason}, but it ends", reason=reason)
    return (
        _("{reason}, not {rest!r}", reason=reason, rest=printable(unexpected))
        if reason.startswith("expecting")
        else reason
    )


def _refuse_doubled(root: Node, doubled: dict[int, str]) -> None:
    """Raise the error for an object that has two members of the same name.

    Args:
        root: the root of the document.
        doubled: for each such object, by its `id`, the name of the member.

    Raises:
        FileError: such an object is found; the message names the path to the member.
    """
    # Depth first through all values of the document.
    stack = [root]
    while stack:
        node = stack.pop()
        if isinstance(node.value, dict) and id(node.value) in doubled:
            twice = node._member(doubled[id(node.value)], None)
            raise twice.error(_("is given twice"), _("give each member once"))
        stack += node.children()


def _cleaned(text: str) -> str:
    """Blank out comments and trailing commas; lines keep their numbers."""
    without = _COMMENT.sub(lambda match: match[1] + _NOT_NEWLINE.sub(" ", match[2]), text)
    return _COMMA.sub(lambda match: match[1] + " " * len(match[2]), without)


def read_css_colour(node: Node) -> Colour:
    """Read a colour of CSS: a name, `#f80`, `#ff8c00` or `rgb(255, 140, 0)`; alpha is dropped.

    Returns:
        Red, green and blue from 0 to 1.

    Raises:
        FileError: the value is not a colour.
    """
    word = node.text().strip().casefold()
    name = word.replace("grey", "gray")
    if name in css_colours():
        return css_colours()[name]
    # Three, four, six or eight hexadecimal digits.
    if match := _HEX.fullmatch(word):
        return hex_colour(match[1])
    if (match := _RGB.fullmatch(word)) and max(map(int, match.groups())) < 256:
        red, green, blue = (int(byte) / 255 for byte in match.groups())
        return red, green, blue
    hint = did_you_mean(
        name, css_colours().keys(), _("a CSS colour name such as orange, or #ff8c00")
    )
    raise node.error(_('"{word}" is not a colour', word=printable(word, 30)), hint)


def write_css_colour(colour: Colour | None) -> str:
    """Return a colour as a text like `#ff8c00`; empty without a colour."""
    return hex_text(colour) if colour else ""


_NOTHING = Staging()

EXTENSION_KEY = "juggleAnim"
"""The name of the members that are ours; JIF allows any others than its own."""


@dataclass(frozen=True)
class Extension:
    """The content of our extension.

    Args:
        notation: settings that stand for the pattern.
        staging: the staging as settings had it.
        parameters: parameters as in `Settings`.
        empty: beats, jugglers and hands for which it was written that they throw nothing.
        tags: tags as in `Score`.
        base: notation and text of the original pattern, as in `Score`.
    """

    notation: str = ""
    staging: Staging = _NOTHING
    parameters: Mapping[str, float | str | None] = field(default_factory=dict)
    empty: tuple[Turn, ...] = ()
    tags: tuple[str, ...] = ()
    base: tuple[str, str] | None = None


def read_extension(document: Node) -> Extension:
    """Read `juggleAnim`, the member of a document that holds what JIF cannot express.

    Returns:
        The extension; an empty one for a document without this member.

    Raises:
        FileError: a value in it has the wrong type or is out of range.
    """
    ours = document.get(EXTENSION_KEY)
    if ours is None:
        return Extension()
    base = ours.get("base")
    return Extension(
        notation=ours.text_of("notation"),
        staging=_staging(ours),
        parameters=_parameters(ours),
        empty=tuple(_turn(node) for node in ours.list_of("empty", MAX_LOOP_THROWS)),
        tags=tuple(node.text() for node in ours.list_of("tags", MAX_TAGS)),
        base=(base.text_of("notation"), base.text_of("text")) if base else None,
    )


def write_extension(settings: Settings) -> dict[str, Any]:
    """Return the content of `juggleAnim`, the member that holds what JIF cannot express.

    Args:
        settings: the settings from which the document is written.

    Returns:
        JSON values by name, without those that are empty.
    """
    score = settings.score
    staging = staging_texts(score.staging)
    # The text of the setting for props does not name their image.
    if score.staging.props.image:
        staging["image"] = score.staging.props.image
    members: dict[str, Any] = {"notation": _notation(score), "staging": staging}
    members["parameters"] = {
        name: value for name, value in settings.parameters.items() if value is not None
    }
    if score.pattern:
        # Turns (beat, juggler and hand) on which a hand throws nothing.
        turns_with_throws = {throw.turn for throw in score.pattern.throws}
        members["empty"] = [
            list(turn) for turn in score.pattern.turns if turn not in turns_with_throws
        ]
    members["tags"] = list(score.tags)
    if score.base:
        notation, text = score.base
        members["base"] = {"notation": notation, "text": text}
    return {key: value for key, value in members.items() if value}


def _notation(score: Score) -> str:
    """Return the text of the pattern alone; empty if it is not read back as the same pattern."""
    if score.pattern is None:
        return ""
    try:
        text = write_settings(Score(score.pattern), Parameters())
        return text if read_settings(text).score.pattern == score.pattern else ""
    except JuggleError:
        return ""


def _staging(ours: Node) -> Staging:
    """Read the staging: all that a score has besides throws, such as moves of bodies, and props.

    Args:
        ours: our member of the document, whose `staging`, if any, has a text for each setting.

    Raises:
        FileError: a text is not a valid setting.
    """
    node = ours.get("staging")
    if node is None:
        return Staging()
    settings = {key: Setting.of_text(text) for key in TEXT_KEYS if (text := node.text_of(key))}
    try:
        staging = read_staging(settings, Staging())
    except NotationError as error:
        raise node.error(error.reason, error.accepted) from error
    # The image of props is no part of any text.
    props = dataclasses.replace(staging.props, image=node.text_of("image"))
    return dataclasses.replace(staging, props=props)


def _parameters(ours: Node) -> dict[str, float | str | None]:
    """Return the parameters in our member, by name.

    Parameters are numbers with a range, `QUANTITIES`, and words, `CHOICES`. Those that the document
    does not state are left out.

    Args:
        ours: our member of the document, whose `parameters`, if any, has them by name.

    Raises:
        FileError: an unknown name, or a value of the wrong kind or out of range.
    """
    node = ours.get("parameters")
    if node is None:
        return {}
    parameters: dict[str, float | str | None] = {
        choice.name: word for choice in CHOICES if (word := node.text_of(choice.name))
    }
    for quantity in QUANTITIES:
        if value := node.get(quantity.name):
            parameters[quantity.name] = value.number(quantity.low, quantity.high)
    # So far only known names were read, and words were not checked. So each member is now tried by
    # itself: `replace` refuses an unknown name and an unknown word.
    for name in node.value:
        try:
            Parameters().replace(**{name: parameters.get(name)})
        except ParameterError as error:
            raise node.error(str(error), _("the names and ranges of parameters")) from error
    return parameters


def _turn(node: Node) -> Turn:
    """Read a beat on which a hand throws nothing: a list of the beat, the juggler and the hand.

    All count from 0; hand 0 is the left one.

    Args:
        node: the list in the document.

    Raises:
        FileError: the value is not a list of three whole numbers within the limits.
    """
    items = node.items(3)
    if len(items) != 3:
        raise node.error(
            _("this has {count}", count=len(items)),
            _("three numbers: a beat, a juggler and a hand"),
        )
    beat, juggler, hand = items
    return beat.whole(0, MAX_PERIOD), juggler.whole(0, MAX_JUGGLERS), hand.whole(0, 1)


def read_modifier(throw: Node) -> Modifier:
    """Return the bounces and the hold of a throw from our extension of JIF; `PLAIN` without it.

    Args:
        throw: the throw of the document.

    Raises:
        FileError: a value of the extension has the wrong type or is out of range.
    """
    extension = throw.get(EXTENSION_KEY)
    if extension is None:
        return PLAIN
    bounces = extension.get("bounces")
    style = extension.get("bounceStyle")
    held = extension.get("held")
    # A bounce without a style is lifted; a style without bounces means nothing.
    bounce_count = bounces.whole(0, MAX_BOUNCES) if bounces else 0
    kind = style.text() if style else "lift"
    if style and kind not in BOUNCE_STYLES:
        raise style.error(
            _("unknown bounce style"),
            _("one of {bounce_styles}", bounce_styles=", ".join(BOUNCE_STYLES)),
        )
    return Modifier(bounce_count, kind if bounce_count else "", held.flag() if held else None)


def write_modifier(throw: Throw) -> dict[str, Any]:
    """Return our own member of a throw, under its key; empty for a plain throw."""
    members: dict[str, Any] = (
        {"bounces": throw.bounces, "bounceStyle": throw.bounce_style} if throw.bounces else {}
    )
    if throw.held is not None:
        members["held"] = throw.held
    return {EXTENSION_KEY: members} if members else {}
