// The camera, and the mouse and touch gestures that move it.

const NEAREST = 0.5, FARTHEST = 150; // [m]
const HIGHEST = radians(88); // elevation, [rad]
const LOWEST = 0.1; // of the eye above the floor, [m]

class View {
    constructor(canvas) {
        this.camera = new THREE.PerspectiveCamera((given.camera.angle * 180) / Math.PI, 1, 0.05, 60);
        this.orbit = new THREE.OrbitControls(this.camera, canvas);
        Object.assign(this.orbit, {
            minDistance: NEAREST, maxDistance: FARTHEST,
            minPolarAngle: Math.PI / 2 - HIGHEST, zoomToCursor: true,
        });
        this.held = false; // whether a hand has moved the camera, so that it no longer frames the pattern by itself
        this.azimuth = undefined; // from which the pattern is framed, if not from that of the camera [rad]
        this.orbit.addEventListener("start", () => (this.held = true));
    }

    get target() {
        return this.orbit.target.toArray();
    }

    // Set the aspect ratio of the canvas.
    reshape(aspect) {
        this.aspect = aspect;
        if (!this.held) this.release();
    }

    // Frame the whole pattern again.
    release() {
        this.held = false;
        const { eye, target } = framed(this.aspect, this.azimuth);
        this.camera.position.set(...eye);
        this.orbit.target.set(...target);
        this.orbit.maxPolarAngle = Math.PI;
        this.orbit.update();
    }

    // A hand may turn the eye down to the floor; what moves it lower otherwise lifts it with its target.
    keepAboveFloor() {
        const { position } = this.camera, { target } = this.orbit, short = LOWEST - position.y;
        if (short > 0) {
            position.y += short;
            target.y += short;
        }
        const lowest = given.camera.orthographic ? 0 : Math.asin(bounded((LOWEST - target.y) / position.distanceTo(target), -1, 1));
        this.orbit.maxPolarAngle = Math.PI / 2 - lowest;
    }

    aim() {
        this.keepAboveFloor();
        this.camera.far = Math.max(60, 4 * size(minus(this.camera.position.toArray(), this.target)));
    }
}
