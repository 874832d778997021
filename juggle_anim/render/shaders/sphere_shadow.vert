#version 330 core
#include "frame.glsl"
#include "shadow.glsl"

layout(location = 0) in vec4 ball;

flat out vec4 disc;    // middle across the light, radius, blur
out vec2 place;

#ifdef BOX
const float WIDE = 1.25;  // a cube's outline is about as wide as that of a ball so much larger
#else
const float WIDE = 1.0;
#endif

void main() {
    disc = vec4(across_light(ball.xyz), ball.w * WIDE, blur(ball.xyz));
    place = disc.xy + (vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0) * (disc.z + disc.w);
    place_shadow(place);
}
