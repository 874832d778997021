"""Reading JML: from XML to a document, a pattern, or a list of patterns."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape
from typing import NamedTuple

from juggle_anim.choreography import CatchStyle, PropLook, Score
from juggle_anim.errors import JuggleError
from juggle_anim.language import _
from juggle_anim.notation.jml.conversion import (
    SIZE_KEYS,
    read_bounce,
    read_look,
    read_toss,
    to_choreography,
)
from juggle_anim.notation.jml.document import (
    JmlEvent,
    JmlPattern,
    JmlPosition,
    Node,
    Symmetry,
    Transition,
    TransitionKind,
    check_attributes,
    number,
    read_tree,
    read_whole,
    required,
    shown,
    unknown,
    whole,
    word,
)
from juggle_anim.notation.jml.extension import (
    read_event_extension,
    read_extension,
    shown_parameters,
)
from juggle_anim.notation.limits import MAX_JML_EVENTS, MAX_JUGGLERS, MAX_PROPS, MIN_DELAY
from juggle_anim.notation.pattern_list import (
    Entry,
    Note,
    PatternList,
    ReadingBudget,
    without_traceback,
)
from juggle_anim.notation.rewriting import (
    JugglerPermutation,
    PathPermutation,
    PermutationError,
    read_jugglers,
    read_paths,
)
from juggle_anim.notation.settings import STANDING, Settings, read_settings

NEWEST = (3,)
"""The newest version that is known."""


def read_jml(text: str, name: str = "JML") -> PatternList:
    """Read the pattern, or the list of patterns, in a JML file (the XML of Juggling Lab).

    A line of a list that cannot be read becomes an entry with the error.

    Args:
        text: the whole file, of version 1 to 3.
        name: the name of the file, for messages.

    Raises:
        FileError: the text is not JML, or its only pattern cannot be read.
    """
    # Lists of the first versions have patterns in attributes; only these are converted.
    converted = _with_patterns_inside(text) if _PATTERN_ATTRIBUTE.search(text) else text
    # A file that states no version is of the newest one, but such an old list of 1.0.
    default_version = "3" if converted == text else "1.0"
    version, inner = _content(read_tree(converted, name), default_version)
    if inner.tag == "patternlist":
        return _read_list(inner, version, name)
    document = read_pattern(inner, version)
    entry = Entry(display=document.title, settings=_settings(document), line=inner.location.line)
    return PatternList(entries=(entry,), single=True, notes=document.notes)


def _with_patterns_inside(text: str) -> str:
    """Convert a list of JML 1.0 or 1.1, with patterns in attributes, to JML 1.2, with elements.

    `<line pattern="531"/>` becomes `<line>531</line>`. The old files may be invalid XML, with < and
    & unescaped in attributes; they are escaped here. Line breaks are kept, so that messages name
    the right lines. Juggling Lab 1.2 had a command for the same conversion.

    Args:
        text: text of the whole file; returned unchanged if it is not such a list.
    """
    pieces = []
    # Index up to which the text is copied: the end of the last <line> tag.
    end = 0
    is_old_list = False
    while (start := text.find("<line", end)) >= 0:
        line = _LINE_TAG.match(text, start)
        if line is None:
            # The tag is broken, which the XML parser will report with its place.
            return text
        pattern, other_attributes = _pattern_and_others(line["attributes"])
        pieces += [text[end:start], f"<line{other_attributes}"]
        if pattern is None:
            pieces.append(line["end"])
        else:
            # JML in the attribute becomes elements; any other notation stays text.
            is_jml = unescape(pattern).lstrip().startswith("<pattern")
            pieces.append(f">{unescape(pattern) if is_jml else _without_less_than(pattern)}")
            # A self-closing tag needs an end tag for its content.
            if line["end"].startswith("/"):
                pieces.append("</line>")
        is_old_list = is_old_list or pattern is not None
        end = line.end()
    if not is_old_list:
        return text
    return _UNESCAPED_AMPERSAND.sub("&amp;", "".join([*pieces, text[end:]]))


def _pattern_and_others(attributes: str) -> tuple[str | None, str]:
    """Split the text of the attributes of a <line> into the value of `pattern` and the others.

    Returns:
        The value, None if there is none; and the text of the other attributes, with each < escaped,
        and with the line breaks before `pattern`, so that lines keep their numbers.
    """
    pattern = None
    others = ""
    for space_and_key, key, quoted in _ANY_ATTRIBUTE.findall(attributes):
        if key == "pattern":
            # If there are several, the first one counts.
            if pattern is None:
                pattern = quoted[1:-1]
            others += "\n" * space_and_key.count("\n")
        else:
            others += f"{space_and_key}={_without_less_than(quoted)}"
    return pattern, others


def _without_less_than(text: str) -> str:
    """Return a text with each < escaped."""
    return text.replace("<", "&lt;")


def _content(root: Node, default_version: str) -> tuple[Version, Node]:
    """Return the version of a file, and the element of the pattern or of the list in it.

    Args:
        root: the outermost element; a pattern or a list may stand without a <jml> around it.
        default_version: version of a <jml> that states none.

    Raises:
        FileError: an unknown version or element, or not just one pattern or list.
    """
    if root.tag != "jml":
        return NEWEST, root
    check_attributes(root, "version")
    version = _version(root, default_version)
    # Unknown elements are refused first, since the nearest known one is suggested for them.
    for child in root.children:
        if child.tag not in ("pattern", "patternlist"):
            raise unknown(
                child.location,
                _("<jml> has no <{tag}>", tag=child.tag),
                child.tag,
                ("pattern", "patternlist"),
            )
    if len(root.children) != 1:
        reason = (
            _("the file has no pattern")
            if not root.children
            else _("the file has two patterns outside a list")
        )
        raise root.location.error(reason, _("one <pattern>, or one <patternlist>"))
    return version, root.children[0]


def _version(root: Node, default_version: str) -> Version:
    """Return the version of a file as numbers, without trailing zeros: 3 and 3.0 become (3,).

    Args:
        root: the <jml> element.
        default_version: the version of a file that states none.

    Raises:
        FileError: the text is not a version number, or is below 1 or above the newest version.
    """
    text = root.attributes.get("version", default_version).strip()
    if not re.fullmatch(r"[0-9]{1,4}(\.[0-9]{1,4}){0,3}", text, re.ASCII):
        raise root.location.error(
            _("version is {text}", text=shown(text)), _("a version from 1 to 3")
        )
    version = tuple(int(number) for number in text.split("."))
    while version[-1] == 0 and len(version) > 1:
        version = version[:-1]
    if not (1,) <= version <= NEWEST:
        raise root.location.error(
            _("version is {text}, which is not supported yet", text=shown(text)),
            _("a version from 1 to 3"),
        )
    return version


def _read_list(node: Node, version: Version, name: str) -> PatternList:
    """Read a `<patternlist>`; the entry of a line that cannot be read holds its error.

    Args:
        node: the XML element, with its attributes, its children and its place in the file.
        version: the version of the file.
        name: the name of the file, for messages.

    Raises:
        FileError: the list has an unknown element, or its lines take too long to read altogether.
    """
    # A list has no attributes.
    check_attributes(node)
    title = ""
    about = ""
    budget = ReadingBudget(name)
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
                budget.add(entries[-1], failure_cost=_symmetry_cost(child))
            case _:
                reason = _("<patternlist> has no <{tag}>", tag=child.tag)
                raise unknown(child.location, reason, child.tag, ("title", "info", "line"))
    return PatternList(tuple(entries), title, about, notes=tuple(notes))


def _read_line(node: Node, version: Version, notes: list[Note]) -> Entry:
    """Return the entry of a `<line>`: with a pattern, with an error, or with words alone.

    Args:
        node: the XML element, with its attributes, its children and its place in the file.
        version: the version of the file.
        notes: notes on what is not read in it are appended.
    """
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
        # A line without a pattern is a heading or a remark.
        if not notation and not node.children and not node.text.strip():
            return entry
        # The entry has its text also if this cannot be read.
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
        # A traceback would keep all objects of the parser in memory.
        return replace(entry, error=without_traceback(error))


def _symmetry_cost(line: Node) -> float:
    """Estimate the greatest time that reading the symmetries of a line may take, [µs].

    It grows with the square of the number of jugglers, and is bounded by the limit on symmetries.

    Args:
        line: the `<line>`, which may be broken, so that its numbers need not be valid.
    """
    setups = [
        inner for pattern in line.children for inner in pattern.children if inner.tag == "setup"
    ]
    juggler_texts = [setup.attributes.get("jugglers", "") for setup in setups]
    most_jugglers = max(
        (int(text) for text in juggler_texts if re.fullmatch("[0-9]{1,4}", text)), default=1
    )
    # 100 µs for each pair of jugglers, 0.1 s at most.
    return min(100.0 * most_jugglers**2, 100_000.0)


def _inner_pattern(node: Node) -> Node:
    """Return the only child of a JML line.

    Raises:
        FileError: the line holds anything but one `<pattern>`.
    """
    patterns = [child for child in node.children if child.tag == "pattern"]
    if len(patterns) != 1 or len(node.children) != 1 or node.text.strip():
        raise node.location.error(
            _("a line with notation jml must be one <pattern>"),
            _("exactly one <pattern> on the line"),
        )
    return patterns[0]


def _read_settings_line(node: Node) -> Settings:
    """Read the settings in a `<line>`, with description and tags from an `<info>` in it.

    Args:
        node: the XML element, with its attributes, its children and its place in the file.

    Raises:
        FileError: another element stands in the line.
        NotationError: the text is not a settings string.
    """
    for child in node.children:
        if child.tag != "info":
            raise unknown(
                child.location,
                _("<line> cannot have <{tag}> here", tag=child.tag),
                child.tag,
                ("info",),
            )
    # In JML a settings string may be broken into several lines anywhere.
    settings = read_settings(node.text.strip().replace("\r", "").replace("\n", ""))
    for child in node.children:
        about, tags = read_info(child)
        settings = replace(settings, score=replace(settings.score, about=about, tags=tags))
    return settings


def _settings(document: JmlPattern) -> Settings:
    """Return the settings of a JML pattern: its timed events, and the parameters of the file.

    The settings are complete: parameters that the file does not state have their defaults.

    Args:
        document: a parsed JML pattern: events, paths of props, symmetries and positions of
            jugglers.
    """
    score = Score(
        placed=to_choreography(document),
        title=document.title,
        about=document.about,
        tags=document.tags,
        base=document.base,
    )
    return Settings(score, shown_parameters(score, document.extension), complete=True)


_PATTERN_ATTRIBUTE = re.compile(r"""\spattern\s*=\s*["']""")
_ANY_ATTRIBUTE = re.compile(r"""(\s+([\w:]+)\s*)=\s*("[^"]*"|'[^']*')""")
_LINE_TAG = re.compile(rf"<line(?P<attributes>(?:{_ANY_ATTRIBUTE.pattern})*+)\s*(?P<end>/?>)")
_UNESCAPED_AMPERSAND = re.compile(r"&(?!(?:amp|lt|gt|quot|apos|#[0-9]{1,7}|#x[0-9a-fA-F]{1,6});)")


Version = tuple[int, ...]

_ONCE = ("title", "info", "basepattern", "setup")
_ELEMENTS = (*_ONCE, "prop", "symmetry", "event", "position")


def read_pattern(node: Node, version: Version) -> JmlPattern:
    """Read a `<pattern>` element into a document.

    Args:
        node: the XML element, with its attributes, its children and its place in the file.
        version: the version of the file, which decides the axes of places.

    Raises:
        FileError: an element, an attribute or a value is unknown, or missing.
    """
    # There is just one <setup>. Its numbers of jugglers and paths (props) limit the numbers in the
    # other elements.
    children = _by_tag(node)
    setup = children["setup"][0]
    check_attributes(setup, "jugglers", "paths", "props")
    jugglers = whole(setup, "jugglers", 1, MAX_JUGGLERS, default=1)
    paths = whole(setup, "paths", 0, MAX_PROPS)
    looks = tuple(_look(prop) for prop in children["prop"]) or (PropLook(),)
    symmetries = _read_symmetries(node, children["symmetry"], jugglers, paths)
    about, tags = read_info(children["info"][0]) if children["info"] else ("", ())
    notes: list[Note] = []
    return JmlPattern(
        jugglers=jugglers,
        looks=looks,
        props=_looks_of_paths(setup, paths, len(looks)),
        delay=symmetries.loop_duration,
        paths=symmetries.loop_permutation,
        symmetries=symmetries.others,
        events=tuple(_event(event, version, jugglers, paths, notes) for event in children["event"]),
        positions=tuple(_position(position, jugglers) for position in children["position"]),
        title=read_words(children["title"][0]) if children["title"] else "",
        about=about,
        tags=tags,
        base=_base(children["basepattern"][0]) if children["basepattern"] else None,
        extension=read_extension(node.instructions, notes),
        notes=tuple(notes),
        location=node.location,
    )


def read_words(node: Node) -> str:
    """Return the text of an element, without white space around it unless `xml:space` keeps it."""
    return node.text if node.attributes.get("xml:space") == "preserve" else node.text.strip()


def read_info(node: Node) -> tuple[str, tuple[str, ...]]:
    """Return the description and the tags in an `<info>`."""
    check_attributes(node, "tags")
    tags = [tag.strip() for tag in node.attributes.get("tags", "").split(",")]
    return read_words(node), tuple(dict.fromkeys(filter(None, tags)))


def _by_tag(node: Node) -> dict[str, list[Node]]:
    """Return the children of a `<pattern>` by tag; a tag that does not occur has an empty list.

    Args:
        node: the `<pattern>`.

    Raises:
        FileError: an element is unknown, occurs too often, or has content, or there is no <setup>.
    """
    # A pattern has no attributes.
    check_attributes(node)
    children: dict[str, list[Node]] = {tag: [] for tag in _ELEMENTS}
    for child in node.children:
        if child.tag not in children:
            raise unknown(
                child.location, _("<pattern> has no <{tag}>", tag=child.tag), child.tag, _ELEMENTS
            )
        if children[child.tag] and child.tag in _ONCE:
            raise child.location.error(
                _("<{tag}> occurs a second time here", tag=child.tag),
                _("one in each pattern"),
            )
        # Only events hold other elements.
        if child.tag != "event":
            _check_empty(child)
        if len(children[child.tag]) == MAX_JML_EVENTS:
            raise child.location.error(
                _(
                    "the pattern has more than {max_jml_events} <{tag}>",
                    max_jml_events=MAX_JML_EVENTS,
                    tag=child.tag,
                ),
                _("shorten it"),
            )
        children[child.tag].append(child)
    if not children["setup"]:
        raise node.location.error(
            _("the pattern has no <setup>"), _('add <setup jugglers="1" paths="3"/>')
        )
    return children


def _check_empty(node: Node) -> None:
    if node.children:
        inner = node.children[0]
        raise inner.location.error(
            _("<{tag}> is inside <{tag2}>", tag=inner.tag, tag2=node.tag),
            _("<{tag}> must be empty", tag=node.tag),
        )


def _look(node: Node) -> PropLook:
    check_attributes(node, "type", "mod")
    kind = word(node, "type", {name: name for name in SIZE_KEYS}, "ball")
    return read_look(node.location, kind, node.attributes.get("mod", ""))


def _looks_of_paths(setup: Node, paths: int, looks: int) -> tuple[int, ...]:
    """Return for each path the index of its prop's look, as `props` of `<setup>` says.

    Args:
        setup: the element; its `props` are numbers from 1, separated by commas.
        paths: number of paths.
        looks: number of `<prop>` elements.

    Raises:
        FileError: the count of numbers is not that of paths, or a number names no prop.
    """
    # Without the attribute, the props of all paths have the first look.
    if not setup.attributes.get("props", "").strip():
        return (0,) * paths
    text = setup.attributes["props"]
    count = text.count(",") + 1
    if count != paths:
        raise setup.location.error(
            _("props of <setup> has {count} numbers", count=count),
            _("one for each of the {paths} paths", paths=paths),
        )
    return tuple(
        read_whole(setup.location, _("a prop of <setup>"), piece, 1, looks) - 1
        for piece in text.split(",")
    )


def _base(node: Node) -> tuple[str, str]:
    check_attributes(node, "notation")
    return node.attributes.get("notation", "siteswap").strip(), read_words(node)


class _Symmetries(NamedTuple):
    """The symmetries of a pattern.

    Attributes:
        loop_duration: duration of the loop: the delay of the symmetry of type delay, [s].
        loop_permutation: for each path the one on which its prop is a loop later.
        others: all other symmetries.
    """

    loop_duration: float
    loop_permutation: PathPermutation
    others: tuple[Symmetry, ...]


def _read_symmetries(pattern: Node, nodes: list[Node], jugglers: int, paths: int) -> _Symmetries:
    """Read the symmetries of a pattern.

    Args:
        pattern: the `<pattern>`, for messages.
        nodes: its `<symmetry>` elements.
        jugglers: number of jugglers.
        paths: number of paths.

    Raises:
        FileError: a value that cannot be read, or not just one symmetry of type delay.
    """
    # Duration and permutation of paths of each symmetry of type delay, of which there must be one:
    # it says that the loop repeats.
    loops: list[tuple[float, PathPermutation]] = []
    other_symmetries = []
    for node in nodes:
        check_attributes(node, "type", "jperm", "pperm", "delay")
        kind = word(node, "type", {name: name for name in ("delay", "switch", "switchdelay")}, "")
        path_permutation = _path_permutation(node, paths)
        juggler_permutation = _juggler_permutation(node, jugglers)
        if kind == "delay":
            delay = number(node, "delay")
            if delay < MIN_DELAY:
                accepted = _("at least {min_delay:g} seconds", min_delay=MIN_DELAY)
                raise node.location.error(
                    _("delay is {attributes}", attributes=shown(node.attributes["delay"])), accepted
                )
            loops.append((delay, path_permutation))
        else:
            other_symmetries.append(
                Symmetry(juggler_permutation, path_permutation, delayed=kind == "switchdelay")
            )
    if len(loops) != 1:
        reason = (
            _("the pattern has no symmetry of type delay")
            if not loops
            else _("the pattern has two delays")
        )
        raise pattern.location.error(
            reason, _('one entry such as <symmetry type="delay" pperm="(1)" delay="1"/>')
        )
    ((loop_duration, loop_permutation),) = loops
    return _Symmetries(loop_duration, loop_permutation, tuple(other_symmetries))


def _path_permutation(node: Node, paths: int) -> PathPermutation:
    try:
        return read_paths(node.attributes.get("pperm", ""), paths)
    except PermutationError as error:
        reason = _(
            "pperm is {attributes}, which is not a permutation: {error}",
            attributes=shown(node.attributes["pperm"]),
            error=error,
        )
        raise node.location.error(reason, _("cycles of paths, such as (1,3)(2)")) from error


def _juggler_permutation(node: Node, jugglers: int) -> JugglerPermutation:
    """Return the permutation of jugglers from `jperm`; the identity where it is left out.

    Args:
        node: the `<symmetry>`.
        jugglers: number of jugglers.

    Raises:
        FileError: the text is not a permutation of the jugglers.
    """
    text = node.attributes.get("jperm", "")
    if not text.strip():
        return tuple((juggler, False) for juggler in range(jugglers))
    try:
        return read_jugglers(text, jugglers)
    except PermutationError as error:
        reason = _(
            "jperm is {text}, which is not a permutation: {error}", text=shown(text), error=error
        )
        raise node.location.error(
            reason, _("cycles of jugglers, such as (1,2*), where * swaps left and right")
        ) from error


def _event(node: Node, version: Version, jugglers: int, paths: int, notes: list[Note]) -> JmlEvent:
    """Read an `<event>`: its hand, time, place and transitions.

    Args:
        node: the XML element, with its attributes, its children and its place in the file.
        version: the version of the file; it decides on the axes.
        jugglers: number of jugglers.
        paths: number of paths.
        notes: notes on what is not read in its instructions are appended.

    Raises:
        FileError: an unknown element or attribute, or a value that cannot be read.
    """
    check_attributes(node, "x", "y", "z", "t", "hand")
    juggler, side = _hand(node, jugglers)
    x = number(node, "x")
    y = number(node, "y", default=0.0)
    z = number(node, "z", default=0.0)
    # Right, forward and up. In the first version y was up and z forward.
    place = (x, z, y) if version == (1,) else (x, y, z)
    transitions = tuple(_transition(child, paths) for child in node.children)
    manner, idle = read_event_extension(node.instructions, notes)
    return JmlEvent(
        time=number(node, "t"),
        juggler=juggler,
        side=side,
        place=place,
        transitions=transitions,
        manner=manner,
        idle=idle,
        location=node.location,
    )


def _hand(node: Node, jugglers: int) -> tuple[int, int]:
    """Read the hand of an event, from a `hand` such as "1:left" or "left".

    Args:
        node: the XML element, with its attributes, its children and its place in the file.
        jugglers: number of jugglers.

    Returns:
        The juggler, from 0, and the side, 0 left and 1 right.

    Raises:
        FileError: an unknown side, or no juggler from 1 to `jugglers`.
    """
    text = required(node, "hand")
    # Without a colon, it is a hand of the first juggler.
    juggler, colon, side = text.rpartition(":")
    if side.strip().lower() not in _SIDES:
        raise node.location.error(
            _("hand is {text}", text=shown(text)),
            _("a juggler and a side, such as 1:left or 1:right"),
        )
    juggler_number = (
        read_whole(node.location, _("the juggler of hand"), juggler, 1, jugglers) if colon else 1
    )
    return juggler_number - 1, _SIDES[side.strip().lower()]


def _transition(node: Node, paths: int) -> Transition:
    """Read a `<throw>`, `<catch>`, `<softcatch>`, `<grabcatch>` or `<holding>` of an event.

    Args:
        node: the XML element, with its attributes, its children and its place in the file.
        paths: number of paths of the pattern.

    Raises:
        FileError: an unknown element or attribute, a `mod` of anything but a throw, or a value that
            cannot be read.
    """
    if node.tag not in _TRANSITIONS:
        raise unknown(
            node.location, _("<event> cannot have <{tag}>", tag=node.tag), node.tag, _TRANSITIONS
        )
    _check_empty(node)
    kind, caught = _TRANSITIONS[node.tag]
    check_attributes(node, "path", "type", "mod")
    path = whole(node, "path", 1, paths) - 1
    mod = node.attributes.get("mod", "")
    if kind is TransitionKind.THROW:
        read_style = word(node, "type", {"toss": read_toss, "bounce": read_bounce}, "toss")
        return Transition(kind, path, flight=read_style(node.location, mod))
    if mod.strip():
        raise node.location.error(
            _("mod of <{tag}> is {mod}", tag=node.tag, mod=shown(mod)),
            _("a mod belongs to a throw"),
        )
    # The tag says the style of the other catches.
    if node.tag == "catch":
        caught = word(node, "type", {style.name.lower(): style for style in CatchStyle}, "natural")
    return Transition(kind, path, caught=caught)


def _position(node: Node, jugglers: int) -> JmlPosition:
    check_attributes(node, "x", "y", "z", "t", "angle", "juggler")
    return JmlPosition(
        time=number(node, "t"),
        juggler=whole(node, "juggler", 1, jugglers, default=1) - 1,
        place=(number(node, "x"), number(node, "y"), number(node, "z", default=STANDING)),
        angle=number(node, "angle", default=0.0),
        location=node.location,
    )


_SIDES = {"left": 0, "right": 1}

_TRANSITIONS = {
    "throw": (TransitionKind.THROW, CatchStyle.NATURAL),
    "catch": (TransitionKind.CATCH, CatchStyle.NATURAL),
    "softcatch": (TransitionKind.CATCH, CatchStyle.SOFT),
    "grabcatch": (TransitionKind.CATCH, CatchStyle.GRAB),
    "holding": (TransitionKind.HOLDING, CatchStyle.NATURAL),
}
