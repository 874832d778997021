"""The elements of an XML text, each with its line, and nothing that a hostile file could do harm with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from xml.etree.ElementTree import ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import DefusedXMLParser

from juggle_anim.errors import FileError
from juggle_anim.notation.jml.limits import MAX_CHARACTERS, MAX_DEPTH, MAX_ELEMENTS
from juggle_anim.notation.jml.spot import Spot

ROOTS = ("jml", "pattern", "patternlist")
"""What the outermost element may be."""

_BEGINS = 'a JML file is XML and begins with <jml version="3">'


@dataclass
class Node:
    """An element.

    Args:
        tag: its name, in small letters.
        attributes: by their names in small letters.
        spot: where it begins.
        text: all that stands in it outside its children.
        children: the elements in it.
    """

    tag: str
    attributes: Mapping[str, str]
    spot: Spot
    text: str = ""
    children: list[Node] = field(default_factory=list)


def read_tree(text: str, name: str) -> Node:
    """The outermost element of an XML text.

    The document type that JML files name is accepted and never fetched.

    Args:
        text: the whole file.
        name: of the file, for messages.

    Raises:
        FileError: it is no XML, or no JML, not complete, too large or too deep, or it defines entities.
    """
    if len(text) > MAX_CHARACTERS:
        raise Spot(name, 1).error(f"the file has {len(text)} characters", f"{MAX_CHARACTERS} are read at most")
    builder = _Builder(name)
    parser = DefusedXMLParser(target=builder, forbid_dtd=False, forbid_entities=True, forbid_external=True)
    builder.position = parser.parser
    try:
        parser.feed(text.removeprefix("\ufeff"))
        parser.close()
    except ParseError as error:
        raise _syntax_error(error, builder) from error
    except DefusedXmlException as error:
        raise builder.here().error("the file defines entities of its own", "JML needs none") from error
    except (ValueError, LookupError) as error:
        raise builder.here().error("the file holds characters that no XML can hold", "text in Unicode") from error
    assert builder.root is not None, "XML without an element is a syntax error"
    return builder.root


# No name in JML is half as long, and names go into messages.
_LONGEST_NAME = 30


class _Builder:
    """What the parser tells of the elements as it meets them."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.position: object = None
        self.root: Node | None = None
        self.open: list[tuple[Node, list[str]]] = []
        self.elements = 0

    def here(self) -> Spot:
        return Spot(self.name, int(getattr(self.position, "CurrentLineNumber", 1)))

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        self.elements += 1
        if self.elements > MAX_ELEMENTS:
            raise self.here().error(f"the file has more than {MAX_ELEMENTS} elements", "split it into several")
        if len(self.open) >= MAX_DEPTH:
            raise self.here().error(f"elements stand more than {MAX_DEPTH} deep in each other", "JML needs six")
        # A name space says nothing here; of attributes in one, only xml:space means anything.
        node = Node(_bare(tag), {_small(key): value for key, value in attributes.items()}, self.here())
        if self.open:
            self.open[-1][0].children.append(node)
        elif node.tag not in ROOTS:
            raise node.spot.error(f"this is no JML: it begins with <{node.tag}>", _BEGINS)
        else:
            self.root = node
        self.open.append((node, []))

    def data(self, text: str) -> None:
        if self.open:
            self.open[-1][1].append(text)

    def end(self, _tag: str) -> None:
        node, texts = self.open.pop()
        node.text = "".join(texts)

    def close(self) -> None:
        """Nothing is left to do; the parser wants to say so."""


def _bare(tag: str) -> str:
    return tag.rpartition("}")[2].lower()[:_LONGEST_NAME]


def _small(key: str) -> str:
    return key.replace("{http://www.w3.org/XML/1998/namespace}", "xml:").lower()


def _syntax_error(error: ParseError, builder: _Builder) -> FileError:
    spot = Spot(builder.name, error.position[0])
    reason = str(error).partition(":")[0]
    if builder.root is None:
        return spot.error("this is no JML", _BEGINS)
    if builder.open and reason in ("no element found", "unclosed token"):
        return spot.error(f"the file ends within <{builder.open[-1][0].tag}>", "a whole file ends with </jml>")
    return spot.error(f"this is no XML: {reason}", "every element closed, and &lt; &amp; for < and & in words")
