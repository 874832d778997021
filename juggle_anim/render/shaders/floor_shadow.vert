#version 330 core
#include "frame.glsl"

out vec2 texel;  // texture coordinates in the shadow map

// The part of the floor that shadows may reach.
void main() {
    vec2 at = mix(shadow_box.xy, shadow_end.xy, vec2(gl_VertexID & 1, gl_VertexID >> 1));
    texel = (at - shadow_box.xy) * shadow_box.z;
    vec2 place = at.x * shadow_u.xz + at.y * shadow_v.xz / (sun.y * sun.y);
    vec4 seen = view * vec4(place.x, 0.0, place.y, 1.0);
    gl_Position = in_picture(seen.xy, up.w > 0.0 ? up.w : -seen.z);
}
