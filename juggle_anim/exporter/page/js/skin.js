// The smooth body: juggle_anim/scene/skin.py and juggle_anim/render/skinned.py without a geometry shader, which browsers
// don't have. The skin is carried, and its outline found, here.

const NEVER = { levels: {} };
const LEAST_OUT = 0.02 / 127; // a unit of how far the skin may give way, [m]

// Typed numbers from base64.
function numbers(Kind, text) {
    return new Kind(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)).buffer);
}

// A rotation whose columns are the first direction, the second made orthogonal to it, and their cross product.
function frameOf(along, aside) {
    const x = unit(along), y = unit(sum(aside, 1, x, -dot(aside, x)));
    return [x, y, cross(x, y)];
}

class Bones {
    constructor({ sums, between, rest, head, eyes }) {
        this.sums = sums;
        this.between = between;
        this.head = head;
        this.eyes = eyes;
        this.rest = this.plain(rest);
        for (const [bone, ...start] of eyes) this.rest.starts[bone] = start;
        // Sides of twisted bones at rest, as the bones that they lie between see them.
        this.sides = between.map(([bone, ...both]) =>
            both.map((other) => this.rest.frames[other].map((axis) => dot(axis, this.rest.frames[bone][1]))));
    }

    plain(joints) {
        const count = this.sums.length / 3;
        const sums = this.sums.map((weights) => sum(...weights.flatMap(([number, weight]) => [joints[number] ?? [0, 1, 0], weight])));
        if (joints.lookedAt) {
            for (const [bone] of this.eyes) sums[bone] = minus(joints.lookedAt, joints[given.jointNumbers.HEAD]);
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
                const side = sum(...frames[other].flatMap((axis, k) => [axis, this.sides[number][which][k]]));
                return unit(sum(side, 1, x, -dot(side, x)));
            });
            frames[bone] = frameOf(x, sum(sides[0], 1, sides[1], 1));
        });
        for (const [bone, ...start] of this.eyes) {
            const { head } = this, away = minus(start, this.rest.starts[head]), rest = this.rest.frames[head];
            const inHead = rest.map((axis, k) => girths[head][k] * dot(axis, away));
            starts[bone] = sum(starts[head], 1, ...frames[head].flatMap((axis, k) => [axis, inHead[k]]));
        }
        frames.forEach((frame, bone) => {
            const start = this.rest.starts[bone];
            const rest = this.rest.frames[bone].map((axis, k) => scaled(axis, girths[bone][k]));
            for (let i = 0; i < 3; i++) {
                const row = [0, 1, 2].map((j) => frame[0][i] * rest[0][j] + frame[1][i] * rest[1][j] + frame[2][i] * rest[2][j]);
                rows.set([...row, starts[bone][i] - dot(row, start)], 12 * bone + 4 * i);
            }
        });
        return rows;
    }
}

// The edges of triangles, with the third corners of the triangles beside them: juggle_anim/render/skinned.py.
function edgesWithNeighbours(points, triangles) {
    // Corners at one place count as one.
    const place = (corner) => (points[3 * corner] * 65536 + points[3 * corner + 1]) * 65536 + points[3 * corner + 2];
    const numbered = new Map(), sides = new Map(), edges = [];
    for (const corner of triangles) if (!numbered.has(place(corner))) numbered.set(place(corner), numbered.size);
    const numberOf = (corner) => numbered.get(place(corner)), count = numbered.size;
    const ends = (i) => [triangles[i], triangles[3 * Math.floor(i / 3) + ((i + 1) % 3)]];
    const key = ([start, end]) => numberOf(start) * count + numberOf(end);
    const third = (i) => triangles[3 * Math.floor(i / 3) + ((i + 2) % 3)];
    for (let i = 0; i < triangles.length; i++) if (!sides.has(key(ends(i)))) sides.set(key(ends(i)), i);
    for (let i = 0; i < triangles.length; i++) {
        const [start, end] = ends(i), other = sides.get(key([end, start]));
        if (other === undefined || key([start, end]) < key([end, start])) {
            edges.push(third(i), start, end, third(other ?? i));
        }
    }
    return edges;
}

// One level of detail with one cut of hair, and the buffers of one juggler in it.
class SkinLevel {
    constructor({ from, unit: step, parts, ...packed }, cut) {
        this.from = from;
        const corners = numbers(Uint16Array, packed.triangles);
        const shown = [0, 1 + cut].map((part) => corners.subarray(3 * parts[part], 3 * parts[part + 1]));
        const triangles = shown.flatMap((part) => [...part]);
        const edges = shown.flatMap((part) => edgesWithNeighbours(numbers(Int16Array, packed.points), part));
        // Only the corners that these triangles use.
        const used = [...new Set(triangles)], number = new Map(used.map((corner, place) => [corner, place]));
        const rows = (Kind, name, width) => {
            const all = numbers(Kind, packed[name]);
            return Kind.from(used.flatMap((corner) => [...all.subarray(width * corner, width * (corner + 1))]));
        };
        this.points = Float64Array.from(rows(Int16Array, "points", 3), (value) => value * step);
        this.normals = rows(Int8Array, "normals", 3);
        this.shares = rows(Uint8Array, "shares", 4);
        this.bones = rows(Uint8Array, "bones", 4);
        this.covers = rows(Uint8Array, "covers", 1);
        this.outward = rows(Int8Array, "outward", 4);
        this.triangles = Uint16Array.from(triangles, (corner) => number.get(corner));
        this.edges = Uint16Array.from(edges, (corner) => number.get(corner));
        this.count = used.length;
        this.soft = new Float64Array(this.count); // width of the soft edge at each corner [pixels]
        this.place = new Float64Array(3 * this.count); // before the skin gives way
        this.away = new Float64Array(3 * this.count); // outward directions
    }

    // Places and normals of all corners, and how much light reaches them, eight numbers each; `pixelAt` is the width of a
    // pixel at a place, and `limbs` are those that keep light away.
    carried(rows, pixelAt, limbs, out) {
        const { points, normals, shares, bones, outward } = this, m = new Float64Array(12);
        for (let corner = 0; corner < this.count; corner++) {
            m.fill(0);
            for (let k = 4 * corner; k < 4 * corner + 4 && shares[k]; k++) {
                const share = shares[k] / 255, first = 12 * bones[k];
                for (let i = 0; i < 12; i++) m[i] += share * rows[first + i];
            }
            const [x, y, z] = points.subarray(3 * corner, 3 * corner + 3);
            const [a, b, c] = normals.subarray(3 * corner, 3 * corner + 3);
            const [u, v, w, thick] = outward.subarray(4 * corner, 4 * corner + 4);
            const place = [0, 4, 8].map((i) => m[i] * x + m[i + 1] * y + m[i + 2] * z + m[i + 3]);
            const pixel = pixelAt(place), inset = Math.min(0.5 * pixel, LEAST_OUT * thick), inward = inset / 127;
            this.place.set(place, 3 * corner);
            this.soft[corner] = 0.5 + inset / pixel;
            const facing = [0, 4, 8].map((i) => (m[i] * a + m[i + 1] * b + m[i + 2] * c) / 127);
            for (let i = 0; i < 3; i++) {
                const away = (this.away[3 * corner + i] = m[4 * i] * u + m[4 * i + 1] * v + m[4 * i + 2] * w);
                out[8 * corner + i] = place[i] - inward * away;
                out[8 * corner + 3 + i] = facing[i];
            }
            out.set(reached(place, facing, limbs), 8 * corner + 6);
        }
    }
}

// Limbs that keep light from the skin: start, square of the radius, axis, and one over the square of its length.
function occluders(joints) {
    return given.skin.occluders.map(([from, to, radius]) => {
        const axis = minus(joints[to], joints[from]);
        return { start: joints[from], radius, axis, inverse: 1 / Math.max(dot(axis, axis), 1e-6) };
    });
}

const LAMP = 3; // occlusion.glsl

// How much light reaches a place from all around and from the key light: occlusion.glsl.
function reached(place, facing, limbs) {
    let around = 1 - 0.45 * Math.max(0.6 - facing[1], 0) * 2 ** (-14 * Math.max(place[1], 0)), key = 1;
    limbs.forEach(({ start, radius, axis, inverse }, number) => {
        const from = minus(start, place), across = dot(from, axis);
        const away = sum(from, 1, axis, bounded(-across * inverse, 0, 1)), far2 = Math.max(dot(away, away), 1e-6);
        const taken = Math.max(dot(facing, away) / Math.sqrt(far2) + 0.1, 0) * Math.min((radius * radius) / far2, 1);
        around *= 1 - 0.75 * Math.min(taken, 1);
        if (number >= given.skin.casting) return;
        const rise = dot(from, SUN), lean = dot(SUN, axis);
        const s = bounded((rise * lean - across) / Math.max(1 / inverse - lean * lean, 1e-6), 0, 1);
        const t = Math.max(rise + s * lean, 1e-4), miss = sum(from, 1, axis, s, SUN, -t);
        const shade = 1 - smooth((LAMP * (size(miss) - radius)) / t + 0.5);
        key *= 1 - 0.85 * shade * smooth(t / (1.2 * radius) - 1);
    });
    return [around, key];
}

// Levels of detail by cut of hair.
const levelsWith = (cut) => given.skin.levels.map((level) => new SkinLevel(level, cut));
const skin = given.skin ? { bones: new Bones(given.skin), levels: Object.fromEntries(given.skin.hair.map((cut) => [cut, levelsWith(cut)])) } : NEVER;

const CORNER = 12, EDGE_CORNER = 16; // numbers of a corner: place, normal, light, paint; and for an edge how far it is moved, coverage

// All jugglers' triangles, and the strips along their outlines.
class SkinShapes {
    constructor() {
        this.solid = new THREE.BufferGeometry();
        this.edge = new THREE.BufferGeometry();
    }

    // Replace them for people's joints; `frame` is set to the camera.
    show(people, frame) {
        const solid = { corners: [], triangles: [] }, edge = { corners: [], triangles: [] };
        const [projection, ray, light, up] = frame.values, view = frame.view.elements;
        const seen = (place) => [0, 1, 2].map((i) => view[i] * place[0] + view[4 + i] * place[1] + view[8 + i] * place[2] + view[12 + i]);
        const far = (place) => (up.w > 0 ? up.w : -(view[2] * place[0] + view[6] * place[1] + view[10] * place[2] + view[14]));
        const pixelAt = (place) => light.w * far(place);
        const pixel = [ray.x * projection.x, ray.y * projection.y];
        people.forEach((joints, juggler) => {
            const person = given.people[juggler], paint = given.skin.paint[person];
            const levels = skin.levels[given.skin.hair[person]];
            const scale = 1 / pixelAt(joints[0]);
            const level = levels.find(({ from }) => scale >= from) ?? levels.at(-1);
            const body = new Float32Array(8 * level.count), picture = new Float64Array(3 * level.count);
            const rows = skin.bones.transforms(joints, given.skin.girths[person]);
            level.carried(rows, pixelAt, occluders(joints), body);
            for (let corner = 0; corner < level.count; corner++) {
                const place = body.subarray(8 * corner, 8 * corner + 3), [x, y] = seen(place), distance = far(place);
                picture.set([(Math.abs(projection.x) * x) / distance, (projection.y * y) / distance, distance], 3 * corner);
            }
            fill(solid, level, body, paint);
            // Where outward directions point in the picture.
            const out = new Float64Array(2 * level.count);
            for (let corner = 0; corner < level.count; corner++) {
                const place = seen(level.place.subarray(3 * corner, 3 * corner + 3)), away = level.away.subarray(3 * corner, 3 * corner + 3);
                const [u, v, w] = [0, 1, 2].map((i) => view[i] * away[0] + view[4 + i] * away[1] + view[8 + i] * away[2]);
                const tilt = up.w > 0 ? 0 : w / place[2], x = u - tilt * place[0], y = v - tilt * place[1];
                const size = Math.max(Math.hypot(x, y), 1e-6);
                out.set([x / size, y / size], 2 * corner);
            }
            outline(edge, level, body, paint, picture, out, pixel, Math.sign(projection.x));
        });
        put(this.solid, solid, CORNER);
        put(this.edge, edge, EDGE_CORNER);
    }
}

function fill({ corners, triangles }, level, body, paint) {
    const first = corners.length / CORNER;
    for (let corner = 0; corner < level.count; corner++) {
        corners.push(...body.subarray(8 * corner, 8 * corner + 8), ...paint[level.covers[corner]]);
    }
    for (const number of level.triangles) triangles.push(first + number);
}

const STRAIGHT = 0.6; // as in skin.geom

// A strip where a triangle that faces the eye meets one that does not, or none: skin.geom.
function outline({ corners, triangles }, level, body, paint, picture, out, pixel, flip) {
    const faces = (a, b, c) => {
        const [ax, ay] = [picture[3 * a], picture[3 * a + 1]];
        return (picture[3 * b] - ax) * (picture[3 * c + 1] - ay) - (picture[3 * b + 1] - ay) * (picture[3 * c] - ax) > 0;
    };
    for (let i = 0; i < level.edges.length; i += 4) {
        const [one, a, b, other] = level.edges.subarray(i, i + 4);
        const first = faces(a, b, one);
        if (one === other ? !first : first === faces(b, a, other)) continue;
        if ([one, a, b, other].some((corner) => picture[3 * corner + 2] <= 0)) continue;
        const turn = first ? 1 : -1;
        const x = (turn * (picture[3 * b] - picture[3 * a])) / pixel[0], y = (turn * (picture[3 * b + 1] - picture[3 * a + 1])) / pixel[1];
        const size = Math.max(Math.hypot(x, y), 1e-6), start = corners.length / EDGE_CORNER;
        for (const corner of [a, b]) {
            const straight = (y * out[2 * corner] - x * out[2 * corner + 1]) / size > STRAIGHT;
            const [across, rise] = straight ? out.subarray(2 * corner, 2 * corner + 2) : [y / size, -x / size];
            const away = [flip * across * pixel[0], rise * pixel[1]];
            const same = [...body.subarray(8 * corner, 8 * corner + 8), ...paint[level.covers[corner]]];
            const soft = level.soft[corner];
            corners.push(...same, 0, 0, 0, soft, ...same, soft * away[0], soft * away[1], 0, 0);
        }
        triangles.push(start, start + 1, start + 2, start + 2, start + 1, start + 3);
    }
}

// Give corners of so many numbers to a geometry.
function put(geometry, { corners, triangles }, width) {
    geometry.dispose();
    const count = corners.length / width;
    for (const [name, size, offset] of [["point", 3, 0], ["normal", 3, 3], ["open", 2, 6], ["paint", 4, 8], ["away", 4, 12]]) {
        if (offset >= width) continue;
        const values = new Float32Array(size * count);
        for (let i = 0; i < values.length; i++) values[i] = corners[Math.floor(i / size) * width + offset + (i % size)];
        geometry.setAttribute(name, new THREE.BufferAttribute(values, size));
    }
    geometry.setIndex(new THREE.BufferAttribute(new Uint32Array(triangles), 1));
}
