// A solid's shaded colour. Light adds up in linear space, which a square root turns nearly into sRGB.
const float SHOULDER = 0.72;  // brighter light is compressed, so that highlights keep their colour
const float ROOM = 1.0 - SHOULDER;
// As an illustrator has it, a form has a lit side and a side in shade, with a short way between them.
const vec2 BEND = vec2(0.05, 0.75);          // the key light, as a share, at which shade ends and full light begins
const vec3 SHADE = vec3(0.96, 0.94, 0.97);   // what shade leaves of the light from all around: it is cooler
const vec2 TURN = vec2(0.1, 0.50);           // the key light between which a form turns from it, and colours are deeper
const float DEEPER = 0.28;                   // in shade, the share of a colour that passes through its pigment twice
const float BEHIND = 1.3;                    // how much stronger the light from behind is on the side in shade
const float NAP = 0.25;                      // how much darker dull cloth is where it turns away from the eye

// `open` are the shares of the light from all around and of the key light that nothing near keeps away.
vec3 shade_open(vec3 normal, vec3 ray, vec4 paint, vec2 open) {
    float lambert = dot(normal, light.xyz);
    float key = max(lambert * 0.85 + 0.15, 0.0) * open.y; // a large lamp reaches round the edge
    float lit_side = smoothstep(BEND.x, BEND.y, key);
    float turned = 1.0 - smoothstep(TURN.x, TURN.y, key);
    key = 0.5 * (key + lit_side);
    float sky = dot(normal, up.xyz) * 0.5 + 0.5;
    float facing = clamp(1.0 + dot(normal, ray), 0.0, 1.0);
    float nap = NAP * smoothstep(0.85, 1.0, facing) * max(1.0 - 20.0 * paint.a, 0.0);
    float rim = facing * facing * facing * sky * open.x * mix(BEHIND, 1.0, lit_side);

    float shine = max(dot(reflect(ray, normal), light.xyz), 0.0);
    shine *= shine; shine *= shine; shine *= shine;
    float glance = mix(0.025 * shine, 0.90 * shine * shine * shine, paint.a) * open.y;

    float brightest = max(max(paint.r, paint.g), max(paint.b, 1e-3));
    vec3 pigment = paint.rgb * (1.0 - nap) * mix(vec3(1.0), paint.rgb / brightest, DEEPER * turned);
    vec3 around = (ground_light.rgb + sky * sky_light.rgb + max(dot(normal, fill.xyz), 0.0) * fill.w) * open.x;
    around *= mix(SHADE, vec3(1.0), lit_side);
    vec3 lit = pigment * (around + key * key_light.rgb) + (rim * rim_light.rgb + glance);
    vec3 over = clamp(lit - SHOULDER, 0.0, 2.0 * ROOM);
    return sqrt(min(lit, SHOULDER) + over - over * over * (0.25 / ROOM));
}

vec3 shade(vec3 normal, vec3 ray, vec4 paint) {
    return shade_open(normal, ray, paint, vec2(1.0));
}

// The opacity that blends a colour as light would mix, for so much of a pixel; what is behind is taken to be as bright as
// the backdrop.
float blended(vec3 colour, float coverage) {
#ifndef EDGE
    return coverage;
#endif
    float behind = shadow_end.z, own = dot(colour, vec3(0.3, 0.59, 0.11));
    return coverage * (own + behind) / (sqrt(mix(behind * behind, own * own, coverage)) + behind);
}
