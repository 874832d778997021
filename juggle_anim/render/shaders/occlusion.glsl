// Light that limbs keep away from a place of the skin.
const float LAMP = 2.0;  // one over how wide the key light is seen to be: its shadows on the body are as soft

// The share of light from all around that a ball there would take (I. Quilez, "Sphere ambient occlusion", 2007), of a
// limb the one nearest to the place, but not from what lies within the limb, its own skin; and of the key light what passes by the limb, whose own skin is never in its shade.
void keep_away(inout vec2 open, vec3 place, vec3 facing, vec4 start, vec4 axis, bool casts) {
    vec3 from = start.xyz - place;
    float along = clamp(-dot(from, axis.xyz) * axis.w, 0.0, 1.0);
    vec3 away = from + along * axis.xyz;
    float far2 = max(dot(away, away), 1e-6), near = inversesqrt(far2);
    float wide = start.w / far2;
    float taken = max(dot(facing, away) * near + 0.1, 0.0) * min(wide, 1.0 / wide);
    open.x *= 1.0 - 0.8 * min(1.15 * taken, 1.0);
    if (!casts) return;
    // Where the ray to the lamp comes nearest to the axis.
    float rise = dot(from, sun.xyz), lean = dot(sun.xyz, axis.xyz);
    float across = dot(from, axis.xyz), size2 = 1.0 / axis.w;
    float s = clamp((rise * lean - across) / max(size2 - lean * lean, 1e-6), 0.0, 1.0);
    float t = max(rise + s * lean, 1e-4);
    vec3 miss = from + s * axis.xyz - t * sun.xyz;
    float radius = sqrt(start.w);
    float shade = 1.0 - smoothstep(-0.5, 0.5, LAMP * (length(miss) - radius) / t);
    open.y *= 1.0 - 0.7 * shade * smoothstep(1.2 * radius, 2.4 * radius, t);
}

// The floor keeps light from shoes and from the hems above them.
float near_floor(vec3 place, vec3 facing) {
    return 1.0 - 0.45 * max(0.6 - facing.y, 0.0) * exp2(-14.0 * max(place.y, 0.0));
}
