#version 330 core
#include "frame.glsl"
#include "shadow.glsl"

layout(location = 0) in vec4 disc;
layout(location = 1) in vec4 face;

flat out vec4 oval;    // middle across the light, outer and inner radius
flat out vec4 slant;   // unit vector along the narrow side, how narrow it is, blur
out vec2 place;

void main() {
    float soft = blur(disc.xyz);
    vec2 narrow = across_light(face.xyz);
    float size = length(narrow);
    oval = vec4(across_light(disc.xyz), disc.w, face.w);
    slant = vec4(size > 1e-5 ? narrow / size : vec2(1.0, 0.0), sqrt(max(1.0 - size * size, 0.0)), soft);
    place = oval.xy + (vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0) * (disc.w + soft);
    place_shadow(place);
}
