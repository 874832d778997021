"""Writing JML: a pattern, or a list of patterns."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from juggle_anim.choreography import CatchStyle, choreograph
from juggle_anim.notation.jml.conversion import from_choreography, write_flight, write_look
from juggle_anim.notation.jml.document import (
    OURS,
    JmlEvent,
    JmlPattern,
    JmlPosition,
    Symmetry,
    Transition,
    TransitionKind,
)
from juggle_anim.notation.jml.extension import event_attributes, extension_attributes, extension_of
from juggle_anim.notation.jml.symmetries import with_symmetries
from juggle_anim.notation.limits import EXACT, USUAL, Digits, decimals
from juggle_anim.notation.pattern_list import Entry, PatternList
from juggle_anim.notation.rewriting import known_kind, write_jugglers, write_paths
from juggle_anim.notation.settings.settings import Settings, write_settings
from juggle_anim.parameters import DEFAULTS, Parameters

_HEAD = '<?xml version="1.0"?>\n<!DOCTYPE jml SYSTEM "file://jml.dtd">\n<jml version="3">'

# Characters that XML does not allow; a pattern for those it allows takes ten times as long to
# compile.
_ILLEGAL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")

_ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;"}


def write_jml(patterns: PatternList) -> str:
    """Write patterns as a JML file of version 3.

    Events are written as a pattern with the fewest events that its symmetries allow, other patterns
    as a settings string in a list. An invalid line is written with its original text, except for
    events, of which only the heading is written.

    Args:
        patterns: the patterns; a single one with events makes a file without a list.
    """
    if patterns.single and len(patterns.entries) == 1:
        settings = patterns.entries[0].settings
        if settings and settings.score.placed:
            return "\n".join([_HEAD, _placed(settings), "</jml>", ""])
    body = [
        "<patternlist>",
        *([text_element("title", patterns.title)] if patterns.title else []),
        *info_lines(patterns.about, ()),
        *(line for entry in patterns.entries for line in _lines(entry)),
        "</patternlist>",
    ]
    return "\n".join([_HEAD, *body, "</jml>", ""])


def _lines(entry: Entry) -> Iterator[str]:
    """Yield the lines of a `<line>` element."""
    notation, content = _content(entry)
    head = {"display": entry.display, "notation": notation, "animprefs": entry.animprefs or None}
    if not content:
        yield element("line", **head)
        return
    yield opening_tag("line", **head)
    yield from content
    yield "</line>"


def _content(entry: Entry) -> tuple[str | None, list[str]]:
    """Return the notation of a `<line>`, and the lines within it; None and none for a heading."""
    if entry.settings is None:
        # A broken line keeps its text.
        return ("siteswap", [escaped(entry.text)]) if entry.text else (None, [])
    score = entry.settings.score
    if score.placed:
        return "jml", [_placed(entry.settings)]
    text = entry.text or write_settings(score, entry.settings.applied_to(Parameters()))
    # Juggling Lab reads throws without a key only where no setting follows.
    first, *others = text.split(";")
    if others and "=" not in first:
        text = f"pattern={text}"
    return "siteswap", [escaped(text), *info_lines(score.about, score.tags)]


def _placed(settings: Settings) -> str:
    """Return the text of a `<pattern>` for placed events, several lines in one string."""
    if settings.complete:
        # The present gravity and bounces of the parameters hold, not those of the time when the
        # events were made.
        placed = choreograph(settings.score, settings.applied_to(DEFAULTS))
        settings = replace(settings, score=replace(settings.score, placed=placed))
    pattern = from_choreography(settings.score)
    return write_pattern(
        replace(with_symmetries(pattern), extension=extension_of(settings, pattern))
    )


def write_pattern(pattern: JmlPattern) -> str:
    """Write a `<pattern>` element as several lines in one string, without a line end.

    Elements stand in the order in which Juggling Lab's document type wants them.

    Args:
        pattern: what to write; parts of it that are empty have no element.
    """
    lines = ["<pattern>"]
    if pattern.title:
        lines.append(text_element("title", pattern.title))
    lines += info_lines(pattern.about, pattern.tags)
    if pattern.base:
        notation, text = pattern.base
        lines.append(text_element("basepattern", text, notation=notation))
    if pattern.extension:
        lines.append(_instruction(**extension_attributes(pattern.extension)))
    lines += [
        element("prop", type=known_kind(look.kind), mod=write_look(look) or None)
        for look in pattern.looks
    ]
    # The number of the look of each path, from 1.
    props = ",".join(str(look + 1) for look in pattern.props)
    lines.append(
        element(
            "setup",
            jugglers=str(pattern.jugglers),
            paths=str(len(pattern.props)),
            props=props or None,
        )
    )
    # A file with our extension must be read back exactly, so numbers have all digits.
    digits = EXACT if pattern.extension else USUAL
    delay = decimals(pattern.delay, digits.loop)
    lines.append(element("symmetry", type="delay", pperm=write_paths(pattern.paths), delay=delay))
    lines += [_symmetry(symmetry) for symmetry in pattern.symmetries]
    lines += [_position(position, digits) for position in pattern.positions]
    for event in pattern.events:
        lines += _event(event, digits, extended=bool(pattern.extension))
    lines.append("</pattern>")
    return "\n".join(lines)


def element(tag: str, content: str | None = None, **attributes: str | None) -> str:
    """Return the text of an XML element.

    Args:
        tag: its name.
        content: XML text within it; None makes an empty element, `<tag/>`.
        attributes: values by name, those that are None are left out; a `_` in a name stands for a
            colon.
    """
    head = opening_tag(tag, **attributes)
    return f"{head[:-1]}/>" if content is None else f"{head}{content}</{tag}>"


def opening_tag(tag: str, **attributes: str | None) -> str:
    """Return the opening tag of an element; attributes that are None are left out."""
    # Python names cannot hold the colon of "xml:space".
    pairs = (
        f' {key.replace("_", ":")}="{_quoted(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    return f"<{tag}{''.join(pairs)}>"


def text_element(tag: str, text: str, **attributes: str) -> str:
    """Return an XML element with text, marked to keep white space at the ends of the text."""
    return element(
        tag, escaped(text), **attributes, xml_space="preserve" if text != text.strip() else None
    )


def info_lines(about: str, tags: tuple[str, ...]) -> list[str]:
    """Return the `<info>` element of a description and its tags; no line where there is neither."""
    if tags:
        return [text_element("info", about, tags=",".join(tags))]
    return [text_element("info", about)] if about else []


def escaped(text: str) -> str:
    """Escape a text for XML; a character that XML cannot hold becomes U+FFFD."""
    text = _ILLEGAL.sub("\ufffd", text)
    for character, name in _ESCAPES.items():
        text = text.replace(character, name)
    return text


def _quoted(text: str) -> str:
    # The reader of an attribute turns line breaks into spaces.
    return escaped(text).replace('"', "&quot;").replace("\n", "&#10;").replace("\t", "&#9;")


def _symmetry(symmetry: Symmetry) -> str:
    kind = "switchdelay" if symmetry.delayed else "switch"
    return element(
        "symmetry",
        type=kind,
        jperm=write_jugglers(symmetry.jugglers),
        pperm=write_paths(symmetry.paths),
    )


def _instruction(**attributes: str | None) -> str:
    """Our processing instruction, `<?juggle-anim …?>`; attributes that are None are left out."""
    # It looks like an opening tag, between <? and ?> instead of < and >.
    return f"<?{opening_tag(OURS, **attributes)[1:-1]}?>"


def _position(position: JmlPosition, digits: Digits) -> str:
    x, y, z = (decimals(part, digits.place) for part in position.place)
    time = decimals(position.time, digits.time)
    angle = decimals(position.angle, digits.angle)
    return element(
        "position", x=x, y=y, z=z, t=time, angle=angle, juggler=str(position.juggler + 1)
    )


def _event(event: JmlEvent, digits: Digits, *, extended: bool) -> Iterator[str]:
    """Yield the lines of an `<event>`, one empty element where the event holds nothing.

    Args:
        event: what to write.
        digits: decimals of numbers.
        extended: whether our instructions may stand in the event.
    """
    x, y, z = (decimals(part, digits.place) for part in event.place)
    hand = f"{event.juggler + 1}:{'right' if event.side else 'left'}"
    head = {"x": x, "y": y, "z": z, "t": decimals(event.time, digits.time), "hand": hand}
    attributes = event_attributes(event) if extended else {}
    if not event.transitions and not attributes:
        yield element("event", **head)
        return
    yield opening_tag("event", **head)
    if attributes:
        yield _instruction(**attributes)
    yield from map(_transition, event.transitions)
    yield "</event>"


def _transition(transition: Transition) -> str:
    """Return the XML element of a transition: a throw, a catch or the holding of a prop.

    Args:
        transition: its path is written counting from 1, and the style of a throw or catch only if
            it is not JML's default.
    """
    path = str(transition.path + 1)
    match transition.kind:
        case TransitionKind.THROW:
            kind, mod = write_flight(transition.flight)
            return element("throw", path=path, type=kind, mod=mod or None)
        case TransitionKind.CATCH:
            # A natural catch is JML's default.
            style = (
                None
                if transition.caught == CatchStyle.NATURAL
                else CatchStyle(transition.caught).name.lower()
            )
            return element("catch", path=path, type=style)
        case TransitionKind.HOLDING:
            return element("holding", path=path)
