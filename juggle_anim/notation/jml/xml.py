"""XML elements with their line numbers, read safely, and their attributes as checked numbers and
words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar
from xml.etree.ElementTree import ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import DefusedXMLParser

from juggle_anim.errors import FileError, did_you_mean
from juggle_anim.language import N_, _
from juggle_anim.notation.limits import (
    MAX_JML_CHARACTERS,
    MAX_JML_NUMBER,
    MAX_XML_ATTRIBUTES,
    MAX_XML_DEPTH,
    MAX_XML_ELEMENTS,
    MAX_XML_TAG,
)

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
        text: what stands in it after its target.
        location: where it begins.
    """

    text: str
    location: Location


@dataclass
class Node:
    """An element.

    Args:
        tag: its name, in small letters.
        attributes: by their names in small letters.
        location: where it begins.
        text: all that stands in it outside its children.
        children: the elements in it.
        instructions: those of ours in it.
    """

    tag: str
    attributes: Mapping[str, str]
    location: Location
    text: str = ""
    children: list[Node] = field(default_factory=list)
    instructions: list[Instruction] = field(default_factory=list)


def read_tree(text: str, name: str) -> Node:
    """The outermost element of an XML text.

    The document type that JML files name is accepted and never fetched.

    Args:
        text: the whole file.
        name: of the file, for messages.

    Raises:
        FileError: it is not XML, or no JML, not complete, too large or too deep, or it defines
            entities.
    """
    if len(text) > MAX_JML_CHARACTERS:
        raise Location(name, 1).error(
            _("the file has {count} characters", count=len(text)),
            _("{max_jml_characters} are read at most", max_jml_characters=MAX_JML_CHARACTERS),
        )
    builder = _Builder(name)
    parser = DefusedXMLParser(
        target=builder, forbid_dtd=False, forbid_entities=True, forbid_external=True
    )
    builder.position = parser.parser
    parser.parser.ElementDeclHandler = builder.declaration
    parser.parser.AttlistDeclHandler = builder.declaration
    try:
        _feed(parser, text.removeprefix("\ufeff"), builder)
        parser.close()
    except ParseError as error:
        raise _syntax_error(error, builder) from error
    except DefusedXmlException as error:
        raise builder.here().error(
            _("the file defines entities of its own"), _("JML needs none")
        ) from error
    except (ValueError, LookupError) as error:
        raise builder.here().error(
            _("the file holds characters that no XML can hold"), _("text in Unicode")
        ) from error
    assert builder.root is not None, "XML without an element is a syntax error"
    return builder.root


def _feed(parser: DefusedXMLParser, text: str, builder: _Builder) -> None:
    """Feed a text in parts, so that a tag of any length is refused before it is read."""
    size = 0
    for start in range(0, len(text), _CHUNK_LENGTH):
        part = text[start : start + _CHUNK_LENGTH]
        parser.feed(part)
        size += len(part.encode())
        if size - parser.parser.CurrentByteIndex > MAX_XML_TAG:
            raise builder.here().error(
                _("a tag has more than {max_xml_tag} characters", max_xml_tag=MAX_XML_TAG),
                _("JML needs a thousandth of them"),
            )


class _Builder:
    """Callbacks of the XML parser."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.position: object = None
        self.root: Node | None = None
        self.open: list[tuple[Node, list[str]]] = []
        self.elements = 0
        self.attributes = 0

    def here(self) -> Location:
        return Location(self.name, int(getattr(self.position, "CurrentLineNumber", 1)))

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """Open an element: the callback for its first tag, which checks the limits."""
        self._count()
        self.attributes += len(attributes)
        if self.attributes > MAX_XML_ATTRIBUTES:
            raise self.here().error(
                _(
                    "the file has more than {max_xml_attributes} attributes",
                    max_xml_attributes=MAX_XML_ATTRIBUTES,
                ),
                _("split it into several"),
            )
        if len(self.open) >= MAX_XML_DEPTH:
            raise self.here().error(
                _(
                    "elements stand more than {max_xml_depth} deep in each other",
                    max_xml_depth=MAX_XML_DEPTH,
                ),
                _("JML needs six"),
            )
        # A name space says nothing here; of attributes in one, only xml:space means anything.
        names = {
            key.replace("{http://www.w3.org/XML/1998/namespace}", "xml:").lower(): key
            for key in attributes
        }
        tag = tag.rpartition("}")[2].lower()[:_MAX_NAME_LENGTH]
        node = Node(tag, {name: attributes[key] for name, key in names.items()}, self.here())
        if self.open:
            self.open[-1][0].children.append(node)
        elif node.tag not in ROOTS:
            raise node.location.error(
                _("this is not JML: it begins with <{tag}>", tag=node.tag), _BEGINNING
            )
        else:
            self.root = node
        self.open.append((node, []))

    def pi(self, target: str, text: str | None = None) -> None:
        if target == OURS and self.open:
            self._count()
            self.open[-1][0].instructions.append(Instruction(text or "", self.here()))

    def declaration(self, *_declared: object) -> None:
        self._count()

    def data(self, text: str) -> None:
        if self.open:
            self.open[-1][1].append(text)

    def end(self, _tag: str) -> None:
        node, texts = self.open.pop()
        node.text = "".join(texts)

    def _count(self) -> None:
        self.elements += 1
        if self.elements > MAX_XML_ELEMENTS:
            raise self.here().error(
                _(
                    "the file has more than {max_xml_elements} elements",
                    max_xml_elements=MAX_XML_ELEMENTS,
                ),
                _("split it into several"),
            )

    def close(self) -> None:
        """Nothing is left to do; the parser wants to say so."""


def _syntax_error(error: ParseError, builder: _Builder) -> FileError:
    """Return the error for text that is no XML, or that ends too early."""
    location = Location(builder.name, error.position[0])
    reason = str(error).partition(":")[0]
    if builder.root is None:
        return location.error(_("this is not JML"), _BEGINNING)
    if builder.open and reason in ("no element found", "unclosed token"):
        return location.error(
            _("the file ends within <{tag}>", tag=builder.open[-1][0].tag),
            _("a whole file ends with </jml>"),
        )
    return location.error(
        _("this is not XML: {reason}", reason=reason),
        _("every element closed, and &lt; &amp; for < and & in words"),
    )


@dataclass(frozen=True)
class Location:
    """A line of a file.

    Args:
        name: of the file.
        line: from 1.
    """

    name: str = ""
    line: int = 0

    def error(self, reason: str, accepted: str = "") -> FileError:
        """Return an error for this element, with what would be accepted, in one line."""
        return FileError(
            f"{self.name}:{self.line}: {_(reason)}{'; ' if accepted else ''}{_(accepted)}"
        )


def shown(text: str) -> str:
    """A text from a file, in quotes, fit for one line of a message."""
    return repr(text if len(text) <= _SHOWN_LENGTH else text[: _SHOWN_LENGTH - 1] + "…")


def check_attributes(node: Node, *known: str) -> None:
    """Refuse attributes that an element does not have.

    Raises:
        FileError: it has one; the nearest that there is is suggested.
    """
    for key in node.attributes:
        if key not in known and not key.startswith(("xml", "{")):
            raise unknown(
                node.location,
                _("<{tag}> has no attribute {key}", tag=node.tag, key=shown(key)),
                key,
                known,
            )


def unknown(location: Location, reason: str, word: str, known: Iterable[str]) -> FileError:
    """A word that means nothing here, with the nearest that does."""
    names = list(known)
    return location.error(
        reason,
        did_you_mean(
            word.lower(), names, _("there is {names}", names=", ".join(names) or _("nothing"))
        ),
    )


def required(node: Node, key: str) -> str:
    """The text of an attribute that must be there.

    Raises:
        FileError: it is not.
    """
    if key not in node.attributes:
        raise node.location.error(
            _("<{tag}> has no {key}", tag=node.tag, key=key), _('write {key}="…" in it', key=key)
        )
    return node.attributes[key]


def number(node: Node, key: str, default: float | None = None) -> float:
    """The number in an attribute; without a default it must be there.

    Raises:
        FileError: it is not there, or no finite number.
    """
    if default is not None and key not in node.attributes:
        return default
    return read_number(
        node.location, _("{key} of <{tag}>", key=key, tag=node.tag), required(node, key)
    )


def whole(node: Node, key: str, low: int, high: int, default: int | None = None) -> int:
    """The whole number in an attribute; without a default it must be there.

    Raises:
        FileError: it is not there, or no whole number from `low` to `high`.
    """
    if default is not None and key not in node.attributes:
        return default
    return read_whole(
        node.location, _("{key} of <{tag}>", key=key, tag=node.tag), required(node, key), low, high
    )


def word(node: Node, key: str, meanings: Mapping[str, Value], default: str) -> Value:
    """Return the value of an attribute that is one of several words.

    Raises:
        FileError: it is none of `meanings`; the nearest of them is suggested.
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
    """A finite number from a text.

    Raises:
        FileError: it is none, or too large; `what` names it.
    """
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
    """A whole number from a text.

    Raises:
        FileError: it is none from `low` to `high`; `what` names it.
    """
    if not (_WHOLE.fullmatch(text.strip()) and low <= int(text) <= high):
        raise location.error(
            _("{what} is {text}", what=what, text=shown(text)),
            _("a whole number from {low} to {high}", low=low, high=high),
        )
    return int(text)
