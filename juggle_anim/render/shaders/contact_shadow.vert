#version 330 core
#include "frame.glsl"
#include "shadow.glsl"

layout(location = 0) in vec4 start;
layout(location = 1) in vec4 end;

flat out vec4 ends;    // places on the floor below both ends
flat out vec4 widths;  // radius and how far its shade spreads, at either end
flat out vec2 shade;   // how dark that is
out vec2 place;

const float HIGHEST = 0.3;                // limbs above this keep little light from the floor [m]
const float BESIDE = 0.024;               // how far a shoe reaches beyond the limb in it [m]
const float SOFT = 0.050, SPREAD = 0.55;  // spread of the shade of what touches the floor [m], growth with its height

// What is near the floor keeps light from all around from it, straight below.
void main() {
    float high = max(start.y - start.w, 0.0), other = max(end.y - end.w, 0.0);
    if (min(high, other) > HIGHEST) {
        gl_Position = vec4(2.0, 2.0, 0.0, 1.0);
        return;
    }
    vec2 step = end.xz - start.xz;
    float size = length(step);
    vec2 side = size > 1e-6 ? step / size : vec2(1.0, 0.0);
    ends = vec4(start.xz, end.xz);
    widths = vec4(start.w + BESIDE, SOFT + SPREAD * high, end.w + BESIDE, SOFT + SPREAD * other);
    shade = vec2(start.w / (start.w + 2.0 * high), end.w / (end.w + 2.0 * other));
    float reach = max(widths.x + widths.y, widths.z + widths.w);
    vec2 unit = vec2(gl_VertexID & 1, gl_VertexID >> 1);
    place = start.xz + side * mix(-reach, size + reach, unit.x) + vec2(-side.y, side.x) * mix(-reach, reach, unit.y);
    place_shadow(across_light(vec3(place.x, 0.0, place.y)));
}
