"""Manners of throwing and catching: grasps, and where the hand goes behind the back, under a leg or over the head.

`THROWS` and `CATCHES` are the tables of the words that `juggle_anim.text_settings` lists: a row says where the hand
goes and what the body does. The events of a choreography name their rows by `Events.body_throw`, counted from 1 in the
order of `BODY_THROWS`: throws, catches, then variants of both. docs/tricks.md describes each word.
"""

from __future__ import annotations

from dataclasses import replace

from juggle_anim.choreography.around_body import BodyThrow, Posture, at

THROWS = {
    # Beside the hip, the arm turned inward so far that the palm is up and the fingers point back.
    "penguin": BodyThrow(
        place=at(0.415, 1.052, -0.237),
        comes=((0.398, at(0.416, 0.952, 0.121)), (0.907, at(0.417, 0.967, -0.167))),
        goes=((0.321, at(0.48, 1.012, 0.061)),),
        posture=Posture(lean=(-0.12, -0.01), twist=-0.02),
        turn=(111.1, -32.0, 375.4),
        hangs=87.7,
        elbow=44.5,
        aim=(137.0, 0.0),
        lands=(0.01, 0.01, -0.01),
        tempo=0.8,
        takes=(0.3, 0.24),
    ),
    # Behind the back and over the other shoulder.
    "backcross": BodyThrow(
        place=at(-0.08, 0.92, -0.30),
        comes=((0.31, at(0.31, 0.97, 0.06)), (0.85, at(0.17, 0.90, -0.20))),
        goes=((0.31, at(0.22, 0.98, -0.24)), (0.57, at(0.27, 1.07, -0.03))),
        posture=Posture(lean=(0.01, 0.19), twist=0.10),
        turn=(-8.0, -51.0, -24.0),
        elbow=9.0,
        aim=(-108.0, -14.0),
        lands=(0.11, -0.01, -0.10),
        tempo=0.75,
        flies=(0.63, 0.63),
    ),
    # From behind over the shoulder of the hand's own side.
    "shoulder": BodyThrow(
        place=at(0.21, 0.98, -0.27),
        comes=((0.27, at(0.26, 1.01, 0.07)), (0.75, at(0.26, 0.87, -0.17))),
        goes=((0.33, at(0.30, 1.02, -0.15)), (0.51, at(0.35, 1.05, -0.01))),
        posture=Posture(lean=(-0.04, 0.14), twist=-0.09),
        turn=(-74.0, -54.0, 28.0),
        elbow=1.0,
        aim=(-122.0, 27.0),
        lands=(-0.07, 0.08, 0.0),
        tempo=0.75,
        flies=(0.8, 0.8),
    ),
    # Behind the back, low, around the other side of the waist.
    "lazy": BodyThrow(
        place=at(-0.14, 1.0, -0.29),
        comes=((0.30, at(0.27, 0.99, 0.19)), (0.80, at(0.13, 0.98, -0.24))),
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
        goes=((0.208, at(0.011, 0.781, 0.105)), (0.516, at(0.177, 1.086, 0.296))),
        posture=Posture(
            lean=(0.15, 0.29), twist=-0.12, lifts=((-0.141, 0.581, 0.474), (0.0, 0.0, 0.0)), opens=(0.05, 0.0)
        ),
        turn=(-34.0, -14.0, 7.0),
        elbow=34.0,
        aim=(-5.567, -37.315),
        other=((0.0, at(0.265, 1.124, 0.382)), (0.569, at(0.25, 1.032, 0.332))),
        meanwhile=(0.037, 0.03, 0.028),
        lands=(0.0, 0.02, 0.032),
        tempo=0.85,
        ones=True,
    ),
    # Under the thigh of the hand's own side, from inside.
    "underleg-inside": BodyThrow(
        place=at(0.216, 0.731, 0.135),
        comes=((0.41, at(-0.079, 0.821, 0.424)), (0.73, at(-0.06, 0.65, 0.33)), (0.93, at(0.08, 0.66, 0.22))),
        goes=((0.15, at(0.04, 0.67, 0.23)), (0.4, at(-0.07, 0.68, 0.34)), (0.57, at(0.003, 1.016, 0.517))),
        posture=Posture(
            rise=-0.06,
            lean=(-0.42, 0.5),
            twist=-0.15,
            lifts=((0.183, 0.629, 0.467), (0.0, 0.0, 0.0)),
            opens=(0.596, 0.0),
            lead=0.57,
        ),
        turn=(139.0, 9.0, 47.0),
        elbow=-69.0,
        aim=(87.0, -4.0),
        other=((-0.08, at(0.25, 1.08, 0.4)), (0.5, at(0.21, 1.03, 0.39))),
        lands=(-0.01, 0.01, 0.04),
        tempo=0.8,
        takes=(0.28, 0.28),
    ),
    # Under the other thigh, from inside.
    "underleg-other": BodyThrow(
        place=at(-0.125, 0.79, 0.143),
        comes=((0.34, at(0.08, 0.94, 0.41)), (0.82, at(0.09, 0.74, 0.38)), (0.91, at(-0.05, 0.7, 0.26))),
        goes=((0.14, at(-0.02, 0.74, 0.19)), (0.25, at(0.02, 0.7, 0.25)), (0.52, at(0.2, 1.03, 0.47))),
        posture=Posture(
            rise=-0.05,
            lean=(-0.09, 0.57),
            twist=-0.32,
            lifts=((0.0, 0.0, 0.0), (-0.052, 0.592, 0.469)),
            opens=(0.0, 0.48),
            lead=0.46,
            held=(0.24, 0.03),
        ),
        turn=(-49.0, 11.0, -80.0),
        elbow=-9.0,
        aim=(-101.0, 1.0),
        meanwhile=(0.208, 0.18, -0.053),
        lands=(-0.095, 0.004, -0.005),
        tempo=0.85,
        ones=True,
    ),
    # Between the standing legs, from the front.
    "albert": BodyThrow(
        place=at(0.084, 0.419, -0.47),
        comes=((0.374, at(0.166, 0.728, 0.407)), (0.84, at(0.087, 0.281, 0.046))),
        goes=((0.184, at(-0.103, 0.342, -0.229)), (0.62, at(0.241, 0.544, 0.507))),
        posture=Posture(rise=-0.244, lean=(-0.62, 1.795), twist=-1.085, lead=0.576, stance=0.25),
        turn=(-82.0, -8.0, 52.0),
        elbow=80.0,
        aim=(158.0, 4.0),
        other=((-0.69, at(0.446, 0.952, 0.594)), (0.261, at(0.392, 0.876, 0.697)), (0.579, at(0.515, 1.085, 0.51))),
        meanwhile=(0.118, -0.152, 0.265),
        lands=(0.064, 0.023, 0.025),
        tempo=0.7,
        takes=(0.503, 0.4),
    ),
    # Between the standing legs, from behind.
    "trebla": BodyThrow(
        place=at(-0.257, 0.383, 0.137),
        comes=((0.43, at(0.56, 0.997, 0.012)), (0.89, at(-0.04, 0.37, -0.13))),
        goes=((0.244, at(-0.0337, 0.3071, -0.0878)), (0.602, at(0.5879, 0.6971, 0.1947))),
        posture=Posture(rise=-0.26, lean=(1.35, -0.13), twist=0.274, lead=0.35, stance=0.246),
        turn=(115.8, -26.3, 43.3),
        elbow=-86.6,
        aim=(-5.6, -35.6),
        lands=(-0.12, -0.075, 0.27),
        tempo=0.7,
        takes=(0.38, 0.29),
    ),
    # Under the other arm.
    "underarm": BodyThrow(
        place=at(-0.31, 1.01, 0.34),
        comes=((0.67, at(-0.05, 0.93, 0.24)),),
        goes=((0.25, at(0.07, 0.99, 0.31)),),
        posture=Posture(lean=(0.12, 0.3), twist=-0.52),
        elbow=11.0,
        other=((0.14, at(0.16, 1.27, 0.37)),),
        lands=(0.01, 0.04, -0.03),
        tempo=0.85,
    ),
    # Down from high beside the head and across, the back of the hand forward.
    "chop": BodyThrow(
        place=at(-0.08, 1.11, 0.38),
        comes=((0.37, at(0.32, 1.40, 0.30)),),
        posture=Posture(lean=(-0.02, 0.02), twist=0.13),
        elbow=-4.0,
        lands=(0.01, 0.08, 0.0),
        tempo=0.9,
        ones=True,
    ),
    # From above the head.
    "overhead": BodyThrow(
        place=at(0.20, 1.82, 0.18),
        comes=((0.5, at(0.36, 1.45, 0.30)),),
        goes=((0.5, at(0.42, 1.60, 0.26)),),
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
        place=at(0.09, 0.98, -0.32),
        comes=((0.41, at(0.38, 0.97, 0.02)), (0.70, at(0.25, 0.98, -0.24))),
        goes=((0.23, at(0.27, 0.96, -0.19)), (0.71, at(0.36, 0.93, 0.06))),
        posture=Posture(lean=(0.0, 0.24), twist=-0.26),
        turn=(-55.0, -40.0, 20.0),
        elbow=5.0,
        aim=(-120.0, 5.0),
        tempo=0.65,
        flies=(0.83, 0.83),
    ),
    # Above the head.
    "overhead": BodyThrow(place=at(0.28, 1.78, 0.30), tempo=0.9, ones=True),
    # On the nape, over the hand's own shoulder, where the prop rests.
    "neck": BodyThrow(
        place=at(0.04, 1.564, -0.13),
        comes=((0.345, at(0.214, 1.363, 0.262)), (0.822, at(0.154, 1.77, 0.033)), (0.911, at(0.125, 1.719, -0.101))),
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

THROW_VARIANTS = {
    "consecutive underleg": BodyThrow(
        place=at(-0.144, 0.785, 0.22),
        comes=((0.461, at(0.137, 0.851, 0.203)), (0.9, at(0.136, 0.906, -0.071))),
        goes=((0.171, at(0.017, 0.826, 0.119)), (0.453, at(0.13, 1.14, 0.337))),
        posture=Posture(
            lean=(0.152, 0.376),
            twist=-0.127,
            lifts=((-0.111, 0.595, 0.462), (0.0, 0.0, 0.0)),
            opens=(0.002, 0.0),
            lead=0.512,
            held=(0.088, 0.091),
        ),
        turn=(-35.331, -29.264, -10.611),
        elbow=30.308,
        aim=(-8.416, -34.749),
        other=((0.0, at(0.277, 1.193, 0.24)), (0.541, at(0.241, 1.009, 0.351))),
        lands=(0.0, -0.036, -0.0),
        tempo=0.85,
        ones=True,
    ),
    "consecutive underleg-inside": BodyThrow(
        place=at(0.238, 0.72, 0.139),
        comes=((0.391, at(0.011, 0.89, 0.433)), (0.767, at(-0.11, 0.655, 0.315)), (0.935, at(-0.018, 0.647, 0.238))),
        goes=((0.085, at(0.11, 0.709, 0.172)), (0.367, at(0.045, 0.673, 0.364)), (0.578, at(0.001, 1.048, 0.541))),
        posture=Posture(
            lean=(-0.468, 0.47),
            twist=-0.176,
            lifts=((0.234, 0.624, 0.455), (0.0, 0.0, 0.0)),
            opens=(0.602, 0.0),
            lead=0.57,
            held=(0.049, 0.1),
        ),
        turn=(134.246, -0.246, 32.403),
        elbow=-70.777,
        aim=(79.653, -2.129),
        other=((-0.035, at(0.265, 0.993, 0.426)), (0.452, at(0.204, 0.896, 0.393))),
        lands=(0.068, -0.023, -0.031),
        tempo=0.8,
        takes=(0.28, 0.28),
    ),
    "consecutive underleg-other": BodyThrow(
        place=at(-0.103, 0.809, 0.161),
        comes=((0.391, at(0.036, 0.98, 0.379)), (0.701, at(0.044, 0.793, 0.33)), (0.935, at(-0.032, 0.692, 0.235))),
        goes=((0.11, at(0.005, 0.735, 0.173)), (0.182, at(0.032, 0.713, 0.236)), (0.478, at(0.267, 1.038, 0.467))),
        posture=Posture(
            rise=-0.086,
            lean=(-0.032, 0.585),
            twist=-0.4,
            lifts=((0.0, 0.0, 0.0), (-0.04, 0.644, 0.499)),
            opens=(0.0, 0.521),
            lead=0.517,
            held=(0.264, 0.042),
        ),
        turn=(-52.95, 16.336, -63.846),
        elbow=-7.588,
        aim=(-84.941, -4.758),
        meanwhile=(0.167, 0.227, -0.027),
        lands=(-0.015, -0.0, -0.041),
        tempo=0.85,
        ones=True,
    ),
    "consecutive albert": BodyThrow(
        place=at(0.085, 0.402, -0.481),
        comes=((0.407, at(0.18, 0.719, 0.428)), (0.858, at(0.078, 0.292, 0.066))),
        goes=((0.188, at(-0.098, 0.348, -0.233)), (0.621, at(0.245, 0.548, 0.509))),
        posture=Posture(rise=-0.193, lean=(-0.621, 1.802), twist=-1.081, lead=0.585, stance=0.262, held=(0.051, 0.083)),
        turn=(-83.614, -7.699, 52.198),
        elbow=80.413,
        aim=(158.34, 7.632),
        other=((-0.688, at(0.445, 0.947, 0.591)), (0.263, at(0.392, 0.882, 0.7))),
        meanwhile=(0.115, -0.161, 0.277),
        lands=(0.052, 0.013, 0.04),
        tempo=0.7,
        takes=(0.503, 0.4),
    ),
    "consecutive trebla": BodyThrow(
        place=at(-0.216, 0.419, 0.153),
        comes=((0.396, at(0.567, 1.0, 0.023)), (0.889, at(-0.023, 0.354, -0.087))),
        goes=((0.252, at(0.0, 0.245, -0.054)), (0.597, at(0.461, 0.76, 0.207))),
        posture=Posture(rise=-0.256, lean=(1.31, -0.141), twist=0.327, lead=0.376, stance=0.242, held=(0.046, 0.06)),
        turn=(108.75, -39.021, 38.16),
        elbow=-86.897,
        aim=(-18.532, -23.112),
        lands=(-0.144, -0.145, 0.173),
        tempo=0.7,
        takes=(0.38, 0.29),
    ),
    "underleg-other of clubs": replace(
        THROWS["underleg-other"],
        comes=((0.371, at(0.157, 0.977, 0.381)), (0.787, at(0.095, 0.733, 0.354)), (0.887, at(-0.056, 0.71, 0.277))),
        goes=((0.117, at(-0.061, 0.76, 0.211)), (0.207, at(0.021, 0.697, 0.264)), (0.544, at(0.164, 1.071, 0.557))),
        turn=(-55.868, 5.517, -83.779),
        aim=(-107.674, 13.274),
        other=((0.1, at(0.25, 1.12, 0.35)),),
        meanwhile=(0.214, 0.097, -0.052),
        lands=(0.0, -0.035, 0.029),
    ),
    "albert of clubs": BodyThrow(
        place=at(0.085, 0.389, -0.486),
        comes=((0.39, at(0.131, 0.761, 0.447)), (0.836, at(0.073, 0.307, 0.035))),
        goes=((0.209, at(-0.111, 0.357, -0.227)), (0.621, at(0.218, 0.57, 0.486))),
        posture=Posture(rise=-0.227, lean=(-0.627, 1.794), twist=-1.089, lead=0.6, stance=0.249, held=(0.062, 0.075)),
        turn=(-80.868, -7.123, 50.203),
        elbow=86.262,
        aim=(159.697, 7.421),
        other=((-0.733, at(0.454, 0.943, 0.596)), (0.227, at(0.393, 0.889, 0.717)), (0.562, at(0.537, 1.055, 0.519))),
        meanwhile=(0.104, -0.15, 0.273),
        lands=(0.086, 0.01, 0.046),
        tempo=0.7,
        takes=(0.503, 0.4),
    ),
    "trebla of clubs": BodyThrow(
        place=at(-0.26, 0.395, 0.129),
        comes=((0.47, at(0.564, 0.976, 0.009)), (0.909, at(-0.048, 0.383, -0.106))),
        goes=((0.216, at(-0.075, 0.277, -0.158)), (0.574, at(0.579, 0.735, 0.15))),
        posture=Posture(rise=-0.291, lean=(1.351, -0.161), twist=0.289, lead=0.349, stance=0.264, held=(0.036, 0.091)),
        turn=(116.317, -44.878, 36.228),
        elbow=-85.447,
        aim=(-19.431, -27.264),
        meanwhile=(0.001, 0.004, -0.029),
        lands=(-0.033, -0.016, 0.213),
        tempo=0.7,
        takes=(0.38, 0.29),
    ),
}
"""Throws that are made otherwise where they follow each other, or with one kind of props, which their names say:
`consecutive` before the word, `of clubs` after it, or both. Files in JML have these names.

Where throws under and between the legs follow each other beat by beat, the body does not come up in between, props fly
higher, and hands have longer. Some clubs and rings, thrown as balls are, would go through a leg, a hand or the floor.
"""

CATCH_VARIANTS: dict[str, BodyThrow] = {}
"""Catches that are made otherwise with one kind of props."""

BODY_THROWS = (*THROWS.values(), *CATCHES.values(), *THROW_VARIANTS.values(), *CATCH_VARIANTS.values())
"""All rows; `Events.body_throw` has 1 for the first."""
