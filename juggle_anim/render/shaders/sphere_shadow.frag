#version 330 core
#include "penumbra.glsl"

flat in vec4 disc;
in vec2 place;
out vec2 dark;

void main() {
    dark = vec2(covered(distance(place, disc.xy), disc.z, disc.w) * min(1.0, disc.z / disc.w), 0.0);
}
