#if defined(SPOT)
const float VIGNETTE = 0.35, GLOW = 0.1;
#elif defined(COVE)
const float VIGNETTE = 0.11, GLOW = 0.13;
#elif defined(HALL)
const float VIGNETTE = 0.09, GLOW = 0.0;
#else
const float VIGNETTE = 0.0, GLOW = 0.0;
#endif

// A pixel's ray in the world: its start and its direction, not of length 1.
void view_ray(out vec3 start, out vec3 along) {
    along = ahead.xyz + gl_FragCoord.x * across.xyz + gl_FragCoord.y * above.xyz;
    start = eye.xyz;
    if (up.w > 0.0) {
        vec3 back = vec3(view[0].z, view[1].z, view[2].z);
        start += up.w * (along + back);
        along = -back;
    }
}

// How far a pixel is from straight ahead, in half heights of the picture, squared.
float off_middle() {
    vec2 place = projection.y * (gl_FragCoord.xy * ray.xy + ray.zw);
    return dot(place, place);
}

// What a lens leaves of the light: less towards the corners.
float vignette() {
    return 1.0 - VIGNETTE * smoothstep(0.3, 3.2, off_middle());
}

// The sky, always in perspective: parallel rays would give it one colour. A lamp behind people brightens its middle.
vec3 backdrop() {
    vec3 along = ahead.xyz + gl_FragCoord.x * across.xyz + gl_FragCoord.y * above.xyz;
    float rise = clamp(2.2 * along.y * inversesqrt(dot(along, along)), 0.0, 1.0);
    return mix(backdrop_bottom, backdrop_top, rise * (2.0 - rise)).rgb * (1.0 + GLOW * vec3(1.0, 0.95, 0.91) * exp2(-2.2 * off_middle()));
}

#ifdef SPOT
// A lamp hangs high above the middle of the floor, and the brightest of its light shows in the haze as a cone. Lengths are
// shares of the radius of the lit floor.
const float LAMP_HEIGHT = 1.8, CONE = 0.20, POOL = 0.30; // CONE: its radius on the floor; POOL: of what is lit there
const vec3 MIST = vec3(0.125, 0.135, 0.158);              // what a line of sight through the middle of the cone sees of it

// The light of the haze along a ray, which the floor ends at `reach`, a multiple of `along`: by how near the ray comes to
// the axis of the cone. From within the cone, or near it, no cone is seen.
vec3 mist(vec3 start, vec3 along, float reach) {
    vec2 to_axis = vec2(ahead.w, across.w) - start.xz;
    float level = max(dot(along.xz, along.xz), 1e-6), nearest = dot(to_axis, along.xz) / level;
    float height = (start.y + nearest * along.y) * eye.w / LAMP_HEIGHT, high = clamp(height, 0.0, 1.0);
    float radius = CONE * (1.0 - 0.95 * high);
    float off = abs(to_axis.x * along.z - to_axis.y * along.x) * inversesqrt(level) * eye.w / radius;
    // Of the way through the cone, what is before the floor.
    float passed = clamp(0.5 + 0.5 * (reach - nearest) * sqrt(level) * eye.w / radius, 0.0, 1.0);
    float outside = smoothstep(0.2, 1.0, length(to_axis) * eye.w / CONE);
    return MIST * outside * passed * (1.0 - smoothstep(0.4, 1.3, off)) * mix(0.6, 1.5, high) * (1.0 - smoothstep(0.85, 1.0, height));
}
#endif

// How much of a line of this width a pixel shows whose middle is `off` the middle of the line.
float line_cover(float off, float width, float pixel) {
    return clamp((0.5 * (width + pixel) - abs(off)) / pixel, 0.0, min(width / pixel, 1.0));
}
