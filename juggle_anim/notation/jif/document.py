"""A JSON document, as people write it: comments and commas too many are forgiven."""

from __future__ import annotations

import json
import math
import re
from typing import Any

from juggle_anim.errors import FileError
from juggle_anim.notation.jif.limits import MAX_CHARACTERS
from juggle_anim.notation.jif.node import Node
from juggle_anim.printable import printable


def read_document(text: str, name: str) -> Node:
    """The whole of a document.

    Args:
        text: JSON; comments as in JavaScript and a comma after the last member mean nothing.
        name: of the file, for errors.

    Raises:
        FileError: it is too long, nested too deep, no JSON, no object, or an object has two members of one name.
    """
    if len(text) > MAX_CHARACTERS:
        raise FileError(f"{name}: has {len(text)} characters; up to {MAX_CHARACTERS} are read")
    text = text.removeprefix("\ufeff")
    try:
        root = _parsed(text, name)
    except FileError:
        cleaned = _cleaned(text)
        if cleaned == text:
            raise
        root = _parsed(cleaned, name)
    if not isinstance(root.value, dict):
        raise root.error("this is no object", 'a JIF document is one, as {"throws": […]}')
    return root


def _parsed(text: str, name: str) -> Node:
    doubled: list[tuple[int, str]] = []

    def members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            names = [key for key, _ in pairs]
            doubled.append((id(found), next(key for key in names if names.count(key) > 1)))
        return found

    try:
        root = Node(name, "", json.loads(text, object_pairs_hook=members, parse_int=_whole))
    except json.JSONDecodeError as error:
        raise FileError(f"{name}: line {error.lineno}: this is no JSON: {_reason(error)}") from error
    except RecursionError as error:
        raise FileError(f"{name}: brackets are nested too deep; a JIF document has about four levels") from error
    if doubled:
        _refuse_doubled(root, dict(doubled))
    return root


def _whole(digits: str) -> int | float:
    # Python turns thousands of digits into no int; whoever reads the place says that it is out of range.
    return int(digits) if len(digits) < 400 else math.inf


def _reason(error: json.JSONDecodeError) -> str:
    reason = error.msg[:1].lower() + error.msg[1:].removesuffix(" at")
    rest = error.doc[error.pos : error.pos + 1]
    if not rest:
        return f"{reason}, but it ends"
    return f"{reason}, not {printable(rest)!r}" if reason.startswith("expecting") else reason


def _refuse_doubled(root: Node, doubled: dict[int, str]) -> None:
    """Blame the first object that has a member twice, wherever it stands."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if isinstance(node.value, dict):
            if id(node.value) in doubled:
                twice = Node(node.name, node.way(doubled[id(node.value)]), None)
                raise twice.error("is given twice", "give each member once")
            waiting += [Node(node.name, node.way(key), value) for key, value in node.value.items()]
        elif isinstance(node.value, list):
            waiting += [Node(node.name, f"{node.where}[{index}]", value) for index, value in enumerate(node.value)]


def _cleaned(text: str) -> str:
    """The text with blanks in place of comments and of commas that nothing follows; lines keep their numbers."""
    without = _COMMENT.sub(lambda found: found[0] if found[0][0] == '"' else _blank(found[0]), text)
    return _COMMA.sub(lambda found: " " if found[0] == "," else found[0], without)


def _blank(text: str) -> str:
    return "".join("\n" if character == "\n" else " " for character in text)


# Texts are matched so that nothing in them is taken for a comment; what is never closed goes on to the end.
_TEXT = r'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)'
_COMMENT = re.compile(rf"{_TEXT}|//[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)
_COMMA = re.compile(rf"{_TEXT}|,(?=\s*[}}\]])", re.DOTALL)
