// A corner of the skin, carried by up to four bones.
layout(location = 0) in vec3 point;    // at rest, as a share of HALF_RANGE
layout(location = 1) in vec3 normal;
layout(location = 2) in vec4 shares;   // of the bones, the largest first
layout(location = 3) in uvec4 bones;
layout(location = 4) in uint cover;
layout(location = 5) in vec4 outward;  // the normal, one for all corners at this place; how far it may give way, in 2 cm
layout(location = 6) in float opacity;

// For each figure: three rows of each bone's matrix; colours, sRGB, and gloss; limbs that keep light away.
layout(std140) uniform Bodies {
    vec4 rows[ROWS];
};

const float HALF_RANGE = 2.0;          // [m]

// Place and normal in the world, and the outward direction in the camera's axes.
void carry(out vec3 place, out vec3 facing, out vec3 away) {
    int first = gl_InstanceID * STRIDE, row = first + 3 * int(bones[0]);
    vec4 x = shares[0] * rows[row], y = shares[0] * rows[row + 1], z = shares[0] * rows[row + 2];
    for (int i = 1; i < 4 && shares[i] > 0.0; i++) {
        row = first + 3 * int(bones[i]);
        x += shares[i] * rows[row];
        y += shares[i] * rows[row + 1];
        z += shares[i] * rows[row + 2];
    }
    vec4 rest = vec4(HALF_RANGE * point, 1.0);
    place = vec3(dot(x, rest), dot(y, rest), dot(z, rest));
    facing = vec3(dot(x.xyz, normal), dot(y.xyz, normal), dot(z.xyz, normal));
    away = mat3(view) * vec3(dot(x.xyz, outward.xyz), dot(y.xyz, outward.xyz), dot(z.xyz, outward.xyz));
}

vec4 paint() {
    vec4 colour = rows[gl_InstanceID * STRIDE + PAINT + int(cover)];
    return vec4(colour.rgb * colour.rgb, colour.a);
}

// How much light reaches a place from all around and from the key light. A limb is a capsule: its start and the square
// of its radius, then its axis and one over the square of its length.
vec2 reached(vec3 place, vec3 facing) {
    int first = gl_InstanceID * STRIDE + OCCLUDERS;
    vec2 open = vec2(1.0);
    for (int limb = 0; limb < LIMBS; limb++)
        keep_away(open, place, facing, rows[first + 2 * limb], rows[first + 2 * limb + 1], limb < CASTING);
    return open * vec2(near_floor(place, facing), 1.0);
}
