"""Manners of throwing and catching: grasps, and where the hand goes behind the back, under a leg or
over the head.

`THROWS` and `CATCHES` are the tables of the words that `juggle_anim.text_settings` lists: a row
says where the hand goes and what the body does. `body_throw_variants.py` has variants of some.
docs/tricks.md describes each word.
"""

from __future__ import annotations

from juggle_anim.choreography.around_body import BodyThrow, Posture, at

THROWS = {
    # Beside the hip, the arm turned inward so far that the palm is up and the fingers point back.
    "penguin": BodyThrow(
        place=at(0.398, 1.076, -0.235),
        comes=((0.399, at(0.417, 0.944, 0.131)), (0.901, at(0.413, 0.955, -0.156))),
        goes=((0.318, at(0.481, 1.015, 0.069)),),
        posture=Posture(lean=(-0.12, -0.01), twist=-0.02),
        turn=(108.582, -30.529, 376.54),
        hangs=87.7,
        elbow=47.78,
        aim=(137.0, 0.0),
        lands=(0.012, 0.007, -0.005),
        tempo=0.8,
        takes=(0.3, 0.24),
        flies=(0.744, 0.75),
    ),
    # Behind the back and over the other shoulder.
    "backcross": BodyThrow(
        place=at(-0.088, 0.931, -0.314),
        comes=((0.326, at(0.322, 0.952, 0.065)), (0.845, at(0.174, 0.922, -0.216))),
        goes=((0.308, at(0.199, 0.975, -0.221)), (0.586, at(0.27, 1.069, 0.0))),
        posture=Posture(lean=(0.01, 0.19), twist=0.1),
        turn=(-8.951, -48.023, -24.592),
        elbow=9.0,
        aim=(-108.0, -14.0),
        lands=(0.127, -0.007, -0.1),
        tempo=0.75,
        flies=(0.631, 0.616),
    ),
    # From behind over the shoulder of the hand's own side.
    "shoulder": BodyThrow(
        place=at(0.217, 0.989, -0.276),
        comes=((0.262, at(0.265, 1.025, 0.069)), (0.763, at(0.255, 0.871, -0.171))),
        goes=((0.331, at(0.307, 1.035, -0.149)), (0.51, at(0.336, 1.054, 0.002))),
        posture=Posture(lean=(-0.04, 0.14), twist=-0.09),
        turn=(-73.246, -52.73, 26.983),
        elbow=1.0,
        aim=(-122.0, 27.0),
        lands=(-0.073, 0.094, -0.013),
        tempo=0.75,
        flies=(0.795, 0.806),
    ),
    # Behind the back, low, around the other side of the waist.
    "lazy": BodyThrow(
        place=at(-0.14, 1.0, -0.29),
        comes=((0.3, at(0.27, 0.99, 0.19)), (0.8, at(0.13, 0.98, -0.24))),
        goes=((0.34, at(0.08, 1.11, -0.24)), (0.56, at(0.31, 1.03, -0.04))),
        posture=Posture(lean=(-0.11, 0.09), twist=0.24),
        turn=(-42.0, -54.0, 49.0),
        elbow=-27.0,
        aim=(-117.0, -28.0),
        lands=(0.14, 0.11, -0.04),
        tempo=0.85,
        flies=(0.65, 0.95),
    ),
    # Under the thigh of the hand's own side, from outside.
    "underleg": BodyThrow(
        place=at(-0.14, 0.81, 0.23),
        comes=((0.44, at(0.17, 0.89, 0.16)), (0.8, at(0.15, 0.91, -0.12))),
        goes=((0.21, at(0.026, 0.803, 0.097)), (0.49, at(0.197, 1.092, 0.294))),
        posture=Posture(
            lean=(0.15, 0.29),
            twist=-0.12,
            lifts=((-0.141, 0.581, 0.474), (0.0, 0.0, 0.0)),
            opens=(0.05, 0.0),
        ),
        turn=(-41.419, -18.203, 7.409),
        elbow=24.992,
        aim=(-9.993, -32.698),
        other=((0.0, at(0.271, 1.137, 0.367)), (0.6, at(0.269, 1.025, 0.294))),
        meanwhile=(0.009, 0.029, 0.028),
        lands=(-0.024, 0.045, 0.033),
        tempo=0.85,
    ),
    # Under the thigh of the hand's own side, from inside.
    "underleg-inside": BodyThrow(
        place=at(0.216, 0.731, 0.135),
        comes=(
            (0.41, at(-0.079, 0.821, 0.424)),
            (0.73, at(-0.06, 0.65, 0.33)),
            (0.93, at(0.08, 0.66, 0.22)),
        ),
        goes=(
            (0.167, at(0.041, 0.664, 0.264)),
            (0.414, at(-0.084, 0.705, 0.327)),
            (0.576, at(-0.003, 1.009, 0.523)),
        ),
        posture=Posture(
            rise=-0.06,
            lean=(-0.42, 0.5),
            twist=-0.15,
            lifts=((0.183, 0.629, 0.467), (0.0, 0.0, 0.0)),
            opens=(0.596, 0.0),
            lead=0.57,
        ),
        turn=(138.046, 4.181, 43.748),
        elbow=-65.005,
        aim=(87.0, -4.0),
        other=((-0.105, at(0.259, 1.088, 0.4)), (0.51, at(0.223, 1.04, 0.4))),
        meanwhile=(0.041, -0.018, 0.035),
        lands=(-0.012, 0.033, 0.026),
        tempo=0.8,
        takes=(0.28, 0.28),
    ),
    # Under the other thigh, from inside.
    "underleg-other": BodyThrow(
        place=at(-0.122, 0.801, 0.146),
        comes=(
            (0.351, at(0.083, 0.939, 0.414)),
            (0.832, at(0.093, 0.746, 0.387)),
            (0.903, at(-0.062, 0.683, 0.256)),
        ),
        goes=(
            (0.118, at(-0.133, 0.741, 0.177)),
            (0.26, at(-0.001, 0.702, 0.245)),
            (0.528, at(0.151, 0.963, 0.501)),
        ),
        posture=Posture(
            rise=-0.05,
            lean=(-0.085, 0.605),
            twist=-0.32,
            lifts=((0.0, 0.0, 0.0), (-0.052, 0.602, 0.469)),
            opens=(0.0, 0.48),
            lead=0.46,
            held=(0.24, 0.03),
        ),
        turn=(-38.918, 6.136, -81.36),
        elbow=-8.652,
        aim=(-101.0, 1.0),
        other=((0.124, at(0.264, 1.116, 0.304)),),
        meanwhile=(0.088, 0.085, -0.085),
        lands=(-0.118, 0.071, 0.062),
        tempo=0.85,
    ),
    # Between the standing legs, from the front.
    "albert": BodyThrow(
        place=at(0.084, 0.419, -0.47),
        comes=((0.374, at(0.166, 0.728, 0.407)), (0.84, at(0.087, 0.281, 0.046))),
        goes=((0.184, at(-0.103, 0.342, -0.229)), (0.62, at(0.241, 0.544, 0.507))),
        posture=Posture(rise=-0.22, lean=(-0.3, 1.5), twist=-0.9, lead=0.7, stance=0.25),
        turn=(-82.0, -8.0, 52.0),
        elbow=80.0,
        aim=(158.0, 4.0),
        other=(
            (-0.69, at(0.446, 0.952, 0.594)),
            (0.261, at(0.392, 0.876, 0.697)),
            (0.579, at(0.515, 1.085, 0.51)),
        ),
        meanwhile=(0.118, -0.152, 0.265),
        lands=(0.064, 0.023, 0.025),
        tempo=0.7,
        takes=(0.503, 0.4),
    ),
    # Between the standing legs, from behind.
    "trebla": BodyThrow(
        place=at(-0.257, 0.383, 0.137),
        comes=((0.404, at(0.55, 0.916, 0.032)), (0.881, at(-0.088, 0.344, -0.129))),
        goes=((0.197, at(-0.023, 0.375, -0.037)), (0.539, at(0.591, 0.72, 0.257))),
        posture=Posture(rise=-0.26, lean=(1.35, -0.13), twist=0.274, lead=0.35, stance=0.246),
        turn=(106.516, -21.621, 38.975),
        elbow=-88.407,
        aim=(-5.762, -36.128),
        meanwhile=(-0.028, 0.015, 0.058),
        lands=(-0.128, -0.069, 0.225),
        tempo=0.7,
        takes=(0.38, 0.29),
    ),
    # Under the other arm.
    "underarm": BodyThrow(
        place=at(-0.308, 0.995, 0.348),
        comes=((0.67, at(-0.055, 0.933, 0.208)),),
        goes=((0.287, at(0.048, 1.0, 0.322)),),
        posture=Posture(lean=(0.12, 0.3), twist=-0.52),
        elbow=11.0,
        other=((0.161, at(0.152, 1.271, 0.37)),),
        meanwhile=(-0.003, 0.039, -0.049),
        lands=(-0.001, 0.05, -0.037),
        tempo=0.85,
    ),
    # Down from high beside the head and across, the back of the hand forward.
    "chop": BodyThrow(
        place=at(-0.091, 1.128, 0.358),
        comes=((0.411, at(0.342, 1.381, 0.3)),),
        goes=((0.299, at(0.099, 0.98, 0.362)),),
        posture=Posture(lean=(-0.02, 0.02), twist=0.13),
        elbow=-5.794,
        other=((0.112, at(0.299, 1.102, 0.352)),),
        lands=(0.023, 0.109, -0.027),
        tempo=0.9,
        ones=True,
    ),
    # From above the head.
    "overhead": BodyThrow(
        place=at(0.192, 1.8, 0.229),
        comes=((0.522, at(0.367, 1.448, 0.3)),),
        goes=((0.492, at(0.417, 1.583, 0.244)),),
        meanwhile=(0.009, 0.016, -0.014),
        lands=(-0.024, -0.023, 0.046),
        tempo=0.8,
        ones=True,
    ),
}
"""Throws by the words of the setting `throws` that are no grasps."""

CATCHES = {
    # Beside the hip, turned as for such a throw.
    "penguin": BodyThrow(
        place=at(0.42, 1.033, -0.281),
        comes=((0.636, at(0.465, 0.961, -0.002)),),
        goes=((0.227, at(0.44, 0.987, -0.155)), (0.613, at(0.428, 0.952, 0.135))),
        posture=Posture(lean=(-0.13, -0.02), twist=-0.03),
        turn=(112.0, -22.8, 376.6),
        hangs=91.2,
        elbow=37.5,
        aim=(138.0, 0.0),
        tempo=0.8,
        takes=(0.257, 0.232),
    ),
    # Behind the back, without looking.
    "behind": BodyThrow(
        place=at(0.081, 0.982, -0.336),
        comes=((0.403, at(0.385, 0.966, 0.023)), (0.696, at(0.246, 0.979, -0.232))),
        goes=((0.233, at(0.264, 0.961, -0.187)), (0.733, at(0.368, 0.92, 0.056))),
        posture=Posture(lean=(0.0, 0.24), twist=-0.26),
        turn=(-54.518, -40.739, 22.478),
        elbow=5.0,
        aim=(-120.0, 5.0),
        meanwhile=(0.005, -0.007, 0.016),
        tempo=0.65,
        flies=(0.825, 0.836),
    ),
    # Above the head.
    "overhead": BodyThrow(
        place=at(0.28, 1.78, 0.3),
        comes=((0.6, at(0.3, 1.45, 0.32)),),
        goes=((0.4, at(0.3, 1.45, 0.32)),),
        tempo=0.9,
        ones=True,
    ),
    # On the nape, over the hand's own shoulder, where the prop rests.
    "neck": BodyThrow(
        place=at(0.04, 1.564, -0.13),
        comes=(
            (0.345, at(0.214, 1.363, 0.262)),
            (0.822, at(0.154, 1.77, 0.033)),
            (0.911, at(0.125, 1.719, -0.101)),
        ),
        goes=(
            (0.093, at(0.022, 1.578, -0.141)),
            (0.263, at(0.015, 1.548, -0.149)),
            (0.435, at(0.227, 1.683, -0.018)),
            (0.666, at(0.267, 1.409, 0.307)),
        ),
        posture=Posture(lean=(-0.15, 0.38), twist=0.036, lead=0.53),
        turn=(-68.0, -26.5, 254.5),
        keeps=(0.096, 0.316),
        elbow=37.5,
        aim=(70.0, 227.0),
        tempo=0.55,
    ),
}
"""Catches by those words of the setting `catches` that are no grasps."""
