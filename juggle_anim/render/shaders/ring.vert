#version 330 core
#include "frame.glsl"
#include "impostor.glsl"
#include "tone.glsl"

layout(location = 0) in vec4 disc;   // centre, outer radius
layout(location = 1) in vec4 face;   // unit vector across its plane, inner radius
layout(location = 2) in vec4 paint;  // sRGB colour, gloss
layout(location = 3) in vec4 toned;  // tone of the stripe

flat out vec4 solid;                 // centre in the camera's axes, outer radius
flat out vec4 plane;                 // unit vector across in the camera's axes, inner radius
flat out vec4 material;              // linear colour, gloss
flat out vec3 other;                 // linear colour of the stripe

void main() {
    vec3 centre = (view * vec4(disc.xyz, 1.0)).xyz;
    solid = vec4(centre, disc.w);
    plane = vec4(mat3(view) * face.xyz, face.w);
    material = vec4(paint.rgb * paint.rgb, paint.a);
    other = tone_of(paint.rgb, toned.x);
    place_ball(centre, visible_radius(disc.w, -centre.z));
}
