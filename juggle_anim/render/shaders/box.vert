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
    // Two pixels wide at least: of less than one, an outline with corners covers now more, now less.
    float size = max(cube.w, light.w * -centre.z);
    solid = vec4(centre, size);
    material = vec4(paint.rgb * paint.rgb, paint.a);
    strength = cube.w * cube.w / (size * size);

    float distance = length(centre), radius = CORNER * size;
    if (distance < radius * 1.02) {
        place_everywhere();
        return;
    }
    vec3 ahead = centre / distance;
    vec3 side = normalize(cross(abs(ahead.y) < 0.99 ? vec3(0.0, 1.0, 0.0) : vec3(1.0, 0.0, 0.0), ahead));
    vec2 span = vec2(tangents(0.0, distance, radius).y);
    place_quad(ahead, side, cross(ahead, side), -span, span);
}
