"""Wildcards: the values that throws written as `?` may take, the nearest completion first."""

from __future__ import annotations

import heapq
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import chain, combinations, islice
from typing import NamedTuple

from juggle_anim.errors import NotationError, PatternError, hand_in_words
from juggle_anim.language import _
from juggle_anim.notation.limits import (
    MAX_COMPLETION_STEPS,
    MAX_LENGTH,
    MAX_PROPS,
    MAX_VALUE,
    MAX_WILDCARD_VALUE,
    MAX_WILDCARDS,
)
from juggle_anim.notation.siteswap.syntax import (
    OPEN,
    Group,
    Placement,
    Single,
    Start,
    leaves_of,
    parse,
    place_throws,
)
from juggle_anim.pattern import Throw, grouped, value_text

Site = tuple[int, int, int]
"""Beat in the loop, juggler and hand: where throws are made and props land."""

_MAX_NEAR = 3  # siteswaps near a wrong one
_MAX_MENDED = 12  # characters among which throws are changed; more would take long
_MAX_DIGIT = 9  # that a throw becomes

_PASS_BEFORE = re.compile(r"[pP][0-9]*\Z")


def completions(text: str, limit: int = MAX_WILDCARD_VALUE) -> Iterator[str]:
    """Return all valid siteswaps that arise by putting a value for every `?`, the nearest first.

    They are ordered by the sum of squared distances of the new throws from the mean of the written
    ones, then by the number of props, then by the new throws from the left.

    Args:
        text: a siteswap, such as `5?1`; without a `?` it is its own completion.
        limit: the highest throw that a `?` may become, in beats.

    Raises:
        NotationError: the text does not follow the grammar, nothing completes it, or there are too
            many possibilities. It is raised by the call, not during iteration.
    """
    tree = parse(text)
    placement = place_throws(text, tree)
    open_throws = _open_throws(text, placement)
    limit = min(limit, MAX_VALUE)
    missing = _missing_props(placement)

    # The first choice of values is found now, so that errors are raised by this call.
    try:
        choices = _fitting_values(tree, placement, open_throws, missing, limit)
        first_choice = next(choices, None)
    except PatternError as error:
        raise NotationError(
            text, min(open_throws), str(error), _("write out some of these throws")
        ) from error
    if first_choice is None:
        raise _no_completion_error(text, placement, open_throws, missing, limit)
    return (
        _completed(text, dict(zip(open_throws, values, strict=True)))
        for values in chain([first_choice], choices)
    )


@lru_cache(maxsize=8)
def near_siteswaps(text: str) -> tuple[str, ...]:
    """Return valid siteswaps that differ from a text in one throw or, if there are none, in two.

    There are at most `_MAX_NEAR`, the nearest first; only the first `_MAX_MENDED` characters are
    changed. The result is empty for a text that is not like a siteswap.

    Args:
        text: a siteswap whose throws do not fit together, such as `532`.
    """

    def distance(siteswap: str) -> int:
        """Return the total difference of the values from those of the text."""
        return sum(abs(ord(new) - ord(old)) for new, old in zip(siteswap, text, strict=False))

    digit_indices = [index for index, sign in enumerate(text[:_MAX_MENDED]) if sign.isdigit()]
    for changed_count in (1, 2):
        siteswaps = set[str]()
        # Replace each choice of throws by `?`, and complete the pattern.
        for indices in combinations(digit_indices, changed_count):
            opened = "".join("?" if index in indices else sign for index, sign in enumerate(text))
            with suppress(NotationError):
                siteswaps.update(islice(completions(opened, _MAX_DIGIT), _MAX_NEAR))
        if siteswaps:
            # Those of equal distance are sorted by their text.
            return tuple(sorted(siteswaps, key=lambda near: (distance(near), near))[:_MAX_NEAR])
    return ()


def _open_throws(text: str, placement: Placement) -> dict[int, list[Throw]]:
    """Return the throws of the loop that each `?` stands for, by its index in the text.

    In a repeated part a `?` stands for several throws, which all take the same value. The keys are
    in increasing order.

    Args:
        text: the siteswap.
        placement: all throws of one loop, with their beats and hands.

    Raises:
        NotationError: more throws are open, or the text is longer, than can be completed.
    """
    open_throws = grouped(
        (start, throw)
        for throw, start in sorted(placement.throws, key=lambda placed: placed.start)
        if throw.value == OPEN
    )
    starts = list(open_throws)
    if len(starts) > MAX_WILDCARDS:
        reason = _("more than {max_wildcards} throws are ?", max_wildcards=MAX_WILDCARDS)
        accepted = _("use ? for at most {max_wildcards} throws", max_wildcards=MAX_WILDCARDS)
        raise NotationError(text, starts[MAX_WILDCARDS], reason, accepted)
    # With a value in place of each ?, the text must not be longer than the parser accepts.
    if len(text) + len(starts) * len(str(MAX_VALUE)) > MAX_LENGTH and starts:
        raise NotationError(
            text, starts[0], _("this text is too long to complete"), _("use a shorter one")
        )
    return open_throws


def _missing_props(placement: Placement) -> Counter[Site]:
    """Return how many more props must land at each site; negative if too many do.

    A site is (beat, juggler, hand). Each throw, open or not, needs a prop that lands at the site
    where it is thrown, and each written throw brings a prop to the site where it lands. The open
    throws must fill the remaining places.

    Args:
        placement: all throws of one loop, with their beats and hands.
    """
    missing: Counter[Site] = Counter()
    for throw, _unused in placement.throws:
        missing[throw.turn] += 1
        if throw.value != OPEN:
            missing[_landing(throw, throw.value, placement.period)] -= 1
    return missing


def _landing(throw: Throw, value: int, period: int) -> Site:
    """Return where a throw would land with another value, as (beat, juggler, hand).

    Args:
        throw: a throw of the loop. Its `to_hand` is that of its own value, which for an open throw
            is the even `OPEN`; a value that differs from it by an odd number changes the hand.
        value: the other value, [beats].
        period: the period of the loop, [beats].
    """
    return (
        (throw.beat + value) % period,
        throw.to_juggler,
        (throw.to_hand + value - throw.value) % 2,
    )


def _fitting_values(
    tree: Group,
    placement: Placement,
    open_throws: dict[int, list[Throw]],
    missing: Counter[Site],
    limit: int,
) -> Iterator[tuple[int, ...]]:
    """Yield values for all wildcards that fill every landing site, nearest to the mean first.

    The numbers of missing props are packed into one integer, with a bit field for each site, so
    that the search subtracts and compares all of them at once.

    Args:
        tree: the tree of the text.
        placement: all throws of one loop, with their beats and hands.
        open_throws: the throws that each `?` stands for, by its index in the text.
        missing: props that must still land at each site, (beat, juggler, hand).
        limit: the highest value, [beats].

    Yields:
        A value for each `?`, in the order of `open_throws`.

    Raises:
        PatternError: the search takes too many steps. It is raised by the call itself, before any
            value is yielded.
    """
    # Where too many props land already, no further throw can help.
    if any(count < 0 for count in missing.values()):
        return iter(())
    # Each field has the bits of the highest count, and above them a guard bit, from which a
    # subtraction borrows if too many props land at the site.
    count_bits = max(missing.values(), default=0).bit_length()
    sites = [site for site, count in missing.items() if count]
    # One prop at a site, as a number: the lowest bit of the site's field is 1, all others are 0.
    one_prop_at = {site: 2 ** ((count_bits + 1) * index) for index, site in enumerate(sites)}
    missing_counts = LandingCounts(
        missing=sum(missing[site] * one_prop for site, one_prop in one_prop_at.items()),
        guards=sum(one_prop << count_bits for one_prop in one_prop_at.values()),
    )

    # The options of each ?, which may stand for several throws of the loop.
    # cost: the squared distance of a value v from the mean of the written throws, total / n. It is
    #     multiplied by n², which makes it a whole number: (v n - total)².
    # weight: the sum of the values of its throws.
    # fills: the sites at which these throws land.
    total, written_count = _sum_and_number_of_throws(tree)
    options = [
        [
            Option(
                value,
                cost=(value * written_count - total) ** 2,
                weight=value * len(throws),
                fills=sum(one_prop_at[site] for site in landings),
            )
            for value, landings in _values_that_fit(throws, placement.period, missing, limit)
        ]
        for throws in open_throws.values()
    ]

    # By the average theorem the sum of all values is props × period. So the limit on props, less
    # the sum of the written throws, limits the sum of the open throws.
    written_sum = sum(throw.value for throw, _start in placement.throws if throw.value != OPEN)
    return nearest_choices(options, missing_counts, MAX_PROPS * placement.period - written_sum)


def _sum_and_number_of_throws(tree: Group) -> tuple[int, int]:
    """Return the sum and the number of the written throws, of which the quotient is their mean.

    Throws that are left open, `?`, get values near that mean. Throws in repeated parts count once.
    If all are open, the mean is taken as 7 / 2, so that the nearest completion of `?` is 3, and
    that of `(?,?)` is (4,4).

    Args:
        tree: syntax tree of the text.
    """
    # What each hand throws at a time, in the order in which it is written.
    hands = []
    for leaf in leaves_of(tree.items):
        if isinstance(leaf, Single):
            hands.append(leaf.throws)
        elif not isinstance(leaf, Start):
            hands += [leaf.left, leaf.right]
    values = [int(throw.value) for throw in chain.from_iterable(hands) if throw.value != OPEN]
    return (sum(values), len(values)) if values else (7, 2)


def _values_that_fit(
    throws: Sequence[Throw], period: int, missing: Counter[Site], limit: int
) -> Iterator[tuple[int, list[Site]]]:
    """Yield the values of a `?` with which its throws land only at sites with missing props.

    The order is arbitrary. A 0 means that nothing is thrown, so no prop is needed at its own site;
    this is counted as a prop that lands there.

    Args:
        throws: the throws that the `?` stands for; at least one.
        period: the period of the loop, [beats].
        missing: props that must still land at each site, (beat, juggler, hand).
        limit: the highest value, [beats].

    Yields:
        A value, and the sites that its throws fill.
    """
    # Values that differ by two periods land on the same beat of the loop and, as two periods are
    # even, in the same hand, so they share their sites.
    two_periods = 2 * period
    for first in range(min(limit + 1, two_periods)):
        landings = [_landing(throw, first, period) for throw in throws]
        if all(count <= missing[site] for site, count in Counter(landings).items()):
            # A throw that is written to bounce, cross or be passed cannot be 0: nothing is thrown.
            # Passes and crossing throws show by landing at another site than their own.
            skips_zero = first == 0 and (throws[0].bounces or landings[0] != throws[0].turn)
            for value in range(two_periods if skips_zero else first, limit + 1, two_periods):
                yield value, landings


def _completed(text: str, values: dict[int, int]) -> str:
    pieces = []
    end = 0
    for start, value in values.items():
        pieces += [text[end:start], _value_text(value, text, start)]
        end = start + 1
    return "".join(pieces) + text[end:]


def _value_text(value: int, text: str, index: int) -> str:
    """Return a value as one character, or in braces if it has none or that could be misread.

    Args:
        value: the value of the throw, [beats].
        text: the siteswap, with a ? at the index.
        index: index of the ? that the value replaces.
    """
    # This is in braces already for values above 35, which have no character, and for p and x, which
    # are flags.
    character = value_text(value, flags="px")
    # A digit behind a p would be the number of the pass's receiver.
    follows_pass = "<" in text and _PASS_BEFORE.search(text, 0, index) is not None
    # An x behind a letter would be a value.
    before_x = text[index + 1 :].lstrip()[:1] in ("x", "X")
    if (character.isdigit() and follows_pass) or (character.isalpha() and before_x):
        return f"{{{value}}}"
    return character


def _no_completion_error(
    text: str,
    placement: Placement,
    open_throws: dict[int, list[Throw]],
    missing: Counter[Site],
    limit: int,
) -> NotationError:
    """Return the error for a text that nothing completes.

    It names the first site, by beat, juggler and hand, where too many props land. If there is none,
    it names the first one that misses props and that no open throw can reach.

    Args:
        text: the siteswap.
        placement: all throws of one loop, with their beats and hands.
        open_throws: the throws that each `?` stands for, by its index in the text.
        missing: props that must still land at each site, (beat, juggler, hand).
        limit: the highest value, [beats].
    """
    reason = _("no throws from 0 to {limit} complete this", limit=limit)
    # Sites on which some value of an open throw can land.
    within_reach = {
        site
        for throws in open_throws.values()
        for _value, landings in _values_that_fit(throws, placement.period, missing, limit)
        for site in landings
    }
    if crowded := [site for site, count in missing.items() if count < 0]:
        reason += _(
            ": more props land {place} than it throws then",
            place=_site_in_words(min(crowded), placement),
        )
    elif unreachable := [
        site for site, count in missing.items() if count and site not in within_reach
    ]:
        reason += _(
            ": none of them can land {place}, but that hand throws then",
            place=_site_in_words(min(unreachable), placement),
        )
    else:
        reason += _(
            ": they cannot all land where a throw is made, with at most {max_props} props",
            max_props=MAX_PROPS,
        )
    return NotationError(
        text,
        min(open_throws, default=0),
        reason,
        _("change a throw, or use more ?"),
    )


def _site_in_words(site: Site, placement: Placement) -> str:
    beat, juggler, hand = site
    owner = _(" of juggler {juggler}", juggler=juggler + 1) if placement.jugglers > 1 else ""
    return _(
        "on beat {beat} in the {hand}{of_whom}",
        beat=beat + 1,
        hand=hand_in_words(hand),
        of_whom=owner,
    )


class Option(NamedTuple):
    """A value that an open throw may take.

    Attributes:
        value: value in beats.
        cost: its distance from the wished throw; at least 0.
        weight: its share of the sum of all throws of a loop, [beats].
        fills: the props that land at each site, packed as in `LandingCounts`.
    """

    value: int
    cost: int
    weight: int
    fills: int


class LandingCounts(NamedTuple):
    """The number of props still missing at each site, packed into one integer of fields.

    Attributes:
        missing: the counts.
        guards: the highest bit of every field. It is not part of a count, so taking too much from a
            field shows there.
    """

    missing: int
    guards: int

    def without(self, takes: int) -> LandingCounts | None:
        """Return the counts after given sites are filled; None if too many props land at one.

        Args:
            takes: props that land at each site, packed like `missing`.
        """
        # All guard bits are set before the subtraction. A field that would go below 0 borrows from
        # its own guard bit, which is then cleared, and not from the next field. So the result is
        # valid if all guards are still set; they are cleared again in the counts returned.
        left = (self.missing | self.guards) - takes
        return (
            LandingCounts(left ^ self.guards, self.guards)
            if left & self.guards == self.guards
            else None
        )


def nearest_choices(
    options: Sequence[Sequence[Option]], missing_counts: LandingCounts, max_weight: int
) -> Iterator[tuple[int, ...]]:
    """Yield every choice of values that fills all sites, by cost, then weight, then values.

    This is a best-first search with exact lower bounds for the cost and weight of the open throws
    that remain, so that it never expands a choice that cannot be completed.

    Args:
        options: for each open throw, its possible values.
        missing_counts: props missing at each site, which all values together must bring exactly.
        max_weight: the greatest total weight of a choice.

    Yields:
        A value for each open throw, in the order of `options`.

    Raises:
        PatternError: the search takes too many steps. It is raised by the call itself, before any
            choice is yielded.
    """
    # None if no choice fills all sites. This also computes and caches the bounds of all partial
    # choices that the search meets.
    bounds = _LowerBounds(options)
    bound = bounds.least(0, missing_counts)
    return (
        _search_choices(bounds, missing_counts, bound, max_weight)
        if bound is not None
        else iter(())
    )


def _search_choices(
    bounds: _LowerBounds, missing_counts: LandingCounts, bound: tuple[int, int], max_weight: int
) -> Iterator[tuple[int, ...]]:
    """Yield choices in order of total cost, by best-first search (A* with exact lower bounds).

    Args:
        bounds: the options of each open throw, with the least cost and weight of later throws.
        missing_counts: the props that are missing at each site.
        bound: least cost and weight of all throws together.
        max_weight: the greatest total weight of a choice.

    Yields:
        A value for each open throw.
    """
    heap = [_PartialChoice(bound, values=(), cost=0, weight=0, missing_counts=missing_counts)]
    while heap:
        choice = heapq.heappop(heap)
        index = len(choice.values)  # of the open throw that is chosen next
        if index == len(bounds.options):
            yield choice.values
            continue
        for option, counts_left, (later_cost, later_weight) in bounds.completable(
            bounds.options[index], index, choice.missing_counts
        ):
            cost = choice.cost + option.cost
            weight = choice.weight + option.weight
            if weight <= max_weight:
                # Cost and weight so far, plus the exact least cost of the throws to come. As this
                # never exceeds the final total, choices leave the heap in the order of their
                # totals.
                total = cost + later_cost, weight + later_weight
                values = (*choice.values, option.value)
                heapq.heappush(
                    heap,
                    _PartialChoice(
                        total, values, cost=cost, weight=weight, missing_counts=counts_left
                    ),
                )


class _PartialChoice(NamedTuple):
    """Values chosen for the first open throws; the heap compares these fields in their order.

    No two have the same values, so no later field is ever compared.

    Attributes:
        total: the least cost and weight that are possible in the end.
        values: the values chosen so far.
        cost, weight: cost and weight of these values.
        missing_counts: the props that are still missing at each site.
    """

    total: tuple[int, int]
    values: tuple[int, ...]
    cost: int
    weight: int
    missing_counts: LandingCounts


class _LowerBounds:
    """Least cost, and then weight, at which the last open throws fill all sites; memoised."""

    def __init__(self, options: Sequence[Sequence[Option]]) -> None:
        """Prepare bounds on the cost of filling in open throws: the cheapest of equal options.

        Args:
            options: for each open throw the values that it may have.
        """
        self.options = options
        self.steps = 0
        # Cached: the least cost of all throws from a given one on.
        self.bounds: dict[tuple[int, int], tuple[int, int] | None] = {}
        # Of options that fill the same sites, only the cheapest matters for a bound. A dict by
        # those sites keeps the last of equal keys, so options are sorted to have the cheapest last.
        dearest_first = (
            sorted(choices, key=lambda option: (option.cost, option.weight), reverse=True)
            for choices in options
        )
        self.cheapest = [
            list({option.fills: option for option in choices}.values()) for choices in dearest_first
        ]

    def least(self, index: int, missing_counts: LandingCounts) -> tuple[int, int] | None:
        """Return the least cost and weight with which the last open throws fill all sites.

        Results are memoised.

        Args:
            index: the index of the first of these throws; all from it on are meant.
            missing_counts: the props that are missing at each site.

        Returns:
            The least cost, and the least weight among choices of that cost; None if the throws
            cannot bring just the props that are missing.

        Raises:
            PatternError: all bounds together take too many steps.
        """
        # After the last throw no site is left to fill: there are as many open throws as missing
        # props, and `completable` lets none land where no prop is missing.
        if index == len(self.options):
            return 0, 0
        # The guards are the same throughout a search, so the key needs only the counts.
        key = index, missing_counts.missing
        if key not in self.bounds:
            self.steps += len(self.cheapest[index])
            if self.steps > MAX_COMPLETION_STEPS:
                raise PatternError(_("finding out what these could be takes too long"))
            choices = self.completable(self.cheapest[index], index, missing_counts)
            self.bounds[key] = min(
                (
                    (option.cost + later_cost, option.weight + later_weight)
                    for option, _counts_left, (later_cost, later_weight) in choices
                ),
                default=None,
            )
        return self.bounds[key]

    def completable(
        self, options: Sequence[Option], index: int, missing_counts: LandingCounts
    ) -> Iterator[tuple[Option, LandingCounts, tuple[int, int]]]:
        """Yield the options of an open throw after which the later throws can fill all sites.

        Args:
            options: the options of the throw.
            index: the index of the throw.
            missing_counts: the props that are missing at each site before it.

        Yields:
            An option, the props that are still missing after it, and the least cost and weight of
            the later throws that bring them.
        """
        for option in options:
            counts_left = missing_counts.without(option.fills)
            if counts_left is None:
                continue  # too many props would land at one site
            bound = self.least(index + 1, counts_left)
            if bound is not None:
                yield option, counts_left, bound
