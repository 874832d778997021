#version 330 core
#include "frame.glsl"
#include "pixel.glsl"
// The soft edge of a figure: where a triangle that faces the eye meets one that does not, or none, a strip outside of
// the edge, one pixel wide, or less where half of it does not lie within the body. Strips that meet at a corner leave it
// in the same direction, so that no gap is between them. Where skin of another colour goes on beyond the edge, and comes
// toward the eye, the strip does so too. An edge has the third corners of both triangles before and after it.
layout(lines_adjacency) in;
layout(triangle_strip, max_vertices = 4) out;

in vec4 corner_lit[];
in vec2 corner_away[];
in vec3 corner_slope[];
in float corner_opacity[];

out vec4 lit;    // colour, coverage

bool faces_eye(vec2 a, vec2 b, vec2 c) {
    vec2 one = b - a, other = c - a;
    return one.x * other.y - one.y * other.x > 0.0;
}

const float STRAIGHT = 0.6;  // the least cosine between the direction in which a corner is left and the strip's own

void put(int i, vec2 away, vec2 pixel) {
    vec4 position = gl_in[i].gl_Position;
    if (dot(corner_away[i], away) > STRAIGHT) away = corner_away[i];
    lit = vec4(corner_lit[i].rgb, corner_lit[i].w * corner_opacity[i]);
    gl_Position = position;
    EmitVertex();
    lit = vec4(corner_lit[i].rgb, 0.0);
    float near = corner_slope[i].z;
    near -= max(dot(corner_slope[i].xy, away), 0.0) * corner_lit[i].w * pixel_at(near);
    position.z = (2.0 * depth_at(near) - 1.0) * position.w;
    gl_Position = vec4(position.xy + corner_lit[i].w * away * pixel * position.w, position.zw);
    EmitVertex();
}

void main() {
    vec4 depths = vec4(gl_in[0].gl_Position.w, gl_in[1].gl_Position.w, gl_in[2].gl_Position.w, gl_in[3].gl_Position.w);
    // Nothing that reaches behind the eye.
    if (min(min(depths.x, depths.y), min(depths.z, depths.w)) <= 0.0) return;
    vec2 mirror = vec2(sign(projection.x), 1.0), pixel = ray.xy * projection.xy;
    vec2 one = mirror * gl_in[0].gl_Position.xy / depths.x, other = mirror * gl_in[3].gl_Position.xy / depths.w;
    vec2 a = mirror * gl_in[1].gl_Position.xy / depths.y, b = mirror * gl_in[2].gl_Position.xy / depths.z;
    bool first = faces_eye(a, b, one), alone = one == other;
    if (alone ? !first : first == faces_eye(b, a, other)) return;
    vec2 along = (first ? b - a : a - b) / pixel;
    vec2 away = vec2(along.y, -along.x) * inversesqrt(max(dot(along, along), 1e-12));
    put(1, away, mirror * pixel);
    put(2, away, mirror * pixel);
    EndPrimitive();
}
