import json

from juggle_anim.viewer.screenshot import Numbers


def test_a_key_turns_through_all_of_them() -> None:
    turned = [Numbers.NONE]
    for _ in range(4):
        turned.append(turned[-1].next)
    assert turned == [Numbers.NONE, Numbers.PROPS, Numbers.THROWS, Numbers.BOTH, Numbers.NONE]
    assert [(each.of_props, each.of_throws) for each in turned[:4]] == [
        (False, False), (True, False), (False, True), (True, True),
    ]  # fmt: skip


def test_none_is_nothing() -> None:
    assert not Numbers.NONE
    assert all([Numbers.PROPS, Numbers.THROWS, Numbers.BOTH])
    assert json.dumps(Numbers.BOTH) == '"both"'
