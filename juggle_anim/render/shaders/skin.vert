#version 330 core
#include "frame.glsl"
#include "pixel.glsl"
#include "occlusion.glsl"
#include "skin.glsl"
#include "shade.glsl"

#ifdef EDGE
const float LIFT = 0.75;               // toward the eye, over how far the skin may give way: an edge shows on what it touches
const float MOST_LIFT = 0.003;         // that much at most, and a pixel [m]
const float LEAST_FACING = 0.4;        // cosine of the steepest slope of skin that an edge follows
out vec4 corner_lit;                   // colour, width of the soft edge [pixels]: edges are shaded at their corners
out vec2 corner_away;                  // where the outward direction points in the picture
out vec3 corner_slope;                 // how the skin there comes toward the eye to the right and up; its distance [m]
out float corner_opacity;
#else
out vec3 seen;                         // normal in the camera's axes
out vec2 light_there;                  // shares of the light from all around and of the key light
out float seen_opacity;
flat out vec4 material;                // linear colour, gloss
#endif

void main() {
    vec3 place, facing, away;
    carry(place, facing, away);
#ifdef EDGE
    vec2 light_there = reached(place, facing);
#else
    light_there = reached(place, facing);
#endif
    place = (view * vec4(place, 1.0)).xyz;
    facing = mat3(view) * facing;
    // Half of the soft edge lies within the body, which gives way to it where it is thick enough.
    float pixel = pixel_at(-place.z), inset = min(0.5 * pixel, 0.02 * outward.w);
#ifdef EDGE
    vec3 along = up.w > 0.0 ? vec3(0.0, 0.0, -1.0) : normalize(place);
    corner_lit = vec4(shade_open(normalize(facing), along, paint(), light_there), 0.5 + inset / pixel);
    vec2 turned = away.xy - (up.w > 0.0 ? vec2(0.0) : place.xy * (away.z / place.z));
    corner_away = turned * inversesqrt(max(dot(turned, turned), 1e-12));
    corner_opacity = opacity;
    corner_slope.xy = -facing.xy / max(-dot(facing, along), LEAST_FACING * length(facing));
#else
    seen = facing;
    seen_opacity = opacity;
    material = paint();
#endif
    place -= inset * away;
    float distance = -place.z, near = distance;
#ifdef EDGE
    near -= min(min(LIFT * 0.02 * outward.w, MOST_LIFT), pixel);
    corner_slope.z = near;
#endif
    gl_Position = in_picture(place.xy, up.w > 0.0 ? up.w : distance);
    gl_Position.z = (2.0 * depth_at(near) - 1.0) * gl_Position.w;
}
