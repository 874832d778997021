#version 330 core
#include "frame.glsl"
#include "studio.glsl"

out vec4 colour;

void main() {
    colour = vec4(backdrop(), 1.0);
}
