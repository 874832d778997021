// The bones that carry the skin: juggle_anim/scene/skin.py.

// A rotation whose columns are the first direction, the second made orthogonal to it, and their cross product.
function frameOf(along, aside) {
    const x = unit(along), y = unit(sum(aside, 1, x, -dot(aside, x)));
    return [x, y, cross(x, y)];
}

// The vector that has these parts along three axes.
const alongAxes = ([x, y, z], parts) => sum(x, parts[0], y, parts[1], z, parts[2]);

class Bones {
    constructor({ sums, between, twistMiddles, rest, head, aroundEyes, eyes, lids }) {
        this.sums = sums;
        this.between = between;
        this.twistMiddles = twistMiddles;
        this.head = head;
        this.aroundEyes = aroundEyes; // bones that begin in the middle of an eye, and where that is at rest
        this.eyes = eyes;
        this.lids = lids;
        this.rest = this.plain(rest);
        for (const [bone, ...start] of aroundEyes) this.rest.starts[bone] = start;
        // Sides of twisted bones at rest, as the bones that they lie between see them.
        this.sides = between.map(([bone, ...both]) =>
            both.map((other) => this.rest.frames[other].map((axis) => dot(axis, this.rest.frames[bone][1]))));
    }

    plain(joints) {
        const count = this.sums.length / 3;
        const sums = this.sums.map((weights) => weighted(weights, joints));
        if (joints.lookedAt) {
            const look = minus(joints.lookedAt, joints[given.jointNumbers.HEAD]), { follow, close, rows, brow, rise } = this.lids;
            const face = scaled(sums[this.head], 1 / rules.skeleton.FACE), up = scaled(sums[count + this.head], 1 / rules.skeleton.HEAD);
            const opened = sum(face, 1 - follow, look, follow), closed = sum(face, Math.cos(close), up, -Math.sin(close));
            for (const bone of this.eyes) sums[bone] = look;
            sums[brow] = sum(face, 1, up, rise * Math.max(dot(look, up), 0));
            for (const bone of rows) sums[bone] = sum(opened, 1 - joints.lids, closed, joints.lids);
        }
        const frames = Array.from({ length: count }, (_, bone) => frameOf(sums[bone], sums[count + bone]));
        return { frames, starts: sums.slice(2 * count) };
    }

    // Three rows of four numbers for each bone: what takes a point at rest to where it is, and widens it by three girths.
    transforms(joints, girths) {
        const { frames, starts } = this.plain(joints), rows = new Float64Array(12 * frames.length);
        this.between.forEach(([bone, ...both], number) => {
            const x = frames[bone][0];
            const sides = both.map((other, which) => {
                const side = alongAxes(frames[other], this.sides[number][which]);
                return unit(sum(side, 1, x, -dot(side, x)));
            });
            // The mean of two sides jumps where they are opposite: opposite to the middle of the range of twists.
            const middle = this.twistMiddles[number], side = sum(turnedAbout(x, middle, sides[0]), 1, sides[1], 1);
            frames[bone] = frameOf(x, turnedAbout(x, -middle / 2, side));
        });
        for (const [bone, ...start] of this.aroundEyes) {
            const { head } = this, away = minus(start, this.rest.starts[head]), rest = this.rest.frames[head];
            const inHead = rest.map((axis, k) => girths[head][k] * dot(axis, away));
            starts[bone] = sum(starts[head], 1, alongAxes(frames[head], inHead), 1);
        }
        for (const bone of this.eyes) {
            starts[bone] = sum(starts[bone], 1, frames[this.head][0], -this.lids.back * (joints.lids ?? 0));
        }
        frames.forEach((frame, bone) => {
            const start = this.rest.starts[bone], rest = this.rest.frames[bone], girth = girths[bone];
            for (let i = 0; i < 3; i++) {
                const row = 12 * bone + 4 * i;
                for (let k = 0; k < 3; k++) for (let j = 0; j < 3; j++) rows[row + j] += frame[k][i] * girth[k] * rest[k][j];
                rows[row + 3] = starts[bone][i];
                for (let j = 0; j < 3; j++) rows[row + 3] -= rows[row + j] * start[j];
            }
        });
        return rows;
    }
}
