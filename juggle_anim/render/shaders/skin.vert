#version 330 core
#include "frame.glsl"
#include "skin.glsl"
#include "pixel.glsl"

#ifdef EDGE
#define seen corner_seen
#define material corner_material
const float LIFT = 0.003;              // toward the eye, by up to a pixel, so that an edge shows on what it touches [m]
#else
const float LIFT = 0.0;
#endif

out vec4 seen;                         // normal in the camera's axes, coverage
flat out vec4 material;                // linear colour, gloss

void main() {
    vec3 place, facing, away;
    carry(place, facing, away);
    // Half of the soft edge lies within the body, which gives way to it where it is thick enough.
    float pixel = pixel_at(-place.z), inset = min(0.5 * pixel, 0.02 * outward.w);
    place -= inset * away;
#ifdef EDGE
    seen = vec4(facing, 0.5 + inset / pixel);
#else
    seen = vec4(facing, 1.0);
#endif
    material = paint();
    float distance = -place.z, near = distance - min(LIFT, pixel);
    gl_Position = in_picture(place.xy, up.w > 0.0 ? up.w : distance);
    // As `depth_at` has it.
    float depth = projection.z + (up.w > 0.0 ? projection.w * near : projection.w / near);
    gl_Position.z = (2.0 * depth - 1.0) * gl_Position.w;
}
