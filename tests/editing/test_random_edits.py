"""Random edits, one after another, on random patterns: each is refused or sound."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from random_edits import (
    ARGUMENTS,
    assert_step_is_sound,
    edited,
    may_go_on,
    random_edit,
    random_start,
    reopened,
)

from juggle_anim.editing.editor import Editor, Operation

_REOPENED = 0.1


def test_each_operation_is_tried() -> None:
    assert set(ARGUMENTS) == {
        name for name, each in vars(Editor).items() if isinstance(each, Operation)
    }


def walk(edits: int, seed: int, folder: Path, *, every: int) -> tuple[int, int]:
    """Edit at random, and check each step; so many edits and refusals there were.

    Args:
        edits: how many that are not refused.
        seed: of chance.
        folder: for files.
        every: after how many steps the laws of motion are checked.
    """
    chance = np.random.default_rng(seed)
    done = refused = 0
    animation, story = random_start(chance), ["start"]
    while done < edits:
        if len(story) > 12 or not may_go_on(animation):
            animation = random_start(chance)
            story = [animation.title if animation.pattern is None else animation.settings]
        edit = random_edit(animation, chance)
        story.append(str(edit))
        try:
            after = edited(animation, edit)
            if after is None:
                refused += 1
                continue
            done += 1
            assert_step_is_sound(after, folder, lawful=done % every == 0)
        except Exception as error:
            error.add_note(f"seed {seed}, edit {done}: {' → '.join(story)}")
            raise
        # Now and then it is edited further after it was saved and opened again.
        animation = reopened(after, folder) if chance.random() < _REOPENED else after
    return done, refused


def test_random_edits_are_sound(tmp_path: Path) -> None:
    done, refused = walk(40, 1, tmp_path, every=10)
    assert refused < 3 * done


@pytest.mark.long
@pytest.mark.parametrize("seed", range(20))
def test_ten_thousand_random_edits_are_sound(seed: int, tmp_path: Path) -> None:
    done, refused = walk(500, seed, tmp_path, every=20)
    assert refused < 3 * done
