#version 330 core
#include "frame.glsl"
#include "shadow.glsl"

layout(location = 0) in vec4 start;
layout(location = 1) in vec4 end;

flat out vec4 ends;    // both ends, across the light
flat out vec4 widths;  // radius and blur at either end
out vec2 place;

void main() {
    vec2 a = across_light(start.xyz), b = across_light(end.xyz);
    ends = vec4(a, b);
    widths = vec4(start.w, blur(start.xyz), end.w, blur(end.xyz));

    vec2 step = b - a;
    float size = length(step);
    vec2 side = size > 1e-6 ? step / size : vec2(1.0, 0.0);
    float reach = max(widths.x + widths.y, widths.z + widths.w);
    vec2 unit = vec2(gl_VertexID & 1, gl_VertexID >> 1);
    place = a + side * mix(-reach, size + reach, unit.x) + vec2(-side.y, side.x) * mix(-reach, reach, unit.y);
    place_shadow(place);
}
