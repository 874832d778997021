#version 330 core
#include "penumbra.glsl"

flat in vec4 disc;
in vec2 place;
out float dark;

void main() {
    dark = covered(distance(place, disc.xy), disc.z, disc.w) * min(1.0, disc.z / disc.w);
}
