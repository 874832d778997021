// The juggler life-size in a headset or on one's own floor, through WebXR: each eye is drawn to the canvas (in a room of the
// program's, VR) or to a picture around which it is transparent (in one's own room, AR), and copied to the headset's picture.

const AWAY = 2.2; // from the juggler, who stands in front, [m]

const sum = (...terms) => [0, 1, 2].map((axis) => terms.reduce((all, [scale, vector]) => all + scale * vector[axis], 0));
const dot = (one, other) => one.reduce((all, value, axis) => all + value * other[axis], 0);

// Show the button where a device offers this mode, `immersive-vr` or `immersive-ar`; `playing` gives the player.
export async function offerXR(button, mode, playing) {
    button.hidden = !(await navigator.xr?.isSessionSupported(mode).catch(() => false));
    button.addEventListener("click", () => enter(mode, playing()));
}

async function enter(mode, player) {
    const session = await navigator.xr.requestSession(mode, { requiredFeatures: ["local-floor"] });
    const { stage, stage: { renderer, frame }, view: { camera, orbit } } = player;
    const canvas = renderer.domElement, gl = renderer.getContext(), { look } = frame;
    const before = [player.paused, camera.fov, camera.position.clone(), orbit.target.clone()];
    await gl.makeXRCompatible();
    const layer = new XRWebGLLayer(session, gl, { antialias: false });
    await session.updateRenderState({ baseLayer: layer });
    const space = await session.requestReferenceSpace("local-floor");
    let eye = null, last = null, plays = true;

    document.getElementById("count").hidden = true;
    // The page's own pictures wait meanwhile, and the clock is that of the headset.
    canvas.hidden = true;
    player.paused = true;
    stage.cutOut(mode === "immersive-ar");
    frame.look = (...given) => {
        look.apply(frame, given);
        roll(frame, eye);
        return given[3]; // a head that leans sees the floor anywhere
    };
    session.addEventListener("select", () => (plays = !plays));
    session.addEventListener("end", () => {
        const [paused, fov, place, target] = before;
        frame.look = look;
        stage.cutOut(false);
        camera.fov = fov;
        camera.position.copy(place);
        orbit.target.copy(target);
        player.paused = paused;
        canvas.hidden = false;
    });

    function each(now, shown) {
        session.requestAnimationFrame(each);
        if (plays && last !== null) player.time += (player.speed * (now - last)) / 1000;
        last = now;
        for (const view of shown.getViewerPose(space)?.views ?? []) show(view);
    }

    function show(view) {
        const { x, y, width, height } = layer.getViewport(view), { matrix } = view.transform;
        const [right, up, back, place] = [0, 4, 8, 12].map((first) => [...matrix.slice(first, first + 3)]);
        // In a mirror an eye sees what one at the same place of the other side sees, left and right exchanged.
        const mirrored = document.getElementById("along-mirror").checked;
        if (mirrored) {
            for (const vector of [up, back, place]) vector[0] *= -1;
            for (const axis of [1, 2]) right[axis] *= -1;
        }
        eye = { right, up };
        camera.position.set(place[0], place[1], place[2] + AWAY);
        orbit.target.set(...sum([1, camera.position.toArray()], [-1, back]));
        // What is drawn has the straight look in its middle; what the headset shows is cut out of it.
        const [wide, high] = [0, 5].map((number) => {
            const scale = view.projectionMatrix[number], middle = view.projectionMatrix[number === 0 ? 8 : 9];
            const low = (middle - 1) / scale, top = (middle + 1) / scale;
            return { low, top, reach: Math.max(-low, top) };
        });
        const drawn = Math.round((height * 2 * high.reach) / (high.top - high.low));
        const size = [Math.round((drawn * wide.reach) / high.reach), drawn];
        camera.fov = (2 * Math.atan(high.reach) * 180) / Math.PI;
        if (canvas.width !== size[0] || canvas.height !== size[1]) renderer.setSize(...size, false);
        stage.picture?.setSize(...size);
        stage.from = ""; // the empty stage, too, is seen from elsewhere
        player.draw();
        const cut = ({ low, top, reach }, edge) => [low, top].map((at) => Math.round((edge * (at + reach)) / (2 * reach)));
        const [left, rightmost] = cut(wide, size[0]).map((column) => (mirrored ? size[0] - column : column));
        const [bottom, topmost] = cut(high, size[1]);
        gl.bindFramebuffer(gl.READ_FRAMEBUFFER, stage.framebuffer);
        gl.bindFramebuffer(gl.DRAW_FRAMEBUFFER, layer.framebuffer);
        gl.disable(gl.SCISSOR_TEST);
        gl.blitFramebuffer(left, bottom, rightmost, topmost, x, y, x + width, y + height, gl.COLOR_BUFFER_BIT, gl.LINEAR);
        renderer.resetState();
    }

    session.requestAnimationFrame(each);
}

// Turn the camera of a frame, which is upright, around where it looks until its axes are those of an eye.
function roll({ view: { elements }, values }, eye) {
    const [, ray, light, up, , ahead, across, above] = values, fill = values[20];
    const axis = (vector, scale) => vector.toArray().slice(0, 3).map((part) => part / scale);
    const right = axis(across, ray.x), upward = axis(above, ray.y);
    const cos = dot(eye.right, right), sin = dot(eye.right, upward);
    const turned = (one, other) => [cos * one + sin * other, cos * other - sin * one];
    for (const vector of [light, up, fill]) [vector.x, vector.y] = turned(vector.x, vector.y);
    for (let column = 0; column < 16; column += 4) {
        [elements[column], elements[column + 1]] = turned(elements[column], elements[column + 1]);
    }
    const [newRight, newUp] = [sum([cos, right], [sin, upward]), sum([cos, upward], [-sin, right])];
    const set = (vector, parts) => Object.assign(vector, { x: parts[0], y: parts[1], z: parts[2] });
    const corner = [[ray.z, newRight], [-ray.z, right], [ray.w, newUp], [-ray.w, upward]];
    set(ahead, sum([1, axis(ahead, 1)], ...corner));
    set(across, newRight.map((part) => part * ray.x));
    set(above, newUp.map((part) => part * ray.y));
}
