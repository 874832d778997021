// Framing of the whole scene: juggle_anim/scene/camera.py.

// The nearest camera that sees everything, for an aspect ratio: its eye and target.
function framed(aspect) {
    const { points, reach, azimuth, elevation, angle, orthographic } = given.camera;
    const level = Math.cos(elevation);
    const back = [Math.sin(azimuth) * level, Math.sin(elevation), Math.cos(azimuth) * level];
    const right = [Math.cos(azimuth), 0, -Math.sin(azimuth)], up = cross(back, right);
    const tangent = Math.tan(angle / 2) * (1 - 2 * given.stage.margin);
    const depths = points.map((point) => dot(point, back));
    const across = points.map((point) => dot(point, right)), above = points.map((point) => dot(point, up));
    const [x, fromX] = fit(across, depths, reach, tangent * aspect), [y, fromY] = fit(above, depths, reach, tangent);
    const middle = (depths.reduce(greater) + depths.reduce(smaller)) / 2;
    let far = Math.max(fromX, fromY);
    if (orthographic) {
        const wide = across.map((place) => Math.abs(place - x)).reduce(greater) + reach;
        const high = above.map((place) => Math.abs(place - y)).reduce(greater) + reach;
        far = Math.max(far, middle + Math.max(wide / aspect, high) / tangent);
    }
    const at = (depth) => sum(right, x, up, y, back, depth);
    return { eye: at(far), target: at(middle) };
}

const greater = (one, other) => (one > other ? one : other);
const smaller = (one, other) => (one < other ? one : other);

// The camera's offset along one axis of the picture, and its least distance.
function fit(across, depths, reach, tangent) {
    const room = reach * Math.sqrt(1 + tangent ** 2);
    const high = across.map((place, number) => place + depths[number] * tangent).reduce(greater) + room;
    const low = across.map((place, number) => depths[number] * tangent - place).reduce(greater) + room;
    return [(high - low) / 2, (high + low) / (2 * tangent)];
}
