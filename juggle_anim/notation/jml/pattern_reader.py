"""The `<pattern>` element: from XML to a document."""

from __future__ import annotations

from juggle_anim.choreography import CatchStyle, PropLook
from juggle_anim.language import _
from juggle_anim.notation.jml.document import (
    JmlEvent,
    JmlPattern,
    JmlPosition,
    Symmetry,
    Transition,
    TransitionKind,
)
from juggle_anim.notation.jml.extension import read_event_extension, read_extension
from juggle_anim.notation.jml.modifiers import SIZE_KEYS, read_bounce, read_look, read_toss
from juggle_anim.notation.jml.xml import (
    Node,
    check_attributes,
    number,
    read_whole,
    required,
    shown,
    unknown,
    whole,
    word,
)
from juggle_anim.notation.limits import MAX_JML_EVENTS, MAX_JUGGLERS, MAX_PROPS, MIN_DELAY
from juggle_anim.notation.pattern_list import Note
from juggle_anim.notation.permutations import (
    JugglerPermutation,
    PathPermutation,
    PermutationError,
    read_jugglers,
    read_paths,
)

Version = tuple[int, ...]

_ONCE = ("title", "info", "basepattern", "setup")
_ELEMENTS = (*_ONCE, "prop", "symmetry", "event", "position")


def read_pattern(node: Node, version: Version) -> JmlPattern:
    """The document of a `<pattern>`.

    Raises:
        FileError: an element, an attribute or a value that JML does not have, or one that is
            missing.
    """
    found = _by_tag(node)
    setup = found["setup"][0]
    check_attributes(setup, "jugglers", "paths", "props")
    jugglers = whole(setup, "jugglers", 1, MAX_JUGGLERS, 1)
    paths = whole(setup, "paths", 0, MAX_PROPS)
    looks = tuple(_look(prop) for prop in found["prop"]) or (PropLook(),)
    delay, moved, symmetries = _symmetries(node, found["symmetry"], jugglers, paths)
    about, tags = read_info(found["info"][0]) if found["info"] else ("", ())
    notes: list[Note] = []
    return JmlPattern(
        jugglers=jugglers,
        looks=looks,
        props=_assigned(setup, paths, len(looks)),
        delay=delay,
        paths=moved,
        symmetries=symmetries,
        events=tuple(_event(event, version, jugglers, paths, notes) for event in found["event"]),
        positions=tuple(_position(position, jugglers) for position in found["position"]),
        title=read_words(found["title"][0]) if found["title"] else "",
        about=about,
        tags=tags,
        base=_base(found["basepattern"][0]) if found["basepattern"] else None,
        extension=read_extension(node.instructions, notes),
        notes=tuple(notes),
        location=node.location,
    )


def read_words(node: Node) -> str:
    """The text of an element, without the white space around it unless that is said to matter."""
    return node.text if node.attributes.get("xml:space") == "preserve" else node.text.strip()


def read_info(node: Node) -> tuple[str, tuple[str, ...]]:
    """The description and the tags in an `<info>`."""
    check_attributes(node, "tags")
    tags = [tag.strip() for tag in node.attributes.get("tags", "").split(",")]
    return read_words(node), tuple(dict.fromkeys(filter(None, tags)))


def _by_tag(node: Node) -> dict[str, list[Node]]:
    check_attributes(node)
    found: dict[str, list[Node]] = {tag: [] for tag in _ELEMENTS}
    for child in node.children:
        if child.tag not in found:
            raise unknown(
                child.location, _("<pattern> holds no <{tag}>", tag=child.tag), child.tag, _ELEMENTS
            )
        if found[child.tag] and child.tag in _ONCE:
            raise child.location.error(
                _("<{tag}> stands here for the second time", tag=child.tag),
                _("one in each pattern"),
            )
        if child.tag != "event":
            _check_empty(child)
        if len(found[child.tag]) == MAX_JML_EVENTS:
            raise child.location.error(
                _(
                    "the pattern has more than {max_jml_events} of <{tag}>",
                    max_jml_events=MAX_JML_EVENTS,
                    tag=child.tag,
                ),
                _("shorten it"),
            )
        found[child.tag].append(child)
    if not found["setup"]:
        raise node.location.error(
            _("the pattern has no <setup>"), _('write <setup jugglers="1" paths="3"/> in it')
        )
    return found


def _check_empty(node: Node) -> None:
    if node.children:
        inner = node.children[0]
        raise inner.location.error(
            _("<{tag}> stands in <{tag2}>", tag=inner.tag, tag2=node.tag),
            _("nothing stands in <{tag}>", tag=node.tag),
        )


def _look(node: Node) -> PropLook:
    check_attributes(node, "type", "mod")
    kind = word(node, "type", {name: name for name in SIZE_KEYS}, "ball")
    return read_look(node.location, kind, node.attributes.get("mod", ""))


def _assigned(setup: Node, paths: int, looks: int) -> tuple[int, ...]:
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


def _symmetries(
    pattern: Node, nodes: list[Node], jugglers: int, paths: int
) -> tuple[float, PathPermutation, tuple[Symmetry, ...]]:
    """Duration of the loop, its permutation of paths, and the other symmetries."""
    loops: list[tuple[float, PathPermutation]] = []
    others = []
    for node in nodes:
        check_attributes(node, "type", "jperm", "pperm", "delay")
        kind = word(node, "type", {name: name for name in ("delay", "switch", "switchdelay")}, "")
        moved = _path_permutation(node, paths)
        turned = _juggler_permutation(node, jugglers)
        if kind == "delay":
            delay = number(node, "delay")
            if delay < MIN_DELAY:
                accepted = _("at least {min_delay:g} seconds", min_delay=MIN_DELAY)
                raise node.location.error(
                    _("delay is {attributes}", attributes=shown(node.attributes["delay"])), accepted
                )
            loops.append((delay, moved))
        else:
            others.append(Symmetry(turned, moved, delayed=kind == "switchdelay"))
    if len(loops) != 1:
        reason = (
            _("the pattern has no symmetry of type delay")
            if not loops
            else _("the pattern has two delays")
        )
        raise pattern.location.error(
            reason, _('one <symmetry type="delay" pperm="(1)" delay="1"/>')
        )
    return *loops[0], tuple(others)


def _path_permutation(node: Node, paths: int) -> PathPermutation:
    try:
        return read_paths(node.attributes.get("pperm", ""), paths)
    except PermutationError as error:
        reason = _(
            "pperm is {attributes}, which is not a permutation: {error}",
            attributes=shown(node.attributes["pperm"]),
            error=error,
        )
        raise node.location.error(reason, _("cycles of paths, as (1,3)(2)")) from error


def _juggler_permutation(node: Node, jugglers: int) -> JugglerPermutation:
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
            reason, _("cycles of jugglers, as (1,2*), where * exchanges left and right")
        ) from error


def _event(node: Node, version: Version, jugglers: int, paths: int, notes: list[Note]) -> JmlEvent:
    check_attributes(node, "x", "y", "z", "t", "hand")
    juggler, side = _hand(node, jugglers)
    right = number(node, "x")
    forward = number(node, "y", 0.0)
    up = number(node, "z", 0.0)
    if version == (1,):
        # In the first version y was up and z forward.
        forward, up = up, forward
    transitions = tuple(_transition(child, paths) for child in node.children)
    manner, idle = read_event_extension(node.instructions, notes)
    return JmlEvent(
        number(node, "t"),
        juggler,
        side,
        (right, forward, up),
        transitions,
        manner,
        idle,
        node.location,
    )


def _hand(node: Node, jugglers: int) -> tuple[int, int]:
    text = required(node, "hand")
    juggler, colon, side = text.rpartition(":")
    if side.strip().lower() not in _SIDES:
        raise node.location.error(
            _("hand is {text}", text=shown(text)), _("a juggler and a side, as 1:left or 1:right")
        )
    number_of = (
        read_whole(node.location, _("the juggler of hand"), juggler, 1, jugglers) if colon else 1
    )
    return number_of - 1, _SIDES[side.strip().lower()]


def _transition(node: Node, paths: int) -> Transition:
    if node.tag not in _TRANSITIONS:
        raise unknown(
            node.location, _("<event> holds no <{tag}>", tag=node.tag), node.tag, _TRANSITIONS
        )
    _check_empty(node)
    kind, caught = _TRANSITIONS[node.tag]
    check_attributes(node, "path", "type", "mod")
    path = whole(node, "path", 1, paths) - 1
    mod = node.attributes.get("mod", "")
    if kind is TransitionKind.THROW:
        read = word(node, "type", {"toss": read_toss, "bounce": read_bounce}, "toss")
        return Transition(kind, path, flight=read(node.location, mod))
    if mod.strip():
        raise node.location.error(
            _("mod of <{tag}> is {mod}", tag=node.tag, mod=shown(mod)),
            _("a mod belongs to a throw"),
        )
    if node.tag == "catch":
        caught = word(node, "type", {style.name.lower(): style for style in CatchStyle}, "natural")
    return Transition(kind, path, caught=caught)


def _position(node: Node, jugglers: int) -> JmlPosition:
    check_attributes(node, "x", "y", "z", "t", "angle", "juggler")
    juggler = whole(node, "juggler", 1, jugglers, 1) - 1
    place = number(node, "x"), number(node, "y"), number(node, "z", 100.0)
    return JmlPosition(number(node, "t"), juggler, place, number(node, "angle", 0.0), node.location)


_SIDES = {"left": 0, "right": 1}

_TRANSITIONS = {
    "throw": (TransitionKind.THROW, CatchStyle.NATURAL),
    "catch": (TransitionKind.CATCH, CatchStyle.NATURAL),
    "softcatch": (TransitionKind.CATCH, CatchStyle.SOFT),
    "grabcatch": (TransitionKind.CATCH, CatchStyle.GRAB),
    "holding": (TransitionKind.HOLDING, CatchStyle.NATURAL),
}
