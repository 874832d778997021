// Jugglers: joints at a time, with elbows solved again for the chicken wing angle, and the limbs between them.

const tablesOf = ({ bodies, poles }) => ({ bodies: new Table(bodies), poles: poles && new Table(poles) });
let tables = tablesOf(given);
let draft = null; // tables and camera of a draft, while bodies go over from it to their plan
let gone = 1; // the share of that way which they have gone
const OUTWARD = { LEFT: 1, RIGHT: -1 };

// Reads a row sequentially.
function reader(row) {
    let place = 0;
    return (count) => row.slice(place, (place += count));
}

// Put the plan of bodies, and the camera that sees them, in the place of a draft.
function goOver(planned) {
    draft = { tables, camera: given.camera };
    gone = 0;
    tables = tablesOf(planned);
    Object.assign(given, planned);
}

// Numbers between those of a draft and those of the plan.
const between = (drafted, planned) => drafted.map((number, place) => number + step(gone) * (planned[place] - number));

// The rows of bodies and poles at a time; a pole that is 0 turns no elbow.
function rowsAt(time, { bodies, poles }) {
    const place = share(time / given.loop) * bodies.rows;
    return [bodies.around(place), poles?.around(place) ?? new Array(6 * given.jugglers).fill(0)];
}

// The joints of each juggler in the world, by their numbers, [m], with the point `lookedAt`, and how far the `lids` are closed. `wings` are the angles of left and right arms, [rad].
function jointsAt(time, wings) {
    const planned = rowsAt(time, tables), drafted = draft && rowsAt(time, draft.tables);
    const [take, takePole] = planned.map((row, which) => reader(drafted ? between(drafted[which], row) : row));
    return Array.from({ length: given.jugglers }, (_, juggler) => {
        const place = take(3), turn = unit([...take(2), 0]);
        const inWorld = ([x, y, z]) => [
            place[0] + x * turn[1] + z * turn[0], place[1] + y, place[2] + z * turn[1] - x * turn[0],
        ];
        const joints = posed(take, wings, [takePole(3), takePole(3)]);
        return Object.assign(joints.map(inWorld), { lookedAt: inWorld(joints.lookedAt), lids: joints.lids });
    });
}

// The fractional part of a number.
const share = (number) => number - Math.floor(number);

// The joints of one juggler in the body frame. Elbows turn toward their `poles`.
function posed(take, wings, poles) {
    const hands = [take(3), take(3)], turns = [0, 1].map(() => take(6 + rules.hand.DIGITS)), joints = [];
    for (const number of given.joints) joints[number] = take(3);
    joints.lookedAt = take(3);
    [joints.lids] = take(1);
    const named = (name) => joints[given.jointNumbers[name]];
    const bulk = bulkOf(named), planned = Boolean(tables.poles);
    ["LEFT", "RIGHT"].forEach((side, number) => {
        const turn = given.solved ? undefined : Math.atan2(...take(2)) - radians(given.wings[number]);
        const swivel = wings[number], pole = poles[number];
        const owner = { bulk, shoulder: named(`${side}_SHOULDER`), outward: OUTWARD[side], swivel, pole, planned };
        const arm = reachFor({ ...owner, turn }, hands[number], turns[number]);
        for (const joint in arm) joints[given.jointNumbers[`${side}_${joint}`]] = arm[joint];
    });
    return joints;
}

// An arm whose palm touches what its hand holds: juggle_anim/body/arm.py for one arm.
function reachFor(arm, place, turns) {
    const { PALM, FOREARM } = rules.skeleton, away = minus(place, arm.shoulder);
    const bent = (hand) => clearArm(arm, towardPole(arm, bentArm(arm, wristOf(hand, away), hand)));
    let hand = turnedHand(away, turns, arm.outward), found = bent(hand);
    const forearm = scaled(minus(found.wrist, found.elbow), 1 / FOREARM);
    const bentByPlan = given.bendsByPlan && arm.planned && arm.swivel === rules.bones.AT_EASE;
    if (!bentByPlan && dot(forearm, hand.fingers) < Math.cos(rules.hand.FREE_BEND)) {
        hand = bentLess(hand, forearm);
        found = bent(hand);
    }
    const palm = sum(found.wrist, 1, hand.fingers, PALM);
    return { ELBOW: found.elbow, WRIST: found.wrist, ...digitJoints(hand, palm) };
}

// The kind of shape that limbs are; those of a smooth body only cast shadows.
const LIMB = given.veiled ? "veil" : given.skin ? "limb" : "capsule";

// Rows of round cones for the limbs of jugglers.
function limbRows(people) {
    return people.flatMap((joints, juggler) => given.limbs.map(({ start, end, radii, paint }) => [
        ...weighted(start, joints), radii[0], ...weighted(end, joints), radii[1], ...paint[given.people[juggler]],
    ]));
}
