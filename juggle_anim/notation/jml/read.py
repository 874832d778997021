"""Reading JML: a pattern, or a list of patterns."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape

from juggle_anim.choreography import Score
from juggle_anim.errors import JuggleError
from juggle_anim.language import _
from juggle_anim.notation.jml.document import JmlPattern
from juggle_anim.notation.jml.extension import shown_parameters
from juggle_anim.notation.jml.pattern_reader import Version, read_info, read_pattern, read_words
from juggle_anim.notation.jml.to_choreography import to_choreography
from juggle_anim.notation.jml.xml import Node, check_attributes, read_tree, shown, unknown
from juggle_anim.notation.pattern_list import (
    Entry,
    Note,
    PatternList,
    ReadingBudget,
    without_traceback,
)
from juggle_anim.notation.settings.settings import Settings, read_settings

NEWEST = (3,)
"""The newest version that is known."""


def read_jml(text: str, name: str = "JML") -> PatternList:
    """The patterns of a JML file of version 1 to 3.

    A line of a list that cannot be read becomes an entry with the reason.

    Args:
        text: the whole file.
        name: of the file, for messages.

    Raises:
        FileError: it is not JML, or its only pattern cannot be read.
    """
    converted = _with_patterns_inside(text) if _OLD.search(text) else text
    version, inner = _content(read_tree(converted, name), "3" if converted == text else "1.0")
    if inner.tag == "patternlist":
        return _read_list(inner, version, name)
    document = read_pattern(inner, version)
    entry = Entry(display=document.title, settings=_settings(document), line=inner.location.line)
    return PatternList(entries=(entry,), single=True, notes=document.notes)


def _with_patterns_inside(text: str) -> str:
    """A list of JML 1.0 or 1.1, which has each pattern in an attribute of its line, as later
    versions have it.

    Such a file need not be XML, since < and & stand in attributes as they are. Its lines keep their
    numbers. Since 1.2 Juggling Lab reads none of this, but it came with a command that converts it;
    this does the same. A text that is no such list is returned as it is.
    """
    pieces = []
    place = 0
    moved = False
    while (start := text.find("<line", place)) >= 0:
        found = _LINE.match(text, start)
        if found is None:
            return text
        attributes = _ATTRIBUTE.findall(found["attributes"])
        pattern = next((value[1:-1] for _, key, value in attributes if key == "pattern"), None)
        others = "".join(
            "\n" * before.count("\n") if key == "pattern" else f"{before}={_marked(value)}"
            for before, key, value in attributes
        )
        pieces += [text[place:start], f"<line{others}"]
        if pattern is None:
            pieces.append(found["end"])
        else:
            inside = (
                unescape(pattern)
                if unescape(pattern).lstrip().startswith("<pattern")
                else _marked(pattern)
            )
            pieces.append(f">{inside}" + "</line>" * found["end"].startswith("/"))
        moved = moved or pattern is not None
        place = found.end()
    return _LONE_AND.sub("&amp;", "".join([*pieces, text[place:]])) if moved else text


def _marked(text: str) -> str:
    """A text with marks for the < in it."""
    return text.replace("<", "&lt;")


def _content(root: Node, usual: str) -> tuple[Version, Node]:
    """The version of a file, which is `usual` where none is said, and the pattern or the list in
    it.
    """
    if root.tag != "jml":
        return NEWEST, root
    check_attributes(root, "version")
    version = _version(root, usual)
    for child in root.children:
        if child.tag not in ("pattern", "patternlist"):
            raise unknown(
                child.location,
                _("<jml> holds no <{tag}>", tag=child.tag),
                child.tag,
                ("pattern", "patternlist"),
            )
    if len(root.children) != 1:
        reason = (
            _("the file holds no pattern")
            if not root.children
            else _("the file holds two patterns outside a list")
        )
        raise root.location.error(reason, _("one <pattern>, or one <patternlist>"))
    return version, root.children[0]


def _version(root: Node, usual: str) -> Version:
    text = root.attributes.get("version", usual).strip()
    if not re.fullmatch(r"[0-9]{1,4}(\.[0-9]{1,4}){0,3}", text, re.ASCII):
        raise root.location.error(
            _("version is {text}", text=shown(text)), _("a version from 1 to 3")
        )
    version = tuple(int(part) for part in text.split("."))
    while version[-1] == 0 and len(version) > 1:
        version = version[:-1]
    if not (1,) <= version <= NEWEST:
        raise root.location.error(
            _("version is {text}, which is not known yet", text=shown(text)),
            _("a version from 1 to 3"),
        )
    return version


def _read_list(node: Node, version: Version, name: str) -> PatternList:
    check_attributes(node)
    title = ""
    about = ""
    work = ReadingBudget(name)
    entries = []
    notes = list[Note]()
    for child in node.children:
        match child.tag:
            case "title":
                title = read_words(child)
            case "info":
                about = read_words(child)
            case "line":
                entries.append(_read_line(child, version, notes))
                work.add(entries[-1], _tried(child))
            case _:
                reason = _("<patternlist> holds no <{tag}>", tag=child.tag)
                raise unknown(child.location, reason, child.tag, ("title", "info", "line"))
    return PatternList(tuple(entries), title, about, notes=tuple(notes))


def _read_line(node: Node, version: Version, notes: list[Note]) -> Entry:
    attributes = node.attributes
    entry = Entry(
        attributes.get("display", ""),
        line=node.location.line,
        animprefs=attributes.get("animprefs", ""),
    )
    notation = attributes.get("notation", "").strip().lower()
    try:
        check_attributes(node, "display", "animprefs", "notation")
        if notation == "jml":
            document = read_pattern(_inner_pattern(node), version)
            notes += document.notes
            return replace(entry, settings=_settings(document))
        if not notation and not node.children and not node.text.strip():
            return entry
        entry = replace(entry, text=node.text.strip())
        if notation not in ("", "siteswap"):
            raise unknown(
                node.location,
                _("notation is {notation}", notation=shown(notation)),
                notation,
                ("siteswap", "jml"),
            )
        settings = _read_settings_line(node)
        notes += [Note(node.location.line, note) for note in settings.notes]
        return replace(entry, settings=settings)
    except JuggleError as error:
        return replace(entry, error=without_traceback(error))


def _tried(line: Node) -> float:
    """Return the greatest cost of reading the symmetries of a one-line pattern, about in
    microseconds.
    """
    setups = [
        inner for pattern in line.children for inner in pattern.children if inner.tag == "setup"
    ]
    jugglers = [setup.attributes.get("jugglers", "") for setup in setups]
    most = max((int(text) for text in jugglers if re.fullmatch("[0-9]{1,4}", text)), default=1)
    return min(100.0 * most**2, 100_000.0)


def _inner_pattern(node: Node) -> Node:
    patterns = [child for child in node.children if child.tag == "pattern"]
    if len(patterns) != 1 or len(node.children) != 1 or node.text.strip():
        raise node.location.error(
            _("a line with notation jml is not one <pattern>"), _("just one <pattern> in the line")
        )
    return patterns[0]


def _read_settings_line(node: Node) -> Settings:
    for child in node.children:
        if child.tag != "info":
            raise unknown(
                child.location,
                _("<line> holds no <{tag}> here", tag=child.tag),
                child.tag,
                ("info",),
            )
    # In JML a settings string may go over several lines anywhere.
    settings = read_settings(node.text.strip().replace("\r", "").replace("\n", ""))
    for child in node.children:
        about, tags = read_info(child)
        settings = replace(settings, score=replace(settings.score, about=about, tags=tags))
    return settings


def _settings(document: JmlPattern) -> Settings:
    """A placed pattern; a file means the defaults where it says nothing."""
    score = Score(
        placed=to_choreography(document),
        title=document.title,
        about=document.about,
        tags=document.tags,
        base=document.base,
    )
    return Settings(score, shown_parameters(score, document.extension), complete=True)


_OLD = re.compile(r"""\spattern\s*=\s*["']""")
_ATTRIBUTE = re.compile(r"""(\s+([\w:]+)\s*)=\s*("[^"]*"|'[^']*')""")
_LINE = re.compile(rf"<line(?P<attributes>(?:{_ATTRIBUTE.pattern})*+)\s*(?P<end>/?>)")
_LONE_AND = re.compile(r"&(?!(?:amp|lt|gt|quot|apos|#[0-9]{1,7}|#x[0-9a-fA-F]{1,6});)")
