#version 330 core
#include "frame.glsl"
#include "view_ray.glsl"
#include "shade.glsl"

in vec4 seen;
flat in vec4 material;
out vec4 colour;

void main() {
    vec3 start, along;
    view_ray(start, along);
    colour = vec4(shade(normalize(seen.xyz), along, material), seen.w);
}
