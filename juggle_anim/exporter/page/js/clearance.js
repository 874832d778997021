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

// The arm with the smallest swivel that clears the body; one with a plan goes back toward it for that.
function clearArm({ bulk, shoulder, outward, swivel, planned }, { elbow, wrist }) {
    const clearing = planned ? returningTurn : clearingTurn, lift = swivel - rules.bones.AT_EASE;
    const turn = clearing(bulk, [shoulder, elbow, wrist].map(bulk.seen), outward, lift);
    const line = minus(wrist, shoulder);
    if (turn === 0 || size(line) <= rules.clearance.LEAST_LINE) return { elbow, wrist };
    return { elbow: sum(shoulder, 1, turnedAbout(unit(line), turn, minus(elbow, shoulder)), 1), wrist };
}

// The change of the swivel angle of an arm that is lifted from its plan, [rad].
function returningTurn(bulk, joints, outward, lift) {
    if (lift === 0) return 0;
    const { SIDEWAYS } = rules.clearance, at = depthsOf(bulk, joints, outward), back = -lift / SIDEWAYS;
    const depths = [];
    for (let turn = SIDEWAYS; turn >= 0; turn--) depths.unshift(Math.max(depths[0] ?? -Infinity, ...at(turn * back)));
    const planned = Math.max(depths[SIDEWAYS], 0);
    return outward * back * stepsUntilFree(depths.map((depth) => depth - planned));
}

// The change of the swivel angle of an arm without a plan, [rad].
function clearingTurn(bulk, joints, outward, lift) {
    const { SIDEWAYS, RATHER_OUTWARD, BETWEEN, WRIST_RADIUS, HOPELESS, TURNS, STEP } = rules.clearance;
    const at = depthsOf(bulk, joints, outward);
    if (Math.max(...at(0)) <= 0) return 0;
    const points = TURNS.map(at);
    const each = beyondHelp(points[0].map((_, point) => beyondHelp(points.map((depths) => depths[point]))).reduce(deepest));
    const ways = [each.slice(SIDEWAYS), each.slice(0, SIDEWAYS + 1).reverse()];
    const [out, inward] = ways.map((depths) => STEP * stepsUntilFree(depths));
    const share = smooth((inward - out + RATHER_OUTWARD - lift) / BETWEEN + 0.5);
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

// After how many even steps the depth becomes 0: the integral of a smooth step of the depth, up to the first free
// place.
function stepsUntilFree(depths) {
    const { SOFT } = rules.clearance;
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
    return total;
}
