// A solid's shaded colour. Light adds up in linear space, which a square root turns nearly into sRGB.
const float SHOULDER = 0.72;  // brighter light is compressed, so that highlights keep their colour

// `open` are the shares of the light from all around and of the key light that nothing near keeps away.
vec3 shade_open(vec3 normal, vec3 ray, vec4 paint, vec2 open) {
    float lambert = dot(normal, light.xyz);
    float key = max(lambert * 0.85 + 0.15, 0.0) * open.y; // a large lamp reaches round the edge
    float sky = dot(normal, up.xyz) * 0.5 + 0.5;
    float aside = dot(normal, fill.xyz) * 0.5 + 0.5;
    float facing = clamp(1.0 + dot(normal, ray), 0.0, 1.0);
    float rim = facing * facing * facing * (0.3 + 0.7 * sky) * open.x;

    vec3 glance = reflect(ray, normal);
    float shine = max(dot(glance, light.xyz), 0.0);
    shine *= shine; shine *= shine; shine *= shine;
    float tight = shine * shine * shine;

    vec3 around = mix(ground_light.rgb, sky_light.rgb, sky) + fill.w * aside * aside;
    vec3 lit = paint.rgb * (around * open.x + key * key_light.rgb);
    lit += rim * rim_light.rgb + open.y * mix(0.025 * shine, 0.45 * tight, paint.a);
    vec3 over = max(lit - SHOULDER, 0.0);
    return sqrt(lit - over + over / (1.0 + over / (1.0 - SHOULDER)));
}

vec3 shade(vec3 normal, vec3 ray, vec4 paint) {
    return shade_open(normal, ray, paint, vec2(1.0));
}

// The opacity that blends a colour as light would mix, for so much of a pixel; what is behind is taken to be as bright as
// the backdrop.
float blended(vec3 colour, float coverage) {
    float behind = shadow_end.z, own = dot(colour, vec3(0.3, 0.59, 0.11));
    return coverage * (own + behind) / (sqrt(mix(behind * behind, own * own, coverage)) + behind);
}
