"""Anatomy: how thick the body is around the skeleton, as it is drawn and as it collides, [m].

`skeleton.py` has the lengths. Limbs are round cones, whose radii are given at the start and at the
end. The volume with which bodies collide is simpler and slimmer than the drawn one, and some of its
numbers differ from the drawn ones on purpose; where two numbers of one part differ, both stand here
with what uses them. Only the sketch of a smooth body (`scene/figure.py`) keeps its own radii: they
were fitted together with the points that they belong to.
"""

from __future__ import annotations

Radii = tuple[float, float]
"""Radii of a round cone at its start and at its end, [m]."""

# Arms and legs as they are drawn, shirt and trousers included. Planned arms and legs are as thick.
UPPER_ARM_RADII: Radii = (0.060, 0.044)
FOREARM_RADII: Radii = (0.037, 0.026)
THIGH_RADII: Radii = (0.096, 0.060)
SHANK_RADII: Radii = (0.060, 0.044)

# A drawn palm is two cones side by side. Limbs are planned with the inner one alone as the hand.
PALM_INNER_RADII: Radii = (0.022, 0.0165)  # on the side of the thumb
PALM_OUTER_RADII: Radii = (0.021, 0.0155)  # on the side of the little finger
THUMB_RADII: Radii = (0.0125, 0.0088)

# A hand with which crossing arms are planned is one cone, a little thicker than a drawn palm.
CROSSING_HAND_RADII: Radii = (0.024, 0.018)

# A hand in low detail is a mitten from the palm to the fingers.
MITTEN_RADII: Radii = (0.032, 0.030)

PALM_HALF_THICKNESS = 0.016
"""From the middle of a palm to its skin, on which a prop lies, [m]."""

FINGER_RADII = {"INDEX": 0.0092, "MIDDLE": 0.0095, "RING": 0.0091, "LITTLE": 0.0081}
"""Radii of fingers at their middle joints, [m]."""

KNUCKLE_RADIUS_GAIN = 0.001  # m, by which a finger is thicker at its root than in its middle
FINGERTIP_RADIUS_LOSS = 0.0018  # m, by which it is thinner at its tip

# Of a drawn trunk.
YOKE_RADII: Radii = (0.062, 0.055)  # from the collar to a shoulder
LOW_DETAIL_YOKE_RADIUS = 0.058
SHOULDER_LINE_RADIUS = 0.056  # from shoulder to shoulder
COLLAR_RADIUS = 0.076  # upper ends of the columns of a trunk
LOW_DETAIL_COLLAR_RADIUS = 0.084  # of fewer columns
CHEST_RADIUS = 0.108
BELT_RADIUS = 0.094
SEAT_RADIUS = 0.103

# Of a drawn head.
NECK_RADII: Radii = (0.054, 0.055)
FACE_RADII: Radii = (0.060, 0.091)  # from the chin to the crown
LOW_DETAIL_FACE_RADII: Radii = (0.058, 0.091)  # from the neck to the crown
NOSE_RADII: Radii = (0.013, 0.017)  # from its bridge to its tip
HAIR_RADII: Radii = (0.066, 0.092)  # from the nape to the crown

# Of drawn shoes.
SOLE_RADII: Radii = (0.034, 0.031)  # from heel to toes
INSTEP_RADII: Radii = (0.041, 0.030)  # from ankle to toes
LOW_DETAIL_SHOE_RADII: Radii = (0.045, 0.034)

# The arms of a second solver are drawn as ghosts, a little slimmer than the figure's.
GHOST_UPPER_ARM_RADII: Radii = (0.042, 0.034)
GHOST_FOREARM_RADII: Radii = (0.034, 0.022)

# Capsules that keep light from the skin of a smooth body, about as thick as it is.
SHADING_HEAD_RADIUS = 0.078
SHADING_UPPER_ARM_RADIUS = 0.045
SHADING_FOREARM_RADIUS = 0.030
SHADING_TRUNK_RADIUS = 0.120
SHADING_THIGH_RADIUS = 0.070
SHADING_SHANK_RADIUS = 0.050

# Points of an arm that keep clear of the body: weights of shoulder, elbow and wrist, and the radius
# there. It is slimmer than the drawn upper arm, which near the shoulder always lies in the flesh.
CLEAR_ARM_POINTS = (
    ((0.2, 0.8, 0.0), 0.029),
    ((0.0, 1.0, 0.0), 0.040),
    ((0.0, 0.7, 0.3), 0.034),
    ((0.0, 0.35, 0.65), 0.030),
)
CLEAR_WRIST_RADIUS = FOREARM_RADII[1]

# The trunk that arms keep clear of is all points near a flat board, which begins at the pelvis.
# Board and nearness grow linearly from its lower to its upper edge.
TRUNK_BOARD_HEIGHT = 0.38
TRUNK_HALF_WIDTH = 0.064  # of the board, at the pelvis
TRUNK_WIDENING = 0.025  # by which its half width grows
TRUNK_HALF_DEPTH = 0.094  # how near to the board points are inside, at the pelvis
TRUNK_DEEPENING = 0.014  # by which that grows

# The neck and head that arms keep clear of are one round cone, which ends in the crown.
CLEAR_NECK_RADIUS = 0.058
CLEAR_CROWN_RADIUS_GAIN = 0.038  # by which the crown's radius is larger than the neck's
CROWN_DISTANCE = 1.25  # from the neck's top to the crown, over that to the middle of the head

MAX_DRAWN_RADIUS = 0.12
"""No drawn part of a body is thicker than this around the lines that join its joints, [m]."""
