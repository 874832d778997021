"""Facts in words, a line each, as the command `check` and the viewer show them."""

from __future__ import annotations

from juggle_anim.errors import counted
from juggle_anim.notation.facts import FACT_NAMES, Facts, HandLoad, Relative, WayThrough


def fact_lines(facts: Facts, unit: str = "beats") -> list[tuple[str, str]]:
    """The facts except states in words: the name of each, and what is to be said of it.

    Args:
        facts: of a pattern.
        unit: of its periods.
    """
    returns = f", props after {facts.prop_period:.12g}" if facts.prop_period else ""
    repeats = ("repeats", f"hands after {facts.hand_period:.4g} {unit}{returns}")
    if len(reasons := set(facts.missing.values())) == 1 and len(facts.missing) == len(FACT_NAMES) - 2:
        return [("facts", f"not applicable: {reasons.pop()}"), repeats]
    lines = {
        "parts": _parts_in_words(facts),
        "entry": facts.entry and _way_in_words(facts.entry, "{1}, then {0}", "not needed: begin with {0}"),
        "exit": facts.exit and _way_in_words(facts.exit, "{0}, then {1}", "not needed: end after {0}"),
        "inverse": facts.inverse and _relative_in_words(facts.inverse),
        "dual": facts.dual and _relative_in_words(facts.dual),
        "mirror": facts.mirror and _relative_in_words(facts.mirror),
        "hand_load": facts.hand_load and _load_in_words(facts.hand_load),
    }
    return [
        (name.replace("_", " "), words or f"not applicable: {facts.missing.get(name, '')}")
        for name, words in lines.items()
    ] + [repeats]


def _parts_in_words(facts: Facts) -> str | None:
    if facts.parts is None:
        return None
    if facts.prime:
        return "prime: no state comes twice"
    return "composite: " + ", ".join(f"{times} × {text}" if times > 1 else text for text, times in facts.parts)


def _way_in_words(way: WayThrough, through: str, none: str) -> str:
    return (through if way.throws else none).format(way.pattern, way.throws)


def _relative_in_words(relative: Relative) -> str:
    same = " (itself)" if relative.same else ""
    height = f": {counted(relative.props, 'prop')}, height {relative.height}" if relative.height else ""
    return f"{relative.siteswap}{same}{height}"


def _load_in_words(load: HandLoad) -> str:
    span = f"{load.smallest:g}" + f" to {load.largest:g}" * (load.smallest != load.largest)
    return f"{span} prop{'s' * (span != '1')} a hand, {load.at_once} at once"
