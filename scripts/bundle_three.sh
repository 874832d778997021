#!/bin/sh
# Makes assets/three/three.min.js anew: those parts of three.js that a web page of an export needs, as one script
# that defines THREE. Needs npm and the network, and is run only to take another version.
set -eu

version=${1:-0.187.0}
bundler=esbuild@0.28.1
root=$(cd "$(dirname "$0")/.." && pwd -P)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

npm install --silent --no-audit --no-fund --prefix "$work" "three@$version" "$bundler"
cat >parts.js <<'END'
export {
    BufferAttribute, BufferGeometry, CustomBlending, DoubleSide, InstancedBufferGeometry,
    InstancedInterleavedBuffer, InterleavedBufferAttribute, LinearFilter, Matrix4, Mesh, NoBlending, OneFactor,
    OneMinusDstColorFactor, OneMinusSrcAlphaFactor, OneMinusSrcColorFactor, PerspectiveCamera, RawShaderMaterial,
    RedFormat, Scene, SrcAlphaFactor, Uniform, UniformsGroup, Vector3, Vector4, WebGLRenderTarget, WebGLRenderer,
    ZeroFactor, GLSL3,
} from "three";
export { OrbitControls } from "three/addons/controls/OrbitControls.js";
END
node_modules/.bin/esbuild parts.js --bundle --minify --format=iife --global-name=THREE --target=es2022 \
    --legal-comments=inline --outfile=three.min.js
cp three.min.js "$root/assets/three/three.min.js"
cp node_modules/three/LICENSE "$root/assets/three/LICENSE-three.txt"
