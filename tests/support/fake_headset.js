// A headset in place of a real one: two eyes side by side, 1.6 m above the floor, the left one's head leaning by `lean`.

window.headset = { size: [240, 160], lean: 0, frames: 0 };
WebGL2RenderingContext.prototype.makeXRCompatible = async () => {};

window.XRWebGLLayer = class {
    constructor(session, gl) {
        const { size: [width, height] } = headset;
        this.framebuffer = gl.createFramebuffer();
        const buffer = gl.createRenderbuffer();
        gl.bindRenderbuffer(gl.RENDERBUFFER, buffer);
        gl.renderbufferStorage(gl.RENDERBUFFER, gl.RGBA8, 2 * width, height);
        gl.bindFramebuffer(gl.FRAMEBUFFER, this.framebuffer);
        gl.framebufferRenderbuffer(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.RENDERBUFFER, buffer);
        gl.bindFramebuffer(gl.FRAMEBUFFER, null);
        // The pixels of an eye, from the bottom up.
        headset.pixels = (eye) => {
            const pixels = new Uint8Array(4 * width * height);
            gl.bindFramebuffer(gl.FRAMEBUFFER, this.framebuffer);
            gl.readPixels(eye * width, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
            gl.bindFramebuffer(gl.FRAMEBUFFER, null);
            return btoa(Array.from(pixels, (byte) => String.fromCharCode(byte)).join(""));
        };
    }

    getViewport({ number }) {
        const { size: [width, height] } = headset;
        return { x: number * width, y: 0, width, height };
    }
};

class Session extends EventTarget {
    async updateRenderState() {}

    async requestReferenceSpace(kind) {
        return kind;
    }

    requestAnimationFrame(draw) {
        if (this.ended) return;
        requestAnimationFrame((now) => {
            headset.frames += 1;
            draw(now, { getViewerPose: () => ({ views: [0, 1].map(view) }) });
        });
    }

    end() {
        this.ended = true;
        this.dispatchEvent(new Event("end"));
    }
}

// Eyes 64 mm apart; each sees more to its own side, and more below than above.
function view(number) {
    const side = number === 0 ? -1 : 1, [cos, sin] = [Math.cos(headset.lean), Math.sin(headset.lean)];
    const matrix = Float32Array.of(cos, sin, 0, 0, -sin, cos, 0, 0, 0, 0, 1, 0, 0.032 * side, 1.6, 0, 1);
    const projectionMatrix = Float32Array.of(0.9, 0, 0, 0, 0, 1.35, 0, 0, 0.15 * side, -0.2, -1, -1, 0, 0, -0.2, 0);
    return { number, projectionMatrix, transform: { matrix } };
}

Object.defineProperty(navigator, "xr", {
    value: {
        isSessionSupported: async (mode) => mode.startsWith("immersive-"),
        requestSession: async (mode) => (headset.session = Object.assign(new Session(), { mode })),
    },
});
