// The smooth body: juggle_anim/render/figures.py without a geometry shader, which browsers don't have. The skin is carried,
// and its outline found, here.

const bones = given.skin ? new Bones(given.skin) : null;
const levels = before?.levels ?? new Map(); // those that the player before has made

// The level of detail for a person of whom a metre takes so many pixels; it is made when it is first seen.
function levelOf(person, scale) {
    const all = given.skin.levels, number = all.findIndex(({ from }) => scale >= from), worn = given.skin.worn[person];
    const key = `${number} ${worn}`;
    if (!levels.has(key)) levels.set(key, new SkinLevel(all.at(number), worn));
    return levels.get(key);
}

// What keeps light from the skin: limbs, each with its start, radius, axis, one over the square of its length,
// its part along the light, and one over the square of its part across the light.
function shadeOf(joints) {
    const rows = given.skin.occluders.flatMap(([from, to, radius]) => {
        const axis = minus(joints[to], joints[from]), length2 = Math.max(dot(axis, axis), 1e-6), lean = dot(SUN, axis);
        return [...joints[from], radius, ...axis, 1 / length2, lean, 1 / Math.max(length2 - lean * lean, 1e-6)];
    });
    return { limbs: Float64Array.from(rows), casting: given.skin.casting, sun: SUN };
}

// All jugglers' triangles, and the strips along their outlines.
class SkinShapes {
    // The same people go on with the shapes of those before.
    constructor(last) {
        this.looks = JSON.stringify([given.people, given.skin?.paint]);
        this.solid = last?.solid ?? new Mesh(CORNER);
        this.edge = last?.edge ?? new Mesh(EDGE_CORNER);
        this.seen = last?.looks === this.looks ? last.seen : []; // the level of each juggler
    }

    // Replace them for people's joints; `frame` is set to the camera.
    show(people, frame) {
        if (!people.length) return;
        const { pixel, view, flat } = cameraOf(frame);
        const far = ([x, y, z]) => flat || -(view[2] * x + view[6] * y + view[10] * z + view[14]);
        const seen = people.map((joints, juggler) => levelOf(given.people[juggler], 1 / (pixel * far(joints[0]))));
        this.arrange(seen);
        let corner = 0, edges = 0;
        people.forEach((joints, juggler) => {
            const person = given.people[juggler], level = seen[juggler];
            level.carry(bones.transforms(joints, given.skin.girths[person]), shadeOf(joints), frame);
            const { point, normal, open } = this.solid.arrays;
            point.set(level.place, 3 * corner);
            normal.set(level.facing, 3 * corner);
            open.set(level.open, 2 * corner);
            edges = outline(this.edge, edges, level, given.skin.paint[person], frame);
            corner += level.count;
        });
        this.solid.fresh(["point", "normal", "open"], corner);
        this.edge.fresh(Object.keys(EDGE_CORNER), 4 * edges);
        this.edge.geometry.setDrawRange(0, 6 * edges);
    }

    // Set what stays while everybody is seen in the same detail: triangles and paint.
    arrange(seen) {
        if (seen.length === this.seen.length && seen.every((level, juggler) => level === this.seen[juggler])) return;
        this.seen = seen;
        const indices = new Uint32Array(seen.reduce((total, { triangles }) => total + triangles.length, 0));
        this.solid.hold(seen.reduce((total, { count }) => total + count, 0));
        let first = 0, place = 0;
        seen.forEach(({ triangles, covers, count }, juggler) => {
            const paint = given.skin.paint[given.people[juggler]], { paint: painted } = this.solid.arrays;
            for (const corner of triangles) indices[place++] = first + corner;
            for (let corner = 0, to = 4 * first; corner < count; corner++) {
                for (let k = 0; k < 4; k++) painted[to++] = paint[covers[corner]][k];
            }
            first += count;
        });
        this.solid.fresh(["paint"], first);
        this.solid.geometry.setIndex(new THREE.BufferAttribute(indices, 1));
    }
}
