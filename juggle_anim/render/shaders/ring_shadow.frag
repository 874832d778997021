#version 330 core
#include "penumbra.glsl"
#include "ellipse.glsl"

flat in vec4 oval;
flat in vec4 slant;
in vec2 place;
out vec2 dark;

const float THICK = 0.0022;  // half a ring's thickness [m]

// The area between two ellipses, blurred.
void main() {
    vec2 from = place - oval.xy;
    vec2 turned = vec2(dot(from, vec2(-slant.y, slant.x)), dot(from, slant.xy));
    float outer = within(turned, vec2(oval.z, oval.z * slant.z + THICK));
    float inner = within(turned, vec2(oval.w, max(oval.w * slant.z - THICK, 1e-3)));
    dark = vec2(max(smoothstep(-slant.w, slant.w, outer) - smoothstep(-slant.w, slant.w, inner), 0.0), 0.0);
}
