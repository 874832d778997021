// Elbows: juggle_anim/body/arms/natural.py and closed_form.py, and body/arms/closed_form.py, for one arm.
//
// An arm has its shoulder; `outward`, 1 for left and −1 for right; its swivel angle [rad]; the swivel angle it would
// have otherwise, if its solver is not `natural`; and its pole, if it has any.

// The elbow and wrist of an arm whose wrist should be `away` from its shoulder, with its hand.
function bentArm({ shoulder, outward, swivel, turn }, away, hand) {
    const { UPPER_ARM, FOREARM } = rules.skeleton;
    const whole = UPPER_ARM + FOREARM, uneven = UPPER_ARM - FOREARM;
    const axis = unit(away), reached = atEase(size(away), whole), share = uneven / reached;
    const along = (whole * share + reached) / 2;
    const across = Math.sqrt((whole - reached) * (whole + reached) * (1 - share * share)) / 2;
    const toward = (angle) => turnedAbout(axis, outward * angle, resting(axis));
    const forearm = (side) => scaled(sum(axis, reached - along, side, -across), 1 / FOREARM);
    let angle = turn ?? naturalTurn(axis, outward);
    if (turn === undefined) angle += turnWithHand(axis, toward(angle + rules.bones.AT_EASE), forearm, outward, hand);
    const elbow = sum(shoulder, 1, axis, along, toward(angle + swivel), across);
    return { elbow, wrist: sum(shoulder, 1, axis, reached) };
}

// How far an elbow that lies `toward` turns outward with its hand.
function turnWithHand(axis, toward, forearm, outward, hand) {
    const n = rules.natural.OF_HAND, hinge = cross(axis, toward);
    return n[0] + n[1] * outward * dot(hand.fingers, hinge) + n[2] * dot(hand.palm, cross(hinge, forearm(toward)));
}

// The distance that an arm spans for a wanted one: it approaches the limits of reach smoothly.
function atEase(distance, length) {
    const { FAR, FARTHEST, NEAR, NEAREST } = rules.arm;
    const beyond = Math.max(distance - FAR * length, 0), short = Math.max(NEAR * length - distance, 0);
    const last = (FARTHEST - FAR) * length, first = (NEAR - NEAREST) * length;
    return distance + (last * Math.tanh(beyond / last) - beyond) - (first * Math.tanh(short / first) - short);
}

// The direction of elbows at swivel angle 0: down for a hand at rest, carried along by the shortest rotation.
function resting(axis) {
    const { HOME } = rules.natural;
    const lowest = [0, -HOME[2], HOME[1]], between = sum(axis, 1, HOME, 1);
    return sum(lowest, 1, between, (-2 * dot(between, lowest)) / Math.max(dot(between, between), 1e-28));
}

// The angle of people's elbows from the resting direction, at swivel angle 0.
function naturalTurn(axis, outward) {
    const { FULL_HEADING, HANGING, HANGING_POWER, HANGS_FROM, HANGS_FULLY, RAISED } = rules.natural;
    const out = axis[0] * outward, up = axis[1], side = resting(axis), beside = cross(axis, side);
    const level = Math.hypot(axis[0], axis[2]), share = quintic((level + axis[2]) / (2 * FULL_HEADING));
    const raised = RAISED * Math.max(up, 0) ** 2 * (1 - 2 * out);
    const hangs = Math.max(-up, 0) ** HANGING_POWER * smooth((out - HANGS_FROM) / (HANGS_FULLY - HANGS_FROM));
    return outward * share * Math.atan2(-beside[1], -side[1]) + raised - HANGING * hangs;
}

// The arm with its elbow turned toward its pole.
function towardPole({ shoulder, outward, swivel, pole }, { elbow, wrist }) {
    if (!pole.some((part) => part)) return { elbow, wrist };
    const axis = unit(minus(wrist, shoulder)), upper = minus(elbow, shoulder);
    const across = unit(sum(upper, 1, axis, -dot(upper, axis))), hinge = cross(axis, across);
    const there = [pole[0] * outward, pole[1], pole[2]];
    // Parts of the pole in the frame of the elbow at ease, which the swivel turned from there.
    const swung = outward * (swivel - rules.bones.AT_EASE), cosine = Math.cos(swung), sine = Math.sin(swung);
    const along = cosine * dot(there, across) - sine * dot(there, hinge);
    const aside = cosine * dot(there, hinge) + sine * dot(there, across);
    const behind = sum(axis, 1, rules.natural.HOME, 1);
    const weight = quintic(size(behind) / Math.SQRT2);
    const turn = Math.atan2(aside, weight + along);
    return { elbow: sum(shoulder, 1, turnedAbout(axis, turn, upper), 1), wrist };
}
