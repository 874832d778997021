// A quad that covers a solid: seen along `ahead`, it spans `low` to `high` in units of its distance.
void place_quad(vec3 ahead, vec3 side, vec3 rise, vec2 low, vec2 high) {
    vec2 unit = vec2(gl_VertexID & 1, gl_VertexID >> 1);
    // The soft edge reaches half a pixel beyond the solid.
    vec2 margin = light.w * (1.0 + max(low * low, high * high));
    vec2 place = mix(low - margin, high + margin, unit);
    vec3 seen = ahead + place.x * side + place.y * rise;
    // A direction will do for a position: depth comes from the fragment shader.
    gl_Position = vec4(projection.xy * seen.xy, 0.0, -seen.z);
}

void place_everywhere() {
    gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0, 0.0, 1.0);
}

// Tangents to a circle at (x, distance) from the eye; distance > radius.
vec2 tangents(float x, float distance, float radius) {
    float gap = distance * distance - radius * radius;
    float root = radius * sqrt(max(x * x + gap, 0.0));
    return vec2(x * distance - root, x * distance + root) / gap;
}

// Thinner than a pixel, a solid keeps a pixel's width and fades instead: it must not flicker.
float visible_radius(float radius, float distance) {
    return max(radius, 0.5 * light.w * distance);
}
