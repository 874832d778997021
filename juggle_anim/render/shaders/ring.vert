#version 330 core
#include "frame.glsl"
#include "impostor.glsl"

layout(location = 0) in vec4 disc;   // centre, outer radius
layout(location = 1) in vec4 face;   // unit vector across its plane, inner radius
layout(location = 2) in vec4 paint;  // sRGB colour, gloss

flat out vec4 solid;                 // centre in the camera's axes, outer radius
flat out vec4 plane;                 // unit vector across in the camera's axes, inner radius
flat out vec4 material;              // linear colour, gloss

void main() {
    vec3 centre = (view * vec4(disc.xyz, 1.0)).xyz;
    solid = vec4(centre, disc.w);
    plane = vec4(mat3(view) * face.xyz, face.w);
    material = vec4(paint.rgb * paint.rgb, paint.a);

    float radius = visible_radius(disc.w, -centre.z);
    float distance = length(centre);
    if (distance < radius * 1.02) {
        place_everywhere();
        return;
    }
    vec3 ahead = centre / distance;
    vec3 side = normalize(cross(abs(ahead.y) < 0.99 ? vec3(0.0, 1.0, 0.0) : vec3(1.0, 0.0, 0.0), ahead));
    vec2 span = vec2(tangents(0.0, distance, radius).y);
    place_quad(ahead, side, cross(ahead, side), -span, span);
}
