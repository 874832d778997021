// Where three.js has the nodes of a model at some times, as JSON: for each time the place of each node by its name.
// Words: where three.js is, the file (.glb, .gltf, .bvh or of USD), and the times [s].
import fs from "node:fs";

const [place, path, ...times] = process.argv.slice(2);
globalThis.self = globalThis;
globalThis.ProgressEvent ??= class extends Event {};
const { AnimationMixer, Group, Vector3 } = await import(`${place}/build/three.module.js`);

async function opened() {
    const content = fs.readFileSync(path);
    if (path.endsWith(".bvh")) {
        const { BVHLoader } = await import(`${place}/examples/jsm/loaders/BVHLoader.js`);
        // Colons part the names of three's tracks.
        const { skeleton, clip } = new BVHLoader().parse(content.toString().replaceAll(":", ""));
        return { scene: new Group().add(skeleton.bones[0]), clips: [clip] };
    }
    const buffer = content.buffer.slice(content.byteOffset, content.byteOffset + content.length);
    if (path.includes(".usd")) {
        const { USDLoader } = await import(`${place}/examples/jsm/loaders/USDLoader.js`);
        const scene = new USDLoader().parse(buffer);
        return { scene, clips: scene.animations };
    }
    const { GLTFLoader } = await import(`${place}/examples/jsm/loaders/GLTFLoader.js`);
    const { scene, animations } = await new GLTFLoader().parseAsync(buffer, "");
    return { scene, clips: animations };
}

const { scene, clips } = await opened();
const mixer = new AnimationMixer(scene);
for (const clip of clips) mixer.clipAction(clip).play();
const placed = times.map((time) => {
    mixer.setTime(Number(time));
    scene.updateMatrixWorld(true);
    const places = {};
    scene.traverse((node) => {
        places[node.userData.name ?? node.name] = node.getWorldPosition(new Vector3()).toArray();
    });
    return places;
});
console.log(JSON.stringify({ placed }));
