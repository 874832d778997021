#version 330 core
#include "frame.glsl"
#include "impostor.glsl"
#include "tone.glsl"

layout(location = 0) in vec4 ball;    // centre, radius
layout(location = 1) in vec4 paint;   // sRGB colour, gloss
layout(location = 2) in vec4 panels;  // yaw and pitch, tone of every other panel

flat out vec4 solid;                  // centre in the camera's axes, radius
flat out vec4 material;               // linear colour, gloss
flat out vec4 other;                  // linear colour of every other panel; whether there are panels
flat out mat3 turn;                   // from the camera's axes to those of the ball
flat out float strength;

void main() {
    vec3 centre = (view * vec4(ball.xyz, 1.0)).xyz;
    float radius = visible_radius(ball.w, -centre.z), tone = panels.z;
    solid = vec4(centre, radius);
    material = vec4(paint.rgb * paint.rgb, paint.a);
    other = vec4(tone_of(paint.rgb, tone), tone == 0.0 ? 0.0 : 1.0);
    // About +x by the pitch downward, then about +y by the yaw; the other way round it is transposed.
    vec2 yaw = vec2(cos(panels.x), sin(panels.x)), pitch = vec2(cos(panels.y), sin(panels.y));
    mat3 axes = mat3(yaw.x, 0.0, -yaw.y, -yaw.y * pitch.y, pitch.x, -yaw.x * pitch.y, yaw.y * pitch.x, pitch.y, yaw.x * pitch.x);
    turn = transpose(mat3(view) * axes);
    strength = ball.w * ball.w / (radius * radius);
    place_ball(centre, radius);
}
