from juggle_anim.viewer.state.listing import ArmSelection


def test_arms_follow_each_other_around_all_jugglers() -> None:
    arm, seen = ArmSelection(), []
    for _ in range(4):
        seen.append((arm.juggler, arm.side))
        arm = arm.next(2)
    assert seen == [(0, 0), (0, 1), (1, 0), (1, 1)]
    assert arm == ArmSelection()


def test_an_arm_is_named_and_kept_within_the_jugglers() -> None:
    assert ArmSelection(0, 1).label(1) == "Right arm"
    assert ArmSelection(2, 0).label(3) == "Left arm of 3"
    assert ArmSelection(2, 1).within(2) == ArmSelection(1, 1)
