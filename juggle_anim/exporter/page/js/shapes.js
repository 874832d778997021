// Shapes on the GPU: a quad for each row, in which the program's own shaders ray-cast the solid.

const CORNERS = [0, 1, 2, 2, 1, 3];

// The names of the vec4 attributes of a row in the shaders.
const ROWS = {
    capsule: ["start", "end", "paint"], club: ["start", "end", "paint", "bend"], limb: ["start", "end", "paint"], veil: ["start", "end", "paint"], ring: ["disc", "face", "paint", "toned"],
    box: ["cube", "paint"], sphere: ["ball", "paint", "panels"],
};
const FEWEST = 16;

// Rows of one kind of shape.
class Shapes {
    constructor(kind) {
        this.kind = kind;
        this.width = 4 * ROWS[kind].length;
        this.geometry = quad(new THREE.InstancedBufferGeometry());
        this.hold(FEWEST);
    }

    // Set the rows, the farthest first, so that soft edges blend over what is behind them.
    show(rows, back) {
        if (rows.length > this.room) this.hold(2 * rows.length);
        const both = ROWS[this.kind][1] === "end";
        const depth = (row) => dot(row, back) + (both ? row[4] * back[0] + row[5] * back[1] + row[6] * back[2] : 0);
        const sorted = rows.map((row) => [depth(row), row]).sort((one, other) => one[0] - other[0]);
        sorted.forEach(([, row], number) => this.buffer.array.set(row, number * this.width));
        this.buffer.needsUpdate = true;
        this.geometry.instanceCount = rows.length;
    }

    hold(room) {
        this.room = room;
        this.geometry.dispose();
        this.buffer = new THREE.InstancedInterleavedBuffer(new Float32Array(room * this.width), this.width);
        ROWS[this.kind].forEach((name, number) => {
            this.geometry.setAttribute(name, new THREE.InterleavedBufferAttribute(this.buffer, 4, 4 * number));
        });
        // The shadow of a cube is drawn as that of a ball.
        if (this.kind === "box") this.geometry.setAttribute("ball", this.geometry.getAttribute("cube"));
    }
}

// A geometry of four numbered corners.
function quad(geometry) {
    geometry.setIndex(CORNERS);
    return geometry;
}

// A mesh of a geometry and two shaders, which know the frame unless it is null; meshes are drawn in the order in which they are added.
function drawn(geometry, vertex, fragment, frame, settings, uniforms = {}, defines = []) {
    const head = defines.filter(Boolean).map((name) => `#define ${name}\n`).join("");
    const material = new THREE.RawShaderMaterial({
        glslVersion: THREE.GLSL3,
        vertexShader: head + given.shaders[vertex],
        fragmentShader: head + given.shaders[fragment],
        uniforms,
        uniformsGroups: frame ? [frame.group] : [],
        side: THREE.DoubleSide,
        forceSinglePass: true,
        transparent: true,
        depthTest: false,
        depthWrite: false,
        blending: THREE.NoBlending,
        ...settings,
    });
    const mesh = new THREE.Mesh(geometry, material);
    mesh.frustumCulled = false;
    return mesh;
}
