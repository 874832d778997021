// Swivel angles at which arms clear trunk and head: juggle_anim/body/clearance.py for one arm.

// A body's trunk and head in its own frame.
function bulkOf(joint) {
    const spine = unit(minus(joint("CHEST"), joint("PELVIS")));
    const shoulders = minus(joint("LEFT_SHOULDER"), joint("RIGHT_SHOULDER"));
    const across = unit(sum(shoulders, 1, spine, -dot(shoulders, spine)));
    const axes = [across, spine, cross(across, spine)], pelvis = joint("PELVIS");
    const seen = (point) => {
        const away = minus(point, pelvis);
        return axes.map((axis) => dot(axis, away));
    };
    return { seen, neck: seen(joint("NECK")), head: seen(joint("HEAD")) };
}

// The arm with the smallest swivel that clears the body.
function clearArm({ bulk, shoulder, outward, swivel }, { elbow, wrist }) {
    const turn = clearingTurn(bulk, [shoulder, elbow, wrist].map(bulk.seen), outward, swivel);
    const line = minus(wrist, shoulder);
    if (turn === 0 || size(line) <= rules.clearance.LEAST_LINE) return { elbow, wrist };
    return { elbow: sum(shoulder, 1, turnedAbout(unit(line), turn, minus(elbow, shoulder)), 1), wrist };
}

// The change of the swivel angle, [rad].
function clearingTurn(bulk, joints, outward, swivel) {
    const { SIDEWAYS, RATHER_OUTWARD, BETWEEN, WRIST_RADIUS, HOPELESS, TURNS } = rules.clearance;
    const at = depthsOf(bulk, joints, outward);
    if (Math.max(...at(0)) <= 0) return 0;
    const points = TURNS.map(at);
    const each = beyondHelp(points[0].map((_, point) => beyondHelp(points.map((depths) => depths[point]))).reduce(deepest));
    const out = untilFree(each.slice(SIDEWAYS)), inward = untilFree(each.slice(0, SIDEWAYS + 1).reverse());
    const rather = RATHER_OUTWARD + rules.bones.AT_EASE - swivel;
    const share = smooth((inward - out + rather) / BETWEEN + 0.5);
    const inside = within(bulk, joints[2]) + WRIST_RADIUS;
    return outward * smooth(1 - inside / HOPELESS) * (share * out - (1 - share) * inward);
}

const deepest = (one, other) => one.map((depth, turn) => Math.max(depth, other[turn]));

// The penetration depth of points on the arm, [m], as a function of the swivel angle.
function depthsOf(bulk, [shoulder, elbow, wrist], outward) {
    const { POINTS, RADII, LEAST_LINE } = rules.clearance;
    const line = minus(wrist, shoulder), upper = minus(elbow, shoulder);
    const axis = scaled(line, 1 / Math.max(size(line), LEAST_LINE));
    const foot = scaled(axis, dot(upper, axis)), here = minus(upper, foot), beside = scaled(cross(axis, here), outward);
    const middle = sum(shoulder, 1, foot, 1);
    return (turn) => {
        const turned = sum(middle, 1, here, Math.cos(turn), beside, Math.sin(turn));
        return POINTS.map(([s, e, w], point) => within(bulk, sum(shoulder, s, turned, e, wrist, w)) + RADII[point]);
    };
}

// The penetration depth of a point in trunk or head, negative outside, [m].
function within(bulk, [x, y, z]) {
    const { BOARD, HALF_WIDTH, WIDENS, HALF_DEPTH, DEEPENS, CROWN, NECK_RADIUS, GROWS } = rules.bulk;
    const height = bounded(y, 0, BOARD);
    const aside = Math.max(Math.abs(x) - (WIDENS / BOARD) * height - HALF_WIDTH, 0), beyond = y - height;
    const trunk = (DEEPENS / BOARD) * height + HALF_DEPTH - Math.sqrt(aside * aside + beyond * beyond + z * z);
    const line = scaled(minus(bulk.head, bulk.neck), CROWN), from = minus([x, y, z], bulk.neck);
    const share = bounded(dot(from, line) / dot(line, line), 0, 1);
    return Math.max(trunk, NECK_RADIUS + GROWS * share - size(sum(from, 1, line, -share)));
}

// Depths by swivel angle, less the depth that no useful angle avoids.
function beyondHelp(depths) {
    const { GAIN, TURNS } = rules.clearance;
    const borne = Math.max(Math.min(...depths.map((depth, turn) => depth + GAIN * Math.abs(TURNS[turn]))), 0);
    return depths.map((depth) => depth - borne);
}

// The swivel angle at which the depth becomes 0: the integral of a smooth step of the depth, up to the first free
// angle.
function untilFree(depths) {
    const { SOFT, STEP } = rules.clearance;
    const area = (depth) => {
        const x = bounded(depth / SOFT, 0, 1);
        return SOFT * x * x * x * (1 - 0.5 * x) + Math.max(depth - SOFT, 0);
    };
    const share = (depth) => bounded(depth / SOFT, 0, 1);
    let total = 0, least = depths[0];
    for (const depth of depths.slice(1)) {
        const next = Math.min(least, depth), fall = least - next;
        total += fall < 1e-6 ? step(0.5 * (share(least) + share(next))) : (area(least) - area(next)) / fall;
        least = next;
    }
    return STEP * total;
}
