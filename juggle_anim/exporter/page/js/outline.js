// Meshes of the skin and of the strips along its outline, which cards draw with soft edges.

const CORNER = { point: 3, normal: 3, open: 2, paint: 4 }; // numbers of a corner
const EDGE_CORNER = { ...CORNER, away: 4 }; // … and how far it is moved in the picture, and its coverage
const STRAIGHT = 0.6; // as in skin.geom

// A geometry whose corners are written anew for each picture, and whose buffers grow when they are too small.
class Mesh {
    constructor(widths) {
        this.geometry = new THREE.BufferGeometry();
        this.widths = widths;
        this.room = 0;
    }

    // Make room for so many corners in all; true if that has replaced all buffers.
    hold(corners) {
        if (corners <= this.room) return false;
        const before = this.arrays;
        this.room = Math.ceil(1.5 * corners);
        this.arrays = {};
        this.geometry.dispose();
        for (const [name, width] of Object.entries(this.widths)) {
            this.arrays[name] = new Float32Array(width * this.room);
            if (before) this.arrays[name].set(before[name]);
            this.geometry.setAttribute(name, new THREE.BufferAttribute(this.arrays[name], width));
        }
        return true;
    }

    // Let the graphics card have the first corners of some attributes.
    fresh(names, corners) {
        for (const name of names) {
            const attribute = this.geometry.getAttribute(name);
            attribute.addUpdateRange(0, this.widths[name] * corners);
            attribute.needsUpdate = true;
        }
    }
}

// Add a strip of four corners where a triangle that faces the eye meets one that does not, or none (skin.geom), after so
// many strips; returns how many there are then.
function outline(mesh, before, level, paint, frame) {
    const { edges, picture } = level, found = [], { values: [projection, ray] } = frame;
    const lens = { ...cameraOf(frame), across: ray.x * projection.x, upward: ray.y * projection.y, flip: Math.sign(projection.x) };
    for (let i = 0; i < edges.length; i += 4) {
        const one = 3 * edges[i], a = 3 * edges[i + 1], b = 3 * edges[i + 2], other = 3 * edges[i + 3];
        const first = faces(picture, a, b, one);
        if (one === other ? !first : first === faces(picture, b, a, other)) continue;
        if (picture[one + 2] <= 0 || picture[a + 2] <= 0 || picture[b + 2] <= 0 || picture[other + 2] <= 0) continue;
        found.push(first ? i : -1 - i);
    }
    const count = before + found.length;
    if (mesh.hold(4 * count)) mesh.geometry.setIndex(new THREE.BufferAttribute(strips(mesh.room / 4), 1));
    found.forEach((edge, number) => strip(mesh.arrays, 4 * (before + number), level, edge, paint, lens));
    return count;
}

// Whether a triangle goes around to the left in the picture; its corners are told by three times their numbers.
function faces(picture, a, b, c) {
    const x = picture[a], y = picture[a + 1];
    return (picture[b] - x) * (picture[c + 1] - y) - (picture[b + 1] - y) * (picture[c] - x) > 0;
}

// Triangles of so many strips.
function strips(count) {
    const corners = [0, 1, 2, 2, 1, 3];
    return Uint32Array.from({ length: 6 * Math.floor(count) }, (_, place) => 4 * Math.floor(place / 6) + corners[place % 6]);
}

// Write the strip of an edge of a level, or with a negative number −1 − edge the other way round: both ends, and both moved outward.
function strip(arrays, first, { edges, place, facing, open, covers, picture, out, outward, soft }, edge, paint, lens) {
    const turn = edge < 0 ? -1 : 1, at = edge < 0 ? -1 - edge : edge, a = edges[at + 1], b = edges[at + 2];
    const { across: wide, upward: high, flip, pixel, flat } = lens;
    const x = (turn * (picture[3 * b] - picture[3 * a])) / wide, y = (turn * (picture[3 * b + 1] - picture[3 * a + 1])) / high;
    const size = Math.max(Math.sqrt(x * x + y * y), 1e-6);
    for (let end = 0; end < 2; end++) {
        const corner = end ? b : a, straight = (y * out[2 * corner] - x * out[2 * corner + 1]) / size > STRAIGHT;
        const across = straight ? out[2 * corner] : y / size, rise = straight ? out[2 * corner + 1] : -x / size;
        const width = pixel * (flat || picture[3 * corner + 2]), raised = Math.min(MOST_LIFT, LIFT * LEAST_OUT * outward[4 * corner + 3], width);
        const slope = soft[corner] * width * risen(lens, place, facing, corner, across, rise);
        for (let moved = 0; moved < 2; moved++) {
            const into = first + 2 * end + moved;
            for (let k = 0; k < 3; k++) {
                arrays.point[3 * into + k] = place[3 * corner + k];
                arrays.normal[3 * into + k] = facing[3 * corner + k];
            }
            arrays.open[2 * into] = open[2 * corner];
            arrays.open[2 * into + 1] = open[2 * corner + 1];
            for (let k = 0; k < 4; k++) arrays.paint[4 * into + k] = paint[covers[corner]][k];
            arrays.away[4 * into] = moved * soft[corner] * flip * across * wide;
            arrays.away[4 * into + 1] = moved * soft[corner] * rise * high;
            arrays.away[4 * into + 2] = raised + moved * slope;
            arrays.away[4 * into + 3] = (1 - moved) * soft[corner];
        }
    }
}
