// Orientation of hands and pose of fingers: juggle_anim/body/arm.py for one hand.

// The oriented hand. `away` goes from its shoulder to what it holds; `outward` is 1 for a left hand, −1 for a right.
function turnedHand(away, turn, outward) {
    const [yaw, pitch, roll, held, below, behind, ...digits] = turn;
    const [x, z] = heading(away, yaw, outward);
    const rise = Math.sin(pitch), level = Math.cos(pitch), rolled = Math.sin(roll), upright = Math.cos(roll);
    const above = [-rise * x, level, -rise * z], beside = [outward * z, 0, -outward * x];
    const palm = sum(above, upright, beside, -rolled), thumb = sum(beside, upright, above, rolled);
    const straight = straightened(away, [level * x, rise, level * z], thumb);
    const hand = given.givesWay ? lessDeviated(away, straight, outward) : straight;
    return { ...hand, palm, held, below, behind, digits };
}

// The horizontal direction of fingers: left and ahead.
function heading(away, yaw, outward) {
    const { ELBOW_BACK, ELBOW_OUT, ROUND, INWARD } = rules.hand;
    const ahead = away[2] + ELBOW_BACK;
    const far = Math.max(ahead, 0) + ROUND * Math.log1p(Math.exp(-Math.abs(ahead) / ROUND));
    const out = outward * away[0] - ELBOW_OUT - INWARD * (far - ahead);
    const length = Math.sqrt(out * out + far * far), sine = Math.sin(yaw), cosine = Math.cos(yaw);
    return [(outward * (out * cosine + far * sine)) / length, (far * cosine - out * sine) / length];
}

// Fingers and thumb turned in the plane of the palm toward the line of an arm that reaches far.
function straightened(away, fingers, thumb) {
    const { STRAIGHTENS, STRAIGHT, WHOLE_ARM } = rules.hand;
    const distance = size(away);
    const share = STRAIGHT * smooth((distance / WHOLE_ARM - STRAIGHTENS[0]) / (STRAIGHTENS[1] - STRAIGHTENS[0]));
    const arm = scaled(away, 1 / Math.max(distance, 1e-9));
    const along = 1 - share + share * dot(arm, fingers), across = share * dot(arm, thumb);
    const length = Math.max(Math.sqrt(along * along + across * across), 1e-9);
    return {
        fingers: sum(fingers, along / length, thumb, across / length),
        thumb: sum(thumb, along / length, fingers, -across / length),
    };
}

// Fingers and thumb turned in the plane of the palm as far as the wrist requires, which deviates only so far.
function lessDeviated(away, { fingers, thumb }, outward) {
    const { FREE_DEVIATION, FARTHEST_DEVIATION, YIELDS_LESS, BEHIND, WRIST_BELOW, FLAT } = rules.hand;
    const forearm = estimatedForearm(sum(away, 1, fingers, -rules.skeleton.PALM, [0, 1, 0], -WRIST_BELOW), outward);
    const along = dot(forearm, fingers), across = dot(forearm, thumb), deviation = Math.atan2(across, along);
    const givesWay = (sign, limit) => {
        const free = FREE_DEVIATION[limit], spare = FARTHEST_DEVIATION[limit] - free;
        const beyond = Math.max(sign * deviation - free, 0);
        return sign * (beyond - spare * Math.tanh(beyond / spare));
    };
    const share = (YIELDS_LESS[1] - Math.abs(deviation)) / (YIELDS_LESS[1] - YIELDS_LESS[0]);
    const turn = (givesWay(-1, 0) + givesWay(1, 1)) * smooth(share) * smooth(1 + away[2] / BEHIND) *
        quintic(Math.hypot(along, across) / FLAT);
    const sine = Math.sin(turn), cosine = Math.cos(turn);
    return { fingers: sum(fingers, cosine, thumb, sine), thumb: sum(thumb, cosine, fingers, -sine) };
}

// The direction from elbow to wrist, nearly, for a vector from shoulder to wrist.
function estimatedForearm(away, outward) {
    const { UPPER_ARM, FOREARM } = rules.skeleton, { ELBOWS, LEAST_SIDE } = rules.hand;
    const whole = UPPER_ARM + FOREARM, distance = size(away), axis = scaled(away, 1 / Math.max(distance, 1e-9));
    const reach = atEase(distance, whole);
    const along = (reach + (UPPER_ARM ** 2 - FOREARM ** 2) / reach) / 2, elbow = ELBOWS[outward > 0 ? 0 : 1];
    const side = sum(elbow, 1, axis, -dot(axis, elbow)), across = Math.sqrt(UPPER_ARM ** 2 - along ** 2);
    return scaled(sum(axis, reach - along, side, -across / Math.sqrt(dot(side, side) + LEAST_SIDE)), 1 / FOREARM);
}

// The wrist of a hand whose palm touches what it holds.
function wristOf(hand, place) {
    const { PALM_RADIUS } = rules.hand, { PALM } = rules.skeleton;
    return sum(place, 1, hand.palm, -(hand.held + PALM_RADIUS), hand.fingers, hand.behind - PALM, [0, 1, 0], -hand.below);
}

// The hand turned toward its forearm, a unit vector, so that the wrist bends within its limit.
function bentLess(hand, forearm) {
    const { FREE_BEND, FARTHEST_BEND } = rules.hand;
    const straight = dot(hand.fingers, forearm), spare = FARTHEST_BEND - FREE_BEND;
    const beyond = Math.max(Math.acos(bounded(straight, -1, 1)) - FREE_BEND, 0);
    const turn = beyond - spare * Math.tanh(beyond / spare);
    const axis = unit(cross(hand.fingers, sum(forearm, 1, hand.fingers, -straight)));
    const turned = (vector) => turnedAbout(axis, turn, vector);
    return { ...hand, fingers: turned(hand.fingers), palm: turned(hand.palm), thumb: turned(hand.thumb) };
}

// Joints of fingers and thumb by their names, for a palm's position: juggle_anim/body/digits.py for one hand.
function digitJoints(hand, palm) {
    const { FINGERS, TIPS, THUMB_BACK, THUMB_OUT, THUMB } = rules.skeleton;
    const { ACROSS, SHARES, THUMB_OPEN, THUMB_CLOSES, THUMB_LAID } = rules.hand;
    const [closed, laid] = hand.digits.slice(11);
    const inWorld = ([x, y, z]) => sum(palm, 1, hand.fingers, x, hand.thumb, y, hand.palm, z);
    const joints = {};
    // Cosine and sine of twice the angle of a tangent.
    const turned = (tangent) => [(1 - tangent ** 2) / (1 + tangent ** 2), (2 * tangent) / (1 + tangent ** 2)];
    ["MIDDLE", "INDEX", "RING", "LITTLE"].forEach((name, finger) => {
        const across = finger ? ACROSS[finger - 1] : 0, [ahead, aside] = turned(finger ? hand.digits[7 + finger] : 0);
        const bone = (bend, length) => {
            const [rise, back] = turned(bend);
            return [-length * back * ahead, -length * back * aside, length * rise];
        };
        const root = [0, across, 0];
        const middle = sum(root, 1, bone(hand.digits[finger], FINGERS * SHARES[finger]), 1);
        const tip = sum(middle, 1, bone(hand.digits[4 + finger], TIPS * SHARES[finger]), 1);
        const names = finger ? [name, `${name}_MIDDLE`, `${name}_TIP`] : ["PALM", "FINGERS", "TIPS"];
        [root, middle, tip].forEach((place, number) => { joints[names[number]] = inWorld(place); });
    });
    const root = [-THUMB_BACK, THUMB_OUT, 0], thumb = unit(sum(THUMB_OPEN, 1, THUMB_CLOSES, closed, THUMB_LAID, laid));
    return { ...joints, THUMB: inWorld(root), THUMB_TIP: inWorld(sum(root, 1, thumb, THUMB)) };
}
