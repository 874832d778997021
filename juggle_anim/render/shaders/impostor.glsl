#include "pixel.glsl"
// A quad that covers a solid seen along `ahead`: it spans `low` to `high` in units of its distance.
void place_quad(vec3 ahead, vec3 side, vec3 rise, vec2 low, vec2 high) {
    vec2 unit = vec2(gl_VertexID & 1, gl_VertexID >> 1);
    // The soft edge reaches half a pixel beyond the solid.
    vec2 margin = light.w * (1.0 + max(low * low, high * high));
    vec2 place = mix(low - margin, high + margin, unit);
    vec3 seen = ahead + place.x * side + place.y * rise;
    // A direction serves as position: the fragment shader writes the depth.
    gl_Position = in_picture(seen.xy, -seen.z);
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

// A solid thinner than a pixel is drawn one pixel wide and fades instead, so that it doesn't flicker.
float visible_radius(float radius, float distance) {
    return max(radius, 0.5 * pixel_at(distance));
}

// A quad for an orthographic camera: it spans `low` to `high` along and across `side`, [m].
void place_flat(vec2 side, vec2 low, vec2 high) {
    vec2 unit = vec2(gl_VertexID & 1, gl_VertexID >> 1);
    float margin = pixel_at(0.0);
    vec2 place = mix(low - margin, high + margin, unit);
    gl_Position = in_picture(place.x * side + place.y * vec2(-side.y, side.x), up.w);
}

// A quad that covers a ball.
void place_ball(vec3 centre, float radius) {
    if (up.w > 0.0) {
        place_flat(vec2(1.0, 0.0), centre.xy - radius, centre.xy + radius);
        return;
    }
    float distance = length(centre);
    if (distance < radius * 1.02) {
        place_everywhere();
        return;
    }
    vec3 ahead = centre / distance;
    vec3 side = normalize(cross(abs(ahead.y) < 0.99 ? vec3(0.0, 1.0, 0.0) : vec3(1.0, 0.0, 0.0), ahead));
    vec2 span = vec2(tangents(0.0, distance, radius).y);
    place_quad(ahead, side, cross(ahead, side), -span, span);
}
