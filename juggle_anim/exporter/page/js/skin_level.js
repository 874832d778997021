// One level of detail of the smooth body, carried by its bones: juggle_anim/render/figures.py and skin.glsl. All corners
// are carried for each picture, so nothing is allocated for any of them.

const LEAST_OUT = 0.02 / 127; // a unit of how far the skin may give way, [m]
const LIFT = 0.75, MOST_LIFT = 0.003, LEAST_FACING = 0.4; // as in skin.vert
const LAMP = 2; // occlusion.glsl
const OCCLUDER = 10; // numbers of a limb that keeps light from the skin

const MOST_PLACES = 65536; // whose numbers have two bytes

// Write the edges of triangles from a place in an array on, with the third corners of the triangles beside them, and return
// where they end: juggle_anim/render/figures.py. Where two covers meet, the one of the higher number ends. Corners with the
// same number of a place count as one.
function addEdges(edges, end, place, covers, triangles) {
    const count = triangles.length;
    // The first side of a triangle that starts at a place, and the next one of that place after each side; −1 after the last.
    const firstAt = new Int32Array(MOST_PLACES).fill(-1), nextAt = new Int32Array(count), starts = new Uint16Array(count), ends = new Uint16Array(count);
    for (let i = 0; i < count; i += 3) {
        const a = place[triangles[i]], b = place[triangles[i + 1]], c = place[triangles[i + 2]];
        starts[i] = ends[i + 2] = a;
        starts[i + 1] = ends[i] = b;
        starts[i + 2] = ends[i + 1] = c;
    }
    for (let i = count - 1; i >= 0; i--) {
        nextAt[i] = firstAt[starts[i]];
        firstAt[starts[i]] = i;
    }
    for (let i = 0; i < count; i++) {
        const start = starts[i], stop = ends[i];
        let other = firstAt[stop];
        while (other >= 0 && ends[other] !== start) other = nextAt[other];
        const own = covers[triangles[i]], beside = other < 0 ? -1 : covers[triangles[other]];
        if (own < beside || (own === beside && start >= stop)) continue;
        const side = i % 3, across = own > beside ? i : other;
        edges[end++] = triangles[side ? i - 1 : i + 2];
        edges[end++] = triangles[i];
        edges[end++] = triangles[side === 2 ? i - 2 : i + 1];
        edges[end++] = triangles[across % 3 ? across - 1 : across + 2];
    }
    return end;
}

class SkinLevel {
    // The body's triangles and those of what one wears, with their corners. `parts` and `corners` have where the triangles and
    // corners of each part begin, and last where all end; `unit` is the length of 1 in the points, [m].
    constructor({ unit, parts, corners, ...packed }, worn) {
        const shown = [0, ...worn.map((part) => 1 + part)];
        // The rows of these parts, one after another.
        const joined = (Kind, name, width, begins = corners) => {
            const all = new Kind(bytesOf(packed[name]).buffer);
            const pieces = shown.map((part) => all.subarray(width * begins[part], width * begins[part + 1]));
            const rows = new Kind(pieces.reduce((total, { length }) => total + length, 0));
            let place = 0;
            for (const piece of pieces) {
                rows.set(piece, place);
                place += piece.length;
            }
            return rows;
        };
        this.triangles = joined(Uint16Array, "triangles", 3, parts);
        this.unit = unit;
        this.points = joined(Int16Array, "points", 3);
        this.normals = joined(Int8Array, "normals", 3);
        this.shares = joined(Uint8Array, "shares", 4);
        this.bones = joined(Uint8Array, "bones", 4);
        this.covers = joined(Uint8Array, "covers", 1);
        this.outward = joined(Int8Array, "outward", 4);
        this.count = 0; // of corners
        const edges = new Uint16Array(4 * this.triangles.length), places = joined(Uint16Array, "places", 1);
        let end = 0, edgesEnd = 0;
        for (const part of shown) {
            const start = end, moved = this.count - corners[part];
            end += 3 * (parts[part + 1] - parts[part]);
            for (let i = start; i < end; i++) this.triangles[i] += moved;
            edgesEnd = addEdges(edges, edgesEnd, places, this.covers, this.triangles.subarray(start, end));
            this.count = corners[part + 1] + moved;
        }
        this.edges = edges.slice(0, edgesEnd);
        this.matrix = new Float64Array(12);
        this.place = new Float32Array(3 * this.count); // [m]
        this.facing = new Float32Array(3 * this.count); // normals
        this.open = new Float32Array(2 * this.count); // the light that reaches it
        this.soft = new Float64Array(this.count); // width of the soft edge, [pixels]
        this.picture = new Float64Array(3 * this.count); // place in clip coordinates, and distance, [m]
        this.out = new Float64Array(2 * this.count); // where the skin's outward directions point in the picture
    }

    // Carry all corners by the rows of bones; `shade` is what keeps light away, and `frame` is set to the camera.
    carry(rows, shade, frame) {
        const camera = cameraOf(frame);
        for (let corner = 0; corner < this.count; corner++) {
            this.blend(rows, corner);
            this.move(corner, camera);
            light(this.place, this.facing, this.open, corner, shade);
        }
    }

    // The mean of the bones' rows at a corner.
    blend(rows, corner) {
        const { matrix, shares, bones } = this;
        matrix.fill(0);
        for (let k = 4 * corner; k < 4 * corner + 4 && shares[k]; k++) {
            const part = shares[k] / 255, first = 12 * bones[k];
            for (let i = 0; i < 12; i++) matrix[i] += part * rows[first + i];
        }
    }

    // Where that takes the corner, and where one sees it.
    move(corner, { view, wide, high, flat, pixel }) {
        const { matrix: m, unit, points, normals, outward, place, facing, picture, out } = this;
        const at = 3 * corner, px = unit * points[at], py = unit * points[at + 1], pz = unit * points[at + 2];
        const x = m[0] * px + m[1] * py + m[2] * pz + m[3];
        const y = m[4] * px + m[5] * py + m[6] * pz + m[7];
        const z = m[8] * px + m[9] * py + m[10] * pz + m[11];
        const a = normals[at] / 127, b = normals[at + 1] / 127, c = normals[at + 2] / 127;
        const u = outward[4 * corner], v = outward[4 * corner + 1], w = outward[4 * corner + 2];
        const outX = m[0] * u + m[1] * v + m[2] * w, outY = m[4] * u + m[5] * v + m[6] * w, outZ = m[8] * u + m[9] * v + m[10] * w;
        const far = -(view[2] * x + view[6] * y + view[10] * z + view[14]), width = pixel * (flat || far);
        const inset = Math.min(0.5 * width, LEAST_OUT * outward[4 * corner + 3]), inward = inset / 127;
        const sx = x - inward * outX, sy = y - inward * outY, sz = z - inward * outZ;
        place[at] = sx;
        place[at + 1] = sy;
        place[at + 2] = sz;
        facing[at] = m[0] * a + m[1] * b + m[2] * c;
        facing[at + 1] = m[4] * a + m[5] * b + m[6] * c;
        facing[at + 2] = m[8] * a + m[9] * b + m[10] * c;
        this.soft[corner] = 0.5 + inset / width;
        const distance = flat || -(view[2] * sx + view[6] * sy + view[10] * sz + view[14]);
        picture[at] = (wide * (view[0] * sx + view[4] * sy + view[8] * sz + view[12])) / distance;
        picture[at + 1] = (high * (view[1] * sx + view[5] * sy + view[9] * sz + view[13])) / distance;
        picture[at + 2] = distance;
        const tilt = flat ? 0 : (view[2] * outX + view[6] * outY + view[10] * outZ) / -far;
        const across = view[0] * outX + view[4] * outY + view[8] * outZ - tilt * (view[0] * x + view[4] * y + view[8] * z + view[12]);
        const rise = view[1] * outX + view[5] * outY + view[9] * outZ - tilt * (view[1] * x + view[5] * y + view[9] * z + view[13]);
        const length = Math.max(Math.sqrt(across * across + rise * rise), 1e-6);
        out[2 * corner] = across / length;
        out[2 * corner + 1] = rise / length;
    }
}

// How far skin comes toward the eye from a corner on, as far across and up in the picture, of 1 m.
function risen({ view, flat }, place, facing, corner, across, rise) {
    const at = 3 * corner, a = facing[at], b = facing[at + 1], c = facing[at + 2], u = place[at], v = place[at + 1], w = place[at + 2];
    const x = view[0] * a + view[4] * b + view[8] * c, y = view[1] * a + view[5] * b + view[9] * c;
    const z = view[2] * a + view[6] * b + view[10] * c;
    const right = flat ? 0 : view[0] * u + view[4] * v + view[8] * w + view[12], up = flat ? 0 : view[1] * u + view[5] * v + view[9] * w + view[13];
    const back = flat ? -1 : view[2] * u + view[6] * v + view[10] * w + view[14];
    const toward = -(x * right + y * up + z * back) / Math.sqrt(right * right + up * up + back * back);
    return Math.max(-(x * across + y * rise) / Math.max(toward, LEAST_FACING * Math.sqrt(x * x + y * y + z * z)), 0);
}

// What corners need of a frame; `flat` is 0 for perspective.
function cameraOf({ values: [projection, , light, up], view }) {
    return { view: view.elements, wide: Math.abs(projection.x), high: projection.y, flat: up.w, pixel: light.w };
}

// How much light reaches a corner from all around and from the key light, whose direction is `sun`: occlusion.glsl. Limbs keep
// it away, in rows; the first ones, as many as are `casting`, keep away the key light, too.
function light(place, facing, open, corner, { limbs, casting, sun }) {
    const at = 3 * corner, x = place[at], y = place[at + 1], z = place[at + 2];
    const nx = facing[at], ny = facing[at + 1], nz = facing[at + 2], [sunX, sunY, sunZ] = sun;
    let around = 1 - 0.45 * Math.max(0.6 - ny, 0) * 2 ** (-14 * Math.max(y, 0)), key = 1;
    for (let limb = 0, number = 0; limb < limbs.length; limb += OCCLUDER, number++) {
        const fromX = limbs[limb] - x, fromY = limbs[limb + 1] - y, fromZ = limbs[limb + 2] - z;
        const radius = limbs[limb + 3], inverse = limbs[limb + 7];
        const axisX = limbs[limb + 4], axisY = limbs[limb + 5], axisZ = limbs[limb + 6];
        const across = fromX * axisX + fromY * axisY + fromZ * axisZ, along = bounded(-across * inverse, 0, 1);
        const awayX = fromX + along * axisX, awayY = fromY + along * axisY, awayZ = fromZ + along * axisZ;
        const far2 = Math.max(awayX * awayX + awayY * awayY + awayZ * awayZ, 1e-6);
        const faced = nx * awayX + ny * awayY + nz * awayZ;
        const toward = faced > 0 || faced * faced < 0.01 * far2 ? faced / Math.sqrt(far2) + 0.1 : 0; // most limbs are behind
        const wide = (radius * radius) / far2;
        if (toward > 0) around *= 1 - 0.8 * Math.min(1.15 * toward * Math.min(wide, 1 / wide), 1);
        if (number >= casting) continue;
        const rise = fromX * sunX + fromY * sunY + fromZ * sunZ, lean = limbs[limb + 8];
        const s = bounded((rise * lean - across) * limbs[limb + 9], 0, 1);
        const t = rise + s * lean;
        if (t <= 1.2 * radius) continue; // the limb's own skin, or one beyond it
        const missX = fromX + s * axisX - t * sunX, missY = fromY + s * axisY - t * sunY, missZ = fromZ + s * axisZ - t * sunZ;
        const miss2 = missX * missX + missY * missY + missZ * missZ, lit = radius + (0.5 / LAMP) * t;
        if (miss2 >= lit * lit) continue;
        const miss = Math.sqrt(miss2);
        key *= 1 - 0.7 * (1 - smooth((LAMP * (miss - radius)) / t + 0.5)) * smooth(t / (1.2 * radius) - 1);
    }
    open[2 * corner] = around;
    open[2 * corner + 1] = key;
}
