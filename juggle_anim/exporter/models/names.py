"""Names of people, joints and props in models and tables; numbers are from 1."""

from __future__ import annotations

from juggle_anim.body import Joint


def juggler_name(juggler: int) -> str:
    """Of a juggler by the number from 0."""
    return f"juggler_{juggler + 1}"


def joint_name(joint: Joint) -> str:
    """Of a joint, whoever's."""
    return joint.name.lower()


def prop_name(prop: int) -> str:
    """Of a prop by the number from 0."""
    return f"prop_{prop + 1}"
