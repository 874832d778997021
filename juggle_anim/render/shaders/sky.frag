#version 330 core
#include "frame.glsl"

out vec4 colour;

void main() {
    vec3 along = ahead.xyz + gl_FragCoord.x * across.xyz + gl_FragCoord.y * above.xyz;
    float rise = clamp(1.8 * along.y * inversesqrt(dot(along, along)), 0.0, 1.0);
    colour = mix(backdrop_bottom, backdrop_top, rise * (2.0 - rise));
}
