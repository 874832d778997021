"""Contacts: whiles of touch, put together where they go on from one loop into the next."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from juggle_anim.analysis.encounters import TOUCH, Pairs, Runs

_SAME = 1e-7


@dataclass(frozen=True)
class Contact:
    """Two things in each other for a while.

    Args:
        pair: which.
        start: [s], from 0 up to the loop's duration.
        end: [s], past the loop's duration where it goes on into the next.
        time: when they are deepest, [s].
        overlap: how deep that is, [m].
    """

    pair: int
    start: float
    end: float
    time: float
    overlap: float


def join_contacts(pairs: Pairs, runs: Runs, loop: float) -> list[Contact]:
    """The contacts of one loop; whiles in which the two are together at any moment are none.

    Args:
        pairs: knows as which pair each goes on.
        runs: whiles of touch within the loop.
        loop: [s].
    """
    following = pairs.following(runs.pair)
    begins = np.flatnonzero(runs.start <= _SAME)
    goes_on = dict(zip(runs.pair[begins].tolist(), begins.tolist(), strict=True))
    lasts = np.flatnonzero(runs.end >= loop - _SAME)
    after = {
        run: goes_on[pair]
        for run, pair in zip(lasts.tolist(), following[lasts].tolist(), strict=True)
        if pair in goes_on
    }
    continued = set(after.values())
    seen: set[int] = set()
    contacts = []
    # Those without a beginning last for ever; they come last, when all others have been gone through.
    for head in sorted(range(len(runs.pair)), key=lambda run: run in continued):
        chain = []
        run: int | None = head
        while run is not None and run not in seen:
            seen.add(run)
            chain.append(run)
            run = after.get(run)
        if chain:
            contacts.append(_contact(runs, chain, loop))
    return [contact for contact in contacts if contact and contact.overlap > TOUCH]


def _contact(runs: Runs, chain: list[int], loop: float) -> Contact | None:
    if runs.together[chain].any():
        return None
    lap = int(runs.gap[chain].argmin())
    deepest = chain[lap]
    return Contact(
        pair=int(runs.pair[chain[0]]),
        start=float(runs.start[chain[0]]),
        end=float(runs.end[chain[-1]]) + (len(chain) - 1) * loop,
        time=float(runs.time[deepest]) + lap * loop,
        overlap=-float(runs.gap[deepest]),
    )
