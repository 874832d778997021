// The uniforms that all shaders share: juggle_anim/render/renderer.py and backdrop.py.

const SHADOW_SIZE = 512; // of the picture of shadows on the floor, [texels]
const FLOOR = 1.1; // radius of the lit floor, in distances from the eye to what it turns around
const FINEST_TEXEL = 0.01, COARSEST = 10, SNAP = 16, FAINTEST = 0.02, CONTACT_REACH = 0.075;

const [AXIS_U, AXIS_V, SUN] = given.stage.light;

// The uniform block `Frame`, in the order of frame.glsl.
class Frame {
    constructor() {
        this.group = new THREE.UniformsGroup();
        this.group.setName("Frame");
        this.view = new THREE.Matrix4();
        this.texels = SHADOW_SIZE; // along each edge of that picture
        this.clear = false; // whether nothing is drawn behind people and props
        this.values = Array.from({ length: 22 }, () => new THREE.Vector4());
        for (const value of [this.view, ...this.values]) this.group.add(new THREE.Uniform(value));
    }

    // Set the view of a three.js camera on `target`, for a size in pixels.
    look(camera, target, width, height) {
        const [, ray, light, up, eye, ahead, across, above] = this.values;
        const tangent = Math.tan(radians(camera.fov) / 2), high = 1 / tangent;
        const wide = ((given.camera.mirrored ? -high : high) * height) / width;
        const { near, far } = camera, depth = near - far, flat = given.camera.orthographic;
        const position = camera.position.toArray(), back = unit(minus(position, target));
        const right = unit(cross([0, 1, 0], back)), upward = cross(back, right);
        this.view.set(
            ...right, -dot(right, position), ...upward, -dot(upward, position), ...back, -dot(back, position), 0, 0, 0, 1,
        );
        const [x, y] = [2 / (wide * width), 2 / (high * height)];
        const depths = flat ? [0.5, 0.5 / far] : [0.5 - (0.5 * (far + near)) / depth, (far * near) / depth];
        this.values[0].set(wide, high, ...depths);
        ray.set(x, y, -1 / wide, -1 / high);
        light.set(dot(right, SUN), dot(upward, SUN), dot(back, SUN), y);
        up.set(right[1], upward[1], back[1], flat ? size(minus(position, target)) : 0);
        eye.set(...position, 1 / (FLOOR * size(minus(position, target))));
        ahead.set(...sum(right, -1 / wide, upward, -1 / high, back, -1), target[0]);
        across.set(...scaled(right, x), target[2]);
        above.set(...scaled(upward, y), 0);
        given.stage.colours.forEach((colour, number) => this.values[8 + number].set(...colour, 1));
        this.values[12].set(...SUN, given.stage.penumbra);
        this.values[13].set(...AXIS_U, 0);
        this.values[14].set(...AXIS_V, 0);
        const { key, sky, ground, fill, fillDirection, rim } = given.stage;
        [key, minus(sky, ground), ground].forEach((colour, number) => this.values[17 + number].set(...colour, 0));
        this.values[20].set(...fillDirection, fill);
        this.values[21].set(...rim, 0);
        return flat ? (looksDown(position, target) ? height : 0) : horizon(position, back, upward, high, height);
    }

    // Set the box of shadows on the floor, for rows of shapes; false if there are none.
    shade(rows) {
        this.values[16].set(0, 0, given.stage.behind, Number(this.clear));
        const box = shadowBox(rows, this.texels);
        if (!box) return false;
        this.values[15].set(...box.origin, 1 / (box.texel * this.texels), box.texel);
        this.values[16].set(...box.end, given.stage.behind, Number(this.clear));
        return true;
    }
}

// Whether any view ray may meet the floor from above.
const looksDown = (eye, target) => eye[1] > (given.camera.orthographic ? target[1] : 0);

// The lowest row of pixels, counted from below, that shows no floor.
function horizon(eye, back, up, high, height) {
    if (eye[1] <= 0) return 0;
    const level = up[1] > 1e-9 ? back[1] / up[1] : back[1] < 0 ? -1e9 : 1e9;
    const row = (level * high + 1) * 0.5 * height - 0.5;
    return row >= 0 ? Math.floor(Math.min(row + 1e-3, height - 1)) + 1 : 0;
}

// The rectangle across the light that shadows reach, in whole texels.
function shadowBox({ capsule, club, limb, sphere, ring, box }, most) {
    const low = [Infinity, Infinity], high = [-Infinity, -Infinity];
    const include = (x, y, z, radius, faintest) => {
        const blur = (given.stage.penumbra / SUN[1]) * Math.max(y, 0) + FINEST_TEXEL;
        if (radius <= faintest * blur) return;
        [AXIS_U, AXIS_V].forEach((axis, side) => {
            const middle = dot(axis, [x, y, z]), reach = radius + Math.max(blur, CONTACT_REACH);
            low[side] = Math.min(low[side], middle - reach);
            high[side] = Math.max(high[side], middle + reach);
        });
    };
    for (const row of [...capsule, ...club, ...limb]) {
        include(row[0], row[1], row[2], row[3], FAINTEST);
        include(row[4], row[5], row[6], row[7], FAINTEST);
    }
    for (const row of [...sphere, ...ring]) include(row[0], row[1], row[2], row[3], Math.sqrt(FAINTEST));
    for (const row of box) include(row[0], row[1], row[2], row[3] * Math.sqrt(3), Math.sqrt(FAINTEST));
    return low[0] < high[0] ? snapped(low, high, most) : null;
}

function snapped(low, high, most) {
    for (let level = 0; level <= COARSEST; level++) {
        const texel = FINEST_TEXEL * 2 ** level;
        const first = low.map((place) => SNAP * Math.floor(place / (SNAP * texel)));
        const texels = high.map((place, side) => SNAP * Math.ceil((place / texel - first[side]) / SNAP));
        if (Math.max(...texels) <= most) {
            return { texel, origin: first.map((number) => number * texel), end: first.map((f, s) => (f + texels[s]) * texel) };
        }
    }
    return null;
}
