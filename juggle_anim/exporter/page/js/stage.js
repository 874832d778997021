// Draws a scene as juggle_anim/render does, with the same shaders in the same order.

const KINDS = ["capsule", "club", "ring", "box", "sphere"];
const SHADERS = { club: "capsule", limb: "capsule" }; // where they have another name

// The kinds that this page ever shows: the others need no programs.
const SHOWN = new Set([LIMB, ...given.props.map(({ kind }) => shapeOf(kind)), ...(given.stands.length ? ["capsule"] : [])]);
const shown = (...kinds) => kinds.filter((kind) => SHOWN.has(kind));

class Stage {
    // A canvas has one renderer, which the next stage takes over with the programs that it has built.
    constructor(canvas, renderer = rendererOf(canvas)) {
        this.renderer = renderer;
        this.frame = new Frame();
        this.shapes = Object.fromEntries([...SHOWN].map((kind) => [kind, new Shapes(kind)]));
        this.skin = new SkinShapes(before?.stage.skin);
        this.target = new THREE.WebGLRenderTarget(SHADOW_SIZE, SHADOW_SIZE, {
            format: THREE.RGFormat, depthBuffer: false, minFilter: THREE.LinearFilter, magFilter: THREE.LinearFilter,
        });
        this.horizon = [new THREE.Vector4(), new THREE.Vector4()];
        this.backdrop = new THREE.WebGLRenderTarget(1, 1, { depthBuffer: false, minFilter: NEAREST_TEXEL, magFilter: NEAREST_TEXEL });
        this.from = ""; // where the backdrop is seen from
        this.picture = null; // what is drawn into; the canvas if null
        this.empty = this.emptyScene();
        this.shadows = this.shadowScene();
        this.scene = this.mainScene();
        // All begin before the first is waited for.
        for (const scene of [this.empty, this.scene, this.shadows]) this.renderer.compile(scene, new THREE.PerspectiveCamera());
    }

    // Whether the browser has built and finished all programs; to draw before would wait for them, and the page answer nothing
    // meanwhile. What it was asked while they drew a dot comes before the first picture.
    isReady() {
        const { drawn, info: { programs } } = this.renderer;
        if (programs.every((program) => drawn.has(program))) return true;
        if (programs.every((program) => program.isReady())) this.drawDot();
        return false;
    }

    // Browsers finish a program when it first draws, for what it draws into: so each draws a dot where its pictures will be.
    // What is asked about a program waits for all that is being drawn: all is asked before anything is.
    drawDot() {
        for (const program of this.renderer.info.programs) {
            program.getUniforms();
            program.getAttributes();
            this.renderer.drawn.add(program);
        }
        const { renderer, backdrop, target } = this, camera = new THREE.PerspectiveCamera();
        renderer.setScissor(0, 0, 1, 1);
        renderer.setScissorTest(true); // of the canvas; the other two are small yet, or still have nothing to show
        for (const [into, scene] of [[backdrop, this.empty], [target, this.shadows], [null, this.scene]]) this.drawInto(into, scene, camera);
        renderer.setScissorTest(false);
    }

    // Free all but the renderer.
    close() {
        for (const scene of [this.empty, this.shadows, this.scene]) {
            for (const { geometry, material } of scene.children) {
                geometry.dispose();
                material.dispose();
            }
        }
        this.target.dispose();
        this.backdrop.dispose();
        this.frame.group.dispose();
    }

    // Match the size of the drawing to the canvas, with a share of its pixels along each edge; false if it has no area.
    resize(canvas, share = 1) {
        const { clientWidth, clientHeight } = canvas, [width, height] = pixelsOf(canvas, share);
        // To set a size waits for all that is being drawn.
        if (width !== canvas.width || height !== canvas.height) this.renderer.setSize(width, height, false);
        this.frame.texels = share < 1 ? SHADOW_SIZE / 2 : SHADOW_SIZE;
        this.target.setSize(this.frame.texels, this.frame.texels);
        return clientWidth > 0 && clientHeight > 0;
    }

    // Draw people, props and their shadows alone into `picture`, which is transparent around them; or all on the canvas again.
    // Colours are multiplied by their opacity.
    cutOut(alone) {
        this.picture?.dispose();
        this.picture = alone ? new THREE.WebGLRenderTarget(1, 1) : null;
        this.frame.clear = alone;
        this.background.visible = !alone;
        Object.assign(this.floorShadow.material, alone ? COVERS : DARKENS);
        this.renderer.setClearColor(0, alone ? 0 : 1);
        this.from = "";
    }

    // What is drawn into, for WebGL; null is the canvas.
    get framebuffer() {
        return this.picture && this.renderer.properties.get(this.picture).__webglFramebuffer;
    }

    // Draw rows of shapes, and people with a skin, from a three.js camera that orbits `target`.
    draw(rows, people, camera, target) {
        this.renderer.domElement.style.visibility = "";
        const back = unit(minus(camera.position.toArray(), target));
        this.look(camera, target);
        for (const kind of SHOWN) this.shapes[kind].show(rows[kind], back);
        this.skin.show(people, this.frame);
        const hasFloor = given.stage.scenery !== "BARE" && looksDown(camera.position.toArray(), target);
        this.floorShadow.visible = this.frame.shade(rows) && hasFloor;
        if (this.floorShadow.visible) this.drawInto(this.target, this.shadows, camera);
        this.drawInto(this.picture, this.scene, camera);
    }

    // Set the camera. The empty stage behind all costs most of the time, and is drawn only when it is seen from elsewhere.
    look(camera, target) {
        const { width, height } = this.renderer.domElement;
        const row = this.frame.look(camera, target, width, height), level = (2 * row) / height - 1;
        const from = [...camera.position.toArray(), ...target, width, height].join();
        if (from === this.from || !this.background.visible) return;
        this.from = from;
        this.horizon[0].set(-1, level, 0, 0);
        this.horizon[1].set(level, 1, 0, 0);
        this.backdrop.setSize(width, height);
        this.drawInto(this.backdrop, this.empty, camera);
    }

    drawInto(target, scene, camera) {
        this.renderer.setRenderTarget(target);
        this.renderer.render(scene, camera);
        this.renderer.setRenderTarget(null);
    }

    emptyScene() {
        const scene = new THREE.Scene(), corners = quad(new THREE.BufferGeometry());
        ["floor.frag", "sky.frag"].forEach((shader, number) => {
            scene.add(drawn(corners, "strip.vert", shader, this.frame, {}, { heights: { value: this.horizon[number] } }, [given.stage.scenery]));
        });
        return scene;
    }

    shadowScene() {
        const blending = {
            blending: THREE.CustomBlending, blendSrc: THREE.OneMinusDstColorFactor, blendDst: THREE.OneFactor,
        };
        const scene = new THREE.Scene();
        for (const kind of shown("capsule", "limb")) {
            const shaders = ["contact_shadow.vert", "contact_shadow.frag"];
            scene.add(drawn(this.shapes[kind].geometry, ...shaders, this.frame, blending));
        }
        for (const kind of shown(...KINDS, "limb")) {
            const name = kind === "box" ? "sphere" : SHADERS[kind] ?? kind;
            const shaders = [`${name}_shadow.vert`, `${name}_shadow.frag`];
            scene.add(drawn(this.shapes[kind].geometry, ...shaders, this.frame, blending, {}, kind === "box" ? ["BOX"] : []));
        }
        return scene;
    }

    mainScene() {
        const scene = new THREE.Scene(), corners = quad(new THREE.BufferGeometry());
        const whole = { heights: { value: new THREE.Vector4(-1, 1, 0, 0) }, picture: { value: this.backdrop.texture } };
        this.background = drawn(corners, "strip.vert", "backdrop.frag", null, {}, whole);
        scene.add(this.background);
        const uniforms = { shadows: { value: this.target.texture } };
        this.floorShadow = drawn(corners, "floor_shadow.vert", "floor_shadow.frag", this.frame, DARKENS, uniforms);
        scene.add(this.floorShadow);
        const shapes = (settings, define) => {
            for (const kind of shown(...KINDS)) {
                const { geometry } = this.shapes[kind], name = SHADERS[kind] ?? kind;
                const defines = kind === "club" ? [...given.clubDefines, define] : [define];
                scene.add(drawn(geometry, `${name}.vert`, `${name}.frag`, this.frame, settings, {}, defines));
            }
        };
        const facing = { ...SOLID, side: given.camera.mirrored ? BACK : FRONT };
        shapes(SOLID, "");
        if (given.skin) {
            scene.add(drawn(this.skin.solid.geometry, "skin.vert", "skin.frag", this.frame, facing));
            scene.add(drawn(this.skin.edge.geometry, "skin.vert", "skin.frag", this.frame, EDGE, {}, ["EDGE"]));
        }
        shapes(EDGE, "EDGE");
        if (SHOWN.has("veil")) this.addVeil(scene);
        return scene;
    }

    // Transparent limbs: depth only at first, so that only the nearest surface shows.
    addVeil(scene) {
        const veil = `GHOST ${given.veil}`, unseen = { ...SOLID, colorWrite: false };
        for (const [settings, defines] of [[unseen, [veil]], [EDGE, [veil]], [EDGE, [veil, "EDGE"]]]) {
            const { geometry } = this.shapes.veil;
            scene.add(drawn(geometry, "capsule.vert", "capsule.frag", this.frame, settings, {}, defines));
        }
    }
}

// The size of the drawing on a canvas, with a share of its pixels along each edge.
function pixelsOf({ clientWidth, clientHeight }, share) {
    const ratio = share * Math.min(window.devicePixelRatio, FINEST_PIXELS);
    return [clientWidth, clientHeight].map((edge) => Math.floor(ratio * edge));
}

function rendererOf(canvas) {
    canvas.style.visibility = "hidden"; // it is black until the first picture
    [canvas.width, canvas.height] = pixelsOf(canvas, 1); // before its drawing is there, which would be made anew
    // Without an alpha channel, in which blending would leave holes.
    const context = canvas.getContext("webgl2", { alpha: false, antialias: false, stencil: false });
    // Three.js asks for much that is known here, and each question waits for all that is being drawn. One extension is of use;
    // programs have one block of uniforms at most, at the first place; and these are as they are at first.
    const extension = context.getExtension.bind(context), parameter = context.getParameter.bind(context);
    const whole = Int32Array.of(0, 0, canvas.width, canvas.height);
    const known = new Map([
        [context.VERSION, "WebGL 2.0"], [context.SAMPLES, 0], [context.SCISSOR_BOX, whole], [context.VIEWPORT, whole],
    ]);
    context.getExtension = (name) => (name === "KHR_parallel_shader_compile" ? extension(name) : null);
    context.getParameter = (name) => known.get(name) ?? parameter(name);
    context.getUniformBlockIndex = () => 0;
    context.uniformBlockBinding = () => {}; // it is there
    const renderer = new THREE.WebGLRenderer({ canvas, context });
    renderer.sortObjects = false;
    renderer.drawn = new WeakSet(); // the programs that have drawn
    // To look for errors would wait for each program; the browser tells of programs that fail.
    renderer.debug.checkShaderErrors = false;
    return renderer;
}

const FINEST_PIXELS = 2;
const FRONT = 0, BACK = 1, NEAREST_TEXEL = 1003; // of three.js
const SOLID = { depthTest: true, depthWrite: true };
const EDGE = {
    depthTest: true, blending: THREE.CustomBlending, blendSrc: THREE.SrcAlphaFactor,
    blendDst: THREE.OneMinusSrcAlphaFactor, blendSrcAlpha: THREE.OneFactor, blendDstAlpha: THREE.OneMinusSrcAlphaFactor,
};
const DARKENS = {
    blending: THREE.CustomBlending, blendSrc: THREE.ZeroFactor, blendDst: THREE.OneMinusSrcColorFactor,
};
const COVERS = {
    blending: THREE.CustomBlending, blendSrc: THREE.OneFactor, blendDst: THREE.OneMinusSrcAlphaFactor,
};
