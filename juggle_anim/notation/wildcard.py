"""Wildcards: the values that throws left open with a `?` may take."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import chain

from juggle_anim.errors import NotationError, PatternError
from juggle_anim.notation.limits import MAX_LENGTH, MAX_OPEN, MAX_OPEN_VALUE, MAX_PROPS, MAX_VALUE
from juggle_anim.notation.nearest import Option, Room, nearest_choices
from juggle_anim.notation.parser import parse
from juggle_anim.notation.placement import Placement, place
from juggle_anim.notation.syntax import OPEN, VALUES, Group, Single, Start, leaves_of
from juggle_anim.pattern import LEFT, Throw

Site = tuple[int, int, int]
"""Beat in the loop, juggler and hand: where throws are made and props land."""


def completions(text: str, limit: int = MAX_OPEN_VALUE) -> Iterator[str]:
    """All texts with a value for every `?` that are patterns, the nearest first.

    Nearest is that with the least squares of the distances of the new throws from the mean of the written ones; of
    equals the one with fewer props, then the one with the lower throws, read from the left.

    Args:
        text: a siteswap, such as `5?1`; without a `?` it is its own completion.
        limit: the highest throw that a `?` may become, in beats.

    Raises:
        NotationError: the text does not follow the grammar, nothing completes it, or too much is left open. This
            comes at once, not while the texts are taken.
    """
    tree = parse(text)
    placement = place(text, tree)
    opened = _opened(text, placement)
    limit = min(limit, MAX_VALUE)
    missing = _missing(placement)
    try:
        found = _found(tree, placement, opened, missing, limit)
        first = next(found, None)
    except PatternError as error:
        raise NotationError(text, min(opened), str(error), "write some of these throws") from error
    if first is None:
        raise _refusal(text, placement, opened, missing, limit)
    return (_completed(text, dict(zip(opened, values, strict=True))) for values in chain([first], found))


def _opened(text: str, placement: Placement) -> dict[int, list[Throw]]:
    """By the index of each `?`, the throws of the loop that it stands for."""
    opened: dict[int, list[Throw]] = defaultdict(list)
    for throw, start in sorted(placement.throws, key=lambda placed: placed.start):
        if throw.value == OPEN:
            opened[start].append(throw)
    starts = list(opened)
    if len(starts) > MAX_OPEN:
        raise NotationError(
            text, starts[MAX_OPEN], f"more than {MAX_OPEN} throws are left open", f"up to {MAX_OPEN} throws written ?"
        )
    if len(text) + len(starts) * len(str(MAX_VALUE)) > MAX_LENGTH and starts:
        raise NotationError(text, starts[0], "this text is too long to be completed", "a shorter one")
    return dict(opened)


def _missing(placement: Placement) -> Counter[Site]:
    """How many more props must land at each site, if no `?` is a 0; below 0 where too many do."""
    missing: Counter[Site] = Counter()
    for throw, _ in placement.throws:
        missing[throw.beat, throw.juggler, throw.hand] += 1
        if throw.value != OPEN:
            missing[_landing(throw, throw.value, placement.period)] -= 1
    return missing


def _landing(throw: Throw, value: int, period: int) -> Site:
    """Where a throw lands if it has that value; an odd difference from its own turns the hand round."""
    return (throw.beat + value) % period, throw.to_juggler, (throw.to_hand + value - throw.value) % 2


def _found(
    tree: Group, placement: Placement, opened: dict[int, list[Throw]], missing: Counter[Site], limit: int
) -> Iterator[tuple[int, ...]]:
    if any(count < 0 for count in missing.values()):
        return iter(())
    width = max(missing.values(), default=0).bit_length() + 1
    sites = [site for site, count in missing.items() if count]
    fields = {site: 1 << width * index for index, site in enumerate(sites)}
    room = Room(
        sum(missing[site] * field for site, field in fields.items()),
        sum(field << width - 1 for field in fields.values()),
    )
    total, written = _mean(tree)
    options = [
        [
            Option(value, (value * written - total) ** 2, value * len(throws), sum(fields[site] for site in taken))
            for value, taken in _fitting(throws, placement.period, missing, limit)
        ]
        for throws in opened.values()
    ]
    fixed = sum(throw.value for throw, _ in placement.throws if throw.value != OPEN)
    return nearest_choices(options, room, MAX_PROPS * placement.period - fixed)


def _mean(tree: Group) -> tuple[int, int]:
    """The sum and the number of the written throws. Where there are none, 3½ makes 3 of `?` and (4,4) of `(?,?)`."""
    hands = [
        hand
        for leaf in leaves_of(tree.items)
        if not isinstance(leaf, Start)
        for hand in ((leaf.throws,) if isinstance(leaf, Single) else (leaf.left, leaf.right))
    ]
    values = [throw.value for throw in chain.from_iterable(hands) if throw.value != OPEN]
    return (sum(values), len(values)) if values else (7, 2)


def _fitting(
    throws: Sequence[Throw], period: int, missing: Counter[Site], limit: int
) -> Iterator[tuple[int, list[Site]]]:
    """The values that land only where props are missing, with the sites that they fill.

    A 0 lands nowhere, but where nothing is thrown nothing is missing: it fills the sites it is thrown from. Nothing
    can be passed, crossed or bounced in no time.
    """
    laps = 2 * period
    for first in range(min(limit + 1, laps)):
        taken = [_landing(throw, first, period) for throw in throws]
        if all(count <= missing[site] for site, count in Counter(taken).items()):
            skips = first == 0 and (throws[0].bounces or taken[0] != throws[0][:3])
            for value in range(laps if skips else first, limit + 1, laps):
                yield value, taken


def _completed(text: str, values: dict[int, int]) -> str:
    pieces, end = [], 0
    for start, value in values.items():
        pieces += [text[end:start], _written(value, text, start)]
        end = start + 1
    return "".join(pieces) + text[end:]


def _written(value: int, text: str, index: int) -> str:
    """A value as one character, in braces where what stands around it would give that another meaning."""
    character = VALUES[value] if value < len(VALUES) else ""
    receiver = character.isdigit() and "<" in text and _PASS_BEFORE.search(text, 0, index)
    crossed = character.isalpha() and text[index + 1 :].lstrip()[:1] in ("x", "X")
    return f"{{{value}}}" if character in ("", "p", "x") or receiver or crossed else character


_PASS_BEFORE = re.compile(r"[pP][0-9]*\Z")


def _refusal(
    text: str, placement: Placement, opened: dict[int, list[Throw]], missing: Counter[Site], limit: int
) -> NotationError:
    reason = f"no throws from 0 to {limit} complete this"
    within_reach = {
        site
        for throws in opened.values()
        for _, taken in _fitting(throws, placement.period, missing, limit)
        for site in taken
    }
    if crowded := [site for site, count in missing.items() if count < 0]:
        reason += f": more props land {_place(min(crowded), placement)} than it throws then"
    elif unreachable := [site for site, count in missing.items() if count and site not in within_reach]:
        reason += f": none of them can land {_place(min(unreachable), placement)}, which throws then"
    else:
        reason += f": they cannot all land where a throw is made, with at most {MAX_PROPS} props"
    return NotationError(text, min(opened, default=0), reason, "change what is written, or leave more open with a ?")


def _place(site: Site, placement: Placement) -> str:
    beat, juggler, hand = site
    of_whom = f" of juggler {juggler + 1}" if placement.jugglers > 1 else ""
    return f"on beat {beat + 1} in the {'left' if hand == LEFT else 'right'} hand{of_whom}"
