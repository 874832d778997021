"""The JML document: what a pattern says, element by element, in its own units of centimetres,
degrees and seconds.

XML elements with their line numbers, read safely, and their attributes as checked numbers and
words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import field
from enum import IntEnum
from typing import TypeVar
from xml.etree.ElementTree import ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import DefusedXMLParser

from juggle_anim.choreography import AIR, USUAL, CatchStyle, FlightStyle, Manner, PropLook
from juggle_anim.errors import FileError, did_you_mean, hand_in_words
from juggle_anim.language import N_, _
from juggle_anim.lazy_dataclass import dataclass
from juggle_anim.notation.limits import (
    MAX_JML_CHARACTERS,
    MAX_JML_NUMBER,
    MAX_XML_ATTRIBUTES,
    MAX_XML_DEPTH,
    MAX_XML_ELEMENTS,
    MAX_XML_TAG,
)
from juggle_anim.notation.pattern_list import Note
from juggle_anim.notation.rewriting import JugglerPermutation, PathPermutation

ROOTS = ("jml", "pattern", "patternlist")
"""The names of root elements."""

OURS = "juggle-anim"
"""The target of processing instructions that are ours; other programs skip them, as XML wants it.
"""

_BEGINNING = N_('a JML file is XML and begins with <jml version="3">')

# No name in JML is half as long, and names go into messages.
_MAX_NAME_LENGTH = 30

_SHOWN_LENGTH = 40  # characters of a text from the file in a message

# characters; the length of an open tag is checked after each chunk.
_CHUNK_LENGTH = 100_000

Value = TypeVar("Value")

_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,4})?", re.ASCII)

_WHOLE = re.compile(r"\+?[0-9]{1,9}", re.ASCII)


@dataclass(frozen=True)
class Instruction:
    """A processing instruction of ours.

    Args:
        text: the text in it after its target.
        location: place in the file where it begins.
    """

    text: str
    location: Location


@dataclass
class Node:
    """An element.

    Args:
        tag: its name, in lower case.
        attributes: by their names in lower case.
        location: place in the file where it begins.
        text: all text in it outside its children.
        children: the elements in it.
        instructions: our own processing instructions in it.
    """

    tag: str
    attributes: Mapping[str, str]
    location: Location
    text: str = ""
    children: list[Node] = field(default_factory=list)
    instructions: list[Instruction] = field(default_factory=list)


def read_tree(text: str, name: str) -> Node:
    """Parse an XML text and return its outermost element.

    The document type that JML files name is accepted and never fetched.

    Args:
        text: the whole file.
        name: the name of the file, for messages.

    Raises:
        FileError: the text is no XML or no JML, is cut off, too large or nested too deep, or
            defines entities.
    """
    if len(text) > MAX_JML_CHARACTERS:
        raise Location(name, 1).error(
            _("the file has {count} characters", count=len(text)),
            _("the limit is {max_jml_characters}", max_jml_characters=MAX_JML_CHARACTERS),
        )
    builder = _Builder(name)
    parser = DefusedXMLParser(
        target=builder, forbid_dtd=False, forbid_entities=True, forbid_external=True
    )
    # The builder reads line numbers from the expat parser inside, and counts declarations in the
    # document type like elements, since they take time, too.
    builder.expat = parser.parser
    parser.parser.ElementDeclHandler = builder.declaration
    parser.parser.AttlistDeclHandler = builder.declaration
    try:
        # A byte order mark is not part of the XML.
        _feed(parser, text.removeprefix("\ufeff"), builder)
        parser.close()
    except ParseError as error:
        raise _syntax_error(error, builder) from error
    except DefusedXmlException as error:
        raise builder.here().error(
            _("the file defines its own entities"), _("JML needs none")
        ) from error
    # The text has a lone surrogate, which cannot be fed to expat as UTF-8, or the file names an
    # encoding that Python does not know.
    except (ValueError, LookupError) as error:
        raise builder.here().error(
            _("the file has characters that XML does not allow"), _("text in Unicode")
        ) from error
    assert builder.root is not None, "XML without an element is a syntax error"
    return builder.root


def _feed(parser: DefusedXMLParser, text: str, builder: _Builder) -> None:
    """Feed a text to a parser chunk by chunk, so that a huge tag is refused before it is all read.

    Args:
        parser: the parser.
        text: the whole file.
        builder: the builder of the parser, which knows the present line, for the error.

    Raises:
        FileError: a tag is longer than MAX_XML_TAG bytes.
    """
    bytes_fed = 0
    # The length of an open tag is checked after each chunk of `_CHUNK_LENGTH` characters.
    for start in range(0, len(text), _CHUNK_LENGTH):
        chunk = text[start : start + _CHUNK_LENGTH]
        parser.feed(chunk)
        bytes_fed += len(chunk.encode())
        # The parser's index stays at the start of a tag until it has the whole tag.
        if bytes_fed - parser.parser.CurrentByteIndex > MAX_XML_TAG:
            raise builder.here().error(
                _("a tag has more than {max_xml_tag} characters", max_xml_tag=MAX_XML_TAG),
                _("JML needs a thousandth of that"),
            )


class _Builder:
    """Callbacks of the XML parser, which build a tree of nodes and check the limits.

    Attributes:
        name: the name of the file, for messages.
        expat: the parser inside, which knows the current line.
        root: the outermost element; None until it is opened.
        open_nodes: the elements that are open, outermost first, each with the pieces of its text.
        item_count: number of elements, instructions and declarations so far.
        attribute_count: number of attributes so far.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.expat: object = None
        self.root: Node | None = None
        self.open_nodes: list[tuple[Node, list[str]]] = []
        self.item_count = 0
        self.attribute_count = 0

    def here(self) -> Location:
        """Return the line that the parser is at."""
        return Location(self.name, int(getattr(self.expat, "CurrentLineNumber", 1)))

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """Open an element; the parser calls this for its opening tag.

        Raises:
            FileError: too many elements or attributes, too deep a nesting, or a root element that
                is not JML's.
        """
        self._count()
        self.attribute_count += len(attributes)
        if self.attribute_count > MAX_XML_ATTRIBUTES:
            raise self.here().error(
                _(
                    "the file has more than {max_xml_attributes} attributes",
                    max_xml_attributes=MAX_XML_ATTRIBUTES,
                ),
                _("split it into several"),
            )
        if len(self.open_nodes) >= MAX_XML_DEPTH:
            raise self.here().error(
                _(
                    "elements are nested more than {max_xml_depth} deep",
                    max_xml_depth=MAX_XML_DEPTH,
                ),
                _("JML needs six"),
            )
        # The parser gives a name in a name space as "{space}name". Of such attributes only those of
        # XML itself get their usual form, xml:name; the name space of an element is dropped.
        values = {
            key.replace("{http://www.w3.org/XML/1998/namespace}", "xml:").lower(): value
            for key, value in attributes.items()
        }
        tag = tag.rpartition("}")[2].lower()[:_MAX_NAME_LENGTH]
        node = Node(tag, values, self.here())
        if self.open_nodes:
            parent, _texts = self.open_nodes[-1]
            parent.children.append(node)
        elif node.tag not in ROOTS:
            raise node.location.error(
                _("this is not JML: it begins with <{tag}>", tag=node.tag), _BEGINNING
            )
        else:
            self.root = node
        self.open_nodes.append((node, []))

    def pi(self, target: str, text: str | None = None) -> None:
        """Keep a processing instruction if it is ours and stands in an element."""
        if target == OURS and self.open_nodes:
            self._count()
            node, _texts = self.open_nodes[-1]
            node.instructions.append(Instruction(text or "", self.here()))

    def declaration(self, *_declared: object) -> None:
        self._count()

    def data(self, text: str) -> None:
        if self.open_nodes:
            _node, texts = self.open_nodes[-1]
            texts.append(text)

    def end(self, _tag: str) -> None:
        node, texts = self.open_nodes.pop()
        node.text = "".join(texts)

    def _count(self) -> None:
        """Count an element, instruction or declaration.

        Raises:
            FileError: the file has too many of them.
        """
        self.item_count += 1
        if self.item_count > MAX_XML_ELEMENTS:
            raise self.here().error(
                _(
                    "the file has more than {max_xml_elements} elements",
                    max_xml_elements=MAX_XML_ELEMENTS,
                ),
                _("split it into several"),
            )

    def close(self) -> None:
        """Do nothing; the parser calls this method at the end of a file."""


def _syntax_error(error: ParseError, builder: _Builder) -> FileError:
    """Return the error for a text that the XML parser refused, in words for the user.

    Args:
        error: the error of the parser, such as "no element found: line 3, column 0".
        builder: the builder, with the elements that were read until then.
    """
    line, _column = error.position
    location = Location(builder.name, line)
    reason = str(error).partition(":")[0]
    if builder.root is None:
        return location.error(_("this is not JML"), _BEGINNING)
    # These reasons mean that the text ends too early.
    if builder.open_nodes and reason in ("no element found", "unclosed token"):
        innermost, _texts = builder.open_nodes[-1]
        return location.error(
            _("the file ends within <{tag}>", tag=innermost.tag),
            _("a complete file ends with </jml>"),
        )
    return location.error(
        _("this is not XML: {reason}", reason=reason),
        _("every element closed, and &lt; &amp; for < and & in words"),
    )


@dataclass(frozen=True)
class Location:
    """A line of a file.

    Args:
        name: the name of the file.
        line: number of the line, from 1.
    """

    name: str = ""
    line: int = 0

    def error(self, reason: str, accepted: str = "") -> FileError:
        """Return an error at this line: the reason, and after it the accepted input, if any."""
        return FileError(
            f"{self.name}:{self.line}: {_(reason)}{'; ' if accepted else ''}{_(accepted)}"
        )


def shown(text: str) -> str:
    """Return a text of a file for a message: quoted, escaped to one line and cut if long."""
    return repr(text if len(text) <= _SHOWN_LENGTH else text[: _SHOWN_LENGTH - 1] + "…")


def check_attributes(node: Node, *known: str) -> None:
    """Raise an error for unknown attributes of an element.

    Args:
        node: the XML element, with its attributes, its children and its place in the file.
        known: names of the attributes that it may have.

    Raises:
        FileError: an attribute is unknown; the message suggests the nearest known one.
    """
    for key in node.attributes:
        # Attributes of XML itself and of other name spaces are allowed everywhere.
        if key not in known and not key.startswith(("xml", "{")):
            raise unknown(
                node.location,
                _("<{tag}> has no attribute {key}", tag=node.tag, key=shown(key)),
                key,
                known,
            )


def unknown(location: Location, reason: str, word: str, known: Iterable[str]) -> FileError:
    """Return the error for an unknown word, which suggests the nearest known one.

    Args:
        location: the location of the word.
        reason: what is wrong, for the message.
        word: the word as it stands in the file.
        known: all words that are accepted in its place.
    """
    names = list(known)
    return location.error(
        reason,
        did_you_mean(
            word.lower(), names, _("there is {names}", names=", ".join(names) or _("nothing"))
        ),
    )


def required(node: Node, key: str) -> str:
    """Return the text of a required attribute.

    Raises:
        FileError: the element does not have it.
    """
    if key not in node.attributes:
        raise node.location.error(
            _("<{tag}> has no {key}", tag=node.tag, key=key), _('add {key}="…"', key=key)
        )
    return node.attributes[key]


def number(node: Node, key: str, default: float | None = None) -> float:
    """Return the number in an attribute; required if there is no default.

    Raises:
        FileError: the attribute is missing, or no finite number.
    """
    if default is not None and key not in node.attributes:
        return default
    return read_number(
        node.location, _("{key} of <{tag}>", key=key, tag=node.tag), required(node, key)
    )


def whole(node: Node, key: str, low: int, high: int, default: int | None = None) -> int:
    """Return the whole number in an attribute; required if there is no default.

    Raises:
        FileError: the attribute is missing, or no whole number from `low` to `high`.
    """
    if default is not None and key not in node.attributes:
        return default
    return read_whole(
        node.location, _("{key} of <{tag}>", key=key, tag=node.tag), required(node, key), low, high
    )


def word(node: Node, key: str, meanings: Mapping[str, Value], default: str) -> Value:
    """Return the meaning of an attribute that is one of several words, in any case of letters.

    Args:
        node: the XML element, with its attributes, its children and its place in the file.
        key: name of the attribute.
        meanings: the words in lower case, and the meaning of each.
        default: the word that a missing attribute stands for.

    Raises:
        FileError: the word is not among `meanings`; the message suggests the nearest one.
    """
    text = node.attributes.get(key, default)
    meaning = meanings.get(text.strip().lower())
    if meaning is None:
        raise unknown(
            node.location,
            _("{key} of <{tag}> is {text}", key=key, tag=node.tag, text=shown(text)),
            text.strip(),
            meanings,
        )
    return meaning


def read_number(location: Location, what: str, text: str) -> float:
    """Read a finite number.

    Args:
        location: the location of the text.
        what: name of the quantity, for messages.
        text: the number, maybe with white space around it.

    Raises:
        FileError: the text is not a number, or is beyond ±MAX_JML_NUMBER.
    """
    # Stricter than `float`, which would also read "nan", "1_0" and digits of other scripts.
    if not _NUMBER.fullmatch(text.strip()):
        raise location.error(
            _("{what} is {text}, which is not a number", what=what, text=shown(text)),
            _("a number such as 12.5"),
        )
    value = float(text)
    if not abs(value) <= MAX_JML_NUMBER:
        raise location.error(
            _("{what} is {text}", what=what, text=shown(text)),
            _(
                "a number from {max_jml_number:.0f} to {max_jml_number2:.0f}",
                max_jml_number=-MAX_JML_NUMBER,
                max_jml_number2=MAX_JML_NUMBER,
            ),
        )
    return value


def read_whole(location: Location, what: str, text: str, low: int, high: int) -> int:
    """Read a whole number from `low` to `high`, both included.

    Args:
        location: the location of the text.
        what: name of the quantity, for messages.
        text: the number, maybe with white space around it.
        low: least number accepted.
        high: greatest number accepted.

    Raises:
        FileError: the text is not a whole number in this range.
    """
    if not (_WHOLE.fullmatch(text.strip()) and low <= int(text) <= high):
        raise location.error(
            _("{what} is {text}", what=what, text=shown(text)),
            _("a whole number from {low} to {high}", low=low, high=high),
        )
    return int(text)


Triple = tuple[float, float, float]

NOWHERE = Location()


class TransitionKind(IntEnum):
    """The kinds of transitions, in the order in which they happen to one prop at one moment."""

    CATCH = 0
    HOLDING = 1
    THROW = 2


@dataclass(frozen=True)
class Transition:
    """A transition of the prop on a path.

    Args:
        kind: what happens to the prop.
        path: number of the path, from 0.
        flight: flight of a throw, how it flies; its way of being caught belongs to the catch.
        caught: the caught of a catch.
    """

    kind: TransitionKind
    path: int
    flight: FlightStyle = AIR
    caught: CatchStyle = CatchStyle.NATURAL


@dataclass(frozen=True)
class JmlEvent:
    """An event of a hand.

    Args:
        time: [s], may lie outside the loop.
        juggler: index of the juggler.
        side: 0 left, 1 right.
        place: the place of the hand, right, forward and up of its usual place in front of the body,
            [cm].
        transitions: what happens to props.
        manner: how the hand is turned, and what it does around the body.
        idle: whether it only gives the place of an idle hand; if not, the hand throws, catches or
            holds.
        location: its place in the file.
    """

    time: float
    juggler: int
    side: int
    place: Triple
    transitions: tuple[Transition, ...] = ()
    manner: Manner = USUAL
    idle: bool = False
    location: Location = field(default=NOWHERE, compare=False, repr=False)

    @property
    def hand(self) -> int:
        """Hand index, 2·juggler + side."""
        return 2 * self.juggler + self.side


@dataclass(frozen=True)
class JmlPosition:
    """A body position.

    Args:
        time: [s].
        juggler: index of the juggler.
        place: place in the world, x, y and z up; a standing body has z = 100, [cm].
        angle: counterclockwise as seen from above, 0 faces +y, [degrees].
        location: its place in the file.
    """

    time: float
    juggler: int
    place: Triple
    angle: float
    location: Location = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True)
class Symmetry:
    """A symmetry of a pattern: the same events with hands and paths permuted.

    Args:
        jugglers: the permutation of jugglers.
        paths: the permutation of paths.
        delayed: whether it applies after the loop's duration divided by the order of `jugglers`, or
            at once.
    """

    jugglers: JugglerPermutation
    paths: PathPermutation
    delayed: bool


@dataclass(frozen=True)
class Extension:
    """The content of our own instruction in a pattern: all that JML has no words for.

    Args:
        as_juggling_lab: whether hands and bodies move as in Juggling Lab, see `Choreography`.
        parameters: all that are not at their defaults, and as `bps` the tempo if it does not follow
            from the rest of the pattern; None if nothing is said.
        numbers: the numbers of the throws in order of their times, as they are numbered; empty if
            that is their order.
        first: for each orbit with throws the number of its first; empty if that is its first one
            in the loop.
        spins: the spins of the throws as they are numbered, as in `FlightStyle`; empty if all
            are usual.
    """

    as_juggling_lab: bool = True
    parameters: Mapping[str, float | str | None] | None = None
    numbers: tuple[int, ...] = ()
    first: tuple[int, ...] = ()
    spins: tuple[float | None, ...] = ()


@dataclass(frozen=True)
class JmlPattern:
    """A whole pattern.

    Args:
        jugglers: how many.
        looks: the looks of the kinds of prop.
        props: for each path the index of its look in `looks`.
        delay: duration of the loop, [s].
        paths: the path that takes over another's part a loop later.
        symmetries: all other symmetries.
        events: the listed events; the symmetries generate the others.
        positions: the positions of bodies; a juggler without any stands where jugglers usually
            stand.
        title: the pattern's name.
        about: a description.
        tags: words to find it by.
        base: the notation and the text of the pattern from which it was made.
        extension: our additions to JML; None in files of other programs.
        notes: notes on what is not read.
        location: its place in the file.
    """

    jugglers: int
    looks: tuple[PropLook, ...]
    props: tuple[int, ...]
    delay: float
    paths: PathPermutation
    symmetries: tuple[Symmetry, ...]
    events: tuple[JmlEvent, ...]
    positions: tuple[JmlPosition, ...] = ()
    title: str = ""
    about: str = ""
    tags: tuple[str, ...] = ()
    base: tuple[str, str] | None = None
    extension: Extension | None = None
    notes: tuple[Note, ...] = ()
    location: Location = field(default=NOWHERE, compare=False, repr=False)


def hand_name(hand: int) -> str:
    """Return the name of a hand for messages; `hand` is 2·juggler + side."""
    return _("the {hand} of juggler {juggler}", hand=hand_in_words(hand), juggler=hand // 2 + 1)
