// Framing of the whole scene: juggle_anim/scene/camera.py.

// The camera for an aspect ratio: its eye and target. With the bodies it goes over from a draft to their plan.
function framed(aspect, azimuth = given.camera.azimuth) {
    const planned = nearest({ ...given.camera, azimuth }, aspect);
    if (!draft) return planned;
    const drafted = nearest({ ...draft.camera, azimuth }, aspect);
    return { eye: between(drafted.eye, planned.eye), target: between(drafted.target, planned.target) };
}

// The nearest camera that sees everything.
function nearest({ points, reach, azimuth, elevation, angle, orthographic }, aspect) {
    const level = Math.cos(elevation);
    const back = [Math.sin(azimuth) * level, Math.sin(elevation), Math.cos(azimuth) * level];
    const right = [Math.cos(azimuth), 0, -Math.sin(azimuth)], up = cross(back, right);
    const { margin, standing } = given.stage, slope = Math.tan(angle / 2);
    const below = margin + level * level * (standing - margin);
    const tangent = slope * aspect * (1 - 2 * margin), upright = slope * (1 - margin - below);
    const depths = points.map((point) => dot(point, back));
    const across = points.map((point) => dot(point, right)), above = points.map((point) => dot(point, up));
    const edges = (far) => [fit(across, far, reach, 0, tangent), fit(above, far, reach, slope * (below - margin), upright)];
    const middle = (depths.reduce(greater) + depths.reduce(smaller)) / 2;
    let [wide, high] = edges(depths), far = Math.max(wide.least, high.least);
    if (orthographic) {
        [wide, high] = edges(depths.map(() => middle));
        far = Math.max(far, wide.least, high.least);
    }
    const x = wide.middle(far), y = high.middle(far) + level * level * upright * (far - high.least);
    const at = (depth) => sum(right, x, up, y, back, depth);
    return { eye: at(far), target: at(middle) };
}

const greater = (one, other) => (one > other ? one : other);
const smaller = (one, other) => (one < other ? one : other);

// Along one axis of the picture: the camera's least distance, and its offset at a distance.
function fit(across, depths, reach, middle, half) {
    const side = (sign) => {
        const tangent = half + sign * middle;
        return across.map((place, number) => sign * place + depths[number] * tangent).reduce(greater) + reach * Math.hypot(1, tangent);
    };
    const high = side(1), low = side(-1);
    return { least: (high + low) / (2 * half), middle: (far) => (high - low) / 2 - far * middle };
}
