from juggle_anim.viewer.state.listing import ArmChoice


def test_arms_follow_each_other_around_all_jugglers() -> None:
    arm, seen = ArmChoice(), []
    for _ in range(4):
        seen.append((arm.juggler, arm.side))
        arm = arm.next(2)
    assert seen == [(0, 0), (0, 1), (1, 0), (1, 1)]
    assert arm == ArmChoice()


def test_an_arm_is_named_and_kept_within_the_jugglers() -> None:
    assert ArmChoice(0, 1).words(1) == "Right arm"
    assert ArmChoice(2, 0).words(3) == "Left arm of 3"
    assert ArmChoice(2, 1).within(2) == ArmChoice(1, 1)
