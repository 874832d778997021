#if defined(SPOT)
const float VIGNETTE = 0.35, GLOW = 1.5;
#elif defined(COVE)
const float VIGNETTE = 0.14, GLOW = 0.04;
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
    float rise = clamp(1.8 * along.y * inversesqrt(dot(along, along)), 0.0, 1.0);
    return mix(backdrop_bottom, backdrop_top, rise * (2.0 - rise)).rgb * (1.0 + GLOW * exp2(-3.0 * off_middle()));
}

// How much of a line of this width a pixel shows whose middle is `off` the middle of the line.
float line_cover(float off, float width, float pixel) {
    return clamp((0.5 * (width + pixel) - abs(off)) / pixel, 0.0, min(width / pixel, 1.0));
}
