import numpy as np

from juggle_anim.exporter.models.meshes import skin_weights
from juggle_anim.exporter.models.skeleton import NAMES
from juggle_anim.scene.limbs import LIMBS


def carriers(limb: int, end: int) -> set[str]:
    segments, shares = skin_weights()
    return {NAMES[each] for each, share in zip(segments[limb, end], shares[limb, end], strict=True) if share}


def test_shares_add_up_and_none_is_of_the_same_segment_twice() -> None:
    segments, shares = skin_weights()
    assert segments.shape == shares.shape == (len(LIMBS), 2, 2)
    np.testing.assert_allclose(shares.sum(axis=-1), 1.0)
    assert shares.min() >= 0
    assert (segments[shares == 0] == 0).all()
    twice = (segments[..., 0] == segments[..., 1]) & (shares[..., 1] > 0)
    assert not twice.any()


def test_long_bones_and_feet_are_rigid() -> None:
    rigid = [carriers(limb, 0) for limb in range(len(LIMBS)) if carriers(limb, 0) == carriers(limb, 1)]
    for side in ("left", "right"):
        for part in ("shoulder", "elbow", "wrist", "palm", "fingers", "hip", "knee", "ankle"):
            assert {f"{side}_{part}"} in rigid


def test_covers_are_carried_by_what_they_cover() -> None:
    parts = {"hair": {"neck"}, "shoes": {"left_ankle", "right_ankle"}}
    for number, limb in enumerate(LIMBS):
        if limb.cover in parts:
            assert carriers(number, 0) | carriers(number, 1) <= parts[limb.cover]


def test_no_limb_hangs_on_the_other_side_of_the_body() -> None:
    arms = {"elbow", "wrist", "palm", "fingers", "thumb", "knee", "ankle"}
    for number in range(len(LIMBS)):
        all_of_it = carriers(number, 0) | carriers(number, 1)
        sides = {name.split("_")[0] for name in all_of_it if name.split("_")[-1] in arms}
        assert len(sides) < 2
