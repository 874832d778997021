// Where three.js has the nodes of a model at some times, as JSON: for each time the place of each node by its name.
// Words: where three.js is, the file (.glb, .gltf or .bvh), and the times [s].
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
        return { scene: new Group().add(skeleton.bones[0]), clip };
    }
    const { GLTFLoader } = await import(`${place}/examples/jsm/loaders/GLTFLoader.js`);
    const buffer = content.buffer.slice(content.byteOffset, content.byteOffset + content.length);
    const { scene, animations } = await new GLTFLoader().parseAsync(buffer, "");
    return { scene, clip: animations[0] };
}

const { scene, clip } = await opened();
const mixer = new AnimationMixer(scene);
mixer.clipAction(clip).play();
const placed = times.map((time) => {
    mixer.setTime(Number(time));
    scene.updateMatrixWorld(true);
    const places = {};
    scene.traverse((node) => {
        places[node.userData.name ?? node.name] = node.getWorldPosition(new Vector3()).toArray();
    });
    return places;
});
console.log(JSON.stringify({ duration: clip.duration, placed }));
