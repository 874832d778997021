#version 330 core

uniform sampler2D film;
uniform vec4 place;     // left, bottom, width, height [pixels]
uniform float opacity;  // 0 to 1
out vec4 colour;

void main() {
    vec2 at = (gl_FragCoord.xy - place.xy) / place.zw;
    vec4 seen = texture(film, vec2(at.x, 1.0 - at.y));  // the first row is the top one
    colour = vec4(seen.rgb, seen.a * opacity);
}
