#version 330 core
#include "frame.glsl"
#include "impostor.glsl"

layout(location = 0) in vec4 ball;   // centre, radius
layout(location = 1) in vec4 paint;  // sRGB colour, gloss

flat out vec4 solid;                 // centre in the camera's axes, radius
flat out vec4 material;              // linear colour, gloss
flat out float strength;

void main() {
    vec3 centre = (view * vec4(ball.xyz, 1.0)).xyz;
    float radius = visible_radius(ball.w, -centre.z);
    solid = vec4(centre, radius);
    material = vec4(paint.rgb * paint.rgb, paint.a);
    strength = ball.w * ball.w / (radius * radius);
    place_ball(centre, radius);
}
