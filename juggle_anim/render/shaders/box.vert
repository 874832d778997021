#version 330 core
#include "frame.glsl"
#include "impostor.glsl"

layout(location = 0) in vec4 cube;   // centre, half an edge
layout(location = 1) in vec4 paint;  // sRGB colour, gloss

flat out vec4 solid;                 // centre in the camera's axes, half an edge
flat out vec4 material;              // linear colour, gloss
flat out float strength;

const float CORNER = 1.7320508;      // from the middle of a cube to its corner, in halves of an edge

void main() {
    vec3 centre = (view * vec4(cube.xyz, 1.0)).xyz;
    // At least two pixels wide: the coverage of a smaller outline with corners would flicker.
    float size = max(cube.w, pixel_at(-centre.z));
    solid = vec4(centre, size);
    material = vec4(paint.rgb * paint.rgb, paint.a);
    strength = cube.w * cube.w / (size * size);
    place_ball(centre, CORNER * size);
}
