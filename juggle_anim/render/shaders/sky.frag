#version 330 core
#include "frame.glsl"
#include "backdrop.glsl"

out vec4 colour;

void main() {
    colour = vec4(backdrop(), 1.0);
}
