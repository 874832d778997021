// A solid's shaded colour. Light adds up in linear space, which a square root turns nearly into sRGB.
vec3 shade(vec3 normal, vec3 ray, vec4 paint) {
    float lambert = dot(normal, light.xyz);
    float key = max(lambert * 0.85 + 0.15, 0.0); // a large lamp reaches round the edge
    float sky = dot(normal, up.xyz) * 0.5 + 0.5;
    float facing = clamp(1.0 + dot(normal, ray), 0.0, 1.0);
    float rim = facing * facing * facing;

    vec3 glance = reflect(ray, normal);
    float shine = max(dot(glance, light.xyz), 0.0);
    shine *= shine; shine *= shine; shine *= shine;
    float tight = shine * shine * shine;

    vec3 ambient = mix(vec3(0.30, 0.285, 0.275), vec3(0.37, 0.39, 0.415), sky);
    vec3 lit = paint.rgb * (ambient + key * vec3(0.67, 0.655, 0.63));
    lit += rim * sky * 0.10 + mix(0.025 * shine, 0.45 * tight, paint.a);
    return sqrt(min(lit, 1.0));
}
