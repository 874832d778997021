// Shadows on the floor are drawn in the plane across the light, where a sphere's outline is a circle.
const float SHARPEST = 0.006; // half the blur of a shadow cast from the floor itself [m]

vec2 across_light(vec3 place) {
    return vec2(dot(place, shadow_u.xyz), dot(place, shadow_v.xyz));
}

// Half the blur of a shadow cast from this place.
float blur(vec3 place) {
    return SHARPEST + sun.w * max(place.y, 0.0) / sun.y;
}

void place_shadow(vec2 middle) {
    gl_Position = vec4((middle - shadow_box.xy) * shadow_box.z * 2.0 - 1.0, 0.0, 1.0);
}
