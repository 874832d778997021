#version 330 core
#include "frame.glsl"
#include "impostor.glsl"

layout(location = 0) in vec4 ball;   // centre, radius
layout(location = 1) in vec4 place;  // the limited point; w: 0 far from the limit to 1 at it
layout(location = 2) in vec4 paint;  // sRGB colour, 0 within the limit to 1 beyond it

flat out vec4 solid;                 // centre in the camera's axes, radius
flat out vec4 spot;                  // unit vector from the centre to that point, how near it is to the limit
flat out vec4 material;

void main() {
    vec3 centre = (view * vec4(ball.xyz, 1.0)).xyz;
    solid = vec4(centre, ball.w);
    vec3 away = mat3(view) * (place.xyz - ball.xyz);
    spot = vec4(away / max(length(away), 1e-6), place.w);
    material = paint;
    place_ball(centre, ball.w);
}
